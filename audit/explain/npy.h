// Arrays in NumPy's file format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contracts/dtype.h"

namespace assay {

struct NpyArray {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;
  std::vector<Bits> elements;  ///< row-major
};

/// An array of a `.npy` file's bytes: format 1.0, 2.0 or 3.0 (numpy.lib.format), dtypes `<f2`,
/// `<f4`, `<f8` and `<u4`, in C order, of at most 2^22 elements. Accepts any bytes; throws
/// UsageError, which says what is wrong in `name`, for all others.
NpyArray npy_array(const std::string& bytes, const std::string& name);

/// The same of a file. Throws UsageError also where it cannot be read, or is no regular file.
NpyArray read_npy(const std::string& path);

}  // namespace assay
