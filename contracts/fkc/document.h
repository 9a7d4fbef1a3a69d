// A contract document as values: what the importer hands to the rest of the program.
#pragma once

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
  std::string revision_hash;  ///< hex u64 without prefix, FNV-1a over the block (format section 3.9)
  bool registrable = true;
  std::vector<InputOperand> inputs;
  std::vector<OutputOperand> outputs;
  std::uint64_t alignment_bytes = 1;
  std::string determinism;
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

/// Reads one contract document. Never throws on the document's account: every fault, including an
/// unreadable file, is a diagnostic; sections without errors are returned even when others have some.
Document read_document(const std::string& path);

/// The same from text already in memory; `file` is used in places and diagnostics only.
Document parse_document(const std::string& text, const std::string& file);

}  // namespace assay::fkc
