// Claims about how a kernel is called, for operations with windows: what their judges are given,
// and what they write.
#pragma once

#include <functional>

#include "audit/judge/tally.h"
#include "audit/window/call.h"
#include "audit/window/job.h"
#include "audit/worker/pool.h"

namespace assay::window {

/// One element of one input that is something else than its case says.
struct Patch {
  bool used = false;
  std::uint32_t input = 0;
  std::uint64_t element = 0;
  Bits bits = 0;
};

/// One call that shows something, as far as it is kept. Trivially copyable.
struct CallExample {
  bool has_case = false;  ///< the call's tensors are those of `the_case`, but for the patch
  Case the_case;
  Patch patch;
  bool has_values = false;   ///< the three below are meaningful
  std::uint64_t result = 0;  ///< linear index into the output
  Bits got = 0;
  Bits expected = 0;
  char circumstances[200] = {};
  char why[240] = {};
};

using CallTally = TallyOf<CallExample>;

/// What a judge needs to know.
struct Subject {
  const Job& job;
  const KernelVariant& variant;
  std::uint64_t seed;
  Heartbeat& heartbeat;
  EnvironmentLog& environment;

  const Operation& operation() const { return job.operation; }
  std::size_t element_bytes() const {
    return static_cast<std::size_t>(traits(job.operation.dtype).bytes());
  }
  /// The alignment that the contract asks of buffers; a power of two of at least the element size.
  std::size_t alignment() const;
};

using CallJudge = void (*)(Subject&, CallTally&);

struct CallRow {
  ClaimKind kind;
  CallJudge judge;
};

/// The judges of all claims about calls, one row each.
const std::vector<CallRow>& call_rows();

/// A small, mixed selection of the job's cases, plain numbers first: for judges that make many
/// calls of each. Every geometry feature of the operation is among them.
std::vector<Case> small_cases(const Job& job, std::size_t count);

/// Counts a violation and keeps the first.
void add_violation(CallTally& tally, const Case* the_case, const std::string& circumstances,
                   const std::string& why);
/// The same with the result that came and the one that was due.
void add_violation(CallTally& tally, const Case& the_case, std::size_t result, Bits got,
                   Bits expected, const std::string& circumstances, const std::string& why);
/// Records that a call changed an input, or its description, in the way that `why` says. `the_case`
/// is that of the call's tensors, if there is one.
void add_input_change(CallTally& tally, const Case* the_case, const std::string& circumstances,
                      const std::string& why);

/// Whether a difference between two calls that are to give the same, `due` and `got`, tells of what
/// distinguishes the calls. Both are made again, three times, by `reference` and `other`: only
/// where each of them gives its bits every time does it. Else the kernel is not stable: that is
/// noted, and the probe taken back. `other_call` describes a call of `other` whose tensors are not
/// those of the case.
bool shows_again(CallTally& tally, const Case& the_case, const std::vector<Bits>& due,
                 const std::vector<Bits>& got, const std::function<std::vector<Bits>()>& reference,
                 const std::function<std::vector<Bits>()>& other,
                 const std::string& other_call = {});

/// Records that a valid call was refused or dispatched wrongly; a judge returns after it.
void put_fault(CallTally& tally, CallFault fault, const std::string& text);

}  // namespace assay::window
