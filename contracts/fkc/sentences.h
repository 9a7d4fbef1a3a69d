// Prose as sentences of words, each word with its place.
#pragma once

#include <string>
#include <vector>

#include "contracts/fkc/reporter.h"

namespace assay::fkc {

/// In lower case, without markup: letters, digits and `_ : ^ ' .` inside; or a comparison
/// (`<`, `<=`, `>`, `>=`). A hyphen parts words.
struct Word {
  std::string text;
  Place place;
  bool after_comma = false;
  int part = 0;  ///< counts the dashes before it: "a — b" has two parts
};

struct Sentence {
  std::vector<Word> words;
  std::string text;  ///< as written, lines joined by one blank
};

/// One line of prose and where it stands.
struct ProseLine {
  std::string text;
  Place place;
};

/// The sentences of one paragraph. They end at `.`, `!`, `?` before a blank or the end, and at `;`.
std::vector<Sentence> sentences_of(const std::vector<ProseLine>& paragraph);

}  // namespace assay::fkc
