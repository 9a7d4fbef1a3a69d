// Which contract goes to which page, the same in every report that has pages.
#pragma once

#include <string>
#include <vector>

#include "contracts/run_record.h"
#include "reports/findings.h"

namespace assay {

/// The kernels of one contract file, and what its page is called, without ending. The pointers are
/// into the record, which must outlive them.
struct ContractPage {
  std::string contract;  ///< path of the file
  std::string name;
  KernelList kernels;
};

/// One page per contract file, in the record's order. A page is called after its contract, "cast"
/// for "contracts/reference/cast.fkc.md"; where two would have the same name (letter case aside),
/// or one that of the "index", the later ones get "-2", "-3".
std::vector<ContractPage> contract_pages(const RunRecord& record);

/// The name of a contract's page before clashes are settled: "cast" for ".../cast.fkc.md". Only
/// letters, digits, '-', '_' and '.' are kept, others become '-'.
std::string page_stem(const std::string& contract_file);

}  // namespace assay
