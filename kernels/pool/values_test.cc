// max_pool2d: windows worked out by hand, and a model, on every variant.

#include <cmath>
#include <limits>

#include "contracts/testing/catch.h"
#include "kernels/pool/pool.h"
#include "kernels/testing/dense.h"

namespace assay::testing {
namespace {

const Registry& registry() {
  static const Registry all(pool_kernels());
  return all;
}

Dense run_one(const KernelVariant& variant, const Dense& x, std::int64_t kernel,
              std::int64_t stride) {
  const std::vector<std::int64_t>& s = x.shape();
  Dense out(x.dtype(), {s[0], s[1], (s[2] - kernel) / stride + 1, (s[3] - kernel) / stride + 1});
  std::fill(out.bytes().begin(), out.bytes().end(), std::byte{0xa5});
  KernelCall call;
  const KernelStatus status =
      run(variant.function, {x}, out, {{"stride", stride}, {"kernel_size", kernel}}, call);
  INFO(call.message);
  REQUIRE(status == KernelStatus::kOk);
  REQUIRE(call.ran == variant.name);
  return out;
}

void check(const Dense& x, std::int64_t kernel, std::int64_t stride, const Dense& expected) {
  for (const Kernel& pool : registry().kernels()) {
    if (pool.inputs[0] != x.dtype()) continue;
    for (const KernelVariant& variant : pool.variants) {
      INFO(pool.entry_point << " " << variant.name << ", kernel " << kernel << ", stride "
                            << stride);
      CHECK(first_difference(expected, run_one(variant, x, kernel, stride)) == "");
    }
  }
}

/// One window of 2 x 2.
void check_window(Dtype dtype, const std::vector<Bits>& x, Bits expected) {
  check(Dense(dtype, {1, 1, 2, 2}).fill(x), 2, 1, Dense(dtype, {1, 1, 1, 1}).fill({expected}));
}

TEST_CASE("max_pool2d finds the greatest of each window") {
  const auto floats = [](std::vector<std::int64_t> shape, const std::vector<float>& values) {
    std::vector<Bits> bits;
    for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return Dense(Dtype::kF32, std::move(shape)).fill(bits);
  };
  const Dense x = floats({1, 2, 3, 3}, {1, 2, 3, 4, 9, 5, 6, 7, 8,  //
                                        -1, -2, -3, -4, -9, -5, -6, -7, -8});
  check(x, 2, 1, floats({1, 2, 2, 2}, {9, 9, 9, 9, -1, -2, -4, -5}));
  check(x, 1, 2, floats({1, 2, 2, 2}, {1, 3, 6, 8, -1, -3, -6, -8}));
  check(x, 3, 1, floats({1, 2, 1, 1}, {9, -1}));
  check(x, 2, 5, floats({1, 2, 1, 1}, {9, -1}));
  check(x, 2, INT64_MAX, floats({1, 2, 1, 1}, {9, -1}));
}

TEST_CASE("max_pool2d returns one of its inputs, whatever they are") {
  constexpr Bits kMinusInfinity = 0xff800000;
  constexpr Bits kNan = 0x7fc00000;
  constexpr Bits kOne = 0x3f800000;
  constexpr Bits kMinusOne = 0xbf800000;
  // A number beats a NaN of either sign, in every position.
  for (const Bits nan : {kNan, Bits{0xffc12345}, Bits{0x7f800001}, Bits{0xffffffff}}) {
    for (std::size_t position = 0; position < 4; ++position) {
      std::vector<Bits> window(4, nan);
      window[position] = kMinusOne;
      check_window(Dtype::kF32, window, kMinusOne);
      window[position] = kMinusInfinity;
      check_window(Dtype::kF32, window, kMinusInfinity);
    }
  }
  // Of NaNs only, the first with all its bits; a signalling one stays that.
  check_window(Dtype::kF32, {0x7f800001, kNan, 0xffc00000, 0x7fffffff}, 0x7f800001);
  check_window(Dtype::kF32, {0xffc00002, kNan, 0x7f800001, kNan}, 0xffc00002);
  check_window(Dtype::kF16, {0xfe01, 0x7e00, 0x7c01, 0x7e00}, 0xfe01);
  check_window(Dtype::kBF16, {0x7f81, 0x7fc0, 0xffc0, 0x7fc0}, 0x7f81);
  check_window(Dtype::kF64,
               {0xfff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff, 0x7ff1ull << 48},
               0xfff0000000000001);
  // Windows below every finite start: -infinity, the lowest numbers, subnormals.
  check_window(Dtype::kF32, std::vector<Bits>(4, kMinusInfinity), kMinusInfinity);
  check_window(Dtype::kF32, std::vector<Bits>(4, 0xff7fffff), 0xff7fffff);
  check_window(Dtype::kF32, {0x80000003, 0x80000002, 0x80000009, 0x80000004}, 0x80000002);
  check_window(Dtype::kF16, {0x0001, 0x8001, 0x0002, 0x83ff}, 0x0002);
  check_window(Dtype::kF32, {kOne, 0x7f7fffff, 0x7f800000, kNan}, 0x7f800000);
  // +0 beats -0 in every position.
  for (std::size_t position = 0; position < 4; ++position) {
    std::vector<Bits> window(4, 0x80000000);
    window[position] = 0;
    check_window(Dtype::kF32, window, 0);
  }
  check_window(Dtype::kF32, std::vector<Bits>(4, 0x80000000), 0x80000000);
}

TEST_CASE("max_pool2d of no images or channels is empty") {
  for (const Kernel& pool : registry().kernels()) {
    const Dtype dtype = pool.inputs[0];
    check(Dense(dtype, {0, 3, 4, 5}), 2, 1, Dense(dtype, {0, 3, 3, 4}));
    check(Dense(dtype, {2, 0, 4, 5}), 2, 1, Dense(dtype, {2, 0, 3, 4}));
  }
}

/// Pooling by real values, from the rules of pool.h.
Dense model(const Dense& x, std::int64_t kernel, std::int64_t stride) {
  const std::vector<std::int64_t>& s = x.shape();
  const DtypeTraits& row = traits(x.dtype());
  Dense out(x.dtype(), {s[0], s[1], (s[2] - kernel) / stride + 1, (s[3] - kernel) / stride + 1});
  const auto value = [&](Bits bits) {
    const auto magnitude = static_cast<long double>(bits & row.magnitude_mask());
    return row.is_negative(bits) ? -magnitude : magnitude;  // ordered as the numbers are
  };
  std::size_t o = 0;
  for (std::int64_t plane = 0; plane < s[0] * s[1]; ++plane) {
    for (std::int64_t oh = 0; oh < out.shape()[2]; ++oh) {
      for (std::int64_t ow = 0; ow < out.shape()[3]; ++ow, ++o) {
        std::vector<Bits> window;
        for (std::int64_t i = 0; i < kernel * kernel; ++i) {
          const std::int64_t h = oh * stride + i / kernel;
          const std::int64_t w = ow * stride + i % kernel;
          window.push_back(x.get(static_cast<std::size_t>((plane * s[2] + h) * s[3] + w)));
        }
        Bits best = window[0];
        for (const Bits bits : window) {
          if (row.is_nan(bits)) continue;
          const bool equal_zeros = value(bits) == value(best) && !row.is_negative(bits);
          if (row.is_nan(best) || value(bits) > value(best) || equal_zeros) best = bits;
        }
        out.set(o, best);
      }
    }
  }
  return out;
}

TEST_CASE("max_pool2d is the model on windows of 2 of every 16-bit pattern and many others") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    Dense x(dtype, {1, 1, 256, 1024});
    for (std::size_t i = 0; i < x.elements(); ++i) x.set(i, (i * 40503) & 0xffff);
    check(x, 2, 2, model(x, 2, 2));
  }
  std::mt19937_64 random(6);
  for (const Kernel& pool : registry().kernels()) {
    for (const std::int64_t width : {3, 4, 7, 8, 9, 15, 16, 17, 33, 65, 130}) {
      for (const std::int64_t kernel : {1, 2, 3}) {
        for (const std::int64_t stride : {1, 2, 3, 5}) {
          for (const Values values : kAllValues) {
            Dense x(pool.inputs[0], {2, 1, 4, width});
            draw_all(x, values, random);
            check(x, kernel, stride, model(x, kernel, stride));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
