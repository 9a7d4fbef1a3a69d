// Any bytes are a document: none may crash the importer, none may make it hang, and what it says
// of them has to make sense. What `fmt` and `lint --fix` write of them is stable and means the
// same.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/call_shapes.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/formatter.h"
#include "contracts/fkc/indentation.h"
#include "contracts/fkc/lint_text.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/reporter.h"
#include "contracts/fkc/testing/fields.h"
#include "contracts/fkc/text.h"
#include "contracts/fuzz/demand.h"

namespace {

using namespace assay::fkc;
using assay::fuzz::demand;

void check_diagnostics(const Document& document) {
  demand(document.diagnostics.size() <= Reporter::kMaxDiagnostics + 1, "a bounded report");
  int line = 0;
  for (const Diagnostic& diagnostic : document.diagnostics) {
    demand(!diagnostic.kind.empty() && !diagnostic.message.empty(), "a kind and a message");
    demand(diagnostic.line >= line || diagnostic.line == 0, "the order of the file");
    demand((diagnostic.line > 0) == (diagnostic.column > 0), "a whole place");
    line = diagnostic.line;
  }
  for (const char c : lint_text({document})) {
    demand(c == '\n' || static_cast<unsigned char>(c) >= 0x20, "a text without control characters");
  }
}

void check_kernel(const KernelContract& kernel) {
  demand(!kernel.kernel.empty() && !kernel.entry_point.value.empty(), "a kernel with its names");
  demand(kernel.hashes.records.size() == 16 && kernel.hashes.block.size() == 16, "two hashes");
  demand(kernel.claims.size() >= 4, "what every kernel owes");
  for (const Binding& binding : kernel.bindings()) {
    demand(binding.inputs.size() <= kernel.inputs.size(), "a key of the kernel's inputs");
  }
  // Shapes and parameters are numbers from outside too.
  CallShapes call;
  for (const InputOperand& input : kernel.inputs) {
    call.operands.emplace(input.name.value, Extents{2, 3, 4, 5});
  }
  for (const OpParamField& field : kernel.op_param_fields) {
    call.params.emplace(field.name, std::int64_t{2});
  }
  check_requirements(kernel, call);
  for (const OutputOperand& output : kernel.outputs) output_shape(kernel, output, call);
  for (const std::string* formula : {&kernel.cost.flops, &kernel.cost.bytes_moved}) {
    if (!formula->empty()) evaluate_cost(*formula, kernel, call, 4);
  }
}

/// What a document says: its kernels with their fields and claims.
std::vector<std::string> kernels_of(const Document& document) {
  std::vector<std::string> lines;
  for (const KernelContract& kernel : document.kernels) {
    for (const auto& part : {testing::fields_of(kernel), testing::promises_of(kernel)}) {
      lines.insert(lines.end(), part.begin(), part.end());
    }
  }
  return lines;
}

/// The kinds of a document's faults but IndentationLost, sorted: places and texts move.
std::vector<std::string> faults_of(const Document& document) {
  std::vector<std::string> kinds;
  for (const Diagnostic& diagnostic : document.diagnostics) {
    if (diagnostic.kind == "IndentationLost") continue;
    kinds.push_back(fmt::format("{} {}", static_cast<int>(diagnostic.severity), diagnostic.kind));
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

void demand_same(const std::vector<std::string>& before, const std::vector<std::string>& after,
                 const char* what) {
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    const std::string old_line = i < before.size() ? before[i] : "(nothing)";
    const std::string new_line = i < after.size() ? after[i] : "(nothing)";
    if (old_line != new_line) std::fprintf(stderr, "%s / %s\n", old_line.c_str(), new_line.c_str());
    demand(old_line == new_line, what);
  }
}

/// The document with no leading blanks in its blocks, as careless converters leave it. Prose stays:
/// without its blanks code would be prose.
std::string stripped(const std::string& text) {
  const Lines lines = split_lines(text);
  Reporter unheard("");
  const Markdown markdown = split_markdown(lines, unheard);
  std::vector<Chunk> chunks;
  if (markdown.front_matter) chunks.push_back(*markdown.front_matter);
  for (const Section& section : markdown.sections) {
    if (section.block) chunks.push_back(*section.block);
  }
  std::string result;
  auto chunk = chunks.begin();
  for (int number = 1; number <= static_cast<int>(lines.size()); ++number) {
    while (chunk != chunks.end() && chunk->end <= number) ++chunk;
    const bool inside = chunk != chunks.end() && chunk->first <= number;
    const std::string_view line = lines[static_cast<std::size_t>(number) - 1];
    result.append(inside ? trim(line) : line).append("\n");
  }
  return result;
}

void check_format(const std::string& text, const Document& document) {
  const auto once = formatted(text);
  if (!once) return;
  demand(formatted(*once) == once, "a canonical form that is stable");
  const Document after = parse_document(*once, "fuzz.fkc.md");
  demand_same(kernels_of(document), kernels_of(after), "a canonical form that means the same");
  demand_same(faults_of(document), faults_of(after), "a canonical form with the same faults");
  // Recovery gives the canonical form's structure back, or says that it is in doubt.
  const Document recovered = parse_document(stripped(*once), "fuzz.fkc.md");
  if (has_errors(recovered.diagnostics)) return;
  demand_same(kernels_of(after), kernels_of(recovered), "a structure that was recovered");
}

void check_repair(const std::string& text, const Document& document) {
  const auto repaired = repair_indentation(text);
  if (!repaired) return;
  const Document after = parse_document(*repaired, "fuzz.fkc.md");
  for (const Diagnostic& diagnostic : after.diagnostics) {
    demand(diagnostic.kind != "IndentationLost", "a document that was mended");
  }
  demand(!repair_indentation(*repaired).has_value(), "a document that is mended once");
  demand_same(kernels_of(document), kernels_of(after), "a mended document that means the same");
  demand_same(faults_of(document), faults_of(after), "a mended document with the same faults");
  check_format(*repaired, after);
}

/// `text` as `assay fmt` and `assay lint --fix` see it.
void check_rewriting(const std::string& text) {
  const Document document = parse_document(text, "fuzz.fkc.md");
  check_format(text, document);
  check_repair(text, document);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const LinkRegistry registry{.name = "registry",
                              .operations = {"Cast", "ReluElementwise"},
                              .entry_points = {{"lib::k", 1}, {"lib::alias", 1}},
                              .cost_functions = {}};
  // Either kind of reader, by a byte that mutations change often.
  const bool strict = size > 0 && data[size / 2] % 2 == 1;
  const Document document =
      parse_document(text, "fuzz.fkc.md", {.strict = strict, .registry = &registry});
  check_diagnostics(document);
  for (const KernelContract& kernel : document.kernels) check_kernel(kernel);
  check_rewriting(text);
  check_rewriting(stripped(text));
  return 0;
}
