// Evidence in words, the same in every report for people. Nothing here is escaped for a format;
// pass the result through one_line or the format's own escape.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contracts/run_record.h"

namespace assay {

/// "a, b, c".
std::string joined(std::span<const std::string> words);

/// "f32[2, 3]", or "f32" for a scalar.
std::string tensor_type(const TensorRecord& tensor);

/// Bits and values: "0x3f800000 (1 0x1p+0), 0x40000000 (2 0x1p+1)"; after `limit` elements, or
/// those that are recorded, "... 61 more, 63 in all". "nothing" where no element is recorded.
std::string elements_text(const TensorRecord& tensor, std::size_t limit);

/// "0x3f800000 (1)", or what there is of the two.
std::string bits_and_value(const std::string& bits, const std::string& value);

/// "x f32 = 0x3f800000 (1); length = 3; got 0x3c01 (1.001); expected 0x3c00 (1); ULP distance 1",
/// on one line; where there are several inputs, a line for each, one for the parameters and one for
/// the results.
std::vector<std::string> counterexample_lines(const Counterexample& counterexample);

/// "65,536", or "65,000 of 65,536 planned" where some were excluded; a count that does not add up
/// (planned is not run + excluded) is said.
std::string probes_text(const ClaimRecord& claim);

/// "536 excluded: reason; 12 excluded: other reason", or an empty text.
std::string exclusions_text(const ClaimRecord& claim);

/// "12 of 65,536 probes violate it".
std::string violations_text(const ClaimRecord& claim);

/// Something measured.
struct MeasuredFact {
  std::string name;
  std::string value;
  bool is_code = false;  ///< bits and values, which pages set in a fixed width
};

/// All single values that were measured, in the order in which people read them. The histogram and
/// the profiles are not among them.
std::vector<MeasuredFact> measured_facts(const Measured& measured);

/// The rows of a histogram without the empty ones at its far end, which say only that there is
/// nothing there; one row at least is left of those there are.
std::span<const HistogramRow> told_rows(const std::vector<HistogramRow>& histogram);

/// "contracts/reference/cast.fkc.md:12".
std::string source_place(const Source& source);

}  // namespace assay
