#include "reports/rates.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "contracts/testing/catch.h"
#include "reports/json.h"
#include "reports/markdown.h"
#include "reports/testing/contains.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using testing::contains;
using testing::schema_faults;
using Json = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The sample, whose first kernel was timed: two calls, one of them on one variant only.
RunRecord timed_record() {
  RunRecord record = testing::sample_record();
  std::vector<VariantRecord>& variants = record.kernels[0].variants;
  variants[0].rates = {{"3x3, 32 to 32 channels, 56x56", 0.25, 57802752, 840704, 1}};
  variants[1].rates = {{"1x1, 7x7", 2.5e-8, 0, 0, 0},
                       {"3x3, 32 to 32 channels, 56x56", 0.001953125, 57802752, 840704, 128}};
  return record;
}

TEST_CASE("a rate that is not known is nothing") {
  CHECK(giga_per_second(3e9, 2) == 1.5);
  for (const double unknown :
       {0.0, -1.0, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_FALSE(giga_per_second(unknown, 1));
    CHECK_FALSE(giga_per_second(1, unknown));
  }
  CHECK_FALSE(giga_per_second(-1, -1));
  CHECK_FALSE(giga_per_second(1e300, 1e-300));  // overflows
}

TEST_CASE("the table of rates has variants as rows, call by call") {
  const RunRecord record = timed_record();
  const std::string table = md_rates(record.kernels[0]);
  CHECK(table ==
        "#### Throughput\n\n"
        "The time of a call is measured. The operations and bytes of a call are not: they are what "
        "the contract's formulas cost.flops and cost.bytes_moved give for its shapes. A speedup "
        "is over scalar.\n\n"
        "| call | variant | time | GFLOP/s | GB/s | speedup |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| 3x3, 32 to 32 channels, 56x56 | scalar | 250 ms | 0.231 | 0.00336 | 1 |\n"
        "| 3x3, 32 to 32 channels, 56x56 | SSE4 | 1.95 ms | 29.6 | 0.43 | 128 |\n"
        "| 1x1, 7x7 | SSE4 | 25 ns | - | - | - |\n\n");
  // On the page of its contract, and nowhere else.
  const std::vector<RenderedFile> pages = render_markdown(record);
  CHECK_THAT(pages[1].content, contains(table));
  CHECK_THAT(pages[0].content, !contains("Throughput"));
  CHECK_THAT(pages[3].content, !contains("Throughput"));
  CHECK(md_rates(testing::sample_record().kernels[0]).empty());
}

TEST_CASE("times and speeds keep their digits at the borders of units") {
  KernelRecord kernel;
  kernel.variants.resize(1);
  const auto row = [&](double seconds, double flops, double speedup) {
    kernel.variants[0].rates = {{"c", seconds, flops, 0, speedup}};
    const std::string table = md_rates(kernel);
    const std::string cells = table.substr(table.rfind("| c |"));
    return cells.substr(0, cells.find('\n'));
  };
  CHECK(row(1, 1234.4e9, 0.5) == "| c |  | 1 s | 1234 | - | 0.5 |");
  CHECK(row(1, 999.6e9, kInfinity) == "| c |  | 1 s | 1000 | - | - |");
  CHECK(row(0.9999, 0, 0) == "| c |  | 1000 ms | - | - | - |");
  CHECK(row(1e-6, 0, 0) == "| c |  | 1 us | - | - | - |");
  CHECK(row(9.5e-10, 0, 0) == "| c |  | 0.95 ns | - | - | - |");
  CHECK(row(0, 1, 1) == "| c |  | - | - | - | 1 |");
}

TEST_CASE("a contract's words in a rate stay one cell") {
  RunRecord record = timed_record();
  record.kernels[0].variants[0].rates[0].what = "a|b\n# c";
  CHECK_THAT(md_rates(record.kernels[0]), contains("| a&#124;b \\# c | scalar |"));
}

TEST_CASE("rates in JSON: values, what is not known, and nothing where nothing was timed") {
  const std::string report = json_report(timed_record());
  CHECK(schema_faults(report) == std::vector<std::string>{});
  const Json valid = Json::parse(report);
  const Json& variants = valid["kernels"][0]["variants"];
  CHECK(variants[0]["rates"].size() == 1);
  CHECK(variants[0]["rates"][0] == Json({{"what", "3x3, 32 to 32 channels, 56x56"},
                                         {"seconds", 0.25},
                                         {"gflops_per_second", 57802752 / 0.25 / 1e9},
                                         {"gbytes_per_second", 840704 / 0.25 / 1e9},
                                         {"speedup", 1.0}}));
  const Json& unknown = variants[1]["rates"][0];
  CHECK(unknown["seconds"] == 2.5e-8);
  for (const char* field : {"gflops_per_second", "gbytes_per_second", "speedup"}) {
    CHECK(unknown[field].is_null());
  }
  CHECK_FALSE(variants[2].contains("rates"));
}

TEST_CASE("the schema knows the fields of a rate") {
  const Json valid = Json::parse(json_report(timed_record()));
  const auto refused = [&](auto spoil) {
    Json report = valid;
    spoil(report["kernels"][0]["variants"][0]);
    REQUIRE(report != valid);
    return !schema_faults(report.dump()).empty();
  };
  for (const auto& [key, ignored] : valid["kernels"][0]["variants"][0]["rates"][0].items()) {
    INFO(key);
    const std::string field = key;
    CHECK(refused([&](Json& variant) { variant["rates"][0].erase(field); }));
    CHECK(refused([&](Json& variant) { variant["rates"][0][field] = true; }));
    if (field == "what") continue;
    CHECK(refused([&](Json& variant) { variant["rates"][0][field] = -1; }));
  }
  CHECK(refused([](Json& variant) { variant["rates"][0]["what"] = ""; }));
  CHECK(refused([](Json& variant) { variant["rates"][0]["flops"] = 1; }));
  CHECK(refused([](Json& variant) { variant["rates"] = Json::array(); }));
  CHECK_FALSE(refused([](Json& variant) { variant.erase("rates"); }));
}

}  // namespace
}  // namespace assay
