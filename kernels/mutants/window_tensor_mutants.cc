// Faults of the checks of tensors one by one: layouts, dtypes and ranks accepted that are to be
// refused. None touches memory that the caller has not described.

#include <cmath>
#include <cstring>
#include <deque>
#include <limits>

#include "kernels/mutants/restated_call.h"
#include "kernels/mutants/window_pool.h"

namespace assay::mutants {

namespace {

// Layout.

/// Whether as many elements as the tensor has, from its data pointer on, lie within what its
/// strides reach.
bool dense_read_stays_inside(const DLTensor& tensor) {
  std::int64_t reach = 1;
  std::int64_t count = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    const std::int64_t stride = tensor.strides[axis];
    if (tensor.shape[axis] == 0 || stride < 0 || stride > (std::int64_t{1} << 40)) return false;
    reach += (tensor.shape[axis] - 1) * stride;
    count *= tensor.shape[axis];
  }
  return count <= reach;
}

template <KernelFunction kKernel>
KernelStatus ignores_strides(KernelCall& call) {
  Restated restated(call);
  for (DLTensor& tensor : restated.inputs) {
    if (tensor.strides == nullptr || !is_small(tensor, 4)) continue;
    if (dense_read_stays_inside(tensor)) tensor.strides = nullptr;
  }
  return restated.run(kKernel);
}

template <KernelFunction kKernel>
KernelStatus ignores_byte_offset(KernelCall& call) {
  Restated restated(call);
  for (DLTensor& tensor : restated.inputs) tensor.byte_offset = 0;
  return restated.run(kKernel);
}

// Dtype, rank, shape.

/// The row of a dtype, or null.
const DtypeTraits* row_of(const DLDataType& type) {
  for (const DtypeTraits& row : kDtypes) {
    const DLDataType known = to_dlpack(row.dtype);
    if (known.code == type.code && known.bits == type.bits && known.lanes == type.lanes) {
      return &row;
    }
  }
  return nullptr;
}

/// The value of element `i`, of a floating dtype.
double value_of(const std::byte* data, Index i, const DtypeTraits& row) {
  Bits bits = 0;
  std::memcpy(&bits, data + i * row.bytes(), static_cast<std::size_t>(row.bytes()));
  if (row.is_nan(bits)) return std::numeric_limits<double>::quiet_NaN();
  const int field = static_cast<int>((bits & row.magnitude_mask()) >> row.fraction_bits());
  const Bits hidden = field == 0 ? 0 : row.min_normal();
  const auto significand = static_cast<double>((bits & row.fraction_mask()) | hidden);
  const double magnitude =
      row.is_infinite(bits)
          ? std::numeric_limits<double>::infinity()
          : std::ldexp(significand, std::max(field, 1) - row.bias() - row.fraction_bits());
  return row.is_negative(bits) ? -magnitude : magnitude;
}

constexpr std::int64_t kMostElements = std::int64_t{1} << 24;

/// Accepts an output of another dtype: the results' bits where they fit, and nothing written else.
template <KernelFunction kKernel, Dtype kDtype>
KernelStatus takes_any_output(KernelCall& call) {
  Restated restated(call);
  const DtypeTraits* row = restated.has(1) ? row_of(call.outputs[0].dtype) : nullptr;
  if (row == nullptr || row->dtype == kDtype) return kKernel(call);
  restated.outputs[0].dtype = to_dlpack(kDtype);
  if (row->width >= traits(kDtype).width) return restated.run(kKernel);
  std::int64_t elements = 0;
  const Operand out{&call.outputs[0], "out", row->dtype};
  const KernelStatus status = check_operand(call, out, elements);
  if (status != KernelStatus::kOk) return status;
  if (elements > kMostElements) return kKernel(call);
  std::vector<std::byte> room(static_cast<std::size_t>(elements * traits(kDtype).bytes()));
  restated.outputs[0].data = room.data();
  return restated.run(kKernel);
}

/// Takes inputs of every floating dtype by their values, as f32.
KernelStatus takes_any_float(KernelCall& call) {
  Restated restated(call);
  std::deque<std::vector<float>> copies;
  for (DLTensor& tensor : restated.inputs) {
    const DtypeTraits* row = row_of(tensor.dtype);
    if (row == nullptr || !row->is_floating() || row->dtype == Dtype::kF32) continue;
    std::int64_t elements = 0;
    const Operand operand{&tensor, "input", row->dtype};
    KernelStatus status = check_operand(call, operand, elements);
    if (status == KernelStatus::kOk) status = check_layout(call, operand, elements);
    if (status != KernelStatus::kOk) return status;
    std::vector<float>& copy = copies.emplace_back();
    for (Index i = 0; i < elements; ++i) {
      const auto* data = static_cast<const std::byte*>(tensor.data);
      copy.push_back(static_cast<float>(value_of(data, i, *row)));
    }
    tensor.data = copy.data();
    tensor.dtype = to_dlpack(Dtype::kF32);
  }
  if (copies.empty()) return kConv2d<f32>(call);
  return restated.run(&takes_any_output<kConv2d<f32>, Dtype::kF32>);
}

KernelStatus pool_takes_integers(KernelCall& call) {
  Restated restated(call);
  for (std::vector<DLTensor>* tensors : {&restated.inputs, &restated.outputs}) {
    for (DLTensor& tensor : *tensors) {
      const DtypeTraits* row = row_of(tensor.dtype);
      if (row != nullptr && !row->is_floating() && row->width == 32) {
        tensor.dtype = to_dlpack(Dtype::kF32);
      }
    }
  }
  return restated.run(kMaxPool<cast::F32>);
}

KernelStatus takes_rank_3(KernelCall& call) {
  Restated restated(call);
  if (!restated.has(2) || !is_small(call.inputs[0], 3) || call.inputs[0].strides != nullptr ||
      call.outputs[0].strides != nullptr) {
    return kConv2d<f32>(call);
  }
  for (DLTensor* tensor : {&restated.inputs[0], &restated.outputs[0]}) {
    if (!is_small(*tensor, 3)) continue;
    std::vector<std::int64_t> shape = shape_of(*tensor);
    shape.insert(shape.begin(), 1);
    restated.reshape(*tensor, std::move(shape));
  }
  return restated.run(kConv2d<f32>);
}

/// All axes but the last two count planes.
KernelStatus pool_takes_any_rank(KernelCall& call) {
  Restated restated(call);
  if (!restated.has(1) || call.inputs[0].ndim == 4 || call.inputs[0].strides != nullptr ||
      call.outputs[0].strides != nullptr) {
    return kMaxPool<cast::BF16>(call);
  }
  for (DLTensor* tensor : {&restated.inputs[0], &restated.outputs[0]}) {
    if (tensor->ndim < 2 || tensor->ndim > 5 || !is_small(*tensor, tensor->ndim)) {
      return kMaxPool<cast::BF16>(call);
    }
    std::vector<std::int64_t> shape = shape_of(*tensor);
    std::int64_t planes = 1;
    while (shape.size() > 2) {
      planes *= shape.front();  // 4096 to the third at most
      shape.erase(shape.begin());
    }
    restated.reshape(*tensor, {1, planes, shape[0], shape[1]});
  }
  return restated.run(kMaxPool<cast::BF16>);
}

}  // namespace

std::vector<Mutant> window_tensor_mutants() {
  using enum Dtype;
  return {
      {"conv2d_f32_ignores_strides", kConv2dF32,
       "takes strided inputs as if they were dense; transposed ones or such with gaps",
       "accept.layout", &ignores_strides<kConv2d<f32>>},
      {"max_pool2d_f16_ignores_strides", kMaxPoolF16,
       "takes a strided x as if it were dense; a transposed one or one with gaps", "accept.layout",
       &ignores_strides<kMaxPool<cast::F16>>},
      {"conv2d_simple_bf16_ignores_byte_offset", kSimpleBF16,
       "takes inputs with a byte_offset and reads from the data pointer on", "accept.layout",
       &ignores_byte_offset<kSimple<bf16>>},
      {"conv2d_f32_takes_any_float", kConv2dF32,
       "takes inputs of f16, bf16 and f64 too, with an output of any dtype", "accept.dtype",
       &takes_any_float},
      {"max_pool2d_f32_takes_integers", kMaxPoolF32, "takes tensors of u32 and i32 too",
       "accept.dtype", &pool_takes_integers},
      {"conv2d_f32_takes_rank_3", kConv2dF32,
       "takes an x of rank 3 as one image, with an output of rank 3 or 4", "accept.rank",
       &takes_rank_3},
      {"max_pool2d_bf16_takes_any_rank", kMaxPoolBF16,
       "takes ranks 2 to 5: all axes but the last two count planes, of x and of the output",
       "accept.rank", &pool_takes_any_rank},
      {"conv_transpose2d_f64_takes_any_output", kTransposeF64, "takes an output of any dtype",
       "dtype_rule", &takes_any_output<kTranspose<f64>, kF64>},
      {"max_pool2d_f32_takes_any_output", kMaxPoolF32, "takes an output of any dtype", "dtype_rule",
       &takes_any_output<kMaxPool<cast::F32>, kF32>},
  };
}

}  // namespace assay::mutants
