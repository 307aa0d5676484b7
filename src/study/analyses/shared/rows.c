#include "study/analyses/shared/rows.h"

#include <stdio.h>
#include <string.h>

#include "core/param.h"

/* Of a value that is a pointer, or whose first member is the one that it owns. */
static void free_first(ms_context *ctx, void *value) {
  ms_free(ctx, value);
}

/* A list of values, each as `each` reads it. */
static ms_status read_list(const ms_reading *r, struct fy_node *node, const ms_param_reader *each,
                           size_t size, void **list, ptrdiff_t *n) {
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  *n = ms_yaml_count_of(node);
  if (*n == 0) {
    return ms_yaml_fail(&r->study->yaml, node, MS_ERR_FORMAT, "%s must name at least one",
                        r->row->name);
  }
  MS_TRY(ms_allocate(r->study->ctx, *n, size, list));
  for (ptrdiff_t i = 0; i < *n; i++) {
    MS_TRY(each->read(r, ms_yaml_next_of(node, &at), (char *)*list + (size_t)i * size));
  }
  return MS_SUCCESS;
}

/* ---- the model ---- */

static ms_status read_mode(const ms_reading *r, struct fy_node *node, void *value) {
  const ptrdiff_t size = r->study->structure ? ms_structure_get_size(r->study->structure) : 0;
  ms_param count = *r->row;
  ptrdiff_t mode;
  *(int *)value = -1;
  if (!node) return MS_SUCCESS;
  count.reader = NULL;
  MS_TRY(ms_options_read_value(r->study, node, r->row->name, &count, &mode));
  *(int *)value = (int)mode - 1;
  if (mode <= size) return MS_SUCCESS;
  return ms_yaml_fail(&r->study->yaml, node, MS_ERR_BOUNDS,
                      "there is no mode %td; modes are 1 to %td", mode, size);
}

static ms_status read_modes(const ms_reading *r, struct fy_node *node, void *value) {
  ms_mode_list *list = value;
  return ms_yaml_read_modes(&r->study->yaml, node, ms_structure_get_size(r->study->structure),
                            &list->mode, &list->n);
}

static ms_status read_dof(const ms_reading *r, struct fy_node *node, void *value) {
  *(ptrdiff_t *)value = MS_GROUND;
  return node ? ms_read_dof(r->study, node, "a degree of freedom", value) : MS_SUCCESS;
}

static ms_status read_dofs(const ms_reading *r, struct fy_node *node, void *value) {
  ms_dof_list *list = value;
  return read_list(r, node, &ms_as_dof, sizeof *list->dof, (void **)&list->dof, &list->n);
}

static ms_status read_sensor(const ms_reading *r, struct fy_node *node, void *value) {
  *(ptrdiff_t *)value = MS_GROUND;
  return node ? ms_read_dof(r->study, node, "sensor", value) : MS_SUCCESS;
}

static ms_status read_joint(const ms_reading *r, struct fy_node *node, void *value) {
  *(int *)value = -1;
  return node ? ms_study_find_joint(r->study, node, value) : MS_SUCCESS;
}

const ms_param_reader ms_as_mode = { .read = read_mode };
const ms_param_reader ms_as_modes = { .read = read_modes, .free = free_first };
const ms_param_reader ms_as_dof = { .read = read_dof };
const ms_param_reader ms_as_dofs = { .read = read_dofs, .free = free_first };
const ms_param_reader ms_as_sensor = { .read = read_sensor };
const ms_param_reader ms_as_joint = { .read = read_joint };

/* ---- earlier analyses ---- */

const ms_task *ms_find_earlier(const ms_study *s, const ms_task *task, const char *name) {
  while (--task >= s->task) {
    if (strcmp(task->name, name) == 0) return task;
  }
  return NULL;
}

static ms_status find_task(const ms_reading *r, struct fy_node *node, const ms_task **out) {
  const ms_task *const end = r->task, *other = NULL; /* other: of that name and another kind */
  const char *kinds = r->row->choices, *name = NULL;
  char words[160] = "";
  if (node) MS_TRY(ms_yaml_text(&r->study->yaml, node, "the name of an analysis", &name));
  for (const ms_task *t = end - 1; t >= r->study->task; t--) {
    if (name && strcmp(t->name, name) != 0) continue;
    if (!kinds || ms_param_find_choice(r->row, t->kind->name) >= 0) {
      *out = t;
      return MS_SUCCESS;
    }
    if (name) other = t;
  }
  for (size_t at = 0; kinds && *kinds && at + 5 < sizeof words; kinds++) {
    const char letter[] = { *kinds, '\0' };
    at += (size_t)snprintf(words + at, 5, "%s", *kinds == '|' ? " or " : letter);
  }
  if (other) {
    return ms_yaml_fail(&r->study->yaml, node, MS_ERR_NAME, "'%s' is a %s; name a %s", name,
                        other->kind->name, words);
  }
  return ms_yaml_fail(&r->study->yaml, node ? node : end->key, MS_ERR_NAME,
                      "%s needs an analysis%s%s%s%s%s before it", end->name,
                      words[0] ? " of kind " : "", words, name ? " called '" : "", name ? name : "",
                      name ? "'" : "");
}

static ms_status read_task(const ms_reading *r, struct fy_node *node, void *value) {
  const ms_task *found = NULL;
  if (node) MS_TRY(find_task(r, node, &found));
  memcpy(value, &found, sizeof found);
  return MS_SUCCESS;
}

static ms_status read_last_task(const ms_reading *r, struct fy_node *node, void *value) {
  const ms_task *found = NULL;
  MS_TRY(find_task(r, node, &found));
  memcpy(value, &found, sizeof found);
  return MS_SUCCESS;
}

static int names_task(const void *value, const ms_task *other) {
  return memcmp(value, &other, sizeof other) == 0;
}

static ms_status read_tasks(const ms_reading *r, struct fy_node *node, void *value) {
  ms_task_list *list = value;
  ptrdiff_t n = 0;
  void *tasks = NULL;
  ms_status status = read_list(r, node, &ms_as_last_task, sizeof *list->task, &tasks, &n);
  list->task = tasks;
  list->n = (int)n;
  return status;
}

static ms_status read_last_tasks(const ms_reading *r, struct fy_node *node, void *value) {
  ms_task_list *list = value;
  if (node) return read_tasks(r, node, value);
  list->n = 1;
  MS_TRY(ms_allocate(r->study->ctx, 1, sizeof *list->task, &list->task));
  return find_task(r, NULL, &list->task[0]);
}

static int names_one(const void *value, const ms_task *other) {
  const ms_task_list *list = value;
  for (int i = 0; list->task && i < list->n; i++) {
    if (list->task[i] == other) return 1;
  }
  return 0;
}

const ms_param_reader ms_as_task = { .read = read_task, .names = names_task };
const ms_param_reader ms_as_last_task = { .read = read_last_task, .names = names_task };
const ms_param_reader ms_as_tasks = { read_tasks, free_first, names_one };
const ms_param_reader ms_as_last_tasks = { read_last_tasks, free_first, names_one };

/* ---- loads and time ---- */

static ms_status read_amplitudes(const ms_reading *r, struct fy_node *node, void *value) {
  ms_numbers *list = value;
  const double factor = r->row->unit ? ms_units_factor(&r->study->units, r->row->unit) : 1.0;
  return node ? ms_keys_read_levels(r->from, node, factor, &list->value, &list->n) : MS_SUCCESS;
}

static ms_status read_preload(const ms_reading *r, struct fy_node *node, void *value) {
  const ms_units *u = &r->study->units;
  double **force = value;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&r->study->yaml, node, MS_ERR_FORMAT,
                        "preload must be {degree of freedom: force}");
  }
  MS_TRY(ms_allocate(r->study->ctx, ms_structure_get_size(r->study->structure), sizeof **force,
                     force));
  return ms_read_weights(r->study, node, "preload", u->force, u->force * u->length, *force);
}

static ms_status read_load(const ms_reading *r, struct fy_node *node, void *value) {
  return node ? ms_read_load(r->study, node, value) : MS_SUCCESS;
}

static void free_load(ms_context *ctx, void *value) {
  ms_load_free(ctx, value);
}

static ms_status read_place(const ms_reading *r, struct fy_node *node, void *value) {
  return node ? ms_read_place(r->study, node, r->task->name, value) : MS_SUCCESS;
}

static ms_status read_weights(const ms_reading *r, struct fy_node *node, void *value) {
  ms_weights *w = value;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_allocate(r->study->ctx, ms_structure_get_size(r->study->structure), sizeof *w->value,
                     &w->value));
  return ms_read_at(r->study, node, w->value, &w->moment);
}

static ms_status make_place(const ms_reading *r, ms_study_load *load) {
  load->name = r->task->name;
  load->place = r->row->name;
  return ms_allocate(r->study->ctx, ms_structure_get_size(r->study->structure), sizeof *load->shape,
                     &load->shape);
}

static ms_status read_at(const ms_reading *r, struct fy_node *node, void *value) {
  ms_study_load *load = value;
  if (!node) return MS_SUCCESS;
  MS_TRY(make_place(r, load));
  return ms_read_at(r->study, node, load->shape, &load->moment);
}

/* After read_at, on the same load. */
static ms_status read_base(const ms_reading *r, struct fy_node *node, void *value) {
  ms_study_load *load = value;
  if (!load->place == !node) {
    return ms_yaml_fail(&r->study->yaml, node ? node : r->task->key, MS_ERR_FORMAT,
                        "%s needs one of at (force) and base (acceleration)", r->task->name);
  }
  if (!node) return MS_SUCCESS;
  MS_TRY(make_place(r, load));
  return ms_read_base(r->study, node, load);
}

const ms_param_reader ms_as_amplitudes = { .read = read_amplitudes, .free = free_first };
const ms_param_reader ms_as_preload = { .read = read_preload, .free = free_first };
const ms_param_reader ms_as_load = { .read = read_load, .free = free_load };
const ms_param_reader ms_as_place = { .read = read_place, .free = free_load };
const ms_param_reader ms_as_weights = { .read = read_weights, .free = free_first };
const ms_param_reader ms_as_at = { .read = read_at, .free = free_load };
const ms_param_reader ms_as_base = { .read = read_base };
