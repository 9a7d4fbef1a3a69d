// The score, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "audit/options.h"
#include "audit/score/floor.h"
#include "audit/score/scored.h"

namespace assay::score {

/// One effort's score, with the smallest call that each fault can be shown with, as its author
/// knows it.
struct Table {
  Effort effort = Effort::kStandard;
  std::uint64_t seed = 1;
  double seconds = 0;
  std::vector<Scored> scores;
  std::vector<Mutant> mutants;  ///< in the same order
  std::vector<FloorRow> floor;
};

/// Numbers, then what is not as it should be, one line each.
std::string console_text(const Table& table);

/// A Markdown page: the numbers, by claim and by kernel, survivors with their reasons, and every
/// case.
std::string markdown_text(const Table& table);

/// `assay-score/1`.
nlohmann::json json_text(const Table& table);

}  // namespace assay::score
