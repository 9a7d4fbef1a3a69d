#include "oracles/sum/selection.h"

#include <stdexcept>

namespace assay::oracle {

namespace {

/// Numbers in increasing order; -0 just below +0.
std::int64_t rank_of(Bits bits, const DtypeTraits& format) {
  const auto magnitude = static_cast<std::int64_t>(bits & format.magnitude_mask());
  return format.is_negative(bits) ? -magnitude - 1 : magnitude;
}

}  // namespace

Selection select_maximum(std::span<const Bits> window, Dtype dtype) {
  if (window.empty()) throw std::invalid_argument("a window has at least one element");
  const DtypeTraits& format = traits(dtype);
  Selection selection;
  selection.only_nans = true;
  bool zeros[2] = {false, false};
  for (const Bits bits : window) {
    if (format.is_nan(bits)) continue;
    if (selection.only_nans || rank_of(bits, format) > rank_of(selection.maximum, format)) {
      selection.maximum = bits;
    }
    selection.only_nans = false;
    if (format.is_zero(bits)) zeros[format.is_negative(bits) ? 1 : 0] = true;
  }
  selection.both_zeros =
      !selection.only_nans && format.is_zero(selection.maximum) && zeros[0] && zeros[1];
  return selection;
}

bool is_right(const Selection& selection, Bits got, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (selection.only_nans) {
    return format.is_nan(got) || got == (format.infinity() | format.sign_mask());
  }
  if (selection.both_zeros) return format.is_zero(got);
  return got == selection.maximum;
}

}  // namespace assay::oracle
