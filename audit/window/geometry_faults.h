// Calls with one thing wrong about their extents or parameters.
#pragma once

#include <string>
#include <vector>

#include "audit/window/call.h"

namespace assay::window {

/// A valid call with one thing changed, so that the operation cannot carry it out.
struct FaultyCall {
  Call call;
  std::string what;   ///< "stride_h = 0"
  std::string about;  ///< the operand or parameter
};

/// Of a valid `call` that has all operands: everything that a parameter of the operation cannot be,
/// windows beyond the image, operands that do not fit each other, extents that cannot exist. The
/// outputs are those of the valid call and, besides, those that careless arithmetic gives, unless
/// the contract's shape rule gives the same: then the call is a valid one.
std::vector<FaultyCall> faulty_calls(const Operation& operation, const Call& call);

/// The same call with a parameter set.
Call with_parameter(Call call, const std::string& name, std::int64_t value);

}  // namespace assay::window
