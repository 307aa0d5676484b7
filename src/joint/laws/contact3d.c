/* Contact of two rough surfaces: axes 0 and 1 tangential, axis 2 normal.

   Sign: un > 0 closes the contact, and the normal force N >= 0 resists that. With h the shortening
   of the normal spring,
     h = un - gap + alpha N_0/(k K_n),     N = k K_n max(0, h),
   and in the tangential plane a spring k K_t in series with a slider of slip force mu N (jenkins2d
   with a varying circle, radius r = mu N/(k K_t)). Open surfaces carry nothing and forget where
   they stood: the tangential spring is anchored anew where they meet again.

   alpha scales the preload N_0, k both springs. A step is a straight line in (u, h) and exact,
   lift-off and closing inside the step included. */
#include <math.h>

#include "joint/friction/plane.h"

typedef struct contact3d_model {
  double mu, K_n, K_t, N_0, gap;
} contact3d_model;

static const ms_param params[] = {
  { MS_LAW_NOT_NEGATIVE("mu", "-", "coefficient of friction",
                        "a coefficient of friction is not negative", 0.3) },
  { MS_LAW_POSITIVE("K_n", "N/m", "normal stiffness of the closed contact",
                    "a closed contact carries load", 3.3e8) },
  { MS_LAW_POSITIVE("K_t", "N/m", "tangential stiffness of the closed contact while it sticks",
                    "a sticking contact carries load", 1e8) },
  { MS_LAW_NOT_NEGATIVE("N_0", "N", "normal force at un = 0 for alpha = 1 (preload)",
                        "a contact does not pull; an open one has a gap", 1e4) },
  { MS_LAW_OPTIONAL("gap", "m", "distance of the surfaces at un = 0, for a contact without preload",
                    "surfaces in contact at rest have a preload instead", 0) },
};
enum { MU, K_N, K_T, N_0, GAP };

static ms_status check(ms_context *ctx, double *value, int set) {
  (void)set;
  if (value[N_0] == 0.0 || value[GAP] == 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "law contact3d: N_0 = %g and gap = %g together: surfaces at rest are either in "
                 "contact or apart; set one of the two to 0",
                 value[N_0], value[GAP]);
}

static double shortening(const contact3d_model *m, double un, double alpha, double k) {
  return un - m->gap + alpha * m->N_0 / (k * m->K_n);
}

static void start(const void *model, void *state, const double *u) {
  *(ms_plane_state *)state = (ms_plane_state) {
    .u = { u[0], u[1] }, .x = { u[0], u[1] }, .h = shortening(model, u[2], 1.0, 1.0), .k = 1.0
  };
}

/* The part of the step in which the surfaces touch: they close at h = 0, or part there. */
typedef struct contact3d_part {
  double share;      /* of the step */
  double dshare_dh;  /* how it follows h at the end, */
  double dshare_dh0; /* and at the start */
  double w[2];       /* tangential displacement in that part */
} contact3d_part;

static contact3d_part touching_part(const ms_plane_state *s, const ms_joint_input *in, double h) {
  contact3d_part part = { .share = 1.0 };
  double dh = h - s->h;
  if (s->h < 0.0) {
    part.share = h / dh;
    part.dshare_dh = -s->h / dh / dh;
    part.dshare_dh0 = h / dh / dh;
  } else if (h < 0.0) {
    part.share = -s->h / dh;
  }
  for (int i = 0; i < 2; i++) part.w[i] = part.share * (in->u[i] - s->u[i]);
  return part;
}

/* The tangential force depends on h through the circle, and through the share when the surfaces
   have just met. */
static void write_tangential(const contact3d_model *m, const ms_plane_state *s,
                             const ms_joint_input *in, const contact3d_part *part,
                             const ms_plane_step *step, ms_joint_output *out) {
  double K = in->k * m->K_t, dr_dh = m->mu * m->K_n / m->K_t;
  double dh_dalpha = m->N_0 / (in->k * m->K_n), dh_dk = -in->alpha / in->k * dh_dalpha;
  double w[2] = { in->u[0] - s->u[0], in->u[1] - s->u[1] };
  for (int i = 0; i < 2; i++) {
    const double *row = &step->de_dw[i];
    double dF_dh = K * (step->de_dr[i] * dr_dh + part->dshare_dh * (row[0] * w[0] + row[2] * w[1]));
    out->force[i] = K * step->e[i];
    for (int j = 0; j < 2; j++) out->du[i + 3 * j] = K * part->share * row[2 * j];
    out->du[i + 3 * 2] = dF_dh;
    out->dalpha[i] = dF_dh * dh_dalpha;
    out->dk[i] = m->K_t * step->e[i] + dF_dh * dh_dk;
  }
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const contact3d_model *m = model;
  const ms_plane_state *s = state;
  double h = shortening(m, in->u[2], in->alpha, in->k), dr_dh = m->mu * m->K_n / m->K_t;
  ms_plane_step step = { .slipped = 1 };
  for (int i = 0; i < 3; i++) out->force[i] = out->dalpha[i] = out->dk[i] = 0.0;
  for (int i = 0; i < 9; i++) out->du[i] = out->dv[i] = 0.0;
  if (s->h > 0.0 || h > 0.0) {
    double e[2] = { s->u[0] - s->x[0], s->u[1] - s->x[1] };
    contact3d_part part = touching_part(s, in, h);
    ms_plane_move(e, dr_dh * fmax(0.0, s->h), part.w, dr_dh * fmax(0.0, h), &step);
    if (h > 0.0) {
      out->force[2] = in->k * m->K_n * h;
      out->du[2 + 3 * 2] = in->k * m->K_n;
      out->dalpha[2] = m->N_0;
      out->dk[2] = m->K_n * (in->u[2] - m->gap);
      write_tangential(m, s, in, &part, &step, out);
    }
  }
  int anchored = s->h > 0.0 && !step.slipped;
  return ms_plane_try(s, in, h, anchored, &step, trial);
}

static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  (void)ctx;
  return ms_plane_commit(((const contact3d_model *)model)->K_t, state, trial);
}

/* Rows of u, h and of the elongation e = u - x; the rest to work in. */
enum { ROW_U, ROW_H = 2, ROW_E, ROW_FRESH = 5, ROW_DH = 7, N_ROW };

/* Tangential axis a: how e follows the share of the step, the circle and where it stood. */
static void sensitivity_axis(const contact3d_model *m, const ms_plane_state *s,
                             const ms_joint_input *in, const contact3d_part *part,
                             const ms_plane_step *step, int a, const ms_step_sensitivity *d) {
  ptrdiff_t n = d->n;
  double *u = d->row, *h = d->row + n * ROW_H, *e = d->row + n * ROW_E, *dh = d->row + n * ROW_DH;
  double *fresh = d->row + n * (ROW_FRESH + a), dr_dh = m->mu * m->K_n / m->K_t;
  double along = step->de_dw[a] * (in->u[0] - s->u[0]) + step->de_dw[a + 2] * (in->u[1] - s->u[1]);
  double by_h0 = part->dshare_dh0 * along + (s->h > 0.0 ? step->de_dr0[a] * dr_dh : 0.0);
  ms_plane_step part_step = *step;
  for (int i = 0; i < 4; i++) part_step.de_dw[i] *= part->share;
  ms_plane_sensitivity(n, &part_step, a, e, u, fresh);
  ms_sensitivity_add(n, by_h0, h, fresh);
  ms_sensitivity_add(n, in->k * m->K_t, fresh, d->force + n * a);
  ms_sensitivity_add(n, part_step.de_dw[a], d->u, fresh);
  ms_sensitivity_add(n, part_step.de_dw[a + 2], d->u + n, fresh);
  ms_sensitivity_add(n, part->dshare_dh * along + step->de_dr[a] * dr_dh, dh, fresh);
}

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  const contact3d_model *m = model;
  ptrdiff_t n = d->n;
  double *dh = d->row + n * ROW_DH, *e = d->row + n * ROW_E, h = trial->real[MS_PLANE_R];
  contact3d_part part = touching_part(state, in, h);
  ms_plane_step step;
  (void)out;
  memcpy(&step, &trial->real[MS_PLANE_STEP], sizeof step);
  ms_sensitivity_ratio_row(d, in, dh);
  for (ptrdiff_t i = 0; i < n; i++) dh[i] = d->u[i + 2 * n] + m->N_0 / m->K_n * dh[i];
  for (int a = 0; h > 0.0 && a < 2; a++) sensitivity_axis(m, state, in, &part, &step, a, d);
  if (h > 0.0) {
    memcpy(e, d->row + n * ROW_FRESH, 2 * ms_sensitivity_bytes(d));
  } else { /* open surfaces keep no elongation */
    memset(e, 0, 2 * ms_sensitivity_bytes(d));
  }
  memcpy(d->row + n * ROW_U, d->u, 2 * ms_sensitivity_bytes(d));
  memcpy(d->row + n * ROW_H, dh, ms_sensitivity_bytes(d));
}

/* The energy of the preload is in the normal spring from the start. */
static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const contact3d_model *m = model;
  const ms_plane_state *s = state;
  double e[2] = { s->u[0] - s->x[0], s->u[1] - s->x[1] }, h = fmax(0.0, s->h);
  double tangential = m->K_t * (e[0] * e[0] + e[1] * e[1]);
  *out = (ms_joint_energy) { .stored = 0.5 * s->k * (tangential + m->K_n * h * h),
                             .dissipated = s->dissipated };
}

/* The slip displacement under the preload; without one, the gap. */
static double slip_scale(const void *model) {
  const contact3d_model *m = model;
  return m->N_0 > 0.0 ? m->mu * m->N_0 / m->K_t : m->gap;
}

/* The normal spring of surfaces that press on each other at rest. */
static void macroslip(const void *model, double *left) {
  const contact3d_model *m = model;
  left[2 + 3 * 2] = m->N_0 > 0.0 ? m->K_n : 0.0;
}

const ms_law ms_law_contact3d = {
  .info = { .name = "contact3d",
            .title = "unilateral normal spring, and a planar slider that follows its force",
            .reference = "Yang, Chu, Menq, J. Sound Vib. 210 (1998) 461; "
                         "Yang, Menq, J. Sound Vib. 217 (1998) 909",
            MS_LAW_PARAMS(params),
            .n_axis = 3,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(contact3d_model),
  .state_size = sizeof(ms_plane_state),
  .check = check,
  .start = start,
  .update = update,
  .commit = commit,
  .energy = energy,
  .slip_scale = slip_scale,
  .macroslip = macroslip,
  .sensitivity = sensitivity,
  .n_row = N_ROW,
};
