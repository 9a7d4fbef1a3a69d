#include "audit/judge/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "audit/judge/digest.h"
#include "audit/judge/expectation.h"
#include "audit/worker/buffer.h"
#include "audit/worker/processor_time.h"
#include "contracts/measure.h"
#include "oracles/cast_measure.h"

namespace assay {

namespace {

/// Records one result that differs from the oracle's, or from what is due in its place.
class Differences {
 public:
  Differences(const oracle::CastOperation& operation, const CellMap& cells, const Rules& rules,
              SweepTally& tally, Deviations& deviations)
      : operation_(operation),
        to_(traits(operation.to)),
        from_(traits(operation.from)),
        cells_(cells),
        rules_(rules),
        declared_(rules.declared_set()),
        tally_(tally),
        deviations_(deviations) {}

  void add(Bits input, Bits got, Bits expected, Violations where) {
    const Cell& cell = cells_.of(input);
    tally_.differing += got != expected;
    if (cell.caller_error) {
      tally_.caller_error_differing += got != expected;
      return;
    }
    ++tally_.unlike_due;
    where.count = 1;
    where.input = input;
    where.got = got;
    where.expected = expected;
    const ClaimSet claims = violated(rules_, cell, operation_, input, got, expected);
    for (std::size_t i = 0; i < kElementClaims; ++i) {
      if ((claims >> i & 1) != 0) tally_.violations[i].add(where);
    }
    const bool overflow = (claims & bit(ClaimKind::kOverflow)) != 0;
    tally_.infinite_too_early += overflow && !in_scope(ClaimKind::kOverflow, cell) ? 1 : 0;
    if ((claims & declared_) != 0) {
      deviations_.add_violation(cells_.axis().place_of(input), from_.is_negative(input));
      tally_.deviates = true;
    }
    if (cell.kind == CellClass::kNan) {
      measure_nan(input, got, expected);
    } else {
      measure(cell, input, got, due_result(rules_, cell, operation_, expected));
    }
  }

 private:
  void measure_nan(Bits input, Bits got, Bits expected) {
    if (!to_.is_floating()) return;
    if (!to_.is_nan(got)) {
      ++tally_.nan_lost;
      return;
    }
    tally_.nan_sign_changed += to_.is_negative(got) != from_.is_negative(input);
    tally_.nan_not_quiet += !to_.is_quiet(got);
    tally_.nan_payload_changed += to_.payload(got) != to_.payload(expected);
  }

  void measure(const Cell& cell, Bits input, Bits got, Bits expected) {
    const std::optional<std::uint64_t> distance = ulp_distance(got, expected, operation_.to);
    if (distance &&
        (*distance > tally_.max_distance ||
         (*distance == tally_.max_distance && Census::simpler(input, tally_.max_distance_input)))) {
      tally_.max_distance = *distance;
      tally_.max_distance_input = input;
      tally_.max_distance_got = got;
    }
    if (!in_scope(ClaimKind::kRounding, cell)) return;
    const double due_error = oracle::fast_ulp_error(input, expected, operation_);
    --tally_.error_row_changes[error_row(due_error)];
    tally_.lost_error = std::fmax(tally_.lost_error, due_error);
    const std::size_t place = cells_.axis().place_of(input);
    ++deviations_.deviating[place];
    tally_.deviates = true;
    tally_.without_distance += distance ? 0 : 1;
    if (!distance) return;
    const double error = oracle::fast_ulp_error(input, got, operation_);
    deviations_.add_error(place, error);
    ++tally_.error_row_changes[error_row(error)];
    if (error > tally_.max_error ||
        (error == tally_.max_error && Census::simpler(input, tally_.max_error_input))) {
      tally_.max_error = error;
      tally_.max_error_input = input;
      tally_.max_error_got = got;
    }
  }

  const oracle::CastOperation& operation_;
  const DtypeTraits& to_;
  const DtypeTraits& from_;
  const CellMap& cells_;
  const Rules& rules_;
  ClaimSet declared_;
  SweepTally& tally_;
  Deviations& deviations_;
};

}  // namespace

void Violations::add(const Violations& other, std::uint64_t before) {
  if (other.count == 0) return;
  const std::uint64_t total = count + other.count;
  const std::uint64_t there = before + other.first;
  const std::uint64_t earliest = count == 0 ? there : std::min(first, there);
  if (count == 0 || Census::simpler(other.input, input)) *this = other;
  count = total;
  first = earliest;
}

void SweepTally::merge(const SweepTally& other) {
  const std::uint64_t before = probes;
  probes += other.probes;
  calls += other.calls;
  seconds += other.seconds;
  if (fault == CallFault::kNone && other.fault != CallFault::kNone) {
    fault = other.fault;
    std::memcpy(fault_text, other.fault_text, sizeof(fault_text));
  }
  if (environment_changes == 0 && other.environment_changes > 0) {
    std::memcpy(environment_change, other.environment_change, sizeof(environment_change));
  }
  environment_changes += other.environment_changes;
  for (std::size_t i = 0; i < violations.size(); ++i)
    violations[i].add(other.violations[i], before);
  const bool further = other.max_distance > max_distance ||
                       (other.max_distance == max_distance && max_distance > 0 &&
                        Census::simpler(other.max_distance_input, max_distance_input));
  if (further) {
    max_distance = other.max_distance;
    max_distance_input = other.max_distance_input;
    max_distance_got = other.max_distance_got;
  }
  if (other.max_error > max_error || (other.max_error == max_error && other.max_error >= 0 &&
                                      Census::simpler(other.max_error_input, max_error_input))) {
    max_error = other.max_error;
    max_error_input = other.max_error_input;
    max_error_got = other.max_error_got;
  }
  unlike_due += other.unlike_due;
  infinite_too_early += other.infinite_too_early;
  without_distance += other.without_distance;
  lost_error = std::fmax(lost_error, other.lost_error);
  differing += other.differing;
  for (std::size_t i = 0; i < kErrorRows; ++i) error_row_changes[i] += other.error_row_changes[i];
  max_relative = std::fmax(max_relative, other.max_relative);
  max_absolute = std::fmax(max_absolute, other.max_absolute);
  nan_lost += other.nan_lost;
  nan_sign_changed += other.nan_sign_changed;
  nan_not_quiet += other.nan_not_quiet;
  nan_payload_changed += other.nan_payload_changed;
  caller_error_differing += other.caller_error_differing;
  deviates = deviates || other.deviates;
}

namespace {

/// Judges every element against bounds on the error itself, which even the oracle's result can
/// miss.
void judge_bounds(const void* in, const void* out, const void* expected, std::size_t n,
                  const CellMap& cells, const Rules& rules, Violations where, SweepTally& tally,
                  Deviations& deviations) {
  const oracle::CastOperation& operation = cells.operation();
  const DtypeTraits& to = traits(operation.to);
  const double least = to.is_floating() ? oracle::to_double(to.min_normal(), operation.to) : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Bits input = oracle::load(in, i, operation.from);
    const Cell& cell = cells.of(input);
    if (!in_scope(ClaimKind::kMaxRelative, cell)) continue;
    const Bits got = oracle::load(out, i, operation.to);
    const double exact = oracle::to_double(input, operation.from);
    const double error = std::fabs(oracle::to_double(got, operation.to) - exact);
    tally.max_absolute = std::fmax(tally.max_absolute, error);
    // As the bound is judged: below the normal range, relative to the least normal number.
    tally.max_relative = std::fmax(tally.max_relative, error / std::fmax(std::fabs(exact), least));
    const Bits due = oracle::load(expected, i, operation.to);
    if (got != due) continue;  // the comparison with the oracle judges these
    const ClaimSet claims = violated(rules, cell, operation, input, got, due);
    where = {1,           tally.probes + i + 1,         input, got, due, 0, where.chunk,
             where.block, static_cast<std::uint32_t>(i)};
    constexpr ClaimSet kBounds = bit(ClaimKind::kMaxRelative) | bit(ClaimKind::kMaxAbsolute);
    for (const ClaimKind kind : {ClaimKind::kMaxRelative, ClaimKind::kMaxAbsolute}) {
      if ((claims & bit(kind)) != 0) tally.violations[static_cast<std::size_t>(kind)].add(where);
    }
    if ((claims & kBounds) == 0) continue;
    deviations.add_violation(cells.axis().place_of(input),
                             traits(operation.from).is_negative(input));
    tally.deviates = true;
  }
}

}  // namespace

void sweep(CastRunner& runner, const EnvironmentLog& log, const ProbeSpace& space,
           std::uint64_t chunk, const oracle::CastOracle& oracle, const CellMap& cells,
           const Rules& rules, Heartbeat& heartbeat, SweepTally& tally, Deviations& deviations) {
  const double start = processor_seconds();
  const std::size_t to_bytes = static_cast<std::size_t>(traits(runner.to()).bytes());
  // Pages of their own, with slack: a kernel that writes a little too far must not reach the
  // auditor's own memory.
  const GuardedPages in(kBlockProbes * sizeof(Bits) + kSlack);
  const GuardedPages out(kBlockProbes * sizeof(Bits) + kSlack);
  Expectation expectation(oracle, rules.overflow == OverflowRule::kSaturate);
  Differences differences(oracle.operation(), cells, rules, tally, deviations);
  const bool bounds = rules.declared[static_cast<std::size_t>(ClaimKind::kMaxRelative)] ||
                      rules.declared[static_cast<std::size_t>(ClaimKind::kMaxAbsolute)];
  const DigestState digest;

  for (std::uint64_t block = 0; block < space.blocks(chunk); ++block) {
    const Block filled = space.fill(chunk, block, in.begin());
    heartbeat.at(block);
    const CallFault fault = runner.call(in.begin(), out.begin(), filled.probes);
    if (fault != CallFault::kNone) {
      tally.fault = fault;
      std::strncpy(tally.fault_text, runner.fault().c_str(), sizeof(tally.fault_text) - 1);
      break;
    }
    const std::size_t bytes = filled.probes * to_bytes;
    if (!expectation.met_by(out.begin(), filled, in.begin())) {
      const void* const expected = expectation.of(filled, in.begin());
      for (std::size_t i = 0; i < filled.probes; ++i) {
        const Bits got = oracle::load(out.begin(), i, runner.to());
        const Bits due = oracle::load(expected, i, runner.to());
        if (got == due) continue;
        Violations where;
        where.first = tally.probes + i + 1;
        where.chunk = chunk;
        where.block = block;
        where.position = static_cast<std::uint32_t>(i);
        const Bits input = oracle::load(in.begin(), i, runner.from());
        differences.add(input, got, due, where);
        // Outside the contract any result may differ between variants: it has no part in the
        // digest.
        if (cells.of(input).caller_error) oracle::store(out.begin(), i, runner.to(), due);
      }
    }
    if (bounds) {
      Violations where;
      where.chunk = chunk;
      where.block = block;
      judge_bounds(in.begin(), out.begin(), expectation.of(filled, in.begin()), filled.probes,
                   cells, rules, where, tally, deviations);
    }
    XXH3_64bits_update(digest.get(), out.begin(), bytes);
    tally.probes += filled.probes;
    heartbeat.did(filled.probes);
  }
  tally.digest = XXH3_64bits_digest(digest.get());
  tally.calls = log.calls();
  tally.environment_changes = log.changes();
  std::strncpy(tally.environment_change, log.first_change().c_str(),
               sizeof(tally.environment_change) - 1);
  tally.seconds = processor_seconds() - start;
}

}  // namespace assay
