// Readers of the parts of a contract, from tree to values. Each reports what is wrong and goes on;
// what it could not read keeps its default. Callers look at `Reporter::errors()`.
#pragma once

#include <optional>
#include <string>

#include "contracts/fkc/document.h"
#include "contracts/fkc/map_reader.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"

namespace assay::fkc {

/// Far above any kernel, far below what would make checks of pairs slow.
inline constexpr std::size_t kMaxOperands = 256;

/// Format version 1 and the provider, or nothing after an error. Reports UnsupportedVersion,
/// MalformedFrontMatter (a field is missing), UnknownBackend, BadScalarType and UnknownKey.
std::optional<Provider> read_front_matter(const Node& root, Reporter& reporter);

/// Which parts of a block were read without a fault, or are left out and may be.
struct ReadParts {
  bool caps = false;
  bool accept = false;
  bool returns = false;
  bool precision = false;
};

/// One section's block without its claims. `provider` supplies what the block inherits; `readable`
/// is filled. Reports MissingRequiredField, MissingBlurb, OpTargetAmbiguous, UnknownOpKind,
/// UnknownFusedOp, UnknownBackend, UnknownDeterminism, BadScalarType, UnknownKey, and what the
/// readers of its parts and `check_coherence` do.
KernelContract read_kernel(const Node& root, const Section& section, const Provider& provider,
                           ReadParts& readable, Reporter& reporter);

/// `accept`: operands and parameters. `contract.op_kind` and `.fused_op` decide the namespace of
/// the parameters. Reports MissingRequiredField, BadScalarType, FdxTokenNotInTable,
/// UnsupportedDtype, BadLayoutFlag, LayoutIncoherent, UnknownAdmissibilityEnum, BadOpParamsVariant,
/// FanoutDtypeMismatch, OptionalOperandNotLast, DuplicateRole, UnknownKey, and what
/// `read_strategy`, `read_fdx` and `check_fdx` do.
void read_accept(const Node& accept, KernelContract& contract, Reporter& reporter);

/// A word that should be a dtype: reports FdxTokenNotInTable for unknown ones and UnsupportedDtype
/// for those that this program cannot audit. False for unknown ones.
bool check_dtype_token(const std::string& token, Place place, const std::string& path,
                       Reporter& reporter);

/// `awkward_layout_strategy` of `caps` or of a layout. One that the format does not know is
/// reported (AwkwardStrategyIncoherent, a deviation) and kept: it says nothing about what a kernel
/// promises. Nothing where the field is absent.
std::optional<Located<std::string>> read_strategy(MapReader& fields);

/// `fdx` of an operand at `path`, as far as it can be checked without the others. Notes that it is
/// NotAudited; reports UnknownAdmissibilityEnum, FdxTokenNotInTable, QuantIncoherent,
/// MissingRequiredField, BadScalarType and UnknownKey.
Fdx read_fdx(const Node& node, const std::string& path, Reporter& reporter);

/// What the `fdx` (at `node`) of the contract's input number `input` needs from the other inputs:
/// GatherIncoherent, ScaleDoubleDeclared, MxNotYetRegistrable.
void check_fdx(const Node& node, std::size_t input, const KernelContract& contract,
               Reporter& reporter);

/// `return`: outputs or the slots of a bundle; reads `contract.inputs` to check roles. Reports
/// MissingRequiredField, ReturnAmbiguous, BundleSlotRankExceeded, DuplicateRole, UnknownRole,
/// UnknownRule, PassthroughNamesOptionalOperand, FdxTokenNotInTable, UnsupportedDtype,
/// BadScalarType, UnknownKey, and what `read_fdx` does.
void read_return(const Node& node, KernelContract& contract, Reporter& reporter);

/// `caps`. Reports UnknownFastPath, UnknownCostClass, BadScalarType, UnknownKey, and what
/// `read_strategy` does. `contract.alignment_bytes` is set where the field is good.
void read_caps(const Node& caps, KernelContract& contract, Reporter& reporter);

/// `cost`: formulas stay texts. Reports CostProvenanceMissing, CostProvenanceMismatch,
/// PlaceholderCost, CostExprParse, UnknownCostClass, BadScalarType and UnknownKey.
void read_cost(const Node& cost, KernelContract& contract, Reporter& reporter);

/// `precision`. Reports BadBound, PlaceholderPrecision, UnauditedPrecision, BadScalarType and
/// UnknownKey.
void read_precision(const Node& precision, KernelContract& contract, Reporter& reporter);

/// What the formulas and constraints name: costs their scope (UnknownCostSymbol),
/// `shape_constraint` its grammar (UnparseableShapeConstraint, UncheckedConstraint) and the
/// operands (UnknownRole).
void check_names(const Node& root, const KernelContract& contract, Reporter& reporter);

/// What is known about the results of a few operations, against `return`: ShapeRuleMismatch,
/// BundleArityMismatch.
void check_operation(const Node& root, const KernelContract& contract, Reporter& reporter);

/// What the contract leaves open or says in two ways, as notes: constraints that are weaker than
/// the operation (WeakConstraint) or do not say which dimension they mean (AmbiguousConstraint),
/// contradictions (ContradictsItself), and silence on where a bias is added, on the sign of zeros,
/// on windows of NaNs (SilentOn...). `contract` has its claims.
void note_operation(const Node& root, const Lines& lines, const Section& section,
                    const KernelContract& contract, Reporter& reporter);

/// What involves several parts, as far as they could be read: determinism against precision
/// (DeterminismIncoherent), layouts and aliasing against caps (AwkwardStrategyIncoherent,
/// AliasingIncoherent), and what `check_names` and `check_operation` look at.
void check_coherence(const Node& root, const KernelContract& contract, const ReadParts& readable,
                     Reporter& reporter);

}  // namespace assay::fkc
