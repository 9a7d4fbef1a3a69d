// The operations with windows of the reference contract, bound as the audit does it.
#pragma once

#include <string>

#include "audit/window/call.h"
#include "audit/window/job.h"
#include "audit/window/rates.h"

namespace assay::benchmarks {

/// The job of a kernel ("conv2d") in one dtype, without cases. Kept for the whole run. Throws
/// std::runtime_error where there is none.
const window::Job& window_job(const std::string& kernel, Dtype dtype);

}  // namespace assay::benchmarks
