#include "audit/score/json.h"

namespace assay::score {

namespace {

using Json = nlohmann::json;

template <class Value>
Json known(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Outcome outcome_from(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(Outcome::kNotRun); ++i) {
    if (word == to_string(static_cast<Outcome>(i))) return static_cast<Outcome>(i);
  }
  return Outcome::kFailed;
}

}  // namespace

Json json_of(const Scored& score) {
  Json size = nullptr;
  if (score.size) {
    size = {{"elements", score.size->elements}, {"set_bits", score.size->set_bits}};
  }
  return {{"name", score.name},
          {"kernel", score.kernel},
          {"claim", score.claim},
          {"what", score.what},
          {"outcome", to_string(score.outcome)},
          {"first_violation", known(score.first_violation)},
          {"probes", score.probes},
          {"counterexample", size},
          {"alarms", score.alarms},
          {"case_fault", score.case_fault},
          {"unsteady", score.unsteady},
          {"why", score.why},
          {"seconds", score.seconds}};
}

Scored from_json(const Json& json) {
  Scored score;
  score.name = json.at("name");
  score.kernel = json.at("kernel");
  score.claim = json.at("claim");
  score.what = json.at("what");
  score.outcome = outcome_from(json.at("outcome"));
  if (!json.at("first_violation").is_null()) {
    score.first_violation = json.at("first_violation").get<std::uint64_t>();
  }
  score.probes = json.at("probes");
  if (const Json& size = json.at("counterexample"); !size.is_null()) {
    score.size = Size{size.at("elements"), size.at("set_bits")};
  }
  score.alarms = json.at("alarms").get<std::vector<std::string>>();
  score.case_fault = json.at("case_fault");
  score.unsteady = json.at("unsteady");
  score.why = json.at("why");
  score.seconds = json.at("seconds");
  return score;
}

}  // namespace assay::score
