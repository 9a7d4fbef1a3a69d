#include "contracts/fkc/tokens.h"

#include <algorithm>
#include <array>

namespace assay::fkc {

namespace {

// Every table is sorted.
constexpr std::array<std::string_view, 116> kOpKinds = {"AbsElementwise",
                                                        "AbsInplace",
                                                        "AddElementwise",
                                                        "Affine",
                                                        "ArgMaxDim",
                                                        "ArgMinDim",
                                                        "Cast",
                                                        "CausalConv1d",
                                                        "CeilElementwise",
                                                        "CeilInplace",
                                                        "ClampElementwise",
                                                        "ClampInplace",
                                                        "Concat",
                                                        "Conv2D",
                                                        "ConvTranspose2D",
                                                        "Copy",
                                                        "CosElementwise",
                                                        "CosInplace",
                                                        "CumSum",
                                                        "DivElementwise",
                                                        "EqualElementwise",
                                                        "ErfElementwise",
                                                        "ErfInplace",
                                                        "ExpElementwise",
                                                        "ExpInplace",
                                                        "FlashAttn",
                                                        "FlashAttnBackwardK",
                                                        "FlashAttnBackwardQ",
                                                        "FlashAttnBackwardV",
                                                        "Flip",
                                                        "FloorElementwise",
                                                        "FloorInplace",
                                                        "FusedLinear",
                                                        "FusedSoftmaxCrossEntropy",
                                                        "Gather",
                                                        "GeluElementwise",
                                                        "GeluErfElementwise",
                                                        "GeluErfInplace",
                                                        "GeluInplace",
                                                        "GreaterElementwise",
                                                        "GreaterEqualElementwise",
                                                        "IndexAdd",
                                                        "IndexSelect",
                                                        "InplaceAffine",
                                                        "LayerNormLastDim",
                                                        "LayerNormLastDimBackward",
                                                        "LessElementwise",
                                                        "LessEqualElementwise",
                                                        "LogElementwise",
                                                        "LogInplace",
                                                        "LogSoftmaxLastDim",
                                                        "LogSoftmaxLastDimBackward",
                                                        "MaskedFill",
                                                        "MatMul",
                                                        "MaxReduce",
                                                        "MaximumElementwise",
                                                        "MeanReduce",
                                                        "MinReduce",
                                                        "MinimumElementwise",
                                                        "MulElementwise",
                                                        "NegElementwise",
                                                        "NegInplace",
                                                        "Nf4Matmul",
                                                        "NotEqualElementwise",
                                                        "Pad",
                                                        "PadBackward",
                                                        "PagedAttn",
                                                        "PowElementwise",
                                                        "PowIElementwise",
                                                        "PowIElementwiseBackward",
                                                        "PowIInplace",
                                                        "QMatMul",
                                                        "RecipElementwise",
                                                        "RecipInplace",
                                                        "ReduceMaxTo",
                                                        "ReduceMaxToBackward",
                                                        "ReduceSumTo",
                                                        "ReluElementwise",
                                                        "ReluInplace",
                                                        "RemElementwise",
                                                        "RmsNormLastDim",
                                                        "RmsNormLastDimBackward",
                                                        "Roll",
                                                        "Rope",
                                                        "RoundElementwise",
                                                        "RoundInplace",
                                                        "RsqrtElementwise",
                                                        "RsqrtInplace",
                                                        "ScatterAdd",
                                                        "SelectiveScan",
                                                        "SigmoidElementwise",
                                                        "SigmoidInplace",
                                                        "SignElementwise",
                                                        "SignInplace",
                                                        "SiluElementwise",
                                                        "SiluInplace",
                                                        "SinElementwise",
                                                        "SinInplace",
                                                        "SoftmaxLastDim",
                                                        "SoftmaxLastDimBackward",
                                                        "SqrElementwise",
                                                        "SqrInplace",
                                                        "SqrtElementwise",
                                                        "SqrtInplace",
                                                        "SsdChunkScan",
                                                        "StepElementwise",
                                                        "SubElementwise",
                                                        "SumReduce",
                                                        "TanhElementwise",
                                                        "TanhInplace",
                                                        "Tril",
                                                        "Triu",
                                                        "Where",
                                                        "WriteSlice",
                                                        "WriteSliceDoff",
                                                        "WriteSliceRotating"};

constexpr std::array<std::string_view, 24> kFusedOps = {"CAUSAL_CONV1D",
                                                        "CONV2D",
                                                        "CONV_TRANSPOSE2D",
                                                        "FLASH_ATTN",
                                                        "FLASH_ATTN_BACKWARD_K",
                                                        "FLASH_ATTN_BACKWARD_Q",
                                                        "FLASH_ATTN_BACKWARD_V",
                                                        "FUSED_LINEAR",
                                                        "FUSED_SOFTMAX_CROSS_ENTROPY",
                                                        "INPLACE_AFFINE",
                                                        "LAYER_NORM_LAST_DIM",
                                                        "LAYER_NORM_LAST_DIM_BACKWARD",
                                                        "NF4_MATMUL",
                                                        "PAGED_ATTN",
                                                        "POWI_BACKWARD",
                                                        "QMATMUL",
                                                        "REDUCE_MAX_TO_BACKWARD",
                                                        "RMS_NORM_LAST_DIM",
                                                        "RMS_NORM_LAST_DIM_BACKWARD",
                                                        "ROPE",
                                                        "SELECTIVE_SCAN",
                                                        "SOFTMAX_LAST_DIM",
                                                        "SOFTMAX_LAST_DIM_BACKWARD",
                                                        "SSD_CHUNK_SCAN"};

constexpr std::array<std::string_view, 43> kOpKindParams = {"Affine",
                                                            "Cast",
                                                            "CausalConv1d",
                                                            "Clamp",
                                                            "Concat",
                                                            "Conv1D",
                                                            "Conv2D",
                                                            "ConvTranspose1D",
                                                            "ConvTranspose2D",
                                                            "CumSum",
                                                            "FlashAttn",
                                                            "Flip",
                                                            "FusedSoftmaxCrossEntropy",
                                                            "Gather",
                                                            "IndexAdd",
                                                            "IndexSelect",
                                                            "LogSoftmaxLastDim",
                                                            "MaskedFill",
                                                            "Matmul",
                                                            "Nf4Matmul",
                                                            "NonZeroIndices",
                                                            "None",
                                                            "NormLastDim",
                                                            "Pad",
                                                            "PadBackward",
                                                            "PagedAttn",
                                                            "PowI",
                                                            "QMatMul",
                                                            "Reduce",
                                                            "ReduceMaxTo",
                                                            "ReduceMaxToBackward",
                                                            "ReduceSumTo",
                                                            "Roll",
                                                            "Rope",
                                                            "ScatterAdd",
                                                            "SelectiveScan",
                                                            "Slice",
                                                            "SoftmaxLastDim",
                                                            "SsdChunkScan",
                                                            "Triangular",
                                                            "WriteSlice",
                                                            "WriteSliceDoff",
                                                            "WriteSliceRotating"};

constexpr std::array<std::string_view, 22> kFusedOpParams = {"CausalConv1d",
                                                             "Conv2D",
                                                             "ConvTranspose2D",
                                                             "FlashAttn",
                                                             "FlashAttnBackward",
                                                             "FusedLinear",
                                                             "FusedSoftmaxCrossEntropy",
                                                             "InplaceAffine",
                                                             "LayerNormLastDim",
                                                             "LayerNormLastDimBackward",
                                                             "Nf4Matmul",
                                                             "PagedAttn",
                                                             "PowIBackward",
                                                             "QMatMul",
                                                             "ReduceMaxToBackward",
                                                             "RmsNormLastDim",
                                                             "RmsNormLastDimBackward",
                                                             "Rope",
                                                             "SelectiveScan",
                                                             "SoftmaxLastDim",
                                                             "SoftmaxLastDimBackward",
                                                             "SsdChunkScan"};

// Legal dtypes of the format that have no row of traits here.
constexpr std::array<std::string_view, 6> kOtherDtypes = {"F4",     "F6E2M3", "F6E3M2",
                                                          "F8E4M3", "F8E6M2", "F8E8M0"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& sorted, std::string_view token) {
  return std::binary_search(sorted.begin(), sorted.end(), token);
}

static_assert(std::is_sorted(kOpKinds.begin(), kOpKinds.end()));
static_assert(std::is_sorted(kFusedOps.begin(), kFusedOps.end()));
static_assert(std::is_sorted(kOpKindParams.begin(), kOpKindParams.end()));
static_assert(std::is_sorted(kFusedOpParams.begin(), kFusedOpParams.end()));
static_assert(std::is_sorted(kOtherDtypes.begin(), kOtherDtypes.end()));

}  // namespace

bool is_op_kind(std::string_view token) {
  return contains(kOpKinds, token);
}
bool is_fused_op(std::string_view token) {
  return contains(kFusedOps, token);
}
bool is_op_kind_params(std::string_view token) {
  return contains(kOpKindParams, token);
}
bool is_fused_op_params(std::string_view token) {
  return contains(kFusedOpParams, token);
}
bool is_dtype_without_traits(std::string_view token) {
  return contains(kOtherDtypes, token);
}

}  // namespace assay::fkc
