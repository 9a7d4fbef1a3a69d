// Runs what a token holds again, and judges it as the audit did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/options.h"
#include "audit/token/token.h"
#include "contracts/fkc/document.h"
#include "contracts/run_record.h"
#include "kernels/registry.h"

namespace assay {

struct Repeated {
  enum class Outcome : std::uint8_t {
    kFails,   ///< what the token is about was seen again
    kHolds,   ///< it ran, and was not
    kNotRun,  ///< it could not be run to its end
  };
  Outcome outcome = Outcome::kNotRun;
  std::string entry_point;
  std::string ran;  ///< what was run, in words: "the one call, up to 64 times in one process"
  std::string why;  ///< for kNotRun, and for an error that was seen again: what stood in the way
  /// The call: with what came and what was due, also where it holds now. Of judges, the call that
  /// refutes the claim now.
  std::optional<Counterexample> example;
  std::vector<std::string> notes;  ///< what else the reader must know
};

/// Times that a single call is made, until it fails: kernels may be wrong now and then.
inline constexpr int kRepeatedCalls = 64;

/// `documents` (one, as a rule) must be free of errors. Of `options` the number of workers and the
/// time for a call are used. Throws UsageError where contract or registry do not have what the
/// token names, or its call is none of that kernel; AuditError where the oracle cannot be trusted.
Repeated repeat(const Token& token, const std::vector<fkc::Document>& documents,
                const Registry& registry, const AuditOptions& options);

}  // namespace assay
