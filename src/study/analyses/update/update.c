/* update: springs, stiffnesses of joints, materials, lengths and other numbers of the study file
   that make the modes of its structure those that were measured. Options: what is unknown, and
   where it stands in the file. */
#include <string.h>

#include "identify/update/measured_modes.h"
#include "study/analyses/update/update.h"

typedef ms_update_options options;

typedef struct place_options {
  struct fy_node *at;
  double bounds[2];
} place_options;

static const ms_param place_keys[] = {
  MS_FORMS(place_options, at, "list", MS_REQUIRED, "paths of numbers that change in proportion"),
  MS_PAIR(place_options, bounds, "-", MS_ANY, MS_REQUIRED, "of the first of them"),
};
static const ms_param_list place_list = MS_LIST_OF(place_keys);

static const ms_param parameters_keys[] = {
  MS_NAMED("PATH", "[lowest, highest] or mapping", &place_list,
           "path to a number of the file; or a name, for numbers at several places"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ENTRIES(options, parameters, "mapping", &MS_ROWS(parameters_keys), MS_REQUIRED,
             "numbers that are sought, 1 to 32, in the units of the file"),
  MS_FORMS_WITH(options, measured, "file or mapping", ms_measured_keys, MS_REQUIRED,
                "a table with a row for each measured mode, or a mapping"),
  MS_NUMBER(options, deviation, "-", MS_POSITIVE, MS_DEFAULT(0.001),
            "relative standard deviation of the frequencies, where the table has no column of it"),
  MS_NUMBER(options, shape_deviation, "-", MS_POSITIVE, MS_ELSE("shapes serve for pairs only"),
            "standard deviation of a shape's components, over the rms of the shape: shapes are "
            "data then"),
  MS_NUMBER(options, least_mac, "-", MS_WITHIN(0, 1), MS_DEFAULT(0.5),
            "MAC that every measured mode must have with its pair in the structure as the file has "
            "it"),
  MS_COUNT(options, starts, MS_FROM(1),
           MS_ELSE("8, or 1 where every evaluation reduces finite elements anew"),
           "fits, the first from the numbers in the file, the others spread over the bounds"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the starts"),
};

/* ---- places ---- */

static ms_status add_place(const ms_study *s, struct fy_node *node, const char *path,
                           ms_update *u) {
  double value;
  MS_TRY(ms_variant_find_number(s, node, path, &value));
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    if (strcmp(u->place[i].path, path) != 0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "'%.120s' is unknown twice", path);
  }
  if (u->n_place == MS_UPDATE_PLACES) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "more than %d places", MS_UPDATE_PLACES);
  }
  ms_update_place *place = &u->place[u->n_place++];
  *place = (ms_update_place) { path, u->n - 1, 1.0 };
  u->reduces |= ms_variant_reduces(s, path);
  int first = u->n_place == 1 || place[-1].unknown != u->n - 1;
  if (first) u->start[u->n - 1] = value;
  if (!first && u->start[u->n - 1] == 0.0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "'%.120s' cannot be in proportion to a number that is 0", path);
  }
  if (!first) place->ratio = value / u->start[u->n - 1];
  return MS_SUCCESS;
}

/* ---- unknowns ---- */

/* path: [low, high], or name: {at: [path, ...], bounds: [low, high]}. */
static ms_status read_unknown(const ms_study *s, const ms_entry *e, ms_update *u) {
  ms_fit_parameter *bound = &u->bound[u->n++];
  const double *start = &u->start[u->n - 1];
  struct fy_node *bounds = e->value;
  bound->name = e->name;
  if (ms_yaml_is_mapping(e->value)) {
    place_options o = { 0 };
    void *in = NULL;
    MS_TRY(ms_options_read_mapping(s, &s->units, e->value, e->name, &place_list, &o));
    bounds = ms_yaml_get(e->value, "bounds");
    bound->lower = o.bounds[0], bound->upper = o.bounds[1];
    if (!ms_yaml_is_sequence(o.at) || ms_yaml_count(o.at) == 0) {
      return ms_yaml_fail(&s->yaml, o.at, MS_ERR_FORMAT, "at is a list of paths");
    }
    for (struct fy_node *item; (item = ms_yaml_next_item(o.at, &in));) {
      const char *path;
      MS_TRY(ms_yaml_text(&s->yaml, item, "a path", &path));
      MS_TRY(add_place(s, item, path, u));
    }
  } else {
    MS_TRY(add_place(s, e->key, e->name, u));
    MS_TRY(ms_yaml_bounds(&s->yaml, e->value, &bound->lower, &bound->upper));
  }
  ms_fit_choose_scale(bound);
  if (*start >= bound->lower && *start <= bound->upper) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, bounds, MS_ERR_BOUNDS,
                      "the file has %g, which is not between these bounds: the search begins there",
                      *start);
}

static ms_status read_unknowns(const ms_study *s, const ms_task *task, const options *o,
                               ms_update *u) {
  const ms_entry_list *list = &o->parameters;
  if (list->n < 1 || list->n > MS_UPDATE_UNKNOWNS || !list->entry[0].value) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "parameters"), MS_ERR_FORMAT,
                        "parameters are 1 to %d of path: [lowest, highest]", MS_UPDATE_UNKNOWNS);
  }
  MS_TRY(ms_allocate(s->ctx, list->n, sizeof *u->bound, &u->bound));
  MS_TRY(ms_allocate(s->ctx, list->n, sizeof *u->start, &u->start));
  for (ptrdiff_t i = 0; i < list->n; i++) MS_TRY(read_unknown(s, &list->entry[i], u));
  return MS_SUCCESS;
}

/* ---- the model as the file has it ---- */

static ms_status build_as_it_is(void *user, const double *p, ms_structure **out) {
  const ms_study *s = user;
  (void)p;
  return ms_study_build(s, s->ctx, out);
}

/* Everything that could be wrong with the measured modes beside the model's is found now, unless
   the model's numbers have no meaning yet. */
static ms_status try_pairs(ms_study *s, const options *o, const ms_update *u) {
  const ms_update_model model = { u->n, u->bound, build_as_it_is, s };
  ms_updating *trial = NULL;
  ms_update_look look = { .n_mode = 0 };
  ms_status status = ms_updating_create(s->ctx, &model, &u->measured.is, u->start, &trial);
  if (status == MS_SUCCESS && !(s->outline && s->fe)) {
    status = ms_updating_keep_look(trial, u->start, &look);
    if (status == MS_SUCCESS) status = ms_updating_check_pairs(trial, look.pair, o->least_mac);
  }
  ms_update_look_destroy(s->ctx, &look);
  ms_updating_destroy(&trial);
  return ms_yaml_fail_here(&s->yaml, o->measured, status);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_update *u = task->product;
  const ms_key_source from = ms_options_source(s);
  MS_TRY(read_unknowns(s, task, o, u));
  u->starts = o->starts > 0 ? o->starts : u->reduces ? 1 : 8;
  MS_TRY(ms_measured_read(&from, s->structure, o->measured, o->deviation, &u->measured));
  if (o->shape_deviation > 0.0) u->measured.is.shape_deviation = o->shape_deviation;
  if (o->shape_deviation > 0.0 && u->measured.is.n_sensor == 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "shape_deviation"), MS_ERR_NAME,
                        "there are no measured shapes");
  }
  return try_pairs(s, o, u);
}

static void close_product(ms_study *s, ms_task *task) {
  ms_update *u = task->product;
  ms_measured_destroy(&u->measured);
  ms_free(s->ctx, &u->bound);
  ms_free(s->ctx, &u->start);
  ms_update_found_destroy(s->ctx, &u->found);
}

/* ---- the run ---- */

typedef struct source {
  const ms_study *study;
  const ms_update *update;
} source;

void ms_update_set_places(const ms_update *u, const double *p, ms_yaml_value *value) {
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    const ms_update_place *place = &u->place[i];
    value[i] = (ms_yaml_value) { place->path, place->ratio * p[place->unknown] };
  }
}

static ms_status build(const void *user, ms_context *ctx, const double *p, ms_structure **out) {
  const source *from = user;
  const ms_update *u = from->update;
  ms_yaml_value value[MS_UPDATE_PLACES];
  ms_update_set_places(u, p, value);
  return ms_variant_build(from->study, ctx, u->reduces, u->n_place, value, out);
}

static ms_status search(ms_study *s, ms_task *task,
                        ms_status (*part)(const ms_update_plan *, ms_update_found *)) {
  const options *o = task->options;
  ms_update *u = task->product;
  const source from = { s, u };
  const ms_update_plan plan = { .crew = ms_study_crew(s),
                                .what = task->name,
                                .n = u->n,
                                .starts = u->starts,
                                .bound = u->bound,
                                .start = u->start,
                                .measured = &u->measured.is,
                                .seed = (uint64_t)o->seed,
                                .together = u->reduces,
                                .build = build,
                                .user = &from };
  return part(&plan, &u->found);
}

static ms_status run(ms_study *s, ms_task *task) {
  return search(s, task, ms_update_search);
}

static ms_status help(ms_study *s, ms_task *task) {
  return search(s, task, ms_update_assist);
}

const ms_analysis ms_analysis_update = {
  .name = "update",
  .title = "Model updated to measured modes",
  .meaning =
      "Numbers of the study file (springs, stiffnesses of joints, materials, lengths) with "
      "which the stuck modes of the structure match measured ones, their standard errors, and "
      "which of them the measured modes do not determine.",
  MS_KEYS(keys, options, ms_update),
  .check = check,
  .run = run,
  .judge = ms_update_judge,
  .help = help,
  .result = ms_update_fill_result,
  .close = close_product,
};
