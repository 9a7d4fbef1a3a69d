/* A shared library whose table is broken in the way that the macro FAULT names, for tests. */
#include <stdlib.h>

#include "kernels/abi/assay_kernels.h"

#define NO_KERNELS 1
#define OTHER_VERSION 2
#define EMPTY_TABLE 3
#define NO_FUNCTION 4
#define NO_NAME 5
#define UNKNOWN_DTYPE 6
#define SAME_NAMES 7
#define OTHER_DTYPES 8
#define UNKNOWN_FLAG 9
#define WILD_NAME 10
#define CRASH_IN_TABLE 11
#define EXIT_AT_START 12
#define LONG_NAME 13
#define CONTROL_CHARACTER 14
#define TOO_MANY_ROWS 15

static int32_t never_called(const assay_call* call) {
  (void)call;
  return ASSAY_FAILED;
}

static const DLDataType f32 = {kDLFloat, 32, 1};
static const DLDataType f16 = {kDLFloat, 16, 1};
static const DLDataType wild = {77, 13, 3};

static const assay_kernel kernels[] = {
    {
#if FAULT == NO_NAME
        NULL,
#elif FAULT == WILD_NAME
        (const char*)8,
#elif FAULT == CONTROL_CHARACTER
        "demo::kernel\n",
#elif FAULT == LONG_NAME
        "demo::a_name_that_goes_on_______________________________________________________________"
        "_________________________________________________________________________________________"
        "_________________________________________________________________________________________"
        "and_on",
#else
        "demo::kernel",
#endif
        "one", &f32, &f16, 1, 1,
#if FAULT == UNKNOWN_FLAG
        64u,
#else
        0,
#endif
#if FAULT == NO_FUNCTION
        NULL
#else
        never_called
#endif
    },
    {"demo::kernel",
#if FAULT == SAME_NAMES
     "one",
#else
     "two",
#endif
#if FAULT == UNKNOWN_DTYPE
     &wild,
#elif FAULT == OTHER_DTYPES
     &f16,
#else
     &f32,
#endif
     &f16, 1, 1, 0, never_called},
};

static const assay_kernel_list list = {
#if FAULT == OTHER_VERSION
    ASSAY_KERNELS_ABI_VERSION + 1,
#else
    ASSAY_KERNELS_ABI_VERSION,
#endif
#if FAULT == EMPTY_TABLE
    0,
#elif FAULT == TOO_MANY_ROWS
    4000000000u,
#else
    2,
#endif
    kernels};

#if FAULT == EXIT_AT_START
__attribute__((constructor)) static void start(void) {
  _Exit(0);
}
#endif

const assay_kernel_list* assay_kernel_table(void) {
  (void)wild;
#if FAULT == NO_KERNELS
  return NULL;
#endif
#if FAULT == CRASH_IN_TABLE
  abort();
#endif
  return &list;
}
