/* Stages of a preload; what is left after it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/impl.h"
#include "response/contact/preload.h"

/* After the headers above: LAPACKE's complex types define I. */
#include <lapacke.h>

/* ---- why a flexibility is singular ---- */

static int share_node(const ms_contact_site *p, const ms_contact_site *q) {
  for (int s = 0; s < 2 && p->contact != q->contact; s++) {
    for (int t = 0; t < 2; t++) {
      if (p->n[s] == 1 && q->n[t] == 1 && p->node[s][0] == q->node[t][0]) return 1;
    }
  }
  return 0;
}

/* Point i does not move in a direction that is oblique to its axes. */
static int is_held_askew(const ms_contact_problem *p, ptrdiff_t i, double held) {
  double block[9], value[3], largest = 0.0;
  for (ptrdiff_t k = 0; k < 3 * p->n_point; k++) {
    largest = fmax(largest, p->H[k * (3 * p->n_point + 1)]);
  }
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) block[a + 3 * b] = p->H[3 * i + a + 3 * p->n_point * (3 * i + b)];
  }
  int along = 0, all = 0;
  for (int a = 0; a < 3; a++) along += block[4 * a] <= held * largest;
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 3, block, 3, value) != 0) return 0;
  for (int a = 0; a < 3; a++) all += value[a] <= held * largest;
  return all > along;
}

static ms_status explain(ms_context *ctx, const ms_contact_problem *problem,
                         const ms_contact_setting *setting, const ms_contact_rest *rest) {
  const ms_contact_setting own = MS_CONTACT_DEFAULT;
  const double held = (setting ? setting : &own)->tol.held;
  if (!problem->group || !rest->point || rest->n_point != problem->n_point) return MS_ERR_NUMERIC;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    for (ptrdiff_t j = 0; j < i && p->K_n == 0.0; j++) {
      if (!share_node(&rest->point[j], p) || rest->point[j].K_n > 0.0) continue;
      return ms_fail(ctx, MS_ERR_NUMERIC,
                     "contact: the node at (%.6g, %.6g, %.6g) m belongs to contacts '%s' and '%s', "
                     "which rigid contact cannot solve: give one of them a layer, or end its faces "
                     "before the other's",
                     p->at[0], p->at[1], p->at[2], problem->group[rest->point[j].contact],
                     problem->group[p->contact]);
    }
    if (p->K_n > 0.0 || !is_held_askew(problem, i, held)) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC,
                   "contact '%s': a support holds the point at (%.6g, %.6g, %.6g) m in a direction "
                   "oblique to its face, which rigid contact cannot solve: give the contact a "
                   "layer, or let the face meet the support at a right angle",
                   problem->group[p->contact], p->at[0], p->at[1], p->at[2]);
  }
  return MS_ERR_NUMERIC;
}

/* Messages of a stage say how much of its pushes was reached. */
static ms_status add_scale(ms_context *ctx) {
  char why[800];
  snprintf(why, sizeof why, "%s", ms_context_message(ctx));
  return ms_fail(ctx, MS_NOT_CONVERGED, "%s; load 1 is all pushes of the stage", why);
}

static ms_status push(ms_context *ctx, const ms_contact_problem *problem,
                      const ms_contact_setting *setting, const ms_contact_rest *rest, double factor,
                      int steps, ms_contact **out) {
  const ms_contact *before = rest->contact;
  const ms_status made = ms_contact_create(ctx, problem, setting, out);
  if (made == MS_ERR_NUMERIC) return explain(ctx, problem, setting, rest);
  MS_TRY(made);
  if (before) MS_TRY(ms_contact_continue(*out, before));
  for (int i = 1; i <= steps; i++) {
    const double part = (double)i / (double)steps, p = factor * part;
    const ms_status status = ms_contact_load(*out, &p);
    if (status == MS_NOT_CONVERGED) return add_scale(ctx);
    MS_TRY(status);
    MS_TRY(ms_progress(ctx, "preload", part));
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

unsigned char ms_contact_mode_status(const ms_contact_rest *rest, ptrdiff_t i) {
  const ms_contact_state state = ms_contact_get(rest->contact);
  if (state.status[i] == MS_CONTACT_OPEN) return MS_CONTACT_OPEN;
  return rest->point[i].mu == 0.0 && !state.glued[i] ? MS_CONTACT_SLIP : MS_CONTACT_STICK;
}

/* What slid freely sticks where it is, with the friction of `point`. */
static void give_friction(ms_contact *c, const ms_contact_point *point) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    c->point[i].mu = point[i].mu;
    if (c->now.status[i] == MS_CONTACT_SLIP) c->now.status[i] = MS_CONTACT_STICK;
  }
  ms_contact_mark(c);
}

static ms_status push_freely(ms_context *ctx, const ms_contact_problem *problem,
                             const ms_contact_setting *setting, double factor, int steps,
                             ms_contact_rest *rest) {
  ms_contact_problem slippery = *problem;
  ms_contact_point *point;
  ms_contact *after = NULL;
  MS_TRY(ms_allocate(ctx, problem->n_point, sizeof *point, &point));
  memcpy(point, problem->point, (size_t)problem->n_point * sizeof *point);
  for (ptrdiff_t i = 0; i < problem->n_point; i++) point[i].mu = 0.0;
  slippery.point = point;
  const ms_status status = push(ctx, &slippery, setting, rest, factor, steps, &after);
  if (!status) give_friction(after, problem->point);
  ms_free(ctx, &point);
  ms_contact_destroy(&rest->contact);
  rest->contact = after;
  return status;
}

static ms_status press(ms_context *ctx, const ms_contact_problem *problem,
                       const ms_contact_setting *setting, const ms_contact_pressing *how,
                       ms_contact_rest *rest) {
  const int steps = how->steps > 0 ? how->steps : 1;
  rest->frictionless = !how->friction;
  if (!how->friction) return push_freely(ctx, problem, setting, how->factor, steps, rest);
  ms_contact *coarse = NULL, *fine = NULL;
  ms_status status = MS_SUCCESS;
  if (how->compare) {
    status = push(ctx, problem, setting, rest, how->factor, steps, &coarse);
  }
  if (!status) {
    status = push(ctx, problem, setting, rest, how->factor, 2 * steps, &fine);
    if (!status && coarse) rest->change = fmax(rest->change, compare_normal(coarse, fine));
  }
  ms_contact_destroy(&rest->contact);
  rest->contact = fine ? fine : coarse; /* after a failure as it was in the last equilibrium */
  if (fine) ms_contact_destroy(&coarse);
  return status;
}

ms_status ms_contact_push_stage(ms_context *ctx, const ms_contact_problem *problem,
                                const ms_contact_setting *setting, const ms_contact_pressing *how,
                                ms_contact_rest *rest) {
  MS_TRY(press(ctx, problem, setting, how, rest));
  for (int i = 0; i < how->n_glue; i++) MS_TRY(ms_contact_glue(rest->contact, how->glue[i]));
  return MS_SUCCESS;
}

ms_status ms_contact_press_on(ms_context *ctx, const ms_contact_rest *rest, double factor,
                              ms_contact **out) {
  enum { STEPS = 16 };
  MS_MAKE(ctx, out, rest && rest->contact);
  const double p_0 = ms_contact_get(rest->contact).p[0];
  MS_TRY(ms_contact_copy(ctx, rest->contact, out));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; rest->frictionless && i < (*out)->n; i++) (*out)->point[i].mu = 0.0;
  for (int i = 1; i <= STEPS && factor != 0.0 && !status; i++) {
    const double p = p_0 * (1.0 + factor * (double)i / (double)STEPS);
    status = ms_contact_load(*out, &p);
    if (status) status = ms_fail_at(ctx, status, "load %g in step %d of %d", factor, i, (int)STEPS);
  }
  if (!status && rest->frictionless) give_friction(*out, rest->contact->point);
  if (status) ms_contact_destroy(out);
  return status;
}

const char *ms_contact_plan_friction(int n, const ms_contact_plan *stage) {
  int with = 0;
  for (int i = 0; i < n; i++) with += stage[i].friction;
  return n == 0 ? "no preload" : with == 0 ? "no" : with == n ? "yes" : "in some stages";
}

ms_contact_total ms_contact_total_of(const ms_contact_rest *rest, const ms_contact *contact,
                                     int group) {
  const ms_contact_state state = ms_contact_get(contact);
  ms_contact_total t = { 0 };
  double normal = 0.0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    const double *f = state.lambda + 3 * i;
    if (p->contact != group) continue;
    t.area += p->area;
    if (state.status[i] == MS_CONTACT_OPEN) continue;
    t.closed += p->area;
    if (state.status[i] == MS_CONTACT_SLIP) t.slipping += p->area;
    if (state.glued[i]) t.glued += p->area;
    for (int a = 0; a < 3; a++) { /* on the first body: against its own displacement */
      t.force[a] -= f[0] * p->axes[a] + f[1] * p->axes[3 + a] + f[2] * p->axes[6 + a];
    }
    normal += f[2];
    t.pressure = fmax(t.pressure, f[2] / p->area);
    if (p->K_n > 0.0) t.compression = fmax(t.compression, f[2] / p->K_n);
  }
  for (int a = 0; a < 3; a++) { /* what rounding leaves of nothing */
    if (fabs(t.force[a]) < ms_contact_get_setting(contact)->tol.undecided * normal) {
      t.force[a] = 0.0;
    }
  }
  return t;
}

double ms_contact_add_field(const ms_contact_rest *rest, int group, const double *value,
                            double *area) {
  double sum = 0.0;
  *area = 0.0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    if (rest->point[i].contact != group || !(value[i] > 0.0)) continue;
    sum += value[i];
    *area += rest->point[i].area;
  }
  return sum;
}

ms_status ms_contact_check_balance(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_load,
                                   const double *load, ptrdiff_t n_free, const double *free,
                                   double tolerance) {
  for (ptrdiff_t k = 0; k < n_load; k++) {
    for (ptrdiff_t j = 0; j < n_free; j++) {
      double sum = 0.0, loads = 0.0, farthest = 0.0;
      for (ptrdiff_t i = 0; i < n; i++) {
        sum += load[i + n * k] * free[i + n * j];
        loads += fabs(load[i + n * k]);
        farthest = fmax(farthest, fabs(free[i + n * j]));
      }
      if (fabs(sum) <= tolerance * loads * farthest) continue;
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "the assembly is free to move, and the pushes are not in balance: %.2g of "
                     "them is left; hold a set of nodes, fix one, or push against it",
                     fabs(sum) / (loads * farthest));
    }
  }
  return MS_SUCCESS;
}

void ms_contact_condensed_free(ms_context *ctx, ms_contact_condensed *c) {
  ms_free(ctx, &c->point);
  if (c->shares_H) c->H = NULL;
  ms_free(ctx, &c->H);
  ms_free(ctx, &c->S_0);
  ms_free(ctx, &c->z_load);
  ms_free(ctx, &c->load_load);
  ms_free(ctx, &c->u_load);
}

ms_contact_problem ms_contact_condensed_get(const ms_contact_condensed *c) {
  return (ms_contact_problem) { c->n_point, c->n_load, c->point,     c->H,
                                c->S_0,     c->z_load, c->load_load, NULL };
}

void ms_contact_rest_free(ms_context *ctx, ms_contact_rest *rest) {
  ms_contact_destroy(&rest->contact);
  if (!rest->borrowed) {
    for (int i = 0; i < rest->n_stage; i++) ms_contact_condensed_free(ctx, &rest->stage[i]);
    ms_contact_condensed_free(ctx, &rest->free);
    ms_free(ctx, &rest->stage);
    ms_free(ctx, &rest->momentum);
    ms_free(ctx, &rest->mac);
    ms_free(ctx, &rest->sign);
  }
  ms_free(ctx, &rest->point);
  ms_free(ctx, &rest->bolt);
  ms_free(ctx, &rest->corner);
  ms_free(ctx, &rest->of);
  ms_free(ctx, &rest->face);
  *rest = (ms_contact_rest) { 0 };
}
