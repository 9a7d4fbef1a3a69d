// Convolutions in reports: many and large operands, many kernels, variants and claims.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "contracts/testing/catch.h"
#include "reports/console.h"
#include "reports/evidence_text.h"
#include "reports/findings.h"
#include "reports/json.h"
#include "reports/markdown.h"
#include "reports/testing/contains.h"
#include "reports/testing/conv_record.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using testing::contains;
using testing::schema_faults;

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST_CASE("the reports of a record of convolutions") {
  const RunRecord record = testing::conv_record();
  const std::vector<RenderedFile> pages = render_markdown(record);
  REQUIRE(pages.size() == 2);
  testing::check_golden("conv.page.md", pages[1].content);
  testing::check_golden("conv.console.txt", console_summary(record, {}, false));
  CHECK(longest_line(pages[1].content) < 1000);
}

TEST_CASE("JSON keeps what is recorded of a tensor, and the shape of all of it") {
  const std::string report = json_report(testing::conv_record());
  CHECK(schema_faults(report) == std::vector<std::string>{});
  const nlohmann::json claims =
      nlohmann::json::parse(report)["kernels"][0]["variants"][0]["claims"];
  const nlohmann::json& example = claims[0]["counterexample"];
  REQUIRE(example["inputs"].size() == 3);
  CHECK(example["inputs"][0]["shape"] == nlohmann::json({1, 2, 9, 27}));
  CHECK(example["inputs"][0]["bits"].size() == 64);
  CHECK(example["inputs"][0]["values"].size() == 64);
  CHECK(example["inputs"][1]["bits"].size() == 36);
  CHECK(example["params"]["stride_h"] == "2");
  CHECK(example["params"].size() == 8);
  CHECK(claims[2]["counterexample"]["expected"]["bits"].empty());
  const nlohmann::json& measured = claims[1]["measured"];
  CHECK(measured["max_ulp_error"].is_null());
  CHECK(measured["argmax_condition"].is_null());
  CHECK(measured["argmax"]["input"] == "");
  CHECK(measured["histogram"][2]["upper"].is_null());
}

TEST_CASE("a cut tensor says how many elements it has") {
  TensorRecord tensor{"x", "f16", {2, 3}, {"0x0000", "0x3c00"}, {"0", "1"}};
  CHECK(elements_text(tensor, 2) == "0x0000 (0), 0x3c00 (1) ... 4 more, 6 in all");
  CHECK(elements_text(tensor, 9) == "0x0000 (0), 0x3c00 (1) ... 4 more, 6 in all");
  CHECK(elements_text(tensor, 1) == "0x0000 (0) ... 5 more, 6 in all");
  tensor.shape = {2};
  CHECK(elements_text(tensor, 2) == "0x0000 (0), 0x3c00 (1)");
  CHECK(elements_text(tensor, 1) == "0x0000 (0) ... 1 more, 2 in all");
  tensor.shape = {1 << 30, 1 << 30, 1 << 30};
  CHECK_THAT(elements_text(tensor, 2), contains("... 18,446,744,073,709,551,613 more, "));
  tensor.shape = {};
  tensor.bits = {"0x3c00"};
  tensor.values = {};
  CHECK(elements_text(tensor, 4) == "0x3c00");
  tensor.shape = {0};  // a shape that says less than there is takes nothing away
  CHECK(elements_text(tensor, 4) == "0x3c00");
  tensor.bits = {"0x3c00", "0x3c01"};
  CHECK(elements_text(tensor, 1) == "0x3c00 ... 1 more, 2 in all");
  tensor.bits.clear();
  tensor.shape = {0, 4};
  CHECK(elements_text(tensor, 4) == "nothing");
  CHECK(bits_and_value("", "probe 17") == "probe 17");
}

TEST_CASE("one input is told on one line, several on one each") {
  Counterexample example = *testing::conv_record().kernels[0].variants[0].claims[0].counterexample;
  const std::vector<std::string> lines = counterexample_lines(example);
  REQUIRE(lines.size() == 5);
  CHECK_THAT(lines[0],
             Catch::Matchers::StartsWith("x f32[1, 2, 9, 27] = 0xbf800000 (-1 -0x1p+0), ") &&
                 Catch::Matchers::EndsWith(" ... 482 more, 486 in all"));
  CHECK_THAT(lines[2], Catch::Matchers::StartsWith("bias f32[2] = ") && !contains("more"));
  CHECK_THAT(lines[3], Catch::Matchers::StartsWith("stride_h = 2; stride_w = 1; "));
  CHECK_THAT(lines[4],
             Catch::Matchers::StartsWith("got 0xbf800000 (-1 -0x1p+0); expected 0xbf7fffff "));
  example.params.clear();
  CHECK(counterexample_lines(example).size() == 4);
  example.inputs.resize(1);
  CHECK(counterexample_lines(example).size() == 1);
}

TEST_CASE("of very many refuted claims some are in full, and none is missing") {
  const RunRecord record = testing::crowded_record();
  const std::string console = console_summary(record, {}, false);
  CHECK(times(console, "\n  REFUTED  ") == 12 * (2 + 17));
  CHECK(times(console, "assay repro ") == 12 * 2);
  CHECK(times(console, "Further ones") == 1);
  CHECK(std::ranges::count(console, '\n') < 500);
  // What is named in brief has every variant that is not told in full.
  CHECK_THAT(console, contains("REFUTED  conv2d_f64  nan  [scalar, SSE4, AVX2, AVX3, AVX3_ZEN4, "
                               "AVX10_2]\n"));
  CHECK_THAT(console, contains("REFUTED  conv2d_f64  precision.max_ulp  [SSE4, AVX2, AVX3, "
                               "AVX3_ZEN4, AVX10_2]\n"));

  const std::vector<RenderedFile> pages = render_markdown(record);
  CHECK(pages[0].content.size() < 100'000);
  CHECK(times(pages[0].content, "\n### ") == 12 * 2);
  CHECK(times(pages[0].content, "\n- `") == 12 * 17);
  CHECK_THAT(pages[0].content,
             contains("- `conv2d_f64` breaks `nan` on scalar, SSE4, AVX2, AVX3, AVX3_ZEN4, "
                      "AVX10_2\n"));
  CHECK(times(pages[1].content, " breaks ") == 12 * 17 * 6);  // its own page has them all
}

TEST_CASE("few findings are all in full") {
  for (const RunRecord& record : {testing::sample_record(), testing::conv_record()}) {
    CHECK_THAT(console_summary(record, {}, false), !contains("Further ones"));
    CHECK_THAT(render_markdown(record)[0].content, !contains("Further claims"));
  }
  // One kernel alone has the whole limit, be its claims refuted or undecided.
  RunRecord record = testing::crowded_record();
  record.kernels.resize(1);
  CHECK(times(console_summary(record, {}, false), "assay repro ") == kFindingsInFull);
  for (VariantRecord& variant : record.kernels[0].variants) {
    for (ClaimRecord& claim : variant.claims) {
      claim.verdict = Verdict::kUndecided;
      claim.why = "no time on " + variant.name;
    }
  }
  const std::string console = console_summary(record, {}, false);
  CHECK(times(console, "no time on ") == kFindingsInFull);
  CHECK(times(console, "  UNDECIDED  ") == kFindingsInFull + 17);
}

}  // namespace
}  // namespace assay
