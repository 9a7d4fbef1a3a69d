// Which cases a kernel is probed with at each effort.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "audit/probe/space.h"
#include "audit/window/geometries.h"
#include "audit/window/job.h"
#include "audit/window/pairs.h"

namespace assay::window {

namespace {

/// Products of one case that the oracles evaluate at most, by effort: they spend about a
/// microsecond on each. Of larger outputs they look at a part of the results.
constexpr std::array<double, 3> kMostWork = {6000, 20000, 40000};

/// Products of a random geometry at most.
constexpr double kMostRandomWork = 40000;

/// Results of a corner at most: past every 16-bit index, and no more.
constexpr std::size_t kMostResults = 150000;

/// How many random geometries, by effort.
constexpr std::array<std::size_t, 3> kRandom = {40, 300, 4000};

std::uint64_t seed_of(std::uint64_t seed, std::size_t index) {
  return mix(seed ^ mix(index));
}

/// Every how many results are looked at where all would be `too_much` times the work that there is
/// time for. Without a common divisor with the extents, so that rows and channels are met in turn.
std::uint64_t every_of(const Geometry& geometry, double too_much) {
  if (too_much <= 1) return 1;
  const oracle::ConvolutionGeometry& e = geometry.extents;
  auto every = static_cast<std::int64_t>(std::ceil(too_much));
  while (std::gcd(every, e.result.columns) != 1 || std::gcd(every, e.result.rows) != 1 ||
         std::gcd(every, e.out_channels) != 1) {
    ++every;
  }
  return static_cast<std::uint64_t>(every);
}

}  // namespace

void plan(Job& job, const AuditOptions& options) {
  const std::vector<Family> all = families(job.operation);
  std::size_t next = 0;
  const auto effort = static_cast<std::size_t>(options.effort);
  job.choice = "seed " + std::to_string(options.seed) + ", effort " + to_string(options.effort);
  const auto add = [&](const Geometry& geometry, Family family) {
    Case the_case{geometry, family, seed_of(options.seed, job.cases.size())};
    the_case.every = every_of(geometry, work(job.operation, geometry) / kMostWork[effort]);
    job.cases.push_back(the_case);
  };
  // What effort cuts is the random part. The corners are always there: each with integers or well
  // scaled numbers in turn, and with one of the other families, which go round.
  std::vector<Geometry> corners = corner_geometries(job.operation);
  corners.erase(std::remove_if(corners.begin(), corners.end(),
                               [](const Geometry& geometry) {
                                 return elements(output_shape(geometry)) > kMostResults;
                               }),
                corners.end());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    add(corners[i], all[i % 2]);
    add(corners[i], all[2 + next++ % (all.size() - 2)]);
  }
  for (const Geometry& geometry :
       random_geometries(job.operation, kRandom[effort], kMostRandomWork, options.seed)) {
    add(geometry, all[next++ % all.size()]);
  }
  if (has_pairs(job.operation)) job.firsts = first_values(job.operation.dtype, options.effort);
}

}  // namespace assay::window
