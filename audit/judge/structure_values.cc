#include <algorithm>
#include <bit>
#include <optional>

#include "audit/judge/structure.h"
#include "audit/probe/space.h"
#include "oracles/special_values.h"

namespace assay {

namespace {

/// `bits` with its `dropped` lowest bits at, just below or just above one half of what they can be
/// at most, all ones, or all zeros, by turns.
Bits with_dropped(Bits bits, int dropped, std::uint64_t turn) {
  const Bits mask = (Bits{1} << dropped) - 1;
  const Bits half = Bits{1} << (dropped - 1);
  const Bits shapes[] = {half, half - 1, (half + 1) & mask, mask, 0};
  return (bits & ~mask) | shapes[turn % 5];
}

/// An input whose result has to be rounded, to be seen where a lane rounds otherwise than its
/// neighbours; nothing where results are exact.
std::optional<Bits> near_a_rounding(const Subject& subject, std::uint64_t random,
                                    std::uint64_t turn) {
  const DtypeTraits& from = traits(subject.from());
  const DtypeTraits& to = traits(subject.to());
  if (!from.is_floating()) {
    if (from.precision <= to.precision) return std::nullopt;
    const int length =
        to.precision + 1 +
        static_cast<int>(random % static_cast<unsigned>(from.precision - to.precision));
    const Bits top = Bits{1} << (length - 1);
    return with_dropped(top | (mix(random) & (top - 1)), length - to.precision, turn);
  }
  int least = from.min_exponent;
  int most = from.max_exponent;
  if (to.is_floating()) {
    least = std::max(least, to.min_exponent);
    most = std::min(most, to.max_exponent);
  } else {
    least = 0;
    most = std::min(from.fraction_bits() - 1, to.precision - 1);
  }
  const int exponent = least + static_cast<int>(random % static_cast<unsigned>(most - least + 1));
  const int dropped =
      to.is_floating() ? from.precision - to.precision : from.fraction_bits() - exponent;
  if (dropped <= 0) return std::nullopt;
  const Bits sign = to.is_floating() && (mix(random) >> 63) != 0 ? from.sign_mask() : 0;
  const Bits field = static_cast<Bits>(exponent + from.bias()) << from.fraction_bits();
  return sign | field | with_dropped(mix(random) & from.fraction_mask(), dropped, turn);
}

}  // namespace

std::vector<Bits> structure_values(const Subject& subject, std::size_t count) {
  const Dtype dtype = subject.from();
  const auto outside = [&](Bits bits) { return subject.cells.of(bits).caller_error; };
  std::vector<Bits> specials = oracle::special_values(dtype);
  specials.erase(std::remove_if(specials.begin(), specials.end(), outside), specials.end());
  const std::size_t special_count = std::min(specials.size(), count / 2);
  std::vector<Bits> values;
  for (std::size_t i = 0; i < special_count; ++i) {
    values.push_back(specials[i * specials.size() / special_count]);
  }
  for (std::uint64_t i = 0; i < count / 4; ++i) {
    const std::optional<Bits> bits = near_a_rounding(subject, mix(subject.seed ^ mix(~i)), i);
    if (bits && !outside(*bits)) values.push_back(*bits);
  }
  constexpr std::uint64_t kTries = 1 << 16;  // a domain may be too narrow to be hit
  for (std::uint64_t i = special_count; values.size() < count && i < kTries; ++i) {
    const Bits bits = mix(subject.seed ^ mix(i)) & traits(dtype).all_mask();
    if (!outside(bits)) values.push_back(bits);
  }
  if (values.empty()) values.push_back(0);
  for (std::size_t i = 0; values.size() < count; ++i) values.push_back(values[i]);
  // Fixed shuffle: neighbours of every kind.
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[static_cast<std::size_t>(mix(i ^ 0x5eed) % i)]);
  }
  return values;
}

}  // namespace assay
