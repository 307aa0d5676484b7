/* [core] What a call returns: zero is success, positive is recoverable and nothing changed,
   negative is an error whose message waits in the context. */
#ifndef MICROSLIP_STATUS_H
#define MICROSLIP_STATUS_H

#include <microslip/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One list makes the enum and the text: X(name, value, text). */
#define MS_STATUS_LIST(X)                                         \
  X(MS_SUCCESS, 0, "success")                                     \
  X(MS_NOT_CONVERGED, 1, "the iteration did not converge")        \
  X(MS_STEP_REJECTED, 2, "the step was rejected; take a smaller") \
  X(MS_CANCELLED, 3, "cancelled by the caller")                   \
  X(MS_ERR_ARGUMENT, -1, "bad argument")                          \
  X(MS_ERR_MEMORY, -2, "out of memory")                           \
  X(MS_ERR_OVERFLOW, -3, "size too large to represent")           \
  X(MS_ERR_NAME, -4, "unknown name")                              \
  X(MS_ERR_BOUNDS, -5, "value out of bounds")                     \
  X(MS_ERR_STATE, -6, "call made out of order")                   \
  X(MS_ERR_FILE, -7, "file cannot be read or written")            \
  X(MS_ERR_FORMAT, -8, "file content is malformed")               \
  X(MS_ERR_NUMERIC, -9, "a result is not finite")                 \
  X(MS_ERR_DISK, -10, "the disk failed or is full")

typedef enum ms_status {
#define MS_STATUS_ENUM(name, value, text) name = (value),
  MS_STATUS_LIST(MS_STATUS_ENUM)
#undef MS_STATUS_ENUM
} ms_status;

/* The fixed text of a status; never NULL, also for values that are not in the list. */
MS_API const char *ms_status_text(ms_status status);

/* Return from the calling function at the first status that is not success. */
#define MS_TRY(call)                           \
  do {                                         \
    ms_status ms_try_ = (call);                \
    if (ms_try_ != MS_SUCCESS) return ms_try_; \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
