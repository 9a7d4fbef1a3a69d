#include "kernels/conv/conv_call.h"

#include <cinttypes>
#include <iterator>
#include <numeric>

#include "kernels/arguments.h"

namespace assay::conv {

namespace {

/// The tensors of a call under the contract's names, and their element counts.
struct Operands {
  Operand x;
  Operand weight;
  Operand bias;  ///< tensor null where left out
  Operand out;
  std::int64_t x_elements = 0;
  std::int64_t weight_elements = 0;
  std::int64_t bias_elements = 0;
  std::int64_t out_elements = 0;

  std::int64_t x_extent(int axis) const { return x.tensor->shape[axis]; }
  std::int64_t weight_extent(int axis) const { return weight.tensor->shape[axis]; }
};

/// One spatial axis as the call gives it.
struct AxisArguments {
  int axis;  ///< of x and of the weight: 2 (h) or 3 (w)
  KernelParameter stride;
  KernelParameter padding;
  KernelParameter output_padding = {nullptr, 0};
  KernelParameter dilation = {nullptr, 1};
};

KernelStatus check_arity(KernelCall& call, std::size_t most_inputs, std::size_t parameters) {
  const std::size_t inputs = call.inputs.size();
  if (inputs >= 2 && inputs <= most_inputs && call.outputs.size() == 1 &&
      call.parameters.size() == parameters) {
    return KernelStatus::kOk;
  }
  return refuse(call, KernelStatus::kBadArity,
                "arguments: expected %s inputs, 1 output and %zu parameters, found %zu, %zu and "
                "%zu",
                most_inputs == 3 ? "2 or 3" : "2", parameters, inputs, call.outputs.size(),
                call.parameters.size());
}

/// Rank first: a shape is read only as far as the rank that the kernel takes.
KernelStatus check_tensor(KernelCall& call, const Operand& operand, int rank,
                          std::int64_t& elements) {
  const KernelStatus status = check_rank(call, operand, rank);
  if (status != KernelStatus::kOk) return status;
  return check_operand(call, operand, elements);
}

KernelStatus check_inputs(KernelCall& call, Dtype dtype, const char* weight_name,
                          Operands& operands) {
  operands.x = {&call.inputs[0], "x", dtype};
  operands.weight = {&call.inputs[1], weight_name, dtype};
  operands.bias = {call.inputs.size() > 2 ? &call.inputs[2] : nullptr, "bias", dtype};
  operands.out = {&call.outputs[0], "out", dtype};
  KernelStatus status = check_tensor(call, operands.x, 4, operands.x_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_tensor(call, operands.weight, 4, operands.weight_elements);
  if (status != KernelStatus::kOk) return status;
  if (operands.bias.tensor != nullptr) {
    status = check_tensor(call, operands.bias, 1, operands.bias_elements);
    if (status != KernelStatus::kOk) return status;
  }
  for (const int axis : {2, 3}) {
    if (operands.weight_extent(axis) == 0) {
      return refuse(call, KernelStatus::kBadShape,
                    "%s: expected an extent of 1 or more on axis %d, found 0", weight_name, axis);
    }
  }
  return check_tensor(call, operands.out, 4, operands.out_elements);
}

/// The output against the shape rule, then the layout of all tensors.
KernelStatus check_output_and_layout(KernelCall& call, const Operands& operands,
                                     std::int64_t channels, const Plan& plan) {
  const std::int64_t expected[] = {operands.x_extent(0), channels, plan.rows.output,
                                   plan.columns.output};
  for (int axis = 0; axis < 4; ++axis) {
    const std::int64_t found = operands.out.tensor->shape[axis];
    if (found != expected[axis]) {
      return refuse(call, KernelStatus::kBadShape,
                    "out: expected the shape rule's extent %" PRId64 " on axis %d, found %" PRId64,
                    expected[axis], axis, found);
    }
  }
  KernelStatus status = check_layout(call, operands.x, operands.x_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, operands.weight, operands.weight_elements);
  if (status != KernelStatus::kOk) return status;
  if (operands.bias.tensor != nullptr) {
    status = check_layout(call, operands.bias, operands.bias_elements);
    if (status != KernelStatus::kOk) return status;
  }
  return check_layout(call, operands.out, operands.out_elements);
}

KernelStatus refuse_overflow(KernelCall& call, int axis, const KernelParameter& cause) {
  return refuse(call, KernelStatus::kBadParameter,
                "%s: expected extents that 64 bits hold on axis %d, found %" PRId64, cause.name,
                axis, cause.value);
}

KernelStatus gathered_axis(KernelCall& call, const Operands& operands,
                           const AxisArguments& arguments, Axis& axis) {
  const std::int64_t input = operands.x_extent(arguments.axis);
  const std::int64_t kernel = operands.weight_extent(arguments.axis);
  std::int64_t padded = 0;
  if (__builtin_mul_overflow(arguments.padding.value, std::int64_t{2}, &padded) ||
      __builtin_add_overflow(padded, input, &padded)) {
    return refuse_overflow(call, arguments.axis, arguments.padding);
  }
  if (kernel > padded) {
    return refuse(call, KernelStatus::kBadShape,
                  "%s: expected at most the padded input's extent %" PRId64
                  " on axis %d, found %" PRId64,
                  operands.weight.name, padded, arguments.axis, kernel);
  }
  axis = {input,
          kernel,
          (padded - kernel) / arguments.stride.value + 1,
          arguments.stride.value,
          arguments.padding.value,
          arguments.dilation.value};
  return KernelStatus::kOk;
}

KernelStatus scattered_axis(KernelCall& call, const Operands& operands,
                            const AxisArguments& arguments, Axis& axis) {
  const std::int64_t input = operands.x_extent(arguments.axis);
  const std::int64_t kernel = operands.weight_extent(arguments.axis);
  if (input == 0) {
    return refuse(call, KernelStatus::kBadShape,
                  "x: expected an extent of 1 or more on axis %d, found 0", arguments.axis);
  }
  std::int64_t unpadded = 0;  // (input - 1) * stride + dilation * (kernel - 1) + output padding + 1
  if (__builtin_mul_overflow(input - 1, arguments.stride.value, &unpadded)) {
    return refuse_overflow(call, arguments.axis, arguments.stride);
  }
  std::int64_t span = 0;
  if (__builtin_mul_overflow(kernel - 1, arguments.dilation.value, &span) ||
      __builtin_add_overflow(unpadded, span, &unpadded)) {
    return refuse_overflow(call, arguments.axis, arguments.dilation);
  }
  if (__builtin_add_overflow(unpadded, arguments.output_padding.value, &unpadded) ||
      __builtin_add_overflow(unpadded, std::int64_t{1}, &unpadded)) {
    return refuse_overflow(call, arguments.axis, arguments.output_padding);
  }
  std::int64_t margins = 0;
  if (__builtin_mul_overflow(arguments.padding.value, std::int64_t{2}, &margins)) {
    return refuse_overflow(call, arguments.axis, arguments.padding);
  }
  if (margins >= unpadded) {
    return refuse(call, KernelStatus::kBadParameter,
                  "%s: expected less than half of the unpadded output's extent %" PRId64
                  " on axis %d, found %" PRId64,
                  arguments.padding.name, unpadded, arguments.axis, arguments.padding.value);
  }
  const std::int64_t divisor = std::gcd(arguments.stride.value, arguments.dilation.value);
  axis = {input,
          kernel,
          unpadded - margins,
          arguments.stride.value,
          arguments.padding.value,
          arguments.dilation.value,
          arguments.stride.value / divisor,
          arguments.dilation.value / divisor};
  return KernelStatus::kOk;
}

KernelStatus check_groups(KernelCall& call, const Operand& operand, int axis, std::int64_t groups) {
  const std::int64_t channels = operand.tensor->shape[axis];
  if (channels % groups == 0) return KernelStatus::kOk;
  return refuse(call, KernelStatus::kBadParameter,
                "groups: expected a divisor of %s's extent %" PRId64 " on axis %d, found %" PRId64,
                operand.name, channels, axis, groups);
}

KernelStatus check_weight_extent(KernelCall& call, const Operands& operands, int axis,
                                 std::int64_t expected, const char* of) {
  const std::int64_t found = operands.weight_extent(axis);
  if (found == expected) return KernelStatus::kOk;
  return refuse(call, KernelStatus::kBadShape,
                "%s: expected extent %" PRId64 " (%s) on axis %d, found %" PRId64,
                operands.weight.name, expected, of, axis, found);
}

/// The rest of the plan, once axes, groups and channels are set. Steps of tensors without elements
/// are never taken; they stay 0 because their product may overflow.
void fill_plan(const Operands& operands, Plan& plan) {
  plan.batch = operands.x_extent(0);
  plan.x_elements = operands.x_elements;
  plan.out_elements = operands.out_elements;
  plan.x = static_cast<const std::byte*>(operands.x.tensor->data);
  plan.weight = static_cast<const std::byte*>(operands.weight.tensor->data);
  plan.bias = operands.bias.tensor == nullptr
                  ? nullptr
                  : static_cast<const std::byte*>(operands.bias.tensor->data);
  plan.out = static_cast<std::byte*>(operands.out.tensor->data);
  plan.x_plane = operands.x_elements == 0 ? 0 : plan.rows.input * plan.columns.input;
  plan.out_plane = operands.out_elements == 0 ? 0 : plan.rows.output * plan.columns.output;
  const bool no_weight = operands.weight_elements == 0;
  plan.filter = no_weight ? 0 : plan.rows.kernel * plan.columns.kernel;
  const bool out_leads = plan.direction == Direction::kGather;
  plan.weight_in_step = no_weight ? 0 : plan.filter * (out_leads ? 1 : plan.out_channels);
  plan.weight_out_step = no_weight ? 0 : plan.filter * (out_leads ? plan.in_channels : 1);
}

/// The checks that conv2d and conv2d_simple share, once the parameters are known.
KernelStatus check_gathered(KernelCall& call, const Operands& operands, const AxisArguments& rows,
                            const AxisArguments& columns, std::int64_t groups, Plan& plan) {
  KernelStatus status = gathered_axis(call, operands, rows, plan.rows);
  if (status != KernelStatus::kOk) return status;
  status = gathered_axis(call, operands, columns, plan.columns);
  if (status != KernelStatus::kOk) return status;
  const std::int64_t channels = operands.weight_extent(0);
  status = check_output_and_layout(call, operands, channels, plan);
  if (status != KernelStatus::kOk) return status;
  plan.direction = Direction::kGather;
  plan.groups = groups;
  plan.in_channels = operands.x_extent(1) / groups;
  plan.out_channels = channels / groups;
  fill_plan(operands, plan);
  return KernelStatus::kOk;
}

constexpr ParameterRule kConv2dRules[] = {{kConv2dParameters[0], 1}, {kConv2dParameters[1], 1},
                                          {kConv2dParameters[2], 0}, {kConv2dParameters[3], 0},
                                          {kConv2dParameters[4], 1}, {kConv2dParameters[5], 1},
                                          {kConv2dParameters[6], 1}};

constexpr ParameterRule kConvTranspose2dRules[] = {
    {kConvTranspose2dParameters[0], 1}, {kConvTranspose2dParameters[1], 1},
    {kConvTranspose2dParameters[2], 0}, {kConvTranspose2dParameters[3], 0},
    {kConvTranspose2dParameters[4], 0}, {kConvTranspose2dParameters[5], 0},
    {kConvTranspose2dParameters[6], 1}, {kConvTranspose2dParameters[7], 1},
    {kConvTranspose2dParameters[8], 1}};

constexpr ParameterRule kConv2dSimpleRules[] = {{kConv2dSimpleParameters[0], 1},
                                                {kConv2dSimpleParameters[1], 0}};

}  // namespace

KernelStatus check_conv2d(KernelCall& call, Dtype dtype, Plan& plan) {
  std::int64_t values[std::size(kConv2dRules)];
  KernelStatus status = check_arity(call, 3, std::size(kConv2dRules));
  if (status != KernelStatus::kOk) return status;
  status = read_parameters(call, kConv2dRules, values);
  if (status != KernelStatus::kOk) return status;
  for (const std::size_t i : {4u, 5u}) {
    if (values[i] != 1) {
      return refuse(call, KernelStatus::kBadParameter, "%s: expected 1, found %" PRId64,
                    kConv2dParameters[i], values[i]);
    }
  }
  Operands operands;
  status = check_inputs(call, dtype, "weight", operands);
  if (status != KernelStatus::kOk) return status;
  const std::int64_t groups = values[6];
  status = check_groups(call, operands.x, 1, groups);
  if (status != KernelStatus::kOk) return status;
  status = check_groups(call, operands.weight, 0, groups);
  if (status != KernelStatus::kOk) return status;
  status = check_weight_extent(call, operands, 1, operands.x_extent(1) / groups,
                               "x's channels / groups");
  if (status != KernelStatus::kOk) return status;
  if (operands.bias.tensor != nullptr &&
      operands.bias.tensor->shape[0] != operands.weight_extent(0)) {
    return refuse(call, KernelStatus::kBadShape,
                  "bias: expected weight's extent %" PRId64 " of axis 0, found %" PRId64,
                  operands.weight_extent(0), operands.bias.tensor->shape[0]);
  }
  const AxisArguments rows{2, {kConv2dParameters[0], values[0]}, {kConv2dParameters[2], values[2]}};
  const AxisArguments columns{
      3, {kConv2dParameters[1], values[1]}, {kConv2dParameters[3], values[3]}};
  return check_gathered(call, operands, rows, columns, groups, plan);
}

KernelStatus check_conv_transpose2d(KernelCall& call, Dtype dtype, Plan& plan) {
  std::int64_t values[std::size(kConvTranspose2dRules)];
  KernelStatus status = check_arity(call, 2, std::size(kConvTranspose2dRules));
  if (status != KernelStatus::kOk) return status;
  status = read_parameters(call, kConvTranspose2dRules, values);
  if (status != KernelStatus::kOk) return status;
  Operands operands;
  status = check_inputs(call, dtype, "weight", operands);
  if (status != KernelStatus::kOk) return status;
  const std::int64_t groups = values[8];
  status = check_groups(call, operands.x, 1, groups);
  if (status != KernelStatus::kOk) return status;
  status = check_weight_extent(call, operands, 0, operands.x_extent(1), "x's channels");
  if (status != KernelStatus::kOk) return status;
  std::int64_t channels = 0;
  if (__builtin_mul_overflow(operands.weight_extent(1), groups, &channels)) {
    return refuse(call, KernelStatus::kBadParameter,
                  "groups: expected output channels that 64 bits hold, found %" PRId64
                  " groups of %" PRId64,
                  groups, operands.weight_extent(1));
  }
  const auto parameter = [&](std::size_t i) {
    return KernelParameter{kConvTranspose2dParameters[i], values[i]};
  };
  status = scattered_axis(call, operands,
                          {2, parameter(0), parameter(2), parameter(4), parameter(6)}, plan.rows);
  if (status != KernelStatus::kOk) return status;
  status = scattered_axis(
      call, operands, {3, parameter(1), parameter(3), parameter(5), parameter(7)}, plan.columns);
  if (status != KernelStatus::kOk) return status;
  status = check_output_and_layout(call, operands, channels, plan);
  if (status != KernelStatus::kOk) return status;
  plan.direction = Direction::kScatter;
  plan.groups = groups;
  plan.in_channels = operands.x_extent(1) / groups;
  plan.out_channels = operands.weight_extent(1);
  fill_plan(operands, plan);
  return KernelStatus::kOk;
}

KernelStatus check_conv2d_simple(KernelCall& call, Dtype dtype, Plan& plan) {
  std::int64_t values[std::size(kConv2dSimpleRules)];
  KernelStatus status = check_arity(call, 2, std::size(kConv2dSimpleRules));
  if (status != KernelStatus::kOk) return status;
  status = read_parameters(call, kConv2dSimpleRules, values);
  if (status != KernelStatus::kOk) return status;
  Operands operands;
  status = check_inputs(call, dtype, "kernel", operands);
  if (status != KernelStatus::kOk) return status;
  status = check_weight_extent(call, operands, 1, operands.x_extent(1), "x's channels");
  if (status != KernelStatus::kOk) return status;
  const KernelParameter stride{kConv2dSimpleParameters[0], values[0]};
  const KernelParameter padding{kConv2dSimpleParameters[1], values[1]};
  return check_gathered(call, operands, {2, stride, padding}, {3, stride, padding}, 1, plan);
}

KernelStatus run(KernelCall& call, Check check, Dtype dtype, const char* variant, Loop loop) {
  call.ran = nullptr;
  call.message[0] = '\0';
  Plan plan;
  const KernelStatus status = check(call, dtype, plan);
  if (status != KernelStatus::kOk) return status;
  if (plan.out_elements != 0) loop(plan);
  call.ran = variant;
  return KernelStatus::kOk;
}

}  // namespace assay::conv
