/* The four-parameter Iwan element with a pin in parallel: a bolt in a hole with clearance. Once the
   joint has slid by the clearance the bolt comes into shear and carries load as a spring K_pin:

     F = F_iwan4(u) + k K_pin o,    o = u - (clearance - offset)  for u beyond that,
                                    o = u + (clearance + offset)  for u below the negative of that.

   The hole is a place, counted from u = 0 wherever the joint is started. alpha scales the slip
   forces of the sliders, k their springs and the pin. The pin loses nothing, so the loss per cycle
   is iwan4's. */
#include <math.h>

#include "joint/iwan/iwan.h"
#include "joint/iwan/four_parameters.h"
#include "joint/contact/pin.h"

typedef struct pin_model {
  ms_iwan_model iwan;
  ms_pin pin;
} pin_model;

typedef struct pin_state {
  ms_iwan_state iwan;
  double u, k;
} pin_state;

enum { CLEARANCE = MS_FOUR_N, OFFSET, K_PIN, SETTINGS };

static const ms_param params[] = {
  MS_FOUR_PARAMS("force at the onset of macroslip, without the pin"),
  [CLEARANCE] = { MS_LAW_NOT_NEGATIVE(
      "clearance", "m", "displacement from the middle of the hole until the pin touches",
      "a pin larger than its hole does not fit", 1e-4) },
  [OFFSET] = { MS_LAW_ANY("offset", "m",
                          "position of the pin in its hole at u = 0, from the middle, positive "
                          "towards u > 0",
                          0) },
  [K_PIN] = { MS_LAW_POSITIVE("K_pin", "N/m", "shear stiffness of the pin",
                              "without it the element is iwan4", 5e7) },
  MS_IWAN_SETTINGS,
};

static ms_status check(ms_context *ctx, double *v, int set) {
  if (!(fabs(v[OFFSET]) <= v[CLEARANCE])) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "iwan_pin: offset = %g puts the pin outside its hole; it must lie between -%g"
                   " and %g, the clearance",
                   v[OFFSET], v[CLEARANCE], v[CLEARANCE]);
  }
  return ms_iwan_four_check(ctx, "iwan_pin", v, set);
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  pin_model *m = model;
  m->pin = (ms_pin) { v[K_PIN], v[CLEARANCE] - v[OFFSET], v[CLEARANCE] + v[OFFSET] };
  m->iwan.density =
      ms_density_power_law(v[MS_FOUR_R], v[MS_FOUR_S], v[MS_FOUR_CHI], v[MS_FOUR_PHI_MAX]);
  return ms_iwan_setup(ctx, v + SETTINGS, &m->iwan);
}

/* Model and state of the element are the first members of ours: what the pin does not change goes
   to the family's functions as it is. */

static void start(const void *model, void *state, const double *u) {
  pin_state *s = state;
  ms_iwan_start(model, &s->iwan, u);
  s->u = u[0];
  s->k = 1.0;
}

/* The element fills the record from the front, the pin from the back. */
enum { TRIAL_K = sizeof((ms_joint_trial *)0)->real / sizeof(double) - 1, TRIAL_U = TRIAL_K - 1 };

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const ms_pin *pin = &((const pin_model *)model)->pin;
  double force = pin->K * ms_pin_overlap(pin, in->u[0]);
  MS_TRY(ms_iwan_update(model, state, in, out, trial));
  out->force[0] += in->k * force;
  out->du[0] += in->k * ms_pin_stiffness(pin, in->u[0]);
  out->dk[0] += force;
  trial->real[TRIAL_U] = in->u[0];
  trial->real[TRIAL_K] = in->k;
  return MS_SUCCESS;
}

static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  pin_state *s = state;
  MS_TRY(ms_iwan_commit(ctx, model, &s->iwan, trial));
  s->u = trial->real[TRIAL_U];
  s->k = trial->real[TRIAL_K];
  return MS_SUCCESS;
}

/* u and k, then the element's history. */
enum { N_SCALAR = 2 };

static ptrdiff_t save_size(const void *model, const void *state) {
  return N_SCALAR + ms_iwan_save_size(model, state);
}

static void save(const void *model, const void *state, double *buffer) {
  const pin_state *s = state;
  buffer[0] = s->u;
  buffer[1] = s->k;
  ms_iwan_save(model, state, buffer + N_SCALAR);
}

static ms_status load(ms_context *ctx, const void *model, void *state, const double *buffer,
                      ptrdiff_t n) {
  pin_state *s = state;
  if (n < N_SCALAR || !isfinite(buffer[0]) || !(buffer[1] > 0.0 && buffer[1] < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
  }
  MS_TRY(ms_iwan_load(ctx, model, &s->iwan, buffer + N_SCALAR, n - N_SCALAR));
  s->u = buffer[0];
  s->k = buffer[1];
  return MS_SUCCESS;
}

static void backbone(const void *model, double u, double *force, double *slope) {
  const ms_pin *pin = &((const pin_model *)model)->pin;
  ms_iwan_backbone(model, u, force, slope);
  *force += pin->K * ms_pin_overlap(pin, u);
  *slope += ms_pin_stiffness(pin, u);
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const pin_model *m = model;
  const pin_state *s = state;
  ms_iwan_energy(model, state, out);
  out->stored += s->k * ms_pin_energy(&m->pin, s->u);
}

static void macroslip(const void *model, double *left) {
  left[0] = ms_pin_stiffness(&((const pin_model *)model)->pin, 0.0);
}

const ms_law ms_law_iwan_pin = {
  .info = { .name = "iwan_pin",
            .title = "four-parameter Iwan element, then a pin in shear",
            .reference = "Segalman, J. Appl. Mech. 72 (2005) 752; pin: elastic stop in parallel",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(pin_model),
  .state_size = sizeof(pin_state),
  .check = check,
  .setup = setup,
  .open = ms_iwan_open,
  .close = ms_iwan_close,
  .start = start,
  .update = update,
  .commit = commit,
  .save_size = save_size,
  .save = save,
  .load = load,
  .backbone = backbone,
  .cycle = ms_iwan_cycle,
  .energy = energy,
  .macroslip = macroslip,
  .memory = ms_iwan_memory,
  .slip_scale = ms_iwan_slip_scale,
  MS_IWAN_CARRY_ENTRIES,
};
