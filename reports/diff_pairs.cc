#include "reports/diff_pairs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
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
  std::map<KeyOf, std::deque<const KernelRecord*>> candidates;
  for (const KernelRecord* kernel : left) candidates[key(*kernel)].push_back(kernel);
  std::map<KeyOf, std::size_t> wanted;
  for (const KernelPair& pair : pairs) {
    if (pair.before == nullptr) ++wanted[key(*pair.after)];
  }
  std::set<const KernelRecord*> taken;
  for (KernelPair& pair : pairs) {
    if (pair.before != nullptr) continue;
    const auto found = candidates.find(key(*pair.after));
    if (found == candidates.end() || found->second.empty()) continue;
    if (only_single && (found->second.size() > 1 || wanted[key(*pair.after)] > 1)) continue;
    pair.before = found->second.front();
    found->second.pop_front();
    taken.insert(pair.before);
  }
  std::erase_if(left, [&](const KernelRecord* kernel) { return taken.contains(kernel); });
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

VariantsByName::VariantsByName(const KernelRecord& kernel) {
  for (const VariantRecord& variant : kernel.variants) variants_.emplace(variant.name, &variant);
}

const VariantRecord* VariantsByName::find(std::string_view name) const {
  const auto found = variants_.find(name);
  return found == variants_.end() ? nullptr : found->second;
}

const ClaimRecord* find_claim(const VariantRecord& variant, std::string_view id) {
  const auto found = std::ranges::find(variant.claims, id, &ClaimRecord::id);
  return found == variant.claims.end() ? nullptr : &*found;
}

}  // namespace assay
