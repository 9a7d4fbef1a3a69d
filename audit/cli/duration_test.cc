// Durations as people type them, and the words of a long run.
#include "audit/cli/duration.h"

#include "audit/options.h"
#include "contracts/testing/catch.h"

namespace assay::cli {
namespace {

TEST_CASE("durations are read in seconds, minutes and hours") {
  CHECK(duration_from("90s").count() == 90);
  CHECK(duration_from("90").count() == 90);
  CHECK(duration_from("1.5min").count() == 90);
  CHECK(duration_from("1.5m").count() == 90);
  CHECK(duration_from("2h").count() == 7200);
  CHECK(duration_from("0.25s").count() == 0.25);
}

TEST_CASE("what is no positive time is refused, with the text and the form") {
  for (const char* text : {"", "s", "0", "0s", "-1s", "-0", "nan", "inf", "1e400", "1d", "1 s",
                           "1sec", "s1", "1s1", "0x10", "1h30", "+1", "999999h", " 1"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(duration_from(text), UsageError);
  }
  try {
    duration_from("soon");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("'soon'") != std::string::npos);
    CHECK(std::string(error.what()).find("90s") != std::string::npos);
  }
}

}  // namespace
}  // namespace assay::cli
