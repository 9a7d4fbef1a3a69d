#include "audit/token/word.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>

#include "audit/options.h"
#include "contracts/unicode.h"

namespace assay {

namespace {

constexpr std::string_view kVersion = "assay1";
constexpr std::string_view kSum = ":sum=";

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./,@").find(c) != std::string_view::npos;
}

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("this is no token of a report: " + why + "; copy the whole word again");
}

std::string checksum(std::string_view text) {
  return fmt::format("{:08x}", XXH3_64bits(text.data(), text.size()) & 0xffffffffu);
}

void check_characters(std::string_view word) {
  for (const char c : word) {
    if (stands_for_itself(c) || std::string_view("+%:=").find(c) != std::string_view::npos) {
      continue;
    }
    refuse(fmt::format("it has the character '{}'", one_line(std::string_view(&c, 1))));
  }
}

/// The part of a word that its checksum is about, once that fits.
std::string_view checked(std::string_view word) {
  const std::size_t at = word.rfind(kSum);
  if (at == std::string_view::npos) refuse("its end is missing, which is a checksum");
  if (word.substr(at + kSum.size()) != checksum(word.substr(0, at))) {
    refuse("its checksum does not fit: a character is wrong or missing");
  }
  return word.substr(0, at);
}

TokenField field_of(std::string_view text) {
  const std::size_t sign = text.find('=');
  const std::string_view name = text.substr(0, sign);
  const bool named = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
  });
  if (sign == std::string_view::npos || !named) refuse("a part of it is not NAME=VALUE");
  return {std::string(name), decoded_value(text.substr(sign + 1))};
}

}  // namespace

std::string encoded_value(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (stands_for_itself(c)) {
      text += c;
    } else if (c == ' ') {
      text += '+';
    } else {
      text += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

std::string decoded_value(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      value += ' ';
    } else if (text[i] != '%') {
      value += text[i];
    } else {
      const bool room = i + 2 < text.size();
      const std::optional<unsigned> high = room ? digit(text[i + 1]) : std::nullopt;
      const std::optional<unsigned> low = room ? digit(text[i + 2]) : std::nullopt;
      if (!high || !low) refuse("'%' stands before two digits of lower-case hex");
      value += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  return value;
}

std::string word_of(const std::vector<TokenField>& fields) {
  std::string word(kVersion);
  for (const TokenField& field : fields)
    word += ":" + field.name + "=" + encoded_value(field.value);
  return word + std::string(kSum) + checksum(word);
}

std::vector<TokenField> fields_of(std::string_view word) {
  if (word.size() > kMostTokenLength) {
    refuse(
        fmt::format("it has {} characters, a token has at most {}", word.size(), kMostTokenLength));
  }
  check_characters(word);
  const std::size_t colon = word.find(':');
  const std::string_view version = word.substr(0, colon);
  if (version != kVersion) {
    const bool other =
        version.starts_with("assay") && version.size() > 5 &&
        std::ranges::all_of(version.substr(5), [](char c) { return c >= '0' && c <= '9'; });
    if (other) {
      throw UsageError(fmt::format(
          "the token is of version '{}', this program reads '{}'; use the version of assay that "
          "wrote the report",
          version, kVersion));
    }
    refuse(fmt::format("it does not begin with '{}:'", kVersion));
  }
  std::string_view rest = checked(word);
  rest.remove_prefix(std::min(rest.size(), kVersion.size()));
  std::vector<TokenField> fields;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the colon
    const std::string_view part = rest.substr(0, rest.find(':'));
    TokenField field = field_of(part);
    if (std::ranges::find(fields, field.name, &TokenField::name) != fields.end()) {
      refuse(fmt::format("'{}' is in it twice", field.name));
    }
    fields.push_back(std::move(field));
    rest.remove_prefix(part.size());
  }
  return fields;
}

}  // namespace assay
