// The casts of the reference contract, bound and planned as the audit does it.
#pragma once

#include <string>

#include "audit/job.h"

namespace assay::benchmarks {

/// The job of "cast_f32_to_f16" at effort exhaustive, with all variants of this machine. Kept for
/// the whole run. Throws std::runtime_error where it cannot be bound.
const Job& cast_job(const std::string& kernel);

/// The space of this name ("exhaustive") of a job.
const ProbeSpace& space_of(const Job& job, const std::string& name);

/// The bytes of an element, in and out.
std::size_t from_bytes(const Job& job);
std::size_t to_bytes(const Job& job);

/// What sweeps tell where they are; nobody looks.
Heartbeat unheard();

/// Compares one chunk as the audit does. Throws where a result is wrong: nothing slow is to be
/// gained by a kernel that does not what it should.
SweepTally checked_chunk(const Job& job, const KernelVariant& variant, const ProbeSpace& space,
                         std::uint64_t chunk);

}  // namespace assay::benchmarks
