#include "audit/window/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace assay::window {

namespace {

Pair value_of(ParameterRole role, const Geometry& geometry) {
  const oracle::ConvolutionGeometry& extents = geometry.extents;
  switch (role) {
    case ParameterRole::kStride:
      return extents.stride;
    case ParameterRole::kPadding:
      return extents.padding;
    case ParameterRole::kOutputPadding:
      return geometry.output_padding;
    case ParameterRole::kDilation:
      return extents.dilation;
    case ParameterRole::kGroups:
      return {extents.groups, extents.groups};
    case ParameterRole::kWindow:
      break;
  }
  return extents.kernel;
}

/// Whether the geometry uses only what the contract has parameters for.
bool expressible(const Operation& operation, const Geometry& geometry) {
  constexpr Pair kOne{1, 1};
  constexpr Pair kZero{0, 0};
  const auto allowed = [&](ParameterRole role, Pair neutral) {
    const Pair value = value_of(role, geometry);
    const OperationParameter* parameter = operation.find(role);
    if (parameter == nullptr) return value == neutral;
    return parameter->pair || value.rows == value.columns;
  };
  // A plain convolution carries a dilation for the record; what another than 1 gives, nobody says.
  const bool walked =
      operation.kind != OperationKind::kConvolution || geometry.extents.dilation == kOne;
  return allowed(ParameterRole::kStride, kOne) && allowed(ParameterRole::kPadding, kZero) &&
         allowed(ParameterRole::kOutputPadding, kZero) && allowed(ParameterRole::kDilation, kOne) &&
         walked && allowed(ParameterRole::kGroups, kOne) &&
         (operation.is_sum() || allowed(ParameterRole::kWindow, geometry.extents.kernel)) &&
         (!geometry.bias || operation.takes_bias) &&
         (geometry.bias || !operation.takes_bias || operation.bias_optional);
}

/// Whether the operation means something for these extents.
bool defined(const Operation& operation, const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  if (e.groups < 1 || e.in_channels % e.groups != 0 || e.out_channels % e.groups != 0) return false;
  if (e.stride.rows < 1 || e.stride.columns < 1 || e.dilation.rows < 1 || e.dilation.columns < 1) {
    return false;
  }
  if (e.kernel.rows < 1 || e.kernel.columns < 1) return false;
  for (const Pair pair : {e.padding, geometry.output_padding}) {
    if (pair.rows < 0 || pair.columns < 0) return false;
  }
  // The window of a convolution that has no transposed sibling must fit.
  if (operation.kind == OperationKind::kTransposedConvolution) return true;
  const auto fits = [](std::int64_t image, std::int64_t padding, std::int64_t kernel,
                       std::int64_t dilation) {
    return dilation * (kernel - 1) + 1 <= image + 2 * padding;
  };
  return fits(e.image.rows, e.padding.rows, e.kernel.rows, e.dilation.rows) &&
         fits(e.image.columns, e.padding.columns, e.kernel.columns, e.dilation.columns);
}

bool fits(const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || extent > kMostTensorElements) return false;
    product *= std::max<std::int64_t>(extent, 1);
    if (product > kMostTensorElements) return false;
  }
  return true;
}

}  // namespace

std::vector<Shape> input_shapes(const Operation& operation, const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  std::vector<Shape> shapes = {{e.batch, e.in_channels, e.image.rows, e.image.columns}};
  switch (operation.kind) {
    case OperationKind::kConvolution:
      shapes.push_back({e.out_channels, e.in_channels / e.groups, e.kernel.rows, e.kernel.columns});
      break;
    case OperationKind::kTransposedConvolution:
      shapes.push_back({e.in_channels, e.out_channels / e.groups, e.kernel.rows, e.kernel.columns});
      break;
    case OperationKind::kPooling:
      break;
  }
  if (geometry.bias) shapes.push_back({e.out_channels});
  return shapes;
}

Shape output_shape(const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  return {e.batch, e.out_channels, e.result.rows, e.result.columns};
}

std::size_t elements(const Shape& shape) {
  return static_cast<std::size_t>(
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

std::size_t input_elements(const Operation& operation, const Geometry& geometry) {
  std::size_t sum = 0;
  for (const Shape& shape : input_shapes(operation, geometry)) sum += elements(shape);
  return sum;
}

std::size_t tensor_elements(const Operation& operation, const Geometry& geometry) {
  return input_elements(operation, geometry) + elements(output_shape(geometry));
}

std::vector<KernelParameter> parameters(const Operation& operation, const Geometry& geometry) {
  std::vector<KernelParameter> result;
  for (const OperationParameter& parameter : operation.parameters) {
    const Pair value = value_of(parameter.role, geometry);
    result.push_back({parameter.rows_name.c_str(), value.rows});
    if (parameter.pair) result.push_back({parameter.columns_name.c_str(), value.columns});
  }
  return result;
}

std::string parameter_text(const std::vector<KernelParameter>& parameters) {
  std::string text;
  for (const KernelParameter& parameter : parameters) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", parameter.name, parameter.value);
  }
  return text;
}

std::optional<std::int64_t> parameter_value(std::span<const KernelParameter> parameters,
                                            std::string_view name) {
  for (const KernelParameter& parameter : parameters) {
    if (parameter.name == name) return parameter.value;
  }
  return std::nullopt;
}

fkc::CallShapes call_shapes(const Operation& operation, const std::vector<Shape>& inputs,
                            std::span<const KernelParameter> parameters) {
  fkc::CallShapes call;
  const std::size_t count = std::min(inputs.size(), operation.contract->inputs.size());
  for (std::size_t i = 0; i < count; ++i) call.operands[operation.input_name(i)] = inputs[i];
  for (const OperationParameter& parameter : operation.parameters) {
    const auto rows = parameter_value(parameters, parameter.rows_name);
    const auto columns = parameter_value(parameters, parameter.columns_name);
    if (!rows || !columns) continue;
    if (parameter.pair) {
      call.params[parameter.name] = fkc::Extents{*rows, *columns};
    } else {
      call.params[parameter.name] = *rows;
    }
  }
  for (const fkc::OpParamField& field : operation.contract->op_param_fields) {
    if (field.name == "x_shape" && count > 0) call.params[field.name] = inputs[0];
    if (field.name == "w_shape" && count > 1) call.params[field.name] = inputs[1];
  }
  return call;
}

fkc::CallShapes call_shapes(const Operation& operation, const Geometry& geometry) {
  return call_shapes(operation, input_shapes(operation, geometry), parameters(operation, geometry));
}

bool complete(const Operation& operation, Geometry& geometry) {
  if (!expressible(operation, geometry) || !defined(operation, geometry)) return false;
  const fkc::CallShapes call = call_shapes(operation, geometry);
  for (const fkc::Requirement& requirement : fkc::check_requirements(*operation.contract, call)) {
    if (requirement.finding.standing == fkc::Standing::kViolated) return false;
  }
  const fkc::OutputShape due =
      fkc::output_shape(*operation.contract, operation.contract->outputs.front(), call);
  if (!due.shape || due.shape->size() != 4) return false;
  const Shape& shape = *due.shape;
  const oracle::ConvolutionGeometry& e = geometry.extents;
  if (shape[0] != e.batch || shape[1] != e.out_channels) return false;
  // A rule that gives no extent gives no result either; what a kernel does there is another
  // claim's.
  if (shape[2] < 1 || shape[3] < 1) return false;
  geometry.extents.result = {shape[2], shape[3]};
  for (const Shape& input : input_shapes(operation, geometry)) {
    if (!fits(input)) return false;
  }
  if (!fits(shape)) return false;
  if (operation.is_sum()) return true;
  const auto inside = [](std::int64_t image, std::int64_t kernel, std::int64_t stride,
                         std::int64_t result) { return (result - 1) * stride + kernel <= image; };
  return inside(e.image.rows, e.kernel.rows, e.stride.rows, e.result.rows) &&
         inside(e.image.columns, e.kernel.columns, e.stride.columns, e.result.columns);
}

oracle::ResultIndex result_index(const Geometry& geometry, std::size_t result) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  auto rest = static_cast<std::int64_t>(result);
  oracle::ResultIndex at;
  at.column = rest % e.result.columns;
  rest /= e.result.columns;
  at.row = rest % e.result.rows;
  rest /= e.result.rows;
  at.channel = rest % e.out_channels;
  at.image = rest / e.out_channels;
  return at;
}

std::vector<oracle::Term> terms(const Operation& operation, const Geometry& geometry,
                                std::size_t result) {
  const oracle::ResultIndex at = result_index(geometry, result);
  return operation.kind == OperationKind::kTransposedConvolution
             ? oracle::transposed_convolution_terms(geometry.extents, at)
             : oracle::convolution_terms(geometry.extents, at);
}

bool belongs_to(const Operation& operation, const Geometry& geometry, std::size_t weight,
                std::size_t result) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  const auto channel = static_cast<std::int64_t>(result_index(geometry, result).channel);
  // [Cout, Cin / groups, Kh, Kw], or of a transposed convolution [Cin, Cout / groups, Kh, Kw].
  const std::int64_t filter = e.kernel.rows * e.kernel.columns;
  const auto at = static_cast<std::int64_t>(weight);
  if (operation.kind != OperationKind::kTransposedConvolution) {
    return at / (filter * (e.in_channels / e.groups)) == channel;
  }
  const std::int64_t outputs = e.out_channels / e.groups;
  const std::int64_t group = at / (filter * outputs) / (e.in_channels / e.groups);
  return group * outputs + at / filter % outputs == channel;
}

double work(const Operation& operation, const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  const double results = static_cast<double>(e.batch) * static_cast<double>(e.out_channels) *
                         static_cast<double>(e.result.rows) * static_cast<double>(e.result.columns);
  const double filter = static_cast<double>(e.kernel.rows) * static_cast<double>(e.kernel.columns);
  if (operation.kind == OperationKind::kPooling) return results * filter;
  const double channels = static_cast<double>(e.in_channels / e.groups);
  const double image = static_cast<double>(e.image.rows) * static_cast<double>(e.image.columns);
  return results * channels * std::min(filter, image);
}

std::string shape_text(const Shape& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::string describe(const Operation& operation, const Geometry& geometry) {
  std::string text;
  const std::vector<Shape> shapes = input_shapes(operation, geometry);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    text +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", operation.input_name(i), shape_text(shapes[i]));
  }
  const bool left_out = operation.bias_optional && !geometry.bias;
  if (left_out) text += fmt::format(", no {}", operation.input_name(shapes.size()));
  return text + ", " + parameter_text(parameters(operation, geometry));
}

}  // namespace assay::window
