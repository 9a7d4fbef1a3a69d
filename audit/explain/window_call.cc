// From arrays and parameters to a call.
#include <fmt/format.h>

#include <optional>
#include <set>

#include "audit/explain/window.h"
#include "contracts/unicode.h"

namespace assay {

namespace {

using window::Geometry;
using window::Operation;
using window::OperationParameter;
using window::Pair;
using window::ParameterRole;

Pair& member_of(ParameterRole role, Geometry& geometry) {
  switch (role) {
    case ParameterRole::kStride:
      return geometry.extents.stride;
    case ParameterRole::kPadding:
      return geometry.extents.padding;
    case ParameterRole::kOutputPadding:
      return geometry.output_padding;
    case ParameterRole::kDilation:
      return geometry.extents.dilation;
    case ParameterRole::kGroups:
    case ParameterRole::kWindow:
      break;
  }
  return geometry.extents.kernel;
}

void put_parameters(const Operation& operation, const std::map<std::string, std::int64_t>& given,
                    Geometry& geometry) {
  std::set<std::string> known;
  for (const OperationParameter& parameter : operation.parameters) {
    known.insert({parameter.rows_name, parameter.columns_name});
    const auto value = [&](const std::string& name, std::int64_t neutral) {
      const auto found = given.find(name);
      if (found == given.end()) return neutral;
      if (found->second < 0 || found->second > window::kMostTensorElements) {
        throw UsageError(fmt::format("--param {}={}: a number from 0 to {} is due", name,
                                     found->second, window::kMostTensorElements));
      }
      return found->second;
    };
    if (parameter.role == ParameterRole::kGroups) {
      geometry.extents.groups = value(parameter.rows_name, 1);
      continue;
    }
    Pair& pair = member_of(parameter.role, geometry);
    const Pair neutral = pair;
    pair = {value(parameter.rows_name, neutral.rows),
            value(parameter.columns_name, neutral.columns)};
  }
  for (const auto& [name, number] : given) {
    if (known.contains(name)) continue;
    std::string names;
    for (const std::string& each : known) names += (names.empty() ? "" : ", ") + each;
    throw UsageError(fmt::format("--param {}: the operation has no such parameter; it has: {}",
                                 one_line(name), names.empty() ? "none" : names));
  }
}

/// The array of an operand, or nothing where it may be left out.
const NpyArray* operand(const Operation& operation, std::size_t input,
                        const std::map<std::string, NpyArray>& arrays, std::size_t rank) {
  const std::string& name = operation.input_name(input);
  const auto found = arrays.find(name);
  if (found == arrays.end()) {
    if (input > 0 && operation.contract->inputs[input].optional) return nullptr;
    throw UsageError(fmt::format("--npy {}=FILE is missing", one_line(name)));
  }
  const NpyArray& array = found->second;
  if (array.dtype != operation.dtype) {
    throw UsageError(fmt::format("--npy {}: its elements are of {}, the kernel's of {}",
                                 one_line(name), traits(array.dtype).name,
                                 traits(operation.dtype).name));
  }
  if (array.shape.size() != rank) {
    throw UsageError(fmt::format("--npy {}: its rank is {}, and not {}", one_line(name),
                                 array.shape.size(), rank));
  }
  return &array;
}

}  // namespace

window::Specimen specimen_from(const Operation& operation,
                               const std::map<std::string, NpyArray>& arrays,
                               const std::map<std::string, std::int64_t>& parameters) {
  for (const auto& [name, array] : arrays) {
    bool known = false;
    for (const fkc::InputOperand& input : operation.contract->inputs) {
      known = known || input.name.value == name;
    }
    if (!known) {
      throw UsageError(fmt::format("--npy {}: the kernel has no such operand", one_line(name)));
    }
  }
  window::Specimen specimen;
  Geometry& geometry = specimen.geometry;
  oracle::ConvolutionGeometry& e = geometry.extents;
  const NpyArray& x = *operand(operation, 0, arrays, 4);
  put_parameters(operation, parameters, geometry);
  e.batch = x.shape[0];
  e.in_channels = e.out_channels = x.shape[1];
  e.image = {x.shape[2], x.shape[3]};
  specimen.tensors.x = x.elements;
  if (operation.is_sum()) {
    const NpyArray* weight = operand(operation, 1, arrays, 4);
    if (weight == nullptr) throw UsageError("--npy of the filter is missing");
    e.out_channels = operation.kind == window::OperationKind::kTransposedConvolution
                         ? weight->shape[1] * e.groups
                         : weight->shape[0];
    e.kernel = {weight->shape[2], weight->shape[3]};
    specimen.tensors.weight = weight->elements;
    if (operation.takes_bias) {
      const NpyArray* bias = operand(operation, 2, arrays, 1);
      geometry.bias = bias != nullptr;
      if (bias != nullptr) specimen.tensors.bias = bias->elements;
    }
  }
  if (e.out_channels > window::kMostTensorElements || !window::complete(operation, geometry)) {
    throw UsageError(
        "the contract does not admit a call of these shapes and parameters (`assay lint` and the "
        "contract's op_params say what it asks)");
  }
  const std::vector<window::Shape> shapes = window::input_shapes(operation, geometry);
  const auto inputs = specimen.tensors.inputs(operation, geometry);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const NpyArray& given = arrays.at(operation.input_name(i));
    if (given.shape == shapes[i] && inputs[i]->size() == window::elements(shapes[i])) continue;
    throw UsageError(fmt::format("--npy {}: its shape is {}, and {} is due",
                                 one_line(operation.input_name(i)), window::shape_text(given.shape),
                                 window::shape_text(shapes[i])));
  }
  return specimen;
}

}  // namespace assay
