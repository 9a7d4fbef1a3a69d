#include "oracles/cast_oracle.h"

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "oracles/cast_lanes.h"
#include "oracles/instruction_level.h"

namespace assay::oracle {

namespace {

struct Level {
  std::string_view name;
  const LanesTable* table;
};

Level best_level() {
  switch (best_instruction_level()) {
#if defined(ASSAY_X86_64_LEVELS)
    case InstructionLevel::kX86_64V4:
      return {"x86-64-v4", &x86_64_v4::kLanes};
    case InstructionLevel::kX86_64V3:
      return {"x86-64-v3", &x86_64_v3::kLanes};
#endif
    default:
      return {"baseline", &baseline::kLanes};
  }
}

struct Row {
  CastOperation operation;
  CastLanes LanesTable::*lanes;
};

constexpr std::array<Row, 10> kRows = {{
    {{Dtype::kF32, Dtype::kF64, Rounding::kExact}, &LanesTable::f32_to_f64},
    {{Dtype::kF32, Dtype::kBF16, Rounding::kNearestEven}, &LanesTable::f32_to_bf16},
    {{Dtype::kF32, Dtype::kF16, Rounding::kNearestEven}, &LanesTable::f32_to_f16},
    {{Dtype::kF32, Dtype::kU32, Rounding::kTowardZero}, &LanesTable::f32_to_u32},
    {{Dtype::kF64, Dtype::kF32, Rounding::kNearestEven}, &LanesTable::f64_to_f32},
    {{Dtype::kF64, Dtype::kBF16, Rounding::kNearestEven}, &LanesTable::f64_to_bf16},
    {{Dtype::kF64, Dtype::kF16, Rounding::kNearestEven}, &LanesTable::f64_to_f16},
    {{Dtype::kF64, Dtype::kU32, Rounding::kTowardZero}, &LanesTable::f64_to_u32},
    {{Dtype::kU32, Dtype::kF32, Rounding::kNearestEven}, &LanesTable::u32_to_f32},
    {{Dtype::kU32, Dtype::kF64, Rounding::kExact}, &LanesTable::u32_to_f64},
}};

CastLanes find_lanes(CastOperation operation) {
  for (const Row& row : kRows) {
    if (row.operation == operation) return best_level().table->*row.lanes;
  }
  return nullptr;
}

bool from_16_bits(CastOperation operation) {
  return traits(operation.from).width == 16 && traits(operation.from).is_floating() &&
         traits(operation.to).is_floating() &&
         operation.rounding == natural_rounding(operation.from, operation.to);
}

}  // namespace

namespace {

template <typename Word>
Bits load_word(const void* buffer, std::size_t i) {
  Word word;
  std::memcpy(&word, static_cast<const char*>(buffer) + i * sizeof(Word), sizeof(Word));
  return word;
}

template <typename Word>
void store_word(void* buffer, std::size_t i, Bits bits) {
  const Word word = static_cast<Word>(bits);
  std::memcpy(static_cast<char*>(buffer) + i * sizeof(Word), &word, sizeof(Word));
}

}  // namespace

Bits load(const void* buffer, std::size_t i, Dtype dtype) {
  switch (traits(dtype).bytes()) {
    case 1:
      return load_word<std::uint8_t>(buffer, i);
    case 2:
      return load_word<std::uint16_t>(buffer, i);
    case 4:
      return load_word<std::uint32_t>(buffer, i);
    default:
      return load_word<std::uint64_t>(buffer, i);
  }
}

void store(void* buffer, std::size_t i, Dtype dtype, Bits bits) {
  switch (traits(dtype).bytes()) {
    case 1:
      return store_word<std::uint8_t>(buffer, i, bits);
    case 2:
      return store_word<std::uint16_t>(buffer, i, bits);
    case 4:
      return store_word<std::uint32_t>(buffer, i, bits);
    default:
      return store_word<std::uint64_t>(buffer, i, bits);
  }
}

std::string_view cast_oracle_level() {
  return best_level().name;
}

bool has_cast_oracle(CastOperation operation) {
  return from_16_bits(operation) || find_lanes(operation) != nullptr;
}

CastOracle::CastOracle(CastOperation operation) : operation_(operation) {
  if (from_16_bits(operation)) {
    ExactCast exact(operation);
    table_.resize(1 << 16);
    for (Bits input = 0; input < table_.size(); ++input) table_[input] = exact(input);
    return;
  }
  lanes_ = find_lanes(operation);
  if (lanes_ == nullptr) {
    throw std::invalid_argument("no oracle for the cast " +
                                std::string(traits(operation.from).name) + " to " +
                                std::string(traits(operation.to).name));
  }
}

void CastOracle::expect(const void* in, void* out, std::size_t n) const {
  if (lanes_ != nullptr) {
    lanes_(in, out, n);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    store(out, i, operation_.to, table_[load(in, i, operation_.from)]);
  }
}

Bits CastOracle::expect_one(Bits input) const {
  if (lanes_ == nullptr) return table_[input];
  Bits result = 0;
  lanes_(&input, &result, 1);
  return result;
}

}  // namespace assay::oracle
