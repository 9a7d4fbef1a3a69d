// Runs RapidCheck properties: the same ones each time, and silently while they hold.
#pragma once

#include <rapidcheck.h>

#include <sstream>
#include <string>

namespace assay::properties {

/// The parameters of a run without RC_PARAMS in its environment. Misspelt keys would be ignored;
/// a test reads them back.
inline constexpr const char* kDefaultParameters = "seed=20261130 max_success=300";

/// The parameters in force: RC_PARAMS, if set.
std::string parameters();

/// What a run of a property found.
struct Outcome {
  bool holds = false;
  std::string message;  ///< for a failure: the counterexample, and the line that repeats it
};

/// As `require_property`, for tests of this file itself.
Outcome outcome_of(const std::string& description, const rc::detail::Property& property);

/// Checks a property: a callable that draws what it needs (`*patterns(...)`) and uses RC_ASSERT. A
/// failure is a failed assertion of the running test.
void require_property(const std::string& description, const rc::detail::Property& property);

template <typename Testable>
void holds(const std::string& description, Testable&& testable) {
  require_property(description, rc::detail::toProperty(std::forward<Testable>(testable)));
}

}  // namespace assay::properties
