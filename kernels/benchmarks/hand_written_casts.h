// Casts as one would write them by hand for one instruction set, for the kernels to be compared
// with: the instruction that converts, where there is one, and the least around it.
#pragma once

#include <cstddef>
#include <vector>

namespace assay {

struct HandWrittenCast {
  const char* kernel;  ///< "cast_f32_to_f16"
  const char* how;     ///< "vcvtps2ph"
  /// Converts n elements, a multiple of 32, as the kernel does under the default floating-point
  /// environment. (Some of these, unlike the kernels, give other results under other ones.)
  void (*convert)(const void* in, void* out, std::size_t n);
};

/// Those for AVX-512 (F, BW, DQ, VL), which every AVX3 target has; none where this CPU has it not.
std::vector<HandWrittenCast> hand_written_casts();

}  // namespace assay
