// The return contract: dtype_rule, shape_rule and layout_guarantee.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit/window/call_judges.h"
#include "audit/window/examiner.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

/// Some cases to vary, the roomy one first.
std::vector<Case> bases(const Job& job, std::size_t count) {
  std::vector<Case> cases;
  Case roomy;
  if (roomy_case(job, roomy)) cases.push_back(roomy);
  for (const Case& the_case : small_cases(job, count)) cases.push_back(the_case);
  return cases;
}

}  // namespace

void judge_dtype_rule(Subject& subject, CallTally& tally) {
  Examiner examiner(subject, tally, ClaimKind::kDtypeRule);
  const std::vector<Case> cases = bases(subject.job, 7);
  const std::string& output = subject.operation().output_name();
  for (const Case& the_case : cases) {
    if (!examiner.begin(the_case)) return;
    if (!examiner.must_give(
            examiner.plain(), examiner.tensors(),
            fmt::format("`{}` of dtype {}", output, traits(subject.operation().dtype).name))) {
      return;
    }
    for (const DtypeTraits& other : kDtypes) {
      if (other.dtype == subject.operation().dtype) continue;
      Call call = examiner.plain();
      call.output.dtype = other.dtype;
      examiner.must_refuse(call, fmt::format("`{}` of dtype {}", output, other.name), output);
    }
  }
  put(tally.space,
      fmt::format("{} geometries with an output of the rule's dtype, and of each of {} others",
                  cases.size(), kDtypes.size() - 1));
}

namespace {

/// Other shapes than `due`: each extent one off, axes exchanged, axes joined, left out and added.
std::vector<Shape> other_shapes(const Shape& due) {
  std::vector<Shape> all;
  const auto add = [&](Shape shape) {
    if (shape != due && std::find(all.begin(), all.end(), shape) == all.end()) {
      all.push_back(std::move(shape));
    }
  };
  for (std::size_t axis = 0; axis < due.size(); ++axis) {
    for (const std::int64_t step : {-1, 1}) {
      Shape shape = due;
      shape[axis] += step;
      if (shape[axis] >= 0) add(shape);
    }
    Shape none = due;
    none[axis] = 0;
    add(none);
    for (std::size_t other = axis + 1; other < due.size(); ++other) {
      Shape exchanged = due;
      std::swap(exchanged[axis], exchanged[other]);
      add(exchanged);
    }
    Shape shorter = due;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(axis));
    add(shorter);
    if (axis + 1 == due.size()) continue;
    Shape joined = due;
    joined[axis] *= joined[axis + 1];
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    add(joined);
  }
  Shape longer = due;
  longer.insert(longer.begin(), 1);
  add(longer);
  longer = due;
  longer.push_back(1);
  add(longer);
  add({static_cast<std::int64_t>(elements(due))});
  add({});
  return all;
}

/// The job's geometries, each once with plain numbers where it has them, at even distances.
std::vector<Case> geometries(const Job& job, std::size_t count) {
  std::vector<const Case*> distinct;
  for (const Case& candidate : job.cases) {
    if (work(job.operation, candidate.geometry) > 8000) continue;
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Case* other) {
      return other->geometry == candidate.geometry;
    });
    if (!known) distinct.push_back(&candidate);
  }
  const std::size_t taken = std::min(count, distinct.size());
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < taken; ++i) chosen.push_back(*distinct[i * distinct.size() / taken]);
  return chosen;
}

}  // namespace

void judge_shape_rule(Subject& subject, CallTally& tally) {
  Examiner examiner(subject, tally, ClaimKind::kShapeRule);
  const Operation& operation = subject.operation();
  const fkc::OutputOperand& output = operation.contract->outputs.front();
  std::set<Shape> shapes;
  const std::vector<Case> cases = geometries(subject.job, 100);
  for (const Case& the_case : cases) {
    const fkc::OutputShape due =
        fkc::output_shape(*operation.contract, output, call_shapes(operation, the_case.geometry));
    if (due.finding.standing == fkc::Standing::kNotChecked) {
      return put(tally.undecidable, fmt::format("the rule '{}' cannot be evaluated: {}",
                                                output.shape_rule.value, due.finding.why));
    }
    if (!due.shape) continue;
    if (!examiner.begin(the_case)) return;
    Call call = examiner.plain();
    call.output.shape = *due.shape;
    shapes.insert(*due.shape);
    if (!examiner.must_give(call, examiner.tensors(),
                            fmt::format("`{}` of the rule's shape {}", operation.output_name(),
                                        shape_text(*due.shape)))) {
      return;
    }
  }
  const std::uint64_t right = tally.probes;
  for (const Case& the_case : bases(subject.job, 7)) {
    if (!examiner.begin(the_case)) return;
    const Shape due = examiner.plain().output.shape;
    for (const Shape& shape : other_shapes(due)) {
      Call call = examiner.plain();
      call.output.shape = shape;
      examiner.must_refuse(call,
                           fmt::format("`{}` of shape {} where {} is due", operation.output_name(),
                                       shape_text(shape), shape_text(due)),
                           operation.output_name());
    }
  }
  put(tally.space, fmt::format("{} geometries with outputs of the rule's shape ({} shapes, empty "
                               "ones among them), and {} calls with outputs of other extents and "
                               "ranks",
                               right, shapes.size(), tally.planned - right));
}

void judge_layout_guarantee(Subject& subject, CallTally& tally) {
  const std::string& guarantee = subject.job.contract->outputs.front().layout_guarantee.value;
  if (guarantee != "contiguous") {
    return put(tally.undecidable,
               fmt::format("only the guarantee 'contiguous' is judged here, not '{}'", guarantee));
  }
  Examiner examiner(subject, tally, ClaimKind::kLayoutGuarantee);
  const std::string& output = subject.operation().output_name();
  const std::vector<Case> cases = bases(subject.job, 3);
  std::uint64_t right = 0;
  for (const Case& the_case : cases) {
    if (!examiner.begin(the_case)) return;
    const Shape shape = examiner.plain().output.shape;
    const Shape dense = dense_strides(shape);
    Call explicit_strides = examiner.plain();
    explicit_strides.output.strides = dense;
    for (const Call& call : {examiner.plain(), explicit_strides}) {
      ++right;
      if (!examiner.must_give(call, examiner.tensors(), fmt::format("a dense `{}`", output))) {
        return;
      }
    }
    if (elements(shape) == 0) continue;
    const auto refuse = [&](const Shape& strides, std::uint64_t byte_offset) {
      Call call = examiner.plain();
      call.output.strides = strides;
      call.output.byte_offset = byte_offset;
      examiner.must_refuse(call,
                           fmt::format("`{}` of shape {} with strides {} and byte_offset {}",
                                       output, shape_text(shape), shape_text(strides), byte_offset),
                           output);
    };
    // What an axis of extent 1 says is nobody's business.
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 1) continue;
      for (const std::int64_t stride :
           {std::int64_t{0}, -dense[axis], dense[axis] + 1, 2 * dense[axis]}) {
        Shape strides = dense;
        strides[axis] = stride;
        refuse(strides, 0);
      }
      for (std::size_t other = axis + 1; other < shape.size(); ++other) {
        if (shape[other] == 1) continue;
        Shape exchanged = dense;
        std::swap(exchanged[axis], exchanged[other]);
        refuse(exchanged, 0);
      }
    }
    for (const std::size_t offset : {subject.element_bytes(), subject.alignment()}) {
      refuse(dense, offset);
    }
  }
  put(tally.space, fmt::format("{} calls with dense outputs, with strides and without; {} with "
                               "broadcast, reversed, gapped, transposed and offset ones",
                               right, tally.planned - right));
}

}  // namespace assay::window
