// The closed vocabularies of the contract format.
#pragma once

#include <string_view>

namespace assay::fkc {

// Spelled exactly, upper and lower case included; any text may be asked about.

bool is_op_kind(std::string_view token);          ///< "Cast"
bool is_fused_op(std::string_view token);         ///< "FLASH_ATTN"
bool is_op_kind_params(std::string_view token);   ///< `op_params.variant` beside an `op_kind`
bool is_fused_op_params(std::string_view token);  ///< `op_params.variant` beside a `fused_op`

/// A dtype of the format that this program has no traits for ("F8E4M3").
bool is_dtype_without_traits(std::string_view token);

}  // namespace assay::fkc
