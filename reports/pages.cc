#include "reports/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

namespace assay {

namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::vector<Page> pages_of(const RunRecord& record, std::string_view ending) {
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
      pages.push_back({kernel.file, fmt::format("{}{}", name, ending), {}});
      page = std::prev(pages.end());
    }
    page->kernels.push_back(&kernel);
  }
  return pages;
}

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

}  // namespace assay
