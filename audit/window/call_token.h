// Calls of operations with windows as tokens hold them.
#pragma once

#include "audit/token/token.h"
#include "audit/window/specimen.h"

namespace assay::window {

/// `result`: the linear index of the result concerned.
TokenCall token_call(const Operation& operation, const Geometry& geometry, const Tensors& tensors,
                     std::uint64_t result);

/// The same way back. Throws UsageError, which says what is wrong, where the operation has no such
/// call, the contract does not admit it, or the tensors do not have its elements.
Specimen specimen_of(const Operation& operation, const TokenCall& call);

}  // namespace assay::window
