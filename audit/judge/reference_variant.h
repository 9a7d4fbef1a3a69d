// Which variant of a kernel the others are compared with, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace assay {

/// What is known of `variants` variants: whether two of them were seen to differ, and how many
/// results of each are not the due ones.
struct VariantComparison {
  std::size_t variants = 0;
  std::function<bool(std::size_t, std::size_t)> differ;
  std::function<std::uint64_t(std::size_t)> deviations;
};

/// The one with the fewest results that are not due, so that of two variants that differ the one
/// that is wrong is told to; of several such the one that the fewest others differ from; then the
/// first. 0 where there is none.
inline std::size_t reference_variant(const VariantComparison& comparison) {
  std::size_t best = 0;
  std::pair<std::uint64_t, std::uint64_t> least{~std::uint64_t{0}, ~std::uint64_t{0}};
  for (std::size_t candidate = 0; candidate < comparison.variants; ++candidate) {
    std::uint64_t others = 0;
    for (std::size_t other = 0; other < comparison.variants; ++other) {
      others += other != candidate && comparison.differ(candidate, other) ? 1 : 0;
    }
    const std::pair<std::uint64_t, std::uint64_t> mine{comparison.deviations(candidate), others};
    if (mine >= least) continue;
    least = mine;
    best = candidate;
  }
  return best;
}

/// What a token of `bitwise` names besides the variant: the reference, and beside the reference,
/// whose claim is about all others, the first of them. Null where there is none.
template <class Variant>
const Variant* compared_with(const std::vector<const Variant*>& variants, std::size_t variant,
                             std::size_t reference) {
  const std::size_t other = variant != reference ? reference : reference == 0 ? 1 : 0;
  return other < variants.size() ? variants[other] : nullptr;
}

}  // namespace assay
