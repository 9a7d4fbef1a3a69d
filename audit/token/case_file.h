// What is too large for a token: a file beside the report, `counterexamples/HASH.json`, which the
// token names. HASH is the XXH3-64 of the file's contents, so that a file that was changed, or is
// another one, is noticed; a name with anything else in it is refused.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "audit/token/token.h"
#include "audit/token/word.h"

namespace assay {

/// The fields as a word; the longest ones in a file, where the word would be too long.
TokenText with_case_file(std::vector<TokenField> fields);

/// The same way back: the fields, with those of the file that they name, if they do. Throws
/// UsageError where the file is missing from the folder `report`, or is not the one.
std::vector<TokenField> with_fields_of_file(std::vector<TokenField> fields,
                                            const std::filesystem::path& report);

}  // namespace assay
