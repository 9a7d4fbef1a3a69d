// Catch2 2 and 3 give the substring matcher different names.
#pragma once

#include <string>

#include "contracts/testing/catch.h"

namespace assay::testing {

inline auto contains(const std::string& part) {
#if CATCH_VERSION_MAJOR >= 3
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace assay::testing
