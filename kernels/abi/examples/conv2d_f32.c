/* A kernel in C with parameters, several operands and one that may be left out: conv2d of f32.
 *   cc -O2 -ffp-contract=off -fPIC -shared -I kernels/abi kernels/abi/examples/conv2d_f32.c -o my.so
 *   assay audit contracts/reference/conv-pool.fkc.md --only conv2d_f32 --kernels ./my.so
 */
#include "assay_kernels.h"

#include <stdio.h>
#include <string.h>

#define EACH(i, n) for (int64_t i = 0; i < (n); ++i)
#define REQUIRE(condition, status, expected) \
  if (!(condition)) return snprintf(call->message, call->message_size, "expected " expected), status

/* The parameter of this name if it is from `least` to 2^31, else -1. */
static int64_t parameter(const assay_call *call, const char *name, int64_t least) {
  EACH(i, call->parameter_count) {
    const int64_t value = call->parameters[i].value;
    if (strcmp(call->parameters[i].name, name) == 0)
      return value >= least && value <= INT64_C(1) << 31 ? value : -1;
  }
  return -1;
}

static int32_t conv2d(const assay_call *call) {
  const int inputs = call->input_count; /* x and weight, then bias if there is one */
  REQUIRE(inputs == 2 || inputs == 3, ASSAY_BAD_ARITY, "x, weight and perhaps a bias");
  REQUIRE(call->output_count == 1 && call->parameter_count == 7, ASSAY_BAD_ARITY, "7 parameters");
  const int64_t sh = parameter(call, "stride_h", 1), sw = parameter(call, "stride_w", 1),
                ph = parameter(call, "padding_h", 0), pw = parameter(call, "padding_w", 0),
                dh = parameter(call, "dilation_h", 1), dw = parameter(call, "dilation_w", 1),
                groups = parameter(call, "groups", 1);
  REQUIRE(sh > 0 && sw > 0 && groups > 0, ASSAY_BAD_PARAMETER, "strides and groups of 1 or more");
  REQUIRE(ph >= 0 && pw >= 0 && dh == 1 && dw == 1, ASSAY_BAD_PARAMETER, "padding, dilation of 1");
  const DLTensor *t[] = {&call->inputs[0], &call->inputs[1], &call->outputs[0], &call->inputs[2]};
  EACH(i, inputs + 1) {
    const DLDataType type = t[i]->dtype;
    REQUIRE(t[i]->device.device_type == kDLCPU, ASSAY_BAD_DEVICE, "tensors in host memory");
    REQUIRE(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, ASSAY_BAD_DTYPE, "f32");
    REQUIRE(t[i]->ndim == (i == 3 ? 1 : 4), ASSAY_BAD_SHAPE, "4-d tensors and a 1-d bias");
    for (int64_t step = 1, axis = t[i]->ndim - 1; axis >= 0; --axis) {
      REQUIRE(t[i]->byte_offset == 0 && (!t[i]->strides || t[i]->shape[axis] == 1 ||
              t[i]->strides[axis] == step), ASSAY_BAD_LAYOUT, "dense tensors");
      REQUIRE(t[i]->shape[axis] >= 0 && !__builtin_mul_overflow(step, t[i]->shape[axis], &step),
              ASSAY_BAD_SHAPE, "extents of 0 or more, and no more elements than can be counted");
    }
  }
  const int64_t *x = t[0]->shape, *w = t[1]->shape, *y = t[2]->shape, h = x[2] + 2 * ph - w[2],
                v = x[3] + 2 * pw - w[3]; /* how far the filter can move */
  REQUIRE(x[1] % groups == 0 && w[0] % groups == 0 && w[1] == x[1] / groups && w[2] > 0 &&
          w[3] > 0 && h >= 0 && v >= 0 && y[0] == x[0] && y[1] == w[0] && y[2] == h / sh + 1 &&
          y[3] == v / sw + 1 && (inputs == 2 || t[3]->shape[0] == w[0]), ASSAY_BAD_SHAPE, "a fit");
  const float *in = t[0]->data, *weight = t[1]->data, *bias = inputs == 3 ? t[3]->data : NULL;
  float *out = t[2]->data;
  EACH(n, y[0]) EACH(o, y[1]) EACH(r, y[2]) EACH(s, y[3]) {
    float sum = 0;
    EACH(c, w[1]) EACH(i, w[2]) EACH(j, w[3]) {
      const int64_t a = r * sh + i - ph, b = s * sw + j - pw, k = o / (w[0] / groups) * w[1] + c;
      if (a >= 0 && a < x[2] && b >= 0 && b < x[3])
        sum += in[((n * x[1] + k) * x[2] + a) * x[3] + b] *
               weight[((o * w[1] + c) * w[2] + i) * w[3] + j];
    }
    *out++ = bias ? sum + bias[o] : sum;
  }
  return ASSAY_OK;
}

static const DLDataType f32[] = {{kDLFloat, 32, 1}, {kDLFloat, 32, 1}, {kDLFloat, 32, 1}};
static const assay_kernel kernels[] = {{"fuel_reference_backend::ops::conv2d_f32", "example", f32,
                                        f32, 3, 1, 0, conv2d}};
static const assay_kernel_list list = {ASSAY_KERNELS_ABI_VERSION, 1, kernels};
const assay_kernel_list *assay_kernel_table(void) { return &list; }
