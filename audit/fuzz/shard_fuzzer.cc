// Any bytes are a change of two shards of a real audit, or two files that nobody wrote: `merge`
// reads and judges them, or says why not.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/cli/shards.h"
#include "audit/fuzz/scratch.h"
#include "audit/fuzz/shard_audit.h"
#include "audit/fuzz/shard_files.h"
#include "audit/fuzz/subjects.h"
#include "contracts/fuzz/byte_reader.h"
#include "contracts/fuzz/demand.h"
#include "reports/json.h"

namespace {

using namespace assay;
using namespace assay::fuzz;

/// One change of a record, or of the list of them.
void change(std::vector<ShardRecords>& shards, ByteReader& bytes) {
  ShardRecords& records = shards[bytes.below(shards.size())];
  if (records.empty()) return;
  const std::size_t which = bytes.below(records.size());
  std::string& body = records[which];
  const std::size_t at = body.empty() ? 0 : bytes.number<std::uint16_t>() % body.size();
  switch (bytes.below(8)) {
    case 0:
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(which));
      return;
    case 1: {
      const std::string copy = body;
      records.push_back(copy);
      return;
    }
    case 2:
      std::swap(body, records[bytes.below(records.size())]);
      return;
    case 3:
      body.resize(at);
      return;
    case 4:
      body.insert(at, 1 + bytes.below(16), static_cast<char>(bytes.byte()));
      return;
    default:
      break;
  }
  // Numbers of the sizes that records have.
  const std::size_t width = std::size_t{1} << bytes.below(4);
  const auto value = bytes.number<std::uint64_t>();
  for (std::size_t i = 0; i < width && at + i < body.size(); ++i) {
    body[at + i] = static_cast<char>(value >> (8 * i));
  }
}

void merge(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  for (const std::string& file : files) {
    const std::filesystem::path path = scratch_folder() / (std::to_string(paths.size()) + ".shard");
    write_scratch(path, file);
    paths.push_back(path.string());
  }
  try {
    cli::Shards shards = cli::read_shards(paths);
    AuditOptions options = shard_audit_options();
    options.checkpoint = &shards.checkpoint;
    options.unfinished_shards = shards.unfinished;
    const RunRecord record = audit(subjects().documents, subjects().registry, options);
    // Numbers that a stranger changed, with checksums that fit, are believed; what is written of
    // them is JSON all the same.
    demand(nlohmann::json::accept(json_report(record)), "a report that is JSON");
  } catch (const UsageError& error) {
    demand(*error.what() != '\0', "a reason");
  } catch (const UnfitRecord& error) {
    demand(*error.what() != '\0', "a reason");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader bytes(data, size);
  if (bytes.below(8) == 0) {
    // Two files as they are.
    const std::string text(bytes.text());
    merge({text.substr(0, text.size() / 2), text.substr(text.size() / 2)});
    return 0;
  }
  std::vector<ShardRecords> shards = real_shards();
  while (!bytes.empty()) change(shards, bytes);
  merge({shard_file(shards[0]), shard_file(shards[1])});
  return 0;
}
