/* Backbones from joint parameters: sets them, follows each curve's mode (response/quasistatic/
   retune.c), runs the levels. */
#include "identify/calibrate/backbone_model.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

/* ---- life ---- */

static void free_curve(ms_context *ctx, model_curve *c) {
  ms_quasistatic_destroy(&c->run);
  ms_free(ctx, &c->q);
  ms_free(ctx, &c->level);
  ms_free(ctx, &c->of);
  ms_free(ctx, &c->slope);
}

void ms_backbone_model_destroy(ms_backbone_model **model) {
  if (!model || !*model) return;
  ms_backbone_model *b = *model;
  ms_places_free(&b->places);
  for (ptrdiff_t i = 0; b->curve && i < b->n_curve; i++) free_curve(b->ctx, &b->curve[i]);
  ms_structure_destroy(&b->own);
  ms_free(b->ctx, &b->curve);
  ms_free(b->ctx, &b->p);
  ms_free(b->ctx, &b->sensitivity);
  ms_free(b->ctx, &b->owner);
  ms_free(b->ctx, model);
}

static ms_status check_request(const ms_backbone_model *b, const ms_curve_request *c) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->q[i] < HUGE_VAL && c->q[i] > 0.0 && (i == 0 || c->q[i] >= c->q[i - 1])) continue;
    return ms_fail(b->ctx, MS_ERR_BOUNDS,
                   "amplitude %td is %g: amplitudes must be > 0, finite, and must not fall", i + 1,
                   c->q[i]);
  }
  if (c->n > 0) return MS_SUCCESS;
  return ms_fail(b->ctx, MS_ERR_ARGUMENT, "a curve needs an amplitude");
}

/* A run of mode `mode`, of the structure with the parameters of now. */
static ms_status open_run(ms_backbone_model *b, model_curve *c, ptrdiff_t mode) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  setting.mode = mode;
  MS_TRY(ms_quasistatic_create(b->own ? b->own : b->structure, &setting, &c->run));
  c->run->tuning.ratio = c->mode - mode;
  return MS_SUCCESS;
}

static ms_status take_curve(ms_backbone_model *b, const ms_curve_request *from, model_curve *c) {
  MS_TRY(check_request(b, from));
  c->n = from->n;
  MS_TRY(ms_allocate(b->ctx, 4 * c->n, sizeof *c->q, &c->q));
  MS_TRY(ms_allocate(b->ctx, c->n, sizeof *c->level, &c->level));
  MS_TRY(ms_allocate(b->ctx, c->n, sizeof *c->of, &c->of));
  MS_TRY(ms_allocate(b->ctx, 3 * c->n * b->n_parameter, sizeof *c->slope, &c->slope));
  memcpy(c->q, from->q, (size_t)c->n * sizeof *c->q);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (i == 0 || c->q[i] > c->q[i - 1]) c->level[c->n_level++] = c->q[i];
    c->of[i] = c->n_level - 1;
  }
  c->mode = from->mode;
  c->mac = 1.0;
  if (b->structure->contact) return MS_SUCCESS;
  MS_TRY(open_run(b, c, c->mode));
  return ms_static_retune(c->run); /* what cannot be followed is said here */
}

/* Of a structure of its own where the parameters change its matrices. */
static ms_status take_places(ms_backbone_model *b, const ms_free_parameter *parameter) {
  MS_TRY(ms_places_take(b->structure, b->n_parameter, parameter, &b->places));
  if (!ms_places_need_setup(&b->places)) return MS_SUCCESS;
  ms_places_free(&b->places);
  MS_TRY(ms_structure_copy(b->ctx, b->structure, &b->own));
  return ms_places_take(b->own, b->n_parameter, parameter, &b->places);
}

static ms_status fill(ms_backbone_model *b, const ms_free_parameter *parameter,
                      const ms_curve_request *request) {
  MS_TRY(ms_allocate(b->ctx, b->n_curve, sizeof *b->curve, &b->curve));
  MS_TRY(ms_allocate(b->ctx, b->n_parameter, sizeof *b->p, &b->p));
  MS_TRY(take_places(b, parameter));
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    ms_status status = take_curve(b, &request[i], &b->curve[i]);
    if (status != MS_SUCCESS) return ms_fail_at(b->ctx, status, "curve %td", i + 1);
  }
  if (b->structure->contact) return MS_SUCCESS;
  b->n_sensitivity = ms_quasistatic_count_parameters(b->curve[0].run);
  MS_TRY(ms_allocate(b->ctx, b->n_sensitivity, sizeof *b->owner, &b->owner));
  return ms_allocate(b->ctx, b->n_sensitivity, sizeof *b->sensitivity, &b->sensitivity);
}

ms_status ms_backbone_model_create(ms_structure *structure, ptrdiff_t n_parameter,
                                   const ms_free_parameter *parameter, ptrdiff_t n_curve,
                                   const ms_curve_request *request, ms_backbone_model **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  ms_backbone_model *b;
  MS_MAKE(ctx, out, parameter && request);
  if (n_parameter < 1 || n_curve < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a backbone model needs a parameter and a curve");
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *b, &b));
  *b = (ms_backbone_model) {
    .ctx = ctx, .structure = structure, .n_parameter = n_parameter, .n_curve = n_curve
  };
  ms_status status = fill(b, parameter, request);
  if (status != MS_SUCCESS) {
    ms_backbone_model_destroy(&b);
    return status;
  }
  *out = b;
  return MS_SUCCESS;
}

ms_status ms_backbone_model_get(const ms_backbone_model *b, double *p) {
  return ms_places_get(&b->places, p);
}

/* ---- curves ---- */

/* Index of the first point without finite values, n if all have them. */
static ptrdiff_t copy_levels(model_curve *c) {
  double *omega = c->q + c->n, *zeta = omega + c->n, *zeta_joint = zeta + c->n;
  c->residual = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(c->run, c->of[i]);
    if (!isfinite(level->omega + level->zeta + level->zeta_joint)) return i;
    omega[i] = level->omega;
    zeta[i] = level->zeta;
    zeta_joint[i] = level->zeta_joint;
    c->residual = fmax(c->residual, level->residual);
  }
  return c->n;
}

static ms_status eval_curve(ms_backbone_model *b, ptrdiff_t k) {
  model_curve *c = &b->curve[k];
  b->failed_curve = k;
  b->failed_point = 0;
  MS_TRY(ms_static_retune(c->run));
  ms_status status = ms_quasistatic_run(c->run, c->n_level, c->level);
  ptrdiff_t reached = ms_quasistatic_count_levels(c->run);
  while (status != MS_SUCCESS && c->of[b->failed_point] < reached) b->failed_point++;
  MS_TRY(status);
  b->failed_point = copy_levels(c);
  if (b->failed_point == c->n) return MS_SUCCESS;
  return ms_fail(b->ctx, MS_NOT_CONVERGED, "frequency or damping at amplitude %g is not finite",
                 c->q[b->failed_point]);
}

/* Modes of the structure as it is now; each curve has that most like its mode of the reference. */
static ms_status solve_modes(ms_backbone_model *b) {
  ptrdiff_t mode = 0;
  for (ptrdiff_t k = 0; k < b->n_curve; k++) ms_quasistatic_destroy(&b->curve[k].run);
  MS_TRY(ms_structure_setup(b->own));
  for (ptrdiff_t k = 0; k < b->n_curve; k++) {
    model_curve *c = &b->curve[k];
    MS_TRY(ms_structure_find_like(b->own, b->structure, c->mode, &mode, &c->mac));
    MS_TRY(open_run(b, c, mode));
  }
  return MS_SUCCESS;
}

ms_status ms_model_eval_plain(ms_backbone_model *b, const double *p) {
  b->failed_curve = -1;
  b->failed_point = 0;
  ms_status status = ms_places_set_all(&b->places, p);
  if (b->own && status == MS_SUCCESS) status = solve_modes(b);
  if (b->structure->contact) return ms_places_soften(status ? status : ms_model_eval_contact(b));
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < b->n_curve; k++) status = eval_curve(b, k);
  return ms_places_soften(status);
}

ms_status ms_backbone_model_eval(ms_backbone_model *b, const double *p, int derivatives) {
  b->has_slopes = b->by_differences = 0;
  MS_TRY(ms_model_eval_plain(b, p));
  if (!derivatives) return MS_SUCCESS;
  ms_status status = ms_model_differentiate(b);
  if (status == MS_ERR_STATE) status = ms_model_differ(b, p);
  b->has_slopes = status == MS_SUCCESS;
  return ms_places_soften(status);
}

ms_curve_values ms_backbone_model_curve(const ms_backbone_model *b, ptrdiff_t k) {
  const model_curve *c = &b->curve[k];
  const double *omega_p = b->has_slopes ? c->slope : NULL;
  const ptrdiff_t size = c->n * b->n_parameter;
  return (ms_curve_values) { .n = c->n,
                             .q = c->q,
                             .omega = c->q + c->n,
                             .zeta = c->q + 2 * c->n,
                             .zeta_joint = c->q + 3 * c->n,
                             .omega_p = omega_p,
                             .zeta_p = omega_p ? omega_p + size : NULL,
                             .zeta_joint_p = omega_p ? omega_p + 2 * size : NULL,
                             .omega_0 = c->run ? c->run->omega_r : c->omega_0,
                             .mac = c->run ? c->mac * c->run->tuning.mac : c->mac,
                             .followed = c->run && c->run->tuning.followed,
                             .by_differences = b->by_differences,
                             .residual = c->residual };
}

void ms_backbone_model_get_failure(const ms_backbone_model *b, ptrdiff_t *curve, ptrdiff_t *point) {
  *curve = b->failed_curve;
  *point = b->failed_point;
}
