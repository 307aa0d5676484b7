/* Laws that a caller adds: plain functions behind the table that every law has. Model: the caller's
   law, then the values of the parameters. */
#include "joint/custom.h"

#include <string.h>

typedef struct model {
  const ms_custom_law *law;
  double value[];
} model;

static void start(const void *m, void *state, const double *u) {
  const model *x = m;
  const ms_custom_law *law = x->law;
  memset(state, 0, (size_t)law->n_state * sizeof(double));
  if (law->start) law->start(x->value, u, state, law->user);
}

static ms_status update(const void *m, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const model *x = m;
  *out = (ms_joint_output) { .force = { 0.0 } };
  memcpy(trial->real, state, (size_t)x->law->n_state * sizeof(double));
  return x->law->update(x->value, state, in, out, trial->real, x->law->user);
}

static ms_status commit(ms_context *ctx, const void *m, void *state, const ms_joint_trial *trial) {
  (void)ctx;
  memcpy(state, trial->real, (size_t)((const model *)m)->law->n_state * sizeof(double));
  return MS_SUCCESS;
}

void ms_custom_fill_model(const ms_custom_law *law, const double *value, void *m) {
  model *x = m;
  x->law = law;
  if (law->info.n_param > 0) {
    memcpy(x->value, value, (size_t)law->info.n_param * sizeof *value);
  }
}

ms_law ms_custom_make_law(const ms_custom_law *law) {
  return (ms_law) { .info = law->info,
                    .custom = law,
                    .model_size = sizeof(model) + (size_t)law->info.n_param * sizeof(double),
                    .state_size = (size_t)law->n_state * sizeof(double),
                    .start = start,
                    .update = update,
                    .commit = commit,
                    .sensitivity = law->n_state == 0 ? ms_sensitivity_none : NULL };
}
