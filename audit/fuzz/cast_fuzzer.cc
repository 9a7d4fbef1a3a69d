// Any bytes are a call of a cast: all variants must keep its contract, as the audit judges it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "audit/fuzz/cast_elements.h"
#include "audit/fuzz/cast_refusals.h"
#include "audit/fuzz/finding.h"
#include "audit/fuzz/subjects.h"
#include "audit/judge/cast_check.h"
#include "audit/worker/buffer.h"

namespace {

using namespace assay;
using namespace assay::fuzz;

/// Elements at their widest, the farthest place, and a stretch on both sides that is watched.
constexpr std::size_t kWatched = 512;
constexpr std::size_t kRoom = kMostElements * sizeof(Bits) + 16 * 64 + 2 * kWatched;

unsigned char* at(const GuardedPages& pages, std::size_t bytes, std::size_t alignment,
                  const Place& place) {
  const std::size_t step = place.steps * alignment;
  if (!place.at_end) return pages.begin() + step;
  const auto end = static_cast<std::size_t>(pages.end() - pages.begin());
  return pages.begin() + (end - step - bytes) / alignment * alignment;
}

/// One variant over one input.
class Trial {
 public:
  Trial(const Job& job, const KernelVariant& variant, const CastInput& input)
      : job_(job),
        variant_(variant),
        input_(input),
        from_(job.oracle->operation().from),
        to_(job.oracle->operation().to) {}

  /// The results, which keep every claim but, perhaps, `bitwise`.
  std::vector<Bits> run() {
    const std::vector<Bits>& elements = input_.elements;
    const std::vector<Bits> placed = call(input_.in, input_.out, input_.old);
    for (std::size_t i = 0; i < elements.size(); ++i) judge(i, placed[i]);
    const std::vector<Bits> plain = call({}, {}, 0);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (plain[i] != placed[i] && !job_.cells->of(elements[i]).caller_error) {
        broken(ClaimKind::kBitStable, i, "other bits than in other places of memory");
      }
    }
    return placed;
  }

  /// Claims that results at this place give other bits than `reference` does.
  void compare(const KernelVariant& reference, std::size_t position) {
    confirm(ClaimKind::kBitwise, &reference, position);
    broken(ClaimKind::kBitStable, position, "other bits than before, in the same call");
  }

 private:
  std::vector<Bits> call(const Place& in_place, const Place& out_place, unsigned char old) {
    static const GuardedPages in(kRoom);
    static const GuardedPages out(kRoom);
    const std::vector<Bits>& elements = input_.elements;
    const auto in_bytes = elements.size() * static_cast<std::size_t>(traits(from_).bytes());
    const auto out_bytes = elements.size() * static_cast<std::size_t>(traits(to_).bytes());
    const auto widest =
        static_cast<std::size_t>(std::max(traits(from_).bytes(), traits(to_).bytes()));
    const std::size_t alignment = buffer_alignment(*job_.contract, widest);
    unsigned char* const in_at = at(in, in_bytes, alignment, in_place);
    unsigned char* const out_at = at(out, out_bytes, alignment, out_place);
    std::memset(out.begin(), old, out.size());
    write_elements(in_at, elements, from_);
    const std::vector<unsigned char> before(in.begin(), in.end());

    EnvironmentLog log;
    CastRunner runner(*job_.kernel, variant_, log);
    CallFault fault = CallFault::kNone;
    const CaughtSignal signal =
        run_catching([&] { fault = runner.call(in_at, out_at, elements.size()); });
    if (signal.signal != 0) {
      if (in.guards(signal.address) || out.guards(signal.address)) {
        broken(ClaimKind::kInBounds, 0,
               fmt::format("a {} beside the tensor", signal.write ? "write" : "read"));
      }
      report_fault(job_.contract->kernel, variant_,
                   fmt::format("the call ended with {}", strsignal(signal.signal)));
    }
    if (fault != CallFault::kNone) report_fault(job_.contract->kernel, variant_, runner.fault());
    if (log.changes() > 0) broken(ClaimKind::kFpEnvironmentKept, 0, log.first_change());
    if (runner.input_changes().any() || !std::equal(before.begin(), before.end(), in.begin())) {
      broken(ClaimKind::kInputsUnmodified, 0, "the kernel changes its input");
    }
    const auto is_old = [&](unsigned char byte) { return byte == old; };
    if (!std::all_of(out.begin(), out_at, is_old) ||
        !std::all_of(out_at + out_bytes, out.end(), is_old)) {
      broken(ClaimKind::kInBounds, 0, "bytes beside the output are written");
    }
    return read_elements(out_at, elements.size(), to_);
  }

  void judge(std::size_t position, Bits got) {
    const Bits input = input_.elements[position];
    const Bits expected = job_.oracle->expect_one(input);
    if (got == expected) return;
    const ClaimSet claims = violated(*job_.rules, job_.cells->of(input), job_.oracle->operation(),
                                     input, got, expected);
    for (std::size_t i = 0; i < kElementClaims; ++i) {
      const auto kind = static_cast<ClaimKind>(i);
      if ((claims & bit(kind)) == 0 || job_.contract->claim(kind) == nullptr) continue;
      confirm(kind, job_.variants.front(), position);
      broken(ClaimKind::kBitStable, position,
             fmt::format("{} is violated here, and not in a plain call", row(kind).id));
    }
  }

  /// Reports the violation where a plain call shows it: of one element, or else of all.
  void confirm(ClaimKind kind, const KernelVariant* reference, std::size_t position) {
    CastCheck check(job_, variant_, kind, reference);
    const Bits lone = input_.elements[position];
    for (const bool all : {false, true}) {
      const std::vector<Bits> inputs = all ? input_.elements : std::vector<Bits>{lone};
      const std::size_t here = all ? position : 0;
      const CastChecked checked = check.check(inputs, here);
      if (checked.fault != CallFault::kNone || !checked.violated) continue;
      report(job_.contract->kernel, variant_, kind,
             element_counterexample(job_, variant_, kind, inputs, here, checked.got,
                                    checked.expected, reference));
    }
  }

  [[noreturn]] void broken(ClaimKind kind, std::size_t position, const std::string& why) {
    const auto text = [](const Place& place) {
      return fmt::format("{} steps from the {}", place.steps, place.at_end ? "end" : "start");
    };
    StructureTally tally;
    add_violation(tally, input_.elements, position,
                  fmt::format("{} elements, the input {}, the output {}", input_.elements.size(),
                              text(input_.in), text(input_.out)),
                  why);
    report(job_.contract->kernel, variant_, kind,
           structure_counterexample(job_, variant_, kind, tally.example, Again::kClaim));
  }

  const Job& job_;
  const KernelVariant& variant_;
  const CastInput& input_;
  Dtype from_;
  Dtype to_;
};

void try_elements(const Job& job, ByteReader& bytes) {
  const CastInput input =
      cast_input(bytes, job.oracle->operation().from, job.oracle->operation().to);
  const KernelVariant& reference = *job.variants.front();
  std::vector<Bits> due;
  for (const KernelVariant* variant : job.variants) {
    Trial trial(job, *variant, input);
    const std::vector<Bits> results = trial.run();
    if (due.empty()) due = results;
    if (job.contract->claim(ClaimKind::kBitwise) == nullptr) continue;
    for (std::size_t i = 0; i < due.size(); ++i) {
      const bool outside = job.cells->of(input.elements[i]).caller_error;
      if (results[i] != due[i] && !outside) trial.compare(reference, i);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader bytes(data, size);
  const std::vector<Job>& jobs = subjects().bound.casts;
  const Job& job = jobs[bytes.below(jobs.size())];
  if (bytes.below(8) == 0) {
    try_descriptions(job, bytes);
  } else {
    try_elements(job, bytes);
  }
  return 0;
}
