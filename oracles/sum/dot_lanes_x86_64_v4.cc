#define ASSAY_LANES_LEVEL x86_64_v4
#include "oracles/sum/dot_lanes.inc"
