// One kernel's part of a Markdown page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/evidence_text.h"
#include "reports/findings.h"
#include "reports/markdown_sections.h"
#include "reports/markdown_text.h"
#include "reports/rates.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

std::string declared_cell(const ClaimRecord& claim) {
  return claim.declared.empty() ? "-" : md_code(claim.declared);
}

std::string matrix(const KernelRecord& kernel, const std::vector<const ClaimRecord*>& promises) {
  std::vector<std::string> headings = {"claim", "declared"};
  for (const VariantRecord& variant : kernel.variants) headings.push_back(md_text(variant.name));
  std::string out = md_head(headings);
  for (const ClaimRecord* promise : promises) {
    std::vector<std::string> cells = {md_code(promise->id), declared_cell(*promise)};
    for (const VariantRecord& variant : kernel.variants) {
      std::string cell;
      for (const ClaimRecord& claim : variant.claims) {
        if (!same_promise(claim, *promise)) continue;
        const std::string_view word = verdict_word(claim.verdict);
        cell += fmt::format("{}{}, {}", cell.empty() ? "" : "; ",
                            claim.verdict == Verdict::kRefuted ? fmt::format("**{}**", word) : word,
                            short_strength(claim.strength));
      }
      cells.push_back(cell.empty() ? "not a claim here" : cell);
    }
    out += md_row(cells);
  }
  return out + "\n";
}

std::string evidence_rows(const std::vector<Finding>& findings) {
  std::string out =
      md_head({"variants", "verdict", "strength", "probes of each", "violations", "space"});
  for (const Finding& finding : findings) {
    const ClaimRecord& claim = *finding.claim;
    out += md_row({md_text(joined(finding.variants)), std::string(verdict_word(claim.verdict)),
                   std::string(short_strength(claim.strength)), md_text(probes_text(claim)),
                   with_thousands(claim.violations),
                   claim.space.empty() ? "none" : md_text(claim.space)});
  }
  return out + "\n";
}

/// What stands beside the counts of a finding: exclusions, the reason of a missing verdict.
std::string remarks(const RunInfo& run, const Finding& finding) {
  const ClaimRecord& claim = *finding.claim;
  const std::string who = md_text(joined(finding.variants));
  std::string out;
  for (const Exclusion& exclusion : claim.excluded) {
    out += fmt::format("- On {}: {} excluded: {}\n", who, counted(exclusion.probes, "probe"),
                       md_text(exclusion.reason));
  }
  if (!claim.why.empty()) out += fmt::format("- On {}: {}\n", who, md_text(claim.why));
  if (!claim.token.empty()) {
    out += fmt::format("- On {}: {}\n", who, md_code(repro_command(run, claim)));
  }
  return out.empty() ? out : out + "\n";
}

std::string histogram(const std::vector<HistogramRow>& rows) {
  const std::span<const HistogramRow> told = told_rows(rows);
  std::string out = md_head({"ULP error", "results"});
  for (const HistogramRow& row : told) {
    const std::string range =
        row.upper == 0
            ? "0 (exact)"
            : fmt::format("above {} up to {}", number_text(row.lower), number_text(row.upper));
    out += md_row({range, with_thousands(row.count)});
  }
  if (told.size() < rows.size()) {
    out += md_row({"above " + number_text(told.back().upper), "0"});
  }
  return out + "\n";
}

std::string measured(const Finding& finding) {
  const Measured& values = finding.claim->measured;
  std::string rows;
  for (const MeasuredFact& fact : measured_facts(values)) {
    rows += md_row({md_text(fact.name), fact.is_code ? md_code(fact.value) : md_text(fact.value)});
  }
  if (rows.empty() && values.histogram.empty()) return "";
  std::string out = fmt::format("Measured on {}:\n\n", md_text(joined(finding.variants)));
  if (!rows.empty()) out += md_head({"measure", "value"}) + rows + "\n";
  if (!values.histogram.empty()) out += histogram(values.histogram);
  return out;
}

std::string evidence(const RunInfo& run, const KernelRecord& kernel, const ClaimRecord& promise) {
  const std::string_view text = promise.source.text;
  std::string out =
      fmt::format("#### {}{}\n\nClaim: {}.\n\nSource: {} ({}){}{}\n\n", md_code(promise.id),
                  promise.declared.empty() ? "" : fmt::format(" = {}", md_code(promise.declared)),
                  md_text(promise.statement), md_code(source_place(promise.source)),
                  to_string(promise.source.kind), text.empty() ? "" : ": ", md_text(text));
  const std::vector<Finding> findings = findings_about(kernel, promise);
  out += evidence_rows(findings);
  for (const Finding& finding : findings) out += remarks(run, finding);
  for (const Finding& finding : findings) out += measured(finding);
  return out;
}

std::string digests(const KernelRecord& kernel) {
  std::string out =
      "#### Digests\n\n" + md_head({"variant", "digest", "covers", "probes", "probes per second"});
  for (const VariantRecord& variant : kernel.variants) {
    out +=
        md_row({md_text(variant.name), variant.digest.empty() ? "none" : md_code(variant.digest),
                variant.digest_space.empty() ? "-" : md_text(variant.digest_space),
                with_thousands(variant.probes), fmt::format("{:.3g}", variant.probes_per_second)});
  }
  return out + "\n";
}

}  // namespace

std::string md_kernel(const RunInfo& run, const KernelRecord& kernel) {
  std::string out =
      fmt::format("## {}\n\n", md_code(kernel.kernel)) + md_head({"", ""}) +
      md_row({"operation", md_code(kernel.op_kind)}) +
      md_row({"entry point", md_code(kernel.entry_point)}) +
      md_row({"contract", md_code(fmt::format("{}:{}", kernel.file, kernel.line))}) +
      md_row({"revision hash", md_code(kernel.revision_hash)}) +
      md_row({"library", kernel.library.empty() ? "built in" : md_code(kernel.library)}) +
      md_row({"registrable", kernel.registrable ? "yes" : "no"}) + "\n";
  if (was_not_run(kernel)) {
    out += fmt::format("**NOT RUN**: {}\n\n", md_text(not_run_reason(kernel)));
  }
  if (kernel.variants.empty()) return out;
  const std::vector<const ClaimRecord*> promises = promises_of(kernel);
  out += "### Claims by variant\n\n" + matrix(kernel, promises) + "### Evidence\n\n";
  for (const ClaimRecord* promise : promises) out += evidence(run, kernel, *promise);
  return out + digests(kernel) + md_rates(kernel);
}

}  // namespace assay
