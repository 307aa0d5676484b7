/* Labels of the rows of a matrix: node and degree of freedom. Files of them, names, and matrices
   with labels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "io/internal.h"
#include "io/text.h"

void ms_dofs_free(ms_context *ctx, ms_dofs *dofs) {
  if (!dofs) return;
  ms_free(ctx, &dofs->dof);
  *dofs = (ms_dofs) { 0 };
}

/* ---- names ---- */

static const char *const component[] = { "x", "y", "z", "rx", "ry", "rz" };

void ms_dof_name(ms_dof dof, char text[32]) {
  if (dof.dof >= 1 && dof.dof <= 6)
    snprintf(text, 32, "n%td.%s", dof.node, component[dof.dof - 1]);
  else
    snprintf(text, 32, "n%td.d%d", dof.node, dof.dof);
}

static int compare(const ms_dof *a, const ms_dof *b) {
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  return (a->dof > b->dof) - (a->dof < b->dof);
}

/* ---- a file of labels ---- */

static int take_dof(ms_span word, int *out) {
  ptrdiff_t number;
  const char *p = word.begin;
  for (int i = 0; i < 6; i++) {
    size_t n = strlen(component[i]);
    *out = i + 1;
    if (ms_io_length(word) == n && strncasecmp(word.begin, component[i], n) == 0) return 1;
  }
  if (!ms_io_scan_integer(&p, word.end, &number) || p != word.end) return 0;
  *out = (int)number;
  return number >= 1 && number <= 99;
}

/* "12 1", "12, x", "n12.x". */
static int take_label(ms_span line, ms_dof *out) {
  const char *p = line.begin + (*line.begin == 'n' || *line.begin == 'N');
  if (!ms_io_scan_integer(&p, line.end, &out->node)) return 0;
  ms_span rest = ms_io_trim((ms_span) { p, line.end });
  if (rest.begin < rest.end && (*rest.begin == ',' || *rest.begin == '.')) rest.begin++;
  return rest.begin > p && take_dof(ms_io_trim(rest), &out->dof);
}

static ms_status parse(ms_context *ctx, const char *path, ms_lines *text, ms_dofs *out) {
  ms_span line;
  ptrdiff_t capacity = 0;
  char shown[MS_IO_EXCERPT_SIZE];
  while (ms_io_take_line(text, &line)) {
    line = ms_io_trim(line);
    if (line.begin == line.end || strchr("%#*", *line.begin)) continue;
    if (out->n == capacity) {
      capacity = capacity ? 2 * capacity : 256;
      MS_TRY(ms_resize(ctx, capacity, sizeof *out->dof, &out->dof));
    }
    if (take_label(line, &out->dof[out->n++])) continue;
    return ms_fail(
        ctx, MS_ERR_FORMAT,
        "%s:%td: '%s' is not a label; a line must be node and degree of freedom, 12 1 or "
        "12 x",
        path, text->line, ms_io_excerpt(line, shown));
  }
  if (out->n > 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_FORMAT, "%s:%td: holds no labels; one for each row is required", path,
                 text->line);
}

static int compare_any(const void *a, const void *b) {
  return compare(a, b);
}

static ms_status check_once(ms_context *ctx, const char *path, const ms_dofs *d) {
  ms_dof *sorted;
  char name[32];
  ptrdiff_t twice = -1;
  MS_TRY(ms_allocate(ctx, d->n, sizeof *sorted, &sorted));
  memcpy(sorted, d->dof, (size_t)d->n * sizeof *sorted);
  qsort(sorted, (size_t)d->n, sizeof *sorted, compare_any);
  for (ptrdiff_t i = 1; i < d->n && twice < 0; i++) {
    if (compare(&sorted[i - 1], &sorted[i]) == 0) twice = i;
  }
  if (twice >= 0) ms_dof_name(sorted[twice], name);
  ms_free(ctx, &sorted);
  if (twice < 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_FORMAT, "%s: %s is there twice; every row must have its own label",
                 path, name);
}

ms_status ms_dofs_read(ms_context *ctx, const char *path, ms_dofs *out) {
  char *bytes;
  size_t length;
  MS_NEED(ctx, path && out);
  *out = (ms_dofs) { 0 };
  MS_TRY(ms_io_load(ctx, path, &bytes, &length));
  ms_lines text = { { bytes, bytes + length }, 0 };
  ms_status status = ms_io_refuse_nul(ctx, path, text.rest);
  ms_io_skip_mark(&text.rest);
  if (status == MS_SUCCESS) status = parse(ctx, path, &text, out);
  if (status == MS_SUCCESS) status = check_once(ctx, path, out);
  ms_free(ctx, &bytes);
  if (status != MS_SUCCESS) ms_dofs_free(ctx, out);
  return status;
}

/* ---- matrices with labels ---- */

static int is_comment(ms_span line) {
  return ms_io_length(line) >= 2 && line.begin[0] == '*' && line.begin[1] == '*';
}

/* Whether the first line that is no comment has five words, or is a keyword; Matrix Market files
   begin with a %. */
static int has_labels(const char *bytes, size_t length) {
  ms_lines text = { { bytes, bytes + length }, 0 };
  ms_span line;
  ms_io_skip_mark(&text.rest);
  while (ms_io_take_line(&text, &line)) {
    int words = 0, inside = 0;
    line = ms_io_trim(line);
    if (line.begin == line.end || is_comment(line)) continue;
    for (const char *p = line.begin; p < line.end; p++) {
      int gap = ms_io_is_blank(*p) || *p == ',';
      words += !gap && !inside;
      inside = !gap;
    }
    return *line.begin == '*' || (*line.begin != '%' && words == 5);
  }
  return 0;
}

int ms_matrix_has_labels(const char *path) {
  char head[4096];
  FILE *in = fopen(path, "rb");
  if (!in) return 0;
  size_t n = fread(head, 1, sizeof head, in);
  int failed = ferror(in);
  fclose(in);
  if (failed) return 1; /* whoever reads it as such is told; without labels rows may be mixed up */
  const char *dot = strrchr(path, '.');
  return dot && strcasecmp(dot, ".mtx") == 0 && has_labels(head, n);
}

ms_status ms_mtx_read_any(ms_context *ctx, const char *path, ms_triplets *out, ms_dofs *dofs) {
  char *bytes;
  size_t length;
  *out = (ms_triplets) { 0 };
  *dofs = (ms_dofs) { 0 };
  MS_TRY(ms_io_load(ctx, path, &bytes, &length));
  ms_status status = has_labels(bytes, length)
                         ? ms_abaqus_mtx_parse(ctx, path, bytes, length, out, dofs)
                         : ms_mtx_parse(ctx, path, bytes, length, out);
  ms_free(ctx, &bytes);
  return status;
}

ms_status ms_triplets_read_labelled(ms_context *ctx, const char *path, ms_triplets *out,
                                    ms_dofs *dofs) {
  const ms_format *format;
  *out = (ms_triplets) { 0 };
  *dofs = (ms_dofs) { 0 };
  MS_TRY(ms_io_find_format(ctx, path, MS_IO_MATRIX, &format));
  if (format == &ms_format_mtx) return ms_mtx_read_any(ctx, path, out, dofs);
  return ms_triplets_read(ctx, path, out);
}

/* ---- several matrices ---- */

ms_status ms_dofs_join(ms_context *ctx, const ms_dofs *a, const ms_dofs *b, ms_dofs *out) {
  ptrdiff_t i = 0, j = 0;
  *out = (ms_dofs) { 0 };
  MS_TRY(ms_resize(ctx, a->n + b->n, sizeof *out->dof, &out->dof));
  while (i < a->n || j < b->n) {
    int order = i == a->n ? 1 : j == b->n ? -1 : compare(&a->dof[i], &b->dof[j]);
    out->dof[out->n++] = order <= 0 ? a->dof[i] : b->dof[j];
    i += order <= 0;
    j += order >= 0;
  }
  return MS_SUCCESS;
}

ms_status ms_triplets_relabel(ms_context *ctx, ms_triplets *t, const ms_dofs *from,
                              const ms_dofs *to) {
  ptrdiff_t *now, j = 0;
  if (from->n != t->n_row || from->n != t->n_col) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the matrix has %td rows and %td labels", t->n_row,
                   from->n);
  }
  MS_TRY(ms_allocate(ctx, from->n, sizeof *now, &now));
  for (ptrdiff_t i = 0; i < from->n; i++) {
    while (j < to->n && compare(&to->dof[j], &from->dof[i]) < 0) j++;
    if (j < to->n && compare(&to->dof[j], &from->dof[i]) == 0) {
      now[i] = j;
      continue;
    }
    char name[32];
    ms_dof_name(from->dof[i], name);
    ms_free(ctx, &now);
    return ms_fail(ctx, MS_ERR_NAME, "the matrix has %s, which the others do not have", name);
  }
  for (ptrdiff_t k = 0; k < t->n; k++) {
    t->row[k] = now[t->row[k]];
    t->col[k] = now[t->col[k]];
  }
  t->n_row = t->n_col = to->n;
  ms_free(ctx, &now);
  return MS_SUCCESS;
}

ms_status ms_dofs_join_files(ms_context *ctx, const char *first, const char *second, ms_dofs *out) {
  ms_triplets t;
  ms_dofs a, b;
  *out = (ms_dofs) { 0 };
  MS_TRY(ms_triplets_read_labelled(ctx, first, &t, &a));
  ms_triplets_free(ctx, &t);
  ms_status status = ms_triplets_read_labelled(ctx, second, &t, &b);
  if (status == MS_SUCCESS) status = ms_dofs_join(ctx, &a, &b, out);
  ms_triplets_free(ctx, &t);
  ms_dofs_free(ctx, &a);
  ms_dofs_free(ctx, &b);
  return status;
}

ms_status ms_triplets_read_on(ms_context *ctx, const char *path, const ms_dofs *dofs,
                              ms_triplets *out) {
  ms_dofs own;
  MS_TRY(ms_triplets_read_labelled(ctx, path, out, &own));
  ms_status status = ms_triplets_relabel(ctx, out, &own, dofs);
  ms_dofs_free(ctx, &own);
  if (status == MS_SUCCESS) return status;
  ms_triplets_free(ctx, out);
  return ms_fail_at(ctx, status, "%s", path);
}
