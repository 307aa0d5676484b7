/* Reduced models: their life, frequencies, assembly of sub-structures. */
#include <microslip/reduced.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

/* ---- life ---- */

static ms_status fill(ms_reduced *r, const char *const *name) {
  MS_TRY(ms_allocate(r->ctx, r->n, sizeof *r->name, &r->name));
  for (ptrdiff_t i = 0; i < r->n; i++) MS_TRY(ms_text_copy(r->ctx, name[i], &r->name[i]));
  MS_TRY(ms_allocate(r->ctx, r->n * r->n, sizeof *r->M, &r->M));
  MS_TRY(ms_allocate(r->ctx, r->n * r->n, sizeof *r->K, &r->K));
  if (r->n_row == 0) return MS_SUCCESS;
  return ms_allocate(r->ctx, r->n_row * r->n, sizeof *r->basis, &r->basis);
}

ms_status ms_reduced_create(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_boundary,
                            const char *const *name, ptrdiff_t n_row, ms_reduced **out) {
  MS_MAKE(ctx, out, name);
  if (n < 1 || n > 32768 || n_boundary < 0 || n_boundary > n || n_row < 0) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "a reduced model of %td degrees of freedom, %td of them boundary", n,
                   n_boundary);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!name[i] || !*name[i]) {
      return ms_fail(ctx, MS_ERR_NAME, "degree of freedom %td of the reduced model has no name",
                     i + 1);
    }
    for (ptrdiff_t j = 0; j < i; j++) {
      if (strcmp(name[i], name[j]) != 0) continue;
      return ms_fail(ctx, MS_ERR_NAME, "the reduced model has two degrees of freedom '%s'",
                     name[i]);
    }
  }
  ms_reduced *r;
  MS_TRY(ms_allocate(ctx, 1, sizeof *r, &r));
  r->ctx = ctx;
  r->n = n;
  r->n_boundary = n_boundary;
  r->n_row = n_row;
  ms_status status = fill(r, name);
  if (status != MS_SUCCESS) ms_reduced_destroy(&r);
  *out = r;
  return status;
}

void ms_reduced_destroy(ms_reduced **reduced) {
  if (!reduced || !*reduced) return;
  ms_reduced *r = *reduced;
  for (ptrdiff_t i = 0; r->name && i < r->n; i++) ms_free(r->ctx, &r->name[i]);
  ms_free(r->ctx, &r->name);
  ms_free(r->ctx, &r->M);
  ms_free(r->ctx, &r->K);
  ms_free(r->ctx, &r->basis);
  ms_free(r->ctx, &r->inertia);
  ms_free(r->ctx, &r->follow);
  ms_free(r->ctx, &r->turn);
  ms_free(r->ctx, &r->momentum);
  ms_free(r->ctx, reduced);
}

ms_status ms_reduced_add_translations(ms_reduced *r) {
  MS_TRY(ms_allocate(r->ctx, 3 * r->n, sizeof *r->inertia, &r->inertia));
  ms_status status = ms_allocate(r->ctx, 3 * r->n, sizeof *r->follow, &r->follow);
  if (status != MS_SUCCESS) ms_free(r->ctx, &r->inertia);
  return status;
}

/* ---- frequencies ---- */

static ms_rounding rounding_of(const ms_reduced *r) {
  return (ms_rounding) { ms_structure_tol.doubt, r->rounding, r->n_free, r->momentum };
}

ms_status ms_reduced_find_omega(const ms_reduced *r, double *omega) {
  const ms_rounding rounding = rounding_of(r);
  double *shape;
  MS_TRY(ms_allocate(r->ctx, r->n * r->n, sizeof *shape, &shape));
  ms_status status = ms_modes_solve(r->ctx, r->n, r->K, r->M, &rounding, r->name, omega, shape);
  ms_free(r->ctx, &shape);
  return status;
}

/* ---- sub-structures ---- */

/* All coordinates of all parts, one behind the other; `of` is the coordinate each becomes. */
typedef struct joined {
  ms_context *ctx;
  ptrdiff_t n, n_out, n_boundary;
  char (*name)[256];
  ptrdiff_t *of;
  unsigned char *boundary;
} joined;

static const char *joined_name(const void *list, int i) {
  return ((const joined *)list)->name[i];
}

static ms_status find(const joined *j, const char *name, ptrdiff_t *out) {
  for (*out = 0; *out < j->n; (*out)++) {
    if (strcmp(j->name[*out], name) != 0) continue;
    if (j->boundary[*out]) return MS_SUCCESS;
    return ms_fail(j->ctx, MS_ERR_ARGUMENT, "'%s' is a modal coordinate and cannot be joined",
                   name);
  }
  const char *near = ms_text_nearest(name, joined_name, j, (int)j->n);
  return ms_fail(j->ctx, MS_ERR_NAME, "no part has a degree of freedom '%s'%s%s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The first of all that are the same as i. */
static ptrdiff_t root(const joined *j, ptrdiff_t i) {
  while (j->of[i] != i) i = j->of[i];
  return i;
}

static ms_status join(joined *j, ptrdiff_t n_same, const char *const *same) {
  for (ptrdiff_t k = 0; k < n_same; k++) {
    ptrdiff_t a, b;
    MS_TRY(find(j, same[2 * k], &a));
    MS_TRY(find(j, same[2 * k + 1], &b));
    a = root(j, a);
    b = root(j, b);
    if (a == b) {
      return ms_fail(j->ctx, MS_ERR_ARGUMENT, "'%s' and '%s' are one degree of freedom already",
                     same[2 * k], same[2 * k + 1]);
    }
    j->of[b] = a;
  }
  return MS_SUCCESS;
}

static void add_translations(const ms_reduced *from, const ptrdiff_t *place, ms_reduced *to) {
  for (ptrdiff_t k = 0; to->inertia && k < 3 * from->n; k++) {
    ptrdiff_t at = k % 3 + 3 * place[k / 3];
    to->inertia[at] += from->inertia[k];
    to->follow[at] = from->follow[k]; /* joined coordinates follow alike */
  }
  for (ptrdiff_t k = 0; to->turn && k < 3 * from->n; k++) {
    to->turn[k % 3 + 3 * place[k / 3]] = from->turn[k];
  }
  to->mass += from->mass;
}

/* Motions of each part, one part's behind the other's. What is joined adds up as forces do. */
static ms_status add_free(ptrdiff_t n_part, const ms_reduced *const *reduced,
                          const ptrdiff_t *place, ms_reduced *to) {
  ptrdiff_t n = 0;
  for (ptrdiff_t p = 0; p < n_part; p++) {
    n += reduced[p]->n_free;
    to->rounding = fmax(to->rounding, reduced[p]->rounding);
  }
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(to->ctx, to->n * n, sizeof *to->momentum, &to->momentum));
  for (ptrdiff_t p = 0; p < n_part; p++) {
    const ms_reduced *from = reduced[p];
    for (ptrdiff_t k = 0; k < from->n_free; k++, to->n_free++) {
      double *column = to->momentum + to->n * to->n_free;
      for (ptrdiff_t i = 0; i < from->n; i++) column[place[i]] += from->momentum[i + from->n * k];
    }
    place += from->n;
  }
  return MS_SUCCESS;
}

static void add_part(const ms_reduced *from, const ptrdiff_t *place, ms_reduced *to) {
  for (ptrdiff_t c = 0; c < from->n; c++) {
    for (ptrdiff_t r = 0; r < from->n; r++) {
      to->M[place[r] + to->n * place[c]] += from->M[r + from->n * c];
      to->K[place[r] + to->n * place[c]] += from->K[r + from->n * c];
    }
  }
}

static ms_status assemble(joined *j, ptrdiff_t n_part, const ms_reduced *const *reduced,
                          ptrdiff_t *place, const char **name, ms_reduced **out) {
  /* Numbers in the assembled model: boundary coordinates, then modal ones. */
  for (int modal = 0; modal < 2; modal++) {
    for (ptrdiff_t i = 0; i < j->n; i++) {
      if (j->of[i] != i || j->boundary[i] == modal) continue;
      name[j->n_out] = j->name[i];
      place[i] = j->n_out++;
    }
    if (!modal) j->n_boundary = j->n_out;
  }
  for (ptrdiff_t i = 0; i < j->n; i++) place[i] = place[root(j, i)];
  int known = 1, turned = 1;
  MS_TRY(ms_reduced_create(j->ctx, j->n_out, j->n_boundary, name, 0, out));
  for (ptrdiff_t p = 0; p < n_part; p++) {
    known = known && reduced[p]->inertia;
    turned = turned && reduced[p]->turn;
  }
  ms_status status = known ? ms_reduced_add_translations(*out) : MS_SUCCESS;
  if (status == MS_SUCCESS && turned) {
    status = ms_allocate(j->ctx, 3 * j->n_out, sizeof(double), &(*out)->turn);
  }
  if (status == MS_SUCCESS) status = add_free(n_part, reduced, place, *out);
  if (status != MS_SUCCESS) ms_reduced_destroy(out);
  MS_TRY(status);
  for (ptrdiff_t p = 0; p < n_part; p++) {
    add_part(reduced[p], place, *out);
    add_translations(reduced[p], place, *out);
    place += reduced[p]->n;
  }
  return MS_SUCCESS;
}

ms_status ms_reduced_assemble(ms_context *ctx, ptrdiff_t n_part, const char *const *part,
                              const ms_reduced *const *reduced, ptrdiff_t n_same,
                              const char *const *same, ms_reduced **out) {
  joined j = { .ctx = ctx };
  ptrdiff_t *place = NULL;
  const char **name = NULL;
  *out = NULL;
  for (ptrdiff_t p = 0; p < n_part; p++) j.n += reduced[p]->n;
  ms_status status = ms_allocate(ctx, j.n, sizeof *j.name, &j.name);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, j.n, sizeof *j.of, &j.of);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, j.n, 1, &j.boundary);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, j.n, sizeof *place, &place);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, j.n, sizeof *name, &name);
  if (status == MS_SUCCESS) {
    ptrdiff_t at = 0;
    for (ptrdiff_t p = 0; p < n_part; p++) {
      for (ptrdiff_t i = 0; i < reduced[p]->n; i++, at++) {
        snprintf(j.name[at], sizeof j.name[at], "%s.%s", part[p], reduced[p]->name[i]);
        j.boundary[at] = i < reduced[p]->n_boundary;
        j.of[at] = at;
      }
    }
  }
  if (status == MS_SUCCESS) status = join(&j, n_same, same);
  if (status == MS_SUCCESS) status = assemble(&j, n_part, reduced, place, name, out);
  ms_free(ctx, &j.name);
  ms_free(ctx, &j.of);
  ms_free(ctx, &j.boundary);
  ms_free(ctx, &place);
  ms_free(ctx, &name);
  return status;
}

/* ---- as a structure ---- */

ms_status ms_reduced_make_structure(const ms_reduced *r, ms_structure **out) {
  const char **name;
  *out = NULL;
  MS_TRY(ms_allocate(r->ctx, r->n, sizeof *name, &name));
  for (ptrdiff_t i = 0; i < r->n; i++) name[i] = r->name[i];
  ms_status status = ms_structure_create(r->ctx, r->n, name, out);
  ms_free(r->ctx, &name);
  if (status == MS_SUCCESS) status = ms_structure_set_mass(*out, r->M);
  if (status == MS_SUCCESS) status = ms_structure_set_stiffness(*out, r->K);
  if (status == MS_SUCCESS) status = ms_structure_set_rounding(*out, rounding_of(r));
  if (status != MS_SUCCESS) ms_structure_destroy(out);
  return status;
}
