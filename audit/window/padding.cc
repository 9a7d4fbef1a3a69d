// padding_skipped: what a weight that meets only padding is has no say in the result.
//
// A result is computed twice; in between, one weight element changes that the result meets only in
// the padding. A kernel that skips padding cannot tell the calls apart. One that multiplies by zero
// gives NaN where the weight is NaN or infinite; one that puts anything but zero into the padding
// gives another number where the weight is finite. A kernel that turns the filter, say, does skip
// the padding, though not where it should: where a kernel is wrong without padding too it is not
// judged.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "audit/probe/space.h"
#include "audit/window/call_judges.h"
#include "audit/window/geometries.h"
#include "audit/window/truth.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

constexpr std::size_t kMostGeometries = 32;
constexpr std::size_t kMostElements = 600;
constexpr std::size_t kChanges = 5;  // what a weight is replaced by

/// Geometries with padding, small ones first.
std::vector<Geometry> padded(const Subject& subject) {
  // Channels between the first and the last, and windows wider than vectors, for which kernels have
  // ways of their own.
  std::vector<Geometry> own;
  const auto add = [&](std::int64_t in_channels, std::int64_t out_channels, Pair image, Pair kernel,
                       Pair padding) {
    Geometry geometry;
    oracle::ConvolutionGeometry& e = geometry.extents;
    e.in_channels = in_channels;
    e.out_channels = out_channels;
    e.image = image;
    e.kernel = kernel;
    e.padding = padding;
    geometry.bias = subject.operation().takes_bias && !subject.operation().bias_optional;
    if (complete(subject.operation(), geometry)) own.push_back(geometry);
  };
  add(3, 1, {1, 1}, {1, 2}, {0, 1});
  add(5, 3, {2, 2}, {2, 2}, {1, 1});
  add(17, 1, {1, 1}, {2, 2}, {1, 1});
  add(1, 1, {1, 1}, {1, 9}, {0, 4});
  add(1, 1, {1, 1}, {9, 1}, {4, 0});
  add(3, 1, {2, 2}, {9, 9}, {4, 4});
  add(1, 1, {1, 3}, {1, 17}, {0, 8});
  add(1, 1, {1, 3}, {1, 33}, {0, 16});
  std::vector<Geometry> chosen;
  const auto offer = [&](const std::vector<Geometry>& from) {
    for (const Geometry& geometry : from) {
      const oracle::ConvolutionGeometry& e = geometry.extents;
      if (e.padding == Pair{0, 0} || e.batch * e.in_channels * e.out_channels == 0) continue;
      const std::size_t size = tensor_elements(subject.operation(), geometry);
      if (size <= kMostElements && chosen.size() < kMostGeometries) chosen.push_back(geometry);
    }
  };
  offer(own);
  offer(corner_geometries(subject.operation()));
  offer(random_geometries(subject.operation(), 40, 4000, subject.seed));
  std::stable_sort(chosen.begin(), chosen.end(), [&](const Geometry& a, const Geometry& b) {
    return input_elements(subject.operation(), a) < input_elements(subject.operation(), b);
  });
  return chosen;
}

/// For each result of a geometry, the weight elements of its channel that it does not meet.
struct Met {
  std::vector<std::vector<std::size_t>> weights;  ///< ascending

  Met(const Operation& operation, const Geometry& geometry) {
    const std::size_t results = elements(output_shape(geometry));
    for (std::size_t r = 0; r < results; ++r) {
      std::vector<std::size_t> mine;
      for (const oracle::Term& term : terms(operation, geometry, r)) mine.push_back(term.weight);
      std::sort(mine.begin(), mine.end());
      weights.push_back(std::move(mine));
    }
  }
  bool meets(std::size_t result, std::size_t weight) const {
    return std::binary_search(weights[result].begin(), weights[result].end(), weight);
  }

  /// The results of the weight's channel that do not meet it: there it lies in the padding.
  std::vector<std::size_t> concerned(const Geometry& geometry, const Tensors& tensors,
                                     std::size_t weight) const {
    const auto channel_size =
        tensors.weight.size() / static_cast<std::size_t>(geometry.extents.out_channels);
    std::vector<std::size_t> results;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      const auto channel = static_cast<std::size_t>(result_index(geometry, r).channel);
      if (channel == weight / channel_size && !meets(r, weight)) results.push_back(r);
    }
    return results;
  }
};

class PaddingJudge {
 public:
  PaddingJudge(Subject& subject, CallTally& tally)
      : subject_(subject),
        tally_(tally),
        runner_(subject.operation(), subject.variant, subject.environment) {}

  void judge() {
    const std::vector<Geometry> geometries = padded(subject_);
    for (std::size_t g = 0; g < geometries.size(); ++g) {
      if (!judge_geometry({geometries[g], Family::kScaled, mix(subject_.seed ^ g)})) return;
    }
    if (tally_.left_out > 0) {
      put(tally_.left_out_why,
          fmt::format("of {} geometries in which the kernel is wrong without padding too", wrong_));
    }
    put(tally_.space,
        fmt::format("{} padded geometries; single weights that a result meets only in the padding "
                    "replaced by NaN, infinities and finite numbers ({} calls); every such result "
                    "compared",
                    geometries.size() - wrong_, calls_));
  }

 private:
  bool run(const Case& the_case, const Tensors& tensors) {
    subject_.heartbeat.at(++calls_);
    const CallFault fault = runner_.run(the_case.geometry, tensors, true);
    if (fault != CallFault::kNone) {
      put_fault(tally_, fault, runner_.fault());
    } else if (runner_.inputs_changed()) {
      add_input_change(tally_, &the_case, describe(subject_.operation(), the_case.geometry),
                       runner_.input_change());
    }
    return tally_.fault == CallFault::kNone;
  }

  bool judge_geometry(const Case& the_case) {
    const Operation& operation = subject_.operation();
    const Geometry& geometry = the_case.geometry;
    bool right = false;
    if (!right_without_padding(geometry, right)) return false;
    const Tensors tensors = make_tensors(operation, the_case);
    const Met met(operation, geometry);
    if (!right) {
      ++wrong_;
      for (const std::size_t element : changed_weights(geometry, tensors.weight.size())) {
        tally_.left_out += kChanges * met.concerned(geometry, tensors, element).size();
      }
      return true;
    }
    if (!run(the_case, tensors)) return false;
    const std::vector<Bits> base = runner_.results();
    for (const std::size_t element : changed_weights(geometry, tensors.weight.size())) {
      if (!judge_weight(the_case, tensors, base, met, element)) return false;
    }
    return true;
  }

  /// The elements of some filters: of the first input and output channel, the last ones, and ones
  /// in the middle.
  static std::vector<std::size_t> changed_weights(const Geometry& geometry, std::size_t size) {
    const oracle::ConvolutionGeometry& e = geometry.extents;
    const auto filter = static_cast<std::size_t>(e.kernel.rows * e.kernel.columns);
    const auto ins = static_cast<std::size_t>(e.in_channels / e.groups);
    const auto outs = static_cast<std::size_t>(e.out_channels);
    const std::set<std::size_t> filters = {0, ins / 2, outs / 2 * ins + ins / 2, size / filter - 1};
    std::vector<std::size_t> changed;
    for (const std::size_t each : filters) {
      for (std::size_t k = 0; k < filter; ++k) changed.push_back(each * filter + k);
    }
    return changed;
  }

  /// Whether the kernel computes the operation where nothing is padded: the same windows over an
  /// image that fills the padding's place, of integers, whose sums are exact in any order.
  bool right_without_padding(const Geometry& padded, bool& right) {
    Case plain{padded, Family::kIntegers, mix(subject_.seed)};
    oracle::ConvolutionGeometry& e = plain.geometry.extents;
    e.padding = {0, 0};
    e.image.rows += 2 * padded.extents.padding.rows;
    e.image.columns += 2 * padded.extents.padding.columns;
    right = false;
    if (!complete(subject_.operation(), plain.geometry)) return true;
    const Tensors tensors = make_tensors(subject_.operation(), plain);
    if (!run(plain, tensors)) return false;
    TruthSource source(subject_.operation(), plain.geometry, tensors);
    right = source.all_declared(runner_.results());
    return true;
  }

  bool judge_weight(const Case& the_case, const Tensors& tensors, const std::vector<Bits>& base,
                    const Met& met, std::size_t element) {
    const Geometry& geometry = the_case.geometry;
    const DtypeTraits& format = traits(subject_.operation().dtype);
    const std::vector<std::size_t> concerned = met.concerned(geometry, tensors, element);
    if (concerned.empty()) return true;
    const Bits changes[kChanges] = {format.infinity() | format.quiet_bit(), format.infinity(),
                                    format.infinity() | format.sign_mask(), format.max_finite(),
                                    format.one() | format.sign_mask()};
    for (const Bits weight : changes) {
      Tensors other = tensors;
      other.weight[element] = weight;
      tally_.planned += concerned.size();
      if (!run(the_case, other)) return false;
      const std::vector<Bits> got = runner_.results();
      tally_.probes += concerned.size();
      const auto differs = [&](std::size_t r) { return got[r] != base[r]; };
      if (std::none_of(concerned.begin(), concerned.end(), differs)) continue;
      const auto again = [&](const Tensors& with) {
        return [&, with] {
          runner_.run(geometry, with);
          return runner_.results();
        };
      };
      if (!shows_again(tally_, the_case, base, got, again(tensors), again(other))) continue;
      for (const std::size_t r : concerned) {
        if (differs(r)) add(the_case, element, weight, r, got[r], base[r]);
      }
    }
    return true;
  }

  void add(const Case& the_case, std::size_t element, Bits weight, std::size_t result, Bits got,
           Bits base) {
    const bool first = !tally_.has_example;
    const Dtype dtype = subject_.operation().dtype;
    add_violation(tally_, the_case, result, got, base,
                  fmt::format("{}[{}] = {}, which this result meets only in the padding",
                              subject_.operation().input_name(1), element, hex(weight, dtype)),
                  fmt::format("a weight that meets nothing but padding changes the result from {} "
                              "to {}",
                              hex(base, dtype), hex(got, dtype)));
    if (first) tally_.example.patch = {true, 1, element, weight};
  }

  Subject& subject_;
  CallTally& tally_;
  CaseRunner runner_;
  std::uint64_t calls_ = 0;
  std::uint64_t wrong_ = 0;  ///< geometries
};

}  // namespace

void judge_padding_skipped(Subject& subject, CallTally& tally) {
  if (subject.operation().kind != OperationKind::kConvolution) {
    return put(tally.undecidable, "only a direct convolution has padding that can be skipped");
  }
  if (!subject.operation().has(ParameterRole::kPadding)) {
    return put(tally.undecidable, "the contract has no parameter for padding");
  }
  PaddingJudge(subject, tally).judge();
}

}  // namespace assay::window
