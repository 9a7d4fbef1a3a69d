// Quantized, gathered and symbolic operands.
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::listing;
using testing::Marked;
using testing::marked;
using testing::replaced;
using testing::sample_with;

/// The sample with this `fdx` of its input, and more inputs `t`, `l` and `s`.
std::string with_fdx(const std::string& fdx) {
  std::string inputs = "      rank: any\n      fdx: " + fdx + "\n";
  for (const char* name : {"t", "l", "s"}) {
    inputs += "    - { name: " + std::string(name) + ", dtypes: [U32] }\n";
  }
  return sample_with("      rank: any\n", inputs);
}

struct Row {
  std::string fdx;
  std::string_view kind;
};

const Row kFaults[] = {
    {"{ quant: { family: @@GGML } }", "FdxTokenNotInTable"},
    {"{ quant: { family: AFFINE_INT, granularity: @@PerRow } }", "FdxTokenNotInTable"},
    {"{ quant: { family: AFFINE_INT, role: @@bias } }", "FdxTokenNotInTable"},
    {"{ quant: @@{ role: weight } }", "MissingRequiredField"},
    {"{ quant: { family: GGML_BLOCK, ggml_dtype: @@Q4_K } }", "QuantIncoherent"},
    {"{ quant: { family: GGML_BLOCK, granularity: @@PerToken } }", "QuantIncoherent"},
    {"{ quant: { family: AFFINE_INT, granularity: @@PerBlock } }", "QuantIncoherent"},
    {"{ quant: { family: @@AFFINE_BLOCK } }", "QuantIncoherent"},
    {"{ quant: { family: AFFINE_INT, ggml_dtype: @@Q4K } }", "QuantIncoherent"},
    {"{ quant: { family: AFFINE_INT, block_shape: @@2 } }", "BadScalarType"},
    {"{ quant: { family: AFFINE_INT, block_shape: [@@[2]] } }", "BadScalarType"},
    {"{ quant: { family: GGML_BLOCK, scale_operand: @@s } }", "ScaleDoubleDeclared"},
    {"{ quant: { family: AFFINE_INT, scale_operand: @@ghost } }", "ScaleDoubleDeclared"},
    {"{ requires_ext: @@\"true\" }", "BadScalarType"},
    {"{ symbolic_extent: @@maybe }", "UnknownAdmissibilityEnum"},
    {"{ extent_kind: @@some }", "UnknownAdmissibilityEnum"},
    {"{ extent_kind: @@range, symbolic_extent: tolerated }", "UnknownAdmissibilityEnum"},
    {"{ extent_kind: @@affine }", "UnknownAdmissibilityEnum"},
    {"{ gather: { kind: @@csr, block_table: t, context_lens: l } }", "UnknownAdmissibilityEnum"},
    {"{ requires_ext: true, symbolic_extent: required, gather: @@{ block_table: t } }",
     "MissingRequiredField"},
    {"{ requires_ext: true, symbolic_extent: tolerated, gather: @@{ kind: paged_blocks, "
     "block_table: t, context_lens: l } }",
     "GatherIncoherent"},
    {"{ requires_ext: true, symbolic_extent: required, gather: { kind: paged_blocks, block_table: "
     "@@ghost, context_lens: l } }",
     "GatherIncoherent"},
    {"{ requires_ext: true, symbolic_extent: required, gather: @@{ kind: paged_blocks, "
     "block_table: t } }",
     "GatherIncoherent"},
};

TEST_CASE("each fault of an fdx has its kind and place") {
  for (const Row& row : kFaults) {
    const Marked document = marked(with_fdx(row.fdx));
    const Document read = parse_document(document.text, "a");
    INFO(row.fdx << "\n" << listing(read));
    const auto errors = errors_of(read);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == row.kind);
    CHECK(errors[0].line == document.line);
    CHECK(errors[0].column == document.column);
  }
}

TEST_CASE("an fdx arrives whole, with a note that it is not audited") {
  const Document quantized = parse_document(
      with_fdx("{ requires_ext: true, sub_byte: packed, quant: { family: AFFINE_INT, granularity: "
               "PerChannel, role: weight, scale_operand: s, block_shape: [2, block_size] } }"),
      "a");
  INFO(listing(quantized));
  REQUIRE(quantized.kernels.size() == 1);
  REQUIRE(quantized.diagnostics.size() == 1);
  CHECK(quantized.diagnostics[0].kind == "NotAudited");
  const Fdx& fdx = quantized.kernels[0].inputs[0].fdx.value();
  CHECK(fdx.requires_ext);
  CHECK(fdx.sub_byte == "packed");
  CHECK(fdx.quant->family == "AFFINE_INT");
  CHECK(fdx.quant->granularity == "PerChannel");
  CHECK(fdx.quant->role == "weight");
  CHECK(fdx.quant->scale_operand == "s");
  CHECK(fdx.quant->block_shape == std::vector<std::string>{"2", "block_size"});
  CHECK_FALSE(fdx.gather.has_value());
  CHECK_FALSE(quantized.kernels[0].inputs[1].fdx.has_value());

  const Document gathered = parse_document(
      with_fdx("{ requires_ext: true, symbolic_extent: required, extent_kind: affine, gather: { "
               "kind: paged_blocks, block_table: t, context_lens: l } }"),
      "a");
  INFO(listing(gathered));
  REQUIRE(gathered.kernels.size() == 1);
  const Fdx& gather = gathered.kernels[0].inputs[0].fdx.value();
  CHECK(gather.extent_kind == "affine");
  CHECK(gather.symbolic_extent == "required");
  CHECK(gather.gather->block_table == "t");
  CHECK(gather.gather->context_lens == "l");
}

TEST_CASE("families that nobody registers are tolerated where nothing is registered") {
  const std::string text = with_fdx("{ quant: { family: AFFINE_BLOCK, block_shape: [32] } }");
  const Document registered = parse_document(text, "a");
  REQUIRE(registered.diagnostics.size() == 2);
  CHECK(registered.diagnostics[1].kind == "MxNotYetRegistrable");
  CHECK(registered.kernels.size() == 1);
  const Document described =
      parse_document(replaced(text, "op_kind: Cast\n", "op_kind: Cast\nregistrable: false\n"), "a");
  REQUIRE(described.diagnostics.size() == 1);
  CHECK(described.diagnostics[0].kind == "NotAudited");
}

TEST_CASE("outputs have an fdx too") {
  const Document document = parse_document(
      sample_with("      aliasing: none\n",
                  "      aliasing: none\n      fdx: { quant: { family: GGML_BLOCK, ggml_dtype: "
                  "Q8_0 } }\n"),
      "a");
  REQUIRE(document.kernels.size() == 1);
  CHECK(document.kernels[0].outputs[0].fdx->quant->ggml_dtype == "Q8_0");
}

}  // namespace
}  // namespace assay::fkc
