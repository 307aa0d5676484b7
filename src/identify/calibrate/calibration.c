/* Targets of all kinds side by side: their residuals, objectives and views, for one thread. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/calibrate_methods.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "structure/impl.h"

static const ms_residual_kind *const kinds[MS_TARGET_KINDS] = {
  &ms_curve_residuals, &ms_loop_residuals, &ms_joint_test_residuals, &ms_hit_residuals,
  &ms_shaker_residuals
};

struct ms_calibration {
  ms_context *ctx;
  ptrdiff_t n_parameter, n_target;
  ms_residuals *part[MS_TARGET_KINDS];  /* NULL: no target is of this kind */
  ptrdiff_t first[MS_TARGET_KINDS + 1]; /* residual of each */
  ptrdiff_t *place;                     /* of target k among those of its kind, */
  ms_target_kind *kind;                 /* and that kind */
  double *f;                            /* misfits */
  double *J;                            /* of one kind */
};

const char *ms_target_quantity(ms_target_kind kind, int i) {
  return kinds[kind]->quantity[i];
}

ms_status ms_target_check(ms_structure *structure, const ms_target *target) {
  return kinds[target->kind]->check(structure, target);
}

/* ---- residuals of one kind ---- */

static void close_part(ms_residuals **part) {
  ms_residuals *s = *part;
  if (!s) return;
  ms_context *ctx = s->ctx;
  if (s->kind->close) s->kind->close(s);
  ms_places_free(&s->places);
  for (ptrdiff_t k = 0; s->target && k < s->n_target; k++) {
    ms_free(ctx, &s->target[k].name);
    ms_free(ctx, &s->target[k].store);
    ms_free(ctx, &s->target[k].row);
    ms_free(ctx, &s->target[k].unreached);
  }
  ms_free(ctx, &s->target);
  ms_free(ctx, &s->scratch);
  ms_free(ctx, part);
}

static ms_status take_target(ms_residuals *s, ms_structure *structure, const ms_target *from) {
  ms_own_target *to = &s->target[s->n_target++];
  MS_TRY(s->kind->check(structure, from));
  MS_TRY(ms_text_copy(s->ctx, ms_points_name(from), &to->name));
  to->is = *from;
  to->is.name = to->name;
  MS_TRY(s->kind->take(s, from, to));
  s->n_residual += to->view.n * (s->kind->quantity[1] ? 2 : 1);
  return MS_SUCCESS;
}

static ms_status open_part(ms_calibration *c, ms_structure *structure,
                           const ms_free_parameter *parameter, ptrdiff_t n, const ms_target *target,
                           ms_target_kind kind) {
  ms_residuals *s;
  MS_TRY(ms_allocate(c->ctx, 1, kinds[kind]->size, &s));
  c->part[kind] = s;
  *s = (ms_residuals) { .kind = kinds[kind], .ctx = c->ctx, .n_parameter = c->n_parameter };
  MS_TRY(ms_allocate(c->ctx, n, sizeof *s->target, &s->target));
  for (ptrdiff_t k = 0; k < n; k++) {
    if (target[k].kind != kind) continue;
    c->place[k] = s->n_target;
    c->kind[k] = kind;
    MS_TRY(take_target(s, structure, &target[k]));
  }
  if (s->kind->open) MS_TRY(s->kind->open(s, structure, parameter));
  return ms_allocate(c->ctx, s->n_residual + s->n_parameter, sizeof *s->scratch, &s->scratch);
}

ptrdiff_t ms_residuals_first(const ms_residuals *s, ptrdiff_t k) {
  ptrdiff_t first = 0;
  while (k-- > 0) first += s->target[k].view.n * (s->kind->quantity[1] ? 2 : 1);
  return first;
}

ms_status ms_residuals_eval(void *self, const double *p, double *r, double *jac) {
  ms_residuals *s = self;
  (void)jac;
  MS_TRY(s->kind->run(s, p));
  for (ptrdiff_t k = 0; k < s->n_target; k++) s->kind->fill(s, k, r + ms_residuals_first(s, k));
  return MS_SUCCESS;
}

/* ---- all kinds ---- */

void ms_calibration_destroy(ms_calibration **calibration) {
  if (!calibration || !*calibration) return;
  ms_calibration *c = *calibration;
  for (int i = 0; i < MS_TARGET_KINDS; i++) close_part(&c->part[i]);
  ms_free(c->ctx, &c->place);
  ms_free(c->ctx, &c->kind);
  ms_free(c->ctx, &c->f);
  ms_free(c->ctx, &c->J);
  ms_free(c->ctx, calibration);
}

static ms_status fill(ms_calibration *c, ms_structure *structure,
                      const ms_free_parameter *parameter, const ms_target *target) {
  ptrdiff_t most = 0;
  MS_TRY(ms_allocate(c->ctx, c->n_target, sizeof *c->place, &c->place));
  MS_TRY(ms_allocate(c->ctx, c->n_target, sizeof *c->kind, &c->kind));
  MS_TRY(ms_allocate(c->ctx, 2 * c->n_target, sizeof *c->f, &c->f));
  for (int i = 0; i < MS_TARGET_KINDS; i++) {
    ptrdiff_t n = 0, m = 0;
    for (ptrdiff_t k = 0; k < c->n_target; k++) n += target[k].kind == (ms_target_kind)i;
    if (n > 0) {
      MS_TRY(open_part(c, structure, parameter, c->n_target, target, (ms_target_kind)i));
      m = c->part[i]->n_residual;
    }
    c->first[i + 1] = c->first[i] + m;
    most = m > most ? m : most;
  }
  for (ptrdiff_t i = 0; i < c->n_parameter && !c->part[MS_TARGET_HIT]; i++) {
    if (parameter[i].n_place < 1 || parameter[i].place->joint != MS_PLACE_GAIN) continue;
    return ms_fail(c->ctx, MS_ERR_ARGUMENT,
                   "%s: gains are those of a hammer test, and no target is", parameter[i].name);
  }
  if (c->first[MS_TARGET_KINDS] < c->n_parameter) {
    return ms_fail(c->ctx, MS_ERR_ARGUMENT, "%td numbers do not determine %td parameters",
                   c->first[MS_TARGET_KINDS], c->n_parameter);
  }
  return ms_allocate(c->ctx, most * c->n_parameter, sizeof *c->J, &c->J);
}

ms_status ms_calibration_create(ms_structure *structure, ptrdiff_t n_parameter,
                                const ms_free_parameter *parameter, ptrdiff_t n_target,
                                const ms_target *target, ms_calibration **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  ms_calibration *c;
  MS_MAKE(ctx, out, parameter && target);
  if (n_parameter < 1 || n_target < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td parameters and %td targets: there must be one of each; of a hammer test "
                   "impacts that are not used and modes that cannot be read are no targets",
                   n_parameter, n_target);
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  *c = (ms_calibration) { .ctx = ctx, .n_parameter = n_parameter, .n_target = n_target };
  ms_status status = fill(c, structure, parameter, target);
  if (status != MS_SUCCESS) {
    ms_calibration_destroy(&c);
    return status;
  }
  *out = c;
  return MS_SUCCESS;
}

ms_status ms_calibration_try(ms_structure *structure, ptrdiff_t n_parameter,
                             const ms_free_parameter *parameter, ptrdiff_t n_target,
                             const ms_target *target, ptrdiff_t *guilty) {
  ms_calibration *trial = NULL;
  char message[512];
  ms_status status =
      ms_calibration_create(structure, n_parameter, parameter, n_target, target, &trial);
  ms_calibration_destroy(&trial);
  *guilty = -1;
  if (status == MS_SUCCESS || !structure) return status;
  ms_context *ctx = structure->ctx;
  snprintf(message, sizeof message, "%s", ms_context_message(ctx));
  for (ptrdiff_t k = 0; k < n_target && *guilty < 0; k++) {
    ms_status one = ms_calibration_create(structure, n_parameter, parameter, 1, &target[k], &trial);
    ms_calibration_destroy(&trial);
    if (one == MS_SUCCESS) continue;
    if (strncmp(message, ms_context_message(ctx), sizeof message - 1) == 0) *guilty = k;
  }
  if (*guilty < 0) ms_fail(ctx, status, "%s", message);
  return status;
}

ms_context *ms_calibration_context(const ms_calibration *c) {
  return c->ctx;
}

ptrdiff_t ms_calibration_count_targets(const ms_calibration *c) {
  return c->n_target;
}

ptrdiff_t ms_calibration_count_residuals(const ms_calibration *c) {
  return c->first[MS_TARGET_KINDS];
}

static const ms_own_target *target_of(const ms_calibration *c, ptrdiff_t k) {
  return &c->part[c->kind[k]]->target[c->place[k]];
}

/* Rows of hits are weighed by noise that is known; of other data nothing is. */
double ms_calibration_least_noise(const ms_calibration *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_hit_option *o = &target_of(c, k)->is.is.hit;
    if (c->kind[k] == MS_TARGET_HIT &&
        ms_hammer_get_error(o->test, o->hit, o->mode, 0).amplitude > 0.0) {
      continue;
    }
    return ms_identify_tol.least_noise;
  }
  return ms_identify_tol.least_hit_noise;
}

ptrdiff_t ms_calibration_count_data(const ms_calibration *c) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_own_target *t = target_of(c, k);
    for (int i = 0; i < 2 && kinds[t->is.kind]->quantity[i]; i++) {
      n += t->is.weight[i] > 0.0 ? t->view.n : 0;
    }
  }
  return n;
}

ms_fit_problem ms_calibration_problem(ms_calibration *c, const ms_fit_parameter *parameter) {
  int has_jacobian = 1;
  for (int i = 0; i < MS_TARGET_KINDS; i++) has_jacobian &= !c->part[i] || kinds[i]->differentiate;
  return (ms_fit_problem) { .n = c->n_parameter,
                            .m = ms_calibration_count_residuals(c),
                            .parameter = parameter,
                            .eval = ms_calibration_eval,
                            .user = c,
                            .has_jacobian = has_jacobian };
}

/* ---- evaluation ---- */

ms_status ms_calibration_eval(void *user, const double *p, double *r, double *jac) {
  ms_calibration *c = user;
  const ptrdiff_t m = c->first[MS_TARGET_KINDS];
  for (int i = 0; i < MS_TARGET_KINDS; i++) {
    const ptrdiff_t first = c->first[i], rows = c->first[i + 1] - first;
    if (!c->part[i]) continue;
    if (jac && !kinds[i]->differentiate) {
      return ms_fail(c->ctx, MS_ERR_ARGUMENT, "a simulated test has no Jacobian");
    }
    MS_TRY(jac ? kinds[i]->differentiate(c->part[i], p, r + first, c->J)
               : ms_residuals_eval(c->part[i], p, r + first, NULL));
    for (ptrdiff_t j = 0; jac && j < c->n_parameter; j++) {
      memcpy(jac + first + m * j, c->J + rows * j, (size_t)rows * sizeof *jac);
    }
  }
  return MS_SUCCESS;
}

/* (1/n) sum ((model - target)/target)^2 */
static double mean_square(const ms_target_view *v, int i) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < v->n; k++) {
    double e = (v->model[i][k] - v->target[i][k]) / v->target[i][k];
    sum += e * e;
  }
  return sum / (double)v->n;
}

ms_status ms_calibration_objectives(ms_calibration *c, const double *p, double *f) {
  for (int i = 0; i < MS_TARGET_KINDS; i++) {
    if (c->part[i]) MS_TRY(kinds[i]->run(c->part[i], p));
  }
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_residual_kind *kind = kinds[c->kind[k]];
    const ms_own_target *t = target_of(c, k);
    for (int i = 0; i < 2; i++) {
      f[2 * k + i] = 0.0;
      if (!kind->quantity[i] || !(t->is.weight[i] > 0.0)) continue;
      f[2 * k + i] = kind->misfit ? kind->misfit(c->part[c->kind[k]], c->place[k], i)
                                  : mean_square(&t->view, i);
    }
    if (isfinite(f[2 * k] + f[2 * k + 1])) continue;
    return ms_fail(c->ctx, MS_NOT_CONVERGED, "%s: the misfit is not finite", t->is.name);
  }
  return MS_SUCCESS;
}

/* ---- views ---- */

ms_target_view ms_calibration_view(const ms_calibration *c, ptrdiff_t k) {
  ms_target_view v = target_of(c, k)->view;
  v.by_differences = c->part[c->kind[k]]->by_differences;
  return v;
}

ms_curve_values ms_calibration_curve(const ms_calibration *c, ptrdiff_t k) {
  return ms_curve_residuals_get(c->part[MS_TARGET_CURVE], c->place[k]);
}

double ms_target_view_largest(const ms_target_view *view, int i) {
  double worst = 0.0;
  for (ptrdiff_t k = 0; k < view->n; k++) {
    double scale = view->scale[i] > 0.0 ? view->scale[i] : fabs(view->target[i][k]);
    worst = fmax(worst, fabs(view->model[i][k] - view->target[i][k]) / scale);
  }
  return worst;
}

/* Columns of n numbers from `store` on: x, the target's quantities, the model's, levels. */
static ms_target_view copy_view(const ms_target_view *view, double *store, int *row) {
  const ptrdiff_t n = view->n;
  ms_target_view out = *view;
  const double **const to[6] = { &out.x,        &out.target[0], &out.target[1],
                                 &out.model[0], &out.model[1],  &out.level };
  for (int i = 0; i < 6; i++) {
    if (*to[i]) *to[i] = memcpy(store + n * i, *to[i], (size_t)n * sizeof *store);
  }
  out.row = memcpy(row, view->row, (size_t)n * sizeof *row);
  if (view->unreached) out.unreached = memcpy(row + n, view->unreached, (size_t)n * sizeof *row);
  return out;
}

static ms_status keep_views(const ms_calibration *c, ms_solution *out) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) n += target_of(c, k)->view.n;
  MS_TRY(ms_allocate(c->ctx, c->n_target, sizeof *out->view, &out->view));
  MS_TRY(ms_allocate(c->ctx, 6 * n, sizeof *out->store, &out->store));
  MS_TRY(ms_allocate(c->ctx, 2 * n, sizeof *out->row, &out->row));
  n = 0;
  for (ptrdiff_t k = 0; k < c->n_target; n += out->view[k++].n) {
    const ms_target_view view = ms_calibration_view(c, k);
    out->view[k] = copy_view(&view, out->store + 6 * n, out->row + 2 * n);
  }
  return MS_SUCCESS;
}

ms_status ms_calibration_solve(ms_calibration *c, const char *name, const double *p,
                               ms_solution *out) {
  *out = (ms_solution) { .p = NULL };
  snprintf(out->name, sizeof out->name, "%s", name);
  MS_TRY(ms_allocate(c->ctx, c->n_parameter + 2 * c->n_target, sizeof *out->p, &out->p));
  out->f = out->p + c->n_parameter;
  memcpy(out->p, p, (size_t)c->n_parameter * sizeof *p);
  MS_TRY(ms_calibration_objectives(c, p, out->f));
  return keep_views(c, out);
}

void ms_solution_free(ms_context *ctx, ms_solution *s) {
  ms_free(ctx, &s->view);
  ms_free(ctx, &s->store);
  ms_free(ctx, &s->row);
  ms_free(ctx, &s->p);
}

/* ---- predictions ---- */

ptrdiff_t ms_solution_count(const ms_solution *s, ptrdiff_t n_target) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < n_target; k++) n += s->view[k].n * (s->view[k].model[1] ? 2 : 1);
  return n;
}

ms_status ms_calibration_predict(ms_calibration *c, const double *p, double *out) {
  MS_TRY(ms_calibration_objectives(c, p, c->f));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target_view *v = &target_of(c, k)->view;
    for (int i = 0; i < 2 && v->model[i]; i++, out += v->n) {
      memcpy(out, v->model[i], (size_t)v->n * sizeof *out);
    }
  }
  return MS_SUCCESS;
}
