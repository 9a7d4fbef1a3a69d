// What became of one planted fault, or of one permitted variant, in an audit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/options.h"
#include "kernels/mutants/mutants.h"

namespace assay::score {

/// How large a counterexample is.
struct Size {
  std::uint64_t elements = 0;  ///< of all input tensors
  std::uint64_t set_bits = 0;  ///< in them, as far as a record holds their bits

  bool operator==(const Size&) const = default;
};

enum class Outcome : std::uint8_t {
  kRefuted,   ///< a planted fault, under its claim
  kMisnamed,  ///< a planted fault whose claim is not refuted, but another is
  kSurvived,  ///< a planted fault, and no claim is refuted
  kKept,      ///< a permitted variant of which no claim is refuted or in error
  kAlarm,     ///< a permitted variant of which one is
  kFailed,    ///< the audit itself did not come to its end
  kNotRun,    ///< there was no time for it
};
constexpr const char* to_string(Outcome outcome) {
  constexpr const char* names[] = {"refuted", "other claim", "survived", "kept",
                                   "alarm",   "failed",      "not run"};
  return names[static_cast<std::size_t>(outcome)];
}

struct Scored {
  std::string name;
  std::string kernel;  ///< the last part of its entry point
  std::string claim;   ///< that is to fall; empty for permitted variants
  std::string what;
  Outcome outcome = Outcome::kNotRun;
  std::optional<std::uint64_t> first_violation;  ///< see ClaimRecord
  std::uint64_t probes = 0;                      ///< of the claim, run
  std::optional<Size> size;                      ///< of the counterexample
  /// Claims that fell and that this fault does not break; of permitted variants all that fell.
  std::vector<std::string> alarms;
  /// What is wrong with the counterexample or its token; empty if nothing is, or there is none.
  std::string case_fault;
  bool unsteady = false;  ///< see Mutant
  std::string why;  ///< of an audit that failed, and of faults that survived: what is known of them
  double seconds = 0;

  bool planted() const { return !claim.empty(); }
};

/// A case that has not run.
Scored unscored(const Mutant& mutant);

/// Audits the mutant as the only variant of its kernel, against the shipped contracts. Above the
/// quick effort a planted fault that is refuted within the first seconds is not audited to the end:
/// that it is refuted stands, and what else might fall later is not known.
Scored scored(const Mutant& mutant, const AuditOptions& options);

}  // namespace assay::score
