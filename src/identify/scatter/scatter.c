/* Random joints: the model of a test, and identification as a whole. */
#include "identify/scatter/scatter.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"

enum { ROUNDS = 8 };

/* ---- life ---- */

static ms_status check_range(const ms_scatter *s, const ms_scatter_parameter *q,
                             const ms_param *law) {
  if (q->lower < law->lower || q->upper > law->upper) {
    return ms_fail(s->ctx, MS_ERR_BOUNDS, "%s is distributed from %g to %g; the law takes %g to %g",
                   q->name, q->lower, q->upper, law->lower, law->upper);
  }
  if (q->least >= q->lower && q->most <= q->upper && q->least < q->most) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_BOUNDS,
                 "%s is searched from %g to %g: that must be inside its distribution, %g to %g",
                 q->name, q->least, q->most, q->lower, q->upper);
}

/* A number of the set that the joint was given in: others follow from it. */
static ms_status check_parameter(const ms_scatter *s, const ms_scatter_parameter *q) {
  int i = 0;
  MS_TRY(ms_joint_find_param(s->joint, q->param, &i));
  const ms_param *param = &s->joint->law->info.param[i];
  const int number = param->kind == MS_PARAM_NUMBER;
  if (!number || (param->set != 0 && param->set != s->joint->set)) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s is no number that the joint was given", q->name);
  }
  if (q->role == MS_SCATTER_LOSS && !s->loss) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s needs a joint for the loss", q->name);
  }
  return check_range(s, q, param);
}

static ms_status take_parameters(ms_scatter *s, const ms_scatter_parameter *parameter) {
  MS_TRY(ms_allocate(s->ctx, s->n, sizeof *s->parameter, &s->parameter));
  memcpy(s->parameter, parameter, (size_t)s->n * sizeof *parameter);
  for (ptrdiff_t i = 0; i < s->n; i++) MS_TRY(check_parameter(s, &s->parameter[i]));
  return MS_SUCCESS;
}

static ms_status check_joint(ms_context *ctx, const ms_joint *j) {
  if (j->ready && j->law->info.n_axis == 1 && ms_joint_count_members(j) == 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "a joint test needs one law with one axis, and the joint set up");
}

ms_status ms_scatter_create(ms_joint *joint, ms_joint *loss, double omega, ptrdiff_t n,
                            const ms_scatter_parameter *parameter, ms_scatter **out) {
  ms_context *ctx = joint ? joint->ctx : NULL;
  ms_scatter *s;
  MS_MAKE(ctx, out, parameter);
  if (n < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "no random parameter");
  MS_TRY(check_joint(ctx, joint));
  if (loss) MS_TRY(check_joint(ctx, loss));
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  *s = (ms_scatter) { .ctx = ctx, .joint = joint, .loss = loss, .omega = omega, .n = n };
  ms_status status = take_parameters(s, parameter);
  if (status != MS_SUCCESS) ms_scatter_destroy(&s);
  *out = s;
  return status;
}

void ms_scatter_destroy(ms_scatter **scatter) {
  if (!scatter || !*scatter) return;
  ms_context *ctx = (*scatter)->ctx;
  ms_free(ctx, &(*scatter)->parameter);
  for (int i = 0; i < 2; i++) ms_joint_destroy(&(*scatter)->own[i]);
  ms_free(ctx, scatter);
}

ms_status ms_scatter_create_copy(ms_context *ctx, const ms_joint *joint, double omega, ptrdiff_t n,
                                 const ms_scatter_parameter *parameter, ms_scatter **out) {
  ms_joint *own[2] = { NULL, NULL };
  int separate = 0;
  MS_MAKE(ctx, out, joint && parameter);
  for (ptrdiff_t i = 0; i < n; i++) separate |= parameter[i].role == MS_SCATTER_LOSS;
  ms_status status = ms_joint_copy(ctx, joint, &own[0]);
  if (!status && separate) status = ms_joint_copy(ctx, joint, &own[1]);
  if (!status) status = ms_scatter_create(own[0], own[1], omega, n, parameter, out);
  for (int i = 0; i < 2; i++) {
    if (status) {
      ms_joint_destroy(&own[i]);
    } else {
      (*out)->own[i] = own[i];
    }
  }
  return status;
}

/* ---- a test ---- */

static ms_status set_up(ms_scatter *s, const double *p) {
  for (ptrdiff_t i = 0; i < s->n; i++) {
    const ms_scatter_parameter *q = &s->parameter[i];
    if (q->role != MS_SCATTER_LOSS) MS_TRY(ms_joint_set(s->joint, q->param, p[i]));
    if (q->role != MS_SCATTER_STIFFNESS && s->loss) MS_TRY(ms_joint_set(s->loss, q->param, p[i]));
  }
  MS_TRY(ms_joint_setup(s->joint));
  return s->loss ? ms_joint_setup(s->loss) : MS_SUCCESS;
}

/* Where a joint that does not slip would have the force, or the slip scale of one with no slope. */
static ms_status guess(ms_scatter *s, double force, double *u) {
  double f, slope;
  MS_TRY(ms_joint_eval_virgin(s->joint, 0.0, &f, &slope));
  *u = slope > 0.0 && isfinite(slope) ? force / slope : ms_joint_slip_scale(s->joint);
  if (*u > 0.0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_NOT_CONVERGED, "the joint has no stiffness at rest");
}

static ms_status eval_force(ms_scatter *s, double force, double *stiffness, double *loss) {
  ms_joint_at_force at;
  double u;
  MS_TRY(guess(s, force, &u));
  MS_TRY(ms_joint_find_cycle(s->joint, force, s->omega, u, s->cycle, &at));
  *stiffness = force / at.u;
  *loss = at.loss;
  return s->loss ? ms_joint_cycle_loss(s->loss, at.u, s->omega, s->cycle, loss) : MS_SUCCESS;
}

ms_status ms_scatter_eval_until(ms_scatter *s, const double *p, ptrdiff_t n, const double *force,
                                double *stiffness, double *loss, ptrdiff_t *reached) {
  MS_TRY(set_up(s, p));
  for (*reached = 0; *reached < n; ++*reached) {
    const ptrdiff_t i = *reached;
    MS_TRY(eval_force(s, force[i], &stiffness[i], &loss[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_scatter_eval(ms_scatter *s, const double *p, ptrdiff_t n, const double *force,
                          double *stiffness, double *loss) {
  ptrdiff_t reached;
  return ms_scatter_eval_until(s, p, n, force, stiffness, loss, &reached);
}

/* ---- identification ---- */

void ms_scatter_result_destroy(ms_context *ctx, ms_scatter_result *r) {
  double **number[] = {
    &r->mean,          &r->deviation,          &r->mean_error, &r->deviation_error,
    &r->mean_interval, &r->deviation_interval, &r->p,          &r->p_error,
    &r->correlation,   &r->dependence
  };
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) ms_free(ctx, number[i]);
  ms_free(ctx, &r->distribution);
  ms_free(ctx, &r->seen);
  ms_free(ctx, &r->remarks);
  *r = (ms_scatter_result) { 0 };
}

ms_status ms_scatter_allocate_result(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_specimen,
                                     ms_scatter_result *r) {
  const struct {
    double **place;
    ptrdiff_t size;
  } number[] = { { &r->mean, n },
                 { &r->deviation, n },
                 { &r->mean_error, n },
                 { &r->deviation_error, n },
                 { &r->mean_interval, 2 * n },
                 { &r->deviation_interval, 2 * n },
                 { &r->p, n * n_specimen },
                 { &r->p_error, n * n_specimen },
                 { &r->correlation, n * n },
                 { &r->dependence, n * n } };
  *r = (ms_scatter_result) { .n = n, .n_specimen = n_specimen };
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
    MS_TRY(ms_allocate(ctx, number[i].size, sizeof(double), number[i].place));
  }
  MS_TRY(ms_allocate(ctx, n, sizeof *r->distribution, &r->distribution));
  return ms_allocate(ctx, n, sizeof *r->seen, &r->seen);
}

static void keep_fits(const ms_specimens *s, ms_scatter_result *out) {
  const ptrdiff_t n = out->n;
  memcpy(out->p, s->p, (size_t)(n * out->n_specimen) * sizeof *out->p);
  memcpy(out->noise, s->noise, sizeof s->noise);
  for (ptrdiff_t k = 0; k < out->n_specimen; k++) {
    const double *C = s->covariance + n * n * k;
    for (ptrdiff_t i = 0; i < n; i++) out->p_error[i + n * k] = sqrt(C[i + n * i]);
  }
}

/* One round: draws about fits that know the last round's distributions. */
static ms_status improve(ms_specimens *s, ms_scatter_result *out) {
  ms_scatter_draws draws = { 0 };
  MS_TRY(ms_specimens_fit(s, 0));
  ms_status status = ms_scatter_make_draws(s, &draws);
  if (status == MS_SUCCESS) status = ms_scatter_maximise(s, &draws, out);
  ms_scatter_free_draws(s->scatter->ctx, &draws);
  return status;
}

/* What is known of the distributions is what was found; returns the largest change, in deviations.
 */
static double take_over(ms_specimens *s, const ms_scatter_result *out) {
  double change = 0.0;
  for (ptrdiff_t i = 0; i < out->n; i++) {
    double *prior = s->prior + 2 * i, moved = fabs(out->mean[i] - prior[0]) / out->deviation[i];
    change = fmax(change, fmax(moved, fabs(log(out->deviation[i] / prior[1]))));
    prior[0] = out->mean[i], prior[1] = out->deviation[i];
  }
  return change;
}

static ms_status identify(ms_specimens *s, ms_scatter_result *out) {
  MS_TRY(ms_specimens_begin(s));
  for (int round = 0; round < ROUNDS; round++) {
    MS_TRY(improve(s, out));
    if (take_over(s, out) < s->setting->tol.settled) break;
  }
  MS_TRY(ms_specimens_fit(s, 1));
  keep_fits(s, out);
  return ms_scatter_judge(s, out);
}

void ms_scatter_default(ms_scatter_setting *setting, size_t size) {
  ms_settings_fill(&(ms_scatter_setting)MS_SCATTER_DEFAULT, setting, size);
}

ms_status ms_scatter_identify(ms_scatter *s, const ms_scatter_data *data,
                              const ms_scatter_setting *setting, ms_scatter_result *out) {
  ms_scatter_setting own = MS_SCATTER_DEFAULT;
  ms_specimens specimens = { 0 };
  MS_TRY(ms_scatter_allocate_result(s->ctx, s->n, data->n_specimen, out));
  MS_TAKE(s->ctx, ms_scatter_default, setting, own);
  ms_status status = ms_specimens_open(s, data, setting, &specimens);
  if (status == MS_SUCCESS) status = identify(&specimens, out);
  ms_specimens_close(&specimens);
  return status;
}
