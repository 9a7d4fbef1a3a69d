// Words that may stand around a phrase without changing what it promises.
//
// Words that take a promise back (negations, hedges, names of other kernels, narrower subjects)
// never end; those that do not are few. So only the latter are listed, and any other word makes its
// whole statement no claim.
#pragma once

#include <string_view>
#include <vector>

namespace assay::fkc {

/// A word that is harmless anywhere in a statement.
bool is_neutral(std::string_view word);

/// The name of a dtype: harmless beside a clause with a phrase, and a narrower subject inside of
/// one.
bool is_dtype_word(std::string_view word);

/// Harmless runs of words that are not harmless each by itself, written as those of a phrase.
const std::vector<std::string_view>& neutral_runs();

/// Whether a heading or the line before a list leaves open nothing about what follows it.
bool introduces(std::string_view text);

}  // namespace assay::fkc
