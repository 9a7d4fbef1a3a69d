// From a contract to its claims.
#pragma once

#include <string>
#include <vector>

#include "contracts/claim.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/reporter.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// Makes claims with their sources: file, place of the value, and that line of the document.
class ClaimWriter {
 public:
  ClaimWriter(const Lines& lines, std::string file) : lines_(lines), file_(std::move(file)) {}

  void add(ClaimKind kind, SourceKind source, Place place, std::string declared, ClaimValue value);
  /// A claim that no line states; `place` is the section's heading.
  void add_implied(ClaimKind kind, Place place, std::string reason);

  /// The claims in the order of `kClaims`.
  std::vector<Claim> take();

 private:
  const Lines& lines_;
  std::string file_;
  std::vector<Claim> claims_;
};

/// Fills `contract.claims`, `.caller_error` and `.caller_error_nan` from the block that `contract`
/// was read from: structured fields, then the `audit` mapping, then what every kernel owes.
void read_claims(const Node& root, const Lines& lines, KernelContract& contract,
                 Reporter& reporter);

/// The `audit` mapping alone. Unknown keys and values, entries that contradict each other or the
/// operands' dtypes, and malformed domains are errors.
void read_audit(const Node& audit, KernelContract& contract, ClaimWriter& claims,
                Reporter& reporter);

}  // namespace assay::fkc
