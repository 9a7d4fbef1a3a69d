#include "reports/markdown.h"

#include <fmt/format.h>

#include "reports/markdown_sections.h"
#include "reports/markdown_text.h"
#include "reports/pages.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

RenderedFile contract_page(const RunRecord& record, const Page& page) {
  std::string out = fmt::format("# Precision audit of {}\n\n[All contracts](index.md)\n\n",
                                md_code(page.contract));
  out += md_counts(record, page.kernels);
  out += md_refuted(record, page.kernels);
  out += md_unsettled(page.kernels);
  out += md_summary_table(page.kernels);
  for (const KernelRecord* kernel : page.kernels) out += md_kernel(record.run, *kernel);
  out += md_run_info(record);
  return {page.file_name, out + md_caveat()};
}

RenderedFile index_page(const RunRecord& record, const std::vector<Page>& pages) {
  const KernelList all = all_kernels(record);
  std::string out = "# Precision audit\n\n" + md_counts(record, all) + "## Contracts\n\n";
  if (pages.empty()) {
    out += "No kernel was audited.\n\n";
  } else {
    out += md_head({"page", "contract", "kernels", "upheld", "refuted", "unclaimed", "undecided",
                    "error", "not run", "probes"});
    for (const Page& page : pages) {
      const Summary sum = summary_of(page.kernels);
      out += md_row({fmt::format("[{}]({})", md_text(page.file_name), page.file_name),
                     md_code(page.contract), with_thousands(page.kernels.size()),
                     with_thousands(sum.upheld), with_thousands(sum.refuted),
                     with_thousands(sum.unclaimed), with_thousands(sum.undecided),
                     with_thousands(sum.error), with_thousands(count_not_run(page.kernels)),
                     with_thousands(sum.probes)});
    }
    out += "\n";
  }
  out += md_refuted(record, all, kFindingsInFull) + md_unsettled(all) + md_run_info(record) +
         md_caveat();
  return {"index.md", out};
}

}  // namespace

std::vector<RenderedFile> render_markdown(const RunRecord& record) {
  const std::vector<Page> pages = pages_of(record, ".md");
  std::vector<RenderedFile> files = {index_page(record, pages)};
  for (const Page& page : pages) files.push_back(contract_page(record, page));
  return files;
}

}  // namespace assay
