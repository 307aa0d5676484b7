/* propagate: random joints to frequency and damping against amplitude, by Monte Carlo. */
#include <math.h>
#include <microslip/posterior.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/random.h"

static const ms_key keys[] = {
  { "name", "word", "of this analysis", 0 },
  { "random", "mapping or word",
    "joint.parameter: {family, bounds, mean, deviation} or a scatter; or a scatter for all", 1 },
  { "amplitudes", "list or mapping", "modal, rising, or {from, to, count}", 1 },
  { "modes", "list", "mode numbers; all if absent", 0 },
  { "samples", "number", "of the joints; 400", 0 },
  { "seed", "number", "1", 0 },
};

enum { N_KEYS = sizeof keys / sizeof *keys, N_LEVEL = 3, LEAST = 20 };
static const double levels[N_LEVEL] = { 0.05, 0.5, 0.95 };

typedef struct product {
  ms_random_curves c; /* first, for those who share it */
  ptrdiff_t samples, answered;
  ms_sheet *table;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_random_close_curves(s, &p->c);
  ms_free(s->ctx, &task->product);
}

static ms_status check(ms_study *s, ms_task *task) {
  product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  p->samples = 400;
  task->product = p;
  MS_TRY(
      ms_yaml_check_keys(&s->yaml, task->node ? task->node : task->key, task->name, keys, N_KEYS));
  MS_TRY(ms_random_read_curves(s, task, &p->c));
  struct fy_node *samples = ms_yaml_get(task->node, "samples");
  if (!samples) return MS_SUCCESS;
  return ms_yaml_count_value(&s->yaml, samples, "samples", LEAST, &p->samples);
}

/* ---- the run ---- */

/* Quantiles of one number over the points that have an answer; room for all of them. */
static ms_status find_band(ms_context *ctx, const product *p, int mode, ptrdiff_t level,
                           int damping, double *room, double *out) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < p->c.count; i++) {
    if (p->c.answered[i]) room[n++] = *ms_random_value(&p->c, i, mode, level, damping);
  }
  return ms_chain_quantiles(ctx, n, room, 1, N_LEVEL, levels, out);
}

static ms_status tabulate_bands(ms_study *s, const ms_task *task, product *p) {
  double *room, row[2 + 2 * N_LEVEL];
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_sheet_create(s, task->name,
                         "mode,q [m sqrt(kg)],omega_05 [rad/s],omega_50 [rad/s],omega_95 [rad/s],"
                         "zeta_05,zeta_50,zeta_95",
                         &p->table));
  MS_TRY(ms_allocate(s->ctx, p->c.count, sizeof *room, &room));
  for (int k = 0; k < p->c.n_mode; k++) {
    for (ptrdiff_t i = 0; i < p->c.n_level && status == MS_SUCCESS; i++) {
      row[0] = p->c.mode[k] + 1, row[1] = p->c.q[i];
      status = find_band(s->ctx, p, k, i, 0, room, row + 2);
      if (status == MS_SUCCESS) status = find_band(s->ctx, p, k, i, 1, room, row + 2 + N_LEVEL);
      if (status == MS_SUCCESS) status = ms_sheet_add_numbers(s->ctx, p->table, row);
    }
  }
  ms_free(s->ctx, &room);
  return status;
}

/* A row for every joint: its parameters, and what it makes at the largest amplitude. */
static ms_status tabulate_samples(ms_study *s, const ms_task *task, const product *p) {
  char name[96], columns[4096];
  double row[2 + 32];
  ms_sheet *sheet;
  const ptrdiff_t n = p->c.joints.n;
  int at = snprintf(columns, sizeof columns, "sample,answered");
  for (ptrdiff_t i = 0; i < n; i++) {
    at += snprintf(columns + at, sizeof columns - (size_t)at, ",%.60s",
                   p->c.joints.parameter[i].is.key);
  }
  snprintf(name, sizeof name, "%.80s_samples", task->name);
  MS_TRY(ms_sheet_create(s, name, columns, &sheet));
  for (ptrdiff_t i = 0; i < p->c.count; i++) {
    row[0] = (double)(i + 1), row[1] = p->c.answered[i];
    memcpy(row + 2, p->c.p + n * i, (size_t)n * sizeof *row);
    MS_TRY(ms_sheet_add_numbers(s->ctx, sheet, row));
  }
  return MS_SUCCESS;
}

/* Every process. */
static ms_status evaluate(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_random_curves *c = &p->c;
  MS_TRY(ms_random_begin(s, p->samples, c));
  ms_scatter_draw(c->joints.n, c->joints.d, c->count, c->seed, c->p);
  return ms_random_run(s, task->name, c);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_random_curves *c = &p->c;
  MS_TRY(evaluate(s, task));
  for (ptrdiff_t i = 0; i < c->count; i++) p->answered += c->answered[i];
  if (p->answered < LEAST) {
    return ms_fail(s->ctx, MS_NOT_CONVERGED,
                   "%s: %td of %td random joints have an answer at all amplitudes: look at them "
                   "and at the distributions",
                   task->name, p->answered, c->count);
  }
  MS_TRY(tabulate_bands(s, task, p));
  return tabulate_samples(s, task, p);
}

/* ---- summary and report ---- */

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const product *p = task->product;
  (void)s;
  ms_json_add_integer(json, "samples", p->c.count);
  ms_json_add_integer(json, "without_answer", p->c.count - p->answered);
  ms_json_begin_array(json, "modes");
  for (int k = 0; k < p->c.n_mode; k++) {
    const ptrdiff_t last = p->c.n_level * (k + 1) - 1;
    static const char *const name[] = { "omega_05", "omega_50", "omega_95",
                                        "zeta_05",  "zeta_50",  "zeta_95" };
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", p->c.mode[k] + 1);
    ms_json_add_number(json, "q", ms_sheet_column(p->table, 1)[last]);
    for (int i = 0; i < 6; i++) {
      ms_json_add_number(json, name[i], ms_sheet_column(p->table, 2 + i)[last]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

static ms_status add_band(const ms_study *s, const product *p, ms_figure *figure, int mode,
                          int damping) {
  const ptrdiff_t at = p->c.n_level * mode;
  const double *x = ms_sheet_column(p->table, 1) + at, *of[N_LEVEL];
  for (int l = 0; l < N_LEVEL; l++) {
    of[l] = ms_sheet_column(p->table, 2 + N_LEVEL * damping + l) + at;
  }
  return ms_random_add_band(s->ctx, figure, p->c.n_level, x, of);
}

static ms_status report_mode(const ms_study *s, const product *p, int mode, ms_page *page) {
  const ms_panel panel[2] = {
    { "Frequency", "modal amplitude |q|", "m sqrt(kg)", "omega", "rad/s", 1, 0 },
    { "Damping", "modal amplitude |q|", "m sqrt(kg)", "zeta", NULL, 1, 0 }
  };
  char title[64];
  ms_figure *figure;
  snprintf(title, sizeof title, "Mode %d", p->c.mode[mode] + 1);
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = MS_SUCCESS;
  for (int k = 0; k < 2 && status == MS_SUCCESS; k++) {
    status = ms_figure_add_panel(figure, &panel[k]);
    if (status == MS_SUCCESS) status = add_band(s, p, figure, mode, k);
  }
  if (status == MS_SUCCESS) {
    status =
        ms_page_add_figure(page, "Median over random joints, and where 90 % of them lie.", figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  char text[240];
  snprintf(text, sizeof text, "%td structures whose joints have random parameters.", p->c.count);
  MS_TRY(ms_page_add_text(page, text));
  if (p->answered < p->c.count) {
    snprintf(text, sizeof text,
             "%td of them have no answer at one of the amplitudes, and are left out.",
             p->c.count - p->answered);
    MS_TRY(ms_page_add_warning(page, text));
  }
  MS_TRY(ms_random_report(s, &p->c.joints, page));
  for (int k = 0; k < p->c.n_mode; k++) MS_TRY(report_mode(s, p, k, page));
  return ms_sheet_add_to_page(s->ctx, p->table, "Quantiles of 5, 50 and 95 %", page);
}

static int needs(const ms_task *task, const ms_task *other) {
  const product *p = task->product;
  return ms_random_needs(&p->c.joints, other);
}

const ms_analysis ms_analysis_propagate = {
  .needs = needs,
  .name = "propagate",
  .meaning =
      "What random joints make of a structure: quasi-static frequency and damping (qsma) "
      "against amplitude for many random values of the joints' parameters; 5, 50 and 95 % "
      "of them.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .help = evaluate,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
