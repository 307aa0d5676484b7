/* The calls of bench_python.py, from C; each returns seconds. A failure aborts. */
#ifndef MS_BENCH_PYTHON_CALLS_H
#define MS_BENCH_PYTHON_CALLS_H

#include <stddef.h>

#define CALL __attribute__((visibility("default")))

/* An Iwan element along u; force NULL: into memory that is allocated for it, as in Python. */
CALL double bench_path(ptrdiff_t n, const double *u, double *force);
/* qsma at n amplitudes, the best of several repeats. */
CALL double bench_backbone(ptrdiff_t n, const double *q, int repeats);
/* epmc at n amplitudes on a structure for each thread, up to 8 of them at a time. */
CALL double bench_threads(int threads, ptrdiff_t n, const double *q);

#endif
