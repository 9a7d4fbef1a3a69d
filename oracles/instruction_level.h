// Which of the instruction-set levels that the fast oracles are compiled for this processor has.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::oracle {

/// Levels of the x86-64 psABI; `kBaseline` is what the whole program is compiled for.
enum class InstructionLevel : std::uint8_t { kBaseline, kX86_64V3, kX86_64V4 };

inline InstructionLevel best_instruction_level() {
#if defined(ASSAY_X86_64_LEVELS)
  // The features of each level that its code can use.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return InstructionLevel::kX86_64V4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    return InstructionLevel::kX86_64V3;
  }
#endif
  return InstructionLevel::kBaseline;
}

}  // namespace assay::oracle
