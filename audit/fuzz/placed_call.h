// A call of an operation with windows whose tensors lie at chosen places.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "audit/window/job.h"
#include "audit/window/specimen.h"
#include "contracts/fuzz/byte_reader.h"

namespace assay::fuzz {

/// Of the inputs in order, and of the output at last.
struct Places {
  struct Place {
    bool at_end = false;    ///< as near to the guard page behind as the alignment lets it
    std::size_t steps = 0;  ///< multiples of the alignment from there
  };
  std::array<Place, 4> tensors;
  unsigned char old = 0;  ///< what the output's bytes hold before

  static Places from(ByteReader& bytes);
  std::string text() const;
};

struct Placed {
  std::string fault;          ///< why the call was not carried out; empty if it was
  std::string out_of_bounds;  ///< what it did beside its tensors; empty if nothing
  std::vector<Bits> results;  ///< where both are empty
};

/// The tensors may have kMostTensorElements at most.
Placed call_in_places(const window::Job& job, const KernelVariant& variant,
                      const window::Specimen& specimen, const Places& places);

}  // namespace assay::fuzz
