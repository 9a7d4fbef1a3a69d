// What the list of special values promises.
#include "oracles/special_values.h"

#include <algorithm>

#include "contracts/testing/catch.h"

namespace assay::oracle {
namespace {

class List {
 public:
  explicit List(Dtype dtype) : values_(special_values(dtype)) {}
  bool has(Bits bits) const { return std::binary_search(values_.begin(), values_.end(), bits); }
  const std::vector<Bits>& values() const { return values_; }

 private:
  std::vector<Bits> values_;
};

TEST_CASE("special values are in order, without duplicates, and within the format's width") {
  for (const DtypeTraits& format : kDtypes) {
    const List list(format.dtype);
    CAPTURE(format.name);
    CHECK(std::adjacent_find(list.values().begin(), list.values().end(), std::greater_equal<>()) ==
          list.values().end());
    CHECK(list.values().back() <= format.all_mask());
    CHECK(list.values().size() >= 20);
  }
}

TEST_CASE("special values of floating formats hold all that they promise, in both signs") {
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
    const DtypeTraits& format = traits(dtype);
    const List list(dtype);
    std::vector<Bits> promised = {
        0,
        1,  // the ends of the subnormals
        format.min_normal() - 1,
        format.min_normal(),  // and of the normals
        format.max_finite(),
        format.one(),
        format.one() - 1,
        format.one() + 1,
        format.infinity(),
        format.infinity() | format.quiet_bit(),  // NaNs: quiet, without a payload
        format.infinity() | 1,                   // signalling, the lowest bit
        format.magnitude_mask(),                 // quiet, all ones
        format.magnitude_mask() ^ format.quiet_bit(),
    };
    for (int bit = 0; bit < format.fraction_bits() - 1; ++bit) {
      promised.push_back(format.infinity() | Bits{1} << bit);
      promised.push_back(format.infinity() | format.quiet_bit() | Bits{1} << bit);
    }
    for (Bits field = 1; field < format.infinity() >> format.fraction_bits(); ++field) {
      promised.push_back(field << format.fraction_bits());                             // first
      promised.push_back((field << format.fraction_bits()) | format.fraction_mask());  // last
    }
    CAPTURE(format.name);
    for (const Bits bits : promised) {
      CAPTURE(hex(bits, dtype));
      REQUIRE(list.has(bits));
      REQUIRE(list.has(bits | format.sign_mask()));
    }
  }
}

TEST_CASE("special values of integers hold zero, the ends and every power of two") {
  for (const DtypeTraits& format : kDtypes) {
    if (format.is_floating()) continue;
    const List list(format.dtype);
    CAPTURE(format.name);
    CHECK(list.has(0));
    CHECK(list.has(format.all_mask()));
    CHECK(list.has(format.sign_mask()));
    CHECK(list.has(format.magnitude_mask()));
    for (int bit = 0; bit < format.width; ++bit) {
      const Bits power = Bits{1} << bit;
      REQUIRE(list.has(power));
      REQUIRE(list.has((power - 1) & format.all_mask()));
      REQUIRE(list.has((power + 1) & format.all_mask()));
    }
  }
}

}  // namespace
}  // namespace assay::oracle
