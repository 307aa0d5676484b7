/* Targets of `calibrate` that are hysteresis loops of one joint: a table of displacement and force,
   or what an earlier hysteresis leaves. */
#include <microslip/joint_target.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/targets/tables.h"

typedef struct loop_target {
  int joint;
  ptrdiff_t laps, n;
  double *u, *force, *t; /* in one block at u; t NULL: no time */
  int *row;
} loop_target;

typedef struct options {
  double weight;
  const char *loop, *joint, *source;
  struct fy_node *columns;
  ptrdiff_t laps;
} options;

static const ms_param column_keys[] = {
  MS_ROW_COLUMN("displacement", "displacement", "across the joint"),
  MS_ROW_COLUMN("force", "force", "of the joint"),
  MS_ROW_COLUMN("time", "time, if there is such a column", "for laws that know time"),
};
static const ms_param_list column_list = MS_LIST_OF(column_keys);

static const ms_param loop_keys[] = {
  MS_WORD(options, loop, MS_REQUIRED,
          "a table of displacement and force, or an earlier `hysteresis`"),
  MS_WORD(options, joint, MS_REQUIRED, "whose loop it is; of several axes the first"),
  MS_WORD(options, source, MS_ELSE("of a hysteresis its last"),
          "which loop of a hysteresis, or of a table with a column `source` of words"),
  MS_MAPPING(options, columns, column_list, MS_OPTIONAL, "names of a table's columns"),
  MS_COUNT(options, laps, MS_WITHIN(1, 1000), MS_DEFAULT(1),
           "cycles: times that the record is run through from the virgin state, of which the last "
           "is compared; 2 or more for a steady loop that begins anywhere"),
  MS_NUMBER(options, weight, NULL, MS_POSITIVE, MS_DEFAULT(1), "of its squares"),
};
const ms_param_list ms_target_loop_keys = MS_LIST_OF(loop_keys);

/* ---- points ---- */

static ms_status reserve(ms_context *ctx, loop_target *t, ptrdiff_t n, int timed) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *t->u, &t->u));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  t->force = t->u + n;
  t->t = timed ? t->u + 2 * n : NULL;
  return MS_SUCCESS;
}

static void add_point(loop_target *t, int row, double u, double force, double time) {
  t->u[t->n] = u;
  t->force[t->n] = force;
  if (t->t) t->t[t->n] = time;
  t->row[t->n++] = row;
}

static ms_status take_rows(const ms_study *s, const ms_calibrate_target *target,
                           const ms_table *table) {
  struct fy_node *node = target->node, *names = ms_yaml_get(node, "columns");
  const ms_units si = { 1.0, 1.0, 1.0, 1.0, 1.0, "", 0 };
  loop_target *t = target->own;
  const ms_units about = ms_study_joint_units(s, t->joint);
  const ms_units *units = ms_target_is_ours(table) ? &si : &about;
  const double *u, *force, *time;
  const char *source;
  MS_TRY(ms_target_get_column(s, &about, node, names, "displacement", "displacement", table, &u));
  MS_TRY(ms_target_get_column(s, &about, node, names, "force", "force", table, &force));
  ms_status status = ms_table_find_column(table, "time", &time);
  if (names && ms_yaml_get(names, "time"))
    status = ms_target_get_column(s, &about, node, names, "time", "time", table, &time);
  else if (status != MS_SUCCESS)
    status = ms_yaml_fail_here(&s->yaml, node, status);
  MS_TRY(status);
  MS_TRY(ms_target_choose(s, target, "source", "source", table, &source));
  MS_TRY(reserve(s->ctx, t, ms_table_get_rows(table), time != NULL));
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table); i++) {
    if (!ms_target_is_chosen(table, "source", source, i)) continue;
    add_point(t, (int)ms_table_get_line(table, i), units->length * u[i], units->force * force[i],
              time ? units->time * time[i] : 0.0);
  }
  return MS_SUCCESS;
}

static ms_status read_table(const ms_study *s, const ms_calibrate_target *target) {
  ms_table *table;
  MS_TRY(ms_target_open_table(s, ms_yaml_get(target->node, "loop"), &table));
  ms_status status = take_rows(s, target, table);
  ms_table_destroy(&table);
  return status;
}

/* The table of loops that a hysteresis has left: source, time, displacement, force. */
static ms_status gather(ms_study *s, ms_calibrate_target *target) {
  struct fy_node *source = ms_yaml_get(target->node, "source");
  loop_target *t = target->own;
  const char *want = NULL;
  const ms_result_table *loops = ms_result_table_find(s, target->from, "_loops");
  if (t->u) return MS_SUCCESS;
  const ptrdiff_t n = loops ? ms_result_table_rows(loops) : 0;
  if (source) MS_TRY(ms_yaml_text(&s->yaml, source, "source", &want));
  if (!want && n > 0)
    want = ms_result_table_word(loops, 0, n - 1); /* the last, as hysteresis reads */
  MS_TRY(reserve(s->ctx, t, n > 0 ? n : 1, 1));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (strcmp(ms_result_table_word(loops, 0, i), want) != 0) continue;
    add_point(t, (int)i + 1, ms_result_table_column(loops, 2)[i],
              ms_result_table_column(loops, 3)[i], ms_result_table_column(loops, 1)[i]);
  }
  return MS_SUCCESS;
}

static ms_status share(ms_study *s, ms_calibrate_target *target) {
  loop_target *t = target->own;
  ptrdiff_t n = t->n;
  MS_TRY(ms_study_share(s, 0, &n, sizeof n));
  if (!t->u) MS_TRY(reserve(s->ctx, t, n > 0 ? n : 1, 1));
  t->n = n;
  double *const part[3] = { t->u, t->force, t->t };
  return ms_target_share_points(s, n, part, t->row);
}

/* ---- options ---- */

/* A hysteresis has a loop of every transient that it reads. */
static ms_status check_loop(const ms_study *s, const ms_calibrate_target *target,
                            const char *which) {
  for (const ms_task *t = s->task; t < target->from; t++) {
    if (strcmp(t->name, which) == 0 && target->from->kind->needs(target->from, t)) {
      return MS_SUCCESS;
    }
  }
  return ms_yaml_fail(&s->yaml, ms_yaml_get(target->node, "source"), MS_ERR_NAME,
                      "%s has no loop of '%.60s'", target->from->name, which);
}

static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *target) {
  options o = { 0 };
  loop_target *t;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *t, &t));
  target->own = t;
  MS_TRY(ms_options_read(s, target->node, NULL, "a target", loop_keys, ms_target_loop_keys.n, &o));
  target->weight[0] = o.weight;
  MS_TRY(ms_target_find_joint(s, target, &t->joint));
  t->laps = o.laps;
  snprintf(target->name, sizeof target->name, "loop %.120s%s%.120s", o.loop, o.source ? " " : "",
           o.source ? o.source : "");
  ms_calibrate_find_source(s, task, o.loop, target);
  if (!target->from && strchr(o.loop, '.')) return read_table(s, target);
  if (target->from && strcmp(target->from->kind->name, "hysteresis") == 0) {
    return o.source ? check_loop(s, target, o.source) : MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, ms_yaml_get(target->node, "loop"), MS_ERR_NAME,
                      "'%.60s' is neither a file nor an earlier hysteresis", o.loop);
}

static void close_target(ms_study *s, ms_calibrate_target *target) {
  loop_target *t = target->own;
  if (!t) return;
  ms_free(s->ctx, &t->u);
  ms_free(s->ctx, &t->row);
  ms_free(s->ctx, &target->own);
}

/* ---- model ---- */

static ms_status open_model(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                            void **model) {
  ms_loop_target *is;
  ms_loops *loops = NULL;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(ctx, c->n_target, sizeof *is, &is));
  for (const ms_calibrate_target *k; (k = ms_calibrate_get_target(c, &ms_target_loop, n));) {
    const loop_target *t = k->own;
    is[n++] = (ms_loop_target) { .name = k->name,
                                 .joint = t->joint,
                                 .n = t->n,
                                 .u = t->u,
                                 .force = t->force,
                                 .t = t->t,
                                 .row = t->row,
                                 .laps = (int)t->laps,
                                 .weight = k->weight[0] };
  }
  ms_status status = ms_loops_create(structure, c->n, c->free, n, is, &loops);
  ms_free(ctx, &is);
  *model = loops;
  return status;
}

static void close_model(void **model) {
  ms_loops *loops = *model;
  ms_loops_destroy(&loops);
  *model = NULL;
}

static ptrdiff_t count(const void *model) {
  return ms_loops_count_residuals(model);
}

/* One quantity only: the second misfit of each target is 0. They come as one for each. */
static ms_status misfit(void *model, const double *p, double *f) {
  const ptrdiff_t n = ms_loops_count_targets(model);
  MS_TRY(ms_loops_objectives(model, p, f));
  for (ptrdiff_t k = n - 1; k >= 0; k--) {
    f[2 * k] = f[k];
    f[2 * k + 1] = 0.0;
  }
  return MS_SUCCESS;
}

static ms_target_view view(const void *model, ptrdiff_t k) {
  const ms_loop_target t = ms_loops_target(model, k);
  double range;
  const double *force = ms_loops_force(model, k, &range);
  return (ms_target_view) { .n = t.n,
                            .x = t.u,
                            .target = { t.force, NULL },
                            .model = { force, NULL },
                            .row = t.row,
                            .scale = { range, 0.0 } };
}

const ms_target_kind ms_target_loop = {
  .name = "loop",
  .mark = "loop",
  .keys = &ms_target_loop_keys,
  .quantity = { "force", NULL },
  .table = "loops",
  .x = "displacement [m]",
  .y = { "force [N]", NULL },
  .read = read_target,
  .gather = gather,
  .share = share,
  .close = close_target,
  .open_model = open_model,
  .close_model = close_model,
  .count = count,
  .has_jacobian = 1,
  .eval = ms_loops_eval,
  .misfit = misfit,
  .view = view,
};
