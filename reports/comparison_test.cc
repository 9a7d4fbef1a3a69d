// The table that compares libraries.
#include "reports/comparison.h"

#include <limits>

#include "contracts/testing/catch.h"
#include "reports/file_set.h"
#include "reports/testing/contains.h"
#include "reports/testing/sample_record.h"

namespace assay {
namespace {

using testing::contains;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

ClaimRecord claim(ClaimKind kind, Verdict verdict, Strength strength) {
  ClaimRecord record;
  record.id = row(kind).id;
  record.verdict = verdict;
  record.strength = strength;
  return record;
}

KernelRecord kernel(const std::string& name, const std::string& library) {
  KernelRecord record;
  record.kernel = name;
  record.library = library;
  return record;
}

/// Two libraries with one kernel, one of them refuted, and a kernel that has no implementation.
RunRecord record() {
  ClaimRecord refuted = claim(ClaimKind::kRounding, Verdict::kRefuted, Strength::kSampled);
  refuted.declared = "nearest_even";
  refuted.measured.max_ulp_distance = 7;
  refuted.measured.max_ulp_error = 7.25;
  Counterexample found;
  found.inputs = {{"src", "f32", {1}, {"0x00010000"}, {"9.2e-41"}}};
  found.got = {"out", "bf16", {1}, {"0x0000"}, {"0"}};
  found.expected = {"out", "bf16", {1}, {"0x0001"}, {"9.2e-41"}};
  found.why = "the kernel is a step off";
  refuted.counterexample = found;

  VariantRecord wrong{"packets", "", "", 1, 1, 2.5e6, {refuted}};
  wrong.claims.push_back(claim(ClaimKind::kNan, Verdict::kUnclaimed, Strength::kSampled));
  wrong.claims.push_back(claim(ClaimKind::kInBounds, Verdict::kUpheld, Strength::kSampled));
  wrong.claims.push_back(claim(ClaimKind::kAliasing, Verdict::kError, Strength::kNone));
  wrong.claims.back().why = "it crashed";
  VariantRecord right{"scalar", "", "", 1, 1, 0, {}};
  right.claims = {claim(ClaimKind::kRounding, Verdict::kUpheld, Strength::kExhaustive)};
  right.claims[0].measured.max_ulp_distance = 0;
  right.claims[0].measured.max_ulp_error = std::numeric_limits<double>::infinity();
  right.rates = {{"a call", 0.5, 2e9, 0, 1}};

  RunRecord all;
  all.kernels = {kernel("cast_b", "build/second.so"), kernel("cast_a", ""),
                 kernel("cast_b", "/else/first.so")};
  all.kernels[0].variants = {wrong};
  all.kernels[1].not_run = "no kernel is registered";
  all.kernels[2].variants = {right};
  return all;
}

const std::vector<ComparedLibrary> kLibraries = {{"first", "First 1.0", ""},
                                                 {"second", "Second 2.0", ""},
                                                 {"third", "Third", "no such package"}};

TEST_CASE(
    "each variant is a row, by kernel and then library, and each claim about numbers a column") {
  const std::string page = comparison_page(compared_variants(record()), kLibraries).content;
  CHECK(has(page, "| Kernel | Library | Variant | rounding | calls and memory | Max ULP"));
  const std::size_t first = page.find(
      "| cast_b | first | scalar | upheld, exhaustive | 0 upheld | 0 | inf | 4 GFLOP/s |");
  const std::size_t second = page.find(
      "| cast_b | second | packets | **refuted, sampled** | 1 upheld, **aliasing error** | 7 | "
      "7.25 | 2.5 M probes/s |");
  CAPTURE(page);
  REQUIRE(first != page.npos);
  REQUIRE(second != page.npos);
  CHECK(first < second);
}

TEST_CASE("a column for a claim that nobody is judged by is left out") {
  const std::string page = comparison_page(compared_variants(record()), kLibraries).content;
  CHECK_FALSE(has(page, "| nan |"));
}

TEST_CASE("a rate that nobody can have measured is shown all the same") {
  RunRecord record = testing::sample_record();
  for (KernelRecord& kernel : record.kernels) {
    for (VariantRecord& variant : kernel.variants) variant.probes_per_second = 1e300;
  }
  const std::vector<ComparedVariant> rows = compared_variants(record);
  CHECK_THAT(comparison_page(rows, {}).content, contains("| 1e+294 M probes/s |"));
}

TEST_CASE("rates have three digits or more, and no power of ten") {
  std::vector<ComparedVariant> rows = compared_variants(record());
  const auto shows = [&](double probes_per_second, const char* text) {
    for (ComparedVariant& row : rows) row.probes_per_second = probes_per_second;
    return has(comparison_page(rows, {}).content, text);
  };
  CHECK(shows(9.412e6, "| 9.41 M probes/s |"));
  CHECK(shows(999.4e6, "| 999 M probes/s |"));
  CHECK(shows(999.6e6, "| 1,000 M probes/s |"));
  CHECK(shows(1970e6, "| 1,970 M probes/s |"));
}

TEST_CASE("what is not promised has no verdict, but a count of what differs") {
  RunRecord all = record();
  all.kernels[2].variants[0].claims[0].verdict = Verdict::kUnclaimed;
  const auto page = [&] { return comparison_page(compared_variants(all), kLibraries).content; };
  CHECK(has(page(), "| cast_b | first | scalar | - | 0 upheld |"));
  all.kernels[2].variants[0].claims[0].violations = 6264;
  CHECK(has(page(), "| cast_b | first | scalar | - (6,264 differ) | 0 upheld |"));
}

TEST_CASE("what is not upheld is told in full") {
  const std::string page = comparison_page(compared_variants(record()), kLibraries).content;
  CAPTURE(page);
  CHECK(has(page,
            "- **refuted** `rounding` of second cast_b (packets), declared "
            "`nearest_even`: src 0x00010000 (9.2e-41), got 0x0000 (0), expected 0x0001 "
            "(9.2e-41): the kernel is a step off\n"));
  CHECK(has(page,
            "- **error** `aliasing` of second cast_b (packets): it "
            "crashed\n"));
}

TEST_CASE("skipped libraries and kernels without an implementation have rows with the reason") {
  const std::vector<ComparedVariant> rows = compared_variants(record());
  const std::string page = comparison_page(rows, kLibraries).content;
  CAPTURE(page);
  CHECK(has(page, "| Third | third | skipped: no such package |"));
  CHECK(has(page, "| cast_a | built in | skipped: no kernel is registered |"));
  const std::string text = comparison_summary(rows, kLibraries);
  CAPTURE(text);
  CHECK(has(text, "third              skipped: no such package\n"));
  CHECK(has(text, "2 kernels compared, 1 claim refuted, 2 skipped\n"));
}

TEST_CASE("a library that the list has and the reports do not is a skip, never a pass") {
  std::vector<ComparedLibrary> libraries = kLibraries;
  libraries.push_back({"fourth", "Fourth", ""});
  const std::string page = comparison_page(compared_variants(record()), libraries).content;
  CHECK(has(page, "| Fourth | fourth | skipped: none of the reports has a kernel of it |"));
}

TEST_CASE("the list of libraries is read line by line, and a faulty line is named") {
  const auto libraries = read_library_list("a\tA 1\t\nb\tB\tnot here\n");
  REQUIRE(libraries.size() == 2);
  CHECK(libraries[0].description == "A 1");
  CHECK(libraries[0].skipped.empty());
  CHECK(libraries[1].name == "b");
  CHECK(libraries[1].skipped == "not here");
  CHECK(read_library_list("").empty());
  for (const char* text : {"a\tA 1\t\nb\n", "a\tA 1\t\nb\tB\n", "a\tA 1\t\n\tB\t\n"}) {
    CHECK_THROWS_WITH(read_library_list(text), contains("line 2"));
  }
}

TEST_CASE("reports with every verdict, and with hostile words, become a table") {
  for (const RunRecord& sample : {testing::sample_record(), testing::hostile_record()}) {
    const std::vector<ComparedVariant> rows = compared_variants(sample);
    const std::string page = comparison_page(rows, {}).content;
    CHECK_FALSE(rows.empty());
    // Every row of the table has the cells of its head.
    const auto bars = [](std::string_view line) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < line.size(); ++i) {
        count += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
      }
      return count;
    };
    const std::size_t begin = page.find("| Kernel");
    REQUIRE(begin != page.npos);
    std::string_view rest = std::string_view(page).substr(begin, page.find("\n\n", begin) - begin);
    const std::size_t due = bars(rest.substr(0, rest.find('\n')));
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      CAPTURE(std::string(rest.substr(0, end)));
      CHECK(bars(rest.substr(0, end)) == due);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    CHECK_FALSE(has(page, "<script"));
  }
}

}  // namespace
}  // namespace assay
