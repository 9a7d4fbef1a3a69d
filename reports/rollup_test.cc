// What a record as a whole amounts to.
#include "reports/rollup.h"

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

}  // namespace
}  // namespace assay
