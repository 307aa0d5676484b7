/* The bodies of finite elements that the benchmark solves. */
#ifndef MS_BENCH_FEM_MODELS_H
#define MS_BENCH_FEM_MODELS_H

#include <microslip/fem_model.h>

typedef struct bench_fem {
  ms_context *ctx;
  ms_mesh *mesh;
  ms_fem_model *model;
} bench_fem;

/* A free bar of aluminium, 1 x 0.17 x 0.13 m, n[] hex8 along it, across and in height. */
bench_fem bench_bar(ms_context *ctx, const int n[3], const ms_fem_settings *settings);
/* The Ministack of SAND2017-10517 on its base: an aluminium slug in cups of foam, in a can with
   cover and ring. Where surfaces are pressed together along the axis they share their nodes. The
   slug's and the cup's outsides, and what they sit in, are four rigid spiders; each pair is joined
   by the stiffness of the stuck joint along the axis and rigidly else. `coarse` divides the numbers
   of elements: 1 gives 406,720. */
bench_fem bench_ministack(ms_context *ctx, int coarse, const ms_fem_settings *settings);
void bench_fem_destroy(bench_fem *fem);

#endif
