/* The full model beside the reduced one: the same joints, all stuck or all slipping, on the finite
   elements themselves. */
#include <string.h>

#include "study/model/fe/fe.h"

/* What the joints put into the full model. */
typedef struct assembly {
  ms_fe *fe;
  ms_fem_model *model;
  int stuck;
} assembly;

/* u_to - u_from, the ground left out. */
static ms_status find_terms(const ms_builder *b, const assembly *a, const ms_direction *d, int *n,
                            ms_fem_term *term) {
  const char *end[2] = { d->from, d->to };
  *n = 0;
  for (int i = 0; i < 2; i++) {
    if (strcmp(end[i], "ground") == 0) continue;
    if (!a->fe->f->fem_find_term(a->fe->n_named, a->fe->named, end[i], i ? 1.0 : -1.0, &term[*n])) {
      return ms_yaml_fail(b->y, d->node, MS_ERR_NAME,
                          "%s is not a degree of freedom of the finite elements", end[i]);
    }
    (*n)++;
  }
  return MS_SUCCESS;
}

/* ---- joints ---- */

/* What is there in the slipped structure too: rigid directions and linear springs. */
static ms_status add_direction(const ms_builder *b, const ms_direction *d, void *user) {
  const assembly *a = user;
  ms_fem_term term[2];
  int n;
  double K;
  ms_joint *joint = NULL;
  MS_TRY(find_terms(b, a, d, &n, term));
  if (ms_direction_is_rigid(d)) return a->fe->f->fem_link(a->model, d->name, n, term, 0.0);
  ms_status status = ms_direction_read(b, d, &K, &joint);
  ms_joint_destroy(&joint);
  if (status == MS_SUCCESS && K > 0.0) status = a->fe->f->fem_add_spring(a->model, n, term, K);
  return status;
}

static ms_status add_directions(assembly *a) {
  const ms_study *s = a->fe->study;
  struct fy_node *joints = ms_yaml_get(ms_yaml_root(&s->yaml), "joints");
  ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  if (!joints) return MS_SUCCESS;
  MS_TRY(ms_reduced_make_structure(s->reduced, &b.whole));
  ms_status status = ms_directions_visit(&b, joints, add_direction, a);
  ms_structure_destroy(&b.whole);
  return status;
}

/* ---- modes ---- */

static ms_status solve(assembly *a, ptrdiff_t n, ms_fem_modes *out) {
  const ms_fem_functions *f = a->fe->f;
  MS_TRY(add_directions(a));
  if (a->fe->rest.contact) MS_TRY(f->fem_stick_rest(a->model, &a->fe->rest));
  MS_TRY(
      f->fem_add_joints(a->model, a->fe->study->structure, a->stuck, a->fe->n_named, a->fe->named));
  MS_TRY(f->fem_setup(a->model, NULL));
  MS_TRY(f->fem_find_modes(a->model, n, 0.0, out));
  out->n = n < out->n ? n : out->n;
  ms_free(a->fe->ctx, &out->shape); /* as long as the model */
  return MS_SUCCESS;
}

ms_status ms_fe_find_full_modes(ms_fe *fe, int stuck, ptrdiff_t n, ms_fem_modes *out) {
  assembly a = { .fe = fe, .stuck = stuck };
  ms_status status = ms_fe_make_model(fe, &a.model);
  if (status == MS_SUCCESS) status = solve(&a, n, out);
  fe->f->fem_destroy(&a.model);
  return status;
}
