// What a report's token holds: all that is needed to run one case again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/options.h"
#include "contracts/claim.h"
#include "contracts/dtype.h"
#include "contracts/fkc/document.h"
#include "contracts/run_record.h"
#include "kernels/kernel.h"

namespace assay {

/// What has to run again.
enum class Again : std::uint8_t {
  kOneCall,  ///< the call that the token holds, and nothing else
  kClaim,    ///< the judge of a claim about calls: all the calls that it makes
  kCalls,    ///< those of all claims about calls: one of them showed what another one promises
  kSweeps,   ///< the sweeps over the probe spaces
  kAll,      ///< sweeps and all calls
};

/// One call of a kernel, elements and all.
struct TokenCall {
  Dtype dtype = Dtype::kF32;  ///< of the operands
  /// A cast has one. Windows: x, weight and bias; what the call has not is empty, or left out at
  /// the end.
  std::vector<std::vector<Bits>> operands;
  std::vector<std::int64_t> geometry;  ///< of operations with windows (window/call_token.h)
  std::uint64_t at = 0;                ///< the result concerned: a linear index
};

struct Token {
  std::string kernel;    ///< as the record names it
  std::string contract;  ///< the document's file, as the record names it
  std::string revision;  ///< contract_revision()
  std::string library;   ///< empty: built in
  std::string variant;
  std::string reference;  ///< the variant that `bitwise` compares with; empty for other claims
  ClaimKind claim = ClaimKind::kRounding;
  bool error = false;  ///< the claim had the verdict `error`, else it was refuted
  std::uint64_t seed = 1;
  Effort effort = Effort::kStandard;
  Again again = Again::kOneCall;
  std::string circumstances;      ///< of the call that showed it, in a judge's words
  std::optional<TokenCall> call;  ///< for kOneCall
};

/// Names a contract as far as it bears on verdicts: its block's bytes and all its claims. 16 digits
/// of hex.
std::string contract_revision(const fkc::KernelContract& contract);

/// The token of a claim of this variant, with nothing of a case yet.
Token token_for(const fkc::KernelContract& contract, const std::string& kernel,
                const KernelVariant& variant, ClaimKind claim, std::uint64_t seed, Effort effort);

/// A token as a word, and what of it is too large for that.
struct TokenText {
  std::string word;  ///< at most kMostTokenLength characters
  std::optional<CaseFile> file;
};
TokenText to_text(const Token& token);

/// `report`: the report's folder, where a case file is looked for. Throws UsageError, which says
/// what is wrong, for anything but a whole token with its file as it was written.
Token token_from(std::string_view word, const std::filesystem::path& report);

/// Gives a counterexample its token.
void put_token(Counterexample& example, const Token& token);

/// Gives a claim its own token where it has fallen without a counterexample: by an error, or
/// refuted.
void put_token_of_claim(ClaimRecord& record, Token token);

}  // namespace assay
