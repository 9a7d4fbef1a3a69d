#include <fmt/format.h>

#include <algorithm>

#include "contracts/fkc/revision_hash.h"
#include "contracts/fkc/schema.h"
#include "contracts/fkc/tokens.h"

namespace assay::fkc {

namespace {

void read_op_target(MapReader& fields, KernelContract& contract) {
  Reporter& reporter = fields.reporter();
  const auto op_kind = fields.text("op_kind");
  const auto fused_op = fields.text("fused_op");
  if (op_kind) contract.op_kind = op_kind->value;
  if (fused_op) contract.fused_op = fused_op->value;
  // A section that only describes may name an operation that nothing dispatches to.
  if (!contract.registrable) return;
  if (op_kind.has_value() == fused_op.has_value()) {
    const Place place = fused_op ? Place{fused_op->line, fused_op->column} : fields.place();
    reporter.error("OpTargetAmbiguous", place,
                   op_kind ? "both `op_kind` and `fused_op` are given"
                           : "neither `op_kind` nor `fused_op` is given",
                   "a kernel implements exactly one of the two");
  } else if (op_kind && !is_op_kind(op_kind->value)) {
    reporter.error("UnknownOpKind", {op_kind->line, op_kind->column},
                   fmt::format("`op_kind` is \"{}\"", op_kind->value),
                   "operations are spelled in CamelCase: Cast, AddElementwise, Conv2D");
  } else if (fused_op && !is_fused_op(fused_op->value)) {
    reporter.error("UnknownFusedOp", {fused_op->line, fused_op->column},
                   fmt::format("`fused_op` is \"{}\"", fused_op->value),
                   "fused operations are spelled in capitals: FLASH_ATTN, QMATMUL");
  }
}

void read_blurb(MapReader& fields, KernelContract& contract) {
  const auto blurb = fields.text("blurb");
  if (blurb) contract.blurb = blurb->value;
  // A block scalar ends in the line end of its last line.
  if (contract.blurb.ends_with('\n')) contract.blurb.pop_back();
  const std::string_view text = trim(contract.blurb);
  if (text.empty() || text.find('\n') != std::string_view::npos) {
    const Place place = blurb ? Place{blurb->line, blurb->column} : fields.place();
    fields.reporter().error("MissingBlurb", place,
                            text.empty() ? "`blurb` is missing or empty" : "`blurb` has two lines",
                            "write one line that says what the kernel does");
  }
}

/// `auto`, or a given hash of at most 16 hex digits.
void read_revision_hash(MapReader& fields, const Node& root, const Provider& provider,
                        KernelContract& contract) {
  contract.hashes.records =
      fmt::format("{:016x}", revision_hash_of_records(root, provider.revision_base.value));
  contract.revision_hash = contract.hashes.records;
  const auto declared = fields.text("kernel_revision_hash");
  if (!declared || declared->value == "auto") return;
  std::string digits = declared->value;
  if (digits.substr(0, 2) == "0x") digits.erase(0, 2);
  const bool is_hex = !digits.empty() && digits.size() <= 16 &&
                      digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!is_hex) {
    fields.reporter().error("BadScalarType", {declared->line, declared->column},
                            "`kernel_revision_hash` is neither `auto` nor 64 bits in hex",
                            "write auto");
    return;
  }
  contract.hashes.declared = fmt::format("{:016x}", std::stoull(digits, nullptr, 16));
  contract.revision_hash = contract.hashes.declared;
}

}  // namespace

KernelContract read_kernel(const Node& root, const Section& section, const Provider& provider,
                           ReadParts& readable, Reporter& reporter) {
  KernelContract contract;
  contract.file = reporter.file();
  contract.line = section.line;
  contract.heading = section.heading;
  MapReader fields(root, "", reporter);

  // What cannot be read asks for nothing.
  contract.registrable =
      fields.boolean("registrable").value_or(fields.value("registrable") == nullptr);
  if (auto text = fields.required_text("kernel")) contract.kernel = text->value;
  read_op_target(fields, contract);
  read_blurb(fields, contract);
  contract.backend = provider.backend.value;
  if (auto text = fields.token("backend", "UnknownBackend", {"Cpu", "Cuda", "Vulkan", "Metal"})) {
    contract.backend = text->value;
  }
  contract.kernel_source = provider.kernel_source.value;
  if (auto text = fields.text("kernel_source")) contract.kernel_source = text->value;
  if (auto text = fields.required_text("entry_point")) contract.entry_point = *text;
  if (auto text = fields.text("variant")) contract.variant = text->value;
  read_revision_hash(fields, root, provider, contract);

  // A part that could not be read has its default, and would contradict the others by that.
  readable = {};
  const auto read = [&](bool& part, const Node* node, auto* reader) {
    const std::size_t errors_before = reporter.errors();
    if (node != nullptr) reader(*node, contract, reporter);
    part = reporter.errors() == errors_before;
  };
  const auto required = [&](bool& part, std::string_view key, auto* reader) {
    const Node* node = fields.required_mapping(key);
    read(part, node, reader);
    part = part && node != nullptr;
  };
  const auto optional = [&](bool& part, std::string_view key, auto* reader) {
    const Node* node = fields.mapping(key);
    read(part, node, reader);
    part = part && (node != nullptr || fields.value(key) == nullptr);
  };
  optional(readable.caps, "caps", read_caps);
  if (contract.registrable) {
    required(readable.accept, "accept", read_accept);
  } else {
    optional(readable.accept, "accept", read_accept);
  }
  required(readable.returns, "return", read_return);
  if (const Node* node = fields.required_mapping("cost")) read_cost(*node, contract, reporter);
  required(readable.precision, "precision", read_precision);
  if (fields.value("determinism") == nullptr) fields.missing("determinism");
  if (auto text = fields.token("determinism", "UnknownDeterminism",
                               {"bitwise", "same_hardware_bitwise", "nondeterministic"})) {
    contract.determinism = text->value;
  }
  fields.ignore("audit");  // read with the claims
  fields.warn_unknown_keys();
  check_coherence(root, contract, readable, reporter);
  return contract;
}

}  // namespace assay::fkc
