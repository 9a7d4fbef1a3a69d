// bit_stable: the same products give the same bits wherever and whenever they are summed up.
#include "audit/window/stability.h"

#include <fmt/format.h>

#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

bool StabilityBench::base(const Geometry& geometry, const Tensors& tensors,
                          std::vector<Bits>& results) {
  bench.lay_out(geometry, tensors);
  clear_vector_registers();
  const Reply reply = bench.attempt();
  --tally.planned;
  if (!bench.carried_out(reply)) return false;
  --tally.probes;
  results = bench.results();
  return true;
}

bool StabilityBench::same(const Case& the_case, const std::vector<Bits>& due, const char* factor,
                          unsigned char old) {
  if (!bench.run(old)) return false;
  const std::vector<Bits> got = bench.results();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == due[i]) continue;
    differs(the_case, i, got[i], due[i], factor);
    break;
  }
  return true;
}

bool StabilityBench::same(const Case& the_case, const std::vector<Bits>& due,
                          const std::vector<SameResult>& places, const char* factor) {
  if (!bench.run()) return false;
  const std::vector<Bits> got = bench.results();
  for (const SameResult& place : places) {
    if (got[place.here] == due[place.there]) continue;
    differs(the_case, place.there, got[place.here], due[place.there], factor);
    break;
  }
  return true;
}

void StabilityBench::differs(const Case& the_case, std::size_t result, Bits got, Bits due,
                             const char* factor) {
  const Dtype dtype = operation().dtype;
  add_violation(
      tally, the_case, result, got, due,
      fmt::format("what changed: {}; {}", factor, describe(operation(), the_case.geometry)),
      fmt::format("result {} is {} in one call and {} in another ({})", result, hex(due, dtype),
                  hex(got, dtype), factor));
}

std::vector<Case> stability_cases(const Job& job, std::size_t count) {
  const std::vector<Family> all = families(job.operation);
  std::vector<Case> cases;
  std::size_t next = 0;
  for (const Case& small : small_cases(job, 4 * count)) {
    if (cases.size() == count) break;
    if (elements(output_shape(small.geometry)) < 2) continue;
    cases.push_back(small);
    cases.back().family = all[next++ % all.size()];
  }
  return cases;
}

void judge_bit_stable(Subject& subject, CallTally& tally) {
  StabilityBench bench(subject, tally);
  if (!judge_places(bench) || !judge_company(bench)) return;
  put(tally.space, fmt::format("{} calls: {}", tally.planned, bench.space));
}

}  // namespace assay::window
