#define ASSAY_LANES_LEVEL baseline
#include "oracles/sum/dot_lanes.inc"
