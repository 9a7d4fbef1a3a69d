// Sentences that make no claim although they have the words of one.
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::kSample;
using testing::listing;
using testing::replaced;
using testing::sample_with;

std::vector<Diagnostic> of_kind(const Document& document, std::string_view kind) {
  std::vector<Diagnostic> found;
  for (const Diagnostic& diagnostic : document.diagnostics) {
    if (diagnostic.kind == kind) found.push_back(diagnostic);
  }
  return found;
}

const std::string kBare = sample_with("audit:\n  rounding: nearest_even\n", "");

Document with_text(const std::string& text) {
  return parse_document(replaced(kBare, "A blurb.", text), "a");
}

TEST_CASE("a promise with an exception is no claim, and a note names the sentence") {
  const Document document = with_text("It is fast. NaN preserved except on ARM.");
  const auto notes = of_kind(document, "ProseUnclear");
  INFO(listing(document));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].severity == Severity::kNote);
  CHECK(notes[0].line == 12);
  CHECK(notes[0].column == 13);
  CHECK(notes[0].message ==
        "\"NaN preserved except on ARM.\" has the words of nan: preserved, and more than is "
        "understood: it makes no claim");
  CHECK(document.kernels.at(0).claim(ClaimKind::kNan) == nullptr);
  for (const char* text :
       {"NaN preserved, not for f16.", "NaN is preserved if quiet.",
        "NaN preserved unless negative.", "Kernel cast_b: NaN is preserved.",
        "In f32 NaN preserved.", "NaN preserved; only on AVX2.", "NaN preserved for |x| only.",
        "lossless widening only for finite values", "NaN preserved, mostly."}) {
    INFO(text);
    CHECK(of_kind(with_text(text), "ProseUnclear").size() == 1);
  }
  // One note for one phrase, whatever it stands for.
  const auto many = of_kind(with_text("Via half::f16::from_f32 except on ARM."), "ProseUnclear");
  REQUIRE(many.size() == 1);
  CHECK(many[0].message.find("of rounding: nearest_even, overflow: infinity, nan: preserved, ") !=
        std::string::npos);
}

TEST_CASE("what is denied, asked, quoted or claimed needs no such note") {
  for (const char* text :
       {"It does not round to nearest even.", "It never rounds toward zero.", "Is NaN preserved?",
        "It is false that NaN is preserved.", "\"NaN is preserved on ARM.\"", "NaN preserved.",
        "### Not promised\n\nNaN preserved.", "It preserves the shape except on ARM."}) {
    INFO(text);
    CHECK(of_kind(with_text(text), "ProseUnclear").empty());
  }
  // An integer has no NaN to preserve.
  const std::string integers = replaced(kBare, "[F32]", "[U32]");
  CHECK(of_kind(parse_document(replaced(integers, "A blurb.", "NaN preserved except on ARM."), "a"),
                "ProseUnclear")
            .empty());
}

TEST_CASE("beside a claim only an exception is told") {
  const auto notes = [](const std::string& audit, const std::string& text) {
    const std::string stated = replaced(kBare, "determinism:", audit + "determinism:");
    return of_kind(parse_document(replaced(stated, "A blurb.", text), "a"), "ProseUnclear").size();
  };
  const std::string nan = "audit: { nan: preserved }\n";
  CHECK(notes(nan, "NaN preserved except on ARM.") == 1);
  CHECK(notes(nan, "Kernel cast_b: NaN is preserved.") == 0);
  // "Only" in words that are understood leaves nothing out.
  CHECK(notes(nan, "Only the second leg loses precision, kernel cast_b: NaN is preserved.") == 0);
  CHECK(notes("", "NaN preserved. Kernel cast_b: NaN is preserved.") == 0);
  CHECK(notes("", "NaN preserved. In rows NaN preserved except in the last.") == 1);
}

TEST_CASE("a sentence as long as a document is named by its beginning, in linear time") {
  std::string text = "Kernel";
  for (int i = 0; i < 20000; ++i) text += " cast_b preserves: NaN preserved,";
  const auto notes = of_kind(with_text(text), "ProseUnclear");
  REQUIRE(notes.size() > 900);
  CHECK(notes[0].message.find(" ...\" has the words of nan: preserved,") != std::string::npos);
  CHECK(notes[0].message.size() < 400);
}

TEST_CASE("of sentences that contradict each other every one is shown") {
  const Document document = with_text(
      "Rounds to nearest, ties to even. Rounds toward zero. Lossless across the full u32 range. "
      "Truncates toward zero.");
  INFO(listing(document));
  const auto warnings = of_kind(document, "ProseDisagrees");
  REQUIRE(warnings.size() == 2);
  CHECK(warnings[0].message ==
        "this says rounding: toward_zero, and the contract says nearest_even elsewhere");
  CHECK(warnings[1].message ==
        "this says rounding: exact, and the contract says nearest_even elsewhere");
  const Claim* disputed = document.kernels.at(0).disputed_claim(ClaimKind::kRounding);
  REQUIRE(disputed != nullptr);
  CHECK(disputed->declared == "nearest_even or toward_zero or exact");
}

TEST_CASE("two borders of what the caller keeps away contradict each other") {
  std::string text = replaced(kBare, "fixed(F16)", "fixed(U32)");
  const auto read = [&](const std::string& prose) {
    const Document document = parse_document(replaced(text, "A blurb.", prose), "a");
    INFO(listing(document));
    REQUIRE(document.kernels.size() == 1);
    return document.kernels[0];
  };
  const std::string from_0 = "Values outside [0, u32::MAX] are caller errors.";
  const std::string from_1 = "Values outside [1, u32::MAX] are caller errors.";
  CHECK(read(from_0 + " " + from_0).caller_error.size() == 2);
  const KernelContract both = read(from_0 + " " + from_1);
  CHECK(both.caller_error.empty());
  CHECK(both.claim(ClaimKind::kOverflow) == nullptr);
  REQUIRE(both.disputed_claim(ClaimKind::kOverflow) != nullptr);
  CHECK(both.disputed_claim(ClaimKind::kOverflow)->declared ==
        "caller_error or caller_error below 1");
}

}  // namespace
}  // namespace assay::fkc
