#include "support/joints.h"

#include <stdarg.h>

#include "support/check.h"

ms_joint *test_typical(const char *law) {
  ms_joint *j = NULL;
  int ok = CHECK_OK(ms_joint_create(test_context(), law, &j)) &&
           CHECK_OK(ms_joint_set_typical(j)) && CHECK_OK(ms_joint_setup(j));
  if (!ok) ms_joint_destroy(&j);
  return j;
}

ms_joint *test_joint(const char *law, ...) {
  ms_joint *j = NULL;
  if (!CHECK_OK(ms_joint_create(test_context(), law, &j))) return NULL;
  va_list args;
  va_start(args, law);
  for (const char *name; (name = va_arg(args, const char *));) {
    CHECK_OK(ms_joint_set(j, name, va_arg(args, double)));
  }
  va_end(args);
  if (!CHECK_OK(ms_joint_setup(j))) ms_joint_destroy(&j);
  return j;
}

double test_scale(const ms_joint *joint) {
  double scale = ms_joint_slip_scale(joint);
  return scale > 0.0 ? scale : 1e-4;
}

test_history test_wander(const ms_joint *joint, unsigned seed, int load) {
  test_history h = { .in = MS_JOINT_INPUT_DEFAULT,
                     .scale = test_scale(joint),
                     .n_axis = ms_joint_info(joint)->n_axis,
                     .load = load };
  ms_random_start(&h.random, seed, 17);
  return h;
}

const ms_joint_input *test_next(test_history *h) {
  h->in.dt = 1e-3 * (0.5 + ms_random_uniform(&h->random));
  for (int a = 0; a < h->n_axis; a++) {
    double before = h->in.u[a];
    h->in.u[a] = 0.93 * before + 0.41 * h->scale * ms_random_normal(&h->random);
    h->in.v[a] = (h->in.u[a] - before) / h->in.dt;
  }
  if (h->load) {
    h->in.alpha = 0.05 + 1.9 * ms_random_uniform(&h->random);
    h->in.k = 0.35 + 1.3 * ms_random_uniform(&h->random);
  }
  return &h->in;
}
