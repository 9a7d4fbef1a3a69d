// Rounding binary64 numbers to the other formats, against MPFR.
#include "oracles/sum/narrow.h"

#include "contracts/testing/catch.h"
#include "oracles/boundaries.h"
#include "oracles/cast_exact.h"
#include "oracles/cast_measure.h"
#include "oracles/testing/patterns.h"

namespace assay::oracle {
namespace {

TEST_CASE("a binary64 number is rounded as the exact cast does it") {
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
    const Narrow narrow(dtype);
    ExactCast exact({Dtype::kF64, dtype, Rounding::kNearestEven});
    const DtypeTraits& format = traits(dtype);
    const auto agrees = [&](Bits input) {
      const Bits due = exact(input);
      const Bits got = narrow.bits(narrow(std::bit_cast<double>(input)));
      return got == due || (format.is_nan(got) && format.is_nan(due));
    };
    std::vector<Bits> wrong;
    for (const Bits input : testing::patterns(Dtype::kF64, 40, 37)) {
      if (!agrees(input)) wrong.push_back(input);
    }
    // Every number of the format, the midpoint above it, and what lies beside both.
    for (Bits number = 0; number <= format.infinity(); number += dtype == Dtype::kF32 ? 65521 : 1) {
      const double value = to_double(number, dtype);
      const double next = to_double(number + 1, dtype);
      const double middle = std::isfinite(next)
                                ? value + (next - value) / 2
                                : value + (value - to_double(number - 1, dtype)) / 2;
      for (const double centre : {value, middle}) {
        const auto bits = std::bit_cast<Bits>(centre);
        for (const Bits input : {bits - 1, bits, bits + 1}) {
          if (bits == 0 && input == bits - 1) continue;
          if (!agrees(input)) wrong.push_back(input);
          if (!agrees(input | traits(Dtype::kF64).sign_mask())) wrong.push_back(input);
        }
      }
    }
    CAPTURE(format.name, wrong.empty() ? 0 : wrong.front());
    CHECK(wrong.empty());
  }
}

TEST_CASE("binary64 stays as it is") {
  const Narrow narrow(Dtype::kF64);
  for (const Bits input : testing::patterns(Dtype::kF64, 2, 41)) {
    if (traits(Dtype::kF64).is_nan(input)) continue;
    REQUIRE(narrow.bits(narrow(std::bit_cast<double>(input))) == input);
  }
}

}  // namespace
}  // namespace assay::oracle
