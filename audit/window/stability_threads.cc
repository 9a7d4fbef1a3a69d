// bit_stable: calls of several threads at the same time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "audit/probe/space.h"
#include "audit/window/stability.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/held_call.h"
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
    if (!one_within_another(geometries)) return false;
    for (const std::size_t count : {2u, 4u}) {
      if (!together(geometries, count)) return false;
    }
    shared_.space +=
        "; in the midst of a call of another thread; again and again on 2 and 4 threads";
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
        subject_.heartbeat.at(tally_.planned);
        // For the calls that follow to tell.
        if (runner.run(geometry, base.tensors, true) != CallFault::kNone) return;
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

  /// Callers of different values, and of different extents in turns. False after a fault.
  bool prepare(const std::vector<Geometry>& geometries, std::size_t count,
               std::vector<Caller>& callers) {
    for (std::size_t t = 0; t < count; ++t) {
      callers.push_back({base_of(geometries[t % geometries.size()], mix(subject_.seed + t)), {}});
      if (!prepare(callers.back())) return false;
    }
    return true;
  }

  static void clear(Caller& caller) {
    std::memset(caller.call.output.data, kCanary, caller.due.size());
  }

  /// One call is held at one place after another, and another one made meanwhile.
  bool one_within_another(const std::vector<Geometry>& geometries) {
    constexpr int kHolds = 24;
    constexpr double kLongest = 0.040;  // seconds, for all of them
    std::vector<Caller> callers;
    if (!prepare(geometries, 2, callers)) return false;
    EnvironmentLog log;
    const auto call = [&](Caller& me) {
      me.reply = make_call(subject_.variant, me.call, log, false);
    };
    double whole = kLongEnough;
    int held = 0;
    double place = 0.5;
    const auto start = std::chrono::steady_clock::now();
    for (int hold = 0; hold < kHolds; ++hold) {
      for (Caller& me : callers) clear(me);
      Caller& outer = callers[hold % 2 == 0 ? 0 : 1];
      Caller& inner = callers[hold % 2 == 0 ? 1 : 0];
      subject_.heartbeat.at(tally_.planned);
      const bool within = call_within([&] { call(outer); }, whole * place, [&] { call(inner); });
      held += within ? 1 : 0;
      if (!within) call(inner);
      if (!right(outer) || !right(inner)) break;
      // Places spread evenly, whatever their number.
      place = std::fmod(place + 0.618, 1.0);
      whole = std::min(whole, std::max(inner.reply.seconds, 1e-6));
      if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(kLongest)) break;
    }
    subject_.environment.add_changes(log);
    if (held == 0) {
      const std::string before = tally_.observation;
      put(tally_.observation, before + (before.empty() ? "" : "; ") +
                                  "no call could be made in the midst of another one");
    }
    return look_at(callers);
  }

  bool together(const std::vector<Geometry>& geometries, std::size_t count) {
    std::vector<Caller> callers;
    if (!prepare(geometries, count, callers)) return false;
    EnvironmentLog log;
    std::vector<Turn> turns;
    for (Caller& me : callers) {
      turns.push_back(
          {[&me] { clear(me); },
           [&me, &log, this] { me.reply = make_call(subject_.variant, me.call, log, false); },
           [&me, this] { return right(me); }});
    }
    subject_.heartbeat.at(tally_.planned);
    run_side_by_side(turns);
    subject_.environment.add_changes(log);
    return look_at(callers);
  }

  /// The last calls of all. False after a fault.
  bool look_at(const std::vector<Caller>& callers) {
    tally_.planned += callers.size();
    return std::all_of(callers.begin(), callers.end(),
                       [&](const Caller& me) { return look_at(me); });
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
