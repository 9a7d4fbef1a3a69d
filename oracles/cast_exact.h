// The exact answer of a dtype cast, by MPFR. The authority: slow, one element at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "contracts/claim.h"
#include "contracts/dtype.h"

namespace assay::oracle {

/// A cast as the oracles know it: `kExact` for a destination that holds every source value,
/// `kNearestEven` for floating destinations, `kTowardZero` for integer ones.
struct CastOperation {
  Dtype from = Dtype::kF32;
  Dtype to = Dtype::kF16;
  Rounding rounding = Rounding::kNearestEven;

  bool operator==(const CastOperation&) const = default;
};

/// The natural rounding of a cast between two formats: exact where every value fits, toward zero
/// for integer destinations, else to nearest even.
Rounding natural_rounding(Dtype from, Dtype to);

/// Exact casts by MPFR.
class ExactCast {
 public:
  /// `operation.from` is any format; `operation.to` is a floating format or U32.
  explicit ExactCast(CastOperation operation);
  ExactCast(ExactCast&&) noexcept;
  ~ExactCast();

  /// The bits of the correctly rounded result.
  ///
  /// Where no number is the answer the bits are a convention, so that results have one canonical
  /// form to be compared with first; judges treat such elements by class. NaN to floating: sign
  /// kept, quiet bit set, payload aligned at its top. NaN to integer: 0. A value outside an integer
  /// destination's range: the nearest end of the range.
  Bits operator()(Bits input);

  /// |got - y| / ulp(y) with y the exact value of `input`, rounded to double. Neither may be a NaN,
  /// and y must be finite. Infinite when `got` is.
  double ulp_error(Bits input, Bits got);
  /// |got - y| / |y|; 0 when both are zero, infinite when only y is.
  double relative_error(Bits input, Bits got);
  /// |got - y|.
  double absolute_error(Bits input, Bits got);

  /// True when the exact value of `input` is representable in the destination.
  bool representable(Bits input);

 private:
  struct Scratch;
  CastOperation operation_;
  std::unique_ptr<Scratch> scratch_;
};

/// The value of `bits`: shortest decimal that reads back to the same bits, and a hex float, as
/// "0.1 (0x1.99999ap-4)"; "nan (quiet, payload 0x1)", "-inf", "0" and "-0" alike; a plain decimal
/// for integers.
std::string value_text(Bits bits, Dtype dtype);

/// A number's text of a contract ("-1", "4294967295", "2^24", "2^-14") against the value of `bits`:
/// negative, zero or positive as bits < text, bits = text, bits > text. `bits` must not be a NaN;
/// `text` must have the form that the contract reader admits.
int compare_with_text(Bits bits, Dtype dtype, const std::string& text);

}  // namespace assay::oracle
