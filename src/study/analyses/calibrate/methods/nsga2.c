/* nsga2: the Pareto front of misfits such as those of frequency and damping.
   Every generation is kept on the disk, so that a search that was interrupted goes on where it was.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/team.h"

#define BEYOND 1.1 /* the reference of the hypervolume, of the worst of the first generation */

/* ---- objectives ---- */

/* Which of its two quantities, -1 if it is not looked at. */
static int find_quantity(const ms_calibrate_target *t, const char *quantity) {
  for (int i = 0; i < 2; i++) {
    const char *name = t->kind->quantity[i];
    if (name && t->weight[i] > 0.0 && strcmp(name, quantity) == 0) return i;
  }
  return -1;
}

static int is_listed(const ms_calibrate *c, const char *quantity) {
  for (ptrdiff_t m = 0; m < c->n_objective; m++) {
    if (strcmp(c->objective[m].quantity, quantity) == 0) return 1;
  }
  return 0;
}

/* A quantity of target k; of all targets together it is one objective. */
static void list_objective(ms_calibrate *c, ptrdiff_t k, const char *quantity) {
  if (!quantity || find_quantity(&c->target[k], quantity) < 0) return;
  if (!c->each && is_listed(c, quantity)) return;
  ms_calibrate_objective *o = &c->objective[c->n_objective++];
  *o = (ms_calibrate_objective) { .target = c->each ? k : -1, .quantity = quantity };
  if (c->each) snprintf(o->name, sizeof o->name, "%.20s_%td", quantity, k + 1);
  if (!c->each) snprintf(o->name, sizeof o->name, "%.20s", quantity);
}

static ms_status list_objectives(const ms_study *s, ms_calibrate *c) {
  MS_TRY(ms_allocate(s->ctx, 2 * c->n_target, sizeof *c->objective, &c->objective));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    for (int i = 0; i < 2; i++) list_objective(c, k, c->target[k].kind->quantity[i]);
  }
  return MS_SUCCESS;
}

/* f of each target to the objectives: the weighted mean where it is of all. */
double ms_calibrate_weigh(const ms_calibrate *c, const ms_calibrate_objective *o, const double *f) {
  double sum = 0.0, weights = 0.0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_calibrate_target *t = &c->target[k];
    const int i = find_quantity(t, o->quantity);
    if ((o->target >= 0 && k != o->target) || i < 0) continue;
    sum += t->weight[i] * f[2 * k + i];
    weights += t->weight[i];
  }
  return sum / weights;
}

/* ---- evaluation ---- */

/* From scaled variables to objectives and a violation: a point without an answer violates a
   constraint, the same for all. */
static ms_status eval_point(ms_worker *w, const double *t, double *out, void *user) {
  const ms_calibrate *c = user;
  const ptrdiff_t n = c->n_objective;
  const ms_calibrate_hand *h = w->own;
  ms_calibrate_unscale(c, t, h->p);
  ms_status status = ms_evaluator_misfit(h->on, h->p, h->f);
  for (ptrdiff_t m = 0; m < n; m++) {
    out[m] = status == MS_SUCCESS ? ms_calibrate_weigh(c, &c->objective[m], h->f) : 0.0;
  }
  out[n] = status == MS_NOT_CONVERGED;
  if (status != MS_NOT_CONVERGED) return status;
  ms_context_clear_message(w->ctx);
  return MS_SUCCESS;
}

static ms_calibrate_round round_of(const ms_calibrate *c) {
  return (ms_calibrate_round) { c->n_objective + 1, c->points, eval_point };
}

typedef struct search {
  ms_study *study;
  ms_calibrate *c;
  ms_team *team;
  ms_nsga2 *nsga2;
  double *out; /* of the points of a round */
} search;

static ms_status eval(void *user, ptrdiff_t n, const double *t, double *f, double *v) {
  const search *x = user;
  const ptrdiff_t n_f = x->c->n_objective;
  MS_TRY(ms_team_map(x->team, n, t, x->out));
  for (ptrdiff_t i = 0; i < n; i++) {
    memcpy(f + n_f * i, x->out + (n_f + 1) * i, (size_t)n_f * sizeof *f);
    v[i] = x->out[n_f + (n_f + 1) * i];
  }
  return MS_SUCCESS;
}

static void close_search(search *x) {
  ms_nsga2_destroy(&x->nsga2);
  ms_free(x->study->ctx, &x->out);
  ms_team_close(&x->team);
}

static ms_status open_search(search *x) {
  const ms_calibrate *c = x->c;
  ms_context *ctx = x->study->ctx;
  ms_nsga2_setting setting = MS_NSGA2_DEFAULT;
  const ms_calibrate_round round = round_of(c);
  double *bound = NULL;
  setting.n_point = c->points;
  setting.seed = c->seed;
  MS_TRY(ms_calibrate_open_team(x->study, x->c, &round, &x->team));
  MS_TRY(ms_allocate(ctx, (c->n_objective + 1) * c->points, sizeof *x->out, &x->out));
  MS_TRY(ms_allocate(ctx, 2 * c->n, sizeof *bound, &bound));
  for (ptrdiff_t i = 0; i < c->n; i++) bound[c->n + i] = 1.0;
  const ms_pareto_problem problem = { c->n, c->n_objective, bound, bound + c->n, eval, x };
  ms_status status = ms_nsga2_create(ctx, &problem, &setting, &x->nsga2);
  ms_free(ctx, &bound);
  return status;
}

/* ---- generations ---- */

/* Worst of the first generation, a little beyond. */
static ms_status set_reference(search *x, const ms_pareto_points *p) {
  ms_calibrate *c = x->c;
  ptrdiff_t sound = 0;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    sound += p->v[i] == 0.0;
    for (ptrdiff_t m = 0; p->v[i] == 0.0 && m < p->n_f; m++) {
      c->reference[m] = fmax(c->reference[m], BEYOND * p->f[m + p->n_f * i]);
    }
  }
  if (sound > 0) return MS_SUCCESS;
  return ms_fail(x->study->ctx, MS_NOT_CONVERGED,
                 "none of the first %td points could be evaluated: look at bounds and amplitudes",
                 p->n);
}

/* Points without an answer are none of the front: they are put at the reference, where they add
   nothing. */
static ms_status measure(search *x, ptrdiff_t generation) {
  ms_calibrate *c = x->c;
  ms_context *ctx = x->study->ctx;
  const ms_pareto_points p = ms_nsga2_points(x->nsga2);
  double *f = NULL;
  if (generation == 0) MS_TRY(set_reference(x, &p));
  MS_TRY(ms_explored_add(x->study, c, &p));
  MS_TRY(ms_allocate(ctx, p.n * p.n_f, sizeof *f, &f));
  for (ptrdiff_t i = 0; i < p.n * p.n_f; i++) {
    f[i] = p.v[i / p.n_f] > 0.0 ? c->reference[i % p.n_f] : p.f[i];
  }
  ms_status status =
      ms_pareto_hypervolume(ctx, p.n, p.n_f, f, c->reference, &c->volume[generation]);
  for (ptrdiff_t m = 0; m < p.n_f; m++) c->volume[generation] /= c->reference[m];
  ms_free(ctx, &f);
  return status;
}

static ptrdiff_t kept_size(const ms_calibrate *c) {
  return c->points * (c->n + c->n_objective + 1);
}

static ms_status keep(search *x, const char *what, ptrdiff_t generation) {
  const ms_calibrate *c = x->c;
  const ms_pareto_points p = ms_nsga2_points(x->nsga2);
  double *values = NULL;
  if (!x->study->resume) return MS_SUCCESS;
  MS_TRY(ms_allocate(x->study->ctx, kept_size(c), sizeof *values, &values));
  memcpy(values, p.x, (size_t)(p.n * p.n_x) * sizeof *values);
  memcpy(values + p.n * p.n_x, p.f, (size_t)(p.n * p.n_f) * sizeof *values);
  memcpy(values + p.n * (p.n_x + p.n_f), p.v, (size_t)p.n * sizeof *values);
  ms_status status = ms_resume_keep(x->study->resume, what, generation, values, kept_size(c));
  ms_free(x->study->ctx, &values);
  return status;
}

/* The generations of an earlier start, as far as they follow each other. */
static ms_status restore(search *x, const char *what, ptrdiff_t *next) {
  const ms_calibrate *c = x->c;
  ms_kept kept;
  for (ptrdiff_t at = 0; ms_resume_next(x->study->resume, what, &at, &kept);) {
    if (kept.job != *next || kept.n != kept_size(c) || kept.job > c->generations) continue;
    const double *f = kept.values + c->points * c->n, *v = f + c->points * c->n_objective;
    MS_TRY(ms_nsga2_restore(x->nsga2, kept.job, kept.values, f, v));
    MS_TRY(measure(x, kept.job));
    *next = kept.job + 1;
  }
  return MS_SUCCESS;
}

static ms_status advance(search *x, const ms_task *task) {
  ms_calibrate *c = x->c;
  char what[96];
  ptrdiff_t next = 0;
  snprintf(what, sizeof what, "%.80s_generation", task->name);
  MS_TRY(restore(x, what, &next));
  c->made = (c->generations + 1 - next) * c->points;
  for (ptrdiff_t g = next; g <= c->generations; g++) {
    MS_TRY(ms_nsga2_step(x->nsga2));
    MS_TRY(measure(x, g));
    MS_TRY(keep(x, what, g));
    MS_TRY(ms_progress(x->study->ctx, task->name, (double)(g + 1) / (double)(c->generations + 1)));
  }
  return MS_SUCCESS;
}

/* ---- the front ---- */

static int comes_before(const double *a, const double *b, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return 0;
}

/* Rows of objectives and parameters, by the first objective; equal rows once. */
static void insert(ms_calibrate *c, const double *row) {
  const ptrdiff_t width = c->n_objective + c->n;
  ptrdiff_t at = c->n_front;
  while (at > 0 && comes_before(row, c->front + width * (at - 1), width)) at--;
  if (at > 0 && memcmp(row, c->front + width * (at - 1), (size_t)width * sizeof *row) == 0) return;
  memmove(c->front + width * (at + 1), c->front + width * at,
          (size_t)(width * (c->n_front - at)) * sizeof *row);
  memcpy(c->front + width * at, row, (size_t)width * sizeof *row);
  c->n_front++;
}

static ms_status take_front(search *x) {
  ms_calibrate *c = x->c;
  const ms_pareto_points p = ms_nsga2_points(x->nsga2);
  const ptrdiff_t width = c->n_objective + c->n;
  MS_TRY(ms_allocate(x->study->ctx, (p.n + 1) * width, sizeof *c->front, &c->front));
  double *row = c->front + p.n * width;
  for (ptrdiff_t i = 0; i < p.n; i++) {
    if (p.rank[i] != 0 || p.v[i] > 0.0) continue;
    memcpy(row, p.f + p.n_f * i, (size_t)p.n_f * sizeof *row);
    ms_calibrate_unscale(c, p.x + p.n_x * i, row + p.n_f);
    insert(c, row);
  }
  c->evaluations = (c->generations + 1) * c->points;
  if (c->n_front > 0) return MS_SUCCESS;
  return ms_fail(x->study->ctx, MS_NOT_CONVERGED, "no point of the search could be evaluated");
}

/* The knee, and the end of each objective. */
static ms_status name_solutions(ms_study *s, ms_calibrate *c) {
  const ptrdiff_t width = c->n_objective + c->n, n_f = c->n_objective;
  double *f = NULL;
  MS_TRY(ms_allocate(s->ctx, n_f * c->n_front, sizeof *f, &f));
  for (ptrdiff_t i = 0; i < n_f * c->n_front; i++) f[i] = c->front[i % n_f + width * (i / n_f)];
  ptrdiff_t knee = ms_pareto_knee(c->n_front, n_f, f, NULL);
  ms_status status = ms_calibrate_add_solution(s, c, "knee", c->front + width * knee + n_f);
  for (ptrdiff_t m = 0; status == MS_SUCCESS && n_f > 1 && m < n_f; m++) {
    char name[64];
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < c->n_front; i++) {
      if (f[m + n_f * i] < f[m + n_f * best]) best = i;
    }
    snprintf(name, sizeof name, "best %.40s", c->objective[m].name);
    status = ms_calibrate_add_solution(s, c, name, c->front + width * best + n_f);
  }
  ms_free(s->ctx, &f);
  return status;
}

static ms_status run(ms_study *s, const ms_task *task, ms_calibrate *c) {
  search x = { .study = s, .c = c };
  MS_TRY(list_objectives(s, c));
  MS_TRY(ms_allocate(s->ctx, c->n_objective, sizeof *c->reference, &c->reference));
  MS_TRY(ms_allocate(s->ctx, c->generations + 1, sizeof *c->volume, &c->volume));
  ms_status status = open_search(&x);
  if (status == MS_SUCCESS) status = advance(&x, task);
  if (status == MS_SUCCESS) status = take_front(&x);
  close_search(&x);
  MS_TRY(status);
  MS_TRY(name_solutions(s, c));
  return ms_choices_gather(s, c);
}

static ms_status help(ms_study *s, const ms_task *task, ms_calibrate *c) {
  (void)task;
  MS_TRY(list_objectives(s, c));
  const ms_calibrate_round round = round_of(c);
  return ms_calibrate_serve(s, c, &round);
}

static void close_nsga2(ms_study *s, ms_calibrate *c) {
  ms_choices_close(s, &c->choices);
  ms_explored_close(s, &c->explored);
  ms_free(s->ctx, &c->objective);
  ms_free(s->ctx, &c->reference);
  ms_free(s->ctx, &c->volume);
  ms_free(s->ctx, &c->front);
}

const ms_calibrate_method ms_calibrate_nsga2 = {
  .name = "nsga2",
  .meaning = "Pareto front by a genetic search",
  .run = run,
  .help = help,
  .tabulate = ms_calibrate_tabulate_front,
  .summarise = ms_calibrate_summarise_front,
  .report = ms_calibrate_report_front,
  .close = close_nsga2,
};
