#pragma once

/* The reference and the judge as a shared library, for C and for ctypes. A
 * request is JSON with arrays beside it (README.md); it runs on a thread of its
 * own, so that whoever waits can do something else meanwhile. Every function
 * may be called by any thread, and none throws. */

/* It is C. NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using) */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dense, row-major, an element in the bytes of its type; sub-byte elements take
 * a byte each. */
typedef struct AssayArray {
  const void* data;
  uint64_t bytes;
} AssayArray;

typedef struct AssayCall AssayCall;

/* The version of this interface: 1. */
__attribute__((visibility("default"))) int32_t assay_version(void);

/* Begins what the request asks for, of which and of the arrays it takes copies.
 * NULL where there is no memory or no thread for it. */
__attribute__((visibility("default"))) AssayCall* assay_start(
    const char* request, uint64_t request_bytes, const AssayArray* arrays,
    uint64_t count);

/* Waits so long at most; whether the call has ended. */
__attribute__((visibility("default"))) int32_t assay_wait(AssayCall* call,
                                                          double seconds);

/* Takes the work that a call has left: it ends with an error as soon as it asks
 * for more. */
__attribute__((visibility("default"))) void assay_cancel(AssayCall* call);

/* The answer, JSON with a 0 behind it, and its arrays, of a call that has
 * ended. They are the call's. Null where there is none. */
__attribute__((visibility("default"))) const char* assay_answer(
    const AssayCall* call);
__attribute__((visibility("default"))) AssayArray assay_array(
    const AssayCall* call, uint64_t number);

/* The call is not used any more; one that runs is cancelled. */
__attribute__((visibility("default"))) void assay_release(AssayCall* call);

/* Waits for the calls that were released while they ran: before the process
 * ends. */
__attribute__((visibility("default"))) void assay_finish(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
