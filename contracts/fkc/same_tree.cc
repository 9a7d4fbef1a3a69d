#include "contracts/fkc/same_tree.h"

#include <algorithm>
#include <map>

namespace assay::fkc {

bool same_tree(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  if (a.is_scalar() && a.text != b.text) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same_tree(a.items[i], b.items[i])) return false;
  }
  std::map<std::string_view, const Node*> values;
  for (const Entry& entry : b.entries) values[entry.key.text] = &entry.value;
  return std::all_of(a.entries.begin(), a.entries.end(), [&](const Entry& entry) {
    const auto found = values.find(entry.key.text);
    return found != values.end() && same_tree(entry.value, *found->second);
  });
}

}  // namespace assay::fkc
