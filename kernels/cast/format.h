// The formats of the casts as types, so that conversions are written once and the constants of a
// pair of formats are known to the compiler. Every number comes from the dtype's row of traits.
#pragma once

#include <cstdint>

#include "contracts/dtype.h"

namespace assay::cast {

template <int kWidth>
struct WordOf;
template <>
struct WordOf<16> {
  using Type = std::uint16_t;
};
template <>
struct WordOf<32> {
  using Type = std::uint32_t;
};
template <>
struct WordOf<64> {
  using Type = std::uint64_t;
};

template <Dtype kDtype>
struct Format {
  static constexpr const DtypeTraits& kTraits = traits(kDtype);
  using Word = typename WordOf<kTraits.width>::Type;

  static constexpr int kWidth = kTraits.width;
  static constexpr int kFractionBits = kTraits.fraction_bits();
  static constexpr int kBias = kTraits.bias();
  static constexpr int kMinExponent = kTraits.min_exponent;

  static constexpr Word kSignMask = static_cast<Word>(kTraits.sign_mask());
  static constexpr Word kMagnitudeMask = static_cast<Word>(kTraits.magnitude_mask());
  static constexpr Word kFractionMask = static_cast<Word>(kTraits.fraction_mask());
  static constexpr Word kInfinity = static_cast<Word>(kTraits.infinity());
  static constexpr Word kMinNormal = static_cast<Word>(kTraits.min_normal());
  static constexpr Word kQuietBit = static_cast<Word>(kTraits.quiet_bit());
};

using F64 = Format<Dtype::kF64>;
using F32 = Format<Dtype::kF32>;
using F16 = Format<Dtype::kF16>;
using BF16 = Format<Dtype::kBF16>;

/// The upper 32 bits of an f64, read as a format of its own: 11 exponent bits, 20 fraction bits.
/// With the last bit set wherever the lower 32 bits are not all zero, it holds the f64 rounded to
/// odd. It has more than two bits beyond the precision of f16 and bf16, so rounding it to one of
/// those gives what rounding the f64 gives: a tie stays a tie, and nothing becomes one.
struct F64High {
  using Word = std::uint32_t;
  static constexpr int kWidth = 32;
  static constexpr int kFractionBits = F64::kFractionBits - 32;
  static constexpr int kBias = F64::kBias;
  static constexpr int kMinExponent = F64::kMinExponent;
  static constexpr Word kSignMask = static_cast<Word>(F64::kSignMask >> 32);
  static constexpr Word kMagnitudeMask = static_cast<Word>(F64::kMagnitudeMask >> 32);
  static constexpr Word kFractionMask = static_cast<Word>(F64::kFractionMask >> 32);
  static constexpr Word kInfinity = static_cast<Word>(F64::kInfinity >> 32);
};

/// Constants of a narrowing conversion from Source to Destination.
template <class Source, class Destination>
struct Narrowing {
  static constexpr int kDropped = Source::kFractionBits - Destination::kFractionBits;
  static constexpr bool kSameExponents = Source::kMinExponent == Destination::kMinExponent;
  /// The biased exponent, in Source, of Destination's least normal number.
  static constexpr int kLeastNormal = Source::kBias + Destination::kMinExponent;
  /// A significand shifted right by this much is below half a step: it rounds to zero.
  static constexpr int kAllGone = Source::kFractionBits + 2;
  /// The magnitude, in Source, of Destination's least normal number.
  static constexpr typename Source::Word kNormal = static_cast<typename Source::Word>(
      static_cast<typename Source::Word>(kLeastNormal) << Source::kFractionBits);
  /// The least power of two in Source that is not below half of Destination's least subnormal.
  static constexpr typename Source::Word kLeastKept = static_cast<typename Source::Word>(
      kNormal -
      (static_cast<typename Source::Word>(kAllGone - kDropped - 1) << Source::kFractionBits));

  // The hidden bit is set for subnormal sources too. They are so far below Destination's least
  // subnormal that they round to zero either way.
  static_assert(kSameExponents || kLeastNormal + kDropped > kAllGone);
};

/// Constants of a widening conversion from Source to Destination.
template <class Source, class Destination>
struct Widening {
  static constexpr int kAppended = Destination::kFractionBits - Source::kFractionBits;
  static constexpr int kRebias = Destination::kBias - Source::kBias;
  static constexpr bool kSameExponents = kRebias == 0;
  static_assert(kAppended >= 0);
};

}  // namespace assay::cast
