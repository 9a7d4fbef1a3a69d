// The scalar convolutions against the model, and the 16-bit formats' arithmetic against its
// definition. That the other variants do the same is variants_test.cc's business.

#include "kernels/conv/testing/model.h"
#include "contracts/testing/catch.h"
#include "kernels/conv/conv.h"

namespace assay::testing {
namespace {

const Registry& registry() {
  static const Registry all(conv_kernels());
  return all;
}

TEST_CASE("the scalar convolutions are the model, bit for bit") {
  std::mt19937_64 random(5);
  for (const Subject& subject : convolutions(registry())) {
    const bool transposed = subject.operation == "conv_transpose2d";
    std::size_t compared = 0;
    for (const Geometry& any : all_geometries()) {
      const Geometry g = fitted(any, subject.operation);
      if (!g.valid(transposed)) continue;
      Convolution convolution = make_convolution(subject.operation, subject.dtype(), g);
      for (const Values values : kAllValues) {
        for (Dense& input : convolution.inputs) draw_all(input, values, random);
        const Dense expected =
            transposed ? model_conv_transpose2d(convolution, g) : model_conv2d(convolution, g);
        Dense out = convolution.out;
        std::fill(out.bytes().begin(), out.bytes().end(), std::byte{0xa5});
        KernelCall call;
        INFO(subject.kernel->entry_point << ": " << g.text());
        REQUIRE(run(subject.kernel->variants[0].function, convolution.inputs, out,
                    convolution.parameters, call) == KernelStatus::kOk);
        REQUIRE(first_difference(expected, out) == "");
        compared += out.elements();
      }
    }
    CHECK(compared > 10000);
  }
}

/// Patterns of every exponent with fractions around zero, half and one, both signs.
std::vector<Bits> corner_patterns(Dtype dtype) {
  const DtypeTraits& row = traits(dtype);
  std::vector<Bits> all;
  for (Bits power = 0; power <= row.infinity(); power += row.min_normal()) {
    const Bits half = row.min_normal() / 2;
    for (const Bits fraction : {Bits{0}, Bits{1}, half - 1, half, half + 1, row.fraction_mask()}) {
      all.push_back(power | fraction);
      all.push_back(power | fraction | row.sign_mask());
    }
  }
  return all;
}

/// One variant's results for every pair of the two lists, through a kernel of 1 x 1: x is a row of
/// `a`, and there is an output channel for each of `b`.
Dense outer(const KernelVariant& variant, Dtype dtype, const std::vector<Bits>& a,
            const std::vector<Bits>& b, bool sums) {
  const auto columns = static_cast<std::int64_t>(a.size());
  const auto channels = static_cast<std::int64_t>(b.size());
  const Bits one = traits(dtype).one();
  std::vector<Bits> x = a;
  std::vector<Bits> weight;
  if (sums) x.insert(x.end(), a.size(), one);
  for (const Bits bits : b) {
    if (sums) weight.push_back(one);
    weight.push_back(bits);
  }
  const std::int64_t planes = sums ? 2 : 1;
  const std::vector<Dense> inputs = {Dense(dtype, {1, planes, 1, columns}).fill(x),
                                     Dense(dtype, {channels, planes, 1, 1}).fill(weight)};
  Dense out(dtype, {1, channels, 1, columns});
  KernelCall call;
  REQUIRE(run(variant.function, inputs, out, {{"stride", 1}, {"padding", 0}}, call) ==
          KernelStatus::kOk);
  return out;
}

TEST_CASE("products and sums of 16-bit formats are rounded once") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const std::vector<Bits> a = corner_patterns(dtype);
    std::vector<Bits> b;  // of each power in turn other corners, so that all meet
    for (std::size_t i = 0; i < a.size(); i += dtype == Dtype::kF16 ? 1 : 11) b.push_back(a[i]);
    for (const bool sums : {false, true}) {
      Dense expected(
          dtype, {1, static_cast<std::int64_t>(b.size()), 1, static_cast<std::int64_t>(a.size())});
      for (std::size_t i = 0; i < expected.elements(); ++i) {
        const Bits left = a[i % a.size()];
        const Bits right = b[i / a.size()];
        const Bits zero = 0;
        const Bits result = sums ? model_add(model_add(zero, left, dtype), right, dtype)
                                 : model_add(zero, model_multiply(left, right, dtype), dtype);
        expected.set(i, result);
      }
      for (const Subject& subject : convolutions(registry())) {
        if (subject.dtype() != dtype) continue;
        for (const KernelVariant& variant : subject.kernel->variants) {
          INFO(subject.kernel->entry_point << " " << variant.name
                                           << (sums ? " sums" : " products"));
          CHECK(first_difference(expected, outer(variant, dtype, a, b, sums)) == "");
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
