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

ms_joint *test_loaded(ms_joint *law, int stiffening) {
  static const double rising[3] = { 0.31, 0.17, 0.043 };
  ms_joint *j = NULL;
  if (!law) return NULL;
  ms_joint_normal normal = { .K_n = 2.385 / (0.6 * test_scale(law)), .N_0 = 2.385, .N_ref = 1.9 };
  if (stiffening) normal.n_coefficient = 3, normal.coefficient = rising;
  CHECK_OK(ms_joint_create_loaded(test_context(), &law, &normal, &j));
  ms_joint_destroy(&law);
  return j;
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
