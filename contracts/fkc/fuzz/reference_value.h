// Formulas evaluated a second time, by code that shares nothing with evaluate.cc and expression.cc:
// it walks the text itself, by the grammar that expression.h states, in fractions of 128 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contracts/fkc/evaluate.h"

namespace assay::fkc::fuzz {

/// What a formula comes to: a fraction in lowest terms, or the kind of its first fault.
struct Outcome {
  std::optional<EvaluationFault::Kind> fault;
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  /// No fault, and all numbers on the way were integers of 2^53 at most, so that doubles are exact.
  bool small_integers = true;

  std::string text() const;
};

/// `text` must be one that parse_expression takes.
Outcome reference_value(std::string_view text, const Scope& scope, Division division);

}  // namespace assay::fkc::fuzz
