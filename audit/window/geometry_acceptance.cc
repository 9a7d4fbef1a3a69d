// accept.geometry: extents and parameters that the contract rules out, or with which the operation
// cannot be carried out, are refused; tensors without elements are admitted and work.
#include <fmt/format.h>

#include <algorithm>

#include "audit/window/call_contract.h"
#include "audit/window/call_judges.h"
#include "audit/window/examiner.h"
#include "audit/window/geometry_faults.h"
#include "audit/window/truth.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

class GeometryJudge {
 public:
  GeometryJudge(Subject& subject, CallTally& tally)
      : subject_(subject),
        tally_(tally),
        operation_(subject.operation()),
        examiner_(subject, tally, ClaimKind::kAcceptGeometry) {}

  void judge() {
    const std::vector<Case> cases = bases();
    if (cases.empty()) {
      return put(tally_.undecidable, "the contract admits none of the geometries varied here");
    }
    for (const Case& the_case : cases) {
      if (!examiner_.begin(the_case)) return;
      for (const FaultyCall& fault : faulty_calls(operation_, examiner_.plain())) {
        examiner_.must_refuse(fault.call, fault.what, fault.about, reason_for(fault.call));
      }
      observe();
    }
    const std::uint64_t faulty = tally_.planned;
    if (!empty_tensors()) return;
    put(tally_.space,
        fmt::format("{} calls with one thing wrong: strides, paddings, dilations, groups, windows, "
                    "channels, bias, operands, parameters missing, unknown or repeated, extents "
                    "beyond 64 bits, with outputs as due before and as careless arithmetic gives; "
                    "{} calls with tensors without elements, which have to work",
                    faulty, tally_.planned - faulty));
    put(tally_.observation, examiner_.message_text() + notes_);
  }

 private:
  /// Two groups; one group, padded, with strides that leave a rest; and channels that differ.
  std::vector<Case> bases() const {
    std::vector<Case> cases;
    Case roomy;
    if (roomy_case(subject_.job, roomy)) cases.push_back(roomy);
    const auto add = [&](std::int64_t in_channels, std::int64_t out_channels, Pair image,
                         Pair stride, Pair padding) {
      Case made = roomy;
      oracle::ConvolutionGeometry& e = made.geometry.extents;
      e.groups = 1;
      e.in_channels = in_channels;
      e.out_channels = operation_.is_sum() ? out_channels : in_channels;
      e.image = image;
      e.stride = stride;
      e.padding = operation_.has(ParameterRole::kPadding) ? padding : Pair{0, 0};
      if (complete(operation_, made.geometry)) cases.push_back(made);
    };
    add(4, 4, {5, 6}, {1, 1}, {0, 0});
    add(4, 4, {6, 7}, {2, 2}, {1, 1});
    add(2, 3, {5, 5}, {3, 3}, {0, 0});
    return cases;
  }

  /// Why the call has to be refused.
  std::string reason_for(const Call& call) const {
    const std::string ruled = ruled_out(operation_, call);
    if (!ruled.empty()) return ruled;
    return beyond_memory(call) ? "no memory holds it" : "the operation does not define it";
  }

  void note(const std::string& what, Call call) {
    add_note(fmt::format("{}: {}", what, examiner_.observe(std::move(call))));
  }
  void add_note(const std::string& text) {
    if (notes_.find(text) != std::string::npos) return;
    notes_ += (notes_.empty() ? "; not judged: " : ", ") + text;
  }

  /// Calls about which the contract and the operation disagree, or nobody says anything.
  void observe() {
    const Call& plain = examiner_.plain();
    if (operation_.kind == OperationKind::kConvolution) {
      const std::int64_t due = plain.inputs[1].shape[1];
      Call call = plain;
      call.inputs[1].shape[1] = due / 2;
      if (due >= 2 && constraints_hold(operation_, call, 1)) {
        note("a weight of half the channels, which the contract admits", call);
      }
      const OperationParameter* dilation = operation_.find(ParameterRole::kDilation);
      if (dilation != nullptr) {
        call = with_parameter(with_parameter(plain, dilation->rows_name, 2), dilation->columns_name,
                              2);
        if (const std::optional<Shape> shape = ruled_shape(operation_, call)) {
          call.output.shape = *shape;
          note("dilation 2", call);
        }
      }
    }
    const OperationParameter* padding = operation_.find(ParameterRole::kPadding);
    if (operation_.kind == OperationKind::kTransposedConvolution && padding != nullptr &&
        plain.output.shape[2] % 2 == 0) {
      Call call = with_parameter(plain, padding->rows_name,
                                 parameter_value(plain.parameters, padding->rows_name).value_or(0) +
                                     plain.output.shape[2] / 2);
      if (const std::optional<Shape> shape = ruled_shape(operation_, call)) {
        call.output.shape = *shape;
        note("padding that takes off every row", call);
      }
    }
  }

  /// No image, no channels: empty outputs, or the bias alone.
  bool empty_tensors() {
    Case made;
    if (!roomy_case(subject_.job, made)) return true;
    made.family = Family::kIntegers;
    Case dense = made;
    dense.geometry.extents.groups = 1;
    if (complete(operation_, dense.geometry)) made = dense;
    for (const bool bias : {false, true}) {
      if (bias && !operation_.takes_bias) continue;
      if (!bias && operation_.takes_bias && !operation_.bias_optional) continue;
      for (int none = 1; none < 8; ++none) {
        Case without = made;
        oracle::ConvolutionGeometry& e = without.geometry.extents;
        without.geometry.bias = bias;
        if ((none & 1) != 0) e.batch = 0;
        if ((none & 2) != 0) e.in_channels = 0;
        if ((none & 4) != 0) e.out_channels = 0;
        if (!operation_.is_sum()) {
          if (e.in_channels != e.out_channels) continue;
        }
        if (!complete(operation_, without.geometry)) {
          // 0 channels that have to be divisible by 0, say.
          if (none == 2 && !no_channels(without)) return false;
          continue;
        }
        if (!works_empty(without)) return false;
      }
    }
    return true;
  }

  /// A call without input channels that the contract's constraints rule out in so many words,
  /// although the operation means something.
  bool no_channels(Case& the_case) {
    if (!operation_.is_sum()) return true;
    the_case.geometry.extents.result = {1, 1};
    examiner_.bench().lay_out(the_case);
    Call call = examiner_.bench().call();
    const std::optional<Shape> shape = ruled_shape(operation_, call);
    if (!shape) return true;
    const oracle::ConvolutionGeometry& e = the_case.geometry.extents;
    the_case.geometry.extents.result = {(*shape)[2], (*shape)[3]};
    if (output_shape(the_case.geometry) != *shape || e.result.rows < 1) return true;
    examiner_.bench().lay_out(the_case);
    note("no input channels, which the contract excludes", examiner_.bench().call());
    return true;
  }

  bool works_empty(const Case& the_case) {
    Bench& bench = examiner_.bench();
    bench.lay_out(the_case);
    const Tensors tensors = make_tensors(operation_, the_case);
    for (const bool null : {false, true}) {
      Call call = bench.call();
      if (null) {
        for (TensorArgument& input : call.inputs) {
          if (elements(input.shape) == 0) input.data = nullptr;
        }
        if (elements(call.output.shape) == 0) call.output.data = nullptr;
      }
      bench.set_detail(null ? "no data where there are no elements" : "tensors without elements");
      const Reply reply = bench.attempt(call);
      if (reply.signal.signal == 0 && reply.status != KernelStatus::kOk) {
        ++tally_.probes;
        add_violation(
            tally_, &the_case, bench.circumstances(),
            fmt::format("the contract admits tensors without elements; refused{}: {} {}",
                        null ? " with null data" : "", to_string(reply.status), reply.message));
        continue;
      }
      if (!bench.carried_out(reply)) return false;
      if (bench.results().empty()) {
        if (!bench.output_touched()) continue;
        add_violation(tally_, &the_case, bench.circumstances(),
                      "bytes were written although the output has no elements");
        continue;
      }
      sums_of_nothing(the_case, tensors, bench.results());
    }
    return true;
  }

  /// Results without terms are the bias alone, or zero. What they are instead counts against this
  /// claim where it is so each time, and where sums of something are right: before, and still.
  void sums_of_nothing(const Case& the_case, const Tensors& tensors,
                       const std::vector<Bits>& results) {
    const std::size_t wrong = wrong_sum(the_case, tensors, results);
    if (wrong == results.size()) return;
    Bench& bench = examiner_.bench();
    const auto once_more = [&] { return bench.again(); };
    if (!shows_again(tally_, the_case, results, results, once_more, once_more)) return;
    const std::string circumstances = bench.circumstances();
    if (!sums_are_right()) {
      add_note("sums of nothing: the kernel is wrong where there are terms, too");
      return;
    }
    add_violation(tally_, the_case, wrong, results[wrong], due_bits(the_case, tensors, wrong),
                  circumstances,
                  tensors.bias.empty() ? "a sum of nothing is not zero"
                                       : "a sum of nothing is not the bias alone");
  }

  Bits due_bits(const Case& the_case, const Tensors& tensors, std::size_t result) const {
    if (tensors.bias.empty()) return 0;
    return tensors.bias[static_cast<std::size_t>(result_index(the_case.geometry, result).channel)];
  }

  /// The first result that is not what an empty sum gives, or their number.
  std::size_t wrong_sum(const Case& the_case, const Tensors& tensors,
                        const std::vector<Bits>& results) const {
    const DtypeTraits& format = traits(operation_.dtype);
    std::size_t i = 0;
    for (; i < results.size(); ++i) {
      const Bits due = due_bits(the_case, tensors, i);
      if (results[i] != due && !(format.is_zero(due) && format.is_zero(results[i]))) break;
    }
    return i;
  }

  /// Whether the kernel can add: integers, whose sums are exact.
  bool sums_are_right() {
    Case full;
    if (!roomy_case(subject_.job, full)) return true;
    full.family = Family::kIntegers;
    const Tensors tensors = make_tensors(operation_, full);
    CaseRunner runner(operation_, subject_.variant, subject_.environment);
    if (runner.run(full.geometry, tensors) != CallFault::kNone) return false;
    return TruthSource(operation_, full.geometry, tensors).all_declared(runner.results());
  }

  Subject& subject_;
  CallTally& tally_;
  const Operation& operation_;
  Examiner examiner_;
  std::string notes_;
};

}  // namespace

void judge_accept_geometry(Subject& subject, CallTally& tally) {
  GeometryJudge(subject, tally).judge();
}

}  // namespace assay::window
