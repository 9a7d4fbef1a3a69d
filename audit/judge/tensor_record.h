// Tensors and single values as evidence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contracts/dtype.h"
#include "contracts/run_record.h"

namespace assay {

/// A tensor of this shape, of which the first kRecordedElements elements are kept.
TensorRecord tensor_record(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape,
                           const std::vector<Bits>& elements);

/// "0x3f800000 = 1".
std::string shown(Bits bits, Dtype dtype);

}  // namespace assay
