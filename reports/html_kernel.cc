// One kernel's part of an HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/evidence_text.h"
#include "reports/findings.h"
#include "reports/html_chart.h"
#include "reports/html_sections.h"
#include "reports/html_text.h"
#include "reports/rates.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

std::string_view verdict_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUpheld:
      return "good";
    case Verdict::kRefuted:
    case Verdict::kError:
      return "bad";
    case Verdict::kUndecided:
      return "warn";
    case Verdict::kUnclaimed:
      break;
  }
  return "soft";
}

/// Legible without colour: a sign and a word.
std::string verdict_html(const ClaimRecord& claim) {
  std::string_view sign = "";
  if (claim.verdict == Verdict::kUpheld) sign = "\u2713 ";
  if (claim.verdict == Verdict::kRefuted || claim.verdict == Verdict::kError) sign = "\u2717 ";
  return fmt::format("<span class=\"{}\">{}{}</span>", verdict_class(claim.verdict), sign,
                     verdict_word(claim.verdict));
}

std::string claim_id(std::size_t kernel, std::size_t claim) {
  return fmt::format("{}-claim-{}", html_kernel_id(kernel), claim);
}

using Promises = std::vector<const ClaimRecord*>;

std::string matrix(const KernelRecord& kernel, std::size_t index, const Promises& promises) {
  std::vector<std::string> headings = {"claim", "declared"};
  for (const VariantRecord& variant : kernel.variants) headings.push_back(html_text(variant.name));
  HtmlTable table(fmt::format("Claims of {} by variant", kernel.kernel), headings);
  for (std::size_t p = 0; p < promises.size(); ++p) {
    std::vector<std::string> cells = {
        fmt::format("<a href=\"#{}\">{}</a>", claim_id(index, p), html_code(promises[p]->id)),
        promises[p]->declared.empty() ? "" : html_code(promises[p]->declared)};
    for (const VariantRecord& variant : kernel.variants) {
      std::string cell;
      for (const ClaimRecord& claim : variant.claims) {
        if (!same_promise(claim, *promises[p])) continue;
        cell += fmt::format("{}{}, {}", cell.empty() ? "" : "<br>", verdict_html(claim),
                            short_strength(claim.strength));
      }
      cells.push_back(cell.empty() ? "not a claim here" : cell);
    }
    table.add(cells);
  }
  return table.html();
}

Chart histogram(const Finding& finding) {
  Chart chart;
  chart.title = fmt::format("ULP error of {} on {}", finding.claim->id, joined(finding.variants));
  chart.axis = "ULP error, up to";
  chart.measure = "results";
  chart.series = {"results"};
  chart.logarithmic = chart.whole_numbers = true;
  const std::vector<HistogramRow>& rows = finding.claim->measured.histogram;
  const std::span<const HistogramRow> told = told_rows(rows);
  for (const HistogramRow& row : told) {
    chart.bars.push_back(
        {row.upper == 0 ? "exact" : number_text(row.upper), 1, {static_cast<double>(row.count)}});
  }
  if (told.size() < rows.size()) {
    chart.note = fmt::format("None is above {}.", number_text(told.back().upper));
  }
  return chart;
}

bool are_whole(const Profile& profile) {
  for (const ProfileRow& row : profile.rows) {
    for (const std::optional<double>& value : row.values) {
      if (value && *value != std::floor(*value)) return false;
    }
  }
  return true;
}

Chart picture(const Profile& profile, const Finding& finding) {
  Chart chart;
  chart.title = fmt::format("{}: {}", profile.title, joined(finding.variants));
  chart.axis = profile.axis;
  chart.measure = profile.measure;
  chart.series = profile.series;
  // What is counted goes from one to billions.
  chart.logarithmic = chart.whole_numbers = profile.measure == "results" && are_whole(profile);
  double span = 1;
  for (const ProfileRow& row : profile.rows) {
    if (row.first && row.last) span += *row.last - *row.first + 1;
  }
  // Rows that stand apart, and single exponents among hundreds, are still to be seen.
  const double least = span / 60;
  for (const ProfileRow& row : profile.rows) {
    const double breadth =
        !profile.logarithmic_axis && row.first && row.last ? *row.last - *row.first + 1 : least;
    chart.bars.push_back({row.at, std::max(breadth, least), row.values});
  }
  return chart;
}

/// By the variants' processor time; of kernels that are timed call by call see `rates`.
Chart throughput(const KernelRecord& kernel) {
  Chart chart;
  chart.title = "Probes checked per CPU second, judging included";
  chart.axis = "variant";
  chart.measure = "probes per second";
  chart.series = {"probes per second"};
  for (const VariantRecord& variant : kernel.variants) {
    if (variant.probes_per_second > 0) {
      chart.bars.push_back({variant.name, 1, {variant.probes_per_second}});
    }
  }
  return chart;
}

std::string rates(const KernelRecord& kernel) {
  const std::vector<RateRow> rows = rate_rows(kernel);
  if (rows.empty()) return html_chart(throughput(kernel));
  std::string out;
  for (std::size_t i = 0; i < rows.size();) {
    Chart chart;
    chart.title = "Calls per second: " + rows[i].call;
    chart.axis = "variant";
    chart.measure = "calls per second";
    chart.series = {"calls per second"};
    const std::string& call = rows[i].call;
    for (; i < rows.size() && rows[i].call == call; ++i) {
      if (rows[i].calls_per_second > 0) {
        chart.bars.push_back({rows[i].variant, 1, {rows[i].calls_per_second}});
      }
    }
    out += html_chart(chart);
  }
  return out;
}

std::string rate_table(const KernelRecord& kernel) {
  const std::vector<RateRow> rows = rate_rows(kernel);
  if (rows.empty()) return "";
  HtmlTable table("Timed calls", {"call", "variant", "time", "GFLOP/s", "GB/s", "speedup"});
  for (const RateRow& row : rows) {
    table.add({html_text(row.call), html_text(row.variant), row.time, row.gflops_per_second,
               row.gbytes_per_second, row.speedup});
  }
  return fmt::format("<p>{}</p>\n{}", html_text(rates_note(kernel.variants.front().name)),
                     table.html());
}

std::string pictures(const KernelRecord& kernel, const Promises& promises) {
  std::string out;
  for (const ClaimRecord* promise : promises) {
    for (const Finding& finding : findings_about(kernel, *promise)) {
      const Measured& measured = finding.claim->measured;
      if (!measured.histogram.empty()) out += html_chart(histogram(finding));
      for (const Profile& profile : measured.profiles) out += html_chart(picture(profile, finding));
    }
  }
  out += rates(kernel);
  return out.empty() ? out
                     : fmt::format("<h3>Pictures</h3>\n<div class=\"pictures\">\n{}</div>\n", out);
}

std::string measured(const Finding& finding) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const MeasuredFact& fact : measured_facts(finding.claim->measured)) {
    facts.emplace_back(fact.name, fact.is_code ? html_code(fact.value) : html_text(fact.value));
  }
  if (facts.empty()) return "";
  return fmt::format("<p>Measured on {}:</p>\n{}", html_text(joined(finding.variants)),
                     html_facts(facts));
}

std::string remarks(const RunInfo& run, const Finding& finding) {
  const ClaimRecord& claim = *finding.claim;
  const std::string who = html_text(joined(finding.variants));
  std::string items;
  for (const Exclusion& exclusion : claim.excluded) {
    items += fmt::format("<li>On {}: {} excluded: {}</li>\n", who,
                         counted(exclusion.probes, "probe"), html_text(exclusion.reason));
  }
  if (!claim.why.empty()) items += fmt::format("<li>On {}: {}</li>\n", who, html_text(claim.why));
  if (!claim.token.empty()) {
    items +=
        fmt::format("<li>On {}: <code>{}</code></li>\n", who, html_text(repro_command(run, claim)));
  }
  return items.empty() ? items : fmt::format("<ul>\n{}</ul>\n", items);
}

std::string evidence(const RunInfo& run, const KernelRecord& kernel, const ClaimRecord& promise,
                     const std::string& id) {
  const std::vector<Finding> findings = findings_about(kernel, promise);
  HtmlTable table("Evidence",
                  {"variants", "verdict", "strength", "probes of each", "violations", "space"});
  std::string verdicts;
  bool open = false;
  for (const Finding& finding : findings) {
    const ClaimRecord& claim = *finding.claim;
    open = open || claim.verdict == Verdict::kRefuted || claim.verdict == Verdict::kError;
    if (verdicts.find(verdict_html(claim)) == std::string::npos) {
      verdicts += (verdicts.empty() ? "" : ", ") + verdict_html(claim);
    }
    table.add({html_text(joined(finding.variants)), verdict_html(claim),
               std::string(short_strength(claim.strength)), html_text(probes_text(claim)),
               with_thousands(claim.violations),
               claim.space.empty() ? "none" : html_text(claim.space)});
  }
  const Source& source = promise.source;
  std::string out = fmt::format(
      "<details id=\"{}\"{}><summary>{}{}: {}</summary>\n<p>Claim: {}.</p>\n<p>Source: {} ({}){}"
      "</p>\n{}",
      id, open ? " open" : "", html_code(promise.id),
      promise.declared.empty() ? "" : " = " + html_code(promise.declared), verdicts,
      html_text(promise.statement), html_code(source_place(source)), to_string(source.kind),
      source.text.empty() ? "" : fmt::format(": <q>{}</q>", html_text(source.text)), table.html());
  for (const Finding& finding : findings) out += remarks(run, finding);
  for (const Finding& finding : findings) out += measured(finding);
  return out + "</details>\n";
}

std::string digests(const KernelRecord& kernel) {
  HtmlTable table("Digests of the outputs",
                  {"variant", "digest", "covers", "probes", "probes per second"});
  for (const VariantRecord& variant : kernel.variants) {
    table.add({html_text(variant.name), variant.digest.empty() ? "none" : html_code(variant.digest),
               html_text(variant.digest_space), with_thousands(variant.probes),
               fmt::format("{:.3g}", variant.probes_per_second)});
  }
  return table.html();
}

}  // namespace

std::string html_kernel(const RunInfo& run, const KernelRecord& kernel, std::size_t index) {
  const std::string id = html_kernel_id(index);
  std::string out = fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n", id,
                                html_code(kernel.kernel));
  out += html_facts({{"operation", html_code(kernel.op_kind)},
                     {"entry point", html_code(kernel.entry_point)},
                     {"contract", html_code(fmt::format("{}:{}", kernel.file, kernel.line))},
                     {"revision hash", html_code(kernel.revision_hash)},
                     {"library", kernel.library.empty() ? "built in" : html_code(kernel.library)},
                     {"registrable", kernel.registrable ? "yes" : "no"}});
  if (was_not_run(kernel)) {
    out += fmt::format("<p class=\"alert\"><strong>NOT RUN</strong>: {}</p>\n",
                       html_text(not_run_reason(kernel)));
  }
  if (!kernel.variants.empty()) {
    const Promises promises = promises_of(kernel);
    out += matrix(kernel, index, promises) + pictures(kernel, promises) + "<h3>Evidence</h3>\n";
    for (std::size_t p = 0; p < promises.size(); ++p) {
      out += evidence(run, kernel, *promises[p], claim_id(index, p));
    }
    out += "<h3>Digests and throughput</h3>\n" + digests(kernel) + rate_table(kernel);
  }
  return out + "</section>\n";
}

}  // namespace assay
