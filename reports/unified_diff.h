// Patches of texts.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// A patch of one hunk that turns `before` into `after`, as `git apply` and `patch -p1` take it:
/// "--- a/PATH", "+++ b/PATH", and what differs with three lines around. Lines end at LF; a CR
/// before it is part of the line. Empty where the texts are equal. `path` is relative to the folder
/// where the patch is applied; names with other bytes than letters, digits and usual punctuation
/// are quoted as git does.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view path);

}  // namespace assay
