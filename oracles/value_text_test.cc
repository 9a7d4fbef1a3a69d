// Values as people read them, and the bounds that contracts write.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "contracts/testing/catch.h"
#include "oracles/cast_exact.h"
#include "oracles/cast_measure.h"

namespace assay::oracle {
namespace {

TEST_CASE("values read as the shortest decimal and a hex float") {
  struct Row {
    Bits bits;
    Dtype dtype;
    const char* text;
  };
  constexpr Row rows[] = {
      {0x3dcccccd, Dtype::kF32, "0.1 (0x1.99999ap-4)"},
      {0x3fb999999999999a, Dtype::kF64, "0.1 (0x1.999999999999ap-4)"},
      {0x2e66, Dtype::kF16, "0.1 (0x1.998p-4)"},
      {0x7bff, Dtype::kF16, "6.55e+04 (0x1.ffcp+15)"},
      {0x0001, Dtype::kF16, "6e-08 (0x1p-24)"},
      {0x8001, Dtype::kBF16, "-9e-41 (-0x1p-133)"},
      {0x0000, Dtype::kF16, "0"},
      {0x8000, Dtype::kF16, "-0"},
      {0x7f800000, Dtype::kF32, "inf"},
      {0xff80, Dtype::kBF16, "-inf"},
      {0x7e01, Dtype::kF16, "nan (quiet, payload 0x1)"},
      {0xff800001, Dtype::kF32, "-nan (signalling, payload 0x1)"},
      {0xffffffff, Dtype::kU32, "4294967295"},
      {0xff, Dtype::kI8, "-1"},
      {0x8000000000000000, Dtype::kI64, "-9223372036854775808"},
  };
  for (const Row& row : rows) CHECK(value_text(row.bits, row.dtype) == row.text);
}

/// The binary16 number nearest to a decimal, by search: shares nothing with the encoder.
Bits nearest_f16(double value, bool negative) {
  if (std::fabs(value) >= 65520) return negative ? 0xfc00 : 0x7c00;  // halfway to 2^16
  Bits best = 0;
  double least = HUGE_VAL;
  for (Bits low = 0, high = 0x7bff; low <= high;) {  // the neighbours of |value|
    const Bits middle = (low + high) / 2;
    const double distance = std::fabs(to_double(middle, Dtype::kF16) - std::fabs(value));
    if (distance < least || (distance == least && middle % 2 == 0)) {
      least = distance;
      best = middle;
    }
    if (to_double(middle, Dtype::kF16) < std::fabs(value)) {
      low = middle + 1;
    } else {
      if (middle == 0) break;
      high = middle - 1;
    }
  }
  return negative ? best | 0x8000 : best;
}

TEST_CASE("the decimal of every f16 value reads back to it, and none of a digit less does") {
  std::uint64_t wrong = 0;
  std::uint64_t longer_than_needed = 0;
  for (Bits bits = 0; bits <= 0xffff; ++bits) {
    if (!traits(Dtype::kF16).is_finite(bits) || traits(Dtype::kF16).is_zero(bits)) continue;
    const std::string text = value_text(bits, Dtype::kF16);
    const std::size_t blank = text.find(' ');
    const std::string decimal = text.substr(0, blank);
    const double exact = std::strtod(text.c_str() + blank + 2, nullptr);
    wrong += exact != to_double(bits, Dtype::kF16);
    wrong += nearest_f16(std::strtod(decimal.c_str(), nullptr), bits >= 0x8000) != bits;
    int digits = 0;  // significant ones: from the first that is not zero
    for (const char c : decimal.substr(0, decimal.find('e'))) {
      digits += c >= '0' && c <= '9' && (digits > 0 || c != '0');
    }
    if (digits == 1) continue;
    char shorter[400];
    std::snprintf(shorter, sizeof(shorter), "%.*g", digits - 1, exact);
    longer_than_needed += nearest_f16(std::strtod(shorter, nullptr), bits >= 0x8000) == bits;
  }
  CHECK(wrong == 0);
  CHECK(longer_than_needed == 0);
}

TEST_CASE("values compare with the bounds of contracts exactly") {
  struct Row {
    Bits bits;
    Dtype dtype;
    const char* text;
    int sign;
  };
  constexpr Row rows[] = {
      {0x00000000, Dtype::kF32, "0", 0},
      {0x80000000, Dtype::kF32, "0", 0},
      {0x80000001, Dtype::kF32, "0", -1},
      {0x00000001, Dtype::kF32, "0", 1},
      {0xbf800000, Dtype::kF32, "-1", 0},
      {0xbf800001, Dtype::kF32, "-1", -1},
      {0xbf7fffff, Dtype::kF32, "-1", 1},
      {0x4f800000, Dtype::kF32, "4294967295", 1},
      {0x4f7fffff, Dtype::kF32, "4294967295", -1},
      {0x41efffffffe00000, Dtype::kF64, "4294967295", 0},
      {0x41effffffff00000, Dtype::kF64, "4294967295", 1},
      {0x7fefffffffffffff, Dtype::kF64, "2^1023", 1},
      {0x7fe0000000000000, Dtype::kF64, "2^1023", 0},
      {0x7fdfffffffffffff, Dtype::kF64, "2^1023", -1},
      {0xffe0000000000000, Dtype::kF64, "-2^1023", 0},
      {0x7ff0000000000000, Dtype::kF64, "2^1023", 1},
      {0xfff0000000000000, Dtype::kF64, "-2^1023", -1},
      {0x00ffffff, Dtype::kU32, "2^24", -1},
      {0x01000000, Dtype::kU32, "2^24", 0},
      {0x01000001, Dtype::kU32, "16777216", 1},
      {0x80, Dtype::kI8, "-128", 0},
      {0x3c00, Dtype::kF16, "2^0", 0},
      {0x0400, Dtype::kF16, "2^-14", 0},
      {0x03ff, Dtype::kF16, "2^-14", -1},
      {0x8400, Dtype::kF16, "-2^-14", 0},
      {0x8401, Dtype::kF16, "-2^-14", -1},
      {0x0000000000000001, Dtype::kF64, "2^-1074", 0},
  };
  const auto sign = [](int order) { return (order > 0) - (order < 0); };
  for (const Row& row : rows) {
    CAPTURE(hex(row.bits, row.dtype), row.text);
    CHECK(sign(compare_with_text(row.bits, row.dtype, row.text)) == row.sign);
  }
}

TEST_CASE("bounds of 400 digits compare exactly with the largest numbers") {
  const Bits most = 0x7fefffffffffffff;  // has 309 digits
  CHECK(compare_with_text(most, Dtype::kF64, "1" + std::string(399, '0')) < 0);
  CHECK(compare_with_text(most, Dtype::kF64, "-1" + std::string(399, '0')) > 0);
  char digits[400];
  std::snprintf(digits, sizeof(digits), "%.0f", 0x1.fffffffffffffp+1023);
  std::string text(digits);
  CHECK(compare_with_text(most, Dtype::kF64, text) == 0);
  text.back() = static_cast<char>(text.back() + 1);
  CHECK(compare_with_text(most, Dtype::kF64, text) < 0);
}

}  // namespace
}  // namespace assay::oracle
