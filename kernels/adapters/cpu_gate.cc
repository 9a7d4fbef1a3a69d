// ADAPTER_NEEDS names the function of cpu_features.h that says whether this adapter can run here.
#include "kernels/adapters/cpu_gate.h"

#include "kernels/adapters/cpu_features.h"

const assay_kernel_list* assay_kernel_table() {
  return assay_adapters::ADAPTER_NEEDS() ? &adapter_kernels : nullptr;
}
