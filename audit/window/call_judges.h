// The judges of claims about calls, one family a file.
#pragma once

#include "audit/window/subject.h"

namespace assay::window {

// padding.cc
void judge_padding_skipped(Subject& subject, CallTally& tally);

// stability.cc
void judge_bit_stable(Subject& subject, CallTally& tally);

// memory.cc
void judge_in_bounds(Subject& subject, CallTally& tally);
void judge_inputs_unmodified(Subject& subject, CallTally& tally);
void judge_output_fully_written(Subject& subject, CallTally& tally);
void judge_aliasing(Subject& subject, CallTally& tally);
void judge_fp_environment(Subject& subject, CallTally& tally);

// resources.cc
void judge_resources(Subject& subject, CallTally& tally);

// output_rules.cc
void judge_dtype_rule(Subject& subject, CallTally& tally);
void judge_shape_rule(Subject& subject, CallTally& tally);
void judge_layout_guarantee(Subject& subject, CallTally& tally);

// acceptance.cc
void judge_accept_layout(Subject& subject, CallTally& tally);
void judge_accept_dtype(Subject& subject, CallTally& tally);
void judge_accept_rank(Subject& subject, CallTally& tally);

// geometry_acceptance.cc
void judge_accept_geometry(Subject& subject, CallTally& tally);

}  // namespace assay::window
