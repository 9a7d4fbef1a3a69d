// bit_stable: the same products give the same bits wherever and whenever they are summed up.
#include "audit/window/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

/// The first place at which results are not those that are due.
std::optional<SameResult> first_difference(const Variation& variation, const std::vector<Bits>& due,
                                           const std::vector<Bits>& got) {
  for (const SameResult& place : variation.places) {
    if (got[place.here] != due[place.there]) return place;
  }
  if (!variation.places.empty()) return std::nullopt;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != due[i]) return SameResult{i, i};
  }
  return std::nullopt;
}

}  // namespace

bool StabilityBench::give(Base& base) {
  bench.lay_out(base.the_case, base.tensors);
  clear_vector_registers();
  const Reply reply = bench.attempt();
  --tally.planned;
  if (!bench.carried_out(reply)) return false;
  --tally.probes;
  base.due = bench.results();
  return true;
}

bool StabilityBench::try_to_give(Base& base) {
  base.due = again(base);
  return base.due.size() == elements(output_shape(base.the_case.geometry));
}

std::vector<Bits> StabilityBench::again(const Base& base) {
  reference_.lay_out(base.the_case, base.tensors);
  clear_vector_registers();
  return reference_.again();
}

bool StabilityBench::same(const Base& base, const Variation& variation) {
  if (seen_[variation.factor] >= kEnough) return true;
  if (variation.registers_dirty) dirty_vector_registers();
  if (!bench.run(variation.old_output)) return false;
  compare(base, bench.results(), variation, [&] {
    if (variation.registers_dirty) dirty_vector_registers();
    return bench.again(variation.old_output);
  });
  return true;
}

bool StabilityBench::shows_smaller(const Base& base, const Variation& variation) {
  const std::uint64_t before = tally.violations;
  const CallExample larger = tally.example;
  tally.has_example = false;
  tally.example = {};
  const std::uint64_t seen = std::exchange(seen_[variation.factor], 0);
  same(base, variation);
  seen_[variation.factor] += seen;
  if (tally.violations > before) return true;
  tally.has_example = true;
  tally.example = larger;
  return false;
}

void StabilityBench::compare(const Base& base, const std::vector<Bits>& got,
                             const Variation& variation,
                             const std::function<std::vector<Bits>()>& once_more) {
  const std::optional<SameResult> at = first_difference(variation, base.due, got);
  if (!at) return;
  ++seen_[variation.factor];
  // Results that lie elsewhere are those of another call than the case's.
  const std::string other = variation.places.empty() ? std::string() : bench.circumstances();
  if (!shows_again(
          tally, base.the_case, base.due, got, [&] { return again(base); }, once_more, other)) {
    return;
  }
  const Dtype dtype = operation().dtype;
  const Bits is = got[at->here];
  const Bits due = base.due[at->there];
  add_violation(tally, base.the_case, at->there, is, due,
                fmt::format("what changed: {}{}{}", variation.factor,
                            variation.detail.empty() ? "" : ": ", variation.detail),
                fmt::format("result {} is {} in one call and {} in another ({})", at->there,
                            hex(due, dtype), hex(is, dtype), variation.factor));
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
  std::stable_sort(cases.begin(), cases.end(), [&](const Case& a, const Case& b) {
    const auto size = [&](const Case& each) {
      return tensor_elements(job.operation, each.geometry);
    };
    return size(a) < size(b);
  });
  return cases;
}

void judge_bit_stable(Subject& subject, CallTally& tally) {
  StabilityBench bench(subject, tally);
  if (!judge_places(bench) || !judge_threads(bench) || !judge_company(bench) ||
      !judge_strips(bench)) {
    return;
  }
  put(tally.space, fmt::format("{} calls: {}", tally.planned, bench.space));
}

}  // namespace assay::window
