// One claim of one kernel and variant as one ctest test.
//
//   claim_check register PROGRAM REPORT CONTRACT...  prints the CMake commands that declare the
//   tests claim_check digest REPORT                      writes REPORT.upheld: the claims that are
//   upheld claim_check verdict REPORT KERNEL CLAIM VARIANT   exit status 0 if the claim is upheld
//
// The tests share one audit, which is a fixture of theirs. There are many of them and the report is
// large, so each looks into the short list first and reads the report only to explain a failure.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "contracts/fkc/document.h"
#include "kernels/registry.h"

namespace {

using assay::Claim;
using nlohmann::json;

/// Claims whose outcome is recorded and never judged have no test.
bool is_judged(const Claim& claim) {
  const auto* overflow = std::get_if<assay::OverflowRule>(&claim.value);
  const auto* nan = std::get_if<assay::NanRule>(&claim.value);
  return !(overflow != nullptr && *overflow == assay::OverflowRule::kCallerError) &&
         !(nan != nullptr && *nan == assay::NanRule::kCallerError);
}

/// The tests of one thing that a contract stands for: one signature, under its own symbol.
int register_binding(const char* program, const char* report,
                     const assay::fkc::KernelContract& contract, const assay::fkc::Binding& binding,
                     const assay::Registry& registry) {
  const assay::Kernel* implementation = registry.find(binding.entry_point);
  if (implementation == nullptr) {
    fmt::print(stderr, "no kernel under the entry point {}\n", binding.entry_point);
    return 2;
  }
  for (const Claim& claim : contract.claims) {
    if (!is_judged(claim)) continue;
    for (const assay::KernelVariant& variant : implementation->variants) {
      const std::string name =
          fmt::format("{} / {} / {}", binding.kernel, row(claim.kind).id, variant.name);
      fmt::print("add_test([==[{}]==] [==[{}]==] verdict [==[{}]==] {} {} {})\n", name, program,
                 report, binding.kernel, row(claim.kind).id, variant.name);
      fmt::print(
          "set_tests_properties([==[{}]==] PROPERTIES LABELS claims FIXTURES_REQUIRED "
          "claims_report)\n",
          name);
    }
  }
  return 0;
}

int register_tests(const char* program, const char* report, const char* contract) {
  const assay::fkc::Document document = assay::fkc::read_document(contract);
  for (const assay::fkc::Diagnostic& diagnostic : document.diagnostics) {
    fmt::print(stderr, "{}\n", to_string(diagnostic));
  }
  if (assay::fkc::has_errors(document.diagnostics)) return 2;
  const assay::Registry registry = assay::built_in_registry();
  for (const assay::fkc::KernelContract& kernel : document.kernels) {
    for (const assay::fkc::Binding& binding : kernel.signatures()) {
      const int status = register_binding(program, report, kernel, binding, registry);
      if (status != 0) return status;
    }
  }
  return 0;
}

const json* find(const json& list, const char* key, const std::string& value) {
  for (const json& entry : list) {
    if (entry.at(key) == value) return &entry;
  }
  return nullptr;
}

void print_counterexample(const json& claim, const json& report, const std::string& kernel,
                          const std::string& variant, const json& record) {
  if (claim.contains("counterexample")) {
    fmt::print("counterexample: {}\n", claim["counterexample"].dump(2));
  }
  fmt::print("repeat with: assay audit {} --only {} --variant {} --effort {} --seed {}\n",
             record["contract"]["file"].get<std::string>(), kernel, variant,
             report["run"]["effort"].get<std::string>(),
             report["run"]["seed"].get<std::uint64_t>());
}

std::string upheld_list(const std::string& report) {
  return report + ".upheld";
}

std::string name_of(const std::string& kernel, const std::string& id, const std::string& variant) {
  return kernel + " / " + id + " / " + variant;
}

/// A claim counts as upheld when something that bears on it was tested.
/// Upheld, and by all the evidence that was planned: only inputs outside the contract may be left
/// out.
bool is_upheld(const json& claim) {
  for (const json& exclusion : claim.at("excluded")) {
    if (exclusion.at("reason") != "outside the contract's domain") return false;
  }
  return claim.at("verdict") == "upheld" && claim.at("probes") > 0;
}

std::string evidence_of(const json& claim) {
  return fmt::format("{} ({}, {} probes)", claim.at("verdict").get<std::string>(),
                     claim.at("strength").get<std::string>(),
                     claim.at("probes").get<std::uint64_t>());
}

int digest(const char* path) {
  std::ifstream file(path);
  const json report = json::parse(file);
  std::ofstream list(upheld_list(path));
  for (const json& kernel : report.at("kernels")) {
    for (const json& variant : kernel.at("variants")) {
      for (const json& claim : variant.at("claims")) {
        if (!is_upheld(claim)) continue;
        list << name_of(kernel.at("kernel"), claim.at("id"), variant.at("name")) << ": "
             << evidence_of(claim) << '\n';
      }
    }
  }
  return list.flush() ? 0 : 3;
}

int verdict(const char* path, const std::string& kernel, const std::string& id,
            const std::string& variant) {
  const std::string name = name_of(kernel, id, variant) + ": ";
  std::ifstream list(upheld_list(path));
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with(name)) continue;
    fmt::print("{}\n", line);
    return 0;
  }
  std::ifstream file(path);
  if (!file) {
    fmt::print("no report at {}: the audit did not run\n", path);
    return 3;
  }
  const json report = json::parse(file);
  const json* record = find(report.at("kernels"), "kernel", kernel);
  const json* tried = record == nullptr ? nullptr : find(record->at("variants"), "name", variant);
  const json* claim = tried == nullptr ? nullptr : find(tried->at("claims"), "id", id);
  if (claim == nullptr) {
    fmt::print("the report has no claim {} of {} on {}\n", id, kernel, variant);
    return 3;
  }
  fmt::print("{}{}\n", name, evidence_of(*claim));
  if (claim->contains("why")) fmt::print("why: {}\n", claim->at("why").get<std::string>());
  print_counterexample(*claim, report, kernel, variant, *record);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc >= 5 && std::strcmp(argv[1], "register") == 0) {
      for (int i = 4; i < argc; ++i) {
        const int status = register_tests(argv[2], argv[3], argv[i]);
        if (status != 0) return status;
      }
      return 0;
    }
    if (argc == 3 && std::strcmp(argv[1], "digest") == 0) return digest(argv[2]);
    if (argc == 6 && std::strcmp(argv[1], "verdict") == 0) {
      return verdict(argv[2], argv[3], argv[4], argv[5]);
    }
  } catch (const std::exception& error) {
    fmt::print("claim_check: {}\n", error.what());
    return 3;
  }
  fmt::print(stderr, "claim_check: see the head of its source for its arguments\n");
  return 2;
}
