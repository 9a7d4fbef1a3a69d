#include "audit/benchmarks/rows.h"

namespace assay::benchmarks {

Rows all_rows() {
  Rows rows;
  add_machine_rows(rows);
  add_sweep_rows(rows);
  add_boundary_rows(rows);
  add_kernel_rows(rows);
  add_sum_rows(rows);
  add_guard_rows(rows);
  add_growth_rows(rows);
  add_program_rows(rows);
  return rows;
}

}  // namespace assay::benchmarks
