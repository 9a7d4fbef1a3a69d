#include "contracts/dtype.h"

#include <string>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

struct FloatRow {
  Dtype dtype;
  int bytes;
  int precision;
  Bits sign, infinity, max_finite, min_normal, one, quiet;
};

// Patterns of IEEE 754-2019 table 3.5, and of bfloat16 as the upper half of binary32.
constexpr FloatRow kFloats[] = {
    {Dtype::kF64, 8, 53, 0x8000000000000000, 0x7ff0000000000000, 0x7fefffffffffffff,
     0x0010000000000000, 0x3ff0000000000000, 0x0008000000000000},
    {Dtype::kF32, 4, 24, 0x80000000, 0x7f800000, 0x7f7fffff, 0x00800000, 0x3f800000, 0x00400000},
    {Dtype::kF16, 2, 11, 0x8000, 0x7c00, 0x7bff, 0x0400, 0x3c00, 0x0200},
    {Dtype::kBF16, 2, 8, 0x8000, 0x7f80, 0x7f7f, 0x0080, 0x3f80, 0x0040},
};

TEST_CASE("floating formats have their known constants") {
  for (const FloatRow& known : kFloats) {
    const DtypeTraits& format = traits(known.dtype);
    INFO(format.name);
    CHECK(format.bytes() == known.bytes);
    CHECK(format.precision == known.precision);
    CHECK(format.sign_mask() == known.sign);
    CHECK(format.infinity() == known.infinity);
    CHECK(format.max_finite() == known.max_finite);
    CHECK(format.min_normal() == known.min_normal);
    CHECK(format.one() == known.one);
    CHECK(format.quiet_bit() == known.quiet);
    CHECK(format.min_exponent == 1 - format.max_exponent);
    CHECK(format.all_mask() == (known.sign | (known.sign - 1)));
  }
}

TEST_CASE("every pattern has one class, on both sides of every border") {
  for (const FloatRow& known : kFloats) {
    const DtypeTraits& format = traits(known.dtype);
    INFO(format.name);
    for (const Bits sign : {Bits{0}, known.sign}) {
      CHECK(format.is_zero(sign));
      CHECK_FALSE(format.is_subnormal(sign));
      CHECK_FALSE(format.is_zero(sign | 1));
      CHECK(format.is_subnormal(sign | 1));
      CHECK(format.is_subnormal(sign | (known.min_normal - 1)));
      CHECK_FALSE(format.is_subnormal(sign | known.min_normal));
      CHECK(format.is_finite(sign | known.max_finite));
      CHECK_FALSE(format.is_finite(sign | known.infinity));
      CHECK(format.is_infinite(sign | known.infinity));
      CHECK_FALSE(format.is_nan(sign | known.infinity));
      CHECK(format.is_nan(sign | known.infinity | 1));
      CHECK_FALSE(format.is_infinite(sign | known.infinity | 1));
      CHECK(format.is_nan(sign | (known.sign - 1)));
      CHECK_FALSE(format.is_quiet(sign | known.infinity | 1));
      CHECK(format.is_quiet(sign | known.infinity | known.quiet));
      CHECK(format.payload(sign | known.infinity | known.quiet | 5) == 5);
      CHECK(format.is_negative(sign | known.one) == (sign != 0));
    }
  }
}

TEST_CASE("integers are finite, and only signed ones are negative") {
  const DtypeTraits& u32 = traits(Dtype::kU32);
  CHECK(u32.bytes() == 4);
  CHECK(u32.all_mask() == 0xffffffff);
  CHECK_FALSE(u32.is_nan(0xffffffff));
  CHECK_FALSE(u32.is_infinite(0x7f800000));
  CHECK_FALSE(u32.is_negative(0xffffffff));
  CHECK_FALSE(u32.is_subnormal(1));
  CHECK(u32.is_finite(0xffffffff));
  CHECK(u32.is_zero(0));
  CHECK_FALSE(u32.is_zero(0x80000000));
  CHECK(traits(Dtype::kI32).is_negative(0x80000000));
  CHECK_FALSE(traits(Dtype::kI32).is_zero(0x80000000));
  CHECK(traits(Dtype::kI8).is_negative(0xff));
  CHECK(traits(Dtype::kI64).all_mask() == 0xffffffffffffffff);
}

TEST_CASE("tokens name their dtype, and nothing else does") {
  for (const DtypeTraits& format : kDtypes) {
    CHECK(dtype_from_token(format.token) == format.dtype);
    CHECK_FALSE(dtype_from_token(format.name).has_value());
  }
  CHECK_FALSE(dtype_from_token("FP32").has_value());
  CHECK_FALSE(dtype_from_token("").has_value());
}

TEST_CASE("hex has the format's full width") {
  CHECK(hex(0x7e01, Dtype::kF16) == "0x7e01");
  CHECK(hex(1, Dtype::kBF16) == "0x0001");
  CHECK(hex(0x3f800000, Dtype::kF32) == "0x3f800000");
  CHECK(hex(0, Dtype::kF64) == "0x0000000000000000");
  CHECK(hex(0xabcdef, Dtype::kI64) == "0x0000000000abcdef");
  CHECK(hex(0xfff, Dtype::kU8) == "0xff");  // bits above the width are not the value's
}

}  // namespace
}  // namespace assay
