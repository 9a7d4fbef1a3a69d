// What the machine can do, for the other rows to be read against.
#include "audit/benchmarks/machine_speed.h"
#include "audit/benchmarks/rows.h"

namespace assay::benchmarks {

void add_machine_rows(Rows& rows) {
  rows.push_back({"machine.memory",
                  "memory, one processor: bytes read and written by a copy",
                  "GB/s",
                  {},
                  3,
                  [] { return Sample{memory_gigabytes()}; }});
  rows.push_back({"machine.peak",
                  "arithmetic, one processor: f32 products and sums, unfused",
                  "GFLOP/s",
                  {},
                  5,
                  [] { return Sample{peak_gigaflops()}; }});
}

}  // namespace assay::benchmarks
