#include "audit/cli/shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>

#include "audit/options.h"
#include "contracts/command_words.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

struct Part {
  std::string path;  ///< as it was named
  Shard shard;
  AuditIdentity identity;
  Checkpoint checkpoint;
};

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("the shards cannot be merged: " + why);
}

/// The file that is meant.
fs::path file_of(const fs::path& named) {
  std::error_code unknown;
  if (fs::is_directory(named, unknown)) return shard_path(named);
  return named.extension() == ".shard" ? named : shard_path(named.parent_path());
}

Part read_part(const std::string& path) {
  const fs::path file = file_of(path);
  std::error_code unknown;
  if (!fs::exists(file, unknown)) {
    refuse(
        fmt::format("there is no shard in '{}' ({} is missing); `assay audit --shard K/N` makes "
                    "one",
                    path, file.string()));
  }
  try {
    Checkpoint checkpoint = Checkpoint::read(file);
    AuditIdentity identity = identity_from(checkpoint.identity());
    const Shard shard = shard_of(identity.arguments);
    if (!shard.is_part()) refuse(fmt::format("'{}' is a whole audit, and no shard", path));
    if (!checkpoint.ended()) {
      refuse(fmt::format(
          "{} in '{}' is under way, or was cut off; go on with: assay audit "
          "--resume {}",
          to_string(shard), path, shell_quoted(path_word(file.parent_path().string()))));
    }
    return {path, shard, std::move(identity), std::move(checkpoint)};
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
}

std::string text_of(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, " "));
}

/// Refuses two shards of different audits.
void require_fit(const Part& first, const Part& other) {
  struct Difference {
    const char* what;
    std::string mine, others;
  };
  const AuditIdentity& a = first.identity;
  const AuditIdentity& b = other.identity;
  for (const auto& [what, mine, others] : std::initializer_list<Difference>{
           {"other numbers of shards", std::to_string(first.shard.of),
            std::to_string(other.shard.of)},
           {"other efforts", a.arguments.effort, b.arguments.effort},
           {"other seeds", a.arguments.seed, b.arguments.seed},
           {"other names of contracts", text_of(a.arguments.contracts),
            text_of(b.arguments.contracts)},
           {"other kernels (--only)", text_of(a.arguments.only), text_of(b.arguments.only)},
           {"other variants (--variant)", text_of(a.arguments.variants),
            text_of(b.arguments.variants)},
           {"other libraries (--kernels)", text_of(a.arguments.kernels),
            text_of(b.arguments.kernels)},
           {"other contents of the contracts", a.contracts, b.contracts},
           {"other contents of the libraries", a.libraries, b.libraries},
           {"other versions of this program", a.program, b.program},
           {"other machines, on which results may differ", a.machine, b.machine},
       }) {
    if (mine == others) continue;
    refuse(fmt::format("'{}' and '{}' have {}: {} and {}", first.path, other.path, what, mine,
                       others));
  }
}

/// All shards by their numbers. Refuses a set with one twice, or with one missing.
std::vector<Part*> by_numbers(std::vector<Part>& parts) {
  const unsigned of = parts.front().shard.of;
  std::vector<Part*> by_number(of, nullptr);
  for (Part& part : parts) {
    Part*& place = by_number[part.shard.number - 1];
    if (place != nullptr) {
      refuse(fmt::format("{} is there twice: '{}' and '{}'", to_string(part.shard), place->path,
                         part.path));
    }
    place = &part;
  }
  std::vector<unsigned> missing;
  for (unsigned i = 0; i < of; ++i) {
    if (by_number[i] == nullptr) missing.push_back(i + 1);
  }
  if (missing.empty()) return by_number;
  refuse(fmt::format("of {} shards, {} missing: {}", of,
                     missing.size() == 1 ? "one is" : fmt::format("{} are", missing.size()),
                     fmt::join(missing, ", ")));
}

}  // namespace

Shards read_shards(const std::vector<std::string>& paths) {
  std::vector<Part> parts;
  for (const std::string& path : paths) {
    parts.push_back(read_part(path));
    require_fit(parts.front(), parts.back());
  }
  const std::vector<Part*> all = by_numbers(parts);  // the same whatever the order
  AuditIdentity identity = all.front()->identity;
  std::string unfinished;
  std::vector<Checkpoint> checkpoints;
  for (Part* part : all) {
    identity.started = std::min(identity.started, part->identity.started);
    if (!part->checkpoint.ended()->empty()) {
      unfinished += fmt::format("{}{}: {}", unfinished.empty() ? "" : "; ", to_string(part->shard),
                                *part->checkpoint.ended());
    }
    checkpoints.push_back(std::move(part->checkpoint));
  }
  try {
    return {std::move(identity), std::move(unfinished), Checkpoint::join(std::move(checkpoints))};
  } catch (const UnfitRecord& error) {
    refuse(error.what());
  }
}

}  // namespace assay::cli
