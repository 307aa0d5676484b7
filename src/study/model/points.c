/* structure: matrices: positions and lines. Where the points of a structure are that is given by
   its matrices, for pictures of its modes. */
#include <microslip/sketch.h>

#include "study/model/build.h"

void ms_points_free(ms_context *ctx, ms_points_of *p) {
  ms_yaml_free_places(ctx, p->n, &p->place);
  ms_free(ctx, &p->point);
  ms_free(ctx, &p->line);
  *p = (ms_points_of) { 0 };
}

static ms_status find_motions(const ms_builder *b, struct fy_node *node, ms_points_of *p) {
  ptrdiff_t wrong;
  MS_TRY(ms_allocate(b->study->ctx, p->n + 1, sizeof *p->point, &p->point));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const double *x = p->place[i].x;
    p->point[i] = (ms_sketch_point) { .name = p->place[i].name, .x = { x[0], x[1], x[2] } };
  }
  ms_status status = ms_sketch_find_points(b->structure, p->n, p->point, &wrong);
  return ms_build_at(b, wrong < 0 ? node : p->place[wrong].node, status);
}

ms_status ms_build_points(const ms_builder *b, struct fy_node *positions, struct fy_node *lines,
                          ms_points_of *out) {
  const ms_key_source from = { b->y, b->units, b->study, NULL };
  *out = (ms_points_of) { 0 };
  if (!positions && lines)
    return ms_yaml_fail(b->y, lines, MS_ERR_FORMAT, "lines need positions, between which they are");
  if (!positions) return MS_SUCCESS;
  ms_status status = ms_yaml_read_places(&from, positions, "positions", &out->n, &out->place);
  if (status == MS_SUCCESS) {
    status =
        ms_yaml_read_lines(b->y, lines, "positions", out->n, out->place, &out->n_line, &out->line);
  }
  if (status == MS_SUCCESS) status = find_motions(b, positions, out);
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

/* Supports have none; a name that is mistyped looks the same. */
ms_status ms_study_check_points(ms_study *s) {
  ms_points_of points;
  char names[200];
  MS_TRY(ms_study_find_points(s, &points));
  ms_status status = MS_SUCCESS;
  if (ms_sketch_print_still(points.n, points.point, names, sizeof names) > 0) {
    status = ms_study_note(s,
                           "positions: no degree of freedom moves %s in the pictures of modes; "
                           "that of point P along x is P.x or P.ux, one of its own name is drawn "
                           "along z",
                           names);
  }
  ms_points_free(s->ctx, &points);
  return status;
}
