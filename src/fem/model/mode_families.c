/* How a motion of a slender body divides.

   The body is cut across its longest side into slices. In each slice, of mass m and inertia J about
   its middle, the motion u is a translation t = sum m_i u_i / m, a rotation w with J w = L,
   L = sum m_i r_i x u_i, and what is left, the deformation of the slice:
       sum m_i |u_i|^2 = m |t|^2 + w.L + rest.
   Along the body t is axial, across it bending, and the slice's rotation about an axis across,
   which goes with bending, is counted with it; w along the body is torsion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "fem/impl.h"
#include "fem/tolerance.h"

enum { N_SLICE = 64 };

typedef struct cutter {
  const ms_mesh *mesh;
  int axis;
  double low, length;
  double *mass;         /* of nodes */
  unsigned char *slice; /* of nodes */
  double m[N_SLICE], middle[N_SLICE][3], J[N_SLICE][9];
} cutter;

/* ---- the body ---- */

static ms_status weigh_block(cutter *c, const ms_element_block *b) {
  double x[3 * MS_ELEMENT_NODES], m[MS_ELEMENT_DOF];
  const ms_element_info *info = &b->element->info;
  ms_property property;
  MS_TRY(ms_property_prepare(c->mesh->ctx, &c->mesh->part[b->part], info->needs, &property));
  for (ptrdiff_t e = 0; e < b->n; e++) {
    ms_block_gather(c->mesh, b, e, x);
    if (ms_element_make_lumped(b->element, &property, x, m) != 0) {
      char text[128];
      ms_mesh_describe(c->mesh, b->first + e, text, sizeof text);
      return ms_fail(c->mesh->ctx, MS_ERR_ARGUMENT, "%s is degenerate or inside out", text);
    }
    for (int i = 0; i < info->n_node; i++) {
      c->mass[b->node[info->n_node * e + i]] += m[info->n_dof * i];
    }
  }
  return MS_SUCCESS;
}

static void find_arm(const cutter *c, ptrdiff_t i, double *r) {
  for (int a = 0; a < 3; a++) r[a] = c->mesh->x[3 * i + a] - c->middle[c->slice[i]][a];
}

static void find_inertia(cutter *c) {
  for (ptrdiff_t i = 0; i < c->mesh->n_node; i++) {
    double r[3], *J = c->J[c->slice[i]];
    find_arm(c, i, r);
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int k = 0; k < 9; k++) {
      J[k] += c->mass[i] * ((k % 4 == 0 ? square : 0.0) - r[k % 3] * r[k / 3]);
    }
  }
}

static ms_status prepare(cutter *c) {
  ms_context *ctx = c->mesh->ctx;
  MS_TRY(ms_allocate(ctx, c->mesh->n_node, sizeof *c->mass, &c->mass));
  MS_TRY(ms_allocate(ctx, c->mesh->n_node, 1, &c->slice));
  for (int a = 0; a < 3; a++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (ptrdiff_t i = 0; i < c->mesh->n_node; i++) {
      low = fmin(low, c->mesh->x[3 * i + a]);
      high = fmax(high, c->mesh->x[3 * i + a]);
    }
    if (high - low <= c->length) continue;
    c->axis = a;
    c->low = low;
    c->length = high - low;
  }
  for (int k = 0; k < c->mesh->n_block; k++) MS_TRY(weigh_block(c, &c->mesh->block[k]));
  for (ptrdiff_t i = 0; i < c->mesh->n_node; i++) {
    const double *x = c->mesh->x + 3 * i;
    double at = c->length > 0.0 ? (x[c->axis] - c->low) / c->length : 0.0;
    int s = (int)fmin(at * N_SLICE, N_SLICE - 1);
    c->slice[i] = (unsigned char)s;
    c->m[s] += c->mass[i];
    for (int a = 0; a < 3; a++) c->middle[s][a] += c->mass[i] * x[a];
  }
  for (int s = 0; s < N_SLICE; s++) {
    for (int a = 0; a < 3 && c->m[s] > 0.0; a++) c->middle[s][a] /= c->m[s];
  }
  find_inertia(c);
  return MS_SUCCESS;
}

/* ---- motions ---- */

/* Sums over a slice. */
typedef struct slice_motion {
  double energy, p[3], L[3]; /* sum m |u|^2, m u, r x m u */
} slice_motion;

static void add_node(const cutter *c, ptrdiff_t i, const double *u, slice_motion *s) {
  double r[3], m = c->mass[i];
  find_arm(c, i, r);
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, d = (a + 2) % 3;
    s->energy += m * u[a] * u[a];
    s->p[a] += m * u[a];
    s->L[a] += m * (r[b] * u[d] - r[d] * u[b]);
  }
}

/* w of J w = L; a direction in which the slice has no extent is not turned. */
static void find_rotation(const double *J, const double *L, double *w) {
  double A[9], size = J[0] + J[4] + J[8];
  memcpy(w, L, 3 * sizeof *w);
  memcpy(A, J, sizeof A);
  for (int a = 0; a < 3; a++) A[4 * a] += ms_mesh_tol.thin * size;
  if (size > 0.0 && ms_dense_solve(3, A, w) == 0) return;
  memset(w, 0, 3 * sizeof *w);
}

static void add_slice(const cutter *c, int s, const slice_motion *from, ms_motion *out) {
  double w[3], rest = from->energy;
  if (!(c->m[s] > 0.0)) return;
  find_rotation(c->J[s], from->L, w);
  for (int a = 0; a < 3; a++) {
    double moved = from->p[a] * from->p[a] / c->m[s], turned = w[a] * from->L[a];
    /* turning about an axis across goes with bending along the other one */
    int with = 3 - c->axis - a;
    out->along[a] += moved;
    if (a == c->axis) out->torsion += turned;
    if (a != c->axis) out->along[with] += turned;
    rest -= moved + turned;
  }
  out->section += fmax(rest, 0.0);
}

static double share(double part, double sum) {
  return fabs(part) < ms_mesh_tol.no_share * sum ? 0.0 : part / sum;
}

/* With the letters of the axes. */
static const char *name_family(const ms_motion *v) {
  static const char *const bending[3] = { "bending x", "bending y", "bending z" };
  const int y = (v->axis + 1) % 3, z = (v->axis + 2) % 3;
  const double least = ms_mesh_tol.main_share;
  if (v->along[v->axis] > least) return "axial";
  if (v->torsion > least) return "torsion";
  if (v->section > least) return "section";
  if (v->along[y] > least) return bending[y];
  if (v->along[z] > least) return bending[z];
  return v->along[y] + v->along[z] > least ? "bending" : "mixed";
}

static void divide(const cutter *c, const double *u, ms_motion *out) {
  slice_motion slice[N_SLICE] = { 0 };
  *out = (ms_motion) { .axis = c->axis, .family = "mixed" };
  for (ptrdiff_t i = 0; i < c->mesh->n_node; i++) add_node(c, i, u + 3 * i, &slice[c->slice[i]]);
  for (int s = 0; s < N_SLICE; s++) add_slice(c, s, &slice[s], out);
  double sum = out->along[0] + out->along[1] + out->along[2] + out->torsion + out->section;
  if (!(sum > 0.0)) return;
  for (int a = 0; a < 3; a++) out->along[a] = share(out->along[a], sum);
  out->torsion = share(out->torsion, sum);
  out->section = share(out->section, sum);
  out->family = name_family(out);
}

ms_status ms_mesh_divide_motions(const ms_mesh *mesh, ptrdiff_t n, const double *field,
                                 ms_motion *out) {
  cutter *c;
  MS_TRY(ms_allocate(mesh->ctx, 1, sizeof *c, &c));
  c->mesh = mesh;
  ms_status status = prepare(c);
  for (ptrdiff_t k = 0; k < n && status == MS_SUCCESS; k++) {
    divide(c, field + 3 * mesh->n_node * k, &out[k]);
  }
  ms_free(mesh->ctx, &c->mass);
  ms_free(mesh->ctx, &c->slice);
  ms_free(mesh->ctx, &c);
  return status;
}

/* ---- modes ---- */

/* Modes from `first` on, whose motions are known. */
static void name_modes(ptrdiff_t first, ptrdiff_t n, const double *omega, const ms_motion *motion,
                       ms_mode_family *family) {
  for (ptrdiff_t r = first; r < first + n; r++) {
    ms_mode_family *f = &family[r];
    *f = (ms_mode_family) { .motion = motion[r - first] };
    f->name = omega[r] > 0.0 ? f->motion.family : "rigid";
    for (ptrdiff_t i = 0; i <= r; i++) f->number += strcmp(family[i].name, f->name) == 0;
    snprintf(f->text, sizeof f->text, "%s %td", f->name, f->number);
  }
}

ms_status ms_mesh_find_families(const ms_mesh *mesh, ptrdiff_t n, const double *omega,
                                ms_mode_shape_fn shape, void *user, ms_mode_family *out) {
  enum { BATCH = 16 };
  const ptrdiff_t rows = 3 * mesh->n_node;
  ms_motion motion[BATCH];
  double *field;
  MS_TRY(ms_allocate(mesh->ctx, rows * BATCH, sizeof *field, &field));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t r = 0; r < n && status == MS_SUCCESS; r += BATCH) {
    const ptrdiff_t some = n - r < BATCH ? n - r : BATCH;
    for (ptrdiff_t k = 0; k < some && status == MS_SUCCESS; k++) {
      status = shape(user, r + k, field + rows * k);
    }
    if (status == MS_SUCCESS) status = ms_mesh_divide_motions(mesh, some, field, motion);
    if (status == MS_SUCCESS) name_modes(r, some, omega, motion, out);
  }
  ms_free(mesh->ctx, &field);
  return status;
}
