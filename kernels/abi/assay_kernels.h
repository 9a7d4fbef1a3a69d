/* assay_kernels.h: how a shared library offers kernels to assay. Plain C, no dependency but
 * DLPack's header (Debian: libdlpack-dev).
 *
 * A library exports one function, assay_kernel_table(), which returns a table with a row for each
 * kernel variant. `assay audit CONTRACT --kernels LIBRARY.so` looks the contract's entry points up
 * in it. The library is loaded, and its kernels are called, in worker processes only, each of which
 * may take 2 GiB of memory, and 64 MiB more for each processor of the machine.
 *
 * The table and all that it points to must stay as they are while the library is loaded.
 *
 * Licence: Apache-2.0.
 */
#ifndef ASSAY_KERNELS_H_
#define ASSAY_KERNELS_H_

#include <dlpack/dlpack.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when anything below changes in a way that older code would misread. */
#define ASSAY_KERNELS_ABI_VERSION 1u

/* What a kernel returns. Any other value than ASSAY_OK refuses the call: no byte of an output may
 * have been written then, and `message` should say which operand or parameter is wrong, and how. */
enum assay_status {
  ASSAY_OK = 0,
  ASSAY_BAD_ARITY = 1,  /* another number of inputs, outputs or parameters */
  ASSAY_BAD_DEVICE = 2, /* a tensor outside host memory, or no data where there are elements */
  ASSAY_BAD_DTYPE = 3,
  ASSAY_BAD_LAYOUT = 4, /* strides or a byte offset that the kernel does not take */
  ASSAY_BAD_SHAPE = 5,
  ASSAY_FAILED = 6,       /* for a reason of the kernel's own */
  ASSAY_BAD_PARAMETER = 7 /* missing, unknown, given twice, or of a value out of its range */
};

/* A scalar parameter of the operation, under the contract's name. A pair (rows, columns) is two of
 * them: `stride` in the contract is `stride_h` and `stride_w` here. Shapes that a contract carries
 * as parameters are not among them: the tensors have them. */
typedef struct assay_parameter {
  const char* name;
  int64_t value;
} assay_parameter;

/* One call. All of it belongs to the caller; a kernel writes the outputs' elements, and `message`
 * on refusal. Tensors lie in host memory (kDLCPU). Outputs are allocated by the caller, with the
 * shape of the contract's shape rule. */
typedef struct assay_call {
  const DLTensor* inputs;
  const DLTensor* outputs;
  const assay_parameter* parameters; /* NULL if there are none */
  int32_t input_count;
  int32_t output_count;
  int32_t parameter_count;
  int32_t message_size; /* bytes of `message`, the closing zero included; at least 1 */
  char* message;        /* empty before the call */
} assay_call;

typedef int32_t (*assay_kernel_function)(const assay_call* call);

/* Bits of assay_kernel.flags; all others are 0. */
/* The kernel runs threads of its own, as many as the environment's OMP_NUM_THREADS says when the
 * library is loaded, or as the process may use processors. Its bits must not depend on that. */
#define ASSAY_KERNEL_THREADS 1u
#define ASSAY_KERNEL_IN_PLACE 2u /* an output may be an input's memory */

/* One variant of a kernel. Rows with the same entry point are variants of one kernel: they have the
 * same dtypes, and different variant names. */
typedef struct assay_kernel {
  const char* entry_point; /* as the contract names it; at most 255 bytes */
  const char* variant;     /* "scalar", "AVX2", "mylib" ...; at most 63 bytes */
  const DLDataType* input_dtypes;
  const DLDataType* output_dtypes;
  int32_t input_count;  /* at most 8 */
  int32_t output_count; /* at most 8 */
  uint32_t flags;
  assay_kernel_function function; /* may be called from several threads at once */
} assay_kernel;

typedef struct assay_kernel_list {
  uint32_t abi_version;  /* ASSAY_KERNELS_ABI_VERSION */
  uint32_t kernel_count; /* at most 1024 */
  const assay_kernel* kernels;
} assay_kernel_list;

/* The one exported function. Returns NULL if the library has no kernels for this machine. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const assay_kernel_list*
assay_kernel_table(void);

#ifdef __cplusplus
}
#endif

#endif
