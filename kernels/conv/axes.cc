#include "kernels/conv/axes.h"

#include <cinttypes>
#include <numeric>

#include "kernels/arguments.h"

namespace assay::conv {

namespace {

KernelStatus refuse_overflow(KernelCall& call, int axis, const KernelParameter& cause) {
  return refuse(call, KernelStatus::kBadParameter,
                "%s: expected extents that 64 bits hold on axis %d, found %" PRId64, cause.name,
                axis, cause.value);
}

}  // namespace

KernelStatus gathered_axis(KernelCall& call, const AxisArguments& arguments,
                           const char* weight_name, Axis& axis) {
  const std::int64_t input = arguments.input;
  const std::int64_t kernel = arguments.kernel;
  std::int64_t padded = 0;
  if (__builtin_mul_overflow(arguments.padding.value, std::int64_t{2}, &padded) ||
      __builtin_add_overflow(padded, input, &padded)) {
    return refuse_overflow(call, arguments.axis, arguments.padding);
  }
  if (kernel > padded) {
    return refuse(call, KernelStatus::kBadShape,
                  "%s: expected at most the padded input's extent %" PRId64
                  " on axis %d, found %" PRId64,
                  weight_name, padded, arguments.axis, kernel);
  }
  axis = {input,
          kernel,
          (padded - kernel) / arguments.stride.value + 1,
          arguments.stride.value,
          arguments.padding.value,
          arguments.dilation.value};
  return KernelStatus::kOk;
}

KernelStatus scattered_axis(KernelCall& call, const AxisArguments& arguments, Axis& axis) {
  const std::int64_t input = arguments.input;
  const std::int64_t kernel = arguments.kernel;
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

}  // namespace assay::conv
