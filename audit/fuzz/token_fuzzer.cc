// Any text is a token, with a case file behind its first line: `repro` reads it, or says in one
// sentence why not. No kernel runs.
#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "audit/fuzz/scratch.h"
#include "audit/fuzz/subjects.h"
#include "audit/token/token.h"
#include "audit/window/call_token.h"
#include "contracts/fuzz/demand.h"

namespace {

using namespace assay;
using namespace assay::fuzz;

constexpr std::string_view kSum = ":sum=";

/// The word with the checksum that its fields have: without that, no mutation gets any further.
std::string with_sum(std::string_view word) {
  const std::string_view fields = word.substr(0, word.rfind(kSum));
  const auto sum = static_cast<std::uint32_t>(XXH3_64bits(fields.data(), fields.size()));
  return fmt::format("{}{}{:08x}", fields, kSum, sum);
}

/// The same for the file that the word names: its name is the checksum.
std::string with_file(std::string word, std::string_view content) {
  constexpr std::string_view kFile = ":file=";
  const std::size_t at = word.find(kFile);
  if (at == std::string::npos) return word;
  const std::string hash = fmt::format("{:016x}", XXH3_64bits(content.data(), content.size()));
  const std::filesystem::path folder = scratch_folder() / kCaseFolder;
  std::filesystem::create_directories(folder);
  write_scratch(folder / (hash + ".json"), content);
  const std::size_t value = at + kFile.size();
  return word.replace(value, word.find(':', value) - value, hash);
}

/// What `repro` looks at before anything runs.
void check_call(const Token& token) {
  for (const window::Job& job : subjects().bound.windows) {
    if (job.kernel_name != token.kernel) continue;
    try {
      const window::Specimen specimen = window::specimen_of(job.operation, *token.call);
      const TokenCall again =
          window::token_call(job.operation, specimen.geometry, specimen.tensors, specimen.result);
      demand(again.at == token.call->at && again.dtype == token.call->dtype, "the same call again");
    } catch (const UsageError& error) {
      demand(*error.what() != '\0', "a reason");
    }
  }
}

void read(const std::string& word) {
  Token token;
  try {
    token = token_from(word, scratch_folder());
  } catch (const UsageError& error) {
    demand(*error.what() != '\0', "a reason");
    return;
  }
  const TokenText text = to_text(token);
  demand(text.word.size() <= 1500, "a word that is not too long");
  if (text.file) {
    const std::filesystem::path folder = scratch_folder() / kCaseFolder;
    std::filesystem::create_directories(folder);
    write_scratch(folder / text.file->name, text.file->content);
  }
  const TokenText again = to_text(token_from(text.word, scratch_folder()));
  demand_equal(again.word, text.word, "a token that is written as it was read");
  if (token.call) check_call(token);
  std::error_code ignored;
  std::filesystem::remove_all(scratch_folder() / kCaseFolder, ignored);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const std::string word(text.substr(0, line));
  read(word);
  const std::string_view content =
      line == std::string_view::npos ? std::string_view() : text.substr(line + 1);
  read(with_sum(with_file(word, content)));
  return 0;
}
