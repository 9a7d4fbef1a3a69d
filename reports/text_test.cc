#include "reports/text.h"

#include <limits>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("counts have thousands separators") {
  CHECK(with_thousands(0) == "0");
  CHECK(with_thousands(999) == "999");
  CHECK(with_thousands(1000) == "1,000");
  CHECK(with_thousands(123456) == "123,456");
  CHECK(with_thousands(4294967296) == "4,294,967,296");
  CHECK(with_thousands(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
  CHECK(counted(1, "claim") == "1 claim");
  CHECK(counted(0, "claim") == "0 claims");
  CHECK(counted(2048, "claim") == "2,048 claims");
}

TEST_CASE("durations never round to a form that does not exist") {
  CHECK(duration_text(0) == "0.00 s");
  CHECK(duration_text(9.994) == "9.99 s");
  CHECK(duration_text(9.996) == "10.0 s");
  CHECK(duration_text(41.3) == "41.3 s");
  CHECK(duration_text(59.96) == "1 min 0 s");
  CHECK(duration_text(125.4) == "2 min 5 s");
  CHECK(duration_text(3599.6) == "1 h 0 min");
  CHECK(duration_text(3720) == "1 h 2 min");
  CHECK(duration_text(-1) == "unknown time");
  CHECK(duration_text(std::numeric_limits<double>::quiet_NaN()) == "unknown time");
  CHECK(duration_text(1e300) == "1e+300 s");
}

TEST_CASE("numbers are the shortest that read back") {
  CHECK(number_text(0.5) == "0.5");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "infinity");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-infinity");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}

}  // namespace
}  // namespace assay
