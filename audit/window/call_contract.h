// What a contract says of a call that need not be a valid one.
#pragma once

#include <optional>
#include <string>

#include "audit/window/call.h"

namespace assay::window {

/// The shapes and parameters of a call as the contract's formulas see them.
fkc::CallShapes call_shapes(const Operation& operation, const Call& call);

/// The shape that the contract's rule gives the output of a call, if it gives one.
std::optional<Shape> ruled_shape(const Operation& operation, const Call& call);

/// Whether a tensor of the call takes more bytes than addresses of 64 bits tell apart.
bool beyond_memory(const Call& call);

/// Why the contract rules a call out, or an empty string: a requirement that does not hold, a
/// shape rule that gives nothing, or another shape than that of the call's output.
std::string ruled_out(const Operation& operation, const Call& call);

/// Whether the contract says what an operand's extents have to be, beside its rank, and all of it
/// holds.
bool constraints_hold(const Operation& operation, const Call& call, std::size_t input);

/// The output's shape as a careless kernel computes it: in integers of 64 bits, or of 32, that wrap
/// around, a division by zero left out. Nothing for tensors of other ranks than the operation's.
std::optional<Shape> careless_shape(const Operation& operation, const Call& call, bool narrow);

}  // namespace assay::window
