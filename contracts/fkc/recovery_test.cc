// What is still found in a block that is no YAML, and what is said of the rest.
#include <array>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/fkc/text.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::kSample;
using testing::listing;
using testing::replaced;
using testing::sample_with;
using testing::second_section;

/// "LINE:COLUMN SEVERITY Kind" of each diagnostic.
std::vector<std::string> faults_of(const std::string& text) {
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  CHECK(document.kernels.empty());
  std::vector<std::string> faults;
  for (const Diagnostic& fault : document.diagnostics) {
    faults.push_back(std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " +
                     std::string(to_string(fault.severity)) + " " + fault.kind);
  }
  return faults;
}

using List = std::vector<std::string>;

TEST_CASE("behind a quote that does not close, the rest of the block is checked") {
  const std::string open = sample_with("\"A cast.\"", "\"A cast.");
  CHECK(faults_of(open) == List{"16:8 error Yaml"});
  CHECK(faults_of(replaced(open, "max_ulp: 0", "max_ulp: -1")) ==
        List{"16:8 error Yaml", "41:12 error BadBound"});
  CHECK(faults_of(replaced(open, "max_ulp: 0", "max_ulp: 0\n  max_ulp: 1")) ==
        List{"16:8 error Yaml", "42:3 error DuplicateKey"});
  // Quotes of both kinds, several of them, and one in the last line.
  std::string several = replaced(open, "\"lib::cast_a\"", "'lib::cast_a");
  several = replaced(several, "rounding: nearest_even", "rounding: \"nearest_even");
  CHECK(
      faults_of(replaced(several, "rank: any", "rank: banana")) ==
      List{"16:8 error Yaml", "17:14 error Yaml", "23:13 error BadScalarType", "45:13 error Yaml"});
  // One that runs to the end of the block.
  CHECK(faults_of(replaced(sample_with("nearest_even", "\"nearest_even"), "max_ulp: 0",
                           "max_ulp: -1")) == List{"41:12 error BadBound", "45:13 error Yaml"});
  // What the value would have said may be what others seem to lack or contradict.
  CHECK(faults_of(sample_with("bit_stable_on_same_hardware: true",
                              "bit_stable_on_same_hardware: \"true")) == List{"40:32 error Yaml"});
  CHECK(faults_of(replaced(open, "determinism: same_hardware_bitwise\n", "")) ==
        List{"16:8 error Yaml"});
}

TEST_CASE("a block or a front matter that cannot be read is said to be unchecked") {
  const std::string bad = sample_with("max_ulp: 0", "max_ulp: -1");
  for (const auto& [old, with, place, kind] :
       {std::array<std::string, 4>{"[F32]", "[\"F32]", "21:16", "Yaml"},
        std::array<std::string, 4>{"accept:", "accept", "19:9", "Yaml"},
        std::array<std::string, 4>{"    - name: src", "\t- name: src", "20:1", "TabIndentation"},
        std::array<std::string, 4>{"A cast.", "A \xff cast.", "16:11", "Yaml"}}) {
    INFO(with);
    const std::string text = replaced(bad, old, with);
    CHECK(faults_of(text) == List{place + " error " + kind, place + " note Yaml"});
    const Document document = parse_document(text + second_section(), "a");
    CHECK(document.diagnostics.back().message ==
          "no field of lines 14 to 45 is checked before this is mended");
    // The kernels behind it are.
    REQUIRE(document.kernels.size() == 1);
    CHECK(document.kernels[0].kernel == "cast_b");
  }
  const Document front = parse_document(sample_with("backend: Cpu", "backend: [Cpu"), "a");
  INFO(listing(front));
  CHECK(front.diagnostics.back().message ==
        "no field of lines 2 to 7 is checked before this is mended");
  CHECK(front.kernels.empty());  // they would be without a provider
  // Without indentation too: the lines are those of the file.
  const std::string indented = sample_with("max_ulp: 0", "max_ulp: [0");
  std::string bare;
  for (const std::string_view line : split_lines(indented)) {
    bare.append(trim(line)).append("\n");
  }
  const Document lost = parse_document(bare, "a");
  INFO(listing(lost));
  CHECK(lost.diagnostics.back().severity == Severity::kNote);
  CHECK(lost.diagnostics.back().message ==
        "no field of lines 14 to 45 is checked before this is mended");
}

TEST_CASE("text over several lines is no open quote") {
  const Document document = parse_document(sample_with("\"A cast.\"", "\"A\n  cast.\""), "a");
  INFO(listing(document));
  CHECK(document.kernels.size() == 1);
}

}  // namespace
}  // namespace assay::fkc
