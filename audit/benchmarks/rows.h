// The groups of rows, in the order of the table. A new group is a file of its own and a line in
// rows.cc.
#pragma once

#include "audit/benchmarks/row.h"

namespace assay::benchmarks {

/// What the machine can do: memory and arithmetic.
void add_machine_rows(Rows& rows);
/// Sweeps of casts against the kernel alone and against MPFR.
void add_sweep_rows(Rows& rows);
/// Rounding boundaries of casts from f64.
void add_boundary_rows(Rows& rows);
/// Kernels against loops written by hand and against the scalar ones.
void add_kernel_rows(Rows& rows);
/// The oracle of sums against naive sums and kernels.
void add_sum_rows(Rows& rows);
/// Worker processes against this one.
void add_guard_rows(Rows& rows);
/// How the time grows with the work.
void add_growth_rows(Rows& rows);
/// The program as it is run.
void add_program_rows(Rows& rows);

/// All of them.
Rows all_rows();

}  // namespace assay::benchmarks
