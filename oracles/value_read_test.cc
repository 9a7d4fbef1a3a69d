// Numbers as people type them.
#include "oracles/value_read.h"

#include <cstdlib>
#include <random>

#include "contracts/testing/catch.h"

namespace assay::oracle {
namespace {

Bits bits(const std::string& text, Dtype dtype) {
  const std::optional<ReadValue> value = read_value(text, dtype);
  REQUIRE(value);
  return value->bits;
}

TEST_CASE("decimals and hex floats are rounded once to nearest even") {
  CHECK(bits("1", Dtype::kF32) == 0x3f800000);
  CHECK(bits("-0", Dtype::kF32) == 0x80000000);
  CHECK(bits("0x1.8p-3", Dtype::kF16) == 0x3200);
  CHECK(bits("0.1", Dtype::kF32) == 0x3dcccccd);
  CHECK(bits("0.1", Dtype::kF64) == 0x3fb999999999999a);
  CHECK(bits("1e-45", Dtype::kF32) == 1);
  CHECK(bits("7e-46", Dtype::kF32) == 0);
  CHECK(bits("65519.99", Dtype::kF16) == 0x7bff);
  CHECK(bits("65520", Dtype::kF16) == 0x7c00);
  CHECK(bits("-inf", Dtype::kBF16) == 0xff80);
  CHECK(bits("nan", Dtype::kF32) == 0x7fc00000);
  CHECK(bits("1e999999", Dtype::kF64) == 0x7ff0000000000000);
  CHECK(bits("-1e-999999", Dtype::kF64) == 0x8000000000000000);
  CHECK(read_value("0.5", Dtype::kF16)->exact);
  CHECK_FALSE(read_value("0.1", Dtype::kF64)->exact);
}

TEST_CASE("what decides a tie may stand far behind") {
  const std::string tie = "1.00048828125";  // 1 + 2^-11
  CHECK(bits(tie, Dtype::kF16) == 0x3c00);
  CHECK(bits(tie + std::string(3000, '0') + "1", Dtype::kF16) == 0x3c01);
  CHECK(bits("-" + tie + std::string(3000, '0') + "1", Dtype::kF16) == 0xbc01);
  CHECK(bits("1.0004882812499" + std::string(3000, '9'), Dtype::kF16) == 0x3c00);
}

TEST_CASE("integer formats take their own values only") {
  CHECK(bits("4294967295", Dtype::kU32) == 0xffffffff);
  CHECK(bits("0x10", Dtype::kU32) == 16);
  CHECK(bits("-128", Dtype::kI8) == 0x80);
  for (const char* text : {"-1", "4294967296", "0.5", "nan", "inf", "1e40"}) {
    CHECK_FALSE(read_value(text, Dtype::kU32));
  }
}

TEST_CASE("other texts are no numbers") {
  for (const char* text : {"", " 1", "1 ", "1x", "0x", "--1", "1.2.3", "one", "1e", "\x1b[1m"}) {
    CAPTURE(text);
    CHECK_FALSE(read_value(text, Dtype::kF32));
  }
  CHECK_FALSE(read_value(std::string(5000, '1'), Dtype::kF32));
}

TEST_CASE("binary32 and binary64 agree with the C library") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = std::to_string(random() % 100000) + "." + std::to_string(random()) +
                             "e" + std::to_string(static_cast<int>(random() % 90) - 50);
    const float single = std::strtof(text.c_str(), nullptr);
    const double wide = std::strtod(text.c_str(), nullptr);
    CAPTURE(text);
    REQUIRE(bits(text, Dtype::kF32) == std::bit_cast<std::uint32_t>(single));
    REQUIRE(bits(text, Dtype::kF64) == std::bit_cast<std::uint64_t>(wide));
  }
}

}  // namespace
}  // namespace assay::oracle
