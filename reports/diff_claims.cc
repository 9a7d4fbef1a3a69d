#include "reports/diff_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "reports/evidence_text.h"
#include "reports/text.h"

namespace assay {

namespace {

std::string evidence_of(const ClaimRecord& claim) {
  return fmt::format("{}, {}", to_string(claim.strength), counted(claim.probes, "probe"));
}

std::string verdict_of(const ClaimRecord& claim) {
  std::string text(to_string(claim.verdict));
  if (claim.verdict == Verdict::kUpheld) text += fmt::format(" ({})", evidence_of(claim));
  if (claim.verdict == Verdict::kRefuted) text += fmt::format(" ({})", violations_text(claim));
  return text;
}

/// The reason that a report gives for a verdict other than upheld.
std::string reason_of(const ClaimRecord& claim) {
  if (claim.counterexample && claim.verdict == Verdict::kRefuted) {
    return claim.counterexample->why;
  }
  return claim.why;
}

/// True where both were found by the same probes, as far as reports tell. Words on a space leave
/// out the seed for some; what is exhaustive needs none.
bool same_probes(const ClaimRecord& before, const ClaimRecord& after, bool same_seed) {
  return before.strength == after.strength && before.probes == after.probes &&
         before.space == after.space && (same_seed || after.strength == Strength::kExhaustive);
}

std::string evidence_difference(const ClaimRecord& before, const ClaimRecord& after,
                                bool same_seed) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (before.strength != after.strength) {
    add(fmt::format("strength {} before, {} now", to_string(before.strength),
                    to_string(after.strength)));
  }
  if (before.probes != after.probes) {
    add(fmt::format("{} before, {} now", counted(before.probes, "probe"),
                    with_thousands(after.probes)));
  }
  if (before.space != after.space) add("another space of probes");
  if (!same_seed && after.strength != Strength::kExhaustive) add("another seed");
  return "the evidence differs: " + text;
}

class ClaimPair {
 public:
  ClaimPair(const ClaimRecord& before, const ClaimRecord& after, bool same_seed,
            const std::string& variant, KernelChanges& changes)
      : before_(before),
        after_(after),
        same_seed_(same_seed),
        variant_(variant),
        changes_(changes) {}

  void compare() {
    if (before_.verdict != after_.verdict) {
      add(verdict_change(before_.verdict, after_.verdict), "", verdict_of(before_),
          verdict_of(after_), reason_of(after_));
    }
    compare_declared();
    const Measured& old = before_.measured;
    const Measured& now = after_.measured;
    measure("max ULP distance", old.max_ulp_distance, now.max_ulp_distance,
            [](std::uint64_t steps) { return with_thousands(steps); });
    measure("max ULP error", old.max_ulp_error, now.max_ulp_error, number_text);
    measure("max relative error", old.max_relative, now.max_relative, number_text);
    measure("max absolute error", old.max_absolute, now.max_absolute, number_text);
    if (before_.verdict == Verdict::kRefuted && after_.verdict == Verdict::kRefuted) {
      measure("violations", std::optional(before_.violations), std::optional(after_.violations),
              [](std::uint64_t count) { return with_thousands(count); });
    }
    if (before_.verdict == Verdict::kUpheld && after_.verdict == Verdict::kUpheld) {
      compare_evidence();
    }
  }

 private:
  void add(ChangeKind kind, std::string what, std::string before, std::string after,
           std::string note = {}) {
    Change change;
    change.kind = kind;
    change.claim = after_.id;
    change.what = std::move(what);
    change.before = std::move(before);
    change.after = std::move(after);
    change.note = std::move(note);
    changes_.add(std::move(change), variant_);
  }

  /// A promise that is made now and was not before, or the reverse, shows in the verdict.
  void compare_declared() {
    if (before_.declared == after_.declared) return;
    if (before_.verdict == Verdict::kUnclaimed || after_.verdict == Verdict::kUnclaimed) return;
    ChangeKind kind = ChangeKind::kDeclared;
    const auto old = bound(before_.declared);
    const auto now = bound(after_.declared);
    if (after_.id.starts_with("precision.") && old && now && *old != *now) {
      kind = *now > *old ? ChangeKind::kLoosened : ChangeKind::kTightened;
    }
    add(kind, "", before_.declared, after_.declared);
  }

  static std::optional<double> bound(const std::string& declared) {
    double value = 0;
    const char* const end = declared.data() + declared.size();
    const auto [rest, error] = std::from_chars(declared.data(), end, value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return value;
  }

  template <typename T, typename Text>
  void measure(const char* what, const std::optional<T>& old, const std::optional<T>& now,
               Text text) {
    if (!old || !now || !(*old < *now || *now < *old)) return;
    if (!same_probes(before_, after_, same_seed_)) {
      add(ChangeKind::kMeasuredElsewhere, what, text(*old), text(*now),
          evidence_difference(before_, after_, same_seed_));
      return;
    }
    add(*old < *now ? ChangeKind::kMeasuredWorse : ChangeKind::kMeasuredBetter, what, text(*old),
        text(*now));
  }

  void compare_evidence() {
    const auto add_as = [&](bool weaker) {
      add(weaker ? ChangeKind::kEvidenceWeaker : ChangeKind::kEvidenceStronger, "",
          evidence_of(before_), evidence_of(after_), exclusions_text(after_));
    };
    if (before_.strength != after_.strength) {
      add_as(after_.strength < before_.strength);
      return;
    }
    const auto [fewer, more] = std::minmax(before_.probes, after_.probes);
    if (fewer == more || (!same_seed_ && more - fewer <= more / 100)) return;
    add_as(after_.probes < before_.probes);
  }

  const ClaimRecord& before_;
  const ClaimRecord& after_;
  bool same_seed_;
  const std::string& variant_;
  KernelChanges& changes_;
};

Change of_claim(ChangeKind kind, const ClaimRecord& claim) {
  Change change;
  change.kind = kind;
  change.claim = claim.id;
  return change;
}

void add_new_claim(const ClaimRecord& claim, const std::string& variant, KernelChanges& changes) {
  const ChangeKind kind = claim.verdict == Verdict::kRefuted     ? ChangeKind::kNewlyRefuted
                          : claim.verdict == Verdict::kUnclaimed ? ChangeKind::kMeasureAdded
                                                                 : ChangeKind::kClaimAdded;
  Change change = of_claim(kind, claim);
  change.after = verdict_of(claim);
  change.note = reason_of(claim);
  changes.add(std::move(change), variant);
}

void add_gone_claim(const ClaimRecord& claim, const std::string& variant, KernelChanges& changes) {
  Change change = of_claim(
      claim.verdict == Verdict::kUnclaimed ? ChangeKind::kMeasureGone : ChangeKind::kClaimGone,
      claim);
  change.before = verdict_of(claim);
  changes.add(std::move(change), variant);
}

/// Place in `kClaims`; unknown ids, of which later tools may have some, behind.
std::size_t order_of(const std::string& id) {
  if (id.empty()) return 0;
  const auto kind = claim_kind_from_id(id);
  return kind ? static_cast<std::size_t>(*kind) + 1 : kClaims.size() + 1;
}

/// A report may come from anyone, and have claims by the thousand.
using ClaimsById = std::map<std::string_view, const ClaimRecord*>;

ClaimsById claims_by_id(const VariantRecord& variant) {
  ClaimsById claims;
  for (const ClaimRecord& claim : variant.claims) claims.emplace(claim.id, &claim);
  return claims;
}

}  // namespace

ChangeKind verdict_change(Verdict before, Verdict after) {
  constexpr ChangeKind kSame = ChangeKind::kVerdictOther;
  constexpr ChangeKind kLost = ChangeKind::kVerdictLost;
  constexpr ChangeKind kGained = ChangeKind::kVerdictGained;
  constexpr ChangeKind kOther = ChangeKind::kVerdictOther;
  constexpr ChangeKind kNew = ChangeKind::kNewlyRefuted;
  // Rows: before; columns: after; both in the order of Verdict.
  constexpr std::array<std::array<ChangeKind, 5>, 5> kTable = {{
      // upheld, refuted, unclaimed, undecided, error
      {kSame, kNew, kLost, kLost, kLost},                 // upheld
      {ChangeKind::kFixed, kSame, kOther, kLost, kLost},  // refuted
      {kGained, kNew, kSame, kOther, kOther},             // unclaimed
      {kGained, kNew, kOther, kSame, kLost},              // undecided
      {kGained, kNew, kOther, kGained, kSame},            // error
  }};
  return kTable[static_cast<std::size_t>(before)][static_cast<std::size_t>(after)];
}

void KernelChanges::add(Change change, const std::string& variant) {
  const auto [known, is_new] =
      places_.try_emplace({change.kind, change.claim, change.what, change.before, change.after,
                           change.note, variant.empty()},
                          changes_.size());
  if (is_new) {
    change.kernel = kernel_;
    changes_.push_back(std::move(change));
  }
  if (!variant.empty()) changes_[known->second].variants.push_back(variant);
}

std::vector<Change> KernelChanges::take(const std::vector<VariantRecord>& variants) {
  for (Change& change : changes_) {
    change.all_variants = variants.size() > 1 && std::ranges::equal(change.variants, variants, {},
                                                                    {}, &VariantRecord::name);
  }
  std::ranges::stable_sort(changes_, {},
                           [](const Change& change) { return order_of(change.claim); });
  return std::move(changes_);
}

void compare_claims(const VariantRecord& before, const VariantRecord& after, bool same_seed,
                    KernelChanges& changes) {
  const ClaimsById old = claims_by_id(before);
  for (const ClaimRecord& claim : after.claims) {
    const auto was = old.find(claim.id);
    if (was == old.end()) {
      add_new_claim(claim, after.name, changes);
    } else {
      ClaimPair(*was->second, claim, same_seed, after.name, changes).compare();
    }
  }
  const ClaimsById now = claims_by_id(after);
  for (const ClaimRecord& claim : before.claims) {
    if (!now.contains(claim.id)) add_gone_claim(claim, after.name, changes);
  }
}

}  // namespace assay
