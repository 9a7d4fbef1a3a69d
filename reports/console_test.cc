#include "reports/console.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "contracts/testing/catch.h"
#include "reports/testing/contains.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"
#include "reports/text.h"

namespace assay {
namespace {

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using testing::contains;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// `text` without the escape sequences ESC [ ... m.
std::string without_colour(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// The lines of the table and of its legend: up to the first empty line.
std::vector<std::string> table_of(const RunRecord& record) {
  std::vector<std::string> lines = lines_of(console_summary(record, {}, false));
  const auto end = std::ranges::find(lines, "");
  REQUIRE(end != lines.end());
  REQUIRE(end - lines.begin() >= 5);
  lines.erase(end, lines.end());
  return lines;
}

TEST_CASE("the console summary of the sample record") {
  const RunRecord record = testing::sample_record();
  const std::string summary =
      console_summary(record, {"out/index.md", "out/cast.md", "out/report.json"}, false);
  testing::check_golden("sample.console.txt", summary);
  CHECK(summary.find('\x1b') == std::string::npos);
  CHECK_THAT(summary, EndsWith("\n" + last_line(record) + "\n"));
}

TEST_CASE("colour changes no word and no column") {
  const RunRecord record = testing::sample_record();
  const std::string coloured = console_summary(record, {"out/index.md"}, true);
  CHECK(coloured != console_summary(record, {"out/index.md"}, false));
  CHECK(without_colour(coloured) == console_summary(record, {"out/index.md"}, false));
}

TEST_CASE("an incomplete audit with hostile names on the console") {
  const std::string summary = console_summary(testing::hostile_record(), {"out/a\nb.md"}, false);
  testing::check_golden("hostile.console.txt", summary);
  // Nothing from a contract moves the cursor or begins a line.
  CHECK(summary.find('\x1b') == std::string::npos);
  for (const std::string& line : lines_of(summary)) CHECK(!line.starts_with("# heading"));
  CHECK_THAT(summary, contains("\nINCOMPLETE: this audit did not come to its end"));
  CHECK_THAT(last_line(testing::hostile_record()), StartsWith("INCOMPLETE: 0 claims upheld, 1 "));
}

TEST_CASE("the table fits 80 columns with the largest numbers") {
  RunRecord record = testing::sample_record();
  for (const std::string& line : table_of(record)) CHECK(display_width(line) <= 80);
  record.kernels.resize(1);
  record.kernels[0].variants[0].probes = 0;
  record.kernels[0].variants[1].probes = 0;
  record.kernels[0].variants[2].probes = std::numeric_limits<std::uint64_t>::max();
  record.kernels[0].variants[0].seconds = 1e6;
  for (const std::string& line : table_of(record)) CHECK(display_width(line) <= 80);
  CHECK_THAT(console_summary(record, {}, false), contains("18,446,744,073,709,551,615"));
}

TEST_CASE("the last line counts everything") {
  RunRecord record;
  CHECK(last_line(record) ==
        "0 claims upheld, 0 refuted, 0 measured only, 0 undecided, 0 errors; 0 probes in 0.00 s");
  CHECK(console_summary(record, {}, false) ==
        "No kernel was audited.\n\n" + last_line(record) + "\n");

  record.run.seconds = 41.3;
  record.kernels.resize(1);
  record.kernels[0].variants.resize(1);
  VariantRecord& variant = record.kernels[0].variants[0];
  variant.probes = 123456789012;
  const std::vector<std::pair<Verdict, int>> counts = {{Verdict::kUpheld, 6112},
                                                       {Verdict::kUnclaimed, 210},
                                                       {Verdict::kError, 1},
                                                       {Verdict::kRefuted, 2},
                                                       {Verdict::kUndecided, 3}};
  for (const auto& [verdict, count] : counts) {
    ClaimRecord claim;
    claim.verdict = verdict;
    variant.claims.insert(variant.claims.end(), static_cast<std::size_t>(count), claim);
  }
  CHECK(last_line(record) ==
        "6,112 claims upheld, 2 refuted, 210 measured only, 3 undecided, 1 error; 123,456,789,012 "
        "probes in 41.3 s");
  record.kernels[0].not_run = "missing";
  record.run.complete = false;
  CHECK_THAT(last_line(record),
             StartsWith("INCOMPLETE: 6,112 claims") && contains("1 error, 1 kernel not run; "));
}

}  // namespace
}  // namespace assay
