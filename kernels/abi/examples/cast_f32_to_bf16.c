/* A kernel in C: f32 to bf16, to nearest even. Build it, from the source folder, with
 *   cc -O2 -fPIC -shared -I kernels/abi kernels/abi/examples/cast_f32_to_bf16.c -o build/my.so
 * and audit it with
 *   assay audit contracts/reference/cast.fkc.md --only cast_f32_to_bf16 --kernels build/my.so
 */
#include "assay_kernels.h"

#include <stdio.h>

static int refuse(const assay_call *call, int status, const char *what) {
  snprintf(call->message, (size_t)call->message_size, "%s", what);
  return status;
}

/* Contiguous, in row-major order, from the start of its buffer. */
static int dense(const DLTensor *t) {
  int64_t step = 1;
  if (t->byte_offset != 0) return 0;
  for (int axis = t->ndim - 1; axis >= 0 && t->strides != NULL; --axis) {
    if (t->shape[axis] != 1 && t->strides[axis] != step) return 0;
    step *= t->shape[axis];
  }
  return 1;
}

static int32_t cast(const assay_call *call) {
  if (call->input_count != 1 || call->output_count != 1 || call->parameter_count != 0)
    return refuse(call, ASSAY_BAD_ARITY, "expected one input, one output and no parameter");
  const DLTensor *x = &call->inputs[0], *y = &call->outputs[0];
  if (x->device.device_type != kDLCPU || y->device.device_type != kDLCPU)
    return refuse(call, ASSAY_BAD_DEVICE, "expected tensors in host memory");
  if (x->dtype.code != kDLFloat || x->dtype.bits != 32 || y->dtype.code != kDLBfloat ||
      y->dtype.bits != 16)
    return refuse(call, ASSAY_BAD_DTYPE, "expected f32 as input and bf16 as output");
  if (x->ndim != y->ndim) return refuse(call, ASSAY_BAD_SHAPE, "expected equal ranks");
  int64_t n = 1;
  for (int axis = 0; axis < x->ndim; ++axis) {
    if (x->shape[axis] != y->shape[axis])
      return refuse(call, ASSAY_BAD_SHAPE, "expected equal shapes");
    n *= x->shape[axis];
  }
  if (!dense(x) || !dense(y)) return refuse(call, ASSAY_BAD_LAYOUT, "expected dense tensors");
  const uint32_t *from = x->data;
  uint16_t *to = y->data;
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t b = from[i];
    const int nan = (b & 0x7fffffffu) > 0x7f800000u;
    to[i] = (uint16_t)(nan ? b >> 16 | 0x40u : (b + 0x7fffu + (b >> 16 & 1u)) >> 16);
  }
  return ASSAY_OK;
}

static const DLDataType f32 = {kDLFloat, 32, 1}, bf16 = {kDLBfloat, 16, 1};
static const assay_kernel kernels[] = {{"fuel_reference_backend::ops::cast_f32_to_bf16", "example",
                                        &f32, &bf16, 1, 1, 0, cast}};
static const assay_kernel_list list = {ASSAY_KERNELS_ABI_VERSION, 1, kernels};
const assay_kernel_list *assay_kernel_table(void) { return &list; }
