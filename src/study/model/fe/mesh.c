/* fe: the mesh, of a file and of parts that are made here; parts that grow together; points. */
#include <stdio.h>
#include <string.h>

#include "fem/tolerance.h"
#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct merger {
  struct fy_node *parts;
  double tolerance;
} merger;

static const ms_param merge_rows[] = {
  MS_FORMS(merger, parts, "list of words", MS_ELSE("all"), "which parts"),
  MS_NUMBER(merger, tolerance, "m", MS_POSITIVE, MS_ELSE("1e-6 of the size of the mesh"),
            "largest distance of nodes that are merged"),
};
static const ms_param_list merge_keys = MS_LIST_OF(merge_rows);

static const ms_param fix_row[] = { MS_EACH("word or list of words", NULL,
                                            "all, or some of ux, uy, uz, rx, ry, rz") };

static const ms_param keys[] = {
  MS_MAPPING(ms_fe_options, materials, ms_materials_keys, MS_OPTIONAL, "materials by name"),
  MS_PATH(ms_fe_options, mesh, MS_OPTIONAL, "file of Gmsh, Abaqus or Exodus, in the study's units"),
  MS_MAPPING(ms_fe_options, parts, ms_parts_keys, MS_ELSE("optional with a mesh"), "parts by name"),
  MS_FORMS_WITH(ms_fe_options, merge, "mapping or list of mappings", merge_keys, MS_OPTIONAL,
                "coincident nodes of several parts are merged; a list for groups of parts that "
                "stay separate"),
  MS_MAPPING(ms_fe_options, tie, ms_tie_keys, MS_OPTIONAL,
             "ties by name: nodes follow the faces they lie on; meshes need not match"),
  MS_MAPPING(ms_fe_options, fix, MS_ROWS(fix_row), MS_OPTIONAL,
             "a set of nodes, a point or a spider: fixed directions"),
  MS_MAPPING(ms_fe_options, spiders, ms_spiders_keys, MS_OPTIONAL, "spiders by name"),
  MS_MAPPING(ms_fe_options, contacts, ms_contacts_keys, MS_OPTIONAL,
             "contacts by name: faces that open, stick and slip on each other"),
  MS_MAPPING(ms_fe_options, bolts, ms_bolts_keys, MS_OPTIONAL,
             "bolts by name, which stages of the preload tighten"),
  MS_FORMS_WITH(ms_fe_options, preload, "list of mappings", ms_preload_keys, MS_OPTIONAL,
                "stages in which forces press the contacts together, in this order"),
};

const ms_param_list ms_fe_keys = MS_LIST_OF(keys);

/* ---- mesh files ---- */

static int is_made(struct fy_node *node) {
  return ms_yaml_get(node, "block") || ms_yaml_get(node, "rings");
}

/* Properties of the file's parts: those under parts: that are neither block nor rings. */
static ms_status list_properties(const ms_fe *fe, struct fy_node *parts, ms_part *part, int *n) {
  void *at = NULL;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(parts, &at, &key));) {
    ms_fe_part given;
    MS_TRY(ms_fe_read_part(fe, node, &given));
    if (is_made(node)) continue;
    part[*n] = (ms_part) { 0 };
    MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &part[*n].name));
    MS_TRY(ms_fe_read_properties(fe, node, &given, &part[*n]));
    (*n)++;
  }
  return MS_SUCCESS;
}

/* Every part with properties must be in the file. */
static ms_status check_properties(const ms_fe *fe, struct fy_node *parts) {
  void *at = NULL;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(parts, &at, &key));) {
    const char *name;
    int index;
    if (is_made(node)) continue;
    MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &name));
    MS_TRY(ms_yaml_fail_here(fe->y, key, fe->f->mesh_find_part(fe->mesh, name, &index)));
  }
  return MS_SUCCESS;
}

/* The file has the study's units. */
static ms_status read_mesh(ms_fe *fe) {
  struct fy_node *file = ms_yaml_get(fe->node, "mesh"), *parts = fe->options.parts;
  const ms_units *u = &fe->study->units;
  ms_mesh_read_settings settings = { .length = u->length, .mass = u->mass, .time = u->time };
  ms_part *part;
  char *path;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(parts) + 1, sizeof *part, &part));
  ms_status status = parts ? list_properties(fe, parts, part, &settings.n_part) : MS_SUCCESS;
  settings.part = part;
  if (status == MS_SUCCESS) status = ms_yaml_path(&fe->study->yaml, fe->options.mesh, &path);
  if (status == MS_SUCCESS) {
    status = fe->f->mesh_read(fe->ctx, path, &settings, &fe->mesh);
    ms_free(fe->ctx, &path);
    ms_yaml_fail_here(fe->y, file, status);
  }
  ms_free(fe->ctx, &part);
  return status == MS_SUCCESS && parts ? check_properties(fe, parts) : status;
}

/* ---- merging ---- */

static ms_status find_parts(const ms_fe *fe, struct fy_node *list, int most, int *part, int *n) {
  void *at = NULL;
  *n = 0;
  if (list && (!ms_yaml_is_sequence(list) || ms_yaml_count(list) > most)) {
    return ms_yaml_fail(fe->y, list, MS_ERR_FORMAT, "parts is a list of parts, each once");
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at)); (*n)++) {
    const char *name;
    MS_TRY(ms_yaml_text(fe->y, item, "a part", &name));
    MS_TRY(ms_yaml_fail_here(fe->y, item, fe->f->mesh_find_part(fe->mesh, name, &part[*n])));
  }
  return MS_SUCCESS;
}

/* One group of parts; several do not grow together with each other. */
static ms_status merge_group(ms_fe *fe, struct fy_node *node) {
  int *part, n, most = fe->f->mesh_count_parts(fe->mesh);
  merger o = { 0 };
  MS_TRY(ms_fe_read_keys(fe, node, "merge", &merge_keys, &o));
  ms_mesh_box box;
  MS_TRY(fe->f->mesh_find_box(fe->mesh, NULL, &box));
  const double tolerance = o.tolerance > 0.0 ? o.tolerance : ms_mesh_tol.same_place * box.size;
  MS_TRY(ms_allocate(fe->ctx, most, sizeof *part, &part));
  ms_status status = find_parts(fe, o.parts, most, part, &n);
  if (status == MS_SUCCESS) {
    ptrdiff_t merged = 0;
    status = fe->f->mesh_merge(fe->mesh, n, part, tolerance, &merged);
    if (status == MS_SUCCESS && merged == 0) {
      status = ms_fail(fe->ctx, MS_ERR_ARGUMENT, "these parts have no coincident nodes");
    }
    ms_yaml_fail_here(fe->y, node, status);
  }
  ms_free(fe->ctx, &part);
  return status;
}

/* ---- points ---- */

static ms_status add_point(ms_fe *fe, const char *part_name, int part, struct fy_node *key,
                           struct fy_node *node) {
  const char *point;
  char name[256];
  double at[3], distance;
  ms_mesh_box box;
  MS_TRY(ms_yaml_text(fe->y, key, "a point's name", &point));
  MS_TRY(ms_fe_vector(fe, node, point, "m", 3, at));
  snprintf(name, sizeof name, "%.100s.%.100s", part_name, point);
  MS_TRY(fe->f->mesh_find_box(fe->mesh, NULL, &box));
  ptrdiff_t nearest = fe->f->mesh_find_nearest(fe->mesh, part, at, &distance);
  if (distance > ms_mesh_tol.near * box.size) {
    return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "%s is %.3g m from the nearest node of %s",
                        name, distance, part_name);
  }
  return ms_fe_add_named(fe, key, name, nearest, fe->f->mesh_get_nodes(fe->mesh) + 3 * nearest);
}

static ms_status add_part_points(ms_fe *fe, struct fy_node *key, struct fy_node *points) {
  const char *name;
  void *at = NULL;
  int part;
  MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &name));
  MS_TRY(fe->f->mesh_find_part(fe->mesh, name, &part));
  for (struct fy_node *point_key, *point; (point = ms_yaml_next_pair(points, &at, &point_key));) {
    MS_TRY(add_point(fe, name, part, point_key, point));
  }
  return MS_SUCCESS;
}

/* ---- the whole ---- */

/* Turned inside out is an error; the rest, free nodes of a file for one, stands in the report. */
static ms_status check_mesh(ms_fe *fe, struct fy_node *where) {
  ms_mesh_report report;
  MS_TRY(fe->f->mesh_check(fe->mesh, NULL, &report));
  if (report.n_inverted > 0) {
    return ms_yaml_fail(fe->y, where, MS_ERR_ARGUMENT, "the mesh is not valid: %s", report.text);
  }
  memcpy(fe->remark, report.text, sizeof fe->remark);
  return MS_SUCCESS;
}

static ms_status add_parts(ms_fe *fe) {
  struct fy_node *parts = fe->options.parts;
  const int has_file = fe->options.mesh != NULL;
  void *at = NULL;
  if (parts ? ms_yaml_count(parts) == 0 : !has_file) {
    return ms_yaml_fail(fe->y, parts ? parts : fe->node, MS_ERR_FORMAT,
                        "fe needs parts: name: {block: {...}, ...}, or a mesh");
  }
  MS_TRY(has_file ? read_mesh(fe) : fe->f->mesh_create(fe->ctx, &fe->mesh));
  for (struct fy_node *key, *node; parts && (node = ms_yaml_next_pair(parts, &at, &key));) {
    if (!has_file || is_made(node)) MS_TRY(ms_fe_add_part(fe, key, node));
  }
  return MS_SUCCESS;
}

ms_status ms_fe_make_mesh(ms_fe *fe) {
  ms_fe_options *o = &fe->options;
  void *at = NULL;
  MS_TRY(ms_fe_read_keys(fe, fe->node, "fe", &ms_fe_keys, o));
  MS_TRY(add_parts(fe));
  for (struct fy_node *group; (group = ms_yaml_next_of(o->merge, &at));) {
    MS_TRY(merge_group(fe, group));
  }
  MS_TRY(check_mesh(fe, o->mesh ? ms_yaml_get(fe->node, "mesh") : o->parts));
  at = NULL;
  for (struct fy_node *key, *node; o->parts && (node = ms_yaml_next_pair(o->parts, &at, &key));) {
    struct fy_node *points = ms_yaml_get(node, "points");
    if (points) MS_TRY(add_part_points(fe, key, points));
  }
  return ms_fe_name_sets(fe);
}
