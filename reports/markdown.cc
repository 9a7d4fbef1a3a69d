#include "reports/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "reports/markdown_sections.h"
#include "reports/markdown_text.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

/// The kernels of one contract file, and the page that they go to.
struct Page {
  std::string contract;
  std::string file_name;
  KernelList kernels;
};

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<Page> pages_of(const RunRecord& record) {
  std::vector<Page> pages;
  std::set<std::string> taken = {"index"};  // in lower case: some file systems ignore case
  for (const KernelRecord& kernel : record.kernels) {
    auto page = std::ranges::find(pages, kernel.file, &Page::contract);
    if (page == pages.end()) {
      const std::string stem = page_stem(kernel.file);
      std::string name = stem;
      for (int n = 2; !taken.insert(lower_case(name)).second; ++n) {
        name = fmt::format("{}-{}", stem, n);
      }
      pages.push_back({kernel.file, name + ".md", {}});
      page = std::prev(pages.end());
    }
    page->kernels.push_back(&kernel);
  }
  return pages;
}

RenderedFile contract_page(const RunRecord& record, const Page& page) {
  std::string out = fmt::format("# Precision audit of {}\n\n[All contracts](index.md)\n\n",
                                md_code(page.contract));
  out += md_counts(record, page.kernels);
  out += md_refuted(record, page.kernels);
  out += md_unsettled(page.kernels);
  out += md_summary_table(page.kernels);
  for (const KernelRecord* kernel : page.kernels) out += md_kernel(*kernel);
  out += md_run_info(record);
  return {page.file_name, out + md_caveat()};
}

RenderedFile index_page(const RunRecord& record, const std::vector<Page>& pages) {
  KernelList all;
  for (const KernelRecord& kernel : record.kernels) all.push_back(&kernel);
  std::string out = "# Precision audit\n\n" + md_counts(record, all) + "## Contracts\n\n";
  if (pages.empty()) {
    out += "No kernel was audited.\n\n";
  } else {
    out += md_head({"page", "contract", "kernels", "upheld", "refuted", "unclaimed", "undecided",
                    "error", "not run", "probes"});
    for (const Page& page : pages) {
      Summary sum;
      std::uint64_t not_run = 0;
      for (const KernelRecord* kernel : page.kernels) {
        sum += summary_of(*kernel);
        not_run += kernel->not_run.empty() ? 0 : 1;
      }
      out +=
          md_row({fmt::format("[{}]({})", md_text(page.file_name), page.file_name),
                  md_code(page.contract), with_thousands(page.kernels.size()),
                  with_thousands(sum.upheld), with_thousands(sum.refuted),
                  with_thousands(sum.unclaimed), with_thousands(sum.undecided),
                  with_thousands(sum.error), with_thousands(not_run), with_thousands(sum.probes)});
    }
    out += "\n";
  }
  out += md_refuted(record, all, kFindingsInFull) + md_unsettled(all) + md_run_info(record) +
         md_caveat();
  return {"index.md", out};
}

}  // namespace

std::string page_stem(const std::string& contract_file) {
  std::string stem = contract_file.substr(contract_file.find_last_of('/') + 1);
  for (const std::string_view ending : {".md", ".fkc"}) {
    if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
  }
  for (char& c : stem) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.';
    if (!kept) c = '-';
  }
  // No hidden file, and room below the 255 bytes of a file name for the suffix.
  stem.erase(0, stem.find_first_not_of('.'));
  stem.resize(std::min<std::size_t>(stem.size(), 200));
  return stem.empty() ? "contract" : stem;
}

std::vector<RenderedFile> render_markdown(const RunRecord& record) {
  const std::vector<Page> pages = pages_of(record);
  std::vector<RenderedFile> files = {index_page(record, pages)};
  for (const Page& page : pages) files.push_back(contract_page(record, page));
  return files;
}

}  // namespace assay
