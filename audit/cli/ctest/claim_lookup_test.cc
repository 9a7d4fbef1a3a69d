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
  record.violations = verdict == Verdict::kRefuted ? 1 : 0;
  if (verdict == Verdict::kUndecided || verdict == Verdict::kError) record.why = "a reason";
  return record;
}

/// A report of kernel `k` with one variant `v`.
RunRecord record_of(std::vector<ClaimRecord> claims) {
  RunRecord record;
  record.run.effort = "quick";
  record.run.seed = 7;
  record.run.started = "2024-02-29T12:34:56Z";
  KernelRecord kernel;
  kernel.kernel = "k";
  kernel.file = "casts.fkc.md";
  kernel.line = 3;
  kernel.revision_hash = "0123456789abcdef";
  kernel.variants.emplace_back().name = "v";
  kernel.variants[0].claims = std::move(claims);
  record.kernels.push_back(std::move(kernel));
  return record;
}

/// A report, and the list of its standings.
class Report {
 public:
  explicit Report(const RunRecord& record) { prepare(record); }
  void prepare(const RunRecord& record) {
    write(record);
    write_standings(path());
  }
  void write(const RunRecord& record) { write(json_report(record)); }
  void write(const std::string& text) { std::ofstream(path()) << text; }
  std::string path() const { return (folder_.path() / "report.json").string(); }
  std::string list() const {
    std::ifstream file(path() + ".standings");
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
  outside.excluded = {{kOutsideDomain, 10}};
  outside.planned = 100;
  const Report report(record_of(
      {claim("rounding", Verdict::kUpheld, 5), claim("overflow", Verdict::kRefuted, 5),
       claim("signed_zero", Verdict::kUndecided, 0), claim("subnormals", Verdict::kError, 0),
       claim("precision.max_ulp", Verdict::kUnclaimed, 5), unfinished, outside}));
  CHECK(report("rounding").status == 0);
  CHECK(report("rounding").text == "k / rounding / v: upheld (sampled, 5 probes)\n");
  CHECK(report("infinity").status == 0);
  CHECK(report("overflow").status == 1);
  CHECK(report("signed_zero").status == 3);
  CHECK(report("subnormals").status == 3);
  CHECK(report("nan").status == 3);
  CHECK(contains(report("nan").text,
                 "10 of 100 planned probes were left out: the time budget was used up"));
  CHECK(report("precision.max_ulp").status == kSkipped);
  CHECK(report("aliasing").status == 3);
  CHECK(contains(report("aliasing").text, "no verdict for k / aliasing / v"));
  CHECK(look_up(report.path(), "k", "rounding", "w").status == 3);
  CHECK(look_up(report.path(), "other", "rounding", "v").status == 3);
}

TEST_CASE("a comparison of variants is skipped where it is not owed, and only there") {
  RunRecord record = record_of({claim("bitwise", Verdict::kUndecided, 0)});
  Report report(record);
  CHECK(report("bitwise").status == kSkipped);
  record.kernels[0].variants.push_back(record.kernels[0].variants[0]);
  record.kernels[0].variants[1].name = "w";
  report.prepare(record);
  CHECK(report("bitwise").status == 3);
  record.run.variants = {"[vw]"};
  report.prepare(record);
  CHECK(report("bitwise").status == kSkipped);
}

TEST_CASE("a failure says why, where it was promised and how to see it again") {
  ClaimRecord refuted = claim("rounding", Verdict::kRefuted, 5);
  Counterexample& example = refuted.counterexample.emplace();
  example.why = "this is\nthe wrong neighbour";
  example.token = "token";
  example.inputs = {{"x", "f32", {}, {"0x3f801000"}, {"1.0004883"}}};
  example.got = {"y", "f16", {}, {"0x3c01"}, {"1.001"}};
  const Standing standing = Report(record_of({refuted}))("rounding");
  CHECK(contains(standing.text, "k / rounding / v: refuted (sampled, 5 probes)\n"));
  CHECK(contains(standing.text, "declared: nearest_even (casts.fkc.md:12)\n"));
  CHECK(contains(standing.text, "counterexample: this is the wrong neighbour\n"));
  CHECK(contains(standing.text, "  x f32 = 0x3f801000 (1.0004883); got 0x3c01 (1.001)\n"));
  CHECK(contains(standing.text,
                 "repeat with: assay audit casts.fkc.md --only k --variant v --effort quick "
                 "--seed 7\n"));
}

TEST_CASE("a list that is missing, cut or another report's is no list") {
  Report report(record_of({claim("rounding", Verdict::kUpheld, 5)}));
  const std::string list = report.list();
  report.write(record_of({claim("rounding", Verdict::kRefuted, 5)}));
  CHECK_THROWS_AS(report("rounding"), UsageError);
  CHECK_THROWS_AS(look_up_kernel(report.path(), "k"), UsageError);
  report.prepare(record_of({claim("rounding", Verdict::kRefuted, 5)}));
  CHECK(report("rounding").status == 1);
  const std::string whole = report.list();
  std::ofstream(report.path() + ".standings") << whole.substr(0, whole.size() - 4);
  CHECK_THROWS_AS(report("rounding"), UsageError);
  std::filesystem::remove(report.path() + ".standings");
  CHECK_THROWS_AS(report("rounding"), UsageError);
}

TEST_CASE("of several verdicts under one name the worst counts") {
  RunRecord record = record_of({claim("rounding", Verdict::kUpheld, 5)});
  record.kernels.push_back(record_of({claim("rounding", Verdict::kRefuted, 5)}).kernels[0]);
  record.kernels.push_back(record.kernels[0]);
  record.kernels.push_back(record.kernels[0]);
  record.kernels[3].variants.clear();
  record.kernels[3].not_run = "missing";
  const Report report(record);
  CHECK(report("rounding").status == 1);
  CHECK(look_up_kernel(report.path(), "k").status == 3);
}

TEST_CASE("a kernel that was not run fails its test") {
  RunRecord record = record_of({});
  Report report(record);
  CHECK(look_up_kernel(report.path(), "k").status == 0);
  CHECK(look_up_kernel(report.path(), "other").status == 3);
  record.kernels[0].variants.clear();
  report.prepare(record);
  Standing standing = look_up_kernel(report.path(), "k");
  CHECK(standing.status == 3);
  CHECK(standing.text == "k was not run: no reason recorded\n");
  record.kernels[0].not_run = "no kernel is registered";
  report.prepare(record);
  standing = look_up_kernel(report.path(), "k");
  CHECK(standing.status == 3);
  CHECK(standing.text == "k was not run: no kernel is registered\n");
}

TEST_CASE("what is no report, or contradicts itself, is named, and never a verdict") {
  Report report(record_of({}));
  ClaimRecord lie = claim("rounding", Verdict::kUpheld, 5);
  lie.violations = 3;
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("{}"),
        std::string(R"({"schema":"assay-report/2"})"),
        std::string(R"({"schema":"assay-report/1","kernels":7})"), json_report(record_of({lie})),
        json_report(record_of({claim("in_bounds", Verdict::kUpheld, 0)}))}) {
    CAPTURE(text);
    report.write(text);
    CHECK_THROWS_AS(write_standings(report.path()), UsageError);
    CHECK_THROWS_AS(report("rounding"), UsageError);
  }
  CHECK_THROWS_AS(look_up("/nowhere/report.json", "k", "rounding", "v"), UsageError);
}

}  // namespace
}  // namespace assay::cli
