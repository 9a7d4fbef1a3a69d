#include "audit/judge/tensor_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracles/cast_exact.h"

namespace assay {

TensorRecord tensor_record(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape,
                           const std::vector<Bits>& elements) {
  TensorRecord record;
  record.name = name;
  record.dtype = traits(dtype).name;
  record.shape = std::move(shape);
  for (std::size_t i = 0; i < std::min(elements.size(), kRecordedElements); ++i) {
    record.bits.push_back(hex(elements[i], dtype));
    record.values.push_back(oracle::value_text(elements[i], dtype));
  }
  return record;
}

std::string shown(Bits bits, Dtype dtype) {
  return fmt::format("{} = {}", hex(bits, dtype), oracle::value_text(bits, dtype));
}

}  // namespace assay
