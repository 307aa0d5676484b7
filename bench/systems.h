/* The structures that the benchmarks march, for the library and for the textbook. */
#ifndef MS_BENCH_SYSTEMS_H
#define MS_BENCH_SYSTEMS_H

#include <microslip/structure.h>

#include "textbook_transient.h"

/* A structure, where its joints sit, and a half-sine on one coordinate. */
typedef struct bench_system {
  ms_structure *structure;
  int joints;
  ptrdiff_t from[TEXTBOOK_MAX_JOINTS], to[TEXTBOOK_MAX_JOINTS];
  ptrdiff_t hit;   /* coordinate */
  double p, omega; /* force p sin(omega t) until pi/omega */
  double dt;       /* a sensible step */
} bench_system;

/* How Iwan joints are integrated: n sliders, "uniform" or "geometric"; 0: exactly. */
typedef struct bench_sliders {
  int n;
  const char *spacing;
} bench_sliders;

extern const bench_sliders bench_exact;

/* A four-parameter Iwan joint before its setup. */
ms_joint *bench_iwan(ms_context *ctx, double F_S, double K_T, double chi, double beta,
                     bench_sliders sliders);

/* The three-mass system of Lacayo, Deaner and Allen (2017), the second mass hit. */
bench_system bench_three_mass(ms_context *ctx, double p, bench_sliders sliders);
/* A chain of n masses on ground, uneven values, the last one hit. */
bench_system bench_chain(ms_context *ctx, ptrdiff_t n, int joints);
/* A chain of 50 masses on a base, two Iwan joints, first mode near 300 Hz; nothing hit. */
bench_system bench_stack(ms_context *ctx, bench_sliders sliders);
/* Three masses with two Jenkins joints, a gap and a cubic spring; p is the amplitude of a force on
   the last one, omega the first frequency of the stuck structure. */
bench_system bench_oscillators(ms_context *ctx);
void bench_system_destroy(bench_system *system);

/* The force on the hit coordinate. */
double bench_force(const bench_system *system, double t);
double bench_force_end(const bench_system *system);

/* Amplitude of the first mode at which the first of the joints would slip altogether, were they
   linear. */
double bench_slip_amplitude(const bench_system *system);

/* The same system for the textbook, n_slider uniform sliders to a joint. *C receives the damping
   matrix, to be freed after the run. */
textbook_model bench_textbook_model(ms_context *ctx, const bench_system *system, int n_slider,
                                    double **C);

#endif
