/* transient: the response to the study's loads, from rest, an initial state or a static preload;
   chosen channels against time, and where the energy goes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/signal.h>

#include "study/channels.h"
#include "study/ringdown.h"

static const ms_key keys[] = {
  { "name", "word", "of this analysis", 0 },
  { "loads", "list", "names of loads; all of them if absent", 0 },
  { "time", "mapping", "{step, steps, method, beta, gamma, tolerance}", 1 },
  { "record", "mapping", "{every or rate, channels}", 0 },
  { "initial", "mapping", "{u: {u1: 0.1}, v: {u2: 3}}", 0 },
  { "preload", "mapping", "coordinate: force; the run starts in its static equilibrium", 0 },
  { "release", "true", "the preload is let go at the start; else it stays on", 0 },
};

static const ms_key record_keys[] = {
  { "every", "number", "steps between rows; 1", 0 },
  { "rate", "number", "rows per unit of time, in place of every", 0 },
  { "channels", "list", "what to record; coordinates and joints if absent", 0 },
};

static const ms_key initial_keys[] = {
  { "u", "mapping", "coordinate: displacement", 0 },
  { "v", "mapping", "coordinate: velocity", 0 },
};

typedef struct product {
  ms_time_setting time;
  ms_study_load *load;
  int n_load;
  ms_channel channel[MS_MAX_CHANNEL];
  int n_channel;
  ptrdiff_t every;
  double *u, *v, *preload; /* NULL where not given */
  int release;
  ms_sheet *table, *energy;
  ms_transient_energy last;
  ms_transient_count count;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (int i = 0; p->load && i < p->n_load; i++) ms_load_free(s->ctx, &p->load[i]);
  ms_free(s->ctx, &p->load);
  ms_free(s->ctx, &p->u);
  ms_free(s->ctx, &p->v);
  ms_free(s->ctx, &p->preload);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_loads(ms_study *s, struct fy_node *node, product *p) {
  struct fy_node *all = ms_yaml_get(ms_yaml_root(&s->yaml), "loads"), *name = NULL;
  struct fy_node *from = node ? node : all;
  void *at = NULL;
  if (!from) return MS_SUCCESS;
  ptrdiff_t n = ms_yaml_count(from);
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->load, &p->load));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!node) {
      ms_yaml_next_pair(all, &at, &name);
    } else {
      name = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    }
    MS_TRY(ms_read_load(s, name, &p->load[p->n_load++]));
  }
  return MS_SUCCESS;
}

/* rate: rows per unit of time, which must be a whole number of steps apart. */
static ms_status read_rate(ms_study *s, struct fy_node *node, product *p) {
  double rate;
  MS_TRY(ms_yaml_positive(&s->yaml, node, "rate", &rate));
  double every = s->units.time / (rate * p->time.step);
  p->every = (ptrdiff_t)round(every);
  if (every >= 0.5 && every < 1e9 && fabs(every - (double)p->every) < 1e-6 * every) {
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "rate %g gives a row every %g steps; that must be a whole number", rate,
                      every);
}

static ms_status read_record(ms_study *s, struct fy_node *node, product *p) {
  p->every = 1;
  if (node) MS_TRY(ms_yaml_check_keys(&s->yaml, node, "record", record_keys, 3));
  struct fy_node *every = ms_yaml_get(node, "every"), *rate = ms_yaml_get(node, "rate");
  if (every && rate) {
    return ms_yaml_fail(&s->yaml, rate, MS_ERR_FORMAT, "record needs every or rate, not both");
  }
  if (every) MS_TRY(ms_yaml_count_value(&s->yaml, every, "every", 1, &p->every));
  if (rate) MS_TRY(read_rate(s, rate, p));
  if (p->every > p->time.steps) {
    return ms_yaml_fail(&s->yaml, every ? every : rate, MS_ERR_BOUNDS,
                        "a row every %td steps is none in a run of %td", p->every, p->time.steps);
  }
  return ms_read_channels(s, ms_yaml_get(node, "channels"), p->load, p->n_load, p->channel,
                          &p->n_channel);
}

static ms_status read_vector(ms_study *s, struct fy_node *node, const char *what, double factor,
                             double **out) {
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "%s must be {coordinate: value}", what);
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof **out, out));
  return ms_read_weights(s, node, what, factor, *out);
}

static ms_status read_start(ms_study *s, struct fy_node *node, product *p) {
  struct fy_node *initial = ms_yaml_get(node, "initial"), *release = ms_yaml_get(node, "release");
  const ms_units *u = &s->units;
  if (initial) MS_TRY(ms_yaml_check_keys(&s->yaml, initial, "initial", initial_keys, 2));
  MS_TRY(read_vector(s, ms_yaml_get(initial, "u"), "initial u", u->length, &p->u));
  MS_TRY(read_vector(s, ms_yaml_get(initial, "v"), "initial v", u->length / u->time, &p->v));
  MS_TRY(read_vector(s, ms_yaml_get(node, "preload"), "preload", u->force, &p->preload));
  if (p->preload && p->u) {
    return ms_yaml_fail(&s->yaml, initial, MS_ERR_FORMAT,
                        "the preload decides the displacement at the start; leave initial u out");
  }
  if (!release) return MS_SUCCESS;
  p->release = fy_node_compare_string(release, "true", FY_NT);
  if (!p->release && !fy_node_compare_string(release, "false", FY_NT)) {
    return ms_yaml_fail(&s->yaml, release, MS_ERR_FORMAT, "release must be true or false");
  }
  if (p->preload) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, release, MS_ERR_FORMAT, "release needs a preload to let go");
}

static ms_status check(ms_study *s, ms_task *task) {
  product *p;
  struct fy_node *node = task->node;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  if (!node) {
    return ms_yaml_fail(&s->yaml, ms_yaml_root(&s->yaml), MS_ERR_NAME,
                        "transient needs time: {step, steps}");
  }
  MS_TRY(ms_read_adaptive_time(s, ms_yaml_get(node, "time"), &p->time));
  MS_TRY(read_loads(s, ms_yaml_get(node, "loads"), p));
  MS_TRY(read_record(s, ms_yaml_get(node, "record"), p));
  return read_start(s, node, p);
}

/* ---- the run ---- */

static ms_status create_tables(ms_study *s, ms_task *task, product *p) {
  enum { ROOM = 64 };
  char columns[(MS_MAX_CHANNEL + 1) * ROOM] = "time [s]", name[96];
  size_t at = strlen(columns);
  for (int c = 0; c < p->n_channel; c++) {
    int n = snprintf(columns + at, sizeof columns - at, ",%s [%s]", p->channel[c].name,
                     ms_quantity_unit(p->channel[c].quantity));
    at += n > 0 ? (size_t)n : 0;
  }
  MS_TRY(ms_sheet_create(s, task->name, columns, &p->table));
  snprintf(name, sizeof name, "%.80s_energy", task->name);
  return ms_sheet_create(s, name,
                         "time [s],input [J],kinetic [J],elastic [J],viscous [J],stored [J],"
                         "dissipated [J],balance [J]",
                         &p->energy);
}

static double one(void *user, double t) {
  (void)user, (void)t;
  return 1.0;
}

static ms_status start(product *p, ms_transient *run) {
  for (int i = 0; i < p->n_load; i++) {
    ms_study_load *l = &p->load[i];
    MS_TRY(ms_transient_add_load(run, l->shape, ms_load_time_fn, l->load, ms_load_end(l->load)));
  }
  if (!p->preload) return ms_transient_start(run, 0.0, p->u, p->v);
  if (!p->release) MS_TRY(ms_transient_add_load(run, p->preload, one, NULL, HUGE_VAL));
  return ms_transient_start_static(run, 0.0, p->preload, p->v);
}

typedef struct recorder {
  ms_study *study;
  product *p;
  ms_decimator *decimator;
  double *work, *in, *row; /* row: time, then the channels */
  ptrdiff_t rows;
  int no_energy; /* some law has none */
} recorder;

static ms_status open_recorder(ms_study *s, product *p, recorder *r) {
  ms_decimator_settings setting = MS_DECIMATOR_DEFAULT;
  *r = (recorder) { .study = s, .p = p };
  setting.factor = p->every;
  MS_TRY(ms_allocate(s->ctx, 3 * ms_structure_get_size(s->structure), sizeof *r->work, &r->work));
  MS_TRY(ms_allocate(s->ctx, p->n_channel, sizeof *r->in, &r->in));
  MS_TRY(ms_allocate(s->ctx, p->n_channel + 1, sizeof *r->row, &r->row));
  return ms_decimator_create(s->ctx, &setting, p->n_channel, &r->decimator);
}

static void close_recorder(recorder *r) {
  ms_decimator_destroy(&r->decimator);
  ms_free(r->study->ctx, &r->work);
  ms_free(r->study->ctx, &r->in);
  ms_free(r->study->ctx, &r->row);
}

static ms_status add_row(recorder *r) {
  r->row[0] = (double)r->rows++ * (double)r->p->every * r->p->time.step;
  return ms_sheet_add_numbers(r->study->ctx, r->p->table, r->row);
}

/* Energies are sums over time: taken as they are, not filtered. */
static ms_status record_energy(recorder *r, const ms_transient *run) {
  ms_transient_energy e;
  if (r->no_energy) return MS_SUCCESS;
  if (ms_transient_get_energy(run, &e) != MS_SUCCESS) {
    ms_context_clear_message(r->study->ctx);
    r->no_energy = 1;
    return MS_SUCCESS;
  }
  double t = (double)ms_transient_get_step(run) * r->p->time.step;
  r->p->last = e;
  return ms_sheet_add_row(r->study->ctx, r->p->energy, t, e.input, e.kinetic, e.elastic, e.viscous,
                          e.stored, e.dissipated, e.balance);
}

static ms_status record(recorder *r, const ms_transient *run) {
  const product *p = r->p;
  int ready;
  ms_sample_channels(run, p->load, p->n_load, p->channel, p->n_channel,
                     ms_structure_get_size(r->study->structure), r->work, r->in);
  MS_TRY(ms_decimator_push(r->decimator, r->in, r->row + 1, &ready));
  if (ready) MS_TRY(add_row(r));
  if (ms_transient_get_step(run) % p->every != 0) return MS_SUCCESS;
  return record_energy(r, run);
}

static ms_status march(ms_study *s, const ms_task *task, ms_transient *run, recorder *r) {
  enum { PROGRESS = 4096 };
  int ready;
  MS_TRY(record(r, run));
  for (ptrdiff_t k = 1; k <= r->p->time.steps; k++) {
    MS_TRY(ms_transient_step(run));
    MS_TRY(record(r, run));
    if (k % PROGRESS == 0) {
      MS_TRY(ms_progress(s->ctx, task->name, (double)k / (double)r->p->time.steps));
    }
  }
  do {
    MS_TRY(ms_decimator_flush(r->decimator, r->row + 1, &ready));
    if (ready) MS_TRY(add_row(r));
  } while (ready);
  r->p->count = ms_transient_get_count(run);
  return MS_SUCCESS;
}

static ms_status run_transient(ms_study *s, ms_task *task, ms_transient *run) {
  product *p = task->product;
  recorder r;
  ms_status status = start(p, run);
  if (status != MS_SUCCESS) {
    struct fy_node *preload = ms_yaml_get(task->node, "preload");
    return ms_yaml_fail_here(&s->yaml, preload ? preload : task->node, status);
  }
  status = open_recorder(s, p, &r);
  if (status == MS_SUCCESS) status = march(s, task, run, &r);
  close_recorder(&r);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *transient;
  ms_time_apply(&p->time, &setting);
  MS_TRY(create_tables(s, task, p));
  MS_TRY(ms_transient_create(s->structure, &setting, &transient));
  ms_status status = run_transient(s, task, transient);
  ms_transient_destroy(&transient);
  return status;
}

/* ---- what is said about it ---- */

static void summarise_energy(const product *p, ms_json *json) {
  const ms_transient_energy *e = &p->last;
  ms_json_begin_object(json, "energy");
  ms_json_add_number(json, "start", e->start);
  ms_json_add_number(json, "input", e->input);
  ms_json_add_number(json, "kinetic", e->kinetic);
  ms_json_add_number(json, "elastic", e->elastic);
  ms_json_add_number(json, "viscous", e->viscous);
  ms_json_add_number(json, "stored", e->stored);
  ms_json_add_number(json, "dissipated", e->dissipated);
  ms_json_add_number(json, "balance", e->balance);
  ms_json_end(json);
}

static void summarise_channel(const product *p, int c, ms_json *json) {
  const double *x = ms_sheet_column(p->table, c + 1);
  ptrdiff_t n = ms_sheet_rows(p->table);
  double low = x[0], high = x[0], square = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
    square += x[i] * x[i] / (double)n;
  }
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", p->channel[c].name);
  ms_json_add_text(json, "unit", ms_quantity_unit(p->channel[c].quantity));
  ms_json_add_number(json, "lowest", low);
  ms_json_add_number(json, "highest", high);
  ms_json_add_number(json, "rms", sqrt(square));
  ms_json_add_number(json, "last", x[n - 1]);
  ms_json_end(json);
}

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const product *p = task->product;
  (void)s;
  ms_json_add_text(json, "method", p->time.method);
  if (strcmp(p->time.method, "newmark") == 0) {
    ms_json_add_number(json, "beta", p->time.beta);
    ms_json_add_number(json, "gamma", p->time.gamma);
  }
  ms_json_add_number(json, "step", p->time.step);
  if (p->time.tolerance > 0.0) {
    ms_json_add_number(json, "tolerance", p->time.tolerance);
    ms_json_add_integer(json, "rejected", p->count.rejected);
  }
  ms_json_add_integer(json, "steps", p->count.steps);
  ms_json_add_integer(json, "evaluations", p->count.evaluations);
  ms_json_add_number(json, "residual", p->count.residual);
  ms_json_add_integer(json, "rows", ms_sheet_rows(p->table));
  ms_json_begin_array(json, "channels");
  for (int c = 0; c < p->n_channel; c++) summarise_channel(p, c, json);
  ms_json_end(json);
  if (ms_sheet_rows(p->energy) > 0) summarise_energy(p, json);
}

/* A panel for every quantity that was recorded. */
static ms_status add_histories(const product *p, ms_figure *figure) {
  for (int q = 0; q < MS_N_QUANTITY; q++) {
    ms_panel panel = { ms_quantity_label((ms_quantity)q), "time", "s", NULL, NULL, 0, 0 };
    int n = 0;
    panel.y_label = panel.title;
    panel.y_unit = ms_quantity_unit((ms_quantity)q);
    for (int c = 0; c < p->n_channel && n < MS_PALETTE_SIZE; c++) {
      if (p->channel[c].quantity != (ms_quantity)q) continue;
      if (n == 0) MS_TRY(ms_figure_add_panel(figure, &panel));
      ms_series series = { .label = p->channel[c].name,
                           .x = ms_sheet_column(p->table, 0),
                           .y = ms_sheet_column(p->table, c + 1),
                           .n = ms_sheet_rows(p->table),
                           .style = MS_SERIES_LINE,
                           .colour = n++ };
      MS_TRY(ms_figure_add_series(figure, &series));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_energies(const product *p, ms_figure *figure) {
  static const char *const label[] = { "input",  "kinetic",    "elastic", "viscous",
                                       "stored", "dissipated", "balance" };
  ms_panel where = { "Where the energy is", "time", "s", "energy", "J", 0, 0 };
  ms_panel gap = { "Balance", "time", "s", "what is missing", "J", 0, 0 };
  for (int k = 0; k < 7; k++) {
    if (k == 0) MS_TRY(ms_figure_add_panel(figure, &where));
    if (k == 6) MS_TRY(ms_figure_add_panel(figure, &gap));
    ms_series series = { .label = label[k],
                         .x = ms_sheet_column(p->energy, 0),
                         .y = ms_sheet_column(p->energy, k + 1),
                         .n = ms_sheet_rows(p->energy),
                         .style = MS_SERIES_LINE,
                         .colour = k == 0 ? -1 : k - 1 };
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  return MS_SUCCESS;
}

static ms_status add_figure(const ms_study *s, const product *p, ms_page *page, const char *title,
                            ms_status (*fill)(const product *p, ms_figure *figure)) {
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = fill(p, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  char steps[96], work[96], balance[96] = "a law keeps no energies";
  const char *names[] = { "steps", "joint evaluations per step, residual", "energy missing" };
  const char *values[] = { steps, work, balance };
  if (p->time.tolerance > 0.0) {
    snprintf(steps, sizeof steps, "%td in %td of %g s, %s, tolerance %g", p->count.steps,
             p->time.steps, p->time.step, p->time.method, p->time.tolerance);
  } else {
    snprintf(steps, sizeof steps, "%td of %g s, %s", p->count.steps, p->time.step, p->time.method);
  }
  snprintf(work, sizeof work, "%.3g, %.2g",
           (double)p->count.evaluations / fmax(1.0, (double)p->count.steps), p->count.residual);
  if (ms_sheet_rows(p->energy) > 0) {
    snprintf(balance, sizeof balance, "%.3g J of %.6g J", p->last.balance,
             p->last.start + p->last.input);
  }
  MS_TRY(ms_page_add_facts(page, 3, names, values));
  MS_TRY(add_figure(s, p, page, "Time histories", add_histories));
  if (ms_sheet_rows(p->energy) == 0) return MS_SUCCESS;
  return add_figure(s, p, page, "Energy", add_energies);
}

const ms_analysis ms_analysis_transient = {
  .name = "transient",
  .meaning =
      "The response in time to the loads, step by step, with the joints solved in every step. "
      "Rows that are several steps apart stand behind an anti-alias filter; energies do not.",
  .keys = keys,
  .n_keys = 7,
  .check = check,
  .run = run,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
