/* Targets of `calibrate` that are modes of measured hits: the hit is simulated with its force, and
   read as the measurement was. */
#include <stdio.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/hammer_test/hammer_test.h"

typedef struct options {
  ms_numbers weight;
  const char *record, *test;
  ptrdiff_t mode;
  int compare;
} options;

static const ms_param record_keys[] = {
  MS_WORD(options, record, MS_ELSE("all of the test"), "name of the impact"),
  MS_COUNT(options, mode, MS_FROM(1), MS_ELSE("all that could be read"),
           "one of those that the test reads"),
  MS_WORD(options, test, MS_ELSE("the last one"),
          "the `hammer_test`; all targets that are impacts have the same"),
  MS_CHOICE(options, compare, "envelope|damping", MS_OPTIONAL,
            "what is compared beside the frequency, envelope: logarithm of the amplitude over "
            "time; all targets that are impacts have the same"),
  MS_ROW_WEIGHTS(options, "[of frequency, of damping or envelope]"),
};
const ms_param_list ms_target_record_keys = MS_LIST_OF(record_keys);

/* All targets that are records share the test and what is compared. */
static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *t) {
  const options *o = t->options;
  const ms_calibrate *c = task->product;
  const ms_calibrate_target *x = c->target; /* the first record */
  ms_hit_option *hit = &t->is->is.hit;
  MS_TRY(ms_study_find_task(s, task, ms_yaml_get(t->node, "test"), "hammer_test", &t->from));
  const ms_hammer_product *p = t->from->product;
  hit->compare = o->compare == 0 ? MS_HAMMER_ENVELOPE : MS_HAMMER_DAMPING;
  hit->floor = ((const ms_calibrate_options *)task->options)->noise; /* NAN: the default */
  const ptrdiff_t modes = o->mode > 0 ? 1 : p->setting.n_mode;
  t->n = (o->record ? 1 : p->n_hit) * modes;
  hit->hit = o->record ? ms_hammer_find_hit(p, o->record) : t->i / modes;
  hit->mode = o->mode > 0 ? ms_hammer_find_mode(&p->setting, (int)o->mode - 1) : t->i % modes;
  while (x->kind != t->kind) x++;
  if (x->from != t->from || x->is->is.hit.compare != hit->compare) {
    return ms_yaml_fail(
        &s->yaml, t->node, MS_ERR_ARGUMENT,
        "targets that are records share one test and one compare; the first is of %s",
        x->from->name);
  }
  if (hit->hit < 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "record"), MS_ERR_NAME,
                        "%s has no hit '%.60s'", t->from->name, o->record);
  }
  if (hit->mode < 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "mode"), MS_ERR_BOUNDS,
                        "%s does not read mode %td", t->from->name, o->mode);
  }
  snprintf(t->name, sizeof t->name, "mode %d of %.200s", p->setting.mode[hit->mode] + 1,
           p->hit[hit->hit].name);
  return MS_SUCCESS;
}

/* The test keeps what was measured. */
static ms_status gather(ms_study *s, ms_calibrate_target *t) {
  ms_hit_option *o = &t->is->is.hit;
  o->test = ((const ms_hammer_product *)t->from->product)->test;
  if (!o->test) return ms_fail(s->ctx, MS_ERR_STATE, "%s has not run", t->from->name);
  t->empty = t->n > 1 && ms_hammer_decay(o->test, o->hit, o->mode)->n == 0;
  return MS_SUCCESS;
}

static ms_status share(ms_study *s, ms_calibrate_target *t) {
  MS_TRY(ms_hammer_share(s, t->from->product));
  return gather(s, t);
}

const ms_target_source ms_target_record = {
  .name = "record",
  .is = MS_TARGET_HIT,
  .mark = "record",
  .also = "test",
  .keys = &ms_target_record_keys,
  .size = sizeof(options),
  .table = "records",
  .x = "time [s]",
  .y = { "omega [rad/s]", "zeta" },
  .y_log = { 0, 1 },
  .read = read_target,
  .gather = gather,
  .share = share,
};
