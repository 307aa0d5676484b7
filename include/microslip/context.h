/* [core] The context: what every room needs from its surroundings. It owns the last message, and
   knows the caller's allocator, log, progress and communicator. One context serves one thread. */
#ifndef MICROSLIP_CONTEXT_H
#define MICROSLIP_CONTEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <microslip/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_context ms_context;

/* Memory. resize(user, NULL, n) allocates, resize(user, p, 0) frees and returns NULL, and a failed
   resize returns NULL and leaves p as it was: the contract of realloc, made definite. */
typedef struct ms_allocator {
  void *(*resize)(void *user, void *pointer, size_t bytes);
  void *user;
} ms_allocator;

typedef enum ms_log_level { MS_LOG_DEBUG, MS_LOG_INFO, MS_LOG_WARNING } ms_log_level;
typedef void (*ms_log_fn)(void *user, ms_log_level level, const char *text);

/* Called now and then during long work; fraction is in [0, 1]. Non-zero asks the work to stop,
   which it does by returning MS_CANCELLED with everything consistent. */
typedef int (*ms_progress_fn)(void *user, const char *what, double fraction);
/* Asked far more often, also where there is no fraction to tell, and possibly by several threads at
   once: non-zero asks the work to stop. */
typedef int (*ms_stop_fn)(void *user);

/* Communicator: how an ensemble talks across processes. The default is serial; a part that knows
   MPI fills the table. Calls return MS_SUCCESS or an error. */
typedef struct ms_communicator {
  void *self;
  int rank, size;
  ms_status (*barrier)(void *self);
  ms_status (*broadcast)(void *self, void *data, size_t bytes, int root);
  ms_status (*sum)(void *self, double *data, ptrdiff_t n); /* in place, the same on every rank */
  /* every rank gives `bytes`, all receive size * bytes in rank order */
  ms_status (*gather_all)(void *self, const void *data, size_t bytes, void *all);
  /* *who is the lowest rank that failed, or -1, the same on every rank. One that failed waits a few
     seconds only, because the others may be waiting for it elsewhere: MS_ERR_STATE if they do not
     come. */
  ms_status (*vote)(void *self, int failed, int *who);
  /* Ends every process with that exit code and never returns; NULL where there is one only. */
  void (*abort)(void *self, int code);
} ms_communicator;

/* Makes a context. allocator may be NULL (the C library's); its content is copied.
 *out is NULL after a failure. */
MS_API ms_status ms_context_create(const ms_allocator *allocator, ms_context **out);
MS_API void ms_context_destroy(ms_context **ctx);
/* The allocator it was made with, to make another that shares it (one for each thread, say; it must
   then serve them all at once). */
MS_API ms_allocator ms_context_get_allocator(const ms_context *ctx);

/* NULL callbacks switch off. The communicator's content is copied; NULL restores the serial one. */
MS_API void ms_context_set_log(ms_context *ctx, ms_log_fn log, void *user);
MS_API void ms_context_set_progress(ms_context *ctx, ms_progress_fn progress, void *user);
MS_API void ms_context_get_progress(const ms_context *ctx, ms_progress_fn *progress, void **user);
MS_API void ms_context_set_stop(ms_context *ctx, ms_stop_fn stop, void *user);
MS_API int ms_context_should_stop(const ms_context *ctx);
/* Such a function for a caller with a flag that another thread or a signal handler sets: user is an
   int *, and the work stops once that is not 0. */
MS_API int ms_stop_if_set(void *user);
/* How far the work is in words, "412 evaluations, misfit 0.034", for whoever shows progress; "" at
   first. */
MS_API void ms_context_set_detail(ms_context *ctx, const char *text);
MS_API const char *ms_context_get_detail(const ms_context *ctx);
/* The folder of results of an interrupted run that is to go on (borrowed; NULL: none): what takes
   long and is kept there is read and not computed again. */
MS_API void ms_context_set_resume(ms_context *ctx, const char *folder);
MS_API const char *ms_context_get_resume(const ms_context *ctx);
MS_API void ms_context_set_communicator(ms_context *ctx, const ms_communicator *comm);
MS_API const ms_communicator *ms_context_get_communicator(const ms_context *ctx);

/* Work that all processes of the communicator do together: each joins, and agrees at the end and as
   often before as it likes. Where one has failed, agree gives all of them the status and the
   message of the lowest that did, and once that is known agrees no more until the next join. With
   one process agree returns the status as it is. */
MS_API void ms_context_join(ms_context *ctx);
MS_API ms_status ms_context_agree(ms_context *ctx, ms_status status);
/* Whether the others did not come to hear of a failure here: what is left is to say so and abort.
 */
MS_API int ms_context_is_alone(const ms_context *ctx);
/* The number of this process among those that mpirun or the like started, from the environment; -1
   if it was not started so, or is the only one. *size, which may be NULL, is 0 where it is not
   said. */
MS_API int ms_process_rank(int *size);

/* The message of the last failure: what was wrong, where, what would be right. "" if none. */
MS_API const char *ms_context_message(const ms_context *ctx);
MS_API void ms_context_clear_message(ms_context *ctx);

/* Set the message and return the status, so that a failure is one line. A context that is NULL has
   no message, and no memory: MS_ERR_ARGUMENT. */
MS_API ms_status ms_fail(ms_context *ctx, ms_status status, const char *format, ...)
    MS_PRINTF(3, 4);
/* Put "prefix: " before the message that waits, to say where the trouble was. */
MS_API ms_status ms_fail_at(ms_context *ctx, ms_status status, const char *format, ...)
    MS_PRINTF(3, 4);
MS_API void ms_log(ms_context *ctx, ms_log_level level, const char *format, ...) MS_PRINTF(3, 4);
/* MS_SUCCESS to go on, MS_CANCELLED to stop. */
MS_API ms_status ms_progress(ms_context *ctx, const char *what, double fraction);
/* For loops that have nothing to tell: MS_CANCELLED if the work is to stop. */
MS_API ms_status ms_check_stop(ms_context *ctx, const char *what);

/* Overflow-checked memory. resize works on *p, NULL at first, and leaves *p as it was on failure;
   what it adds is not initialised. allocate gives zeroed memory, *p is NULL on failure. */
MS_API ms_status ms_allocate(ms_context *ctx, ptrdiff_t n, size_t size, void *p);
MS_API ms_status ms_resize(ms_context *ctx, ptrdiff_t n, size_t size, void *p);
/* Frees *p and sets it to NULL. */
MS_API void ms_free(ms_context *ctx, void *p);

/* A table as arrays, for rooms that read no files; whose they are says who gives it. */
typedef struct ms_columns {
  ptrdiff_t rows, n;
  const char **name;    /* n */
  const double **value; /* n; NULL of a column of words */
  const char **word;    /* rows, of the first column where that is one of words; else NULL */
  int *row;             /* line in the file, or 1, 2, ... */
} ms_columns;
/* Column of that name, from 0; -1: none. */
MS_API ptrdiff_t ms_columns_find(const ms_columns *columns, const char *name);

/* Random stream: counter-based (Philox4x32-10), so that stream `stream` of seed `seed` gives the
   same numbers whatever other streams did, on any number of threads or ranks. A plain value. */
typedef struct ms_random {
  uint32_t key[2], counter[4], block[4];
  int used;
  double spare;
  int has_spare;
} ms_random;

MS_API void ms_random_start(ms_random *rng, uint64_t seed, uint64_t stream);
MS_API uint64_t ms_random_bits(ms_random *rng);
MS_API double ms_random_uniform(ms_random *rng); /* in the open interval (0, 1) */
MS_API double ms_random_normal(ms_random *rng);  /* mean 0, standard deviation 1 */
/* The context's own stream: seed 0, stream 0 until seeded. */
MS_API void ms_context_seed(ms_context *ctx, uint64_t seed);
MS_API ms_random *ms_context_random(ms_context *ctx);

/* The version of the library that runs, "major.minor.patch". */
MS_API const char *ms_version(void);

#ifdef __cplusplus
}
#endif
#endif
