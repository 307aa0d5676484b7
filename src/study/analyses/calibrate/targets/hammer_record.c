/* Targets of `calibrate` that are modes of measured hits: the hit is simulated with its force, and
   read as the measurement was. */
#include <stdio.h>

#include "study/analyses/calibrate/targets/tables.h"
#include "study/analyses/hammer_test/hammer_test.h"

typedef struct record_target {
  const ms_study *study;
  ptrdiff_t hit, mode; /* of the test */
  ms_hammer_compare compare;
} record_target;

typedef struct options {
  ms_numbers weight;
  const char *record, *test;
  ptrdiff_t mode;
  int compare;
} options;

static const ms_param record_keys[] = {
  MS_WORD(options, record, MS_REQUIRED, "name of the impact"),
  MS_COUNT(options, mode, MS_FROM(1), MS_REQUIRED, "one of those that the test reads"),
  MS_WORD(options, test, MS_ELSE("the last one"),
          "the `hammer_test`; all targets with `record` have the same"),
  MS_CHOICE(options, compare, "envelope|damping", MS_OPTIONAL,
            "what is compared beside the frequency, envelope: logarithm of the amplitude over "
            "time; all targets with `record` have the same"),
  MS_ROW_WEIGHTS(options, "[of frequency, of damping or envelope]"),
};
const ms_param_list ms_target_record_keys = MS_LIST_OF(record_keys);

/* ---- options ---- */

static ms_status find_hit(const ms_study *s, const options *o, ms_calibrate_target *target,
                          record_target *t) {
  const ms_hammer_product *p = target->from->product;
  t->hit = ms_hammer_find_hit(p, o->record);
  t->mode = ms_hammer_find_mode(p, (int)o->mode - 1);
  if (t->hit < 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(target->node, "record"), MS_ERR_NAME,
                        "%s has no hit '%.60s'", target->from->name, o->record);
  }
  if (t->mode < 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(target->node, "mode"), MS_ERR_BOUNDS,
                        "%s does not read mode %td", target->from->name, o->mode);
  }
  snprintf(target->name, sizeof target->name, "mode %td of %.200s", o->mode, o->record);
  return MS_SUCCESS;
}

/* All targets must share the test and what is compared. */
static ms_status check_alike(const ms_study *s, const ms_task *task,
                             const ms_calibrate_target *target) {
  const ms_calibrate_target *first = ms_calibrate_get_target(task->product, &ms_target_record, 0);
  const record_target *t = target->own, *like = first->own;
  if (target->from == first->from && t->compare == like->compare) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, target->node, MS_ERR_ARGUMENT,
                      "targets that are records share one test and one compare; the first is of %s",
                      first->from->name);
}

static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *target) {
  options o = { 0 };
  record_target *t;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *t, &t));
  target->own = t;
  t->study = s;
  MS_TRY(ms_target_read_two(s, target, &o, &o.weight));
  t->compare = o.compare == 0 ? MS_HAMMER_ENVELOPE : MS_HAMMER_DAMPING;
  MS_TRY(
      ms_study_find_task(s, task, ms_yaml_get(target->node, "test"), "hammer_test", &target->from));
  MS_TRY(check_alike(s, task, target));
  return find_hit(s, &o, target, t);
}

/* The test keeps what was measured. */
static ms_status gather(ms_study *s, ms_calibrate_target *target) {
  (void)s, (void)target;
  return MS_SUCCESS;
}

static ms_status share(ms_study *s, ms_calibrate_target *target) {
  return ms_hammer_share(s, target->from->product);
}

static void close_target(ms_study *s, ms_calibrate_target *target) {
  ms_free(s->ctx, &target->own);
}

/* ---- model ---- */

/* A structure of its own, since every evaluation sets it up anew. */
typedef struct record_model {
  ms_context *ctx;
  ms_structure *structure;
  ms_hammer_fit *fit;
} record_model;

static void close_model(void **model) {
  record_model *m = *model;
  if (!m) return;
  ms_hammer_fit_destroy(&m->fit);
  ms_structure_destroy(&m->structure);
  ms_context *ctx = m->ctx;
  ms_free(ctx, model);
}

static void collect(const ms_calibrate *c, ms_hammer_target *out, ptrdiff_t *n) {
  for (ms_calibrate_target *k; (k = ms_calibrate_get_target(c, &ms_target_record, *n));) {
    const record_target *t = k->own;
    out[*n] = (ms_hammer_target) { t->hit, t->mode, k->weight[0], k->weight[1] };
    *n += 1;
  }
}

static ms_status fill_model(record_model *m, const ms_calibrate *c, const ms_hammer_target *target,
                            ptrdiff_t n) {
  const ms_calibrate_target *first = ms_calibrate_get_target(c, &ms_target_record, 0);
  const ms_hammer_product *test = first->from->product;
  const record_target *t = first->own;
  if (!test->test) return ms_fail(m->ctx, MS_ERR_STATE, "%s has not run", first->from->name);
  MS_TRY(ms_structure_copy(m->ctx, t->study->structure, &m->structure));
  return ms_hammer_fit_create(test->test, m->structure, c->n, c->free, n, target, t->compare,
                              &m->fit);
}

static ms_status open_model(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                            void **model) {
  ms_hammer_target *target;
  record_model *m;
  ptrdiff_t n = 0;
  (void)structure;
  MS_TRY(ms_allocate(ctx, c->n_target, sizeof *target, &target));
  collect(c, target, &n);
  ms_status status = ms_allocate(ctx, 1, sizeof *m, &m);
  if (status == MS_SUCCESS) {
    m->ctx = ctx;
    *model = m;
    status = fill_model(m, c, target, n);
    if (status != MS_SUCCESS) close_model(model);
  }
  ms_free(ctx, &target);
  return status;
}

static ptrdiff_t count(const void *model) {
  return ms_hammer_fit_count_residuals(((const record_model *)model)->fit);
}

static ms_status eval(void *model, const double *p, double *r, double *jac) {
  return ms_hammer_fit_eval(((record_model *)model)->fit, p, r, jac);
}

static ms_status misfit(void *model, const double *p, double *f) {
  return ms_hammer_fit_objectives(((record_model *)model)->fit, p, f);
}

static ms_target_view view(const void *model, ptrdiff_t k) {
  const ms_hammer_values v = ms_hammer_fit_get(((const record_model *)model)->fit, k);
  return (ms_target_view) { .n = v.n,
                            .x = v.time,
                            .target = { v.omega, v.zeta },
                            .model = { v.omega_at, v.zeta_at },
                            .row = v.row };
}

const ms_target_kind ms_target_record = {
  .name = "record",
  .mark = "record",
  .keys = &ms_target_record_keys,
  .quantity = { "frequency", "damping" },
  .table = "records",
  .x = "time [s]",
  .y = { "omega [rad/s]", "zeta" },
  .y_log = { 0, 1 },
  .read = read_target,
  .gather = gather,
  .share = share,
  .close = close_target,
  .open_model = open_model,
  .close_model = close_model,
  .count = count,
  .eval = eval,
  .misfit = misfit,
  .view = view,
};
