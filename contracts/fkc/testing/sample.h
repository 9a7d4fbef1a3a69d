// A small valid contract document, and ways to break it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay::fkc::testing {

/// Line numbers of the sample are part of the tests: the first line is 1, the heading 11, the
/// block's first field 14, its last line 45.
inline constexpr std::string_view kSample = R"FKC(---
fkc_version: 1
provider:
  name: p
  backend: Cpu
  kernel_source: "s"
  revision_base: "r"
---
# Title

## cast_a (first)
A blurb.
```fkc
kernel: cast_a
op_kind: Cast
blurb: "A cast."
entry_point: "lib::cast_a"
accept:
  inputs:
    - name: src
      dtypes: [F32]
      layout: { contiguous: required, strided: rejected }
      rank: any
  op_params: { variant: Cast }
return:
  outputs:
    - name: out
      dtype_rule: fixed(F16)
      shape_rule: same_as(src)
      layout_guarantee: contiguous
      aliasing: none
caps:
  in_place: false
  alignment_bytes: 64
cost:
  provenance: judge_measured
  class: cheap_elementwise
  bytes_moved: "n * (4 + 2)"
precision:
  bit_stable_on_same_hardware: true
  max_ulp: 0
  audited: true
determinism: same_hardware_bitwise
audit:
  rounding: nearest_even
```
)FKC";

/// `text` with the first `from` replaced; `from` must be there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("not in the sample: " + std::string(from));
  return text.replace(at, from.size(), to);
}

inline std::string sample_with(std::string_view from, std::string_view to) {
  return replaced(std::string(kSample), from, to);
}

/// A document with a fault at a known place.
struct Marked {
  std::string text;
  int line = 0;
  int column = 0;
};

/// `text` without its one "@@", which stands where the fault is.
inline Marked marked(std::string text) {
  const std::size_t at = text.find("@@");
  if (at == std::string::npos) throw std::logic_error("no mark in " + text);
  text.erase(at, 2);
  const std::size_t line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return {std::move(text), static_cast<int>(lines) + 1, static_cast<int>(at - line_start) + 1};
}

/// The sample's section as a second one, named cast_b: it must survive faults of the first.
inline std::string second_section() {
  std::string section(kSample.substr(kSample.find("## cast_a")));
  section = replaced(section, "## cast_a (first)", "## cast_b (second)");
  section = replaced(section, "kernel: cast_a", "kernel: cast_b");
  return replaced(section, "lib::cast_a", "lib::cast_b");
}

inline std::vector<Diagnostic> errors_of(const Document& document) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& diagnostic : document.diagnostics) {
    if (diagnostic.severity == Severity::kError) errors.push_back(diagnostic);
  }
  return errors;
}

/// All diagnostics as text, for messages of failed tests.
inline std::string listing(const Document& document) {
  std::string text;
  for (const Diagnostic& diagnostic : document.diagnostics) text += to_string(diagnostic) + "\n";
  return text;
}

}  // namespace assay::fkc::testing
