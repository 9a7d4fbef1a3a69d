// A call with its tensors, and the simpler ones next to it: what shrinking goes through.
#pragma once

#include <rapidcheck/Seq.h>

#include "audit/window/values.h"

namespace assay::window {

struct Specimen {
  Geometry geometry;
  Tensors tensors;
  std::size_t result = 0;  ///< the one to look at first
};

/// Simpler specimens, the boldest steps first: fewer images, channels, groups, rows and columns,
/// smaller windows, neutral parameters, no bias; all of them calls that the contract admits. What
/// remains of the tensors is as before. Lazily made.
rc::Seq<Specimen> simpler_geometries(const Operation& operation, const Specimen& specimen);

/// The same geometry with simpler values: zeros and ones, first for many elements at once, then
/// patterns with fewer bits set.
rc::Seq<Specimen> simpler_values(const Operation& operation, const Specimen& specimen);

}  // namespace assay::window
