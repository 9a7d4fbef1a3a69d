#include "reports/evidence_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text.h"

namespace assay {

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
  const std::size_t count = std::max(tensor.bits.size(), tensor.values.size());
  if (count == 0) return "nothing";
  std::string text;
  for (std::size_t i = 0; i < std::min(count, limit); ++i) {
    if (i > 0) text += ", ";
    if (i < tensor.bits.size()) text += tensor.bits[i];
    if (i < tensor.values.size()) text += fmt::format(" ({})", tensor.values[i]);
  }
  if (count > limit) text += fmt::format(" ... {} more", with_thousands(count - limit));
  return text;
}

std::string counterexample_line(const Counterexample& counterexample) {
  constexpr std::size_t kShown = 4;  // elements: enough to recognise the case on one line
  std::string line;
  for (const TensorRecord& input : counterexample.inputs) {
    line +=
        fmt::format("{} {} = {}; ", input.name, tensor_type(input), elements_text(input, kShown));
  }
  for (const ParameterRecord& param : counterexample.params) {
    line += fmt::format("{} = {}; ", param.name, param.value);
  }
  line += fmt::format("got {}", elements_text(counterexample.got, kShown));
  if (!counterexample.expected.bits.empty()) {
    line += fmt::format("; expected {}", elements_text(counterexample.expected, kShown));
  }
  if (counterexample.ulp_distance) {
    line += fmt::format("; ULP distance {}", with_thousands(*counterexample.ulp_distance));
  }
  return line;
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

std::string source_place(const Source& source) {
  return fmt::format("{}:{}", source.file, source.line);
}

}  // namespace assay
