// The written forms of a comparison of reports.
#include "reports/diff_writer.h"

#include <utility>

#include "contracts/testing/catch.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

RunRecord changed_sample() {
  RunRecord record = testing::sample_record();
  record.run.seed = 43;
  record.tool.revision = "0000000";
  KernelRecord& half = record.kernels[0];
  for (std::size_t v = 0; v < 2; ++v) {
    half.variants[v].claims[0] = half.variants[v].claims[1];
    half.variants[v].claims[0].id = "precision.max_ulp";
    half.variants[v].claims[0].declared = "0";
    half.variants[v].probes_per_second /= 2;
  }
  half.variants[2].claims.pop_back();
  record.kernels[1].not_run.clear();
  record.kernels[1].variants = {record.kernels[2].variants[0]};
  record.kernels.pop_back();
  return record;
}

TEST_CASE("the text and the page of a comparison") {
  const RunRecord before = testing::sample_record();
  const RunRecord after = changed_sample();
  const ComparedReports reports{"old/report.json", before, "new/report.json", after};
  const std::vector<Change> changes = changes_between(before, after);
  testing::check_golden("sample.diff.txt", diff_text(reports, changes));
  testing::check_golden("sample.diff.md", diff_markdown(reports, changes));
}

TEST_CASE("strangers' text moves no cursor and makes no markup") {
  RunRecord evil = testing::hostile_record();
  RunRecord none = evil;
  none.kernels[0].variants.clear();
  none.kernels[0].not_run.clear();
  RunRecord run = evil;
  run.kernels[0].not_run.clear();
  const std::string name = "a|\x1b[31m`<b>";
  for (const auto& [a, b] : {std::pair(&evil, &run), std::pair(&none, &run), std::pair(&run, &none),
                             std::pair(&run, &evil)}) {
    const ComparedReports reports{name, *a, name, *b};
    const std::vector<Change> changes = changes_between(*a, *b);
    const std::string text = diff_text(reports, changes);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("\n# heading") == std::string::npos);
    const std::string page = diff_markdown(reports, changes);
    CHECK(page.find('\x1b') == std::string::npos);
    CHECK(page.find("<script>") == std::string::npos);
    CHECK(page.find("\n# heading") == std::string::npos);
    CHECK(testing::schema_faults(diff_json(reports, changes), "assay-diff-1.schema.json") ==
          std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace assay
