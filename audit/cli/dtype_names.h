// Lists of dtypes as the commands print them.
#pragma once

#include <string>
#include <vector>

#include "contracts/dtype.h"

namespace assay::cli {

/// "f32, f64"
inline std::string dtype_names(const std::vector<Dtype>& dtypes) {
  std::string text;
  for (const Dtype dtype : dtypes) {
    text += (text.empty() ? "" : ", ") + std::string(traits(dtype).name);
  }
  return text;
}

}  // namespace assay::cli
