/* Two conversions from f32 to bf16: one that rounds to nearest even, as the contract says, and one
 * that cuts the significand off, which the contract does not allow. */
#include "assay_kernels.h"

#include <stddef.h>
#include <stdio.h>

static int32_t refuse(const assay_call *call, int32_t status, const char *what) {
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

/* ASSAY_OK and the number of elements, or the refusal. */
static int32_t elements(const assay_call *call, int64_t *count) {
  if (call->input_count != 1 || call->output_count != 1 || call->parameter_count != 0)
    return refuse(call, ASSAY_BAD_ARITY, "expected one input, one output and no parameter");
  const DLTensor *x = &call->inputs[0], *y = &call->outputs[0];
  if (x->device.device_type != kDLCPU || y->device.device_type != kDLCPU)
    return refuse(call, ASSAY_BAD_DEVICE, "expected tensors in host memory");
  if (x->dtype.code != kDLFloat || x->dtype.bits != 32 || y->dtype.code != kDLBfloat ||
      y->dtype.bits != 16)
    return refuse(call, ASSAY_BAD_DTYPE, "expected f32 as input and bf16 as output");
  if (x->ndim != y->ndim) return refuse(call, ASSAY_BAD_SHAPE, "expected equal ranks");
  *count = 1;
  for (int axis = 0; axis < x->ndim; ++axis) {
    if (x->shape[axis] != y->shape[axis])
      return refuse(call, ASSAY_BAD_SHAPE, "expected equal shapes");
    *count *= x->shape[axis];
  }
  if (!dense(x) || !dense(y)) return refuse(call, ASSAY_BAD_LAYOUT, "expected dense tensors");
  return ASSAY_OK;
}

static int is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

static int32_t rounded(const assay_call *call) {
  int64_t count = 0;
  const int32_t status = elements(call, &count);
  if (status != ASSAY_OK) return status;
  const uint32_t *from = call->inputs[0].data;
  uint16_t *to = call->outputs[0].data;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bits = from[i];
    to[i] = (uint16_t)(is_nan(bits) ? bits >> 16 | 0x40u
                                    : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  }
  return ASSAY_OK;
}

static int32_t cut(const assay_call *call) {
  int64_t count = 0;
  const int32_t status = elements(call, &count);
  if (status != ASSAY_OK) return status;
  const uint32_t *from = call->inputs[0].data;
  uint16_t *to = call->outputs[0].data;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bits = from[i];
    to[i] = (uint16_t)(is_nan(bits) ? bits >> 16 | 0x40u : bits >> 16);
  }
  return ASSAY_OK;
}

static const DLDataType f32 = {kDLFloat, 32, 1}, bf16 = {kDLBfloat, 16, 1};
static const assay_kernel kernels[] = {
    {"narrowing::rounded", "plain", &f32, &bf16, 1, 1, 0, rounded},
    {"narrowing::cut", "plain", &f32, &bf16, 1, 1, 0, cut}};
static const assay_kernel_list list = {ASSAY_KERNELS_ABI_VERSION, 2, kernels};
const assay_kernel_list *assay_kernel_table(void) { return &list; }
