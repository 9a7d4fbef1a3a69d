// One input of a cast, step by step: where its exact value lies among the destination's values, and
// what each way of rounding makes of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracles/cast_exact.h"

namespace assay::oracle {

/// What one way of rounding gives.
struct RoundedResult {
  std::string_view rule;  ///< "to nearest, ties to even"
  Bits bits = 0;
};

struct CastSteps {
  /// False for NaN and infinite inputs; then there is nothing but `exact`.
  bool is_finite = false;
  std::string exact;  ///< the input's value, as `value_text`
  bool representable = false;
  /// The greatest value of the destination that is not above the exact one, and the least that is
  /// not below it: both the same where it is representable. Infinities count as values; nothing
  /// where an integer format ends.
  std::optional<Bits> below;
  std::optional<Bits> above;
  /// Halfway between them, exactly: decimal and hex float. Next to an infinity it is where rounding
  /// to nearest goes to infinity (IEEE 754-2019 section 4.3.1). Empty where there is none.
  std::string midpoint;
  /// The exact value against the midpoint: negative, zero (a tie) or positive as it is less, equal
  /// or greater.
  int side = 0;
  /// By the rules that apply to the destination, in a fixed order. "over f32" rounds twice: first
  /// to f32, then to the destination, both to nearest even.
  std::vector<RoundedResult> rounded;
};

/// By MPFR. `input` is a pattern of `operation.from`; destinations as for ExactCast.
CastSteps cast_steps(CastOperation operation, Bits input);

}  // namespace assay::oracle
