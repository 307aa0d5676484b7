/* Jenkins element in the plane (Masing element): an isotropic spring K_T in series with a slider
   that slips once the force reaches a circle of radius F_S. The anchor x moves only when the
   slider slips, along the force: F = k K_T (u - x), |F| <= alpha F_S.

   alpha scales the slip force, k the spring, so that the elongation e = u - x lies in a circle of
   radius r = alpha F_S/(k K_T). A step is a straight line in (u, r) and exact: it does not matter
   how such a line is cut into steps. */
#include <math.h>

#include "joint/friction/plane.h"

typedef struct jenkins2d_model {
  double F_S, K_T;
} jenkins2d_model;

static const ms_param params[] = {
  { MS_LAW_POSITIVE("F_S", "N", "slip force, the same in every direction",
                    "a slider needs some force to slip", 4000) },
  { MS_LAW_POSITIVE("K_T", "N/m", "stiffness of the spring, the same in every direction",
                    "the stuck element carries load", 1e8) },
};

static double slip_scale(const void *model) {
  const jenkins2d_model *m = model;
  return m->F_S / m->K_T;
}

static void start(const void *model, void *state, const double *u) {
  *(ms_plane_state *)state = (ms_plane_state) {
    .u = { u[0], u[1] }, .x = { u[0], u[1] }, .r = slip_scale(model), .k = 1.0
  };
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const jenkins2d_model *m = model;
  const ms_plane_state *s = state;
  double e[2] = { s->u[0] - s->x[0], s->u[1] - s->x[1] };
  double w[2] = { in->u[0] - s->u[0], in->u[1] - s->u[1] };
  double r = in->alpha * m->F_S / (in->k * m->K_T);
  ms_plane_step step;
  ms_plane_move(e, s->r, w, r, &step);
  double K = in->k * m->K_T, dr_dalpha = m->F_S / K, dr_dk = -r / in->k;
  for (int i = 0; i < 2; i++) {
    out->force[i] = K * step.e[i];
    out->dalpha[i] = K * step.de_dr[i] * dr_dalpha;
    out->dk[i] = m->K_T * step.e[i] + K * step.de_dr[i] * dr_dk;
  }
  for (int i = 0; i < 4; i++) {
    out->du[i] = K * step.de_dw[i];
    out->dv[i] = 0.0;
  }
  return ms_plane_try(s, in, r, !step.slipped, &step, trial);
}

static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  (void)ctx;
  return ms_plane_commit(((const jenkins2d_model *)model)->K_T, state, trial);
}

/* Rows of u, of the elongation e = u - x, and of r; two to work in. */
enum { ROW_U, ROW_E = 2, ROW_R = 4, ROW_FRESH, N_ROW = 7 };

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  double K = in->k * ((const jenkins2d_model *)model)->K_T;
  double *u = d->row, *e = d->row + d->n * ROW_E, *r = d->row + d->n * ROW_R;
  double *fresh = d->row + d->n * ROW_FRESH;
  ms_plane_step step;
  (void)state, (void)out;
  memcpy(&step, &trial->real[MS_PLANE_STEP], sizeof step);
  for (int a = 0; a < 2; a++) {
    double *old = fresh + d->n * a;
    ms_plane_sensitivity(d->n, &step, a, e, u, old);
    ms_sensitivity_add(d->n, step.de_dr0[a], r, old);
    ms_sensitivity_add(d->n, K, old, d->force + d->n * a);
    ms_sensitivity_add(d->n, step.de_dw[a], d->u, old);
    ms_sensitivity_add(d->n, step.de_dw[a + 2], d->u + d->n, old);
  }
  memcpy(e, fresh, 2 * ms_sensitivity_bytes(d));
  memcpy(u, d->u, 2 * ms_sensitivity_bytes(d));
  if (!d->loaded) return;
  ms_sensitivity_ratio_row(d, in, r);
  for (ptrdiff_t i = 0; i < d->n; i++) r[i] *= slip_scale(model);
  for (int a = 0; a < 2; a++) ms_sensitivity_add(d->n, step.de_dr[a], r, e + d->n * a);
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const jenkins2d_model *m = model;
  const ms_plane_state *s = state;
  double e[2] = { s->u[0] - s->x[0], s->u[1] - s->x[1] };
  *out = (ms_joint_energy) { .stored = 0.5 * s->k * m->K_T * (e[0] * e[0] + e[1] * e[1]),
                             .dissipated = s->dissipated };
}

/* Not marked MASING: a steady loop in the plane is approached, not reached after one cycle. */
const ms_law ms_law_jenkins2d = {
  .info = { .name = "jenkins2d",
            .title = "spring in series with a slider, two tangential axes (Masing element)",
            .reference = "Griffin, Menq, J. Vib. Acoust. 113 (1991) 225; "
                         "Sanliturk, Ewins, J. Sound Vib. 193 (1996) 511",
            MS_LAW_PARAMS(params),
            .n_axis = 2,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(jenkins2d_model),
  .state_size = sizeof(ms_plane_state),
  .start = start,
  .update = update,
  .commit = commit,
  .energy = energy,
  .slip_scale = slip_scale,
  .sensitivity = sensitivity,
  .n_row = N_ROW,
};
