// bit_stable: where tensors lie, what memory and registers held before, other processes, and the
// same call once more.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "audit/window/stability.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/own_threads.h"
#include "audit/worker/shared_array.h"

namespace assay::window {

namespace {

constexpr std::size_t kCases = 40;
constexpr std::size_t kTwoLines = 128;

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
      settled_.push_back({the_case, make_tensors(shared_.operation(), the_case)});
    }
    if (settled_.empty()) return true;
    // Forked before the kernel is called here: threads that it starts and keeps would not be in a
    // fork, and what a first call sets up must not be set up yet.
    if (!in_other_processes()) return false;
    for (Base& settled : settled_) {
      if (!shared_.give(settled)) return false;
    }
    compare_processes();
    if (!again() || !starts() || !starts_within_elements() || !old_outputs() || !registers())
      return false;
    below_alignment();
    shared_.space += fmt::format(
        "{} cases in a first call, in other processes, again, at starts in two cache lines, over 4 "
        "old outputs, with dirty registers",
        settled_.size());
    if (subject_.variant.threads)
      shared_.space +=
          ", with 1, 2 and 4 threads of the library's own asked for, by OMP_NUM_THREADS and the "
          "processors allowed";
    return true;
  }

 private:
  /// A process calls the kernel for one case or several, twice, and leaves the results here.
  struct Process {
    std::vector<std::size_t> cases;
    bool after_other_work = false;
    unsigned own_threads = 0;  ///< asked of the library; 0: as it likes
    std::vector<std::vector<Bits>> first = {};
    std::vector<std::vector<Bits>> second = {};
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
    if (subject_.variant.threads) {
      for (const unsigned count : kOwnThreadCounts) {
        processes_.push_back({.cases = all, .own_threads = count});
      }
    }
    for (Process& process : processes_) {
      // What each case gave is a probe.
      tally_.planned += process.cases.size();
      if (!run(process)) {
        put_fault(tally_, CallFault::kRefused, "the kernel failed in another process");
        return false;
      }
      tally_.probes += process.cases.size();
    }
    return true;
  }

  bool run(Process& process) {
    std::size_t count = 0;
    for (const std::size_t i : process.cases) {
      count += elements(output_shape(settled_[i].the_case.geometry));
    }
    SharedArray<Bits> results(2 * count);
    const bool ended = run_in_child(
        [&] {
          if (process.own_threads != 0) ask_for_own_threads(process.own_threads);
          // Other pages than those of the first call.
          const std::vector<char> moved(process.after_other_work ? 3 << 20 : 1);
          CaseRunner runner(shared_.operation(), subject_.variant, subject_.environment);
          std::size_t at = 0;
          const auto call = [&](std::size_t i) {
            const CallFault fault = runner.run(settled_[i].the_case.geometry, settled_[i].tensors);
            if (fault != CallFault::kNone) throw std::runtime_error("refused");
            for (const Bits bits : runner.results()) results[at++] = bits;
          };
          for (std::size_t i = process.cases.size(); i-- > 0;) call(process.cases[i]);
          for (const std::size_t i : process.cases) call(i);
        },
        std::chrono::seconds(10), [&] { subject_.heartbeat.at(tally_.planned); });
    if (!ended) return false;
    std::size_t at = 0;
    const auto next = [&](std::size_t i) {
      std::vector<Bits> mine(elements(output_shape(settled_[i].the_case.geometry)));
      for (Bits& bits : mine) bits = results[at++];
      return mine;
    };
    for (std::size_t i = process.cases.size(); i-- > 0;) {
      process.first.insert(process.first.begin(), next(process.cases[i]));
    }
    for (const std::size_t i : process.cases) process.second.push_back(next(i));
    return true;
  }

  /// What a process gave against what this one gives. In the process the call was made twice: where
  /// the two differ the process itself is not the reason, unless it was its first call at all.
  void compare_processes() {
    for (const Process& process : processes_) {
      for (std::size_t i = 0; i < process.cases.size(); ++i) {
        const Base& settled = settled_[process.cases[i]];
        const std::vector<Bits>& first = process.first[i];
        const std::vector<Bits>& second = process.second[i];
        if (process.own_threads != 0) {
          shared_.compare(
              settled, first,
              {"threads of the library's own", fmt::format("{} of them", process.own_threads)},
              [&] { return second; });
        } else if (process.after_other_work) {
          shared_.compare(settled, first, {"another process with other addresses"},
                          [&] { return second; });
        } else if (first != settled.due && second == settled.due) {
          shared_.compare(settled, first, {"the first call of a process"}, [&] { return first; });
        } else {
          shared_.compare(settled, first, {"another process"}, [&] { return second; });
        }
      }
    }
  }

  void lay_out(const Base& settled) { bench_.lay_out(settled.the_case, settled.tensors); }

  bool again() {
    for (const Base& settled : settled_) {
      lay_out(settled);
      for (int round = 0; round < 2; ++round) {
        if (!shared_.same(settled, {"the same call again, after other work"})) return false;
      }
    }
    return true;
  }

  /// Cases for what takes many calls of each.
  std::vector<const Base*> few(std::size_t count) const {
    std::vector<const Base*> chosen;
    const std::size_t taken = std::min(count, settled_.size());
    for (std::size_t i = 0; i < taken; ++i) {
      chosen.push_back(&settled_[i * settled_.size() / taken]);
    }
    return chosen;
  }

  std::size_t steps() const { return std::max<std::size_t>(4, kTwoLines / alignment_); }

  /// Room for every start of every tensor.
  void lay_out_with_room(const Base& settled) {
    lay_out(settled);
    for (std::size_t t = 0; t < bench_.tensors(); ++t) {
      bench_.room(t).reserve(bench_.bytes(t) + 4096);
    }
  }

  /// Moves tensor `moved` by as many alignments; all in disorder where there is no such tensor.
  Variation move(std::size_t step, std::size_t moved) {
    const std::size_t tensors = bench_.tensors();
    for (std::size_t t = 0; t < tensors; ++t) {
      const std::size_t mine = moved == tensors ? (step * 7 + t * 3 + 1) % steps()
                               : t == moved     ? step
                                                : 0;
      // At most a page: an alignment of many bytes is taken as it is.
      const std::size_t offset = std::min(mine * alignment_, 4096 / alignment_ * alignment_);
      bench_.place(t, bench_.room(t).front() + offset);
    }
    return {"starts of the buffers",
            moved == tensors
                ? fmt::format("all moved, round {}", step)
                : fmt::format("`{}` {} bytes further", bench_.name(moved), step * alignment_)};
  }

  bool starts() {
    for (const Base* settled : few(steps() > 8 ? 4 : 10)) {
      lay_out_with_room(*settled);
      const std::size_t tensors = bench_.tensors();
      for (std::size_t step = 0; step < steps(); ++step) {
        // Each alone, then all in disorder.
        for (std::size_t moved = 0; moved <= tensors; ++moved) {
          const bool none_yet = !tally_.has_example;
          if (!shared_.same(*settled, move(step, moved))) return false;
          if (none_yet && tally_.has_example) {
            smaller_start(*settled, step, moved == tensors ? std::string() : bench_.name(moved));
            lay_out_with_room(*settled);
          }
        }
      }
    }
    return true;
  }

  /// Starts between the multiples of an element's size, where the contract allows them.
  bool starts_within_elements() {
    const std::size_t step = subject_.job.contract->caps.alignment_bytes.value_or(kTwoLines);
    const std::size_t element = subject_.element_bytes();
    if (step >= element) return true;
    for (const Base* settled : few(10)) {
      lay_out_with_room(*settled);
      for (std::size_t offset = step; offset < element; offset += step) {
        for (std::size_t t = 0; t < bench_.tensors(); ++t) {
          bench_.place(t, bench_.room(t).front() + offset);
        }
        const Variation variation{
            .factor = "starts of the buffers",
            .detail = fmt::format("all {} bytes past the start of an element", offset)};
        if (!shared_.same(*settled, variation)) return false;
      }
    }
    return true;
  }

  /// The same start in the smallest case that shows it.
  void smaller_start(const Base& than, std::size_t step, const std::string& moved_name) {
    for (const Base& settled : settled_) {
      if (&settled == &than) return;
      lay_out_with_room(settled);
      std::size_t moved = 0;
      while (moved < bench_.tensors() && bench_.name(moved) != moved_name) ++moved;
      if (moved == bench_.tensors() && !moved_name.empty()) continue;
      if (shared_.shows_smaller(settled, move(step, moved))) return;
    }
  }

  bool old_outputs() {
    for (const Base& settled : settled_) {
      lay_out(settled);
      for (const unsigned char old : std::initializer_list<unsigned char>{0x00, 0xff, 0x7f, 0xa5}) {
        const Variation variation{.factor = "old contents of the output",
                                  .detail = fmt::format("bytes 0x{:02x}", old),
                                  .old_output = old};
        if (!shared_.same(settled, variation)) return false;
      }
    }
    return true;
  }

  bool registers() {
    for (const Base& settled : settled_) {
      lay_out(settled);
      const Variation variation{.factor = "contents of the vector registers",
                                .registers_dirty = true};
      if (!shared_.same(settled, variation)) return false;
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
    const Base& settled = settled_[settled_.size() / 2];
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
  std::vector<Base> settled_;  ///< small ones first
  std::vector<Process> processes_;
};

}  // namespace

bool judge_places(StabilityBench& bench) {
  return PlacesJudge(bench).judge();
}

}  // namespace assay::window
