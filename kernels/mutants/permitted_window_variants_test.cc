// Permitted variants of convolutions and poolings: the kernel's results on plain numbers, others
// where they say so.

#include "contracts/testing/catch.h"
#include "kernels/mutants/testing/window_call.h"

namespace assay::testing {
namespace {

/// Values on which the contracts leave nothing open: no NaN, no zeros, and sums of small integers
/// where a bias comes in.
void draw_plain(Convolution& made, std::mt19937_64& random) {
  const bool biased = made.inputs.size() == 3;
  for (Dense& input : made.inputs) {
    const DtypeTraits& row = traits(input.dtype());
    for (std::size_t i = 0; i < input.elements(); ++i) {
      const Bits bits = draw(Values::kNear, input.dtype(), random);
      const Bits of_integer = bits & ~row.fraction_mask();  // a sign and 1, or zero
      const Bits plain = biased ? of_integer : bits;
      input.set(i, row.is_zero(plain) ? row.one() : plain);
    }
  }
}

TEST_CASE("permitted variants give the kernel's results on plain numbers") {
  std::mt19937_64 random(9);
  for (const Mutant& permitted : permitted_window_variants()) {
    INFO(permitted.name);
    std::size_t compared = 0;
    const auto compare = [&](Convolution made) {
      draw_plain(made, random);
      const Dense due = result(scalar(permitted), made);
      CHECK(first_difference(due, result(permitted.function, made)) == "");
      compared += due.elements();
    };
    if (is_pool(permitted)) {
      for (const std::int64_t size : {1, 2, 3}) {
        compare(make_pooling(kernel_of(permitted).outputs[0], {2, 3, 7, 6}, size, 1));
        compare(make_pooling(kernel_of(permitted).outputs[0], {1, 2, 6, 9}, size, 2));
      }
    } else {
      const std::string operation = operation_of(permitted);
      std::vector<Geometry> geometries = corner_geometries();
      for (const Geometry& g : random_geometries(20)) geometries.push_back(g);
      for (const Geometry& any : geometries) {
        const Geometry g = fitted(any, operation);
        if (!g.valid(operation == "conv_transpose2d")) continue;
        compare(make_convolution(operation, kernel_of(permitted).outputs[0], g));
      }
    }
    CHECK(compared > 200);
  }
}

TEST_CASE("permitted variants differ where they say so") {
  const auto differs = [](const char* name, const Convolution& made) {
    for (const Mutant& permitted : permitted_window_variants()) {
      if (permitted.name != name) continue;
      return !first_difference(result(scalar(permitted), made), result(permitted.function, made))
                  .empty();
    }
    throw std::runtime_error(name);
  };
  const auto one_product = [](const char* operation, Dtype dtype) {
    Convolution made = make_convolution(operation, dtype, {});
    made.inputs[0].set(0, traits(dtype).all_mask());  // a negative NaN with a payload
    made.inputs[1].set(0, traits(dtype).one());
    return made;
  };
  CHECK(differs("conv2d_f32_nan_with_payload", one_product("conv2d", Dtype::kF32)));
  CHECK(differs("conv2d_f64_nan_negative", one_product("conv2d", Dtype::kF64)));
  CHECK(differs("conv_transpose2d_f64_nan_with_payload",
                one_product("conv_transpose2d", Dtype::kF64)));
  CHECK(differs("conv_transpose2d_f32_operands_nan", one_product("conv_transpose2d", Dtype::kF32)));
  CHECK(differs("conv2d_simple_f16_nan_negative", one_product("conv2d_simple", Dtype::kF16)));
  const auto window = [](Dtype dtype, Bits first, Bits last) {
    Convolution made = make_pooling(dtype, {1, 1, 2, 2}, 2, 1);
    made.inputs[0].fill({first, first, last, last});
    return made;
  };
  const auto nans = [&](Dtype dtype) {
    const DtypeTraits& row = traits(dtype);
    return window(dtype, row.infinity() | row.quiet_bit(), row.infinity() | row.quiet_bit() | 1);
  };
  const auto zeros = [&](Dtype dtype, bool negative_first) {
    const Bits minus = traits(dtype).sign_mask();
    return window(dtype, negative_first ? minus : 0, negative_first ? 0 : minus);
  };
  CHECK(differs("max_pool2d_f32_nans_to_minus_infinity", nans(Dtype::kF32)));
  CHECK(differs("max_pool2d_f16_nans_to_another", nans(Dtype::kF16)));
  CHECK(differs("max_pool2d_bf16_nans_to_negative", nans(Dtype::kBF16)));
  CHECK(differs("max_pool2d_f64_last_nan", nans(Dtype::kF64)));
  CHECK(differs("max_pool2d_f32_first_zero", zeros(Dtype::kF32, true)));
  CHECK_FALSE(differs("max_pool2d_f32_first_zero", zeros(Dtype::kF32, false)));
  CHECK(differs("max_pool2d_f64_last_zero", zeros(Dtype::kF64, false)));
  CHECK(differs("max_pool2d_bf16_negative_zero", zeros(Dtype::kBF16, true)));
  CHECK(differs("max_pool2d_bf16_negative_zero", zeros(Dtype::kBF16, false)));
}

}  // namespace
}  // namespace assay::testing
