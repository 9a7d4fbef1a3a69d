// What names one kernel has to name no other, and has to exist.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "contracts/fkc/document.h"
#include "contracts/fkc/map_reader.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/reporter.h"

namespace assay::fkc {

/// Checks the kernels of one document in their order; of two that collide the later is reported.
class LinkCheck {
 public:
  /// `registry` is consulted if it is the one that `provider` names; it may be nullptr, and must
  /// outlive the check.
  LinkCheck(const LinkRegistry* registry, const Provider& provider);

  /// Reports DuplicateKernel, DuplicateEntryPoint, UnknownEntryPoint, UnknownCostFn and
  /// DuplicateKernelRef. False if the kernel cannot be used beside those before it. A kernel that
  /// has faults is checked as far as it could be read; without `has_symbols` its operands could
  /// not, and nobody knows which symbols its entry point stands for.
  bool add(const KernelContract& contract, const Node& block, bool has_symbols, Reporter& reporter);

 private:
  bool add_name(const KernelContract& contract, const Node& block, Reporter& reporter);
  void check_entry_point(const KernelContract& contract, bool has_symbols, Reporter& reporter);
  bool check_registry(const KernelContract& contract, const Node& block, Reporter& reporter);

  const LinkRegistry* registry_;  ///< nullptr where it says nothing about this document
  std::map<std::string, std::uintptr_t, std::less<>> functions_;  ///< of the registry
  std::map<std::string, int> kernels_;                            ///< and the lines of their names
  /// Source and entry point, or symbol, with the kernel that has it.
  using Names = std::map<std::pair<std::string, std::string>, std::string>;
  Names entry_points_;
  Names symbol_names_;
  /// Function and dispatch key: backend, operation, dtypes of inputs and outputs.
  using Key = std::tuple<std::uintptr_t, std::string, std::string, std::vector<std::string>,
                         std::vector<std::string>>;
  std::map<Key, std::string> symbols_;
};

}  // namespace assay::fkc
