// Verdicts as outcomes of tests.
#include "audit/cli/ctest/claim_lookup.h"

#include <fstream>
#include <iterator>

#include "audit/options.h"
#include "audit/testing/folder.h"
#include "contracts/testing/catch.h"
#include "reports/json.h"

namespace assay::cli {
namespace {

ClaimRecord claim(const std::string& id, Verdict verdict, std::uint64_t probes) {
  ClaimRecord record;
  record.id = id;
  record.declared = "nearest_even";
  record.source.file = "casts.fkc.md";
  record.source.line = 12;
  record.verdict = verdict;
  record.strength = Strength::kSampled;
  record.probes = probes;
  record.planned = probes;
  return record;
}

/// A report of kernel `k` with one variant `v`.
RunRecord record_of(std::vector<ClaimRecord> claims) {
  RunRecord record;
  record.run.effort = "quick";
  record.run.seed = 7;
  KernelRecord kernel;
  kernel.kernel = "k";
  kernel.file = "casts.fkc.md";
  kernel.variants.emplace_back().name = "v";
  kernel.variants[0].claims = std::move(claims);
  record.kernels.push_back(std::move(kernel));
  return record;
}

class Report {
 public:
  explicit Report(const RunRecord& record) { write(record); }
  void write(const RunRecord& record) { write(json_report(record)); }
  void write(const std::string& text) { std::ofstream(path()) << text; }
  std::string path() const { return (folder_.path() / "report.json").string(); }
  std::string list() const {
    std::ifstream file(path() + ".upheld");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Standing operator()(const std::string& id) const { return look_up(path(), "k", id, "v"); }

 private:
  testing::Folder folder_;
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("only what is upheld by all its evidence passes") {
  ClaimRecord unfinished = claim("nan", Verdict::kUpheld, 90);
  unfinished.excluded = {{"the time budget was used up", 10}};
  unfinished.planned = 100;
  ClaimRecord outside = claim("infinity", Verdict::kUpheld, 90);
  outside.excluded = {{"outside the contract's domain", 10}};
  outside.planned = 100;
  const Report report(record_of(
      {claim("rounding", Verdict::kUpheld, 5), claim("overflow", Verdict::kRefuted, 5),
       claim("signed_zero", Verdict::kUndecided, 0), claim("subnormals", Verdict::kError, 0),
       claim("precision.max_ulp", Verdict::kUnclaimed, 5), claim("in_bounds", Verdict::kUpheld, 0),
       unfinished, outside}));
  for (const bool listed : {false, true}) {
    CAPTURE(listed);
    if (listed) write_upheld_list(report.path());
    CHECK(report("rounding").status == 0);
    CHECK(report("infinity").status == 0);
    CHECK(report("overflow").status == 1);
    CHECK(report("signed_zero").status == 3);
    CHECK(report("subnormals").status == 3);
    CHECK(report("in_bounds").status == 3);
    CHECK(report("nan").status == 3);
    CHECK(contains(report("nan").text,
                   "10 of 100 planned probes were left out: the time budget was used up"));
    CHECK(report("precision.max_ulp").status == kSkipped);
    CHECK(report("aliasing").status == 3);
    CHECK(contains(report("aliasing").text, "no verdict for k / aliasing / v"));
    CHECK(look_up(report.path(), "k", "rounding", "w").status == 3);
    CHECK(look_up(report.path(), "other", "rounding", "v").status == 3);
  }
  CHECK(contains(report.list(), R"x(["k","rounding","v","upheld (sampled, 5 probes)"])x"));
  CHECK_FALSE(contains(report.list(), "nan"));
}

TEST_CASE("a comparison of variants is skipped where there is one, and only there") {
  RunRecord record = record_of({claim("bitwise", Verdict::kUndecided, 0)});
  Report report(record);
  CHECK(report("bitwise").status == kSkipped);
  record.kernels[0].variants.push_back(record.kernels[0].variants[0]);
  record.kernels[0].variants[1].name = "w";
  report.write(record);
  CHECK(report("bitwise").status == 3);
}

TEST_CASE("a failure says why, where it was promised and how to see it again") {
  ClaimRecord refuted = claim("rounding", Verdict::kRefuted, 5);
  refuted.counterexample.emplace().why = "this is\nthe wrong neighbour";
  const Standing standing = Report(record_of({refuted}))("rounding");
  CHECK(contains(standing.text, "k / rounding / v: refuted (sampled, 5 probes)\n"));
  CHECK(contains(standing.text, "declared: nearest_even (casts.fkc.md:12)\n"));
  CHECK(contains(standing.text, "counterexample: this is the wrong neighbour\n"));
  CHECK(contains(standing.text,
                 "repeat with: assay audit casts.fkc.md --only k --variant v --effort quick "
                 "--seed 7\n"));
}

TEST_CASE("a list that is not this report's is not looked at") {
  Report report(record_of({claim("rounding", Verdict::kUpheld, 5)}));
  write_upheld_list(report.path());
  report.write(record_of({claim("rounding", Verdict::kRefuted, 5)}));
  CHECK(report("rounding").status == 1);
}

TEST_CASE("of several verdicts under one name the worst counts") {
  RunRecord record = record_of({claim("rounding", Verdict::kUpheld, 5)});
  record.kernels.push_back(record_of({claim("rounding", Verdict::kRefuted, 5)}).kernels[0]);
  record.kernels.push_back(record.kernels[0]);
  const Report report(record);
  CHECK(report("rounding").status == 1);
  write_upheld_list(report.path());
  CHECK(report("rounding").status == 1);
}

TEST_CASE("a kernel that was not run fails its test") {
  RunRecord record = record_of({});
  Report report(record);
  CHECK(look_up_kernel(report.path(), "k").status == 0);
  CHECK(look_up_kernel(report.path(), "other").status == 3);
  record.kernels[0].not_run = "no kernel is registered";
  report.write(record);
  const Standing standing = look_up_kernel(report.path(), "k");
  CHECK(standing.status == 3);
  CHECK(standing.text == "k was not run: no kernel is registered\n");
}

TEST_CASE("what is no report is named, and never a verdict") {
  Report report(record_of({}));
  for (const char* text : {"", "{", "[]", "null", "{}", R"({"schema":"assay-report/2"})",
                           R"({"schema":"assay-report/1","kernels":7})",
                           R"({"schema":"assay-report/1","kernels":[{"kernel":"k"}]})"}) {
    CAPTURE(text);
    report.write(text);
    CHECK_THROWS_AS(report("rounding"), UsageError);
    CHECK_THROWS_AS(write_upheld_list(report.path()), UsageError);
  }
  CHECK_THROWS_AS(look_up("/nowhere/report.json", "k", "rounding", "v"), UsageError);
}

}  // namespace
}  // namespace assay::cli
