// A quick audit of one adapter, against the verdicts that are known.
//
//   adapter_check LIBRARY.so CONTRACT EXPECTED
//
// Every claim has to be upheld, or only measured, but for those that EXPECTED says are refuted
// (contracts/adapters/expected_findings.txt), and these have to be refuted. The contract and the
// library have to name the same kernels.
//
// Exit status: 0 as expected, 1 not, 77 the library has no kernels for this machine, 2 bad
// arguments, 3 something else went wrong.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "audit/audit.h"
#include "audit/worker/plugins.h"
#include "contracts/fkc/document.h"
#include "kernels/registry.h"

namespace {

using namespace assay;

/// "kernel variant claim"
using Names = std::set<std::string>;

/// The lines about this library. Throws UsageError for a line that is no such line.
Names read_expected(const std::string& path, const std::string& library) {
  std::ifstream file(path);
  if (!file) throw UsageError("cannot read " + path);
  Names names;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string of, kernel, variant, claim, more;
    if (!(words >> of >> kernel >> variant >> claim) || words >> more ||
        !claim_kind_from_id(claim)) {
      throw UsageError(fmt::format("{}: not a library, kernel, variant and claim: {}", path, line));
    }
    if (of == library) names.insert(fmt::format("{} {} {}", kernel, variant, claim));
  }
  return names;
}

std::vector<fkc::Document> read_contract(const std::string& path) {
  std::vector<fkc::Document> documents;
  documents.push_back(fkc::read_document(path));
  for (const fkc::Diagnostic& fault : documents[0].diagnostics) {
    fmt::print("{}\n", to_string(fault));
  }
  if (fkc::has_errors(documents[0].diagnostics)) throw UsageError(path + " is faulty");
  return documents;
}

/// Kernels of the library that no contract speaks of, and the reverse.
int unmatched(const RunRecord& record, const std::vector<Kernel>& kernels) {
  int faults = 0;
  std::set<std::string> audited;
  for (const KernelRecord& kernel : record.kernels) {
    audited.insert(kernel.entry_point);
    if (kernel.not_run.empty()) continue;
    fmt::print("{} was not run: {}\n", kernel.kernel, kernel.not_run);
    ++faults;
  }
  for (const Kernel& kernel : kernels) {
    if (audited.count(kernel.entry_point) > 0) continue;
    fmt::print("the contract does not name the library's {}\n", kernel.entry_point);
    ++faults;
  }
  return faults;
}

int differences(const RunRecord& record, const Names& expected) {
  int faults = 0;
  std::size_t judged = 0;
  for (const KernelRecord& kernel : record.kernels) {
    for (const VariantRecord& variant : kernel.variants) {
      for (const ClaimRecord& claim : variant.claims) {
        const std::string name = fmt::format("{} {} {}", kernel.kernel, variant.name, claim.id);
        const bool finding = expected.count(name) > 0;
        judged += claim.verdict == Verdict::kUpheld || claim.verdict == Verdict::kRefuted ? 1 : 0;
        if (claim.verdict == Verdict::kUnclaimed && !finding) continue;
        if (claim.verdict == (finding ? Verdict::kRefuted : Verdict::kUpheld)) continue;
        fmt::print("{}: {} instead of {}: {}\n", name, to_string(claim.verdict),
                   finding ? "refuted" : "upheld",
                   claim.counterexample ? claim.counterexample->why : claim.why);
        ++faults;
      }
    }
  }
  // A finding that stands in the list under a misspelt name would never be missed.
  for (const std::string& name : expected) {
    std::istringstream words(name);
    std::string kernel_name, variant_name, id;
    words >> kernel_name >> variant_name >> id;
    bool known = false;
    for (const KernelRecord& kernel : record.kernels) known |= kernel.kernel == kernel_name;
    if (known) continue;
    fmt::print("{} is expected, and there is no such kernel\n", name);
    ++faults;
  }
  fmt::print("{} claims judged, {} of them known to fall if this machine has the variant\n", judged,
             expected.size());
  if (judged == 0) ++faults;
  return faults;
}

int check(const std::string& library, const std::string& contract, const std::string& expected) {
  std::vector<Kernel> kernels;
  try {
    kernels = plugin_kernels(library);
  } catch (const UsageError& error) {
    const std::string why = error.what();
    fmt::print("{}\n", why);
    return why.find("it has no kernels for this machine") == why.npos ? 1 : 77;
  }
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 2;
  const RunRecord record =
      audit(read_contract(contract), registry_with_plugins({library}), options);
  const Names findings = read_expected(expected, std::filesystem::path(library).stem());
  return unmatched(record, kernels) + differences(record, findings) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "adapter_check: see the head of its source for its arguments\n");
    return 2;
  }
  try {
    return check(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    fmt::print("adapter_check: {}\n", error.what());
    return 3;
  }
}
