// The tests that a contract and its kernels stand for, and how they are declared to ctest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/options.h"
#include "contracts/fkc/document.h"
#include "kernels/registry.h"

namespace assay::cli {

/// One claim of one variant, or, without claim and variant, a kernel that cannot be audited: there
/// is a test for that too, which fails.
struct ClaimTest {
  std::string kernel;
  std::string claim;
  std::string variant;

  friend bool operator==(const ClaimTest&, const ClaimTest&) = default;
};

/// The tests of what an audit of `documents` with these options judges, in its order. Left out is
/// what a contract leaves to the caller, which is recorded and never judged; claims on which the
/// contract contradicts itself are in. Throws UsageError where `bind` does, and where two contracts
/// give one kernel's name, so that a verdict could be taken for the other's.
std::vector<ClaimTest> claim_tests(const std::vector<fkc::Document>& documents,
                                   const Registry& registry, const AuditOptions& options);

/// How the tests are declared.
struct TestDeclaration {
  std::string program;              ///< path of `assay`
  std::string report;               ///< path of the report.json in which verdicts are looked up
  std::string fixture;              ///< the fixture whose setup is the audit
  std::string prefix;               ///< put before each name
  std::vector<std::string> labels;  ///< of each test
};

/// "casts: cast_f32_to_f16 / rounding / AVX2", on one line whatever the names.
std::string test_name(const ClaimTest& test, const std::string& prefix);

/// A script for ctest with a test for each. Names are strangers' text: none can end its quotes.
std::string ctest_script(std::span<const ClaimTest> tests, const TestDeclaration& declaration);

}  // namespace assay::cli
