// What sentences of prose promise: one table of phrases.
//
// A wrong claim is worse than a missed one. A phrase counts only where nothing in its sentence
// takes it back: no negation in the same part of the sentence, no word that restricts it (except,
// only, when, below, for, ...) anywhere in it. Words that belong to the phrase itself are excepted,
// so a restriction that is meant is written into the table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/claim.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/sentences.h"

namespace assay::fkc {

/// Kinds of operations that phrases are about; a word like "exact" means something else for each.
enum class OpFamily : std::uint8_t { kCast, kSum, kSelection, kOther };

OpFamily family_of(const KernelContract& contract);

/// What a phrase promises, as an `audit` entry would write it. "{n}" stands for a number of the
/// sentence, "{role}" for the kernel's one input.
struct PhraseClaim {
  ClaimKind kind = ClaimKind::kRounding;
  std::string_view declared;
};

struct Phrase {
  OpFamily family = OpFamily::kOther;
  /// Words with single blanks between. "a|b" is either, "a?" may be missing, "{n}" is a number.
  std::string_view words;
  std::vector<PhraseClaim> claims;
  std::string_view example;          ///< a sentence that makes the claims
  std::string_view counter_example;  ///< one with the same words that makes none
};

/// In the order of precedence: of two phrases at one place the longer match counts.
const std::vector<Phrase>& phrases();

/// One phrase found in a sentence.
struct PhraseMatch {
  const Phrase* phrase = nullptr;
  Place place;         ///< of its first word
  std::string number;  ///< what "{n}" stands for
};

/// The phrases of a family that the sentence makes and does not take back.
std::vector<PhraseMatch> find_phrases(const Sentence& sentence, OpFamily family);

/// Where the sentence has these words (written as those of a phrase), taken back or not; nothing
/// where it does not.
std::optional<Place> find_words(const Sentence& sentence, std::string_view words);

}  // namespace assay::fkc
