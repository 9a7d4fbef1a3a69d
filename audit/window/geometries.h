// Which geometries an operation is probed with.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/window/geometry.h"

namespace assay::window {

/// The corners, by hand: everything of size one, empty batches and channels (as far as the contract
/// admits them), windows as large as the image and larger, strides beyond the window, paddings up
/// to past the window, output paddings up to past the stride, outputs of one pixel, results around
/// every vector length, images of more than 65535 elements, dense, grouped and depthwise. Complete,
/// without repetition, small ones first.
std::vector<Geometry> corner_geometries(const Operation& operation);

/// `count` geometries drawn by RapidCheck under `seed`; complete, each of at most `most_work`
/// products. Fewer only where the contract admits too little.
std::vector<Geometry> random_geometries(const Operation& operation, std::size_t count,
                                        double most_work, std::uint64_t seed);

}  // namespace assay::window
