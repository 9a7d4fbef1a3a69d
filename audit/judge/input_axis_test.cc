// The exponents that pictures are drawn over, against the C library's.
#include "audit/judge/input_axis.h"

#include <cmath>
#include <stdexcept>

#include "audit/testing/contract_with.h"
#include "contracts/testing/catch.h"
#include "oracles/cast_measure.h"

namespace assay {
namespace {

using testing::cast;

TEST_CASE("an input's place covers its exponent") {
  for (const Dtype from : {Dtype::kF16, Dtype::kBF16}) {
    const DtypeTraits& format = traits(from);
    for (const Dtype to : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
      if (from == to) continue;
      const InputAxis axis(cast(from, to));
      for (Bits bits = 0; bits <= 0xffff; ++bits) {
        const std::size_t place = axis.place_of(bits);
        CAPTURE(format.name, bits);
        if (format.is_nan(bits)) {
          REQUIRE(axis.words(place, place) == "NaN");
        } else if (format.is_infinite(bits)) {
          REQUIRE(axis.words(place, place) == "infinity");
        } else if (format.is_zero(bits)) {
          REQUIRE(axis.words(place, place) == "zero");
        } else {
          const int exponent = std::ilogb(oracle::to_double(bits, from));
          REQUIRE(axis.first_exponent(place) <= exponent);
          REQUIRE(axis.last_exponent(place) >= exponent);
        }
      }
    }
  }
}

TEST_CASE("an axis that pictures have no room for is refused") {
  CHECK(InputAxis(cast(Dtype::kF64, Dtype::kF32)).places() <= kMostPlaces);
  CHECK(InputAxis(cast(Dtype::kF32, Dtype::kF64)).places() <= kMostPlaces);
  CHECK_THROWS_AS(InputAxis(cast(Dtype::kF64, Dtype::kF64)), std::logic_error);
}

TEST_CASE("exponents have places of their own wherever results can differ") {
  const InputAxis axis(cast(Dtype::kF64, Dtype::kF16));
  for (int exponent = -25; exponent <= 15; ++exponent) {
    const auto bits = static_cast<Bits>(exponent + 1023) << 52;
    const std::size_t place = axis.place_of(bits);
    CAPTURE(exponent);
    CHECK(axis.first_exponent(place) == exponent);
    CHECK(axis.last_exponent(place) == exponent);
  }
  CHECK(axis.words(1, 1) == "2^-1074 to 2^-26");
  CHECK(axis.words(axis.last_numbered(), axis.last_numbered()) == "2^16 to 2^1023");
  CHECK(axis.words(3, 5) == "2^-24 to 2^-22");
}

TEST_CASE("integers are placed by their leading bit") {
  const InputAxis axis(cast(Dtype::kU32, Dtype::kF32));
  CHECK_FALSE(axis.is_signed());
  CHECK(axis.words(axis.place_of(0), axis.place_of(0)) == "zero");
  CHECK(axis.first_exponent(axis.place_of(1)) == 0);
  CHECK(axis.first_exponent(axis.place_of(0x00ffffff)) == 23);
  CHECK(axis.first_exponent(axis.place_of(0x01000000)) == 24);
  CHECK(axis.first_exponent(axis.place_of(0xffffffff)) == 31);
}

TEST_CASE("no axis has more places than there is room for") {
  for (const DtypeTraits& from : kDtypes) {
    for (const DtypeTraits& to : kDtypes) {
      // f64 to f64 is no conversion.
      if (from.dtype == Dtype::kF64 && to.dtype == Dtype::kF64) continue;
      CAPTURE(from.name, to.name);
      const InputAxis axis(oracle::CastOperation{from.dtype, to.dtype, Rounding::kNearestEven});
      CHECK(axis.places() <= kMostPlaces);
      CHECK(axis.first_numbered() <= axis.last_numbered());
    }
  }
}

}  // namespace
}  // namespace assay
