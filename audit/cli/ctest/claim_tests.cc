#include "audit/cli/ctest/claim_tests.h"

#include <fmt/format.h>

#include <set>

#include "audit/bind.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace {

/// Claims whose outcome is recorded and never judged have no test.
bool is_judged(const Claim& claim) {
  const auto* overflow = std::get_if<OverflowRule>(&claim.value);
  const auto* nan = std::get_if<NanRule>(&claim.value);
  return !(overflow != nullptr && *overflow == OverflowRule::kCallerError) &&
         !(nan != nullptr && *nan == NanRule::kCallerError);
}

template <class AnyJob>
void add_tests(const AnyJob& job, const std::string& kernel, std::vector<ClaimTest>& tests) {
  if (!job.not_run.empty()) tests.push_back({kernel, {}, {}});
  const auto add = [&](const Claim& claim) {
    for (const KernelVariant* variant : job.variants) {
      tests.push_back({kernel, std::string(row(claim.kind).id), variant->name});
    }
  };
  for (const Claim& claim : job.contract->claims) {
    if (is_judged(claim)) add(claim);
  }
  for (const Claim& claim : job.contract->disputed) add(claim);
}

/// `text` between long brackets of CMake that it has not itself.
std::string bracketed(const std::string& text) {
  std::string level = "=";
  while (text.find("]" + level) != std::string::npos) level += "=";
  return "[" + level + "[" + text + "]" + level + "]";
}

}  // namespace

std::vector<ClaimTest> claim_tests(const std::vector<fkc::Document>& documents,
                                   const Registry& registry, const AuditOptions& options) {
  const Bound bound = assay::bind(documents, registry, options);  // not std::bind
  std::vector<ClaimTest> tests;
  std::set<std::string> names;
  for (const Bound::Slot& slot : bound.order) {
    const bool cast = slot.family == Bound::Family::kCast;
    const std::string name =
        cast ? bound.casts[slot.index].contract->kernel : bound.windows[slot.index].kernel_name;
    if (!names.insert(name).second) {
      throw UsageError(fmt::format(
          "two contracts are about a kernel named '{}', so that its tests could not be told apart; "
          "give each document tests of its own",
          one_line(name)));
    }
    if (cast) {
      add_tests(bound.casts[slot.index], name, tests);
    } else {
      add_tests(bound.windows[slot.index], name, tests);
    }
  }
  return tests;
}

std::string test_name(const ClaimTest& test, const std::string& prefix) {
  if (test.claim.empty()) return one_line(prefix + test.kernel + " / is audited");
  return one_line(fmt::format("{}{} / {} / {}", prefix, test.kernel, test.claim, test.variant));
}

std::string ctest_script(std::span<const ClaimTest> tests, const TestDeclaration& declaration) {
  std::string labels;
  for (const std::string& label : declaration.labels) {
    labels += (labels.empty() ? "" : ";") + label;
  }
  std::string script;
  for (const ClaimTest& test : tests) {
    const std::string name = bracketed(test_name(test, declaration.prefix));
    script +=
        fmt::format("add_test({} {} ctest check {} -- {}", name, bracketed(declaration.program),
                    bracketed(declaration.report), bracketed(test.kernel));
    if (!test.claim.empty()) {
      script += fmt::format(" {} {}", bracketed(test.claim), bracketed(test.variant));
    }
    script += fmt::format(
        ")\nset_tests_properties({} PROPERTIES LABELS {} FIXTURES_REQUIRED {} SKIP_RETURN_CODE "
        "77)\n",
        name, bracketed(labels), bracketed(declaration.fixture));
  }
  return script;
}

}  // namespace assay::cli
