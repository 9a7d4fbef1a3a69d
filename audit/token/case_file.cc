#include "audit/token/case_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "audit/regular_file.h"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "file";
constexpr const char* kSchema = "assay-case/1";

/// Three operands of as many elements as there may be, in text.
constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{256} << 20;

std::string hash_of(std::string_view content) {
  return fmt::format("{:016x}", XXH3_64bits(content.data(), content.size()));
}

CaseFile file_of(const std::vector<TokenField>& fields) {
  nlohmann::ordered_json json = {{"schema", kSchema}};
  // As in a word: names may be in any bytes, JSON is in UTF-8.
  for (const TokenField& field : fields) json["fields"][field.name] = encoded_value(field.value);
  CaseFile file;
  file.content = json.dump(1) + "\n";
  file.name = hash_of(file.content) + ".json";
  return file;
}

std::string read_file(const fs::path& path) {
  std::string content;
  switch (read_regular_file(path, kMostFileBytes, content)) {
    case FileFault::kNone:
      break;
    case FileFault::kMissing:
      throw UsageError(fmt::format(
          "the token's case is in a file beside its report, and {} is not there; name the report's "
          "folder with --report",
          path.string()));
    case FileFault::kTooLarge:
      throw UsageError(fmt::format("{} is too large for a file of a report", path.string()));
    case FileFault::kUnreadable:
      throw UsageError(fmt::format("{} cannot be read", path.string()));
  }
  return content;
}

}  // namespace

TokenText with_case_file(std::vector<TokenField> fields) {
  TokenText text{word_of(fields), std::nullopt};
  std::vector<TokenField> moved;
  while (text.word.size() > kMostTokenLength) {
    const auto longest = std::ranges::max_element(fields, {}, [](const TokenField& field) {
      return field.name == kFile ? 0 : encoded_value(field.value).size() + 1;
    });
    moved.push_back(std::move(*longest));
    fields.erase(longest);
    text.file = file_of(moved);
    std::erase_if(fields, [](const TokenField& field) { return field.name == kFile; });
    fields.push_back({std::string(kFile), text.file->name.substr(0, 16)});
    text.word = word_of(fields);
  }
  return text;
}

std::vector<TokenField> with_fields_of_file(std::vector<TokenField> fields,
                                            const fs::path& report) {
  const auto named = std::ranges::find(fields, kFile, &TokenField::name);
  if (named == fields.end()) return fields;
  const std::string hash = named->value;
  const bool plain = hash.size() == 16 && std::ranges::all_of(hash, [](char c) {
                       return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                     });
  if (!plain) throw UsageError("the token names a file by something else than 16 digits of hex");
  fields.erase(named);
  const fs::path path = report / kCaseFolder / (hash + ".json");
  const std::string content = read_file(path);
  if (hash_of(content) != hash) {
    throw UsageError(
        fmt::format("{} is not as its report wrote it: its contents do not fit its name; audit "
                    "again, or take the whole folder of the report",
                    path.string()));
  }
  const nlohmann::json json = nlohmann::json::parse(content, nullptr, false);
  const bool right = json.is_object() && json.value("schema", nlohmann::json()) == kSchema &&
                     json.contains("fields") && json["fields"].is_object();
  if (!right) throw UsageError(fmt::format("{} is no file of a report's case", path.string()));
  for (const auto& [name, value] : json["fields"].items()) {
    const bool twice = std::ranges::find(fields, name, &TokenField::name) != fields.end();
    if (!value.is_string() || twice || name == kFile) {
      throw UsageError(fmt::format("{} is no file of this token's case", path.string()));
    }
    fields.push_back({name, decoded_value(value.get<std::string>())});
  }
  return fields;
}

}  // namespace assay
