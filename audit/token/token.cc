#include "audit/token/token.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "audit/token/bit_list.h"
#include "audit/token/case_file.h"
#include "audit/token/whole_number.h"
#include "audit/token/word.h"
#include "contracts/unicode.h"

namespace assay {

namespace {

/// Elements of one operand at most: as many as any tensor of an audit has.
constexpr std::size_t kMostElements = std::size_t{1} << 22;
constexpr std::size_t kMostExtents = 32;

constexpr std::array<std::string_view, 5> kAgain = {"call", "claim", "calls", "sweeps", "all"};
constexpr std::array<std::string_view, 3> kOperands = {"x", "weight", "bias"};

std::vector<TokenField> fields_of_call(const TokenCall& call) {
  std::vector<TokenField> fields = {{"dtype", std::string(traits(call.dtype).name)},
                                    {"at", std::to_string(call.at)}};
  if (!call.geometry.empty()) {
    fields.push_back({"geometry", fmt::format("{}", fmt::join(call.geometry, ","))});
  }
  std::size_t operands = call.operands.size();
  while (operands > 1 && call.operands[operands - 1].empty()) --operands;
  for (std::size_t i = 0; i < operands; ++i) {
    fields.push_back({std::string(kOperands[i]), bit_list(call.operands[i], call.dtype)});
  }
  return fields;
}

/// Takes fields out of a token, one after the other.
class Reading {
 public:
  explicit Reading(std::vector<TokenField> fields) : fields_(std::move(fields)) {}

  std::optional<std::string> take(std::string_view name) {
    const auto found = std::ranges::find(fields_, name, &TokenField::name);
    if (found == fields_.end()) return std::nullopt;
    std::string value = std::move(found->value);
    fields_.erase(found);
    return value;
  }
  std::string need(std::string_view name) {
    std::optional<std::string> value = take(name);
    if (!value) throw UsageError(fmt::format("the token does not say its '{}'", name));
    return std::move(*value);
  }
  std::string take_or_empty(std::string_view name) { return take(name).value_or(std::string()); }

  std::uint64_t number(std::string_view name) {
    const std::string text = need(name);
    std::uint64_t number = 0;
    if (!read_whole_number(text, number)) {
      refuse(name, text, "a number up to 2^64 - 1");
    }
    return number;
  }

  template <std::size_t kSize>
  std::size_t one_of(std::string_view name, const std::array<std::string_view, kSize>& words) {
    const std::string text = need(name);
    const auto found = std::ranges::find(words, text);
    if (found == words.end()) refuse(name, text, fmt::format("one of {}", fmt::join(words, ", ")));
    return static_cast<std::size_t>(found - words.begin());
  }

  [[noreturn]] static void refuse(std::string_view name, std::string_view value,
                                  const std::string& due) {
    throw UsageError(fmt::format("the token's '{}' is '{}', and not {}", name,
                                 one_line(value.substr(0, 60)), due));
  }

  void end() const {
    if (fields_.empty()) return;
    throw UsageError(fmt::format("the token has a part that does not belong there: '{}'",
                                 one_line(fields_.front().name.substr(0, 60))));
  }

 private:
  std::vector<TokenField> fields_;
};

std::vector<std::int64_t> extents_of(const std::string& text) {
  std::vector<std::int64_t> extents;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (extents.size() < kMostExtents) {
    std::int64_t extent = 0;
    const auto [after, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || extent < 0) break;
    extents.push_back(extent);
    if (after == end) return extents;
    if (*after != ',') break;
    at = after + 1;
  }
  Reading::refuse("geometry", text, "a list of whole numbers");
}

Dtype dtype_named(const std::string& name) {
  const auto found = std::ranges::find(kDtypes, name, &DtypeTraits::name);
  if (found == kDtypes.end()) Reading::refuse("dtype", name, "a format that is known here");
  return found->dtype;
}

TokenCall call_of(Reading& reading) {
  TokenCall call;
  call.dtype = dtype_named(reading.need("dtype"));
  call.at = reading.number("at");
  if (const auto geometry = reading.take("geometry")) call.geometry = extents_of(*geometry);
  for (const std::string_view name : kOperands) {
    const std::optional<std::string> list = reading.take(name);
    if (!list) break;
    call.operands.push_back(
        elements_of(*list, call.dtype, kMostElements, fmt::format("the token's '{}'", name)));
  }
  return call;
}

}  // namespace

std::string contract_revision(const fkc::KernelContract& contract) {
  std::string text = contract.hashes.block;
  for (const std::vector<Claim>* claims : {&contract.claims, &contract.disputed}) {
    text += '\x1e';
    for (const Claim& claim : *claims) {
      text += fmt::format("{}={}\x1f", row(claim.kind).id, claim.declared);
    }
  }
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

Token token_for(const fkc::KernelContract& contract, const std::string& kernel,
                const KernelVariant& variant, ClaimKind claim, std::uint64_t seed, Effort effort) {
  Token token;
  token.kernel = kernel;
  token.contract = contract.file;
  token.revision = contract_revision(contract);
  token.library = variant.library;
  token.variant = variant.name;
  token.claim = claim;
  token.seed = seed;
  token.effort = effort;
  return token;
}

TokenText to_text(const Token& token) {
  std::vector<TokenField> fields = {
      {"kernel", token.kernel},
      {"variant", token.variant},
      {"claim", std::string(row(token.claim).id)},
      {"verdict", token.error ? "error" : "refuted"},
      {"contract", token.contract},
      {"revision", token.revision},
      {"seed", std::to_string(token.seed)},
      {"effort", to_string(token.effort)},
      {"again", std::string(kAgain[static_cast<std::size_t>(token.again)])}};
  if (!token.library.empty()) fields.push_back({"library", token.library});
  if (!token.reference.empty()) fields.push_back({"reference", token.reference});
  if (!token.circumstances.empty()) fields.push_back({"circumstances", token.circumstances});
  if (token.call) {
    for (TokenField& field : fields_of_call(*token.call)) fields.push_back(std::move(field));
  }
  return with_case_file(std::move(fields));
}

Token token_from(std::string_view word, const std::filesystem::path& report) {
  Reading reading(with_fields_of_file(fields_of(word), report));
  Token token;
  token.kernel = reading.need("kernel");
  token.variant = reading.need("variant");
  const std::string claim = reading.need("claim");
  const std::optional<ClaimKind> kind = claim_kind_from_id(claim);
  if (!kind) Reading::refuse("claim", claim, "the id of a claim");
  token.claim = *kind;
  token.error = reading.one_of<2>("verdict", {"refuted", "error"}) == 1;
  token.contract = reading.need("contract");
  token.revision = reading.need("revision");
  token.seed = reading.number("seed");
  token.effort =
      static_cast<Effort>(reading.one_of<3>("effort", {"quick", "standard", "exhaustive"}));
  token.again = static_cast<Again>(reading.one_of("again", kAgain));
  token.library = reading.take_or_empty("library");
  token.reference = reading.take_or_empty("reference");
  token.circumstances = reading.take_or_empty("circumstances");
  if (token.again == Again::kOneCall) token.call = call_of(reading);
  reading.end();
  return token;
}

void put_token_of_claim(ClaimRecord& record, Token token) {
  token.error = record.verdict == Verdict::kError;
  const bool fallen = token.error || record.verdict == Verdict::kRefuted;
  if (!fallen || record.counterexample) return;
  TokenText text = to_text(token);
  record.token = std::move(text.word);
  record.file = std::move(text.file);
}

void put_token(Counterexample& example, const Token& token) {
  TokenText text = to_text(token);
  example.token = std::move(text.word);
  example.file = std::move(text.file);
}

}  // namespace assay
