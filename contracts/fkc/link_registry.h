// What stands behind the names of a contract, as data: this folder knows no kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::fkc {

/// A provider's table of entry points. It is consulted for documents whose `provider.link_registry`
/// is `name`, and there for registrable kernels of the operations in `operations` alone: of these
/// it has all entry points, of others it knows nothing.
struct LinkRegistry {
  struct EntryPoint {
    std::string name;
    /// Equal for two names of one function, different otherwise.
    std::uintptr_t function = 0;
  };

  std::string name;
  std::vector<std::string> operations;  ///< values of `op_kind` and `fused_op`
  std::vector<EntryPoint> entry_points;
  std::vector<std::string> cost_functions;  ///< what `cost.cost_fn` can name
};

}  // namespace assay::fkc
