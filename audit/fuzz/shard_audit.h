// The audit whose shards are merged.
#pragma once

#include "audit/options.h"

namespace assay::fuzz {

/// Of the kernel with the fewest inputs, in one variant.
inline AuditOptions shard_audit_options() {
  AuditOptions options;
  options.only = {"cast_bf16_to_f16"};
  options.variants = {"scalar"};
  options.effort = Effort::kQuick;
  options.threads = 1;
  return options;
}

}  // namespace assay::fuzz
