// bit_stable: calls of several threads at the same time.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "audit/probe/space.h"
#include "audit/window/stability.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/side_by_side.h"

namespace assay::window {

namespace {

/// A call shorter than this is over before the next thread's begins.
constexpr double kLongEnough = 60e-6;  // seconds

/// One calling thread, with tensors of its own, so that one that sees those of another shows.
struct Caller {
  Base base;
  Call call;
  std::vector<std::unique_ptr<GuardedPages>> pages = {};  // of the inputs, and the output
  std::vector<std::vector<unsigned char>> inputs = {};
  std::vector<unsigned char> due = {};
  Reply reply = {};
};

class ThreadsJudge {
 public:
  explicit ThreadsJudge(StabilityBench& shared)
      : shared_(shared), subject_(shared.subject), tally_(shared.tally) {}

  bool judge() {
    std::vector<Geometry> geometries = busy_geometries();
    if (geometries.empty()) return true;
    for (Geometry& geometry : geometries) grow(geometry);
    for (const std::size_t count : {2u, 4u}) {
      if (!together(geometries, count)) return false;
    }
    shared_.space += "; again and again on 2 and 4 threads side by side";
    return true;
  }

 private:
  const Operation& operation() const { return shared_.operation(); }

  /// Two geometries with many products for each element, as far as the contract admits them: calls
  /// that share what depends on values, and what depends on extents.
  std::vector<Geometry> busy_geometries() const {
    struct Channels {
      std::int64_t groups;
      std::int64_t count;
    };
    std::vector<Geometry> chosen;
    for (const Pair image : {Pair{10, 12}, Pair{9, 14}}) {
      for (const Channels channels :
           {Channels{1, 8}, Channels{2, 8}, Channels{4, 8}, Channels{8, 8}, Channels{1, 1}}) {
        Geometry geometry;
        geometry.extents.groups = channels.groups;
        geometry.extents.in_channels = geometry.extents.out_channels = channels.count;
        geometry.extents.image = image;
        geometry.extents.kernel = {3, 3};
        geometry.bias = operation().takes_bias;
        if (!complete(operation(), geometry)) continue;
        chosen.push_back(geometry);
        break;
      }
    }
    if (!chosen.empty()) return chosen;
    // The contract asks for something else. The largest of the cases elsewhere.
    for (const Case& the_case : stability_cases(subject_.job, 40)) {
      chosen.insert(chosen.begin(), the_case.geometry);
    }
    chosen.resize(std::min<std::size_t>(chosen.size(), 2));
    return chosen;
  }

  Base base_of(const Geometry& geometry, std::uint64_t seed) const {
    const Case the_case{geometry, Family::kScaled, seed};
    return {the_case, make_tensors(operation(), the_case)};
  }

  /// More images, until a call takes long enough. Its calls are not counted: how many they are
  /// depends on the machine.
  void grow(Geometry& geometry) {
    constexpr std::size_t kMostElements = 1 << 16;
    EnvironmentLog log;
    CaseRunner runner(operation(), subject_.variant, log);
    while (input_elements(operation(), geometry) < kMostElements) {
      const Base base = base_of(geometry, subject_.seed);
      double seconds = 1;
      for (int round = 0; round < 2; ++round) {
        CallFault fault = CallFault::kNone;
        subject_.heartbeat.at(tally_.planned);
        const CaughtSignal signal =
            run_catching([&] { fault = runner.run(geometry, base.tensors); });
        // For the calls that follow to tell.
        if (signal.signal != 0 || fault != CallFault::kNone) return;
        seconds = std::min(seconds, runner.seconds());
      }
      if (seconds >= kLongEnough) return;
      Geometry larger = geometry;
      larger.extents.batch *= 2;
      if (!complete(operation(), larger)) return;
      geometry = larger;
    }
  }

  /// Gives the caller memory, and the bytes that are due. False after a fault.
  bool prepare(Caller& caller) {
    if (!shared_.give(caller.base)) return false;
    const Geometry& geometry = caller.base.the_case.geometry;
    caller.call = dense_call(operation(), geometry);
    for (const std::vector<Bits>* values : caller.base.tensors.inputs(operation(), geometry)) {
      caller.inputs.push_back(bytes_of(*values));
    }
    caller.due = bytes_of(caller.base.due);
    for (std::size_t i = 0; i <= caller.inputs.size(); ++i) {
      const bool is_output = i == caller.inputs.size();
      const std::vector<unsigned char>& bytes = is_output ? caller.due : caller.inputs[i];
      caller.pages.push_back(std::make_unique<GuardedPages>(bytes.size() + kSlack));
      unsigned char* data = caller.pages.back()->begin();
      (is_output ? caller.call.output : caller.call.inputs[i]).data = data;
      if (!is_output && !bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
    }
    return true;
  }

  std::vector<unsigned char> bytes_of(const std::vector<Bits>& values) const {
    std::vector<unsigned char> bytes(values.size() * subject_.element_bytes());
    write_elements(bytes.data(), values, operation().dtype);
    return bytes;
  }

  bool together(const std::vector<Geometry>& geometries, std::size_t count) {
    std::vector<Caller> callers;
    for (std::size_t t = 0; t < count; ++t) {
      callers.push_back({base_of(geometries[t % geometries.size()], mix(subject_.seed + t)), {}});
      if (!prepare(callers.back())) return false;
    }
    EnvironmentLog log;
    std::vector<Turn> turns;
    for (Caller& me : callers) {
      turns.push_back(
          {[&me] { std::memset(me.call.output.data, kCanary, me.due.size()); },
           [&me, &log, this] { me.reply = make_call(subject_.variant, me.call, log, false); },
           [&me, this] { return right(me); }});
    }
    subject_.heartbeat.at(tally_.planned);
    const Together together = run_side_by_side(turns);
    subject_.environment.add_changes(log);
    if (together.overlap == 0) {
      const std::string before = tally_.observation;
      put(tally_.observation, fmt::format("{}{}calls of {} threads never ran at the same time",
                                          before, before.empty() ? "" : "; ", count));
    }
    tally_.planned += count;
    for (const Caller& me : callers) {
      if (!look_at(me)) return false;
    }
    return true;
  }

  bool right(const Caller& caller) const {
    CallFault fault = CallFault::kNone;
    fault_of(caller.reply, subject_.variant, fault);
    return fault == CallFault::kNone && !caller.reply.inputs_changed.any() &&
           std::memcmp(caller.call.output.data, caller.due.data(), caller.due.size()) == 0;
  }

  /// What a caller's last call gave. False after a fault.
  bool look_at(const Caller& caller) {
    CallFault fault = CallFault::kNone;
    const std::string text = fault_of(caller.reply, subject_.variant, fault);
    if (fault != CallFault::kNone) {
      put_fault(tally_, fault, "from several threads: " + text);
      return false;
    }
    ++tally_.probes;
    std::string change = description_change(operation(), caller.reply);
    for (std::size_t i = 0; i < caller.inputs.size() && change.empty(); ++i) {
      const std::vector<unsigned char>& was = caller.inputs[i];
      const auto at = std::mismatch(was.begin(), was.end(), caller.call.inputs[i].data);
      if (at.first == was.end()) continue;
      change = element_change(operation(), i, static_cast<std::size_t>(at.first - was.begin()));
    }
    if (!change.empty()) {
      add_input_change(tally_, &caller.base.the_case, "a call among those of several threads",
                       change);
    }
    const std::vector<Bits> got =
        read_elements(caller.call.output.data, caller.base.due.size(), operation().dtype);
    shared_.compare(caller.base, got, {"several calling threads"}, [&] { return got; });
    return true;
  }

  StabilityBench& shared_;
  Subject& subject_;
  CallTally& tally_;
};

}  // namespace

bool judge_threads(StabilityBench& bench) {
  return ThreadsJudge(bench).judge();
}

}  // namespace assay::window
