#define ASSAY_LANES_LEVEL baseline
#include "oracles/cast_lanes.inc"
