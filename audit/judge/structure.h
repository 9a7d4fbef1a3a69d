// Claims about how a kernel is called rather than about single results: stability of bits, memory,
// environment, acceptance and return rules. Each is judged by a function of its own over a small,
// fixed set of calls; all of them write the same kind of tally.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "audit/judge/cells.h"
#include "audit/judge/tally.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/pool.h"
#include "audit/worker/runner.h"
#include "contracts/fkc/document.h"
#include "kernels/kernel.h"

namespace assay {

/// One call that shows something, as far as it is kept.
struct StructureExample {
  std::uint32_t elements = 0;  ///< of the input tensor
  std::uint32_t position = 0;  ///< of the element concerned
  Bits input[64] = {};         ///< the first 64 elements
  Bits element = 0;            ///< the element concerned
  bool has_values = false;     ///< got and expected are meaningful
  Bits got = 0;
  Bits expected = 0;
  char circumstances[200] = {};
  char why[240] = {};
};

using Sightings = SightingsOf<StructureExample>;
using StructureTally = TallyOf<StructureExample>;

/// The strictest alignment that buffers are given, in bytes: that of pages.
inline constexpr std::uint64_t kMostAlignment = 4096;

/// The alignment that a contract asks of buffers whose elements take so many bytes: a power of two
/// of at least that.
std::size_t buffer_alignment(const fkc::KernelContract& contract, std::size_t element_bytes);

/// What a judge needs to know.
struct Subject {
  const fkc::KernelContract& contract;
  const Kernel& kernel;
  const KernelVariant& variant;
  std::uint64_t seed;
  Heartbeat& heartbeat;
  EnvironmentLog& environment;
  const CellMap& cells;

  Dtype from() const { return kernel.inputs.front(); }
  Dtype to() const { return kernel.outputs.front(); }
  std::size_t from_bytes() const { return static_cast<std::size_t>(traits(from()).bytes()); }
  std::size_t to_bytes() const { return static_cast<std::size_t>(traits(to()).bytes()); }
  /// The alignment that the contract asks of buffers; a power of two of at least the element size.
  std::size_t alignment() const;
};

using StructureJudge = void (*)(Subject&, StructureTally&);

struct StructureRow {
  ClaimKind kind;
  StructureJudge judge;
};

/// The judges of all structural claims, one row each.
const std::vector<StructureRow>& structure_rows();

void judge_bit_stable(Subject& subject, StructureTally& tally);
void judge_in_bounds(Subject& subject, StructureTally& tally);
void judge_inputs_unmodified(Subject& subject, StructureTally& tally);
void judge_output_fully_written(Subject& subject, StructureTally& tally);
void judge_aliasing(Subject& subject, StructureTally& tally);
void judge_fp_environment(Subject& subject, StructureTally& tally);
void judge_resources(Subject& subject, StructureTally& tally);
void judge_accept_layout(Subject& subject, StructureTally& tally);
void judge_accept_dtype(Subject& subject, StructureTally& tally);
void judge_accept_rank(Subject& subject, StructureTally& tally);
void judge_dtype_rule(Subject& subject, StructureTally& tally);
void judge_shape_rule(Subject& subject, StructureTally& tally);
void judge_layout_guarantee(Subject& subject, StructureTally& tally);

/// Input values that structural judges use: special values spread over the whole line, values at
/// and beside ties and other places where results are rounded, and seeded random patterns, `count`
/// in all. Values outside the contract are left out, since nothing is promised of their results;
/// where the contract leaves none, zero stands in for all.
std::vector<Bits> structure_values(const Subject& subject, std::size_t count);

/// Counts a violation and keeps the first. `values` are the input elements, if any.
void add_violation(StructureTally& tally, const std::vector<Bits>& values, std::size_t position,
                   const std::string& circumstances, const std::string& why);
/// The same with the bits that came and those that were due.
void add_violation(StructureTally& tally, const std::vector<Bits>& values, std::size_t position,
                   Bits got, Bits expected, const std::string& circumstances,
                   const std::string& why);

/// Records that a call changed its input in the way that `why` says.
void add_input_change(StructureTally& tally, const std::string& circumstances,
                      const std::string& why);

/// Whether two results for the same input are so close that no rule about places, shapes or types
/// tells them apart: equal, both NaN, nothing due at all, or a few steps apart (four, or what
/// `max_ulp` allows both to differ). What bits they should have is the business of other claims.
bool close_enough(const Subject& subject, Bits input, Bits a, Bits b);

/// The results of one call, in order.
using Repeat = std::function<std::vector<Bits>()>;

/// Whether a difference between two calls with equal elements, `due` and `got`, tells of what
/// distinguishes the calls. Both are made again, three times, by `reference` and `other`: only
/// where each of them gives its bits every time does it. Else the kernel is not stable: that is
/// noted, and the probe taken back, since it says nothing about the claim.
bool shows_again(StructureTally& tally, const std::vector<Bits>& inputs,
                 const std::vector<Bits>& due, const std::vector<Bits>& got,
                 const Repeat& reference, const Repeat& other);

/// Records a refusal of valid arguments; a judge returns after it.
void put_fault(StructureTally& tally, CallFault fault, const std::string& text);

}  // namespace assay
