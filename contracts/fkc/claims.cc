#include "contracts/fkc/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace assay::fkc {

void ClaimWriter::add(ClaimKind kind, SourceKind source, Place place, std::string declared,
                      ClaimValue value) {
  Claim claim;
  claim.kind = kind;
  claim.declared = std::move(declared);
  claim.value = std::move(value);
  claim.source = {file_, place.line, place.column, source,
                  std::string(trim(lines_.at(static_cast<std::size_t>(place.line) - 1)))};
  claims_.push_back(std::move(claim));
}

void ClaimWriter::add_prose(ClaimKind kind, Place place, std::string declared, ClaimValue value,
                            std::string sentence) {
  Claim claim;
  claim.kind = kind;
  claim.declared = std::move(declared);
  claim.value = std::move(value);
  claim.source = {file_, place.line, place.column, SourceKind::kProse, std::move(sentence)};
  claims_.push_back(std::move(claim));
}

const Claim* ClaimWriter::find(ClaimKind kind) const {
  for (const Claim& claim : claims_) {
    if (claim.kind == kind) return &claim;
  }
  return nullptr;
}

void ClaimWriter::add_implied(ClaimKind kind, Place place, std::string reason) {
  Claim claim;
  claim.kind = kind;
  claim.source = {file_, place.line, place.column, SourceKind::kImplied, std::move(reason)};
  claims_.push_back(std::move(claim));
}

std::vector<Claim> ClaimWriter::take() {
  std::stable_sort(claims_.begin(), claims_.end(),
                   [](const Claim& a, const Claim& b) { return a.kind < b.kind; });
  return std::move(claims_);
}

namespace {

/// A mapping's or list's content as one line, in the order of the file: "contiguous: required, …".
std::string content_of(const Node& node) {
  std::string text;
  const auto append = [&text](const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  if (node.is_scalar()) return node.text;
  for (const Node& item : node.items) append(item.text);
  for (const Entry& entry : node.entries) {
    append(entry.key.text + ": " + (entry.value.is_null() ? "~" : content_of(entry.value)));
  }
  return text;
}

void add_precision(const Node& root, const KernelContract& contract, ClaimWriter& claims) {
  const Node* node = root.find("precision");
  if (node == nullptr) return;
  const auto add = [&](ClaimKind kind, std::string_view key, ClaimValue value) {
    const Node* field = node->find(key);
    claims.add(kind, SourceKind::kStructured, field->place, field->text, std::move(value));
  };
  const Precision& precision = contract.precision;
  if (precision.max_ulp) add(ClaimKind::kMaxUlp, "max_ulp", *precision.max_ulp);
  if (precision.max_relative) {
    add(ClaimKind::kMaxRelative, "max_relative", *precision.max_relative);
  }
  if (precision.max_absolute) {
    add(ClaimKind::kMaxAbsolute, "max_absolute", *precision.max_absolute);
  }
  if (precision.bit_stable_on_same_hardware) {
    add(ClaimKind::kBitStable, "bit_stable_on_same_hardware", {});
  }
  if (contract.determinism == "bitwise") {
    claims.add(ClaimKind::kBitwise, SourceKind::kStructured, root.find("determinism")->place,
               contract.determinism, {});
  }
}

void add_return(const KernelContract& contract, ClaimWriter& claims) {
  if (contract.outputs.empty()) return;
  const OutputOperand& output = contract.outputs.front();
  const auto add = [&](ClaimKind kind, const Located<std::string>& rule) {
    if (rule.value.empty()) return;
    claims.add(kind, SourceKind::kStructured, {rule.line, rule.column}, rule.value, {});
  };
  add(ClaimKind::kDtypeRule, output.dtype_rule);
  add(ClaimKind::kShapeRule, output.shape_rule);
  add(ClaimKind::kLayoutGuarantee, output.layout_guarantee);
  add(ClaimKind::kAliasing, output.aliasing);
}

bool rejects_a_layout(const InputOperand& operand) {
  const Layout& layout = operand.layout;
  constexpr LayoutFlag kRejected = LayoutFlag::kRejected;
  return operand.layout_declared &&
         (layout.contiguous == LayoutFlag::kRequired || layout.strided == kRejected ||
          layout.broadcast_stride0 == kRejected || layout.start_offset == kRejected ||
          layout.reverse_strides == kRejected);
}

/// One claim for all inputs; with several inputs each part is named.
void add_accept(const Node& root, const KernelContract& contract, ClaimWriter& claims) {
  const Node* accept = root.find("accept");
  const Node* inputs = accept == nullptr ? nullptr : accept->find("inputs");
  if (inputs == nullptr) return;
  const auto add = [&](ClaimKind kind, std::string_view key, auto applies) {
    std::string declared;
    const Node* first = nullptr;
    for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
      const Node* field = inputs->items[i].find(key);
      if (field == nullptr || field->is_null() || !applies(contract.inputs[i])) continue;
      if (first == nullptr) first = field;
      if (!declared.empty()) declared += "; ";
      if (contract.inputs.size() > 1) declared += contract.inputs[i].name.value + ": ";
      declared += content_of(*field);
    }
    if (first != nullptr) {
      claims.add(kind, SourceKind::kStructured, first->place, std::move(declared), {});
    }
  };
  const auto always = [](const InputOperand&) { return true; };
  add(ClaimKind::kAcceptLayout, "layout", rejects_a_layout);
  add(ClaimKind::kAcceptDtype, "dtypes", always);
  add(ClaimKind::kAcceptRank, "rank", always);
}

/// One claim for everything that rules on extents and parameters, each part named.
void add_geometry(const Node& root, const KernelContract& contract, ClaimWriter& claims) {
  const Node* accept = root.find("accept");
  if (accept == nullptr) return;
  std::string declared;
  std::optional<Place> first;
  const auto add = [&](const std::string& name, const Node* constraint) {
    if (constraint == nullptr || !constraint->is_scalar() || constraint->text.empty()) return;
    if (!first) first = constraint->place;
    if (!declared.empty()) declared += "; ";
    declared += name + ": " + constraint->text;
  };
  const Node* inputs = accept->find("inputs");
  for (std::size_t i = 0; inputs != nullptr && i < contract.inputs.size(); ++i) {
    add(contract.inputs[i].name.value, inputs->items[i].find("shape_constraint"));
  }
  const Node* params = accept->find("op_params");
  const Node* fields = params == nullptr ? nullptr : params->find("fields");
  if (fields != nullptr) {
    for (const Entry& field : fields->entries) {
      add(field.key.text, field.value.find("constraint"));
    }
  }
  if (!first) return;
  claims.add(ClaimKind::kAcceptGeometry, SourceKind::kStructured, *first, std::move(declared), {});
}

void add_implied(const KernelContract& contract, ClaimWriter& claims) {
  struct Implied {
    ClaimKind kind;
    std::string_view reason;
  };
  constexpr std::array<Implied, 5> kImplied = {{
      {ClaimKind::kInBounds, "a kernel owns no memory but the tensors it is given"},
      {ClaimKind::kInputsUnmodified, "inputs belong to the caller"},
      {ClaimKind::kOutputFullyWritten, "the caller hands over an output of unknown contents"},
      {ClaimKind::kFpEnvironmentKept, "the floating-point environment belongs to the caller"},
      {ClaimKind::kResourcesKept, "a call that has returned is over"},
  }};
  for (const Implied& implied : kImplied) {
    claims.add_implied(implied.kind, {contract.line, 1}, std::string(implied.reason));
  }
}

}  // namespace

void read_claims(const Node& root, const Lines& lines, const Section& section,
                 KernelContract& contract, Reporter& reporter) {
  ClaimWriter claims(lines, contract.file);
  add_precision(root, contract, claims);
  add_return(contract, claims);
  add_accept(root, contract, claims);
  add_geometry(root, contract, claims);
  if (const Node* audit = root.find("audit"); audit != nullptr && !audit->is_null()) {
    if (audit->is_mapping()) {
      read_audit(*audit, contract, claims, reporter);
    } else {
      reporter.error("BadScalarType", audit->place, "`audit` is no mapping",
                     "write its entries as \"rounding: nearest_even\", one a line");
    }
  }
  read_prose_claims(root, lines, section, contract, claims, reporter);
  add_implied(contract, claims);
  contract.claims = claims.take();
  // Last: prose that says the same order of summation, and nothing of a bias, agrees with the
  // entry.
  if (!contract.bias_order) return;
  for (Claim& claim : contract.claims) {
    if (claim.kind != ClaimKind::kAccumulator) continue;
    claim.declared += fmt::format(", bias {}", to_string(*contract.bias_order));
  }
}

}  // namespace assay::fkc
