#define ASSAY_LANES_LEVEL x86_64_v3
#include "oracles/cast_lanes.inc"
