#include "audit/window/call_token.h"

#include <fmt/format.h>

#include <array>

namespace assay::window {

namespace {

/// The numbers of a geometry, in the order of a token; the result's extents follow from the others.
constexpr std::size_t kNumbers = 17;

template <class AnyGeometry>
auto numbers_of(AnyGeometry& geometry) {
  auto& e = geometry.extents;
  return std::array{&e.batch,
                    &e.in_channels,
                    &e.out_channels,
                    &e.groups,
                    &e.image.rows,
                    &e.image.columns,
                    &e.kernel.rows,
                    &e.kernel.columns,
                    &e.stride.rows,
                    &e.stride.columns,
                    &e.padding.rows,
                    &e.padding.columns,
                    &e.dilation.rows,
                    &e.dilation.columns,
                    &geometry.output_padding.rows,
                    &geometry.output_padding.columns};
}

Geometry geometry_of(const Operation& operation, const std::vector<std::int64_t>& numbers) {
  if (numbers.size() != kNumbers) {
    throw UsageError(
        fmt::format("the token's geometry has {} numbers, and not {}", numbers.size(), kNumbers));
  }
  for (const std::int64_t number : numbers) {
    if (number < 0 || number > kMostTensorElements) {
      throw UsageError(fmt::format("the token's geometry has the number {}; none is above {}",
                                   number, kMostTensorElements));
    }
  }
  Geometry geometry;
  std::size_t i = 0;
  for (std::int64_t* number : numbers_of(geometry)) *number = numbers[i++];
  geometry.bias = numbers[i] != 0;
  if (!complete(operation, geometry)) {
    throw UsageError("the contract does not admit a call of the token's geometry");
  }
  return geometry;
}

}  // namespace

TokenCall token_call(const Operation& operation, const Geometry& geometry, const Tensors& tensors,
                     std::uint64_t result) {
  TokenCall call;
  call.dtype = operation.dtype;
  call.operands = {tensors.x, tensors.weight, tensors.bias};
  for (const std::int64_t* number : numbers_of(geometry)) call.geometry.push_back(*number);
  call.geometry.push_back(geometry.bias ? 1 : 0);
  call.at = result;
  return call;
}

Specimen specimen_of(const Operation& operation, const TokenCall& call) {
  if (call.dtype != operation.dtype) {
    throw UsageError(fmt::format("the token's elements are of {}, the kernel's of {}",
                                 traits(call.dtype).name, traits(operation.dtype).name));
  }
  Specimen specimen;
  specimen.geometry = geometry_of(operation, call.geometry);
  for (std::size_t i = 0; i < call.operands.size() && i < 3; ++i) {
    specimen.tensors.operand(i) = call.operands[i];
  }
  const std::vector<Shape> shapes = input_shapes(operation, specimen.geometry);
  const auto inputs = specimen.tensors.inputs(operation, specimen.geometry);
  std::size_t due = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    due += elements(shapes[i]);
    if (inputs[i]->size() == elements(shapes[i])) continue;
    throw UsageError(fmt::format("the token has {} elements of `{}`, whose shape is {}",
                                 inputs[i]->size(), operation.input_name(i),
                                 shape_text(shapes[i])));
  }
  std::size_t given = 0;
  for (const std::vector<Bits>& operand : call.operands) given += operand.size();
  if (given != due) throw UsageError("the token has elements of a tensor that the call has not");
  if (call.at >= elements(output_shape(specimen.geometry))) {
    throw UsageError(fmt::format("the token is about result {}, and the output has {}", call.at,
                                 elements(output_shape(specimen.geometry))));
  }
  specimen.result = static_cast<std::size_t>(call.at);
  return specimen;
}

}  // namespace assay::window
