// Sums: the exact one against integers and other evaluations, the model against arithmetic in the
// formats, the bound against sums that keep it and sums that do not.
#include "oracles/sum/sum_oracle.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "contracts/testing/catch.h"
#include "oracles/cast_exact.h"
#include "oracles/cast_measure.h"
#include "oracles/sum/sum_by_mpfr.h"
#include "oracles/testing/sums.h"

namespace assay::oracle {
namespace {

bool is_near(double value, double due) {
  return std::fabs(value - due) <= 1e-5 * std::fabs(due);
}

Bits f32(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
Bits f64(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

std::vector<Term> all_terms(std::size_t n) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < n; ++i) terms.push_back({i, i});
  return terms;
}

SumTruth evaluate(SumOracle& oracle, const std::vector<Bits>& x, const std::vector<Bits>& w,
                  const std::vector<Bits>& bias = {}) {
  oracle.load(x, w, bias);
  return oracle.evaluate(all_terms(x.size()),
                         bias.empty() ? std::nullopt : std::optional<std::size_t>(0));
}

SumTruth evaluate(Dtype dtype, const std::vector<Bits>& x, const std::vector<Bits>& w,
                  const std::vector<Bits>& bias = {}) {
  SumOracle oracle(dtype);
  return evaluate(oracle, x, w, bias);
}

/// A number of the format with an exponent in [low, high].
Bits random_number(std::mt19937_64& random, Dtype dtype, int low, int high) {
  const DtypeTraits& format = traits(dtype);
  const auto exponent =
      low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
  const int field = std::max(exponent + format.bias(), 0);
  return (random() & format.fraction_mask()) | static_cast<Bits>(field) << format.fraction_bits() |
         ((random() & 1) != 0 ? format.sign_mask() : 0);
}

TEST_CASE("an exact sum survives cancellation that no partial sum does") {
  const SumTruth truth = evaluate(Dtype::kF32, {f32(1e30f), f32(3), f32(-1e30f)},
                                  {f32(1), f32(5), f32(1)}, {f32(0.25f)});
  CHECK(truth.exact == f32(15.25f));
  CHECK(truth.model == f32(0.25f));  // 1e30 + 15 - 1e30, then the bias
  CHECK(truth.products == 3);
  CHECK(is_near(truth.condition, 2 * static_cast<double>(1e30f) / 15.25));
}

TEST_CASE("products are not rounded in the exact sum, and are in the model") {
  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46; minus (1 + 2^-22) leaves 2^-46.
  const Bits x = f32(1 + 0x1p-23f);
  const SumTruth truth = evaluate(Dtype::kF32, {x, f32(1)}, {x, f32(-(1 + 0x1p-22f))});
  CHECK(truth.exact == f32(0x1p-46f));
  CHECK(truth.model == f32(0));
}

TEST_CASE("the exact sum of products in the subnormal range and beyond the range is rounded once") {
  const float least = std::numeric_limits<float>::denorm_min();
  CHECK(evaluate(Dtype::kF32, {f32(least)}, {f32(0.5f)}).exact == f32(0));  // a tie, to even
  CHECK(evaluate(Dtype::kF32, {f32(3 * least)}, {f32(0.5f)}).exact == f32(2 * least));
  // Two halves of a step: exactly one step, which the model loses.
  const SumTruth halves = evaluate(Dtype::kF32, {f32(least), f32(least)}, {f32(0.5f), f32(0.5f)});
  CHECK(halves.exact == f32(least));
  CHECK(halves.model == f32(0));
  const float most = std::numeric_limits<float>::max();
  const SumTruth over = evaluate(Dtype::kF32, {f32(most), f32(most)}, {f32(2), f32(-1)});
  CHECK(over.exact == f32(most));  // though the first product is out of range
  CHECK(over.model == f32(std::numeric_limits<float>::infinity()));
  CHECK_FALSE(over.bounded);
}

TEST_CASE("NaN and infinity follow the exact operations") {
  const float inf = std::numeric_limits<float>::infinity();
  const auto nan = Bits{0x7fc00000};
  for (const SumTruth& truth :
       {evaluate(Dtype::kF32, {f32(0)}, {f32(inf)}), evaluate(Dtype::kF32, {0x7f800001}, {f32(0)}),
        evaluate(Dtype::kF32, {f32(inf), f32(inf)}, {f32(1), f32(-1)}),
        evaluate(Dtype::kF32, {f32(1)}, {f32(1)}, {0xffc00000})}) {
    CHECK(truth.exact == nan);
    CHECK(truth.model == nan);
    CHECK_FALSE(truth.finite);
  }
  const SumTruth infinite = evaluate(Dtype::kF32, {f32(-inf), f32(3e38f)}, {f32(1), f32(1)});
  CHECK(infinite.exact == f32(-inf));
  CHECK(infinite.model == f32(-inf));
}

TEST_CASE("an empty sum is +0, and its bias alone is exact") {
  CHECK(evaluate(Dtype::kF64, {}, {}).exact == 0);
  CHECK(evaluate(Dtype::kF64, {}, {}).model == 0);
  CHECK(evaluate(Dtype::kF64, {}, {}).error_bound == 0);
  CHECK(evaluate(Dtype::kF64, {}, {}, {f64(-3.5)}).model == f64(-3.5));
  CHECK(evaluate(Dtype::kF64, {}, {}, {f64(-3.5)}).exact == f64(-3.5));
  // It starts at +0: no sum of negative zeros is one.
  CHECK(evaluate(Dtype::kF64, {f64(-0.0)}, {f64(1)}).model == 0);
}

TEST_CASE("a bias that comes first is rounded with every term") {
  // 1, then two halves of an ulp of 2: each is a tie and is lost, or together they count.
  const SumTruth truth =
      evaluate(Dtype::kF32, {f32(0x1p-24f), f32(0x1p-24f)}, {f32(1), f32(1)}, {f32(1)});
  CHECK(truth.model == f32(1 + 0x1p-23f));
  CHECK(truth.model_bias_first == f32(1));
  // -0 meets no +0 when it comes first.
  CHECK(evaluate(Dtype::kF32, {}, {}, {f32(-0.0f)}).model_bias_first == f32(-0.0f));
  CHECK(evaluate(Dtype::kF32, {f32(3)}, {f32(5)}).model_bias_first == f32(15));
}

TEST_CASE("sums of small integers are exact in every order") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Bits> x;
    std::vector<Bits> w;
    std::int64_t due = 0;
    for (int i = 0; i < 40; ++i) {
      const auto a = static_cast<std::int64_t>(random() % 33) - 16;
      const auto b = static_cast<std::int64_t>(random() % 33) - 16;
      due += a * b;
      x.push_back(f32(static_cast<float>(a)));
      w.push_back(f32(static_cast<float>(b)));
    }
    const SumTruth truth = evaluate(Dtype::kF32, x, w);
    REQUIRE(truth.exact == f32(static_cast<float>(due)));
    REQUIRE(truth.model == truth.exact);
  }
}

TEST_CASE("the model is the arithmetic of f32 and f64, product by product and sum by sum") {
  std::mt19937_64 random(11);
  SumOracle single(Dtype::kF32);
  SumOracle twice(Dtype::kF64);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + random() % 12;
    // Ordinary, wide, and so small that products are subnormal.
    const int low = round % 3 == 0 ? -3 : round % 3 == 1 ? -60 : -90;
    const int high = round % 3 == 0 ? 3 : round % 3 == 1 ? 60 : -50;
    std::vector<Bits> x;
    std::vector<Bits> w;
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(random_number(random, Dtype::kF32, low, high));
      w.push_back(random_number(random, Dtype::kF32, low, high));
      const volatile float product = std::bit_cast<float>(static_cast<std::uint32_t>(x[i])) *
                                     std::bit_cast<float>(static_cast<std::uint32_t>(w[i]));
      sum += product;
    }
    const SumTruth truth = evaluate(single, x, w);
    REQUIRE(truth.model == f32(sum));
    double sum64 = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = random_number(random, Dtype::kF64, 8 * low, 8 * high);
      w[i] = random_number(random, Dtype::kF64, 8 * low, 8 * high);
      const volatile double product = std::bit_cast<double>(x[i]) * std::bit_cast<double>(w[i]);
      sum64 += product;
    }
    const SumTruth truth64 = evaluate(twice, x, w);
    if (std::isnan(sum64)) {
      REQUIRE(traits(Dtype::kF64).is_nan(truth64.model));
    } else {
      REQUIRE(truth64.model == f64(sum64));
    }
  }
}

TEST_CASE("the model rounds each operation to a 16-bit format") {
  // f64 holds products and sums of two 16-bit numbers exactly, but for sums of distant exponents,
  // of which it drops nothing that could matter: so each operation is rounded once by the cast.
  std::mt19937_64 random(13);
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    ExactCast round({Dtype::kF64, dtype, Rounding::kNearestEven});
    SumOracle oracle(dtype);
    for (int turn = 0; turn < 1000; ++turn) {
      const std::size_t n = 1 + random() % 9;
      const int reach = turn % 2 == 0 ? 3 : 9;
      std::vector<Bits> x;
      std::vector<Bits> w;
      Bits sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        x.push_back(random_number(random, dtype, -reach, reach));
        w.push_back(random_number(random, dtype, -reach, reach));
        const Bits product = round(f64(to_double(x[i], dtype) * to_double(w[i], dtype)));
        sum = round(f64(to_double(sum, dtype) + to_double(product, dtype)));
      }
      CAPTURE(traits(dtype).name, turn);
      const SumTruth truth = evaluate(oracle, x, w);
      if (traits(dtype).is_nan(sum)) {
        REQUIRE(traits(dtype).is_nan(truth.model));
      } else {
        REQUIRE(truth.model == sum);
      }
    }
  }
}

TEST_CASE("sums in the format keep the bound in every order, coarser ones do not") {
  std::mt19937_64 random(17);
  SumOracle oracle(Dtype::kF32);
  int beyond = 0;
  for (int round = 0; round < 500; ++round) {
    const std::size_t n = 1 + random() % 60;
    std::vector<Bits> x;
    std::vector<Bits> w;
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(random_number(random, Dtype::kF32, -6, 6));
      w.push_back(random_number(random, Dtype::kF32, -6, 6));
    }
    const auto value = [](Bits bits) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    };
    float backwards = 0;
    float coarse = 0;
    for (std::size_t i = n; i-- > 0;) {
      const volatile float product = value(x[i]) * value(w[i]);
      backwards += product;
      coarse += product;
      // A sum kept in 17 bits.
      coarse = value((f32(coarse) + 0x40) & ~Bits{0x7f});
    }
    const SumTruth truth = evaluate(oracle, x, w);
    REQUIRE(truth.bounded);
    REQUIRE(oracle.error(truth.model).within_bound);
    REQUIRE(oracle.error(f32(backwards)).within_bound);
    REQUIRE(oracle.error(truth.exact).ulp <= 0.5);
    beyond += !oracle.error(f32(coarse)).within_bound;
  }
  CHECK(beyond > 100);
}

TEST_CASE("the bound is gamma_m times the magnitudes, and a step for each product") {
  const SumTruth truth = evaluate(Dtype::kF32, {f32(3), f32(-2)}, {f32(1), f32(4)}, {f32(5)});
  CHECK(truth.magnitudes == 16);
  const double u = 0x1p-24;
  const double due = 3 * u / (1 - 3 * u) * 16 + 2 * 0x1p-149;
  CHECK(truth.error_bound >= due);
  CHECK(truth.error_bound <= due * (1 + 1e-14));
  CHECK(std::isinf(truth.condition));  // everything cancels
}

TEST_CASE("errors are measured against the exact sum") {
  SumOracle oracle(Dtype::kF32);
  evaluate(oracle, {f32(1), f32(0x1p-24f)}, {f32(1), f32(0.5f)});
  const SumError error = oracle.error(f32(1));
  CHECK(error.absolute == 0x1p-25);
  CHECK(error.ulp == 0.25);
  CHECK(is_near(error.relative, 0x1p-25));
  CHECK(oracle.error(f32(std::numeric_limits<float>::infinity())).ulp ==
        std::numeric_limits<double>::infinity());
  evaluate(oracle, {f32(1), f32(-1)}, {f32(1), f32(1)});
  CHECK(oracle.error(f32(-0.0f)).absolute == 0);
  CHECK(oracle.error(f32(-0.0f)).relative == 0);
  CHECK(oracle.error(f32(1)).relative == 0x1p126);  // to the least normal number
  CHECK(oracle.error(std::uint32_t{1}).ulp == 1);
}

TEST_CASE("sums too long for gamma_m have a bound all the same") {
  // 300 terms in bf16: 300 * 2^-8 > 1/2, and the bound is that times the magnitudes.
  const std::vector<Bits> ones(300, 0x3f80);
  SumOracle oracle(Dtype::kBF16);
  const SumTruth truth = evaluate(oracle, ones, ones);
  CHECK(truth.bounded);
  CHECK(is_near(truth.error_bound, 300 * 300.0 / 256));
  CHECK(truth.exact == 0x4396);  // 300
  CHECK(truth.model == 0x4380);  // 256: adding 1 no longer changes it
  CHECK(oracle.error(truth.model).within_bound);
  CHECK_FALSE(oracle.error(0x4440).within_bound);  // 768
  // Where sums stop growing at once the worst order loses nearly all, and no more than the bound.
  const std::vector<Bits> many(2000, 0x3f80);
  const SumTruth stuck = evaluate(oracle, many, many);
  CHECK(stuck.model == 0x4380);
  CHECK(oracle.error(stuck.model).within_bound);
}

TEST_CASE("an infinity is right where the exact sum rounds to it, and nowhere else") {
  SumOracle oracle(Dtype::kF32);
  const Bits most = f32(std::numeric_limits<float>::max());
  const Bits infinity = f32(std::numeric_limits<float>::infinity());
  const SumTruth truth = evaluate(oracle, {most, most}, {f32(1), f32(1)});
  CHECK(truth.exact == infinity);
  CHECK(oracle.error(infinity).absolute == 0);
  CHECK(oracle.error(infinity).relative == 0);
  CHECK(std::isinf(oracle.error(f32(-std::numeric_limits<float>::infinity())).absolute));
}

TEST_CASE("the ulp of a sum just below a power of two is that of its binade") {
  // 1 - 2^-100: half the spacing above 1.
  SumOracle oracle(Dtype::kF32);
  evaluate(oracle, {f32(1), f32(-0x1p-60f)}, {f32(1), f32(0x1p-40f)});
  CHECK(is_near(oracle.error(f32(1 + 0x1p-23f)).ulp, 2));
  CHECK(is_near(oracle.error(f32(1 - 0x1p-24f)).ulp, 1));
}

TEST_CASE("only floating formats have sums") {
  CHECK_THROWS(SumOracle(Dtype::kU32));
}

/// Every sum of a set against MPFR's, and the errors of some results.
void check_against_mpfr(Dtype dtype, testing::SumKind kind, testing::SumMaker& maker) {
  SumOracle oracle(dtype);
  SumByMpfr by_mpfr(dtype);
  for (int round = 0; round < 150; ++round) {
    CAPTURE(traits(dtype).name, static_cast<int>(kind), round);
    const testing::Factors factors = maker.make(kind, 2 + static_cast<std::size_t>(round) % 70);
    const bool with_bias = round % 3 == 0;
    const std::vector<Bits> bias = {maker.number(-5, 5)};
    oracle.load(factors.x, factors.weight, bias);
    // The first of a load is checked by the oracle itself; the second one is not.
    oracle.evaluate({}, std::nullopt);
    const std::optional<std::size_t> index =
        with_bias ? std::optional<std::size_t>(0) : std::nullopt;
    const SumTruth truth = oracle.evaluate(all_terms(factors.x.size()), index);
    const SumTruth due = by_mpfr.evaluate(factors.x, factors.weight,
                                          with_bias ? std::optional<Bits>(bias[0]) : std::nullopt);
    REQUIRE(truth.exact == due.exact);
    REQUIRE(truth.model == due.model);
    REQUIRE(truth.model_bias_first == due.model_bias_first);
    REQUIRE(truth.magnitudes == due.magnitudes);
    REQUIRE(truth.condition == due.condition);
    REQUIRE(truth.error_bound == due.error_bound);
    REQUIRE(truth == due);
    for (const Bits got : {truth.exact, truth.model, truth.exact ^ 1, maker.number(-3, 3),
                           traits(dtype).infinity()}) {
      if (traits(dtype).is_nan(got)) continue;
      const SumError error = oracle.error(got);
      const SumError due_error = by_mpfr.error(got);
      REQUIRE(error.absolute == due_error.absolute);
      REQUIRE(error.relative == due_error.relative);
      REQUIRE(error.ulp == due_error.ulp);
      REQUIRE(error.within_bound == due_error.within_bound);
    }
  }
}

TEST_CASE("the fast way gives what MPFR gives, for every kind of sum and format") {
  for (const Dtype dtype : testing::kFloatingDtypes) {
    testing::SumMaker maker(dtype, 43);
    for (const testing::SumKind kind : testing::kSumKinds) check_against_mpfr(dtype, kind, maker);
  }
}

#if defined(__SSE2__)
TEST_CASE("no floating-point mode that was left behind reaches the oracle") {
  for (const Dtype dtype : testing::kFloatingDtypes) {
    testing::SumMaker maker(dtype, 47);
    for (const testing::SumKind kind : testing::kSumKinds) {
      const testing::Factors factors = maker.make(kind, 20);
      SumOracle oracle(dtype);
      oracle.load(factors.x, factors.weight, {});
      const SumTruth due = oracle.evaluate(all_terms(factors.x.size()), std::nullopt);
      const SumError due_error = oracle.error(due.exact);
      const unsigned before = _mm_getcsr();
      // Upwards, toward zero; subnormal results and operands flushed.
      for (const unsigned mode : {0x4000u, 0x6000u, 0x8000u, 0x0040u, 0xe040u}) {
        _mm_setcsr(before | mode);
        const SumTruth truth = oracle.evaluate(all_terms(factors.x.size()), std::nullopt);
        const SumError error = oracle.error(due.exact);
        const unsigned after = _mm_getcsr();
        _mm_setcsr(before);
        CAPTURE(traits(dtype).name, static_cast<int>(kind), mode);
        REQUIRE(truth == due);
        REQUIRE(error == due_error);
        REQUIRE((after & 0xe040u) == mode);
      }
    }
  }
}
#endif

}  // namespace
}  // namespace assay::oracle
