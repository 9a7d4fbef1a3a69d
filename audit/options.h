// What the caller of an audit may choose.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "audit/shard.h"
#include "contracts/claim.h"

namespace assay {

class Checkpoint;

enum class Effort : std::uint8_t { kQuick, kStandard, kExhaustive };

constexpr const char* to_string(Effort effort) {
  constexpr const char* names[] = {"quick", "standard", "exhaustive"};
  return names[static_cast<std::size_t>(effort)];
}

/// Progress of the long part of an audit.
struct Progress {
  std::string_view stage;   ///< "casts"; done and total begin anew with each
  std::uint64_t done = 0;   ///< probes
  std::uint64_t total = 0;  ///< probes
};

/// When to start nothing any more; none: never.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// The parts of an audit that run. Claims whose part is left out are left undecided.
struct Parts {
  bool sweeps = true;  ///< over the probe spaces, and what is measured besides
  bool calls = true;   ///< the judges of claims about calls
  /// Of those judges this one only; unset: all.
  std::optional<ClaimKind> one_judge = {};

  bool has_judge(ClaimKind kind) const { return calls && (!one_judge || *one_judge == kind); }
};

struct AuditOptions {
  std::vector<std::string> only;      ///< glob patterns of kernel names; none: all
  std::vector<std::string> variants;  ///< glob patterns of variant names; none: all
  Effort effort = Effort::kStandard;
  std::uint64_t seed = 1;
  unsigned threads = 1;  ///< worker processes
  std::optional<std::chrono::duration<double>> time_budget;
  std::chrono::seconds hang_after{20};
  std::string command;  ///< as typed, for the report
  std::function<void(const Progress&)> progress;
  Checkpoint* checkpoint = nullptr;  ///< keeps finished work and knows earlier work, if set
  Parts parts = {};
  Shard shard = {};  ///< the part of the audit that runs; a part needs a checkpoint to be merged
  /// Of shards that are merged: which of them did not come to their end, and why.
  std::string unfinished_shards = {};
};

/// How far a run came.
struct Ending {
  bool interrupted = false;
  bool out_of_time = false;

  /// Why it did not come to its end; empty if it did.
  std::string reason() const {
    if (interrupted) return "interrupted";
    return out_of_time ? "the time budget was used up" : "";
  }
  /// The same of the whole audit: of a shard also that it is one, of merged shards what their ends
  /// were.
  std::string reason(const AuditOptions& options) const;
};

/// The caller asked for something that does not exist: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The audit itself cannot be trusted or continued: exit status 3.
class AuditError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay
