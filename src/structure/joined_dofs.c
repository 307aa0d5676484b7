/* Coordinates that become one: u = L v, M := L^T M L, K := L^T K L, L with one 1 in a row, or none
   where the coordinate is held. */
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

/* of[i] is a coordinate that i is the same as, in the end one that is its own; of[n] is ground. */
typedef struct sets {
  const ms_structure *s;
  ptrdiff_t *of;
} sets;

static ptrdiff_t root(const sets *j, ptrdiff_t i) {
  if (i == MS_GROUND) i = j->s->n;
  while (j->of[i] != i) i = j->of[i];
  return i;
}

static ms_status join_pair(sets *j, ptrdiff_t a, ptrdiff_t b) {
  const ms_structure *s = j->s;
  if (a < MS_GROUND || a >= s->n || b < MS_GROUND || b >= s->n) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "there are no degrees of freedom %td and %td; there are %td", a, b, s->n);
  }
  ptrdiff_t p = root(j, a), q = root(j, b);
  if (p == q) {
    return ms_fail(
        s->ctx, MS_ERR_ARGUMENT,
        "%s and %s are one degree of freedom already; the second rigid connection is redundant",
        ms_structure_get_name(s, a), ms_structure_get_name(s, b));
  }
  if (p == s->n || (q != s->n && p < q)) {
    j->of[q] = p;
  } else {
    j->of[p] = q;
  }
  return MS_SUCCESS;
}

/* Where each coordinate goes; the number there is left. */
static ptrdiff_t number(const sets *j, ptrdiff_t *place, const char **name) {
  const ms_structure *s = j->s;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (root(j, i) != i) continue;
    name[n] = s->name[i];
    place[i] = n++;
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    ptrdiff_t r = root(j, i);
    place[i] = r == s->n ? MS_GROUND : place[r];
  }
  return n;
}

static void collapse(const double *A, ptrdiff_t n, const ptrdiff_t *place, double *to,
                     ptrdiff_t n_to) {
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      if (place[i] == MS_GROUND || place[k] == MS_GROUND) continue;
      to[place[i] + n_to * place[k]] += A[i + n * k];
    }
  }
}

/* Momentum adds up where coordinates become one. */
static ms_status copy_rounding(const ms_structure *s, const ptrdiff_t *place, ms_structure *to) {
  ptrdiff_t n_free = s->rounding.n_free;
  MS_TRY(ms_allocate(s->ctx, to->n * n_free, sizeof *to->momentum, &to->momentum));
  for (ptrdiff_t k = 0; k < s->n * n_free; k++) {
    ptrdiff_t at = place[k % s->n];
    if (at != MS_GROUND) to->momentum[at + to->n * (k / s->n)] += s->momentum[k];
  }
  to->rounding = s->rounding;
  to->rounding.momentum = to->momentum;
  return MS_SUCCESS;
}

static ms_status fill(const sets *j, ptrdiff_t *place, const char **name, ms_structure **out) {
  const ms_structure *s = j->s;
  ptrdiff_t n = number(j, place, name);
  if (n == 0) return ms_fail(s->ctx, MS_ERR_ARGUMENT, "all degrees of freedom are fixed");
  MS_TRY(ms_structure_create(s->ctx, n, name, out));
  collapse(s->M, s->n, place, (*out)->M, n);
  collapse(s->K, s->n, place, (*out)->K, n);
  MS_TRY(copy_rounding(s, place, *out));
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (root(j, i) == i) continue;
    MS_TRY(ms_structure_add_alias(*out, s->name[i], place[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_structure_join(const ms_structure *s, ptrdiff_t n_pair, const ptrdiff_t *pair,
                            ms_structure **out, ptrdiff_t *bad) {
  sets j = { .s = s };
  ptrdiff_t *place = NULL;
  const char **name = NULL;
  ms_structure *joined = NULL;
  if (s->n_attachment > 0 || s->damping != MS_DAMPING_NONE) {
    return ms_fail(s->ctx, MS_ERR_STATE,
                   "join degrees of freedom before joints and damping are set");
  }
  ms_status status = ms_allocate(s->ctx, s->n + 1, sizeof *j.of, &j.of);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, s->n, sizeof *place, &place);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, s->n, sizeof *name, &name);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i <= s->n; i++) j.of[i] = i;
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < n_pair; k++) {
    status = join_pair(&j, pair[2 * k], pair[2 * k + 1]);
    if (status != MS_SUCCESS && bad) *bad = k;
  }
  if (status == MS_SUCCESS) status = fill(&j, place, name, &joined);
  ms_free(s->ctx, &j.of);
  ms_free(s->ctx, &place);
  ms_free(s->ctx, &name);
  if (status != MS_SUCCESS) ms_structure_destroy(&joined);
  if (status == MS_SUCCESS) *out = joined;
  return status;
}
