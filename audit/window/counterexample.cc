#include "audit/window/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/judge/tensor_record.h"
#include "audit/window/call_token.h"
#include "contracts/measure.h"
#include "oracles/cast_exact.h"

namespace assay::window {

namespace {

/// Inputs, parameters and the output's shape of a call.
Counterexample call_record(const Operation& operation, const Geometry& geometry,
                           const Tensors& tensors) {
  Counterexample example;
  const std::vector<Shape> shapes = input_shapes(operation, geometry);
  const std::vector<const std::vector<Bits>*> inputs = tensors.inputs(operation, geometry);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    example.inputs.push_back(
        tensor_record(operation.input_name(i), operation.dtype, shapes[i], *inputs[i]));
  }
  for (const KernelParameter& parameter : parameters(operation, geometry)) {
    example.params.push_back({parameter.name, std::to_string(parameter.value)});
  }
  example.got = tensor_record(operation.output_name(), operation.dtype, {}, {});
  example.expected = example.got;
  return example;
}

void put_result(Counterexample& example, const Operation& operation, const Geometry& geometry,
                std::uint64_t result, Bits got, Bits expected) {
  example.params.push_back({"result", result_text(geometry, result)});
  example.got = tensor_record(operation.output_name(), operation.dtype, {1}, {got});
  example.expected = tensor_record(operation.output_name(), operation.dtype, {1}, {expected});
  example.ulp_distance = ulp_distance(got, expected, operation.dtype);
}

std::string count_text(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// The sum in words: "the sum of 3 products and the bias".
std::string sum_text(const Geometry& geometry, const Truth& truth) {
  std::string text = "the sum of " + count_text(truth.products, "product");
  if (truth.products == 0) text = "an empty sum";
  if (geometry.bias) text += " and the bias";
  return text;
}

/// What the result looks like instead, where it is recognised.
std::string looks_like(const Truth& truth, Bits got, const Rules& rules, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (format.is_nan(got)) return ", a NaN";
  if (got == truth.exact && got != truth.model) {
    return ", the exact sum rounded once, as a wider accumulator or fused operations give it";
  }
  if (rules.bias_order == BiasOrder::kLast && got == truth.model_bias_first) {
    return ", what the sum is when the bias comes first";
  }
  if (rules.bias_order == BiasOrder::kFirst && got == truth.model) {
    return ", what the sum is when the bias comes last";
  }
  return {};
}

std::string sentence(const Job& job, ClaimKind kind, const Geometry& geometry, const Truth& truth,
                     Bits got, double error) {
  const Operation& operation = job.operation;
  const Dtype dtype = operation.dtype;
  const Rules rules(operation);
  const std::string result = shown(got, dtype);
  switch (kind) {
    case ClaimKind::kAccumulator: {
      const bool first = rules.bias_order == BiasOrder::kFirst;
      const Bits due = first ? truth.model_bias_first : truth.model;
      std::string text = fmt::format(
          "{}, rounded after each operation in the declared order, is {}; the kernel "
          "gives {}{}",
          sum_text(geometry, truth), shown(due, dtype), result,
          looks_like(truth, got, rules, dtype));
      if (!rules.bias_order && geometry.bias && truth.model != truth.model_bias_first) {
        text += fmt::format("; with the bias first it is {}", shown(truth.model_bias_first, dtype));
      }
      return text;
    }
    case ClaimKind::kErrorBound:
      if (traits(dtype).is_nan(got)) {
        return fmt::format("{} is {}; the kernel gives {}, a NaN", sum_text(geometry, truth),
                           shown(truth.exact, dtype), result);
      }
      return fmt::format(
          "{} is {} when it is rounded once; the kernel gives {}, {:.6g} off; the "
          "bound for a sum of this length in {}, in any order, is {:.6g}",
          sum_text(geometry, truth), shown(truth.exact, dtype), result, error, traits(dtype).name,
          truth.bound);
    case ClaimKind::kMaxRelative:
    case ClaimKind::kMaxAbsolute: {
      const bool relative = kind == ClaimKind::kMaxRelative;
      const std::string due =
          operation.is_sum()
              ? fmt::format("{} is {} when it is rounded once", sum_text(geometry, truth),
                            shown(truth.exact, dtype))
              : fmt::format("the greatest of the window's {} is {}",
                            count_text(truth.products, "element"), shown(truth.exact, dtype));
      return fmt::format("{}; the kernel gives {}; the {} error is {:.6g}, the bound is {:.6g}",
                         due, result, relative ? "relative" : "absolute", error,
                         relative ? rules.max_relative : rules.max_absolute);
    }
    case ClaimKind::kNan:
      if (operation.is_sum() || rules.nan == NanRule::kPreserved) {
        return fmt::format("an operand is NaN, and the result must be one; the kernel gives {}",
                           result);
      }
      return fmt::format(
          "a window of {} with a NaN and numbers, the greatest of which is {}; the "
          "kernel gives {}",
          count_text(truth.products, "element"), shown(truth.exact, dtype), result);
    default:
      break;
  }
  if (operation.is_sum()) {
    return fmt::format("{} is {} when it is rounded once; the kernel gives {} (condition {:.4g})",
                       sum_text(geometry, truth), shown(truth.exact, dtype), result,
                       truth.condition);
  }
  if (truth.has_nan && rules.nan_declared && rules.nan == NanRule::kPreserved) {
    return fmt::format("the window has a NaN, which the contract preserves; the kernel gives {}",
                       result);
  }
  if (truth.only_nans) {
    return fmt::format("a window of NaNs only; the kernel gives {}, neither a NaN nor -infinity",
                       result);
  }
  return fmt::format("the greatest of the window's {} is {}; the kernel gives {}",
                     count_text(truth.products, "element"), shown(truth.exact, dtype), result);
}

Bits due(const Job& job, ClaimKind kind, const Truth& truth, Bits reference) {
  if (kind == ClaimKind::kBitwise) return reference;
  if (kind != ClaimKind::kAccumulator) return truth.exact;
  return job.contract->bias_order == BiasOrder::kFirst ? truth.model_bias_first : truth.model;
}

/// What is due where it is not one value.
void adjust_expected(Counterexample& example, const Job& job, ClaimKind kind, const Truth& truth) {
  if (kind == ClaimKind::kBitwise) return;
  const Rules rules(job.operation);
  const bool preserved = rules.nan_declared && rules.nan == NanRule::kPreserved;
  const bool nan_due = job.operation.is_sum() ? kind == ClaimKind::kNan
                                              : truth.only_nans || (preserved && truth.has_nan);
  if (!nan_due) return;
  const DtypeTraits& format = traits(job.operation.dtype);
  example.expected.bits = {hex(format.infinity() | format.quiet_bit(), job.operation.dtype)};
  example.expected.values = {"any NaN"};
  example.ulp_distance.reset();
}

}  // namespace

std::string result_text(const Geometry& geometry, std::uint64_t result) {
  const oracle::ResultIndex at = result_index(geometry, static_cast<std::size_t>(result));
  return fmt::format("({}, {}, {}, {})", at.image, at.channel, at.row, at.column);
}

Token token_again(const Job& job, const KernelVariant& variant, ClaimKind kind, Again again,
                  const KernelVariant* reference) {
  Token token = token_for(*job.contract, job.kernel_name, variant, kind, job.seed, job.effort);
  if (kind == ClaimKind::kBitwise && reference != nullptr) token.reference = reference->name;
  token.again = again;
  return token;
}

Counterexample result_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                     const Geometry& geometry, const Tensors& tensors,
                                     const Checked& seen, const KernelVariant* reference) {
  Counterexample example = call_record(job.operation, geometry, tensors);
  if (!seen.has_result) return example;
  put_result(example, job.operation, geometry, seen.result, seen.got,
             due(job, kind, seen.truth, seen.reference));
  if (kind == ClaimKind::kBitwise && reference != nullptr) {
    example.why = fmt::format("{} gives {} where {} gives {}", variant.name,
                              hex(seen.got, job.operation.dtype), reference->name,
                              hex(seen.reference, job.operation.dtype));
  } else {
    example.why = sentence(job, kind, geometry, seen.truth, seen.got, seen.error);
  }
  adjust_expected(example, job, kind, seen.truth);
  Token token = token_again(job, variant, kind, Again::kOneCall, reference);
  token.call = token_call(job.operation, geometry, tensors, seen.result);
  put_token(example, token);
  return example;
}

Counterexample result_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                     const Witness& witness, const KernelVariant* reference) {
  Checked seen;
  seen.violated = seen.has_result = true;
  seen.result = witness.result;
  seen.got = witness.got;
  seen.reference = witness.reference;
  seen.truth = witness.truth;
  seen.error = witness.error;
  Counterexample example = result_counterexample(job, variant, kind, witness.geometry,
                                                 witness.tensors(), seen, reference);
  if (!witness.is_whole()) {
    put_token(example, token_again(job, variant, kind, Again::kSweeps, reference));
  }
  return example;
}

Counterexample unverified_counterexample(const Job& job, const KernelVariant& variant,
                                         ClaimKind kind, const Place& seen,
                                         const std::string& why_not) {
  const Case the_case = case_of(job, seen);
  const Tensors tensors = make_tensors(job.operation, the_case);
  TruthSource source(job.operation, the_case.geometry, tensors);
  const Truth truth = source.truth(static_cast<std::size_t>(seen.result));
  Counterexample example = call_record(job.operation, the_case.geometry, tensors);
  put_result(example, job.operation, the_case.geometry, seen.result, seen.got,
             due(job, kind, truth, truth.model));
  if (seen.in_case != kPairCase) {
    example.params.push_back({"case", std::to_string(seen.in_case)});
  }
  const bool number = !traits(job.operation.dtype).is_nan(seen.got);
  oracle::SumError error;
  if (job.operation.is_sum() && truth.finite && number) {
    error = source.error(static_cast<std::size_t>(seen.result), seen.got);
  }
  example.why = sentence(job, kind, the_case.geometry, truth, seen.got,
                         kind == ClaimKind::kMaxRelative ? error.relative : error.absolute) +
                "; " + why_not;
  adjust_expected(example, job, kind, truth);
  put_token(example, token_again(job, variant, kind, Again::kSweeps));
  return example;
}

Counterexample call_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                   const CallExample& seen, Again again) {
  Counterexample example;
  if (seen.has_case) {
    Tensors tensors = make_tensors(job.operation, seen.the_case);
    if (seen.patch.used) {
      tensors.operand(seen.patch.input)[seen.patch.element] = seen.patch.bits;
    }
    example = call_record(job.operation, seen.the_case.geometry, tensors);
    if (seen.has_values) {
      put_result(example, job.operation, seen.the_case.geometry, seen.result, seen.got,
                 seen.expected);
    }
  } else {
    example.got = tensor_record(job.operation.output_name(), job.operation.dtype, {}, {});
    example.expected = example.got;
  }
  example.params.push_back({"circumstances", seen.circumstances});
  example.why = seen.why;
  Token token = token_again(job, variant, kind, again);
  token.circumstances = seen.circumstances;
  put_token(example, token);
  return example;
}

}  // namespace assay::window
