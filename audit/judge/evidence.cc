#include "audit/judge/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/judge/digest.h"
#include "oracles/cast_exact.h"
#include "reports/text.h"

namespace assay {

namespace {

std::string join(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

/// The cell as it would be if nothing were outside the contract.
Cell inside_contract(Cell cell) {
  cell.caller_error = false;
  return cell;
}

/// What a chunk that did not run whole still tells: what it cost, how it ended, and what became of
/// the environment.
SweepTally without_measures(const SweepTally& tally) {
  SweepTally result;
  result.probes = tally.probes;
  result.calls = tally.calls;
  result.seconds = tally.seconds;
  result.fault = tally.fault;
  std::copy(std::begin(tally.fault_text), std::end(tally.fault_text), result.fault_text);
  result.environment_changes = tally.environment_changes;
  std::copy(std::begin(tally.environment_change), std::end(tally.environment_change),
            result.environment_change);
  return result;
}

std::string of(std::uint64_t part, std::uint64_t whole) {
  return with_thousands(part) + " of " + with_thousands(whole);
}

}  // namespace

std::string SpaceDigest::text() const {
  return fmt::format("{:016x}", value);
}

std::string Evidence::space_words() const {
  std::string text = join(complete_spaces, "; ");
  if (!incomplete_spaces.empty()) {
    text += (text.empty() ? "" : "; ") + std::string("REDUCED: ") + join(incomplete_spaces, "; ");
  }
  return text;
}

Evidence add_up(const Job& job, const JobResult& result, std::size_t variant) {
  Evidence evidence;
  evidence.deviations = result.variants[variant].deviations;
  const DigestState digest;
  std::vector<std::string> digested;
  bool boundaries = false;
  bool specials = false;
  for (std::size_t s = 0; s < job.spaces.size(); ++s) {
    const SpaceResult& space = result.variants[variant].spaces[s];
    if (!space.assigned) continue;
    const ProbeSpace& described = *job.spaces[s];
    std::uint64_t ran = 0;
    std::uint64_t planned = 0;
    bool complete = true;
    std::vector<std::uint64_t> digests;
    for (std::uint64_t c = 0; c < space.chunks.size(); ++c) {
      const ChunkResult& chunk = space.chunks[c];
      planned += described.probes(c);
      const bool whole = chunk.state == UnitState::kDone && chunk.tally.fault == CallFault::kNone &&
                         result.counted[s][c];
      complete = complete && whole;
      if (chunk.state != UnitState::kDone) continue;
      if (!whole) {
        for (std::size_t i = 0; i < kElementClaims; ++i) {
          evidence.partial[i].add(chunk.tally.violations[i], evidence.tally.probes);
        }
        evidence.tally.merge(without_measures(chunk.tally));
        continue;
      }
      evidence.tally.merge(chunk.tally);
      ran += chunk.tally.probes;
      digests.push_back(chunk.tally.digest);
      evidence.census.merge(result.censuses[s][c]);
    }
    evidence.probes += ran;
    evidence.planned += planned;
    if (!complete) {
      if (ran > 0) evidence.strength = std::max(evidence.strength, Strength::kSampled);
      evidence.incomplete_spaces.push_back(
          fmt::format("{} probes run: {}", of(ran, planned), described.words()));
      continue;
    }
    evidence.complete_spaces.push_back(described.words());
    boundaries = boundaries || described.strength() == Strength::kBoundaryComplete;
    specials = specials || described.name() == "special values";
    evidence.strength = std::max(evidence.strength, described.strength() == Strength::kExhaustive
                                                        ? Strength::kExhaustive
                                                        : Strength::kSampled);
    evidence.digests.push_back(
        {described.words(), XXH3_64bits(digests.data(), digests.size() * sizeof(std::uint64_t))});
    const bool common =
        std::all_of(job.assigned.begin(), job.assigned.end(), [&](const auto& a) { return a[s]; });
    if (common) {
      XXH3_64bits_update(digest.get(), digests.data(), digests.size() * sizeof(std::uint64_t));
      digested.push_back(described.words());
    }
  }
  if (boundaries && specials) {
    evidence.strength = std::max(evidence.strength, Strength::kBoundaryComplete);
  }
  if (!digested.empty()) {
    evidence.digest = fmt::format("{:016x}", XXH3_64bits_digest(digest.get()));
    evidence.digest_space = join(digested, "; ");
  }
  return evidence;
}

std::uint64_t scope_probes(const Census& census, const CellMap& cells, ClaimKind kind) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < cells.cells().size(); ++i) {
    if (in_scope(kind, cells.cells()[i])) total += census.cell_probes[i];
  }
  return total;
}

std::uint64_t caller_error_probes(const Census& census, const CellMap& cells, ClaimKind kind) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < cells.cells().size(); ++i) {
    const Cell& cell = cells.cells()[i];
    if (cell.caller_error && in_scope(kind, inside_contract(cell))) total += census.cell_probes[i];
  }
  return total;
}

Measured measure_numbers(const Job& job, const Evidence& evidence) {
  Measured measured;
  const auto& [from, to, rounding] = job.oracle->operation();
  const std::uint64_t due_numbers = scope_probes(evidence.census, *job.cells, ClaimKind::kRounding);
  if (due_numbers == 0) return measured;
  const SweepTally& tally = evidence.tally;
  // Where a number is due and never comes there is nothing to measure.
  if (tally.without_distance < due_numbers) measured.max_ulp_distance = tally.max_distance;
  std::array<std::uint64_t, kErrorRows> rows{};
  for (std::size_t i = 0; i < kErrorRows; ++i) {
    const auto count =
        static_cast<std::int64_t>(evidence.census.error_rows[i]) + tally.error_row_changes[i];
    rows[i] = static_cast<std::uint64_t>(count);
    measured.histogram.push_back({i == 0 ? 0 : kErrorEdges[i - 1], kErrorEdges[i], rows[i]});
  }
  // The census is of correct results. Of a kernel with others, the worst of these may be where the
  // kernel gave something else: then it is not known what the worst of those left is, unless the
  // histogram has nothing beyond the worst of the others.
  const std::size_t row = error_row(std::fmax(tally.max_error, 0));
  const bool last_of_all = tally.max_error == kErrorEdges[row] &&
                           std::all_of(rows.begin() + static_cast<std::ptrdiff_t>(row) + 1,
                                       rows.end(), [](std::uint64_t count) { return count == 0; });
  const bool worse_than_rounding =
      tally.max_error >= 0 && (tally.max_error >= evidence.census.max_error || last_of_all);
  if (worse_than_rounding || tally.lost_error < evidence.census.max_error) {
    const Bits input =
        worse_than_rounding ? tally.max_error_input : evidence.census.max_error_input;
    const Bits got = worse_than_rounding ? tally.max_error_got : job.oracle->expect_one(input);
    oracle::ExactCast exact(job.oracle->operation());
    measured.max_ulp_error = exact.ulp_error(input, got);
    measured.argmax = ArgMax{hex(input, from), oracle::value_text(input, from), hex(got, to),
                             oracle::value_text(got, to), oracle::value_text(input, from)};
  }
  measured.profiles.push_back(
      evidence.deviations.worst_errors(job.cells->axis(), evidence.census.place_errors));
  if (job.rules->declared[static_cast<std::size_t>(ClaimKind::kMaxRelative)] ||
      job.rules->declared[static_cast<std::size_t>(ClaimKind::kMaxAbsolute)]) {
    measured.max_relative = tally.max_relative;
    measured.max_absolute = tally.max_absolute;
  }
  return measured;
}

Measured measure_nans(const Job& job, const Evidence& evidence) {
  Measured measured;
  const DtypeTraits& to = traits(job.oracle->operation().to);
  const std::uint64_t nans = scope_probes(evidence.census, *job.cells, ClaimKind::kNan);
  if (nans == 0 || !to.is_floating()) return measured;
  const SweepTally& tally = evidence.tally;
  const std::uint64_t kept = nans - tally.nan_lost;
  measured.observations = {
      {"NaN inputs that give a NaN", of(kept, nans)},
      {"NaN results with the sign of the input", of(kept - tally.nan_sign_changed, kept)},
      {"NaN results with the quiet bit set", of(kept - tally.nan_not_quiet, kept)},
      {"NaN results that keep the payload's leading bits",
       of(kept - tally.nan_payload_changed, kept)}};
  return measured;
}

Measured measure_caller_errors(const Job& job, const Evidence& evidence) {
  Measured measured;
  std::uint64_t outside = 0;
  for (std::size_t i = 0; i < job.cells->cells().size(); ++i) {
    if (job.cells->cells()[i].caller_error) outside += evidence.census.cell_probes[i];
  }
  if (outside == 0) return measured;
  measured.observations = {
      {"inputs outside the contract's domain that give the nearest end of the output's range, or 0 "
       "for NaN (not judged)",
       of(outside - evidence.tally.caller_error_differing, outside)}};
  return measured;
}

}  // namespace assay
