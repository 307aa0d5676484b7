/* A planar Euler-Bernoulli beam of cubic elements.

     w, w'        deflection and slope: uy and rz of a node
     l            length of an element, with (w1, w1', w2, w2') at its ends
     N            its four cubics, w = N^T (w1, w1', w2, w2')
     K = E I int N'' N''^T dx,   M = rho A int N N^T dx,   G = int N' N'^T dx */
#include <math.h>
#include <microslip/beam.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

enum { MAX_ELEMENTS = 1024, MAX_NAME = 80, TEXT = MAX_NAME + 8 };

typedef struct node {
  double x;
  ptrdiff_t uy, rz, ux; /* coordinates; MS_GROUND where held, NONE where there is none */
} node;
#define NONE ((ptrdiff_t)-2)

typedef struct layout {
  ms_context *ctx;
  const ms_beam *beam;
  node *node;
  ptrdiff_t n_node, n; /* n: coordinates */
} layout;

/* ---- what is asked for ---- */

static ms_status check_section(ms_context *ctx, const ms_beam *b) {
  const struct bound {
    const char *name;
    double value;
  } positive[] = { { "L", b->L }, { "A", b->A }, { "I", b->I }, { "E", b->E }, { "rho", b->rho } };
  for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
    if (positive[i].value > 0.0 && positive[i].value < HUGE_VAL) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "beam: %s = %g must be > 0", positive[i].name,
                   positive[i].value);
  }
  if (b->elements < 1 || b->elements > MAX_ELEMENTS) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "beam: %td elements; there must be 1 to %d", b->elements,
                   MAX_ELEMENTS);
  }
  if (b->axial == MS_BEAM_AXIAL_NONE || b->start != MS_BEAM_FREE) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "beam: an axial degree of freedom needs a supported start; this one is free");
}

static int same_place(const ms_beam *b, double x, double y) {
  return fabs(x - y) <= ms_structure_tol.same_place * b->L;
}

/* b1, b2, ... are the beam's own. */
static int is_own_name(const char *name) {
  return name[0] == 'b' && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static ms_status check_name(ms_context *ctx, const ms_beam *b, const ms_beam_point *p) {
  if (!p->name || !p->name[0] || strlen(p->name) > MAX_NAME) {
    return ms_fail(ctx, MS_ERR_NAME, "beam: a point at x = %g m needs a name of 1 to %d letters",
                   p->x, MAX_NAME);
  }
  if (is_own_name(p->name)) {
    return ms_fail(ctx, MS_ERR_NAME, "beam: the name %s is reserved for nodes without a point",
                   p->name);
  }
  for (const ms_beam_point *other = b->point; other < p; other++) {
    if (strcmp(other->name, p->name) != 0) continue;
    return ms_fail(ctx, MS_ERR_NAME, "beam: two points are called %s", p->name);
  }
  double x = strcmp(p->name, "start") == 0 ? 0.0 : strcmp(p->name, "end") == 0 ? b->L : p->x;
  if (same_place(b, x, p->x)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME, "beam: %s is at x = %g m, not at %g m", p->name, x, p->x);
}

static ms_status check_point(ms_context *ctx, const ms_beam *b, const ms_beam_point *p) {
  MS_TRY(check_name(ctx, b, p));
  if (!(p->x >= -ms_structure_tol.same_place * b->L &&
        p->x <= (1.0 + ms_structure_tol.same_place) * b->L)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "beam: point %s at x = %g m is not from 0 to %g m", p->name,
                   p->x, b->L);
  }
  if (p->mass >= 0.0 && p->mass < HUGE_VAL && p->inertia >= 0.0 && p->inertia < HUGE_VAL) {
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_BOUNDS, "beam: mass %g kg and inertia %g kg m^2 of %s must be >= 0",
                 p->mass, p->inertia, p->name);
}

/* ---- nodes and their coordinates ---- */

/* Both ends and every point, rising, each once; returns their number. */
static ptrdiff_t sort_places(const ms_beam *b, double *x) {
  ptrdiff_t n = 0, kept = 1;
  x[n++] = 0.0;
  x[n++] = b->L;
  for (ptrdiff_t k = 0; k < b->n_point; k++) {
    double at = b->point[k].x;
    if (!same_place(b, at, 0.0) && !same_place(b, at, b->L)) x[n++] = at;
  }
  ms_sort(n, x);
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!same_place(b, x[k], x[kept - 1])) x[kept++] = x[k];
  }
  return kept;
}

static ptrdiff_t count_elements(const ms_beam *b, double length) {
  double share = ceil((double)b->elements * length / b->L - ms_structure_tol.same_place);
  return share < 1.0 ? 1 : (ptrdiff_t)share;
}

static ms_status place_nodes(layout *l, const double *x, ptrdiff_t n) {
  ptrdiff_t total = 1;
  for (ptrdiff_t k = 1; k < n; k++) total += count_elements(l->beam, x[k] - x[k - 1]);
  MS_TRY(ms_allocate(l->ctx, total, sizeof *l->node, &l->node));
  for (ptrdiff_t k = 1; k < n; k++) {
    ptrdiff_t m = count_elements(l->beam, x[k] - x[k - 1]);
    for (ptrdiff_t i = 0; i < m; i++) {
      l->node[l->n_node++].x = x[k - 1] + (x[k] - x[k - 1]) * (double)i / (double)m;
    }
  }
  l->node[l->n_node++].x = x[n - 1];
  return MS_SUCCESS;
}

static ms_status lay_out(ms_context *ctx, const ms_beam *b, layout *l) {
  double *x;
  *l = (layout) { .ctx = ctx, .beam = b };
  MS_TRY(check_section(ctx, b));
  for (ptrdiff_t k = 0; k < b->n_point; k++) MS_TRY(check_point(ctx, b, &b->point[k]));
  MS_TRY(ms_allocate(ctx, b->n_point + 2, sizeof *x, &x));
  ms_status status = place_nodes(l, x, sort_places(b, x));
  ms_free(ctx, &x);
  MS_TRY(status);
  for (ptrdiff_t k = 0; k < l->n_node; k++) {
    ms_beam_support support = k == 0              ? l->beam->start
                              : k < l->n_node - 1 ? MS_BEAM_FREE
                                                  : l->beam->end;
    l->node[k].uy = support == MS_BEAM_FREE ? l->n++ : MS_GROUND;
    l->node[k].rz = support != MS_BEAM_CLAMPED ? l->n++ : MS_GROUND;
    l->node[k].ux = NONE;
  }
  if (l->beam->axial != MS_BEAM_AXIAL_NONE) l->node[l->n_node - 1].ux = l->n++;
  if (l->n > 0) return MS_SUCCESS;
  ms_free(ctx, &l->node);
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "beam: its supports fix every degree of freedom; use more elements");
}

/* ---- names ---- */

static const char *const dof_name[3] = { "uy", "rz", "ux" };

static ptrdiff_t get_dof(const node *at, int d) {
  return d == 0 ? at->uy : d == 1 ? at->rz : at->ux;
}

static const char *name_of_end(const layout *l, ptrdiff_t k) {
  return k == 0 ? "start" : k == l->n_node - 1 ? "end" : NULL;
}

/* The first point there, else start or end, else the next of the beam's own. */
static void name_node(const layout *l, ptrdiff_t k, ptrdiff_t *n_own, char text[TEXT]) {
  const char *name = name_of_end(l, k);
  for (ptrdiff_t i = l->beam->n_point; i-- > 0;) {
    if (same_place(l->beam, l->beam->point[i].x, l->node[k].x)) name = l->beam->point[i].name;
  }
  if (name) {
    snprintf(text, TEXT, "%s", name);
  } else {
    snprintf(text, TEXT, "b%td", ++*n_own);
  }
}

static ms_status create_named(const layout *l, char (*text)[TEXT], const char **list,
                              ms_structure **out) {
  ptrdiff_t n_own = 0;
  for (ptrdiff_t k = 0; k < l->n_node; k++) {
    char name[TEXT];
    name_node(l, k, &n_own, name);
    for (int d = 0; d < 3; d++) {
      ptrdiff_t i = get_dof(&l->node[k], d);
      if (i < 0) continue;
      snprintf(text[i], TEXT, "%.*s.%s", MAX_NAME, name, dof_name[d]);
      list[i] = text[i];
    }
  }
  return ms_structure_create(l->ctx, l->n, list, out);
}

static ms_status create(const layout *l, ms_structure **out) {
  char(*text)[TEXT];
  const char **list = NULL;
  MS_TRY(ms_allocate(l->ctx, l->n, sizeof *text, &text));
  ms_status status = ms_allocate(l->ctx, l->n, sizeof *list, &list);
  if (status == MS_SUCCESS) status = create_named(l, text, list, out);
  ms_free(l->ctx, &text);
  ms_free(l->ctx, &list);
  return status;
}

static ms_status add_aliases_of(const node *at, const char *name, ms_structure *s) {
  for (int d = 0; d < 3; d++) {
    ptrdiff_t i = get_dof(at, d);
    char text[TEXT];
    if (i == NONE) continue;
    snprintf(text, sizeof text, "%.*s.%s", MAX_NAME, name, dof_name[d]);
    if (i != MS_GROUND && strcmp(ms_structure_get_name(s, i), text) == 0) continue;
    MS_TRY(ms_structure_add_alias(s, text, i));
  }
  return MS_SUCCESS;
}

static ms_status add_aliases(const layout *l, ms_structure *s) {
  for (ptrdiff_t k = 0; k < l->n_node; k++) {
    const char *outer = name_of_end(l, k);
    if (outer) MS_TRY(add_aliases_of(&l->node[k], outer, s));
    for (ptrdiff_t i = 0; i < l->beam->n_point; i++) {
      const ms_beam_point *p = &l->beam->point[i];
      if (!same_place(l->beam, p->x, l->node[k].x)) continue;
      MS_TRY(add_aliases_of(&l->node[k], p->name, s));
    }
  }
  return MS_SUCCESS;
}

/* ---- matrices ---- */

/* Entry (i, k) of an element is c l^e times these, and once more l for each of i, k that is w'. */
typedef struct kernel {
  double c;
  int e;
  const double (*entry)[4];
} kernel;

static const double bending[4][4] = {
  { 12, 6, -12, 6 }, { 6, 4, -6, 2 }, { -12, -6, 12, -6 }, { 6, 2, -6, 4 }
};
static const double inertia[4][4] = {
  { 156, 22, 54, -13 }, { 22, 4, 13, -3 }, { 54, 13, 156, -22 }, { -13, -3, -22, 4 }
};
static const double slopes[4][4] = {
  { 36, 3, -36, 3 }, { 3, 4, -3, -1 }, { -36, -3, 36, -3 }, { 3, -1, -3, 4 }
};

static void add_elements(const layout *b, kernel f, double *A) {
  for (const node *at = b->node; at < b->node + b->n_node - 1; at++) {
    const ptrdiff_t dof[4] = { at->uy, at->rz, at[1].uy, at[1].rz };
    double l = at[1].x - at->x, scale = f.c * pow(l, f.e);
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 4; k++) {
        if (dof[i] < 0 || dof[k] < 0) continue;
        A[dof[i] + b->n * dof[k]] += scale * f.entry[i][k] * (i % 2 ? l : 1.0) * (k % 2 ? l : 1.0);
      }
    }
  }
}

static void add_to_diagonal(const layout *l, ptrdiff_t i, double value, double *A) {
  if (i >= 0) A[i + l->n * i] += value;
}

/* That of ux. */
static double axial_mass(const ms_beam *b) {
  const double whole = b->rho * b->A * b->L;
  return b->axial == MS_BEAM_AXIAL_STATIC ? MS_BEAM_STATIC_MASS * whole : whole / 3.0;
}

static void fill_stiffness(const layout *l, double *K) {
  const ms_beam *b = l->beam;
  add_elements(l, (kernel) { b->E * b->I, -3, bending }, K);
  add_to_diagonal(l, l->node[l->n_node - 1].ux, b->E * b->A / b->L, K);
}

/* ---- a ground that moves ---- */

/* M iota of the elements and points, iota = 1 on every uy, those that are held too. */
static void add_across(const layout *b, double *r) {
  const ms_beam *beam = b->beam;
  for (const node *at = b->node; at < b->node + b->n_node - 1; at++) {
    const ptrdiff_t dof[4] = { at->uy, at->rz, at[1].uy, at[1].rz };
    const double l = at[1].x - at->x, scale = beam->rho * beam->A * l / 420.0;
    for (int i = 0; i < 4; i++) {
      if (dof[i] < 0) continue;
      r[dof[i]] += scale * (inertia[i][0] + inertia[i][2]) * (i % 2 ? l : 1.0);
    }
  }
  for (ptrdiff_t i = 0; i < beam->n_point; i++) {
    for (const node *at = b->node; at < b->node + b->n_node; at++) {
      if (at->uy >= 0 && same_place(beam, beam->point[i].x, at->x)) {
        r[at->uy] += beam->point[i].mass;
      }
    }
  }
}

/* Its displacement is x/L that of the end: int (x/L)^2 dx = L/3, int x/L dx = L/2. */
static void add_along(const layout *b, double *r) {
  const ptrdiff_t ux = b->node[b->n_node - 1].ux;
  if (ux >= 0) r[ux] += 1.5 * axial_mass(b->beam);
}

/* ---- the whole ---- */

static ms_status set_matrices(const layout *l, ms_structure *s) {
  double *A;
  MS_TRY(ms_allocate(l->ctx, l->n * l->n, sizeof *A, &A));
  const ms_beam *b = l->beam;
  add_elements(l, (kernel) { b->rho * b->A / 420.0, 1, inertia }, A);
  for (ptrdiff_t i = 0; i < l->beam->n_point; i++) {
    const ms_beam_point *p = &l->beam->point[i];
    for (const node *at = l->node; at < l->node + l->n_node; at++) {
      if (!same_place(l->beam, p->x, at->x)) continue;
      add_to_diagonal(l, at->uy, p->mass, A);
      add_to_diagonal(l, at->rz, p->inertia, A);
    }
  }
  add_to_diagonal(l, l->node[l->n_node - 1].ux, axial_mass(b), A);
  ms_status status = ms_structure_set_mass(s, A);
  if (status == MS_SUCCESS) {
    memset(A, 0, (size_t)(l->n * l->n) * sizeof *A);
    fill_stiffness(l, A);
    status = ms_structure_set_stiffness(s, A);
    s->rounding.doubt = 0.0; /* entries are right to rounding */
  }
  ms_free(l->ctx, &A);
  return status;
}

ms_status ms_beam_make_structure(ms_context *ctx, const ms_beam *beam, ms_structure **out) {
  layout l;
  MS_MAKE(ctx, out, beam && (beam->point || !beam->n_point));
  MS_TRY(lay_out(ctx, beam, &l));
  ms_status status = create(&l, out);
  if (status == MS_SUCCESS) status = add_aliases(&l, *out);
  if (status == MS_SUCCESS) status = set_matrices(&l, *out);
  if (status != MS_SUCCESS) ms_structure_destroy(out);
  ms_free(ctx, &l.node);
  return status;
}

ms_status ms_beam_list_nodes(ms_context *ctx, const ms_beam *beam, ptrdiff_t *n,
                             ms_beam_node **out) {
  layout l;
  MS_TRY(lay_out(ctx, beam, &l));
  ms_status status = ms_allocate(ctx, l.n_node, sizeof **out, out);
  for (ptrdiff_t k = 0; k < l.n_node && status == MS_SUCCESS; k++) {
    const ptrdiff_t ux = l.node[k].ux;
    (*out)[k] =
        (ms_beam_node) { l.node[k].x, l.node[k].uy, l.node[k].rz, ux == NONE ? MS_GROUND : ux };
  }
  *n = l.n_node;
  ms_free(ctx, &l.node);
  return status;
}

/* To be freed only after a success. */
static ms_status lay_out_for(ms_context *ctx, const ms_beam *beam, ptrdiff_t n, layout *l) {
  MS_TRY(lay_out(ctx, beam, l));
  if (n == l->n) return MS_SUCCESS;
  ms_free(ctx, &l->node);
  return ms_fail(ctx, MS_ERR_ARGUMENT, "beam: it has %td degrees of freedom, not %td", l->n, n);
}

ms_status ms_beam_fill_shortening(ms_context *ctx, const ms_beam *beam, ptrdiff_t n, double *G) {
  layout l;
  MS_TRY(lay_out_for(ctx, beam, n, &l));
  memset(G, 0, (size_t)(n * n) * sizeof *G);
  add_elements(&l, (kernel) { 1.0 / 30.0, -1, slopes }, G);
  ms_free(ctx, &l.node);
  return MS_SUCCESS;
}

ms_status ms_beam_fill_inertia(ms_context *ctx, const ms_beam *beam, int direction, ptrdiff_t n,
                               double *r) {
  layout l;
  MS_TRY(lay_out_for(ctx, beam, n, &l));
  memset(r, 0, (size_t)n * sizeof *r);
  if (direction == 0) add_along(&l, r);
  if (direction == 1) add_across(&l, r);
  ms_free(ctx, &l.node);
  return MS_SUCCESS;
}
