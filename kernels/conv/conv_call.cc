#include "kernels/conv/conv_call.h"

#include <cinttypes>
#include <iterator>

#include "kernels/arguments.h"
#include "kernels/conv/axes.h"
#include "kernels/conv/operands.h"

namespace assay::conv {

namespace {

KernelStatus check_arity(KernelCall& call, std::size_t most_inputs) {
  const std::size_t inputs = call.inputs.size();
  if (inputs >= 2 && inputs <= most_inputs && call.outputs.size() == 1) return KernelStatus::kOk;
  return refuse(call, KernelStatus::kBadArity,
                "arguments: expected %s inputs and 1 output, found %zu and %zu",
                most_inputs == 3 ? "2 or 3" : "2", inputs, call.outputs.size());
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
  KernelStatus status = gathered_axis(call, rows, operands.weight.name, plan.rows);
  if (status != KernelStatus::kOk) return status;
  status = gathered_axis(call, columns, operands.weight.name, plan.columns);
  if (status != KernelStatus::kOk) return status;
  const std::int64_t channels = operands.weight_extent(0);
  status = check_output_and_layout(
      call, operands, {operands.x_extent(0), channels, plan.rows.output, plan.columns.output});
  if (status != KernelStatus::kOk) return status;
  plan.direction = Direction::kGather;
  plan.groups = groups;
  plan.in_channels = operands.x_extent(1) / groups;
  plan.out_channels = channels / groups;
  fill_plan(operands, plan);
  return KernelStatus::kOk;
}

}  // namespace

KernelStatus check_conv2d(KernelCall& call, Dtype dtype, Plan& plan) {
  std::int64_t values[std::size(kConv2dRules)];
  KernelStatus status = check_arity(call, 3);
  if (status != KernelStatus::kOk) return status;
  status = read_parameters(call, kConv2dRules, values);
  if (status != KernelStatus::kOk) return status;
  for (const std::size_t i : {4u, 5u}) {
    if (values[i] != 1) {
      return refuse(call, KernelStatus::kBadParameter, "%s: expected 1, found %" PRId64,
                    kConv2dRules[i].name, values[i]);
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
  const auto parameter = [&](std::size_t i) {
    return KernelParameter{kConv2dRules[i].name, values[i]};
  };
  const AxisArguments rows{2, operands.x_extent(2), operands.weight_extent(2), parameter(0),
                           parameter(2)};
  const AxisArguments columns{3, operands.x_extent(3), operands.weight_extent(3), parameter(1),
                              parameter(3)};
  return check_gathered(call, operands, rows, columns, groups, plan);
}

KernelStatus check_conv_transpose2d(KernelCall& call, Dtype dtype, Plan& plan) {
  std::int64_t values[std::size(kConvTranspose2dRules)];
  KernelStatus status = check_arity(call, 2);
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
    return KernelParameter{kConvTranspose2dRules[i].name, values[i]};
  };
  status = scattered_axis(call,
                          {2, operands.x_extent(2), operands.weight_extent(2), parameter(0),
                           parameter(2), parameter(4), parameter(6)},
                          plan.rows);
  if (status != KernelStatus::kOk) return status;
  status = scattered_axis(call,
                          {3, operands.x_extent(3), operands.weight_extent(3), parameter(1),
                           parameter(3), parameter(5), parameter(7)},
                          plan.columns);
  if (status != KernelStatus::kOk) return status;
  status = check_output_and_layout(
      call, operands, {operands.x_extent(0), channels, plan.rows.output, plan.columns.output});
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
  KernelStatus status = check_arity(call, 2);
  if (status != KernelStatus::kOk) return status;
  status = read_parameters(call, kConv2dSimpleRules, values);
  if (status != KernelStatus::kOk) return status;
  Operands operands;
  status = check_inputs(call, dtype, "kernel", operands);
  if (status != KernelStatus::kOk) return status;
  status = check_weight_extent(call, operands, 1, operands.x_extent(1), "x's channels");
  if (status != KernelStatus::kOk) return status;
  const KernelParameter stride{kConv2dSimpleRules[0].name, values[0]};
  const KernelParameter padding{kConv2dSimpleRules[1].name, values[1]};
  return check_gathered(
      call, operands, {2, operands.x_extent(2), operands.weight_extent(2), stride, padding},
      {3, operands.x_extent(3), operands.weight_extent(3), stride, padding}, 1, plan);
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
