/* The full model beside the reduced one: the same joints, all stuck or all slipping, on the finite
   elements themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint/impl.h"
#include "structure/impl.h"
#include "study/model/fe/fe.h"

/* What the joints put into the full model. */
typedef struct assembly {
  ms_fe *fe;
  ms_fem_model *model;
  int stuck;
} assembly;

/* ---- coordinates ---- */

/* "bolt.1.a.ux" as a node and a component; modal coordinates and the like have none. */
static int find_term(const ms_fe *fe, const char *name, double factor, ms_fem_term *term) {
  const char *dot = strrchr(name, '.');
  char node[MS_FE_NAME];
  if (!dot || dot - name >= MS_FE_NAME) return 0;
  memcpy(node, name, (size_t)(dot - name));
  node[dot - name] = '\0';
  const ms_fe_node *named = ms_fe_find_named(fe, node);
  *term = (ms_fem_term) { named ? named->node : -1, ms_fe_component(dot + 1), factor };
  return named && term->component >= 0;
}

/* u_to - u_from, the ground left out. */
static ms_status find_terms(const ms_builder *b, const assembly *a, const ms_direction *d, int *n,
                            ms_fem_term *term) {
  const char *end[2] = { d->from, d->to };
  *n = 0;
  for (int i = 0; i < 2; i++) {
    if (strcmp(end[i], "ground") == 0) continue;
    if (!find_term(a->fe, end[i], i ? 1.0 : -1.0, &term[*n])) {
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

static ms_status add_directions(const assembly *a) {
  const ms_study *s = a->fe->study;
  struct fy_node *joints = ms_yaml_get(ms_yaml_root(&s->yaml), "joints");
  ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  assembly copy = *a;
  if (!joints) return MS_SUCCESS;
  MS_TRY(ms_reduced_make_structure(s->reduced, &b.whole));
  ms_status status = ms_directions_visit(&b, joints, add_direction, &copy);
  ms_structure_destroy(&b.whole);
  return status;
}

/* The terms of axis c of a joint. */
static ms_status find_axis(const assembly *a, const ms_seat *seat, int c, int *n,
                           ms_fem_term *term) {
  const ms_study *s = a->fe->study;
  const ptrdiff_t end[2] = { seat->from[c], seat->to[c] };
  if (seat->mapping_row[c]) {
    return ms_fail(
        s->ctx, MS_ERR_ARGUMENT,
        "joint %s acts on a weighted sum, which the full model does not support; write full: 0",
        seat->name);
  }
  for (int i = 0; i < 2; i++) {
    if (end[i] == MS_GROUND) continue;
    const char *name = ms_structure_get_name(s->structure, end[i]);
    if (!find_term(a->fe, name, i ? 1.0 : -1.0, &term[*n])) {
      return ms_fail(s->ctx, MS_ERR_NAME,
                     "joint %s: %s is not a degree of freedom of the finite elements, so there is "
                     "no full model to compare with; write full: 0",
                     seat->name, name);
    }
    (*n)++;
  }
  return MS_SUCCESS;
}

/* z^T S z / 2 as springs on z_c and on z_c + z_d: the latter's share taken from the former. */
static ms_status add_axes(const assembly *a, const ms_seat *seat, const double *S, int m, int c,
                          int d) {
  ms_fem_term term[4];
  int n = 0;
  double K = S[c + m * d];
  if (K == 0.0 && c != d) return MS_SUCCESS;
  MS_TRY(find_axis(a, seat, c, &n, term));
  if (c != d) MS_TRY(find_axis(a, seat, d, &n, term));
  for (int k = 0; c == d && k < m; k++) K -= k == c ? 0.0 : S[c + m * k];
  return K == 0.0 ? MS_SUCCESS : a->fe->f->fem_add_spring(a->model, n, term, K);
}

/* Their stiffness at rest, or what they keep of it in macroslip. */
static ms_status add_joints(const assembly *a) {
  const ms_structure *s = a->fe->study->structure;
  for (int j = 0; j < s->n_seat; j++) {
    const ms_seat *seat = &s->seat[j];
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    int m = ms_joint_info(seat->joint)->n_axis;
    ms_joint_fill_macroslip(seat->joint, left);
    for (int cd = 0; cd < m * m; cd++) {
      if (cd % m > cd / m) continue;
      MS_TRY(add_axes(a, seat, a->stuck ? seat->stuck : left, m, cd % m, cd / m));
    }
  }
  return MS_SUCCESS;
}

/* ---- modes ---- */

static ms_status solve(const assembly *a, ptrdiff_t n, ms_fe_modes *out) {
  const ms_fem_functions *f = a->fe->f;
  ms_fem_modes modes;
  MS_TRY(add_directions(a));
  MS_TRY(add_joints(a));
  MS_TRY(f->fem_setup(a->model, NULL));
  MS_TRY(f->fem_find_modes(a->model, n, 0.0, &modes));
  out->n = n < modes.n ? n : modes.n;
  out->n_unknown = f->fem_count_unknowns(a->model);
  memcpy(out->omega, modes.omega, (size_t)out->n * sizeof *out->omega);
  memcpy(out->residual, modes.residual, (size_t)out->n * sizeof *out->residual);
  snprintf(out->line, sizeof out->line, "%s", f->fem_get_line(a->model));
  f->fem_modes_free(a->fe->ctx, &modes);
  return MS_SUCCESS;
}

ms_status ms_fe_find_full_modes(ms_fe *fe, int stuck, ptrdiff_t n, ms_fe_modes *out) {
  assembly a = { .fe = fe, .stuck = stuck };
  MS_TRY(ms_allocate(fe->ctx, n, sizeof *out->omega, &out->omega));
  MS_TRY(ms_allocate(fe->ctx, n, sizeof *out->residual, &out->residual));
  ms_status status = ms_fe_make_model(fe, &a.model);
  if (status == MS_SUCCESS) status = solve(&a, n, out);
  fe->f->fem_destroy(&a.model);
  return status;
}

ms_status ms_fe_copy_modes(ms_context *ctx, const ms_fe_modes *from, ms_fe_modes *to) {
  double *omega, *residual = NULL;
  MS_TRY(ms_allocate(ctx, from->n, sizeof *omega, &omega));
  ms_status status = ms_allocate(ctx, from->n, sizeof *residual, &residual);
  if (status == MS_SUCCESS) {
    memcpy(omega, from->omega, (size_t)from->n * sizeof *omega);
    memcpy(residual, from->residual, (size_t)from->n * sizeof *residual);
  }
  *to = *from;
  to->omega = omega;
  to->residual = residual;
  return status;
}

void ms_fe_modes_free(ms_context *ctx, ms_fe_modes *modes) {
  ms_free(ctx, &modes->omega);
  ms_free(ctx, &modes->residual);
  modes->n = 0;
}
