// Any bytes are a document: none may crash the importer, none may make it hang, and what it says
// of them has to make sense.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "contracts/fkc/call_shapes.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/lint_text.h"
#include "contracts/fkc/reporter.h"

namespace {

using namespace assay::fkc;

void demand(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

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
  return 0;
}
