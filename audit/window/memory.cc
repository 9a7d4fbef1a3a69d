// What a call may touch: in_bounds, inputs_unmodified, output_fully_written and aliasing; and the
// floating-point environment.
#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "audit/judge/structure.h"
#include "audit/window/bench.h"
#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

constexpr std::size_t kCases = 80;

bool is_memory_fault(const CaughtSignal& signal) {
  return signal.signal == SIGSEGV || signal.signal == SIGBUS;
}

/// The first difference between the results of two calls that are to give the same.
void add_difference(CallTally& tally, const Case& the_case, const std::vector<Bits>& got,
                    const std::vector<Bits>& due, const std::string& circumstances,
                    const std::string& why) {
  std::size_t i = 0;
  while (got[i] == due[i]) ++i;
  add_violation(tally, the_case, i, got[i], due[i], circumstances, why);
}

}  // namespace

void judge_inputs_unmodified(Subject& subject, CallTally& tally) {
  Bench bench(subject, tally);
  for (const Case& the_case : small_cases(subject.job, kCases)) {
    bench.lay_out(the_case);
    bench.set_detail("inputs in read-only memory");
    const std::size_t inputs = bench.tensors() - 1;
    for (std::size_t i = 0; i < inputs; ++i) bench.room(i).pages().set_writable(false);
    const Reply reply = bench.attempt();
    for (std::size_t i = 0; i < inputs; ++i) bench.room(i).pages().set_writable(true);
    bool written = false;
    for (std::size_t i = 0; i < inputs && is_memory_fault(reply.signal); ++i) {
      const auto* at = static_cast<const unsigned char*>(reply.signal.address);
      const unsigned char* data = bench.call().inputs[i].data;
      if (at < data || at >= data + bench.bytes(i)) continue;
      written = true;
      ++tally.probes;
      add_violation(tally, &the_case, bench.circumstances(),
                    element_change(subject.operation(), i, static_cast<std::size_t>(at - data)));
    }
    if (written) continue;
    if (!bench.carried_out(reply)) return;
    if (!reply.inputs_changed.any()) continue;
    add_violation(tally, &the_case, bench.circumstances(),
                  description_change(subject.operation(), reply));
  }
  // They are violations here already.
  tally.input_changes = {};
  put(tally.space, fmt::format("{} calls with every input in read-only memory", tally.planned));
}

void judge_output_fully_written(Subject& subject, CallTally& tally) {
  Bench bench(subject, tally);
  const std::vector<Case> cases = small_cases(subject.job, kCases);
  for (const Case& the_case : cases) {
    bench.lay_out(the_case);
    if (!bench.run(0x00)) return;
    const std::vector<Bits> results = bench.results();
    for (const unsigned char old : std::initializer_list<unsigned char>{0xff, 0xa5}) {
      bench.set_detail(fmt::format("output filled with 0x{:02x} before, then 0x00", old));
      if (!bench.run(old)) return;
      const std::vector<Bits> got = bench.results();
      if (got == results || !shows_again(
                                tally, the_case, results, got, [&] { return bench.again(0x00); },
                                [&] { return bench.again(old); })) {
        continue;
      }
      add_difference(tally, the_case, got, results, bench.circumstances(),
                     "a result depends on what the output held before: not written, or read");
    }
  }
  put(tally.space, fmt::format("{} cases, each over three old outputs", cases.size()));
}

namespace {

/// One input, and the output directly behind or before it; the other inputs elsewhere.
class Neighbours {
 public:
  Neighbours(Subject& subject, CallTally& tally, Bench& bench)
      : subject_(subject), tally_(tally), bench_(bench) {}

  bool judge(const Case& the_case, const std::vector<Bits>& due, std::size_t input,
             bool output_behind) {
    const std::size_t alignment = subject_.alignment();
    const auto padded = [&](std::size_t bytes) {
      return (bytes + alignment - 1) / alignment * alignment;
    };
    const std::size_t output = bench_.tensors() - 1;
    const std::size_t in_room = padded(bench_.bytes(input));
    const std::size_t out_room = padded(bench_.bytes(output));
    Call call = bench_.call();
    room_.reserve(in_room + out_room);
    call.inputs[input].data = room_.front() + (output_behind ? 0 : out_room);
    call.output.data = room_.front() + (output_behind ? in_room : 0);
    if (bench_.bytes(input) != 0) {
      std::memcpy(call.inputs[input].data, bench_.call().inputs[input].data, bench_.bytes(input));
    }
    bench_.set_detail(fmt::format("the output directly {} `{}`",
                                  output_behind ? "behind" : "before", bench_.name(input)));
    // The old output is that of the call apart: what it has to say is another claim's.
    const auto attempt = [&] {
      if (!due.empty()) std::memset(call.output.data, kCanary, bench_.bytes(output));
      return bench_.attempt(call);
    };
    const auto results = [&] {
      return read_elements(call.output.data, due.size(), subject_.operation().dtype);
    };
    if (!bench_.carried_out(attempt())) return false;
    if (std::memcmp(call.inputs[input].data, bench_.call().inputs[input].data,
                    bench_.bytes(input)) != 0) {
      add_violation(tally_, &the_case, bench_.circumstances(),
                    fmt::format("`{}` changed although nothing is shared", bench_.name(input)));
      return true;
    }
    const std::vector<Bits> got = results();
    const auto adjacent = [&] {
      attempt();
      --tally_.planned;
      return results();
    };
    if (got == due || !shows_again(
                          tally_, the_case, due, got, [&] { return bench_.again(); }, adjacent)) {
      return true;
    }
    add_difference(tally_, the_case, got, due, bench_.circumstances(),
                   "a result depends on where the input and the output lie");
    return true;
  }

 private:
  Subject& subject_;
  CallTally& tally_;
  Bench& bench_;
  Room room_;
};

}  // namespace

void judge_aliasing(Subject& subject, CallTally& tally) {
  const std::string& aliasing = subject.job.contract->outputs.front().aliasing.value;
  if (aliasing != "none") {
    return put(tally.undecidable,
               fmt::format("only aliasing 'none' is judged here, not '{}'", aliasing));
  }
  Bench bench(subject, tally);
  Neighbours neighbours(subject, tally, bench);
  const std::vector<Case> cases = small_cases(subject.job, kCases);
  for (const Case& the_case : cases) {
    bench.lay_out(the_case);
    if (!bench.run()) return;
    const std::vector<Bits> due = bench.results();
    for (std::size_t input = 0; input + 1 < bench.tensors(); ++input) {
      for (const bool behind : {true, false}) {
        if (!neighbours.judge(the_case, due, input, behind)) return;
      }
    }
  }
  put(tally.space, fmt::format("{} cases with the output apart, and directly behind and before "
                               "each input, inputs compared afterwards",
                               cases.size()));
}

void judge_fp_environment(Subject& subject, CallTally& tally) {
  const FpEnvironment base = FpEnvironment::current();
  // Loading a library can break the claim. That it does not is no evidence: that is in calls.
  const std::string& effect = subject.job.kernel->load_effect;
  if (!subject.variant.library.empty() && !effect.empty()) {
    ++tally.planned;
    ++tally.probes;
    add_violation(
        tally, nullptr, "loading the library",
        "loading the library changes the floating-point environment of the process: " + effect);
  }
  Bench bench(subject, tally);
  const std::vector<Case> cases = small_cases(subject.job, 30);
  for (const Case& the_case : cases) {
    bench.lay_out(the_case);
    for (int setting = 0; setting < kFpSettings; ++setting) {
      bench.set_detail(fmt::format("environment setting {}", setting));
      EnvironmentLog log;
      subject.heartbeat.at(++tally.planned);
      fp_setting(setting, base).restore();
      const Reply reply = make_call(subject.variant, bench.call(), log, true);
      base.restore();
      if (!bench.carried_out(reply)) return;
      if (log.changes() == 0) continue;
      add_violation(tally, &the_case, bench.circumstances(), log.first_change());
    }
  }
  put(tally.space,
      fmt::format("{} cases under 4 rounding directions, with and without flush-to-zero, and every "
                  "other call of the audit under the default environment",
                  cases.size()));
}

}  // namespace assay::window
