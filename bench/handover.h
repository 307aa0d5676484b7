/* Problems for the Octave scripts, in a file of named matrices. */
#ifndef MS_BENCH_HANDOVER_H
#define MS_BENCH_HANDOVER_H

#include <stddef.h>

#include "systems.h"

typedef struct bench_handover bench_handover;

/* A new file, in the format of Octave's load. */
bench_handover *bench_hand_open(const char *path);
void bench_hand_matrix(bench_handover *to, const char *name, ptrdiff_t rows, ptrdiff_t columns,
                       const double *a);
void bench_hand_number(bench_handover *to, const char *name, double value);
/* M, C, K and B (one column per joint). */
void bench_hand_structure(ms_context *ctx, bench_handover *to, const bench_system *system);
/* Parameters (at most 16, NULL after the last) of `count` joints, a column for each. */
void bench_hand_joints(ms_context *ctx, bench_handover *to, const char *name,
                       const bench_system *system, int first, int count, const char *const *param);
/* All joints, as "iwan": F_S, K_T, chi, beta. */
void bench_hand_iwan(ms_context *ctx, bench_handover *to, const bench_system *system);
/* The first stuck mode: shape, omega, zeta. */
void bench_hand_mode(bench_handover *to, const bench_system *system);
void bench_hand_close(bench_handover **to);

#endif
