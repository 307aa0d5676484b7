/* sobol: to which of the random parameters frequency and damping owe their scatter. */
#include <math.h>
#include <microslip/sobol.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/random.h"

static const ms_key keys[] = {
  { "name", "word", "of this analysis", 0 },
  { "random", "mapping or word",
    "joint.parameter: {family, bounds, mean, deviation} or a scatter; or a scatter for all", 1 },
  { "amplitudes", "list or mapping", "modal, rising, or {from, to, count}", 1 },
  { "modes", "list", "mode numbers; all if absent", 0 },
  { "samples", "number", "n: n (parameters + 2) points are evaluated; 256", 0 },
  { "seed", "number", "1", 0 },
};

enum { N_KEYS = sizeof keys / sizeof *keys, LEAST = 8 };
static const char *const quantity[2] = { "frequency", "damping" };

typedef struct product {
  ms_random_curves c;
  ptrdiff_t samples;
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
  p->samples = 256;
  task->product = p;
  MS_TRY(
      ms_yaml_check_keys(&s->yaml, task->node ? task->node : task->key, task->name, keys, N_KEYS));
  MS_TRY(ms_random_read_curves(s, task, &p->c));
  struct fy_node *samples = ms_yaml_get(task->node, "samples");
  if (!samples) return MS_SUCCESS;
  return ms_yaml_count_value(&s->yaml, samples, "samples", LEAST, &p->samples);
}

/* ---- the run ---- */

static ms_status draw(ms_study *s, product *p) {
  const ms_random_joints *r = &p->c.joints;
  MS_TRY(ms_sobol_points(s->ctx, r->n, p->samples, p->c.seed, p->c.p));
  for (ptrdiff_t i = 0; i < r->n * p->c.count; i++) {
    p->c.p[i] = ms_distribution_quantile(&r->d[i % r->n], p->c.p[i]);
  }
  return MS_SUCCESS;
}

/* Every process. */
static ms_status evaluate(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(ms_random_begin(s, ms_sobol_count(p->c.joints.n, p->samples), &p->c));
  MS_TRY(ms_context_agree(s->ctx, draw(s, p)));
  return ms_random_run(s, task->name, &p->c);
}

/* Every point counts in the sums: none may be without an answer. */
static ms_status check_answers(const ms_study *s, const ms_task *task, const product *p) {
  ptrdiff_t without = 0;
  for (ptrdiff_t i = 0; i < p->c.count; i++) without += !p->c.answered[i];
  if (without == 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_NOT_CONVERGED,
                 "%s: %td of %td points have no answer at one of the amplitudes; take smaller "
                 "amplitudes, or distributions with bounds",
                 task->name, without, p->c.count);
}

static ms_status add_indices(ms_study *s, product *p, int mode, ptrdiff_t level, int damping,
                             double *y, ms_sobol_index *index) {
  const ptrdiff_t n = p->c.joints.n;
  for (ptrdiff_t i = 0; i < p->c.count; i++) {
    y[i] = *ms_random_value(&p->c, i, mode, level, damping);
  }
  MS_TRY(ms_sobol_indices(s->ctx, n, p->samples, y, index));
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_sheet_add_row(s->ctx, p->table, (double)(p->c.mode[mode] + 1), p->c.q[level],
                            quantity[damping], p->c.joints.parameter[i].is.key, index[i].first,
                            index[i].first_error, index[i].total, index[i].total_error));
  }
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, const ms_task *task, product *p) {
  double *y = NULL;
  ms_sobol_index *index = NULL;
  MS_TRY(ms_sheet_create(s, task->name,
                         "mode,q [m sqrt(kg)],quantity:word,parameter:word,first,first_error,"
                         "total,total_error",
                         &p->table));
  ms_status status = ms_allocate(s->ctx, p->c.count, sizeof *y, &y);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, p->c.joints.n, sizeof *index, &index);
  for (int k = 0; k < p->c.n_mode; k++) {
    for (int damping = 0; damping < 2; damping++) {
      for (ptrdiff_t i = 0; i < p->c.n_level && status == MS_SUCCESS; i++) {
        status = add_indices(s, p, k, i, damping, y, index);
      }
    }
  }
  ms_free(s->ctx, &y);
  ms_free(s->ctx, &index);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(evaluate(s, task));
  MS_TRY(check_answers(s, task, p));
  return tabulate(s, task, p);
}

/* ---- summary and report ---- */

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  static const char *const number[] = { "first", "first_error", "total", "total_error" };
  const product *p = task->product;
  (void)s;
  ms_json_add_integer(json, "evaluations", p->c.count);
  ms_json_begin_array(json, "indices");
  for (ptrdiff_t i = 0; i < ms_sheet_rows(p->table); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", (long long)ms_sheet_column(p->table, 0)[i]);
    ms_json_add_number(json, "q", ms_sheet_column(p->table, 1)[i]);
    ms_json_add_text(json, "quantity", ms_sheet_word(p->table, 2, i));
    ms_json_add_text(json, "parameter", ms_sheet_word(p->table, 3, i));
    for (int k = 0; k < 4; k++) {
      ms_json_add_number(json, number[k], ms_sheet_column(p->table, 4 + k)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* Total indices over amplitude, a line for each parameter; the rows of one parameter are n apart.
 */
static ms_status add_lines(const ms_study *s, const product *p, ms_figure *figure, int mode,
                           int damping) {
  const ptrdiff_t n = p->c.joints.n, L = p->c.n_level, first = n * L * (2 * mode + damping);
  double *y;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, L, sizeof *y, &y));
  for (ptrdiff_t k = 0; k < n && status == MS_SUCCESS; k++) {
    for (ptrdiff_t i = 0; i < L; i++) y[i] = ms_sheet_column(p->table, 6)[first + n * i + k];
    const ms_series series = { p->c.joints.parameter[k].is.key, p->c.q, y, L, MS_SERIES_LINE_POINTS,
                               (int)(k % MS_PALETTE_SIZE) };
    status = ms_figure_add_series(figure, &series);
  }
  ms_free(s->ctx, &y);
  return status;
}

static ms_status report_mode(const ms_study *s, const product *p, int mode, ms_page *page) {
  const ms_panel panel[2] = {
    { "Frequency", "modal amplitude |q|", "m sqrt(kg)", "total index", NULL, 1, 0 },
    { "Damping", "modal amplitude |q|", "m sqrt(kg)", "total index", NULL, 1, 0 }
  };
  char title[64];
  ms_figure *figure;
  snprintf(title, sizeof title, "Mode %d", p->c.mode[mode] + 1);
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = MS_SUCCESS;
  for (int k = 0; k < 2 && status == MS_SUCCESS; k++) {
    status = ms_figure_add_panel(figure, &panel[k]);
    if (status == MS_SUCCESS) status = add_lines(s, p, figure, mode, k);
  }
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(
        page, "The part of the variance that each parameter has a share in, alone or with others.",
        figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  MS_TRY(ms_random_report(s, &p->c.joints, page));
  for (int k = 0; k < p->c.n_mode; k++) MS_TRY(report_mode(s, p, k, page));
  return ms_sheet_add_to_page(s->ctx, p->table,
                              "Sobol indices: the part of the variance that a parameter makes "
                              "alone (first), and that it has a share in (total)",
                              page);
}

static int needs(const ms_task *task, const ms_task *other) {
  const product *p = task->product;
  return ms_random_needs(&p->c.joints, other);
}

const ms_analysis ms_analysis_sobol = {
  .needs = needs,
  .name = "sobol",
  .meaning =
      "Which random parameters of the joints frequency and damping (qsma) at given "
      "amplitudes owe their scatter to: Sobol indices with their errors.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .help = evaluate,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
