#include "audit/fuzz/shard_files.h"

#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

#include "audit/audit.h"
#include "audit/cli/unfinished.h"
#include "audit/fuzz/scratch.h"
#include "audit/fuzz/shard_audit.h"
#include "audit/fuzz/subjects.h"
#include "audit/worker/checkpoint.h"
#include "contracts/fuzz/demand.h"

namespace assay::fuzz {

namespace {

constexpr std::string_view kMagic = "assay-checkpoint/1\n";

/// What stands before the body of a record.
struct Head {
  std::uint64_t bytes;
  std::uint64_t sum;
};

ShardRecords records_of(const std::string& file) {
  ShardRecords records;
  std::size_t at = kMagic.size();
  while (at + sizeof(Head) <= file.size()) {
    Head head;
    std::memcpy(&head, file.data() + at, sizeof(head));
    records.push_back(file.substr(at + sizeof(head), head.bytes));
    at += sizeof(head) + head.bytes;
  }
  demand(at == file.size() && file.starts_with(kMagic), "a shard in the form that is known here");
  return records;
}

ShardRecords run_shard(unsigned number) {
  const std::filesystem::path path = scratch_folder() / "real.shard";
  cli::AuditArguments arguments;
  arguments.effort = "quick";
  arguments.seed = "1";
  arguments.contracts = {"contracts/reference/cast.fkc.md"};
  arguments.shard = std::to_string(number) + "/2";
  {
    Checkpoint checkpoint =
        Checkpoint::create(path, cli::to_text(cli::identity_of(arguments, "assay audit", "", {})));
    AuditOptions options = shard_audit_options();
    options.checkpoint = &checkpoint;
    options.shard = cli::shard_of(arguments);
    audit(subjects().documents, subjects().registry, options);
    checkpoint.end({});
    demand(checkpoint.failure().empty(), "a shard that can be written");
  }
  std::ifstream stream(path, std::ios::binary);
  return records_of(std::string((std::istreambuf_iterator<char>(stream)), {}));
}

}  // namespace

const std::vector<ShardRecords>& real_shards() {
  static const std::vector<ShardRecords> shards = {run_shard(1), run_shard(2)};
  return shards;
}

std::string shard_file(const ShardRecords& records) {
  std::string file(kMagic);
  for (const std::string& body : records) {
    const Head head{body.size(), XXH3_64bits(body.data(), body.size())};
    file.append(reinterpret_cast<const char*>(&head), sizeof(head));
    file += body;
  }
  return file;
}

}  // namespace assay::fuzz
