// What one processor of this machine can do.
#pragma once

namespace assay::benchmarks {

/// Bytes read and written a second by copying memory that no cache holds, in GB/s: the best of a
/// few copies.
double memory_gigabytes();

/// Multiplications and additions of f32 a second, each an instruction of its own, since fused ones
/// would change results; in GFLOP/s. The vectors are the widest of AVX-512, AVX2 and the baseline.
double peak_gigaflops();

}  // namespace assay::benchmarks
