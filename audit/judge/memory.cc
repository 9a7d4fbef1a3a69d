// What a call may touch: in_bounds, inputs_unmodified, output_fully_written, aliasing, and the
// floating-point environment.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "audit/judge/structure.h"
#include "audit/worker/buffer.h"
#include "contracts/fkc/call_text.h"
#include "oracles/cast_oracle.h"

namespace assay {

namespace {

/// Lengths that meet every tail of every vector width, then some past a page.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 131; ++n) all.push_back(n);
  for (const std::size_t n : {255u, 256u, 257u, 1024u, 1031u, 4096u, 4099u, 65539u}) {
    all.push_back(n);
  }
  return all;
}

constexpr unsigned char kCanary = 0xc5;

/// Where a buffer of `bytes` starts in guarded pages: at their beginning, or as near their end as
/// the alignment allows.
unsigned char* place(const GuardedPages& pages, std::size_t bytes, std::size_t alignment,
                     bool at_end) {
  if (!at_end) return pages.begin();
  const std::size_t room = (bytes + alignment - 1) / alignment * alignment;
  return pages.end() - room;
}

/// Whether the bytes from `begin` to `end` are those that were written there: the first is, and
/// each equals the one before it.
bool all_canaries(const unsigned char* begin, const unsigned char* end) {
  if (begin == end) return true;
  return *begin == kCanary &&
         std::memcmp(begin, begin + 1, static_cast<std::size_t>(end - begin) - 1) == 0;
}

bool canaries_intact(const GuardedPages& pages, const unsigned char* from, std::size_t bytes) {
  return all_canaries(pages.begin(), from) && all_canaries(from + bytes, pages.end());
}

/// Records a crash that has nothing to do with the claim; a judge returns after it.
void put_fault(StructureTally& tally, const CaughtSignal& signal, std::size_t n) {
  assay::put_fault(tally, CallFault::kRefused,
                   fmt::format("a call of {} elements ended with {}", n, strsignal(signal.signal)));
}

std::vector<Bits> first(const std::vector<Bits>& values, std::size_t n) {
  std::vector<Bits> result(n);
  for (std::size_t i = 0; i < n; i += values.size()) {
    std::copy_n(values.begin(), std::min(values.size(), n - i), result.begin() + i);
  }
  return result;
}

}  // namespace

void judge_in_bounds(Subject& subject, StructureTally& tally) {
  CastRunner runner(subject.kernel, subject.variant, subject.environment);
  const std::vector<Bits> values = structure_values(subject, 256);
  const std::size_t alignment = subject.alignment();
  for (const std::size_t n : lengths()) {
    const std::vector<Bits> inputs = first(values, n);
    const std::size_t in_bytes = n * subject.from_bytes();
    const std::size_t out_bytes = n * subject.to_bytes();
    GuardedPages in_pages(in_bytes + alignment);
    GuardedPages out_pages(out_bytes + alignment);
    for (int corner = 0; corner < 4; ++corner) {
      const bool in_at_end = (corner & 1) != 0;
      const bool out_at_end = (corner & 2) != 0;
      unsigned char* in = place(in_pages, in_bytes, alignment, in_at_end);
      unsigned char* out = place(out_pages, out_bytes, alignment, out_at_end);
      std::memset(in_pages.begin(), kCanary, in_pages.size());
      std::memset(out_pages.begin(), kCanary, out_pages.size());
      write_elements(in, inputs, subject.from());
      ++tally.planned;
      subject.heartbeat.at(tally.planned);
      CallFault fault = CallFault::kNone;
      const CaughtSignal signal = run_catching([&] { fault = runner.call(in, out, n); });
      if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
      if (signal.signal != 0 && signal.signal != SIGSEGV && signal.signal != SIGBUS) {
        return put_fault(tally, signal, n);  // no access to memory
      }
      ++tally.probes;
      const std::string where =
          fmt::format("{} elements; input flush against the {} of its pages, output against the {}",
                      n, in_at_end ? "end" : "start", out_at_end ? "end" : "start");
      if (signal.signal != 0) {
        const bool at_input = in_pages.guards(signal.address);
        const bool at_output = out_pages.guards(signal.address);
        add_violation(
            tally, inputs, 0, where,
            !at_input && !at_output
                ? fmt::format("the call ended with {} away from both tensors",
                              strsignal(signal.signal))
                : fmt::format("a {} outside of the {} tensor of {} elements",
                              signal.write ? "write" : "read", at_input ? "input" : "output", n));
      } else if (!canaries_intact(out_pages, out, out_bytes) ||
                 !canaries_intact(in_pages, in, in_bytes)) {
        add_violation(tally, inputs, 0, where,
                      fmt::format("bytes beside the {} elements of a tensor were overwritten", n));
      }
    }
  }
  put(tally.space,
      fmt::format("{} lengths from 0 to 65539, input and output in turns flush against a forbidden "
                  "page at either end (within the {} bytes of the contract's alignment, with bytes "
                  "between watched for writes)",
                  lengths().size(), alignment));
}

void judge_inputs_unmodified(Subject& subject, StructureTally& tally) {
  CastRunner runner(subject.kernel, subject.variant, subject.environment);
  const std::vector<Bits> values = structure_values(subject, 512);
  for (const std::size_t n : lengths()) {
    for (const std::size_t start : {0u, 101u}) {
      std::vector<Bits> inputs(n);
      for (std::size_t i = 0; i < n; ++i) inputs[i] = values[(start + i) % values.size()];
      GuardedPages in_pages(n * subject.from_bytes() + kSlack);
      GuardedPages out_pages(n * subject.to_bytes() + kSlack);
      write_elements(in_pages.begin(), inputs, subject.from());
      in_pages.set_writable(false);
      ++tally.planned;
      subject.heartbeat.at(tally.planned);
      CallFault fault = CallFault::kNone;
      const CaughtSignal signal =
          run_catching([&] { fault = runner.call(in_pages.begin(), out_pages.begin(), n); });
      if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
      const bool in_input = in_pages.contains(signal.address);
      if (signal.signal != 0 && !in_input) return put_fault(tally, signal, n);
      ++tally.probes;
      if (signal.signal == 0) {
        if (!runner.input_changes().any()) continue;
        add_violation(tally, inputs, 0, fmt::format("{} elements", n),
                      "the kernel changes the description of its input tensor");
        continue;
      }
      const auto offset = static_cast<std::size_t>(
          static_cast<const unsigned char*>(signal.address) - in_pages.begin());
      add_violation(tally, inputs, offset / subject.from_bytes(),
                    fmt::format("{} elements in read-only memory", n),
                    fmt::format("the kernel writes to element {} of its input",
                                offset / subject.from_bytes()));
    }
  }
  put(tally.space,
      fmt::format("{} lengths from 0 to 65539, twice, inputs mapped read-only", lengths().size()));
}

void judge_output_fully_written(Subject& subject, StructureTally& tally) {
  CastRunner runner(subject.kernel, subject.variant, subject.environment);
  const std::vector<Bits> values = structure_values(subject, 512);
  for (const std::size_t n : lengths()) {
    const std::vector<Bits> inputs = first(values, n);
    GuardedPages in_pages(n * subject.from_bytes() + kSlack);
    GuardedPages out_pages(n * subject.to_bytes() + kSlack);
    write_elements(in_pages.begin(), inputs, subject.from());
    std::vector<Bits> results;
    for (const unsigned char poison : std::initializer_list<unsigned char>{0x00, 0xff, 0xa5}) {
      std::memset(out_pages.begin(), poison, out_pages.size());
      ++tally.planned;
      subject.heartbeat.at(tally.planned);
      const CallFault fault = runner.call(in_pages.begin(), out_pages.begin(), n);
      if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
      ++tally.probes;
      const std::vector<Bits> got = read_elements(out_pages.begin(), n, subject.to());
      if (poison == 0x00) {
        results = got;
        continue;
      }
      const auto over = [&](unsigned char old) {
        std::memset(out_pages.begin(), old, out_pages.size());
        runner.call(in_pages.begin(), out_pages.begin(), n);
        return read_elements(out_pages.begin(), n, subject.to());
      };
      if (got == results || !shows_again(
                                tally, inputs, results, got, [&] { return over(0x00); },
                                [&] { return over(poison); })) {
        continue;
      }
      for (std::size_t i = 0; i < n; ++i) {
        if (got[i] == results[i]) continue;
        add_violation(tally, inputs, i, got[i], results[i],
                      fmt::format("element {} of {}, output filled with 0x{:02x} before, then 0x00",
                                  i, n, poison),
                      fmt::format("output element {} of {} depends on what the buffer held before: "
                                  "not written, or read",
                                  i, n));
        break;
      }
    }
  }
  put(tally.space,
      fmt::format("{} lengths from 0 to 65539, each over three old outputs", lengths().size()));
}

namespace {

/// The output in the memory of the input, against the same call with memory of its own.
void judge_in_place(Subject& subject, StructureTally& tally) {
  CastRunner runner(subject.kernel, subject.variant, subject.environment);
  const std::vector<Bits> values = structure_values(subject, 512);
  for (const std::size_t n : lengths()) {
    const std::vector<Bits> inputs = first(values, n);
    const std::size_t room = n * std::max(subject.from_bytes(), subject.to_bytes());
    GuardedPages in_pages(room + kSlack);
    GuardedPages out_pages(room + kSlack);
    const auto results = [&](bool in_place, CallFault& fault) {
      write_elements(in_pages.begin(), inputs, subject.from());
      unsigned char* out = in_place ? in_pages.begin() : out_pages.begin();
      fault = runner.call(in_pages.begin(), out, n);
      return read_elements(out, n, subject.to());
    };
    CallFault fault = CallFault::kNone;
    const std::vector<Bits> due = results(false, fault);
    if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
    ++tally.planned;
    subject.heartbeat.at(tally.planned);
    const std::vector<Bits> got = results(true, fault);
    if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
    ++tally.probes;
    if (got == due || !shows_again(
                          tally, inputs, due, got, [&] { return results(false, fault); },
                          [&] { return results(true, fault); })) {
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (close_enough(subject, inputs[i], got[i], due[i])) continue;
      add_violation(tally, inputs, i, got[i], due[i],
                    fmt::format("{} elements, the output in the memory of the input", n),
                    "the result is another one where the output takes the place of the input");
      break;
    }
  }
  put(tally.space, fmt::format("{} lengths from 0 to 65539, the output in the memory of the input "
                               "and apart from it",
                               lengths().size()));
}

}  // namespace

void judge_aliasing(Subject& subject, StructureTally& tally) {
  const std::string& aliasing = subject.contract.outputs.front().aliasing.value;
  if (fkc::call_argument(aliasing, "in_place") == subject.contract.inputs.front().name.value) {
    return judge_in_place(subject, tally);
  }
  if (aliasing != "none") {
    return put(tally.undecidable,
               fmt::format("only aliasing 'none' and in place of the input are judged here, not "
                           "'{}'",
                           aliasing));
  }
  CastRunner runner(subject.kernel, subject.variant, subject.environment);
  const std::vector<Bits> values = structure_values(subject, 512);
  const std::size_t alignment = subject.alignment();
  const auto padded = [&](std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  for (const std::size_t n : lengths()) {
    const std::vector<Bits> inputs = first(values, n);
    const std::size_t in_room = padded(n * subject.from_bytes());
    const std::size_t out_room = padded(n * subject.to_bytes());
    GuardedPages apart_in(in_room + kSlack);
    GuardedPages apart_out(out_room + kSlack);
    GuardedPages together(in_room + out_room + kSlack);
    write_elements(apart_in.begin(), inputs, subject.from());
    CallFault fault = runner.call(apart_in.begin(), apart_out.begin(), n);
    if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
    const std::vector<Bits> due = read_elements(apart_out.begin(), n, subject.to());
    for (const bool input_first : {true, false}) {
      unsigned char* in = together.begin() + (input_first ? 0 : out_room);
      unsigned char* out = together.begin() + (input_first ? in_room : 0);
      write_elements(in, inputs, subject.from());
      ++tally.planned;
      subject.heartbeat.at(tally.planned);
      fault = runner.call(in, out, n);
      if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
      ++tally.probes;
      const std::string where = fmt::format("{} elements, the output directly {} the input", n,
                                            input_first ? "behind" : "before");
      if (read_elements(in, n, subject.from()) != inputs) {
        add_violation(tally, inputs, 0, where, "the input changed although nothing is shared");
      }
      const std::vector<Bits> got = read_elements(out, n, subject.to());
      const auto apart = [&] {
        runner.call(apart_in.begin(), apart_out.begin(), n);
        return read_elements(apart_out.begin(), n, subject.to());
      };
      const auto adjacent = [&] {
        write_elements(in, inputs, subject.from());
        runner.call(in, out, n);
        return read_elements(out, n, subject.to());
      };
      if (got == due || !shows_again(tally, inputs, due, got, apart, adjacent)) continue;
      for (std::size_t i = 0; i < n; ++i) {
        if (close_enough(subject, inputs[i], got[i], due[i])) continue;
        add_violation(tally, inputs, i, got[i], due[i], where,
                      "the result depends on where input and output lie");
        break;
      }
    }
  }
  put(tally.space, fmt::format("{} lengths from 0 to 65539, output directly behind and before the "
                               "input, inputs compared afterwards",
                               lengths().size()));
}

void judge_fp_environment(Subject& subject, StructureTally& tally) {
  const FpEnvironment base = FpEnvironment::current();
  if (!subject.variant.library.empty()) {
    ++tally.planned;
    ++tally.probes;
    if (!subject.kernel.load_effect.empty()) {
      add_violation(tally, {}, 0, "loading the library",
                    "loading the library changes the floating-point environment of the process: " +
                        subject.kernel.load_effect);
    }
  }
  const std::vector<Bits> values = structure_values(subject, 512);
  GuardedPages in_pages(values.size() * subject.from_bytes() + kSlack);
  GuardedPages out_pages(values.size() * subject.to_bytes() + kSlack);
  write_elements(in_pages.begin(), values, subject.from());
  for (int setting = 0; setting < kFpSettings; ++setting) {
    for (const std::size_t n : {0u, 1u, 7u, 64u, 65u, 512u}) {
      fp_setting(setting, base).restore();
      EnvironmentLog log;
      CastRunner runner(subject.kernel, subject.variant, log);
      const CallFault fault = runner.call(in_pages.begin(), out_pages.begin(), n);
      base.restore();
      ++tally.planned;
      subject.heartbeat.at(tally.planned);
      if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
      ++tally.probes;
      if (log.changes() == 0) continue;
      add_violation(tally, first(values, n), 0,
                    fmt::format("{} elements, environment setting {}", n, setting),
                    log.first_change());
    }
  }
  put(tally.space,
      "6 lengths under 4 rounding directions, with and without flush-to-zero, and every other call "
      "of the audit under the default environment");
}

}  // namespace assay
