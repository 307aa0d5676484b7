/* Matrices that Abaqus wrote: *MATRIX OUTPUT, FORMAT=MATRIX INPUT or LABELS. A line for each entry,

     row node, row degree of freedom, column node, column degree of freedom, value

   with commas or blanks between. Of a symmetric matrix each entry off the diagonal stands once, on
   either side, for Abaqus numbers its equations in its own order; or twice. Rows are sorted here by
   node and degree of freedom. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/internal.h"
#include "io/text.h"

enum { MAX_DOF = 99 }; /* degrees of freedom go to 30 */

/* From labels to numbers: open addressing, at most half full. */
typedef struct registry {
  ms_dof *dof;
  ptrdiff_t n, capacity;
  int32_t *slot; /* -1: free */
  size_t mask;
} registry;

typedef struct reader {
  ms_context *ctx;
  const char *name;
  ms_lines text;
  registry dofs;
  ms_triplets *t;
  ptrdiff_t capacity;
  int32_t last_row; /* entries of a row follow each other */
} reader;

/* ---- labels ---- */

static size_t spread(ms_dof d) {
  uint64_t x = ((uint64_t)d.node * 64 + (uint64_t)d.dof) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(x ^ x >> 32);
}

static size_t find_slot(const registry *r, ms_dof d) {
  size_t i = spread(d) & r->mask;
  while (r->slot[i] >= 0) {
    ms_dof other = r->dof[r->slot[i]];
    if (other.node == d.node && other.dof == d.dof) break;
    i = (i + 1) & r->mask;
  }
  return i;
}

static ms_status number_of(ms_context *ctx, registry *r, ms_dof d, int32_t *out) {
  if (r->n == r->capacity) {
    ptrdiff_t capacity = r->capacity ? 2 * r->capacity : 1024;
    if (capacity > INT32_MAX / 2)
      return ms_fail(ctx, MS_ERR_OVERFLOW, "too many degrees of freedom");
    MS_TRY(ms_resize(ctx, capacity, sizeof *r->dof, &r->dof));
    MS_TRY(ms_resize(ctx, 2 * capacity, sizeof *r->slot, &r->slot));
    r->capacity = capacity;
    r->mask = 2 * (size_t)capacity - 1;
    for (ptrdiff_t i = 0; i < 2 * capacity; i++) r->slot[i] = -1;
    for (ptrdiff_t i = 0; i < r->n; i++) r->slot[find_slot(r, r->dof[i])] = (int32_t)i;
  }
  size_t i = find_slot(r, d);
  if (r->slot[i] < 0) {
    r->dof[r->n] = d;
    r->slot[i] = (int32_t)r->n++;
  }
  *out = r->slot[i];
  return MS_SUCCESS;
}

/* ---- lines ---- */

static const char *skip(const char *p, const char *end) {
  while (p < end && ms_io_is_blank(*p)) p++;
  if (p < end && *p == ',') p++;
  while (p < end && ms_io_is_blank(*p)) p++;
  return p;
}

static int take_label(const char **p, const char *end, ms_dof *out) {
  ptrdiff_t dof;
  if (!ms_io_scan_integer(p, end, &out->node)) return 0;
  const char *next = skip(*p, end);
  if (next == *p || !ms_io_scan_integer(&next, end, &dof)) return 0;
  *p = skip(next, end);
  out->dof = (int)dof;
  return *p > next && dof >= 1 && dof <= MAX_DOF;
}

static ms_status refuse_line(const reader *r, ms_span line) {
  char shown[MS_IO_EXCERPT_SIZE];
  if (*line.begin == '*') {
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: '%s': keywords are not read; write the matrix by *MATRIX OUTPUT, "
                   "FORMAT=MATRIX INPUT",
                   r->name, r->text.line, ms_io_excerpt(line, shown));
  }
  return ms_fail(
      r->ctx, MS_ERR_FORMAT,
      "%s:%td: '%s' is not an entry; a line must hold node, degree of freedom, node, degree "
      "of freedom and a finite value",
      r->name, r->text.line, ms_io_excerpt(line, shown));
}

static ms_status grow(reader *r) {
  ms_triplets *t = r->t;
  if (t->n < r->capacity) return MS_SUCCESS;
  ptrdiff_t capacity = r->capacity ? 2 * r->capacity : 4096;
  MS_TRY(ms_resize(r->ctx, capacity, sizeof *t->row, &t->row));
  MS_TRY(ms_resize(r->ctx, capacity, sizeof *t->col, &t->col));
  MS_TRY(ms_resize(r->ctx, capacity, sizeof *t->value, &t->value));
  r->capacity = capacity;
  return MS_SUCCESS;
}

static ms_status read_entry(reader *r, ms_span line) {
  ms_dof row, col;
  double value;
  int32_t i = r->last_row, j;
  const char *p = line.begin;
  int good = take_label(&p, line.end, &row) && take_label(&p, line.end, &col);
  if (!good || ms_io_scan_number(&p, line.end, &value) != MS_SUCCESS || p != line.end) {
    return refuse_line(r, line);
  }
  if (i < 0 || r->dofs.dof[i].node != row.node || r->dofs.dof[i].dof != row.dof) {
    MS_TRY(number_of(r->ctx, &r->dofs, row, &i));
  }
  r->last_row = i;
  MS_TRY(number_of(r->ctx, &r->dofs, col, &j));
  MS_TRY(grow(r));
  r->t->row[r->t->n] = i;
  r->t->col[r->t->n] = j;
  r->t->value[r->t->n++] = value;
  return MS_SUCCESS;
}

/* The next line that is neither blank nor a comment. */
static int take_content(ms_lines *text, ms_span *line) {
  while (ms_io_take_line(text, line)) {
    *line = ms_io_trim(*line);
    int comment = line->end - line->begin > 1 && line->begin[0] == '*' && line->begin[1] == '*';
    if (line->begin < line->end && !comment) return 1;
  }
  return 0;
}

/* ---- order ---- */

static int compare(const void *a, const void *b) {
  const ms_dof *x = a, *y = b;
  if (x->node != y->node) return x->node < y->node ? -1 : 1;
  return (x->dof > y->dof) - (x->dof < y->dof);
}

/* Labels sorted, entries renumbered. */
static ms_status sort_labels(reader *r) {
  registry *d = &r->dofs;
  ptrdiff_t *now;
  ms_dof *sorted = NULL;
  MS_TRY(ms_allocate(r->ctx, d->n, sizeof *now, &now));
  ms_status status = ms_allocate(r->ctx, d->n, sizeof *sorted, &sorted);
  if (status == MS_SUCCESS) {
    memcpy(sorted, d->dof, (size_t)d->n * sizeof *sorted);
    qsort(sorted, (size_t)d->n, sizeof *sorted, compare);
    for (ptrdiff_t i = 0; i < d->n; i++) now[d->slot[find_slot(d, sorted[i])]] = i;
    for (ptrdiff_t k = 0; k < r->t->n; k++) {
      r->t->row[k] = now[r->t->row[k]];
      r->t->col[k] = now[r->t->col[k]];
    }
    memcpy(d->dof, sorted, (size_t)d->n * sizeof *sorted);
  }
  ms_free(r->ctx, &now);
  ms_free(r->ctx, &sorted);
  return status;
}

/* ---- symmetry ---- */

/* Entries by the lower of their two places: column c has those of order[start[c] ...]. */
typedef struct columns {
  ptrdiff_t *start, *order, *mark;
  ptrdiff_t n_pair, n_off; /* off the diagonal: on both sides; places */
  int same;                /* both sides agree to the last bit */
} columns;

static ptrdiff_t low(ptrdiff_t i, ptrdiff_t j) {
  return i < j ? i : j;
}

static void bucket(const ms_triplets *t, columns *c) {
  for (ptrdiff_t k = 0; k < t->n; k++) c->start[low(t->row[k], t->col[k]) + 1]++;
  for (ptrdiff_t i = 0; i < t->n_row; i++) c->start[i + 1] += c->start[i];
  for (ptrdiff_t i = 0; i < t->n_row; i++) c->mark[i] = c->start[i];
  for (ptrdiff_t k = 0; k < t->n; k++) c->order[c->mark[low(t->row[k], t->col[k])]++] = k;
}

static ptrdiff_t line_of(const reader *r, ms_lines begin, ptrdiff_t k) {
  ms_span line;
  (void)r;
  for (ptrdiff_t i = 0; i <= k; i++) take_content(&begin, &line);
  return begin.line;
}

static ms_status refuse_twice(const reader *r, ms_lines begin, ptrdiff_t first, ptrdiff_t second) {
  char row[32], col[32];
  ms_dof_name(r->dofs.dof[r->t->row[second]], row);
  ms_dof_name(r->dofs.dof[r->t->col[second]], col);
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s:%td: the entry of %s and %s was already given in line %td; give it once",
                 r->name, line_of(r, begin, second), row, col, line_of(r, begin, first));
}

static ms_status look_through(const reader *r, ms_lines begin, columns *c) {
  const ms_triplets *t = r->t;
  for (ptrdiff_t i = 0; i < t->n_row; i++) c->mark[i] = -1;
  for (ptrdiff_t j = 0; j < t->n_row; j++) {
    for (ptrdiff_t q = c->start[j]; q < c->start[j + 1]; q++) {
      ptrdiff_t k = c->order[q], i = t->row[k] + t->col[k] - j;
      int both = c->mark[i] < -1; /* marked by -2 - k when it was seen on both sides */
      ptrdiff_t before = both ? -2 - c->mark[i] : c->mark[i];
      int seen = before >= 0 && low(t->row[before], t->col[before]) == j;
      if (seen && (both || t->row[before] == t->row[k])) return refuse_twice(r, begin, before, k);
      c->n_off += i != j && !seen;
      c->n_pair += seen;
      if (seen && memcmp(&t->value[before], &t->value[k], sizeof *t->value) != 0) c->same = 0;
      c->mark[i] = seen ? -2 - k : k;
    }
  }
  return MS_SUCCESS;
}

/* One entry for each place at or below the diagonal. */
static void fold(ms_triplets *t, int drop_upper) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < t->n; k++) {
    ptrdiff_t i = t->row[k], j = t->col[k];
    if (drop_upper && i < j) continue;
    t->row[n] = i > j ? i : j;
    t->col[n] = low(i, j);
    t->value[n++] = t->value[k];
  }
  t->n = n;
  t->symmetric = 1;
}

static ms_status find_symmetry(const reader *r, ms_lines begin, columns *c) {
  bucket(r->t, c);
  MS_TRY(look_through(r, begin, c));
  if (c->n_pair == 0 || (c->n_pair == c->n_off && c->same)) {
    fold(r->t, c->n_pair > 0);
    return MS_SUCCESS;
  }
  if (c->n_pair == c->n_off) return MS_SUCCESS;
  return ms_fail(
      r->ctx, MS_ERR_FORMAT,
      "%s: %td of %td entries off the diagonal are given on both sides of it; it must be "
      "all or none",
      r->name, c->n_pair, c->n_off);
}

/* ---- the whole ---- */

static ms_status read_all(reader *r) {
  ms_span line;
  MS_TRY(ms_io_refuse_nul(r->ctx, r->name, r->text.rest));
  ms_lines begin = r->text;
  while (take_content(&r->text, &line)) MS_TRY(read_entry(r, line));
  if (r->t->n == 0) {
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: holds no entries; a matrix needs at least one",
                   r->name, r->text.line);
  }
  r->t->n_row = r->t->n_col = r->dofs.n;
  MS_TRY(sort_labels(r));
  columns c = { .same = 1 };
  ptrdiff_t n = r->t->n_row;
  ms_status status = ms_allocate(r->ctx, n + 1, sizeof *c.start, &c.start);
  if (status == MS_SUCCESS) status = ms_allocate(r->ctx, n, sizeof *c.mark, &c.mark);
  if (status == MS_SUCCESS) status = ms_allocate(r->ctx, r->t->n, sizeof *c.order, &c.order);
  if (status == MS_SUCCESS) status = find_symmetry(r, begin, &c);
  ms_free(r->ctx, &c.start);
  ms_free(r->ctx, &c.mark);
  ms_free(r->ctx, &c.order);
  return status;
}

ms_status ms_abaqus_mtx_parse(ms_context *ctx, const char *name, const char *text, size_t length,
                              ms_triplets *out, ms_dofs *dofs) {
  *out = (ms_triplets) { 0 };
  *dofs = (ms_dofs) { 0 };
  reader r = { .ctx = ctx, .name = name, .t = out, .last_row = -1 };
  r.text.rest = (ms_span) { text, text + length };
  ms_io_skip_mark(&r.text.rest);
  ms_status status = read_all(&r);
  ms_free(ctx, &r.dofs.slot);
  if (status == MS_SUCCESS) {
    *dofs = (ms_dofs) { r.dofs.n, r.dofs.dof };
    return status;
  }
  ms_free(ctx, &r.dofs.dof);
  ms_triplets_free(ctx, out);
  return status;
}
