#include "reports/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "contracts/dtype.h"
#include "reports/diff_pairs.h"
#include "reports/evidence_text.h"
#include "reports/suggest_evidence.h"
#include "reports/text.h"

namespace assay {

namespace {

using fkc::KernelContract;

/// A bound of `precision`, and where a record has what was measured of it.
struct BoundField {
  ClaimKind kind;
  std::string_view key;
  std::string_view what;
};

constexpr std::array<BoundField, 3> kBounds = {
    {{ClaimKind::kMaxUlp, "max_ulp", "the largest ULP distance"},
     {ClaimKind::kMaxRelative, "max_relative", "the largest relative error"},
     {ClaimKind::kMaxAbsolute, "max_absolute", "the largest absolute error"}}};

std::optional<double> measured_bound(const ClaimRecord& claim, ClaimKind kind) {
  const Measured& measured = claim.measured;
  if (kind == ClaimKind::kMaxRelative) return measured.max_relative;
  if (kind == ClaimKind::kMaxAbsolute) return measured.max_absolute;
  if (!measured.max_ulp_distance) return std::nullopt;
  return static_cast<double>(*measured.max_ulp_distance);
}

/// The rounding of an element that no entry names: what the audit compares with.
std::optional<Rounding> natural_rounding(const KernelContract& contract) {
  if (contract.inputs.size() != 1 || contract.inputs[0].dtypes.size() != 1) return std::nullopt;
  if (contract.outputs.empty() || !contract.outputs[0].fixed_dtype) return std::nullopt;
  const DtypeTraits& from = traits(contract.inputs[0].dtypes[0]);
  const DtypeTraits& to = traits(*contract.outputs[0].fixed_dtype);
  if (!to.is_floating()) return Rounding::kTowardZero;
  const bool precise = from.precision <= to.precision;
  if (!from.is_floating()) return precise ? Rounding::kExact : Rounding::kNearestEven;
  const bool in_range = from.max_exponent <= to.max_exponent &&
                        from.min_exponent - from.precision >= to.min_exponent - to.precision;
  return precise && in_range ? Rounding::kExact : Rounding::kNearestEven;
}

class Advisor {
 public:
  Advisor(const KernelContract& contract, const SectionEvidence& evidence,
          const SuggestOptions& options, Suggestions& out)
      : contract_(contract), evidence_(evidence), options_(options), out_(out) {}

  void run() {
    for (const BoundField& field : kBounds) {
      if (contract_.disputed_claim(field.kind) != nullptr) {
        refuse(field.kind, "sentences of the contract contradict each other about it");
      } else if (const Claim* claim = contract_.claim(field.kind)) {
        declared_bound(field, *claim);
      } else if (field.kind == ClaimKind::kMaxUlp) {
        open_max_ulp(field);
      }
    }
    rules();
  }

 private:
  void refuse(ClaimKind kind, std::string why) {
    out_.not_made.push_back({contract_.kernel, std::string(row(kind).id), std::move(why)});
  }

  /// True if the strength carries a bound; else says why not.
  bool carries(ClaimKind kind, const ClaimEvidence& found) {
    if (found.strength >= Strength::kBoundaryComplete) return true;
    if (found.strength == Strength::kSampled && options_.from_samples) return true;
    refuse(kind, fmt::format("the evidence is {}: other inputs may be worse (--from-samples "
                             "--margin PERCENT takes it all the same)",
                             to_string(found.strength)));
    return false;
  }

  void make(ClaimKind kind, std::string_view mapping, std::string_view key, std::string value,
            const ClaimEvidence& found, std::string_view measured, bool loosens = false) {
    const Claim* claim = contract_.claim(kind);
    Suggestion made;
    made.kernel = contract_.kernel;
    made.section_line = contract_.line;
    made.claim = kind;
    made.mapping = mapping;
    made.key = key;
    made.value = std::move(value);
    made.declared = claim == nullptr ? "" : claim->declared;
    made.loosens = loosens;
    made.from_samples = found.strength == Strength::kSampled;
    made.evidence = fmt::format("{}, {} or more on each of {}: {}", to_string(found.strength),
                                counted(found.probes, "probe"), joined(found.variants), measured);
    made.space = found.space;
    out_.made.push_back(std::move(made));
  }

  /// What a contract would say of a measured bound; nothing where it cannot.
  std::optional<std::string> bound_text(ClaimKind kind, double measured, bool sampled) const {
    const double bound = sampled ? measured * (1 + options_.margin / 100) : measured;
    if (!std::isfinite(bound)) return std::nullopt;
    constexpr double kMost = 1e300;
    if (kind != ClaimKind::kMaxUlp) {
      return bound <= kMost ? std::optional(bound_above(bound)) : std::nullopt;
    }
    if (bound > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return fmt::format("{}", static_cast<std::uint64_t>(std::ceil(bound)));
  }

  static double number(const std::string& text) {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

  void declared_bound(const BoundField& field, const Claim& claim) {
    const auto found = evidence_.of(field.kind);
    if (!found) return refuse(field.kind, "it was not judged on every variant");
    if (!found->open.empty()) return refuse(field.kind, found->open);
    const auto measured = found->largest(
        [&](const ClaimRecord& record) { return measured_bound(record, field.kind); });
    if (!measured) return refuse(field.kind, "nothing was measured of it");
    const double declared = number(claim.declared);
    if (found->refuted && !options_.loosen) {
      return refuse(field.kind,
                    fmt::format("{} is refuted: {} is {} (--loosen proposes a bound that holds)",
                                claim.declared, field.what, number_text(*measured)));
    }
    if (found->refuted) {
      const std::string why = evidence_.not_a_distance();
      if (!why.empty()) return refuse(field.kind, "no bound is known to hold: " + why);
    }
    if (!found->refuted && !(*measured < declared)) return;  // as tight as it can be
    if (!carries(field.kind, *found)) return;
    if (claim.source.kind != SourceKind::kStructured) {
      return refuse(field.kind, fmt::format("it is declared in prose, on line {}: {} is {}",
                                            claim.source.line, field.what, number_text(*measured)));
    }
    const auto text = bound_text(field.kind, *measured, found->strength == Strength::kSampled);
    if (!text) return refuse(field.kind, "what was measured is too large for a bound");
    const double bound = number(*text);
    if (found->refuted ? bound <= declared : bound >= declared) {
      if (!found->refuted) return;
      return refuse(field.kind, "it is refuted by something else than the measured bound");
    }
    make(field.kind, "precision", field.key, *text, *found,
         fmt::format("{} is {}", field.what, number_text(*measured)), found->refuted);
  }

  void open_max_ulp(const BoundField& field) {
    const auto found = evidence_.of(ClaimKind::kRounding);
    if (!found) {
      if (evidence_.of(ClaimKind::kMaxUlp)) {
        refuse(field.kind, "measured by samples of tensors, which bound no other results");
      }
      return;
    }
    if (!found->open.empty()) return refuse(field.kind, found->open);
    const auto measured = found->largest(
        [&](const ClaimRecord& record) { return measured_bound(record, field.kind); });
    if (!measured) return;
    const std::string why = evidence_.not_a_distance();
    if (!why.empty()) return refuse(field.kind, "no bound in steps would hold: " + why);
    if (*measured == 0 && found->violations > 0) {
      return refuse(field.kind, "results violate the rounding though their distance is 0");
    }
    if (!carries(field.kind, *found)) return;
    const auto text = bound_text(field.kind, *measured, found->strength == Strength::kSampled);
    if (!text) return refuse(field.kind, "what was measured is too large for a bound");
    make(field.kind, "precision", field.key, *text, *found,
         fmt::format("{} is {}", field.what, number_text(*measured)));
  }

  /// Entries of `audit` whose promise every result kept, though nobody made it.
  void rules() {
    const std::optional<Rounding> rounding = natural_rounding(contract_);
    if (!rounding) return;
    rule(ClaimKind::kRounding, "rounding", to_string(*rounding));
    const bool floats = traits(contract_.inputs[0].dtypes[0]).is_floating() &&
                        traits(*contract_.outputs[0].fixed_dtype).is_floating();
    if (!floats) return;
    rule(ClaimKind::kOverflow, "overflow", "infinity");
    rule(ClaimKind::kNan, "nan", "preserved");
    rule(ClaimKind::kInfinity, "infinity", "preserved");
    rule(ClaimKind::kSignedZero, "signed_zero", "preserved");
    rule(ClaimKind::kSubnormals, "subnormals", "preserved");
  }

  void rule(ClaimKind kind, std::string_view key, std::string_view value) {
    if (contract_.claim(kind) != nullptr || contract_.disputed_claim(kind) != nullptr) return;
    const auto found = evidence_.of(kind);
    if (!found || found->probes == 0) return;
    if (found->violations > 0) {
      return refuse(kind, fmt::format("{} of a variant are not `{}`",
                                      counted(found->violations, "result"), value));
    }
    if (!found->open.empty()) return refuse(kind, found->open);
    if (found->strength < Strength::kBoundaryComplete) {
      return refuse(kind, fmt::format("every result was `{}`, and the evidence is {} only", value,
                                      to_string(found->strength)));
    }
    make(kind, "audit", key, std::string(value), *found, "every result is so");
  }

  const KernelContract& contract_;
  const SectionEvidence& evidence_;
  const SuggestOptions& options_;
  Suggestions& out_;
};

}  // namespace

Suggestions suggestions_for(const fkc::Document& document, const RunRecord& record,
                            const SuggestOptions& options) {
  Suggestions suggestions;
  for (const KernelContract& contract : document.kernels) {
    const SectionEvidence evidence(contract, record);
    if (evidence.obstacle().empty()) {
      Advisor(contract, evidence, options, suggestions).run();
    } else if (evidence.in_record()) {
      suggestions.not_made.push_back({contract.kernel, "", evidence.obstacle()});
    }
  }
  return suggestions;
}

std::string chosen_variants_line(const RunRecord& record) {
  if (record.run.variants.empty()) return "";
  return fmt::format(
      "# WARNING: only variants that match {} were audited; others may break what is suggested "
      "here\n",
      one_line(joined(record.run.variants)));
}

std::string bound_above(double value) {
  if (value == 0) return "0";
  // A quotient that was rounded, then a product that is: a few units in the last place.
  const double due = std::max(value * (1 + 0x1p-50), 1e-300);
  const double unit = std::pow(10, std::floor(std::log10(due)) - 2);
  double digits = std::ceil(due / unit);
  for (;; ++digits) {
    double bound = 0;
    const std::string text = fmt::format("{}e{}", static_cast<std::uint64_t>(digits),
                                         static_cast<int>(std::lround(std::log10(unit))));
    std::from_chars(text.data(), text.data() + text.size(), bound);
    if (bound >= due) return fmt::format("{}", bound);
  }
}

}  // namespace assay
