// Faults of the checks of geometry: extents and parameters accepted that are to be refused, and
// outputs of another shape than the rule's. None touches memory that the caller has not described.

#include "kernels/mutants/restated_call.h"
#include "kernels/mutants/window_pool.h"

namespace assay::mutants {

namespace {

/// Channels that the groups do not divide are left over: none reads or writes them.
KernelStatus takes_any_groups(KernelCall& call) {
  Restated restated(call);
  const std::int64_t* groups = restated.parameter("groups");
  if (!restated.has(2) || groups == nullptr || *groups < 1 || !is_small(call.inputs[0], 4) ||
      !is_small(call.inputs[1], 4) || !is_small(call.outputs[0], 4)) {
    return kConv2d<f32>(call);
  }
  std::vector<std::int64_t> x = shape_of(call.inputs[0]);
  std::vector<std::int64_t> weight = shape_of(call.inputs[1]);
  std::vector<std::int64_t> out = shape_of(call.outputs[0]);
  if (x[1] % *groups == 0 && weight[0] % *groups == 0) return kConv2d<f32>(call);
  weight[1] = std::min(weight[1], x[1] / *groups);
  x[1] = weight[1] * *groups;
  weight[0] = weight[0] / *groups * *groups;
  out[1] = std::min(out[1], weight[0]);
  if (restated.has(3) && is_small(call.inputs[2], 1)) {
    restated.reshape(restated.inputs[2], {std::min(call.inputs[2].shape[0], weight[0])});
  }
  restated.reshape(restated.inputs[0], x);
  restated.reshape(restated.inputs[1], weight);
  restated.reshape(restated.outputs[0], out);
  return restated.run_or_do_nothing(kConv2d<f32>);
}

KernelStatus transpose_takes_any_groups(KernelCall& call) {
  Restated restated(call);
  const std::int64_t* groups = restated.parameter("groups");
  if (!restated.has(2) || groups == nullptr || *groups < 1 || !is_small(call.inputs[0], 4) ||
      !is_small(call.inputs[1], 4) || call.inputs[0].shape[1] % *groups == 0) {
    return kTranspose<f64>(call);
  }
  for (const std::size_t i : {0u, 1u}) {
    std::vector<std::int64_t> shape = shape_of(call.inputs[i]);
    std::int64_t& channels = shape[i == 0 ? 1 : 0];
    channels = channels / *groups * *groups;
    restated.reshape(restated.inputs[i], std::move(shape));
  }
  return restated.run_or_do_nothing(kTranspose<f64>);
}

/// The plan of a filter that exceeds the padded image, as if it fitted: made for an image that is
/// padded enough, and then given the paddings and the output extents that were asked for.
KernelStatus check_any_filter(KernelCall& call, Dtype dtype, Plan& plan) {
  Restated restated(call);
  std::int64_t* paddings[] = {restated.parameter("padding_h"), restated.parameter("padding_w")};
  const bool known = paddings[0] != nullptr && paddings[1] != nullptr && restated.has(2) &&
                     is_small(call.inputs[0], 4) && is_small(call.inputs[1], 4) &&
                     is_small(call.outputs[0], 4);
  if (!known) return conv::check_conv2d(call, dtype, plan);
  std::vector<std::int64_t> out = shape_of(call.outputs[0]);
  std::int64_t asked[2];
  bool exceeds[2];
  for (const std::size_t i : {0u, 1u}) {
    asked[i] = *paddings[i];
    const std::int64_t image = call.inputs[0].shape[i + 2];
    const std::int64_t filter = call.inputs[1].shape[i + 2];
    exceeds[i] = asked[i] >= 0 && asked[i] < filter && filter > image + 2 * asked[i];
    if (!exceeds[i]) continue;
    *paddings[i] = (filter - image + 1) / 2;  // room for one output, or two at a stride of 1
    const std::int64_t* stride = restated.parameter(i == 0 ? "stride_h" : "stride_w");
    if (stride == nullptr || *stride < 1) return conv::check_conv2d(call, dtype, plan);
    out[i + 2] = (image + 2 * *paddings[i] - filter) / *stride + 1;
  }
  if (!exceeds[0] && !exceeds[1]) return conv::check_conv2d(call, dtype, plan);
  restated.reshape(restated.outputs[0], out);
  const KernelStatus status =
      restated.run([&](KernelCall& c) { return conv::check_conv2d(c, dtype, plan); });
  if (status != KernelStatus::kOk) return status;
  Axis* axes[] = {&plan.rows, &plan.columns};
  for (const std::size_t i : {0u, 1u}) {
    axes[i]->padding = asked[i];
    axes[i]->output = call.outputs[0].shape[i + 2];
  }
  plan.out_plane = plan.rows.output * plan.columns.output;
  plan.out_elements = plan.batch * plan.groups * plan.out_channels * plan.out_plane;
  return KernelStatus::kOk;
}

KernelStatus pool_takes_any_kernel(KernelCall& call) {
  Restated restated(call);
  std::int64_t* kernel = restated.parameter("kernel_size");
  if (!restated.has(1) || kernel == nullptr || !is_small(call.inputs[0], 4)) {
    return kMaxPool<cast::F32>(call);
  }
  const std::int64_t most = std::min(call.inputs[0].shape[2], call.inputs[0].shape[3]);
  if (*kernel <= most || most == 0) return kMaxPool<cast::F32>(call);
  *kernel = most;
  return restated.run_or_do_nothing(kMaxPool<cast::F32>);
}

/// A bias of another length is repeated, or used as far as it is needed.
KernelStatus takes_any_bias(KernelCall& call) {
  Restated restated(call);
  if (!restated.has(3) || !is_small(call.inputs[1], 4) || !is_small(call.inputs[2], 1)) {
    return kConv2d<f64>(call);
  }
  const std::int64_t due = call.inputs[1].shape[0];
  const std::int64_t found = call.inputs[2].shape[0];
  if (found == due) return kConv2d<f64>(call);
  std::int64_t elements = 0;
  const Operand bias{&call.inputs[2], "bias", Dtype::kF64};
  KernelStatus status = check_operand(call, bias, elements);
  if (status == KernelStatus::kOk) status = check_layout(call, bias, elements);
  if (status != KernelStatus::kOk) return status;
  std::vector<double> repeated(static_cast<std::size_t>(due));
  for (std::int64_t i = 0; i < due && found > 0; ++i) {
    repeated[static_cast<std::size_t>(i)] =
        element_at<double>(static_cast<const std::byte*>(call.inputs[2].data), i % found);
  }
  restated.inputs[2].data = repeated.data();
  restated.reshape(restated.inputs[2], {due});
  return restated.run(kConv2d<f64>);
}

/// A filter of other channels than x: those that both have are used.
KernelStatus takes_any_channels(KernelCall& call) {
  Restated restated(call);
  if (!restated.has(2) || !is_small(call.inputs[0], 4) || !is_small(call.inputs[1], 4)) {
    return kSimple<f64>(call);
  }
  const std::int64_t channels = std::min(call.inputs[0].shape[1], call.inputs[1].shape[1]);
  for (DLTensor& tensor : restated.inputs) {
    std::vector<std::int64_t> shape = shape_of(tensor);
    shape[1] = channels;
    restated.reshape(tensor, std::move(shape));
  }
  return restated.run(kSimple<f64>);
}

template <KernelFunction kKernel>
KernelStatus takes_stride_0(KernelCall& call) {
  Restated restated(call);
  std::int64_t* stride = restated.parameter("stride");
  if (stride == nullptr || *stride != 0) return kKernel(call);
  *stride = 1;
  return restated.run_or_do_nothing(kKernel);
}

/// An output that is larger than the rule's along rows or columns gets the results densely at its
/// start.
template <conv::Check kCheck, class A>
KernelStatus takes_larger_output(KernelCall& call) {
  Restated restated(call);
  if (!restated.has(2) || !is_small(call.outputs[0], 4)) {
    return convolve<kCheck, A::kDtype, &window_loop<A, Correct>>(call);
  }
  // What the rule gives is asked of the checks: from the given extents downwards.
  const std::vector<std::int64_t> given = shape_of(call.outputs[0]);
  for (std::int64_t h = given[2]; h >= 0 && h + 8 >= given[2]; --h) {
    for (std::int64_t w = given[3]; w >= 0 && w + 8 >= given[3]; --w) {
      restated.reshape(restated.outputs[0], {given[0], given[1], h, w});
      Plan plan;
      const KernelStatus fits =
          restated.run([&](KernelCall& c) { return kCheck(c, A::kDtype, plan); });
      if (fits == KernelStatus::kBadShape) continue;
      return restated.run(&convolve<kCheck, A::kDtype, &window_loop<A, Correct>>);
    }
  }
  return convolve<kCheck, A::kDtype, &window_loop<A, Correct>>(call);
}

/// Rounds the quotient of the shape rule up.
KernelStatus check_rounding_up(KernelCall& call, Dtype dtype, Plan& plan) {
  Restated restated(call);
  const std::int64_t* padding = restated.parameter("padding");
  const std::int64_t* stride = restated.parameter("stride");
  const bool known = restated.has(2) && padding != nullptr && stride != nullptr && *stride > 0 &&
                     *padding >= 0 && *padding <= 4096 && is_small(call.inputs[0], 4) &&
                     is_small(call.inputs[1], 4) && is_small(call.outputs[0], 4);
  if (!known) return conv::check_conv2d_simple(call, dtype, plan);
  std::vector<std::int64_t> out = shape_of(call.outputs[0]);
  for (const std::size_t axis : {2u, 3u}) {
    const std::int64_t room =
        call.inputs[0].shape[axis] + 2 * *padding - call.inputs[1].shape[axis];
    const std::int64_t up = room % *stride == 0 ? 0 : 1;
    if (room < 0) return conv::check_conv2d_simple(call, dtype, plan);
    if (out[axis] != room / *stride + 1 + up) {
      return refuse(call, KernelStatus::kBadShape, "out: expected an extent of %lld, found %lld",
                    static_cast<long long>(room / *stride + 1 + up),
                    static_cast<long long>(out[axis]));
    }
    out[axis] -= up;
  }
  restated.reshape(restated.outputs[0], out);
  const KernelStatus status =
      restated.run([&](KernelCall& c) { return conv::check_conv2d_simple(c, dtype, plan); });
  if (status != KernelStatus::kOk) return status;
  plan.rows.output = call.outputs[0].shape[2];
  plan.columns.output = call.outputs[0].shape[3];
  plan.out_plane = plan.rows.output * plan.columns.output;
  plan.out_elements = plan.batch * plan.out_channels * plan.out_plane;
  return KernelStatus::kOk;
}

}  // namespace

std::vector<Mutant> window_call_mutants() {
  using enum Dtype;
  using conv::check_conv2d;
  using conv::check_conv_transpose2d;
  return {
      {"conv2d_f32_takes_any_groups", kConv2dF32,
       "takes groups that do not divide the channels; the channels left over are not touched",
       "accept.geometry", &takes_any_groups},
      {"conv_transpose2d_f64_takes_any_groups", kTransposeF64,
       "takes groups that do not divide x's channels; the channels left over are not read",
       "accept.geometry", &transpose_takes_any_groups},
      {"conv2d_f32_takes_any_filter", kConv2dF32,
       "takes a filter that is larger than the padded image, with an output of any height or width",
       "accept.geometry", &convolve<&check_any_filter, kF32, &window_loop<f32, Correct>>},
      {"max_pool2d_f32_takes_any_kernel", kMaxPoolF32,
       "takes a kernel_size larger than the image, and any output with it", "accept.geometry",
       &pool_takes_any_kernel},
      {"conv2d_f64_takes_any_bias", kConv2dF64,
       "takes a bias of another length than Cout, and repeats it", "accept.geometry",
       &takes_any_bias},
      {"conv2d_simple_f64_takes_any_channels", kSimpleF64,
       "takes a filter of other channels than x's, and uses those that both have",
       "accept.geometry", &takes_any_channels},
      {"conv2d_simple_f32_takes_stride_0", kSimpleF32, "takes a stride of 0 for 1, with any output",
       "accept.geometry", &takes_stride_0<kSimple<f32>>},
      {"max_pool2d_f64_takes_stride_0", kMaxPoolF64, "takes a stride of 0 for 1, with any output",
       "accept.geometry", &takes_stride_0<kMaxPool<cast::F64>>},
      {"conv2d_f64_takes_larger_output", kConv2dF64,
       "takes an output up to 8 rows or columns larger than the rule's", "shape_rule",
       &takes_larger_output<&check_conv2d, f64>},
      {"conv_transpose2d_f32_takes_larger_output", kTransposeF32,
       "takes an output up to 8 rows or columns larger than the rule's", "shape_rule",
       &takes_larger_output<&check_conv_transpose2d, f32>},
      {"conv2d_simple_f16_shape_rounded_up", kSimpleF16,
       "expects an output by the shape rule rounded up; strides that leave a remainder",
       "shape_rule", &convolve<&check_rounding_up, kF16, &window_loop<f16, Correct>>},
  };
}

}  // namespace assay::mutants
