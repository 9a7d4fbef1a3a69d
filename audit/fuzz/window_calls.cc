#include "audit/fuzz/window_calls.h"

namespace assay::fuzz {

namespace {

using oracle::Pair;
using window::Geometry;
using window::Operation;
using window::ParameterRole;

/// Two numbers where the parameter is a pair, one where it is not, and the neutral one where the
/// operation has none.
Pair numbers(ByteReader& bytes, const Operation& operation, ParameterRole role, std::int64_t least,
             std::int64_t most) {
  const std::int64_t rows = bytes.between(least, most);
  const std::int64_t columns = bytes.between(least, most);
  const window::OperationParameter* parameter = operation.find(role);
  if (parameter == nullptr) return {least, least};
  return {rows, parameter->pair ? columns : rows};
}

Bits word(ByteReader& bytes, Dtype dtype) {
  switch (traits(dtype).bytes()) {
    case 2:
      return bytes.number<std::uint16_t>();
    case 4:
      return bytes.number<std::uint32_t>();
    default:
      return bytes.number<std::uint64_t>();
  }
}

bool too_much(const Operation& operation, const Geometry& geometry) {
  return window::work(operation, geometry) > kMostProducts ||
         window::tensor_elements(operation, geometry) > kMostTensorElements;
}

/// One step smaller, where one can be made that the contract admits.
bool shrink(const Operation& operation, Geometry& geometry) {
  const auto with = [&](auto&& change) {
    Geometry smaller = geometry;
    change(smaller.extents);
    if (smaller == geometry || !complete(operation, smaller)) return false;
    geometry = smaller;
    return true;
  };
  using Extents = oracle::ConvolutionGeometry;
  return with([](Extents& e) { e.batch = std::min<std::int64_t>(e.batch, 1); }) ||
         with([](Extents& e) { e.image.rows -= e.image.rows / 2; }) ||
         with([](Extents& e) { e.image.columns -= e.image.columns / 2; }) || with([&](Extents& e) {
           const std::int64_t per_group = e.out_channels / e.groups / 2;
           if (operation.is_sum()) e.out_channels -= per_group * e.groups;
         }) ||
         with([&](Extents& e) {
           const std::int64_t per_group = e.in_channels / e.groups / 2;
           e.in_channels -= per_group * e.groups;
           if (!operation.is_sum()) e.out_channels = e.in_channels;
         }) ||
         with([](Extents& e) {
           e.kernel = {1, 1};
         });
}

}  // namespace

Geometry window_geometry(ByteReader& bytes, const Operation& operation) {
  Geometry geometry;
  oracle::ConvolutionGeometry& e = geometry.extents;
  // Few zeros: a tensor without elements shows little.
  const auto extent = [&](std::int64_t most) {
    const std::uint8_t byte = bytes.byte();
    return byte == 255 ? 0 : 1 + byte % most;
  };
  e.batch = extent(3);
  const std::int64_t groups = bytes.between(1, 4);
  e.groups = operation.has(ParameterRole::kGroups) ? groups : 1;
  e.in_channels = extent(4) * e.groups;
  e.out_channels = extent(4) * e.groups;
  if (!operation.is_sum()) e.out_channels = e.in_channels;
  const std::int64_t rows = extent(13);
  // Wider than any variant's vectors now and then, and than 8 bits count.
  std::int64_t columns = extent(50);
  if (columns > 41) columns = 256 + columns - 41;
  e.image = {rows, columns};
  const std::int64_t kernel_rows = bytes.between(1, 5);
  const std::int64_t kernel_columns = bytes.between(1, 5);
  e.kernel = {kernel_rows, operation.is_sum() ? kernel_columns : kernel_rows};
  e.stride = numbers(bytes, operation, ParameterRole::kStride, 1, 4);
  e.padding = numbers(bytes, operation, ParameterRole::kPadding, 0, 4);
  e.dilation = numbers(bytes, operation, ParameterRole::kDilation, 1, 3);
  if (operation.kind == window::OperationKind::kConvolution) e.dilation = {1, 1};
  geometry.output_padding = numbers(bytes, operation, ParameterRole::kOutputPadding, 0, 3);
  const bool bias = bytes.below(2) == 1;
  geometry.bias = operation.takes_bias && (bias || !operation.bias_optional);
  if (complete(operation, geometry)) {
    while (too_much(operation, geometry) && shrink(operation, geometry)) continue;
  }
  return geometry;
}

window::Tensors window_tensors(ByteReader& bytes, const Operation& operation,
                               const Geometry& geometry) {
  const std::vector<window::Family> families = window::families(operation);
  const std::size_t family = bytes.below(families.size() + 1);
  window::Case the_case{geometry, window::Family::kIntegers, 0};
  const bool is_family = family < families.size();
  if (is_family) {
    the_case.family = families[family];
    the_case.seed = bytes.number<std::uint32_t>();
  }
  window::Tensors tensors = make_tensors(operation, the_case);
  const std::vector<const std::vector<Bits>*> inputs = tensors.inputs(operation, geometry);
  if (is_family) {
    // Single elements.
    while (bytes.size() >= 4) {
      std::vector<Bits>& operand = tensors.operand(bytes.below(inputs.size()));
      const std::size_t element = bytes.number<std::uint16_t>();
      const Bits bits = word(bytes, operation.dtype);
      if (!operand.empty()) operand[element % operand.size()] = bits;
    }
    return tensors;
  }
  std::vector<Bits> patterns;
  while (!bytes.empty()) patterns.push_back(word(bytes, operation.dtype));
  if (patterns.empty()) patterns.push_back(0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (Bits& element : tensors.operand(i)) element = patterns[next++ % patterns.size()];
  }
  return tensors;
}

}  // namespace assay::fuzz
