/* A law under the normal load of a spring: lift-off, slip forces that follow the load, stiffness
   that may. The table lies in the model, as that of laws side by side does, and the trial keeps the
   input: commit updates the member once more. */
#include "joint/contact/normal_load.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"

_Static_assert(sizeof(ms_joint_input) <= sizeof(((ms_joint_trial *)0)->real), "input must fit");

/* ---- a step as the member sees it ---- */

static double load_of(const ms_loaded_model *m, const ms_joint_input *in) {
  return in->alpha * m->N_0 + in->k * m->K_n * in->u[m->n];
}

/* h goes through zero in a straight line. */
static void find_meeting(double h_0, ms_loaded_step *step) {
  const double gain = step->h - h_0;
  step->meets = 1;
  step->share = 0.0;
  if (!(step->h > 0.0)) return;
  step->share = step->h / gain;
  step->dshare_dh = -h_0 / gain / gain;
  step->dshare_dh_0 = step->h / gain / gain;
}

ms_loaded_step ms_loaded_place(const ms_loaded_model *m, const ms_loaded_state *s,
                               const ms_joint_input *in) {
  ms_loaded_step step = { .in = *in, .h = load_of(m, in), .share = 1.0 };
  const double N = step.h > 0.0 ? step.h : 0.0;
  step.dN_dh = step.h >= 0.0 ? 1.0 : 0.0;
  step.kappa = ms_load_curve_eval(&m->curve, N, &step.dkappa_dN);
  if (m->forgets && s->h <= 0.0) find_meeting(s->h, &step);
  for (int i = 0; i < m->n; i++) {
    double slid = s->u[i] - s->w[i];
    step.in.u[i] = step.meets ? s->w[i] + step.share * (in->u[i] - s->u[i]) : in->u[i] - slid;
  }
  step.in.alpha = N / m->N_ref;
  step.in.k = in->k * step.kappa;
  return step;
}

/* ---- force ---- */

static void write_tangential(const ms_loaded_model *m, const ms_loaded_state *s,
                             const ms_joint_input *in, const ms_loaded_step *step,
                             const ms_joint_output *own, ms_joint_output *out) {
  const int n = m->n, all = n + 1;
  for (int i = 0; i < n; i++) {
    /* dF_i/dh: through slip forces, stiffness, and the place where the surfaces met. */
    double dF_dh = step->dN_dh * (own->dalpha[i] / m->N_ref + own->dk[i] * in->k * step->dkappa_dN);
    for (int j = 0; j < m->n; j++) {
      dF_dh += own->du[i + m->n * j] * step->dshare_dh * (in->u[j] - s->u[j]);
    }
    out->force[i] = own->force[i];
    for (int j = 0; j < n; j++) {
      out->du[i + all * j] = own->du[i + n * j] * step->share;
      out->dv[i + all * j] = own->dv[i + n * j];
    }
    out->du[i + all * n] = dF_dh * in->k * m->K_n;
    out->dalpha[i] = dF_dh * m->N_0;
    out->dk[i] = own->dk[i] * step->kappa + dF_dh * m->K_n * in->u[n];
  }
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const ms_loaded_model *m = model;
  const ms_loaded_step step = ms_loaded_place(m, state, in);
  ms_joint_output own;
  ms_joint_trial own_trial;
  MS_TRY(ms_joint_update(m->member, &step.in, &own, &own_trial));
  memset(out, 0, sizeof *out);
  write_tangential(m, state, in, &step, &own, out);
  const int n = m->n;
  out->force[n] = step.h > 0.0 ? in->k * m->K_n * in->u[n] : -in->alpha * m->N_0;
  out->du[n + (n + 1) * n] = step.dN_dh * in->k * m->K_n;
  out->dalpha[n] = (step.dN_dh - 1.0) * m->N_0;
  out->dk[n] = step.dN_dh * m->K_n * in->u[n];
  memcpy(trial->real, in, sizeof *in);
  trial->whole[MS_LOADED_MARKED] = 0;
  return MS_SUCCESS;
}

/* ---- history ---- */

static void start(const void *model, void *state, const double *u) {
  const ms_loaded_model *m = model;
  ms_loaded_state *s = state;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  double slope;
  memcpy(in.u, u, (size_t)(m->n + 1) * sizeof *u);
  ms_joint_start(m->member, u);
  *s = (ms_loaded_state) { .u_n = u[m->n], .h = load_of(m, &in), .alpha = 1.0, .k = 1.0 };
  s->kappa = ms_load_curve_eval(&m->curve, fmax(0.0, s->h), &slope);
  for (int i = 0; i < m->n; i++) s->u[i] = s->w[i] = u[i];
}

/* Stored in the member over kappa, which does not change with kappa. */
static double stored_over_kappa(const ms_loaded_model *m, const ms_loaded_state *s) {
  ms_joint_energy e = { 0.0, 0.0 };
  if (m->curve.n == 0 || !m->law.energy) return 0.0;
  m->member->law->energy(m->member->model, m->member->state, &e);
  return e.stored / s->kappa;
}

static void take_step(const ms_loaded_model *m, const ms_joint_input *in,
                      const ms_loaded_step *step, ms_loaded_state *s) {
  s->lift_offs += s->h > 0.0 && !(step->h > 0.0);
  for (int i = 0; i < m->n; i++) {
    s->u[i] = in->u[i];
    s->w[i] = step->in.u[i];
  }
  s->u_n = in->u[m->n];
  s->h = step->h;
  s->alpha = in->alpha;
  s->k = in->k;
  s->kappa = step->kappa;
}

static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  const ms_loaded_model *m = model;
  ms_loaded_state *s = state;
  ms_joint_input in;
  ms_joint_output own;
  ms_joint_trial own_trial;
  (void)ctx;
  memcpy(&in, trial->real, sizeof in);
  const ms_loaded_step step = ms_loaded_place(m, s, &in);
  const double before = stored_over_kappa(m, s), kappa = s->kappa;
  if (trial->whole[MS_LOADED_MARKED]) {
    own_trial = *m->marked;
  } else {
    MS_TRY(ms_joint_update(m->member, &step.in, &own, &own_trial));
  }
  MS_TRY(ms_joint_commit(m->member, &own_trial));
  take_step(m, &in, &step, s);
  s->exchanged -= 0.5 * (before + stored_over_kappa(m, s)) * (s->kappa - kappa);
  return MS_SUCCESS;
}

enum { N_OWN = sizeof(ms_loaded_state) / sizeof(double) };

static ptrdiff_t save_size(const void *model, const void *state) {
  (void)state;
  return N_OWN + ms_joint_save_size(((const ms_loaded_model *)model)->member);
}

static void save(const void *model, const void *state, double *buffer) {
  memcpy(buffer, state, sizeof(ms_loaded_state));
  ms_joint_save(((const ms_loaded_model *)model)->member, buffer + N_OWN);
}

static ms_status load(ms_context *ctx, const void *model, void *state, const double *buffer,
                      ptrdiff_t n) {
  int valid = n >= N_OWN;
  for (int i = 0; valid && i < N_OWN; i++) valid = isfinite(buffer[i]) != 0;
  if (!valid) return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
  MS_TRY(ms_joint_load(((const ms_loaded_model *)model)->member, buffer + N_OWN, n - N_OWN));
  memcpy(state, buffer, sizeof(ms_loaded_state));
  return MS_SUCCESS;
}

/* ---- what it knows of itself ---- */

/* The normal spring and what holds the preload: int (N - alpha N_0) du_n from u_n = 0. */
static double normal_energy(const ms_loaded_model *m, const ms_loaded_state *s) {
  const double K = s->k * m->K_n, N_0 = s->alpha * m->N_0;
  if (s->h > 0.0) return 0.5 * K * s->u_n * s->u_n;
  return -N_0 * s->u_n - 0.5 * N_0 * N_0 / K;
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const ms_loaded_model *m = model;
  const ms_loaded_state *s = state;
  m->member->law->energy(m->member->model, m->member->state, out);
  out->stored += normal_energy(m, s);
  out->dissipated += s->exchanged;
}

static void memory(const void *model, const void *state, ms_joint_memory *out) {
  (void)state;
  ms_joint_get_memory(((const ms_loaded_model *)model)->member, out);
  out->bytes += sizeof(ms_loaded_state);
}

/* Under the preload. */
static double slip_scale(const void *model) {
  const ms_loaded_model *m = model;
  double slope, kappa = ms_load_curve_eval(&m->curve, m->N_0, &slope);
  double ratio = m->N_0 > 0.0 ? m->N_0 / m->N_ref / kappa : 1.0;
  return ms_joint_slip_scale(m->member) * ratio;
}

static void macroslip(const void *model, double *K) {
  const ms_loaded_model *m = model;
  double own[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS], slope;
  const double kappa = ms_load_curve_eval(&m->curve, m->N_0, &slope);
  const int n = m->n;
  ms_joint_fill_macroslip(m->member, own);
  for (int ab = 0; ab < n * n; ab++) K[ab % n + (n + 1) * (ab / n)] = kappa * own[ab];
  K[n + (n + 1) * n] = m->K_n;
}

/* ---- life ---- */

static void destroy(ms_context *ctx, void *model) {
  ms_loaded_model *m = model;
  ms_load_curve_close(ctx, &m->curve);
  ms_free(ctx, &m->marked);
  ms_joint_destroy(&m->member);
}

static const ms_law loaded_law = {
  .info = { .name = "loaded",
            .title = "a law under the normal load of a spring",
            .reference = "Rajaei, Ahmadian, Appl. Math. Modelling 38 (2014)",
            .flags = MS_LAW_NORMAL },
  .state_size = sizeof(ms_loaded_state),
  .start = start,
  .update = update,
  .commit = commit,
  .save_size = save_size,
  .save = save,
  .load = load,
  .energy = energy,
  .memory = memory,
  .slip_scale = slip_scale,
  .macroslip = macroslip,
  .destroy = destroy,
  .sensitivity = ms_loaded_sensitivity,
  .count_rows = ms_loaded_rows,
  .sensitivity_start = ms_loaded_sensitivity_start,
};

static ms_status check_law(ms_context *ctx, const ms_joint *law) {
  const ms_law_info *info = &law->law->info;
  if (!law->ready) return ms_fail(ctx, MS_ERR_STATE, "set the law up before it is loaded");
  if (ms_joint_count_members(law) > 0 || law->law->update == update) {
    return ms_fail(
        ctx, MS_ERR_ARGUMENT,
        "a normal spring loads a single law; use separate parallel joints for several laws");
  }
  if (!(info->flags & MS_LAW_NORMAL)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "law %s does not depend on a normal load", info->name);
  }
  if (info->n_axis <= MS_LOADED_AXES) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "law %s has %d axes, its own normal one among them",
                 info->name, info->n_axis);
}

static ms_status check_normal(ms_context *ctx, const ms_joint_normal *normal) {
  if (!(normal->K_n > 0.0 && normal->K_n < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "normal stiffness K_n = %g must be > 0 and finite",
                   normal->K_n);
  }
  if (!(normal->N_0 >= 0.0 && normal->N_0 < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "preload N_0 = %g must be >= 0 and finite: surfaces do not pull", normal->N_0);
  }
  if (normal->N_ref > 0.0 && normal->N_ref < HUGE_VAL) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "reference load N_ref = %g must be > 0 and finite",
                 normal->N_ref);
}

static void fill_table(const ms_law *law, ms_law *out) {
  *out = loaded_law;
  out->info.n_axis = law->info.n_axis + 1;
  out->info.flags |= law->info.flags & (MS_LAW_RATE | MS_LAW_SLIDING);
  if (!law->energy) out->energy = NULL;
  if (!law->sensitivity) out->sensitivity = NULL;
}

/* The law is the joint's from the moment that nothing can fail any more. */
static ms_status set_up(ms_joint *j, ms_joint **law, const ms_joint_normal *normal) {
  ms_loaded_model *m = j->model;
  MS_TRY(ms_load_curve_open(j->ctx, normal, &m->curve));
  MS_TRY(ms_allocate(j->ctx, 1, sizeof(ms_loaded_state), &j->state));
  MS_TRY(ms_allocate(j->ctx, 1, sizeof *m->marked, &m->marked));
  MS_TRY(ms_joint_start(*law, NULL));
  /* Far away and without load: is any force left? */
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_trial trial;
  const double scale = ms_joint_slip_scale(*law);
  m->forgets = !(m->law.info.flags & MS_LAW_RATE);
  for (int i = 0; i < m->n; i++) in.u[i] = 1e6 * (scale > 0.0 ? scale : 1.0);
  in.alpha = 0.0;
  MS_TRY(ms_joint_update(*law, &in, &out, &trial));
  for (int i = 0; i < m->n; i++) m->forgets &= out.force[i] == 0.0;
  m->member = *law;
  *law = NULL;
  return ms_joint_setup(j);
}

ms_status ms_joint_create_loaded(ms_context *ctx, ms_joint **law, const ms_joint_normal *normal,
                                 ms_joint **out) {
  MS_MAKE(ctx, out, law && *law && normal);
  ms_joint *j;
  ms_loaded_model *m;
  MS_TRY(check_law(ctx, *law));
  MS_TRY(check_normal(ctx, normal));
  MS_TRY(ms_allocate(ctx, 1, sizeof *j, &j));
  ms_status status = ms_allocate(ctx, 1, sizeof *m, &m);
  if (status != MS_SUCCESS) {
    ms_free(ctx, &j);
    return status;
  }
  fill_table((*law)->law, &m->law);
  m->n = (*law)->law->info.n_axis;
  m->K_n = normal->K_n, m->N_0 = normal->N_0, m->N_ref = normal->N_ref;
  *j = (ms_joint) { .ctx = ctx, .law = &m->law, .model = m };
  status = set_up(j, law, normal);
  if (status == MS_SUCCESS) {
    *out = j;
  } else {
    ms_joint_destroy(&j);
  }
  return status;
}

static const ms_loaded_model *model_of(const ms_joint *joint) {
  return joint->law->update == update ? joint->model : NULL;
}

static ms_status fail_without(const ms_joint *joint) {
  return ms_fail(joint->ctx, MS_ERR_ARGUMENT, "a joint of law %s has no normal spring",
                 joint->law->info.name);
}

ms_status ms_joint_get_contact(const ms_joint *joint, ms_joint_contact *out) {
  const ms_loaded_model *m = model_of(joint);
  *out = (ms_joint_contact) { .N = 0.0 };
  if (!m) return fail_without(joint);
  const ms_loaded_state *s = joint->state;
  const double N = fmax(0.0, s->h);
  *out = (ms_joint_contact) { .N_0 = m->N_0,
                              .N = N,
                              .alpha = N / m->N_ref,
                              .k = s->kappa,
                              .exchanged = s->exchanged,
                              .lift_offs = (ptrdiff_t)s->lift_offs };
  return MS_SUCCESS;
}

ms_status ms_joint_get_normal(const ms_joint *joint, ms_joint_normal *out) {
  const ms_loaded_model *m = model_of(joint);
  *out = (ms_joint_normal) { .K_n = 0.0 };
  if (!m) return fail_without(joint);
  *out = (ms_joint_normal) { .K_n = m->K_n, .N_0 = m->N_0, .N_ref = m->N_ref };
  if (m->curve.N) {
    out->rows = m->curve.n;
    out->N = m->curve.N;
    out->s = m->curve.s;
  } else {
    out->n_coefficient = (int)m->curve.n;
    out->coefficient = m->curve.s;
  }
  return MS_SUCCESS;
}

const ms_joint *ms_joint_get_loaded_law(const ms_joint *joint) {
  const ms_loaded_model *m = model_of(joint);
  return m ? m->member : NULL;
}
