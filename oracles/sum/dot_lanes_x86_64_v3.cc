#define ASSAY_LANES_LEVEL x86_64_v3
#include "oracles/sum/dot_lanes.inc"
