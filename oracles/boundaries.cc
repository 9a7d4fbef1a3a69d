#include "oracles/boundaries.h"

#include <stdexcept>

namespace assay::oracle {

namespace {

using Groups = std::vector<BoundaryGroup>;

/// The groups of odd multiples (2i + 1) * 2^unit whose index i lies below 2^index_bits, grouped by
/// bit length, as patterns of the floating format `from`, in which all of them are normal.
void add_odd_multiples(const DtypeTraits& from, int unit, int index_bits, Groups& groups) {
  for (int length = 1; length <= index_bits + 1; ++length) {
    const Bits least = length == 1 ? 1 : (Bits{1} << (length - 1)) + 1;
    const int lowest = from.fraction_bits() - (length - 1);
    const auto field = static_cast<Bits>(unit + length - 1 + from.bias());
    BoundaryGroup group;
    group.first = (field << from.fraction_bits()) | ((least << lowest) & from.fraction_mask());
    group.step = lowest < from.fraction_bits() ? Bits{2} << lowest : 1;
    group.count = length == 1 ? 1 : Bits{1} << (length - 2);
    group.rounding_bit = lowest;
    groups.push_back(group);
  }
}

Groups narrowing(const DtypeTraits& from, const DtypeTraits& to) {
  Groups groups;
  const int shift = from.fraction_bits() - to.fraction_bits();
  const Bits half = Bits{1} << (shift - 1);
  const Bits per_binade = Bits{1} << to.fraction_bits();
  const int rebias = from.bias() - to.bias();
  if (rebias == 0) {
    groups.push_back({half, Bits{1} << shift, per_binade, shift - 1});
  } else {
    add_odd_multiples(from, to.min_exponent - to.fraction_bits() - 1, to.fraction_bits(), groups);
  }
  for (int field = 1; field <= 2 * to.bias(); ++field) {
    const Bits base = static_cast<Bits>(field + rebias) << from.fraction_bits();
    groups.push_back({base + half, Bits{1} << shift, per_binade, shift - 1});
  }
  return groups;
}

Groups to_unsigned(const DtypeTraits& from, const DtypeTraits& to) {
  Groups groups;
  for (int length = 1; length <= to.width; ++length) {
    // The integers of this bit length that the source can hold.
    const Bits base = static_cast<Bits>(length - 1 + from.bias()) << from.fraction_bits();
    const int unit = from.fraction_bits() - (length - 1);
    const int lowest = unit > 0 ? unit : 0;
    groups.push_back({base, Bits{1} << lowest, Bits{1} << (from.fraction_bits() - lowest), lowest});
  }
  return groups;
}

Groups from_unsigned(const DtypeTraits& from, const DtypeTraits& to) {
  Groups groups;
  for (int length = to.precision + 1; length <= from.width; ++length) {
    const int lowest = length - to.precision - 1;
    groups.push_back({(Bits{1} << (length - 1)) + (Bits{1} << lowest), Bits{2} << lowest,
                      Bits{1} << to.fraction_bits(), lowest});
  }
  return groups;
}

}  // namespace

Groups boundary_groups(CastOperation operation) {
  const DtypeTraits& from = traits(operation.from);
  const DtypeTraits& to = traits(operation.to);
  if (operation.rounding == Rounding::kExact) return {};
  if (from.is_floating() && to.is_floating() && from.precision > to.precision &&
      (from.bias() == to.bias() || from.min_exponent < to.min_exponent - to.precision - 1)) {
    return narrowing(from, to);
  }
  if (from.is_floating() && to.kind == NumberKind::kUnsigned) return to_unsigned(from, to);
  if (from.kind == NumberKind::kUnsigned && to.is_floating()) return from_unsigned(from, to);
  throw std::invalid_argument("no boundary description for this cast");
}

std::uint64_t boundary_count(const std::vector<BoundaryGroup>& groups) {
  std::uint64_t count = 0;
  for (const BoundaryGroup& group : groups) count += group.count;
  return count;
}

}  // namespace assay::oracle
