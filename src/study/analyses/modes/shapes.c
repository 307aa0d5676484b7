/* Shapes of modes of finite elements: the surfaces of the meshes, and the nodes that have names. */
#include "study/analyses/modes/modes.h"

enum { MOST_SHAPES = 6 };

typedef struct scene {
  const ms_fem_functions *f;
  ms_fem_picture *picture;
} scene;

static ms_status move(void *scene_of, const double *phi, double *u) {
  const scene *e = scene_of;
  return e->f->fem_picture_move(e->picture, phi, u);
}

static ms_status draw(const ms_study *s, scene *e, const ms_modes_product *p, ms_page *page) {
  const ms_fem_picture_view v = e->f->fem_picture_get(e->picture);
  ms_shape_mark mark[MS_FEM_MARKS];
  for (ptrdiff_t k = 0; k < v.n_mark; k++)
    mark[k] = (ms_shape_mark) { .node = v.scene.n_seen + k, .label = v.mark[k].label };
  const ms_mode_picture picture = { { .n_node = v.scene.n_node,
                                      .x = v.scene.x,
                                      .n_face = v.scene.n_face,
                                      .face = v.scene.face,
                                      .n_line = v.scene.n_line,
                                      .line = v.scene.line,
                                      .closed = v.scene.closed,
                                      .n_mark = v.n_mark,
                                      .mark = mark },
                                    MOST_SHAPES,
                                    move,
                                    e };
  return ms_modes_add_picture(s, p, "", &picture, page);
}

ms_status ms_modes_show_shapes(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  scene e = { .f = s->fe->f };
  ms_fem_body *body = NULL;
  int n = 0;
  ms_status status = MS_SUCCESS;
  for (const ms_fe *fe = s->fe; fe && status == MS_SUCCESS; fe = fe->next) {
    status = ms_resize(s->ctx, n + 1, sizeof *body, &body);
    if (status == MS_SUCCESS) body[n++] = ms_fe_body(fe);
  }
  if (status == MS_SUCCESS) status = e.f->fem_picture_create(s->structure, n, body, &e.picture);
  if (status == MS_SUCCESS) status = draw(s, &e, p, page);
  e.f->fem_picture_destroy(&e.picture);
  ms_free(s->ctx, &body);
  return status;
}
