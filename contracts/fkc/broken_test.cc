// Every kind of fault, shown by a document of its own in contracts/broken.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "contracts/fkc/document.h"
#include "contracts/fkc/kind.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::kSample;
using testing::listing;

const std::string kBroken = ASSAY_SOURCE_DIR "/contracts/broken/";

enum class Expected { kAbsent, kNoted, kWarned, kRefused };
using enum Expected;

struct Row {
  std::string_view kind;
  int line;
  int column;
  Expected usual;
  Expected strict;
};

constexpr Row kRows[] = {
    {"AliasDisallowed", 23, 13, kRefused, kRefused},
    {"AliasingIncoherent", 30, 17, kRefused, kRefused},
    {"AmbiguousConstraint", 28, 25, kNoted, kNoted},
    {"AnchorDisallowed", 23, 13, kRefused, kRefused},
    {"AuditContradiction", 41, 13, kRefused, kRefused},
    {"AuditDomain", 40, 18, kRefused, kRefused},
    {"AwkwardStrategyIncoherent", 22, 15, kRefused, kRefused},
    {"BadBound", 37, 12, kRefused, kRefused},
    {"BadLayoutFlag", 22, 29, kRefused, kRefused},
    {"BadOpParamsVariant", 24, 25, kRefused, kRefused},
    {"BadScalarType", 25, 13, kRefused, kRefused},
    {"BlurbMismatch", 16, 8, kAbsent, kRefused},
    {"BundleArityMismatch", 26, 5, kWarned, kRefused},
    {"BundleSlotRankExceeded", 28, 14, kRefused, kRefused},
    {"ContradictsItself", 48, 16, kNoted, kNoted},
    {"CostExprParse", 34, 10, kRefused, kRefused},
    {"CostProvenanceMismatch", 35, 16, kRefused, kRefused},
    {"CostProvenanceMissing", 32, 3, kRefused, kRefused},
    {"DeterminismIncoherent", 38, 14, kRefused, kRefused},
    {"DuplicateEntryPoint", 48, 14, kWarned, kRefused},
    {"DuplicateKernel", 45, 9, kRefused, kRefused},
    {"DuplicateKernelRef", 49, 14, kRefused, kRefused},
    {"DuplicateKey", 38, 3, kRefused, kRefused},
    {"DuplicateRole", 24, 13, kRefused, kRefused},
    {"FanoutDtypeMismatch", 24, 7, kRefused, kRefused},
    {"FdxTokenNotInTable", 21, 16, kRefused, kRefused},
    {"GatherIncoherent", 25, 17, kRefused, kRefused},
    {"HeadingInBlock", 18, 1, kRefused, kRefused},
    {"HiddenByComment", 12, 1, kNoted, kNoted},
    {"IndentationLost", 18, 1, kWarned, kRefused},
    {"LayoutIncoherent", 22, 15, kRefused, kRefused},
    {"MalformedFrontMatter", 4, 3, kRefused, kRefused},
    {"MergeKeyDisallowed", 20, 7, kRefused, kRefused},
    {"MissingBlurb", 16, 8, kRefused, kRefused},
    {"MissingFkcBlock", 10, 1, kRefused, kRefused},
    {"MissingRequiredField", 14, 1, kRefused, kRefused},
    {"MultipleFkcBlocks", 10, 1, kRefused, kRefused},
    {"MxNotYetRegistrable", 24, 31, kWarned, kRefused},
    {"NoKernels", 1, 1, kWarned, kWarned},
    {"NorwayToken", 38, 14, kRefused, kRefused},
    {"NotAudited", 24, 12, kNoted, kNoted},
    {"OpTargetAmbiguous", 16, 11, kRefused, kRefused},
    {"OptionalOperandNotLast", 24, 7, kWarned, kRefused},
    {"OrphanFkcBlock", 10, 1, kRefused, kRefused},
    {"PassthroughNamesOptionalOperand", 28, 19, kRefused, kRefused},
    {"PlaceholderCost", 32, 3, kRefused, kRefused},
    {"PlaceholderPrecision", 36, 3, kRefused, kRefused},
    {"ProseDisagrees", 39, 11, kWarned, kWarned},
    {"ProseUnclear", 39, 11, kNoted, kNoted},
    {"ProviderMismatch", 7, 18, kRefused, kRefused},
    {"QuantIncoherent", 24, 55, kRefused, kRefused},
    {"ReturnAmbiguous", 32, 5, kRefused, kRefused},
    {"ScaleDoubleDeclared", 24, 75, kRefused, kRefused},
    {"ShapeRuleMismatch", 27, 19, kRefused, kRefused},
    {"SilentOnBiasOrder", 29, 13, kNoted, kNoted},
    {"SilentOnNanWindow", 41, 8, kNoted, kNoted},
    {"SilentOnZeroSign", 10, 1, kNoted, kNoted},
    {"TabIndentation", 19, 1, kRefused, kRefused},
    {"UnauditedPrecision", 37, 12, kNoted, kNoted},
    {"UncheckedConstraint", 24, 25, kWarned, kWarned},
    {"UnknownAdmissibilityEnum", 24, 30, kRefused, kRefused},
    {"UnknownAuditKey", 40, 3, kRefused, kRefused},
    {"UnknownAuditValue", 40, 13, kRefused, kRefused},
    {"UnknownBackend", 15, 10, kRefused, kRefused},
    {"UnknownCostClass", 33, 10, kWarned, kWarned},
    {"UnknownCostFn", 36, 12, kWarned, kRefused},
    {"UnknownCostSymbol", 34, 10, kWarned, kRefused},
    {"UnknownDeterminism", 38, 14, kRefused, kRefused},
    {"UnknownEntryPoint", 18, 14, kRefused, kRefused},
    {"UnknownFastPath", 26, 15, kWarned, kWarned},
    {"UnknownFusedOp", 15, 11, kRefused, kRefused},
    {"UnknownKey", 38, 3, kWarned, kWarned},
    {"UnknownOpKind", 15, 10, kRefused, kRefused},
    {"UnknownRole", 28, 19, kWarned, kWarned},
    {"UnknownRule", 30, 17, kRefused, kRefused},
    {"UnparseableShapeConstraint", 24, 25, kWarned, kRefused},
    {"UnsupportedDtype", 21, 16, kWarned, kWarned},
    {"UnsupportedVersion", 2, 14, kRefused, kRefused},
    {"UnterminatedFence", 13, 1, kRefused, kRefused},
    {"WeakConstraint", 28, 25, kNoted, kNoted},
    {"Yaml", 16, 8, kRefused, kRefused},
};

/// Kinds that no small document shows; each has a test of its own below.
const std::set<std::string_view> kWithoutDocument = {"Io", "TooManyFaults", "TooManySections"};

std::string path_of(const Row& row) {
  const std::string path = kBroken + std::string(row.kind);
  return std::filesystem::is_directory(path) ? path + "/b.fkc.md" : path + ".fkc.md";
}

Document read(const Row& row, bool strict) {
  const LinkRegistry registry{.name = "registry",
                              .operations = {"ReluElementwise"},
                              .entry_points = {{"lib::k", 1}, {"lib::alias", 1}},
                              .cost_functions = {"known"}};
  const ReadOptions options{.strict = strict, .registry = &registry};
  std::vector<Document> documents;
  if (row.kind == "ProviderMismatch") {
    documents.push_back(read_document(kBroken + "ProviderMismatch/a.fkc.md", options));
    REQUIRE(documents[0].diagnostics.empty());
  }
  documents.push_back(read_document(path_of(row), options));
  check_one_provider(documents);
  return documents.back();
}

/// The fault at its place, and no other but notes on the way to it.
void check(const Row& row, bool strict, Expected expected) {
  const Document document = read(row, strict);
  INFO(row.kind << (strict ? ", strict" : "") << "\n" << listing(document));
  if (expected == kAbsent) {
    CHECK(document.diagnostics.empty());
    return;
  }
  const Diagnostic* found = nullptr;
  for (const Diagnostic& diagnostic : document.diagnostics) {
    if (diagnostic.kind == row.kind) found = &diagnostic;
    const bool note_beside = diagnostic.severity == Severity::kNote && diagnostic.kind != row.kind;
    if (diagnostic.kind != row.kind && !note_beside) FAIL_CHECK("also " << diagnostic.kind);
  }
  REQUIRE(found != nullptr);
  CHECK(found->severity == (expected == kRefused  ? Severity::kError
                            : expected == kWarned ? Severity::kWarning
                                                  : Severity::kNote));
  CHECK(found->line == row.line);
  CHECK(found->column == row.column);
  CHECK(found->file == document.file);
  CHECK_FALSE(found->hint.empty());
  CHECK_FALSE(found->excerpt.text.empty());
  CHECK(errors_of(document).size() == (expected == kRefused ? 1 : 0));
}

TEST_CASE("each document in contracts/broken has the one fault that it is named after") {
  for (const Row& row : kRows) {
    check(row, false, row.usual);
    check(row, true, row.strict);
  }
}

TEST_CASE("the format's own kinds are among them") {
  // Section 5 of the format, in its order.
  constexpr std::string_view kOfTheFormat[] = {
      "UnsupportedVersion",
      "MalformedFrontMatter",
      "MissingFkcBlock",
      "MultipleFkcBlocks",
      "OrphanFkcBlock",
      "TabIndentation",
      "AnchorDisallowed",
      "AliasDisallowed",
      "MergeKeyDisallowed",
      "NorwayToken",
      "DuplicateKey",
      "Yaml",
      "BadScalarType",
      "ProviderMismatch",
      "Io",
      "IndentationLost",
      "OpTargetAmbiguous",
      "UnknownOpKind",
      "UnknownFusedOp",
      "UnknownBackend",
      "MissingBlurb",
      "MissingRequiredField",
      "BlurbMismatch",
      "UnknownEntryPoint",
      "UnknownCostFn",
      "DuplicateEntryPoint",
      "DuplicateKernelRef",
      "FdxTokenNotInTable",
      "FanoutDtypeMismatch",
      "OptionalOperandNotLast",
      "PassthroughNamesOptionalOperand",
      "BadLayoutFlag",
      "LayoutIncoherent",
      "AwkwardStrategyIncoherent",
      "QuantIncoherent",
      "ScaleDoubleDeclared",
      "MxNotYetRegistrable",
      "GatherIncoherent",
      "UnknownAdmissibilityEnum",
      "UnparseableShapeConstraint",
      "UnknownRole",
      "BadOpParamsVariant",
      "BundleSlotRankExceeded",
      "BundleArityMismatch",
      "ShapeRuleMismatch",
      "AliasingIncoherent",
      "CostProvenanceMissing",
      "PlaceholderCost",
      "CostExprParse",
      "CostProvenanceMismatch",
      "UnknownCostSymbol",
      "PlaceholderPrecision",
      "BadBound",
      "UnauditedPrecision",
      "UnknownDeterminism",
      "DeterminismIncoherent",
  };
  for (const std::string_view kind : kOfTheFormat) {
    INFO(kind);
    const bool known = std::any_of(kKinds.begin(), kKinds.end(),
                                   [&](const KindRow& row) { return row.name == kind; });
    CHECK(known);
  }
}

TEST_CASE("every kind of fault has its document, and every document its row") {
  std::map<std::string_view, int> rows;
  for (const Row& row : kRows) ++rows[row.kind];
  for (const KindRow& kind : kKinds) {
    INFO(kind.name);
    CHECK(rows[kind.name] == (kWithoutDocument.count(kind.name) > 0 ? 0 : 1));
    CHECK(kind.meaning.substr(kind.meaning.size() - 1) == ".");
  }
  CHECK(rows.size() == kKinds.size());
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kBroken)) {
    INFO(entry.path());
    std::string name = entry.path().filename();
    if (const auto end = name.find(".fkc.md"); end != std::string::npos) name.resize(end);
    CHECK(rows[name] == 1);
    ++entries;
  }
  CHECK(entries == std::size(kRows));
}

TEST_CASE("sections beyond the limit are not read, and that is said") {
  std::string good(kSample.substr(0, kSample.find("## cast_a")));
  const std::string section(kSample.substr(kSample.find("## cast_a")));
  for (std::size_t i = 0; i < kMaxSections + 1; ++i) {
    const std::string name = "cast_" + std::to_string(i);
    good += testing::replaced(testing::replaced(section, "kernel: cast_a", "kernel: " + name),
                              "lib::cast_a", name);
  }
  const auto section_lines = static_cast<int>(std::count(section.begin(), section.end(), '\n'));
  const Document document = parse_document(good, "a");
  const auto errors = errors_of(document);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "TooManySections");
  CHECK(errors[0].line == 11 + section_lines * static_cast<int>(kMaxSections));
  CHECK(errors[0].column == 1);
  CHECK(document.kernels.size() == kMaxSections);
}

}  // namespace
}  // namespace assay::fkc
