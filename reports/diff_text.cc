#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "contracts/unicode.h"
#include "reports/diff_writer.h"
#include "reports/evidence_text.h"
#include "reports/markdown_text.h"
#include "reports/text.h"

namespace assay {

namespace {

bool is_of_runs(const Change& change) {
  return change.kind <= ChangeKind::kHardware;
}

/// A part of the page: which changes stand in it.
struct Part {
  std::string_view heading;
  bool (*has)(const Change&);
};

constexpr bool has_effect(const Change& change, Effect effect) {
  return row(change.kind).effect == effect;
}

constexpr std::array<Part, 5> kParts = {{
    {"How far the runs compare", is_of_runs},
    {"Regressions",
     [](const Change& c) { return !is_of_runs(c) && has_effect(c, Effect::kRegression); }},
    {"Improvements",
     [](const Change& c) { return !is_of_runs(c) && has_effect(c, Effect::kImprovement); }},
    {"Other changes",
     [](const Change& c) {
       return !is_of_runs(c) && has_effect(c, Effect::kInformation) &&
              c.kind != ChangeKind::kThroughput;
     }},
    {"Throughput", [](const Change& c) { return c.kind == ChangeKind::kThroughput; }},
}};

std::vector<const Change*> changes_in(const Part& part, const std::vector<Change>& changes) {
  std::vector<const Change*> found;
  for (const Change& change : changes) {
    if (part.has(change)) found.push_back(&change);
  }
  return found;
}

std::string run_text(const RunRecord& record) {
  return fmt::format("assay {} ({}), effort {}, seed {}, {}, {}", record.tool.version,
                     record.tool.revision, record.run.effort, record.run.seed, record.run.started,
                     record.machine.cpu);
}

std::string variants_text(const Change& change) {
  if (change.all_variants) return fmt::format("all {} variants", change.variants.size());
  return joined(change.variants);
}

/// "max ULP distance: measured worse by the same probes".
std::string what_text(const Change& change) {
  const std::string words(row(change.kind).words);
  return change.what.empty() ? words : fmt::format("{}: {}", change.what, words);
}

std::string values_text(const Change& change) {
  if (change.before.empty() && change.after.empty()) return "";
  const auto value = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  return fmt::format("{} -> {}", value(change.before), value(change.after));
}

std::string line_of(const Change& change) {
  std::string line;
  for (const std::string& part : {change.kernel, variants_text(change), change.claim}) {
    if (!part.empty()) line += (line.empty() ? "" : ", ") + part;
  }
  if (!line.empty()) line += ": ";
  if (is_of_runs(change) && has_effect(change, Effect::kRegression)) line += "REGRESSION: ";
  line += what_text(change);
  const std::string values = values_text(change);
  return one_line(values.empty() ? line : line + ": " + values);
}

}  // namespace

std::string diff_counts(const std::vector<Change>& changes) {
  if (changes.empty()) return "no changes";
  return fmt::format("{}, {}, {}", counted(count_of(changes, Effect::kRegression), "regression"),
                     counted(count_of(changes, Effect::kImprovement), "improvement"),
                     counted(count_of(changes, Effect::kInformation), "other change"));
}

std::string diff_text(const ComparedReports& reports, const std::vector<Change>& changes) {
  std::string text = fmt::format("old: {}: {}\nnew: {}: {}\n", one_line(reports.before_name),
                                 one_line(run_text(reports.before)), one_line(reports.after_name),
                                 one_line(run_text(reports.after)));
  for (const Part& part : kParts) {
    const std::vector<const Change*> found = changes_in(part, changes);
    if (found.empty()) continue;
    text += fmt::format("\n{}\n", part.heading);
    for (const Change* change : found) {
      text += "  " + line_of(*change) + "\n";
      if (!change->note.empty()) text += "      " + one_line(change->note) + "\n";
    }
  }
  return text + (changes.empty() ? "" : "\n") + diff_counts(changes) + "\n";
}

std::string diff_markdown(const ComparedReports& reports, const std::vector<Change>& changes) {
  std::string text = "# Comparison of two reports\n\n";
  text += fmt::format("**{}**\n\n", diff_counts(changes));
  text += md_head({"", "report", "run"});
  text += md_row({"old", md_code(reports.before_name), md_text(run_text(reports.before))});
  text += md_row({"new", md_code(reports.after_name), md_text(run_text(reports.after))});
  for (const Part& part : kParts) {
    const std::vector<const Change*> found = changes_in(part, changes);
    if (found.empty()) continue;
    text += fmt::format("\n## {}\n\n", part.heading);
    const bool of_runs = is_of_runs(*found.front());
    text += of_runs ? md_head({"what", "old", "new", "note"})
                    : md_head({"kernel", "variants", "claim", "what", "old", "new", "note"});
    for (const Change* change : found) {
      std::vector<std::string> cells;
      if (!of_runs) {
        cells = {md_text(change->kernel), md_text(variants_text(*change)), md_text(change->claim)};
      }
      const bool worse = of_runs && has_effect(*change, Effect::kRegression);
      cells.push_back((worse ? "**regression**: " : "") + md_text(what_text(*change)));
      for (const std::string& value : {change->before, change->after, change->note}) {
        cells.push_back(md_text(value));
      }
      text += md_row(cells);
    }
  }
  return text;
}

}  // namespace assay
