// The names of everything that can be wrong with a contract document.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace assay::fkc {

struct KindRow {
  std::string_view name;     ///< as the format spells it, where the format has a name for it
  std::string_view meaning;  ///< one sentence; without it a rule of a SARIF report is but a word
};

/// Every kind, in the order of their names. A diagnostic of another kind does not compile, and
/// each has a document in contracts/broken that shows it.
inline constexpr auto kKinds = std::to_array<KindRow>({
    {"AliasDisallowed", "A YAML alias (*name) stands where a value is due."},
    {"AliasingIncoherent", "`aliasing` and `caps.in_place` contradict each other."},
    {"AmbiguousConstraint", "A constraint does not say which dimension it is about."},
    {"AnchorDisallowed", "A YAML anchor (&name) is given to a value."},
    {"AuditContradiction",
     "Entries of `audit` contradict each other, the operands or the operation."},
    {"AuditDomain", "A domain of values is malformed, empty, or of a kernel with several inputs."},
    {"AwkwardStrategyIncoherent", "A layout does not fit the strategy for awkward layouts."},
    {"BadBound", "A precision bound is negative, infinite, no number, or a fraction of an ULP."},
    {"BadLayoutFlag", "A layout flag has a value that it cannot have."},
    {"BadOpParamsVariant", "The parameter record is none of those that the operation can have."},
    {"BadScalarType", "A value has another type than its field."},
    {"BlurbMismatch", "The blurb differs from the first line of the section's prose."},
    {"BundleArityMismatch", "A bundle has another number of slots than its operation returns."},
    {"BundleSlotRankExceeded", "A slot of a bundle has more than six dimensions."},
    {"ContradictsItself", "The contract says the same thing in two ways that differ."},
    {"CostExprParse", "A cost is no formula of the format's grammar."},
    {"CostProvenanceMismatch", "A cost that is said to be measured holds an authored constant."},
    {"CostProvenanceMissing", "A cost does not say where it comes from."},
    {"DeterminismIncoherent", "`determinism` and `precision` contradict each other."},
    {"DuplicateEntryPoint", "Two kernels of one source have the same entry point."},
    {"DuplicateKernel", "Two kernels of one document have the same name."},
    {"DuplicateKernelRef", "Two entry points are one function for the same operands."},
    {"DuplicateKey", "A mapping has the same key twice."},
    {"DuplicateRole", "Two inputs or two outputs of a kernel have the same name."},
    {"FanoutDtypeMismatch", "Operands that vary in their dtypes list different ones."},
    {"FdxTokenNotInTable", "A dtype or a word of `fdx.quant` is none of the format's."},
    {"GatherIncoherent", "A gather lacks a flag or an operand that it depends on."},
    {"HeadingInBlock", "A \"## \" line inside a fence: some importers split the section there."},
    {"HiddenByComment", "An HTML comment hides a kernel's heading or its block."},
    {"IndentationLost", "The block has the right keys and no indentation."},
    {"Io", "The document cannot be read, or is longer than the limit."},
    {"LayoutIncoherent", "A layout's flags contradict each other, or accept nothing."},
    {"MalformedFrontMatter", "The front matter does not open or close, or lacks a field."},
    {"MergeKeyDisallowed", "A YAML merge key (<<) stands among the fields."},
    {"MissingBlurb", "The kernel has no blurb of one line."},
    {"MissingFkcBlock", "A section has no fkc block."},
    {"MissingRequiredField", "A field that the contract has to state is absent."},
    {"MultipleFkcBlocks", "A section has more than one fkc block."},
    {"MxNotYetRegistrable", "A registrable kernel takes a quantization family that none can."},
    {"NoKernels", "The document has no section, hence no kernel."},
    {"NorwayToken", "An unquoted word is a boolean to some YAML readers."},
    {"NotAudited", "A part of the contract is read, but kept out of the audit."},
    {"OpTargetAmbiguous", "Not exactly one of `op_kind` and `fused_op` is given."},
    {"OptionalOperandNotLast", "An optional input is followed by another input."},
    {"OrphanFkcBlock", "An fkc block stands before the first heading."},
    {"PassthroughNamesOptionalOperand",
     "An output's dtype comes from an input that may be absent."},
    {"PlaceholderCost", "A declared cost declares nothing."},
    {"PlaceholderPrecision", "`precision` declares nothing."},
    {"ProseDisagrees", "A sentence promises something else than a field or another sentence."},
    {"ProseUnclear", "A sentence has the words of a promise and more than is understood."},
    {"ProviderMismatch", "Documents of one provider disagree about it."},
    {"QuantIncoherent", "The fields of a quantization do not fit together."},
    {"ReturnAmbiguous", "Both `outputs` and `bundle` are given."},
    {"ScaleDoubleDeclared", "A quantization's scale is named twice, or names no input."},
    {"ShapeRuleMismatch", "A return rule differs from what the operation returns."},
    {"SilentOnBiasOrder", "The contract does not say where in a sum the bias is added."},
    {"SilentOnNanWindow", "The contract does not say what a window of NaNs gives."},
    {"SilentOnZeroSign", "The contract does not say which sign a zero result has."},
    {"TabIndentation", "A tab stands in the indentation."},
    {"TooManyFaults", "There are more faults than are shown."},
    {"TooManySections", "The document has more sections than are read."},
    {"UnauditedPrecision", "The author declares no audited bound."},
    {"UncheckedConstraint", "A constraint in free words is kept, and not checked."},
    {"UnknownAdmissibilityEnum", "A word that decides about admission is none of the format's."},
    {"UnknownAuditKey", "`audit` has an entry that assay does not know."},
    {"UnknownAuditValue", "An entry of `audit` has a value that assay does not know."},
    {"UnknownBackend", "The backend is none of Cpu, Cuda, Vulkan and Metal."},
    {"UnknownCostClass", "The cost class is none of the format's."},
    {"UnknownCostFn", "The cost function is none that the link registry has."},
    {"UnknownCostSymbol", "A cost formula has a name outside its scope."},
    {"UnknownDeterminism", "`determinism` is none of the format's three words."},
    {"UnknownEntryPoint", "The entry point is none that the link registry has."},
    {"UnknownFastPath", "The condition of a fast path is none of the format's."},
    {"UnknownFusedOp", "The fused operation is none of the format's."},
    {"UnknownKey", "A key that the format does not know; it is ignored."},
    {"UnknownOpKind", "The operation is none of the format's."},
    {"UnknownRole", "A rule names something that is no operand of the kernel."},
    {"UnknownRule", "A rule is none of the format's."},
    {"UnparseableShapeConstraint", "A constraint begins like one of the format's, and is none."},
    {"UnsupportedDtype", "A dtype of the format that this version cannot audit."},
    {"UnsupportedVersion", "The document is of a newer format version."},
    {"UnterminatedFence", "A fence is not closed."},
    {"WeakConstraint", "The constraints admit shapes that the operation cannot work on."},
    {"Yaml", "The block is no YAML, or uses what contracts may not."},
});

static_assert(std::is_sorted(kKinds.begin(), kKinds.end(),
                             [](const KindRow& a, const KindRow& b) { return a.name < b.name; }));

/// A kind, written as its name. A name that is not in the table does not compile.
class FaultKind {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a kind.
  consteval FaultKind(const char* name) : row_(&kKinds.at(index_of(name))) {}
  constexpr std::string_view name() const { return row_->name; }

 private:
  static consteval std::size_t index_of(std::string_view name) {
    std::size_t index = 0;
    while (kKinds.at(index).name != name) ++index;
    return index;
  }

  const KindRow* row_;
};

}  // namespace assay::fkc
