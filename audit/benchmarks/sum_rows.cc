// The oracle of sums: the exact dot product against the naive one, the declared way of adding
// against the scalar kernel, and both against MPFR.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "audit/benchmarks/rows.h"
#include "audit/benchmarks/seconds_of.h"
#include "audit/benchmarks/window_job.h"
#include "audit/worker/processor_time.h"
#include "oracles/cast_measure.h"
#include "oracles/sum/compensated_dot.h"
#include "oracles/sum/rounding_scope.h"
#include "oracles/sum/sum_by_mpfr.h"
#include "oracles/sum/sum_model.h"

namespace assay::benchmarks {

namespace {

constexpr std::size_t kProducts = 576;  // a 3x3 window over 64 channels
constexpr int kCalls = 2000;
constexpr int kCallsOfMpfr = 20;

/// As one writes it: one running sum.
template <typename Float>
[[gnu::noinline]] Float naive_dot(const Float* a, const Float* b, std::size_t n) {
  Float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Well-scaled operands of a sum, as numbers of the format and as what the oracle takes.
template <typename Float>
struct Operands {
  std::vector<Float> a;
  std::vector<Float> b;
  std::vector<double> wide_a;
  std::vector<double> wide_b;
  std::vector<Bits> bits_a;
  std::vector<Bits> bits_b;

  Operands() {
    std::mt19937_64 random(576);
    std::normal_distribution<double> normal;
    using Word = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
    for (std::size_t i = 0; i < kProducts; ++i) {
      a.push_back(static_cast<Float>(normal(random)));
      b.push_back(static_cast<Float>(normal(random)));
      wide_a.push_back(a.back());
      wide_b.push_back(b.back());
      bits_a.push_back(std::bit_cast<Word>(a.back()));
      bits_b.push_back(std::bit_cast<Word>(b.back()));
    }
  }
};

template <typename Float>
constexpr Dtype kDtypeOf = sizeof(Float) == 4 ? Dtype::kF32 : Dtype::kF64;

template <typename Float>
Sample exact_dot() {
  static const Operands<Float> operands;
  constexpr Dtype kDtype = kDtypeOf<Float>;
  const oracle::RoundingScope scope;
  volatile Float naive = 0;
  const double plain = seconds_of(
      kCalls, [&] { naive = naive_dot(operands.a.data(), operands.b.data(), kProducts); });
  Bits exact = 0;
  const double compensated = seconds_of(kCalls, [&] {
    const oracle::BoundedSum sum = oracle::compensated_dot(
        operands.wide_a.data(), operands.wide_b.data(), kProducts, kDtype != Dtype::kF64);
    const std::optional<Bits> rounded = oracle::nearest_even(sum, kDtype);
    if (!rounded) throw std::runtime_error("no answer for well-scaled operands");
    exact = *rounded;
  });
  oracle::SumByMpfr by_mpfr(kDtype);
  Bits due = 0;
  const double mpfr = seconds_of(kCallsOfMpfr, [&] {
    due = by_mpfr.evaluate(operands.bits_a, operands.bits_b, std::nullopt).exact;
  });
  if (exact != due) throw std::runtime_error("the exact dot product is not MPFR's");
  return {plain / compensated,
          {{"naive, ns", 1e9 * plain},
           {"exact, ns", 1e9 * compensated},
           {"MPFR with model and bound, ns", 1e9 * mpfr}}};
}

/// One image of 64 channels under 3x3 windows without padding: sums of as many products.
window::Geometry windows_of_products() {
  window::Geometry geometry;
  geometry.extents.in_channels = 64;
  geometry.extents.image = {10, 10};
  geometry.extents.kernel = {3, 3};
  geometry.extents.result = {8, 8};
  return geometry;
}

/// The terms of one result, as the model takes them.
struct Terms {
  std::vector<double> x;
  std::vector<double> weight;
};

std::vector<Terms> all_terms(const window::Operation& operation, const window::Geometry& geometry,
                             const window::Tensors& tensors, std::size_t results) {
  std::vector<Terms> all(results);
  for (std::size_t r = 0; r < results; ++r) {
    for (const oracle::Term& term : window::terms(operation, geometry, r)) {
      all[r].x.push_back(oracle::to_double(tensors.x[term.x], operation.dtype));
      all[r].weight.push_back(oracle::to_double(tensors.weight[term.weight], operation.dtype));
    }
  }
  return all;
}

Sample model(Dtype dtype) {
  const window::Job& job = window_job("conv2d_simple", dtype);
  const window::Geometry geometry = windows_of_products();
  const window::Case the_case{geometry, window::Family::kScaled, 1};
  const window::Tensors tensors = window::make_tensors(job.operation, the_case);
  EnvironmentLog log;
  window::CaseRunner kernel(job.operation, *job.variants.front(), log);
  double scalar = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 20; ++turn) {
    if (kernel.run(geometry, tensors) != CallFault::kNone) throw std::runtime_error("refused");
    scalar = std::min(scalar, kernel.seconds());
  }
  const std::size_t results = kernel.results().size();
  const std::vector<Terms> terms = all_terms(job.operation, geometry, tensors, results);
  const oracle::RoundingScope scope;
  const oracle::SumModel model(dtype);
  double modelled = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 20; ++turn) {
    const double start = processor_seconds();
    for (std::size_t r = 0; r < results; ++r) {
      if (terms[r].x.size() != kProducts) throw std::runtime_error("other sums than meant");
      if (model.sum(terms[r].x, terms[r].weight, std::nullopt) != kernel.results()[r]) {
        throw std::runtime_error("the kernel is not the model");
      }
    }
    modelled = std::min(modelled, processor_seconds() - start);
  }
  const double each = 1e9 / static_cast<double>(results);
  return {modelled / scalar,
          {{"scalar kernel, ns", scalar * each}, {"model, ns", modelled * each}}};
}

}  // namespace

void add_sum_rows(Rows& rows) {
  const std::string products = fmt::format("{} products", kProducts);
  rows.push_back({"sum.exact.f32", products + ", f32: rate of the exact dot / of the naive one", "",
                  at_least(0.25), 9, exact_dot<float>});
  rows.push_back({"sum.exact.f64", products + ", f64: rate of the exact dot / of the naive one", "",
                  at_least(0.25), 9, exact_dot<double>});
  rows.push_back({"sum.model.f32", products + ", f32: time of the model / of the scalar kernel", "",
                  at_most(20), 9, [] { return model(Dtype::kF32); }});
  rows.push_back({"sum.model.f64", products + ", f64: time of the model / of the scalar kernel", "",
                  at_most(20), 9, [] { return model(Dtype::kF64); }});
}

}  // namespace assay::benchmarks
