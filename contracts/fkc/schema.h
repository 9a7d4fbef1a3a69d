// Readers of the parts of a contract, from tree to values. Each reports what is wrong and goes on;
// what it could not read keeps its default. Callers look at `Reporter::errors()`.
#pragma once

#include <optional>
#include <string>

#include "contracts/fkc/document.h"
#include "contracts/fkc/map_reader.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"

namespace assay::fkc {

/// Format version 1 and the provider, or nothing.
std::optional<Provider> read_front_matter(const Node& root, Reporter& reporter);

/// One section's block without its claims. `provider` supplies what the block inherits.
KernelContract read_kernel(const Node& root, const Section& section, const Provider& provider,
                           Reporter& reporter);

/// `accept`: operands and parameters. `contract.op_kind` decides the namespace of the parameters.
void read_accept(const Node& accept, KernelContract& contract, Reporter& reporter);

/// `return`: reads `contract.inputs` to check roles.
void read_return(const Node& node, KernelContract& contract, Reporter& reporter);

void read_caps(const Node& caps, KernelContract& contract, Reporter& reporter);
void read_cost(const Node& cost, KernelContract& contract, Reporter& reporter);
void read_precision(const Node& precision, KernelContract& contract, Reporter& reporter);

/// What involves several parts: determinism against precision, layouts and aliasing against caps.
void check_coherence(const Node& root, const KernelContract& contract, Reporter& reporter);

}  // namespace assay::fkc
