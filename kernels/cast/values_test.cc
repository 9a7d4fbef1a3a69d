// The scalar casts against expectations that share nothing with them: values worked out by hand,
// boundaries from std::ldexp, and the compiler's conversions where those are exact or defined.

#include <bit>
#include <cmath>
#include <limits>

#include "contracts/testing/catch.h"
#include "kernels/cast/cast.h"
#include "kernels/testing/cast_call.h"

namespace assay::testing {
namespace {

struct Fact {
  const char* cast;
  Bits input;
  Bits expected;
};

// Mostly inputs that public bug reports gave.
constexpr Fact kFacts[] = {
    // Double rounding and sticky bits.
    {"f64_to_f16", 0x3f0ffbfffffffffc, 0x03ff},
    {"f64_to_f16", 0x409ffdffffff0000, 0x67ff},
    {"f64_to_f16", 0x40eeedfff0068db9, 0x7bbb},
    {"f64_to_f16", 0x3e60000000000000, 0x0000},
    {"f64_to_f16", 0x3e60000000000001, 0x0001},
    {"f64_to_f16", 0x3fffffffffffffff, 0x4000},
    {"f64_to_f16", 0x3ffffffffd60e94f, 0x4000},
    {"f64_to_f16", 0x4010000000000000, 0x4400},
    {"f64_to_bf16", 0x3ff0100000001000, 0x3f81},
    {"f64_to_bf16", 0x3ff0100000000001, 0x3f81},
    {"f64_to_bf16", 0x3ff0100000000000, 0x3f80},
    {"f64_to_f32", 0x3ff0000010000000, 0x3f800000},
    {"f64_to_f32", 0x3ff0000010000001, 0x3f800001},
    {"f64_to_f32", 0x3ff0000030000000, 0x3f800002},
    {"f32_to_f16", 0x33000000, 0x0000},
    {"f32_to_f16", 0x33000001, 0x0001},
    {"f32_to_f16", 0x33c00000, 0x0002},
    {"f32_to_f16", 0x3f801000, 0x3c00},
    {"f32_to_f16", 0x3f801008, 0x3c01},
    {"f32_to_f16", 0x34200000, 0x0002},
    {"f32_to_f16", 0x40001000, 0x4000},
    {"f32_to_bf16", 0x3f808000, 0x3f80},
    {"f32_to_bf16", 0x3f818000, 0x3f82},
    {"f32_to_bf16", 0x3e89ccd5, 0x3e8a},
    // Overflow, on both sides of its threshold.
    {"f32_to_f16", 0x477fe000, 0x7bff},
    {"f32_to_f16", 0x477fefff, 0x7bff},
    {"f32_to_f16", 0x477ff000, 0x7c00},
    {"f32_to_f16", 0xc77ff000, 0xfc00},
    {"f32_to_f16", 0x47800000, 0x7c00},
    {"f32_to_f16", 0x7f7fffff, 0x7c00},
    {"f32_to_bf16", 0x7f7f7fff, 0x7f7f},
    {"f32_to_bf16", 0x7f7f8000, 0x7f80},
    {"f32_to_bf16", 0x7f7fffff, 0x7f80},
    {"f64_to_f32", 0x47efffffefffffff, 0x7f7fffff},
    {"f64_to_f32", 0x47effffff0000000, 0x7f800000},
    {"f64_to_f32", 0xffefffffffffffff, 0xff800000},
    {"f64_to_f16", 0x40effdffffffffff, 0x7bff},
    {"f64_to_f16", 0x40effe0000000000, 0x7c00},
    {"f64_to_bf16", 0x47efefffffffffff, 0x7f7f},
    {"f64_to_bf16", 0x47eff00000000000, 0x7f80},
    {"bf16_to_f16", 0x477f, 0x7bf8},
    {"bf16_to_f16", 0x4780, 0x7c00},
    // Subnormals and the step to the least normal number.
    {"f32_to_f16", 0x387fe000, 0x0400},
    {"f32_to_f16", 0x387fdfff, 0x03ff},
    {"f32_to_f16", 0x80000001, 0x8000},
    {"f32_to_bf16", 0x00400000, 0x0040},
    {"f32_to_bf16", 0x00008000, 0x0000},
    {"f32_to_bf16", 0x00008001, 0x0001},
    {"f64_to_bf16", 0x37a0000000000000, 0x0001},
    {"f64_to_f32", 0x36a0000000000000, 0x00000001},
    {"f64_to_f32", 0x3690000000000000, 0x00000000},
    {"f64_to_f32", 0x3690000000000001, 0x00000001},
    {"f64_to_f32", 0x8000000000000001, 0x80000000},
    {"f16_to_f32", 0x0001, 0x33800000},
    {"f16_to_f32", 0x83ff, 0xb87fc000},
    {"f16_to_f64", 0x0001, 0x3e70000000000000},
    {"bf16_to_f64", 0x0001, 0x37a0000000000000},
    {"f32_to_f64", 0x00000001, 0x36a0000000000000},
    {"f32_to_f64", 0x007fffff, 0x380fffffc0000000},
    {"f16_to_bf16", 0x0001, 0x3380},
    {"bf16_to_f16", 0x3380, 0x0001},
    {"bf16_to_f16", 0x3300, 0x0000},
    {"bf16_to_f16", 0x3301, 0x0001},
    {"bf16_to_f16", 0x0001, 0x0000},
    // Zeros and infinities keep their signs.
    {"f64_to_f32", 0x8000000000000000, 0x80000000},
    {"f32_to_f64", 0x80000000, 0x8000000000000000},
    {"f64_to_f32", 0x7ff0000000000000, 0x7f800000},
    {"f32_to_f64", 0xff800000, 0xfff0000000000000},
    {"f16_to_bf16", 0xfc00, 0xff80},
    {"bf16_to_f64", 0xff80, 0xfff0000000000000},
    // NaN: sign, quiet bit, leading payload.
    {"f32_to_bf16", 0x7f800001, 0x7fc0},
    {"f32_to_bf16", 0x7fffffff, 0x7fff},
    {"f32_to_bf16", 0xffa10000, 0xffe1},
    {"f32_to_f16", 0x7f800001, 0x7e00},
    {"f64_to_f16", 0x7ff0000000000001, 0x7e00},
    {"f64_to_bf16", 0xfff0000000000001, 0xffc0},
    {"f64_to_f32", 0x7ff0000000000001, 0x7fc00000},
    {"f16_to_f32", 0x7c01, 0x7fc02000},
    {"f16_to_f64", 0xfc01, 0xfff8040000000000},
    {"f32_to_f64", 0x7f800001, 0x7ff8000020000000},
    {"bf16_to_f32", 0x7f81, 0x7fc10000},
    {"f16_to_bf16", 0x7c01, 0x7fc0},
    {"bf16_to_f16", 0x7f81, 0x7e08},
    // u32 to float.
    {"u32_to_f32", 0xfffdff7e, 0x4f7ffdff},
    {"u32_to_f32", 0xfffcff7d, 0x4f7ffcff},
    {"u32_to_f32", 0xc0000141, 0x4f400001},
    {"u32_to_f32", 0x86839eb9, 0x4f06839f},
    {"u32_to_f32", 0x80000000, 0x4f000000},
    {"u32_to_f32", 0xffffffff, 0x4f800000},
    {"u32_to_f32", 0x00ffffff, 0x4b7fffff},
    {"u32_to_f32", 0x01000001, 0x4b800000},
    {"u32_to_f32", 0x01000003, 0x4b800002},
    {"u32_to_f32", 0, 0},
    {"u32_to_f64", 0, 0},
    {"u32_to_f64", 0xffffffff, 0x41efffffffe00000},
    // float to u32: in the domain, at its ends, and outside.
    {"f32_to_u32", 0x3f7fffff, 0},
    {"f32_to_u32", 0xbf7fffff, 0},
    {"f32_to_u32", 0x3f800000, 1},
    {"f32_to_u32", 0x4f000000, 0x80000000},
    {"f32_to_u32", 0x4f7fffff, 0xffffff00},
    {"f32_to_u32", 0x4f800000, 0xffffffff},
    {"f32_to_u32", 0x7f800000, 0xffffffff},
    {"f32_to_u32", 0xff800000, 0},
    {"f32_to_u32", 0xbf800000, 0},
    {"f32_to_u32", 0x7fc00000, 0},
    {"f32_to_u32", 0xffc00000, 0},
    {"f64_to_u32", 0x41efffffffe00000, 0xffffffff},
    {"f64_to_u32", 0x41efffffffffffff, 0xffffffff},
    {"f64_to_u32", 0x41f0000000000000, 0xffffffff},
    {"f64_to_u32", 0x4000000000000000 - 1, 1},
    {"f64_to_u32", 0xc000000000000000, 0},
    {"f64_to_u32", 0x7ff0000000000001, 0},
};

const Registry& registry() {
  static const Registry casts(cast_kernels());
  return casts;
}

Bits scalar(const std::string& cast, Bits input) {
  const Kernel& kernel = kernel_named(registry(), cast);
  return convert_one(kernel.variant("scalar")->function, kernel, input);
}

/// The value of a finite pattern of at most 16 bits, from the definition of the format.
double value_of(Bits bits, const DtypeTraits& format) {
  const int field = static_cast<int>((bits & format.magnitude_mask()) >> format.fraction_bits());
  const Bits significand = (bits & format.fraction_mask()) + (field > 0 ? format.min_normal() : 0);
  const int exponent = (field > 0 ? field : 1) - format.bias() - format.fraction_bits();
  const double magnitude = std::ldexp(static_cast<double>(significand), exponent);
  return format.is_negative(bits) ? -magnitude : magnitude;
}

TEST_CASE("casts give the values worked out by hand, on every variant") {
  for (const Fact& fact : kFacts) {
    const Kernel& kernel = kernel_named(registry(), fact.cast);
    for (const KernelVariant& variant : kernel.variants) {
      INFO(fact.cast << " " << variant.name << " of " << hex(fact.input, kernel.inputs[0]));
      CHECK(hex(convert_one(variant.function, kernel, fact.input), kernel.outputs[0]) ==
            hex(fact.expected, kernel.outputs[0]));
    }
  }
}

TEST_CASE("casts between float and 16-bit formats round at every boundary") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const DtypeTraits& format = traits(dtype);
    const std::string name(format.name);
    std::size_t wrong = 0;
    // The neighbour above the largest finite number is infinity, which rounding treats as 2^(emax
    // + 1), the value that its pattern would have if it were finite.
    for (Bits below = 0; below < format.infinity(); ++below) {
      const double low = value_of(below, format);
      const double high = value_of(below + 1, format);
      const double tie = low + (high - low) / 2;
      const Bits even = below % 2 == 0 ? below : below + 1;
      const auto f64 = [&](double x) { return scalar("f64_to_" + name, std::bit_cast<Bits>(x)); };
      const auto f32 = [&](float x) {
        return scalar("f32_to_" + name, std::bit_cast<std::uint32_t>(x));
      };
      const float tie32 = static_cast<float>(tie);
      wrong += f64(low) != below;
      wrong += f64(std::nextafter(tie, 0.0)) != below;
      wrong += f64(tie) != even;
      wrong += f64(std::nextafter(tie, std::numeric_limits<double>::infinity())) != below + 1;
      wrong += f64(-tie) != (even | format.sign_mask());
      wrong += f32(std::nextafter(tie32, 0.0f)) != below;
      wrong += f32(tie32) != even;
      wrong += f32(std::nextafter(tie32, std::numeric_limits<float>::infinity())) != below + 1;
      wrong += scalar(name + "_to_f64", below) != std::bit_cast<Bits>(low);
      wrong +=
          scalar(name + "_to_f32", below) != std::bit_cast<std::uint32_t>(static_cast<float>(low));
    }
    INFO(name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("casts agree with the language's conversions") {
  std::size_t wrong = 0;
  const std::vector<std::byte> words = stratified(Dtype::kF32, 8);
  for (std::size_t i = 0; i < words.size(); i += 4) {
    std::uint32_t bits;
    std::memcpy(&bits, &words[i], 4);
    const float x = std::bit_cast<float>(bits);
    wrong += scalar("u32_to_f32", bits) != std::bit_cast<std::uint32_t>(static_cast<float>(bits));
    wrong += scalar("u32_to_f64", bits) != std::bit_cast<Bits>(static_cast<double>(bits));
    if (!std::isnan(x)) {
      wrong += scalar("f32_to_f64", bits) != std::bit_cast<Bits>(static_cast<double>(x));
    }
    if (x > -1.0f && x < 4294967296.0f) {
      wrong += scalar("f32_to_u32", bits) != static_cast<std::uint32_t>(x);
    }
  }
  const std::vector<std::byte> doubles = stratified(Dtype::kF64, 8);
  for (std::size_t i = 0; i < doubles.size(); i += 8) {
    Bits bits;
    std::memcpy(&bits, &doubles[i], 8);
    const double x = std::bit_cast<double>(bits);
    if (!std::isnan(x) && std::fabs(x) <= 0x1.fffffefffffffp127) {
      wrong += scalar("f64_to_f32", bits) != std::bit_cast<std::uint32_t>(static_cast<float>(x));
    }
    if (x > -1.0 && x < 4294967296.0) {
      wrong += scalar("f64_to_u32", bits) != static_cast<std::uint32_t>(x);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("casts keep a NaN's sign and leading payload and set its quiet bit") {
  for (const Kernel& kernel : registry().kernels()) {
    const DtypeTraits& from = traits(kernel.inputs[0]);
    const DtypeTraits& to = traits(kernel.outputs[0]);
    if (!from.is_floating() || !to.is_floating()) continue;
    const int shift = to.fraction_bits() - from.fraction_bits();
    for (int bit = 0; bit < from.fraction_bits(); ++bit) {
      for (const Bits sign : {Bits{0}, from.sign_mask()}) {
        const Bits nan = sign | from.infinity() | (Bits{1} << bit);
        const Bits fraction = nan & from.fraction_mask();
        const Bits expected = (sign != 0 ? to.sign_mask() : 0) | to.infinity() | to.quiet_bit() |
                              (shift >= 0 ? fraction << shift : fraction >> -shift);
        INFO(kernel.entry_point << " of " << hex(nan, kernel.inputs[0]));
        CHECK(convert_one(kernel.variants[0].function, kernel, nan) == expected);
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
