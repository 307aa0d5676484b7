/* The preload: stages of pushing and holding, and the contact at rest under loads of its modes.

   Supports may leave the assembly free to move as a rigid body. Then as many of its coordinates are
   pinned as there are such motions. Loads in balance need nothing of the pins, and contacts see
   relative motions only, so that the pins change no answer. */
#include <math.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/contact/faces.h"
#include "fem/solve/free_motions.h"
#include "fem/tolerance.h"

typedef struct work {
  ms_context *ctx;
  const ms_fem_assembly *assembly;
  const ms_fem_stage *stage; /* NULL: released */
  ms_fem_model *model;
  double *load; /* of the model */
  ptrdiff_t n_load, n_free;
  double *phi; /* of its modes */
} work;

/* ---- models ---- */

/* With contacts, what the stage holds, and pins (coordinates of the model). */
static ms_status make_model(work *w, ptrdiff_t n_pin, const ptrdiff_t *pin) {
  const ms_fem_assembly *a = w->assembly;
  const ms_fem_stage *stage = w->stage;
  ms_fem_destroy(&w->model);
  MS_TRY(a->make(a->user, &w->model));
  for (int i = 0; stage && i < stage->n_hold; i++) {
    MS_TRY(ms_fem_fix_set(w->model, stage->hold[i], MS_FEM_TRANSLATIONS));
  }
  for (ptrdiff_t i = 0; i < n_pin; i++) {
    ptrdiff_t node = 0;
    while (node + 1 < w->model->n_node &&
           !(pin[i] >= w->model->first[node] && w->model->first[node] >= 0 &&
             pin[i] < w->model->first[node] + w->model->n_comp[node])) {
      node++;
    }
    MS_TRY(ms_fem_fix(w->model, "pin", node, 1 << (pin[i] - w->model->first[node])));
  }
  for (int i = 0; i < a->n_contact; i++) MS_TRY(ms_fem_add_contact(w->model, &a->contact[i]));
  return ms_fem_setup(w->model, NULL);
}

/* Coordinates whose pins hold the motions X (size x n), by elimination with the largest pivot; X is
   spent. */
static void choose_pins(ptrdiff_t size, ptrdiff_t n, double *X, ptrdiff_t *pin) {
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t row = 0, column = k;
    for (ptrdiff_t j = k; j < n; j++) {
      for (ptrdiff_t i = 0; i < size; i++) {
        if (fabs(X[i + size * j]) > fabs(X[row + size * column])) row = i, column = j;
      }
    }
    pin[k] = row;
    for (ptrdiff_t i = 0; i < size && column != k; i++) {
      const double x = X[i + size * k];
      X[i + size * k] = X[i + size * column];
      X[i + size * column] = x;
    }
    for (ptrdiff_t j = k + 1; j < n; j++) {
      const double part = X[row + size * j] / X[row + size * k];
      for (ptrdiff_t i = 0; i < size; i++) X[i + size * j] -= part * X[i + size * k];
    }
  }
}

/* Loads that push the assembly as a whole have no equilibrium. */
static ms_status check_balance(const work *w, const ms_free_motions *f) {
  const ptrdiff_t size = w->model->n;
  for (ptrdiff_t k = 0; k < w->n_load; k++) {
    for (ptrdiff_t j = 0; j < f->n; j++) {
      double sum = 0.0, all = 0.0;
      for (ptrdiff_t i = 0; i < size; i++) {
        const double part = w->load[i + size * k] * f->u[i + size * j];
        sum += part;
        all += fabs(part);
      }
      if (fabs(sum) <= ms_mesh_tol.unbalanced * all) continue;
      return ms_fail(w->ctx, MS_ERR_ARGUMENT,
                     "the assembly is free to move, and the pushes are not in balance: %.2g of "
                     "them is left; hold a set of nodes, fix one, or push against it",
                     fabs(sum) / all);
    }
  }
  return MS_SUCCESS;
}

/* The pushes of the stage, or M phi of the modes: of the model before it is pinned. */
static ms_status fill_load(work *w) {
  const ptrdiff_t size = w->model->n;
  ms_free(w->ctx, &w->load);
  MS_TRY(ms_allocate(w->ctx, size * w->n_load, sizeof *w->load, &w->load));
  if (w->phi) {
    return ms_fem_multiply(w->model, w->model->engine->M, w->n_load, w->phi, w->load);
  }
  for (int i = 0; w->stage && i < w->stage->n_push; i++) {
    MS_TRY(ms_fem_add_push(w->model, &w->stage->push[i], w->load));
  }
  return MS_SUCCESS;
}

/* A model that can be solved, and its loads. */
static ms_status open_model(work *w) {
  enum { MOST_FREE = 6 };
  ms_free_motions f = { 0 };
  ptrdiff_t pin[MOST_FREE];
  MS_TRY(make_model(w, 0, NULL));
  MS_TRY(fill_load(w));
  ms_status status = ms_free_motions_find(w->model, w->model->engine->M, 0, &f);
  w->n_free = f.n;
  if (!status && f.n > f.whole) {
    status = ms_fail(w->ctx, MS_ERR_ARGUMENT,
                     "%s can move freely with all contacts closed: fix, hold or tie it", f.moves);
  }
  if (!status && f.n > 0) {
    for (ptrdiff_t j = 0; j < f.n; j++) ms_fem_expand(w->model, f.u + w->model->n * j, 0);
    status = check_balance(w, &f);
  }
  if (!status && f.n > 0) {
    /* Unknowns only: what follows others cannot be pinned. */
    for (ptrdiff_t i = 0; i < w->model->n * f.n; i++) {
      if (w->model->T.row_of[i % w->model->n] >= 0) f.u[i] = 0.0;
    }
    choose_pins(w->model->n, f.n, f.u, pin);
    status = make_model(w, f.n, pin);
  }
  ms_free_motions_free(w->ctx, &f);
  return status;
}

static void close_work(work *w) {
  ms_fem_destroy(&w->model);
  ms_free(w->ctx, &w->load);
  ms_free(w->ctx, &w->phi);
}

/* ---- stages ---- */

static ms_status push(ms_context *ctx, const ms_contact_problem *problem,
                      const ms_contact_setting *setting, const ms_contact *before, int steps,
                      ms_contact **out) {
  MS_TRY(ms_contact_create(ctx, problem, setting, out));
  if (before) MS_TRY(ms_contact_continue(*out, before));
  for (int i = 1; i <= steps; i++) {
    const double p = (double)i / (double)steps;
    MS_TRY(ms_contact_load(*out, &p));
    MS_TRY(ms_progress(ctx, "preload", p));
  }
  return MS_SUCCESS;
}

static double compare_normal(const ms_contact *a, const ms_contact *b) {
  const ms_contact_state s = ms_contact_get(a), t = ms_contact_get(b);
  double change = 0.0, sum = 0.0;
  for (ptrdiff_t i = 0; i < s.n_point; i++) {
    change += fabs(s.lambda[3 * i + 2] - t.lambda[3 * i + 2]);
    sum += t.lambda[3 * i + 2];
  }
  return sum > 0.0 ? change / sum : 0.0;
}

/* Friction depends on the way: once more with twice the steps, which is what stays. */
static ms_status push_stage(const work *w, const ms_contact_problem *problem, ms_fem_rest *rest) {
  const ms_fem_stage *stage = w->stage;
  const ms_contact_setting *setting = w->assembly->setting;
  ms_contact *coarse = NULL, *fine = NULL;
  const int steps = stage->steps > 0 ? stage->steps : 1;
  ms_status status = push(w->ctx, problem, setting, rest->contact, steps, &coarse);
  if (!status && stage->friction) {
    status = push(w->ctx, problem, setting, rest->contact, 2 * steps, &fine);
    if (!status) rest->change = fmax(rest->change, compare_normal(coarse, fine));
  }
  ms_contact_destroy(&rest->contact);
  rest->contact = stage->friction ? fine : coarse;
  if (stage->friction) ms_contact_destroy(&coarse);
  return status;
}

static ms_status run_stage(work *w, ms_fem_rest *rest) {
  w->n_load = 1;
  MS_TRY(open_model(w));
  ms_fem_condensed_free(w->ctx, &rest->condensed);
  MS_TRY(ms_fem_condense(w->model, 1, w->load, &rest->condensed));
  for (ptrdiff_t i = 0; i < rest->condensed.n_point && !w->stage->friction; i++) {
    rest->condensed.point[i].mu = 0.0;
  }
  const ms_contact_problem problem = ms_fem_condensed_get(&rest->condensed);
  MS_TRY(push_stage(w, &problem, rest));
  rest->released = w->stage->n_hold > 0;
  rest->n_free = w->n_free;
  ptrdiff_t n;
  const ms_fem_contact_point *point = ms_fem_get_contact_points(w->model, &n);
  if (rest->point) return MS_SUCCESS;
  MS_TRY(ms_allocate(w->ctx, n, sizeof *rest->point, &rest->point));
  memcpy(rest->point, point, (size_t)n * sizeof *point);
  rest->n_point = n;
  return ms_fem_fill_contact_faces(w->model, w->assembly, rest);
}

ms_status ms_fem_find_rest(ms_context *ctx, const ms_fem_assembly *assembly, ms_fem_rest *out) {
  static const ms_fem_stage nothing = { .friction = 1, .steps = 1 };
  const int n = assembly->n_stage;
  *out = (ms_fem_rest) { 0 };
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < (n > 0 ? n : 1) && !status; i++) {
    work w = { .ctx = ctx, .assembly = assembly, .stage = n > 0 ? &assembly->stage[i] : &nothing };
    status = run_stage(&w, out);
    close_work(&w);
    if (status && n > 1) status = ms_fail_at(ctx, status, "stage %d of the preload", i + 1);
  }
  if (status) ms_fem_rest_free(ctx, out);
  return status;
}

void ms_fem_rest_free(ms_context *ctx, ms_fem_rest *rest) {
  ms_contact_destroy(&rest->contact);
  ms_fem_condensed_free(ctx, &rest->condensed);
  ms_free(ctx, &rest->point);
  ms_free(ctx, &rest->face);
  *rest = (ms_fem_rest) { 0 };
}

/* ---- at rest ---- */

ms_status ms_fem_stick_rest(ms_fem_model *model, const ms_fem_rest *rest) {
  const unsigned char *status = ms_contact_get(rest->contact).status;
  unsigned char *closed;
  MS_TRY(ms_allocate(model->ctx, rest->n_point, 1, &closed));
  for (ptrdiff_t i = 0; i < rest->n_point; i++) closed[i] = status[i] != MS_CONTACT_OPEN;
  const ms_status ended = ms_fem_stick(model, rest->n_point, rest->point, closed);
  ms_free(model->ctx, &closed);
  return ended;
}

static ms_status find_shapes(work *w, const ms_fem_rest *rest, double *omega) {
  const ms_fem_assembly *a = w->assembly;
  ms_fem_modes modes = { 0 };
  MS_TRY(a->make(a->user, &w->model));
  MS_TRY(ms_fem_stick_rest(w->model, rest));
  MS_TRY(ms_fem_setup(w->model, NULL));
  MS_TRY(ms_fem_find_modes(w->model, w->n_load, 0.0, &modes));
  const ptrdiff_t size = w->model->n, n = modes.n < w->n_load ? modes.n : w->n_load;
  ms_status status = ms_allocate(w->ctx, size * w->n_load, sizeof *w->phi, &w->phi);
  if (!status && modes.n_mechanism > 0) {
    status = ms_fail(w->ctx, MS_ERR_ARGUMENT,
                     "at rest %s can move freely although all closed points stick: the preload "
                     "closes too few of them",
                     modes.moves);
  }
  for (ptrdiff_t k = 0; k < n && !status; k++) {
    if (omega) omega[k] = modes.omega[k];
    if (modes.omega[k] == 0.0) continue; /* rigid-body motions load nothing */
    memcpy(w->phi + size * k, modes.shape + size * k, (size_t)size * sizeof *w->phi);
  }
  ms_fem_modes_free(w->ctx, &modes);
  return status;
}

static ms_status load_modes(work *w, const ms_fem_rest *rest, double *omega, ms_contact **out) {
  ms_fem_condensed condensed = { 0 };
  MS_TRY(find_shapes(w, rest, omega));
  MS_TRY(open_model(w));
  ms_status status = ms_fem_condense_loads(w->model, w->n_load, w->load,
                                           rest->released ? NULL : &rest->condensed, &condensed);
  if (!status) {
    const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
    status = ms_contact_create(w->ctx, &problem, w->assembly->setting, out);
  }
  if (!status) status = ms_contact_continue(*out, rest->contact);
  if (status) ms_contact_destroy(out);
  ms_fem_condensed_free(w->ctx, &condensed);
  return status;
}

ms_status ms_fem_load_modes(ms_context *ctx, const ms_fem_assembly *assembly,
                            const ms_fem_rest *rest, ptrdiff_t n, double *omega, ms_contact **out) {
  work w = { .ctx = ctx, .assembly = assembly, .n_load = n };
  *out = NULL;
  const ms_status status = load_modes(&w, rest, omega, out);
  close_work(&w);
  return status;
}
