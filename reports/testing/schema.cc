#include "reports/testing/schema.h"

#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace assay::testing {

namespace {

/// valijson reads every integer as a signed 64-bit one, and so takes counts above 2^63 - 1 for
/// negative. No bound of the schema is near that, so the answer is the same for 2^63 - 1.
void clamp_counts(nlohmann::json& json) {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::int64_t>::max();
  if (json.is_structured()) {
    for (nlohmann::json& element : json) clamp_counts(element);
  } else if (json.is_number_unsigned() && json.get<std::uint64_t>() > kLimit) {
    json = kLimit;
  }
}

}  // namespace

std::vector<std::string> schema_faults(const std::string& json, const std::string& schema_name) {
  const std::string path = ASSAY_SCHEMAS "/" + schema_name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  const nlohmann::json schema_text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_text), schema);

  nlohmann::json value = nlohmann::json::parse(json);
  clamp_counts(value);
  // Strict types: "1" is not 1.
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  std::vector<std::string> faults;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(value), &results)) {
    return faults;
  }
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    std::string where;
    for (const std::string& part : error.context) where += part;
    faults.push_back(where + ": " + error.description);
  }
  if (faults.empty()) faults.push_back("refused without a reason");
  return faults;
}

}  // namespace assay::testing
