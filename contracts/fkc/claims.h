// From a contract to its claims.
#pragma once

#include <string>
#include <vector>

#include "contracts/claim.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/reporter.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// Makes claims with their sources: file, place of the value, and that line of the document.
class ClaimWriter {
 public:
  /// `lines` are the document's, and must outlive the writer.
  ClaimWriter(const Lines& lines, std::string file) : lines_(lines), file_(std::move(file)) {}

  /// A claim that the line of `place`, which the document has, states as `declared`.
  void add(ClaimKind kind, SourceKind source, Place place, std::string declared, ClaimValue value);
  /// A claim that a sentence of prose makes.
  void add_prose(ClaimKind kind, Place place, std::string declared, ClaimValue value,
                 std::string sentence);
  /// A claim that no line states; `place` is the section's heading.
  void add_implied(ClaimKind kind, Place place, std::string reason);

  /// The claim of this kind, or nullptr.
  const Claim* find(ClaimKind kind) const;

  /// The claims in the order of `kClaims`; nothing can be added behind it.
  std::vector<Claim> take();

 private:
  const Lines& lines_;
  std::string file_;
  std::vector<Claim> claims_;
};

/// Fills `contract.claims`, `.disputed`, `.caller_error`, `.caller_error_nan` and `.bias_order`
/// from the block that `contract` was read from: structured fields, then the `audit` mapping, then
/// prose, then what every kernel owes. Reports what `read_audit` and `read_prose_claims` do, and
/// BadScalarType where `audit` is no mapping.
void read_claims(const Node& root, const Lines& lines, const Section& section,
                 KernelContract& contract, Reporter& reporter);

/// Claims of the blurb, the notes, the section's text and the comments in its block, by the table
/// of phrases (phrases.h). What a field or an `audit` entry says already is not said again; where
/// prose says something else than they do, or than other prose, a warning (ProseDisagrees) says so;
/// against a field it makes no claim, against other prose a disputed one (`contract.disputed`).
/// What a sentence takes back (ProseDisagrees) or narrows (ProseUnclear) is noted. Operations that
/// the table knows nothing about get no claims.
void read_prose_claims(const Node& root, const Lines& lines, const Section& section,
                       KernelContract& contract, ClaimWriter& claims, Reporter& reporter);

/// The `audit` mapping alone. Unknown keys and values (UnknownAuditKey, UnknownAuditValue), entries
/// that contradict each other, the operands or the operation (AuditContradiction), malformed
/// domains (AuditDomain) and those of something that is no input (UnknownRole) are errors; so are
/// values that are no single text (BadScalarType).
void read_audit(const Node& audit, KernelContract& contract, ClaimWriter& claims,
                Reporter& reporter);

}  // namespace assay::fkc
