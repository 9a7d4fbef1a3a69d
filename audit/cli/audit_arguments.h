// What `assay audit` was asked for.
#pragma once

#include <string>
#include <vector>

#include "audit/machine.h"

namespace assay::cli {

struct AuditArguments {
  std::vector<std::string> contracts;
  std::vector<std::string> only;
  std::vector<std::string> variants;
  std::vector<std::string> kernels;
  std::string effort = "standard";
  std::string seed = "1";  ///< a decimal number, or "random"
  unsigned threads = available_processors();
  std::string time_budget;
  unsigned hang_after = 20;
  std::string out = "build/audit";
  std::vector<std::string> formats;
  bool quiet = false;
};

}  // namespace assay::cli
