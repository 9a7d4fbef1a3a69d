#include "audit/properties/testing/property.h"

#include <cstdlib>

#include "contracts/testing/catch.h"

namespace assay::properties {

std::string parameters() {
  // Before RapidCheck reads its configuration, which it does once; kept if already set.
  setenv("RC_PARAMS", kDefaultParameters, 0);
  return std::getenv("RC_PARAMS");
}

Outcome outcome_of(const std::string& description, const rc::detail::Property& property) {
  const std::string in_force = parameters();
  const rc::detail::TestResult result = rc::detail::checkProperty(property);
  if (result.is<rc::detail::SuccessResult>()) return {true, {}};
  std::ostringstream message;
  message << description << "\n";
  rc::detail::printResultMessage(result, message);
  message << "\nRepeat with RC_PARAMS=\"" << in_force << "\"";
  return {false, message.str()};
}

void require_property(const std::string& description, const rc::detail::Property& property) {
  const Outcome outcome = outcome_of(description, property);
  if (!outcome.holds) FAIL_CHECK(outcome.message);
  SUCCEED();
}

}  // namespace assay::properties
