// What two YAML trees have in common.
#pragma once

#include "contracts/fkc/node.h"

namespace assay::fkc {

/// Equal but for places, quotes, style and the order of keys.
bool same_tree(const Node& a, const Node& b);

}  // namespace assay::fkc
