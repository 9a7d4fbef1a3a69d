// The threads that a library of kernels runs by itself.
#pragma once

namespace assay {

/// Numbers of threads that bits must not depend on.
inline constexpr unsigned kOwnThreadCounts[] = {1, 2, 4};

/// Asks libraries that this process has yet to load for `count` threads, by what their makers agree
/// on: OMP_NUM_THREADS, which OpenMP reads as it is loaded, and as many processors for the process
/// as there are up to `count`, which others go by. For a process that ends soon: there is no way
/// back.
void ask_for_own_threads(unsigned count);

}  // namespace assay
