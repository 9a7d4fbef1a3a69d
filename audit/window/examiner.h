// Calls that a kernel must refuse, or must carry out, for the claims about what it accepts.
#pragma once

#include <string>
#include <string_view>

#include "audit/window/bench.h"

namespace assay::window {

/// Makes calls that vary the dense call of one case, and judges the replies.
class Examiner {
 public:
  /// `kind`: the claim that is judged. The others must outlive the examiner.
  Examiner(Subject& subject, CallTally& tally, ClaimKind kind);

  /// The case whose tensors the next calls are over. False, with a note, where its plain call does
  /// not work: then no claim about variations of it can be judged.
  bool begin(const Case& the_case);

  Bench& bench() { return bench_; }
  const Case& current() const { return case_; }
  const Tensors& tensors() const { return tensors_; }
  /// The plain call of the case, which works.
  const Call& plain() { return bench_.call(); }

  /// The call must be refused, and no byte of the output be written. `about`: the operand or
  /// parameter that a message should name; empty if nobody looks. `reason`: who rules it out.
  void must_refuse(Call call, const std::string& what, std::string_view about = {},
                   const std::string& reason = {});

  /// The call must be carried out with the results that the plain call of these tensors gives in
  /// other memory, and leave alone what the claim says of the output's description. False after a
  /// fault that ends the judgement.
  bool must_give(Call call, const Tensors& tensors, const std::string& what);

  /// What becomes of a call that nobody judges: "refused", "accepted" or "ends with ...".
  std::string observe(Call call);

  std::uint64_t refused() const { return refused_; }
  /// "58 of 60 refusals name the operand or parameter".
  std::string message_text() const;

 private:
  /// The results of a plain call in other memory, uncounted. False, with a note, where it does not
  /// work.
  bool reference(const Tensors& tensors, std::vector<Bits>& results);

  Subject& subject_;
  CallTally& tally_;
  ClaimKind kind_;
  Bench bench_;
  CaseRunner runner_;
  Case case_;
  Tensors tensors_;
  std::uint64_t refused_ = 0;
  std::uint64_t named_ = 0;  ///< refusals whose message names what it is about
  std::uint64_t asked_ = 0;  ///< refusals whose message was looked at
};

/// A geometry with extents of two and more everywhere and, where the operation has them, two groups
/// and a bias; with well scaled numbers. Where the contract does not admit that, other groups and
/// channels, and then the case of the job whose tensors have the most extents of two and more.
/// False only where the contract admits nothing with results.
bool roomy_case(const Job& job, Case& the_case);

/// The strides of a dense tensor of this shape, in elements.
Shape dense_strides(const Shape& shape);

}  // namespace assay::window
