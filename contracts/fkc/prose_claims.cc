// Claims that contracts make in prose.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "contracts/fkc/claims.h"
#include "contracts/fkc/domain.h"
#include "contracts/fkc/phrases.h"
#include "contracts/fkc/prose.h"

namespace assay::fkc {

namespace {

/// Where a cast leads, as far as promises about special values depend on it.
struct Formats {
  bool floating_in = false;
  bool floating_out = false;
  bool overflows = false;  ///< some finite input lies beyond the output's range
};

Formats formats_of(const KernelContract& contract) {
  Formats formats;
  if (contract.inputs.empty() || contract.outputs.empty()) return formats;
  const std::vector<Dtype>& inputs = contract.inputs.front().dtypes;
  formats.floating_in = std::any_of(inputs.begin(), inputs.end(),
                                    [](Dtype dtype) { return traits(dtype).is_floating(); });
  const std::optional<Dtype>& output = contract.outputs.front().fixed_dtype;
  formats.floating_out = output ? traits(*output).is_floating() : formats.floating_in;
  for (const Dtype input : inputs) {
    if (!output || !traits(input).is_floating() || !traits(*output).is_floating()) continue;
    const DtypeTraits& from = traits(input);
    const DtypeTraits& to = traits(*output);
    formats.overflows = formats.overflows || from.max_exponent > to.max_exponent ||
                        (from.max_exponent == to.max_exponent && from.precision > to.precision);
  }
  return formats;
}

/// A phrase about all conversions of a family says nothing about values that one of them lacks.
bool applies(const PhraseClaim& claim, const Formats& formats) {
  switch (claim.kind) {
    case ClaimKind::kOverflow:
      return claim.declared != "infinity" || formats.overflows;
    case ClaimKind::kNan:
      return formats.floating_in && (claim.declared != "preserved" || formats.floating_out);
    case ClaimKind::kInfinity:
    case ClaimKind::kSignedZero:
    case ClaimKind::kSubnormals:
      return formats.floating_in && formats.floating_out;
    default:
      return true;
  }
}

ClaimValue value_of(const PhraseClaim& claim, const std::string& declared) {
  const auto rule = [&](auto... choices) -> ClaimValue {
    ClaimValue value;
    ((to_string(choices) == declared ? void(value = choices) : void()), ...);
    return value;
  };
  switch (claim.kind) {
    case ClaimKind::kRounding:
      return rule(Rounding::kExact, Rounding::kNearestEven, Rounding::kTowardZero);
    case ClaimKind::kOverflow:
      return rule(OverflowRule::kInfinity, OverflowRule::kSaturate, OverflowRule::kCallerError);
    case ClaimKind::kNan:
      return rule(NanRule::kPreserved, NanRule::kZero, NanRule::kCallerError, NanRule::kIgnored);
    case ClaimKind::kAccumulator:
      return rule(Accumulator::kNestedSum, Accumulator::kScatteredSum);
    case ClaimKind::kDomainExact: {
      const auto domain = parse_domain(declared);
      const auto* conditions = std::get_if<std::vector<Condition>>(&domain);
      if (conditions != nullptr && conditions->size() == 1 && conditions->front().interval) {
        return *conditions->front().interval;
      }
      return {};
    }
    default:
      return {};
  }
}

/// So much of a sentence that people find it again. One may be as long as the document, and have a
/// phrase in every line.
std::string beginning_of(const std::string& sentence) {
  constexpr std::size_t kShown = 200;
  if (sentence.size() <= kShown) return sentence;
  const std::size_t blank = sentence.rfind(' ', kShown);
  return blank == std::string::npos ? "..." : sentence.substr(0, blank) + " ...";
}

class ProseReader {
 public:
  ProseReader(KernelContract& contract, ClaimWriter& claims, Reporter& reporter)
      : contract_(contract),
        claims_(claims),
        reporter_(reporter),
        family_(family_of(contract)),
        formats_(formats_of(contract)) {}

  bool understands() const { return family_ != OpFamily::kOther; }

  void read(const std::vector<Sentence>& prose) {
    const FoundPhrases phrases = find_phrases(prose, family_);
    for (const PhraseMatch& match : phrases.doubted) doubt(match);
    for (const PhraseMatch& match : phrases.made) {
      for (const PhraseClaim& claim : match.phrase->claims) {
        if (applies(claim, formats_)) found(claim, match);
      }
      if (match.phrase->words.find("u32::max") != std::string_view::npos) out_of_range(match);
    }
    for (const PhraseMatch& match : phrases.unclear) tell_unclear(match);
  }

  /// Hands over what nothing contradicts as claims, and the rest as disputed ones.
  void finish() {
    for (auto& [kind, finding] : findings_) {
      if (!finding.others.empty()) {
        const Source source{contract_.file, finding.place.line, finding.place.column,
                            SourceKind::kProse, finding.sentence};
        contract_.disputed.push_back(
            {kind,
             fmt::format("{} or {}", finding.declared, fmt::join(finding.others, " or ")),
             {},
             source});
        continue;
      }
      if (kind == ClaimKind::kDomainExact &&
          std::holds_alternative<std::monostate>(finding.value)) {
        continue;
      }
      claims_.add_prose(kind, finding.place, finding.declared, std::move(finding.value),
                        finding.sentence);
    }
    const Claim* overflow = claims_.find(ClaimKind::kOverflow);
    const bool own = overflow != nullptr && overflow->source.kind == SourceKind::kProse &&
                     overflow->declared == "caller_error";
    if (!own || !range_) return;
    // What an entry says of the domain or of NaN stays as it is.
    if (contract_.caller_error.empty()) contract_.caller_error = *range_;
    const Claim* nan = claims_.find(ClaimKind::kNan);
    if (nan != nullptr && nan->declared == "caller_error") contract_.caller_error_nan = true;
  }

 private:
  /// People need no more to see that a contract contradicts itself; hostile ones have thousands.
  static constexpr std::size_t kMaxOthers = 16;

  struct Finding {
    std::string declared;
    ClaimValue value;
    Place place;
    std::string sentence;
    std::vector<std::string> others;  ///< what other sentences declare
  };

  std::string filled(std::string_view declared, const PhraseMatch& match) const {
    std::string text(declared);
    const auto replace = [&](std::string_view what, const std::string& with) {
      const std::size_t at = text.find(what);
      if (at != std::string::npos) text.replace(at, what.size(), with);
    };
    replace("{role}", contract_.inputs.size() == 1 ? contract_.inputs[0].name.value : "");
    replace("{n}", match.number);
    return text;
  }

  void found(const PhraseClaim& claim, const PhraseMatch& match) {
    const std::string declared = filled(claim.declared, match);
    if (const Claim* stated = claims_.find(claim.kind)) {
      if (stated->declared != declared) disagree(claim.kind, match, declared, stated->declared);
      return;
    }
    // The field speaks of one machine where the sentence speaks of all.
    if (claim.kind == ClaimKind::kBitwise && !contract_.determinism.empty()) {
      return disagree(claim.kind, match, declared, contract_.determinism);
    }
    const auto entry = findings_.find(claim.kind);
    if (entry == findings_.end()) {
      // A sentence may hold many phrases: it is copied for the first one of each kind alone.
      findings_.emplace(
          claim.kind,
          Finding{declared, value_of(claim, declared), match.place, match.sentence->text, {}});
      return;
    }
    contradict(entry->second, claim.kind, match, declared);
  }

  /// Another sentence of the kind: what it adds to those before is told once.
  void contradict(Finding& finding, ClaimKind kind, const PhraseMatch& match,
                  const std::string& declared) {
    std::vector<std::string>& others = finding.others;
    const bool told = std::find(others.begin(), others.end(), declared) != others.end();
    if (finding.declared == declared || told) return;
    if (others.size() >= kMaxOthers) return;
    others.push_back(others.size() + 1 < kMaxOthers ? declared : "...");
    disagree(kind, match, declared, finding.declared);
  }

  /// A promise that is lost without a word would be missed by nobody but its author.
  void doubt(const PhraseMatch& match) {
    for (const PhraseClaim& claim : match.phrase->claims) {
      if (!applies(claim, formats_) || claims_.find(claim.kind) != nullptr) continue;
      reporter_.note("ProseDisagrees", match.place,
                     fmt::format("the sentence beside this one may take it back: it does not "
                                 "claim {}: {}",
                                 row(claim.kind).id, filled(claim.declared, match)),
                     "if it is meant, say it in `audit`, or in a paragraph of its own");
    }
  }

  /// The author of "NaN preserved except on ARM" may think that something is promised and tested.
  void tell_unclear(const PhraseMatch& match) {
    std::string promises;
    for (const PhraseClaim& claim : match.phrase->claims) {
      const bool said = claims_.find(claim.kind) != nullptr || findings_.count(claim.kind) > 0;
      if (!applies(claim, formats_) || (said && !match.narrowed)) continue;
      if (!promises.empty()) promises += ", ";
      promises += fmt::format("{}: {}", row(claim.kind).id, filled(claim.declared, match));
    }
    if (promises.empty()) return;
    reporter_.note(
        "ProseUnclear", match.place,
        fmt::format("\"{}\" has the words of {}, and more than is understood: it makes "
                    "no claim",
                    beginning_of(match.sentence->text), promises),
        "say in `audit` what holds everywhere, or say the rest in a sentence of its own");
  }

  void disagree(ClaimKind kind, const PhraseMatch& match, const std::string& prose,
                const std::string& other) {
    reporter_.warning("ProseDisagrees", match.place,
                      fmt::format("this says {}: {}, and the contract says {} elsewhere",
                                  row(kind).id, prose, other),
                      "the sentence makes no claim that is judged; make the two agree");
  }

  /// "outside [0, u32::MAX]": the caller keeps such values away.
  void out_of_range(const PhraseMatch& match) {
    if (range_ && range_->front().upper != match.number) {
      const auto overflow = findings_.find(ClaimKind::kOverflow);
      if (overflow == findings_.end()) return;
      return contradict(overflow->second, ClaimKind::kOverflow, match,
                        fmt::format("caller_error below {}", match.number));
    }
    Interval below;
    below.upper = match.number;
    below.upper_inclusive = false;
    Interval above;
    above.lower = "4294967295";
    above.lower_inclusive = false;
    range_ = {below, above};
  }

  KernelContract& contract_;
  ClaimWriter& claims_;
  Reporter& reporter_;
  OpFamily family_;
  Formats formats_;
  std::map<ClaimKind, Finding> findings_;
  std::optional<std::vector<Interval>> range_;
};

}  // namespace

void read_prose_claims(const Node& root, const Lines& lines, const Section& section,
                       KernelContract& contract, ClaimWriter& claims, Reporter& reporter) {
  ProseReader reader(contract, claims, reporter);
  if (!reader.understands()) return;
  reader.read(prose_of(root, lines, section));
  reader.finish();
}

}  // namespace assay::fkc
