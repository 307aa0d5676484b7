/* fe: what the reduction keeps: named nodes, sets of nodes, single coordinates. */
#include <stdio.h>
#include <string.h>

#include "study/model/fe/fe.h"

enum { MOST_NODES = 1000 }; /* of a set that is kept: the reduced matrices are full */

/* ---- sets ---- */

static int begins(const char *text, const char *name) {
  size_t n = strlen(name);
  return strncmp(text, name, n) == 0 && (text[n] == '\0' || text[n] == '.');
}

/* Whether the name will be a spider's, of the study or of the mesh file. */
static int is_spider(const ms_fe *fe, const char *name) {
  struct fy_node *key;
  void *at = NULL;
  const char *spider;
  while (ms_yaml_next_pair(fe->options.spiders, &at, &key)) {
    if (ms_yaml_text(fe->y, key, "a spider's name", &spider) != MS_SUCCESS) continue;
    if (begins(name, spider)) return 1;
  }
  for (int i = 0; i < fe->f->mesh_count_conditions(fe->mesh); i++) {
    const ms_condition *c = fe->f->mesh_get_condition(fe->mesh, i);
    if (c->reference >= 0 && c->name && strcmp(c->name, name) == 0) return 1;
  }
  return 0;
}

/* The set of nodes with the longest name that the text begins with; an empty one if there is none,
   or its name is a point's or a spider's. */
static ms_mesh_set find_set(const ms_fe *fe, const char *text) {
  ms_mesh_set found = { .name = "" };
  for (int i = 0; i < fe->f->mesh_count_sets(fe->mesh); i++) {
    ms_mesh_set set = fe->f->mesh_get_set(fe->mesh, i);
    if (set.kind != MS_SET_NODES || !begins(text, set.name)) continue;
    if (strlen(set.name) > strlen(found.name)) found = set;
  }
  if (ms_fe_find_named(fe, found.name) || is_spider(fe, found.name)) found.n = 0;
  return found;
}

static ms_status name_nodes(ms_fe *fe, struct fy_node *item, const ms_mesh_set *set) {
  const double *x = fe->f->mesh_get_nodes(fe->mesh);
  char name[MS_FE_NAME + 16];
  if (set->n > MOST_NODES) {
    return ms_yaml_fail(fe->y, item, MS_ERR_BOUNDS,
                        "set '%s' has %td nodes; at most %d of a set can be kept: use a spider",
                        set->name, set->n, MOST_NODES);
  }
  for (ptrdiff_t i = 0; i < set->n; i++) {
    snprintf(name, sizeof name, set->n > 1 ? "%.*s.%td" : "%.*s", MS_FE_NAME, set->name, i + 1);
    MS_TRY(ms_fe_add_named(fe, item, name, set->index[i], x + 3 * (ptrdiff_t)set->index[i]));
    fe->named[fe->n_named - 1].number = set->n > 1 ? (int)i + 1 : 0;
  }
  return MS_SUCCESS;
}

ms_status ms_fe_name_sets(ms_fe *fe) {
  void *at = NULL;
  for (struct fy_node *item; (item = ms_yaml_next_item(fe->keep, &at));) {
    const char *text;
    char first[MS_FE_NAME + 4];
    MS_TRY(ms_yaml_text(fe->y, item, "what is kept", &text));
    ms_mesh_set set = find_set(fe, text);
    if (set.n == 0) continue;
    snprintf(first, sizeof first, "%.*s.1", MS_FE_NAME, set.name);
    if (!ms_fe_find_named(fe, first)) MS_TRY(name_nodes(fe, item, &set));
  }
  fe->n_point = fe->n_named;
  return MS_SUCCESS;
}

ms_status ms_fe_keep(ms_fe *fe, ms_fem_model *model) {
  struct fy_node *list = fe->keep;
  unsigned char *kept;
  void *at = NULL;
  if (!ms_yaml_is_sequence(list) || ms_yaml_count(list) == 0) {
    return ms_yaml_fail(fe->y, list, MS_ERR_FORMAT, "keep is a list of names, e.g. [bolt.*]");
  }
  MS_TRY(ms_allocate(fe->ctx, fe->n_named + 1, 1, &kept));
  ms_status status = MS_SUCCESS;
  for (struct fy_node *item; status == MS_SUCCESS && (item = ms_yaml_next_item(list, &at));) {
    const char *pattern;
    status = ms_yaml_text(fe->y, item, "what is kept", &pattern);
    if (status != MS_SUCCESS) break;
    status = fe->f->fem_keep_matching(model, pattern, fe->n_named, fe->named, kept);
    status = ms_yaml_fail_here(fe->y, item, status);
  }
  ms_free(fe->ctx, &kept);
  return status;
}
