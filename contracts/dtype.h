// Element formats: one row of traits per dtype. All that the project knows about a format is in
// this row; code elsewhere is written against the traits and never switches on a dtype.
//
// A value is carried between folders as its bit pattern (`Bits`), right-aligned in 64 bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace assay {

/// A bit pattern of any format, right-aligned; the bits above the format's width are zero.
using Bits = std::uint64_t;

enum class Dtype : std::uint8_t { kF64, kF32, kF16, kBF16, kU8, kI8, kI16, kU32, kI32, kI64 };

enum class NumberKind : std::uint8_t { kFloating, kUnsigned, kSigned };

/// One format. For `kFloating` the layout is IEEE 754-2019 section 3.4 (binary interchange):
/// sign, biased exponent, trailing significand, with the all-ones exponent for infinity and NaN.
/// bfloat16 has the same layout with binary32's exponent range.
struct DtypeTraits {
  Dtype dtype;
  std::string_view token;  ///< as contracts spell it: "F32"
  std::string_view name;   ///< as kernels and reports spell it: "f32"
  NumberKind kind;
  int width;         ///< bits of storage
  int precision;     ///< significand bits including the hidden one (value bits for integers)
  int min_exponent;  ///< IEEE emin, the exponent of the least normal number (0 for integers)
  int max_exponent;  ///< IEEE emax, the exponent of the largest finite number (0 for integers)

  constexpr int bytes() const { return width / 8; }
  constexpr bool is_floating() const { return kind == NumberKind::kFloating; }
  constexpr Bits all_mask() const { return width == 64 ? ~Bits{0} : (Bits{1} << width) - 1; }

  // The rest is meaningful for floating formats only.
  constexpr int fraction_bits() const { return precision - 1; }
  constexpr int bias() const { return max_exponent; }
  constexpr Bits sign_mask() const { return Bits{1} << (width - 1); }
  constexpr Bits magnitude_mask() const { return sign_mask() - 1; }
  constexpr Bits fraction_mask() const { return (Bits{1} << fraction_bits()) - 1; }
  constexpr Bits quiet_bit() const { return Bits{1} << (fraction_bits() - 1); }
  constexpr Bits infinity() const { return magnitude_mask() & ~fraction_mask(); }
  constexpr Bits max_finite() const { return infinity() - 1; }
  constexpr Bits min_normal() const { return Bits{1} << fraction_bits(); }
  constexpr Bits one() const { return static_cast<Bits>(bias()) << fraction_bits(); }

  constexpr bool is_nan(Bits bits) const {
    return is_floating() && (bits & magnitude_mask()) > infinity();
  }
  constexpr bool is_infinite(Bits bits) const {
    return is_floating() && (bits & magnitude_mask()) == infinity();
  }
  constexpr bool is_finite(Bits bits) const {
    return !is_floating() || (bits & magnitude_mask()) < infinity();
  }
  constexpr bool is_zero(Bits bits) const {
    return (is_floating() ? bits & magnitude_mask() : bits) == 0;
  }
  constexpr bool is_subnormal(Bits bits) const {
    return is_floating() && !is_zero(bits) && (bits & magnitude_mask()) < min_normal();
  }
  /// True where the sign bit is set (a negative integer for signed formats, never for unsigned).
  constexpr bool is_negative(Bits bits) const {
    return kind != NumberKind::kUnsigned && (bits & sign_mask()) != 0;
  }
  constexpr bool is_quiet(Bits nan_bits) const { return (nan_bits & quiet_bit()) != 0; }
  /// The fraction of a NaN below its quiet bit.
  constexpr Bits payload(Bits nan_bits) const { return nan_bits & (quiet_bit() - 1); }
};

inline constexpr std::array<DtypeTraits, 10> kDtypes = {{
    {Dtype::kF64, "F64", "f64", NumberKind::kFloating, 64, 53, -1022, 1023},
    {Dtype::kF32, "F32", "f32", NumberKind::kFloating, 32, 24, -126, 127},
    {Dtype::kF16, "F16", "f16", NumberKind::kFloating, 16, 11, -14, 15},
    {Dtype::kBF16, "BF16", "bf16", NumberKind::kFloating, 16, 8, -126, 127},
    {Dtype::kU8, "U8", "u8", NumberKind::kUnsigned, 8, 8, 0, 0},
    {Dtype::kI8, "I8", "i8", NumberKind::kSigned, 8, 7, 0, 0},
    {Dtype::kI16, "I16", "i16", NumberKind::kSigned, 16, 15, 0, 0},
    {Dtype::kU32, "U32", "u32", NumberKind::kUnsigned, 32, 32, 0, 0},
    {Dtype::kI32, "I32", "i32", NumberKind::kSigned, 32, 31, 0, 0},
    {Dtype::kI64, "I64", "i64", NumberKind::kSigned, 64, 63, 0, 0},
}};

constexpr const DtypeTraits& traits(Dtype dtype) {
  return kDtypes[static_cast<std::size_t>(dtype)];
}

/// The row whose contract token is `token` ("F32"), or nothing.
std::optional<Dtype> dtype_from_token(std::string_view token);

/// `bits` as lower-case hex of the format's full width: "0x7e01".
std::string hex(Bits bits, Dtype dtype);

}  // namespace assay
