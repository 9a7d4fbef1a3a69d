#include "oracles/special_values.h"

#include <algorithm>

namespace assay::oracle {

std::vector<Bits> special_values(Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  std::vector<Bits> values;
  const auto around = [&](Bits bits) {
    for (const Bits offset : {~Bits{0}, Bits{0}, Bits{1}}) {
      values.push_back((bits + offset) & format.all_mask());
    }
  };
  if (!format.is_floating()) {
    around(0);
    for (int bit = 0; bit < format.width; ++bit) {
      around(Bits{1} << bit);
      around(format.all_mask() - (Bits{1} << bit));
    }
  } else {
    const Bits binades = format.infinity() >> format.fraction_bits();
    for (Bits field = 0; field <= binades; ++field) around(field << format.fraction_bits());
    around(format.one());
    for (int bit = 0; bit < format.fraction_bits(); ++bit) {
      around(Bits{1} << bit);                                  // subnormals
      values.push_back(format.infinity() | (Bits{1} << bit));  // NaNs
      values.push_back(format.infinity() | format.quiet_bit() | (Bits{1} << bit));
    }
    values.push_back(format.magnitude_mask());
    values.push_back(format.magnitude_mask() ^ format.quiet_bit());
    for (Bits& bits : values) bits &= format.magnitude_mask();
    const std::size_t positive = values.size();
    for (std::size_t i = 0; i < positive; ++i) values.push_back(values[i] | format.sign_mask());
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace assay::oracle
