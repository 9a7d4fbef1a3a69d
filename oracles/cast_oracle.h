// The oracle that sweeps use: the same answers as `ExactCast`, many elements at a time.
//
// Sources of 16 bits are answered from a table that `ExactCast` (MPFR) fills. Wider sources are
// answered by integer code of the oracle's own, trusted only after its certificate was checked
// (certificate.h).
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/cast_exact.h"

namespace assay::oracle {

class CastOracle {
 public:
  /// Throws std::invalid_argument for a cast that has no oracle.
  explicit CastOracle(CastOperation operation);

  /// Writes the n expected results of `in` to `out` (elements of the two formats, natural
  /// alignment). Same conventions as `ExactCast::operator()`.
  void expect(const void* in, void* out, std::size_t n) const;

  /// The expected result of one input.
  Bits expect_one(Bits input) const;

  const CastOperation& operation() const { return operation_; }

 private:
  CastOperation operation_;
  void (*lanes_)(const void*, void*, std::size_t) = nullptr;
  std::vector<Bits> table_;
};

/// True when `CastOracle` knows this cast.
bool has_cast_oracle(CastOperation operation);

/// The instruction-set level that the fast oracle runs at here: "x86-64-v4" …
std::string_view cast_oracle_level();

/// Reads element i of a buffer of `dtype` elements.
Bits load(const void* buffer, std::size_t i, Dtype dtype);
/// Writes element i of a buffer of `dtype` elements.
void store(void* buffer, std::size_t i, Dtype dtype, Bits bits);

}  // namespace assay::oracle
