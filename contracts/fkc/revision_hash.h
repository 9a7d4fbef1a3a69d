// The hash that names one revision of a contract.
#pragma once

#include <cstdint>
#include <string_view>

#include "contracts/fkc/node.h"

namespace assay::fkc {

/// Both readings are FNV-1a 64 over `entry_point 0x1F revision_base 0x1F content`. The format's
/// text says that the content is the block as it stands in the file; the original importer hashes a
/// canonical list of records instead, so that comments and order do not count.
///
/// The list is `key=value 0x1E` for op_kind, fused_op, backend, kernel_source, entry_point,
/// determinism; for each input its name, dtypes (joined by commas), dtype_class, and, if present,
/// layout (five flags joined by "|") and quant; op_params.variant; cost.flops, .bytes_moved,
/// .class, .provenance. Values are trimmed and as the block wrote them; what is absent or null is
/// empty, so inherited fields are empty too. Precision, return and `audit` are not covered: two
/// revisions that differ only there have the same hash.
std::uint64_t revision_hash_of_records(const Node& block, std::string_view revision_base);

/// `bytes` is everything between the block's two fences, the last line end included.
std::uint64_t revision_hash_of_bytes(std::string_view bytes, std::string_view entry_point,
                                     std::string_view revision_base);

}  // namespace assay::fkc
