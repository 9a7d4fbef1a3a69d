// The geometry of one call: extents and parameters, and what follows from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/window/operation.h"
#include "contracts/fkc/call_shapes.h"
#include "kernels/kernel.h"
#include "oracles/sum/terms.h"

namespace assay::window {

using oracle::Pair;
using Shape = std::vector<std::int64_t>;

/// Extents and parameters of a call. Of a pooling, `out_channels` equals `in_channels`.
/// Trivially copyable: workers write it to shared memory.
struct Geometry {
  oracle::ConvolutionGeometry extents;
  Pair output_padding{0, 0};
  bool bias = false;

  bool operator==(const Geometry&) const = default;
};

/// The shapes of the inputs that the call has, in the contract's order.
std::vector<Shape> input_shapes(const Operation& operation, const Geometry& geometry);
Shape output_shape(const Geometry& geometry);

/// Elements of any tensor at most: a rule may make much of little.
inline constexpr std::int64_t kMostTensorElements = std::int64_t{1} << 22;

/// Product of the extents, which must fit (complete() sees to that).
std::size_t elements(const Shape& shape);
/// Elements of all inputs.
std::size_t input_elements(const Operation& operation, const Geometry& geometry);

/// Elements of all tensors, the output's too.
std::size_t tensor_elements(const Operation& operation, const Geometry& geometry);

/// The call's parameters, by the contract's names; `operation` must outlive them.
std::vector<KernelParameter> parameters(const Operation& operation, const Geometry& geometry);
/// "stride_h = 2, ..." of the same.
std::string parameter_text(const std::vector<KernelParameter>& parameters);

/// The value of the parameter of this name, or nothing.
std::optional<std::int64_t> parameter_value(std::span<const KernelParameter> parameters,
                                            std::string_view name);

/// A call as the contract's formulas see it: one of these inputs and parameters, be it valid or
/// not, or that of a geometry. Parameters that the call does not give have no value.
fkc::CallShapes call_shapes(const Operation& operation, const std::vector<Shape>& inputs,
                            std::span<const KernelParameter> parameters);
fkc::CallShapes call_shapes(const Operation& operation, const Geometry& geometry);

/// Whether the call is one that the operation defines and the contract admits: then sets
/// `geometry.extents.result` by the contract's shape rule. What the contract says that cannot be
/// evaluated does not stand in the way. Calls with a tensor of more than kMostTensorElements are
/// left out, and so are poolings whose rule puts windows outside of the image.
bool complete(const Operation& operation, Geometry& geometry);

/// Where the linear index of a result lies.
oracle::ResultIndex result_index(const Geometry& geometry, std::size_t result);

/// The products of one result of a sum, in the order of the declared accumulation.
std::vector<oracle::Term> terms(const Operation& operation, const Geometry& geometry,
                                std::size_t result);

/// Whether the filter of this result's output channel has the weight of this linear index. Of a
/// sum.
bool belongs_to(const Operation& operation, const Geometry& geometry, std::size_t weight,
                std::size_t result);

/// Products of all results together, padding left out or not: a measure of work, never less than
/// the true number.
double work(const Operation& operation, const Geometry& geometry);

/// "x (1, 2, 3, 4), weight (…), stride_h = 1, …".
std::string describe(const Operation& operation, const Geometry& geometry);
std::string shape_text(const Shape& shape);

}  // namespace assay::window
