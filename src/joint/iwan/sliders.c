/* n Jenkins elements in parallel: e_i = u - x_i, |e_i| <= r phi_i, F = k sum k_i e_i. */
#include "joint/iwan/sliders.h"

#include <math.h>
#include <string.h>

/* Upper end of cell i of n. Geometric cells begin at phi_max/n^2 at least: the first one, which
   reaches down to phi_min, then errs no more than the others. */
static double cell_end(const ms_density *d, ptrdiff_t i, ptrdiff_t n, ms_spacing spacing) {
  double low = d->phi_min, high = d->phi_max;
  if (i >= n) return high;
  if (i <= 0) return low;
  if (spacing == MS_SPACING_UNIFORM) return low + (high - low) * (double)i / (double)n;
  double first = high / ((double)n * (double)n);
  if (low > first) return low * pow(high / low, (double)i / (double)n);
  double steps = (double)(n - i) / (double)(n > 1 ? n - 1 : 1);
  return high * pow((double)n, -2.0 * steps);
}

/* Sliders for the deltas from index i on; returns the index after them. set NULL: counts only. */
static ptrdiff_t fill_deltas(const ms_density *d, ptrdiff_t i, ms_slider_set *set) {
  ptrdiff_t n = d->n > 0 ? d->n : 1;
  for (ptrdiff_t k = 0; k < n; k++) {
    double S = d->n > 0 ? d->knot[k].S : d->S;
    if (!(S > 0.0)) continue;
    if (set) set->phi[i] = d->n > 0 ? d->knot[k].phi : d->phi_max;
    if (set) set->stiffness[i] = S;
    i++;
  }
  return i;
}

ms_status ms_sliders_create(ms_context *ctx, const ms_density *d, ptrdiff_t n, ms_spacing spacing,
                            ms_slider_set *set) {
  double smooth[3];
  ms_density_smooth_moments(d, d->phi_max, smooth);
  if (!(smooth[0] > 0.0)) n = 0;
  *set = (ms_slider_set) { .n = fill_deltas(d, n, NULL) };
  ms_status status = ms_allocate(ctx, set->n, sizeof(double), &set->phi);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, set->n, sizeof(double), &set->stiffness);
  if (status != MS_SUCCESS) {
    ms_sliders_destroy(ctx, set);
    return status;
  }
  /* Uniform sliders sit at the middle of their cell, as they are usually written. Geometric ones
     sit at its centroid, so that stiffness and slip force of the element are exact. */
  double low[3], high[3] = { 0.0, 0.0, 0.0 };
  for (ptrdiff_t i = 0; i < n; i++) {
    double from = cell_end(d, i, n, spacing), to = cell_end(d, i + 1, n, spacing);
    memcpy(low, high, sizeof low);
    ms_density_smooth_moments(d, to, high);
    double stiffness = fmax(0.0, high[0] - low[0]);
    int by_middle = spacing == MS_SPACING_UNIFORM || stiffness == 0.0;
    double phi = by_middle ? 0.5 * (from + to) : (high[1] - low[1]) / stiffness;
    set->stiffness[i] = stiffness;
    set->phi[i] = fmax(from, fmin(to, phi)); /* rounding in a cell that holds next to nothing */
  }
  fill_deltas(d, n, set);
  return MS_SUCCESS;
}

void ms_sliders_destroy(ms_context *ctx, ms_slider_set *set) {
  ms_free(ctx, &set->phi);
  ms_free(ctx, &set->stiffness);
  set->n = 0;
}

void ms_sliders_start(const ms_slider_set *set, ms_slider_state *state, double u) {
  for (ptrdiff_t i = 0; i < set->n; i++) state->anchor[i] = u;
  state->u = u;
  state->alpha = state->k = 1.0;
  state->dissipated = 0.0;
}

enum { TRIAL_U, TRIAL_ALPHA, TRIAL_K };

void ms_sliders_update(const ms_slider_set *set, const ms_slider_state *state,
                       const ms_joint_input *in, ms_joint_output *out, ms_joint_trial *trial) {
  const double u = in->u[0], r = in->alpha / in->k;
  double E = 0.0, stuck = 0.0, dE_dr = 0.0;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double e = u - state->anchor[i], limit = r * set->phi[i];
    double slip = e > limit ? 1.0 : e < -limit ? -1.0 : 0.0;
    E += set->stiffness[i] * (slip != 0.0 ? slip * limit : e);
    stuck += slip != 0.0 ? 0.0 : set->stiffness[i];
    dE_dr += slip * set->stiffness[i] * set->phi[i];
  }
  out->force[0] = in->k * E;
  out->du[0] = in->alpha > 0.0 ? in->k * stuck : 0.0;
  out->dv[0] = 0.0;
  out->dalpha[0] = dE_dr;
  out->dk[0] = E - r * dE_dr;
  trial->real[TRIAL_U] = u;
  trial->real[TRIAL_ALPHA] = in->alpha;
  trial->real[TRIAL_K] = in->k;
}

void ms_sliders_commit(const ms_slider_set *set, ms_slider_state *state,
                       const ms_joint_trial *trial) {
  const double u = trial->real[TRIAL_U], alpha = trial->real[TRIAL_ALPHA];
  const double r = alpha / trial->real[TRIAL_K], slip_load = 0.5 * (state->alpha + alpha);
  double loss = 0.0;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double limit = r * set->phi[i], x = state->anchor[i];
    double moved = fmax(u - limit, fmin(u + limit, x));
    loss += set->stiffness[i] * set->phi[i] * fabs(moved - x);
    state->anchor[i] = moved;
  }
  state->dissipated += slip_load * loss;
  state->u = u;
  state->alpha = alpha;
  state->k = trial->real[TRIAL_K];
}

void ms_sliders_energy(const ms_slider_set *set, const ms_slider_state *state,
                       ms_joint_energy *out) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double e = state->u - state->anchor[i];
    sum += set->stiffness[i] * e * e;
  }
  *out = (ms_joint_energy) { .stored = 0.5 * state->k * sum, .dissipated = state->dissipated };
}

/* ---- derivatives ---- */

void ms_sliders_sensitivity_start(const ms_slider_set *set, const ms_step_sensitivity *c) {
  for (ptrdiff_t i = 0; i < set->n; i++) memcpy(c->row + c->n * i, c->u, ms_sensitivity_bytes(c));
}

/* An anchor that holds keeps its row and takes k k_i dx_i off the force; one that slips, and every
   one of an open joint, goes with the step: dx = du - slip phi dr. */
void ms_sliders_sensitivity(const ms_slider_set *set, const ms_slider_state *state,
                            const ms_joint_input *in, const ms_step_sensitivity *c) {
  const double u = in->u[0], r = in->alpha / in->k;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    double *row = c->row + c->n * i, phi = set->phi[i];
    double e = u - state->anchor[i], limit = r * phi;
    double slip = e > limit ? 1.0 : e < -limit ? -1.0 : 0.0;
    if (slip == 0.0 && r > 0.0) {
      ms_sensitivity_add(c->n, -in->k * set->stiffness[i], row, c->force);
    } else {
      ms_sensitivity_anchor(c, slip * phi, in, row);
    }
  }
}
