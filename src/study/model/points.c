/* structure: matrices: positions and lines. Where the points of a structure are that is given by
   its matrices, for pictures of its modes. */
#include <microslip/sketch.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/yaml/tables.h"
#include "study/file/model_keys.h"
#include "study/model/build.h"

static const ms_param rows[] = {
  { .name = "*",
    .kind = MS_PARAM_NUMBERS,
    .count = 3,
    .unit = "m",
    MS_ANY,
    .meaning = "where the point is" },
};
const ms_param_list ms_positions_keys = MS_LIST_OF(rows);

void ms_points_free(ms_context *ctx, ms_points_of *p) {
  for (ptrdiff_t i = 0; i < p->n; i++) ms_free(ctx, &p->point[i].name);
  ms_free(ctx, &p->point);
  ms_free(ctx, &p->line);
  *p = (ms_points_of) { 0 };
}

/* P.x or P.ux; those that became one with others have their names, too. */
static ptrdiff_t find_dof(const ms_structure *s, const char *point, char axis) {
  static const char *const before[] = { "", "u" };
  char name[256];
  ptrdiff_t dof;
  for (int k = 0; k < 2; k++) {
    snprintf(name, sizeof name, "%.200s.%s%c", point, before[k], axis);
    if (ms_structure_find(s, name, &dof) == MS_SUCCESS) return dof;
  }
  return MS_GROUND;
}

static ptrdiff_t find_point(const ms_points_of *p, const char *name) {
  for (ptrdiff_t i = 0; i < p->n; i++)
    if (strcmp(p->point[i].name, name) == 0) return i;
  return -1;
}

static ms_status add_point(const ms_builder *b, struct fy_node *where, const char *name,
                           const double *x, ms_points_of *p) {
  ms_context *ctx = b->study->ctx;
  char *own;
  if (find_point(p, name) >= 0)
    return ms_yaml_fail(b->y, where, MS_ERR_NAME, "the point '%.60s' is there twice", name);
  MS_TRY(ms_resize(ctx, p->n + 1, sizeof *p->point, &p->point));
  MS_TRY(ms_text_copy(ctx, name, &own));
  ms_sketch_point *point = &p->point[p->n++];
  *point = (ms_sketch_point) { .name = own, .x = { x[0], x[1], x[2] } };
  for (int d = 0; d < 3; d++) point->dof[d] = find_dof(b->structure, name, "xyz"[d]);
  if (point->dof[2] == MS_GROUND &&
      ms_structure_find(b->structure, name, &point->dof[2]) != MS_SUCCESS)
    point->dof[2] = MS_GROUND;
  return MS_SUCCESS;
}

static ms_status read_file(const ms_builder *b, struct fy_node *node, ms_points_of *p) {
  static const char *const axis[] = { "x", "y", "z" };
  ms_table *table;
  const double *x[3];
  MS_TRY(ms_yaml_open_table(b->y, node, &table));
  ms_status status = MS_SUCCESS;
  for (int d = 0; d < 3 && status == MS_SUCCESS; d++) {
    x[d] = ms_table_get_column(table, axis[d]);
    if (!x[d] || !ms_table_get_word(table, "name", 0)) {
      status = ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                            "a file of positions has the columns name (words), x, y, z (numbers)");
    } else {
      status = ms_yaml_check_column(b->y, b->units, node, table, axis[d], "m", b->units->length);
    }
  }
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < ms_table_get_rows(table); i++) {
    const double l = b->units->length, at[3] = { l * x[0][i], l * x[1][i], l * x[2][i] };
    status = add_point(b, node, ms_table_get_word(table, "name", i), at, p);
  }
  ms_table_destroy(&table);
  return status;
}

static ms_status read_points(const ms_builder *b, struct fy_node *node, ms_points_of *p) {
  void *at = NULL;
  const char *name;
  if (ms_yaml_is_scalar(node)) return read_file(b, node, p);
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "positions must be a mapping, name: [x, y, z], or the name of a file with "
                        "the columns name, x, y, z");
  }
  for (struct fy_node *key, *item; (item = ms_yaml_next_pair(node, &at, &key));) {
    ms_few x = { 0 };
    ms_param row = rows[0];
    MS_TRY(ms_yaml_text(b->y, key, "a point's name", &name));
    row.name = name;
    MS_TRY(ms_options_read_few(b->study, item, &row, &x));
    MS_TRY(add_point(b, key, name, x.value, p));
  }
  return MS_SUCCESS;
}

static ms_status read_lines(const ms_builder *b, struct fy_node *node, ms_points_of *p) {
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_sequence(node))
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "lines must be a list of [point, point]");
  MS_TRY(ms_allocate(b->study->ctx, 2 * ms_yaml_count(node) + 1, sizeof *p->line, &p->line));
  for (struct fy_node *pair, *end; (pair = ms_yaml_next_item(node, &at)); p->n_line++) {
    void *of = NULL;
    if (!ms_yaml_is_sequence(pair) || ms_yaml_count(pair) != 2)
      return ms_yaml_fail(b->y, pair, MS_ERR_FORMAT, "a line is [point, point]");
    for (int k = 0; k < 2 && (end = ms_yaml_next_item(pair, &of)); k++) {
      const char *name;
      MS_TRY(ms_yaml_text(b->y, end, "a point", &name));
      const ptrdiff_t point = find_point(p, name);
      if (point < 0)
        return ms_yaml_fail(b->y, end, MS_ERR_NAME, "positions has no point '%.60s'", name);
      p->line[2 * p->n_line + k] = (int32_t)point;
    }
  }
  return MS_SUCCESS;
}

/* At least one moves: names that match no degree of freedom are a mistake. */
static ms_status check_motion(const ms_builder *b, struct fy_node *node, ms_points_of *p) {
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ptrdiff_t *dof = p->point[i].dof;
    p->n_still += dof[0] == MS_GROUND && dof[1] == MS_GROUND && dof[2] == MS_GROUND;
  }
  if (p->n > p->n_still) return MS_SUCCESS;
  return ms_yaml_fail(b->y, node, MS_ERR_NAME,
                      "no point of positions has a degree of freedom: that of point P along x is "
                      "P.x or P.ux, one of its own name is drawn along z; the first degree of "
                      "freedom is '%.60s'",
                      ms_structure_get_name(b->structure, 0));
}

ms_status ms_build_points(const ms_builder *b, struct fy_node *positions, struct fy_node *lines,
                          ms_points_of *out) {
  *out = (ms_points_of) { 0 };
  if (!positions && lines)
    return ms_yaml_fail(b->y, lines, MS_ERR_FORMAT, "lines need positions, between which they are");
  if (!positions) return MS_SUCCESS;
  ms_status status = read_points(b, positions, out);
  if (status == MS_SUCCESS) status = read_lines(b, lines, out);
  if (status == MS_SUCCESS) status = check_motion(b, positions, out);
  if (status != MS_SUCCESS) ms_points_free(b->study->ctx, out);
  return status;
}

ms_status ms_study_find_points(const ms_study *s, ms_points_of *out) {
  const ms_builder b = {
    .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units, .structure = s->structure
  };
  struct fy_node *node = ms_yaml_get(ms_yaml_get(ms_yaml_root(&s->yaml), "structure"), "matrices");
  *out = (ms_points_of) { 0 };
  return node ? ms_build_points(&b, ms_yaml_get(node, "positions"), ms_yaml_get(node, "lines"), out)
              : MS_SUCCESS;
}
