// bit_stable: where tensors lie, what memory and registers held before, other processes, other
// threads at the same time, and the same call once more.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <thread>

#include "audit/window/stability.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"

namespace assay::window {

namespace {

constexpr std::size_t kCases = 40;
constexpr std::size_t kRepeats = 50;  // of each thread
constexpr std::size_t kTwoLines = 128;

/// A case with the results that it is to give everywhere.
struct Settled {
  Case the_case;
  Tensors tensors;
  std::vector<Bits> due;
};

class PlacesJudge {
 public:
  explicit PlacesJudge(StabilityBench& shared)
      : shared_(shared),
        subject_(shared.subject),
        tally_(shared.tally),
        bench_(shared.bench),
        alignment_(shared.subject.alignment()) {}

  bool judge() {
    for (const Case& the_case : stability_cases(subject_.job, kCases)) {
      settled_.push_back({the_case, make_tensors(shared_.operation(), the_case), {}});
    }
    if (settled_.empty()) return true;
    // Forked before the kernel is called here: threads that it starts and keeps would not be in a
    // fork, and what a first call sets up must not be set up yet.
    if (!in_other_processes()) return false;
    for (Settled& settled : settled_) {
      if (!shared_.base(settled.the_case.geometry, settled.tensors, settled.due)) return false;
    }
    compare_processes();
    if (!again() || !starts() || !old_outputs() || !registers() || !threads()) return false;
    below_alignment();
    shared_.space += fmt::format(
        "{} cases in a first call, in other processes, again, at starts in two cache lines, over 4 "
        "old outputs, with dirty registers, 50 times on 2 and 4 threads",
        settled_.size());
    return true;
  }

 private:
  /// A process calls the kernel for one case or several, and leaves the results here.
  struct Process {
    std::vector<std::size_t> cases;
    bool after_other_work = false;
    std::vector<std::vector<Bits>> results = {};
  };

  bool in_other_processes() {
    std::vector<std::size_t> all;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < settled_.size(); ++i) {
      all.push_back(i);
      const auto size = [&](std::size_t at) {
        return elements(output_shape(settled_[at].the_case.geometry));
      };
      if (size(i) > size(widest)) widest = i;
    }
    processes_.push_back({.cases = {0}});
    processes_.push_back({.cases = {widest}});
    processes_.push_back({.cases = all, .after_other_work = true});
    for (Process& process : processes_) {
      ++tally_.planned;
      if (!run(process)) {
        put_fault(tally_, CallFault::kRefused, "the kernel failed in another process");
        return false;
      }
      ++tally_.probes;
    }
    return true;
  }

  bool run(Process& process) {
    std::size_t count = 0;
    for (const std::size_t i : process.cases) {
      count += elements(output_shape(settled_[i].the_case.geometry));
    }
    SharedArray<Bits> results(count);
    const bool ended = run_in_child(
        [&] {
          // Other pages than those of the first call.
          const std::vector<char> moved(process.after_other_work ? 3 << 20 : 1);
          CaseRunner runner(shared_.operation(), subject_.variant, subject_.environment);
          const auto call = [&](std::size_t i) {
            const CallFault fault = runner.run(settled_[i].the_case.geometry, settled_[i].tensors);
            if (fault != CallFault::kNone) throw std::runtime_error("refused");
          };
          for (std::size_t i = process.cases.size(); process.after_other_work && i-- > 0;) {
            call(process.cases[i]);
          }
          std::size_t at = 0;
          for (const std::size_t i : process.cases) {
            call(i);
            for (const Bits bits : runner.results()) results[at++] = bits;
          }
        },
        std::chrono::seconds(10), [&] { subject_.heartbeat.at(tally_.planned); });
    if (!ended) return false;
    std::size_t at = 0;
    for (const std::size_t i : process.cases) {
      std::vector<Bits> mine(elements(output_shape(settled_[i].the_case.geometry)));
      for (Bits& bits : mine) bits = results[at++];
      process.results.push_back(std::move(mine));
    }
    return true;
  }

  void compare(const Settled& settled, const std::vector<Bits>& got, const char* factor) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == settled.due[i]) continue;
      shared_.differs(settled.the_case, i, got[i], settled.due[i], factor);
      return;
    }
  }

  void compare_processes() {
    for (const Process& process : processes_) {
      for (std::size_t i = 0; i < process.cases.size(); ++i) {
        compare(settled_[process.cases[i]], process.results[i],
                process.after_other_work ? "another process with other addresses"
                                         : "the first call of a process");
      }
    }
  }

  void lay_out(const Settled& settled) {
    bench_.lay_out(settled.the_case.geometry, settled.tensors);
  }

  bool again() {
    for (const Settled& settled : settled_) {
      lay_out(settled);
      for (int round = 0; round < 2; ++round) {
        if (!shared_.same(settled.the_case, settled.due, "the same call again, after other work")) {
          return false;
        }
      }
    }
    return true;
  }

  /// Cases for what takes many calls of each.
  std::vector<const Settled*> few(std::size_t count) const {
    std::vector<const Settled*> chosen;
    const std::size_t taken = std::min(count, settled_.size());
    for (std::size_t i = 0; i < taken; ++i) {
      chosen.push_back(&settled_[i * settled_.size() / taken]);
    }
    return chosen;
  }

  bool starts() {
    const std::size_t steps = std::max<std::size_t>(4, kTwoLines / alignment_);
    for (const Settled* settled : few(steps > 8 ? 4 : 10)) {
      lay_out(*settled);
      const std::size_t tensors = bench_.tensors();
      for (std::size_t t = 0; t < tensors; ++t) bench_.room(t).reserve(bench_.bytes(t) + 4096);
      const auto place = [&](std::size_t t, std::size_t step) {
        // At most a page: an alignment of many bytes is taken as it is.
        const std::size_t offset = std::min(step * alignment_, 4096 / alignment_ * alignment_);
        bench_.place(t, bench_.room(t).front() + offset);
      };
      for (std::size_t step = 0; step < steps; ++step) {
        // Each alone, then all in disorder.
        for (std::size_t moved = 0; moved <= tensors; ++moved) {
          for (std::size_t t = 0; t < tensors; ++t) {
            place(t, moved == tensors ? (step * 7 + t * 3 + 1) % steps : t == moved ? step : 0);
          }
          if (!shared_.same(settled->the_case, settled->due, "starts of the buffers")) return false;
        }
      }
    }
    return true;
  }

  bool old_outputs() {
    for (const Settled& settled : settled_) {
      lay_out(settled);
      for (const unsigned char old : std::initializer_list<unsigned char>{0x00, 0xff, 0x7f, 0xa5}) {
        if (!shared_.same(settled.the_case, settled.due, "old contents of the output", old)) {
          return false;
        }
      }
    }
    return true;
  }

  bool registers() {
    for (const Settled& settled : settled_) {
      lay_out(settled);
      dirty_vector_registers();
      if (!shared_.same(settled.the_case, settled.due, "contents of the vector registers")) {
        return false;
      }
    }
    return true;
  }

  /// One calling thread, with tensors of its own, so that one that sees those of another shows.
  struct Caller {
    const Settled* settled = nullptr;
    std::unique_ptr<CaseRunner> runner;
    CallFault fault = CallFault::kNone;
    std::size_t calls = 0;
    std::vector<Bits> got;
  };

  bool threads() {
    // The longest calls: those that run together most.
    std::vector<const Settled*> longest;
    for (const Settled& settled : settled_) longest.push_back(&settled);
    std::stable_sort(longest.begin(), longest.end(), [&](const Settled* a, const Settled* b) {
      return work(shared_.operation(), a->the_case.geometry) >
             work(shared_.operation(), b->the_case.geometry);
    });
    for (const std::size_t count : {2u, 4u}) {
      std::vector<Caller> callers(count);
      for (std::size_t t = 0; t < count; ++t) {
        callers[t].settled = longest[t % longest.size()];
        callers[t].runner = std::make_unique<CaseRunner>(shared_.operation(), subject_.variant,
                                                         subject_.environment);
      }
      subject_.heartbeat.at(tally_.planned);
      std::vector<std::thread> running;
      for (Caller& me : callers) {
        running.emplace_back([&me] {
          const Settled& settled = *me.settled;
          while (me.calls < kRepeats && me.fault == CallFault::kNone) {
            me.fault = me.runner->run(settled.the_case.geometry, settled.tensors);
            ++me.calls;
            me.got = me.runner->results();
            if (me.got != settled.due) return;
          }
        });
      }
      for (std::thread& thread : running) thread.join();
      for (const Caller& me : callers) {
        tally_.planned += me.calls;
        if (me.fault != CallFault::kNone) {
          put_fault(tally_, me.fault, "from several threads: " + me.runner->fault());
          return false;
        }
        tally_.probes += me.calls;
        compare(*me.settled, me.got, "several calling threads");
      }
    }
    return true;
  }

  /// Starts that the contract does not allow: told, never judged.
  void below_alignment() {
    const std::size_t element = subject_.element_bytes();
    if (alignment_ <= element) return;
    std::size_t differing = 0;
    std::size_t failed = 0;
    std::size_t calls = 0;
    const Settled& settled = settled_[settled_.size() / 2];
    lay_out(settled);
    const std::size_t last = std::min<std::size_t>(alignment_, kTwoLines);
    for (std::size_t offset = element; offset < last; offset += element) {
      ++calls;
      for (std::size_t t = 0; t < bench_.tensors(); ++t) {
        const std::size_t mine = t % 2 == 0 ? offset : last - offset;
        bench_.place(t, bench_.room(t).front() + mine);
      }
      const Reply reply = bench_.attempt();
      --tally_.planned;
      if (reply.signal.signal != 0 || reply.status != KernelStatus::kOk) {
        ++failed;
      } else {
        differing += bench_.results() != settled.due;
      }
    }
    put(tally_.observation,
        fmt::format("below the contract's alignment: {} calls, {} with other bits, {} refused or "
                    "crashed (not judged)",
                    calls, differing, failed));
  }

  StabilityBench& shared_;
  Subject& subject_;
  CallTally& tally_;
  Bench& bench_;
  std::size_t alignment_;
  std::vector<Settled> settled_;
  std::vector<Process> processes_;
};

}  // namespace

bool judge_places(StabilityBench& bench) {
  return PlacesJudge(bench).judge();
}

}  // namespace assay::window
