// How mutants are put together: a loop over elements with the argument checks of the real kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/cast/cast_call.h"
#include "kernels/cast/format.h"
#include "kernels/mutants/mutants.h"

namespace assay::mutants {

inline constexpr const char* kMutant = "mutant";

/// The entry points that mutants stand in for.
inline constexpr const char* kF32ToF64 = "fuel_reference_backend::ops::cast_f32_to_f64";
inline constexpr const char* kF32ToBF16 = "fuel_reference_backend::ops::cast_f32_to_bf16";
inline constexpr const char* kF32ToF16 = "fuel_reference_backend::ops::cast_f32_to_f16";
inline constexpr const char* kF32ToU32 = "fuel_reference_backend::ops::cast_f32_to_u32";
inline constexpr const char* kF64ToF32 = "fuel_reference_backend::ops::cast_f64_to_f32";
inline constexpr const char* kF64ToBF16 = "fuel_reference_backend::ops::cast_f64_to_bf16";
inline constexpr const char* kF64ToF16 = "fuel_reference_backend::ops::cast_f64_to_f16";
inline constexpr const char* kF64ToU32 = "fuel_reference_backend::ops::cast_f64_to_u32";
inline constexpr const char* kBF16ToF32 = "fuel_reference_backend::ops::cast_bf16_to_f32";
inline constexpr const char* kBF16ToF64 = "fuel_reference_backend::ops::cast_bf16_to_f64";
inline constexpr const char* kBF16ToF16 = "fuel_reference_backend::ops::cast_bf16_to_f16";
inline constexpr const char* kF16ToF64 = "fuel_reference_backend::ops::cast_f16_to_f64";
inline constexpr const char* kF16ToBF16 = "fuel_reference_backend::ops::cast_f16_to_bf16";
inline constexpr const char* kF16ToF32 = "fuel_reference_backend::ops::cast_f16_to_f32";
inline constexpr const char* kU32ToF32 = "fuel_reference_backend::ops::cast_u32_to_f32";
inline constexpr const char* kU32ToF64 = "fuel_reference_backend::ops::cast_u32_to_f64";

template <class Word>
Word load(const std::byte* base, std::size_t i) {
  Word bits;
  std::memcpy(&bits, base + i * sizeof(Word), sizeof(Word));
  return bits;
}

template <class Word>
void store(std::byte* base, std::size_t i, Word bits) {
  std::memcpy(base + i * sizeof(Word), &bits, sizeof(Word));
}

template <Dtype kDtype>
using WordOf = typename cast::WordOf<traits(kDtype).width>::Type;

/// A kernel that converts each element by itself, by `kConvert` from bits to bits.
template <Dtype kSource, Dtype kDestination, auto kConvert>
KernelStatus elementwise(KernelCall& call) {
  return run_cast(call, kSource, kDestination, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const WordOf<kDestination> result = kConvert(load<WordOf<kSource>>(in, i));
                      store(out, i, result);
                    }
                  });
}

/// The mutants by claim family, one file each.
std::vector<Mutant> permitted_algorithms();
std::vector<Mutant> rounding_mutants();
std::vector<Mutant> narrowing_mutants();
std::vector<Mutant> integer_mutants();
std::vector<Mutant> single_pattern_mutants();
std::vector<Mutant> special_value_mutants();
std::vector<Mutant> memory_mutants();
std::vector<Mutant> acceptance_mutants();

}  // namespace assay::mutants
