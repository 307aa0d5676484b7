/* Derivatives of a backbone model: those of the levels, or differences. */
#include <math.h>
#include <string.h>

#include "identify/calibrate/backbone_model.h"
#include "identify/tolerance.h"
#include "structure/impl.h"

/* ---- derivatives ---- */

/* Which free parameter each of the joints' numbers belongs to. */
static void map_owners(ms_backbone_model *b) {
  for (ptrdiff_t s = 0; s < b->n_sensitivity; s++) {
    const ms_sensitivity *x = &b->sensitivity[s];
    b->owner[s] = -1;
    for (ptrdiff_t i = 0; i < b->n_parameter; i++) {
      for (ptrdiff_t k = 0; k < b->places.parameter[i].n_place; k++) {
        const ms_place *at = &b->places.parameter[i].place[k];
        if (at->index == x->joint && at->member == x->member &&
            strcmp(at->param, x->param->name) == 0) {
          b->owner[s] = i;
        }
      }
    }
  }
  b->mapped = 1;
}

static ms_status add_slopes(ms_backbone_model *b, model_curve *c, ptrdiff_t point) {
  double *omega_p = c->slope, *zeta_p = omega_p + c->n * b->n_parameter,
         *joint_p = zeta_p + c->n * b->n_parameter;
  for (ptrdiff_t s = 0; s < b->n_sensitivity; s++) {
    const ms_sensitivity *x = &b->sensitivity[s];
    if (b->owner[s] < 0) continue;
    if (!x->defined) return ms_fail(b->ctx, MS_ERR_STATE, "no derivative by %s", x->param->name);
    ptrdiff_t at = point + c->n * b->owner[s];
    omega_p[at] += x->omega;
    zeta_p[at] += x->zeta;
    joint_p[at] += x->zeta_joint;
  }
  for (ptrdiff_t i = 0; i < b->n_parameter; i++) { /* zeta = zeta_joint + zeta_r omega_r/omega */
    for (ptrdiff_t k = 0; k < b->places.parameter[i].n_place; k++) {
      const ms_place *place = &b->places.parameter[i].place[k];
      if (place->index != MS_PLACE_DAMPING || place->member != c->mode) continue;
      zeta_p[point + c->n * i] += c->run->omega_r / c->q[c->n + point];
    }
  }
  return MS_SUCCESS;
}

static ms_status differentiate_curve(ms_backbone_model *b, model_curve *c) {
  memset(c->slope, 0, (size_t)(3 * c->n * b->n_parameter) * sizeof *c->slope);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (i == 0 || c->of[i] != c->of[i - 1]) {
      MS_TRY(ms_quasistatic_fill_sensitivity(c->run, c->of[i], b->sensitivity));
    }
    if (!b->mapped) map_owners(b);
    MS_TRY(add_slopes(b, c, i));
  }
  return MS_SUCCESS;
}

ms_status ms_model_differentiate(ms_backbone_model *b) {
  if (b->structure->contact || b->own) return MS_ERR_STATE;
  for (ptrdiff_t k = 0; k < b->n_curve; k++) MS_TRY(differentiate_curve(b, &b->curve[k]));
  return MS_SUCCESS;
}

/* ---- by differences ---- */

/* slope := sign values/width, added */
static void add_difference(ms_backbone_model *b, ptrdiff_t j, double scale) {
  for (ptrdiff_t k = 0; k < b->n_curve; k++) {
    model_curve *c = &b->curve[k];
    for (ptrdiff_t part = 0; part < 3; part++) {
      double *slope = c->slope + c->n * (j + b->n_parameter * part);
      const double *value = c->q + c->n * (1 + part);
      for (ptrdiff_t i = 0; i < c->n; i++) slope[i] += scale * value[i];
    }
  }
}

/* Central, or from one side where the other has no answer. */
static ms_status differ(ms_backbone_model *b, const double *p, ptrdiff_t j) {
  const double step =
      b->structure->contact ? ms_identify_tol.contact_difference : ms_identify_tol.difference;
  const double h = step * (p[j] != 0.0 ? fabs(p[j]) : 1.0);
  double up = p[j] + h, down = p[j] - h;
  memcpy(b->p, p, (size_t)b->n_parameter * sizeof *p);
  b->p[j] = up;
  ms_status status = ms_model_eval_plain(b, b->p);
  if (status == MS_NOT_CONVERGED) b->p[j] = up = p[j], status = ms_model_eval_plain(b, b->p);
  MS_TRY(status);
  b->p[j] = down;
  add_difference(b, j, 1.0);
  status = ms_model_eval_plain(b, b->p);
  if (status == MS_NOT_CONVERGED && up != p[j])
    b->p[j] = down = p[j], status = ms_model_eval_plain(b, b->p);
  MS_TRY(status);
  add_difference(b, j, -1.0);
  for (ptrdiff_t k = 0; k < b->n_curve; k++) {
    model_curve *c = &b->curve[k];
    for (ptrdiff_t part = 0; part < 3; part++) {
      double *slope = c->slope + c->n * (j + b->n_parameter * part);
      for (ptrdiff_t i = 0; i < c->n; i++) slope[i] /= up - down;
    }
  }
  return MS_SUCCESS;
}

ms_status ms_model_differ(ms_backbone_model *b, const double *p) {
  ms_context_clear_message(b->ctx);
  b->by_differences = 1;
  for (ptrdiff_t k = 0; k < b->n_curve; k++) {
    model_curve *c = &b->curve[k];
    memset(c->slope, 0, (size_t)(3 * c->n * b->n_parameter) * sizeof *c->slope);
  }
  for (ptrdiff_t j = 0; j < b->n_parameter; j++) MS_TRY(differ(b, p, j));
  return ms_model_eval_plain(b, p);
}
