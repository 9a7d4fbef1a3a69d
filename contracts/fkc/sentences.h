// Prose as sentences of words, each word with its place.
#pragma once

#include <string>
#include <vector>

#include "contracts/fkc/reporter.h"

namespace assay::fkc {

/// In lower case, without markup: letters, digits and `_ : ^ ' .` inside; or a comparison
/// (`<`, `<=`, `>`, `>=`). A hyphen parts words. U+2019 is an apostrophe.
struct Word {
  std::string text;
  Place place;
  bool apart = false;  ///< a comma, a bracket, a colon or a dash stands before it
};

struct Sentence {
  std::vector<Word> words;
  std::string text;  ///< as written, lines joined by one blank
  /// Sentences parted by `;` alone are one statement, as are those whose next word has no capital
  /// (the period was that of an abbreviation). Counts from 0 in each paragraph.
  int statement = 0;
  /// False for a question, and where a mark may change what the words mean: quotation marks and
  /// strikethrough (those for the whole paragraph), and marks that are not known.
  bool plain = true;
};

/// One line of prose and where it stands.
struct ProseLine {
  std::string text;
  Place place;
};

/// The sentences of one paragraph, which may be any text, in their order; those without a word are
/// left out. They end at `.`, `!`, `?` before a blank or the end, and at `;`.
std::vector<Sentence> sentences_of(const std::vector<ProseLine>& paragraph);

}  // namespace assay::fkc
