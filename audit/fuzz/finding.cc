#include "audit/fuzz/finding.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "audit/fuzz/subjects.h"
#include "audit/repro/repeat.h"
#include "audit/token/token.h"
#include "contracts/unicode.h"
#include "reports/file_set.h"

namespace assay::fuzz {

namespace {

void print(const char* name, const std::string& text) {
  if (!text.empty()) std::fprintf(stderr, "  %-12s %s\n", name, one_line(text).c_str());
}

std::string shown(const TensorRecord& tensor) {
  constexpr std::size_t kShown = 16;
  std::string text = tensor.dtype + ":";
  for (std::size_t i = 0; i < tensor.bits.size() && i < kShown; ++i) text += " " + tensor.bits[i];
  return tensor.bits.size() > kShown ? text + " ..." : text;
}

/// As `assay repro` would.
std::string seen_again(const std::string& token) {
  try {
    AuditOptions options;
    options.threads = 1;
    const Repeated repeated =
        repeat(token_from(token, "."), subjects().documents, subjects().registry, options);
    switch (repeated.outcome) {
      case Repeated::Outcome::kFails:
        return "fails there, too";
      case Repeated::Outcome::kHolds:
        return "not seen there: the audit's own calls do not show it";
      case Repeated::Outcome::kNotRun:
        break;
    }
    return "could not be run there: " + repeated.why;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

void report(const std::string& kernel, const KernelVariant& variant, ClaimKind claim,
            const Counterexample& example) {
  std::fprintf(stderr, "REFUTED: %s, variant %s: %s\n", kernel.c_str(), variant.name.c_str(),
               std::string(row(claim).id).c_str());
  print("why", example.why);
  for (const TensorRecord& input : example.inputs) print(input.name.c_str(), shown(input));
  for (const ParameterRecord& parameter : example.params) {
    print(parameter.name.c_str(), parameter.value);
  }
  print("got", shown(example.got));
  print("expected", shown(example.expected));
  if (example.file) {
    write_files(kCaseFolder,
                std::vector<RenderedFile>{{example.file->name, example.file->content}});
  }
  print("repeat", "assay repro " + example.token + (example.file ? " --report ." : ""));
  print("a process", "of its own: " + seen_again(example.token));
  std::abort();
}

void report_fault(const std::string& kernel, const KernelVariant& variant, const std::string& why) {
  std::fprintf(stderr, "NOT CARRIED OUT: %s, variant %s: a valid call\n", kernel.c_str(),
               variant.name.c_str());
  print("why", why);
  std::abort();
}

}  // namespace assay::fuzz
