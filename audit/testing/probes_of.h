// The probes of a space as a list.
#pragma once

#include <stdexcept>
#include <vector>

#include "audit/probe/space.h"
#include "oracles/cast_oracle.h"

namespace assay::testing {

/// The probes of one chunk in order. Throws when a block is larger than `kBlockProbes`, writes past
/// its end, or when the chunk's number of probes is not the number that it announces.
inline std::vector<Bits> probes_of(const ProbeSpace& space, std::uint64_t chunk) {
  constexpr std::uint64_t kCanary = 0x5a5a5a5a5a5a5a5a;
  std::vector<std::uint64_t> out(kBlockProbes + 8);
  std::vector<Bits> probes;
  const auto bytes = static_cast<std::size_t>(traits(space.dtype()).bytes());
  for (std::uint64_t block = 0; block < space.blocks(chunk); ++block) {
    const std::size_t room = kBlockProbes * bytes;
    auto* canary = reinterpret_cast<unsigned char*>(out.data()) + room;
    *canary = static_cast<unsigned char>(kCanary);
    const Block filled = space.fill(chunk, block, out.data());
    if (filled.probes == 0 || filled.probes > kBlockProbes) throw std::runtime_error("block size");
    if (*canary != static_cast<unsigned char>(kCanary)) throw std::runtime_error("written past");
    for (std::size_t i = 0; i < filled.probes; ++i) {
      probes.push_back(oracle::load(out.data(), i, space.dtype()));
    }
  }
  if (probes.size() != space.probes(chunk)) throw std::runtime_error("number of probes");
  return probes;
}

inline std::vector<Bits> probes_of(const ProbeSpace& space) {
  std::vector<Bits> probes;
  for (std::uint64_t chunk = 0; chunk < space.chunks(); ++chunk) {
    const std::vector<Bits> more = probes_of(space, chunk);
    probes.insert(probes.end(), more.begin(), more.end());
  }
  return probes;
}

}  // namespace assay::testing
