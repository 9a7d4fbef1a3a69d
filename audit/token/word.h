// Named fields as one word that needs no quotes in any shell, with a checksum.
//
//   assay1:kernel=cast_f32_to_f16:variant=AVX2:claim=rounding:...:sum=1a2b3c4d
//
// Letters, digits and "-_./,@" stand for themselves in a value, "+" for a blank, and "%1f" for any
// other byte. The checksum is that of all before ":sum=": the low 32 bits of its XXH3-64.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct TokenField {
  std::string name;  ///< lower-case letters and "_"
  std::string value;

  bool operator==(const TokenField&) const = default;
};

/// Characters of a token at most.
inline constexpr std::size_t kMostTokenLength = 1500;

/// A value as it stands in a word, and back; the second throws UsageError where a "%" stands before
/// anything but two digits.
std::string encoded_value(std::string_view value);
std::string decoded_value(std::string_view text);

std::string word_of(const std::vector<TokenField>& fields);

/// Any text. Throws UsageError, which says what is wrong, where it is no such word, is too long, or
/// its checksum does not fit.
std::vector<TokenField> fields_of(std::string_view word);

}  // namespace assay
