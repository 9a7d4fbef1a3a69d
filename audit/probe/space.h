// Probe spaces: described sets of inputs, generated block by block.
//
// A space is divided into chunks, and a chunk into blocks of at most kBlockProbes probes. The
// division and the order of probes are fixed by the space alone (and the seed of a sample), never
// by the number of workers, so that digests of outputs can be compared between variants, runs and
// machines. Within a block, neighbouring probes come from distant parts of the space: a kernel that
// lets one lane disturb another must not find only near-equal neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "audit/judge/cells.h"
#include "audit/judge/census.h"
#include "contracts/dtype.h"
#include "contracts/verdict.h"
#include "oracles/cast_exact.h"

namespace assay {

/// Probes of a full block: few enough that inputs, outputs and expected outputs of up to 8 bytes
/// each stay in the first-level cache (40 KiB of 48).
inline constexpr std::size_t kBlockProbes = 2048;

/// Stretches of consecutive patterns that make up an interleaved block: probe i belongs to
/// stretch i % kStretches.
inline constexpr std::size_t kStretches = 8;

/// Single probes that stand between the rows of a block that is made of rows.
inline constexpr std::size_t kInserted = 8;

/// What `fill` says of a block.
struct Block {
  std::size_t probes = 0;
  /// True when the block is kStretches interleaved stretches of consecutive patterns of one sign:
  /// then every result of a stretch lies between those of its first and last pattern.
  bool stretched = false;
  Bits first[kStretches] = {};
  Bits last[kStretches] = {};

  /// Elements of a row, where the block is made of rows (else 0). Row r of the block has slot
  /// (first_slot + r) % rows. From slot `rising_from` to the last, each column's patterns have one
  /// sign and rise in magnitude: every result lies between those of these two slots.
  std::size_t row = 0;
  std::size_t rows = 0;
  std::size_t first_slot = 0;
  std::size_t rising_from = 0;
  /// Rising: the rows that the inserted probes stand before (`rows`: after the last one).
  std::array<std::size_t, kInserted> inserted{};
};

class ProbeSpace {
 public:
  ProbeSpace(std::string name, std::string words, Dtype dtype, Strength strength, bool seeded)
      : name_(std::move(name)),
        words_(std::move(words)),
        dtype_(dtype),
        strength_(strength),
        seeded_(seeded) {}
  virtual ~ProbeSpace() = default;

  const std::string& name() const { return name_; }    ///< "exhaustive"
  const std::string& words() const { return words_; }  ///< "all 4,294,967,296 inputs"
  Dtype dtype() const { return dtype_; }
  Strength strength() const { return strength_; }  ///< of a run over the whole space
  bool seeded() const { return seeded_; }          ///< depends on the run's seed

  virtual std::uint64_t chunks() const = 0;
  virtual std::uint64_t blocks(std::uint64_t chunk) const = 0;
  virtual std::uint64_t probes(std::uint64_t chunk) const = 0;

  /// Writes one block of probes to `out`, which has room for kBlockProbes elements.
  virtual Block fill(std::uint64_t chunk, std::uint64_t block, void* out) const = 0;

  /// Counts the chunk's probes by cell, and the errors of their correctly rounded results. The
  /// general way visits every probe; a space that knows its structure may count by arithmetic.
  virtual void count(std::uint64_t chunk, const CellMap& cells, const oracle::CastOracle& oracle,
                     Census& census) const;

  std::uint64_t size() const;

 private:
  std::string name_;
  std::string words_;
  Dtype dtype_;
  Strength strength_;
  bool seeded_;
};

/// Every bit pattern of a format of 16 or 32 bits.
std::unique_ptr<ProbeSpace> exhaustive_space(Dtype dtype);

/// How many boundaries of each exponent a boundary space takes.
inline constexpr std::uint64_t kAllBoundaries = ~std::uint64_t{0};

/// With which single bits set below the rounding bit a boundary is probed, besides the lowest one.
enum class Sticky : std::uint8_t {
  kAll,     ///< every position
  kInTurn,  ///< one, the same for some hundred boundaries in a row, another one for the next
};

/// Rounding boundaries of a cast: for each, the result below it, one pattern to either side, the
/// boundary itself, and the boundary with single bits set below the rounding bit, in both signs
/// where the destination has them; special values are mixed into every block. With fewer than all
/// boundaries the choice is seeded and the strength `sampled`; the first and last boundaries of
/// every exponent are always among them.
std::unique_ptr<ProbeSpace> boundary_space(oracle::CastOperation operation,
                                           std::uint64_t per_exponent, std::uint64_t seed,
                                           Sticky sticky = Sticky::kAll);

/// All special values of the source, each also next to every kind of neighbour.
std::unique_ptr<ProbeSpace> special_space(Dtype dtype);

/// A seeded sample of `count` probes: every exponent (or bit length) equally often, crossed with
/// random, sparse, run-shaped and tie-shaped significands.
std::unique_ptr<ProbeSpace> stratified_space(oracle::CastOperation operation, std::uint64_t count,
                                             std::uint64_t seed);

/// A fixed, well mixed hash of a counter (splitmix64, Steele, Lea and Flood 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace assay
