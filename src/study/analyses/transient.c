/* transient: the response to the study's loads, from rest, an initial state or a static preload;
   chosen channels against time, and where the energy goes. Here its options. */
#include "study/analyses/transient.h"

#include <math.h>

#include "study/steps.h"

static const ms_param keys[] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("loads", "list", "names of loads; all of them if absent", 0),
  MS_KEY("time", "mapping", "{step, steps, method, beta, gamma, tolerance}", 1),
  MS_KEY("record", "mapping", "{every or rate, channels}", 0),
  MS_KEY("initial", "mapping", "{u: {u1: 0.1}, v: {u2: 3}}", 0),
  MS_KEY("preload", "mapping", "coordinate: force; the run starts in its static equilibrium", 0),
  MS_KEY("release", "true", "the preload is let go at the start; else it stays on", 0),
};

static const ms_param record_keys[] = {
  MS_KEY("every", "number", "steps between rows; 1", 0),
  MS_KEY("rate", "number", "rows per unit of time, in place of every", 0),
  MS_KEY("channels", "list", "what to record; coordinates and joints if absent", 0),
};

static const ms_param initial_keys[] = {
  MS_KEY("u", "mapping", "coordinate: displacement", 0),
  MS_KEY("v", "mapping", "coordinate: velocity", 0),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_transient_product *p = task->product;
  for (int i = 0; p->load && i < p->n_load; i++) ms_load_free(s->ctx, &p->load[i]);
  ms_free(s->ctx, &p->load);
  ms_free_channels(s->ctx, &p->channels);
  ms_free(s->ctx, &p->u);
  ms_free(s->ctx, &p->v);
  ms_free(s->ctx, &p->preload);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_loads(ms_study *s, struct fy_node *node, ms_transient_product *p) {
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
    ms_study_load *load = &p->load[p->n_load++];
    MS_TRY(ms_read_load(s, name, load));
    MS_TRY(ms_steps_check_load(s, name, &p->time, load));
  }
  return MS_SUCCESS;
}

/* rate: rows per unit of time, which must be a whole number of steps apart. */
static ms_status read_rate(ms_study *s, struct fy_node *node, ms_transient_product *p) {
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

static ms_status read_record(ms_study *s, struct fy_node *node, ms_transient_product *p) {
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
  return ms_read_channels(s, ms_yaml_get(node, "channels"), p->load, p->n_load, &p->channels);
}

static ms_status read_vector(ms_study *s, struct fy_node *node, const char *what, double factor,
                             double about, double **out) {
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "%s must be {coordinate: value}", what);
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof **out, out));
  return ms_read_weights(s, node, what, factor, about, *out);
}

static ms_status read_start(ms_study *s, struct fy_node *node, ms_transient_product *p) {
  struct fy_node *initial = ms_yaml_get(node, "initial"), *release = ms_yaml_get(node, "release");
  const ms_units *u = &s->units;
  if (initial) MS_TRY(ms_yaml_check_keys(&s->yaml, initial, "initial", initial_keys, 2));
  MS_TRY(read_vector(s, ms_yaml_get(initial, "u"), "initial u", u->length, 1.0, &p->u));
  MS_TRY(read_vector(s, ms_yaml_get(initial, "v"), "initial v", u->length / u->time, 1.0 / u->time,
                     &p->v));
  MS_TRY(read_vector(s, ms_yaml_get(node, "preload"), "preload", u->force, u->force * u->length,
                     &p->preload));
  if (p->preload && p->u) {
    return ms_yaml_fail(&s->yaml, initial, MS_ERR_FORMAT,
                        "the preload decides the displacement at the start; leave initial u out");
  }
  if (!release) return MS_SUCCESS;
  p->release = ms_yaml_is_word(release, "true");
  if (!p->release && !ms_yaml_is_word(release, "false")) {
    return ms_yaml_fail(&s->yaml, release, MS_ERR_FORMAT, "release must be true or false");
  }
  if (p->preload) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, release, MS_ERR_FORMAT, "release needs a preload to let go");
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_transient_product *p;
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

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_transient_product *p = task->product;
  for (int i = 0; i < p->n_load; i++) {
    MS_TRY(ms_steps_judge_pulse(s, task, &p->time, ms_load_get_scale(p->load[i].load).pulse));
  }
  return ms_steps_judge(s, task, &p->quality);
}

/* The histories go up to where it failed. */
static int is_kept(const ms_task *task) {
  const ms_transient_product *p = task->product;
  return p->table && ms_sheet_rows(p->table) > 1;
}

const ms_analysis ms_analysis_transient = {
  .name = "transient",
  .meaning =
      "The response in time to the loads, step by step, with the joints solved in every step. "
      "Rows that are several steps apart stand behind an anti-alias filter; energies do not.",
  .keys = keys,
  .n_keys = 7,
  .check = check,
  .run = ms_transient_analysis_run,
  .judge = judge,
  .summarise = ms_transient_analysis_summarise,
  .report = ms_transient_analysis_report,
  .close = close_product,
  .is_kept = is_kept,
};
