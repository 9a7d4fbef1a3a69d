// Claims: the checkable promises of a contract. One row per kind of claim; the row's id is what
// contracts, reports and tests call it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay {

enum class ClaimKind : std::uint8_t {
  kMaxUlp,
  kMaxRelative,
  kMaxAbsolute,
  kRounding,
  kOverflow,
  kNan,
  kInfinity,
  kSignedZero,
  kSubnormals,
  kDomainExact,
  kBitStable,
  kBitwise,
  kAccumulator,
  kErrorBound,
  kPaddingSkipped,
  kSelectionExact,
  kDtypeRule,
  kShapeRule,
  kLayoutGuarantee,
  kAliasing,
  kInBounds,
  kInputsUnmodified,
  kOutputFullyWritten,
  kFpEnvironmentKept,
  kResourcesKept,
  kAcceptLayout,
  kAcceptDtype,
  kAcceptRank,
  kAcceptGeometry,
};

/// A kind of claim as people read it.
struct ClaimRow {
  ClaimKind kind;
  std::string_view id;         ///< "precision.max_ulp"
  std::string_view statement;  ///< the promise in one sentence, without the declared value
};

inline constexpr std::array<ClaimRow, 29> kClaims = {{
    {ClaimKind::kMaxUlp, "precision.max_ulp",
     "the result is at most this many steps of the output format from the correctly rounded one"},
    {ClaimKind::kMaxRelative, "precision.max_relative",
     "the error over the exact result's magnitude, or the least normal number where that is more, "
     "is "
     "at most this"},
    {ClaimKind::kMaxAbsolute, "precision.max_absolute",
     "the absolute error against the exact result is at most this"},
    {ClaimKind::kRounding, "rounding", "the exact result is rounded this way, in one step"},
    {ClaimKind::kOverflow, "overflow",
     "what a result beyond the output format's finite range becomes"},
    {ClaimKind::kNan, "nan", "what a NaN input becomes"},
    {ClaimKind::kInfinity, "infinity", "an infinite input gives the infinity of the same sign"},
    {ClaimKind::kSignedZero, "signed_zero", "a zero result carries the sign of its input"},
    {ClaimKind::kSubnormals, "subnormals",
     "subnormal inputs and results are kept (gradual underflow), nothing is flushed"},
    {ClaimKind::kDomainExact, "domain_exact", "the result is exact on this part of the domain"},
    {ClaimKind::kBitStable, "bit_stable",
     "the same input gives the same bits whatever the run, buffer, length, lane, neighbours, "
     "thread, process, old output or register contents"},
    {ClaimKind::kBitwise, "bitwise", "every variant gives the same bits, NaNs included"},
    {ClaimKind::kAccumulator, "accumulator",
     "sums are formed in this order, and every operation is rounded to the operands' format"},
    {ClaimKind::kErrorBound, "error_bound",
     "the error of each sum is at most this a-priori bound for sums of its length"},
    {ClaimKind::kPaddingSkipped, "padding_skipped",
     "padded positions contribute nothing, whatever the weight they meet"},
    {ClaimKind::kSelectionExact, "selection_exact",
     "every result is one of the inputs that it is selected from"},
    {ClaimKind::kDtypeRule, "dtype_rule", "the output has the dtype of this rule"},
    {ClaimKind::kShapeRule, "shape_rule", "the output has the shape of this rule"},
    {ClaimKind::kLayoutGuarantee, "layout_guarantee", "the output has this layout"},
    {ClaimKind::kAliasing, "aliasing", "how the output shares memory with the inputs"},
    {ClaimKind::kInBounds, "in_bounds", "no byte outside the tensors is read or written"},
    {ClaimKind::kInputsUnmodified, "inputs_unmodified", "no input byte is changed"},
    {ClaimKind::kOutputFullyWritten, "output_fully_written",
     "every output byte is written, and its old contents are not read"},
    {ClaimKind::kFpEnvironmentKept, "fp_environment_kept",
     "rounding mode, flush-to-zero modes and exception masks are as before the call"},
    {ClaimKind::kResourcesKept, "resources_kept",
     "no thread and no file descriptor is left behind"},
    {ClaimKind::kAcceptLayout, "accept.layout",
     "the layouts that the contract rejects are refused, and no output byte is written"},
    {ClaimKind::kAcceptDtype, "accept.dtype",
     "dtypes that the contract does not list are refused, and no output byte is written"},
    {ClaimKind::kAcceptRank, "accept.rank",
     "ranks that the contract admits work; others are refused, and no output byte is written"},
    {ClaimKind::kAcceptGeometry, "accept.geometry",
     "extents and parameters that the contract rules out are refused, and no output byte is "
     "written"},
}};

constexpr const ClaimRow& row(ClaimKind kind) {
  return kClaims[static_cast<std::size_t>(kind)];
}

/// The kind whose id is `id`, or nothing.
std::optional<ClaimKind> claim_kind_from_id(std::string_view id);

/// `exact`: the result equals the exact value. The others are IEEE 754 rounding-direction
/// attributes roundTiesToEven and roundTowardZero.
enum class Rounding : std::uint8_t { kExact, kNearestEven, kTowardZero };

/// What becomes of a result outside the finite range. `kCallerError`: such inputs are outside the
/// contract; what happens is recorded and never judged.
enum class OverflowRule : std::uint8_t { kInfinity, kSaturate, kCallerError };

/// `kIgnored`: a selection passes over NaNs while there is a number to select.
enum class NanRule : std::uint8_t { kPreserved, kZero, kCallerError, kIgnored };

/// The order of a kernel's sums; each product and each sum is rounded to the operands' format.
/// `kNestedSum`: for each result, one running sum along the nested loops of the operation.
/// `kScatteredSum`: results start at zero, and each input in turn adds to the results it reaches.
enum class Accumulator : std::uint8_t { kNestedSum, kScatteredSum };

/// Where in such a sum the bias comes in. `kFirst`: the sum starts from the bias in place of +0.
/// `kLast`: the bias is added to the finished sum, with one more rounding.
enum class BiasOrder : std::uint8_t { kFirst, kLast };

/// An interval of input values: lower, upper or both bounds. Bounds are texts of non-negative or
/// negative decimal integers or powers of two ("-1", "4294967295", "2^24", "-2^-14"), kept as text
/// so that the oracle reads them exactly.
struct Interval {
  std::optional<std::string> lower;
  bool lower_inclusive = true;
  std::optional<std::string> upper;
  bool upper_inclusive = true;
};

/// Where a claim stands in its document.
enum class SourceKind : std::uint8_t { kStructured, kAuditEntry, kProse, kImplied };

struct Source {
  std::string file;
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1
  SourceKind kind = SourceKind::kStructured;
  std::string text;  ///< the words of the contract, or why the claim is implied
};

/// The declared value, typed by kind: a count of steps (`kMaxUlp`), a bound (`kMaxRelative`,
/// `kMaxAbsolute`), a rule, a part of the domain, or nothing where the kind alone says it all.
using ClaimValue = std::variant<std::monostate, std::uint64_t, double, Rounding, OverflowRule,
                                NanRule, Accumulator, Interval>;

struct Claim {
  ClaimKind kind = ClaimKind::kRounding;
  std::string declared;  ///< the value as the contract wrote it: "nearest_even"
  ClaimValue value;
  Source source;
};

std::string_view to_string(SourceKind kind);  ///< "structured", "audit", "prose", "implied"
std::string_view to_string(Rounding rounding);
std::string_view to_string(OverflowRule rule);
std::string_view to_string(NanRule rule);
std::string_view to_string(Accumulator accumulator);
std::string_view to_string(BiasOrder order);  ///< "first", "last"

}  // namespace assay
