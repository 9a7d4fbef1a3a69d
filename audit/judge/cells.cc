#include "audit/judge/cells.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "contracts/measure.h"

namespace assay {

namespace {

using oracle::CastOracle;

/// The least magnitude in [low, high) for which `reached` holds, or `high`; `reached` is monotone.
template <typename Predicate>
Bits first_magnitude(Bits low, Bits high, Predicate reached) {
  while (low < high) {
    const Bits middle = low + (high - low) / 2;
    if (reached(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// True when truncation or rounding of `bits` leaves an integer destination's range.
bool leaves_integer_range(Bits bits, Dtype from, Dtype to) {
  return oracle::compare_with_text(bits, from, "-1") <= 0 ||
         oracle::compare_with_text(bits, from, "2^" + std::to_string(traits(to).width)) >= 0;
}

CellClass classify(const CastOracle& oracle, Bits bits) {
  const auto& [from, to, rounding] = oracle.operation();
  const DtypeTraits& source = traits(from);
  const DtypeTraits& target = traits(to);
  if (source.is_nan(bits)) return CellClass::kNan;
  if (source.is_infinite(bits)) return CellClass::kInfinite;
  if (source.is_zero(bits)) return CellClass::kZero;
  const Bits result = oracle.expect_one(bits);
  if (target.is_floating()) {
    if (target.is_infinite(result)) return CellClass::kOverflow;
  } else if (leaves_integer_range(bits, from, to)) {
    return CellClass::kOverflow;
  }
  if (target.is_zero(result)) return CellClass::kUnderflow;
  if (source.is_subnormal(bits) || target.is_subnormal(result)) return CellClass::kSubnormal;
  return CellClass::kNormal;
}

bool inside(Bits bits, Dtype dtype, const Interval& interval) {
  if (traits(dtype).is_nan(bits)) return false;
  if (interval.lower) {
    const int order = oracle::compare_with_text(bits, dtype, *interval.lower);
    if (order < 0 || (order == 0 && !interval.lower_inclusive)) return false;
  }
  if (interval.upper) {
    const int order = oracle::compare_with_text(bits, dtype, *interval.upper);
    if (order > 0 || (order == 0 && !interval.upper_inclusive)) return false;
  }
  return true;
}

/// Adds the keys at which the comparison with `text` changes: where values become >= and > it.
void add_text_cuts(Dtype dtype, const std::string& text, std::set<std::int64_t>& cuts) {
  const DtypeTraits& format = traits(dtype);
  const std::int64_t least =
      format.is_floating()
          ? order_key(format.infinity() | format.sign_mask(), dtype)
          : order_key(format.kind == NumberKind::kSigned ? format.sign_mask() : 0, dtype);
  const std::int64_t most =
      format.is_floating() ? order_key(format.infinity(), dtype)
                           : order_key(format.kind == NumberKind::kSigned ? format.magnitude_mask()
                                                                          : format.all_mask(),
                                       dtype);
  for (const int bound : {0, 1}) {
    std::int64_t low = least;
    std::int64_t high = most;
    while (low < high) {  // the least key whose value compares >= bound with the text
      const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
      const std::int64_t middle = low + static_cast<std::int64_t>(span / 2);
      if (oracle::compare_with_text(bits_of_key(middle, dtype), dtype, text) >= bound) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    cuts.insert(low);
  }
}

/// The interval of the contract's domain_exact claim, or nullptr.
const Interval* exact_domain(const fkc::KernelContract& contract) {
  const Claim* claim = contract.claim(ClaimKind::kDomainExact);
  return claim == nullptr ? nullptr : std::get_if<Interval>(&claim->value);
}

/// See Cell::nothing_due.
bool nothing_due(const fkc::KernelContract& contract, Dtype to, CellClass kind) {
  const bool integer = !traits(to).is_floating();
  const auto open = [&](ClaimKind rule_kind, auto callers_error) {
    const Claim* claim = contract.claim(rule_kind);
    if (claim == nullptr) return integer;
    const auto* rule = std::get_if<decltype(callers_error)>(&claim->value);
    return rule != nullptr && *rule == callers_error;
  };
  if (kind == CellClass::kNan) return open(ClaimKind::kNan, NanRule::kCallerError);
  const bool beyond = kind == CellClass::kOverflow || (integer && kind == CellClass::kInfinite);
  return beyond && open(ClaimKind::kOverflow, OverflowRule::kCallerError);
}

}  // namespace

CellMap::CellMap(const CastOracle& oracle, const fkc::KernelContract& contract)
    : operation_(oracle.operation()), axis_(operation_) {
  const Dtype from = operation_.from;
  const DtypeTraits& source = traits(from);
  std::set<std::int64_t> cuts;

  if (source.is_floating()) {
    const Bits end = source.infinity();
    for (const Bits sign : {Bits{0}, source.sign_mask()}) {
      // Along one sign, classes come in the order of the enumeration.
      for (std::size_t kind = 1; kind < kCellClasses; ++kind) {
        const Bits first = first_magnitude(0, end + 2, [&](Bits magnitude) {
          return classify(oracle, magnitude | sign) >= static_cast<CellClass>(kind);
        });
        if (first > end + 1) continue;
        // On the negative side a stretch of magnitudes [first, next) reads backwards.
        const std::int64_t key = order_key(first | sign, from);
        cuts.insert(sign == 0 ? key : key + 1);
      }
    }
    cuts.insert(order_key(0, from));
    cuts.insert(order_key(source.all_mask(), from));  // the most negative NaN: the line's start
  } else {
    cuts.insert(order_key(source.kind == NumberKind::kSigned ? source.sign_mask() : 0, from));
    cuts.insert(0);
    cuts.insert(1);
  }
  std::vector<const Interval*> intervals;
  for (const Interval& interval : contract.caller_error) intervals.push_back(&interval);
  const Interval* exact = exact_domain(contract);
  if (exact != nullptr) intervals.push_back(exact);
  for (const Interval* interval : intervals) {
    if (interval->lower) add_text_cuts(from, *interval->lower, cuts);
    if (interval->upper) add_text_cuts(from, *interval->upper, cuts);
  }

  for (const std::int64_t key : cuts) {
    const Bits bits = bits_of_key(key, from);
    Cell cell;
    cell.first_key = key;
    cell.kind = classify(oracle, bits);
    cell.exact_domain = exact != nullptr && inside(bits, from, *exact);
    cell.caller_error = source.is_nan(bits) && contract.caller_error_nan;
    for (const Interval& interval : contract.caller_error) {
      cell.caller_error = cell.caller_error || inside(bits, from, interval);
    }
    cell.nothing_due = nothing_due(contract, operation_.to, cell.kind);
    cells_.push_back(cell);
  }
  if (cells_.size() > kMaxCells) {
    throw std::invalid_argument("the contract's domain texts cut the input line into more than " +
                                std::to_string(kMaxCells) + " parts; state fewer conditions");
  }
}

std::int64_t CellMap::order_key_of(Bits bits) const {
  return order_key(bits, operation_.from);
}

bool in_scope(ClaimKind kind, const Cell& cell) {
  if (cell.caller_error) return false;
  const bool finite_result = cell.kind <= CellClass::kNormal;
  switch (kind) {
    case ClaimKind::kMaxUlp:
      return !cell.nothing_due;
    case ClaimKind::kMaxRelative:
    case ClaimKind::kMaxAbsolute:
    case ClaimKind::kRounding:
      return finite_result;
    case ClaimKind::kOverflow:
      return cell.kind == CellClass::kOverflow;
    case ClaimKind::kNan:
      return cell.kind == CellClass::kNan;
    case ClaimKind::kInfinity:
      return cell.kind == CellClass::kInfinite;
    case ClaimKind::kSignedZero:
      return cell.kind == CellClass::kZero || cell.kind == CellClass::kUnderflow;
    case ClaimKind::kSubnormals:
      return cell.kind == CellClass::kSubnormal;
    case ClaimKind::kDomainExact:
      return cell.exact_domain && !cell.nothing_due;
    default:
      return false;
  }
}

}  // namespace assay
