// Which instructions the processor at hand has and the operating system keeps the registers of.
//
// Compilers differ in the names that their __builtin_cpu_supports() knows; cpuid does not.
#pragma once

#include <cpuid.h>

namespace assay_adapters {

/// The four registers of one leaf; zeros where the processor does not have it.
struct CpuidLeaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

inline CpuidLeaf cpuid(unsigned leaf, unsigned subleaf) {
  CpuidLeaf found;
  if (__get_cpuid_count(leaf, subleaf, &found.eax, &found.ebx, &found.ecx, &found.edx) == 0) {
    return {};
  }
  return found;
}

// The compiler's own test of a register set includes that of the operating system.
inline bool has_f16c() {
  return __builtin_cpu_supports("avx") && (cpuid(1, 0).ecx >> 29 & 1) != 0;
}
inline bool has_avx2_and_f16c() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}
inline bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
inline bool has_avx512_bf16() {
  return has_avx512() && (cpuid(7, 1).eax >> 5 & 1) != 0;
}
inline bool has_avx512_fp16() {
  return has_avx512() && (cpuid(7, 0).edx >> 23 & 1) != 0;
}

}  // namespace assay_adapters
