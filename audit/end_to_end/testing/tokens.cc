#include "audit/end_to_end/testing/tokens.h"

#include <fstream>

#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/repro/repeat.h"
#include "audit/testing/folder.h"
#include "audit/token/word.h"
#include "contracts/testing/catch.h"

namespace assay::testing {

namespace {

AuditOptions options() {
  AuditOptions chosen;
  chosen.threads = 2;
  chosen.hang_after = std::chrono::seconds(3);
  return chosen;
}

/// The token of a fallen claim, whose file is put into `folder`.
std::string token_of(const ClaimRecord& claim, const std::filesystem::path& folder) {
  if (!claim.counterexample) return claim.token;
  CHECK(claim.token.empty());
  if (claim.counterexample->file) {
    std::filesystem::create_directories(folder / kCaseFolder);
    std::ofstream(folder / kCaseFolder / claim.counterexample->file->name)
        << claim.counterexample->file->content;
  }
  return claim.counterexample->token;
}

}  // namespace

void check_tokens(const Mutant& mutant, const KernelRecord& kernel) {
  const Registry faulty = registry_of(mutant.entry_point, {{"mutant", mutant.function}});
  const Registry right = built_in_registry();
  const Folder folder;
  for (const ClaimRecord& claim : kernel.variants.at(0).claims) {
    if (claim.verdict != Verdict::kRefuted && claim.verdict != Verdict::kError) continue;
    INFO("claim " << claim.id);
    const std::string word = token_of(claim, folder.path());
    INFO("token " << word);
    CHECK(word.size() <= kMostTokenLength);
    Token token = token_from(word, folder.path());
    CHECK(row(token.claim).id == claim.id);
    CHECK(token.error == (claim.verdict == Verdict::kError));

    const Repeated repeated = repeat(token, shipped_contracts(), faulty, options());
    INFO("run: " << repeated.ran << "; why: " << repeated.why);
    CHECK(repeated.outcome == Repeated::Outcome::kFails);
    if (claim.verdict == Verdict::kRefuted) {
      REQUIRE(repeated.example);
      CHECK_FALSE(repeated.example->why.empty());
    }
    if (token.again == Again::kOneCall) {
      CHECK(repeated.example->got.bits == claim.counterexample->got.bits);
      CHECK(repeated.example->expected.bits == claim.counterexample->expected.bits);
      CHECK(repeated.example->why == claim.counterexample->why);
      CHECK(repeated.example->token == word);
    }
    CHECK(repeated.notes.empty());

    token.variant = "scalar";
    const Repeated healthy = repeat(token, shipped_contracts(), right, options());
    INFO("right kernel: " << healthy.ran << "; why: " << healthy.why);
    CHECK(healthy.outcome == Repeated::Outcome::kHolds);
  }
}

}  // namespace assay::testing
