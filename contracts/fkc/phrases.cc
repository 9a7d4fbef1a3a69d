#include "contracts/fkc/phrases.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "contracts/fkc/prose_vocabulary.h"

namespace assay::fkc {

namespace {

/// Decimal digits, or a power of two: "2^24".
bool is_number(std::string_view word) {
  if (word.starts_with("2^")) word.remove_prefix(2);
  return !word.empty() && word.size() < 20 &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool is_one_of(std::string_view alternatives, std::string_view word) {
  while (true) {
    const std::size_t bar = alternatives.find('|');
    if (alternatives.substr(0, bar) == word) return true;
    if (bar == std::string_view::npos) return false;
    alternatives.remove_prefix(bar + 1);
  }
}

/// The number of words from `at` on that the pattern takes; 0 if it does not match there.
std::size_t match_at(const std::vector<std::string_view>& pattern, const Sentence& sentence,
                     std::size_t at, std::string& number) {
  std::size_t word = at;
  for (std::string_view wanted : pattern) {
    const bool optional = wanted.ends_with('?');
    if (optional) wanted.remove_suffix(1);
    const std::string_view found =
        word < sentence.words.size() ? sentence.words[word].text : std::string_view();
    if (wanted == "{n}" ? is_number(found) : is_one_of(wanted, found)) {
      if (wanted == "{n}") number = found;
      ++word;
    } else if (!optional) {
      return 0;
    }
  }
  // "below 24 bits" is about something else than "below 24".
  const bool open = pattern.back() == "{n}" && word < sentence.words.size();
  if (open && !sentence.words[word].apart) return 0;
  return word - at;
}

}  // namespace

OpFamily family_of(const KernelContract& contract) {
  const auto is = [&](std::string_view part) {
    return contract.op_kind.find(part) != std::string::npos ||
           contract.fused_op.find(part) != std::string::npos;
  };
  if (contract.op_kind == "Cast") return OpFamily::kCast;
  if (is("Conv") || is("CONV")) return OpFamily::kSum;
  if (is("MaxPool")) return OpFamily::kSelection;
  return OpFamily::kOther;
}

std::optional<Place> find_words(const Sentence& sentence, std::string_view words) {
  const std::vector<std::string_view> pattern = split_words(words);
  std::string number;
  for (std::size_t at = 0; at < sentence.words.size(); ++at) {
    if (match_at(pattern, sentence, at, number) > 0) return sentence.words[at].place;
  }
  return std::nullopt;
}

namespace {

using Pattern = std::vector<std::string_view>;

/// Patterns by the words that they can begin with: of a whole table, few match at a given word.
class PatternTable {
 public:
  void add(std::string_view words) {
    const std::size_t index = patterns_.size();
    patterns_.push_back(split_words(words));
    for (std::string_view first : patterns_.back()) {
      const bool optional = first.ends_with('?');
      if (optional) first.remove_suffix(1);
      while (!first.empty()) {
        const std::size_t end = std::min(first.find('|'), first.size());
        beginning_with_[key(first.substr(0, end))].push_back(index);
        first.remove_prefix(std::min(end + 1, first.size()));
      }
      if (!optional) break;
    }
  }

  const Pattern& operator[](std::size_t index) const { return patterns_[index]; }

  /// The indices of those that may match from this word on, in their order.
  const std::vector<std::size_t>& candidates(std::string_view word) const {
    static const std::vector<std::size_t> kNone;
    const auto found = beginning_with_.find(key(word));
    return found == beginning_with_.end() ? kNone : found->second;
  }

 private:
  static std::string_view key(std::string_view word) { return is_number(word) ? "{n}" : word; }

  std::vector<Pattern> patterns_;
  std::map<std::string_view, std::vector<std::size_t>> beginning_with_;
};

constexpr std::string_view kNegations =
    "not|no|never|none|cannot|don't|doesn't|isn't|aren't|won't|can't";
/// Words that leave something out of what stands beside them.
constexpr std::string_view kExceptions = "except|excepting|excluding|unless|only|but|if";

/// What one sentence says, and whether it says nothing else.
class SentenceReader {
 public:
  SentenceReader(const Sentence& sentence, OpFamily family) : sentence_(sentence) {
    bool has_dtype = false;
    for (std::size_t at = 0; at < sentence.words.size();) {
      const std::size_t length = std::max(phrase_at(at, family), run_at(at));
      const std::string& word = sentence.words[at].text;
      has_dtype = has_dtype || (length == 0 && is_dtype_word(word));
      understood_ = understood_ && (length > 0 || is_neutral(word) || is_dtype_word(word));
      if (length == 0) look_for_limits(sentence.words[at]);
      at += std::max<std::size_t>(length, 1);
    }
    if (!sentence.plain || (has_dtype && !matches_.empty())) understood_ = false;
    for (PhraseMatch& match : matches_) match.narrowed = narrowed_;
  }

  bool understood() const { return understood_; }
  /// Beside the phrases there is a word that leaves something out, or that denies.
  bool narrowed() const { return narrowed_; }
  /// The first one that denies.
  const std::optional<Place>& negation() const { return negation_; }
  std::vector<PhraseMatch>& matches() { return matches_; }

 private:
  std::size_t phrase_at(std::size_t at, OpFamily family) {
    static const auto patterns = [] {
      PatternTable table;
      for (const Phrase& phrase : phrases()) table.add(phrase.words);
      return table;
    }();
    PhraseMatch best;
    std::size_t length = 0;
    for (const std::size_t i : patterns.candidates(sentence_.words[at].text)) {
      if (phrases()[i].family != family) continue;
      std::string number;
      const std::size_t found = match_at(patterns[i], sentence_, at, number);
      if (found <= length) continue;
      length = found;
      best = {&phrases()[i], &sentence_, sentence_.words[at].place, std::move(number), false};
    }
    if (length > 0) matches_.push_back(std::move(best));
    return length;
  }

  std::size_t run_at(std::size_t at) const {
    static const auto patterns = [] {
      PatternTable table;
      for (const std::string_view run : neutral_runs()) table.add(run);
      return table;
    }();
    std::size_t length = 0;
    std::string number;
    for (const std::size_t i : patterns.candidates(sentence_.words[at].text)) {
      length = std::max(length, match_at(patterns[i], sentence_, at, number));
    }
    return length;
  }

  void look_for_limits(const Word& word) {
    const bool negation = is_one_of(kNegations, word.text);
    if (negation && !negation_) negation_ = word.place;
    narrowed_ = narrowed_ || negation || is_one_of(kExceptions, word.text);
  }

  const Sentence& sentence_;
  std::vector<PhraseMatch> matches_;
  bool narrowed_ = false;
  std::optional<Place> negation_;
  bool understood_ = true;
};

/// What stands between two ends of sentences, whole.
struct Statement {
  std::vector<const Sentence*> sentences;
  std::vector<PhraseMatch> matches;
  bool understood = true;
  bool narrowed = false;
  std::optional<Place> negation;
  bool begins_paragraph = false;
  bool denies = false;  ///< something that stands around it
};

bool has_word(std::string_view list, const Statement& statement) {
  return std::any_of(
      statement.sentences.begin(), statement.sentences.end(), [&](const Sentence* sentence) {
        return std::any_of(sentence->words.begin(), sentence->words.end(),
                           [&](const Word& word) { return is_one_of(list, word.text); });
      });
}

bool is_negated(const Statement& statement) {
  return has_word(kNegations, statement);
}

/// "Not on ARM.", "That holds only on ARM.", "On ARM it becomes zero.": about what was said before.
bool is_about_the_last(const Statement& statement) {
  if (statement.understood) return false;
  constexpr std::string_view kPronouns = "this|that|these|those|it|they";
  const std::string& first = statement.sentences.front()->words.front().text;
  const bool limits = is_negated(statement) ||
                      has_word(
                          "only|except|unless|but|fail|fails|failed|break|breaks|broken|lost|"
                          "loses|differ|differs|become|becomes|turns|drops|dropped|flushed|"
                          "flushes|wrong|undefined|unspecified",
                          statement);
  const bool in_a_place = is_one_of("on|under|with|in|at|for|when|where|if|elsewhere", first) &&
                          (is_negated(statement) || has_word(kPronouns, statement));
  return is_one_of("no|not|never|none|nope|except|unless|only|but|however|or", first) ||
         (is_one_of(kPronouns, first) && limits) || in_a_place;
}

/// "The following is false.", "Do not rely on this.": about what stands around it.
bool denies(const Statement& statement) {
  const bool hidden = statement.sentences.front()->text.starts_with("<!--");
  if (statement.understood || hidden) return false;
  return has_word(
             "false|untrue|wrong|incorrect|lie|lies|lying|myth|mistake|mistaken|obsolete|"
             "outdated|deprecated|disregard|withdrawn|retracted|superseded|"
             "formerly|previously|planned|todo|tbd|wip|draft|untested|unverified|broken",
             statement) ||
         (has_word("old|former|ignore", statement) &&
          has_word("behaviour|behavior|version|following|this|that|promise|contract", statement)) ||
         (is_negated(statement) &&
          has_word("following|next|rest|sentence|sentences|statement|statements|claim|claims|"
                   "promise|promises|promised|guarantee|guaranteed|rely|hold|holds|true",
                   statement));
}

/// The phrases of a statement that is not understood, where it may be meant to promise something.
void add_unclear(const Statement& statement, std::vector<PhraseMatch>& unclear) {
  const bool plain = std::all_of(statement.sentences.begin(), statement.sentences.end(),
                                 [](const Sentence* sentence) { return sentence->plain; });
  if (statement.denies || !(plain || statement.narrowed)) return;
  for (const PhraseMatch& match : statement.matches) {
    const std::optional<Place>& negation = statement.negation;
    // What is behind "not" was never promised.
    const bool denied = negation && std::tie(negation->line, negation->column) <
                                        std::tie(match.place.line, match.place.column);
    if (!denied) unclear.push_back(match);
  }
}

/// The statements of a prose in their order.
std::vector<Statement> statements_of(const std::vector<Sentence>& prose, OpFamily family) {
  std::vector<Statement> statements;
  for (std::size_t i = 0; i < prose.size(); ++i) {
    if (i == 0 || prose[i].statement != prose[i - 1].statement) {
      statements.emplace_back();
      // A paragraph leaves a gap.
      statements.back().begins_paragraph =
          i == 0 || prose[i].statement != prose[i - 1].statement + 1;
    }
    Statement& statement = statements.back();
    SentenceReader reader(prose[i], family);
    statement.sentences.push_back(&prose[i]);
    statement.understood = statement.understood && reader.understood();
    statement.narrowed = statement.narrowed || reader.narrowed();
    if (!statement.negation) statement.negation = reader.negation();
    std::move(reader.matches().begin(), reader.matches().end(),
              std::back_inserter(statement.matches));
  }
  for (Statement& statement : statements) statement.denies = denies(statement);
  return statements;
}

}  // namespace

FoundPhrases find_phrases(const std::vector<Sentence>& prose, OpFamily family) {
  std::vector<Statement> statements = statements_of(prose, family);
  FoundPhrases found;
  bool denied = false;  // by a statement before this one
  for (std::size_t i = 0; i < statements.size(); ++i) {
    Statement& statement = statements[i];
    // What is denied goes on to the end of the paragraph; a denial at its end is about the next.
    if (statement.begins_paragraph && !(i > 0 && statements[i - 1].denies)) denied = false;
    const bool last = i + 1 == statements.size();
    const bool taken_back =
        !last && (statements[i + 1].denies ||
                  (!statements[i + 1].begins_paragraph && is_about_the_last(statements[i + 1])));
    if (statement.understood) {
      std::vector<PhraseMatch>& matches = denied || taken_back ? found.doubted : found.made;
      std::move(statement.matches.begin(), statement.matches.end(), std::back_inserter(matches));
    } else if (!statement.matches.empty()) {
      add_unclear(statement, found.unclear);
    }
    denied = denied || statement.denies;
  }
  return found;
}

}  // namespace assay::fkc
