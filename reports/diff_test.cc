// Comparisons of reports: each kind of change from a pair of records, in both directions.
#include "reports/diff.h"

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "contracts/testing/catch.h"
#include "reports/diff_writer.h"
#include "reports/testing/contains.h"
#include "reports/testing/conv_record.h"
#include "reports/testing/random_record.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using testing::contains;

ClaimRecord claim(ClaimKind kind, Verdict verdict) {
  ClaimRecord record;
  record.id = row(kind).id;
  record.verdict = verdict;
  record.strength = Strength::kSampled;
  record.probes = record.planned = 1000;
  record.space = "1,000 inputs";
  record.violations = verdict == Verdict::kRefuted ? 3 : 0;
  record.declared = verdict == Verdict::kUnclaimed ? "" : "2";
  record.why = verdict == Verdict::kError ? "it crashed" : "a reason";
  record.measured.max_ulp_distance = 1;
  return record;
}

/// One kernel with three variants alike, upheld.
RunRecord base() {
  RunRecord record;
  record.tool = {"0.1.0", "abc", "g++ 12", "-O3"};
  record.machine = {"Example CPU", {"SSE4", "AVX2"}, 2};
  record.run.seed = 1;
  record.run.effort = "standard";
  record.run.started = "2024-02-29T12:34:56Z";
  KernelRecord kernel;
  kernel.kernel = "cast_a";
  kernel.entry_point = "demo::cast_a";
  kernel.file = "a.fkc.md";
  kernel.line = 3;
  kernel.revision_hash = "1";
  for (const char* name : {"scalar", "SSE4", "AVX2"}) {
    VariantRecord variant{name, "0123456789abcdef", "all inputs", 1000, 1, 1e6, {}};
    variant.claims = {claim(ClaimKind::kMaxUlp, Verdict::kUpheld)};
    variant.rates = {{"a call", 1e-5, 0, 0, 1}};
    kernel.variants.push_back(variant);
  }
  record.kernels = {kernel};
  return record;
}

/// Does something to each variant.
std::function<void(RunRecord&)> each(std::function<void(VariantRecord&)> spoil) {
  return [spoil](RunRecord& record) {
    for (VariantRecord& variant : record.kernels[0].variants) spoil(variant);
  };
}

std::function<void(RunRecord&)> each_claim(std::function<void(ClaimRecord&)> spoil) {
  return each([spoil](VariantRecord& variant) { spoil(variant.claims[0]); });
}

struct Case {
  ChangeKind there;  ///< from the base
  ChangeKind back;   ///< to the base
  std::function<void(RunRecord&)> spoil;
};

const std::vector<Case>& cases() {
  using K = ChangeKind;
  static const std::vector<Case> all = {
      {K::kRunIncomplete, K::kRunCompleted,
       [](RunRecord& r) {
         r.run.complete = false;
         r.run.incomplete = "interrupted";
       }},
      {K::kSeed, K::kSeed, [](RunRecord& r) { r.run.seed = 2; }},
      {K::kEffort, K::kEffort, [](RunRecord& r) { r.run.effort = "quick"; }},
      {K::kTool, K::kTool, [](RunRecord& r) { r.tool.revision = "def"; }},
      {K::kTool, K::kTool, [](RunRecord& r) { r.tool.flags = "-O2"; }},
      {K::kHardware, K::kHardware, [](RunRecord& r) { r.machine.cpu = "Other"; }},
      {K::kHardware, K::kHardware, [](RunRecord& r) { r.machine.targets.pop_back(); }},
      {K::kKernelGone, K::kKernelAdded, [](RunRecord& r) { r.kernels.clear(); }},
      {K::kKernelNotRun, K::kKernelRuns,
       [](RunRecord& r) {
         r.kernels[0].not_run = "no kernel";
         r.kernels[0].variants.clear();
       }},
      {K::kVariantGone, K::kVariantAdded, [](RunRecord& r) { r.kernels[0].variants.pop_back(); }},
      {K::kContract, K::kContract, [](RunRecord& r) { r.kernels[0].revision_hash = "2"; }},
      {K::kImplementation, K::kImplementation,
       [](RunRecord& r) { r.kernels[0].library = "lib.so"; }},
      {K::kDigestSameHardware, K::kDigestSameHardware,
       each([](VariantRecord& v) { v.digest = "fedcba9876543210"; })},
      {K::kDigestLost, K::kDigestGained, each([](VariantRecord& v) { v.digest.clear(); })},
      {K::kDigestSpace, K::kDigestSpace, each([](VariantRecord& v) {
         v.digest = "fedcba9876543210";
         v.digest_space = "others";
       })},
      {K::kClaimGone, K::kClaimAdded, each([](VariantRecord& v) { v.claims.clear(); })},
      {K::kTightened, K::kLoosened, each_claim([](ClaimRecord& c) { c.declared = "1"; })},
      {K::kTightened, K::kLoosened, each_claim([](ClaimRecord& c) { c.declared = "1e-3"; })},
      {K::kDeclared, K::kDeclared, each_claim([](ClaimRecord& c) { c.declared = "odd"; })},
      {K::kMeasuredWorse, K::kMeasuredBetter,
       each_claim([](ClaimRecord& c) { c.measured.max_ulp_distance = 2; })},
      {K::kEvidenceStronger, K::kEvidenceWeaker,
       each_claim([](ClaimRecord& c) { c.strength = Strength::kExhaustive; })},
      {K::kEvidenceWeaker, K::kEvidenceStronger, each_claim([](ClaimRecord& c) {
         c.probes = 999;
         c.excluded = {{"it crashed", 1}};
       })},
      {K::kThroughput, K::kThroughput, each([](VariantRecord& v) { v.rates[0].seconds *= 1.25; })},
      {K::kThroughput, K::kThroughput,
       [](RunRecord& r) {
         for (VariantRecord& variant : r.kernels[0].variants) {
           variant.rates.clear();
           variant.probes_per_second *= 2;
         }
       }},
  };
  return all;
}

TEST_CASE("each kind of change is found from either side, once for variants that show it alike") {
  for (const Case& one : cases()) {
    INFO(row(one.there).id);
    RunRecord spoilt = base();
    one.spoil(spoilt);
    const std::vector<Change> there = changes_between(base(), spoilt);
    const std::vector<Change> back = changes_between(spoilt, base());
    REQUIRE(there.size() == 1);
    REQUIRE(back.size() == 1);
    CHECK(row(there[0].kind).id == row(one.there).id);
    CHECK(row(back[0].kind).id == row(one.back).id);
    CHECK(there[0].before == back[0].after);
    CHECK(there[0].after == back[0].before);
    CHECK(there[0].variants == back[0].variants);
    const ComparedReports reports{"a.json", base(), "b.json", spoilt};
    CHECK(testing::schema_faults(diff_json(reports, there), "assay-diff-1.schema.json") ==
          std::vector<std::string>{});
  }
}

TEST_CASE("the table has a row for each kind, in the order of the kinds, with an id of its own") {
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    CHECK(kChanges[i].kind == static_cast<ChangeKind>(i));
    CHECK(ids.insert(kChanges[i].id).second);
  }
  CHECK(kChanges.size() == static_cast<std::size_t>(ChangeKind::kThroughput) + 1);
}

/// What must make a gate fail, whatever else the table says.
TEST_CASE("regressions are what shows less or worse than before") {
  using K = ChangeKind;
  const std::set<K> due = {K::kRunIncomplete,      K::kBothIncomplete, K::kKernelGone,
                           K::kKernelAddedNotRun,  K::kKernelNotRun,   K::kVariantGone,
                           K::kDigestSameHardware, K::kDigestLost,     K::kNewlyRefuted,
                           K::kVerdictLost,        K::kClaimGone,      K::kLoosened,
                           K::kMeasuredWorse,      K::kEvidenceWeaker};
  for (const ChangeRow& one : kChanges) {
    INFO(one.id);
    CHECK((one.effect == Effect::kRegression) == due.contains(one.kind));
  }
}

TEST_CASE("each pair of verdicts") {
  using K = ChangeKind;
  constexpr Verdict kVerdicts[] = {Verdict::kUpheld, Verdict::kRefuted, Verdict::kUnclaimed,
                                   Verdict::kUndecided, Verdict::kError};
  constexpr auto kNone = K::kThroughput;  // stands for no change
  constexpr K kDue[5][5] = {
      {kNone, K::kNewlyRefuted, K::kVerdictLost, K::kVerdictLost, K::kVerdictLost},
      {K::kFixed, kNone, K::kVerdictOther, K::kVerdictLost, K::kVerdictLost},
      {K::kVerdictGained, K::kNewlyRefuted, kNone, K::kVerdictOther, K::kVerdictOther},
      {K::kVerdictGained, K::kNewlyRefuted, K::kVerdictOther, kNone, K::kVerdictLost},
      {K::kVerdictGained, K::kNewlyRefuted, K::kVerdictOther, K::kVerdictGained, kNone},
  };
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < 5; ++b) {
      INFO(to_string(kVerdicts[a]) << " to " << to_string(kVerdicts[b]));
      RunRecord before = base();
      RunRecord after = base();
      for (std::size_t v = 0; v < 3; ++v) {
        before.kernels[0].variants[v].claims = {claim(ClaimKind::kMaxUlp, kVerdicts[a])};
        after.kernels[0].variants[v].claims = {claim(ClaimKind::kMaxUlp, kVerdicts[b])};
      }
      const std::vector<Change> changes = changes_between(before, after);
      REQUIRE(changes.size() == (a == b ? 0 : 1));
      if (a == b) continue;
      CHECK(row(changes[0].kind).id == row(kDue[a][b]).id);
      CHECK(changes[0].all_variants);
      CHECK(changes[0].claim == "precision.max_ulp");
    }
  }
}

TEST_CASE("a claim that was not there before and is refuted is a regression, also of new kernels") {
  RunRecord after = base();
  for (VariantRecord& variant : after.kernels[0].variants) {
    variant.claims.push_back(claim(ClaimKind::kNan, Verdict::kRefuted));
  }
  CHECK(count_of(changes_between(base(), after), Effect::kRegression) == 1);
  RunRecord nothing = base();
  nothing.kernels.clear();
  CHECK(count_of(changes_between(nothing, base()), Effect::kRegression) == 0);
  const std::vector<Change> changes = changes_between(nothing, after);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].kind == ChangeKind::kKernelAdded);
  CHECK(changes[1].kind == ChangeKind::kNewlyRefuted);
  RunRecord fewer = base();
  fewer.kernels[0].variants.pop_back();
  const std::vector<Change> added = changes_between(fewer, after);
  REQUIRE(added.size() == 2);  // the refuted claim of all three, and the variant
  CHECK(added[0].kind == ChangeKind::kVariantAdded);
  CHECK(added[1].kind == ChangeKind::kNewlyRefuted);
  CHECK(added[1].variants.size() == 3);
}

TEST_CASE("what a kernel refutes that could not be run before is a regression") {
  for (const char* reason : {"the library is missing", ""}) {
    RunRecord before = base();
    before.kernels[0].not_run = reason;
    before.kernels[0].variants.clear();
    RunRecord after = base();
    after.kernels[0].variants[1].claims[0] = claim(ClaimKind::kMaxUlp, Verdict::kRefuted);
    const std::vector<Change> changes = changes_between(before, after);
    REQUIRE(changes.size() == 2);
    CHECK(changes[0].kind == ChangeKind::kKernelRuns);
    CHECK(changes[0].note == (*reason == '\0' ? "no reason recorded" : reason));
    CHECK(changes[1].kind == ChangeKind::kNewlyRefuted);
    CHECK(changes[1].variants == std::vector<std::string>{"SSE4"});
  }
}

TEST_CASE("a new kernel that cannot be run is a regression, with the reason") {
  RunRecord nothing = base();
  nothing.kernels.clear();
  RunRecord after = base();
  after.kernels[0].variants.clear();
  after.kernels[0].not_run = "no kernel is registered";
  const std::vector<Change> changes = changes_between(nothing, after);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].kind == ChangeKind::kKernelAddedNotRun);
  CHECK(changes[0].note == "no kernel is registered");
  CHECK(testing::schema_faults(diff_json({"a", nothing, "b", after}, changes),
                               "assay-diff-1.schema.json") == std::vector<std::string>{});
}

TEST_CASE("a claim that was only measured may come and go") {
  RunRecord more = base();
  for (VariantRecord& variant : more.kernels[0].variants) {
    variant.claims.push_back(claim(ClaimKind::kNan, Verdict::kUnclaimed));
  }
  REQUIRE(changes_between(base(), more).size() == 1);
  CHECK(changes_between(base(), more)[0].kind == ChangeKind::kMeasureAdded);
  REQUIRE(changes_between(more, base()).size() == 1);
  CHECK(changes_between(more, base())[0].kind == ChangeKind::kMeasureGone);
}

TEST_CASE("other probes make a larger maximum no regression, and it is said which") {
  const auto differ = [](const std::function<void(RunRecord&)>& spoil) {
    RunRecord after = base();
    each_claim([](ClaimRecord& c) { c.measured.max_ulp_distance = 7; })(after);
    spoil(after);
    for (const Change& change : changes_between(base(), after)) {
      if (change.what == "max ULP distance") {
        CHECK(change.kind == ChangeKind::kMeasuredElsewhere);
        return change.note;
      }
    }
    return std::string("not found");
  };
  CHECK(differ(each_claim([](ClaimRecord& c) { c.strength = Strength::kExhaustive; })) ==
        "the evidence differs: strength sampled before, exhaustive now");
  CHECK(differ(each_claim([](ClaimRecord& c) { c.probes = c.planned = 2000; })) ==
        "the evidence differs: 1,000 probes before, 2,000 now");
  CHECK(differ(each_claim([](ClaimRecord& c) { c.space = "other inputs"; })) ==
        "the evidence differs: another space of probes");
  CHECK(differ([](RunRecord& r) { r.run.seed = 2; }) == "the evidence differs: another seed");
}

TEST_CASE("what is exhaustive needs no seed") {
  RunRecord before = base();
  each_claim([](ClaimRecord& c) { c.strength = Strength::kExhaustive; })(before);
  RunRecord after = before;
  after.run.seed = 2;
  each_claim([](ClaimRecord& c) { c.measured.max_ulp_distance = 7; })(after);
  CHECK(count_of(changes_between(before, after), Effect::kRegression) == 1);
}

TEST_CASE("another seed may leave out one probe in a hundred") {
  const auto regressions = [](std::uint64_t probes, std::uint64_t seed) {
    RunRecord after = base();
    after.run.seed = seed;
    each_claim([&](ClaimRecord& c) { c.probes = c.planned = probes; })(after);
    return count_of(changes_between(base(), after), Effect::kRegression);
  };
  CHECK(regressions(999, 1) == 1);
  CHECK(regressions(990, 2) == 0);
  CHECK(regressions(989, 2) == 1);
}

TEST_CASE("of all measures, and of violations where both are refuted, the worse is a regression") {
  RunRecord before = base();
  each_claim([](ClaimRecord& c) {
    c = claim(ClaimKind::kMaxUlp, Verdict::kRefuted);
    c.measured.max_ulp_error = c.measured.max_relative = c.measured.max_absolute = 0.5;
  })(before);
  RunRecord after = before;
  each_claim([](ClaimRecord& c) {
    c.violations = 4;
    c.measured.max_ulp_distance = 2;
    c.measured.max_ulp_error = c.measured.max_relative = 0.75;
    c.measured.max_absolute = std::numeric_limits<double>::infinity();
  })(after);
  const std::vector<Change> changes = changes_between(before, after);
  REQUIRE(changes.size() == 5);
  for (const Change& change : changes) CHECK(change.kind == ChangeKind::kMeasuredWorse);
  for (const Change& change : changes_between(after, before)) {
    CHECK(change.kind == ChangeKind::kMeasuredBetter);
  }
}

TEST_CASE("digests of other hardware differ without being worse") {
  RunRecord after = base();
  after.machine.cpu = "Other CPU";
  each([](VariantRecord& v) { v.digest = "fedcba9876543210"; })(after);
  const std::vector<Change> changes = changes_between(base(), after);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].kind == ChangeKind::kHardware);
  CHECK(changes[1].kind == ChangeKind::kDigestOtherHardware);
  CHECK(count_of(changes, Effect::kRegression) == 0);
  RunRecord prefixed = base();
  each([](VariantRecord& v) { v.digest = "0x" + v.digest; })(prefixed);
  CHECK(changes_between(base(), prefixed).empty());
}

TEST_CASE("a variant that the machine has no target for is gone all the same, and it is said") {
  RunRecord after = base();
  after.machine.targets = {"SSE4"};
  after.kernels[0].variants.pop_back();
  const std::vector<Change> changes = changes_between(base(), after);
  REQUIRE(changes.size() == 2);
  CHECK(changes[1].kind == ChangeKind::kVariantGone);
  CHECK(changes[1].note == "the other machine has no such target");
  CHECK(count_of(changes, Effect::kRegression) == 1);
}

TEST_CASE("all variants are those of the newer report, not as many of others") {
  RunRecord before = base();
  before.kernels[0].variants.push_back(before.kernels[0].variants[2]);
  before.kernels[0].variants[2].name = "AVX3";
  before.kernels[0].variants[3].name = "AVX3_DL";
  RunRecord after = base();
  after.kernels[0].variants.pop_back();
  const std::vector<Change> changes = changes_between(before, after);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].kind == ChangeKind::kVariantGone);
  CHECK(changes[0].variants == std::vector<std::string>{"AVX3", "AVX3_DL"});
  CHECK_FALSE(changes[0].all_variants);
  CHECK_THAT(diff_text({"a", before, "b", after}, changes), contains("cast_a, AVX3, AVX3_DL: "));
}

TEST_CASE("two runs that did not end are no ground for a green gate") {
  RunRecord cut = base();
  cut.run.complete = false;
  const std::vector<Change> changes = changes_between(cut, cut);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].kind == ChangeKind::kBothIncomplete);
  CHECK(count_of(changes, Effect::kRegression) == 1);
}

TEST_CASE("a kernel that moved to another file, entry point or library is still itself") {
  RunRecord after = base();
  after.kernels[0].file = "b.fkc.md";
  CHECK(changes_between(base(), after).empty());
  // Two of one name are told apart by the rest, in whatever order they stand.
  RunRecord two = base();
  two.kernels.push_back(two.kernels[0]);
  two.kernels[1].library = "lib.so";
  each([](VariantRecord& v) { v.digest = "fedcba9876543210"; })(two);
  RunRecord swapped = two;
  std::swap(swapped.kernels[0], swapped.kernels[1]);
  CHECK(changes_between(two, swapped).empty());
  // One of them gone: which one is known.
  const std::vector<Change> gone = changes_between(two, base());
  bool found = false;
  for (const Change& change : gone) {
    found = found || (change.kind == ChangeKind::kKernelGone &&
                      change.kernel == "cast_a (a.fkc.md, lib.so)");
  }
  CHECK(found);
}

TEST_CASE("equal reports have no changes") {
  CHECK(changes_between(base(), base()).empty());
  CHECK(changes_between(testing::sample_record(), testing::sample_record()).empty());
  CHECK(changes_between(testing::conv_record(), testing::conv_record()).empty());
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RunRecord record = testing::random_record(seed);
    record.run.complete = true;
    INFO("seed " << seed);
    CHECK(changes_between(record, record).empty());
  }
  const RunRecord record = base();
  CHECK_THAT(diff_text({"a", record, "b", record}, {}), contains("\nno changes\n"));
}

/// The changes, variant by variant: notes are of one side, and so may be what is gathered. Turned
/// round, what was before comes after.
std::multiset<std::string> listed(const std::vector<Change>& changes, bool turned) {
  std::multiset<std::string> list;
  for (const Change& change : changes) {
    const std::string values =
        turned ? change.after + "|" + change.before : change.before + "|" + change.after;
    std::vector<std::string> variants = change.variants;
    if (variants.empty()) variants.emplace_back();
    for (const std::string& variant : variants) {
      list.insert(change.kernel + "|" + change.claim + "|" + change.what + "|" + variant + "|" +
                  values);
    }
  }
  return list;
}

TEST_CASE("what random records differ in is the same from both sides, as JSON of the schema") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    RunRecord a = testing::random_record(seed);
    RunRecord b = testing::random_record(seed + 1000);
    // The same kernels and variants, which differ inside.
    b.kernels = a.kernels;
    const RunRecord other = testing::random_record(seed + 2000);
    for (std::size_t k = 0; k < b.kernels.size() && k < other.kernels.size(); ++k) {
      auto& mine = b.kernels[k].variants;
      const auto& theirs = other.kernels[k].variants;
      for (std::size_t v = 0; v < mine.size() && v < theirs.size(); ++v) {
        const std::string name = mine[v].name;
        mine[v] = theirs[v];
        mine[v].name = name;
      }
    }
    const std::vector<Change> there = changes_between(a, b);
    const std::vector<Change> back = changes_between(b, a);
    CHECK(listed(there, false) == listed(back, true));
    if (seed > 20) continue;
    CHECK(testing::schema_faults(diff_json({"a", a, "b", b}, there), "assay-diff-1.schema.json") ==
          std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace assay
