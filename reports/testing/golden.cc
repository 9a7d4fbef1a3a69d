#include "reports/testing/golden.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "contracts/testing/catch.h"

namespace assay::testing {

void check_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(ASSAY_SOURCE_DIR "/reports/golden/").append(name);
  const char* update = std::getenv("ASSAY_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream out(path, std::ios::binary);
    out << actual;
    out.flush();
    REQUIRE(out.good());
    return;
  }
  std::ifstream file(path, std::ios::binary);
  INFO("golden file " << path << " (ASSAY_UPDATE_GOLDEN=1 accepts new output)");
  REQUIRE(file.good());
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  if (actual == expected) return;
  std::istringstream actual_lines(actual);
  std::istringstream expected_lines(expected);
  std::string actual_line;
  std::string expected_line;
  for (int line = 1;; ++line) {
    const bool more_actual = static_cast<bool>(std::getline(actual_lines, actual_line));
    const bool more_expected = static_cast<bool>(std::getline(expected_lines, expected_line));
    if (!more_actual) actual_line.clear();
    if (!more_expected) expected_line.clear();
    if (more_actual == more_expected && more_actual && actual_line == expected_line) continue;
    FAIL("line " << line << " differs\n  expected: " << expected_line
                 << "\n  actual:   " << actual_line);
  }
}

}  // namespace assay::testing
