// What the judgement of a claim about calls found: the same for every family of kernels, but for
// the kind of example that it keeps.
#pragma once

#include <cstdint>

#include "audit/worker/fixed_text.h"
#include "audit/worker/processor_time.h"
#include "audit/worker/runner.h"

namespace assay {

/// Calls that show one thing: how many, and the first.
template <class Example>
struct SightingsOf {
  std::uint64_t count = 0;
  Example first;
};

/// What one judgement found. Trivially copyable: workers write it to shared memory.
template <class Example>
struct TallyOf {
  std::uint64_t planned = 0;  ///< calls that bear on the claim
  std::uint64_t probes = 0;   ///< of those, made
  std::uint64_t violations = 0;
  std::uint64_t first_violation = 0;  ///< which of the probes it was, from 1; 0: none
  double seconds = 0;
  CallFault fault = CallFault::kNone;  ///< a valid call was refused or dispatched wrongly
  char fault_text[240] = {};

  std::uint64_t left_out = 0;  ///< calls that bear on the claim, but would not be evidence
  char left_out_why[160] = {};

  /// The first violation. Judges go from small to large, so that the first is the simplest.
  bool has_example = false;
  Example example;

  /// Calls that gave other bits than the very same call before: no evidence about the claim at
  /// hand, but against `bit_stable`.
  SightingsOf<Example> instabilities;

  /// Calls that changed their input, or its description: evidence against `inputs_unmodified`,
  /// whatever claim they were made for.
  SightingsOf<Example> input_changes;

  /// Of all calls made for the judgement, whatever claim it is about.
  std::uint64_t calls = 0;
  std::uint64_t environment_changes = 0;
  char environment_change[160] = {};

  /// Why the declared value cannot be judged here; then no call is made. Empty if it can.
  char undecidable[240] = {};

  char observation[240] = {};  ///< measured without judging; empty if nothing
  char space[640] = {};        ///< the calls in words
};

/// What `judge` finds, which writes to a tally and enters its calls in `log`; with their number,
/// what they did to the environment, and the processor time.
template <class Example, class Judge>
TallyOf<Example> judged(const EnvironmentLog& log, Judge&& judge) {
  TallyOf<Example> tally;
  const double start = processor_seconds();
  judge(tally);
  tally.seconds = processor_seconds() - start;
  tally.calls = log.calls();
  tally.environment_changes = log.changes();
  put(tally.environment_change, log.first_change());
  return tally;
}

}  // namespace assay
