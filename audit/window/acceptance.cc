// accept.layout, accept.dtype and accept.rank: what the contract rejects of each operand is refused
// and no output byte is written; what it admits works.
#include <fmt/format.h>

#include <algorithm>

#include "audit/judge/structure.h"
#include "audit/window/call_judges.h"
#include "audit/window/examiner.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

/// A tensor as a view of memory in which it is not dense.
struct View {
  fkc::LayoutFlag flag;
  const char* name;
  Shape strides;
  std::uint64_t byte_offset = 0;
};

/// Views of a tensor of this shape; axes of extent 1 have no say in them.
std::vector<View> views(const Subject& subject, const fkc::Layout& layout, const Shape& shape) {
  const Shape dense = dense_strides(shape);
  std::vector<View> all;
  Shape doubled = dense;
  for (std::int64_t& stride : doubled) stride *= 2;
  all.push_back({layout.strided, "strided", doubled});
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    const auto with = [&](std::int64_t stride) {
      Shape strides = dense;
      strides[axis] = stride;
      return strides;
    };
    if (axis + 1 < shape.size()) {
      // One element more after every row, plane or image.
      Shape gapped = dense;
      for (std::size_t outer = axis + 1; outer-- > 0;) {
        gapped[outer] = outer == axis ? dense[axis] + 1 : gapped[outer + 1] * shape[outer + 1];
      }
      all.push_back({layout.strided, "gapped", gapped});
    }
    for (std::size_t other = axis + 1; other < shape.size(); ++other) {
      if (shape[other] == 1) continue;
      // Dense in memory, with these two axes exchanged.
      Shape order = shape;
      std::swap(order[axis], order[other]);
      Shape strides = dense_strides(order);
      std::swap(strides[axis], strides[other]);
      all.push_back({layout.strided, "transposed", strides});
    }
    all.push_back({layout.broadcast_stride0, "broadcast", with(0)});
    all.push_back({layout.reverse_strides, "reversed", with(-dense[axis])});
  }
  all.push_back({layout.broadcast_stride0, "broadcast", Shape(shape.size(), 0)});
  const std::size_t alignment = subject.alignment();
  all.push_back({layout.start_offset, "offset", dense, alignment});
  if (alignment < kMostAlignment) {
    all.push_back({layout.start_offset, "offset", dense, 2 * alignment});
  }
  // Within the contract's alignment only where that allows it.
  if (layout.start_offset == fkc::LayoutFlag::kRejected && subject.element_bytes() < alignment) {
    all.push_back({layout.start_offset, "offset", dense, subject.element_bytes()});
  }
  return all;
}

/// The elements that a view shows, row-major.
std::vector<Bits> shown(const Subject& subject, const Bench& bench, std::size_t input,
                        const Shape& shape, const View& view) {
  std::vector<Bits> values(elements(shape));
  const auto start = static_cast<std::int64_t>(view.byte_offset / subject.element_bytes());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t index = start;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      index += rest % shape[axis] * view.strides[axis];
      rest /= shape[axis];
    }
    values[i] = bench.value(input, index);
  }
  return values;
}

/// A case with every operand, or a note that there is none.
bool full_case(Subject& subject, CallTally& tally, Examiner& examiner) {
  Case the_case;
  if (roomy_case(subject.job, the_case)) return examiner.begin(the_case);
  put(tally.undecidable, "the contract does not admit the geometry that is varied here: " +
                             describe(subject.operation(), the_case.geometry));
  return false;
}

}  // namespace

void judge_accept_layout(Subject& subject, CallTally& tally) {
  Examiner examiner(subject, tally, ClaimKind::kAcceptLayout);
  if (!full_case(subject, tally, examiner)) return;
  std::uint64_t accepted = 0;
  for (std::size_t input = 0; input < examiner.plain().inputs.size(); ++input) {
    const Shape shape = examiner.plain().inputs[input].shape;
    const fkc::Layout& layout = subject.job.contract->inputs[input].layout;
    const std::string& name = subject.operation().input_name(input);
    for (const View& view : views(subject, layout, shape)) {
      Call call = examiner.plain();
      call.inputs[input].strides = view.strides;
      call.inputs[input].byte_offset = view.byte_offset;
      std::string what = fmt::format("a {} `{}` of shape {} with strides {}", view.name, name,
                                     shape_text(shape), shape_text(view.strides));
      if (view.byte_offset != 0) what += fmt::format(" and byte_offset {}", view.byte_offset);
      if (view.flag == fkc::LayoutFlag::kRejected) examiner.must_refuse(call, what, name);
      if (view.flag != fkc::LayoutFlag::kAccepted) continue;
      ++accepted;
      Tensors tensors = examiner.tensors();
      tensors.operand(input) = shown(subject, examiner.bench(), input, shape, view);
      if (!examiner.must_give(call, tensors, what)) return;
    }
  }
  put(tally.space, fmt::format("{} strided, gapped, transposed, broadcast, reversed and offset "
                               "views, of one operand at a time, of which the contract accepts {}",
                               tally.planned, accepted));
  put(tally.observation, examiner.message_text());
}

void judge_accept_dtype(Subject& subject, CallTally& tally) {
  Examiner examiner(subject, tally, ClaimKind::kAcceptDtype);
  if (!full_case(subject, tally, examiner)) return;
  const Dtype right = subject.operation().dtype;
  const std::size_t inputs = examiner.plain().inputs.size();
  std::uint64_t mixed = 0;
  for (const DtypeTraits& other : kDtypes) {
    if (other.dtype == right) continue;
    bool listed_by_all = true;
    for (std::size_t input = 0; input < inputs; ++input) {
      const fkc::InputOperand& described = subject.job.contract->inputs[input];
      const bool listed = std::find(described.dtypes.begin(), described.dtypes.end(),
                                    other.dtype) != described.dtypes.end();
      listed_by_all = listed_by_all && listed;
      // A listed dtype of the only operand is that of another kernel.
      if (listed && inputs == 1) continue;
      mixed += listed ? 1 : 0;
      Call call = examiner.plain();
      call.inputs[input].dtype = other.dtype;
      const std::string& name = described.name.value;
      examiner.must_refuse(call,
                           listed ? fmt::format("`{}` of dtype {} while the others are {}", name,
                                                other.name, traits(right).name)
                                  : fmt::format("`{}` of dtype {}", name, other.name),
                           name);
    }
    if (listed_by_all) continue;
    for (const bool with_output : {false, true}) {
      Call call = examiner.plain();
      for (TensorArgument& input : call.inputs) input.dtype = other.dtype;
      if (with_output) call.output.dtype = other.dtype;
      examiner.must_refuse(call, fmt::format("all inputs{} of dtype {}",
                                             with_output ? " and the output" : "", other.name));
    }
  }
  put(tally.space, fmt::format("{} calls: each operand with every dtype that the contract does not "
                               "list, all operands together, and {} times one operand with a "
                               "listed dtype that the others do not have",
                               tally.planned, mixed));
  put(tally.observation, examiner.message_text());
}

namespace {

/// Shapes of this rank made of `shape`: axes left out at either end, joined, and added.
std::vector<Shape> of_rank(const Shape& shape, std::size_t rank) {
  const auto difference =
      static_cast<std::ptrdiff_t>(shape.size()) - static_cast<std::ptrdiff_t>(rank);
  std::vector<Shape> all;
  if (difference <= 0) {
    Shape in_front(static_cast<std::size_t>(-difference), 1);
    Shape behind = shape;
    behind.insert(behind.end(), in_front.begin(), in_front.end());
    in_front.insert(in_front.end(), shape.begin(), shape.end());
    return {in_front, behind};
  }
  all.push_back(Shape(shape.begin() + difference, shape.end()));
  all.push_back(Shape(shape.begin(), shape.end() - difference));
  if (rank == 0) return {Shape()};
  Shape joined = all.front();
  for (std::ptrdiff_t i = 0; i < difference; ++i) joined[0] *= shape[static_cast<std::size_t>(i)];
  all.push_back(joined);
  return all;
}

}  // namespace

void judge_accept_rank(Subject& subject, CallTally& tally) {
  Examiner examiner(subject, tally, ClaimKind::kAcceptRank);
  // Whatever the ranks are, one batch or one channel makes the shorter shapes plausible.
  std::vector<Case> cases(1);
  if (!full_case(subject, tally, examiner)) return;
  cases[0] = examiner.current();
  Case single = cases[0];
  single.geometry.extents.batch = 1;
  if (complete(subject.operation(), single.geometry)) cases.push_back(single);
  std::uint64_t works = 0;
  for (const Case& the_case : cases) {
    if (!examiner.begin(the_case)) return;
    ++works;
    if (!examiner.must_give(examiner.plain(), examiner.tensors(), "every rank as admitted")) return;
    for (std::size_t input = 0; input < examiner.plain().inputs.size(); ++input) {
      const Shape shape = examiner.plain().inputs[input].shape;
      const fkc::RankRange& admitted = subject.job.contract->inputs[input].rank;
      const std::string& name = subject.operation().input_name(input);
      for (int rank = 0; rank <= 6; ++rank) {
        if (rank >= admitted.lower && (!admitted.upper || rank <= *admitted.upper)) continue;
        for (const Shape& other : of_rank(shape, static_cast<std::size_t>(rank))) {
          Call call = examiner.plain();
          call.inputs[input].shape = other;
          examiner.must_refuse(
              call, fmt::format("`{}` of rank {} and shape {}", name, rank, shape_text(other)),
              name);
        }
      }
    }
  }
  put(tally.space, fmt::format("{} calls with every rank as the contract says, and {} with one "
                               "operand of another rank from 0 to 6",
                               works, tally.planned - works));
  put(tally.observation, examiner.message_text());
}

}  // namespace assay::window
