/* Elimination, one equation after the other.

   Dependent coordinates of an equation are replaced by their rows until none is left; then one of
   the others becomes dependent. A row made later never mentions a coordinate that was dependent
   before, so rows resolve from the last to the first. */
#include "fem/model/constraints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "fem/tolerance.h"

ms_status ms_equations_name(ms_equations *e, const char *name, int *owner) {
  for (int i = 0; i < e->n_name; i++) {
    if (strcmp(e->name[i], name) == 0) {
      *owner = i;
      return MS_SUCCESS;
    }
  }
  MS_TRY(ms_resize(e->ctx, e->n_name + 1, sizeof *e->name, &e->name));
  e->name[e->n_name] = NULL;
  MS_TRY(ms_text_copy(e->ctx, name, &e->name[e->n_name]));
  *owner = e->n_name++;
  return MS_SUCCESS;
}

ms_status ms_equations_add(ms_equations *e, ms_equation like, int32_t n, const int32_t *index,
                           const double *coef) {
  /* Room for one more equation of n terms. */
  if (e->n == e->max) {
    ptrdiff_t more = e->max ? 2 * e->max : 64;
    MS_TRY(ms_resize(e->ctx, more, sizeof *e->equation, &e->equation));
    e->max = more;
  }
  if (e->n_term + n > e->max_term) {
    ptrdiff_t more = 2 * e->max_term + n + 64;
    MS_TRY(ms_resize(e->ctx, more, sizeof *e->index, &e->index));
    MS_TRY(ms_resize(e->ctx, more, sizeof *e->coef, &e->coef));
    e->max_term = more;
  }
  like.n = n;
  like.first = e->n_term;
  memcpy(e->index + e->n_term, index, (size_t)n * sizeof *index);
  memcpy(e->coef + e->n_term, coef, (size_t)n * sizeof *coef);
  e->n_term += n;
  e->equation[e->n++] = like;
  return MS_SUCCESS;
}

void ms_equations_free(ms_equations *e) {
  for (int i = 0; i < e->n_name; i++) ms_free(e->ctx, &e->name[i]);
  ms_free(e->ctx, &e->name);
  ms_free(e->ctx, &e->equation);
  ms_free(e->ctx, &e->index);
  ms_free(e->ctx, &e->coef);
  e->n_name = 0;
  e->n = e->max = e->n_term = e->max_term = 0;
}

void ms_elimination_free(ms_context *ctx, ms_elimination *t) {
  ms_free(ctx, &t->row_of);
  ms_free(ctx, &t->dependent);
  ms_free(ctx, &t->owner);
  ms_free(ctx, &t->start);
  ms_free(ctx, &t->index);
  ms_free(ctx, &t->coef);
  ms_free(ctx, &t->g);
  *t = (ms_elimination) { 0 };
}

/* ---- one sparse row in a full vector ---- */

enum { MAX_OWNERS = 4 };

typedef struct work {
  const ms_equations *e;
  ms_elimination *t;
  const unsigned char *kept;
  ms_describe_fn describe;
  const void *user;
  double *w;      /* n, zero between uses */
  char *seen;     /* n */
  int32_t *touch; /* the coordinates seen */
  ptrdiff_t n_touch, max_term;
  double value, scale, value_scale; /* sum w u = value; the largest term met in each */
  int owner[MAX_OWNERS], n_owner;   /* whose rows were used */
} work;

static void add(work *k, int32_t i, double c) {
  if (!k->seen[i]) {
    k->seen[i] = 1;
    k->touch[k->n_touch++] = i;
  }
  k->w[i] += c;
  k->scale = fmax(k->scale, fabs(c));
}

static void clear(work *k) {
  for (ptrdiff_t j = 0; j < k->n_touch; j++) {
    k->w[k->touch[j]] = 0.0;
    k->seen[k->touch[j]] = 0;
  }
  k->n_touch = 0;
  k->n_owner = 0;
  k->value = k->scale = k->value_scale = 0.0;
}

static void note_owner(work *k, int owner) {
  for (int i = 0; i < k->n_owner; i++) {
    if (k->owner[i] == owner) return;
  }
  if (k->n_owner < MAX_OWNERS) k->owner[k->n_owner++] = owner;
}

/* Puts row r in place of its coordinate. */
static void expand(work *k, int32_t i, int32_t r) {
  const ms_elimination *t = k->t;
  double c = k->w[i];
  k->w[i] = 0.0;
  for (ptrdiff_t j = t->start[r]; j < t->start[r + 1]; j++) add(k, t->index[j], c * t->coef[j]);
  k->value -= c * t->g[r];
  k->value_scale = fmax(k->value_scale, fabs(c * t->g[r]));
  note_owner(k, t->owner[r]);
}

static void expand_all(work *k) {
  int again = 1;
  while (again) {
    again = 0;
    for (ptrdiff_t j = 0; j < k->n_touch; j++) {
      int32_t i = k->touch[j], r = k->t->row_of[i];
      if (r < 0 || k->w[i] == 0.0) continue;
      expand(k, i, r);
      again = 1;
    }
  }
}

/* ---- messages ---- */

/* "'a', 'b'": the owners of the rows that were used. */
static void list_owners(const work *k, char *text, size_t size) {
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < k->n_owner && at < size; i++) {
    at += (size_t)snprintf(text + at, size - at, "%s'%s'", i ? ", " : "", k->e->name[k->owner[i]]);
  }
}

static ms_status fail_twice(const work *k, const ms_equation *q) {
  char what[96];
  int32_t r = k->t->row_of[q->wish];
  k->describe(k->user, q->wish, what, sizeof what);
  return ms_fail(k->e->ctx, MS_ERR_ARGUMENT, "%s is eliminated twice, by '%s' and by '%s'", what,
                 k->e->name[k->t->owner[r]], k->e->name[q->owner]);
}

static ms_status fail_kept(const work *k, const ms_equation *q) {
  char what[96];
  int32_t i = q->wish >= 0 ? q->wish : k->e->index[q->first];
  k->describe(k->user, i, what, sizeof what);
  return ms_fail(k->e->ctx, MS_ERR_ARGUMENT,
                 "'%s' has no degree of freedom that can be eliminated: %s is to be kept",
                 k->e->name[q->owner], what);
}

/* Nothing is left on the left side. */
static ms_status finish_empty(work *k, const ms_equation *q) {
  char owners[256];
  list_owners(k, owners, sizeof owners);
  if (fabs(k->value) > ms_mesh_tol.vanished * k->value_scale) {
    return ms_fail(k->e->ctx, MS_ERR_ARGUMENT, "'%s' contradicts %s: it reduces to 0 = %g",
                   k->e->name[q->owner], k->n_owner ? owners : "itself", k->value);
  }
  k->t->n_redundant++;
  for (int i = 0; i <= k->n_owner; i++) {
    if (k->e->expected && (i < k->n_owner ? k->owner[i] : q->owner) == k->e->expected - 1)
      return MS_SUCCESS;
  }
  ms_log(k->e->ctx, MS_LOG_WARNING, "constraint '%s' adds nothing: it follows from %s",
         k->e->name[q->owner], k->n_owner ? owners : "itself");
  return MS_SUCCESS;
}

/* ---- one equation ---- */

/* The coordinate to be made dependent: the one wished for, or that of the largest coefficient; -1
   if all are kept. */
static int32_t choose(const work *k, const ms_equation *q, double largest) {
  if (q->wish >= 0 && !k->kept[q->wish] && fabs(k->w[q->wish]) > ms_mesh_tol.vanished * k->scale)
    return q->wish;
  if (q->strict) return -1;
  int32_t best = -1;
  double size = 1e-6 * largest;
  for (ptrdiff_t j = 0; j < k->n_touch; j++) {
    int32_t i = k->touch[j];
    double c = fabs(k->w[i]);
    /* a little larger is not larger: the choice shall not hang on rounding */
    if (k->kept[i] || c <= size * (1.0 + ms_mesh_tol.larger)) continue;
    best = i;
    size = c;
  }
  return best;
}

static ms_status add_row(work *k, const ms_equation *q, int32_t pivot, double largest) {
  ms_elimination *t = k->t;
  ms_context *ctx = k->e->ctx;
  ptrdiff_t at = t->start[t->n_row];
  if (at + k->n_touch > k->max_term) {
    ptrdiff_t more = 2 * k->max_term + k->n_touch + 64;
    MS_TRY(ms_resize(ctx, more, sizeof *t->index, &t->index));
    MS_TRY(ms_resize(ctx, more, sizeof *t->coef, &t->coef));
    k->max_term = more;
  }
  double c = k->w[pivot];
  for (ptrdiff_t j = 0; j < k->n_touch; j++) {
    int32_t i = k->touch[j];
    if (i == pivot || fabs(k->w[i]) <= ms_mesh_tol.dropped * largest) continue;
    t->index[at] = i;
    t->coef[at++] = -k->w[i] / c;
  }
  t->g[t->n_row] = k->value / c;
  t->dependent[t->n_row] = pivot;
  t->owner[t->n_row] = q->owner;
  t->row_of[pivot] = (int32_t)t->n_row;
  t->start[++t->n_row] = at;
  return MS_SUCCESS;
}

static ms_status take(work *k, const ms_equation *q) {
  double largest = 0.0;
  if (q->strict && k->t->row_of[q->wish] >= 0) return fail_twice(k, q);
  for (ptrdiff_t j = q->first; j < q->first + q->n; j++) add(k, k->e->index[j], k->e->coef[j]);
  k->value = q->value;
  k->value_scale = fabs(q->value);
  expand_all(k);
  for (ptrdiff_t j = 0; j < k->n_touch; j++) largest = fmax(largest, fabs(k->w[k->touch[j]]));
  if (largest <= ms_mesh_tol.vanished * k->scale) return finish_empty(k, q);
  int32_t pivot = choose(k, q, largest);
  if (pivot < 0) return fail_kept(k, q);
  return add_row(k, q, pivot, largest);
}

/* ---- the whole ---- */

static ms_status allocate_rows(const ms_equations *e, ptrdiff_t n, ms_elimination *t) {
  t->n = n;
  MS_TRY(ms_allocate(e->ctx, n, sizeof *t->row_of, &t->row_of));
  MS_TRY(ms_allocate(e->ctx, e->n + 1, sizeof *t->dependent, &t->dependent));
  MS_TRY(ms_allocate(e->ctx, e->n + 1, sizeof *t->owner, &t->owner));
  MS_TRY(ms_allocate(e->ctx, e->n + 1, sizeof *t->start, &t->start));
  MS_TRY(ms_allocate(e->ctx, e->n + 1, sizeof *t->g, &t->g));
  for (ptrdiff_t i = 0; i < n; i++) t->row_of[i] = -1;
  return MS_SUCCESS;
}

static ms_status allocate_work(work *k, ptrdiff_t n) {
  MS_TRY(ms_allocate(k->e->ctx, n, sizeof *k->w, &k->w));
  MS_TRY(ms_allocate(k->e->ctx, n, sizeof *k->touch, &k->touch));
  return ms_allocate(k->e->ctx, n, 1, &k->seen);
}

static ms_status take_all(work *k, ms_elimination *raw) {
  k->t = raw;
  for (int support = 1; support >= 0; support--) {
    for (ptrdiff_t i = 0; i < k->e->n; i++) {
      if (k->e->equation[i].support != support) continue;
      clear(k);
      MS_TRY(take(k, &k->e->equation[i]));
    }
  }
  return MS_SUCCESS;
}

/* The rows in independent coordinates, from the last, which is, to the first. */
static ms_status resolve(work *k, const ms_elimination *raw, ms_elimination *out) {
  k->t = out;
  k->max_term = 0;
  for (ptrdiff_t r = raw->n_row - 1; r >= 0; r--) {
    ms_equation q = { .owner = raw->owner[r] };
    clear(k);
    for (ptrdiff_t j = raw->start[r]; j < raw->start[r + 1]; j++) {
      add(k, raw->index[j], -raw->coef[j]);
    }
    k->value = raw->g[r];
    expand_all(k);
    add(k, raw->dependent[r], 1.0);
    MS_TRY(add_row(k, &q, raw->dependent[r], 1.0));
  }
  out->n_redundant = raw->n_redundant;
  return MS_SUCCESS;
}

ms_status ms_equations_eliminate(const ms_equations *e, ptrdiff_t n, const unsigned char *kept,
                                 ms_describe_fn describe, const void *user, ms_elimination *out) {
  ms_elimination raw = { 0 };
  *out = (ms_elimination) { 0 };
  work k = { .e = e, .kept = kept, .describe = describe, .user = user };
  ms_status status = allocate_work(&k, n);
  if (status == MS_SUCCESS) status = allocate_rows(e, n, &raw);
  if (status == MS_SUCCESS) status = allocate_rows(e, n, out);
  if (status == MS_SUCCESS) status = take_all(&k, &raw);
  if (status == MS_SUCCESS) status = resolve(&k, &raw, out);
  ms_free(e->ctx, &k.w);
  ms_free(e->ctx, &k.touch);
  ms_free(e->ctx, &k.seen);
  ms_elimination_free(e->ctx, &raw);
  if (status != MS_SUCCESS) ms_elimination_free(e->ctx, out);
  return status;
}
