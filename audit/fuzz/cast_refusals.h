// Calls of casts with other descriptions of their tensors than a plain call has.
#pragma once

#include "audit/job.h"
#include "contracts/fuzz/byte_reader.h"

namespace assay::fuzz {

/// Decodes a call's dtypes, ranks, shapes, strides and offsets, and gives it to every variant. What
/// the contract rejects must be refused and leave the output alone; what it admits must be carried
/// out; about the rest nothing is demanded. A broken claim is reported.
void try_descriptions(const Job& job, ByteReader& bytes);

}  // namespace assay::fuzz
