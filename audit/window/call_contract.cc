#include "audit/window/call_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace assay::window {

fkc::CallShapes call_shapes(const Operation& operation, const Call& call) {
  std::vector<Shape> inputs;
  for (const TensorArgument& input : call.inputs) inputs.push_back(input.shape);
  return call_shapes(operation, inputs, call.parameters);
}

std::optional<Shape> ruled_shape(const Operation& operation, const Call& call) {
  return fkc::output_shape(*operation.contract, operation.contract->outputs.front(),
                           call_shapes(operation, call))
      .shape;
}

namespace {

bool beyond_memory(const TensorArgument& tensor) {
  std::uint64_t bytes = static_cast<std::uint64_t>(traits(tensor.dtype).bytes());
  bool beyond = false;
  for (const std::int64_t extent : tensor.shape) {
    if (extent <= 0) return false;
    beyond = beyond || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes);
  }
  return beyond;
}

}  // namespace

bool beyond_memory(const Call& call) {
  return beyond_memory(call.output) ||
         std::any_of(call.inputs.begin(), call.inputs.end(),
                     [](const TensorArgument& input) { return beyond_memory(input); });
}

std::string ruled_out(const Operation& operation, const Call& call) {
  const fkc::CallShapes shapes = call_shapes(operation, call);
  for (const fkc::Requirement& requirement : fkc::check_requirements(*operation.contract, shapes)) {
    if (requirement.finding.standing != fkc::Standing::kViolated) continue;
    return fmt::format("the contract's '{}' for `{}`", requirement.text, requirement.about);
  }
  const fkc::OutputOperand& output = operation.contract->outputs.front();
  const fkc::OutputShape due = fkc::output_shape(*operation.contract, output, shapes);
  if (due.finding.standing == fkc::Standing::kViolated) {
    return fmt::format("the contract's shape rule: {}", due.finding.why);
  }
  if (due.shape && *due.shape != call.output.shape) {
    return fmt::format("by the contract's shape rule the output is {}", shape_text(*due.shape));
  }
  return {};
}

bool constraints_hold(const Operation& operation, const Call& call, std::size_t input) {
  const std::string& name = operation.input_name(input);
  std::size_t found = 0;
  for (const fkc::Requirement& requirement :
       fkc::check_requirements(*operation.contract, call_shapes(operation, call))) {
    if (requirement.about != name || requirement.text.rfind("rank=", 0) == 0) continue;
    if (requirement.finding.standing != fkc::Standing::kHolds) return false;
    ++found;
  }
  return found > 0;
}

namespace {

/// Integers that wrap around.
class Careless {
 public:
  Careless(const Operation& operation, const Call& call, bool narrow)
      : operation_(operation), call_(call), narrow_(narrow) {}

  std::uint64_t wrap(std::uint64_t value) const {
    return narrow_ ? static_cast<std::uint64_t>(static_cast<std::int64_t>(
                         static_cast<std::int32_t>(static_cast<std::uint32_t>(value))))
                   : value;
  }

  std::uint64_t value(ParameterRole role, bool rows, std::uint64_t neutral) const {
    const OperationParameter* parameter = operation_.find(role);
    if (parameter == nullptr) return neutral;
    const auto found =
        parameter_value(call_.parameters, rows ? parameter->rows_name : parameter->columns_name);
    return found ? wrap(static_cast<std::uint64_t>(*found)) : neutral;
  }

  std::int64_t extent(bool rows) const {
    const std::size_t axis = rows ? 2 : 3;
    const auto image = wrap(static_cast<std::uint64_t>(call_.inputs[0].shape[axis]));
    const std::uint64_t window = operation_.is_sum()
                                     ? wrap(static_cast<std::uint64_t>(call_.inputs[1].shape[axis]))
                                     : value(ParameterRole::kWindow, rows, 1);
    const std::uint64_t stride = value(ParameterRole::kStride, rows, 1);
    const std::uint64_t padding = value(ParameterRole::kPadding, rows, 0);
    const std::uint64_t span = value(ParameterRole::kDilation, rows, 1) * (window - 1);
    if (operation_.kind == OperationKind::kTransposedConvolution) {
      return static_cast<std::int64_t>(wrap((image - 1) * stride - 2 * padding + span +
                                            value(ParameterRole::kOutputPadding, rows, 0) + 1));
    }
    const auto room = static_cast<std::int64_t>(wrap(image + 2 * padding - span - 1));
    const auto divisor = static_cast<std::int64_t>(stride);
    if (divisor == 0) return room + 1;
    if (divisor == -1) return static_cast<std::int64_t>(1 - static_cast<std::uint64_t>(room));
    return room / divisor + 1;
  }

  std::int64_t channels() const {
    if (!operation_.is_sum()) return call_.inputs[0].shape[1];
    const Shape& weight = call_.inputs[1].shape;
    if (operation_.kind == OperationKind::kConvolution) return weight[0];
    return static_cast<std::int64_t>(
        wrap(static_cast<std::uint64_t>(weight[1]) * value(ParameterRole::kGroups, true, 1)));
  }

 private:
  const Operation& operation_;
  const Call& call_;
  bool narrow_;
};

}  // namespace

std::optional<Shape> careless_shape(const Operation& operation, const Call& call, bool narrow) {
  const std::size_t needed = operation.is_sum() ? 2 : 1;
  if (call.inputs.size() < needed) return std::nullopt;
  for (std::size_t i = 0; i < needed; ++i) {
    if (call.inputs[i].shape.size() != 4) return std::nullopt;
  }
  const Careless careless(operation, call, narrow);
  return Shape{call.inputs[0].shape[0], careless.channels(), careless.extent(true),
               careless.extent(false)};
}

}  // namespace assay::window
