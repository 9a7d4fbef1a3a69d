#include "contracts/fkc/link_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::fkc {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

const std::string& operation_of(const KernelContract& contract) {
  return contract.op_kind.empty() ? contract.fused_op : contract.op_kind;
}

}  // namespace

LinkCheck::LinkCheck(const LinkRegistry* registry, const Provider& provider)
    : registry_(registry != nullptr && registry->name == provider.link_registry.value ? registry
                                                                                      : nullptr) {
  if (registry_ == nullptr) return;
  for (const LinkRegistry::EntryPoint& entry : registry_->entry_points) {
    functions_.emplace(entry.name, entry.function);
  }
}

bool LinkCheck::add(const KernelContract& contract, const Node& block, bool has_symbols,
                    Reporter& reporter) {
  if (!add_name(contract, block, reporter)) return false;
  if (!contract.registrable || contract.entry_point.value.empty()) return true;
  check_entry_point(contract, has_symbols, reporter);
  return !has_symbols || check_registry(contract, block, reporter);
}

bool LinkCheck::add_name(const KernelContract& contract, const Node& block, Reporter& reporter) {
  if (contract.kernel.empty()) return true;
  const Place place = block.find("kernel")->place;
  const auto [entry, is_new] = kernels_.emplace(contract.kernel, place.line);
  if (is_new) return true;
  reporter.error(
      "DuplicateKernel", place,
      fmt::format("kernel `{}` is given twice, first in line {}", contract.kernel, entry->second),
      "give it a name of its own");
  return false;
}

void LinkCheck::check_entry_point(const KernelContract& contract, bool has_symbols,
                                  Reporter& reporter) {
  constexpr std::string_view kHint = "each kernel of one source has an entry point of its own";
  const auto target = std::make_pair(contract.kernel_source, contract.entry_point.value);
  const auto [entry, is_new] = entry_points_.emplace(target, contract.kernel);
  if (!is_new) {
    reporter.deviation("DuplicateEntryPoint", place_of(contract.entry_point),
                       fmt::format("kernel `{}` has this entry point too", entry->second),
                       std::string(kHint));
  }
  if (!has_symbols) return;
  // What a kernel of several dtypes stands for may be another one's whole name.
  bool told = !is_new;
  for (const Binding& binding : contract.signatures()) {
    const auto [symbol, first] = symbol_names_.emplace(
        std::make_pair(contract.kernel_source, binding.entry_point), contract.kernel);
    if (first || told) continue;
    told = true;
    reporter.deviation(
        "DuplicateEntryPoint", place_of(contract.entry_point),
        fmt::format("kernel `{}` has the symbol `{}` too", symbol->second, binding.entry_point),
        std::string(kHint));
  }
}

bool LinkCheck::check_registry(const KernelContract& contract, const Node& block,
                               Reporter& reporter) {
  if (registry_ == nullptr || !contains(registry_->operations, operation_of(contract))) return true;
  const std::size_t errors_before = reporter.errors();
  if (!contract.cost.cost_fn.empty() &&
      !contains(registry_->cost_functions, contract.cost.cost_fn)) {
    // What a kernel costs is not a promise that is audited.
    reporter.deviation(
        "UnknownCostFn", block.find("cost")->find("cost_fn")->place,
        fmt::format("`{}` has no cost function `{}`", registry_->name, contract.cost.cost_fn),
        "give formulas, or the name of a function that is linked");
  }
  const Place place = place_of(contract.entry_point);
  std::string last_missing;  // with and without its optional operand a kernel is one symbol
  for (const Binding& binding : contract.bindings()) {
    const auto function = functions_.find(binding.entry_point);
    if (function == functions_.end()) {
      if (binding.entry_point != last_missing) {
        reporter.error(
            "UnknownEntryPoint", place,
            fmt::format("`{}` has no entry point `{}`", registry_->name, binding.entry_point),
            "check the spelling; a kernel of several dtypes has one symbol for each");
      }
      last_missing = binding.entry_point;
      continue;
    }
    const Key key{function->second, contract.backend, operation_of(contract), binding.inputs,
                  binding.outputs};
    const auto [entry, is_new] = symbols_.emplace(key, binding.entry_point);
    if (!is_new && entry->second != binding.entry_point) {
      reporter.error("DuplicateKernelRef", place,
                     fmt::format("`{}` and `{}` are one function for the same operands",
                                 entry->second, binding.entry_point),
                     "one of the two kernels is an alias: drop it, or link its own function");
    }
  }
  return reporter.errors() == errors_before;
}

}  // namespace assay::fkc
