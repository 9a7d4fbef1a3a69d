// `fdx`: quantized, gathered and symbolic operands. They are read and checked, never audited.
#include <fmt/format.h>

#include <algorithm>

#include "contracts/fkc/schema.h"

namespace assay::fkc {

namespace {

std::string optional_token(MapReader& fields, std::string_view key, FaultKind kind,
                           const std::vector<std::string_view>& tokens) {
  const auto text = fields.token(key, kind, tokens);
  return text ? text->value : "";
}

std::string optional_text(MapReader& fields, std::string_view key) {
  const auto text = fields.text(key);
  return text ? text->value : "";
}

void check_quant(const Node& node, const Quant& quant, Reporter& reporter) {
  const auto complain = [&](std::string_view key, const std::string& message,
                            const std::string& hint) {
    const Node* field = node.find(key);
    reporter.error("QuantIncoherent", field == nullptr ? node.place : field->place, message, hint);
  };
  const bool ggml = quant.family == "GGML_BLOCK";
  if (!quant.ggml_dtype.empty() && !ggml) {
    complain("ggml_dtype", "`ggml_dtype` beside another family than GGML_BLOCK",
             "remove it, or write `family: GGML_BLOCK`");
  }
  if (!quant.granularity.empty() && ggml) {
    complain("granularity", "GGML blocks have no `granularity`", "remove it");
  }
  if (quant.granularity == "PerBlock" && !ggml && quant.family != "MX") {
    complain("granularity", "`PerBlock` is a granularity of MX alone",
             "write PerTensor, PerToken or PerChannel");
  }
  if (quant.family == "AFFINE_BLOCK" && quant.block_shape.empty() && quant.scale_operand.empty()) {
    complain("family", "AFFINE_BLOCK needs `block_shape` or `scale_operand`", "give one of them");
  }
}

Quant read_quant(const Node& node, const std::string& path, Reporter& reporter) {
  const std::size_t errors_before = reporter.errors();
  Quant quant;
  MapReader fields(node, path, reporter);
  if (fields.value("family") == nullptr) fields.missing("family");
  quant.family =
      optional_token(fields, "family", "FdxTokenNotInTable",
                     {"none", "GGML_BLOCK", "MX", "AFFINE_INT", "AFFINE_FLOAT", "AFFINE_BLOCK"});
  // Names of file formats (Q4_K_M) are a common slip, hence a kind that says more.
  quant.ggml_dtype = optional_token(fields, "ggml_dtype", "QuantIncoherent",
                                    {"F32", "F16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q8_1",
                                     "Q2K", "Q3K", "Q4K", "Q5K", "Q6K", "Q8K", "BF16"});
  quant.granularity = optional_token(fields, "granularity", "FdxTokenNotInTable",
                                     {"PerTensor", "PerToken", "PerChannel", "PerBlock"});
  quant.block_shape = fields.texts("block_shape");
  quant.role = optional_token(fields, "role", "FdxTokenNotInTable", {"weight", "activation"});
  quant.scale_operand = optional_text(fields, "scale_operand");
  fields.warn_unknown_keys();
  if (reporter.errors() == errors_before) check_quant(node, quant, reporter);
  return quant;
}

Gather read_gather(const Node& node, const std::string& path, Reporter& reporter) {
  Gather gather;
  MapReader fields(node, path, reporter);
  if (fields.value("kind") == nullptr) fields.missing("kind");
  gather.kind = optional_token(fields, "kind", "UnknownAdmissibilityEnum", {"paged_blocks"});
  gather.block_table = optional_text(fields, "block_table");
  gather.context_lens = optional_text(fields, "context_lens");
  fields.warn_unknown_keys();
  return gather;
}

bool names_input(const KernelContract& contract, const std::string& role) {
  return std::any_of(contract.inputs.begin(), contract.inputs.end(),
                     [&](const InputOperand& input) { return input.name.value == role; });
}

void check_gather(const Node& node, const Fdx& fdx, const KernelContract& contract,
                  Reporter& reporter) {
  const Node& gather = *node.find("gather");
  if (!fdx.requires_ext || fdx.symbolic_extent != "required") {
    reporter.error("GatherIncoherent", gather.place, "a gather of symbolic extent that is not said",
                   "write `requires_ext: true` and `symbolic_extent: required` beside it");
  }
  const auto check_role = [&](std::string_view key, const std::string& role) {
    if (!role.empty() && names_input(contract, role)) return;
    const Node* field = gather.find(key);
    reporter.error("GatherIncoherent", field == nullptr ? gather.place : field->place,
                   role.empty() ? fmt::format("`gather.{}` is missing", key)
                                : fmt::format("`gather.{}` names no input: \"{}\"", key, role),
                   "name the input that holds it");
  };
  check_role("block_table", fdx.gather->block_table);
  check_role("context_lens", fdx.gather->context_lens);
}

void check_scale(const Node& node, const Quant& quant, const KernelContract& contract,
                 Reporter& reporter) {
  const Node* field = node.find("quant")->find("scale_operand");
  if (quant.scale_operand.empty()) return;
  if (quant.family == "GGML_BLOCK") {
    reporter.error("ScaleDoubleDeclared", field->place,
                   "GGML blocks hold their scale; `scale_operand` is a second one", "remove it");
  } else if (!names_input(contract, quant.scale_operand)) {
    reporter.error("ScaleDoubleDeclared", field->place,
                   fmt::format("`scale_operand` names no input: \"{}\"", quant.scale_operand),
                   "name the input that holds the scale");
  }
}

}  // namespace

Fdx read_fdx(const Node& node, const std::string& path, Reporter& reporter) {
  const std::size_t errors_before = reporter.errors();
  reporter.note("NotAudited", node.place, fmt::format("`{}` is kept out of the audit", path),
                "the operand is audited as a dense tensor, or not at all");
  Fdx fdx;
  MapReader fields(node, path, reporter);
  fdx.requires_ext = fields.boolean("requires_ext").value_or(false);
  fdx.sub_byte = optional_text(fields, "sub_byte");
  fdx.symbolic_extent = optional_token(fields, "symbolic_extent", "UnknownAdmissibilityEnum",
                                       {"rejected", "tolerated", "required"});
  fdx.extent_kind = optional_token(fields, "extent_kind", "UnknownAdmissibilityEnum",
                                   {"rejected", "scalar", "range", "affine"});
  if (const Node* quant = fields.mapping("quant")) {
    fdx.quant = read_quant(*quant, fields.path("quant"), reporter);
  }
  if (const Node* gather = fields.mapping("gather")) {
    fdx.gather = read_gather(*gather, fields.path("gather"), reporter);
  }
  fields.warn_unknown_keys();
  const bool needs_symbols = fdx.extent_kind == "range" || fdx.extent_kind == "affine";
  if (reporter.errors() == errors_before && needs_symbols && fdx.symbolic_extent != "required") {
    reporter.error(
        "UnknownAdmissibilityEnum", node.find("extent_kind")->place,
        fmt::format("`extent_kind: {}` needs `symbolic_extent: required`", fdx.extent_kind),
        "write both, or `extent_kind: scalar`");
  }
  return fdx;
}

void check_fdx(const Node& node, std::size_t input, const KernelContract& contract,
               Reporter& reporter) {
  const Fdx& fdx = *contract.inputs[input].fdx;
  if (fdx.gather && fdx.gather->kind == "paged_blocks") {
    check_gather(node, fdx, contract, reporter);
  }
  if (!fdx.quant) return;
  check_scale(node, *fdx.quant, contract, reporter);
  const std::string& family = fdx.quant->family;
  if (contract.registrable && (family == "MX" || family == "AFFINE_BLOCK")) {
    reporter.deviation("MxNotYetRegistrable", node.find("quant")->find("family")->place,
                       fmt::format("no dispatcher registers kernels of family {} yet", family),
                       "write `registrable: false`");
  }
}

}  // namespace assay::fkc
