/* A file of jobs that have ended, each with its numbers, for a later start of the same work. */
#ifndef MS_IO_KEPT_JOBS_H
#define MS_IO_KEPT_JOBS_H

#include <stdint.h>

#include <microslip/io.h>

#include "core/jobs.h"

/* Fingerprints of what a result depends on: FNV-1a, 64 bits. A text counts with its NUL, so that no
   two lists of texts look alike; a path that is no file counts nothing. */
#define MS_FINGERPRINT UINT64_C(0xcbf29ce484222325) /* of nothing */
uint64_t ms_fingerprint_add(uint64_t sum, const void *bytes, size_t n);
uint64_t ms_fingerprint_add_text(uint64_t sum, const char *text);
uint64_t ms_fingerprint_add_file(uint64_t sum, const char *path);
/* As two numbers that are exact, and back. */
void ms_fingerprint_put(uint64_t sum, double halves[2]);
uint64_t ms_fingerprint_get(const double halves[2]);

typedef struct ms_kept_jobs ms_kept_jobs;

/* A new file, for the work with this fingerprint. It is written beside its path and renamed once it
   is on the disk. */
ms_status ms_kept_jobs_create(ms_context *ctx, const char *path, uint64_t identity,
                              ms_kept_jobs **out);
/* What is there, to be read until ms_kept_jobs_go_on, and appended to from there. *identity: the
   fingerprint of its work, 0 where the file is of another format. */
ms_status ms_kept_jobs_open(ms_context *ctx, const char *path, uint64_t *identity,
                            ms_kept_jobs **out);
ms_status ms_kept_jobs_go_on(ms_kept_jobs *kept, const char *path);
void ms_kept_jobs_close(ms_kept_jobs **kept);
/* One more job of the set `what` has ended; it is on the disk when this returns. */
ms_status ms_kept_jobs_add(ms_kept_jobs *kept, const char *what, ptrdiff_t job,
                           const double *values, ptrdiff_t n);
/* The jobs of an earlier start, one by one; *at is 0 at first, 0 is returned at the end. */
int ms_kept_jobs_next(const ms_kept_jobs *kept, const char *what, ptrdiff_t *at, ms_kept *out);

#endif
