// Spaces of single patterns given by a formula of their index: special values, and the stratified
// sample.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "audit/probe/space.h"
#include "oracles/special_values.h"
#include "reports/text.h"

namespace assay {

namespace {

constexpr std::uint64_t kChunkBlocks = 128;

/// A space whose i-th probe is `at(i)`. Its blocks have changing lengths, so that probes of every
/// kind also fall on every tail of a vector loop.
class IndexedSpace : public ProbeSpace {
 public:
  /// Block b has lengths[b % lengths.size()] probes.
  IndexedSpace(std::string name, std::string words, Dtype dtype, bool seeded, std::uint64_t count,
               const std::vector<std::uint64_t>& lengths)
      : ProbeSpace(std::move(name), std::move(words), dtype, Strength::kSampled, seeded) {
    std::uint64_t start = 0;
    for (std::size_t b = 0; start < count; ++b) {
      starts_.push_back(start);
      start += lengths[b % lengths.size()];
    }
    starts_.push_back(count);
  }

  std::uint64_t chunks() const override {
    return (starts_.size() - 1 + kChunkBlocks - 1) / kChunkBlocks;
  }
  std::uint64_t blocks(std::uint64_t chunk) const override {
    return std::min<std::uint64_t>(kChunkBlocks, starts_.size() - 1 - chunk * kChunkBlocks);
  }
  std::uint64_t probes(std::uint64_t chunk) const override {
    const std::uint64_t first = chunk * kChunkBlocks;
    return starts_[first + blocks(chunk)] - starts_[first];
  }
  Block fill(std::uint64_t chunk, std::uint64_t block, void* out) const override {
    const std::uint64_t start = starts_[chunk * kChunkBlocks + block];
    Block result;
    result.probes = starts_[chunk * kChunkBlocks + block + 1] - start;
    for (std::size_t i = 0; i < result.probes; ++i) {
      oracle::store(out, i, dtype(), at(start + i));
    }
    return result;
  }

 protected:
  virtual Bits at(std::uint64_t index) const = 0;

 private:
  std::vector<std::uint64_t> starts_;  ///< of each block, and the end
};

/// Every length up to four of the widest vectors of the narrowest elements, and some, in mixed
/// order.
std::vector<std::uint64_t> short_lengths() {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t k = 0; k < 259; ++k) lengths.push_back(1 + k * 37 % 259);
  return lengths;
}

/// Lengths near a full block, with every remainder modulo 64.
std::vector<std::uint64_t> long_lengths() {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t k = 0; k < 64; ++k) lengths.push_back(kBlockProbes - k * 27 % 64);
  return lengths;
}

constexpr std::uint64_t kRounds = 16;

class SpecialSpace final : public IndexedSpace {
 public:
  SpecialSpace(Dtype dtype, std::vector<Bits> values)
      : IndexedSpace(
            "special values",
            fmt::format(
                "{} special values, each in {} places and in tensors of every length up to 259",
                with_thousands(values.size()), kRounds),
            dtype, false, values.size() * kRounds, short_lengths()),
        values_(std::move(values)) {}

 private:
  Bits at(std::uint64_t index) const override {
    // Each round walks the list with another stride, so that neighbours change.
    const std::uint64_t n = values_.size();
    const std::uint64_t round = index / n;
    std::uint64_t stride = mix(round) % n;
    while (std::gcd(stride, n) != 1) ++stride;
    return values_[static_cast<std::size_t>((index % n) * (stride % n) % n)];
  }

  std::vector<Bits> values_;
};

class StratifiedSpace final : public IndexedSpace {
 public:
  StratifiedSpace(oracle::CastOperation operation, std::uint64_t count, std::uint64_t seed)
      : IndexedSpace(
            "stratified sample",
            fmt::format("{} probes of {} strata (every {} x random, sparse, run-shaped and "
                        "tie-shaped significands; seed {})",
                        with_thousands(count), with_thousands(strata(operation.from)),
                        traits(operation.from).is_floating() ? "exponent and sign" : "bit length",
                        seed),
            operation.from, true, count, long_lengths()),
        from_(traits(operation.from)),
        significand_bits_(from_.is_floating() ? from_.fraction_bits() : from_.width),
        kept_bits_(kept(operation, significand_bits_)),
        seed_(mix(seed)) {}

 private:
  /// Bits of the significand that a normal result keeps; at least two are left for a tie.
  static int kept(const oracle::CastOperation& operation, int significand_bits) {
    const DtypeTraits& to = traits(operation.to);
    if (!to.is_floating()) return significand_bits - 2;
    // The significand of an integer includes its leading bit.
    const int bits = traits(operation.from).is_floating() ? to.fraction_bits() : to.precision;
    return std::min(bits, significand_bits - 2);
  }

  static std::uint64_t strata(Dtype dtype) {
    const DtypeTraits& from = traits(dtype);
    return from.is_floating() ? ((from.infinity() >> from.fraction_bits()) + 1) * 2 * 4
                              : static_cast<std::uint64_t>(from.width) * 4;
  }

  /// `significand` made a tie whose lowest set bit is `rounding_bit`, or one step beside it.
  static Bits near_tie(Bits significand, int rounding_bit, std::uint64_t random) {
    const Bits tie = Bits{1} << rounding_bit;
    return ((significand & ~(tie * 2 - 1)) | tie) + (random % 3) - 1;
  }

  Bits at(std::uint64_t index) const override {
    const std::uint64_t shape = index % 4;
    const std::uint64_t r1 = mix(seed_ + index * 2);
    const std::uint64_t r2 = mix(seed_ + index * 2 + 1);
    const Bits mask = (Bits{1} << (significand_bits_ - 1)) * 2 - 1;
    Bits significand = r1 & mask;
    if (shape == 1) {
      significand &= r2 & mix(r2);
    } else if (shape == 2) {
      const auto high = static_cast<int>(r2 % static_cast<std::uint64_t>(significand_bits_));
      const auto low = static_cast<int>((r2 >> 32) % static_cast<std::uint64_t>(high + 1));
      significand = ((Bits{2} << high) - 1) ^ ((Bits{1} << low) - 1);
    }
    if (!from_.is_floating()) {
      const auto length =
          1 + static_cast<int>((index / 4) % static_cast<std::uint64_t>(from_.width));
      const Bits top = Bits{1} << (from_.width - 1);
      const Bits integer = ((significand | top) & mask) >> (from_.width - length);
      return shape == 3 && length > kept_bits_ ? near_tie(integer, length - kept_bits_ - 1, r2)
                                               : integer;
    }
    if (shape == 3) significand = near_tie(significand, significand_bits_ - kept_bits_ - 1, r2);
    const std::uint64_t fields = (from_.infinity() >> from_.fraction_bits()) + 1;
    // `fields` is a power of two, so an odd factor visits all; neighbours get distant exponents.
    const Bits field = (index / 8) * 0x9e3779b1u % fields;
    const Bits sign = (index / 4) % 2 == 0 ? 0 : from_.sign_mask();
    return sign | (field << from_.fraction_bits()) | (significand & from_.fraction_mask());
  }

  const DtypeTraits& from_;
  int significand_bits_;
  int kept_bits_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<ProbeSpace> special_space(Dtype dtype) {
  return std::make_unique<SpecialSpace>(dtype, oracle::special_values(dtype));
}

std::unique_ptr<ProbeSpace> stratified_space(oracle::CastOperation operation, std::uint64_t count,
                                             std::uint64_t seed) {
  return std::make_unique<StratifiedSpace>(operation, count, seed);
}

}  // namespace assay
