// One result of a convolution or a pooling, term by term: what is due, and what each variant gives.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "audit/explain/npy.h"
#include "audit/window/job.h"
#include "audit/window/specimen.h"
#include "audit/window/truth.h"

namespace assay {

/// One product, or one element of a window.
struct ExplainedTerm {
  std::size_t x = 0;  ///< linear index
  Bits x_bits = 0;
  std::size_t weight = 0;  ///< of sums
  Bits weight_bits = 0;
};

struct WindowGiven {
  std::string variant;
  std::string failure;  ///< why nothing is known; empty if it is
  Bits result = 0;
  double error = 0;               ///< against the exact sum; NaN where there is none
  std::vector<std::string> fits;  ///< what the result is the same as
  std::vector<ClaimKind> broken;  ///< claims of the contract that it breaks, as the audit judges
};

struct WindowExplanation {
  std::string kernel;
  std::string call;  ///< shapes and parameters, in words
  Dtype dtype = Dtype::kF32;
  bool is_sum = false;
  std::string at;  ///< "(n, c, row, column)"
  std::vector<ExplainedTerm> terms;
  bool has_bias = false;
  Bits bias = 0;
  window::Truth truth;
  std::vector<WindowGiven> given;  ///< by variant of the job
};

/// Explains the result `specimen.result`. The variants run in worker processes; one that crashes or
/// hangs says so.
WindowExplanation explain_window(const window::Job& job, const window::Specimen& specimen,
                                 const AuditOptions& options);

/// A call of these arrays by the contract's names of operands, and parameters by their names; what
/// is not named has its neutral value (strides, dilations and groups 1, paddings 0). Throws
/// UsageError, which says what is wrong, where that is no call that the contract admits.
window::Specimen specimen_from(const window::Operation& operation,
                               const std::map<std::string, NpyArray>& arrays,
                               const std::map<std::string, std::int64_t>& parameters);

/// Lines of text, and a JSON document, `assay-explain/1`.
std::string to_text(const WindowExplanation& explanation);
std::string to_json(const WindowExplanation& explanation);

}  // namespace assay
