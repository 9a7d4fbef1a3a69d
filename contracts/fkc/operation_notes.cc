// What a contract leaves open, or says twice in different ways, as far as the operation tells.
#include <fmt/format.h>

#include <array>

#include "contracts/fkc/call_shapes.h"
#include "contracts/fkc/call_text.h"
#include "contracts/fkc/phrases.h"
#include "contracts/fkc/prose.h"
#include "contracts/fkc/schema.h"
#include "contracts/fkc/shape_constraint.h"

namespace assay::fkc {

namespace {

/// The node of an input's `shape_constraint`, or nullptr.
const Node* constraint_node(const Node& root, std::size_t input) {
  const Node* accept = root.find("accept");
  const Node* inputs = accept == nullptr ? nullptr : accept->find("inputs");
  if (inputs == nullptr || input >= inputs->items.size()) return nullptr;
  return inputs->items[input].find("shape_constraint");
}

/// `same_as=x.dim[1]` of an operand with several dimensions.
void note_ambiguous(const Node& root, const KernelContract& contract, Reporter& reporter) {
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const InputOperand& input = contract.inputs[i];
    const Node* node = constraint_node(root, i);
    if (node == nullptr || input.rank.upper == 1) continue;
    for (const ShapeSegment& segment : parse_shape_constraint(input.shape_constraint)) {
      const auto* role = std::get_if<RoleSegment>(&segment.content);
      if (role == nullptr || !role->axis) continue;
      reporter.note("AmbiguousConstraint", node->place,
                    fmt::format("\"{}\" does not say which dimension of `{}` it is about",
                                segment.text, input.name.value),
                    fmt::format("write dim[N]={}.dim[{}]", role->role, *role->axis));
    }
  }
}

/// A call of a convolution with every parameter that the contract declares.
CallShapes convolution_call(const KernelContract& contract, Extents image, Extents weight,
                            std::int64_t groups) {
  CallShapes call;
  for (const OpParamField& field : contract.op_param_fields) {
    const bool pair = field.kind.find(',') != std::string::npos;
    const std::int64_t neutral = field.name == "stride" || field.name == "dilation" ? 1 : 0;
    if (field.name == "groups") {
      call.params.emplace(field.name, groups);
    } else if (field.name == "x_shape") {
      call.params.emplace(field.name, image);
    } else if (field.name == "w_shape") {
      call.params.emplace(field.name, weight);
    } else if (field.name == "stride" || field.name == "dilation" || field.name == "padding" ||
               field.name == "output_padding") {
      call.params.emplace(field.name,
                          pair ? ParamValue(Extents{neutral, neutral}) : ParamValue(neutral));
    }
  }
  if (contract.inputs.size() > 1) {
    call.operands.emplace(contract.inputs[0].name.value, std::move(image));
    call.operands.emplace(contract.inputs[1].name.value, std::move(weight));
  }
  return call;
}

bool admits(const KernelContract& contract, const CallShapes& call) {
  for (const Requirement& requirement : check_requirements(contract, call)) {
    if (requirement.finding.standing != Standing::kHolds) return false;
  }
  return true;
}

/// Channel counts that the constraints admit and the convolution refuses.
void note_weak(const Node& root, const KernelContract& contract, Reporter& reporter) {
  if (contract.outputs.empty() || contract.inputs.size() < 2) return;
  const std::string& rule = contract.outputs.front().shape_rule.value;
  if (!call_argument(rule, "conv2d") && !call_argument(rule, "conv_transpose2d")) return;
  const Node* node = constraint_node(root, 1);
  if (node == nullptr) node = constraint_node(root, 0);
  const Place place = node == nullptr ? Place{contract.line, 1} : node->place;
  for (const std::int64_t groups : {1, 2}) {
    for (std::int64_t first = 1; first <= 4; ++first) {
      for (std::int64_t second = 1; second <= 4; ++second) {
        const CallShapes call =
            convolution_call(contract, {1, 4, 5, 5}, {first, second, 3, 3}, groups);
        const OutputShape shape = output_shape(contract, contract.outputs.front(), call);
        if (shape.finding.standing != Standing::kViolated || !admits(contract, call)) continue;
        reporter.note("WeakConstraint", place,
                      fmt::format("the constraints admit what the operation cannot do: {}",
                                  shape.finding.why),
                      "state the relation of the channels as an equation");
        return;
      }
    }
  }
}

/// Adding a zero and leaving a term out differ where the weight is NaN or infinite.
void note_padding(const std::vector<Sentence>& prose, const KernelContract& contract,
                  Reporter& reporter) {
  const Claim* skipped = contract.claim(ClaimKind::kPaddingSkipped);
  if (skipped == nullptr) return;
  for (const Sentence& sentence : prose) {
    for (const std::string_view words :
         {"padding adds t::zero", "padding contributes literal t::zero"}) {
      const auto place = find_words(sentence, words);
      if (!place) continue;
      reporter.note("ContradictsItself", *place,
                    fmt::format("padding is said to add a zero here, and to be skipped in line {}",
                                skipped->source.line),
                    "the two differ where a weight is NaN or infinite; say which it is");
      return;
    }
  }
}

bool says(const std::vector<Sentence>& prose, std::string_view subject, std::string_view what) {
  for (const Sentence& sentence : prose) {
    if (find_words(sentence, subject) && find_words(sentence, what)) return true;
  }
  return false;
}

void note_silence(const std::vector<Sentence>& prose, OpFamily family,
                  const KernelContract& contract, Reporter& reporter) {
  const Place place{contract.line, 1};
  constexpr std::string_view kHint = "nothing is judged there";
  if (contract.claim(ClaimKind::kSignedZero) == nullptr) {
    reporter.note("SilentOnZeroSign", place,
                  family == OpFamily::kSum
                      ? "the contract does not say which sign a sum has that is zero"
                      : "the contract does not say which zero wins where both signs compete",
                  std::string(kHint));
  }
  if (family == OpFamily::kSum && !contract.bias_order) {
    for (const InputOperand& input : contract.inputs) {
      if (input.name.value != "bias") continue;
      if (says(prose, "bias", "first|last|starts|initial|initialized|before|after|added")) continue;
      reporter.note("SilentOnBiasOrder", {input.name.line, input.name.column},
                    "the contract does not say where in the sum the bias is added",
                    fmt::format("{}; `audit` may say `bias: first` or `bias: last`", kHint));
    }
  }
  const Claim* nan = contract.claim(ClaimKind::kNan);
  if (family == OpFamily::kSelection && nan != nullptr && nan->declared == "ignored" &&
      !says(prose, "window", "nans")) {
    reporter.note("SilentOnNanWindow", {nan->source.line, nan->source.column},
                  "the contract does not say what a window gives that holds nothing but NaN",
                  std::string(kHint));
  }
}

}  // namespace

void note_operation(const Node& root, const Lines& lines, const Section& section,
                    const KernelContract& contract, Reporter& reporter) {
  note_ambiguous(root, contract, reporter);
  note_weak(root, contract, reporter);
  const OpFamily family = family_of(contract);
  if (family != OpFamily::kSum && family != OpFamily::kSelection) return;
  const std::vector<Sentence> prose = prose_of(root, lines, section);
  note_padding(prose, contract, reporter);
  note_silence(prose, family, contract, reporter);
}

}  // namespace assay::fkc
