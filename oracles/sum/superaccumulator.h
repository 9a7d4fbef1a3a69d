// Sums of products without any rounding: a fixed-point number as wide as all products of two
// binary64 numbers together (Kulisch, Advanced Arithmetic for the Digital Computer, 2002). Integer
// arithmetic only, so no floating-point mode can reach it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::oracle {

/// A real number rounded to odd at 128 bits: `high` has its top bit set (or both words are 0), and
/// the last bit of `low` is 1 wherever anything below it was dropped. Rounding it again to at most
/// 126 bits, in any mode, gives what rounding the exact number would have given (Boldo and
/// Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd,
/// IEEE Trans. Computers 57(4), 2008).
struct WideReal {
  bool negative = false;
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  std::int64_t exponent = 0;  ///< the value is ±(high 2^64 + low) 2^exponent
};

class Superaccumulator {
 public:
  /// Back to 0.
  void clear();

  /// Adds a * b. Both must be finite. At most 2^63 products may be added.
  void add_product(double a, double b);

  /// The sum of what was added; +0 where it is 0.
  WideReal sum() const;

  /// The sum of the magnitudes of what was added.
  WideReal magnitudes() const;

 private:
  // The lowest bit of a product of two subnormals weighs 2^-2148, the highest of two large numbers
  // 2^2047: 4,196 bits, and 64 for carries.
  static constexpr std::size_t kWords = 68;
  using Words = std::array<std::uint64_t, kWords>;

  Words words_[2] = {};  // positive products, negative ones
  // What lies outside of these words is 0.
  std::size_t begin_ = kWords;
  std::size_t end_ = 0;
};

}  // namespace assay::oracle
