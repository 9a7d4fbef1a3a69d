#include "reports/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "contracts/claim.h"
#include "reports/evidence_text.h"
#include "reports/findings.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/sarif_parts.h"
#include "reports/text.h"

namespace assay {

namespace {

using sarif::Json;

constexpr std::string_view kNotRun = "kernel.not_run";
constexpr std::string_view kIncomplete = "audit.incomplete";

/// Rules that are no claims; in the log they follow the claims.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOwnRules = {{
    {kNotRun, "the kernel is audited"},
    {kIncomplete, "the audit comes to its end"},
}};

Json rules() {
  Json array = Json::array();
  for (const ClaimRow& claim : kClaims) {
    array.push_back(sarif::rule(claim.id, claim.statement,
                                "Each result has the command that repeats it. Either the kernel "
                                "is at fault or the contract promises too much; `assay list "
                                "CONTRACT` shows where it does."));
  }
  for (const auto& [id, meaning] : kOwnRules) {
    array.push_back(sarif::rule(id, meaning,
                                "What was not run was not judged; the result says why it was not "
                                "run."));
  }
  return array;
}

/// The rule's place in `rules()`; that of no rule is left out.
void add_rule(Json& json, const char* id_key, const char* index_key, std::string_view id) {
  json[id_key] = one_line(id);
  const auto claim = std::ranges::find(kClaims, id, &ClaimRow::id);
  if (claim != kClaims.end()) {
    json[index_key] = claim - kClaims.begin();
    return;
  }
  const auto own = std::ranges::find(kOwnRules, id, &decltype(kOwnRules)::value_type::first);
  if (own != kOwnRules.end()) {
    json[index_key] = static_cast<std::ptrdiff_t>(kClaims.size()) + (own - kOwnRules.begin());
  }
}

/// The results of one record, as they are gathered.
class Results {
 public:
  /// `source`: where the promise stands; that of the kernel where it has no file. `key`: what the
  /// result is known by in later runs.
  void add(std::string_view rule, std::string_view level, const std::string& text,
           const KernelRecord& kernel, const Source& source, const std::string& key,
           Json properties) {
    Json json;
    add_rule(json, "ruleId", "ruleIndex", rule);
    json["level"] = level;
    json["message"] = sarif::message(text);
    const bool placed = !source.file.empty();
    Json location;
    location["physicalLocation"] = placed ? sarif::physical_location(source.file, source.line)
                                          : sarif::physical_location(kernel.file, kernel.line);
    Json logical = {{"name", one_line(kernel.kernel)}, {"kind", "function"}};
    if (!kernel.entry_point.empty()) logical["fullyQualifiedName"] = one_line(kernel.entry_point);
    location["logicalLocations"] = Json::array({std::move(logical)});
    json["locations"] = Json::array({std::move(location)});
    json["partialFingerprints"] = {{"assayPromise/v1", unique(key)}};
    json["properties"] = std::move(properties);
    array_.push_back(std::move(json));
  }

  Json take() { return std::move(array_); }

 private:
  /// Two promises of one kind have one key; then the second is "key/2".
  std::string unique(const std::string& key) {
    std::string name = key;
    for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}/{}", key, n);
    return name;
  }

  Json array_ = Json::array();
  std::set<std::string> taken_;
};

std::string document_name(const KernelRecord& kernel) {
  return kernel.file.substr(kernel.file.find_last_of('/') + 1);
}

std::string promise_text(const ClaimRecord& claim) {
  return one_line(claim.declared.empty() ? claim.id
                                         : fmt::format("{} = {}", claim.id, claim.declared));
}

/// What one group of variants gave, and how to see it again.
std::string finding_text(const RunRecord& record, const Finding& finding) {
  const ClaimRecord& claim = *finding.claim;
  std::vector<std::string> lines;
  std::string what;
  if (claim.verdict == Verdict::kRefuted) {
    what = fmt::format("{} ({})", violations_text(claim), short_strength(claim.strength));
    if (claim.counterexample) {
      lines.push_back(claim.counterexample->why);
      std::ranges::move(counterexample_lines(*claim.counterexample), std::back_inserter(lines));
    } else {
      lines.push_back("No counterexample is recorded. " + claim.why);
    }
  } else {
    what = claim.why.empty() ? "no reason recorded" : claim.why;
    if (!claim.excluded.empty()) what += "; " + exclusions_text(claim);
  }
  lines.insert(lines.begin(), fmt::format("On {}: {}", joined(finding.variants), what));
  const std::string repro = repro_command(record.run, claim);
  if (!repro.empty()) lines.push_back("Run this case alone: " + repro);
  lines.push_back("Repeat it: " +
                  repeat_command(record.run, *finding.kernel, claim.id, finding.variants));
  std::string text;
  for (const std::string& line : lines) text += "\n" + one_line(line);
  return text;
}

std::string headline(const KernelRecord& kernel, const ClaimRecord& claim,
                     const std::vector<std::string>& variants) {
  const std::string name = one_line(kernel.kernel);
  const std::string promise = promise_text(claim);
  const std::string where = one_line(joined(variants));
  switch (claim.verdict) {
    case Verdict::kRefuted:
      return fmt::format("{} breaks {} on {}.", name, promise, where);
    case Verdict::kError:
      return fmt::format("{}: {} could not be tested to the end on {}.", name, promise, where);
    default:
      return fmt::format("{}: {} is {} on {}.", name, promise, to_string(claim.verdict), where);
  }
}

/// `of_one`: the findings of one promise with one verdict.
void add_claim(Results& results, const RunRecord& record, std::span<const Finding> of_one,
               std::string_view level) {
  const KernelRecord& kernel = *of_one.front().kernel;
  const ClaimRecord& claim = *of_one.front().claim;
  std::vector<std::string> variants;
  std::string details;
  Json repeat = Json::array();
  for (const Finding& finding : of_one) {
    std::ranges::copy(finding.variants, std::back_inserter(variants));
    details += finding_text(record, finding);
    repeat.push_back(repeat_command(record.run, kernel, claim.id, finding.variants));
  }
  const std::string text = fmt::format("{}\nPromised: {}.{}", headline(kernel, claim, variants),
                                       one_line(claim.statement), details);
  const std::string key = one_line(fmt::format("{}/{}/{}/{}", document_name(kernel), kernel.kernel,
                                               claim.id, to_string(claim.verdict)));
  Json properties = {{"verdict", to_string(claim.verdict)}, {"kernel", kernel.kernel}};
  properties["variants"] = variants;
  properties["repeat"] = std::move(repeat);
  results.add(claim.id, level, text, kernel, claim.source, key, std::move(properties));
}

void add_claims(Results& results, const RunRecord& record, const KernelRecord& kernel) {
  constexpr std::array<std::pair<Verdict, std::string_view>, 3> kLevels = {
      {{Verdict::kRefuted, "error"}, {Verdict::kError, "warning"}, {Verdict::kUndecided, "note"}}};
  for (const auto& [verdict, level] : kLevels) {
    std::vector<Finding> findings = findings_of(kernel, {verdict});
    while (!findings.empty()) {
      const ClaimRecord& claim = *findings.front().claim;
      const auto others = std::stable_partition(
          findings.begin(), findings.end(),
          [&](const Finding& finding) { return same_promise(claim, *finding.claim); });
      add_claim(results, record, {findings.begin(), others}, level);
      findings.erase(findings.begin(), others);
    }
  }
}

std::string not_run_text(const KernelRecord& kernel) {
  return one_line(fmt::format("{} was not run: {}", kernel.kernel, not_run_reason(kernel)));
}

std::string incomplete_text(const RunInfo& run) {
  return one_line(
      fmt::format("The audit did not come to its end ({}). What was not run is not "
                  "judged.",
                  run.incomplete.empty() ? "no reason recorded" : run.incomplete));
}

Json results_of(const RunRecord& record) {
  Results results;
  if (!record.run.complete && !record.kernels.empty()) {
    const KernelRecord& first = record.kernels.front();
    results.add(kIncomplete, "warning", incomplete_text(record.run), first, {},
                std::string(kIncomplete), {{"repeat", Json::array({record.run.command})}});
  }
  for (const KernelRecord& kernel : record.kernels) {
    if (was_not_run(kernel)) {
      const std::string key =
          one_line(fmt::format("{}/{}/not_run", document_name(kernel), kernel.kernel));
      results.add(kNotRun, "warning", not_run_text(kernel), kernel, {}, key,
                  {{"kernel", kernel.kernel}});
    }
    add_claims(results, record, kernel);
  }
  return results.take();
}

Json notification(std::string_view rule, const std::string& text) {
  Json json;
  json["level"] = "error";
  json["message"] = sarif::message(text);
  if (!rule.empty()) add_rule(json["associatedRule"], "id", "index", rule);
  return json;
}

Json invocation(const RunRecord& record) {
  Json notifications = Json::array();
  if (!record.run.complete) {
    notifications.push_back(notification(kIncomplete, incomplete_text(record.run)));
  }
  if (record.kernels.empty()) notifications.push_back(notification({}, "No kernel was audited."));
  for (const KernelRecord& kernel : record.kernels) {
    if (!was_not_run(kernel)) continue;
    notifications.push_back(notification(kNotRun, not_run_text(kernel)));
  }
  if (const std::uint64_t errors = record.summary().error; errors > 0) {
    notifications.push_back(
        notification({}, fmt::format("{} could not be tested to the end; the results say why.",
                                     counted(errors, "claim"))));
  }
  Json json;
  if (!record.run.command.empty()) json["commandLine"] = record.run.command;
  if (!record.run.started.empty()) json["startTimeUtc"] = record.run.started;
  json["executionSuccessful"] = notifications.empty();
  if (!notifications.empty()) json["toolExecutionNotifications"] = std::move(notifications);
  return json;
}

}  // namespace

std::string sarif_report(const RunRecord& record) {
  Json run;
  run["invocations"] = Json::array({invocation(record)});
  run["results"] = results_of(record);
  return sarif::log_text(record.tool.version, rules(), std::move(run));
}

std::vector<RenderedFile> render_sarif(const RunRecord& record) {
  return {{"report.sarif", sarif_report(record)}};
}

}  // namespace assay
