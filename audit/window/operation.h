// Operations with windows: convolutions, transposed convolutions and poolings over images in the
// order NCHW, as a contract describes them for one dtype.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contracts/claim.h"
#include "contracts/dtype.h"
#include "contracts/fkc/document.h"

namespace assay::window {

enum class OperationKind : std::uint8_t { kConvolution, kTransposedConvolution, kPooling };

/// What a parameter of a contract means.
enum class ParameterRole : std::uint8_t {
  kStride,
  kPadding,
  kOutputPadding,
  kDilation,
  kGroups,
  kWindow,  ///< extent of a square window (`kernel_size`)
};

struct OperationParameter {
  ParameterRole role;
  std::string name;  ///< as the contract writes it
  bool pair;         ///< (rows, columns); else one number for both
  /// The names of a call's parameters: `NAME_h` and `NAME_w` of a pair, else `NAME` twice.
  std::string rows_name;
  std::string columns_name;
};

/// One contract for one dtype. `contract` must outlive it.
struct Operation {
  OperationKind kind = OperationKind::kConvolution;
  Dtype dtype = Dtype::kF32;
  const fkc::KernelContract* contract = nullptr;
  std::vector<OperationParameter> parameters;
  bool takes_bias = false;
  bool bias_optional = false;

  bool has(ParameterRole role) const { return find(role) != nullptr; }
  /// The parameter of this role, or nullptr.
  const OperationParameter* find(ParameterRole role) const;
  bool is_sum() const { return kind != OperationKind::kPooling; }
  /// Roles of the operands that a call has, in order.
  const std::string& input_name(std::size_t input) const {
    return contract->inputs[input].name.value;
  }
  const std::string& output_name() const { return contract->outputs.front().name.value; }
};

/// Whether contracts of this op_kind are read here.
bool is_window_operation(std::string_view op_kind);

/// Reads the operation of a contract for which is_window_operation() holds. Returns why it cannot
/// be audited in this dtype, or an empty string and fills `operation`.
std::string read_operation(const fkc::KernelContract& contract, Dtype dtype, Operation& operation);

}  // namespace assay::window
