// accept.*: what the contract rejects is refused with a status, and no output byte is written; what
// it admits works.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

#include "audit/judge/structure.h"
#include "audit/worker/buffer.h"
#include "audit/worker/tensor_description.h"
#include "contracts/fkc/call_shapes.h"
#include "oracles/cast_oracle.h"

namespace assay {

namespace {

constexpr std::size_t kRoom = 4096;  // bytes of every buffer here: far more than any case needs
constexpr unsigned char kPoison = 0xc5;

/// Tensors of one acceptance case, over guarded memory.
struct Case {
  std::string what;  ///< "an input with strides (2)"
  Dtype input_dtype{};
  Dtype output_dtype{};
  std::vector<std::int64_t> input_shape;
  std::vector<std::int64_t> input_strides;  ///< empty: dense
  std::uint64_t input_byte_offset = 0;
  std::size_t input_start = 0;  ///< element at which the input's data pointer stands
  std::vector<std::int64_t> output_shape;
  std::vector<std::int64_t> output_strides;
  std::uint64_t output_byte_offset = 0;
};

Case dense_case(const Subject& subject, std::vector<std::int64_t> shape) {
  Case result;
  result.input_dtype = subject.from();
  result.output_dtype = subject.to();
  result.input_shape = shape;
  result.output_shape = std::move(shape);
  return result;
}

std::int64_t elements(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string text(const std::vector<std::int64_t>& list) {
  std::string result = "(";
  for (const std::int64_t n : list) result += (result.size() > 1 ? ", " : "") + std::to_string(n);
  return result + ")";
}

/// Calls a kernel with arbitrary tensor descriptions.
class CaseCaller {
 public:
  /// `kind`: the claim that is judged.
  CaseCaller(Subject& subject, StructureTally& tally, ClaimKind kind)
      : subject_(subject),
        tally_(tally),
        kind_(kind),
        values_(structure_values(subject, 256)),
        in_(kRoom),
        out_(kRoom) {}

  struct Reply {
    CaughtSignal signal;
    KernelStatus status = KernelStatus::kOk;
    std::string message;
    bool output_touched = false;
    TensorDescription::Changes changed;  ///< of the output's description
  };

  Reply call(Case c) {
    std::memset(in_.begin(), 0, in_.size());
    for (std::size_t i = 0; i < in_.size() / subject_.from_bytes(); ++i) {
      oracle::store(in_.begin(), i, subject_.from(), values_[i % values_.size()]);
    }
    std::memset(out_.begin(), kPoison, out_.size());
    DLTensor input =
        dense_tensor(in_.begin() + c.input_start * subject_.from_bytes(), c.input_dtype,
                     c.input_shape.data(), static_cast<int>(c.input_shape.size()));
    DLTensor output = dense_tensor(out_.begin(), c.output_dtype, c.output_shape.data(),
                                   static_cast<int>(c.output_shape.size()));
    if (!c.input_strides.empty()) input.strides = c.input_strides.data();
    if (!c.output_strides.empty()) output.strides = c.output_strides.data();
    input.byte_offset = c.input_byte_offset;
    output.byte_offset = c.output_byte_offset;
    const TensorDescription input_before(input);
    const TensorDescription output_before(output);

    KernelCall kernel_call;
    kernel_call.inputs = {&input, 1};
    kernel_call.outputs = {&output, 1};
    Reply reply;
    ++tally_.planned;
    subject_.heartbeat.at(tally_.planned);
    const FpEnvironment environment = FpEnvironment::current();
    reply.signal = run_catching([&] { reply.status = subject_.variant(kernel_call); });
    subject_.environment.check(environment);
    ++tally_.probes;
    kernel_call.message[sizeof(kernel_call.message) - 1] = '\0';
    reply.message = kernel_call.message;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      reply.output_touched = reply.output_touched || out_.begin()[i] != kPoison;
    }
    reply.changed = output_before.changes(output);
    const TensorDescription::Changes input_changes = input_before.changes(input);
    if (input_changes.any()) {
      add_input_change(tally_, c.what, "the kernel changes the description of its input tensor");
    }
    for (std::size_t i = 0; i < in_.size() / subject_.from_bytes(); ++i) {
      if (oracle::load(in_.begin(), i, subject_.from()) == values_[i % values_.size()]) continue;
      add_input_change(tally_, c.what, "the kernel writes to its input tensor");
      break;
    }
    return reply;
  }

  /// The case must be refused and the output left alone.
  void must_refuse(const Case& c) {
    const Reply reply = call(c);
    if (reply.signal.signal != 0) {
      add_violation(tally_, {}, 0, c.what,
                    fmt::format("{} is not refused: the call ended with {}", c.what,
                                strsignal(reply.signal.signal)));
    } else if (reply.status == KernelStatus::kOk) {
      add_violation(tally_, {}, 0, c.what, c.what + " is accepted");
    } else if (reply.output_touched) {
      add_violation(tally_, {}, 0, c.what,
                    c.what + " is refused, but output bytes were written before");
    }
  }

  /// A dense case must work: every output element is as in a tensor of rank 1 with the same
  /// elements.
  void must_work(const Case& c) {
    const Reply reply = call(c);
    const auto n = static_cast<std::size_t>(elements(c.input_shape));
    if (!accepted(c, reply)) return;
    if (changed(reply)) {
      add_violation(tally_, {}, 0, c.what,
                    fmt::format("{}: the kernel changes the {} in the output's description", c.what,
                                description_part()));
      return;
    }
    const std::vector<Bits> got = read_elements(out_.begin(), n, subject_.to());
    const std::vector<Bits> inputs(values_.begin(), values_.begin() + static_cast<long>(n));
    const std::optional<std::vector<Bits>> flat_results = flat(inputs);
    if (!flat_results) return;
    const std::vector<Bits>& due = *flat_results;
    if (got == due || !shows_again_in(c, inputs, due, got)) return;
    for (std::size_t i = 0; i < n; ++i) {
      if (close_enough(subject_, inputs[i], got[i], due[i])) continue;
      add_violation(tally_, inputs, i, got[i], due[i], c.what,
                    fmt::format("{}: element {} is not what the kernel gives in a tensor of rank 1",
                                c.what, i));
      return;
    }
  }

  /// The case must be accepted; what it gives is not looked at.
  void must_accept(const Case& c) { accepted(c, call(c)); }

  /// What a view that the contract accepts must give: the elements it shows, in row-major order.
  void must_equal_dense(const Case& c) {
    const Reply reply = call(c);
    if (crashed(c, reply)) return;
    if (reply.status != KernelStatus::kOk) {
      add_violation(tally_, {}, 0, c.what,
                    fmt::format("the contract accepts {}; the kernel refuses it: {} {}", c.what,
                                to_string(reply.status), reply.message));
      return;
    }
    const auto n = static_cast<std::size_t>(elements(c.input_shape));
    std::vector<Bits> inputs(n);
    for (std::size_t i = 0; i < n; ++i) inputs[i] = values_[view_index(c, i) % values_.size()];
    const std::vector<Bits> got = read_elements(out_.begin(), n, subject_.to());
    const std::optional<std::vector<Bits>> flat_results = flat(inputs);
    if (!flat_results) return;
    const std::vector<Bits>& due = *flat_results;
    bool misplaced = false;
    for (std::size_t i = 0; i < n; ++i) {
      misplaced = misplaced || !close_enough(subject_, inputs[i], got[i], due[i]);
    }
    if (misplaced && shows_again_in(c, inputs, due, got)) {
      add_violation(tally_, inputs, 0, c.what, c.what + " gives other results than its dense copy");
    }
  }

 private:
  /// Whether a call changed what the claim at hand says about the output's description, which is
  /// the caller's.
  bool changed(const Reply& reply) const {
    return (kind_ == ClaimKind::kDtypeRule && reply.changed.dtype) ||
           (kind_ == ClaimKind::kShapeRule && reply.changed.shape) ||
           (kind_ == ClaimKind::kLayoutGuarantee && reply.changed.layout);
  }
  const char* description_part() const {
    if (kind_ == ClaimKind::kDtypeRule) return "dtype";
    return kind_ == ClaimKind::kShapeRule ? "shape" : "layout";
  }

  /// True when a call that must be accepted was; else that is noted.
  bool accepted(const Case& c, const Reply& reply) {
    if (crashed(c, reply)) return false;
    if (reply.status == KernelStatus::kOk) return true;
    // A refusal for another reason tells nothing about the layout of outputs.
    if (kind_ == ClaimKind::kLayoutGuarantee && reply.status != KernelStatus::kBadLayout) {
      put_fault(tally_, CallFault::kRefused,
                fmt::format("valid arguments were refused: {}: {} ({})", to_string(reply.status),
                            reply.message, c.what));
      return false;
    }
    add_violation(
        tally_, {}, 0, c.what,
        fmt::format("{} is not accepted: {} {}", c.what, to_string(reply.status), reply.message));
    return false;
  }

  /// True when a valid call ended with a signal, which says nothing about the claim.
  bool crashed(const Case& c, const Reply& reply) {
    if (reply.signal.signal == 0) return false;
    put_fault(tally_, CallFault::kRefused,
              fmt::format("{}: the call ended with {}", c.what, strsignal(reply.signal.signal)));
    return true;
  }

  bool shows_again_in(const Case& c, const std::vector<Bits>& inputs, const std::vector<Bits>& due,
                      const std::vector<Bits>& got) {
    const auto other = [&] {
      call(c);
      --tally_.planned;
      --tally_.probes;
      return read_elements(out_.begin(), inputs.size(), subject_.to());
    };
    return shows_again(
        tally_, inputs, due, got, [&] { return flat(inputs).value_or(std::vector<Bits>()); },
        other);
  }

  /// The results of the same elements in a dense tensor of rank 1, or nothing, with a note, where
  /// that call is refused.
  std::optional<std::vector<Bits>> flat(const std::vector<Bits>& inputs) {
    CastRunner runner(subject_.kernel, subject_.variant, subject_.environment);
    const GuardedPages in(inputs.size() * subject_.from_bytes() + kSlack);
    const GuardedPages out(inputs.size() * subject_.to_bytes() + kSlack);
    write_elements(in.begin(), inputs, subject_.from());
    const CallFault fault = runner.call(in.begin(), out.begin(), inputs.size());
    if (fault != CallFault::kNone) {
      put_fault(
          tally_, fault,
          fmt::format("a tensor of rank 1 with {} elements: {}", inputs.size(), runner.fault()));
      return std::nullopt;
    }
    return read_elements(out.begin(), inputs.size(), subject_.to());
  }

  std::size_t view_index(const Case& c, std::size_t linear) const {
    auto index = static_cast<std::int64_t>(c.input_start) +
                 static_cast<std::int64_t>(c.input_byte_offset / subject_.from_bytes());
    auto rest = static_cast<std::int64_t>(linear);
    for (std::size_t axis = c.input_shape.size(); axis-- > 0;) {
      index += rest % c.input_shape[axis] * c.input_strides[axis];
      rest /= c.input_shape[axis];
    }
    return static_cast<std::size_t>(index);
  }

  Subject& subject_;
  StructureTally& tally_;
  ClaimKind kind_;
  std::vector<Bits> values_;
  GuardedPages in_;
  GuardedPages out_;
};

}  // namespace

void judge_accept_layout(Subject& subject, StructureTally& tally) {
  CaseCaller caller(subject, tally, ClaimKind::kAcceptLayout);
  const fkc::Layout& layout = subject.contract.inputs.front().layout;
  const auto judge = [&](fkc::LayoutFlag flag, std::vector<std::int64_t> shape,
                         std::vector<std::int64_t> strides, std::size_t start,
                         std::uint64_t byte_offset) {
    Case c = dense_case(subject, std::move(shape));
    c.input_strides = std::move(strides);
    c.input_start = start;
    c.input_byte_offset = byte_offset;
    c.what = fmt::format("an input of shape {} with strides {}", text(c.input_shape),
                         text(c.input_strides));
    if (byte_offset != 0) c.what += fmt::format(" and byte_offset {}", byte_offset);
    if (flag == fkc::LayoutFlag::kRejected) caller.must_refuse(c);
    if (flag == fkc::LayoutFlag::kAccepted) caller.must_equal_dense(c);
  };
  judge(layout.strided, {2}, {2}, 0, 0);
  judge(layout.strided, {8}, {3}, 0, 0);
  judge(layout.strided, {4, 4}, {1, 4}, 0, 0);  // transposed
  judge(layout.strided, {4, 4}, {5, 1}, 0, 0);  // rows with a gap
  judge(layout.strided, {2, 3, 4}, {4, 8, 1}, 0, 0);
  judge(layout.broadcast_stride0, {2}, {0}, 0, 0);
  judge(layout.broadcast_stride0, {4, 4}, {0, 1}, 0, 0);
  judge(layout.broadcast_stride0, {4, 4}, {1, 0}, 0, 0);
  judge(layout.reverse_strides, {2}, {-1}, 1, 0);
  judge(layout.reverse_strides, {4, 4}, {-4, 1}, 12, 0);
  judge(layout.start_offset, {1}, {1}, 0, subject.from_bytes());
  judge(layout.start_offset, {16}, {1}, 0, 64);
  put(tally.space,
      "strided, transposed, gapped, broadcast, reversed and offset views of rank 1 to 3");
}

void judge_accept_dtype(Subject& subject, StructureTally& tally) {
  CaseCaller caller(subject, tally, ClaimKind::kAcceptDtype);
  const std::vector<Dtype>& listed = subject.contract.inputs.front().dtypes;
  for (const DtypeTraits& other : kDtypes) {
    bool accepted = false;
    for (const Dtype dtype : listed) accepted = accepted || dtype == other.dtype;
    if (accepted) continue;
    for (const std::int64_t n : {1, 8}) {
      Case c = dense_case(subject, {n});
      c.input_dtype = other.dtype;
      c.what = fmt::format("an input of dtype {} and {} elements", other.name, n);
      caller.must_refuse(c);
    }
  }
  put(tally.space, "every dtype that the contract does not list, as input of 1 and 8 elements");
}

void judge_accept_rank(Subject& subject, StructureTally& tally) {
  CaseCaller caller(subject, tally, ClaimKind::kAcceptRank);
  const fkc::RankRange& rank = subject.contract.inputs.front().rank;
  for (int r = 0; r <= 8; ++r) {
    const bool admitted = r >= rank.lower && (!rank.upper || r <= *rank.upper);
    for (const std::int64_t extent : {1, 2, 3, 0}) {
      if (extent == 3 && r > 4) continue;  // 3^5 elements and more add nothing
      std::vector<std::int64_t> shape(static_cast<std::size_t>(r), 1);
      // Extents other than 1 at the ends, so that a kernel that looks at one axis only is caught.
      if (r > 0) shape.front() = extent;
      if (r > 1) shape.back() = extent == 0 ? 2 : extent + 1;
      if (r > 2 && extent == 2) shape[1] = 3;
      Case c = dense_case(subject, shape);
      c.what = fmt::format("a tensor of rank {} and shape {}", r, text(shape));
      if (admitted) {
        caller.must_work(c);
      } else {
        caller.must_refuse(c);
      }
    }
  }
  put(tally.space, "ranks 0 to 8, extents 0 to 4");
}

void judge_dtype_rule(Subject& subject, StructureTally& tally) {
  CaseCaller caller(subject, tally, ClaimKind::kDtypeRule);
  for (const std::int64_t n : {0, 1, 8, 33}) {
    Case c = dense_case(subject, {n});
    c.what = fmt::format("an output of dtype {} and {} elements", traits(subject.to()).name, n);
    caller.must_work(c);
  }
  for (const DtypeTraits& other : kDtypes) {
    if (other.dtype == subject.to()) continue;
    Case c = dense_case(subject, {8});
    c.output_dtype = other.dtype;
    c.what = fmt::format("an output of dtype {}", other.name);
    caller.must_refuse(c);
  }
  put(tally.space, "outputs of the rule's dtype with 0, 1, 8 and 33 elements, and of every other");
}

namespace {

/// What the contract's rule gives for an input of this shape.
fkc::OutputShape ruled_shape(const Subject& subject, const std::vector<std::int64_t>& shape) {
  fkc::CallShapes call;
  call.operands[subject.contract.inputs.front().name.value] = shape;
  return fkc::output_shape(subject.contract, subject.contract.outputs.front(), call);
}

}  // namespace

void judge_shape_rule(Subject& subject, StructureTally& tally) {
  CaseCaller caller(subject, tally, ClaimKind::kShapeRule);
  const std::string& rule = subject.contract.outputs.front().shape_rule.value;
  const std::vector<std::vector<std::int64_t>> shapes = {
      {1}, {2}, {7}, {64}, {65}, {0}, {3, 5}, {2, 0, 3}, {2, 3, 4}, {1, 1, 2, 8}};
  for (const std::vector<std::int64_t>& shape : shapes) {
    const fkc::OutputShape due = ruled_shape(subject, shape);
    if (due.finding.standing == fkc::Standing::kNotChecked) {
      return put(tally.undecidable,
                 fmt::format("the rule '{}' cannot be evaluated: {}", rule, due.finding.why));
    }
    if (!due.shape) continue;  // outside of the contract
    if (elements(*due.shape) > static_cast<std::int64_t>(kRoom / sizeof(Bits))) {
      return put(tally.undecidable, fmt::format("the rule '{}' makes {} elements of {}", rule,
                                                elements(*due.shape), elements(shape)));
    }
    Case c = dense_case(subject, shape);
    c.output_shape = *due.shape;
    c.what = fmt::format("an input of shape {} with the output shape {} of the rule '{}'",
                         text(shape), text(*due.shape), rule);
    if (*due.shape == shape) {
      caller.must_work(c);
    } else {
      caller.must_accept(c);
    }
  }
  const std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> unequal = {
      {{1}, {2}}, {{2}, {1}},     {{8}, {7}},     {{8}, {9}},       {{0}, {1}},
      {{1}, {0}}, {{4, 4}, {16}}, {{16}, {4, 4}}, {{2, 3}, {3, 2}}, {{3}, {3, 1}}};
  for (const auto& [input, output] : unequal) {
    const fkc::OutputShape due = ruled_shape(subject, input);
    if (!due.shape || *due.shape == output) continue;
    Case c = dense_case(subject, input);
    c.output_shape = output;
    c.what =
        fmt::format("an input of shape {} with an output of shape {}", text(input), text(output));
    caller.must_refuse(c);
  }
  put(tally.space,
      "10 shapes of rank 1 to 4 with empty ones, with outputs as the rule says, and up to 10 "
      "outputs of another shape");
}

void judge_layout_guarantee(Subject& subject, StructureTally& tally) {
  const std::string& guarantee = subject.contract.outputs.front().layout_guarantee.value;
  if (guarantee != "contiguous") {
    return put(tally.undecidable,
               fmt::format("only the guarantee 'contiguous' is judged here, not '{}'", guarantee));
  }
  CaseCaller caller(subject, tally, ClaimKind::kLayoutGuarantee);
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{5}, {3, 4}, {2, 3, 4}}) {
    Case c = dense_case(subject, shape);
    c.what = fmt::format("a dense output of shape {}", text(shape));
    caller.must_work(c);
  }
  const auto refuse = [&](std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                          std::uint64_t byte_offset) {
    Case c = dense_case(subject, std::move(shape));
    c.output_strides = std::move(strides);
    c.output_byte_offset = byte_offset;
    c.what = fmt::format("an output of shape {} with strides {} and byte_offset {}",
                         text(c.output_shape), text(c.output_strides), byte_offset);
    caller.must_refuse(c);
  };
  refuse({4}, {2}, 0);
  refuse({4}, {0}, 0);
  refuse({3, 4}, {1, 3}, 0);
  refuse({3, 4}, {5, 1}, 0);
  refuse({4}, {1}, 64);
  put(tally.space,
      "3 dense outputs, results in row-major order; 5 strided, broadcast, transposed, gapped and "
      "offset outputs refused");
}

}  // namespace assay
