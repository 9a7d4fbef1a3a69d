// The scalar parameters of a call, read by name.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/adapters/element_wise.h"

namespace assay_adapters {

/// A parameter that a kernel takes, and the least value that it can have.
struct ParameterRule {
  const char* name;
  std::int64_t least;
};

/// Fills `values` in the order of the rules: each parameter is there once, none besides, and no
/// value is below its rule's. Else refuses the call.
template <int kCount>
std::int32_t read_parameters(const assay_call& call, const ParameterRule (&rules)[kCount],
                             std::int64_t (&values)[kCount]) {
  if (call.parameter_count != kCount) {
    return refuse(call, ASSAY_BAD_PARAMETER, "another number of parameters than the kernel takes");
  }
  for (int rule = 0; rule < kCount; ++rule) {
    int found = 0;
    for (int i = 0; i < kCount; ++i) {
      if (std::strcmp(call.parameters[i].name, rules[rule].name) != 0) continue;
      values[rule] = call.parameters[i].value;
      ++found;
    }
    if (found != 1) return refuse(call, ASSAY_BAD_PARAMETER, "a parameter is missing or repeated");
    if (values[rule] < rules[rule].least) {
      return refuse(call, ASSAY_BAD_PARAMETER, "a parameter is below its least value");
    }
  }
  return ASSAY_OK;
}

}  // namespace assay_adapters
