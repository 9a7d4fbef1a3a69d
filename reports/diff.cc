#include "reports/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reports/diff_claims.h"
#include "reports/diff_pairs.h"
#include "reports/evidence_text.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

Change change_of(ChangeKind kind, std::string before, std::string after, std::string note = {}) {
  Change change;
  change.kind = kind;
  change.before = std::move(before);
  change.after = std::move(after);
  change.note = std::move(note);
  return change;
}

bool same_hardware(const MachineRecord& a, const MachineRecord& b) {
  return a.cpu == b.cpu && a.targets == b.targets;
}

std::string hardware_text(const MachineRecord& machine) {
  return fmt::format("{}, with {}", machine.cpu,
                     machine.targets.empty() ? "no targets" : joined(machine.targets));
}

std::string tool_text(const ToolRecord& tool) {
  return fmt::format("{} ({}), {}, {}", tool.version, tool.revision, tool.compiler, tool.flags);
}

bool same_tool(const ToolRecord& a, const ToolRecord& b) {
  return a.version == b.version && a.revision == b.revision && a.compiler == b.compiler &&
         a.flags == b.flags;
}

std::string end_of(const RunInfo& run) {
  return run.complete ? "complete" : "incomplete";
}

void compare_runs(const RunRecord& before, const RunRecord& after, std::vector<Change>& changes) {
  const RunInfo& old = before.run;
  const RunInfo& now = after.run;
  if (!old.complete || !now.complete) {
    const ChangeKind kind = old.complete   ? ChangeKind::kRunIncomplete
                            : now.complete ? ChangeKind::kRunCompleted
                                           : ChangeKind::kBothIncomplete;
    changes.push_back(
        change_of(kind, end_of(old), end_of(now), now.complete ? old.incomplete : now.incomplete));
  }
  if (old.seed != now.seed) {
    changes.push_back(
        change_of(ChangeKind::kSeed, fmt::format("{}", old.seed), fmt::format("{}", now.seed)));
  }
  if (old.effort != now.effort) {
    changes.push_back(change_of(ChangeKind::kEffort, old.effort, now.effort));
  }
  if (!same_tool(before.tool, after.tool)) {
    changes.push_back(change_of(ChangeKind::kTool, tool_text(before.tool), tool_text(after.tool)));
  }
  if (!same_hardware(before.machine, after.machine)) {
    changes.push_back(change_of(ChangeKind::kHardware, hardware_text(before.machine),
                                hardware_text(after.machine)));
  }
}

std::string_view hex_digits(std::string_view digest) {
  return digest.starts_with("0x") ? digest.substr(2) : digest;
}

void compare_digests(const VariantRecord& before, const VariantRecord& after, bool same_machine,
                     KernelChanges& changes) {
  if (before.digest.empty() || after.digest.empty()) {
    if (before.digest.empty() && after.digest.empty()) return;
    changes.add(
        change_of(after.digest.empty() ? ChangeKind::kDigestLost : ChangeKind::kDigestGained,
                  before.digest, after.digest),
        after.name);
  } else if (before.digest_space != after.digest_space) {
    changes.add(change_of(ChangeKind::kDigestSpace, before.digest_space, after.digest_space),
                after.name);
  } else if (hex_digits(before.digest) != hex_digits(after.digest)) {
    changes.add(
        change_of(same_machine ? ChangeKind::kDigestSameHardware : ChangeKind::kDigestOtherHardware,
                  before.digest, after.digest, "over " + after.digest_space),
        after.name);
  }
}

/// Rates of two runs that lie a tenth or more apart.
class Throughput {
 public:
  explicit Throughput(std::string what) : what_(std::move(what)) {}

  void add(const std::string& variant, double before, double after, const std::string& before_text,
           const std::string& after_text) {
    const bool known = std::isfinite(before) && std::isfinite(after) && before > 0 && after > 0;
    if (!known || (after >= before * 0.9 && before >= after * 0.9)) return;
    const char* const comma = before_.empty() ? "" : ", ";
    before_ += fmt::format("{}{} {}", comma, variant, before_text);
    after_ += fmt::format("{}{} {}", comma, variant, after_text);
  }

  void report(KernelChanges& changes) const {
    if (before_.empty()) return;
    Change change = change_of(ChangeKind::kThroughput, before_, after_);
    change.what = what_;
    changes.add(std::move(change), "");
  }

 private:
  std::string what_;
  std::string before_;
  std::string after_;
};

void compare_throughput(const VariantsByName& before, const KernelRecord& after,
                        KernelChanges& changes) {
  const auto rate = [](double value) { return fmt::format("{:.3g} M/s", value / 1e6); };
  const auto time = [](double seconds) { return fmt::format("{:.3g} us", seconds * 1e6); };
  Throughput probes("probes per second");
  std::vector<Throughput> times;  // of calls, in the order of first mention
  std::map<std::string_view, std::size_t> places;
  for (const VariantRecord& variant : after.variants) {
    const VariantRecord* old = before.find(variant.name);
    if (old == nullptr) continue;
    std::map<std::string_view, const RateRecord*> was;
    for (const RateRecord& one : old->rates) was.emplace(one.what, &one);
    std::set<std::string_view> seen;
    for (const RateRecord& one : variant.rates) {
      if (!seen.insert(one.what).second) continue;
      const auto [place, is_new] = places.try_emplace(one.what, times.size());
      if (is_new) times.emplace_back("time of " + one.what);
      const auto known = was.find(one.what);
      if (known == was.end()) continue;
      times[place->second].add(variant.name, known->second->seconds, one.seconds,
                               time(known->second->seconds), time(one.seconds));
    }
    // A kernel that was timed by itself has that to show.
    if (!variant.rates.empty() && !old->rates.empty()) continue;
    probes.add(variant.name, old->probes_per_second, variant.probes_per_second,
               rate(old->probes_per_second), rate(variant.probes_per_second));
  }
  probes.report(changes);
  for (const Throughput& one : times) one.report(changes);
}

/// Targets that only one of the machines has explain a variant's coming and going.
std::string absent_target(const std::string& variant, const MachineRecord& has,
                          const MachineRecord& lacks) {
  const auto in = [&](const MachineRecord& machine) {
    return std::ranges::find(machine.targets, variant) != machine.targets.end();
  };
  return in(has) && !in(lacks) ? "the other machine has no such target" : "";
}

/// A variant that is new is no regression, but what it refutes is.
VariantRecord refuted_alone(const VariantRecord& variant) {
  VariantRecord result;
  result.name = variant.name;
  for (const ClaimRecord& claim : variant.claims) {
    if (claim.verdict == Verdict::kRefuted) result.claims.push_back(claim);
  }
  return result;
}

void compare_kernels(const RunRecord& before, const RunRecord& after, const KernelPair& pair,
                     KernelChanges& changes) {
  const KernelRecord& old = *pair.before;
  const KernelRecord& now = *pair.after;
  if (old.revision_hash != now.revision_hash) {
    changes.add(change_of(ChangeKind::kContract, old.revision_hash, now.revision_hash), "");
  }
  if (old.entry_point != now.entry_point || old.library != now.library) {
    const auto text = [](const KernelRecord& kernel) {
      return fmt::format("{}, {}", kernel.entry_point,
                         kernel.library.empty() ? "built in" : kernel.library);
    };
    changes.add(change_of(ChangeKind::kImplementation, text(old), text(now)), "");
  }
  const bool ran = !was_not_run(old);
  const bool runs = !was_not_run(now);
  if (ran != runs) {
    changes.add(change_of(runs ? ChangeKind::kKernelRuns : ChangeKind::kKernelNotRun,
                          ran ? "run" : "not run", runs ? "run" : "not run",
                          not_run_reason(runs ? old : now)),
                "");
  }
  const VariantsByName old_variants(old);
  const VariantsByName new_variants(now);
  for (const VariantRecord& variant : now.variants) {
    const VariantRecord* was = old_variants.find(variant.name);
    if (was == nullptr) {
      if (ran) {
        changes.add(change_of(ChangeKind::kVariantAdded, "", "",
                              absent_target(variant.name, after.machine, before.machine)),
                    variant.name);
      }
      compare_claims(VariantRecord{}, refuted_alone(variant), true, changes);
      continue;
    }
    compare_digests(*was, variant, same_hardware(before.machine, after.machine), changes);
    compare_claims(*was, variant, before.run.seed == after.run.seed, changes);
  }
  for (const VariantRecord& variant : old.variants) {
    if (!runs || new_variants.find(variant.name) != nullptr) continue;
    changes.add(change_of(ChangeKind::kVariantGone, "", "",
                          absent_target(variant.name, before.machine, after.machine)),
                variant.name);
  }
  compare_throughput(old_variants, now, changes);
}

const KernelRecord& kernel_of(const KernelPair& pair) {
  return pair.after != nullptr ? *pair.after : *pair.before;
}

/// For kernels that share their name.
std::string full_name(const KernelRecord& kernel) {
  return fmt::format("{} ({}{}{})", kernel.kernel, kernel.file, kernel.library.empty() ? "" : ", ",
                     kernel.library);
}

}  // namespace

std::vector<Change> changes_between(const RunRecord& before, const RunRecord& after) {
  std::vector<Change> all;
  compare_runs(before, after, all);
  const std::vector<KernelPair> pairs = pair_kernels(before, after);
  std::map<std::string_view, int> named;
  for (const KernelPair& pair : pairs) ++named[kernel_of(pair).kernel];
  for (const KernelPair& pair : pairs) {
    const KernelRecord& kernel = kernel_of(pair);
    KernelChanges changes(named[kernel.kernel] == 1 ? kernel.kernel : full_name(kernel));
    if (pair.before == nullptr) {
      const bool runs = !was_not_run(kernel);
      changes.add(change_of(runs ? ChangeKind::kKernelAdded : ChangeKind::kKernelAddedNotRun, "",
                            "", runs ? kernel.file : not_run_reason(kernel)),
                  "");
      for (const VariantRecord& variant : kernel.variants) {
        compare_claims(VariantRecord{}, refuted_alone(variant), true, changes);
      }
    } else if (pair.after == nullptr) {
      changes.add(change_of(ChangeKind::kKernelGone, "", "", kernel.file), "");
    } else {
      compare_kernels(before, after, pair, changes);
    }
    std::ranges::move(changes.take(kernel.variants), std::back_inserter(all));
  }
  return all;
}

std::size_t count_of(const std::vector<Change>& changes, Effect effect) {
  return static_cast<std::size_t>(std::ranges::count_if(
      changes, [&](const Change& change) { return row(change.kind).effect == effect; }));
}

std::string_view to_string(Effect effect) {
  constexpr std::array<std::string_view, 3> names = {"regression", "improvement", "information"};
  return names[static_cast<std::size_t>(effect)];
}

}  // namespace assay
