// Output shapes of two-dimensional convolutions.
#include <fmt/format.h>

#include <array>

#include "contracts/fkc/shape_rule.h"

namespace assay::fkc {

namespace {

constexpr std::string_view kForward =
    "(image + 2 * padding - dilation * (window - 1) - 1) / stride + 1";
constexpr std::string_view kTransposed =
    "(image - 1) * stride - 2 * padding + dilation * (window - 1) + output_padding + 1";

using Pair = std::array<std::int64_t, 2>;

/// A parameter that the contract does not have is its neutral value; one that it has and that got
/// no value is unknown. One number stands for both directions.
Expected<Pair, Finding> pair_param(const RuleContext& context, std::string_view name,
                                   std::int64_t neutral, std::int64_t least) {
  const auto entry = context.call.params.find(name);
  if (entry == context.call.params.end()) {
    for (const OpParamField& field : context.contract.op_param_fields) {
      if (field.name == name) return not_checked(fmt::format("`{}` has no value", name));
    }
    return Pair{neutral, neutral};
  }
  Pair pair{};
  if (const auto* number = std::get_if<std::int64_t>(&entry->second)) {
    pair = {*number, *number};
  } else if (const auto* list = std::get_if<Extents>(&entry->second);
             list != nullptr && list->size() == 2) {
    pair = {(*list)[0], (*list)[1]};
  } else {
    return not_checked(
        fmt::format("`{}` is {}, neither a number nor a pair", name, to_string(entry->second)));
  }
  for (const std::int64_t value : pair) {
    if (value < least) {
      return violated(
          fmt::format("`{}` is {}, and less than {}", name, to_string(entry->second), least));
    }
  }
  return pair;
}

/// A shape that travels as a parameter has to be the operand's.
Finding check_carrier(const RuleContext& context, std::string_view param, std::string_view role,
                      const Extents& shape) {
  const auto entry = context.call.params.find(param);
  if (entry == context.call.params.end()) return holds();
  const auto* list = std::get_if<Extents>(&entry->second);
  if (list != nullptr && *list == shape) return holds();
  return violated(fmt::format("`{}` is {}, and `{}` has the shape {}", param,
                              to_string(entry->second), role, to_string(shape)));
}

struct Geometry {
  const Extents* image = nullptr;
  const Extents* weight = nullptr;
  std::int64_t groups = 1;
  Pair stride{};
  Pair padding{};
  Pair dilation{};
  Pair output_padding{};
};

Expected<Geometry, Finding> read_geometry(const RuleContext& context) {
  Geometry geometry;
  if (context.contract.inputs.size() < 2) {
    return not_checked("a convolution has an image and a weight");
  }
  constexpr std::array<std::string_view, 2> kCarriers = {"x_shape", "w_shape"};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& role = context.contract.inputs[i].name.value;
    const auto entry = context.call.operands.find(role);
    if (entry == context.call.operands.end()) {
      return not_checked(fmt::format("`{}` has no shape", role));
    }
    if (entry->second.size() != 4) {
      return violated(fmt::format("`{}` has the shape {}, and a convolution needs four dimensions",
                                  role, to_string(entry->second)));
    }
    const Finding carried = check_carrier(context, kCarriers[i], role, entry->second);
    if (carried.standing != Standing::kHolds) return carried;
    (i == 0 ? geometry.image : geometry.weight) = &entry->second;
  }
  struct Row {
    std::string_view name;
    std::int64_t neutral;
    std::int64_t least;
    Pair& value;
  };
  Pair groups{};
  for (const Row& row :
       {Row{"groups", 1, 1, groups}, Row{"stride", 1, 1, geometry.stride},
        Row{"padding", 0, 0, geometry.padding}, Row{"dilation", 1, 1, geometry.dilation},
        Row{"output_padding", 0, 0, geometry.output_padding}}) {
    const auto pair = pair_param(context, row.name, row.neutral, row.least);
    if (!pair) return pair.error();
    row.value = *pair;
  }
  geometry.groups = groups[0];
  return geometry;
}

/// Height (0) or width (1).
Expected<std::int64_t, Finding> extent(const Geometry& geometry, std::size_t direction,
                                       std::string_view formula) {
  const std::int64_t window = (*geometry.weight)[2 + direction];
  if (window == 0) return not_checked("a weight without taps: contracts do not say what it gives");
  Scope scope;
  scope.names = {{"image", (*geometry.image)[2 + direction]},
                 {"window", window},
                 {"stride", geometry.stride[direction]},
                 {"padding", geometry.padding[direction]},
                 {"dilation", geometry.dilation[direction]},
                 {"output_padding", geometry.output_padding[direction]}};
  auto result = evaluate_extent(*parse_expression(formula), scope);
  if (result || result.error().standing != Standing::kViolated) return result;
  return violated(fmt::format("the output's {} is none: {}", direction == 0 ? "height" : "width",
                              result.error().why));
}

OutputShape finish(const RuleContext& context, const Geometry& geometry, std::int64_t channels,
                   std::string_view formula) {
  const auto height = extent(geometry, 0, formula);
  if (!height) return {std::nullopt, height.error()};
  const auto width = extent(geometry, 1, formula);
  if (!width) return {std::nullopt, width.error()};
  Extents shape = {(*geometry.image)[0], channels, *height, *width};
  const Finding carried = check_carrier(context, "out_shape", "the output", shape);
  if (carried.standing != Standing::kHolds) return {std::nullopt, carried};
  return shape_is(std::move(shape));
}

std::string role(const RuleContext& context, std::size_t input) {
  return context.contract.inputs[input].name.value;
}

}  // namespace

OutputShape conv2d_shape(const RuleContext& context) {
  const auto geometry = read_geometry(context);
  if (!geometry) return {std::nullopt, geometry.error()};
  const std::int64_t in_channels = (*geometry->image)[1];
  const std::int64_t out_channels = (*geometry->weight)[0];
  const std::int64_t groups = geometry->groups;
  if (in_channels % groups != 0 || (*geometry->weight)[1] != in_channels / groups) {
    return no_shape(fmt::format("`{}` has {} channels, `{}` takes {} in each of {} groups",
                                role(context, 0), in_channels, role(context, 1),
                                (*geometry->weight)[1], groups));
  }
  if (out_channels % groups != 0) {
    return no_shape(fmt::format("`{}` gives {} channels, which {} groups do not divide",
                                role(context, 1), out_channels, groups));
  }
  return finish(context, *geometry, out_channels, kForward);
}

OutputShape conv_transpose2d_shape(const RuleContext& context) {
  const auto geometry = read_geometry(context);
  if (!geometry) return {std::nullopt, geometry.error()};
  const std::int64_t in_channels = (*geometry->image)[1];
  const std::int64_t groups = geometry->groups;
  if ((*geometry->weight)[0] != in_channels) {
    return no_shape(fmt::format("`{}` has {} channels, `{}` takes {}", role(context, 0),
                                in_channels, role(context, 1), (*geometry->weight)[0]));
  }
  if (in_channels % groups != 0) {
    return no_shape(fmt::format("`{}` has {} channels, which {} groups do not divide",
                                role(context, 0), in_channels, groups));
  }
  std::int64_t channels = 0;
  if (__builtin_mul_overflow((*geometry->weight)[1], groups, &channels)) {
    return unknown_shape("the number of output channels is beyond 64 bits");
  }
  return finish(context, *geometry, channels, kTransposed);
}

}  // namespace assay::fkc
