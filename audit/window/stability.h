// What the parts of the judgement of bit_stable share.
#pragma once

#include <string>
#include <vector>

#include "audit/window/bench.h"

namespace assay::window {

/// Where an element of a call's output is compared with one of another call.
struct SameResult {
  std::size_t here = 0;
  std::size_t there = 0;
};

/// Calls whose results are compared, bit by bit, with those of another call of the same terms.
class StabilityBench {
 public:
  StabilityBench(Subject& of_subject, CallTally& of_tally)
      : subject(of_subject), tally(of_tally), bench(of_subject, of_tally) {}

  Subject& subject;
  CallTally& tally;
  Bench bench;
  std::string space;  ///< the kinds of calls in words

  const Operation& operation() const { return subject.operation(); }

  /// One call of these tensors, uncounted, whose results others are compared with. False after a
  /// fault.
  bool base(const Geometry& geometry, const Tensors& tensors, std::vector<Bits>& results);

  /// The call that the bench holds, over an output that holds `old`: its results have to be `due`.
  /// `the_case`: whose tensors they are. False after a fault.
  bool same(const Case& the_case, const std::vector<Bits>& due, const char* factor,
            unsigned char old = kCanary);
  /// The same where results of this call are found elsewhere in `due`.
  bool same(const Case& the_case, const std::vector<Bits>& due,
            const std::vector<SameResult>& places, const char* factor);

  /// Notes a result that is not the same.
  void differs(const Case& the_case, std::size_t result, Bits got, Bits due, const char* factor);
};

/// Cases for what takes many calls of each: every family, little work.
std::vector<Case> stability_cases(const Job& job, std::size_t count);

// stability_places.cc: where tensors lie, what memory and registers held, threads and processes.
// Each returns false after a fault.
bool judge_places(StabilityBench& bench);

// stability_company.cc: what else is computed in the same call.
bool judge_company(StabilityBench& bench);

}  // namespace assay::window
