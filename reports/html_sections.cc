#include "reports/html_sections.h"

#include <fmt/format.h>

#include "reports/evidence_text.h"
#include "reports/html_bits.h"
#include "reports/html_style.h"
#include "reports/html_text.h"
#include "reports/repeat.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

std::string count(std::string_view label, std::uint64_t number, std::string_view word_class) {
  return fmt::format(
      "<div><dt>{}</dt><dd{}>{}</dd></div>\n", label,
      number > 0 && !word_class.empty() ? fmt::format(" class=\"{}\"", word_class) : std::string(),
      with_thousands(number));
}

/// The upheld claims about numbers that rest on the least.
std::string weakest_evidence(const KernelList& kernels) {
  std::optional<Strength> weakest;
  for (const KernelRecord* kernel : kernels) {
    const std::optional<Strength> here = weakest_numeric_strength(kernel->variants);
    if (here && (!weakest || *here < *weakest)) weakest = here;
  }
  if (!weakest) return "<p>No claim about numbers is upheld.</p>\n";
  std::string names;
  std::size_t found = 0;
  constexpr std::size_t kNamed = 8;
  for (const KernelRecord* kernel : kernels) {
    if (weakest_numeric_strength(kernel->variants) != weakest) continue;
    if (found++ >= kNamed) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", html_code(kernel->kernel));
  }
  if (found > kNamed) names += fmt::format(" and {} more", with_thousands(found - kNamed));
  return fmt::format(
      "<p>The weakest evidence behind an upheld claim about numbers is <strong>{}</strong> ({}), "
      "for {}.</p>\n",
      short_strength(*weakest), html_text(strength_meaning(*weakest)), names);
}

std::string refuted_claim(const RunRecord& record, const Finding& finding) {
  const ClaimRecord& claim = *finding.claim;
  std::string out = fmt::format(
      "<h3>{} breaks {} on {}</h3>\n<p>Declared {} at {}{}{}</p>\n<p>On each of these "
      "variants {}.</p>\n",
      html_code(finding.kernel->kernel), html_code(claim.id), html_text(joined(finding.variants)),
      claim.declared.empty() ? "without a value" : html_code(claim.declared),
      html_code(source_place(claim.source)), claim.source.text.empty() ? "" : ": ",
      html_text(claim.source.text), html_text(violations_text(claim)));
  out += claim.counterexample
             ? html_counterexample(*claim.counterexample)
             : fmt::format("<p>No counterexample is recorded. {}</p>\n", html_text(claim.why));
  const std::string repro = repro_command(record.run, claim);
  if (!repro.empty()) {
    out +=
        fmt::format("<p>Run this case alone:</p>\n<pre><code>{}</code></pre>\n", html_text(repro));
  }
  return out + fmt::format("<p>Judge the claim again:</p>\n<pre><code>{}</code></pre>\n",
                           html_text(repeat_command(record.run, *finding.kernel, claim.id,
                                                    finding.variants)));
}

}  // namespace

std::string html_document(std::string_view title, std::string_view up, std::string_view body) {
  const std::string back =
      up.empty() ? "" : fmt::format("<p><a href=\"{}\">All contracts</a></p>\n", html_text(up));
  // Nothing is loaded from anywhere, whatever a contract says.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n<header>\n{}<h1>{}</h1>\n"
      "</header>\n<main id=\"findings\">\n{}</main>\n<footer>\n<p>What a pass does not mean: an "
      "upheld claim held for every probe that is counted here, on this machine and this build; "
      "short of exhaustive evidence an input that was not probed may still break it, and nothing "
      "is said about what the contract does not claim.</p>\n</footer>\n</body>\n</html>\n",
      html_text(title), html_style(), back, html_text(title), body);
}

std::string html_glance(const RunRecord& record, const KernelList& kernels) {
  const Summary sum = summary_of(kernels);
  const std::uint64_t not_run = count_not_run(kernels);
  std::string out;
  if (!record.run.complete) {
    out = fmt::format(
        "<p class=\"alert\"><strong>INCOMPLETE.</strong> This audit did not come to its end ({}). "
        "What was not run is not judged; the numbers are of a part.</p>\n",
        record.run.incomplete.empty() ? "no reason recorded" : html_text(record.run.incomplete));
  }
  out += "<dl class=\"counts\">\n" + count("refuted", sum.refuted, "bad") +
         count("upheld", sum.upheld, "good") + count("measured only", sum.unclaimed, "") +
         count("undecided", sum.undecided, "warn") + count("errors", sum.error, "bad");
  if (not_run > 0) out += count("kernels not run", not_run, "warn");
  return out + count("probes", sum.probes, "") +
         "</dl>\n<p class=\"soft\">Claims are counted once per variant. Measured only: the "
         "contract "
         "does not say.</p>\n" +
         weakest_evidence(kernels);
}

std::string html_refuted(const RunRecord& record, const KernelList& kernels, std::size_t limit) {
  std::string full;
  std::string brief;
  for (const KernelFindings& of_kernel : shortened(kernels, {Verdict::kRefuted}, limit)) {
    for (const Finding& finding : of_kernel.in_full) full += refuted_claim(record, finding);
    for (const Finding& finding : of_kernel.in_brief) {
      brief += fmt::format("<li>{} breaks {} on {}</li>\n", html_code(finding.kernel->kernel),
                           html_code(finding.claim->id), html_text(joined(finding.variants)));
    }
  }
  std::string out =
      "<section aria-labelledby=\"refuted\">\n<h2 id=\"refuted\">Refuted claims</h2>\n";
  if (full.empty()) {
    out += "<p class=\"good\">No claim is refuted.</p>\n";
  } else {
    out += full;
  }
  if (!brief.empty()) {
    out += fmt::format(
        "<p>Further claims are refuted; the contracts' pages have them in full:</p>\n"
        "<ul>\n{}</ul>\n",
        brief);
  }
  return out + "</section>\n";
}

std::string html_unsettled(const KernelList& kernels) {
  HtmlTable table("Without a verdict", {"kernel", "verdict", "claim", "variants", "why"});
  for (const KernelRecord* kernel : kernels) {
    if (!was_not_run(*kernel)) continue;
    table.add({html_code(kernel->kernel), "<span class=\"warn\">NOT RUN</span>", "", "",
               html_text(not_run_reason(*kernel))});
  }
  for (const Finding& finding : findings_of(kernels, {Verdict::kError, Verdict::kUndecided})) {
    const ClaimRecord& claim = *finding.claim;
    std::string why = claim.why.empty() ? "no reason recorded" : claim.why;
    if (!claim.excluded.empty()) why += "; " + exclusions_text(claim);
    table.add({html_code(finding.kernel->kernel),
               fmt::format("<span class=\"{}\">{}</span>",
                           claim.verdict == Verdict::kError ? "bad" : "warn",
                           verdict_word(claim.verdict)),
               html_code(claim.id), html_text(joined(finding.variants)), html_text(why)});
  }
  return fmt::format(
      "<section aria-labelledby=\"unsettled\">\n<h2 id=\"unsettled\">Errors, undecided, not "
      "run</h2>\n{}</section>\n",
      table.empty() ? "<p>Every claim came to a verdict.</p>\n" : table.html());
}

std::string html_kernel_table(const KernelList& kernels) {
  HtmlTable table("Kernels, all variants together",
                  {"kernel", "upheld", "refuted", "measured only", "undecided", "errors",
                   "weakest evidence", "variants", "probes", "CPU time"});
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelRecord& kernel = *kernels[i];
    const Summary sum = summary_of(kernel);
    const std::optional<Strength> weakest = weakest_numeric_strength(kernel.variants);
    std::vector<std::string> names;
    for (const VariantRecord& variant : kernel.variants) names.push_back(variant.name);
    table.add({fmt::format("<a href=\"#{}\">{}</a>", html_kernel_id(i), html_code(kernel.kernel)),
               with_thousands(sum.upheld),
               sum.refuted > 0
                   ? fmt::format("<span class=\"bad\">{}</span>", with_thousands(sum.refuted))
                   : "0",
               with_thousands(sum.unclaimed), with_thousands(sum.undecided),
               with_thousands(sum.error), std::string(weakest ? short_strength(*weakest) : "none"),
               names.empty() ? "none" : html_text(joined(names)), with_thousands(sum.probes),
               duration_text(cpu_seconds(kernel))});
  }
  std::string meanings;
  for (const Strength strength :
       {Strength::kExhaustive, Strength::kBoundaryComplete, Strength::kSampled, Strength::kNone}) {
    meanings += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", short_strength(strength),
                            html_text(strength_meaning(strength)));
  }
  return fmt::format(
      "<nav aria-labelledby=\"kernels\">\n<h2 id=\"kernels\">Kernels</h2>\n{}</nav>\n<details>"
      "<summary>What the words for evidence mean</summary>\n<dl "
      "class=\"facts\">\n{}</dl></details>\n",
      table.html(), meanings);
}

std::string html_closing(const RunRecord& record) {
  const RunInfo& run = record.run;
  return "<section aria-labelledby=\"run\">\n<h2 id=\"run\">How it was run</h2>\n" +
         html_facts({{"command", html_code(run.command)},
                     {"seed", fmt::format("{}", run.seed)},
                     {"effort", html_text(run.effort)},
                     {"started", html_text(run.started)},
                     {"took", duration_text(run.seconds)},
                     {"CPU", html_text(record.machine.cpu)},
                     {"instruction sets", html_text(joined(record.machine.targets))},
                     {"threads", fmt::format("{}", record.machine.threads)},
                     {"assay",
                      html_text(fmt::format("{} ({})", record.tool.version, record.tool.revision))},
                     {"compiler", html_text(record.tool.compiler)},
                     {"flags", html_code(record.tool.flags)}}) +
         "</section>\n";
}

std::string html_kernel_id(std::size_t index) {
  return fmt::format("kernel-{}", index);
}

}  // namespace assay
