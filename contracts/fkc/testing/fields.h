// A contract's fields as lines of text, to compare two contracts.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay::fkc::testing {

/// "accept.inputs[0].rank=4..4" and so on, for every field but places, file and claims.
inline std::vector<std::string> fields_of(const KernelContract& kernel) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& key, const std::string& value) {
    lines.push_back(key + "=" + value);
  };
  const auto number = [](const auto& optional) {
    return optional ? fmt::format("{}", *optional) : fmt::format("~");
  };
  const auto joined = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
  };
  const auto fdx = [&](const std::optional<Fdx>& given) {
    if (!given) return fmt::format("~");
    const Quant quant = given->quant.value_or(Quant());
    const Gather gather = given->gather.value_or(Gather());
    return fmt::format("{} {} {} {} | {} {} {} {} {} {} {} | {} {} {} {}", given->requires_ext,
                       given->sub_byte, given->symbolic_extent, given->extent_kind,
                       given->quant.has_value(), quant.family, quant.ggml_dtype, quant.granularity,
                       joined(quant.block_shape), quant.role, quant.scale_operand,
                       given->gather.has_value(), gather.kind, gather.block_table,
                       gather.context_lens);
  };
  add("kernel", kernel.kernel);
  add("op_kind", kernel.op_kind);
  add("fused_op", kernel.fused_op);
  add("blurb", kernel.blurb);
  add("backend", kernel.backend);
  add("kernel_source", kernel.kernel_source);
  add("entry_point", kernel.entry_point.value);
  add("revision_hash", kernel.revision_hash);
  add("registrable", kernel.registrable ? "true" : "false");
  add("variant", kernel.variant);
  add("determinism", kernel.determinism);
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const InputOperand& input = kernel.inputs[i];
    const std::string path = fmt::format("accept.inputs[{}].", i);
    add(path + "name", input.name.value);
    add(path + "dtypes", joined(input.dtype_tokens));
    add(path + "layout", fmt::format("{} {} {} {} {} {}", input.layout_declared,
                                     static_cast<int>(input.layout.contiguous),
                                     static_cast<int>(input.layout.strided),
                                     static_cast<int>(input.layout.broadcast_stride0),
                                     static_cast<int>(input.layout.start_offset),
                                     static_cast<int>(input.layout.reverse_strides)));
    add(path + "rank", fmt::format("{}..{}", input.rank.lower, number(input.rank.upper)));
    add(path + "optional", input.optional ? "true" : "false");
    add(path + "shape_constraint", input.shape_constraint);
    add(path + "dtype_class", input.dtype_class);
    add(path + "broadcast_axes", joined(input.layout.broadcast_axes));
    add(path + "awkward_layout_strategy", input.layout.awkward_layout_strategy);
    add(path + "device", input.device);
    add(path + "substrate", input.substrate);
    add(path + "notes", input.notes);
    add(path + "fdx", fdx(input.fdx));
  }
  add("accept.op_params.variant", kernel.op_params_variant);
  for (const OpParamField& field : kernel.op_param_fields) {
    add("accept.op_params.fields." + field.name,
        field.kind + " | " + field.constraint + " | " + field.note);
  }
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
    const OutputOperand& output = kernel.outputs[i];
    const std::string path = fmt::format("return.{}[{}].", kernel.bundle ? "bundle" : "outputs", i);
    add(path + "name", output.name.value);
    add(path + "dtype_rule", output.dtype_rule.value);
    add(path + "shape_rule", output.shape_rule.value);
    add(path + "layout_guarantee", output.layout_guarantee.value);
    add(path + "aliasing", output.aliasing.value);
    add(path + "shape", joined(output.shape));
    add(path + "fdx", fdx(output.fdx));
  }
  add("caps.awkward_layout_strategy", kernel.caps.awkward_layout_strategy);
  for (const FastPath& path : kernel.caps.fast_paths) {
    add("caps.fast_paths",
        path.when + " | " + path.cost_class + " | " + path.note + " | " + path.effect);
  }
  add("caps.in_place", kernel.caps.in_place ? "true" : "false");
  add("caps.alignment_bytes", number(kernel.caps.alignment_bytes));
  add("caps.access_granularity_bits", number(kernel.caps.access_granularity_bits));
  add("caps.notes", kernel.caps.notes);
  add("cost.provenance", kernel.cost.provenance);
  add("cost.class", kernel.cost.cost_class);
  add("cost.flops", kernel.cost.flops);
  add("cost.bytes_moved", kernel.cost.bytes_moved);
  add("cost.overhead_ns", kernel.cost.overhead_ns);
  add("cost.memory",
      kernel.cost.device_bytes + " | " + kernel.cost.host_bytes + " | " + kernel.cost.disk_bytes);
  add("cost.cost_fn", kernel.cost.cost_fn);
  add("precision.bit_stable_on_same_hardware",
      kernel.precision.bit_stable_on_same_hardware ? "true" : "false");
  add("precision.max_ulp", number(kernel.precision.max_ulp));
  add("precision.max_relative", number(kernel.precision.max_relative));
  add("precision.max_absolute", number(kernel.precision.max_absolute));
  add("precision.audited", number(kernel.precision.audited));
  add("precision.notes", kernel.precision.notes.value);
  return lines;
}

/// "rounding=exact" and so on, without the sources.
inline std::vector<std::string> claims_of(const KernelContract& kernel) {
  std::vector<std::string> lines;
  for (const Claim& claim : kernel.claims) {
    lines.push_back(fmt::format("{}={}", row(claim.kind).id, claim.declared));
  }
  return lines;
}

/// What is said of results, not of the call's structure, without the sources.
inline std::vector<std::string> promises_of(const KernelContract& kernel) {
  std::vector<std::string> claims = claims_of(kernel);
  for (const Interval& interval : kernel.caller_error) {
    claims.push_back(fmt::format("outside {}{}{} {}{}{}", interval.lower.value_or("-"),
                                 interval.lower_inclusive, interval.upper.value_or("-"),
                                 interval.upper_inclusive, "", ""));
  }
  for (const Claim& claim : kernel.disputed) {
    claims.push_back(fmt::format("disputed {}={}", row(claim.kind).id, claim.declared));
  }
  claims.push_back(kernel.caller_error_nan ? "outside nan" : "nan inside");
  return claims;
}

}  // namespace assay::fkc::testing
