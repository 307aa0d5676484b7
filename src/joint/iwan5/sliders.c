/* n sliders with a friction drop in parallel: |e_i| <= r phi_i stuck, theta r phi_i slipping. */
#include "joint/iwan5/sliders.h"

#include <math.h>
#include <string.h>

ms_status ms_sliders5_open(ms_context *ctx, const ms_slider_set *set, ms_slider5_state *state) {
  MS_TRY(ms_allocate(ctx, set->n, sizeof(double), &state->anchor));
  return ms_allocate(ctx, set->n, sizeof(double), &state->flag);
}

void ms_sliders5_close(ms_context *ctx, ms_slider5_state *state) {
  ms_free(ctx, &state->anchor);
  ms_free(ctx, &state->flag);
}

void ms_sliders5_start(const ms_slider_set *set, ms_slider5_state *state, double u) {
  for (ptrdiff_t i = 0; i < set->n; i++) state->anchor[i] = u;
  memset(state->flag, 0, (size_t)set->n * sizeof *state->flag);
  state->u = u;
  state->alpha = state->k = 1.0;
  state->dissipated = 0.0;
}

/* The side to which a slider slips in this step, 0 if it sticks. */
static inline double slip_side(double e, double flag, double limit, double slow) {
  if (e >= (flag > 0.0 ? slow : limit)) return 1.0;
  return e <= -(flag < 0.0 ? slow : limit) ? -1.0 : 0.0;
}

enum { TRIAL_U, TRIAL_ALPHA, TRIAL_K };

void ms_sliders5_update(const ms_slider_set *set, double theta, const ms_slider5_state *state,
                        const ms_joint_input *in, ms_joint_output *out, ms_joint_trial *trial) {
  const double u = in->u[0], r = in->alpha / in->k;
  double E = 0.0, stuck = 0.0, dE_dr = 0.0;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double e = u - state->anchor[i], limit = r * set->phi[i];
    double side = slip_side(e, state->flag[i], limit, theta * limit);
    E += set->stiffness[i] * (side != 0.0 ? side * theta * limit : e);
    stuck += side != 0.0 ? 0.0 : set->stiffness[i];
    dE_dr += side * theta * set->stiffness[i] * set->phi[i];
  }
  out->force[0] = in->k * E;
  out->du[0] = in->k * stuck;
  out->dv[0] = 0.0;
  out->dalpha[0] = dE_dr;
  out->dk[0] = E - r * dE_dr;
  trial->real[TRIAL_U] = u;
  trial->real[TRIAL_ALPHA] = in->alpha;
  trial->real[TRIAL_K] = in->k;
}

/* Heat over the slip load: theta phi |dx|, and r (1 - theta)^2 phi^2 / 2 for a drop (field.c). */
void ms_sliders5_commit(const ms_slider_set *set, double theta, ms_slider5_state *state,
                        const ms_joint_trial *trial) {
  const double u = trial->real[TRIAL_U], alpha = trial->real[TRIAL_ALPHA];
  const double r = alpha / trial->real[TRIAL_K], drop = 0.5 * (1.0 - theta) * (1.0 - theta) * r;
  double loss = 0.0;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double phi = set->phi[i], x = state->anchor[i], limit = r * phi;
    double side = slip_side(u - x, state->flag[i], limit, theta * limit);
    if (side != 0.0) {
      double moved = u - side * theta * limit;
      double fell = side != state->flag[i] ? drop * phi : 0.0;
      loss += set->stiffness[i] * phi * (theta * fabs(moved - x) + fell);
      state->anchor[i] = moved;
    }
    state->flag[i] = side;
  }
  state->dissipated += 0.5 * (state->alpha + alpha) * loss;
  state->u = u;
  state->alpha = alpha;
  state->k = trial->real[TRIAL_K];
}

/* u, alpha, k, dissipated, then anchors and flags. */
enum { N_SCALAR = 4 };

ptrdiff_t ms_sliders5_save_size(const ms_slider_set *set) {
  return N_SCALAR + 2 * set->n;
}

void ms_sliders5_save(const ms_slider_set *set, const ms_slider5_state *state, double *b) {
  const double scalar[N_SCALAR] = { state->u, state->alpha, state->k, state->dissipated };
  memcpy(b, scalar, sizeof scalar);
  memcpy(b + N_SCALAR, state->anchor, (size_t)set->n * sizeof *b);
  memcpy(b + N_SCALAR + set->n, state->flag, (size_t)set->n * sizeof *b);
}

ms_status ms_sliders5_load(ms_context *ctx, const ms_slider_set *set, ms_slider5_state *state,
                           const double *b, ptrdiff_t n) {
  int valid = n == ms_sliders5_save_size(set);
  for (ptrdiff_t i = 0; valid && i < n; i++) valid = isfinite(b[i]) != 0;
  if (!valid) return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
  state->u = b[0], state->alpha = b[1], state->k = b[2], state->dissipated = b[3];
  memcpy(state->anchor, b + N_SCALAR, (size_t)set->n * sizeof *b);
  memcpy(state->flag, b + N_SCALAR + set->n, (size_t)set->n * sizeof *b);
  return MS_SUCCESS;
}

void ms_sliders5_energy(const ms_slider_set *set, const ms_slider5_state *state,
                        ms_joint_energy *out) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double e = state->u - state->anchor[i];
    sum += set->stiffness[i] * e * e;
  }
  *out = (ms_joint_energy) { .stored = 0.5 * state->k * sum, .dissipated = state->dissipated };
}

/* Derivatives away from the jumps: a slider that breaks loose drops at once. */
void ms_sliders5_sensitivity(const ms_slider_set *set, double theta, const ms_slider5_state *state,
                             const ms_joint_input *in, const ms_step_sensitivity *c) {
  const double u = in->u[0], r = in->alpha / in->k;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double *row = c->row + c->n * i, limit = r * set->phi[i];
    double side = slip_side(u - state->anchor[i], state->flag[i], limit, theta * limit);
    if (side == 0.0) {
      ms_sensitivity_add(c->n, -in->k * set->stiffness[i], row, c->force);
    } else {
      ms_sensitivity_anchor(c, side * theta * set->phi[i], in, row);
    }
  }
}
