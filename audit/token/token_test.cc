// Tokens: the same way back, and any other text refused.
#include "audit/token/token.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "audit/testing/folder.h"
#include "audit/token/bit_list.h"
#include "audit/token/word.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

Token sample() {
  Token token;
  token.kernel = "cast_f32_to_f16";
  token.contract = "contracts of ours/cast: 'new'.fkc.md";
  token.revision = "0123456789abcdef";
  token.library = "/opt/lib*kernels\xff.so";
  token.variant = "AVX2";
  token.claim = ClaimKind::kRounding;
  token.seed = ~std::uint64_t{0};
  token.effort = Effort::kExhaustive;
  token.call = TokenCall{Dtype::kF32, {{0, 0, 0x3f808000, 0}}, {}, 2};
  return token;
}

/// The message with which a word is refused.
std::string refusal(const std::string& word, const std::filesystem::path& folder = "/nowhere") {
  try {
    static_cast<void>(token_from(word, folder));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A word of these fields, with a checksum that fits.
std::string word_with(std::vector<TokenField> fields, const std::string& name,
                      const std::string& value) {
  for (TokenField& field : fields) {
    if (field.name == name) {
      field.value = value;
      return word_of(fields);
    }
  }
  fields.push_back({name, value});
  return word_of(fields);
}

TEST_CASE("a token is one plain word, and gives back what it was made of") {
  const TokenText text = to_text(sample());
  CHECK_FALSE(text.file);
  CHECK(text.word.starts_with("assay1:kernel=cast_f32_to_f16:"));
  CHECK(text.word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789-_./,@+%:=") == std::string::npos);
  CHECK(has(text.word, ":x=00000000.2,3f808000,00000000:"));
  const Token back = token_from(text.word, "/nowhere");
  CHECK(back.kernel == sample().kernel);
  CHECK(back.contract == sample().contract);
  CHECK(back.library == sample().library);
  CHECK(back.seed == sample().seed);
  CHECK(back.effort == Effort::kExhaustive);
  CHECK(back.claim == ClaimKind::kRounding);
  CHECK(back.again == Again::kOneCall);
  CHECK(back.call->operands == sample().call->operands);
  CHECK(back.call->at == 2);
  CHECK(to_text(back).word == text.word);
}

TEST_CASE("what a token has of other claims comes back too") {
  Token token = sample();
  token.call.reset();
  token.again = Again::kCalls;
  token.error = true;
  token.claim = ClaimKind::kBitwise;
  token.reference = "scalar";
  token.circumstances = "a call of 64 elements; offset 3";
  const Token back = token_from(to_text(token).word, "/nowhere");
  CHECK(back.again == Again::kCalls);
  CHECK(back.error);
  CHECK(back.reference == "scalar");
  CHECK(back.circumstances == token.circumstances);
  CHECK_FALSE(back.call);
}

TEST_CASE("a changed, missing or added character is noticed") {
  const std::string word = to_text(sample()).word;
  for (std::size_t i = 0; i < word.size(); ++i) {
    std::string changed = word;
    changed[i] = changed[i] == 'a' ? 'b' : 'a';
    CAPTURE(changed);
    REQUIRE(refusal(changed) != "accepted");
    REQUIRE(refusal(word.substr(0, i)) != "accepted");
  }
  CHECK(refusal(word + "0") != "accepted");
  CHECK(has(refusal(word.substr(0, word.size() - 1)), "checksum"));
  CHECK(has(refusal(""), "assay1:"));
  CHECK(has(refusal("cast_f32_to_f16/AVX2/rounding/0x3f808000"), "does not begin"));
  CHECK(has(refusal("assay2" + word.substr(6)), "version 'assay2'"));
  CHECK(has(refusal(std::string(5000, 'a')), "5000 characters"));
  CHECK(has(refusal(std::string("assay1:\0x", 9)), "character"));
  CHECK(has(refusal("assay1:kernel=\x1b[31m:sum=00000000"), "character"));
}

TEST_CASE("words with a right checksum and wrong contents are refused") {
  const std::vector<TokenField> fields = fields_of(to_text(sample()).word);
  const auto with = [&](const std::string& name, const std::string& value) {
    return refusal(word_with(fields, name, value));
  };
  CHECK(has(with("claim", "no.claim"), "'claim' is 'no.claim'"));
  CHECK(has(with("effort", "most"), "one of quick, standard, exhaustive"));
  CHECK(has(with("seed", "18446744073709551616"), "2^64"));
  CHECK(has(with("seed", "-1"), "2^64"));
  CHECK(has(with("at", ""), "'at' is ''"));
  CHECK(has(with("dtype", "f31"), "a format that is known here"));
  CHECK(has(with("x", "3f80"), "8 digits of hex"));
  CHECK(has(with("x", "3f808000,"), "8 digits of hex"));
  CHECK(has(with("x", "3f80800g"), "8 digits of hex"));
  CHECK(has(with("x", "3f808000.0"), "number of times"));
  CHECK(has(with("x", "3f808000.99999999999999999999"), "number of times"));
  CHECK(has(with("x", "3f808000.18446744073709551615"), "more than 4194304 elements"));
  CHECK(has(with("x", "3f808000.4194304,00000000"), "more than 4194304 elements"));
  CHECK(has(with("geometry", "1,2,x"), "'geometry'"));
  CHECK(has(with("geometry", "1,-2"), "'geometry'"));
  CHECK(has(with("weight2", "1"), "NAME=VALUE"));
  CHECK(has(with("other", "1"), "'other'"));
  CHECK(has(refusal(word_of({})), "'kernel'"));
  CHECK(has(refusal(word_of({{"kernel", "a"}, {"kernel", "b"}})), "twice"));
}

TEST_CASE("any bytes are refused, and crash nothing") {
  std::mt19937_64 random(7);
  const std::string word = to_text(sample()).word;
  for (int i = 0; i < 20000; ++i) {
    std::string text = word;
    const std::size_t changes = 1 + random() % 4;
    for (std::size_t c = 0; c < changes; ++c) {
      const std::size_t at = random() % (text.size() + 1);
      if (random() % 3 == 0) {
        text.insert(at, 1, static_cast<char>(random()));
      } else if (at < text.size()) {
        text[at] = static_cast<char>(random());
      }
    }
    if (text == word) continue;
    REQUIRE(refusal(text) != "accepted");
  }
}

Token large() {
  Token token = sample();
  std::vector<Bits>& elements = token.call->operands[0];
  for (Bits bits = 0; bits < 2000; ++bits) elements.push_back(bits * 3);
  return token;
}

void write(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

TEST_CASE("what is too large for a token is in a file that the token names") {
  const TokenText text = to_text(large());
  CHECK(text.word.size() <= kMostTokenLength);
  REQUIRE(text.file);
  CHECK(text.file->name.size() == 21);
  const testing::Folder folder;
  write(folder.path() / kCaseFolder / text.file->name, text.file->content);
  const Token back = token_from(text.word, folder.path());
  CHECK(back.call->operands == large().call->operands);
  CHECK(to_text(back).word == text.word);
}

TEST_CASE("a claim without a counterexample keeps the file that its token names") {
  ClaimRecord record;
  record.verdict = Verdict::kError;
  put_token_of_claim(record, large());
  REQUIRE(record.file);
  const testing::Folder folder;
  write(folder.path() / kCaseFolder / record.file->name, record.file->content);
  CHECK(token_from(record.token, folder.path()).call->operands == large().call->operands);
  ClaimRecord upheld;
  upheld.verdict = Verdict::kUpheld;
  put_token_of_claim(upheld, large());
  CHECK(upheld.token.empty());
  CHECK_FALSE(upheld.file);
}

TEST_CASE("names of any length leave a token that fits") {
  Token token = large();
  token.kernel = std::string(3000, '\xff');
  token.contract = std::string(4000, 'x');
  const TokenText text = to_text(token);
  CHECK(text.word.size() <= kMostTokenLength);
  const testing::Folder folder;
  write(folder.path() / kCaseFolder / text.file->name, text.file->content);
  const Token back = token_from(text.word, folder.path());
  CHECK(back.kernel == token.kernel);
  CHECK(back.contract == token.contract);
}

TEST_CASE("a file that is missing, changed or no file of a case is refused") {
  const TokenText text = to_text(large());
  const testing::Folder folder;
  CHECK(has(refusal(text.word, folder.path()), "--report"));
  const std::filesystem::path path = folder.path() / kCaseFolder / text.file->name;
  std::string changed = text.file->content;
  changed[changed.size() / 2] ^= 1;
  write(path, changed);
  CHECK(has(refusal(text.word, folder.path()), "do not fit its name"));
  std::filesystem::remove(path);
  std::filesystem::create_directories(path);
  CHECK(has(refusal(text.word, folder.path()), "--report"));

  const std::vector<TokenField> fields = fields_of(text.word);
  for (const char* name :
       {"../../etc/passwd", "0123456789abcde/", "0123456789ABCDEF", "", "0123"}) {
    CHECK(has(refusal(word_with(fields, "file", name), folder.path()), "16 digits of hex"));
  }
  for (const char* content :
       {"", "[]", "{\"schema\":\"assay-case/1\"}", "{\"schema\":1,\"fields\":{}}",
        "{\"schema\":\"assay-case/1\",\"fields\":{\"x\":[1]}}",
        "{\"schema\":\"assay-case/1\",\"fields\":{\"kernel\":\"twice\"}}",
        "{\"schema\":\"assay-case/1\",\"fields\":{\"file\":\"0\"}}"}) {
    const std::string bytes = content;
    const std::string hash = fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
    write(folder.path() / kCaseFolder / (hash + ".json"), bytes);
    CAPTURE(bytes);
    CHECK(has(refusal(word_with(fields, "file", hash), folder.path()), "no file of"));
  }
}

}  // namespace
}  // namespace assay
