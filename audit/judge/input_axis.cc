#include "audit/judge/input_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace assay {

namespace {

int least_exponent(const DtypeTraits& format) {
  return format.is_floating() ? format.min_exponent - format.fraction_bits() : 0;
}

int greatest_exponent(const DtypeTraits& format) {
  return format.is_floating() ? format.max_exponent : format.width - 1;
}

}  // namespace

InputAxis::InputAxis(const oracle::CastOperation& operation)
    : from_(traits(operation.from)),
      least_(least_exponent(from_)),
      greatest_(greatest_exponent(from_)) {
  const DtypeTraits& to = traits(operation.to);
  // Half of the least value is where results begin; one more exponent, and one beyond the range.
  first_ = std::max(least_, least_exponent(to) - 2);
  last_ = std::min(greatest_, greatest_exponent(to) + 1);
  if (places() > kMostPlaces) {
    throw std::logic_error(fmt::format("the axis of {} inputs for results of {} has {} places",
                                       from_.name, to.name, places()));
  }
}

std::size_t InputAxis::place_of(Bits input) const {
  if (from_.is_nan(input)) return places() - 1;
  if (from_.is_infinite(input)) return places() - 2;
  if (from_.is_zero(input)) return 0;
  int exponent = 0;
  if (from_.is_floating()) {
    const Bits magnitude = input & from_.magnitude_mask();
    const auto field = static_cast<int>(magnitude >> from_.fraction_bits());
    exponent =
        field > 0 ? field - from_.bias() : least_ + static_cast<int>(std::bit_width(magnitude)) - 1;
  } else {
    const bool negative = from_.is_negative(input);
    const Bits magnitude = negative ? (~input + 1) & from_.all_mask() : input;
    exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  }
  return static_cast<std::size_t>(std::clamp(exponent, first_, last_) - first_) + 1;
}

int InputAxis::first_exponent(std::size_t place) const {
  return place == first_numbered() ? least_ : first_ + static_cast<int>(place) - 1;
}

int InputAxis::last_exponent(std::size_t place) const {
  return place == last_numbered() ? greatest_ : first_ + static_cast<int>(place) - 1;
}

std::string InputAxis::words(std::size_t first_place, std::size_t last_place) const {
  if (first_place == 0) return "zero";
  if (first_place > last_numbered()) {
    return first_place == places() - 1 ? "NaN" : "infinity";
  }
  const int first = first_exponent(first_place);
  const int last = last_exponent(last_place);
  return first == last ? fmt::format("2^{}", first) : fmt::format("2^{} to 2^{}", first, last);
}

bool InputAxis::is_signed() const {
  return from_.kind != NumberKind::kUnsigned;
}

}  // namespace assay
