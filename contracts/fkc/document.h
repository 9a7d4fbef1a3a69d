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

namespace assay::fkc {

/// A scalar with its place in the file (line and column from 1).
template <typename T>
struct Located {
  T value{};
  int line = 0;
  int column = 0;
};

struct Provider {
  std::string name;
  std::string backend;
  std::string kernel_source;
  std::string link_registry;
  std::string revision_base;
};

enum class LayoutFlag : std::uint8_t { kRejected, kAccepted, kRequired, kNotApplicable };

struct Layout {
  LayoutFlag contiguous = LayoutFlag::kNotApplicable;
  LayoutFlag strided = LayoutFlag::kRejected;
  LayoutFlag broadcast_stride0 = LayoutFlag::kRejected;
  LayoutFlag start_offset = LayoutFlag::kRejected;
  LayoutFlag reverse_strides = LayoutFlag::kRejected;
};

/// Admitted ranks, both ends inclusive; no upper end means any.
struct RankRange {
  int lower = 0;
  std::optional<int> upper;
};

struct InputOperand {
  Located<std::string> name;
  std::vector<Dtype> dtypes;
  Layout layout;
  bool layout_declared = false;
  RankRange rank;
  bool optional = false;
  std::string shape_constraint;  ///< verbatim, not evaluated
  bool has_fdx = false;          ///< quantized, gathered or symbolic: beyond a value audit
};

struct OutputOperand {
  Located<std::string> name;
  Located<std::string> dtype_rule;
  std::optional<Dtype> fixed_dtype;  ///< the dtype of a `fixed(...)` rule
  Located<std::string> shape_rule;
  std::string same_as;  ///< the role of a `same_as(role)` shape rule, else empty
  Located<std::string> layout_guarantee;
  Located<std::string> aliasing;
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

/// One kernel's section.
struct KernelContract {
  std::string file;
  int line = 0;  ///< of the section's heading
  std::string kernel;
  std::string op_kind;
  std::string blurb;
  std::string backend;
  std::string kernel_source;
  Located<std::string> entry_point;
  std::string
      revision_hash;  ///< hex u64 without prefix, FNV-1a over the block (format section 3.9)
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
  std::vector<Claim> claims;  ///< structured, audit and implied claims, in the order of `kClaims`
  /// Inputs outside of the contract (`audit.caller_error`): recorded, never judged.
  std::vector<Interval> caller_error;
  bool caller_error_nan = false;

  /// The claim of this kind, or nullptr.
  const Claim* claim(ClaimKind kind) const;
};

struct Document {
  std::string file;
  Provider provider;
  std::vector<KernelContract> kernels;
  std::vector<Diagnostic> diagnostics;
};

/// Longer documents are refused (`Io`): the largest known one has 120 KiB.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{4} << 20;

struct ReadOptions {
  /// Follows the letter of the specification: what is a warning otherwise because it harms no
  /// claim (`Reporter::deviation`) is an error then, and a blurb has to be the first line of prose.
  bool strict = false;
};

/// Reads one contract document. Never throws on the document's account: every fault, including an
/// unreadable file, is a diagnostic; sections without errors are returned even when others have
/// some.
Document read_document(const std::string& path, const ReadOptions& options = {});

/// The same from text already in memory; `file` is used in places and diagnostics only.
Document parse_document(const std::string& text, const std::string& file,
                        const ReadOptions& options = {});

}  // namespace assay::fkc
