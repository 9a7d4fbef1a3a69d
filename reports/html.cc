#include "reports/html.h"

#include <fmt/format.h>

#include "reports/html_sections.h"
#include "reports/html_text.h"
#include "reports/pages.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

RenderedFile contract_page(const RunRecord& record, const Page& page) {
  std::string body = html_glance(record, page.kernels) + html_refuted(record, page.kernels) +
                     html_unsettled(page.kernels) + html_kernel_table(page.kernels);
  for (std::size_t i = 0; i < page.kernels.size(); ++i)
    body += html_kernel(record.run, *page.kernels[i], i);
  body += html_closing(record);
  return {page.file_name, html_document("Precision audit of " + page.contract, "index.html", body)};
}

std::string contract_table(const std::vector<Page>& pages) {
  HtmlTable table("Contracts", {"contract", "kernels", "upheld", "refuted", "measured only",
                                "undecided", "errors", "not run", "probes"});
  for (const Page& page : pages) {
    const Summary sum = summary_of(page.kernels);
    table.add(
        {fmt::format("<a href=\"{}\">{}</a>", html_text(page.file_name), html_code(page.contract)),
         with_thousands(page.kernels.size()), with_thousands(sum.upheld),
         with_thousands(sum.refuted), with_thousands(sum.unclaimed), with_thousands(sum.undecided),
         with_thousands(sum.error), with_thousands(count_not_run(page.kernels)),
         with_thousands(sum.probes)});
  }
  return "<section aria-labelledby=\"contracts\">\n<h2 id=\"contracts\">Contracts</h2>\n" +
         (table.empty() ? "<p>No kernel was audited.</p>\n" : table.html()) + "</section>\n";
}

RenderedFile index_page(const RunRecord& record, const std::vector<Page>& pages) {
  const KernelList all = all_kernels(record);
  const std::string body = html_glance(record, all) + contract_table(pages) +
                           html_refuted(record, all, kFindingsInFull) + html_unsettled(all) +
                           html_closing(record);
  return {"index.html", html_document("Precision audit", "", body)};
}

}  // namespace

std::vector<RenderedFile> render_html(const RunRecord& record) {
  const std::vector<Page> pages = pages_of(record, ".html");
  std::vector<RenderedFile> files = {index_page(record, pages)};
  for (const Page& page : pages) files.push_back(contract_page(record, page));
  return files;
}

}  // namespace assay
