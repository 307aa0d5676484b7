/* How one text differs from another: the longest common list of lines stays, the rest was left out
   or added. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/compare/compare.h"

enum { MOST_CELLS = 16000000 }; /* of the table of lengths */

typedef struct line {
  const char *text;
  int length;
} line;

typedef struct sides {
  line *line[2];
  ptrdiff_t n[2];
  int32_t *common; /* of the lines from i and k on: common[i*(n[1] + 1) + k] */
} sides;

static ms_status cut(ms_context *ctx, const char *text, line **out, ptrdiff_t *n) {
  ptrdiff_t count = 0;
  for (const char *at = text; *at; at++) count += *at == '\n';
  MS_TRY(ms_allocate(ctx, count + 1, sizeof **out, out));
  for (const char *at = text; *at; *n += 1) {
    const size_t length = strcspn(at, "\n");
    (*out)[*n] = (line) { at, (int)length };
    at += length + (at[length] == '\n');
  }
  return MS_SUCCESS;
}

static int is_same(const sides *s, ptrdiff_t i, ptrdiff_t k) {
  const line a = s->line[0][i], b = s->line[1][k];
  return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

static int32_t *length_at(const sides *s, ptrdiff_t i, ptrdiff_t k) {
  return &s->common[i * (s->n[1] + 1) + k];
}

static void find_lengths(const sides *s) {
  for (ptrdiff_t i = s->n[0] - 1; i >= 0; i--) {
    for (ptrdiff_t k = s->n[1] - 1; k >= 0; k--) {
      const int32_t down = *length_at(s, i + 1, k), right = *length_at(s, i, k + 1);
      *length_at(s, i, k) = is_same(s, i, k) ? 1 + *length_at(s, i + 1, k + 1)
                            : down >= right  ? down
                                             : right;
    }
  }
}

static ms_status print(ms_context *ctx, const void *user, FILE *out) {
  const sides *s = user;
  ptrdiff_t i = 0, k = 0;
  (void)ctx;
  while (i < s->n[0] || k < s->n[1]) {
    const int both = i < s->n[0] && k < s->n[1];
    if (both && is_same(s, i, k)) {
      i++, k++;
      continue;
    }
    const int gone = k == s->n[1] || (both && *length_at(s, i + 1, k) >= *length_at(s, i, k + 1));
    const line l = gone ? s->line[0][i++] : s->line[1][k++];
    fprintf(out, "%c %.*s\n", gone ? '-' : '+', l.length, l.text);
  }
  return MS_SUCCESS;
}

static ms_status compare(ms_context *ctx, const char *first, const char *other, sides *s,
                         char **out) {
  size_t length;
  MS_TRY(cut(ctx, first, &s->line[0], &s->n[0]));
  MS_TRY(cut(ctx, other, &s->line[1], &s->n[1]));
  if ((double)(s->n[0] + 1) * (double)(s->n[1] + 1) > MOST_CELLS)
    return ms_text_copy(ctx, "They differ, and are too long to be shown line by line.\n", out);
  MS_TRY(ms_allocate(ctx, (s->n[0] + 1) * (s->n[1] + 1), sizeof *s->common, &s->common));
  find_lengths(s);
  return ms_print_text(ctx, print, s, out, &length);
}

ms_status ms_lines_compare(ms_context *ctx, const char *first, const char *other, char **out) {
  sides s = { 0 };
  *out = NULL;
  if (strcmp(first, other) == 0) return ms_text_copy(ctx, "", out);
  ms_status status = compare(ctx, first, other, &s, out);
  ms_free(ctx, &s.line[0]);
  ms_free(ctx, &s.line[1]);
  ms_free(ctx, &s.common);
  return status;
}
