// Where an input of a cast lies on the axis of pictures: by the exponent of its magnitude.
#pragma once

#include <cstddef>
#include <string>

#include "oracles/cast_oracle.h"

namespace assay {

/// At most so many places: the exponents of f32 with its subnormals, a few beyond them, and three
/// kinds of input that have none.
inline constexpr std::size_t kMostPlaces = 288;

/// Places are numbered from 0: zero, then the exponents from the least to the greatest, then
/// infinity and NaN. Exponents at which nothing can happen (results that are far below the least
/// value of the destination, or beyond its range) share the first or last numbered place.
class InputAxis {
 public:
  /// Throws std::logic_error for formats whose exponents are more than kMostPlaces.
  explicit InputAxis(const oracle::CastOperation& operation);

  std::size_t places() const { return static_cast<std::size_t>(last_ - first_) + 4; }
  std::size_t place_of(Bits input) const;

  /// Numbered places are those from `first_numbered` to `last_numbered`.
  std::size_t first_numbered() const { return 1; }
  std::size_t last_numbered() const { return places() - 3; }
  /// The exponents that a numbered place covers, floor(log2 |x|) of its inputs.
  int first_exponent(std::size_t place) const;
  int last_exponent(std::size_t place) const;

  /// "zero", "2^-3", "infinity", "NaN"; of more than one exponent "2^-1074 to 2^-152".
  std::string words(std::size_t first_place, std::size_t last_place) const;

  bool is_signed() const;  ///< inputs have a sign

 private:
  const DtypeTraits& from_;
  int least_;     ///< exponent of the source's least magnitude
  int greatest_;  ///< of its greatest
  int first_;     ///< exponents with a place of their own, but that the outermost share theirs
  int last_;
};

}  // namespace assay
