// Words about broken bounds say how they are broken.
#include "audit/judge/bound_text.h"

#include <cmath>
#include <limits>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("an error just above its bound is seen to be above it") {
  const double bound = 0.000488043;
  CHECK(beyond_text(std::nextafter(bound, 1), bound) ==
        "0.00048804300000000007, the bound is 0.000488043");
  CHECK(beyond_text(0.000488043208, bound, "4.88043e-4") ==
        "0.000488043208, the bound is 4.88043e-4");
}

TEST_CASE("an error that doubles do not tell from its bound is not called equal to it") {
  CHECK(beyond_text(0.5, 0.5) == "just above the bound, which is 0.5");
  CHECK(beyond_text(0.5, 0.5, "1/2") == "just above the bound, which is 1/2");
}

TEST_CASE("what is no number is above every bound") {
  CHECK(beyond_text(std::numeric_limits<double>::infinity(), 1) == "infinity, the bound is 1");
  CHECK(beyond_text(std::numeric_limits<double>::quiet_NaN(), 1) == "NaN, the bound is 1");
}

}  // namespace
}  // namespace assay
