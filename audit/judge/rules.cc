#include <cmath>

#include "audit/judge/sweep.h"
#include "contracts/measure.h"
#include "oracles/cast_measure.h"

namespace assay {

Rules::Rules(const fkc::KernelContract& contract) {
  for (const Claim& claim : contract.claims) {
    const auto index = static_cast<std::size_t>(claim.kind);
    if (index >= kElementClaims) continue;
    declared[index] = true;
    if (const auto* steps = std::get_if<std::uint64_t>(&claim.value)) max_ulp = *steps;
    if (const auto* bound = std::get_if<double>(&claim.value)) {
      (claim.kind == ClaimKind::kMaxRelative ? max_relative : max_absolute) = *bound;
    }
    if (const auto* rule = std::get_if<OverflowRule>(&claim.value)) overflow = *rule;
    if (const auto* rule = std::get_if<NanRule>(&claim.value)) nan = *rule;
  }
}

std::uint32_t Rules::declared_set() const {
  ClaimSet set = 0;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i]) set |= ClaimSet{1} << i;
  }
  return set;
}

namespace {

bool beyond_bound(double error, double bound) {
  return !(error <= bound);
}

}  // namespace

Bits due_result(const Rules& rules, const Cell& cell, const oracle::CastOperation& operation,
                Bits expected) {
  const DtypeTraits& to = traits(operation.to);
  const bool saturated = cell.kind == CellClass::kOverflow && to.is_floating() &&
                         rules.overflow == OverflowRule::kSaturate;
  return saturated ? (expected & to.sign_mask()) | to.max_finite() : expected;
}

ClaimSet violated(const Rules& rules, const Cell& cell, const oracle::CastOperation& operation,
                  Bits input, Bits got, Bits expected) {
  if (cell.caller_error) return 0;
  const DtypeTraits& to = traits(operation.to);
  const bool finite_result = cell.kind <= CellClass::kNormal;
  const Bits due = due_result(rules, cell, operation, expected);
  const bool nan_due = to.is_nan(due);
  const std::optional<std::uint64_t> distance = ulp_distance(got, due, operation.to);
  ClaimSet result = 0;

  if (rules.declared[static_cast<std::size_t>(ClaimKind::kMaxUlp)] && !cell.nothing_due &&
      (!distance || *distance > rules.max_ulp)) {
    result |= bit(ClaimKind::kMaxUlp);
  }
  if (finite_result && (rules.declared[static_cast<std::size_t>(ClaimKind::kMaxRelative)] ||
                        rules.declared[static_cast<std::size_t>(ClaimKind::kMaxAbsolute)])) {
    const double exact = oracle::to_double(input, operation.from);
    const double error = std::fabs(oracle::to_double(got, operation.to) - exact);
    const double least = to.is_floating() ? oracle::to_double(to.min_normal(), operation.to) : 1.0;
    if (rules.declared[static_cast<std::size_t>(ClaimKind::kMaxRelative)] &&
        beyond_bound(error, rules.max_relative * std::fmax(std::fabs(exact), least))) {
      result |= bit(ClaimKind::kMaxRelative);
    }
    if (rules.declared[static_cast<std::size_t>(ClaimKind::kMaxAbsolute)] &&
        beyond_bound(error, rules.max_absolute)) {
      result |= bit(ClaimKind::kMaxAbsolute);
    }
  }
  if (got == due || (nan_due && to.is_nan(got))) return result;
  // Exactness is about the value: a zero of the wrong sign is the business of another claim.
  if (cell.exact_domain && !cell.nothing_due && !(to.is_zero(due) && to.is_zero(got))) {
    result |= bit(ClaimKind::kDomainExact);
  }

  switch (cell.kind) {
    case CellClass::kNan:
      return result | bit(ClaimKind::kNan);
    case CellClass::kInfinite:
      return result | bit(ClaimKind::kInfinity);
    case CellClass::kOverflow:
      return result | bit(ClaimKind::kOverflow);
    case CellClass::kZero:
    case CellClass::kUnderflow:
    case CellClass::kSubnormal:
    case CellClass::kNormal:
      break;
  }
  if (to.is_zero(due) && to.is_zero(got)) {  // the right value with the wrong sign
    return result | bit(ClaimKind::kSignedZero);
  }
  result |= bit(ClaimKind::kRounding);
  // A finite result is due: an infinity in its place also means that the threshold is wrong.
  if (to.is_infinite(got)) result |= bit(ClaimKind::kOverflow);
  if (cell.kind == CellClass::kSubnormal) {
    // Gradual underflow is violated by a result more than a step away, and by a zero where the
    // exact result is a whole subnormal or more; a mere rounding fault is the rounding claim's.
    const double exact = std::fabs(oracle::to_double(input, operation.from));
    const double least_subnormal = oracle::to_double(1, operation.to);
    if (!distance || *distance > 1 || (to.is_zero(got) && exact >= least_subnormal)) {
      result |= bit(ClaimKind::kSubnormals);
    }
  }
  return result;
}

}  // namespace assay
