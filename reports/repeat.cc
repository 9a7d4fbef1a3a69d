#include "reports/repeat.h"

#include <fmt/format.h>

#include <algorithm>

#include "contracts/claim.h"
#include "contracts/command_words.h"

namespace assay {

std::string repeat_command(const RunInfo& run, const KernelRecord& kernel, std::string_view id,
                           std::span<const std::string> variants) {
  std::string command =
      fmt::format("assay audit {} --only {}", shell_quoted(path_word(kernel.file)),
                  shell_quoted(exact_pattern(kernel.kernel)));
  if (!kernel.library.empty()) {
    command += fmt::format(" --kernels {}", shell_quoted(path_word(kernel.library)));
  }
  // Which variant the others are compared with depends on all of them.
  const bool compares = id == row(ClaimKind::kBitwise).id;
  if (compares) {
    for (const std::string& pattern : run.variants) {
      command += fmt::format(" --variant={}", shell_quoted(pattern));
    }
  }
  for (const std::string& variant : variants) {
    if (!compares) command += fmt::format(" --variant {}", shell_quoted(exact_pattern(variant)));
  }
  return command + fmt::format(" --effort {} --seed {}", shell_quoted(run.effort), run.seed);
}

std::string repro_command(const RunInfo& run, const ClaimRecord& claim) {
  const bool has_case = claim.counterexample && !claim.counterexample->token.empty();
  const std::string& token = has_case ? claim.counterexample->token : claim.token;
  const std::optional<CaseFile>& file = has_case ? claim.counterexample->file : claim.file;
  if (token.empty()) return "";
  std::string command = "assay repro " + shell_quoted(token);
  if (file && !run.report_folder.empty()) {
    command += fmt::format(" --report {}", shell_quoted(path_word(run.report_folder)));
  }
  return command;
}

}  // namespace assay
