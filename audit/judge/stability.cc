// bit_stable: what one element gives when it is alone is what it must give everywhere else.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iterator>
#include <memory>

#include "audit/judge/structure.h"
#include "audit/probe/space.h"
#include "audit/worker/buffer.h"
#include "audit/worker/held_call.h"
#include "audit/worker/own_threads.h"
#include "audit/worker/shared_array.h"
#include "audit/worker/side_by_side.h"
#include "oracles/cast_oracle.h"

namespace assay {

namespace {

constexpr std::size_t kValues = 512;
constexpr std::size_t kWidestLanes = 64;                // 64-byte vectors of bytes
constexpr std::size_t kLongest = 4 * kWidestLanes + 3;  // every tail after up to four vectors

/// Bytes that hold the elements of the calls on few of them, and more than a vector behind those.
constexpr std::size_t kFewElements = 2 * kLongest * sizeof(Bits);

constexpr std::size_t kLargest = 65539;  // past every 16-bit index

/// A dense buffer whose start can be moved in steps of `alignment`. It has pages of its own and
/// slack on both sides: what a kernel writes a little too far must not reach the auditor's own
/// memory.
class Buffer {
 public:
  Buffer(std::size_t elements, std::size_t element_bytes, std::size_t alignment)
      : alignment_(alignment),
        bytes_(elements * element_bytes + 64 * alignment + kSlack),
        pages_(kMostAlignment + bytes_),
        memory_(pages_.begin() + kMostAlignment) {}
  unsigned char* at(std::size_t step) { return memory_ + step * alignment_; }
  void fill(unsigned char byte) { fill(byte, bytes_); }
  /// The first `bytes` only: enough for a call that writes fewer. A megabyte before each of a
  /// thousand calls on one element would take longer than all the rest.
  void fill(unsigned char byte, std::size_t bytes) {
    std::memset(memory_, byte, std::min(bytes, bytes_));
  }

 private:
  std::size_t alignment_;
  std::size_t bytes_;
  GuardedPages pages_;
  unsigned char* memory_;
};

class StabilityJudge {
 public:
  StabilityJudge(Subject& subject, StructureTally& tally)
      : subject_(subject),
        tally_(tally),
        runner_(subject.kernel, subject.variant, subject.environment),
        values_(structure_values(subject, kValues)),
        in_(kLargest, subject.from_bytes(), subject.alignment()),
        out_(kLargest, subject.to_bytes(), subject.alignment()) {}

  void judge() {
    const bool complete = in_other_processes() && baseline() && again() && lengths() &&
                          processes() && alignments() && within_elements() && neighbours() &&
                          old_output() && registers() && batches() && threads();
    if (!complete) return;
    below_alignment();
    put(tally_.space,
        fmt::format("{} values alone, then again; in every length up to {}; at every start in two "
                    "cache lines that the contract's alignment allows; in every lane with eight "
                    "kinds of neighbours; over four old outputs; with dirty vector registers; in "
                    "batches up to 65539; in the first call of a process; in another process; "
                    "{}; again and again on 2 and on 4 threads{}",
                    values_.size(), kLongest,
                    held_ ? "in the midst of a call of another thread"
                          : "beside a call of another thread, which could not be held in its midst",
                    subject_.variant.threads
                        ? "; with 1, 2 and 4 threads of the library's own asked "
                          "for, by OMP_NUM_THREADS and the processors allowed"
                        : ""));
  }

 private:
  /// One call over `inputs`; compares each result with the element's own. False on a fault.
  bool check(const std::vector<Bits>& inputs, const std::vector<Bits>& due, std::size_t in_step,
             std::size_t out_step, const char* factor) {
    ++tally_.planned;
    subject_.heartbeat.at(tally_.planned);
    unsigned char* in = in_.at(in_step);
    unsigned char* out = out_.at(out_step);
    write_elements(in, inputs, subject_.from());
    const CallFault fault = runner_.call(in, out, inputs.size());
    if (fault != CallFault::kNone) {
      put_fault(tally_, fault, runner_.fault());
      return false;
    }
    ++tally_.probes;
    compare(inputs, due, out, factor);
    return true;
  }

  void compare(const std::vector<Bits>& inputs, const std::vector<Bits>& due, const void* out,
               const char* factor, const char* where_due = "alone") {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Bits got = oracle::load(out, i, subject_.to());
      if (got == due[i]) continue;
      add_violation(
          tally_, inputs, i, got, due[i],
          fmt::format("element {} of {}; what changed: {}", i, inputs.size(), factor),
          fmt::format("{} gives {} {} and {} here ({})", hex(inputs[i], subject_.from()),
                      hex(due[i], subject_.to()), where_due, hex(got, subject_.to()), factor));
      return;
    }
  }

  /// In a process in which the kernel was not called before, so that what a first call sets up is
  /// seen with every value; and in one with other addresses, after other work. Both are forked
  /// before the kernel is called here: threads that it starts and keeps would not be in a fork.
  bool in_other_processes() {
    if (!probe_in_child({.inputs = values_}, first_) ||
        !probe_in_child({.inputs = values_, .earlier_calls = {1, 7, values_.size() / 2}}, later_)) {
      return false;
    }
    if (!subject_.variant.threads) return true;
    for (std::size_t i = 0; i < std::size(kOwnThreadCounts); ++i) {
      const NewProcess process = {.inputs = cycled(values_, 0, kLargest),
                                  .own_threads = kOwnThreadCounts[i]};
      if (!probe_in_child(process, own_threads_[i])) return false;
    }
    return true;
  }

  bool baseline() {
    alone_.resize(values_.size());
    out_.fill(0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      subject_.heartbeat.at(i);
      oracle::store(in_.at(0), 0, subject_.from(), values_[i]);
      out_.fill(0, kFewElements);
      const CallFault fault = runner_.call(in_.at(0), out_.at(0), 1);
      if (fault != CallFault::kNone) {
        put_fault(tally_, fault, runner_.fault());
        return false;
      }
      alone_[i] = oracle::load(out_.at(0), 0, subject_.to());
    }
    return true;
  }

  bool again() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!check({values_[i]}, {alone_[i]}, 0, 0, "the same call again, after other work")) {
        return false;
      }
    }
    return true;
  }

  /// What calls in other processes gave is compared with a call over as many elements in this one:
  /// what the length and the place in the tensor change is not theirs.
  bool processes() {
    if (!stretch(0, values_.size(), 0, 0, "length and position in the tensor")) return false;
    compare_processes(values_, {{first_.data(), "the first call of a process"},
                                {later_.data(), "another process with other addresses"}});
    if (subject_.variant.threads) {
      if (!stretch(0, kLargest, 0, 0, "size of the batch")) return false;
      std::vector<std::string> factors;
      std::vector<Elsewhere> elsewhere;
      for (const unsigned count : kOwnThreadCounts) {
        factors.push_back(fmt::format("threads of the library's own, {} of them", count));
      }
      for (std::size_t i = 0; i < factors.size(); ++i) {
        elsewhere.push_back({own_threads_[i].data(), factors[i].c_str()});
      }
      compare_processes(cycled(values_, 0, kLargest), elsewhere);
    }
    return true;
  }

  struct Elsewhere {
    const void* out;
    const char* factor;
  };

  /// The results of this process's last call, which was over the same inputs, with those elsewhere.
  void compare_processes(const std::vector<Bits>& inputs, const std::vector<Elsewhere>& elsewhere) {
    const std::vector<Bits> here = read_elements(out_.at(0), inputs.size(), subject_.to());
    for (const Elsewhere& each : elsewhere) {
      compare(inputs, here, each.out, each.factor, "in another call like it");
    }
  }

  /// `n` of `all`, from `start` on, again and again.
  static std::vector<Bits> cycled(const std::vector<Bits>& all, std::size_t start, std::size_t n) {
    std::vector<Bits> chosen;
    chosen.reserve(n);
    std::size_t from = start % all.size();
    while (chosen.size() < n) {
      const std::size_t taken = std::min(all.size() - from, n - chosen.size());
      chosen.insert(chosen.end(), all.begin() + static_cast<std::ptrdiff_t>(from),
                    all.begin() + static_cast<std::ptrdiff_t>(from + taken));
      from = 0;
    }
    return chosen;
  }

  bool stretch(std::size_t start, std::size_t n, std::size_t in_step, std::size_t out_step,
               const char* factor) {
    return check(cycled(values_, start, n), cycled(alone_, start, n), in_step, out_step, factor);
  }

  bool lengths() {
    for (std::size_t n = 2; n <= kLongest; ++n) {
      for (const std::size_t start : {n, n * 37}) {
        if (!stretch(start, n, 0, 0, "length and tail position")) return false;
      }
    }
    return true;
  }

  bool alignments() {
    const std::size_t steps = std::max<std::size_t>(4, 128 / subject_.alignment());
    for (std::size_t step = 0; step < std::min<std::size_t>(steps, 63); ++step) {
      for (const std::size_t n : {67u, 131u}) {
        if (!stretch(step, n, step, 0, "start of the input buffer") ||
            !stretch(step, n, 0, step, "start of the output buffer") ||
            !stretch(step, n, step, (step * 7 + 1) % steps, "starts of both buffers")) {
          return false;
        }
      }
    }
    return true;
  }

  /// Starts between the multiples of an element's size, where the contract allows them.
  bool within_elements() {
    const std::size_t step = subject_.contract.caps.alignment_bytes.value_or(~std::uint64_t{0});
    constexpr std::size_t n = 67;
    const std::vector<Bits> inputs(values_.begin(), values_.begin() + n);
    const std::vector<Bits> due(alone_.begin(), alone_.begin() + n);
    const std::size_t element = std::max(subject_.from_bytes(), subject_.to_bytes());
    for (std::size_t offset = step; offset < element; offset += step) {
      for (const bool moved_output : {false, true}) {
        ++tally_.planned;
        subject_.heartbeat.at(tally_.planned);
        unsigned char* in = in_.at(0) + offset;
        unsigned char* out = out_.at(0) + (moved_output ? offset : 0);
        write_elements(in, inputs, subject_.from());
        CallFault fault = CallFault::kNone;
        const CaughtSignal signal = run_catching([&] { fault = runner_.call(in, out, n); });
        if (fault != CallFault::kNone) {
          put_fault(tally_, fault, runner_.fault());
          return false;
        }
        ++tally_.probes;
        if (signal.signal == 0) {
          compare(inputs, due, out, "starts within an element");
          continue;
        }
        add_violation(
            tally_, inputs, 0,
            fmt::format("{} elements, buffers {} bytes past the start of an element", n, offset),
            fmt::format("the call ended with {} at a start that the contract's alignment "
                        "of {} bytes allows",
                        strsignal(signal.signal), step));
      }
    }
    return true;
  }

  /// Values that stand for a kind: as neighbours, and as the element that must not be disturbed.
  std::vector<std::size_t> kinds() const {
    const DtypeTraits& from = traits(subject_.from());
    std::vector<std::size_t> chosen;
    const auto first = [&](auto&& wanted) {
      for (std::size_t i = 0; i < values_.size(); ++i) {
        if (wanted(values_[i])) {
          chosen.push_back(i);
          return;
        }
      }
    };
    first([&](Bits b) { return from.is_nan(b) && from.is_quiet(b); });
    first([&](Bits b) { return from.is_nan(b) && !from.is_quiet(b); });
    first([&](Bits b) { return from.is_finite(b) && !from.is_zero(b) && from.is_subnormal(b); });
    first([&](Bits b) { return from.is_zero(b); });
    first([&](Bits b) { return from.is_infinite(b) && !from.is_negative(b); });
    first([&](Bits b) { return from.is_finite(b) && b > (from.all_mask() >> 2); });
    for (std::size_t i = 0; chosen.size() < 8; ++i) chosen.push_back(i * 61 % values_.size());
    return chosen;
  }

  bool neighbours() {
    const std::vector<std::size_t> chosen = kinds();
    for (const std::size_t neighbour : chosen) {
      for (std::size_t v = 0; v < chosen.size() + 8; ++v) {
        const std::size_t subject = v < chosen.size() ? chosen[v] : (v * 97) % values_.size();
        for (std::size_t lane = 0; lane < kWidestLanes; ++lane) {
          std::vector<Bits> inputs(kWidestLanes + 3, values_[neighbour]);
          std::vector<Bits> due(kWidestLanes + 3, alone_[neighbour]);
          inputs[lane] = values_[subject];
          due[lane] = alone_[subject];
          if (!check(inputs, due, 0, 0, "lane position and neighbours")) return false;
        }
      }
    }
    return true;
  }

  bool old_output() {
    for (const unsigned char old : std::initializer_list<unsigned char>{0x00, 0xff, 0x7f, 0xa5}) {
      for (const std::size_t n : {1u, 2u, 63u, 64u, 65u, 259u}) {
        out_.fill(old, kFewElements);
        if (!stretch(old, n, 0, 0, "old contents of the output buffer")) return false;
      }
    }
    return true;
  }

  bool registers() {
    for (const std::size_t n : {1u, 3u, 8u, 17u, 64u, 100u}) {
      dirty_vector_registers();
      if (!stretch(n, n, 0, 0, "contents of the vector registers")) return false;
    }
    return true;
  }

  bool batches() {
    out_.fill(0xa5);
    for (const std::size_t n :
         std::initializer_list<std::size_t>{512, 1000, 4096, 4099, 8191, 16411, kLargest}) {
      if (!stretch(n, n, 0, 0, "size of the batch")) return false;
    }
    return true;
  }

  /// What is converted in one call of a new process.
  struct NewProcess {
    std::vector<Bits> inputs;
    std::vector<std::size_t> earlier_calls =
        {};                    ///< of so many elements each; none: it is the first
    unsigned own_threads = 0;  ///< asked of the library; 0: as it likes
  };

  /// One probe. False on a fault.
  bool probe_in_child(const NewProcess& process, std::vector<unsigned char>& out_bytes) {
    ++tally_.planned;
    const std::size_t n = process.inputs.size();
    SharedArray<unsigned char> results(n * subject_.to_bytes());
    const bool ended = run_in_child(
        [&] {
          if (process.own_threads != 0) ask_for_own_threads(process.own_threads);
          // Other pages than those of the first call.
          const std::vector<char> moved(process.earlier_calls.empty() ? 1 : 3 << 20);
          Buffer in(n, subject_.from_bytes(), subject_.alignment());
          Buffer out(n, subject_.to_bytes(), subject_.alignment());
          write_elements(in.at(1), process.inputs, subject_.from());
          CastRunner runner(subject_.kernel, subject_.variant, subject_.environment);
          const auto call = [&](std::size_t elements) {
            if (runner.call(in.at(1), out.at(2), elements) != CallFault::kNone) {
              throw std::runtime_error("refused");
            }
          };
          for (const std::size_t elements : process.earlier_calls) call(elements);
          call(n);
          std::memcpy(&results[0], out.at(2), results.size());
        },
        std::chrono::seconds(10),
        [this, beat = std::uint64_t{0}]() mutable { subject_.heartbeat.at(++beat); });
    if (!ended) {
      put_fault(
          tally_, CallFault::kRefused,
          process.own_threads == 0
              ? "the kernel failed in another process"
              : fmt::format("the kernel failed with {} threads of its own", process.own_threads));
      return false;
    }
    out_bytes.assign(&results[0], &results[0] + results.size());
    ++tally_.probes;
    return true;
  }

  /// One calling thread. Each has values of its own, so that a thread that sees the data of another
  /// shows.
  struct Caller {
    std::vector<Bits> inputs;
    std::vector<unsigned char> due;  ///< bytes
    std::unique_ptr<Buffer> in;
    std::unique_ptr<Buffer> out;
    std::unique_ptr<CastRunner> runner;
    CallFault fault = CallFault::kNone;
  };

  /// As many elements as take a while, so that calls are under way together.
  Caller caller(std::size_t number, EnvironmentLog& log) {
    Caller result;
    const std::size_t n = kLargest - number;
    result.inputs = cycled(values_, number * 97, n);
    result.due.resize(n * subject_.to_bytes());
    write_elements(result.due.data(), cycled(alone_, number * 97, n), subject_.to());
    result.in = std::make_unique<Buffer>(n, subject_.from_bytes(), subject_.alignment());
    result.out = std::make_unique<Buffer>(n, subject_.to_bytes(), subject_.alignment());
    write_elements(result.in->at(0), result.inputs, subject_.from());
    result.runner = std::make_unique<CastRunner>(subject_.kernel, subject_.variant, log);
    return result;
  }

  static void call(Caller& me) {
    me.fault = me.runner->call(me.in->at(0), me.out->at(0), me.inputs.size());
  }
  static bool right(const Caller& me) {
    return me.fault == CallFault::kNone &&
           std::memcmp(me.out->at(0), me.due.data(), me.due.size()) == 0;
  }

  bool threads() {
    if (!one_within_another()) return false;
    for (const std::size_t count : {2u, 4u}) {
      EnvironmentLog log;
      std::vector<Caller> callers;
      for (std::size_t t = 0; t < count; ++t) callers.push_back(caller(t, log));
      std::vector<Turn> turns;
      for (Caller& me : callers) {
        turns.push_back(
            {[&me] { me.out->fill(0xc5); }, [&me] { call(me); }, [&me] { return right(me); }});
      }
      subject_.heartbeat.at(tally_.planned);
      run_side_by_side(turns);
      if (!look_at(callers, log)) return false;
    }
    return true;
  }

  /// One call is held at one place after another, and another one made meanwhile.
  bool one_within_another() {
    constexpr int kHolds = 12;
    EnvironmentLog log;
    std::vector<Caller> callers;
    for (std::size_t t = 0; t < 2; ++t) callers.push_back(caller(t, log));
    const auto start = std::chrono::steady_clock::now();
    call(callers[1]);
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
    for (int hold = 0; hold < kHolds; ++hold) {
      for (Caller& me : callers) me.out->fill(0xc5);
      Caller& outer = callers[hold % 2 == 0 ? 0 : 1];
      Caller& inner = callers[hold % 2 == 0 ? 1 : 0];
      subject_.heartbeat.at(tally_.planned);
      const double place = (hold + 0.5) / kHolds;
      const bool within =
          call_within([&] { call(outer); }, whole.count() * place, [&] { call(inner); });
      held_ = held_ || within;
      if (!within) call(inner);
      if (!right(outer) || !right(inner)) break;
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      if (spent.count() > 0.040) break;
    }
    return look_at(callers, log);
  }

  /// The last calls of all. False after a fault.
  bool look_at(const std::vector<Caller>& callers, const EnvironmentLog& log) {
    // How many calls there were depends on the machine.
    subject_.environment.add_changes(log);
    tally_.planned += callers.size();
    for (const Caller& me : callers) {
      if (me.fault != CallFault::kNone) {
        put_fault(tally_, me.fault, "refused when called from several threads");
        return false;
      }
      ++tally_.probes;
      compare_with_alone(me);
    }
    return true;
  }

  /// A difference counts against threads only where the same call alone gives what is due, each
  /// time.
  void compare_with_alone(const Caller& caller) {
    if (std::memcmp(caller.out->at(0), caller.due.data(), caller.due.size()) == 0) return;
    const std::size_t n = caller.inputs.size();
    const std::vector<Bits> due = read_elements(caller.due.data(), n, subject_.to());
    const std::vector<Bits> got = read_elements(caller.out->at(0), n, subject_.to());
    const auto alone = [&] {
      write_elements(in_.at(0), caller.inputs, subject_.from());
      runner_.call(in_.at(0), out_.at(0), n);
      return read_elements(out_.at(0), n, subject_.to());
    };
    if (!shows_again(tally_, caller.inputs, due, got, alone, [&] { return got; })) return;
    compare(caller.inputs, due, caller.out->at(0), "several calling threads");
  }

  /// Starts that the contract does not allow: told, never judged.
  void below_alignment() {
    const std::size_t element = std::max(subject_.from_bytes(), subject_.to_bytes());
    if (subject_.alignment() <= element) return;
    std::size_t differing = 0;
    std::size_t failed = 0;
    std::size_t calls = 0;
    constexpr std::size_t n = 67;
    std::vector<Bits> inputs(values_.begin(), values_.begin() + n);
    for (std::size_t offset = element; offset < subject_.alignment(); offset += element) {
      ++calls;
      subject_.heartbeat.at(calls);
      unsigned char* in = in_.at(0) + offset;
      unsigned char* out = out_.at(0) + (subject_.alignment() - offset);
      write_elements(in, inputs, subject_.from());
      CallFault fault = CallFault::kNone;
      const CaughtSignal signal = run_catching([&] { fault = runner_.call(in, out, n); });
      if (signal.signal != 0 || fault != CallFault::kNone) {
        ++failed;
      } else {
        const std::vector<Bits> got = read_elements(out, n, subject_.to());
        differing += !std::equal(got.begin(), got.end(), alone_.begin());
      }
    }
    put(tally_.observation,
        fmt::format("below the contract's alignment: {} calls, {} with other bits, {} refused or "
                    "crashed (not judged)",
                    calls, differing, failed));
  }

  Subject& subject_;
  StructureTally& tally_;
  CastRunner runner_;
  std::vector<Bits> values_;
  std::vector<unsigned char> first_;  ///< of the first call in a process
  std::vector<unsigned char> later_;  ///< of a later call in another
  std::vector<unsigned char> own_threads_[std::size(kOwnThreadCounts)];
  std::vector<Bits> alone_;
  Buffer in_;
  Buffer out_;
  bool held_ = false;  ///< a call could be made in the midst of another
};

}  // namespace

void judge_bit_stable(Subject& subject, StructureTally& tally) {
  StabilityJudge(subject, tally).judge();
}

}  // namespace assay
