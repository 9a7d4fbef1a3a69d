// Calls of operations with windows that a contract rules out.
#pragma once

#include "audit/window/job.h"
#include "contracts/fuzz/byte_reader.h"

namespace assay::fuzz {

/// Varies a call of `geometry`, which must be complete, in one way that the bytes choose: a fault
/// of the audit's own list, or other strides, offsets, dtypes, shapes or parameters. Where the
/// contract rules the call out, every variant must refuse it and leave the output alone; a broken
/// claim is reported. Other calls are not made.
void try_variation(const window::Job& job, const window::Geometry& geometry, ByteReader& bytes);

/// The same of a geometry that is not complete, as it is.
void try_incomplete(const window::Job& job, const window::Geometry& geometry);

}  // namespace assay::fuzz
