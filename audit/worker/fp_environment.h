// The floating-point environment that a kernel must leave as it found it.
#pragma once

#include <cstdint>
#include <string>

namespace assay {

/// Control state: rounding mode, flush-to-zero and denormals-are-zero, exception masks. The sticky
/// exception flags are not part of it: raising them is what arithmetic does.
struct FpEnvironment {
  std::uint32_t sse_control = 0;  ///< x86 MXCSR without its flags; elsewhere the rounding mode
  std::uint16_t x87_control = 0;  ///< x86 x87 control word; elsewhere 0

  bool operator==(const FpEnvironment&) const = default;

  static FpEnvironment current();
  void restore() const;
};

/// What changed, in words: "MXCSR rounding mode from nearest to toward zero".
std::string describe_change(const FpEnvironment& before, const FpEnvironment& after);

/// Settings that kernels are called under for the claim that they keep them.
/// `index` from 0 to kFpSettings - 1: the four rounding directions, each without and with
/// flush-to-zero and denormals-are-zero where the CPU has them.
inline constexpr int kFpSettings = 8;
FpEnvironment fp_setting(int index, const FpEnvironment& base);

/// Fills the vector registers with a NaN pattern, so that code that reads a register before writing
/// it shows.
void dirty_vector_registers();

/// Fills them with zeros, so that calls before and after the above meet different contents.
void clear_vector_registers();

}  // namespace assay
