/* The preload: stages of pushing and holding, and the contact at rest under loads of its modes.

   Supports may leave the assembly free to move as a rigid body. Then as many of its coordinates are
   pinned as there are such motions. Loads in balance need nothing of the pins, and contacts see
   relative motions only, so that the pins change no answer. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <microslip/fem_contact.h>
#include <microslip/contact_dynamics.h>

#include <cblas.h>
#include <lapacke.h>

#include "core/internal.h"
#include "fem/contact/bolt.h"
#include "fem/contact/faces.h"
#include "fem/contact/left_free.h"
#include "fem/contact/numbers.h"
#include "fem/contact/points.h"
#include "fem/solve/free_motions.h"
#include "fem/solve/petsc.h"
#include "fem/tolerance.h"
#include "response/contact/preload.h"

typedef struct work {
  ms_context *ctx;
  const ms_fem_assembly *assembly;
  const ms_fem_stage *stage; /* NULL: released */
  ms_fem_model *model;
  double *load; /* of the model */
  ptrdiff_t n_load, n_free;
  double *phi;             /* of its modes */
  ms_contact_modal *modal; /* to be filled, with loads `push`; else NULL */
  const ms_fem_push *push;
  double *sign; /* of its modes, to be filled; else NULL */
  int quiet;    /* one of many times */
  int bare;     /* without contacts */
} work;

/* ---- models ---- */

/* With contacts, what the stage holds, and pins (coordinates of the model). All bolts are open, so
   that stages with the same holds have one flexibility; but not without contacts. */
static ms_status make_model(work *w, ptrdiff_t n_pin, const ptrdiff_t *pin) {
  const ms_fem_assembly *a = w->assembly;
  const ms_fem_stage *stage = w->stage;
  ms_fem_destroy(&w->model);
  MS_TRY(a->make(a->user, w->ctx, &w->model));
  w->model->quiet = w->quiet;
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
  for (int i = 0; i < a->n_contact && !w->bare; i++) {
    MS_TRY(ms_fem_add_contact(w->model, &a->contact[i]));
  }
  for (int i = 0; i < a->n_bolt; i++) {
    MS_TRY(ms_fem_add_bolt(w->model, &a->bolt[i], !w->bare || ms_bolts_is_free(a, stage, i)));
  }
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

/* phi^T F, and F without what pushes rigid-body modes, of some all but rounding. */
static void balance(const work *w, double *F, double *follow) {
  const int n = (int)w->model->n;
  const double before = cblas_dnrm2(n, F, 1);
  for (ptrdiff_t r = 0; r < w->modal->n_mode; r++) {
    follow[w->modal->n_load * r] = cblas_ddot(n, w->phi + n * r, 1, F, 1);
  }
  for (ptrdiff_t r = 0; r < w->modal->n_mode; r++) {
    if (w->modal->omega[r] > 0.0) continue;
    cblas_daxpy(n, -follow[w->modal->n_load * r], w->load + n * r, 1, F, 1);
  }
  if (cblas_dnrm2(n, F, 1) <= ms_mesh_tol.unbalanced * before) memset(F, 0, (size_t)n * sizeof *F);
}

/* M phi and the pushes; nothing where omega = 0. */
static ms_status fill_modal(work *w) {
  const ms_contact_modal *m = w->modal;
  const ptrdiff_t n = w->model->n;
  MS_TRY(ms_fem_multiply(w->model, w->model->engine->M, m->n_mode, w->phi, w->load));
  for (ptrdiff_t k = 0; k < m->n_load; k++) {
    double *F = w->load + n * (m->n_mode + k);
    MS_TRY(ms_fem_add_push(w->model, &w->push[k], F));
    balance(w, F, m->follow + k);
  }
  for (ptrdiff_t r = 0; r < m->n_mode; r++) {
    if (m->omega[r] == 0.0) memset(w->load + n * r, 0, (size_t)n * sizeof *w->load);
  }
  return MS_SUCCESS;
}

/* The pushes of the stage, or M phi of the modes, and behind them each bolt's tension: of the model
   before it is pinned. */
static ms_status fill_load(work *w) {
  const ms_fem_assembly *a = w->assembly;
  const ptrdiff_t size = w->model->n;
  ms_free(w->ctx, &w->load);
  MS_TRY(ms_allocate(w->ctx, size * (w->n_load + a->n_bolt), sizeof *w->load, &w->load));
  for (int i = 0; i < a->n_bolt; i++) {
    MS_TRY(ms_fem_add_tension(w->model, &a->bolt[i], w->load + size * (w->n_load + i)));
  }
  if (w->modal) return fill_modal(w);
  if (w->phi) {
    return ms_fem_multiply(w->model, w->model->engine->M, w->n_load, w->phi, w->load);
  }
  for (int i = 0; w->stage && i < w->stage->n_push; i++) {
    MS_TRY(ms_fem_add_push(w->model, &w->stage->push[i], w->load));
  }
  return MS_SUCCESS;
}

/* How far apart in space the nodes of pairs are, at most; *name: of which contact. */
static double find_apart(const work *w, const char **name) {
  double most = 0.0;
  for (ptrdiff_t i = 0; i < w->model->n_contact_point; i++) {
    const ms_fem_contact_point *p = &w->model->contact_point[i];
    double d[3] = { 0.0, 0.0, 0.0 }, sum = 0.0;
    for (int s = 0; s < 2 && p->n[1] > 0; s++) {
      for (int k = 0; k < 3 * p->n[s]; k++) {
        const double x = w->model->mesh->x[3 * (ptrdiff_t)p->node[s][k / 3] + k % 3];
        d[k % 3] += (s == 0 ? 1.0 : -1.0) * p->N[s][k / 3] * x;
      }
    }
    for (int a = 0; a < 3; a++) sum += d[a] * d[a];
    if (!(sqrt(sum) > most)) continue;
    most = sqrt(sum);
    *name = w->assembly->contact[p->contact].name;
  }
  return most;
}

static ms_status refuse_free(const work *w, const char *moves) {
  const char *name = NULL, *bolts = w->assembly->n_bolt > 0 ? " and no force in the bolts" : "";
  const double apart = find_apart(w, &name);
  if (!(apart > 0.0)) {
    return ms_fail(w->ctx, MS_ERR_ARGUMENT,
                   "%s can move freely with all contacts closed%s: fix, hold or tie it", moves,
                   bolts);
  }
  return ms_fail(
      w->ctx, MS_ERR_ARGUMENT,
      "%s can move freely with all contacts closed: fix, hold or tie it. The meshes of "
      "contact '%s' are up to %.3g m apart, and such points resist rotation of the whole "
      "but let the bodies shift as they rotate: if nothing else may hold them, move the "
      "meshes together and give the distance as the contact's gap",
      moves, name, apart);
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
    status = refuse_free(w, f.moves);
  }
  if (!status && f.n > 0) {
    for (ptrdiff_t j = 0; j < f.n; j++) ms_fem_expand(w->model, f.u + w->model->n * j, 0);
    status = ms_contact_check_balance(w->ctx, w->model->n, w->n_load + w->assembly->n_bolt, w->load,
                                      f.n, f.u, ms_mesh_tol.unbalanced);
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

static const ms_fem_stage nothing = { .friction = 1, .steps = 1 };

/* For messages; freed with ms_free. */
static ms_status list_names(ms_context *ctx, const ms_fem_assembly *a, const char ***out) {
  MS_TRY(ms_allocate(ctx, a->n_contact, sizeof **out, out));
  for (int i = 0; i < a->n_contact; i++) (*out)[i] = a->contact[i].name;
  return MS_SUCCESS;
}

static double factor_of(const ms_fem_stage *stage) {
  return stage->factor > 0.0 ? stage->factor : 1.0;
}

/* Stage k, or what presses without one. */
static ms_status push_stage(ms_context *ctx, const ms_fem_assembly *a, int k, double factor,
                            int compare, const ms_contact_problem *problem, ms_fem_rest *rest) {
  const ms_fem_stage *stage = a->n_stage > 0 ? &a->stage[k] : &nothing;
  ms_contact_pressing how = { factor,  stage->steps,  stage->friction,
                              compare, stage->n_glue, stage->glue };
  ms_contact_problem named = *problem;
  const char **name = NULL;
  ms_status status = list_names(ctx, a, &name);
  named.group = name;
  if (!status && a->n_bolt == 0) {
    status = ms_contact_push_stage(ctx, &named, a->setting, &how, rest);
  } else if (!status) {
    how.factor = 1.0;
    status = ms_bolts_press(ctx, a, k, factor, &named, &how, rest);
  }
  ms_free(ctx, &name);
  return status;
}

/* ---- flexibilities that are known ---- */

static int holds_the_same(const ms_fem_stage *a, const ms_fem_stage *b) {
  int same = a->n_hold == b->n_hold;
  for (int i = 0; same && i < a->n_hold; i++) same = strcmp(a->hold[i], b->hold[i]) == 0;
  return same;
}

/* One of an earlier stage that holds the same, NULL if there is none. */
static const ms_fem_condensed *find_known(const ms_fem_assembly *a, const ms_fem_rest *rest,
                                          const ms_fem_stage *stage) {
  for (int i = 0; i < rest->n_stage && i < a->n_stage; i++) {
    if (rest->stage[i].H && holds_the_same(&a->stage[i], stage)) return &rest->stage[i];
  }
  if (a->n_stage == 0 && rest->n_stage > 0 && rest->stage[0].H) return &rest->stage[0];
  return stage->n_hold == 0 && rest->free.H ? &rest->free : NULL;
}

static ms_status condense(const work *w, const ms_fem_condensed *known, ms_fem_condensed *out) {
  MS_TRY(ms_fem_condense_loads(w->model, w->n_load + w->assembly->n_bolt, w->load, known, out));
  if (known) {
    ms_free(w->ctx, &out->H);
    out->H = known->H;
    out->shares_H = 1;
  }
  return MS_SUCCESS;
}

/* Adds to the message of a stage without equilibrium which part nothing but friction holds. */
static ms_status add_motion(const work *w, const ms_contact *contact, ms_status failed) {
  work bare = { .ctx = w->ctx, .assembly = w->assembly, .stage = w->stage, .quiet = 1, .bare = 1 };
  char why[800], motion[160] = "";
  ptrdiff_t n;
  const ms_fem_contact_point *point = ms_fem_get_contact_points(w->model, &n);
  snprintf(why, sizeof why, "%s", ms_context_message(w->ctx));
  ms_status status = make_model(&bare, 0, NULL);
  if (!status) {
    status = ms_left_free_describe(bare.model, w->load, n, point, contact, motion, sizeof motion);
  }
  close_work(&bare);
  if (status == MS_ERR_MEMORY || status == MS_CANCELLED) return status;
  return ms_fail(w->ctx, failed, "%s%s%s", why, motion[0] ? "; without friction " : "", motion);
}

static ms_status run_stage(work *w, ms_fem_rest *rest) {
  w->n_load = 1;
  MS_TRY(open_model(w));
  const int k = rest->n_stage++;
  ms_fem_condensed *own = &rest->stage[k];
  MS_TRY(condense(w, find_known(w->assembly, rest, w->stage), own));
  const ms_contact_problem problem = ms_fem_condensed_get(own);
  const int first = !rest->point;
  ptrdiff_t n;
  const ms_fem_contact_point *point = ms_fem_get_contact_points(w->model, &n);
  if (first) MS_TRY(ms_allocate(w->ctx, n, sizeof *rest->point, &rest->point));
  if (first) memcpy(rest->point, point, (size_t)n * sizeof *point);
  rest->n_point = n;
  const ms_status status =
      push_stage(w->ctx, w->assembly, k, factor_of(w->stage), 1, &problem, rest);
  if (status == MS_NOT_CONVERGED && rest->contact) {
    const double *r = k > 0 && rest->bolt ? rest->bolt + (ptrdiff_t)rest->n_bolt * (k - 1) : NULL;
    ms_bolts_add_tensions(w->stage, r, w->model->n, w->load);
    return add_motion(w, rest->contact, status);
  }
  MS_TRY(status);
  rest->n_free = w->n_free;
  if (!first) return MS_SUCCESS;
  return ms_fem_fill_contact_faces(w->model, w->assembly, rest);
}

ms_status ms_fem_find_rest(ms_context *ctx, const ms_fem_assembly *assembly, ms_fem_rest *out) {
  const int n = assembly->n_stage;
  *out = (ms_fem_rest) { 0 };
  MS_TRY(ms_bolts_check(ctx, assembly));
  ms_status status = ms_allocate(ctx, n > 0 ? n : 1, sizeof *out->stage, &out->stage);
  for (int i = 0; i < (n > 0 ? n : 1) && !status; i++) {
    work w = { .ctx = ctx, .assembly = assembly, .stage = n > 0 ? &assembly->stage[i] : &nothing };
    status = run_stage(&w, out);
    close_work(&w);
    if (status && n > 1) status = ms_fail_at(ctx, status, "stage %d of the preload", i + 1);
  }
  if (!status) status = ms_contact_rebase(out->contact);
  if (status) ms_fem_rest_free(ctx, out);
  return status;
}

void ms_fem_rest_free(ms_context *ctx, ms_fem_rest *rest) {
  ms_contact_rest_free(ctx, rest);
}

/* ---- at rest ---- */

ms_status ms_fem_stick_rest(ms_fem_model *model, const ms_fem_rest *rest) {
  for (int i = 0; i < rest->n_bolt; i++) {
    MS_TRY(ms_fem_add_bolt(model, &rest->cut[i], 0));
  }
  unsigned char *closed;
  MS_TRY(ms_allocate(model->ctx, rest->n_point, 1, &closed));
  for (ptrdiff_t i = 0; i < rest->n_point; i++) closed[i] = ms_contact_mode_status(rest, i);
  const ms_status ended = ms_fem_stick(model, rest->n_point, rest->point, closed);
  ms_free(model->ctx, &closed);
  return ended;
}

/* Which of the modes (size x n, M-normalised) is most like each of the first n_load that are known;
   each is taken once. Without known ones the order is theirs. */
static void pair_modes(const work *w, const ms_fem_rest *rest, const ms_fem_modes *modes,
                       ptrdiff_t *of, double *mac) {
  const ptrdiff_t size = w->model->n;
  for (ptrdiff_t k = 0; k < w->n_load; k++) {
    of[k] = k < modes->n ? k : -1;
    if (mac) mac[k] = 1.0;
    if (rest->n_mode < w->n_load || (k < modes->n && modes->omega[k] == 0.0)) continue;
    double best = 0.0;
    for (ptrdiff_t j = 0; j < modes->n; j++) {
      double sum = 0.0;
      int taken = modes->omega[j] == 0.0;
      for (ptrdiff_t l = 0; l < k; l++) taken |= of[l] == j;
      for (ptrdiff_t i = 0; i < size && !taken; i++) {
        sum += rest->momentum[i + size * k] * modes->shape[i + size * j];
      }
      if (sum * sum > best) best = sum * sum, of[k] = j;
    }
    if (mac && best > 0.0) mac[k] = best;
  }
}

/* -1 where shape k is the opposite of what is expected. */
static double find_sign(const work *w, const ms_fem_rest *rest, ptrdiff_t k) {
  const int n = (int)w->model->n;
  if (rest->n_mode < w->n_load) return 1.0;
  return cblas_ddot(n, rest->momentum + n * k, 1, w->phi + n * k, 1) < 0.0 ? -1.0 : 1.0;
}

/* Motions along faces without friction are among the modes, at zero frequency. */
static int slides_freely(const ms_fem_rest *rest) {
  int found = 0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    found |= ms_contact_mode_status(rest, i) == MS_CONTACT_SLIP;
  }
  return found;
}

enum { SPARE = 2 }; /* modes beyond those that are known, which may come down in between */

static ms_status find_shapes(work *w, const ms_fem_rest *rest, double *omega, double *mac) {
  const ms_fem_assembly *a = w->assembly;
  ms_fem_modes modes = { 0 };
  ptrdiff_t *of = NULL;
  MS_TRY(a->make(a->user, w->ctx, &w->model));
  w->model->quiet = w->quiet;
  MS_TRY(ms_fem_stick_rest(w->model, rest));
  MS_TRY(ms_fem_setup(w->model, NULL));
  MS_TRY(
      ms_fem_find_modes(w->model, w->n_load + (rest->n_mode < w->n_load ? 0 : SPARE), 0.0, &modes));
  const ptrdiff_t size = w->model->n;
  ms_status status = ms_allocate(w->ctx, size * w->n_load, sizeof *w->phi, &w->phi);
  if (!status) status = ms_allocate(w->ctx, w->n_load, sizeof *of, &of);
  if (!status && modes.n_mechanism > 0 && !slides_freely(rest)) {
    status = ms_fail(w->ctx, MS_ERR_ARGUMENT,
                     "at rest %s can move freely although all closed points with friction stick: "
                     "the preload closes too few of them, or mu = 0",
                     modes.moves);
  }
  if (!status) pair_modes(w, rest, &modes, of, mac);
  for (ptrdiff_t k = 0; k < w->n_load && !status; k++) {
    if (w->sign) w->sign[k] = 1.0;
    if (of[k] < 0) continue;
    if (omega) omega[k] = modes.omega[of[k]];
    if (modes.omega[of[k]] == 0.0 && !w->modal) continue; /* rigid-body motions load nothing */
    memcpy(w->phi + size * k, modes.shape + size * of[k], (size_t)size * sizeof *w->phi);
    const double sign = find_sign(w, rest, k);
    if (w->sign) w->sign[k] = sign;
    if (w->modal) cblas_dscal((int)size, sign, w->phi + size * k, 1);
  }
  ms_free(w->ctx, &of);
  ms_fem_modes_free(w->ctx, &modes);
  return status;
}

/* The model condensed under loads of the modes, with the points of `rest`. */
static ms_status condense_modes(work *w, const ms_fem_rest *rest, double *omega, double *mac,
                                ms_fem_condensed *out) {
  MS_TRY(find_shapes(w, rest, omega, mac));
  if (w->modal) w->n_load += w->modal->n_load;
  MS_TRY(open_model(w));
  MS_TRY(condense(w, find_known(w->assembly, rest, &nothing), out));
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_fem_contact_point *p = &rest->point[i];
    out->point[i] = (ms_contact_point) { p->mu, p->gap, p->K_n, p->K_t, p->contact };
  }
  return MS_SUCCESS;
}

static ms_status continue_rest(ms_context *ctx, const ms_fem_assembly *assembly,
                               const ms_fem_rest *rest, const ms_fem_condensed *condensed,
                               ms_contact **out) {
  ms_contact_problem problem = ms_fem_condensed_get(condensed);
  ms_contact_held held = { 0 };
  const char **name = NULL;
  ms_status status = list_names(ctx, assembly, &name);
  problem.group = name;
  if (!status && assembly->n_bolt > 0) {
    status = ms_bolts_hold(ctx, assembly, NULL, 1.0, NULL, &problem, &held);
    problem = held.problem;
  }
  if (!status) status = ms_contact_create(ctx, &problem, assembly->setting, out);
  if (!status) status = ms_contact_continue(*out, rest->contact);
  ms_contact_held_free(ctx, &held);
  ms_free(ctx, &name);
  if (status) ms_contact_destroy(out);
  return status;
}

/* What other numbers can use again: momenta, and a flexibility that no stage has. */
static ms_status keep(const work *w, ms_fem_condensed *condensed, ms_fem_rest *rest) {
  const ptrdiff_t n = w->model->n * w->n_load;
  ms_free(w->ctx, &rest->momentum);
  MS_TRY(ms_allocate(w->ctx, n, sizeof *rest->momentum, &rest->momentum));
  memcpy(rest->momentum, w->load, (size_t)n * sizeof *rest->momentum);
  rest->n_mode = w->n_load;
  if (condensed->shares_H) return MS_SUCCESS;
  rest->free = (ms_fem_condensed) { .n_point = condensed->n_point,
                                    .H = condensed->H,
                                    .key = condensed->key };
  condensed->shares_H = 1;
  return MS_SUCCESS;
}

ms_status ms_fem_expect_modes(ms_fem_model *model, const ms_reduced *reduced, ms_fem_rest *rest) {
  ms_context *ctx = model->ctx;
  const ptrdiff_t n = reduced->n, size = model->n;
  double *psi = NULL, *M = NULL, *omega_2 = NULL, *u = NULL;
  MS_NEED(ctx, reduced->n_row == size);
  ms_free(ctx, &rest->momentum);
  rest->n_mode = 0;
  ms_status status = ms_allocate(ctx, n * n, sizeof *psi, &psi);
  if (!status) status = ms_allocate(ctx, n * n, sizeof *M, &M);
  if (!status) status = ms_allocate(ctx, n, sizeof *omega_2, &omega_2);
  if (!status) status = ms_allocate(ctx, size * n, sizeof *u, &u);
  if (!status) status = ms_allocate(ctx, size * n, sizeof *rest->momentum, &rest->momentum);
  if (!status) {
    const int m = (int)n;
    memcpy(psi, reduced->K, (size_t)(n * n) * sizeof *psi);
    memcpy(M, reduced->M, (size_t)(n * n) * sizeof *M);
    if (LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', m, psi, m, M, m, omega_2) == 0) {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)size, m, m, 1.0, reduced->basis,
                  (int)size, psi, m, 0.0, u, (int)size);
      status = ms_fem_multiply(model, model->engine->M, n, u, rest->momentum);
      if (!status) rest->n_mode = n;
    }
  }
  ms_free(ctx, &psi);
  ms_free(ctx, &M);
  ms_free(ctx, &omega_2);
  ms_free(ctx, &u);
  return status;
}

ms_status ms_fem_load_modes(ms_context *ctx, const ms_fem_assembly *assembly, ms_fem_rest *rest,
                            ptrdiff_t n, double *omega, ms_contact **out) {
  work w = { .ctx = ctx, .assembly = assembly, .n_load = n };
  ms_fem_condensed condensed = { 0 };
  *out = NULL;
  ms_free(ctx, &rest->mac);
  ms_free(ctx, &rest->sign);
  MS_TRY(ms_allocate(ctx, n, sizeof *rest->mac, &rest->mac));
  MS_TRY(ms_allocate(ctx, n, sizeof *rest->sign, &rest->sign));
  w.sign = rest->sign;
  ms_status status = condense_modes(&w, rest, omega, rest->mac, &condensed);
  if (!status) status = keep(&w, &condensed, rest);
  if (!status) status = continue_rest(ctx, assembly, rest, &condensed, out);
  ms_fem_condensed_free(ctx, &condensed);
  close_work(&w);
  return status;
}

ms_status ms_fem_find_modal(ms_context *ctx, const ms_fem_assembly *assembly,
                            const ms_fem_rest *rest, ptrdiff_t n_mode, ptrdiff_t n_load,
                            const ms_fem_push *load, ms_contact_modal *out) {
  work w = { .ctx = ctx, .assembly = assembly, .n_load = n_mode, .modal = out, .push = load };
  ms_fem_condensed condensed = { 0 };
  *out = (ms_contact_modal) { .n_mode = n_mode, .n_load = n_load };
  if (n_mode < 1 || n_load < 0) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td modes and %td loads; at least 1 and 0", n_mode,
                   n_load);
  }
  ms_status status = ms_allocate(ctx, n_mode, sizeof *out->omega, &out->omega);
  if (!status) status = ms_allocate(ctx, n_mode * n_load, sizeof *out->follow, &out->follow);
  if (!status) status = condense_modes(&w, rest, out->omega, NULL, &condensed);
  if (!status) status = continue_rest(ctx, assembly, rest, &condensed, &out->contact);
  ms_fem_condensed_free(ctx, &condensed);
  close_work(&w);
  if (status) ms_contact_modal_free(ctx, out);
  return status;
}

/* ---- with other numbers ---- */

static ms_status change_points(ms_context *ctx, const ms_fem_assembly *a, const ms_fem_rest *rest,
                               const ms_fem_contact *contact, ms_fem_rest *out) {
  out->n_point = rest->n_point;
  MS_TRY(ms_allocate(ctx, rest->n_point, sizeof *out->point, &out->point));
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    ms_fem_contact_point *p = &out->point[i];
    *p = rest->point[i];
    const ms_fem_contact *c = &contact[p->contact];
    p->mu = c->mu;
    const ms_fem_contact *was = &a->contact[p->contact];
    p->gap += c->gap - was->gap + (c->gap_factor - ms_gap_factor(was)) * p->tabled;
    p->K_n = c->K_n * p->area;
    p->K_t = c->K_t * p->area;
  }
  return MS_SUCCESS;
}

/* The stages again, each with the flexibility that it had. */
static ms_status push_changed(ms_context *ctx, const ms_fem_assembly *a, const double *factor,
                              ms_fem_rest *out) {
  ms_contact_point *point;
  MS_TRY(ms_allocate(ctx, out->n_point, sizeof *point, &point));
  ms_status status = MS_SUCCESS;
  for (int k = 0; k < out->n_stage && !status; k++) {
    ms_contact_problem problem = ms_fem_condensed_get(&out->stage[k]);
    for (ptrdiff_t i = 0; i < out->n_point; i++) {
      const ms_fem_contact_point *p = &out->point[i];
      point[i] = (ms_contact_point) { p->mu, p->gap, p->K_n, p->K_t, p->contact };
    }
    problem.point = point;
    status = push_stage(ctx, a, k, a->n_stage > 0 ? factor[k] : 1.0, 0, &problem, out);
    if (status && out->n_stage > 1)
      status = ms_fail_at(ctx, status, "stage %d of the preload", k + 1);
  }
  ms_free(ctx, &point);
  return status;
}

static pthread_mutex_t elements = PTHREAD_MUTEX_INITIALIZER; /* PETSc knows no threads */

static ms_status load_changed(work *w, const ms_fem_rest *rest, double *omega, double *mac,
                              ms_fem_condensed *condensed) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  if (size > 1) {
    return ms_fail(w->ctx, MS_ERR_ARGUMENT,
                   "numbers of contacts can be changed by one process only: start it without "
                   "mpirun, with --threads");
  }
  pthread_mutex_lock(&elements);
  const ms_status status = condense_modes(w, rest, omega, mac, condensed);
  close_work(w);
  pthread_mutex_unlock(&elements);
  return status;
}

ms_status ms_fem_load_changed(ms_context *ctx, const ms_fem_assembly *assembly,
                              const ms_fem_rest *rest, const double *value, ptrdiff_t n,
                              double *omega, double *mac, ms_contact **out) {
  ms_fem_contact *contact;
  work w = { .ctx = ctx, .assembly = assembly, .n_load = n, .quiet = 1 };
  ms_fem_condensed condensed = { 0 };
  ms_fem_rest changed = { .borrowed = 1,
                          .n_stage = rest->n_stage,
                          .stage = rest->stage,
                          .free = rest->free,
                          .n_mode = rest->n_mode,
                          .momentum = rest->momentum };
  *out = NULL;
  if (n < 1 || n > rest->n_mode) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td modes of %td that are known", n, rest->n_mode);
  }
  MS_TRY(ms_allocate(ctx, assembly->n_contact, sizeof *contact, &contact));
  const double *factor = ms_fem_take_numbers(assembly, value, contact);
  ms_status status = change_points(ctx, assembly, rest, contact, &changed);
  if (!status) status = push_changed(ctx, assembly, factor, &changed);
  if (!status) status = load_changed(&w, &changed, omega, mac, &condensed);
  if (!status) status = continue_rest(ctx, assembly, &changed, &condensed, out);
  ms_free(ctx, &contact);
  ms_fem_condensed_free(ctx, &condensed);
  ms_fem_rest_free(ctx, &changed);
  return status;
}
