// One page for each contract file: the same division in every format that has pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contracts/run_record.h"
#include "reports/findings.h"

namespace assay {

/// The kernels of one contract file, and the page that they go to. The pointers are into the
/// record, which must outlive them.
struct Page {
  std::string contract;
  std::string file_name;
  KernelList kernels;
};

/// The pages in the record's order. A page is called after its contract, "cast.md" for
/// "contracts/reference/cast.fkc.md"; where two would have the same name (letter case aside), or
/// that of the index, the later ones get "-2", "-3". `ending` is that of the format's files.
std::vector<Page> pages_of(const RunRecord& record, std::string_view ending);

/// The name of a contract's page before clashes are settled: "cast" for ".../cast.fkc.md". Only
/// letters, digits, '-', '_' and '.' are kept, others become '-'.
std::string page_stem(const std::string& contract_file);

}  // namespace assay
