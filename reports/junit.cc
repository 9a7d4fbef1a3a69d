#include "reports/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "reports/evidence_text.h"
#include "reports/pages.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/text.h"
#include "reports/xml_text.h"

namespace assay {

namespace {

/// What became of a test; a passed one has no element.
enum class Outcome { kPassed, kFailure, kError, kSkipped };

struct TestCase {
  std::string name;
  Outcome outcome = Outcome::kPassed;
  std::string type;               ///< the verdict in one word
  std::string message;            ///< one sentence
  std::vector<std::string> body;  ///< lines
};

struct Suite {
  std::string package;  ///< the contract's page; empty for the audit itself
  std::string kernel;
  double seconds = 0;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<TestCase> cases;
  std::vector<std::string> output;
};

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, xml_line(value));
}

std::string seconds_text(double seconds) {
  return std::isfinite(seconds) && seconds > 0 ? fmt::format("{:.3f}", seconds) : "0";
}

std::string lines_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += xml_line(line) + "\n";
  return text;
}

std::string element_of(const TestCase& test) {
  switch (test.outcome) {
    case Outcome::kPassed:
      return "";
    case Outcome::kSkipped:
      // As text: the older schemas, and some readers, know no attribute of it.
      return fmt::format("   <skipped>{}</skipped>\n", xml_line(test.message));
    case Outcome::kFailure:
    case Outcome::kError:
      break;
  }
  const std::string_view tag = test.outcome == Outcome::kFailure ? "failure" : "error";
  return fmt::format("   <{}{}{}>{}</{}>\n", tag, attribute("type", test.type),
                     attribute("message", test.message), lines_text(test.body), tag);
}

std::string case_xml(const std::string& class_name, const TestCase& test) {
  const std::string head =
      fmt::format("  <testcase{}{} time=\"0\"", attribute("classname", class_name),
                  attribute("name", test.name));
  const std::string element = element_of(test);
  return element.empty() ? head + "/>\n" : head + ">\n" + element + "  </testcase>\n";
}

/// The schema's times have no zone. "" where the record has no time in UTC.
std::string timestamp(const RunInfo& run) {
  constexpr std::size_t kLength = std::string_view("2024-02-29T12:34:56").size();
  if (run.started.size() != kLength + 1 || run.started.back() != 'Z') return "";
  return attribute("timestamp", run.started.substr(0, kLength));
}

std::string suite_xml(const RunInfo& run, const Suite& suite, std::size_t id) {
  const auto count = [&](Outcome outcome) {
    return std::ranges::count(suite.cases, outcome, &TestCase::outcome);
  };
  const std::string name =
      suite.package.empty() ? suite.kernel : fmt::format("{}.{}", suite.package, suite.kernel);
  std::string xml = fmt::format(
      " <testsuite id=\"{}\"{}{}{} hostname=\"localhost\" tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\" skipped=\"{}\" time=\"{}\">\n  <properties>\n",
      id, attribute("package", suite.package.empty() ? name : suite.package),
      attribute("name", name), timestamp(run), suite.cases.size(), count(Outcome::kFailure),
      count(Outcome::kError), count(Outcome::kSkipped), seconds_text(suite.seconds));
  for (const auto& [key, value] : suite.properties) {
    xml += fmt::format("   <property{}{}/>\n", attribute("name", key), attribute("value", value));
  }
  xml += "  </properties>\n";
  for (const TestCase& test : suite.cases) xml += case_xml(name, test);
  return xml + fmt::format("  <system-out>{}</system-out>\n  <system-err/>\n </testsuite>\n",
                           lines_text(suite.output));
}

/// What stands in a failure or an error.
std::vector<std::string> body_of(const RunRecord& record, const KernelRecord& kernel,
                                 const VariantRecord& variant, const ClaimRecord& claim) {
  std::vector<std::string> lines = {
      fmt::format("claim: {}{}: {}", claim.id,
                  claim.declared.empty() ? "" : fmt::format(" = {}", claim.declared),
                  claim.statement),
      fmt::format("contract: {} ({}){}{}", source_place(claim.source), to_string(claim.source.kind),
                  claim.source.text.empty() ? "" : ": ", claim.source.text)};
  if (claim.verdict == Verdict::kRefuted) {
    lines.push_back(
        fmt::format("evidence: {} ({})", violations_text(claim), short_strength(claim.strength)));
  } else {
    lines.push_back(fmt::format("evidence: {} probes ({})", probes_text(claim),
                                short_strength(claim.strength)));
  }
  if (!claim.why.empty()) lines.push_back(fmt::format("why: {}", claim.why));
  if (!claim.excluded.empty()) lines.push_back(exclusions_text(claim));
  if (claim.counterexample) {
    lines.push_back(fmt::format("counterexample: {}", claim.counterexample->why));
    for (const std::string& line : counterexample_lines(*claim.counterexample)) {
      lines.push_back("  " + line);
    }
  }
  const std::string repro = repro_command(record.run, claim);
  if (!repro.empty()) lines.push_back("run this case alone: " + repro);
  lines.push_back("repeat it: " + repeat_command(record.run, kernel, claim.id, {&variant.name, 1}));
  return lines;
}

TestCase case_of(const RunRecord& record, const KernelRecord& kernel, const VariantRecord& variant,
                 const ClaimRecord& claim, std::string name) {
  TestCase test;
  test.name = std::move(name);
  test.type = to_string(claim.verdict);
  const std::string why = claim.why.empty() ? "no reason recorded" : claim.why;
  switch (claim.verdict) {
    case Verdict::kUpheld:
      return test;
    case Verdict::kRefuted:
      test.outcome = Outcome::kFailure;
      test.message = claim.counterexample ? claim.counterexample->why
                                          : "no counterexample is recorded: " + why;
      break;
    case Verdict::kError:
      test.outcome = Outcome::kError;
      test.message = why;
      break;
    case Verdict::kUndecided:
      test.message = "undecided: " + why;
      if (!claim.excluded.empty()) test.message += "; " + exclusions_text(claim);
      test.outcome = is_open(record.run, kernel, claim) ? Outcome::kError : Outcome::kSkipped;
      if (test.outcome == Outcome::kSkipped) return test;
      break;
    case Verdict::kUnclaimed:
      test.outcome = Outcome::kSkipped;
      test.message = "unclaimed: the contract does not say; measured only";
      return test;
  }
  test.body = body_of(record, kernel, variant, claim);
  return test;
}

Suite suite_of(const RunRecord& record, const KernelRecord& kernel, std::string page) {
  Suite suite;
  suite.package = std::move(page);
  suite.kernel = kernel.kernel;
  suite.seconds = cpu_seconds(kernel);
  suite.properties = {{"contract", fmt::format("{}:{}", kernel.file, kernel.line)},
                      {"entry_point", kernel.entry_point},
                      {"revision_hash", kernel.revision_hash},
                      {"library", kernel.library.empty() ? "built in" : kernel.library}};
  if (was_not_run(kernel)) {
    const std::string why = not_run_reason(kernel);
    suite.cases.push_back(
        {"the kernel is audited", Outcome::kError, "not run", "not run: " + why, {}});
    suite.output.push_back("not run: " + why);
  }
  for (const VariantRecord& variant : kernel.variants) {
    std::map<std::string, int> seen;
    for (const ClaimRecord& claim : variant.claims) {
      const int nth = ++seen[claim.id];
      const std::string name = fmt::format("{}{} [{}]", claim.id,
                                           nth == 1 ? "" : fmt::format(" #{}", nth), variant.name);
      suite.output.push_back(fmt::format("{}: {}, {}, {} probes", name, verdict_word(claim.verdict),
                                         short_strength(claim.strength), probes_text(claim)));
      suite.cases.push_back(case_of(record, kernel, variant, claim, name));
    }
  }
  return suite;
}

Suite suite_of_audit(const RunRecord& record) {
  const RunInfo& run = record.run;
  Suite suite;
  suite.kernel = "assay";
  suite.properties = {
      {"command", run.command},
      {"seed", fmt::format("{}", run.seed)},
      {"effort", run.effort},
      {"version", fmt::format("{} ({})", record.tool.version, record.tool.revision)},
      {"compiler", record.tool.compiler},
      {"flags", record.tool.flags},
      {"cpu", record.machine.cpu},
      {"instruction sets", joined(record.machine.targets)}};
  TestCase test;
  test.name = "the audit comes to its end";
  const bool ran = std::ranges::any_of(
      record.kernels, [](const KernelRecord& kernel) { return !kernel.variants.empty(); });
  if (!run.complete) {
    test.outcome = Outcome::kError;
    test.message = fmt::format("incomplete: {}",
                               run.incomplete.empty() ? "no reason recorded" : run.incomplete);
    test.body = {"What was not run is not judged; the other tests are of a part."};
  } else if (!ran) {
    test.outcome = Outcome::kError;
    test.message = "no kernel was run";
    test.body = {"There is nothing here that could pass."};
  }
  test.type = run.complete ? "nothing run" : "incomplete";
  suite.cases = {test};
  return suite;
}

}  // namespace

std::string junit_report(const RunRecord& record) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  xml += suite_xml(record.run, suite_of_audit(record), 0);
  std::size_t id = 0;
  for (const Page& page : pages_of(record, "")) {
    for (const KernelRecord* kernel : page.kernels) {
      xml += suite_xml(record.run, suite_of(record, *kernel, page.file_name), ++id);
    }
  }
  return xml + "</testsuites>\n";
}

std::vector<RenderedFile> render_junit(const RunRecord& record) {
  return {{"junit.xml", junit_report(record)}};
}

}  // namespace assay
