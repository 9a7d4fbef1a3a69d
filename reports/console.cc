#include "reports/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/evidence_text.h"
#include "reports/findings.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

constexpr std::size_t kWidth = 80;

constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kReset = "\x1b[0m";

std::string painted(std::string_view text, std::string_view ink, bool colour) {
  return colour && !ink.empty() ? fmt::format("{}{}{}", ink, text, kReset) : std::string(text);
}

std::string_view ink_of(Verdict verdict) {
  constexpr std::array<std::string_view, 5> inks = {kGreen, kRed, "", kYellow, kYellow};
  return inks[static_cast<std::size_t>(verdict)];
}

/// `text` as lines of at most 80 columns, each behind `indent` blanks, broken at blanks. A word
/// longer than a line stays whole, so that a path or a number can be copied.
std::string wrapped(std::string_view text, std::size_t indent) {
  const std::string margin(indent, ' ');
  const std::string words = one_line(text);
  std::string out;
  std::string line;
  std::size_t begin = 0;
  while (begin < words.size()) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    if (!line.empty() && indent + display_width(line) + 1 + display_width(word) > kWidth) {
      out += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + margin + line + "\n";
}

// The table ------------------------------------------------------------------------------------

constexpr std::size_t kColumns = 9;
constexpr std::array<std::string_view, kColumns> kHeadings = {
    "var", "held", "refd", "uncl", "und", "err", "evidence", "probes", "CPU s"};
constexpr std::size_t kEvidenceColumn = 6;  // words, so on the left; the rest are numbers

constexpr std::string_view kLegend =
    "var: variants. Claims: held upheld, refd refuted, uncl unclaimed (measured\n"
    "only), und undecided, err error. evidence: the weakest strength behind the\n"
    "upheld claims about numbers (rounding, precision.*, domain_exact,\n"
    "accumulator, error_bound, padding_skipped, selection_exact), all variants.\n";

struct TableRow {
  std::string name;
  std::array<std::string, kColumns> cells;
  std::array<std::string_view, kColumns> inks = {};
};

TableRow table_row(std::string name, const Summary& sum, std::size_t variants,
                   std::string_view evidence, double seconds) {
  TableRow row{
      std::move(name),
      {with_thousands(variants), with_thousands(sum.upheld), with_thousands(sum.refuted),
       with_thousands(sum.unclaimed), with_thousands(sum.undecided), with_thousands(sum.error),
       std::string(evidence), with_thousands(sum.probes), fmt::format("{:.1f}", seconds)}};
  if (sum.refuted > 0) row.inks[2] = kRed;
  if (sum.undecided > 0) row.inks[4] = kYellow;
  if (sum.error > 0) row.inks[5] = kYellow;
  return row;
}

std::vector<TableRow> table_rows(const RunRecord& record) {
  std::vector<TableRow> rows;
  Summary total;
  std::size_t variants = 0;
  double seconds = 0;
  for (const KernelRecord& kernel : record.kernels) {
    const Summary sum = summary_of(kernel);
    const std::optional<Strength> weakest = weakest_numeric_strength(kernel.variants);
    rows.push_back(table_row(one_line(kernel.kernel), sum, kernel.variants.size(),
                             weakest ? short_strength(*weakest) : "-", cpu_seconds(kernel)));
    total += sum;
    variants += kernel.variants.size();
    seconds += cpu_seconds(kernel);
  }
  if (rows.size() > 1) rows.push_back(table_row("total", total, variants, "", seconds));
  return rows;
}

std::string table(const RunRecord& record, bool colour) {
  const std::vector<TableRow> rows = table_rows(record);
  std::array<std::size_t, kColumns> widths = {};
  std::size_t numbers = 0;  // columns taken by everything but the name
  for (std::size_t i = 0; i < kColumns; ++i) {
    widths[i] = kHeadings[i].size();
    for (const TableRow& row : rows) widths[i] = std::max(widths[i], row.cells[i].size());
    numbers += 1 + widths[i];
  }
  std::size_t name_width = std::string_view("kernel").size();
  for (const TableRow& row : rows) name_width = std::max(name_width, display_width(row.name));
  name_width = std::min(name_width, kWidth > numbers ? kWidth - numbers : 0);

  const auto cell = [&](std::size_t i, std::string_view text) {
    return i == kEvidenceColumn ? fmt::format("{:<{}}", text, widths[i])
                                : fmt::format("{:>{}}", text, widths[i]);
  };
  std::string out = fmt::format("{:<{}}", "kernel", name_width);
  for (std::size_t i = 0; i < kColumns; ++i) out.append(" ").append(cell(i, kHeadings[i]));
  out += "\n";
  for (const TableRow& row : rows) {
    // A name too long for its column gets a line of its own: names are never cut.
    const std::size_t width = display_width(row.name);
    out += row.name;
    if (width > name_width) out += '\n';
    out.append(width > name_width ? name_width : name_width - width, ' ');
    for (std::size_t i = 0; i < kColumns; ++i) {
      out.append(" ").append(painted(cell(i, row.cells[i]), row.inks[i], colour));
    }
    out += "\n";
  }
  return out;
}

// The findings ---------------------------------------------------------------------------------

std::string finding_head(const Finding& finding, bool colour) {
  const Verdict verdict = finding.claim->verdict;
  return fmt::format("  {}  {}  {}  [{}]\n",
                     painted(verdict_word(verdict), ink_of(verdict), colour),
                     one_line(finding.kernel->kernel), one_line(finding.claim->id),
                     one_line(joined(finding.variants)));
}

/// The findings of these verdicts: some with their details, the others only named.
template <typename Details>
std::string listed(const RunRecord& record, const std::vector<Verdict>& verdicts, bool colour,
                   Details details) {
  std::string out;
  std::string brief;
  for (const KernelFindings& of_kernel :
       shortened(all_kernels(record), verdicts, kFindingsInFull)) {
    for (const Finding& finding : of_kernel.in_full) {
      out += finding_head(finding, colour) + details(finding);
    }
    for (const Finding& finding : of_kernel.in_brief) brief += finding_head(finding, colour);
  }
  return brief.empty() ? out : out + "  Further ones, which the reports have in full:\n" + brief;
}

std::string unsettled(const RunRecord& record, bool colour) {
  std::string out;
  for (const KernelRecord& kernel : record.kernels) {
    if (!was_not_run(kernel)) continue;
    out += fmt::format("  {}  {}\n", painted("NOT RUN", kYellow, colour), one_line(kernel.kernel)) +
           wrapped(not_run_reason(kernel), 6);
  }
  out += listed(record, {Verdict::kUndecided, Verdict::kError}, colour, [](const Finding& finding) {
    const std::string& why = finding.claim->why;
    return wrapped(why.empty() ? "no reason recorded" : why, 6) +
           wrapped(exclusions_text(*finding.claim), 6);
  });
  return out.empty() ? out : fmt::format("\nUndecided, in error or not run:\n{}", out);
}

std::string refuted(const RunRecord& record, bool colour) {
  const auto details = [&record](const Finding& finding) {
    const ClaimRecord& claim = *finding.claim;
    std::string out =
        wrapped(fmt::format("declared {} at {}; {}",
                            claim.declared.empty() ? "without a value" : claim.declared,
                            source_place(claim.source), violations_text(claim)),
                6);
    if (claim.counterexample) {
      // One line each whatever its length: to be copied, searched and compared.
      for (const std::string& line : counterexample_lines(*claim.counterexample)) {
        out += fmt::format("      {}\n", one_line(line));
      }
      out += wrapped(claim.counterexample->why, 6);
    } else {
      out += wrapped("no counterexample recorded; " + claim.why, 6);
    }
    // The case alone where there is one, else the claim.
    const std::string repro = repro_command(record.run, claim);
    return out + fmt::format("      {}\n", repro.empty()
                                               ? repeat_command(record.run, *finding.kernel,
                                                                claim.id, finding.variants)
                                               : repro);
  };
  const std::string out = listed(record, {Verdict::kRefuted}, colour, details);
  return out.empty() ? out : fmt::format("\nRefuted:\n{}", out);
}

std::string incomplete(const RunRecord& record, bool colour) {
  if (record.run.complete) return "";
  const std::string_view why = record.run.incomplete;
  const std::string text = wrapped(
      fmt::format("INCOMPLETE: this audit did not come to its end ({}). What was not run is not "
                  "judged; the numbers are of a part.",
                  why.empty() ? "no reason recorded" : why),
      0);
  return fmt::format("\n{}", painted(text, kRed, colour));
}

}  // namespace

std::string console_summary(const RunRecord& record,
                            const std::vector<std::filesystem::path>& report_paths, bool colour) {
  std::string out = record.kernels.empty() ? "No kernel was audited.\n"
                                           : table(record, colour) + std::string(kLegend);
  out += unsettled(record, colour) + refuted(record, colour);
  if (!report_paths.empty()) out += "\nReports:\n";
  for (const std::filesystem::path& path : report_paths) {
    out += fmt::format("  {}\n", one_line(path.string()));
  }
  out += incomplete(record, colour) + "\n";
  const Summary sum = record.summary();
  const bool unsettled_claims = sum.undecided + sum.error > 0 || !record.run.complete;
  const std::string_view ink = sum.refuted > 0 ? kRed : unsettled_claims ? kYellow : kGreen;
  return out +
         painted(last_line(record), sum.upheld > 0 || sum.refuted > 0 ? ink : kYellow, colour) +
         "\n";
}

std::string last_line(const RunRecord& record) {
  const Summary sum = record.summary();
  const std::uint64_t not_run = count_not_run(all_kernels(record));
  return fmt::format("{}{} upheld, {} refuted, {} measured only, {} undecided, {}{}; {} in {}",
                     record.run.complete ? "" : "INCOMPLETE: ", counted(sum.upheld, "claim"),
                     with_thousands(sum.refuted), with_thousands(sum.unclaimed),
                     with_thousands(sum.undecided), counted(sum.error, "error"),
                     not_run == 0 ? "" : fmt::format(", {} not run", counted(not_run, "kernel")),
                     counted(sum.probes, "probe"), duration_text(record.run.seconds));
}

}  // namespace assay
