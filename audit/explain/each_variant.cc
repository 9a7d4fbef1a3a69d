#include "audit/explain/each_variant.h"

namespace assay {

std::vector<std::string> call_each_variant(
    std::size_t count, const AuditOptions& options,
    const std::function<void(std::size_t, Heartbeat&)>& call) {
  std::vector<UnitKeys> keys;
  for (std::uint32_t v = 0; v < count; ++v) keys.push_back({v, v});
  PoolOptions pool;
  pool.workers = options.threads;
  pool.hang_after = options.hang_after;
  const PoolResult ran = run_in_workers(keys, pool, call);
  std::vector<std::string> failures;
  for (const UnitOutcome& unit : ran.units) {
    std::string& failure = failures.emplace_back();
    if (unit.state == UnitState::kDone) continue;
    failure = ran.interrupted ? "interrupted" : unit.what;
    if (failure.empty()) failure = "the call did not come to its end";
  }
  return failures;
}

}  // namespace assay
