// The tightest promises that an audit's evidence supports, as values and as patches of the
// contract's document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/document.h"
#include "contracts/run_record.h"

namespace assay {

struct SuggestOptions {
  bool from_samples = false;  ///< bounds may rest on a sample, with `margin` on top
  double margin = 0;          ///< percent of what was measured, 0 or more
  bool loosen = false;        ///< refuted bounds may give way to the measured ones
};

/// A field of a section's block, and the value that the evidence supports.
struct Suggestion {
  std::string kernel;    ///< the section's
  int section_line = 0;  ///< of its heading
  ClaimKind claim = ClaimKind::kMaxUlp;
  std::string mapping;   ///< "precision" or "audit"
  std::string key;       ///< "max_ulp"
  std::string value;     ///< "0"
  std::string declared;  ///< the value now; empty where nothing is declared
  bool loosens = false;
  bool from_samples = false;
  std::string evidence;  ///< in words: strength, probes, variants, what was measured
  std::string space;     ///< the probes in words, of the variant with the weakest evidence
};

/// What was looked at and is not suggested, and why.
struct NoSuggestion {
  std::string kernel;
  std::string subject;  ///< a claim's id, or empty for the kernel as a whole
  std::string why;
};

struct Suggestions {
  std::vector<Suggestion> made;
  std::vector<NoSuggestion> not_made;
};

/// What `record` supports of the sections of `document`. A section is looked at as a whole: all its
/// dtypes, all their variants, and the weakest evidence among them. Looked at are the bounds of
/// `precision` and, for one element in, one out, the entries of `audit` about rounding and special
/// values that are not declared.
///
/// A bound is suggested where it is tighter than the declared one, and the evidence exhaustive or
/// complete over all rounding boundaries; an entry, where all results were so by such evidence. No
/// declared bound is loosened unless the options say so, and nothing at all is suggested for a
/// section that is not the one audited (revision hash and declared values), that was not run, or
/// from a run that is not complete.
Suggestions suggestions_for(const fkc::Document& document, const RunRecord& record,
                            const SuggestOptions& options);

/// Patches for `git apply`, one for each suggestion, to be applied in this order; before each,
/// lines that begin with "# " and give the evidence, which git passes over. `text` is the
/// document's and `path` its name relative to where the patch is applied. Suggestions that cannot
/// be written safely, or would make the document contradict itself, move to `suggestions.not_made`.
std::string suggestion_patch(const std::string& text, std::string_view path, double margin,
                             Suggestions& suggestions);

/// What is not suggested, a line "# kernel: claim: why" each.
std::string no_suggestion_lines(const Suggestions& suggestions);

/// Where the audit was of some variants only: a line "# ..." that says so. Contracts speak of all.
std::string chosen_variants_line(const RunRecord& record);

/// The least decimal of three digits that is `value` or more, as a contract writes it; above it
/// where `value` is a rounded quotient, by which a bound equal to it would be missed. `value` is 0
/// to 1e300; what is not 0 gives 1e-300 at least.
std::string bound_above(double value);

}  // namespace assay
