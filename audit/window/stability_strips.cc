// bit_stable: a result's position in a row of results and the row's length, and how many channels
// there are beside its own.
#include <fmt/format.h>

#include <algorithm>

#include "audit/window/stability.h"

namespace assay::window {

namespace {

/// Units of results that pieces go up to: a vector of the widest kind and its tail.
constexpr std::int64_t kLongest = 67;

std::vector<Bits> stretch(const std::vector<Bits>& values, std::int64_t start, std::int64_t count) {
  return {values.begin() + start, values.begin() + start + count};
}

/// Units, columns or channels, side by side, of which any piece can be computed alone.
class Strip {
 public:
  virtual ~Strip() = default;

  /// As many units. False where the contract does not admit it.
  virtual bool make(std::int64_t units, Case& made) const = 0;
  /// `count` units of a whole from `start` on: the tensors of `piece`, which they describe, and
  /// where the same results lie in the whole.
  virtual Tensors cut(const Base& whole, std::int64_t start, std::int64_t count, Geometry& piece,
                      std::vector<SameResult>& places) const = 0;
  virtual Variation variation(std::int64_t start, std::int64_t count) const = 0;
};

/// One row of results. An image that begins some strides later gives the same results that much
/// earlier. Of a transposed convolution units are the image's columns.
class Row : public Strip {
 public:
  Row(const Operation& operation, std::int64_t window, std::int64_t stride, Family family,
      std::uint64_t seed)
      : operation_(operation), window_(window), stride_(stride), family_(family), seed_(seed) {
    if (operation.find(ParameterRole::kStride) == nullptr) stride_ = 1;
  }

  bool make(std::int64_t units, Case& made) const override {
    made = Case{};
    made.family = family_;
    made.seed = seed_;
    oracle::ConvolutionGeometry& e = made.geometry.extents;
    if (operation_.is_sum()) e.in_channels = 2;
    const OperationParameter* strides = operation_.find(ParameterRole::kStride);
    e.kernel = {operation_.is_sum() ? 1 : window_, window_};
    e.stride = {strides != nullptr && !strides->pair ? stride_ : 1, stride_};
    e.image = {transposed() ? 1 : e.kernel.rows, columns(units)};
    made.geometry.bias = operation_.takes_bias;
    return complete(operation_, made.geometry);
  }

  Tensors cut(const Base& whole, std::int64_t start, std::int64_t count, Geometry& piece,
              std::vector<SameResult>& places) const override {
    piece = whole.the_case.geometry;
    const oracle::ConvolutionGeometry& e = whole.the_case.geometry.extents;
    piece.extents.image.columns = columns(count);
    piece.extents.result.columns = transposed() ? (count - 1) * stride_ + window_ : count;
    Tensors mine;
    mine.weight = whole.tensors.weight;
    mine.bias = whole.tensors.bias;
    const std::int64_t left = transposed() ? start : start * stride_;
    for (std::int64_t row = 0; row < e.in_channels * e.image.rows; ++row) {
      const std::vector<Bits> part =
          stretch(whole.tensors.x, row * e.image.columns + left, piece.extents.image.columns);
      mine.x.insert(mine.x.end(), part.begin(), part.end());
    }
    // Of a transposed convolution, results at the piece's edges lack terms.
    const std::int64_t from = transposed() ? window_ - 1 : 0;
    const std::int64_t shift = transposed() ? start * stride_ : start;
    const std::int64_t to =
        transposed() ? std::min(count * stride_, piece.extents.result.columns) : count;
    places.clear();
    for (std::int64_t row = 0; row < e.result.rows; ++row) {
      for (std::int64_t i = from; i < to; ++i) {
        places.push_back({static_cast<std::size_t>(row * piece.extents.result.columns + i),
                          static_cast<std::size_t>(row * e.result.columns + shift + i)});
      }
    }
    return mine;
  }

  Variation variation(std::int64_t start, std::int64_t count) const override {
    return {"position in the row, and the row's length",
            fmt::format("{} column{} of the {} from {} on, alone", count, count == 1 ? "" : "s",
                        transposed() ? "image" : "output", start)};
  }

 private:
  bool transposed() const { return operation_.kind == OperationKind::kTransposedConvolution; }
  std::int64_t columns(std::int64_t units) const {
    return transposed() ? units : (units - 1) * stride_ + window_;
  }

  const Operation& operation_;
  std::int64_t window_;
  std::int64_t stride_;
  Family family_;
  std::uint64_t seed_;
};

/// Channels of one window each.
class Channels : public Strip {
 public:
  Channels(const Operation& operation, std::uint64_t seed) : operation_(operation), seed_(seed) {}

  bool make(std::int64_t units, Case& made) const override {
    made = Case{};
    made.family = Family::kScaled;
    made.seed = seed_;
    oracle::ConvolutionGeometry& e = made.geometry.extents;
    e.out_channels = units;
    e.in_channels = operation_.is_sum() ? 1 : units;
    e.kernel = {2, 2};
    e.image = {2, 2};
    made.geometry.bias = operation_.takes_bias;
    return complete(operation_, made.geometry);
  }

  Tensors cut(const Base& whole, std::int64_t start, std::int64_t count, Geometry& piece,
              std::vector<SameResult>& places) const override {
    piece = whole.the_case.geometry;
    piece.extents.out_channels = count;
    Tensors mine;
    if (operation_.is_sum()) {
      mine.x = whole.tensors.x;
      mine.weight = stretch(whole.tensors.weight, start * 4, count * 4);
    } else {
      piece.extents.in_channels = count;
      mine.x = stretch(whole.tensors.x, start * 4, count * 4);
    }
    if (piece.bias) mine.bias = stretch(whole.tensors.bias, start, count);
    const Pair result = piece.extents.result;
    const std::int64_t plane = result.rows * result.columns;
    places.clear();
    for (std::int64_t i = 0; i < count * plane; ++i) {
      places.push_back({static_cast<std::size_t>(i), static_cast<std::size_t>(start * plane + i)});
    }
    return mine;
  }

  Variation variation(std::int64_t start, std::int64_t count) const override {
    return {
        "number of channels, and position among them",
        fmt::format("{} output channel{} from {} on, alone", count, count == 1 ? "" : "s", start)};
  }

 private:
  const Operation& operation_;
  std::uint64_t seed_;
};

class StripsJudge {
 public:
  explicit StripsJudge(StabilityBench& shared) : shared_(shared) {}

  /// Pieces of every length up to kLongest, from every `step`-th place of as many.
  bool judge(const Strip& strip, std::int64_t step) {
    Base whole;
    if (!strip.make(2 * kLongest, whole.the_case)) return true;
    whole.tensors = make_tensors(shared_.operation(), whole.the_case);
    if (!shared_.give(whole)) return false;
    for (std::int64_t count = 1; count <= kLongest; ++count) {
      for (std::int64_t start = 0; start < kLongest; start += step) {
        const bool none_yet = !shared_.tally.has_example;
        const Variation variation = piece(strip, whole, start, count);
        // A piece may be too short for any result that has all of its terms.
        if (variation.places.empty()) continue;
        if (!shared_.same(whole, variation)) return false;
        if (none_yet && shared_.tally.has_example) smaller(strip, start, count);
      }
    }
    return true;
  }

 private:
  /// Lays out a piece of the whole.
  Variation piece(const Strip& strip, const Base& whole, std::int64_t start, std::int64_t count) {
    Variation variation = strip.variation(start, count);
    Geometry geometry;
    const Tensors mine = strip.cut(whole, start, count, geometry, variation.places);
    shared_.bench.lay_out(geometry, mine);
    return variation;
  }

  /// As long a piece, at the same place or at either end, of the shortest whole that shows it.
  void smaller(const Strip& strip, std::int64_t start, std::int64_t count) {
    for (std::int64_t length = count + 1; length < 2 * kLongest; ++length) {
      Base whole;
      if (!strip.make(length, whole.the_case)) continue;
      whole.tensors = make_tensors(shared_.operation(), whole.the_case);
      if (!shared_.try_to_give(whole)) continue;
      std::vector<std::int64_t> starts = {0, length - count};
      if (start > 0 && start < length - count) starts.push_back(start);
      for (const std::int64_t at : starts) {
        const Variation variation = piece(strip, whole, at, count);
        if (!variation.places.empty() && shared_.shows_smaller(whole, variation)) return;
      }
    }
  }

  StabilityBench& shared_;
};

}  // namespace

bool judge_strips(StabilityBench& bench) {
  const std::uint64_t seed = bench.subject.seed;
  const Operation& operation = bench.operation();
  StripsJudge judge(bench);
  if (!judge.judge(Row(operation, 2, 1, Family::kScaled, seed), 1) ||
      !judge.judge(Row(operation, 3, 2, Family::kBits, seed), 5) ||
      !judge.judge(Row(operation, 1, 1, Family::kWide, seed), 5) ||
      !judge.judge(Channels(operation, seed), 13)) {
    return false;
  }
  bench.space += fmt::format("; rows cropped to every place and width up to {}; 1 to {} channels",
                             kLongest, kLongest);
  return true;
}

}  // namespace assay::window
