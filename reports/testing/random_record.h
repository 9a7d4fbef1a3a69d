// Records of every shape that a report can have.
#pragma once

#include <cstdint>

#include "contracts/run_record.h"

namespace assay::testing {

/// A record that is chosen by `seed`: counts add up, verdicts have what the schema asks of them,
/// and no name is there twice where one may not be; all else is random, strangers' text included.
RunRecord random_record(std::uint64_t seed);

}  // namespace assay::testing
