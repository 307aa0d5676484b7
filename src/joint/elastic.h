/* A spring without loss, F = k f(u): what cubic and gap share. f is the law's `backbone`. */
#ifndef MS_JOINT_ELASTIC_H
#define MS_JOINT_ELASTIC_H

#include "joint/impl.h"

typedef struct ms_elastic_state {
  double u, k;
} ms_elastic_state;

static inline void ms_elastic_start(const void *model, void *state, const double *u) {
  (void)model;
  *(ms_elastic_state *)state = (ms_elastic_state) { .u = u[0], .k = 1.0 };
}

static inline ms_status ms_elastic_update(double force, double slope, const ms_joint_input *in,
                                          ms_joint_output *out, ms_joint_trial *trial) {
  out->force[0] = in->k * force;
  out->du[0] = in->k * slope;
  out->dv[0] = 0.0;
  out->dalpha[0] = 0.0;
  out->dk[0] = force;
  trial->real[0] = in->u[0];
  trial->real[1] = in->k;
  return MS_SUCCESS;
}

static inline ms_status ms_elastic_commit(ms_context *ctx, const void *model, void *state,
                                          const ms_joint_trial *trial) {
  (void)ctx, (void)model;
  *(ms_elastic_state *)state = (ms_elastic_state) { .u = trial->real[0], .k = trial->real[1] };
  return MS_SUCCESS;
}

static inline double ms_elastic_cycle(const void *model, double u0, double omega) {
  (void)model, (void)u0, (void)omega;
  return 0.0;
}

#define MS_ELASTIC_ENTRIES                                                                        \
  .state_size = sizeof(ms_elastic_state), .start = ms_elastic_start, .commit = ms_elastic_commit, \
  .cycle = ms_elastic_cycle

#endif
