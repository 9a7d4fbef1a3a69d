// Entry points against a link registry.
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::kSample;
using testing::listing;
using testing::replaced;
using testing::sample_with;
using testing::second_section;

const LinkRegistry kRegistry{
    .name = "lib::TABLE",
    .operations = {"Cast"},
    .entry_points = {{"lib::cast_a", 1}, {"lib::cast_b", 2}, {"lib::alias", 1}},
    .cost_functions = {"lib::cost"}};

/// The document under the registry that its front matter names.
Document linked(const std::string& text, const std::string& registry = "lib::TABLE") {
  return parse_document(
      replaced(text, "revision_base: \"r\"", "revision_base: \"r\"\n  link_registry: " + registry),
      "a", {.registry = &kRegistry});
}

TEST_CASE("entry points that the registry has are no fault") {
  const Document document = linked(std::string(kSample) + second_section());
  INFO(listing(document));
  CHECK(document.diagnostics.empty());
  CHECK(document.kernels.size() == 2);
}

TEST_CASE("an entry point that the registry lacks is reported where it stands") {
  const Document document = linked(sample_with("lib::cast_a", "lib::nope") + second_section());
  const auto errors = errors_of(document);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "UnknownEntryPoint");
  CHECK(errors[0].line == 18);
  CHECK(errors[0].column == 14);
  CHECK(document.kernels.size() == 1);
}

TEST_CASE("a kernel of several dtypes needs every one of its symbols") {
  const auto errors = errors_of(linked(sample_with("[F32]", "[F32, F64]")));
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].message.find("lib::cast_a_f32") != std::string::npos);
  CHECK(errors[1].message.find("lib::cast_a_f64") != std::string::npos);
  // With and without its optional operand it is one symbol.
  const std::string text =
      replaced(sample_with("lib::cast_a", "lib::nope"), "      rank: any\n",
               "      rank: any\n    - { name: o, dtypes: [F32], optional: true }\n");
  CHECK(errors_of(linked(text)).size() == 1);
}

TEST_CASE("the registry says nothing about others' documents, operations and descriptions") {
  const std::string text = sample_with("lib::cast_a", "lib::nope");
  CHECK(linked(text, "other::TABLE").diagnostics.empty());
  CHECK(parse_document(text, "a", {.registry = &kRegistry}).diagnostics.empty());
  CHECK(linked(replaced(text, "op_kind: Cast", "op_kind: Cast\nregistrable: false"))
            .diagnostics.empty());
  std::string pad = replaced(text, "op_kind: Cast", "op_kind: Pad");
  CHECK(linked(replaced(pad, "variant: Cast", "variant: Pad")).diagnostics.empty());
}

TEST_CASE("two names of one function are two kernels only for different operands") {
  const std::string alias = replaced(second_section(), "lib::cast_b", "lib::alias");
  const auto errors = errors_of(linked(std::string(kSample) + alias));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "DuplicateKernelRef");
  CHECK(errors[0].line == 54);
  CHECK(errors[0].column == 14);
  const std::string other = replaced(alias, "dtypes: [F32]", "dtypes: [F64]");
  CHECK(errors_of(linked(std::string(kSample) + other)).empty());
}

TEST_CASE("a cost function that nobody links breaks the letter alone") {
  const auto with = [](std::string_view name) {
    return linked(
        sample_with("  class: cheap", "  cost_fn: " + std::string(name) + "\n  class: cheap"));
  };
  CHECK(with("lib::cost").diagnostics.empty());
  const Document document = with("lib::nope");
  REQUIRE(document.diagnostics.size() == 1);
  CHECK(document.diagnostics[0].kind == "UnknownCostFn");
  CHECK(document.diagnostics[0].severity == Severity::kWarning);
  CHECK(document.diagnostics[0].line == 38);
  CHECK(document.kernels.size() == 1);
}

}  // namespace
}  // namespace assay::fkc
