// Which cases a kernel is probed with at each effort.
#include <algorithm>
#include <array>

#include "audit/probe/space.h"
#include "audit/window/geometries.h"
#include "audit/window/job.h"
#include "audit/window/pairs.h"

namespace assay::window {

namespace {

/// Products of one case. The oracles spend about a microsecond on each.
constexpr double kMostWork = 40000;

/// How many random geometries, by effort.
constexpr std::array<std::size_t, 3> kRandom = {40, 200, 4000};

std::uint64_t seed_of(std::uint64_t seed, std::size_t index) {
  return mix(seed ^ mix(index));
}

}  // namespace

void plan(Job& job, const AuditOptions& options) {
  const std::vector<Family> all = families(job.operation);
  std::size_t next = 0;
  const auto add = [&](const Geometry& geometry, Family family) {
    job.cases.push_back({geometry, family, seed_of(options.seed, job.cases.size())});
  };
  // What effort cuts is the random part. The corners are always there: each with integers or well
  // scaled numbers in turn, and with one of the other families, which go round.
  std::vector<Geometry> corners = corner_geometries(job.operation);
  corners.erase(std::remove_if(corners.begin(), corners.end(),
                               [&](const Geometry& geometry) {
                                 return work(job.operation, geometry) > 4 * kMostWork;
                               }),
                corners.end());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    add(corners[i], all[i % 2]);
    add(corners[i], all[2 + next++ % (all.size() - 2)]);
  }
  const std::size_t count = kRandom[static_cast<std::size_t>(options.effort)];
  for (const Geometry& geometry :
       random_geometries(job.operation, count, kMostWork, options.seed)) {
    add(geometry, all[next++ % all.size()]);
  }
  if (has_pairs(job.operation)) job.firsts = first_values(job.operation.dtype, options.effort);
}

}  // namespace assay::window
