// A broken bound in words.
#pragma once

#include <string>

namespace assay {

/// "0.00048804295, the bound is 0.000488": an error and the bound that it breaks, in digits that
/// read back as the numbers, so that the one is seen to be above the other. `declared`: the bound
/// in the contract's words, where it has any. Where doubles do not tell the two apart, since the
/// judgement was exact and the error is rounded: "just above the bound, which is 0.000488".
std::string beyond_text(double error, double bound, const std::string& declared = "");

}  // namespace assay
