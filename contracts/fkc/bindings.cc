#include <algorithm>
#include <cctype>
#include <utility>

#include "contracts/fkc/call_text.h"
#include "contracts/fkc/document.h"

namespace assay::fkc {

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The dtype of an operand in the binding for `varying`.
std::string dtype_of(const InputOperand& operand, const std::string& varying) {
  if (operand.dtype_tokens.size() > 1) return varying;
  return operand.dtype_tokens.empty() ? "" : operand.dtype_tokens.front();
}

std::string dtype_of(const OutputOperand& output, const KernelContract& contract,
                     const std::string& varying) {
  if (const auto token = call_argument(output.dtype_rule.value, "fixed")) return *token;
  const auto role = call_argument(output.dtype_rule.value, "passthrough");
  for (const InputOperand& operand : contract.inputs) {
    if (role && operand.name.value == *role) return dtype_of(operand, varying);
  }
  return "";
}

Binding binding_of(const KernelContract& contract, const std::string& varying) {
  Binding binding;
  const std::string suffix = varying.empty() ? "" : "_" + lower_case(varying);
  binding.kernel = contract.kernel + suffix;
  binding.entry_point = contract.entry_point.value + suffix;
  for (const InputOperand& operand : contract.inputs) {
    binding.inputs.push_back(dtype_of(operand, varying));
  }
  for (const OutputOperand& output : contract.outputs) {
    binding.outputs.push_back(dtype_of(output, contract, varying));
    if (contract.bundle) break;
  }
  return binding;
}

}  // namespace

std::vector<Binding> KernelContract::bindings() const {
  const auto varying = std::find_if(inputs.begin(), inputs.end(), [](const InputOperand& operand) {
    return operand.dtype_tokens.size() > 1;
  });
  const std::vector<std::string> dtypes =
      varying == inputs.end() ? std::vector<std::string>{""} : varying->dtype_tokens;
  std::vector<Binding> result;
  for (const std::string& dtype : dtypes) {
    result.push_back(binding_of(*this, dtype));
    if (inputs.empty() || !inputs.back().optional) continue;
    Binding without = result.back();
    without.inputs.pop_back();
    result.push_back(std::move(without));
  }
  return result;
}

std::vector<Binding> KernelContract::signatures() const {
  std::vector<Binding> result;
  for (Binding& binding : bindings()) {
    const bool known = !result.empty() && result.back().entry_point == binding.entry_point;
    if (!known) result.push_back(std::move(binding));
  }
  return result;
}

}  // namespace assay::fkc
