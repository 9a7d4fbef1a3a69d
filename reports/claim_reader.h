// The parts of a JSON report that are a claim's, and a timed call. What reader.h says holds here.
#pragma once

#include <string>
#include <string_view>

#include "contracts/run_record.h"
#include "reports/json_fields.h"

namespace assay {

/// Digits 0-9 and a-f alone.
bool is_lower_hex(std::string_view text);

/// "0x" and the digits of a whole format.
std::string read_bits(const JsonPlace& place);

Measured read_measured(const JsonPlace& place);

ClaimRecord read_claim_record(const JsonPlace& place);

/// The report has operations and bytes a second; the record gets numbers of them that give exactly
/// these rates again.
RateRecord read_rate_record(const JsonPlace& place);

}  // namespace assay
