#include "reports/evidence_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reports/text.h"

namespace assay {

namespace {

/// The product of the extents, or the largest number there is.
std::uint64_t elements_of(const std::vector<std::int64_t>& shape) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent <= 0) return 0;
    const auto factor = static_cast<std::uint64_t>(extent);
    count = count > kMost / factor ? kMost : count * factor;
  }
  return count;
}

}  // namespace

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string tensor_type(const TensorRecord& tensor) {
  if (tensor.shape.empty()) return tensor.dtype;
  std::string sizes;
  for (const std::int64_t size : tensor.shape) {
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
  }
  return fmt::format("{}[{}]", tensor.dtype, sizes);
}

std::string elements_text(const TensorRecord& tensor, std::size_t limit) {
  const std::size_t recorded = std::max(tensor.bits.size(), tensor.values.size());
  if (recorded == 0) return "nothing";
  const std::size_t shown = std::min(recorded, limit);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += bits_and_value(i < tensor.bits.size() ? tensor.bits[i] : "",
                           i < tensor.values.size() ? tensor.values[i] : "");
  }
  const std::uint64_t count = std::max<std::uint64_t>(recorded, elements_of(tensor.shape));
  if (count > shown) {
    text += fmt::format(" ... {} more, {} in all", with_thousands(count - shown),
                        with_thousands(count));
  }
  return text;
}

std::string bits_and_value(const std::string& bits, const std::string& value) {
  if (value.empty()) return bits;
  return bits.empty() ? value : fmt::format("{} ({})", bits, value);
}

std::vector<std::string> counterexample_lines(const Counterexample& counterexample) {
  constexpr std::size_t kShown = 4;  // elements: enough to recognise the case on one line
  std::vector<std::string> inputs;
  for (const TensorRecord& input : counterexample.inputs) {
    inputs.push_back(
        fmt::format("{} {} = {}", input.name, tensor_type(input), elements_text(input, kShown)));
  }
  std::string params;
  for (const ParameterRecord& param : counterexample.params) {
    params += fmt::format("{}{} = {}", params.empty() ? "" : "; ", param.name, param.value);
  }
  std::string results = fmt::format("got {}", elements_text(counterexample.got, kShown));
  if (!counterexample.expected.bits.empty()) {
    results += fmt::format("; expected {}", elements_text(counterexample.expected, kShown));
  }
  if (counterexample.ulp_distance) {
    results += fmt::format("; ULP distance {}", with_thousands(*counterexample.ulp_distance));
  }
  std::vector<std::string> lines = std::move(inputs);
  if (!params.empty()) lines.push_back(std::move(params));
  lines.push_back(std::move(results));
  if (counterexample.inputs.size() > 1) return lines;
  std::string line;
  for (const std::string& part : lines) line += (line.empty() ? "" : "; ") + part;
  return {line};
}

std::string probes_text(const ClaimRecord& claim) {
  std::uint64_t excluded = 0;
  for (const Exclusion& exclusion : claim.excluded) excluded += exclusion.probes;
  std::string text = with_thousands(claim.probes);
  if (claim.planned != claim.probes) {
    text += fmt::format(" of {} planned", with_thousands(claim.planned));
  }
  if (claim.probes + excluded != claim.planned) {
    text += fmt::format(" (does not add up: {} excluded)", with_thousands(excluded));
  }
  return text;
}

std::string exclusions_text(const ClaimRecord& claim) {
  std::string text;
  for (const Exclusion& exclusion : claim.excluded) {
    text += fmt::format("{}{} excluded: {}", text.empty() ? "" : "; ",
                        with_thousands(exclusion.probes), exclusion.reason);
  }
  return text;
}

std::string violations_text(const ClaimRecord& claim) {
  return fmt::format("{} of {} {} it", with_thousands(claim.violations),
                     counted(claim.probes, "probe"),
                     claim.violations == 1 ? "violates" : "violate");
}

std::vector<MeasuredFact> measured_facts(const Measured& measured) {
  std::vector<MeasuredFact> facts;
  if (measured.max_ulp_distance) {
    facts.push_back({"max ULP distance", with_thousands(*measured.max_ulp_distance)});
  }
  if (measured.max_ulp_error)
    facts.push_back({"max ULP error", number_text(*measured.max_ulp_error)});
  if (measured.argmax) {
    const ArgMax& at = *measured.argmax;
    facts.push_back({"reached at input", bits_and_value(at.input, at.input_value), true});
    facts.push_back({"result there", bits_and_value(at.got, at.got_value), true});
    facts.push_back({"exact result there", at.exact_value, true});
  }
  if (measured.condition) {
    facts.push_back({"condition there (magnitudes of the terms over that of their sum)",
                     std::isinf(*measured.condition) ? "infinity (the exact sum is 0)"
                                                     : fmt::format("{:.4g}", *measured.condition)});
  }
  if (measured.max_relative) {
    facts.push_back({"max relative error", number_text(*measured.max_relative)});
  }
  if (measured.max_absolute) {
    facts.push_back({"max absolute error", number_text(*measured.max_absolute)});
  }
  for (const Observation& observation : measured.observations) {
    facts.push_back({observation.name, observation.value});
  }
  return facts;
}

std::span<const HistogramRow> told_rows(const std::vector<HistogramRow>& histogram) {
  std::size_t told = histogram.size();
  while (told > 1 && histogram[told - 1].count == 0) --told;
  return std::span(histogram).first(told);
}

std::string source_place(const Source& source) {
  return fmt::format("{}:{}", source.file, source.line);
}

}  // namespace assay
