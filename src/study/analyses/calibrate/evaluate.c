/* The model of every kind of target in use, side by side for one thread. */
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

static const ms_target_kind *const kinds[] = {
#define MS_TARGET_KIND(name, meaning) &ms_target_##name,
#include "study/analyses/calibrate/targets.def"
#undef MS_TARGET_KIND
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct ms_evaluator {
  const ms_calibrate *c;
  ms_context *ctx;
  void *model[N_KINDS];         /* NULL: no target is of this kind */
  ptrdiff_t first[N_KINDS + 1]; /* residual of each */
  ptrdiff_t *place;             /* of target k among those of its kind */
  double *f, *J;                /* of one kind: misfits, Jacobian */
};

int ms_target_kind_count(void) {
  return N_KINDS;
}

const ms_target_kind *ms_target_kind_get(int i) {
  return kinds[i];
}

static int index_of(const ms_target_kind *kind) {
  int i = 0;
  while (kinds[i] != kind) i++;
  return i;
}

/* ---- life ---- */

void ms_evaluator_close(ms_evaluator **evaluator) {
  if (!evaluator || !*evaluator) return;
  ms_evaluator *e = *evaluator;
  for (int i = 0; i < N_KINDS; i++) {
    if (e->model[i]) kinds[i]->close_model(&e->model[i]);
  }
  ms_free(e->ctx, &e->place);
  ms_free(e->ctx, &e->f);
  ms_free(e->ctx, &e->J);
  ms_free(e->ctx, evaluator);
}

static void place_targets(ms_evaluator *e) {
  ptrdiff_t n[N_KINDS] = { 0 };
  for (ptrdiff_t k = 0; k < e->c->n_target; k++) {
    e->place[k] = n[index_of(e->c->target[k].kind)]++;
  }
}

static ms_status fill(ms_evaluator *e, ms_structure *structure) {
  const ms_calibrate *c = e->c;
  ptrdiff_t most = 0;
  MS_TRY(ms_allocate(e->ctx, c->n_target, sizeof *e->place, &e->place));
  MS_TRY(ms_allocate(e->ctx, 2 * c->n_target, sizeof *e->f, &e->f));
  place_targets(e);
  for (int i = 0; i < N_KINDS; i++) {
    e->first[i + 1] = e->first[i];
    if (!ms_calibrate_get_target(c, kinds[i], 0)) continue;
    MS_TRY(kinds[i]->open_model(e->ctx, c, structure, &e->model[i]));
    ptrdiff_t m = kinds[i]->count(e->model[i]);
    e->first[i + 1] += m;
    most = m > most ? m : most;
  }
  if (e->first[N_KINDS] < c->n) {
    return ms_fail(e->ctx, MS_ERR_ARGUMENT, "%td numbers do not determine %td parameters",
                   e->first[N_KINDS], c->n);
  }
  return ms_allocate(e->ctx, most * c->n, sizeof *e->J, &e->J);
}

ms_status ms_evaluator_open(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                            ms_evaluator **out) {
  ms_evaluator *e;
  *out = NULL;
  MS_TRY(ms_allocate(ctx, 1, sizeof *e, &e));
  *e = (ms_evaluator) { .c = c, .ctx = ctx };
  ms_status status = fill(e, structure);
  if (status != MS_SUCCESS) ms_evaluator_close(&e);
  *out = e;
  return status;
}

ptrdiff_t ms_evaluator_count(const ms_evaluator *e) {
  return e->first[N_KINDS];
}

ptrdiff_t ms_evaluator_count_data(const ms_evaluator *e) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < e->c->n_target; k++) {
    const double *weight = e->c->target[k].weight;
    n += ms_evaluator_view(e, k).n * ((weight[0] > 0.0) + (weight[1] > 0.0));
  }
  return n;
}

int ms_evaluator_has_jacobian(const ms_evaluator *e) {
  for (int i = 0; i < N_KINDS; i++) {
    if (e->model[i] && !kinds[i]->has_jacobian) return 0;
  }
  return 1;
}

/* ---- evaluation ---- */

ms_status ms_evaluator_eval(void *user, const double *p, double *r, double *jac) {
  ms_evaluator *e = user;
  const ptrdiff_t m = e->first[N_KINDS];
  for (int i = 0; i < N_KINDS; i++) {
    const ptrdiff_t first = e->first[i], rows = e->first[i + 1] - first;
    if (!e->model[i]) continue;
    MS_TRY(kinds[i]->eval(e->model[i], p, r + first, jac ? e->J : NULL));
    for (ptrdiff_t j = 0; jac && j < e->c->n; j++) {
      memcpy(jac + first + m * j, e->J + rows * j, (size_t)rows * sizeof *jac);
    }
  }
  return MS_SUCCESS;
}

ms_status ms_evaluator_misfit(ms_evaluator *e, const double *p, double *f) {
  for (int i = 0; i < N_KINDS; i++) {
    if (!e->model[i]) continue;
    MS_TRY(kinds[i]->misfit(e->model[i], p, e->f));
    for (ptrdiff_t k = 0; k < e->c->n_target; k++) {
      if (e->c->target[k].kind == kinds[i])
        memcpy(f + 2 * k, e->f + 2 * e->place[k], 2 * sizeof *f);
    }
  }
  return MS_SUCCESS;
}

ms_target_view ms_evaluator_view(const ms_evaluator *e, ptrdiff_t k) {
  const ms_target_kind *kind = e->c->target[k].kind;
  return kind->view(e->model[index_of(kind)], e->place[k]);
}
