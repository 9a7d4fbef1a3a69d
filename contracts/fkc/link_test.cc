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

TEST_CASE("a symbol of a kernel of several dtypes is another kernel's entry point") {
  const auto duplicates = [](const std::string& text) {
    const Document document = parse_document(text, "a");
    INFO(listing(document));
    std::vector<Diagnostic> found;
    for (const Diagnostic& diagnostic : document.diagnostics) {
      if (diagnostic.kind == "DuplicateEntryPoint") found.push_back(diagnostic);
    }
    return found;
  };
  const std::string fans = sample_with("[F32]", "[F32, F64]");
  auto found = duplicates(fans + replaced(second_section(), "lib::cast_b", "lib::cast_a_f64"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].line == 53);
  CHECK(found[0].column == 14);
  CHECK(found[0].message == "kernel `cast_a` has the symbol `lib::cast_a_f64` too");
  // In either order, and of other sources not at all.
  const std::string single = sample_with("lib::cast_a", "lib::cast_b_f64");
  const std::string later = replaced(second_section(), "[F32]", "[F32, F64]");
  CHECK(duplicates(single + later).size() == 1);
  CHECK(duplicates(single + replaced(later, "op_kind", "kernel_source: other\nop_kind")).empty());
  // An entry point that stands for symbols is none itself.
  CHECK(duplicates(replaced(single, "[F32]", "[F32, F64]") + later).empty());
  CHECK(duplicates(sample_with("[F32]", "[F32, F32]")).empty());
}

TEST_CASE("a kernel with other faults has its entry point looked up too") {
  const std::string nope = sample_with("lib::cast_a", "lib::nope");
  const auto kinds = [](const Document& document) {
    std::string text;
    for (const Diagnostic& error : errors_of(document)) text += error.kind + " ";
    return text;
  };
  const Document document = linked(replaced(nope, "max_ulp: 0", "max_ulp: -1"));
  CHECK(kinds(document) == "UnknownEntryPoint BadBound ");
  CHECK(document.kernels.empty());
  // Which symbols it has nobody knows while its dtypes cannot be read.
  CHECK(kinds(linked(replaced(nope, "[F32]", "[F32, FP64]"))) == "FdxTokenNotInTable ");
  CHECK(kinds(linked(replaced(nope, "      dtypes: [F32]\n", ""))) == "BadScalarType ");
  // One that is used twice is told of whatever else is wrong.
  const Document twice =
      parse_document(replaced(std::string(kSample), "max_ulp: 0", "max_ulp: -1") +
                         replaced(second_section(), "lib::cast_b", "lib::cast_a"),
                     "a");
  INFO(listing(twice));
  CHECK(twice.diagnostics.back().kind == "DuplicateEntryPoint");
}

TEST_CASE("kernels of several documents of one provider have names and symbols of their own") {
  std::vector<Document> documents = {
      parse_document(sample_with("[F32]", "[F32, F64]"), "a.fkc.md"),
      parse_document(sample_with("lib::cast_a", "lib::other"), "b.fkc.md"),
      parse_document(replaced(sample_with("lib::cast_a", "lib::cast_a_f64"), "kernel: cast_a",
                              "kernel: cast_c"),
                     "c.fkc.md"),
      parse_document(replaced(sample_with("lib::cast_a", "lib::cast_a_f64"), "kernel: cast_a",
                              "kernel: cast_d\nkernel_source: other"),
                     "d.fkc.md")};
  check_one_provider(documents);
  CHECK(documents[0].diagnostics.empty());
  REQUIRE(documents[1].diagnostics.size() == 1);
  const Diagnostic& name = documents[1].diagnostics[0];
  CHECK(name.kind == "DuplicateKernel");
  CHECK(name.severity == Severity::kError);
  CHECK(name.line == 11);
  CHECK(name.column == 1);
  CHECK(name.message == "kernel `cast_a` is given in a.fkc.md too");
  CHECK(name.excerpt.text == "## cast_a (first)");
  REQUIRE(documents[2].diagnostics.size() == 1);
  CHECK(documents[2].diagnostics[0].kind == "DuplicateEntryPoint");
  CHECK(documents[2].diagnostics[0].severity == Severity::kWarning);
  CHECK(documents[3].diagnostics.empty());
}

TEST_CASE("a fault between documents stands in the order of its file") {
  const std::string extra = "revision_base: \"r\"\n  extra: 1";
  std::vector<Document> documents = {
      parse_document(std::string(kSample), "a.fkc.md"),
      parse_document(replaced(sample_with("revision_base: \"r\"", extra), "in_place: false",
                              "in_place: false\n  extra: 1"),
                     "b.fkc.md")};
  check_one_provider(documents);
  std::vector<int> lines;
  for (const Diagnostic& diagnostic : documents[1].diagnostics) lines.push_back(diagnostic.line);
  CHECK(lines == std::vector<int>{8, 12, 12, 35});
}

TEST_CASE("a provider's field that is empty is not one that is absent") {
  std::vector<Document> documents = {
      parse_document(sample_with("revision_base: \"r\"", "revision_base: \"\""), "a.fkc.md"),
      parse_document(replaced(sample_with("  revision_base: \"r\"\n", ""), "kernel: cast_a",
                              "kernel: cast_c\nkernel_source: other"),
                     "b.fkc.md")};
  check_one_provider(documents);
  REQUIRE(documents[1].diagnostics.size() == 1);
  CHECK(documents[1].diagnostics[0].kind == "ProviderMismatch");
  CHECK(documents[1].diagnostics[0].line == 4);
  CHECK(documents[1].diagnostics[0].message ==
        "`provider.revision_base` is absent, in a.fkc.md it is \"\" (field=revision_base)");
}

TEST_CASE("of two kernels of one name the later is not read") {
  const Document document = parse_document(
      std::string(kSample) + replaced(second_section(), "kernel: cast_b", "kernel: cast_a"), "a");
  INFO(listing(document));
  REQUIRE(errors_of(document).size() == 1);
  CHECK(errors_of(document)[0].kind == "DuplicateKernel");
  REQUIRE(document.kernels.size() == 1);
  CHECK(document.kernels[0].line == 11);
}

TEST_CASE("one function may give results of two dtypes") {
  const std::string alias = replaced(second_section(), "lib::cast_b", "lib::alias");
  const std::string other = replaced(alias, "fixed(F16)", "fixed(BF16)");
  CHECK(errors_of(linked(std::string(kSample) + other)).empty());
}

TEST_CASE("an entry point that is used twice is no alias of itself") {
  const Document document =
      linked(std::string(kSample) + replaced(second_section(), "lib::cast_b", "lib::cast_a"));
  REQUIRE(document.diagnostics.size() == 1);
  CHECK(document.diagnostics[0].kind == "DuplicateEntryPoint");
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

TEST_CASE("entry points of two sources are two") {
  const std::string same = replaced(second_section(), "lib::cast_b", "lib::cast_a");
  const std::string other = replaced(same, "op_kind", "kernel_source: other\nop_kind");
  CHECK(parse_document(std::string(kSample) + other, "a").diagnostics.empty());
}

TEST_CASE("one function may serve two backends") {
  const std::string alias = replaced(second_section(), "lib::cast_b", "lib::alias");
  const std::string other = replaced(alias, "op_kind", "backend: Cuda\nop_kind");
  const Document document = linked(std::string(kSample) + other);
  INFO(listing(document));
  CHECK(errors_of(document).empty());
  CHECK(document.kernels.size() == 2);
}

TEST_CASE("a kernel several of whose symbols are taken is reported once") {
  const auto named = [](const std::string& kernel, const std::string& entry_point) {
    const std::string section = replaced(second_section(), "kernel: cast_b", "kernel: " + kernel);
    return replaced(section, "lib::cast_b", "lib::" + entry_point);
  };
  const Document document =
      parse_document(sample_with("lib::cast_a", "lib::cast_f32") + named("cast_b", "cast_f64") +
                         replaced(named("cast_c", "cast"), "[F32]", "[F32, F64]"),
                     "a");
  INFO(listing(document));
  REQUIRE(document.diagnostics.size() == 1);
  CHECK(document.diagnostics[0].kind == "DuplicateEntryPoint");
}

TEST_CASE("between documents only what is registered there collides, and only with others") {
  const std::string renamed = sample_with("kernel: cast_a", "kernel: cast_c");
  std::vector<Document> documents = {
      parse_document(
          std::string(kSample) + replaced(second_section(), "lib::cast_b", "lib::cast_a"),
          "a.fkc.md"),
      parse_document(replaced(renamed, "op_kind: Cast", "op_kind: Cast\nregistrable: false"),
                     "b.fkc.md")};
  check_one_provider(documents);
  INFO(listing(documents[0]) << listing(documents[1]));
  CHECK(documents[0].diagnostics.size() == 1);  // told when the document was read
  CHECK(documents[1].diagnostics.empty());
}

TEST_CASE("a document whose provider cannot be read disagrees with none") {
  std::vector<Document> documents = {
      parse_document(sample_with("provider:\n", "provider: [\n"), "a.fkc.md"),
      parse_document(std::string(kSample), "b.fkc.md")};
  const std::size_t told = documents[0].diagnostics.size();
  check_one_provider(documents);
  INFO(listing(documents[0]) << listing(documents[1]));
  CHECK(documents[0].diagnostics.size() == told);
  CHECK(documents[1].diagnostics.empty());
}

TEST_CASE("under a front matter with refused words no kernel is read") {
  for (const char* name : {"name: &a p", "name: p\n  name: q"}) {
    const Document document = parse_document(sample_with("name: p", name), "a");
    INFO(name << "\n" << listing(document));
    CHECK(errors_of(document).size() == 1);
    CHECK(document.kernels.empty());
  }
}

}  // namespace
}  // namespace assay::fkc
