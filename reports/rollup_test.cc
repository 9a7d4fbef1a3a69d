// What a record as a whole amounts to.
#include "reports/rollup.h"

#include <vector>

#include "contracts/testing/catch.h"
#include "reports/console.h"
#include "reports/html.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"
#include "reports/testing/contains.h"
#include "reports/testing/sample_record.h"

namespace assay {
namespace {

using testing::contains;

/// One kernel, one variant and one claim with this verdict.
RunRecord record_of(ClaimKind kind, Verdict verdict) {
  ClaimRecord claim;
  claim.id = row(kind).id;
  claim.verdict = verdict;
  claim.why = "a reason";
  RunRecord record;
  KernelRecord& kernel = record.kernels.emplace_back();
  kernel.kernel = "k";
  kernel.file = "k.fkc.md";
  kernel.variants.emplace_back().name = "scalar";
  kernel.variants[0].claims = {claim};
  return record;
}

/// With a second variant, which has no claims.
RunRecord with_two_variants(RunRecord record) {
  record.kernels[0].variants.emplace_back().name = "AVX2";
  return record;
}

bool is_red(const std::string& junit) {
  return junit.find("<error") != std::string::npos || junit.find("<failure") != std::string::npos;
}

TEST_CASE("the exit status of each verdict, and JUnit is red where it is not 0") {
  struct Case {
    RunRecord record;
    int status;
  };
  RunRecord chosen = with_two_variants(record_of(ClaimKind::kBitwise, Verdict::kUndecided));
  chosen.run.variants = {"s*"};
  RunRecord cut = record_of(ClaimKind::kNan, Verdict::kUpheld);
  cut.run.complete = false;
  RunRecord not_run = record_of(ClaimKind::kNan, Verdict::kUpheld);
  not_run.kernels.emplace_back().kernel = "other";
  not_run.kernels[1].file = "k.fkc.md";
  RunRecord reason = not_run;
  reason.kernels[1].not_run = "no kernel is registered";
  RunRecord worst = not_run;
  worst.kernels[0].variants[0].claims[0].verdict = Verdict::kRefuted;
  const Case cases[] = {
      {record_of(ClaimKind::kNan, Verdict::kUpheld), 0},
      {record_of(ClaimKind::kNan, Verdict::kUnclaimed), 0},
      {record_of(ClaimKind::kNan, Verdict::kRefuted), 1},
      {record_of(ClaimKind::kNan, Verdict::kUndecided), 3},
      {record_of(ClaimKind::kNan, Verdict::kError), 3},
      {record_of(ClaimKind::kBitwise, Verdict::kError), 3},
      {record_of(ClaimKind::kBitwise, Verdict::kUndecided), 0},
      {with_two_variants(record_of(ClaimKind::kBitwise, Verdict::kUndecided)), 3},
      {chosen, 0},
      {cut, 3},
      {not_run, 3},
      {reason, 3},
      {worst, 1},
      {testing::sample_record(), 1},
  };
  for (const Case& one : cases) {
    CAPTURE(&one - cases);
    CHECK(exit_status(one.record) == one.status);
    CHECK(is_red(junit_report(one.record)) == (one.status != 0));
  }
}

TEST_CASE("a kernel without variants was not run, whether or not it is said why") {
  RunRecord record = record_of(ClaimKind::kNan, Verdict::kUpheld);
  record.kernels[0].variants.clear();
  CHECK(was_not_run(record.kernels[0]));
  CHECK_THAT(last_line(record), contains(", 1 kernel not run"));
  for (const std::string& report :
       {console_summary(record, {}, false), render_markdown(record)[0].content,
        render_markdown(record)[1].content, render_html(record)[0].content,
        render_html(record)[1].content, junit_report(record), sarif_report(record)}) {
    CHECK_THAT(report, contains("no reason recorded"));
  }
  record.kernels[0].not_run = "missing";
  CHECK(not_run_reason(record.kernels[0]) == "missing");
  CHECK_THAT(render_markdown(record)[1].content, contains("**NOT RUN**: missing"));
}

ClaimRecord claim_of(ClaimKind kind, Verdict verdict, Strength strength = Strength::kSampled) {
  ClaimRecord claim;
  claim.id = row(kind).id;
  claim.verdict = verdict;
  claim.strength = strength;
  return claim;
}

TEST_CASE("each verdict is counted by itself, over variants and kernels") {
  constexpr Verdict kVerdicts[] = {Verdict::kUpheld, Verdict::kRefuted, Verdict::kUnclaimed,
                                   Verdict::kUndecided, Verdict::kError};
  VariantRecord variant;
  variant.probes = 7;
  variant.seconds = 0.5;
  for (std::size_t v = 0; v < std::size(kVerdicts); ++v) {
    variant.claims.insert(variant.claims.end(), v + 1, claim_of(ClaimKind::kNan, kVerdicts[v]));
  }
  KernelRecord kernel;
  kernel.variants = {variant, variant, variant};
  const KernelRecord* const kernels[] = {&kernel, &kernel};
  const auto counts = [](const Summary& sum) {
    return std::vector<std::uint64_t>{sum.upheld,    sum.refuted, sum.unclaimed,
                                      sum.undecided, sum.error,   sum.probes};
  };
  CHECK(counts(summary_of(variant)) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 7});
  CHECK(counts(summary_of(kernel)) == std::vector<std::uint64_t>{3, 6, 9, 12, 15, 21});
  CHECK(counts(summary_of(kernels)) == std::vector<std::uint64_t>{6, 12, 18, 24, 30, 42});
  CHECK(cpu_seconds(kernel) == 1.5);
  CHECK(count_not_run(kernels) == 0);
  kernel.not_run = "missing";
  CHECK(count_not_run(kernels) == 2);
}

TEST_CASE("the weakest strength is that of upheld claims about numbers, in any variant") {
  VariantRecord strong;
  strong.claims = {claim_of(ClaimKind::kRounding, Verdict::kUpheld, Strength::kExhaustive),
                   claim_of(ClaimKind::kNan, Verdict::kUpheld, Strength::kSampled),
                   claim_of(ClaimKind::kMaxUlp, Verdict::kRefuted, Strength::kSampled),
                   claim_of(ClaimKind::kDomainExact, Verdict::kUndecided, Strength::kNone)};
  VariantRecord weak;
  weak.claims = {claim_of(ClaimKind::kMaxUlp, Verdict::kUpheld, Strength::kBoundaryComplete)};
  VariantRecord none;
  none.claims = {claim_of(ClaimKind::kNan, Verdict::kUpheld, Strength::kExhaustive)};
  const auto weakest = [](std::vector<VariantRecord> variants) {
    return weakest_numeric_strength(variants);
  };
  CHECK(weakest({strong}) == Strength::kExhaustive);
  CHECK(weakest({strong, weak}) == Strength::kBoundaryComplete);
  CHECK(weakest({weak, strong}) == Strength::kBoundaryComplete);
  CHECK(weakest({none}) == std::nullopt);
  CHECK(weakest({}) == std::nullopt);
  for (const ClaimKind kind :
       {ClaimKind::kMaxUlp, ClaimKind::kMaxRelative, ClaimKind::kMaxAbsolute, ClaimKind::kRounding,
        ClaimKind::kDomainExact, ClaimKind::kAccumulator, ClaimKind::kErrorBound,
        ClaimKind::kPaddingSkipped, ClaimKind::kSelectionExact}) {
    CHECK(is_numeric_claim(row(kind).id));
  }
  for (const ClaimKind kind : {ClaimKind::kNan, ClaimKind::kBitwise, ClaimKind::kInBounds}) {
    CHECK_FALSE(is_numeric_claim(row(kind).id));
  }
}

}  // namespace
}  // namespace assay
