// What `assay audit` was asked for.
#pragma once

#include <string>
#include <vector>

#include "audit/cli/run_options.h"

namespace assay::cli {

struct AuditArguments : RunArguments {
  std::vector<std::string> contracts;
  std::string time_budget;
  unsigned hang_after = 20;
  std::string out = "build/audit";
  std::vector<std::string> formats;
  bool quiet = false;
  std::string shard;  ///< "K/N"; empty: the whole audit
};

}  // namespace assay::cli
