/* transient: the response to the study's loads, from rest, an initial state or a static preload;
   chosen channels against time, and where the energy goes. Here its options. */
#include "study/analyses/transient/transient.h"

#include <math.h>
#include <string.h>

#include "signal/tolerance.h"
#include "study/analyses/shared/rows.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  struct fy_node *loads, *record, *channels, *initial, *u, *v;
  ms_time_setting time;
  double *preload;
  ptrdiff_t every;
  double rate; /* 1/s */
  int release;
} options;

static const ms_param record_keys[] = {
  MS_COUNT(options, every, MS_FROM(1), MS_DEFAULT(1),
           "steps between rows, behind an anti-alias filter"),
  MS_NUMBER(options, rate, "1/s", MS_POSITIVE, MS_ELSE("`every` decides"),
            "rows per unit of time, in place of `every`; a whole number of steps apart"),
  MS_FORMS(options, channels, "word or list", MS_ELSE("all degrees of freedom and joints"),
           "u1, u1.velocity, u1.acceleration, u1.absolute, lap.z, lap.f, lap.z2 (second axis), "
           "lap.N (normal load), q1, q1.velocity, the name of a load"),
};

static const ms_param initial_keys[] = {
  MS_FORMS(options, u, "mapping", MS_ELSE("0"), "degree of freedom: displacement"),
  MS_FORMS(options, v, "mapping", MS_ELSE("0"), "degree of freedom: velocity"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_FORMS(options, loads, "word or list", MS_ELSE("all of them"), "names of loads"),
  MS_ADAPTIVE_TIME(options, time, MS_REQUIRED),
  MS_MAPPING(options, record, MS_ROWS(record_keys), MS_OPTIONAL, "what is written"),
  MS_MAPPING(options, initial, MS_ROWS(initial_keys), MS_ELSE("rest"),
             "state at the start; joints start virgin and are moved there"),
  MS_PRELOAD(options, preload,
             "degree of freedom: force; the run starts in its static equilibrium"),
  MS_FLAG(options, release, MS_DEFAULT(0),
          "the preload is let go at the start; otherwise it stays on"),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_transient_product *p = task->product;
  for (int i = 0; p->load && i < p->n_load; i++) ms_load_free(s->ctx, &p->load[i]);
  ms_free(s->ctx, &p->load);
  ms_free(s->ctx, &p->acting);
  ms_channels_free(s->ctx, &p->channels);
  ms_free(s->ctx, &p->u);
  ms_free(s->ctx, &p->v);
}

/* ---- for others ---- */

ms_status ms_transient_find_column(const ms_study *s, struct fy_node *node, const ms_task *from,
                                   const char *name, int *column) {
  *column = ms_channels_find(&((const ms_transient_product *)from->product)->channels, name) + 1;
  if (*column > 0) return MS_SUCCESS; /* time is the first */
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s does not record '%s'", from->name, name);
}

ms_signal ms_transient_get_signal(const ms_task *from, int column) {
  const ms_transient_product *t = from->product;
  return (ms_signal) { .x = ms_result_table_column(t->table, column),
                       .n = ms_result_table_rows(t->table),
                       .dt = ms_transient_row_step(t) };
}

/* ---- options ---- */

static ms_status read_loads(ms_study *s, struct fy_node *node, ms_transient_product *p) {
  struct fy_node *all = ms_yaml_get(ms_yaml_root(&s->yaml), "loads"), *name = NULL;
  struct fy_node *from = node ? node : all;
  void *at = NULL;
  if (!from) return MS_SUCCESS;
  ptrdiff_t n = ms_yaml_count(from);
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->load, &p->load));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->acting, &p->acting));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!node) {
      ms_yaml_next_pair(all, &at, &name);
    } else {
      name = ms_yaml_next_of(node, &at);
    }
    ms_study_load *load = &p->load[p->n_load++];
    MS_TRY(ms_read_load(s, name, load));
    MS_TRY(ms_steps_check_load(s, name, &p->time, load));
    p->acting[i] = (ms_acting_load) { .name = load->name,
                                      .load = load->load,
                                      .shape = load->shape,
                                      .base = load->iota,
                                      .modal = strcmp(load->place, "mode") == 0,
                                      .moment = load->moment };
  }
  return MS_SUCCESS;
}

/* Rows must be a whole number of steps apart. */
static ms_status find_every(ms_study *s, struct fy_node *node, const options *o,
                            ms_transient_product *p) {
  const double every = 1.0 / (o->rate * p->time.step);
  p->every = (ptrdiff_t)round(every);
  if (every >= 0.5 && every < 1e9 && fabs(every - (double)p->every) < ms_signal_tol.grid * every) {
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "rate %g gives a row every %g steps; that must be a whole number",
                      o->rate * s->units.time, every);
}

static ms_status read_channels(ms_study *s, struct fy_node *node, ms_transient_product *p) {
  void *at = NULL;
  if (!node) return ms_channels_add_all(s->ctx, s->structure, &p->channels);
  if (ms_yaml_is_mapping(node) || ms_yaml_count(node) < 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "channels must be a list of names");
  }
  for (ptrdiff_t i = ms_yaml_count(node); i > 0; i--) {
    struct fy_node *item = ms_yaml_next_of(node, &at);
    const char *name;
    MS_TRY(ms_yaml_text(&s->yaml, item, "a channel", &name));
    ms_status status =
        ms_channels_add(s->ctx, s->structure, p->n_load, p->acting, name, &p->channels);
    MS_TRY(ms_yaml_fail_here(&s->yaml, item, status));
  }
  return MS_SUCCESS;
}

static ms_status read_record(ms_study *s, const options *o, ms_transient_product *p) {
  struct fy_node *every = ms_yaml_get(o->record, "every"), *rate = ms_yaml_get(o->record, "rate");
  if (every && rate) {
    return ms_yaml_fail(&s->yaml, rate, MS_ERR_FORMAT, "record needs every or rate, not both");
  }
  p->every = o->every;
  if (rate) MS_TRY(find_every(s, rate, o, p));
  if (p->every > p->time.steps) {
    return ms_yaml_fail(&s->yaml, every ? every : rate, MS_ERR_BOUNDS,
                        "a row every %td steps is none in a run of %td", p->every, p->time.steps);
  }
  return read_channels(s, o->channels, p);
}

static ms_status read_vector(ms_study *s, struct fy_node *node, const char *what, double factor,
                             double about, double **out) {
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "%s must be {degree of freedom: value}",
                        what);
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof **out, out));
  return ms_read_weights(s, node, what, factor, about, *out);
}

static ms_status read_start(ms_study *s, struct fy_node *release, const options *o,
                            ms_transient_product *p) {
  const ms_units *u = &s->units;
  MS_TRY(read_vector(s, o->u, "initial u", u->length, 1.0, &p->u));
  MS_TRY(read_vector(s, o->v, "initial v", u->length / u->time, 1.0 / u->time, &p->v));
  p->preload = o->preload;
  if (p->preload && p->u) {
    return ms_yaml_fail(&s->yaml, o->initial, MS_ERR_FORMAT,
                        "the preload decides the displacement at the start; leave initial u out");
  }
  p->release = o->release;
  if (p->preload || !release) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, release, MS_ERR_FORMAT, "release needs a preload to let go");
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_transient_product *p = task->product;
  p->time = o->time;
  MS_TRY(read_loads(s, o->loads, p));
  MS_TRY(read_record(s, o, p));
  return read_start(s, ms_yaml_get(task->node, "release"), o, p);
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
  return p->table && ms_result_table_rows(p->table) > 1;
}

const ms_analysis ms_analysis_transient = {
  .name = "transient",
  .title = "Response in time",
  .meaning =
      "The response in time to the loads, step by step, with the joints solved in every step. "
      "Rows that are several steps apart stand behind an anti-alias filter; energies do not.",
  MS_KEYS(keys, options, ms_transient_product),
  .knows_contact = 1,
  .check = check,
  .run = ms_transient_analysis_run,
  .judge = judge,
  .result = ms_transient_analysis_result,
  .close = close_product,
  .is_kept = is_kept,
};
