// A counterexample laid out bit by bit.
#pragma once

#include <string>

#include "contracts/run_record.h"

namespace assay {

/// Inputs, the exact value between its neighbours, what is expected and what came, a row each: bits
/// in hex, then sign, exponent and significand apart, then the value. Bits of the result that
/// differ from the expected ones are marked. Of a large tensor the first elements.
std::string html_counterexample(const Counterexample& example);

}  // namespace assay
