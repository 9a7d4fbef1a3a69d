#include "oracles/sum/superaccumulator.h"

#include <algorithm>
#include <bit>

namespace assay::oracle {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kFractionBits = 52;
constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << kFractionBits) - 1;
constexpr std::int64_t kLowestWeight = -2148;  // of bit 0, as a power of two

struct Parts {
  std::uint64_t significand;
  std::uint64_t place;  // of its lowest bit, counted from the least subnormal's
};

Parts parts_of(std::uint64_t bits) {
  const std::uint64_t field = bits >> kFractionBits & 0x7ff;
  const std::uint64_t hidden = field != 0 ? 1 : 0;
  return {(bits & kFractionMask) | hidden << kFractionBits, field - hidden};
}

/// Adds to the word at `to`, and carries as far as need be.
void add_word(std::uint64_t* to, std::uint64_t word) {
  bool carry = __builtin_add_overflow(*to, word, to);
  while (carry) {
    ++to;
    carry = ++*to == 0;
  }
}

/// The number in words[begin, end), rounded to odd.
template <typename Words>
WideReal rounded_to_odd(const Words& words, std::size_t begin, std::size_t end, bool negative) {
  while (end > begin && words[end - 1] == 0) --end;
  if (end <= begin) return {};
  const auto word = [&](std::size_t below_top) -> std::uint64_t {
    return end - begin > below_top ? words[end - 1 - below_top] : 0;
  };
  const int shift = std::countl_zero(word(0));
  const auto join = [&](std::uint64_t upper, std::uint64_t lower) {
    return shift == 0 ? upper : upper << shift | lower >> (64 - shift);
  };
  WideReal real;
  real.negative = negative;
  real.high = join(word(0), word(1));
  real.low = join(word(1), word(2));
  bool dropped = (word(2) << shift) != 0;
  for (std::size_t i = begin; i + 3 < end && !dropped; ++i) dropped = words[i] != 0;
  if (dropped) real.low |= 1;
  real.exponent = kLowestWeight + 64 * (static_cast<std::int64_t>(end) - 2) - shift;
  return real;
}

}  // namespace

void Superaccumulator::clear() {
  for (Words& words : words_) {
    if (begin_ < end_) std::fill(words.begin() + begin_, words.begin() + end_, 0);
  }
  begin_ = kWords;
  end_ = 0;
}

void Superaccumulator::add_product(double a, double b) {
  const auto a_bits = std::bit_cast<std::uint64_t>(a);
  const auto b_bits = std::bit_cast<std::uint64_t>(b);
  const Parts x = parts_of(a_bits);
  const Parts y = parts_of(b_bits);
  const Wide product = static_cast<Wide>(x.significand) * y.significand;
  if (product == 0) return;
  const std::uint64_t place = x.place + y.place;
  const std::size_t at = place / 64;
  const unsigned shift = place % 64;
  const auto low = static_cast<std::uint64_t>(product);
  const auto high = static_cast<std::uint64_t>(product >> 64);
  // Of shifts by 64 - shift, for any shift.
  const auto over = [&](std::uint64_t word) { return word >> 1 >> (63 - shift); };
  std::uint64_t* to = words_[(a_bits ^ b_bits) >> 63].data() + at;
  add_word(to, low << shift);
  add_word(to + 1, high << shift | over(low));
  add_word(to + 2, over(high));
  begin_ = std::min(begin_, at);
  // 2^63 products of three words each fill no more than a fourth one.
  end_ = std::max(end_, at + 4);
}

WideReal Superaccumulator::sum() const {
  if (begin_ >= end_) return {};
  std::size_t top = end_;
  while (top > begin_ && words_[0][top - 1] == words_[1][top - 1]) --top;
  if (top == begin_) return {};
  const bool negative = words_[0][top - 1] < words_[1][top - 1];
  const Words& greater = words_[negative ? 1 : 0];
  const Words& lesser = words_[negative ? 0 : 1];
  Words difference;
  std::uint64_t borrow = 0;
  for (std::size_t i = begin_; i < top; ++i) {
    const Wide taken = static_cast<Wide>(lesser[i]) + borrow;
    difference[i] = greater[i] - static_cast<std::uint64_t>(taken);
    borrow = greater[i] < taken ? 1 : 0;
  }
  return rounded_to_odd(difference, begin_, top, negative);
}

WideReal Superaccumulator::magnitudes() const {
  if (begin_ >= end_) return {};
  Words total;
  Wide carried = 0;
  for (std::size_t i = begin_; i < end_; ++i) {
    carried += static_cast<Wide>(words_[0][i]) + words_[1][i];
    total[i] = static_cast<std::uint64_t>(carried);
    carried >>= 64;
  }
  return rounded_to_odd(total, begin_, end_, false);
}

}  // namespace assay::oracle
