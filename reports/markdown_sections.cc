#include "reports/markdown_sections.h"

#include <fmt/format.h>

#include "reports/evidence_text.h"
#include "reports/findings.h"
#include "reports/markdown_text.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

/// Elements of a tensor that are shown; the JSON report has what the record keeps.
constexpr std::size_t kShownElements = 16;

std::string tensor_row(std::string_view role, const TensorRecord& tensor) {
  return md_row({md_text(role), md_code(tensor_type(tensor)),
                 md_code(elements_text(tensor, kShownElements))});
}

std::string counterexample(const Counterexample& example) {
  std::string out = md_head({"", "type", "bits (value)"});
  for (const TensorRecord& input : example.inputs) {
    out += tensor_row(fmt::format("input {}", input.name), input);
  }
  out += tensor_row("got", example.got);
  if (!example.expected.bits.empty()) out += tensor_row("expected", example.expected);
  if (example.ulp_distance) {
    out += md_row({"ULP distance", "", with_thousands(*example.ulp_distance)});
  }
  for (const ParameterRecord& param : example.params) {
    out += md_row({md_text(param.name), "", md_code(param.value)});
  }
  return fmt::format("{}\nWhy: {}\n\n", out, md_text(example.why));
}

std::string refuted_claim(const RunRecord& record, const Finding& finding) {
  const ClaimRecord& claim = *finding.claim;
  std::string out = fmt::format("### {} breaks {} on {}\n\n", md_code(finding.kernel->kernel),
                                md_code(claim.id), md_text(joined(finding.variants)));
  out += fmt::format("Declared {} at {}: {}\n\nOn each of these variants {}.\n\n",
                     claim.declared.empty() ? "without a value" : md_code(claim.declared),
                     md_code(source_place(claim.source)), md_text(claim.source.text),
                     violations_text(claim));
  out += claim.counterexample
             ? counterexample(*claim.counterexample)
             : fmt::format("No counterexample is recorded. {}\n\n", md_text(claim.why));
  const std::string repro = repro_command(record.run, claim);
  if (!repro.empty()) out += "Run this case alone:\n\n" + md_shell_block(repro);
  return out + "Judge the claim again:\n\n" +
         md_shell_block(repeat_command(record.run, *finding.kernel, claim.id, finding.variants));
}

}  // namespace

std::string md_counts(const RunRecord& record, const KernelList& kernels) {
  const Summary sum = summary_of(kernels);
  std::string out;
  if (!record.run.complete) {
    out = fmt::format(
        "> **INCOMPLETE.** This audit did not come to its end ({}). What was not run is not "
        "judged; the numbers are of a part.\n\n",
        record.run.incomplete.empty() ? "no reason recorded" : md_text(record.run.incomplete));
  }
  return out + md_head({"upheld", "refuted", "unclaimed", "undecided", "error", "probes"}) +
         md_row({with_thousands(sum.upheld),
                 sum.refuted == 0 ? "0" : fmt::format("**{}**", with_thousands(sum.refuted)),
                 with_thousands(sum.unclaimed), with_thousands(sum.undecided),
                 with_thousands(sum.error), with_thousands(sum.probes)}) +
         "\nClaims are counted once per variant. Unclaimed: the contract does not say; measured "
         "only.\n\n";
}

std::string md_refuted(const RunRecord& record, const KernelList& kernels, std::size_t limit) {
  std::string full;
  std::string brief;
  for (const KernelFindings& of_kernel : shortened(kernels, {Verdict::kRefuted}, limit)) {
    for (const Finding& finding : of_kernel.in_full) full += refuted_claim(record, finding);
    for (const Finding& finding : of_kernel.in_brief) {
      brief += fmt::format("- {} breaks {} on {}\n", md_code(finding.kernel->kernel),
                           md_code(finding.claim->id), md_text(joined(finding.variants)));
    }
  }
  const std::string head = "## Refuted claims\n\n";
  if (full.empty()) return head + "No claim is refuted.\n\n";
  if (brief.empty()) return head + full;
  return head + full + "Further claims are refuted; the contracts' pages have them in full:\n\n" +
         brief + "\n";
}

std::string md_unsettled(const KernelList& kernels) {
  std::string rows;
  for (const KernelRecord* kernel : kernels) {
    if (!was_not_run(*kernel)) continue;
    rows += md_row({"NOT RUN", md_code(kernel->kernel), "", "", md_text(not_run_reason(*kernel))});
  }
  for (const Finding& finding : findings_of(kernels, {Verdict::kError, Verdict::kUndecided})) {
    const ClaimRecord& claim = *finding.claim;
    std::string why = claim.why.empty() ? "no reason recorded" : claim.why;
    if (!claim.excluded.empty()) why += "; " + exclusions_text(claim);
    rows += md_row({std::string(verdict_word(claim.verdict)), md_code(finding.kernel->kernel),
                    md_code(claim.id), md_text(joined(finding.variants)), md_text(why)});
  }
  const std::string head = "## Errors, undecided, not run\n\n";
  if (rows.empty()) return head + "Every claim came to a verdict.\n\n";
  return head + md_head({"verdict", "kernel", "claim", "variants", "why"}) + rows + "\n";
}

std::string md_summary_table(const KernelList& kernels) {
  std::string out = "## Kernels and variants\n\n" +
                    md_head({"kernel", "variant", "upheld", "refuted", "unclaimed", "undecided",
                             "error", "evidence", "probes", "CPU time"});
  for (const KernelRecord* kernel : kernels) {
    for (const VariantRecord& variant : kernel->variants) {
      const Summary sum = summary_of(variant);
      const std::optional<Strength> weakest = weakest_numeric_strength({&variant, 1});
      out += md_row({md_code(kernel->kernel), md_text(variant.name), with_thousands(sum.upheld),
                     with_thousands(sum.refuted), with_thousands(sum.unclaimed),
                     with_thousands(sum.undecided), with_thousands(sum.error),
                     std::string(weakest ? short_strength(*weakest) : "-"),
                     with_thousands(sum.probes), duration_text(variant.seconds)});
    }
    if (kernel->variants.empty()) {
      out += md_row({md_code(kernel->kernel), "none", "0", "0", "0", "0", "0", "-", "0", "-"});
    }
  }
  out +=
      "\nEvidence: the weakest strength behind the upheld claims about numbers: `rounding`, "
      "`precision.*`, `domain_exact`, `accumulator`, `error_bound`, `padding_skipped`, "
      "`selection_exact`.\n\n";
  for (const Strength strength :
       {Strength::kExhaustive, Strength::kBoundaryComplete, Strength::kSampled, Strength::kNone}) {
    out += fmt::format("- {}: {}\n", short_strength(strength), strength_meaning(strength));
  }
  return out + "\n";
}

std::string md_run_info(const RunRecord& record) {
  const RunInfo& run = record.run;
  return "## How it was run\n\n" + md_head({"", ""}) + md_row({"command", md_code(run.command)}) +
         md_row({"seed", fmt::format("{}", run.seed)}) + md_row({"effort", md_text(run.effort)}) +
         md_row({"started", md_text(run.started)}) + md_row({"took", duration_text(run.seconds)}) +
         md_row({"CPU", md_text(record.machine.cpu)}) +
         md_row({"instruction sets", md_text(joined(record.machine.targets))}) +
         md_row({"threads", fmt::format("{}", record.machine.threads)}) +
         md_row({"assay",
                 md_text(fmt::format("{} ({})", record.tool.version, record.tool.revision))}) +
         md_row({"compiler", md_text(record.tool.compiler)}) +
         md_row({"flags", md_code(record.tool.flags)}) + "\n";
}

std::string md_caveat() {
  return "---\n\nWhat a pass does not mean: an upheld claim held for every probe that is counted "
         "here, on this machine and this build; short of exhaustive evidence an input that was not "
         "probed may still break it, and nothing is said about what the contract does not claim.\n";
}

}  // namespace assay
