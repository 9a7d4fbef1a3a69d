#include "audit/judge/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/judge/tensor_record.h"
#include "contracts/measure.h"
#include "oracles/cast_exact.h"
#include "oracles/cast_measure.h"
#include "oracles/cast_steps.h"

namespace assay {

namespace {

/// A tensor of one axis.
TensorRecord tensor(const std::string& name, Dtype dtype, const std::vector<Bits>& elements,
                    std::uint64_t shown_of) {
  return tensor_record(name, dtype, {static_cast<std::int64_t>(shown_of)}, elements);
}

/// Nothing for infinities and NaNs.
std::optional<ExactRecord> exact_record(const oracle::CastOperation& operation, Bits input) {
  const oracle::CastSteps steps = oracle::cast_steps(operation, input);
  if (!steps.is_finite) return std::nullopt;
  const auto value = [&](const std::optional<Bits>& bits) -> std::optional<ValueRecord> {
    if (!bits) return std::nullopt;
    return ValueRecord{hex(*bits, operation.to), oracle::value_text(*bits, operation.to)};
  };
  return ExactRecord{steps.exact, value(steps.below), value(steps.above), steps.midpoint};
}

/// Why the expected result is the right one, and what came instead.
std::string sentence(const Job& job, Bits input, Bits got, Bits expected) {
  const oracle::CastOperation operation = job.oracle->operation();
  const Dtype to = operation.to;
  const DtypeTraits& target = traits(to);
  const CellClass kind = job.cells->of(input).kind;
  const std::string result = shown(got, to);
  switch (kind) {
    case CellClass::kNan:
      return target.is_floating()
                 ? fmt::format("a NaN must stay a NaN; the kernel gives {}", result)
                 : fmt::format("a NaN must give 0; the kernel gives {}", result);
    case CellClass::kInfinite:
      return fmt::format("an infinity must stay the infinity of its sign; the kernel gives {}",
                         result);
    case CellClass::kOverflow:
      return fmt::format(
          "the exact value rounds beyond the largest finite {}; the contract's "
          "overflow rule asks for {}, the kernel gives {}",
          target.name, shown(expected, to), result);
    default:
      break;
  }
  if (target.is_zero(got) && target.is_zero(expected)) {
    return fmt::format("the result is a zero of the wrong sign: {} instead of {}", hex(got, to),
                       hex(expected, to));
  }
  std::string text;
  if (operation.rounding == Rounding::kTowardZero) {
    text = fmt::format("truncated toward zero the value is {}", oracle::value_text(expected, to));
  } else if (operation.rounding == Rounding::kExact) {
    text = fmt::format("the value is exactly {}", shown(expected, to));
  } else {
    oracle::ExactCast exact(operation);
    const double error = exact.ulp_error(input, expected);
    if (error == 0) {
      text = fmt::format("the value is exactly {}", shown(expected, to));
    } else if (error == 0.5) {
      text = fmt::format("the value is an exact tie, and {} is the even neighbour",
                         shown(expected, to));
    } else if (error > 0.4999) {
      text = fmt::format("{} is the nearest, just under half an ulp away", shown(expected, to));
    } else {
      text = fmt::format("{} is the nearest, {:.4g} ulp away", shown(expected, to), error);
    }
  }
  text += fmt::format("; the kernel gives {}", result);
  const std::optional<std::uint64_t> distance = ulp_distance(got, expected, to);
  if (distance) text += fmt::format(", {} step{} off", *distance, *distance == 1 ? "" : "s");
  return text;
}

/// By how much a bound on the error itself is missed.
std::string bound_sentence(const Job& job, ClaimKind kind, Bits input, Bits got) {
  const oracle::CastOperation operation = job.oracle->operation();
  oracle::ExactCast exact(operation);
  if (kind == ClaimKind::kMaxAbsolute) {
    return fmt::format("the absolute error is {}, the bound is {}",
                       exact.absolute_error(input, got), job.rules->max_absolute);
  }
  const DtypeTraits& to = traits(operation.to);
  const double least = to.is_floating() ? oracle::to_double(to.min_normal(), operation.to) : 1.0;
  const double bound = job.rules->max_relative;
  if (std::fabs(oracle::to_double(input, operation.from)) >= least) {
    return fmt::format("the relative error is {}, the bound is {}",
                       exact.relative_error(input, got), bound);
  }
  return fmt::format("the error is {} of the least normal number, the bound is {}",
                     exact.absolute_error(input, got) / least, bound);
}

}  // namespace

Token token_again(const Job& job, const KernelVariant& variant, ClaimKind kind, Again again,
                  const KernelVariant* reference) {
  Token token = token_for(*job.contract, job.contract->kernel, variant, kind, job.seed, job.effort);
  if (kind == ClaimKind::kBitwise && reference != nullptr) token.reference = reference->name;
  token.again = again;
  return token;
}

Counterexample element_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                      const std::vector<Bits>& inputs, std::size_t position,
                                      Bits got, Bits expected, const KernelVariant* reference) {
  const auto& [from, to, rounding] = job.oracle->operation();
  const Bits input = inputs[position < inputs.size() ? position : 0];
  const CellClass cell = job.cells->of(input).kind;
  if (kind != ClaimKind::kBitwise) {
    expected = due_result(*job.rules, job.cells->of(input), job.oracle->operation(), expected);
  }
  Counterexample example;
  const std::string& source = job.contract->inputs[0].name.value;
  if (inputs.size() > 1) {
    // By itself: of a long tensor not all is recorded, and less is shown.
    example.inputs.push_back(
        tensor_record(fmt::format("{}[{}]", source, position), from, {}, {input}));
    example.params.push_back({"position", std::to_string(position)});
  }
  example.inputs.push_back(tensor(source, from, inputs, inputs.size()));
  const std::string& output = job.contract->outputs[0].name.value;
  example.got = tensor(output, to, {got}, 1);
  example.expected = tensor(output, to, {expected}, 1);
  if (cell == CellClass::kNan && traits(to).is_floating() && kind != ClaimKind::kBitwise) {
    example.expected.values = {"any NaN"};
  }
  example.exact = exact_record(job.oracle->operation(), input);
  example.ulp_distance = ulp_distance(got, expected, to);
  example.why = sentence(job, input, got, expected);
  if (kind == ClaimKind::kMaxRelative || kind == ClaimKind::kMaxAbsolute) {
    example.why = bound_sentence(job, kind, input, got);
  }
  Token token = token_again(job, variant, kind, Again::kOneCall, reference);
  token.call = TokenCall{from, {inputs}, {}, position};
  put_token(example, token);
  return example;
}

Counterexample inexact_counterexample(const Job& job, const KernelVariant& variant, Bits input,
                                      Bits nearest) {
  Counterexample example =
      element_counterexample(job, variant, ClaimKind::kDomainExact, {input}, 0, nearest, nearest);
  example.why =
      "the exact value of this input is not a value of the output format, so no kernel can be "
      "exact here: " +
      example.why;
  return example;
}

Counterexample structure_counterexample(const Job& job, const KernelVariant& variant,
                                        ClaimKind kind, const StructureExample& seen, Again again) {
  const auto& [from, to, rounding] = job.oracle->operation();
  Counterexample example;
  const std::string& source = job.contract->inputs[0].name.value;
  if (seen.has_values && seen.elements > 1) {
    example.inputs.push_back(
        tensor_record(fmt::format("{}[{}]", source, seen.position), from, {}, {seen.element}));
  }
  const std::vector<Bits> inputs(seen.input,
                                 seen.input + std::min<std::uint32_t>(seen.elements, 64));
  example.inputs.push_back(tensor(source, from, inputs, seen.elements));
  const std::string& output = job.contract->outputs[0].name.value;
  example.got = tensor(output, to, {}, 0);
  example.expected = tensor(output, to, {}, 0);
  if (seen.has_values) {
    example.got = tensor(output, to, {seen.got}, 1);
    example.expected = tensor(output, to, {seen.expected}, 1);
    example.ulp_distance = ulp_distance(seen.got, seen.expected, to);
    example.params.push_back({"position", std::to_string(seen.position)});
  }
  example.params.push_back({"circumstances", seen.circumstances});
  example.why = seen.why;
  Token token = token_again(job, variant, kind, again);
  token.circumstances = seen.circumstances;
  put_token(example, token);
  return example;
}

}  // namespace assay
