// bit_stable: what else is computed in the same call, and where in it a result lies.
#include <fmt/format.h>

#include <algorithm>

#include "audit/window/stability.h"
#include "audit/window/truth.h"

namespace assay::window {

namespace {

/// Results of one row, or channels, that crops go up to: a vector of the widest kind and its tail.
constexpr std::int64_t kLongest = 67;

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
    if (!columns() || !channel_counts()) return false;
    shared_.space += fmt::format(
        "; {} cases, images alone and in a batch of 3, channels alone and among others, other "
        "elements NaN, infinite, huge or subnormal; rows cropped to every place and width up to "
        "{}; 1 to {} channels",
        cases.size(), kLongest, kLongest);
    return true;
  }

 private:
  /// Each image of a batch of three gives what it gives alone.
  bool batches(Case the_case) {
    the_case.geometry.extents.batch = 3;
    if (!complete(operation_, the_case.geometry)) return true;
    const Tensors tensors = make_tensors(operation_, the_case);
    std::vector<Bits> due;
    if (!shared_.base(the_case.geometry, tensors, due)) return false;
    Geometry alone = the_case.geometry;
    alone.extents.batch = 1;
    const auto per_image = static_cast<std::int64_t>(tensors.x.size() / 3);
    const std::size_t results = due.size() / 3;
    for (std::size_t image = 0; image < 3; ++image) {
      Tensors mine = tensors;
      mine.x = stretch(tensors.x, static_cast<std::int64_t>(image) * per_image, per_image);
      std::vector<SameResult> places;
      for (std::size_t i = 0; i < results; ++i) places.push_back({i, image * results + i});
      bench_.lay_out(alone, mine);
      if (!shared_.same(the_case, due, places, "the image alone and in a batch of 3")) return false;
    }
    return true;
  }

  /// Single channels of the output, with all that they depend on and nothing else.
  bool channels(const Case& the_case) {
    const oracle::ConvolutionGeometry& e = the_case.geometry.extents;
    if (e.out_channels < 2) return true;
    const Tensors tensors = make_tensors(operation_, the_case);
    std::vector<Bits> due;
    if (!shared_.base(the_case.geometry, tensors, due)) return false;
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
      if (!shared_.same(the_case, due, places, "one output channel alone and among others")) {
        return false;
      }
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
    const Tensors tensors = make_tensors(operation_, the_case);
    std::vector<Bits> due;
    if (!shared_.base(the_case.geometry, tensors, due)) return false;
    const Bits others[] = {format.infinity() | format.quiet_bit(), format.infinity() | 1,
                           format.infinity() | format.sign_mask(), format.max_finite(), Bits{1}};
    // A kernel that computes something else depends on other elements; that it is wrong is for
    // other claims to say.
    TruthSource source(operation_, the_case.geometry, tensors);
    constexpr std::size_t kResults = 5;
    for (std::size_t k = 0; k < std::min(kResults, due.size()); ++k) {
      const std::size_t result = k * due.size() / std::min(kResults, due.size());
      if (!source.plausible(result, due[result])) continue;
      const std::vector<bool> used = needed(the_case.geometry, result, tensors.x.size());
      if (std::all_of(used.begin(), used.end(), [](bool is) { return is; })) continue;
      for (const Bits other : others) {
        Tensors changed = tensors;
        for (std::size_t i = 0; i < used.size(); ++i) {
          if (!used[i]) changed.x[i] = other;
        }
        bench_.lay_out(the_case.geometry, changed);
        if (!shared_.same(the_case, due, {{result, result}},
                          "elements of the image that the result does not depend on")) {
          return false;
        }
      }
    }
    return true;
  }

  /// One row of results: 1 to kLongest of them, beginning at each of as many places. An image that
  /// begins some strides later gives the same results that much earlier.
  bool columns() {
    struct Row {
      std::int64_t window;
      std::int64_t stride;
      Family family;
      bool every_place;
    };
    for (const Row& row : {Row{2, 1, Family::kScaled, true}, Row{3, 2, Family::kBits, false},
                           Row{1, 1, Family::kWide, false}}) {
      Case whole = row_case(row.window, row.stride, 2 * kLongest, row.family);
      if (!complete(operation_, whole.geometry)) continue;
      const Tensors tensors = make_tensors(operation_, whole);
      std::vector<Bits> due;
      if (!shared_.base(whole.geometry, tensors, due)) return false;
      for (std::int64_t width = 1; width <= kLongest; ++width) {
        for (std::int64_t start = 0; start < kLongest; start += row.every_place ? 1 : 5) {
          if (!crop(whole, tensors, due, start, width)) return false;
        }
      }
    }
    return true;
  }

  bool transposed() const { return operation_.kind == OperationKind::kTransposedConvolution; }

  /// One image of one row of results; of a transposed convolution `results` counts the image's
  /// columns.
  Case row_case(std::int64_t window, std::int64_t stride, std::int64_t results,
                Family family) const {
    Case made;
    made.family = family;
    made.seed = shared_.subject.seed;
    oracle::ConvolutionGeometry& e = made.geometry.extents;
    if (operation_.is_sum()) e.in_channels = 2;
    const OperationParameter* strides = operation_.find(ParameterRole::kStride);
    if (strides == nullptr) stride = 1;
    e.kernel = {operation_.is_sum() ? 1 : window, window};
    e.stride = {strides != nullptr && !strides->pair ? stride : 1, stride};
    e.image = {e.kernel.rows, transposed() ? results : (results - 1) * stride + window};
    made.geometry.bias = operation_.takes_bias;
    if (transposed()) e.image.rows = 1;
    return made;
  }

  bool crop(const Case& whole, const Tensors& tensors, const std::vector<Bits>& due,
            std::int64_t start, std::int64_t width) {
    const oracle::ConvolutionGeometry& e = whole.geometry.extents;
    const std::int64_t stride = e.stride.columns;
    const std::int64_t window = e.kernel.columns;
    Geometry geometry = whole.geometry;
    const std::int64_t left = transposed() ? start : start * stride;
    geometry.extents.image.columns = transposed() ? width : (width - 1) * stride + window;
    geometry.extents.result.columns = transposed() ? (width - 1) * stride + window : width;
    Tensors mine;
    mine.weight = tensors.weight;
    mine.bias = tensors.bias;
    for (std::int64_t row = 0; row < e.in_channels * e.image.rows; ++row) {
      const std::vector<Bits> part =
          stretch(tensors.x, row * e.image.columns + left, geometry.extents.image.columns);
      mine.x.insert(mine.x.end(), part.begin(), part.end());
    }
    // Of a transposed convolution, results at the crop's edges lack terms.
    const std::int64_t from = transposed() ? window - 1 : 0;
    const std::int64_t shift = transposed() ? start * stride : start;
    const std::int64_t to =
        transposed() ? std::min(width * stride, geometry.extents.result.columns) : width;
    std::vector<SameResult> places;
    for (std::int64_t row = 0; row < e.result.rows; ++row) {
      for (std::int64_t i = from; i < to; ++i) {
        places.push_back({static_cast<std::size_t>(row * geometry.extents.result.columns + i),
                          static_cast<std::size_t>(row * e.result.columns + shift + i)});
      }
    }
    bench_.lay_out(geometry, mine);
    return shared_.same(whole, due, places, "position in the row, and the row's length");
  }

  /// 1 to kLongest channels of one result each, beginning at several of twice as many.
  bool channel_counts() {
    Case whole;
    whole.family = Family::kScaled;
    whole.seed = shared_.subject.seed;
    oracle::ConvolutionGeometry& e = whole.geometry.extents;
    e.out_channels = 2 * kLongest;
    e.in_channels = operation_.is_sum() ? 1 : e.out_channels;
    e.kernel = {2, 2};
    e.image = {2, 2};
    whole.geometry.bias = operation_.takes_bias;
    if (!complete(operation_, whole.geometry)) return true;
    const Tensors tensors = make_tensors(operation_, whole);
    std::vector<Bits> due;
    if (!shared_.base(whole.geometry, tensors, due)) return false;
    const auto plane = static_cast<std::int64_t>(due.size()) / e.out_channels;
    for (std::int64_t count = 1; count <= kLongest; ++count) {
      for (std::int64_t start = 0; start < kLongest; start += 13) {
        Geometry geometry = whole.geometry;
        geometry.extents.out_channels = count;
        Tensors mine;
        if (operation_.is_sum()) {
          mine.x = tensors.x;
          mine.weight = stretch(tensors.weight, start * 4, count * 4);
        } else {
          geometry.extents.in_channels = count;
          mine.x = stretch(tensors.x, start * 4, count * 4);
        }
        if (geometry.bias) mine.bias = stretch(tensors.bias, start, count);
        std::vector<SameResult> places;
        for (std::int64_t i = 0; i < count * plane; ++i) {
          places.push_back(
              {static_cast<std::size_t>(i), static_cast<std::size_t>(start * plane + i)});
        }
        bench_.lay_out(geometry, mine);
        if (!shared_.same(whole, due, places, "number of channels, and position among them")) {
          return false;
        }
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
