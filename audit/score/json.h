// Scores as JSON: `assay-score/1`.
#pragma once

#include <nlohmann/json.hpp>

#include "audit/score/scored.h"

namespace assay::score {

nlohmann::json json_of(const Scored& score);

/// The reverse. Throws nlohmann::json::exception on anything else.
Scored from_json(const nlohmann::json& json);

}  // namespace assay::score
