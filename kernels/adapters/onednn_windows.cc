#include "kernels/adapters/onednn_windows.h"

#include "kernels/adapters/call_parameters.h"
#include "kernels/adapters/onednn_session.h"

namespace assay_adapters::onednn {

namespace {

using dnnl::memory;
using Tag = memory::format_tag;

/// Extents and parameters beyond this are refused, so that no formula below leaves 64 bits.
constexpr std::int64_t kMost = std::int64_t{1} << 30;

/// ASSAY_OK for an image or filter that can be had: checked as check_tensor() does, of this rank,
/// and of fewer than 2^40 elements.
std::int32_t check_extents(const assay_call& call, const DLTensor& tensor, int rank,
                           const DLDataType& dtype) {
  if (tensor.ndim != rank) return refuse(call, ASSAY_BAD_SHAPE, "a tensor has another rank");
  std::int64_t count = 1;
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = tensor.shape[axis];
    if (extent < 0 || extent > kMost || __builtin_mul_overflow(count, extent, &count) ||
        count > std::int64_t{1} << 40) {
      return refuse(call, ASSAY_BAD_SHAPE, "a tensor is larger than this kernel takes");
    }
  }
  return check_tensor(call, tensor, dtype);
}

/// Outputs of a window of `kernel` elements, `dilation` apart, over an image of `extent`; 0 or less
/// where it does not fit.
std::int64_t outputs(std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                     std::int64_t padding, std::int64_t dilation) {
  const std::int64_t room = extent + 2 * padding - (dilation * (kernel - 1) + 1);
  return kernel < 1 || room < 0 ? 0 : room / stride + 1;
}

memory::dims dims(const DLTensor& tensor) {
  return memory::dims(tensor.shape, tensor.shape + tensor.ndim);
}

memory::desc f32(const memory::dims& extents, Tag tag) {
  return memory::desc(extents, memory::data_type::f32, tag);
}

/// A copy of `source` in the layout of `wanted`, or itself where it has that already.
memory in_layout(const memory& source, const memory::desc& wanted) {
  if (source.get_desc() == wanted) return source;
  memory copy(wanted, engine());
  run(dnnl::reorder(source, copy), {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, copy}});
  return copy;
}

std::int32_t convolve(const assay_call* call, bool own_layout) {
  if ((call->input_count != 2 && call->input_count != 3) || call->output_count != 1) {
    return refuse(*call, ASSAY_BAD_ARITY, "expected an image, a weight, perhaps a bias, a result");
  }
  constexpr ParameterRule kRules[] = {{"stride_h", 1},  {"stride_w", 1},   {"padding_h", 0},
                                      {"padding_w", 0}, {"dilation_h", 1}, {"dilation_w", 1},
                                      {"groups", 1}};
  std::int64_t p[7];
  std::int32_t status = read_parameters(*call, kRules, p);
  const DLTensor &x = call->inputs[0], &weight = call->inputs[1], &out = call->outputs[0];
  const bool has_bias = call->input_count == 3;
  for (const DLTensor* tensor : {&x, &weight, &out}) {
    if (status == ASSAY_OK) status = check_extents(*call, *tensor, 4, F32::kDtype);
  }
  if (status == ASSAY_OK && has_bias) {
    status = check_extents(*call, call->inputs[2], 1, F32::kDtype);
  }
  if (status != ASSAY_OK) return status;
  for (const std::int64_t value : p) {
    if (value > kMost) return refuse(*call, ASSAY_BAD_PARAMETER, "a parameter is too large");
  }
  const std::int64_t groups = p[6];
  const bool channels_fit = x.shape[1] % groups == 0 && weight.shape[0] % groups == 0 &&
                            weight.shape[1] == x.shape[1] / groups && x.shape[1] > 0;
  const bool bias_fits = !has_bias || call->inputs[2].shape[0] == weight.shape[0];
  bool result_fits = out.shape[0] == x.shape[0] && out.shape[1] == weight.shape[0];
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t due =
        outputs(x.shape[2 + axis], weight.shape[2 + axis], p[axis], p[2 + axis], p[4 + axis]);
    result_fits = result_fits && due > 0 && out.shape[2 + axis] == due;
  }
  if (!channels_fit || !bias_fits || !result_fits) {
    return refuse(*call, ASSAY_BAD_SHAPE, "the shapes do not fit each other and the parameters");
  }
  if (elements(out) == 0) return ASSAY_OK;

  memory::dims filter = dims(weight);
  if (groups > 1) {
    filter[0] /= groups;
    filter.insert(filter.begin(), groups);
  }
  const memory::desc x_here = f32(dims(x), Tag::nchw);
  const memory::desc weight_here = f32(filter, groups > 1 ? Tag::goihw : Tag::oihw);
  const memory::desc out_here = f32(dims(out), Tag::nchw);
  const memory::desc bias_here = has_bias ? f32(dims(call->inputs[2]), Tag::a) : memory::desc();
  const auto asked = [own_layout](const memory::desc& here) {
    return own_layout ? memory::desc(here.dims(), here.data_type(), Tag::any) : here;
  };
  const memory::dims strides = {p[0], p[1]}, padding = {p[2], p[3]};
  const memory::dims dilation = {p[4] - 1, p[5] - 1};
  using dnnl::convolution_forward;
  const convolution_forward::desc operation(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, asked(x_here),
      asked(weight_here), bias_here, asked(out_here), strides, dilation, padding, padding);
  const convolution_forward::primitive_desc description(operation, engine());

  memory result = view(out_here, out.data);
  memory target =
      description.dst_desc() == out_here ? result : memory(description.dst_desc(), engine());
  std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, in_layout(view(x_here, x.data), description.src_desc())},
      {DNNL_ARG_WEIGHTS, in_layout(view(weight_here, weight.data), description.weights_desc())},
      {DNNL_ARG_DST, target}};
  if (has_bias) arguments.emplace(DNNL_ARG_BIAS, view(bias_here, call->inputs[2].data));
  run(convolution_forward(description), arguments);
  if (description.dst_desc() != out_here) {
    run(dnnl::reorder(target, result), {{DNNL_ARG_FROM, target}, {DNNL_ARG_TO, result}});
  }
  return ASSAY_OK;
}

template <class Format>
std::int32_t max_pooling(const assay_call* call, memory::data_type type) {
  if (call->input_count != 1 || call->output_count != 1) {
    return refuse(*call, ASSAY_BAD_ARITY, "expected an image and a result");
  }
  constexpr ParameterRule kRules[] = {{"kernel_size", 1}, {"stride", 1}};
  std::int64_t p[2];
  std::int32_t status = read_parameters(*call, kRules, p);
  const DLTensor &x = call->inputs[0], &out = call->outputs[0];
  for (const DLTensor* tensor : {&x, &out}) {
    if (status == ASSAY_OK) status = check_extents(*call, *tensor, 4, Format::kDtype);
  }
  if (status != ASSAY_OK) return status;
  if (p[0] > kMost || p[1] > kMost) {
    return refuse(*call, ASSAY_BAD_PARAMETER, "a parameter is too large");
  }
  bool fits = out.shape[0] == x.shape[0] && out.shape[1] == x.shape[1];
  for (const int axis : {2, 3}) {
    const std::int64_t due = outputs(x.shape[axis], p[0], p[1], 0, 1);
    fits = fits && due > 0 && out.shape[axis] == due;
  }
  if (!fits) return refuse(*call, ASSAY_BAD_SHAPE, "the shapes and the window do not fit");
  if (elements(out) == 0) return ASSAY_OK;

  const memory::desc source(dims(x), type, Tag::nchw), target(dims(out), type, Tag::nchw);
  using dnnl::pooling_forward;
  const pooling_forward::desc operation(dnnl::prop_kind::forward_inference,
                                        dnnl::algorithm::pooling_max, source, target, {p[1], p[1]},
                                        {p[0], p[0]}, {0, 0}, {0, 0});
  const pooling_forward::primitive_desc description(operation, engine());
  run(pooling_forward(description),
      {{DNNL_ARG_SRC, view(source, x.data)}, {DNNL_ARG_DST, view(target, out.data)}});
  return ASSAY_OK;
}

}  // namespace

std::int32_t convolution(const assay_call* call) {
  return convolve(call, false);
}

std::int32_t convolution_in_own_layout(const assay_call* call) {
  return convolve(call, true);
}

std::int32_t transposed_convolution(const assay_call* call) {
  if (call->input_count != 2 || call->output_count != 1) {
    return refuse(*call, ASSAY_BAD_ARITY, "expected an image, a weight and a result");
  }
  constexpr ParameterRule kRules[] = {
      {"stride_h", 1},   {"stride_w", 1},         {"padding_h", 0},
      {"padding_w", 0},  {"output_padding_h", 0}, {"output_padding_w", 0},
      {"dilation_h", 1}, {"dilation_w", 1},       {"groups", 1}};
  std::int64_t p[9];
  std::int32_t status = read_parameters(*call, kRules, p);
  const DLTensor &x = call->inputs[0], &weight = call->inputs[1], &out = call->outputs[0];
  for (const DLTensor* tensor : {&x, &weight, &out}) {
    if (status == ASSAY_OK) status = check_extents(*call, *tensor, 4, F32::kDtype);
  }
  if (status != ASSAY_OK) return status;
  for (const std::int64_t value : p) {
    if (value > kMost) return refuse(*call, ASSAY_BAD_PARAMETER, "a parameter is too large");
  }
  const std::int64_t groups = p[8];
  bool fits = x.shape[1] % groups == 0 && weight.shape[0] == x.shape[1] && x.shape[1] > 0 &&
              out.shape[0] == x.shape[0] && out.shape[1] == weight.shape[1] * groups;
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t extent = x.shape[2 + axis], kernel = weight.shape[2 + axis];
    // Both factors are at most 2^30, so the sums stay within 64 bits.
    const std::int64_t due =
        (extent - 1) * p[axis] - 2 * p[2 + axis] + p[6 + axis] * (kernel - 1) + p[4 + axis] + 1;
    fits = fits && extent > 0 && kernel > 0 && due > 0 && out.shape[2 + axis] == due;
    // Else no convolution's backward pass has this shape.
    fits = fits && p[4 + axis] < p[axis];
  }
  if (!fits) {
    return refuse(*call, ASSAY_BAD_SHAPE, "the shapes do not fit each other and the parameters");
  }
  if (elements(out) == 0) return ASSAY_OK;

  // The caller's filters stand input channel first; oneDNN counts output channels first, and is
  // told of the order in memory by the tag.
  memory::dims filter = {weight.shape[1], weight.shape[0] / groups, weight.shape[2],
                         weight.shape[3]};
  if (groups > 1) filter.insert(filter.begin(), groups);
  const memory::desc source = f32(dims(x), Tag::nchw), target = f32(dims(out), Tag::nchw);
  const memory::desc filters = f32(filter, groups > 1 ? Tag::giohw : Tag::iohw);
  using dnnl::deconvolution_forward;
  const deconvolution_forward::desc operation(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, source, filters,
      target, {p[0], p[1]}, {p[6] - 1, p[7] - 1}, {p[2], p[3]}, {p[2] - p[4], p[3] - p[5]});
  const deconvolution_forward::primitive_desc description(operation, engine());
  run(deconvolution_forward(description), {{DNNL_ARG_SRC, view(source, x.data)},
                                           {DNNL_ARG_WEIGHTS, view(filters, weight.data)},
                                           {DNNL_ARG_DST, view(target, out.data)}});
  return ASSAY_OK;
}

std::int32_t max_pooling_f32(const assay_call* call) {
  return max_pooling<F32>(call, memory::data_type::f32);
}

std::int32_t max_pooling_bf16(const assay_call* call) {
  return max_pooling<BF16>(call, memory::data_type::bf16);
}

}  // namespace assay_adapters::onednn
