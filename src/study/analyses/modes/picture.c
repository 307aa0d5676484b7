/* Shapes of modes in the report: the first elastic modes with the slipped ones that are like them,
   and those without frequency, folded away; of chains and beams as a sketch. */
#include <microslip/sketch.h>
#include <stdio.h>

#include "structure/impl.h"
#include "study/analyses/modes/modes.h"

enum { MOST_MODES = 20 };

void ms_modes_fold(const ms_study *s, ms_result_table *table) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  ptrdiff_t n = 0;
  while (n < stuck.n && stuck.omega[n] == 0.0) n++;
  ms_result_table_fold(table, n, "rigid-body mode");
}

ms_status ms_modes_add_picture(const ms_study *s, const ms_modes_product *p, const char *caption,
                               const ms_mode_picture *picture, ms_page *page) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  const int slips = ms_attachments_slip(s->structure);
  const ms_mode_set set = { .n = stuck.n,
                            .omega = stuck.omega,
                            .phi = stuck.shape,
                            .omega_beside = slipped.omega,
                            .phi_beside = slips ? slipped.shape : NULL,
                            .beside = p->pairs.slipped,
                            .mac = p->pairs.mac,
                            .value = p->family_name,
                            .most = picture->most,
                            .move = picture->move,
                            .user = picture->scene };
  char text[400];
  ms_shape shape = picture->shape;
  if (slips) shape.side[0] = "stuck", shape.side[1] = "slipped";
  snprintf(text, sizeof text, "Mode shapes of the structure with its joints stuck%s.%s",
           slips ? ", and of the slipped modes most like them: look for joints with large "
                   "relative motion, and for modes that slip changes"
                 : "",
           caption);
  return ms_page_add_modes(page, text, &shape, &set);
}

/* ---- chains, beams and points ---- */

static ms_status move(void *sketch, const double *phi, double *u) {
  ms_sketch_add_motion(sketch, phi, u);
  return MS_SUCCESS;
}

static ms_status show(const ms_study *s, const ms_modes_product *p, const char *caption,
                      ms_sketch *sketch, ms_page *page) {
  static const unsigned char line[] = { [MS_SKETCH_BODY] = MS_LINE_BODY,
                                        [MS_SKETCH_JOINT] = MS_LINE_JOINT,
                                        [MS_SKETCH_SPRING] = MS_LINE_SPRING,
                                        [MS_SKETCH_THIN] = MS_LINE_THIN };
  static const ms_mark_style mark[] = { [MS_SKETCH_AT_JOINT] = MS_MARK_JOINT,
                                        [MS_SKETCH_AT_MASS] = MS_MARK_MASS,
                                        [MS_SKETCH_AT_GROUND] = MS_MARK_GROUND };
  const ms_sketch_view v = ms_sketch_get(sketch);
  ms_shape_mark *marks = NULL;
  unsigned char *style = NULL;
  ms_status status = ms_allocate(s->ctx, v.n_mark + 1, sizeof *marks, &marks);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, v.n_line + 1, sizeof *style, &style);
  for (ptrdiff_t i = 0; i < v.n_mark && marks; i++)
    marks[i] = (ms_shape_mark) { v.mark[i].node, v.mark[i].label, mark[v.mark[i].kind] };
  for (ptrdiff_t i = 0; i < v.n_line && style; i++) style[i] = line[v.kind[i]];
  const ms_mode_picture picture = { { .n_node = v.n_node,
                                      .x = v.x,
                                      .n_line = v.n_line,
                                      .line = v.line,
                                      .line_style = style,
                                      .n_mark = v.n_mark,
                                      .mark = marks },
                                    MOST_MODES,
                                    move,
                                    sketch };
  if (status == MS_SUCCESS) status = ms_modes_add_picture(s, p, caption, &picture, page);
  ms_free(s->ctx, &marks);
  ms_free(s->ctx, &style);
  return status;
}

static ms_status create(const ms_study *s, const ms_points_of *points, ms_sketch **out) {
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(&s->yaml), "structure");
  ms_beam_node *node = NULL;
  ptrdiff_t n = 0;
  *out = NULL;
  if (points->n > 0) {
    return ms_sketch_create_points(s->structure, points->n, points->point, points->n_line,
                                   points->line, out);
  }
  if (ms_yaml_get(structure, "chain")) return ms_sketch_create_chain(s->structure, out);
  if (!ms_yaml_get(structure, "beam")) return MS_SUCCESS;
  MS_TRY(ms_study_find_beam_nodes(s, &n, &node));
  ms_status status = ms_sketch_create_beam(s->structure, n, node, out);
  ms_free(s->ctx, &node);
  return status;
}

ms_status ms_modes_show_schematic(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  const int is_beam = ms_yaml_get(ms_yaml_get(ms_yaml_root(&s->yaml), "structure"), "beam") != NULL;
  ms_sketch *sketch = NULL;
  ms_points_of points;
  char caption[280], still[200];
  if (s->fe) return MS_SUCCESS;
  MS_TRY(ms_study_find_points(s, &points));
  const int rests = ms_sketch_print_still(points.n, points.point, still, sizeof still) > 0;
  snprintf(caption, sizeof caption, " Joints are dashed.%s%s%s",
           rests ? " No degree of freedom moves " : "", still, rests ? "." : "");
  ms_status status = create(s, &points, &sketch);
  if (status == MS_SUCCESS && !sketch) {
    status = ms_page_add_text(page, "Mode shapes are not drawn: the structure has no positions.");
  } else if (status == MS_SUCCESS) {
    status = show(s, p,
                  points.n > 0 ? caption
                  : is_beam    ? " Deflections are drawn upwards, joints dashed."
                               : " A schematic: masses in the order of the file, displacements "
                                 "drawn upwards, joints dashed.",
                  sketch, page);
  }
  ms_sketch_destroy(&sketch);
  ms_points_free(s->ctx, &points);
  return status;
}
