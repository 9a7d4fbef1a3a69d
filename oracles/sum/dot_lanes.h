// Compensated sums of products of one instruction-set level. Internal to the oracles.
#pragma once

#include <cstddef>

namespace assay::oracle {

/// What the lanes add up to, before its errors are added: exactly `sum`, and about `errors`, whose
/// magnitudes are about `error_magnitudes`.
struct DotParts {
  double sum;
  double errors;
  double error_magnitudes;
};

using DotLanes = DotParts (*)(const double* a, const double* b, std::size_t n);

struct DotTable {
  DotLanes dot, magnitudes;                   ///< of any operands
  DotLanes exact_products, exact_magnitudes;  ///< where a[i] * b[i] is exact
};

namespace baseline {
extern const DotTable kDot;
}
namespace x86_64_v3 {
extern const DotTable kDot;
}
namespace x86_64_v4 {
extern const DotTable kDot;
}

}  // namespace assay::oracle
