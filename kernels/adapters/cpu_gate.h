// An adapter whose kernels need instructions that a processor may lack.
//
// Its kernels are compiled for those instructions, so that nothing there may run before the
// processor was asked. cpu_gate.cc is compiled for any processor, asks, and offers the table or
// none.
#pragma once

#include "kernels/abi/assay_kernels.h"

/// The adapter's table, as a constant.
extern const assay_kernel_list adapter_kernels;
