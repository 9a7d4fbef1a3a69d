#include "audit/cli/shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "audit/options.h"
#include "audit/regular_file.h"
#include "contracts/command_words.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

struct Part {
  std::string path;  ///< as it was named
  Shard shard;
  AuditIdentity identity;
  Checkpoint checkpoint;
};

/// Larger files are not read as reports.
constexpr std::uintmax_t kMostReportBytes = std::uintmax_t{1} << 30;

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("the shards cannot be merged: " + why);
}

bool is_report(const fs::path& named) {
  std::error_code unknown;
  return named.extension() != ".shard" && !fs::is_directory(named, unknown);
}

/// The file that is meant.
fs::path file_of(const fs::path& named) {
  if (is_report(named)) return shard_path(named.parent_path());
  return named.extension() == ".shard" ? named : shard_path(named);
}

/// Refuses a report that is of another run than the shard beside it.
void require_report_of(const AuditIdentity& identity, const std::string& path) {
  std::string text;
  if (read_regular_file(path, kMostReportBytes, text) != FileFault::kNone) {
    refuse(fmt::format("'{}' cannot be read", path));
  }
  std::string command, started;
  try {
    const nlohmann::json run = nlohmann::json::parse(text).at("run");
    command = run.at("command").get<std::string>();
    started = run.at("started").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    refuse(
        fmt::format("'{}' is no report in JSON; name the shard's folder, its report.json or its "
                    "audit.shard",
                    path));
  }
  if (command == identity.command && started == identity.started) return;
  refuse(fmt::format("'{}' is not about the shard beside it, but about another run: {}", path,
                     one_line(command)));
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
    if (is_report(path)) require_report_of(identity, path);
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

/// Words as a shell takes them, so that two lists never look the same.
std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + shell_quoted(word);
  }
  return text.empty() ? "none" : one_line(text);
}

/// Refuses two shards of different audits.
void require_fit(const Part& first, const Part& other) {
  struct Difference {
    const char* what;
    std::vector<std::string> mine, others;
  };
  const AuditIdentity& a = first.identity;
  const AuditIdentity& b = other.identity;
  for (const auto& [what, mine, others] : std::initializer_list<Difference>{
           {"other numbers of shards",
            {std::to_string(first.shard.of)},
            {std::to_string(other.shard.of)}},
           {"other efforts", {a.arguments.effort}, {b.arguments.effort}},
           {"other seeds", {a.arguments.seed}, {b.arguments.seed}},
           {"other names of contracts", a.arguments.contracts, b.arguments.contracts},
           {"other kernels (--only)", a.arguments.only, b.arguments.only},
           {"other variants (--variant)", a.arguments.variants, b.arguments.variants},
           {"other libraries (--kernels)", a.arguments.kernels, b.arguments.kernels},
       }) {
    if (mine == others) continue;
    refuse(fmt::format("'{}' and '{}' have {}: {} and {}", first.path, other.path, what,
                       text_of(mine), text_of(others)));
  }
  for (const Surrounding& row : surroundings()) {
    const Items mine = row.of(a), others = row.of(b);
    if (mine == others) continue;
    refuse(fmt::format("'{}' and '{}' differ in {}: {} and {}", first.path, other.path, row.what,
                       only_in(mine, others), only_in(others, mine)));
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
                                one_line(*part->checkpoint.ended()));
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
