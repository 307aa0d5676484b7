/* The units in which the report shows its numbers: the study's, and the sensors that readers can
   choose. */
#include <string.h>

#include <microslip/experiment.h>

#include "study/study.h"

enum { MOST_SENSORS = 40, MOST_MODES = 200 };

/* Sensors so far, by their degrees of freedom. */
typedef struct list {
  const ms_study *s;
  ms_display *display;
  ptrdiff_t at[MOST_SENSORS];
  int n;
} list;

static ms_status add(list *l, ptrdiff_t at, int named) {
  const ms_structure *structure = l->s->structure;
  const ptrdiff_t size = ms_structure_get_size(structure),
                  n = size < MOST_MODES ? size : MOST_MODES;
  double shape[MOST_MODES];
  for (int i = 0; i < l->n; i++) {
    if (l->at[i] == at) return MS_SUCCESS;
  }
  if (l->n == MOST_SENSORS) return MS_SUCCESS;
  l->at[l->n++] = at;
  for (int m = 0; m < n; m++) shape[m] = ms_sensor_find(structure, at, m).shape;
  const char *name =
      at == MS_GROUND ? "where each mode moves most" : ms_structure_get_name(structure, at);
  return ms_display_add_sensor(l->display, name, named, n, shape);
}

/* The names under a key that is sensor or sensors. */
static ms_status add_named(list *l, struct fy_node *node, int is_sensor) {
  void *at = NULL;
  struct fy_node *key, *value;
  const char *name = ms_yaml_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
  ptrdiff_t dof;
  if (name && is_sensor && !ms_name_is_rotation(name)) {
    if (ms_structure_find(l->s->structure, name, &dof) == MS_SUCCESS && dof != MS_GROUND)
      return add(l, dof, 1);
    ms_context_clear_message(l->s->ctx);
  }
  while (ms_yaml_is_sequence(node) && (value = ms_yaml_next_item(node, &at)))
    MS_TRY(add_named(l, value, is_sensor));
  while (ms_yaml_is_mapping(node) && (value = ms_yaml_next_pair(node, &at, &key))) {
    const char *word = fy_node_get_scalar0(key);
    const int of_sensor = word && strncmp(word, "sensor", 6) == 0;
    if (is_sensor) MS_TRY(add_named(l, key, 1)); /* a mapping of sensors has them as keys */
    MS_TRY(add_named(l, value, is_sensor || of_sensor));
  }
  return MS_SUCCESS;
}

/* Rotations and the modal coordinates of a reduced model are no displacements. */
static int is_displacement(const ms_study *s, const char *name) {
  const char *dot = strrchr(name, '.');
  if (!s->reduced) return !ms_name_is_rotation(name);
  return dot && (strcmp(dot, ".ux") == 0 || strcmp(dot, ".uy") == 0 || strcmp(dot, ".uz") == 0);
}

/* The first displacements of the structure. */
static ms_status add_others(list *l) {
  const ptrdiff_t n = ms_structure_get_size(l->s->structure);
  for (ptrdiff_t i = 0; i < n && l->n < MOST_SENSORS; i++) {
    if (is_displacement(l->s, ms_structure_get_name(l->s->structure, i))) MS_TRY(add(l, i, 0));
  }
  return MS_SUCCESS;
}

static ms_status add_sensors(list *l) {
  MS_TRY(add_named(l, ms_yaml_get(ms_yaml_root(&l->s->yaml), "analyses"), 0));
  MS_TRY(add(l, MS_GROUND, 0));
  return add_others(l);
}

ms_status ms_study_make_display(const ms_study *s, ms_display **out) {
  list l = { .s = s };
  MS_TRY(ms_display_create(s->ctx, out));
  l.display = *out;
  const ms_display_units units = { s->units.length, s->units.mass, s->units.time, s->units.force };
  ms_display_set_units(*out, &units);
  ms_status status = MS_SUCCESS;
  if (s->structure && ms_study_knows_modes(s)) status = add_sensors(&l);
  if (status == MS_SUCCESS && s->display_words) status = ms_display_choose(*out, s->display_words);
  if (status != MS_SUCCESS) ms_display_destroy(out);
  return status;
}
