#include "reports/diff_pairs.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace assay {

namespace {

auto identity(const KernelRecord& kernel) {
  return std::tie(kernel.kernel, kernel.entry_point, kernel.library, kernel.file);
}

/// Pairs what has the same key, the first with the first, and leaves the rest alone.
template <typename Key>
void pair_by(std::vector<KernelPair>& pairs, std::vector<const KernelRecord*>& left, Key key,
             bool only_single) {
  using KeyOf = decltype(key(*left.front()));
  std::map<KeyOf, std::vector<const KernelRecord*>> candidates;
  for (const KernelRecord* kernel : left) candidates[key(*kernel)].push_back(kernel);
  std::map<KeyOf, std::size_t> wanted;
  for (const KernelPair& pair : pairs) {
    if (pair.before == nullptr) ++wanted[key(*pair.after)];
  }
  for (KernelPair& pair : pairs) {
    if (pair.before != nullptr) continue;
    const auto found = candidates.find(key(*pair.after));
    if (found == candidates.end() || found->second.empty()) continue;
    if (only_single && (found->second.size() > 1 || wanted[key(*pair.after)] > 1)) continue;
    pair.before = found->second.front();
    found->second.erase(found->second.begin());
    left.erase(std::ranges::find(left, pair.before));
  }
}

}  // namespace

std::vector<KernelPair> pair_kernels(const RunRecord& before, const RunRecord& after) {
  std::vector<KernelPair> pairs;
  std::vector<const KernelRecord*> left;
  for (const KernelRecord& kernel : after.kernels) pairs.push_back({nullptr, &kernel});
  for (const KernelRecord& kernel : before.kernels) left.push_back(&kernel);
  if (!left.empty()) {
    pair_by(pairs, left, identity, false);
    if (!left.empty()) {
      pair_by(
          pairs, left, [](const KernelRecord& kernel) { return std::string_view(kernel.kernel); },
          true);
    }
  }
  for (const KernelRecord* kernel : left) pairs.push_back({kernel, nullptr});
  return pairs;
}

const VariantRecord* find_variant(const KernelRecord& kernel, std::string_view name) {
  const auto found = std::ranges::find(kernel.variants, name, &VariantRecord::name);
  return found == kernel.variants.end() ? nullptr : &*found;
}

const ClaimRecord* find_claim(const VariantRecord& variant, std::string_view id) {
  const auto found = std::ranges::find(variant.claims, id, &ClaimRecord::id);
  return found == variant.claims.end() ? nullptr : &*found;
}

}  // namespace assay
