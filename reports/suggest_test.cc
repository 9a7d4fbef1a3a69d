// What evidence supports, and what it does not; and patches of documents.
#include "reports/suggest.h"

#include <charconv>
#include <functional>

#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"
#include "reports/testing/contains.h"
#include "reports/unified_diff.h"

namespace assay {
namespace {

using fkc::testing::kSample;
using fkc::testing::replaced;
using fkc::testing::sample_with;
using testing::contains;

/// The sample without promises about numbers but a loose bound.
std::string open_sample() {
  return replaced(sample_with("max_ulp: 0", "max_ulp: 3"), "audit:\n  rounding: nearest_even\n",
                  "");
}

/// A record in which `text`'s contract is audited exhaustively on two variants, and is right.
RunRecord record_of(const std::string& text) {
  RunRecord record;
  for (const fkc::KernelContract& contract : fkc::parse_document(text, "a.fkc.md").kernels) {
    KernelRecord kernel;
    kernel.kernel = contract.kernel;
    kernel.file = contract.file;
    kernel.line = contract.line;
    kernel.revision_hash = contract.revision_hash;
    for (const char* name : {"scalar", "AVX2"}) {
      VariantRecord variant{name, "", "", 0, 0, 0, {}};
      for (const ClaimRow& one : kClaims) {
        const Claim* claim = contract.claim(one.kind);
        const bool measured =
            one.kind >= ClaimKind::kRounding && one.kind <= ClaimKind::kSubnormals;
        if (claim == nullptr && !measured) continue;
        ClaimRecord judged;
        judged.id = one.id;
        judged.declared = claim == nullptr ? "" : claim->declared;
        judged.verdict = claim == nullptr ? Verdict::kUnclaimed : Verdict::kUpheld;
        judged.strength = Strength::kExhaustive;
        judged.probes = judged.planned = 65536;
        judged.space = "all 65,536 inputs";
        if (one.kind <= ClaimKind::kRounding) judged.measured.max_ulp_distance = 0;
        if (one.kind <= ClaimKind::kMaxAbsolute) {
          judged.measured.max_relative = judged.measured.max_absolute = 0;
        }
        if (one.kind == ClaimKind::kRounding) judged.measured.histogram = {{0, 0, 65536}};
        variant.claims.push_back(judged);
      }
      kernel.variants.push_back(variant);
    }
    record.kernels.push_back(kernel);
  }
  return record;
}

ClaimRecord& claim_of(RunRecord& record, ClaimKind kind, std::size_t variant = 0) {
  for (ClaimRecord& claim : record.kernels[0].variants[variant].claims) {
    if (claim.id == row(kind).id) return claim;
  }
  throw std::logic_error("no such claim");
}

Suggestions suggested(const std::string& text, const RunRecord& record,
                      const SuggestOptions& options = {}) {
  return suggestions_for(fkc::parse_document(text, "a.fkc.md"), record, options);
}

/// "max_ulp: 0" of each, joined by "; ".
std::string fields(const Suggestions& suggestions) {
  std::string text;
  for (const Suggestion& one : suggestions.made) {
    text += (text.empty() ? "" : "; ") + one.key + ": " + one.value;
  }
  return text;
}

std::string why_not(const Suggestions& suggestions) {
  return no_suggestion_lines(suggestions);
}

constexpr const char* kRules =
    "rounding: nearest_even; overflow: infinity; nan: preserved; infinity: preserved; signed_zero: "
    "preserved; subnormals: preserved";

TEST_CASE("exhaustive evidence on all variants tightens a bound and states what is so") {
  const std::string text = open_sample();
  const Suggestions found = suggested(text, record_of(text));
  CHECK(fields(found) == std::string("max_ulp: 0; ") + kRules);
  CHECK(found.not_made.empty());
  CHECK(found.made[0].declared == "3");
  CHECK(found.made[0].evidence ==
        "exhaustive, 65,536 probes or more on each of scalar, AVX2: the largest ULP distance is 0");
}

TEST_CASE("the patched document says so, and nothing more can be suggested of it") {
  std::string crlf = open_sample();
  for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) {
    crlf.insert(at, "\r");
  }
  const std::string none = replaced(open_sample(), "  max_ulp: 3\n", "");
  const std::string two = open_sample() + fkc::testing::second_section();
  for (const std::string& text : {open_sample(), crlf, none, two}) {
    Suggestions found = suggested(text, record_of(text));
    REQUIRE(!found.made.empty());
    const std::string patch = suggestion_patch(text, "a.fkc.md", 0, found);
    CHECK(found.not_made.empty());
    CHECK_THAT(patch, contains("# cast_a: rounding: not declared -> nearest_even\n"
                               "# evidence: exhaustive, 65,536 probes or more on each of scalar, "
                               "AVX2: every result is so\n"
                               "# probes: all 65,536 inputs\n"
                               "--- a/a.fkc.md\n+++ b/a.fkc.md\n@@ -"));
    // In the order in which people write them.
    CHECK(patch.find("+  subnormals") < patch.find("+  rounding"));
    for (const char* line :
         {"\n+  max_ulp: 0", "\n+  rounding: nearest_even", "\n+  nan: preserved"}) {
      CHECK_THAT(patch, contains(line));
    }
  }
}

TEST_CASE("what is as tight as the evidence is left alone") {
  const Suggestions found = suggested(std::string(kSample), record_of(std::string(kSample)));
  CHECK(fields(found) ==
        std::string(kRules).substr(std::string("rounding: nearest_even; ").size()));
  std::string whole(kSample);
  whole = replaced(whole, "rounding: nearest_even\n",
                   "rounding: nearest_even\n  overflow: infinity\n  nan: preserved\n  infinity: "
                   "preserved\n  signed_zero: preserved\n  subnormals: preserved\n");
  CHECK(suggested(whole, record_of(whole)).made.empty());
}

TEST_CASE("the worst variant counts, and the weakest evidence") {
  const std::string text = open_sample();
  RunRecord record = record_of(text);
  claim_of(record, ClaimKind::kMaxUlp, 1).measured.max_ulp_distance = 2;
  CHECK(fields(suggested(text, record)).starts_with("max_ulp: 2; "));
  claim_of(record, ClaimKind::kMaxUlp, 1).strength = Strength::kBoundaryComplete;
  const Suggestions found = suggested(text, record);
  CHECK_THAT(found.made.at(0).evidence, contains("boundary_complete, "));
  claim_of(record, ClaimKind::kMaxUlp, 0).strength = Strength::kSampled;
  CHECK(!fields(suggested(text, record)).starts_with("max_ulp"));
  CHECK_THAT(why_not(suggested(text, record)),
             contains("# cast_a: precision.max_ulp: the evidence is sampled: other inputs may be "
                      "worse"));
}

TEST_CASE("samples carry bounds with a margin where that is asked for, and never rules") {
  const std::string text = replaced(open_sample(), "max_ulp: 3", "max_ulp: 30");
  RunRecord record = record_of(text);
  for (std::size_t v = 0; v < 2; ++v) {
    for (ClaimRecord& claim : record.kernels[0].variants[v].claims) {
      claim.strength = Strength::kSampled;
    }
    claim_of(record, ClaimKind::kMaxUlp, v).measured.max_ulp_distance = 3;
  }
  CHECK(suggested(text, record).made.empty());
  const SuggestOptions options{true, 50, false};
  Suggestions found = suggested(text, record, options);
  CHECK(fields(found) == "max_ulp: 5");
  const std::string patch = suggestion_patch(text, "a.fkc.md", 50, found);
  CHECK_THAT(patch, contains("# from a sample, with a margin of 50 %: other inputs may be worse"));
  CHECK_THAT(why_not(found),
             contains("# cast_a: rounding: every result was `nearest_even`, and the "
                      "evidence is sampled only"));
  // A margin that reaches the declared bound tightens nothing.
  CHECK(suggested(text, record, {true, 900, false}).made.empty());
  claim_of(record, ClaimKind::kMaxUlp, 1).strength = Strength::kNone;
  CHECK(suggested(text, record, options).made.empty());
}

TEST_CASE("a refuted bound is loosened only where that is asked for, and it is said") {
  const std::string text(kSample);
  RunRecord record = record_of(text);
  ClaimRecord& refuted = claim_of(record, ClaimKind::kMaxUlp, 1);
  refuted.verdict = Verdict::kRefuted;
  refuted.violations = 9;
  refuted.measured.max_ulp_distance = 4;
  const Suggestions kept = suggested(text, record);
  CHECK(!fields(kept).starts_with("max_ulp"));
  CHECK_THAT(why_not(kept), contains("# cast_a: precision.max_ulp: 0 is refuted: the largest ULP "
                                     "distance is 4 (--loosen proposes a bound that holds)"));
  const SuggestOptions options{false, 0, true};
  Suggestions found = suggested(text, record, options);
  CHECK(fields(found).starts_with("max_ulp: 4; "));
  CHECK_THAT(suggestion_patch(text, "a.fkc.md", 0, found),
             contains("# cast_a: precision.max_ulp: 0 -> 4\n# this LOOSENS a declared bound"));
  // From a sample the largest distance is a lower end of the true one.
  refuted.strength = Strength::kSampled;
  CHECK(!fields(suggested(text, record, options)).starts_with("max_ulp"));
  refuted.strength = Strength::kExhaustive;
  // NaNs where numbers are due are within no bound.
  claim_of(record, ClaimKind::kRounding, 1).measured.histogram[0].count -= 1;
  CHECK_THAT(why_not(suggested(text, record, options)),
             contains("no bound is known to hold: not all results of AVX2 are numbers"));
}

TEST_CASE("a bound that nobody declared needs results that have a distance") {
  const std::string text = replaced(open_sample(), "  max_ulp: 3\n", "");
  CHECK(fields(suggested(text, record_of(text))).starts_with("max_ulp: 0; "));
  const auto blocked = [&](const std::function<void(RunRecord&)>& spoil) {
    RunRecord record = record_of(text);
    spoil(record);
    return fields(suggested(text, record)).find("max_ulp") == std::string::npos;
  };
  for (const ClaimKind kind : {ClaimKind::kNan, ClaimKind::kInfinity, ClaimKind::kOverflow}) {
    CHECK(blocked([&](RunRecord& r) { claim_of(r, kind, 1).violations = 1; }));
  }
  CHECK(blocked([](RunRecord& r) { claim_of(r, ClaimKind::kRounding, 1).violations = 1; }));
  CHECK(blocked([](RunRecord& r) {
    claim_of(r, ClaimKind::kRounding, 0).measured.histogram[0].count = 65535;
  }));
  CHECK(blocked([](RunRecord& r) {
    claim_of(r, ClaimKind::kRounding, 0).measured.max_ulp_distance.reset();
  }));
  CHECK(blocked(
      [](RunRecord& r) { claim_of(r, ClaimKind::kRounding, 0).strength = Strength::kSampled; }));
}

TEST_CASE("one result that is otherwise, and the rule is not stated") {
  const std::string text = open_sample();
  for (const ClaimKind kind :
       {ClaimKind::kRounding, ClaimKind::kOverflow, ClaimKind::kNan, ClaimKind::kInfinity,
        ClaimKind::kSignedZero, ClaimKind::kSubnormals}) {
    RunRecord record = record_of(text);
    claim_of(record, kind, 1).violations = 1;
    const Suggestions found = suggested(text, record);
    INFO(row(kind).id);
    CHECK(fields(found).find(std::string(row(kind).id) + ": ") == std::string::npos);
    CHECK_THAT(why_not(found), contains("1 result of a variant are not"));
  }
}

TEST_CASE("nothing is concluded about another revision, or from what did not run") {
  const std::string text = open_sample();
  const auto why = [&](const std::function<void(RunRecord&)>& spoil) {
    RunRecord record = record_of(text);
    spoil(record);
    const Suggestions found = suggested(text, record);
    CHECK(found.made.empty());
    return why_not(found);
  };
  constexpr const char* kOther = "the report is of another revision of this section";
  CHECK_THAT(why([](RunRecord& r) { r.kernels[0].revision_hash = "1"; }), contains(kOther));
  CHECK_THAT(why([](RunRecord& r) { claim_of(r, ClaimKind::kMaxUlp).declared = "4"; }),
             contains(kOther));
  CHECK_THAT(why([](RunRecord& r) { claim_of(r, ClaimKind::kNan, 1).declared = "preserved"; }),
             contains(kOther));
  CHECK_THAT(why([](RunRecord& r) {
               r.kernels[0].variants[1].claims.erase(r.kernels[0].variants[1].claims.begin());
             }),
             contains(kOther));
  CHECK_THAT(why([](RunRecord& r) { r.kernels[0].not_run = "no kernel"; }),
             contains("it was not run: no kernel"));
  CHECK_THAT(why([](RunRecord& r) { r.kernels[0].variants.clear(); }),
             contains("it was not run: no reason recorded"));
  CHECK_THAT(why([](RunRecord& r) {
               r.run.complete = false;
               r.run.incomplete = "interrupted";
             }),
             contains("the run did not come to its end: interrupted"));
  CHECK(why([](RunRecord& r) { r.kernels[0].kernel = "cast_b"; }).empty());
  CHECK_THAT(why([](RunRecord& r) { r.kernels[0].file = "other/b.fkc.md"; }),
             contains("kernel of this name is of another document: other/b.fkc.md"));
}

TEST_CASE("a kernel of the same name in another document is no evidence") {
  const std::string text = open_sample();
  RunRecord record = record_of(text);
  record.kernels[0].file = "elsewhere/a.fkc.md";  // the same document, by another way
  CHECK(suggested(text, record).made.size() == 7);
  record.kernels.push_back(record.kernels[0]);
  record.kernels[1].file = "b.fkc.md";
  record.kernels[1].variants[0].claims[0].strength = Strength::kSampled;
  record.kernels[1].revision_hash = "1";
  CHECK(suggested(text, record).made.size() == 7);
}

TEST_CASE("an audit of some variants is said to be one") {
  RunRecord record;
  CHECK(chosen_variants_line(record).empty());
  record.run.variants = {"scalar", "A*\n"};
  CHECK(chosen_variants_line(record) ==
        "# WARNING: only variants that match scalar, A*  were audited; others may break what is "
        "suggested here\n");
}

TEST_CASE("a variant without a verdict leaves its claim alone") {
  const std::string text = open_sample();
  RunRecord record = record_of(text);
  claim_of(record, ClaimKind::kMaxUlp, 1).verdict = Verdict::kError;
  claim_of(record, ClaimKind::kMaxUlp, 1).why = "it crashed";
  const Suggestions found = suggested(text, record);
  CHECK(fields(found) == kRules);
  CHECK_THAT(why_not(found), contains("precision.max_ulp: error on AVX2: it crashed"));
}

TEST_CASE("integers have a rounding and no special values") {
  const std::string text = replaced(open_sample(), "fixed(F16)", "fixed(U32)");
  CHECK(fields(suggested(text, record_of(text))) == "max_ulp: 0; rounding: toward_zero");
  const std::string wide = replaced(open_sample(), "fixed(F16)", "fixed(F64)");
  CHECK_THAT(fields(suggested(wide, record_of(wide))), contains("rounding: exact; "));
}

TEST_CASE("an edit that the contract's own words contradict is not made") {
  // Overflow to infinity, and a rounding that never gives one.
  const std::string text = replaced(open_sample(), "fixed(F16)", "fixed(F64)");
  Suggestions found = suggested(text, record_of(text));
  const std::string patch = suggestion_patch(text, "a.fkc.md", 0, found);
  CHECK_THAT(why_not(found), contains("with `exact` there, AuditContradiction"));
  CHECK(patch.find("+  rounding") == std::string::npos);
  // A value that cannot be edited is shown all the same.
  const std::string quoted =
      replaced(open_sample(), "  audited: true\n", "  audited: true\naudit: ~\n");
  Suggestions refused = suggested(quoted, record_of(quoted));
  suggestion_patch(quoted, "a.fkc.md", 0, refused);
  CHECK(fields(refused) == "max_ulp: 0");
  CHECK_THAT(
      why_not(refused),
      contains("rounding: nearest_even is supported (exhaustive, 65,536 probes or more on "
               "each of scalar, AVX2: every result is so), but `audit` is written, and holds "
               "no entry: write `rounding: nearest_even` there by hand"));
}

TEST_CASE("bounds of errors are rounded up to three digits") {
  CHECK(bound_above(0) == "0");
  CHECK(bound_above(0.001953125) == "0.00196");
  CHECK(bound_above(0.5) == "0.501");
  CHECK(bound_above(1.0) == "1.01");
  CHECK(bound_above(9.995) == "10");
  CHECK(bound_above(123456) == "124000");
  CHECK(bound_above(1e-310) == "1e-300");
  for (double value = 1e-299; value < 1e299; value *= 1.37) {
    double bound = 0;
    const std::string text = bound_above(value);
    std::from_chars(text.data(), text.data() + text.size(), bound);
    CHECK((bound > value && bound < value * 1.02));
  }
  const std::string text = replaced(open_sample(), "max_ulp: 3", "max_ulp: 0\n  max_relative: 0.1");
  RunRecord record = record_of(text);
  claim_of(record, ClaimKind::kMaxRelative, 1).measured.max_relative = 0.001953125;
  CHECK_THAT(fields(suggested(text, record)), contains("max_relative: 0.00196; "));
}

TEST_CASE("patches") {
  CHECK(unified_diff("a\nb\n", "a\nb\n", "f").empty());
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "d/f") ==
        "--- a/d/f\n+++ b/d/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(unified_diff("1\n2\n", "1\nnew\n2\n", "f") ==
        "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n 1\n+new\n 2\n");
  CHECK(unified_diff("", "1\n", "f") == "--- a/f\n+++ b/f\n@@ -0,0 +1,1 @@\n+1\n");
  CHECK(unified_diff("1\n2", "one\n2", "f") ==
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n\\ No newline at end of file\n");
  CHECK(unified_diff("x\r\n", "y\r\n", "f") == "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-x\r\n+y\r\n");
  CHECK_THAT(unified_diff("1\n", "2\n", "a b"), contains("--- a/a b\t\n+++ b/a b\t\n"));
  CHECK_THAT(unified_diff("1\n", "2\n", "\xc3\xa9\""),
             contains("--- \"a/\\303\\251\\042\"\n+++ \"b/\\303\\251\\042\"\n"));
}

}  // namespace
}  // namespace assay
