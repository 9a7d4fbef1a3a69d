// What sentences of prose promise: one table of phrases.
//
// A wrong claim is worse than a missed one. A phrase counts only in a statement (sentences.h) that
// has no words but phrases and those that are known to change nothing (prose_vocabulary.h): any
// other word may deny, narrow or hedge it, or speak of another kernel. A restriction that is meant
// is written into the table.
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

/// By `op_kind` and `fused_op`; `kOther` for what no phrase is about.
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

/// The table (phrase_table.cc), in the order of precedence: of two phrases at one place the longer
/// match counts.
const std::vector<Phrase>& phrases();

/// One phrase found in a sentence.
struct PhraseMatch {
  const Phrase* phrase = nullptr;
  const Sentence* sentence = nullptr;
  Place place;         ///< of its first word
  std::string number;  ///< what "{n}" stands for
  bool narrowed =
      false;  ///< other words of its sentence leave something out: "except", "if", "not"
};

/// Phrases of a prose; they point into it.
struct FoundPhrases {
  std::vector<PhraseMatch> made;
  /// Those of statements that say nothing else, but that a statement beside them may take back:
  /// "The following is false. NaN preserved."
  std::vector<PhraseMatch> doubted;
  /// Those of statements that go on with other words, as in "NaN preserved except on ARM". Not of
  /// statements that deny ("not", "false"), that ask, or that are somebody else's.
  std::vector<PhraseMatch> unclear;
};

/// The phrases of a family in the prose, each in one of the lists or in none. Any bytes are
/// accepted; time is linear in the prose.
FoundPhrases find_phrases(const std::vector<Sentence>& prose, OpFamily family);

/// Where the sentence has these words (written as those of a phrase), taken back or not; nothing
/// where it does not.
std::optional<Place> find_words(const Sentence& sentence, std::string_view words);

}  // namespace assay::fkc
