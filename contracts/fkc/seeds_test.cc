// The published documents and ours make the same claims.
#include <algorithm>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/fields.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::file_text;
using testing::promises_of;

TEST_CASE("the published documents' prose makes the claims of our audit blocks") {
  for (const auto& [seed, own] : std::vector<std::pair<std::string, std::string>>{
           {"reference-cast.fkc.txt", "cast.fkc.md"},
           {"reference-conv-pool.fkc.txt", "conv-pool.fkc.md"}}) {
    const Document prose = parse_document(file_text("contracts/testdata/seeds/" + seed), "seed");
    const Document blocks = parse_document(file_text("contracts/reference/" + own), "own");
    REQUIRE(prose.kernels.size() == blocks.kernels.size());
    for (std::size_t i = 0; i < prose.kernels.size(); ++i) {
      INFO(prose.kernels[i].kernel);
      CHECK(prose.kernels[i].kernel == blocks.kernels[i].kernel);
      // Where a bias is added the seeds leave open. Ours say it of one kernel, and nothing else.
      const auto& order = blocks.kernels[i].bias_order;
      CHECK(order == (blocks.kernels[i].kernel == "conv2d" ? std::optional(BiasOrder::kLast)
                                                           : std::nullopt));
      CHECK_FALSE(prose.kernels[i].bias_order);
      std::vector<std::string> expected = promises_of(prose.kernels[i]);
      if (order) {
        const auto accumulator = std::find_if(
            expected.begin(), expected.end(),
            [](const std::string& claim) { return claim.starts_with("accumulator="); });
        REQUIRE(accumulator != expected.end());
        *accumulator += ", bias last";
      }
      CHECK(expected == promises_of(blocks.kernels[i]));
      for (std::size_t c = 0; c < prose.kernels[i].claims.size(); ++c) {
        const Claim& from_prose = prose.kernels[i].claims[c];
        const Claim& from_block = blocks.kernels[i].claims.at(c);
        CHECK(from_prose.value.index() == from_block.value.index());
        const bool audit = from_block.source.kind == SourceKind::kAuditEntry;
        CHECK((from_prose.source.kind == SourceKind::kProse) == audit);
      }
    }
  }
}

}  // namespace
}  // namespace assay::fkc
