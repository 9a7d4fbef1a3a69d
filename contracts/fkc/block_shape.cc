#include "contracts/fkc/block_shape.h"

namespace assay::fkc {

namespace {

using Value = KeyShape::Value;

KeyShape token(std::string_view key) {
  return {key, Value::kToken, nullptr};
}
KeyShape text(std::string_view key) {
  return {key, Value::kText, nullptr};
}
KeyShape map(std::string_view key, const MapShape& child) {
  return {key, Value::kMapping, &child};
}
KeyShape list(std::string_view key, const MapShape* child = nullptr) {
  return {key, Value::kList, child};
}

}  // namespace

const MapShape& front_matter_shape() {
  static const MapShape provider{{token("name"), token("backend"), text("kernel_source"),
                                  token("link_registry"), text("revision_base")},
                                 nullptr};
  static const MapShape root{{token("fkc_version"), map("provider", provider)}, nullptr};
  return root;
}

const MapShape& block_shape() {
  static const MapShape quant{{token("family"), token("ggml_dtype"), token("granularity"),
                               list("block_shape"), token("role"), token("scale_operand")},
                              nullptr};
  static const MapShape gather{{token("kind"), token("block_table"), token("context_lens")},
                               nullptr};
  static const MapShape fdx{{token("requires_ext"), token("sub_byte"), token("symbolic_extent"),
                             token("extent_kind"), map("quant", quant), map("gather", gather)},
                            nullptr};
  static const MapShape layout{
      {token("contiguous"), token("strided"), token("broadcast_stride0"), token("start_offset"),
       token("reverse_strides"), list("broadcast_axes"), token("awkward_layout_strategy")},
      nullptr};
  static const MapShape input{
      {token("name"), list("dtypes"), token("dtype_class"), map("layout", layout), token("rank"),
       text("shape_constraint"), token("optional"), token("variadic"), map("fdx", fdx),
       token("device"), token("substrate"), text("notes")},
      nullptr};
  static const MapShape field{{token("kind"), text("constraint"), text("note")}, nullptr};
  static const MapShape fields{{}, &field};
  static const MapShape op_params{{token("variant"), map("fields", fields)}, nullptr};
  static const MapShape accept{{list("inputs", &input), map("op_params", op_params)}, nullptr};
  static const MapShape output{
      {token("name"), token("dtype_rule"), token("shape_rule"), list("shape"),
       token("layout_guarantee"), token("aliasing"), map("fdx", fdx)},
      nullptr};
  static const MapShape returns{{list("outputs", &output), list("bundle", &output)}, nullptr};
  static const MapShape fast_path{{text("when"), token("class"), text("note"), text("effect")},
                                  nullptr};
  static const MapShape caps{
      {token("awkward_layout_strategy"), list("fast_paths", &fast_path), token("in_place"),
       token("alignment_bytes"), token("access_granularity_bits"), text("notes")},
      nullptr};
  static const MapShape memory{{text("device_bytes"), text("host_bytes"), text("disk_bytes")},
                               nullptr};
  static const MapShape cost{
      {token("provenance"), token("class"), text("flops"), token("flops_hint"), text("bytes_moved"),
       text("overhead_ns"), map("memory", memory), token("cost_fn")},
      nullptr};
  static const MapShape precision{
      {token("bit_stable_on_same_hardware"), token("max_ulp"), token("max_relative"),
       token("max_absolute"), token("audited"), text("notes")},
      nullptr};
  static const MapShape audit{
      {token("rounding"), token("overflow"), token("nan"), token("infinity"), token("signed_zero"),
       token("subnormals"), token("accumulator"), token("bias"), token("error_bound"),
       token("padding"), token("selection"), text("domain_exact"), text("caller_error")},
      nullptr};
  static const MapShape root{
      {token("kernel"), token("op_kind"), token("fused_op"), token("registrable"), text("blurb"),
       token("backend"), text("kernel_source"), text("entry_point"), token("kernel_revision_hash"),
       token("variant"), map("accept", accept), map("return", returns), map("caps", caps),
       map("cost", cost), map("precision", precision), token("determinism"), map("audit", audit)},
      nullptr};
  return root;
}

}  // namespace assay::fkc
