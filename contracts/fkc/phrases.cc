#include "contracts/fkc/phrases.h"

#include <algorithm>
#include <iterator>

#include "contracts/fkc/prose_vocabulary.h"

namespace assay::fkc {

namespace {

using Kind = ClaimKind;

/// What IEEE 754 lays down for a conversion to a narrower format, with the default rounding.
const std::vector<PhraseClaim> kIeeeNarrowing = {
    {ClaimKind::kRounding, "nearest_even"}, {ClaimKind::kOverflow, "infinity"},
    {ClaimKind::kNan, "preserved"},         {ClaimKind::kInfinity, "preserved"},
    {ClaimKind::kSignedZero, "preserved"},  {ClaimKind::kSubnormals, "preserved"}};

/// Every value of the source is one of the destination, and stays what it is.
const std::vector<PhraseClaim> kEmbedding = {{ClaimKind::kRounding, "exact"},
                                             {ClaimKind::kNan, "preserved"},
                                             {ClaimKind::kInfinity, "preserved"},
                                             {ClaimKind::kSignedZero, "preserved"},
                                             {ClaimKind::kSubnormals, "preserved"}};

const std::vector<PhraseClaim> kOutOfRange = {
    {ClaimKind::kOverflow, "caller_error"},
    {ClaimKind::kNan, "caller_error"},
};

}  // namespace

const std::vector<Phrase>& phrases() {
  constexpr OpFamily kCast = OpFamily::kCast;
  constexpr OpFamily kSum = OpFamily::kSum;
  constexpr OpFamily kSelection = OpFamily::kSelection;
  static const std::vector<Phrase> table = {
      // Conversions that change nothing.
      {kCast, "lossless widening", kEmbedding, "Cast f32 -> f64; contiguous; lossless widening.",
       "This is a lossless widening only for finite values."},
      {kCast,
       "lossless full u32 range exact",
       {{Kind::kRounding, "exact"}},
       "lossless (full u32 range exact)",
       "not lossless (full u32 range exact in f64 only)"},
      {kCast,
       "lossless across the full|entire|whole u32 range",
       {{Kind::kRounding, "exact"}},
       "lossless across the full u32 range (f64 53-bit mantissa covers u32)",
       "It is not lossless across the full u32 range."},
      {kCast,
       "conversion is exact across the entire|full|whole u32 range",
       {{Kind::kRounding, "exact"}},
       "so the conversion is exact across the entire u32 range",
       "the conversion is exact across the entire u32 range unless it is negative"},
      // Exact on a part of the domain only: never `rounding: exact`.
      {kCast,
       "exact below|< {n}",
       {{Kind::kDomainExact, "{role} < {n}"}},
       "Exact below 2^24.",
       "It is not exact below 2^24."},
      {kCast,
       "exact below {n} rounds above",
       {{Kind::kDomainExact, "{role} < {n}"}},
       "exact below 2^24, rounds above",
       "hardly ever exact below 2^24, rounds above or not"},
      {kCast,
       "exact for u32 values < {n}",
       {{Kind::kDomainExact, "{role} < {n}"}},
       "exact for u32 values < 2^24 (f32 24-bit mantissa)",
       "exact for u32 values < 2^24 except odd ones"},
      // Roundings.
      {kCast,
       "values >= {n} round to nearest representable f32|f64|f16|bf16 ieee round to nearest even",
       {{Kind::kDomainExact, "{role} < {n}"}, {Kind::kRounding, "nearest_even"}},
       "values >= 2^24 round to nearest representable f32 (IEEE round-to-nearest-even)",
       "most values >= 2^24 round to nearest representable f32 (IEEE round-to-nearest-even)"},
      {kCast,
       "round|rounded|rounds to nearest even",
       {{Kind::kRounding, "nearest_even"}},
       "IEEE-754 round-to-nearest-even",
       "It does not round to nearest even."},
      {kCast,
       "to nearest ties to even",
       {{Kind::kRounding, "nearest_even"}},
       "Rounds to nearest, ties to even.",
       "Rounds to nearest, ties to even, except for halves."},
      {kCast,
       "truncation|truncates|trunc toward zero",
       {{Kind::kRounding, "toward_zero"}},
       "Float->uint truncation toward zero (drops fractional part)",
       "There is no truncation toward zero."},
      {kCast,
       "rounds toward zero",
       {{Kind::kRounding, "toward_zero"}},
       "Rounds toward zero.",
       "It never rounds toward zero."},
      // Conversions of the `half` crate round once, to nearest even, as IEEE 754 has it.
      {kCast, "via half::bf16::from_f32|half::f16::from_f32", kIeeeNarrowing,
       "preserves f32 exponent, rounds 23-bit mantissa to bf16's 7 bits via half::bf16::from_f32",
       "it should go via half::bf16::from_f32"},
      {kCast, "single half::bf16::from_f64|half::f16::from_f64 round per element", kIeeeNarrowing,
       "A single `half::f16::from_f64` round per element.",
       "not a single half::f16::from_f64 round per element, but two"},
      {kCast,
       "walks a contiguous bf16|f16 slice and collects out i "
       "half::bf16::from_f32|half::f16::from_f32 in i to_f32 into a fresh contiguous bf16|f16 "
       "reftensor",
       kIeeeNarrowing,
       "Walks a contiguous `bf16` slice and collects `out[i] = "
       "half::f16::from_f32(in[i].to_f32())` "
       "into a fresh contiguous `f16` `RefTensor` (`ops.rs:1`).",
       "formerly `out[i] = half::f16::from_f32(in[i].to_f32())`"},
      {kCast, "ieee 754 f64 f32 as conversion", kIeeeNarrowing,
       "Rounding follows the platform IEEE-754 `f64`→`f32` `as` conversion",
       "Rounding may follow the platform IEEE-754 f64 → f32 as conversion"},
      // Special values.
      {kCast, "nan preserved", {{Kind::kNan, "preserved"}}, "NaN preserved", "NaN not preserved"},
      {kCast,
       "nan is preserved",
       {{Kind::kNan, "preserved"}},
       "NaN is preserved.",
       "NaN is preserved when it is quiet."},
      {kCast,
       "nan inf preserved",
       {{Kind::kNan, "preserved"}, {Kind::kInfinity, "preserved"}},
       "NaN/inf preserved",
       "without NaN/inf preserved"},
      {kCast,
       "overflow saturates to inf",
       {{Kind::kOverflow, "infinity"}},
       "overflow saturates to +/-inf",
       "overflow saturates to +/-inf in most cases"},
      {kCast,
       "out of range saturates to inf",
       {{Kind::kOverflow, "infinity"}},
       "out-of-range saturates to +/-inf",
       "out-of-range saturates to +/-inf unless clamped"},
      // What the caller must not do.
      {kCast,
       "values outside {n} u32::max are out of range caller error must not occur in well formed "
       "graphs",
       kOutOfRange,
       "values outside [0, u32::MAX] are out-of-range/caller-error (must not occur in well-formed "
       "graphs)",
       "if values outside [0, u32::MAX] are out-of-range/caller-error (must not occur in "
       "well-formed graphs)"},
      {kCast, "values outside {n} u32::max are caller errors", kOutOfRange,
       "Values outside [0, u32::MAX] are caller errors.",
       "Values outside [0, u32::MAX] are caller errors unless saturation is on."},
      // Sums.
      {kSum,
       "t precision accumulator",
       {{Kind::kErrorBound, "gamma_n"}},
       "f32/f64; contiguous; T-precision accumulator.",
       "There is no T-precision accumulator."},
      {kSum,
       "t precision accumulator no f32 widening for half",
       {{Kind::kErrorBound, "gamma_n"}},
       "T-precision accumulator (NO f32 widening for half)",
       "a T-precision accumulator (NO f32 widening for half) is planned"},
      {kSum,
       "matches the naive nested sum",
       {{Kind::kAccumulator, "nested_sum"}},
       "It matches the naive nested-sum.",
       "it rarely matches the naive nested-sum"},
      {kSum,
       "matches naive direct conv not an f32 accum production gemm",
       {{Kind::kAccumulator, "nested_sum"}},
       "Matches naive direct conv, not an f32-accum production GEMM.",
       "Rarely matches naive direct conv, not an f32-accum production GEMM."},
      {kSum,
       "deterministic gather summation order",
       {{Kind::kAccumulator, "nested_sum"}},
       "deterministic gather summation order",
       "no deterministic gather summation order"},
      {kSum,
       "scatter accumulate into a zero initialized output buffer in operand dtype t no f32 "
       "widening",
       {{Kind::kAccumulator, "scattered_sum"}, {Kind::kErrorBound, "gamma_n"}},
       "scatter-accumulate into a zero-initialized output buffer in operand dtype `T` (no f32 "
       "widening)",
       "it does not scatter-accumulate into a zero-initialized output buffer in operand dtype T "
       "(no "
       "f32 widening)"},
      {kSum,
       "deterministic fixed scatter accumulation order",
       {{Kind::kAccumulator, "scattered_sum"}},
       "deterministic fixed scatter-accumulation order",
       "a deterministic fixed scatter-accumulation order would help"},
      // Padding.
      {kSum,
       "zero padding skipped",
       {{Kind::kPaddingSkipped, "skipped"}},
       "zero padding skipped (contributes 0)",
       "zero padding skipped in some variants"},
      {kSum,
       "zero padding contributes literal t::zero skipped not summed",
       {{Kind::kPaddingSkipped, "skipped"}},
       "Zero padding contributes literal `T::zero()` (skipped, not summed)",
       "Zero padding contributes literal T::zero() (skipped, not summed) only in rows"},
      {kSum,
       "out? of? range? padded coordinates|positions contribute nothing skipped",
       {{Kind::kPaddingSkipped, "skipped"}},
       "Out-of-range (padded) coordinates contribute nothing (skipped).",
       "Padded coordinates contribute nothing (skipped) unless the weight is NaN."},
      // Selections.
      {kSelection,
       "window max is exact",
       {{Kind::kSelectionExact, "exact"}},
       "Window max is exact",
       "The window max is exact except in bf16."},
      {kSelection,
       "exact no accumulation",
       {{Kind::kSelectionExact, "exact"}},
       "exact (no accumulation)",
       "inexact, not exact (no accumulation)"},
      {kSelection,
       "pure max reduction over the window no rounding no accumulation",
       {{Kind::kSelectionExact, "exact"}},
       "Pure max-reduction over the window: no rounding, no accumulation.",
       "Not a pure max-reduction over the window: no rounding, no accumulation."},
      {kSelection,
       "max is exact selection not accumulation bit identical everywhere",
       {{Kind::kSelectionExact, "exact"}, {Kind::kBitwise, "bitwise"}},
       "max is exact (selection, not accumulation): bit-identical everywhere",
       "max is exact (selection, not accumulation): bit-identical everywhere except in bf16"},
      // `max` of Rust's floats gives the operand that is no NaN.
      {kSelection,
       "nan follows t::max semantics",
       {{Kind::kNan, "ignored"}},
       "NaN follows T::max semantics",
       "NaN follows T::max semantics except in rows"},
      {kSelection,
       "bit identical everywhere",
       {{Kind::kBitwise, "bitwise"}},
       "max is exact: bit-identical everywhere",
       "nearly bit-identical everywhere"},
      {kCast,
       "bit identical everywhere",
       {{Kind::kBitwise, "bitwise"}},
       "bit-identical everywhere",
       "bit-identical everywhere but on GPUs"},
      {kSum,
       "bit identical everywhere",
       {{Kind::kBitwise, "bitwise"}},
       "bit-identical everywhere",
       "not bit-identical everywhere"},
  };
  return table;
}

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
      at += std::max<std::size_t>(length, 1);
    }
    if (!sentence.plain || (has_dtype && !matches_.empty())) understood_ = false;
  }

  bool understood() const { return understood_; }
  std::vector<PhraseMatch>& matches() { return matches_; }

 private:
  std::size_t phrase_at(std::size_t at, OpFamily family) {
    static const auto patterns = [] {
      std::vector<Pattern> split;
      for (const Phrase& phrase : phrases()) split.push_back(split_words(phrase.words));
      return split;
    }();
    PhraseMatch best;
    std::size_t length = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (phrases()[i].family != family) continue;
      std::string number;
      const std::size_t found = match_at(patterns[i], sentence_, at, number);
      if (found <= length) continue;
      length = found;
      best = {&phrases()[i], &sentence_, sentence_.words[at].place, std::move(number)};
    }
    if (length > 0) matches_.push_back(std::move(best));
    return length;
  }

  std::size_t run_at(std::size_t at) const {
    static const auto patterns = [] {
      std::vector<Pattern> split;
      for (const std::string_view run : neutral_runs()) split.push_back(split_words(run));
      return split;
    }();
    std::size_t length = 0;
    std::string number;
    for (const Pattern& pattern : patterns) {
      length = std::max(length, match_at(pattern, sentence_, at, number));
    }
    return length;
  }

  const Sentence& sentence_;
  std::vector<PhraseMatch> matches_;
  bool understood_ = true;
};

/// What stands between two ends of sentences, whole.
struct Statement {
  std::vector<const Sentence*> sentences;
  std::vector<PhraseMatch> matches;
  bool understood = true;
  bool begins_paragraph = false;
};

bool has_word(std::string_view list, const Statement& statement) {
  return std::any_of(
      statement.sentences.begin(), statement.sentences.end(), [&](const Sentence* sentence) {
        return std::any_of(sentence->words.begin(), sentence->words.end(),
                           [&](const Word& word) { return is_one_of(list, word.text); });
      });
}

bool is_negated(const Statement& statement) {
  return has_word("not|no|never|none|cannot|don't|doesn't|isn't|aren't|won't|can't", statement);
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
    std::move(reader.matches().begin(), reader.matches().end(),
              std::back_inserter(statement.matches));
  }
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
    if (statement.begins_paragraph && !(i > 0 && denies(statements[i - 1]))) denied = false;
    const bool last = i + 1 == statements.size();
    const bool taken_back =
        !last && (denies(statements[i + 1]) ||
                  (!statements[i + 1].begins_paragraph && is_about_the_last(statements[i + 1])));
    if (statement.understood) {
      std::vector<PhraseMatch>& matches = denied || taken_back ? found.doubted : found.made;
      std::move(statement.matches.begin(), statement.matches.end(), std::back_inserter(matches));
    }
    denied = denied || denies(statement);
  }
  return found;
}

}  // namespace assay::fkc
