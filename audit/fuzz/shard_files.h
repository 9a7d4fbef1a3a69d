// The files of a real audit's two shards, taken apart so that they can be changed and put together
// again with lengths and checksums that fit.
#pragma once

#include <string>
#include <vector>

namespace assay::fuzz {

/// The bodies of a file's records: the audit's identity first, the note of its end last.
using ShardRecords = std::vector<std::string>;

/// Both shards of a quick audit of the smallest cast, which the first call runs.
const std::vector<ShardRecords>& real_shards();

/// A file of these records.
std::string shard_file(const ShardRecords& records);

}  // namespace assay::fuzz
