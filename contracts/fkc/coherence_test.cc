// What involves several fields, and how strict readers differ from others.
#include <array>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::kSample;
using testing::listing;
using testing::Marked;
using testing::marked;
using testing::replaced;

struct Row {
  std::string from;
  std::string to;
  std::string_view kind;
};

/// Against the letter of the specification, and harmless: a warning, or an error where strict.
const Row kDeviations[] = {
    {"in_place: false", "in_place: false\n  awkward_layout_strategy: @@strided",
     "AwkwardStrategyIncoherent"},
    {"strided: rejected }", "strided: rejected, awkward_layout_strategy: @@strided }",
     "AwkwardStrategyIncoherent"},
    {"hardware: true\n  max_ulp: 0\n  audited: true\ndeterminism: s",
     "hardware: false\n  audited: true\ndeterminism: @@s", "DeterminismIncoherent"},
    {"hardware: true\n  max_ulp: 0\n  audited: true\ndeterminism: same_hardware_bitwise",
     "hardware: false\n  max_ulp: 0\ndeterminism: @@nondeterministic", "DeterminismIncoherent"},
    {"[F32]", "[@@F8E6M2]", "FdxTokenNotInTable"},
    {"\"n * (4 + 2)\"", "@@\"n * q * q\"", "UnknownCostSymbol"},
    {"\"n * (4 + 2)\"", "@@\"ghost.dim[0]\"", "UnknownCostSymbol"},
    {"\"n * (4 + 2)\"", "\"n\"\n  memory: { host_bytes: @@\"q\" }", "UnknownCostSymbol"},
    {"rank: any", "rank: any\n      shape_constraint: @@\"divisible(src.dim[0], 2) roughly\"",
     "UnparseableShapeConstraint"},
};

TEST_CASE("what breaks the letter alone is an error for strict readers, a warning for others") {
  for (const Row& row : kDeviations) {
    const Marked document = marked(replaced(std::string(kSample), row.from, row.to));
    for (const bool strict : {false, true}) {
      // The sample's blurb is not its first line of prose, which strict readers refuse.
      const std::string text = replaced(document.text, "A blurb.", "A cast.");
      const Document read = parse_document(text, "a", {.strict = strict});
      INFO(row.to << (strict ? " strict" : "") << "\n" << listing(read));
      std::size_t found = 0;
      for (const Diagnostic& diagnostic : read.diagnostics) {
        if (diagnostic.kind != row.kind) {
          CHECK(diagnostic.severity != Severity::kError);
          continue;
        }
        ++found;
        CHECK(diagnostic.severity == (strict ? Severity::kError : Severity::kWarning));
        CHECK(diagnostic.line == document.line);
        CHECK(diagnostic.column == document.column);
      }
      CHECK(found == 1);
      CHECK(read.kernels.size() == (strict ? 0 : 1));
    }
  }
}

/// Errors for every reader: they leave open what is promised.
const Row kContradictions[] = {
    {"hardware: true\n  max_ulp: 0\n  audited: true\ndeterminism: same_hardware_bitwise",
     "hardware: false\n  audited: true\ndeterminism: @@bitwise", "DeterminismIncoherent"},
    {"bytes_moved: \"n * (4 + 2)\"", "bytes_moved: @@\"40\"", "CostProvenanceMismatch"},
    {"provenance: judge_measured\n  class: cheap_elementwise\n  bytes_moved: \"n * (4 + 2)\"",
     "@@provenance: declared\n  class: reduction", "PlaceholderCost"},
    {"dtypes: [F32]", "dtypes: [F32, @@F32]", "BadScalarType"},
    {"layout: { contiguous: required, strided: rejected }",
     "layout: @@{ contiguous: required, strided: accepted, broadcast_stride0: required }",
     "LayoutIncoherent"},
    {"layout: { contiguous: required, strided: rejected }", "layout: @@{}", "LayoutIncoherent"},
    {"contiguous: required, strided: rejected }",
     "contiguous: accepted, strided: accepted, broadcast_stride0: required, broadcast_axes: [@@x] "
     "}",
     "BadScalarType"},
    {"in_place: false", "in_place: false\n  notes: @@[1]", "BadScalarType"},
};

TEST_CASE("what leaves open what is promised is an error") {
  for (const Row& row : kContradictions) {
    const Marked document = marked(replaced(std::string(kSample), row.from, row.to));
    const Document read = parse_document(document.text, "a");
    INFO(row.to << "\n" << listing(read));
    const auto errors = testing::errors_of(read);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == row.kind);
    CHECK(errors[0].line == document.line);
    CHECK(errors[0].column == document.column);
    CHECK(read.kernels.empty());
  }
}

TEST_CASE("free text among constraints is kept and named; known constraints are not") {
  const auto read = [](const std::string& constraint) {
    return parse_document(
        testing::sample_with("rank: any",
                             "rank: any\n      shape_constraint: \"" + constraint + "\""),
        "a");
  };
  CHECK(read("same_as=out; rank=2; dim[0]=k; divisible(src.dim[-1], 2)").diagnostics.empty());
  const Document document = read("same_as=ghost; roughly square; dim[0]=out");
  INFO(listing(document));
  REQUIRE(document.diagnostics.size() == 3);
  CHECK(document.diagnostics[0].kind == "UnknownRole");
  CHECK(document.diagnostics[1].kind == "UncheckedConstraint");
  CHECK(document.diagnostics[2].kind == "UnknownRole");
  CHECK(document.diagnostics[2].hint.find("out.dim[0]") != std::string::npos);
  CHECK(document.kernels[0].inputs[0].shape_constraint ==
        "same_as=ghost; roughly square; dim[0]=out");
}

TEST_CASE("what a constraint or a parameter names is known to formulas") {
  std::string text =
      testing::sample_with("rank: any", "rank: 1\n      shape_constraint: \"dim[0]=k\"");
  text = replaced(text, "{ variant: Cast }", "{ variant: Cast, fields: { m: { kind: usize } } }");
  text =
      replaced(text, "\"n * (4 + 2)\"", "\"k * m * n * dtype_bytes + prod(src.dim) + out.dim[0]\"");
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  CHECK(document.diagnostics.empty());
}

TEST_CASE("operations whose results are known are held against the return rules") {
  std::string softmax = testing::sample_with("op_kind: Cast", "op_kind: SoftmaxLastDim");
  softmax = replaced(softmax, "variant: Cast", "variant: SoftmaxLastDim");
  softmax = replaced(softmax, "fixed(F16)", "passthrough(src)");
  CHECK(parse_document(softmax, "a").diagnostics.empty());
  CHECK(
      parse_document(replaced(softmax, "passthrough(src)", "fixed(F32)"), "a").diagnostics.empty());
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"passthrough(src)", "@@fixed(F16)"}, {"same_as(src)", "@@extent(src, last)"}}) {
    const Marked document = marked(replaced(softmax, from, to));
    const Document read = parse_document(document.text, "a");
    INFO(to << "\n" << listing(read));
    REQUIRE(read.diagnostics.size() == 1);
    CHECK(read.diagnostics[0].kind == "ShapeRuleMismatch");
    CHECK(read.diagnostics[0].line == document.line);
    CHECK(read.diagnostics[0].column == document.column);
  }
}

TEST_CASE("strict readers compare the blurb with the first line of prose") {
  const std::string equal = testing::sample_with("A blurb.", "\n\n  A cast.  ");
  CHECK(parse_document(equal, "a", {.strict = true}).diagnostics.empty());
  const auto errors =
      testing::errors_of(parse_document(std::string(kSample), "a", {.strict = true}));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "BlurbMismatch");
  CHECK(errors[0].line == 16);
  CHECK(errors[0].column == 8);
  const std::string without = replaced(std::string(kSample), "A blurb.\n", "");
  CHECK(testing::errors_of(parse_document(without, "a", {.strict = true})).size() == 1);
}

TEST_CASE("roles of guarantees may be outputs; others are warned about") {
  for (const auto& [rule, warnings] : std::vector<std::pair<std::string, std::size_t>>{
           {"same_as(src)", 0}, {"same_as(out)", 0}, {"same_as(ghost)", 1}}) {
    const Document document =
        parse_document(testing::sample_with("guarantee: contiguous", "guarantee: " + rule), "a");
    INFO(rule << "\n" << listing(document));
    CHECK(document.diagnostics.size() == warnings);
    CHECK(document.kernels.size() == 1);
  }
}

std::vector<std::string> kinds_of_errors(const Document& document) {
  std::vector<std::string> kinds;
  for (const Diagnostic& error : testing::errors_of(document)) kinds.push_back(error.kind);
  return kinds;
}

TEST_CASE("no fault of one part hides those of the others") {
  std::string text = replaced(std::string(kSample), "op_kind: Cast", "op_kind: Cst");
  text = replaced(text, "contiguous: required, strided", "contiguous: accepted, strided");
  text = replaced(text, "hardware: true", "hardware: false");
  text = replaced(text, "determinism: same_hardware_bitwise", "determinism: bitwise");
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  CHECK(kinds_of_errors(document) == std::vector<std::string>{"UnknownOpKind",
                                                              "AwkwardStrategyIncoherent",
                                                              "DeterminismIncoherent"});
}

TEST_CASE("a part that cannot be read contradicts nothing") {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"in_place: false", "in_place: 1"},
           {"bit_stable_on_same_hardware: true\n  max_ulp: 0\n  audited: true",
            "bit_stable_on_same_hardware: 1"},
           {"aliasing: none", "aliasing: some"},
           {"rank: any", "rank: nope"}}) {
    const Document document = parse_document(replaced(std::string(kSample), from, to), "a");
    INFO(to << "\n" << listing(document));
    CHECK(kinds_of_errors(document).size() == 1);
  }
}

TEST_CASE("refused words and keys hide no other fault, and are no second one") {
  for (const auto& [from, to, kind] : std::vector<std::array<std::string, 3>>{
           {"determinism: same_hardware_bitwise", "determinism: no", "NorwayToken"},
           {"hardware: true", "hardware: yes", "NorwayToken"},
           {"in_place: false", "in_place: off", "NorwayToken"},
           {"  max_ulp: 0\n", "  max_ulp: 0\n  max_ulp: 1\n", "DuplicateKey"},
           {"max_ulp: 0", "max_ulp: &a 0", "AnchorDisallowed"},
           {"max_ulp: 0", "max_ulp: !!int 0", "Yaml"}}) {
    std::string text = replaced(std::string(kSample), from, to);
    text = replaced(text, "op_kind: Cast", "op_kind: Cst");
    text = replaced(text, "rank: any", "rank: nope");
    const Document document = parse_document(text, "a");
    INFO(to << "\n" << listing(document));
    CHECK(document.kernels.empty());
    CHECK(kinds_of_errors(document) ==
          std::vector<std::string>{"UnknownOpKind", "BadScalarType", kind});
  }
}

TEST_CASE("a faulty kernel keeps its name") {
  std::string text = replaced(std::string(kSample), "op_kind: Cast", "op_kind: Cst");
  text += replaced(testing::second_section(), "kernel: cast_b", "kernel: cast_a");
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  CHECK(kinds_of_errors(document) == std::vector<std::string>{"UnknownOpKind", "DuplicateKernel"});
}

}  // namespace
}  // namespace assay::fkc
