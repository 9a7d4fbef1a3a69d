// A contract document as values: what the importer hands to the rest of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/claim.h"
#include "contracts/dtype.h"
#include "contracts/fkc/diagnostic.h"
#include "contracts/fkc/link_registry.h"

namespace assay::fkc {

/// A scalar with its place in the file (line and column from 1).
template <typename T>
struct Located {
  T value{};
  int line = 0;
  int column = 0;
};

struct Provider {
  Located<std::string> name;
  Located<std::string> backend;
  Located<std::string> kernel_source;
  Located<std::string> link_registry;  ///< empty and without a place where not given, as the next
  Located<std::string> revision_base;
};

enum class LayoutFlag : std::uint8_t { kRejected, kAccepted, kRequired, kNotApplicable };

struct Layout {
  LayoutFlag contiguous = LayoutFlag::kNotApplicable;
  LayoutFlag strided = LayoutFlag::kRejected;
  LayoutFlag broadcast_stride0 = LayoutFlag::kRejected;
  LayoutFlag start_offset = LayoutFlag::kRejected;
  LayoutFlag reverse_strides = LayoutFlag::kRejected;
  std::vector<std::string> broadcast_axes;  ///< integers, as written
  std::string awkward_layout_strategy;      ///< empty: that of `caps`
};

/// How a quantized operand is encoded; words as written, empty where not given.
struct Quant {
  std::string family;
  std::string ggml_dtype;
  std::string granularity;
  std::vector<std::string> block_shape;  ///< numbers or names
  std::string role;
  std::string scale_operand;
};

/// An operand that is read through a table.
struct Gather {
  std::string kind;
  std::string block_table;
  std::string context_lens;
};

/// What is beyond dense tensors of fixed extents, and beyond a value audit.
struct Fdx {
  bool requires_ext = false;
  std::string sub_byte;
  std::string symbolic_extent;
  std::string extent_kind;
  std::optional<Quant> quant;
  std::optional<Gather> gather;
};

/// Admitted ranks, both ends inclusive; no upper end means any.
struct RankRange {
  int lower = 0;
  std::optional<int> upper;
};

struct InputOperand {
  Located<std::string> name;
  /// As the contract lists them, or as its `dtype_class` stands for.
  std::vector<std::string> dtype_tokens;
  /// The same as rows of traits; empty if one of them has none and cannot be audited.
  std::vector<Dtype> dtypes;
  std::string dtype_class;
  Layout layout;
  bool layout_declared = false;
  RankRange rank;
  bool optional = false;
  std::string shape_constraint;  ///< verbatim, not evaluated
  std::string device;            ///< empty: the backend's
  std::string substrate;
  std::string notes;
  std::optional<Fdx> fdx;
};

struct OutputOperand {
  Located<std::string> name;
  Located<std::string> dtype_rule;
  std::optional<Dtype> fixed_dtype;  ///< the dtype of a `fixed(...)` rule
  Located<std::string> shape_rule;
  std::string same_as;  ///< the role of a `same_as(role)` shape rule, else empty
  Located<std::string> layout_guarantee;
  Located<std::string> aliasing;
  std::vector<std::string> shape;  ///< extents of a bundle's slot, as written
  std::optional<Fdx> fdx;
};

/// A parameter of the operation, its Rust type and constraint verbatim.
struct OpParamField {
  std::string name;
  std::string kind;
  std::string constraint;
  std::string note;
};

struct FastPath {
  std::string when;
  std::string cost_class;
  std::string note;
  std::string effect;
};

struct Caps {
  std::string awkward_layout_strategy = "requires_contiguous";
  std::vector<FastPath> fast_paths;
  bool in_place = false;
  std::optional<std::uint64_t> alignment_bytes;
  std::optional<std::uint64_t> access_granularity_bits;
  std::string notes;
};

/// Expressions are kept as text (checked against the format's grammar); empty where not declared.
struct Cost {
  std::string provenance;
  std::string cost_class;
  std::string flops;
  std::string bytes_moved;
  std::string overhead_ns;
  std::string device_bytes;
  std::string host_bytes;
  std::string disk_bytes;
  std::string cost_fn;
};

/// A missing bound is no claim, never zero.
struct Precision {
  bool bit_stable_on_same_hardware = false;
  std::optional<std::uint64_t> max_ulp;
  std::optional<double> max_relative;
  std::optional<double> max_absolute;
  std::optional<bool> audited;
  Located<std::string> notes;
};

/// Names of one revision of a contract: 64 bits in hex without prefix (revision_hash.h).
struct RevisionHashes {
  std::string declared;  ///< as written, without "0x"; empty for `auto`
  std::string records;   ///< over the canonical records, as the first importer does
  std::string block;     ///< over the block's bytes, as the specification says
};

/// One thing that a dispatcher can call.
struct Binding {
  std::string kernel;  ///< the section's name, with `_DTYPE` behind it where the contract fans out
  std::string entry_point;  ///< the symbol, with the dtype's suffix where the contract fans out
  /// The dispatch key: the dtype of each input, then of each output. Of a bundle only the first
  /// slot counts. Empty where the rule leaves it to a parameter (`cast(param)`).
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// One kernel's section.
struct KernelContract {
  std::string file;
  int line = 0;         ///< of the section's heading
  std::string heading;  ///< its text, without the "## "
  std::string kernel;
  std::string op_kind;
  std::string blurb;
  std::string backend;
  std::string kernel_source;
  Located<std::string> entry_point;
  std::string revision_hash;  ///< the declared one, else `hashes.records`
  RevisionHashes hashes;
  bool registrable = true;
  std::vector<InputOperand> inputs;
  std::vector<OutputOperand> outputs;
  std::uint64_t alignment_bytes = 1;
  std::string determinism;
  std::string fused_op;  ///< set where `op_kind` is not
  std::string variant;   ///< opaque specialization tag
  std::string op_params_variant;
  std::vector<OpParamField> op_param_fields;
  bool bundle = false;  ///< the outputs are slots of one buffer
  Caps caps;
  Cost cost;
  Precision precision;
  std::vector<Claim> claims;  ///< in the order of `kClaims`, one of a kind
  /// What sentences of the prose promise in two ways that differ: shown with both, and never
  /// judged. In the order of `kClaims`; of no kind that `claims` has.
  std::vector<Claim> disputed;
  /// Inputs outside of the contract (`audit.caller_error`): recorded, never judged.
  std::vector<Interval> caller_error;
  bool caller_error_nan = false;
  /// Where in the sums of the accumulator claim the operand `bias` comes in (`audit.bias`), which
  /// that claim's `declared` says too; nothing where the contract leaves it open.
  std::optional<BiasOrder> bias_order;

  /// What the section stands for: one binding for each dtype that its operands list, with the
  /// symbol `<entry_point>_<dtype in lower case>`; a single one under `entry_point` itself where no
  /// operand lists several. With an optional last input each comes twice, first with it, then
  /// without it. Sections that only describe (`registrable` false) have theirs too; nobody
  /// registers them.
  std::vector<Binding> bindings() const;

  /// The same, each symbol once: with the operand that may be left out.
  std::vector<Binding> signatures() const;

  /// The claim of this kind, or nullptr.
  const Claim* claim(ClaimKind kind) const;

  /// The disputed claim of this kind, or nullptr.
  const Claim* disputed_claim(ClaimKind kind) const;
};

struct Document {
  std::string file;
  Provider provider;                      ///< empty where the front matter has errors
  std::vector<std::string> front_matter;  ///< its lines, of which the first is the file's second
  std::vector<KernelContract> kernels;
  std::vector<Diagnostic> diagnostics;
};

/// What stands behind more sections than this is not read (`TooManySections`).
inline constexpr std::size_t kMaxSections = 4096;

/// Longer documents are refused (`Io`): the largest known one has 120 KiB.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{4} << 20;

struct ReadOptions {
  /// Follows the letter of the specification: what is a warning otherwise because it harms no
  /// claim (`Reporter::deviation`) is an error then, and a blurb has to be the first line of prose.
  bool strict = false;
  /// What the document's entry points are looked up in; nullptr: they are not looked up.
  const LinkRegistry* registry = nullptr;
};

/// Reads one contract document. Accepts any bytes and never throws on their account: every fault,
/// including an unreadable file, is a diagnostic (kind.h), in the order of the file. Returns the
/// sections without errors even when others have some, and none where the provider is faulty. Time
/// and memory are linear in the document, whose length, sections and nesting are bounded.
Document read_document(const std::string& path, const ReadOptions& options = {});

/// The same from text already in memory; `file` is used in places and diagnostics only.
Document parse_document(const std::string& text, const std::string& file,
                        const ReadOptions& options = {});

/// Documents that are meant to be one provider's: reports ProviderMismatch in each that differs
/// from the first in a field of `provider`, where a field that is absent differs from one that is
/// empty; and DuplicateKernel and DuplicateEntryPoint in each with a kernel that one before it has.
/// Documents whose front matter has errors are left out, and kernels that have some.
void check_one_provider(std::vector<Document>& documents);

}  // namespace assay::fkc
