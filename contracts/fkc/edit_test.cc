// Edits of one value: what changes, and that nothing else does.
#include "contracts/fkc/edit.h"

#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::kSample;
using testing::replaced;
using testing::sample_with;

constexpr int kHeading = 11;

std::string edited(const std::string& text, std::string_view mapping, std::string_view key,
                   std::string_view value) {
  const auto result = set_field(text, {kHeading, mapping, key}, value);
  if (const auto* refusal = std::get_if<EditRefusal>(&result)) return "refused: " + refusal->why;
  return std::get<std::string>(result);
}

TEST_CASE("a value is replaced where it stands") {
  const std::string sample(kSample);
  CHECK(edited(sample, "precision", "max_ulp", "17") ==
        sample_with("  max_ulp: 0\n", "  max_ulp: 17\n"));
  CHECK(edited(sample, "audit", "rounding", "exact") ==
        sample_with("rounding: nearest_even", "rounding: exact"));
  const std::string comment = sample_with("  max_ulp: 0\n", "  max_ulp:   0   # never more\n");
  CHECK(edited(comment, "precision", "max_ulp", "1") ==
        replaced(comment, "  0   # never", "  1   # never"));
}

TEST_CASE("a null makes way, written or left out") {
  for (const char* null : {"~", "null"}) {
    const std::string text = sample_with("max_ulp: 0", std::string("max_ulp: ") + null);
    CHECK(edited(text, "precision", "max_ulp", "3") == sample_with("max_ulp: 0", "max_ulp: 3"));
  }
  const std::string left_out = sample_with("max_ulp: 0", "max_ulp:");
  CHECK(edited(left_out, "precision", "max_ulp", "3") == sample_with("max_ulp: 0", "max_ulp: 3"));
  const std::string commented = sample_with("max_ulp: 0", "max_ulp:  # open");
  CHECK(edited(commented, "precision", "max_ulp", "3") ==
        sample_with("max_ulp: 0", "max_ulp: 3  # open"));
}

TEST_CASE("a key that is not there gets a line with the indentation and the line end around") {
  const std::string sample(kSample);
  CHECK(edited(sample, "precision", "max_relative", "0.5") ==
        sample_with("precision:\n", "precision:\n  max_relative: 0.5\n"));
  const std::string deep = sample_with("audit:\n  rounding: nearest_even\n",
                                       "audit:\n     # why\n     nan: preserved\n");
  CHECK(edited(deep, "audit", "rounding", "exact") ==
        replaced(deep, "     nan", "     rounding: exact\n     nan"));
}

TEST_CASE("a mapping that is not there comes last in the block") {
  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  CHECK(edited(bare, "audit", "rounding", "nearest_even") == kSample);
  // Behind a text over several lines, which ends where the mapping begins.
  const std::string folded =
      sample_with("audit:\n  rounding: nearest_even\n", "notes: >\n  some\n  words\n");
  CHECK(edited(folded, "audit", "rounding", "exact") ==
        replaced(folded, "  words\n", "  words\naudit:\n  rounding: exact\n"));
}

TEST_CASE("braces are filled from the front") {
  const std::string flow = sample_with(
      "precision:\n  bit_stable_on_same_hardware: true\n  max_ulp: 0\n  audited: true\n",
      "precision: { bit_stable_on_same_hardware: true, max_ulp: 12 }  # all\n");
  CHECK(edited(flow, "precision", "max_ulp", "3") == replaced(flow, "max_ulp: 12", "max_ulp: 3"));
  CHECK(edited(flow, "precision", "max_relative", "0.5") ==
        replaced(flow, "{ bit", "{ max_relative: 0.5, bit"));
  const std::string tight = replaced(flow, "{ bit", "{bit");
  CHECK(edited(tight, "precision", "max_relative", "0.5") ==
        replaced(tight, "{bit", "{max_relative: 0.5, bit"));
}

TEST_CASE("CRLF, a byte order mark and other sections stay as they are") {
  std::string text = std::string("\xef\xbb\xbf") + std::string(kSample) + testing::second_section();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.insert(at, "\r");
  }
  CHECK(edited(text, "precision", "max_ulp", "3") ==
        replaced(text, "max_ulp: 0\r\n", "max_ulp: 3\r\n"));
  CHECK(edited(text, "precision", "max_absolute", "2") ==
        replaced(text, "precision:\r\n", "precision:\r\n  max_absolute: 2\r\n"));
  const std::string bare = replaced(text, "audit:\r\n  rounding: nearest_even\r\n", "");
  CHECK(edited(bare, "audit", "rounding", "nearest_even") == text);
}

TEST_CASE("what cannot be changed safely is refused, and it is said what to do") {
  const auto refused = [](const std::string& text, std::string_view mapping, std::string_view key,
                          std::string_view value = "1") {
    const std::string result = edited(text, mapping, key, value);
    return result.starts_with("refused: ") && result.size() > 40;
  };
  CHECK(refused(sample_with("max_ulp: 0", "max_ulp: \"0\""), "precision", "max_ulp"));
  CHECK(refused(sample_with("max_ulp: 0", "max_ulp: >\n    0"), "precision", "max_ulp"));
  CHECK(refused(sample_with("audit:\n  rounding: nearest_even\n", "audit: ~\n"), "audit", "nan"));
  CHECK(refused(sample_with("audit:\n  rounding: nearest_even\n", "audit: {}\n"), "audit", "nan"));
  CHECK(
      refused(sample_with("audit:\n  rounding: nearest_even\n", "audit: some\n"), "audit", "nan"));
  CHECK(refused(sample_with("max_ulp: 0", "max_ulp: [0]"), "precision", "max_ulp"));
  // A value that is no plain scalar would be read as something else.
  CHECK(refused(std::string(kSample), "precision", "max_ulp", "1 # x"));
  CHECK(refused(std::string(kSample), "precision", "max_ulp", "a: b"));
  CHECK(refused(std::string(kSample), "precision", "max_ulp", "1\n  audited: false"));
  // Blocks that are not understood.
  CHECK(refused(sample_with("max_ulp: 0", "max_ulp: &a 0"), "precision", "max_ulp"));
  CHECK(refused(sample_with("  max_ulp: 0", "\tmax_ulp: 0"), "precision", "max_ulp"));
  CHECK(refused(sample_with("```fkc", "```yaml"), "precision", "max_ulp"));
  const auto elsewhere = set_field(std::string(kSample), {12, "precision", "max_ulp"}, "1");
  CHECK(std::holds_alternative<EditRefusal>(elsewhere));
}

}  // namespace
}  // namespace assay::fkc
