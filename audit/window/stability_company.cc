// bit_stable: what else is computed in the same call.
#include <fmt/format.h>

#include <algorithm>

#include "audit/window/stability.h"
#include "audit/window/truth.h"

namespace assay::window {

namespace {

/// `count` elements of `values` from `start`.
std::vector<Bits> stretch(const std::vector<Bits>& values, std::int64_t start, std::int64_t count) {
  return {values.begin() + start, values.begin() + start + count};
}

class CompanyJudge {
 public:
  explicit CompanyJudge(StabilityBench& shared)
      : shared_(shared), operation_(shared.operation()), bench_(shared.bench) {}

  bool judge() {
    const std::vector<Case> cases = stability_cases(shared_.subject.job, 24);
    for (const Case& the_case : cases) {
      if (!batches(the_case) || !channels(the_case) || !neighbours(the_case)) return false;
    }
    shared_.space += fmt::format(
        "; {} cases, images alone and in a batch of 3, channels alone and among others, other "
        "elements NaN, infinite, huge or subnormal",
        cases.size());
    return true;
  }

 private:
  /// Each image of a batch of three gives what it gives alone.
  bool batches(Case the_case) {
    the_case.geometry.extents.batch = 3;
    if (!complete(operation_, the_case.geometry)) return true;
    Base base{the_case, make_tensors(operation_, the_case)};
    if (!shared_.give(base)) return false;
    const Tensors& tensors = base.tensors;
    Geometry alone = the_case.geometry;
    alone.extents.batch = 1;
    const auto per_image = static_cast<std::int64_t>(tensors.x.size() / 3);
    const std::size_t results = base.due.size() / 3;
    for (std::size_t image = 0; image < 3; ++image) {
      Tensors mine = tensors;
      mine.x = stretch(tensors.x, static_cast<std::int64_t>(image) * per_image, per_image);
      std::vector<SameResult> places;
      for (std::size_t i = 0; i < results; ++i) places.push_back({i, image * results + i});
      bench_.lay_out(alone, mine);
      const Variation variation{"the image alone and in a batch of 3",
                                fmt::format("image {} alone", image), places};
      if (!shared_.same(base, variation)) return false;
    }
    return true;
  }

  /// Single channels of the output, with all that they depend on and nothing else.
  bool channels(const Case& the_case) {
    const oracle::ConvolutionGeometry& e = the_case.geometry.extents;
    if (e.out_channels < 2) return true;
    Base base{the_case, make_tensors(operation_, the_case)};
    if (!shared_.give(base)) return false;
    const Tensors& tensors = base.tensors;
    for (const std::int64_t channel : {std::int64_t{0}, e.out_channels / 2, e.out_channels - 1}) {
      Case alone = the_case;
      const Tensors mine = only(the_case.geometry, tensors, channel, alone.geometry);
      if (!complete(operation_, alone.geometry)) return true;
      const std::int64_t plane = e.result.rows * e.result.columns;
      std::vector<SameResult> places;
      for (std::int64_t image = 0; image < e.batch; ++image) {
        for (std::int64_t i = 0; i < plane; ++i) {
          places.push_back(
              {static_cast<std::size_t>(image * plane + i),
               static_cast<std::size_t>((image * e.out_channels + channel) * plane + i)});
        }
      }
      bench_.lay_out(alone.geometry, mine);
      const Variation variation{"one output channel alone and among others",
                                fmt::format("channel {} alone", channel), places};
      if (!shared_.same(base, variation)) return false;
    }
    return true;
  }

  /// The tensors of one output channel; `geometry` gets what they describe.
  Tensors only(const Geometry& whole, const Tensors& tensors, std::int64_t channel,
               Geometry& geometry) const {
    const oracle::ConvolutionGeometry& e = whole.extents;
    const std::int64_t out_per_group = e.out_channels / e.groups;
    const std::int64_t in_per_group = operation_.is_sum() ? e.in_channels / e.groups : 1;
    const std::int64_t first =
        operation_.is_sum() ? channel / out_per_group * in_per_group : channel;
    geometry.extents.groups = 1;
    geometry.extents.in_channels = in_per_group;
    geometry.extents.out_channels = 1;
    Tensors mine;
    const std::int64_t plane = e.image.rows * e.image.columns;
    for (std::int64_t image = 0; image < e.batch; ++image) {
      const std::vector<Bits> part =
          stretch(tensors.x, (image * e.in_channels + first) * plane, in_per_group * plane);
      mine.x.insert(mine.x.end(), part.begin(), part.end());
    }
    const std::int64_t filter = e.kernel.rows * e.kernel.columns;
    if (operation_.kind == OperationKind::kConvolution) {
      mine.weight = stretch(tensors.weight, channel * in_per_group * filter, in_per_group * filter);
    } else if (operation_.is_sum()) {
      for (std::int64_t in = first; in < first + in_per_group; ++in) {
        const std::vector<Bits> part = stretch(
            tensors.weight, (in * out_per_group + channel % out_per_group) * filter, filter);
        mine.weight.insert(mine.weight.end(), part.begin(), part.end());
      }
    }
    if (whole.bias) mine.bias = stretch(tensors.bias, channel, 1);
    return mine;
  }

  /// The elements of the image that a result depends on.
  std::vector<bool> needed(const Geometry& geometry, std::size_t result, std::size_t size) const {
    std::vector<bool> used(size, false);
    if (operation_.is_sum()) {
      for (const oracle::Term& term : terms(operation_, geometry, result)) used[term.x] = true;
    } else {
      for (const std::size_t x :
           oracle::pooling_window(geometry.extents, result_index(geometry, result))) {
        used[x] = true;
      }
    }
    return used;
  }

  /// Results while all of the image that they do not depend on is something else.
  bool neighbours(const Case& the_case) {
    const DtypeTraits& format = traits(operation_.dtype);
    Base base{the_case, make_tensors(operation_, the_case)};
    if (!shared_.give(base)) return false;
    const Tensors& tensors = base.tensors;
    const Bits others[] = {format.infinity() | format.quiet_bit(), format.infinity() | 1,
                           format.infinity() | format.sign_mask(), format.max_finite(), Bits{1}};
    // A kernel that computes something else depends on other elements; that it is wrong is for
    // other claims to say.
    TruthSource source(operation_, the_case.geometry, tensors);
    constexpr std::size_t kResults = 5;
    for (std::size_t k = 0; k < std::min(kResults, base.due.size()); ++k) {
      const std::size_t result = k * base.due.size() / std::min(kResults, base.due.size());
      if (!source.plausible(result, base.due[result])) continue;
      const std::vector<bool> used = needed(the_case.geometry, result, tensors.x.size());
      if (std::all_of(used.begin(), used.end(), [](bool is) { return is; })) continue;
      for (const Bits other : others) {
        Tensors changed = tensors;
        for (std::size_t i = 0; i < used.size(); ++i) {
          if (!used[i]) changed.x[i] = other;
        }
        bench_.lay_out(the_case.geometry, changed);
        const Variation variation{"elements of the image that the result does not depend on",
                                  fmt::format("all are {}", hex(other, operation_.dtype)),
                                  {{result, result}}};
        if (!shared_.same(base, variation)) return false;
      }
    }
    return true;
  }

  StabilityBench& shared_;
  const Operation& operation_;
  Bench& bench_;
};

}  // namespace

bool judge_company(StabilityBench& bench) {
  return CompanyJudge(bench).judge();
}

}  // namespace assay::window
