/* Targets of `calibrate` that are hysteresis loops of one joint: a table of displacement and force,
   or what an earlier hysteresis leaves. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

typedef struct options {
  double weight;
  const char *loop, *source;
  int joint;
  struct fy_node *columns;
  ptrdiff_t cycles;
} options;

static const ms_param column_keys[] = {
  MS_ROW_COLUMN("displacement", "displacement", "across the joint"),
  MS_ROW_COLUMN("force", "force", "of the joint"),
  MS_ROW_COLUMN("time", "time, if there is such a column", "for laws that know time"),
};

static const ms_param loop_keys[] = {
  MS_WORD(options, loop, MS_REQUIRED,
          "a table of displacement and force, or an earlier `hysteresis`"),
  MS_JOINT(options, joint, MS_REQUIRED, "whose loop it is; of several axes the first"),
  MS_WORD(options, source, MS_ELSE("of a hysteresis its last"),
          "which loop of a hysteresis, or of a table with a column `source` of words"),
  MS_MAPPING(options, columns, MS_ROWS(column_keys), MS_OPTIONAL, "names of a table's columns"),
  { MS_AT(options, cycles), .kind = MS_PARAM_COUNT, .was = "laps", MS_WITHIN(1, 1000),
    MS_DEFAULT(1),
    .meaning = "times that the record is run through from the virgin state, of which the last is "
               "compared; 2 or more for a steady loop that begins anywhere" },
  MS_NUMBER(options, weight, NULL, MS_POSITIVE, MS_DEFAULT(1), "of its squares"),
};
const ms_param_list ms_target_loop_keys = MS_LIST_OF(loop_keys);

static ms_status read_table(const ms_study *s, ms_calibrate_target *t) {
  const ms_units u = ms_study_joint_units(s, t->is->is.loop.joint);
  const ms_point_choice choice = {
    .column = { { "displacement", "displacement", "m", .factor = u.length },
                { "force", "force", "N", .factor = u.force },
                { "time", "time", "s", .factor = u.time, .optional = 1 } },
    .key = "source",
    .words = "source",
    .units = &u
  };
  return ms_point_table_read(&s->yaml, &s->units, t->node, ms_yaml_get(t->node, "loop"), &choice,
                             &t->points);
}

/* The table of loops that a hysteresis has left: source, time, displacement, force. Without a
   source the last, as hysteresis reads. */
static ms_status gather(ms_study *s, ms_calibrate_target *t) {
  const options *o = t->options;
  const ms_result_table *loops = ms_result_find_table(t->from->result, "_loops");
  const ptrdiff_t n = loops ? ms_result_table_rows(loops) : 0;
  MS_TRY(ms_point_table_reserve(s->ctx, n, &t->points));
  for (ptrdiff_t i = 0; i < n; i++) {
    const char *want = o->source ? o->source : ms_result_table_word(loops, 0, n - 1);
    if (strcmp(ms_result_table_word(loops, 0, i), want) != 0) continue;
    ms_point_table_add(&t->points, (int)i + 1, ms_result_table_column(loops, 2)[i],
                       ms_result_table_column(loops, 3)[i], ms_result_table_column(loops, 1)[i]);
  }
  return MS_SUCCESS;
}

/* A hysteresis has a loop of every transient that it reads. */
static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *t) {
  const options *o = t->options;
  t->is->weight[0] = o->weight;
  t->is->is.loop = (ms_loop_option) { o->joint, (int)o->cycles };
  snprintf(t->name, sizeof t->name, "loop %.120s%s%.120s", o->loop, o->source ? " " : "",
           o->source ? o->source : "");
  t->from = ms_find_earlier(s, task, o->loop);
  if (!t->from && strchr(o->loop, '.')) return read_table(s, t);
  if (!t->from || strcmp(t->from->kind->name, "hysteresis") != 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "loop"), MS_ERR_NAME,
                        "'%.60s' is neither a file nor an earlier hysteresis", o->loop);
  }
  const ms_task *of = o->source ? ms_find_earlier(s, t->from, o->source) : NULL;
  if (!o->source || (of && ms_task_needs(t->from, of))) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "source"), MS_ERR_NAME,
                      "%s has no loop of '%.60s'", t->from->name, o->source);
}

const ms_target_source ms_target_loop = {
  .name = "loop",
  .is = MS_TARGET_LOOP,
  .mark = "loop",
  .keys = &ms_target_loop_keys,
  .size = sizeof(options),
  .table = "loops",
  .x = "displacement [m]",
  .y = { "force [N]", NULL },
  .read = read_target,
  .gather = gather,
};
