// What is known about the results of a few operations, whatever a contract says.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "contracts/fkc/call_shapes.h"
#include "contracts/fkc/call_text.h"
#include "contracts/fkc/schema.h"

namespace assay::fkc {

namespace {

/// Their first output has the dtype and the shape of their first input.
constexpr std::array<std::string_view, 11> kPreserving = {"INPLACE_AFFINE",
                                                          "InplaceAffine",
                                                          "LAYER_NORM_LAST_DIM",
                                                          "LayerNormLastDim",
                                                          "LogSoftmaxLastDim",
                                                          "RMS_NORM_LAST_DIM",
                                                          "ROPE",
                                                          "RmsNormLastDim",
                                                          "Rope",
                                                          "SOFTMAX_LAST_DIM",
                                                          "SoftmaxLastDim"};

/// Operations that return several results in one buffer, and how many: the output and the state
/// behind it.
struct BundleRow {
  std::string_view operation;
  std::size_t slots;
};
constexpr std::array<BundleRow, 4> kBundles = {
    {{"SELECTIVE_SCAN", 2}, {"SSD_CHUNK_SCAN", 2}, {"SelectiveScan", 2}, {"SsdChunkScan", 2}}};

/// Extents of three calls; operands of lower rank take the last ones.
constexpr std::array<std::array<std::int64_t, 4>, 3> kProbeShapes = {
    {{2, 3, 5, 8}, {1, 1, 1, 1}, {7, 1, 4, 16}}};

Extents probe_extents(const InputOperand& operand, const std::array<std::int64_t, 4>& extents) {
  const int highest = operand.rank.upper.value_or(static_cast<int>(extents.size()));
  const int rank = std::min(highest, static_cast<int>(extents.size()));
  return {extents.end() - rank, extents.end()};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void check_dtype(const OutputOperand& output, const InputOperand& input,
                 const std::string& operation, Reporter& reporter) {
  const auto token = call_argument(output.dtype_rule.value, "fixed");
  if (!token || input.dtype_tokens == std::vector{*token}) return;
  reporter.error("ShapeRuleMismatch", place_of(output.dtype_rule),
                 fmt::format("{} returns the dtype of `{}` ({}), the rule says {}", operation,
                             input.name.value, joined(input.dtype_tokens), *token),
                 fmt::format("write passthrough({})", input.name.value));
}

void check_shape(const KernelContract& contract, const OutputOperand& output,
                 const std::string& operation, Reporter& reporter) {
  for (const auto& extents : kProbeShapes) {
    CallShapes call;
    for (const InputOperand& input : contract.inputs) {
      call.operands.emplace(input.name.value, probe_extents(input, extents));
    }
    const Extents& expected = call.operands.at(contract.inputs.front().name.value);
    const OutputShape shape = output_shape(contract, output, call);
    if (!shape.shape || *shape.shape == expected) continue;
    reporter.error("ShapeRuleMismatch", place_of(output.shape_rule),
                   fmt::format("{} of {} returns that shape, the rule says {}", operation,
                               to_string(expected), to_string(*shape.shape)),
                   fmt::format("write same_as({})", contract.inputs.front().name.value));
    return;
  }
}

}  // namespace

void check_operation(const Node& root, const KernelContract& contract, Reporter& reporter) {
  const std::string& operation = contract.op_kind.empty() ? contract.fused_op : contract.op_kind;
  const auto bundle = std::find_if(kBundles.begin(), kBundles.end(), [&](const BundleRow& row) {
    return row.operation == operation;
  });
  if (contract.bundle && bundle != kBundles.end() && contract.outputs.size() != bundle->slots) {
    reporter.deviation("BundleArityMismatch", root.find("return")->find("bundle")->place,
                       fmt::format("{} returns {} slots, the bundle has {}", operation,
                                   bundle->slots, contract.outputs.size()),
                       "describe every slot once");
  }
  const bool preserving =
      std::find(kPreserving.begin(), kPreserving.end(), operation) != kPreserving.end();
  if (!preserving || contract.inputs.empty() || contract.outputs.empty()) return;
  const OutputOperand& output = contract.outputs.front();
  check_dtype(output, contract.inputs.front(), operation, reporter);
  check_shape(contract, output, operation, reporter);
}

}  // namespace assay::fkc
