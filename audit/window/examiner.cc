#include "audit/window/examiner.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::window {

namespace {

/// What a claim says of the output's description: whether a call changed that.
const char* changed_part(ClaimKind kind, const TensorDescription::Changes& changes) {
  if (kind == ClaimKind::kDtypeRule && changes.dtype) return "dtype";
  if (kind == ClaimKind::kShapeRule && changes.shape) return "shape";
  if (kind == ClaimKind::kLayoutGuarantee && changes.layout) return "layout";
  return nullptr;
}

}  // namespace

Examiner::Examiner(Subject& subject, CallTally& tally, ClaimKind kind)
    : subject_(subject),
      tally_(tally),
      kind_(kind),
      bench_(subject, tally),
      runner_(subject.operation(), subject.variant, subject.environment) {}

bool Examiner::begin(const Case& the_case) {
  case_ = the_case;
  tensors_ = make_tensors(subject_.operation(), the_case);
  bench_.lay_out(the_case, tensors_);
  bench_.surround();
  std::vector<Bits> results;
  return reference(tensors_, results);
}

bool Examiner::reference(const Tensors& tensors, std::vector<Bits>& results) {
  const CallFault fault = runner_.run(bench_.geometry(), tensors, true);
  if (fault != CallFault::kNone) {
    // The output has the rule's shape: to say that its shape is bad breaks the rule.
    const bool about_shape = runner_.status() == KernelStatus::kBadShape;
    if (kind_ == ClaimKind::kShapeRule && about_shape) {
      ++tally_.planned;
      ++tally_.probes;
      add_violation(tally_, &case_, bench_.circumstances(),
                    "an output of the rule's shape is refused: " + runner_.fault());
    } else {
      put_fault(tally_, fault, runner_.fault());
    }
    return false;
  }
  if (runner_.inputs_changed()) {
    add_input_change(tally_, &case_, bench_.circumstances(), runner_.input_change());
  }
  results = runner_.results();
  return true;
}

void Examiner::must_refuse(Call call, const std::string& what, std::string_view about,
                           const std::string& reason) {
  bench_.set_detail(what);
  const Reply reply = bench_.attempt(call);
  ++tally_.probes;
  const std::string excluded = reason.empty() ? std::string() : " (" + reason + ")";
  if (reply.signal.signal != 0) {
    add_violation(tally_, nullptr, bench_.circumstances(),
                  fmt::format("{} is not refused{}: {}", what, excluded, ended_text(reply.signal)));
  } else if (reply.status == KernelStatus::kOk) {
    add_violation(tally_, nullptr, bench_.circumstances(), what + " is accepted" + excluded);
  } else if (bench_.output_touched()) {
    add_violation(tally_, nullptr, bench_.circumstances(),
                  what + " is refused, but output bytes were written before");
  } else {
    ++refused_;
    if (about.empty()) return;
    ++asked_;
    named_ += reply.message.find(about) != std::string::npos;
  }
}

bool Examiner::must_give(Call call, const Tensors& tensors, const std::string& what) {
  std::vector<Bits> due;
  if (!reference(tensors, due)) return false;
  bench_.set_detail(what);
  const Reply reply = bench_.attempt(call);
  if (reply.signal.signal == 0 && reply.status != KernelStatus::kOk) {
    ++tally_.probes;
    add_violation(
        tally_, nullptr, bench_.circumstances(),
        fmt::format("{} is not accepted: {} {}", what, to_string(reply.status), reply.message));
    return true;
  }
  if (!bench_.carried_out(reply)) return false;
  if (const char* part = changed_part(kind_, reply.output_changed)) {
    add_violation(
        tally_, nullptr, bench_.circumstances(),
        fmt::format("{}: the kernel changes the {} in the output's description", what, part));
    return true;
  }
  const std::vector<Bits> got =
      read_elements(call.output.data, due.size(), subject_.operation().dtype);
  if (got == due) return true;
  const auto once_more = [&] {
    bench_.attempt(call);
    --tally_.planned;
    return read_elements(call.output.data, due.size(), subject_.operation().dtype);
  };
  const auto plain = [&] {
    std::vector<Bits> results;
    return reference(tensors, results) ? results : std::vector<Bits>();
  };
  if (!shows_again(tally_, case_, due, got, plain, once_more)) return true;
  std::size_t i = 0;
  while (got[i] == due[i]) ++i;
  add_violation(tally_, case_, i, got[i], due[i], bench_.circumstances(),
                what + " gives other results than the plain call of the same elements");
  return true;
}

std::string Examiner::observe(Call call) {
  const Reply reply = bench_.attempt(call);
  --tally_.planned;
  if (reply.signal.signal != 0) return ended_text(reply.signal);
  return reply.status == KernelStatus::kOk ? "accepted" : "refused";
}

std::string Examiner::message_text() const {
  return fmt::format("{} of {} refusals name the operand or parameter", named_, asked_);
}

namespace {

/// How much room a geometry leaves to vary it: axes of two and more, of all tensors.
std::size_t room(const Operation& operation, const Geometry& geometry) {
  std::vector<Shape> shapes = input_shapes(operation, geometry);
  shapes.push_back(output_shape(geometry));
  std::size_t axes = 0;
  for (const Shape& shape : shapes) {
    axes += static_cast<std::size_t>(
        std::count_if(shape.begin(), shape.end(), [](std::int64_t n) { return n > 1; }));
  }
  return axes;
}

}  // namespace

bool roomy_case(const Job& job, Case& the_case) {
  const Operation& operation = job.operation;
  struct Channels {
    std::int64_t groups, in, out;
  };
  // Two groups of two and two; none; depthwise, with one output of each and with two.
  constexpr Channels kChannels[] = {{2, 4, 4}, {1, 4, 4}, {4, 8, 8}, {3, 6, 6},
                                    {4, 4, 8}, {4, 4, 4}, {2, 2, 4}, {2, 2, 2}};
  for (const Channels& channels : kChannels) {
    if (channels.groups > 1 && !operation.has(ParameterRole::kGroups)) continue;
    the_case = Case{};
    the_case.family = Family::kScaled;
    the_case.seed = 7;
    oracle::ConvolutionGeometry& e = the_case.geometry.extents;
    e.batch = 2;
    e.groups = channels.groups;
    e.in_channels = channels.in;
    e.out_channels = channels.out;
    e.image = {5, 6};
    e.kernel = operation.is_sum() ? Pair{2, 3} : Pair{2, 2};
    the_case.geometry.bias = operation.takes_bias;
    if (complete(operation, the_case.geometry)) return true;
  }
  std::size_t most = 0;
  for (const Case& small : small_cases(job, job.cases.size())) {
    if (elements(output_shape(small.geometry)) == 0) continue;
    Geometry admitted = small.geometry;
    if (!complete(operation, admitted)) continue;
    const std::size_t mine = room(operation, small.geometry);
    if (mine <= most) continue;
    most = mine;
    the_case = {small.geometry, Family::kScaled, 7};
  }
  return most > 0;
}

Shape dense_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

}  // namespace assay::window
