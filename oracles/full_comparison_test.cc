// A whole comparison finds each single wrong result.
#include "oracles/full_comparison.h"

#include <algorithm>

#include "contracts/testing/catch.h"
#include "oracles/boundaries.h"
#include "oracles/cast_oracle.h"

namespace assay::oracle {
namespace {

CastOperation cast(Dtype from, Dtype to) {
  return {from, to, natural_rounding(from, to)};
}

/// The oracle, wrong in the last bit for one input.
FastCast wrong_at(const CastOracle& oracle, Bits input) {
  return [&oracle, input](const void* in, void* out, std::size_t n) {
    oracle.expect(in, out, n);
    const auto& [from, to, rounding] = oracle.operation();
    for (std::size_t i = 0; i < n; ++i) {
      if (load(in, i, from) == input) store(out, i, to, load(out, i, to) ^ 1);
    }
  };
}

FastCast right(const CastOracle& oracle) {
  return [&oracle](const void* in, void* out, std::size_t n) { oracle.expect(in, out, n); };
}

TEST_CASE("a whole comparison visits every input and finds the one that is wrong") {
  const CastOperation operation = cast(Dtype::kF16, Dtype::kBF16);
  const CastOracle oracle(operation);
  const Comparison whole = compare_in_full(operation, right(oracle), 2);
  CHECK(whole.differences == 0);
  CHECK(whole.inputs >= 65536);
  CHECK(whole.mpfr < whole.inputs);
  // A zero, a tie, an ordinary number, the largest finite one, infinity, a NaN, in both signs.
  for (const Bits input :
       {0x0000u, 0x8000u, 0x3c04u, 0x3c07u, 0x7bffu, 0xfbffu, 0x7c00u, 0xfc00u, 0x7e01u, 0xfc01u}) {
    const Comparison found = compare_in_full(operation, wrong_at(oracle, input), 2);
    CAPTURE(input);
    CHECK(found.differences >= 1);
    CHECK(found.first_difference == input);
  }
}

TEST_CASE("increasing inputs are compared one by one and rounded by MPFR where results change") {
  const CastOperation operation = cast(Dtype::kF32, Dtype::kBF16);
  const CastOracle oracle(operation);
  ExactCast exact(operation);
  std::vector<Bits> inputs;
  for (Bits bits = 0x3f800000; bits < 0x3f840000; ++bits) inputs.push_back(bits);
  const Comparison whole = compare_sorted(exact, operation, right(oracle), inputs);
  CHECK(whole.differences == 0);
  CHECK(whole.inputs == 0x40000);
  CHECK(whole.mpfr < 200);  // five results: four changes of some 18 halvings each
  for (const std::size_t i : {std::size_t{0}, std::size_t{0x7fff}, std::size_t{0x8000},
                              std::size_t{0x8001}, std::size_t{0x12345}, inputs.size() - 1}) {
    const Comparison found = compare_sorted(exact, operation, wrong_at(oracle, inputs[i]), inputs);
    CHECK(found.differences == 1);
    CHECK(found.first_difference == inputs[i]);
  }
  CHECK(compare_sorted(exact, operation, right(oracle), {}).inputs == 0);
}

TEST_CASE("boundaries of f64 are compared on them and on both sides, in both signs") {
  const CastOperation operation = cast(Dtype::kF64, Dtype::kF16);
  const CastOracle oracle(operation);
  const std::uint64_t boundaries = boundary_count(boundary_groups(operation));
  const Comparison whole = compare_in_full(operation, right(oracle), 2);
  CHECK(whole.differences == 0);
  CHECK(whole.inputs >= 6 * boundaries);
  for (const Bits tie :
       {Bits{0x3ff0020000000000}, Bits{0x3e60000000000000}, Bits{0x40effe0000000000}}) {
    for (const Bits input : {tie - 1, tie, tie + 1}) {
      for (const Bits sign : {Bits{0}, Bits{1} << 63}) {
        const Comparison found = compare_in_full(operation, wrong_at(oracle, input | sign), 2);
        CAPTURE(input, sign);
        CHECK(found.differences >= 1);
        CHECK(found.first_difference == (input | sign));
      }
    }
  }
}

}  // namespace
}  // namespace assay::oracle
