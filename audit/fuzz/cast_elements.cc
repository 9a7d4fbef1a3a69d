#include "audit/fuzz/cast_elements.h"

#include <algorithm>
#include <iterator>

namespace assay::fuzz {

namespace {

Bits word(ByteReader& bytes, Dtype dtype) {
  switch (traits(dtype).bytes()) {
    case 2:
      return bytes.number<std::uint16_t>();
    case 4:
      return bytes.number<std::uint32_t>();
    default:
      return bytes.number<std::uint64_t>();
  }
}

/// The word with an exponent at which something changes: that of infinities and NaNs, of zeros and
/// subnormals, or one near an end of the range of `to`.
Bits with_edge_exponent(Bits any, std::size_t choice, Dtype from, Dtype to) {
  const DtypeTraits& source = traits(from);
  const DtypeTraits& target = traits(to);
  if (!source.is_floating()) return any;
  const int most = target.is_floating() ? target.max_exponent : target.width - 1;
  const int least = target.is_floating() ? target.min_exponent : 0;
  const int fraction = target.is_floating() ? target.fraction_bits() : 0;
  const int edges[] = {
      most + 1, most, most - 1, least, least - 1, least - fraction, least - fraction - 1, 0};
  constexpr std::size_t kEdges = std::size(edges);
  const Bits rest = any & (source.sign_mask() | source.fraction_mask());
  if (choice >= kEdges) return choice % 2 == 0 ? rest : rest | source.infinity();
  const int exponent = std::clamp(edges[choice], source.min_exponent, source.max_exponent);
  return rest | static_cast<Bits>(exponent + source.bias()) << source.fraction_bits();
}

/// A pattern at, or next to, a boundary between two results: `low` bits are those that are dropped.
Bits beside_boundary(Bits any, int low, std::size_t choice, Dtype from) {
  const DtypeTraits& format = traits(from);
  const Bits mask = format.all_mask();
  const Bits tie = Bits{1} << (low - 1);
  const Bits boundary = (any >> low << low) | tie;
  // Of the same exponent and sign the last boundary, and (by default) the first.
  const Bits fraction = format.is_floating() ? format.fraction_mask() : mask;
  const Bits last = boundary | (fraction >> low << low);
  switch (choice) {
    case 0:
      return boundary;
    case 1:
      return (boundary + 1) & mask;
    case 2:
      return (boundary - 1) & mask;
    case 3:
      return boundary ^ tie;  // an element of the coarser format itself
    case 4:
      return (boundary | (tie - 1)) & mask;  // the last before the next one
    case 5:
      return last;
    case 6:
      return last - 1;
    case 7:
      return (last + 1) & mask;
    default:
      return (any & ~fraction) | tie;
  }
}

Bits pattern(ByteReader& bytes, Dtype from, Dtype to) {
  const std::uint8_t form = bytes.byte();
  Bits bits = word(bytes, from);
  if ((form & 1) != 0) bits = with_edge_exponent(bits, bytes.below(12), from, to);
  if ((form & 2) != 0) {
    const int low = 1 + (form >> 2) % (traits(from).width - 1);
    bits = beside_boundary(bits, low, bytes.below(9), from);
  }
  return bits;
}

Place place(ByteReader& bytes) {
  const std::uint8_t byte = bytes.byte();
  return {byte >= 128, static_cast<std::size_t>(byte & 15)};
}

}  // namespace

CastInput cast_input(ByteReader& bytes, Dtype from, Dtype to) {
  CastInput input;
  input.in = place(bytes);
  input.out = place(bytes);
  input.old = bytes.byte();
  const std::size_t count = 1 + bytes.number<std::uint16_t>() % kMostElements;
  std::vector<Bits> patterns;
  while (!bytes.empty() && patterns.size() < count) patterns.push_back(pattern(bytes, from, to));
  if (patterns.empty()) patterns.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    input.elements.push_back(patterns[i % patterns.size()]);
  }
  return input;
}

}  // namespace assay::fuzz
