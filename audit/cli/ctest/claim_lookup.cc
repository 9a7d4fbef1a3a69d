#include "audit/cli/ctest/claim_lookup.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "audit/cli/replace_file.h"
#include "audit/options.h"
#include "contracts/claim.h"
#include "contracts/run_record.h"
#include "contracts/unicode.h"
#include "reports/file_set.h"
#include "reports/repeat.h"

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto kReplace = json::error_handler_t::replace;

std::string contents(const fs::path& path) {
  try {
    return file_contents(path);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("there is no report to read: {}", error.what()));
  }
}

/// Calls `read` with the report, and names it where it is not what it should be.
template <class Read>
auto with_report(const fs::path& path, const std::string& text, Read read) {
  try {
    const json report = json::parse(text);
    if (report.at("schema") != "assay-report/1") {
      throw UsageError(fmt::format("{}: its schema is not assay-report/1", path.string()));
    }
    return read(report);
  } catch (const json::exception& error) {
    throw UsageError(
        fmt::format("{}: not a report of an audit: {}", path.string(), one_line(error.what())));
  }
}

fs::path list_path(const fs::path& report) {
  return report.string() + ".upheld";
}

/// The first line of the list: which report it is of.
std::string digest_line(const std::string& report) {
  return fmt::format("{:016x}\n", XXH3_64bits(report.data(), report.size()));
}

/// How a line of the list begins. Quotes of JSON keep the names apart, whatever is in them.
std::string key(const std::string& kernel, const std::string& claim, const std::string& variant) {
  const std::string text = json{kernel, claim, variant}.dump(-1, ' ', true, kReplace);
  return text.substr(0, text.size() - 1) + ",";
}

std::string evidence_of(const json& claim) {
  return fmt::format("{} ({}, {} probes)", claim.at("verdict").get<std::string>(),
                     claim.at("strength").get<std::string>(),
                     claim.at("probes").get<std::uint64_t>());
}

/// What was planned and left out, but for inputs outside of the contract; empty if nothing was.
std::string left_out(const json& claim) {
  for (const json& exclusion : claim.at("excluded")) {
    if (exclusion.at("reason") == kOutsideDomain) continue;
    return fmt::format("{} of {} planned probes were left out: {}",
                       exclusion.at("probes").get<std::uint64_t>(),
                       claim.at("planned").get<std::uint64_t>(),
                       one_line(exclusion.at("reason").get<std::string>()));
  }
  return {};
}

int status_of(const json& kernel, const json& claim) {
  const std::string verdict = claim.at("verdict");
  if (verdict == "upheld") {
    return left_out(claim).empty() && claim.at("probes").get<std::uint64_t>() > 0 ? 0 : 3;
  }
  if (verdict == "refuted") return 1;
  if (verdict == "unclaimed") return kSkipped;
  const bool alone = verdict == "undecided" && kernel.at("variants").size() == 1;
  return alone && claim.at("id") == row(ClaimKind::kBitwise).id ? kSkipped : 3;
}

/// Passed over, passed, no answer, refuted: from good to bad.
int badness(int status) {
  return status == 0 ? 0 : status == kSkipped ? 1 : status == 3 ? 2 : 3;
}

std::string repeat(const json& report, const json& kernel, const std::string& claim,
                   const std::string& variant) {
  RunInfo run;
  run.effort = report.at("run").at("effort");
  run.seed = report.at("run").at("seed");
  KernelRecord record;
  record.kernel = kernel.at("kernel");
  record.file = kernel.at("contract").at("file");
  record.library = kernel.value("library", "");
  for (const json& tried : kernel.at("variants")) {
    record.variants.emplace_back().name = tried.at("name");
  }
  const std::vector<std::string> variants = {variant};
  return repeat_command(run, record, claim, variants);
}

std::string explained(const json& report, const json& kernel, const json& claim,
                      const std::string& variant, int status) {
  std::string text = evidence_of(claim) + "\n";
  const std::string why = claim.value("why", "");
  if (!why.empty()) text += fmt::format("why: {}\n", one_line(why));
  const std::string missing = left_out(claim);
  if (!missing.empty()) text += missing + "\n";
  if (status == 0 || status == kSkipped) return text;
  const json& source = claim.at("source");
  text += fmt::format("declared: {} ({}:{})\n", one_line(claim.at("declared").get<std::string>()),
                      one_line(source.at("file").get<std::string>()), source.at("line").get<int>());
  if (claim.contains("counterexample")) {
    const json& example = claim.at("counterexample");
    text += fmt::format("counterexample: {}\n{}\n", one_line(example.value("why", "")),
                        example.dump(2, ' ', true, kReplace));
  }
  return text + "repeat with: " + repeat(report, kernel, claim.at("id"), variant) + "\n";
}

Standing read_standing(const json& report, const std::string& kernel, const std::string& id,
                       const std::string& variant) {
  const std::string name = one_line(fmt::format("{} / {} / {}", kernel, id, variant));
  Standing worst;
  bool found = false;
  for (const json& record : report.at("kernels")) {
    if (record.at("kernel") != kernel) continue;
    for (const json& tried : record.at("variants")) {
      if (tried.at("name") != variant) continue;
      for (const json& claim : tried.at("claims")) {
        if (claim.at("id") != id) continue;
        const int status = status_of(record, claim);
        if (found && badness(status) <= badness(worst.status)) continue;
        worst = {status, name + ": " + explained(report, record, claim, variant, status)};
        found = true;
      }
    }
  }
  if (!found) worst.text = "the report has no verdict for " + name + "\n";
  return worst;
}

}  // namespace

void write_upheld_list(const fs::path& report) {
  const std::string text = contents(report);
  std::string list = digest_line(text);
  with_report(report, text, [&](const json& record) {
    std::map<std::string, std::string> upheld;  // empty: one of that name is not
    for (const json& kernel : record.at("kernels")) {
      for (const json& variant : kernel.at("variants")) {
        for (const json& claim : variant.at("claims")) {
          const std::string name = key(kernel.at("kernel"), claim.at("id"), variant.at("name"));
          const bool good = status_of(kernel, claim) == 0;
          const auto [entry, added] = upheld.emplace(name, evidence_of(claim));
          if (!good || (!added && entry->second.empty())) entry->second.clear();
        }
      }
    }
    for (const auto& [name, evidence] : upheld) {
      if (!evidence.empty()) list += name + json(evidence).dump() + "]\n";
    }
  });
  const fs::path path = list_path(report);
  const std::vector<RenderedFile> files = {{path.filename().string(), list}};
  write_files(path.has_parent_path() ? path.parent_path() : ".", files);
}

Standing look_up(const fs::path& report, const std::string& kernel, const std::string& claim,
                 const std::string& variant) {
  const std::string text = contents(report);
  std::ifstream list(list_path(report));
  std::string line;
  if (std::getline(list, line) && line + "\n" == digest_line(text)) {
    const std::string begin = key(kernel, claim, variant);
    while (std::getline(list, line)) {
      if (!line.starts_with(begin)) continue;
      const std::string name = one_line(fmt::format("{} / {} / {}", kernel, claim, variant));
      const json entry = json::parse(line, nullptr, false);
      if (!entry.is_array() || entry.size() != 4) break;
      return {0, name + ": " + entry[3].get<std::string>() + "\n"};
    }
  }
  return with_report(report, text, [&](const json& record) {
    return read_standing(record, kernel, claim, variant);
  });
}

Standing look_up_kernel(const fs::path& report, const std::string& kernel) {
  return with_report(report, contents(report), [&](const json& record) {
    Standing standing{3, "the report has no kernel " + one_line(kernel) + "\n"};
    for (const json& entry : record.at("kernels")) {
      if (entry.at("kernel") != kernel) continue;
      const std::string why = entry.at("not_run");
      if (!why.empty()) return Standing{3, one_line(kernel + " was not run: " + why) + "\n"};
      standing = {0, one_line(kernel) + " was run\n"};
    }
    return standing;
  });
}

}  // namespace assay::cli
