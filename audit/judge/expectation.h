// What a block's results must be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "audit/probe/space.h"
#include "oracles/cast_oracle.h"

namespace assay {

/// The due results of blocks, from as few questions to the oracle as the blocks' structure allows.
/// Rounding is monotone, so patterns between two that have the same result have that result too: a
/// stretch whose first and last pattern agree, which makes the block a repeated row of eight
/// values; and of a block made of rows, all rising ones where the least and the greatest agree.
class Expectation {
 public:
  /// `saturates`: finite inputs beyond the range of a floating destination give its largest finite
  /// number, instead of infinity. The oracle must outlive this.
  Expectation(const oracle::CastOracle& oracle, bool saturates);

  /// Whether the results `out` are those due for the probes `in` of `block`, bit for bit: what `of`
  /// would give, compared, but in a block of stretches with one result each that row is not written
  /// out for the comparison.
  bool met_by(const void* out, const Block& block, const void* in);

  /// The results due for the probes `in` of `block`, as elements of the destination. Valid until
  /// the next call.
  const void* of(const Block& block, const void* in);

 private:
  void expect(const void* in, void* out, std::size_t n) const;
  void expect_rows(const Block& block, const char* in);
  bool constant(const Block& block);
  void fill_each(const Block& block, const void* in);
  void fill_rows(std::size_t probes);

  const oracle::CastOracle& oracle_;
  bool saturates_;
  Dtype from_;
  std::size_t to_bytes_;
  std::vector<std::uint64_t> results_;
  std::uint64_t row_[kStretches] = {};
  std::uint64_t row_in_results_[kStretches] = {};
  bool results_are_rows_ = false;
};

}  // namespace assay
