#include "audit/window/operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay::window {

namespace {

struct KindRow {
  std::string_view op_kind;
  OperationKind kind;
};

constexpr std::array<KindRow, 4> kKinds = {{
    {"Conv2D", OperationKind::kConvolution},
    {"Conv2dSimple", OperationKind::kConvolution},
    {"ConvTranspose2D", OperationKind::kTransposedConvolution},
    {"MaxPool2D", OperationKind::kPooling},
}};

struct RoleRow {
  std::string_view name;
  ParameterRole role;
};

constexpr std::array<RoleRow, 6> kRoles = {{
    {"stride", ParameterRole::kStride},
    {"padding", ParameterRole::kPadding},
    {"output_padding", ParameterRole::kOutputPadding},
    {"dilation", ParameterRole::kDilation},
    {"groups", ParameterRole::kGroups},
    {"kernel_size", ParameterRole::kWindow},
}};

/// Kinds of pairs and of whole numbers, as contracts spell them.
constexpr std::array<std::string_view, 2> kPairs = {"(usize, usize)", "(usize,usize)"};
constexpr std::array<std::string_view, 5> kNumbers = {"usize", "u8", "u32", "i32", "i64"};

/// Shapes that travel as parameters repeat those of the tensors; a call has no parameter for them.
bool is_shape(std::string_view name) {
  return name == "x_shape" || name == "w_shape" || name == "out_shape";
}

std::string read_parameters(const fkc::KernelContract& contract, Operation& operation) {
  for (const fkc::OpParamField& field : contract.op_param_fields) {
    if (is_shape(field.name)) continue;
    const auto* row = std::find_if(kRoles.begin(), kRoles.end(),
                                   [&](const RoleRow& role) { return role.name == field.name; });
    if (row == kRoles.end()) {
      return fmt::format("its parameter '{}' means nothing to the audit of a {}", field.name,
                         contract.op_kind);
    }
    const bool pair = std::find(kPairs.begin(), kPairs.end(), field.kind) != kPairs.end();
    // A list, an option or a number with a fraction is not what a call's parameters can carry.
    if (!pair && std::find(kNumbers.begin(), kNumbers.end(), field.kind) == kNumbers.end()) {
      return fmt::format(
          "its parameter '{}' is of the kind '{}'; one number, or a pair (usize, usize), is "
          "expected",
          field.name, field.kind);
    }
    if (pair && (row->role == ParameterRole::kGroups || row->role == ParameterRole::kWindow)) {
      return fmt::format("its parameter '{}' is a pair; one number is expected", field.name);
    }
    operation.parameters.push_back({row->role, field.name, pair,
                                    pair ? field.name + "_h" : field.name,
                                    pair ? field.name + "_w" : field.name});
  }
  return {};
}

/// Whether the operand takes the dtype that the first one has.
bool takes(const fkc::InputOperand& input, Dtype dtype) {
  return std::find(input.dtypes.begin(), input.dtypes.end(), dtype) != input.dtypes.end();
}

}  // namespace

const OperationParameter* Operation::find(ParameterRole role) const {
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const OperationParameter& p) { return p.role == role; });
  return at == parameters.end() ? nullptr : &*at;
}

bool is_window_operation(std::string_view op_kind) {
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [&](const KindRow& row) { return row.op_kind == op_kind; });
}

std::string read_operation(const fkc::KernelContract& contract, Dtype dtype, Operation& operation) {
  const auto* row = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindRow& kind) {
    return kind.op_kind == contract.op_kind;
  });
  operation = Operation{};
  operation.kind = row->kind;
  operation.dtype = dtype;
  operation.contract = &contract;
  const std::size_t inputs = contract.inputs.size();
  const bool pooling = row->kind == OperationKind::kPooling;
  if (contract.outputs.size() != 1) return "it has more than one output";
  if (pooling ? inputs != 1 : inputs != 2 && inputs != 3) {
    return fmt::format("a {} has {}; the contract lists {} inputs", contract.op_kind,
                       pooling ? "one input" : "an image, a weight and perhaps a bias", inputs);
  }
  if (!traits(dtype).is_floating()) {
    return fmt::format("there is no oracle for a {} of {}", contract.op_kind, traits(dtype).name);
  }
  for (const fkc::InputOperand& input : contract.inputs) {
    if (takes(input, dtype)) continue;
    return fmt::format(
        "`{}` does not take the dtype {} of `{}`; operands of different dtypes are "
        "not audited",
        input.name.value, traits(dtype).name, contract.inputs[0].name.value);
  }
  const fkc::OutputOperand& output = contract.outputs.front();
  const std::string passes = "passthrough(" + contract.inputs[0].name.value + ")";
  if (output.fixed_dtype ? *output.fixed_dtype != dtype : output.dtype_rule.value != passes) {
    return fmt::format(
        "its output's dtype follows '{}'; only outputs of the operands' dtype are "
        "audited",
        output.dtype_rule.value);
  }
  for (const fkc::OpParamField& field : contract.op_param_fields) {
    const bool plain =
        field.name == "kernel_size" || field.name == "stride" || is_shape(field.name);
    if (!pooling || plain) continue;
    return fmt::format("poolings with the parameter '{}' are not audited", field.name);
  }
  operation.takes_bias = inputs == 3;
  operation.bias_optional = operation.takes_bias && contract.inputs[2].optional;
  return read_parameters(contract, operation);
}

}  // namespace assay::window
