/* The five-parameter Iwan element: the density of iwan4,

     rho(phi) = R phi^chi on (0, phi_max)  +  S delta(phi - phi_max),

   and a ratio theta = mu_d/mu_s of dynamic to static friction. A slider slips once its spring is
   stretched by phi; the stretch drops to theta phi and stays there while it slips; after it has
   stuck it must climb back to phi. F_S = int rho phi is the static slip force, all sliders at their
   limit at once; sustained macroslip carries theta F_S. With m_j = int_0^u rho phi^j dphi,

     virgin curve     F = theta m_1(u) + u (K_T - m_0(u))
     loss per cycle   D = 4 theta u0 m_1(u0) + (1 - 2 theta - 3 theta^2) m_2(u0),   virgin start.

   alpha scales slip forces, k springs. Exact at constant alpha/k; under a varying ratio the law is
   its end-of-step rule (iwan5/field.c). At theta = 1 it is iwan4. */
#include <math.h>

#include "joint/iwan5/field.h"
#include "joint/iwan/four_parameters.h"
#include "joint/iwan5/sliders.h"

typedef struct iwan5_model {
  ms_field5_setting field;
  ms_slider_set sliders; /* n = 0: exact */
} iwan5_model;

typedef union iwan5_state {
  ms_field5 field;
  ms_slider5_state sliders;
} iwan5_state;

enum { THETA = MS_FOUR_N, SLIDERS, SPACING, MERGE_TOLERANCE };

static const ms_param params[] = {
  MS_FOUR_PARAMS("static slip force of all sliders; in macroslip the force is theta*F_S"),
  [THETA] = { .name = "theta",
              .unit = "-",
              .meaning = "dynamic over static coefficient of friction",
              .lower = 0,
              .upper = 1,
              .open = 1,
              .why = "sliding friction is positive and at most the static one",
              .typical = 0.8,
              .required = 1 },
  [SLIDERS] = MS_IWAN_SLIDERS(1e8),
  [SPACING] = MS_IWAN_SPACING,
  [MERGE_TOLERANCE] = MS_IWAN_MERGE(
      "merge old reversals whose force is below this fraction of F_S; 0: never merge", 1e-6),
};

static ms_status check(ms_context *ctx, double *v, int set) {
  return ms_iwan_four_check(ctx, "iwan5", v, set);
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  iwan5_model *m = model;
  m->field = (ms_field5_setting) {
    .density = ms_density_power_law(v[MS_FOUR_R], v[MS_FOUR_S], v[MS_FOUR_CHI], v[MS_FOUR_PHI_MAX]),
    .theta = v[THETA],
    .exponent = v[MS_FOUR_CHI] + 1.0,
    .merge_tolerance = v[MERGE_TOLERANCE],
  };
  ptrdiff_t n = (ptrdiff_t)v[SLIDERS];
  if (n == 0) return MS_SUCCESS;
  return ms_sliders_create(ctx, &m->field.density, n, (ms_spacing)v[SPACING], &m->sliders);
}

/* ---- exact or discrete ---- */

static ms_status open_state(ms_context *ctx, const void *model, void *state) {
  const iwan5_model *m = model;
  iwan5_state *s = state;
  if (m->sliders.n == 0) return ms_field5_open(ctx, &s->field);
  return ms_sliders5_open(ctx, &m->sliders, &s->sliders);
}

static void close_state(ms_context *ctx, void *model, void *state) {
  iwan5_model *m = model;
  iwan5_state *s = state;
  if (m->sliders.n == 0) {
    ms_field5_close(ctx, &s->field);
  } else {
    ms_sliders5_close(ctx, &s->sliders);
  }
  ms_sliders_destroy(ctx, &m->sliders);
}

static void start(const void *model, void *state, const double *u) {
  const iwan5_model *m = model;
  iwan5_state *s = state;
  if (m->sliders.n == 0) {
    ms_field5_start(&m->field, &s->field, u[0]);
  } else {
    ms_sliders5_start(&m->sliders, &s->sliders, u[0]);
  }
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  if (m->sliders.n == 0) {
    ms_field5_update(&m->field, &s->field, in, out, trial);
  } else {
    ms_sliders5_update(&m->sliders, m->field.theta, &s->sliders, in, out, trial);
  }
  return MS_SUCCESS;
}

static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  const iwan5_model *m = model;
  iwan5_state *s = state;
  if (m->sliders.n == 0) return ms_field5_commit(ctx, &m->field, &s->field, trial);
  ms_sliders5_commit(&m->sliders, m->field.theta, &s->sliders, trial);
  return MS_SUCCESS;
}

static ptrdiff_t save_size(const void *model, const void *state) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  return m->sliders.n == 0 ? ms_field5_save_size(&s->field) : ms_sliders5_save_size(&m->sliders);
}

static void save(const void *model, const void *state, double *buffer) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  if (m->sliders.n == 0) {
    ms_field5_save(&s->field, buffer);
  } else {
    ms_sliders5_save(&m->sliders, &s->sliders, buffer);
  }
}

static ms_status load(ms_context *ctx, const void *model, void *state, const double *buffer,
                      ptrdiff_t n) {
  const iwan5_model *m = model;
  iwan5_state *s = state;
  if (m->sliders.n == 0) return ms_field5_load(ctx, &m->field, &s->field, buffer, n);
  return ms_sliders5_load(ctx, &m->sliders, &s->sliders, buffer, n);
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  if (m->sliders.n == 0) {
    ms_field5_energy(&s->field, out);
  } else {
    ms_sliders5_energy(&m->sliders, &s->sliders, out);
  }
}

static void memory(const void *model, const void *state, ms_joint_memory *out) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  if (m->sliders.n == 0) {
    ms_field5_memory(&s->field, out);
  } else {
    *out = (ms_joint_memory) { .bytes = 2 * (size_t)m->sliders.n * sizeof(double) };
  }
}

static ptrdiff_t count_rows(const void *model, const void *state, const ms_joint_trial *trial) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  (void)trial;
  return m->sliders.n == 0 ? ms_field5_rows(&s->field) : m->sliders.n;
}

static void sensitivity_start(const void *model, const void *state, const ms_step_sensitivity *d) {
  const iwan5_model *m = model;
  (void)state;
  if (m->sliders.n == 0) {
    ms_field5_sensitivity_start(d);
  } else {
    ms_sliders_sensitivity_start(&m->sliders, d);
  }
}

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  const iwan5_model *m = model;
  const iwan5_state *s = state;
  (void)out;
  if (m->sliders.n == 0) {
    ms_field5_sensitivity(&m->field, &s->field, in, trial, d);
  } else {
    ms_sliders5_sensitivity(&m->sliders, m->field.theta, &s->sliders, in, d);
  }
}

/* ---- closed forms of the exact element ---- */

static double slip_scale(const void *model) {
  return ((const iwan5_model *)model)->field.density.phi_max;
}

/* The front moves with u, and each slider it passes drops by (1 - theta) u. */
static void backbone(const void *model, double u, double *force, double *slope) {
  const ms_field5_setting *f = &((const iwan5_model *)model)->field;
  double m[3], a = fabs(u), stuck;
  ms_density_moments(&f->density, a, m);
  stuck = f->density.total[0] - m[0];
  *force = copysign(a * stuck + f->theta * m[1], u);
  *slope = a < f->density.phi_max ? stuck - (1.0 - f->theta) * f->exponent * m[0] : 0.0;
}

/* Per half cycle each slider below u0 climbs by (1 + theta) phi, loses (1 - theta^2) phi^2/2 in the
   drop and slides the rest of 2 u0 at theta phi; the steady loop is reached in the first one. */
static double cycle(const void *model, double u0, double omega) {
  const ms_field5_setting *f = &((const iwan5_model *)model)->field;
  double m[3], theta = f->theta;
  (void)omega;
  ms_density_moments(&f->density, u0, m);
  return 4.0 * theta * u0 * m[1] + (1.0 - 2.0 * theta - 3.0 * theta * theta) * m[2];
}

const ms_law ms_law_iwan5 = {
  .info = { .name = "iwan5",
            .title = "five-parameter Iwan element: dynamic below static friction",
            .reference = "Mignolet, Song, Wang, J. Sound Vib. 349 (2015) 289",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(iwan5_model),
  .state_size = sizeof(iwan5_state),
  .check = check,
  .setup = setup,
  .open = open_state,
  .close = close_state,
  .start = start,
  .update = update,
  .commit = commit,
  .save_size = save_size,
  .save = save,
  .load = load,
  .backbone = backbone,
  .cycle = cycle,
  .energy = energy,
  .memory = memory,
  .slip_scale = slip_scale,
  .sensitivity = sensitivity,
  .count_rows = count_rows,
  .sensitivity_start = sensitivity_start,
};
