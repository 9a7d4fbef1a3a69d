#include "audit/cli/ctest/claim_lookup.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "audit/cli/replace_file.h"
#include "audit/options.h"
#include "contracts/command_words.h"
#include "contracts/run_record.h"
#include "contracts/unicode.h"
#include "reports/evidence_text.h"
#include "reports/file_set.h"
#include "reports/reader.h"
#include "reports/repeat.h"
#include "reports/rollup.h"

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

fs::path list_path(const fs::path& report) {
  return report.string() + ".standings";
}

/// The first line of the list: which report it is of.
std::string digest_line(const std::string& report) {
  return fmt::format("{:016x}\n", XXH3_64bits(report.data(), report.size()));
}

/// How a line of the list begins. Quotes of JSON keep the names apart, whatever is in them. The
/// kernel itself has neither claim nor variant.
std::string key(const std::string& kernel, const std::string& claim, const std::string& variant) {
  const std::string text = json{kernel, claim, variant}.dump(-1, ' ', true, kReplace);
  return text.substr(0, text.size() - 1) + ",";
}

/// What was planned and left out, but for inputs outside of the contract; empty if nothing was.
std::string left_out(const ClaimRecord& claim) {
  for (const Exclusion& exclusion : claim.excluded) {
    if (exclusion.reason == kOutsideDomain) continue;
    return fmt::format("{} of {} planned probes were left out: {}", exclusion.probes, claim.planned,
                       one_line(exclusion.reason));
  }
  return {};
}

int status_of(const RunInfo& run, const KernelRecord& kernel, const ClaimRecord& claim) {
  switch (claim.verdict) {
    case Verdict::kUpheld:
      return left_out(claim).empty() ? 0 : 3;
    case Verdict::kRefuted:
      return 1;
    case Verdict::kUnclaimed:
    case Verdict::kUndecided:
    case Verdict::kError:
      break;
  }
  return is_open(run, kernel, claim) ? 3 : kSkipped;
}

/// From good to bad: passed, passed over, no answer, refuted.
int badness(int status) {
  return status == 0 ? 0 : status == kSkipped ? 1 : status == 3 ? 2 : 3;
}

Standing standing_of(const RunInfo& run, const KernelRecord& kernel, const VariantRecord& variant,
                     const ClaimRecord& claim) {
  const int status = status_of(run, kernel, claim);
  std::string text = one_line(fmt::format("{} / {} / {}", kernel.kernel, claim.id, variant.name)) +
                     fmt::format(": {} ({}, {} probes)\n", to_string(claim.verdict),
                                 to_string(claim.strength), claim.probes);
  if (!claim.why.empty()) text += fmt::format("why: {}\n", one_line(claim.why));
  const std::string missing = left_out(claim);
  if (!missing.empty()) text += missing + "\n";
  if (status == 0 || status == kSkipped) return {status, text};
  text += fmt::format("declared: {} ({})\n", one_line(claim.declared),
                      one_line(source_place(claim.source)));
  if (claim.counterexample) {
    text += fmt::format("counterexample: {}\n", one_line(claim.counterexample->why));
    for (const std::string& line : counterexample_lines(*claim.counterexample)) {
      text += fmt::format("  {}\n", one_line(line));
    }
  }
  text += "repeat with: " + repeat_command(run, kernel, claim.id, {&variant.name, 1}) + "\n";
  return {status, text};
}

Standing standing_of(const KernelRecord& kernel) {
  if (was_not_run(kernel)) {
    return {3, one_line(kernel.kernel + " was not run: " + not_run_reason(kernel)) + "\n"};
  }
  return {0, one_line(kernel.kernel) + " was run\n"};
}

/// The line of the list that begins so, if there is one.
std::optional<Standing> find_standing(const fs::path& report, const std::string& begin) {
  const fs::path path = list_path(report);
  const auto refuse = [&] {
    throw UsageError(fmt::format("{} is not of this report; `assay ctest prepare {}` writes it",
                                 one_line(path.string()),
                                 shell_quoted(path_word(report.string()))));
  };
  const std::string text = contents(report);
  std::ifstream list(path);
  std::string line;
  if (!std::getline(list, line) || line + "\n" != digest_line(text)) refuse();
  while (std::getline(list, line)) {
    if (!line.starts_with(begin)) continue;
    const json entry = json::parse(line, nullptr, false);
    const bool whole = entry.is_array() && entry.size() == 5 && entry[3].is_number_integer() &&
                       entry[4].is_string();
    if (!whole) refuse();
    return Standing{entry[3].get<int>(), entry[4].get<std::string>()};
  }
  return std::nullopt;
}

}  // namespace

void write_standings(const fs::path& report) {
  const std::string text = contents(report);
  RunRecord record;
  try {
    record = read_report(text, report.string());
  } catch (const UnreadableReport& error) {
    throw UsageError(error.what());
  }
  std::map<std::string, Standing> worst;
  const auto add = [&](const std::string& name, Standing standing) {
    const auto [known, is_new] = worst.try_emplace(name, standing);
    if (!is_new && badness(standing.status) > badness(known->second.status)) {
      known->second = std::move(standing);
    }
  };
  for (const KernelRecord& kernel : record.kernels) {
    add(key(kernel.kernel, "", ""), standing_of(kernel));
    for (const VariantRecord& variant : kernel.variants) {
      for (const ClaimRecord& claim : variant.claims) {
        add(key(kernel.kernel, claim.id, variant.name),
            standing_of(record.run, kernel, variant, claim));
      }
    }
  }
  std::string list = digest_line(text);
  for (const auto& [name, standing] : worst) {
    list += fmt::format("{}{},{}]\n", name, standing.status,
                        json(standing.text).dump(-1, ' ', true, kReplace));
  }
  const fs::path path = list_path(report);
  const std::vector<RenderedFile> files = {{path.filename().string(), list}};
  write_files(path.has_parent_path() ? path.parent_path() : ".", files);
}

Standing look_up(const fs::path& report, const std::string& kernel, const std::string& claim,
                 const std::string& variant) {
  const std::string name = one_line(fmt::format("{} / {} / {}", kernel, claim, variant));
  return find_standing(report, key(kernel, claim, variant))
      .value_or(Standing{3, "the report has no verdict for " + name + "\n"});
}

Standing look_up_kernel(const fs::path& report, const std::string& kernel) {
  return find_standing(report, key(kernel, "", ""))
      .value_or(Standing{3, "the report has no kernel " + one_line(kernel) + "\n"});
}

}  // namespace assay::cli
