/* Elastic gap, both sides: no force while -g_minus <= u <= g_plus, a spring K beyond.

     F = k K (u - g_plus) for u > g_plus,   k K (u + g_minus) for u < -g_minus,   else 0.

   The stiffness ratio k scales the springs; the normal load has no influence. The gap is a place:
   it is counted from u = 0, wherever the joint is started. Nothing is lost. */
#include <math.h>

#include "joint/elastic.h"
#include "joint/contact/pin.h"

enum { K, G, G_PLUS, G_MINUS };
enum { SYMMETRIC = 1, TWO_SIDED = 2 };

static const ms_param params[] = {
  [K] = { MS_LAW_POSITIVE("K", "N/m", "stiffness of the stops", "a stop pushes back", 1e8) },
  [G] = { MS_LAW_NOT_NEGATIVE("g", "m", "gap, the same on both sides",
                              "parts must not overlap at u = 0", 5e-5),
          .set = SYMMETRIC },
  [G_PLUS] = { MS_LAW_NOT_NEGATIVE("g_plus", "m", "gap on the side u > 0",
                                   "parts must not overlap at u = 0", 5e-5),
               .set = TWO_SIDED },
  [G_MINUS] = { MS_LAW_NOT_NEGATIVE("g_minus", "m", "gap on the side u < 0",
                                    "parts must not overlap at u = 0", 5e-5),
                .set = TWO_SIDED },
};

static ms_status check(ms_context *ctx, double *v, int set) {
  (void)ctx;
  if (set == SYMMETRIC) {
    v[G_PLUS] = v[G_MINUS] = v[G];
  } else {
    v[G] = 0.5 * v[G_PLUS] + 0.5 * v[G_MINUS];
  }
  return MS_SUCCESS;
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  (void)ctx;
  *(ms_pin *)model = (ms_pin) { .K = v[K], .plus = v[G_PLUS], .minus = v[G_MINUS] };
  return MS_SUCCESS;
}

static void backbone(const void *model, double u, double *force, double *slope) {
  const ms_pin *m = model;
  *force = m->K * ms_pin_overlap(m, u);
  *slope = ms_pin_stiffness(m, u);
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  double force, slope;
  (void)state;
  backbone(model, in->u[0], &force, &slope);
  return ms_elastic_update(force, slope, in, out, trial);
}

static int gradient(const double *v, int set, double u, double omega, ms_gradient *out) {
  const ms_pin m = { .K = v[K], .plus = v[G_PLUS], .minus = v[G_MINUS] };
  double stop = -copysign(ms_pin_stiffness(&m, u), u); /* of the gap that is closed */
  (void)omega;
  out[K] =
      (ms_gradient) { .force = ms_pin_overlap(&m, u), .stuck = ms_pin_stiffness(&m, 0.0) / m.K };
  out[set == SYMMETRIC ? G : u > 0.0 ? G_PLUS : G_MINUS].force = stop;
  if (m.plus + m.minus > 0.0) return 1;
  for (int i = G; i <= G_MINUS; i++) out[i].stuck = -HUGE_VAL; /* any gap frees the spring */
  return 1;
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const ms_elastic_state *s = state;
  *out = (ms_joint_energy) { .stored = s->k * ms_pin_energy(model, s->u) };
}

enum { BY_K, BY_PLUS, BY_MINUS };

static int slopes(const void *model, const double *value, int set, int i,
                  double slope[MS_SENSITIVITY_SLOPES]) {
  (void)model, (void)value, (void)set;
  slope[BY_K] = i == K;
  slope[BY_PLUS] = i == G || i == G_PLUS;
  slope[BY_MINUS] = i == G || i == G_MINUS;
  return 1;
}

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  const ms_pin *m = model;
  double o = ms_pin_overlap(m, in->u[0]);
  (void)state, (void)out, (void)trial;
  for (ptrdiff_t i = 0; i < d->n_param; i++) {
    const ms_sensitivity_param *p = &d->param[i];
    double gap = o > 0.0 ? -p->slope[BY_PLUS] : o < 0.0 ? p->slope[BY_MINUS] : 0.0;
    d->force[p->direction] += in->k * (p->slope[BY_K] * o + m->K * gap);
  }
}

static void macroslip(const void *model, double *left) {
  left[0] = ms_pin_stiffness(model, 0.0);
}

const ms_law ms_law_gap = {
  .info = { .name = "gap",
            .title = "elastic stops on both sides of a gap",
            .reference = "piecewise-linear contact; Shaw and Holmes, J. Sound Vib. 90 (1983) 129",
            MS_LAW_PARAMS(params),
            .n_axis = 1 },
  .model_size = sizeof(ms_pin),
  MS_ELASTIC_ENTRIES,
  .check = check,
  .setup = setup,
  .update = update,
  .backbone = backbone,
  .gradient = gradient,
  .energy = energy,
  .macroslip = macroslip,
  .sensitivity = sensitivity,
  .slopes = slopes,
};
