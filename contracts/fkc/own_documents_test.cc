// The contracts of this source tree.
#include <algorithm>
#include <filesystem>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

TEST_CASE("our own contracts keep to the letter of the format") {
  std::size_t documents = 0;
  for (const std::string folder : {"contracts/reference", "contracts/adapters"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ASSAY_SOURCE_DIR) + "/" + folder)) {
      if (!entry.path().string().ends_with(".fkc.md")) continue;
      ++documents;
      const Document document = read_document(entry.path(), {.strict = true});
      INFO(testing::listing(document));
      CHECK(std::all_of(
          document.diagnostics.begin(), document.diagnostics.end(),
          [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kNote; }));
      CHECK_FALSE(document.kernels.empty());
    }
  }
  CHECK(documents == 11);
}

}  // namespace
}  // namespace assay::fkc
