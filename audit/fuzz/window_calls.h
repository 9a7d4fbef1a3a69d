// Bytes as a call of an operation with windows: geometry, tensors, and where they lie.
#pragma once

#include <cstddef>

#include "audit/window/values.h"
#include "contracts/fuzz/byte_reader.h"

namespace assay::fuzz {

/// Of a call at most: products of all its sums, and elements of all its tensors, so that it is
/// judged in about a millisecond.
inline constexpr double kMostProducts = 400;
inline constexpr std::size_t kMostTensorElements = 1500;

/// A geometry of small numbers, which the contract may rule out. One that it admits is completed,
/// and made smaller where it is too much work.
window::Geometry window_geometry(ByteReader& bytes, const window::Operation& operation);

/// The elements: of one of the audit's families of values, or patterns that repeat; and then single
/// elements that are something else.
window::Tensors window_tensors(ByteReader& bytes, const window::Operation& operation,
                               const window::Geometry& geometry);

}  // namespace assay::fuzz
