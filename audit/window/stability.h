// What the parts of the judgement of bit_stable share.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "audit/window/bench.h"

namespace assay::window {

/// A call whose results others are compared with.
struct Base {
  Case the_case;
  Tensors tensors;             ///< of the case
  std::vector<Bits> due = {};  ///< what the call gave
};

/// Where an element of a call's output is compared with one of a base call.
struct SameResult {
  std::size_t here = 0;
  std::size_t there = 0;
};

/// How a call differs from the base call that is to give the same bits.
struct Variation {
  const char* factor;                   ///< what must not matter, in words
  std::string detail = {};              ///< how it is varied here
  std::vector<SameResult> places = {};  ///< what is compared; empty: every result with its own
  unsigned char old_output = kCanary;   ///< bytes
  bool registers_dirty = false;
};

/// Calls whose results are compared, bit by bit, with those of another call of the same terms.
///
/// A difference counts against a factor only where both calls give their bits again and again. Else
/// the kernel does not give the same bits in the very same call, whatever was varied: then that is
/// what the tally says.
class StabilityBench {
 public:
  StabilityBench(Subject& of_subject, CallTally& of_tally)
      : subject(of_subject),
        tally(of_tally),
        bench(of_subject, of_tally),
        reference_(of_subject, of_tally) {}

  Subject& subject;
  CallTally& tally;
  Bench bench;
  std::string space;  ///< the kinds of calls in words

  const Operation& operation() const { return subject.operation(); }

  /// The base call, uncounted; sets `due`. False after a fault.
  bool give(Base& base);
  /// The same; where the call fails there is no fault, only no base.
  bool try_to_give(Base& base);

  /// Makes the call that the bench holds: its results have to be those of the base. A factor that
  /// was seen to matter in kEnough calls is not varied further. False after a fault.
  bool same(const Base& base, const Variation& variation);

  /// The same call, for an example that is smaller than the one there is, which it takes the place
  /// of: whether it did.
  bool shows_smaller(const Base& base, const Variation& variation);

  /// Results of a call made elsewhere. `once_more` makes it again, or gives `got` where it cannot
  /// be made again.
  void compare(const Base& base, const std::vector<Bits>& got, const Variation& variation,
               const std::function<std::vector<Bits>()>& once_more);

 private:
  static constexpr std::uint64_t kEnough = 10;

  /// The results of the base call made once more.
  std::vector<Bits> again(const Base& base);

  Bench reference_;
  std::map<std::string_view, std::uint64_t> seen_;  ///< differences, by factor
};

/// Cases for what takes many calls of each: every family, little work, small ones first.
std::vector<Case> stability_cases(const Job& job, std::size_t count);

// Each returns false after a fault.

// stability_places.cc: where tensors lie, what memory and registers held, other processes.
bool judge_places(StabilityBench& bench);

// stability_threads.cc: other threads at the same time.
bool judge_threads(StabilityBench& bench);

// stability_company.cc: what else is computed in the same call.
bool judge_company(StabilityBench& bench);

// stability_strips.cc: where in a row, or among how many channels, a result lies.
bool judge_strips(StabilityBench& bench);

}  // namespace assay::window
