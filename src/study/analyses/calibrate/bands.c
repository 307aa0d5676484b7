/* Bands: what samples of the parameters make of each target, point by point. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/methods/posterior.h"
#include "study/analyses/calibrate/team.h"

enum { DRAWS = 400, ROUND = 64 /* evaluations of a team at once */ };

const double ms_band_part[MS_BAND] = { 0.05, 0.5, 0.95 };

static const ms_target_view *view_of(const ms_calibrate *c, ptrdiff_t k) {
  return &c->solution[0].view[k].is;
}

static int count_quantities(const ms_target_view *v) {
  return v->model[1] ? 2 : 1;
}

/* Numbers of all targets: their model's quantities, one behind the other. */
static ptrdiff_t count_numbers(const ms_calibrate *c) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    n += view_of(c, k)->n * count_quantities(view_of(c, k));
  }
  return n;
}

/* ---- evaluation ---- */

typedef struct draws {
  ms_calibrate *c;
  ptrdiff_t n, width;
  double *value; /* width x n */
} draws;

static ms_status eval_views(ms_worker *w, const double *p, double *out, void *user) {
  const ms_calibrate *c = user;
  const ms_calibrate_hand *h = w->own;
  MS_TRY(ms_evaluator_misfit(h->on, p, h->f));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target_view v = ms_evaluator_view(h->on, k);
    for (int q = 0; q < count_quantities(&v); q++, out += v.n) {
      memcpy(out, v.model[q], (size_t)v.n * sizeof *out);
    }
  }
  return MS_SUCCESS;
}

/* Draws from all over the chain. */
static ms_status take_samples(ms_context *ctx, const draws *d, double **out) {
  const ms_calibrate_chain *k = d->c->chain;
  const ptrdiff_t n = d->c->n;
  MS_TRY(ms_allocate(ctx, n * d->n, sizeof **out, out));
  for (ptrdiff_t i = 0; i < d->n; i++) {
    const ptrdiff_t sample = (2 * i + 1) * k->n_sample / (2 * d->n);
    memcpy(*out + n * i, k->p + n * sample, (size_t)n * sizeof **out);
  }
  return MS_SUCCESS;
}

static ms_status run_draws(ms_study *s, draws *d) {
  ms_team *team = NULL;
  double *p = NULL;
  MS_TRY(ms_study_share(s, 0, &d->width, sizeof d->width));
  const ms_calibrate_round round = { d->width, ROUND, eval_views };
  MS_TRY(ms_calibrate_open_team(s, d->c, &round, &team));
  ms_status status = take_samples(s->ctx, d, &p);
  if (status == MS_SUCCESS) status = ms_team_map(team, d->n, p, d->value);
  ms_team_close(&team);
  ms_free(s->ctx, &p);
  return status;
}

ms_status ms_calibrate_help_bands(ms_study *s, ms_calibrate *c) {
  ms_calibrate_round round = { 0, ROUND, eval_views };
  MS_TRY(ms_context_agree(s->ctx, MS_SUCCESS)); /* that the first has room */
  MS_TRY(ms_study_share(s, 0, &round.n_out, sizeof round.n_out));
  return ms_calibrate_serve(s, c, &round);
}

/* ---- quantiles ---- */

static ms_status reserve_band(ms_context *ctx, const ms_target_view *v, ms_calibrate_band *b) {
  b->n = v->n;
  MS_TRY(ms_allocate(ctx, 2 * MS_BAND * v->n, sizeof *b->quantile, &b->quantile));
  return ms_allocate(ctx, 6 * v->n, sizeof *b->outline, &b->outline);
}

static void close_outline(const ms_target_view *v, int q, ms_calibrate_band *b) {
  const double *low = b->quantile + b->n * MS_BAND * q, *high = low + b->n * (MS_BAND - 1);
  double *x = b->outline, *y = x + 2 * b->n * (1 + q);
  for (ptrdiff_t i = 0; i < b->n; i++) {
    const ptrdiff_t back = 2 * b->n - 1 - i;
    x[i] = x[back] = v->x[i];
    y[i] = low[i];
    y[back] = high[i];
  }
}

static ms_status fill_band(ms_context *ctx, const draws *d, const ms_target_view *v,
                           const double *value, ms_calibrate_band *b) {
  double at[MS_BAND];
  for (int q = 0; q < count_quantities(v); q++) {
    for (ptrdiff_t i = 0; i < v->n; i++) {
      MS_TRY(
          ms_chain_quantiles(ctx, d->n, value + v->n * q + i, d->width, MS_BAND, ms_band_part, at));
      for (int k = 0; k < MS_BAND; k++) b->quantile[i + v->n * (k + MS_BAND * q)] = at[k];
    }
    close_outline(v, q, b);
  }
  return MS_SUCCESS;
}

static ms_status fill_bands(ms_context *ctx, const draws *d) {
  const double *value = d->value;
  for (ptrdiff_t k = 0; k < d->c->n_target; k++) {
    const ms_target_view *v = view_of(d->c, k);
    ms_calibrate_band *b = &d->c->chain->band[k];
    MS_TRY(reserve_band(ctx, v, b));
    MS_TRY(fill_band(ctx, d, v, value, b));
    value += v->n * count_quantities(v);
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_find_bands(ms_study *s, ms_calibrate *c) {
  const ptrdiff_t most = c->chain->n_sample;
  draws d = { .c = c, .n = most < DRAWS ? most : DRAWS, .width = count_numbers(c) };
  ms_status status = ms_allocate(s->ctx, d.n * d.width, sizeof *d.value, &d.value);
  MS_TRY(ms_context_agree(s->ctx, status));
  status = run_draws(s, &d);
  if (status == MS_SUCCESS) status = fill_bands(s->ctx, &d);
  ms_free(s->ctx, &d.value);
  return status;
}

void ms_calibrate_close_bands(ms_study *s, ms_calibrate *c) {
  ms_calibrate_band *band = c->chain->band;
  for (ptrdiff_t k = 0; band && k < c->n_target; k++) {
    ms_free(s->ctx, &band[k].quantile);
    ms_free(s->ctx, &band[k].outline);
  }
  ms_free(s->ctx, &c->chain->band);
}

ms_points ms_calibrate_outline(const ms_calibrate *c, ptrdiff_t target) {
  const ms_calibrate_band *b = c->chain ? &c->chain->band[target] : NULL;
  if (!b || b->n == 0) return (ms_points) { .n = 0 };
  const ptrdiff_t n = 2 * b->n;
  return (ms_points) { n, b->outline, b->outline + n, b->outline + 2 * n };
}

/* ---- table ---- */

ms_status ms_calibrate_tabulate_bands(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char name[96];
  ms_result_table *table;
  snprintf(name, sizeof name, "%.80s_bands", task->name);
  MS_TRY(
      ms_result_table_create(s, name, "target:word,quantity:word,row,x,value,q05,q50,q95", &table));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target_view *v = view_of(c, k);
    for (ptrdiff_t j = 0; j < v->n * count_quantities(v); j++) {
      const ptrdiff_t q = j / v->n, i = j % v->n;
      const double *at = c->chain->band[k].quantile + v->n * MS_BAND * q + i;
      MS_TRY(ms_result_table_add_row(s->ctx, table, c->target[k].name,
                                     c->target[k].kind->quantity[q], (double)v->row[i], v->x[i],
                                     v->target[q][i], at[0], at[v->n], at[2 * v->n]));
    }
  }
  return MS_SUCCESS;
}
