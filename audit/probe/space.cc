#include "audit/probe/space.h"

#include <vector>

namespace assay {

std::uint64_t ProbeSpace::size() const {
  std::uint64_t total = 0;
  for (std::uint64_t chunk = 0; chunk < chunks(); ++chunk) total += probes(chunk);
  return total;
}

void ProbeSpace::count(std::uint64_t chunk, const CellMap& cells, const oracle::CastOracle& oracle,
                       Census& census) const {
  const Dtype to = oracle.operation().to;
  std::vector<std::uint64_t> in(kBlockProbes);  // room for the widest elements
  std::vector<std::uint64_t> expected(kBlockProbes);
  for (std::uint64_t block = 0; block < blocks(chunk); ++block) {
    const Block filled = fill(chunk, block, in.data());
    oracle.expect(in.data(), expected.data(), filled.probes);
    for (std::size_t i = 0; i < filled.probes; ++i) {
      count_one(cells, oracle::load(in.data(), i, dtype()), oracle::load(expected.data(), i, to), 1,
                census);
    }
  }
}

}  // namespace assay
