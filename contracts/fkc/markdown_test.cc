// Comments of HTML in a document.
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::kSample;
using testing::listing;
using testing::sample_with;
using testing::second_section;

const std::string kHiddenBlock = "```fkc\nkernel: old\n```\n";

TEST_CASE("a comment hides a kernel, and a note says where") {
  const std::string before(kSample);
  for (const std::string open : {"<!--\n", "<!-- Withdrawn:\n", "   <!--\n"}) {
    INFO(open);
    const Document document = parse_document(
        before + open + "## old\n" + kHiddenBlock + "--> NaN preserved.\n" + second_section(), "a");
    INFO(listing(document));
    REQUIRE(document.diagnostics.size() == 1);
    const Diagnostic& note = document.diagnostics[0];
    CHECK(note.kind == "HiddenByComment");
    CHECK(note.severity == Severity::kNote);
    CHECK(note.line == 48);
    CHECK(note.column == 1);
    CHECK(note.message == "a comment hides this: lines 47 to 52 are not read");
    REQUIRE(document.kernels.size() == 2);
    CHECK(document.kernels[1].kernel == "cast_b");
    CHECK(document.kernels[0].claim(ClaimKind::kNan) == nullptr);
  }
  // A block alone, which would be the section's second.
  const Document block = parse_document(before + "<!--\n  " + kHiddenBlock + "-->\n", "a");
  INFO(listing(block));
  REQUIRE(block.diagnostics.size() == 1);
  CHECK(block.diagnostics[0].line == 48);
  CHECK(block.diagnostics[0].column == 3);
  CHECK(block.kernels.size() == 1);
}

TEST_CASE("what is no comment of its own hides nothing") {
  for (const std::string text :
       {"    <!--\n", "\t<!--\n", "Text <!--\n", "```\n<!--\n```\n", "<!-- of one line -->\n",
        "<!-- of\ntwo -->\n", "<!-->\n", "<! --\n", "<!--\n```cpp\n# a\n-->\n"}) {
    INFO(text);
    const Document document = parse_document(std::string(kSample) + text + second_section(), "a");
    INFO(listing(document));
    CHECK(document.diagnostics.empty());
    CHECK(document.kernels.size() == 2);
  }
}

TEST_CASE("a comment that never ends is a fault where it takes kernels along") {
  const Document document =
      parse_document(std::string(kSample) + "<!-- a\n" + second_section() + "<!-- b\n## c\n", "a");
  INFO(listing(document));
  const auto errors = errors_of(document);
  REQUIRE(errors.size() == 2);  // the second is the section without a block
  CHECK(errors[0].kind == "HiddenByComment");
  CHECK(errors[0].line == 47);
  CHECK(errors[0].column == 1);
  CHECK(errors[0].message == "a comment that is not closed hides line 48 and all behind it");
  CHECK(errors[1].kind == "MissingFkcBlock");
  CHECK(document.kernels.size() == 2);
  const Document prose = parse_document(std::string(kSample) + "<!--\nNaN preserved.\n", "a");
  CHECK(prose.diagnostics.empty());
  CHECK(prose.kernels.at(0).claim(ClaimKind::kNan) == nullptr);
}

TEST_CASE("what stands in a comment leads to nothing behind it") {
  const auto claims = [](const std::string& text) {
    const Document document = parse_document(sample_with("A blurb.", text), "a");
    REQUIRE(document.kernels.size() == 1);
    return document.kernels[0].claim(ClaimKind::kNan) != nullptr;
  };
  CHECK(claims("<!--\n### Not promised\n-->\n\nNaN preserved."));
  CHECK_FALSE(claims("### Not promised\n\n<!--\n### Numerics\n-->\n\nNaN preserved."));
  CHECK_FALSE(claims("Speed.\n<!--\nNaN preserved.\n-->"));
  // Within a line it hides as well, and no block can stand there.
  CHECK_FALSE(claims("Speed <!-- is\nall. NaN preserved. -->"));
}

}  // namespace
}  // namespace assay::fkc
