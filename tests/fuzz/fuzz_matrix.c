/* Mutated matrices, Matrix Market, Abaqus and delimited text: whatever comes in, a sound matrix or
   a clean refusal comes out. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/internal.h"
#include "support/check.h"
#include "support/fuzz.h"

#define NAME "fuzzed.mtx" /* stands for the file in messages */

static const char *fault_of_triplets(const ms_triplets *t) {
  if (t->n_row < 1 || t->n_col < 1) return "accepted without rows or columns";
  if (t->symmetric && t->n_row != t->n_col) return "symmetric, but not square";
  for (ptrdiff_t k = 0; k < t->n; k++) {
    if (t->row[k] < 0 || t->row[k] >= t->n_row) return "a row is outside";
    if (t->col[k] < 0 || t->col[k] >= t->n_col) return "a column is outside";
    if (t->symmetric && t->col[k] > t->row[k]) return "an entry is in the upper triangle";
    if (!isfinite(t->value[k])) return "accepted a value that is not finite";
    for (ptrdiff_t i = 0; i < k; i++)
      if (t->row[i] == t->row[k] && t->col[i] == t->col[k]) return "an entry is there twice";
  }
  return NULL;
}

static int same(const ms_triplets *a, const ms_triplets *b) {
  size_t n = (size_t)a->n;
  return a->n_row == b->n_row && a->n_col == b->n_col && a->n == b->n &&
         a->symmetric == b->symmetric && memcmp(a->row, b->row, n * sizeof *a->row) == 0 &&
         memcmp(a->col, b->col, n * sizeof *a->col) == 0 &&
         memcmp(a->value, b->value, n * sizeof *a->value) == 0;
}

static const char *fault_of_round_trip(ms_context *ctx, const ms_triplets *t) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return "no stream in memory";
  ms_mtx_print(t, out);
  fclose(out);
  ms_triplets again = { 0 };
  const char *fault = "written, it is refused";
  if (ms_mtx_parse(ctx, NAME, text, size, &again) == MS_SUCCESS)
    fault = same(t, &again) ? NULL : "written, it changes";
  ms_triplets_free(ctx, &again);
  free(text);
  return fault;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status) {
  const char *message = ms_context_message(ctx);
  if (status != MS_ERR_FORMAT) return "refused with the wrong status";
  if (strncmp(message, NAME ":", strlen(NAME ":")) != 0) return "the message lacks the name";
  if (!strchr(message, ';')) return "the message does not say what would be right";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of_mtx(ms_context *ctx, const char *text, size_t length, long *accepted) {
  ms_triplets t;
  ms_status status = ms_mtx_parse(ctx, NAME, text, length, &t);
  if (status != MS_SUCCESS) return t.row || t.n ? "a leftover" : fault_of_refusal(ctx, status);
  ++*accepted;
  const char *fault = fault_of_triplets(&t);
  if (!fault) fault = fault_of_round_trip(ctx, &t);
  ms_triplets_free(ctx, &t);
  return fault;
}

static const char *fault_of_csv(ms_context *ctx, const char *text, size_t length, long *accepted) {
  ptrdiff_t n_row, n_col;
  double *a;
  ms_status status = ms_csv_parse_matrix(ctx, NAME, text, length, &n_row, &n_col, &a);
  if (status != MS_SUCCESS) return a ? "a leftover" : fault_of_refusal(ctx, status);
  ++*accepted;
  const char *fault = n_row < 1 || n_col < 1 ? "accepted without rows or columns" : NULL;
  for (ptrdiff_t i = 0; !fault && i < n_row * n_col; i++)
    if (!isfinite(a[i])) fault = "accepted a value that is not finite";
  ms_free(ctx, &a);
  return fault;
}

static const char *fault_of_abaqus(ms_context *ctx, const char *text, size_t length,
                                   long *accepted) {
  ms_triplets t;
  ms_dofs dofs;
  ms_status status = ms_abaqus_mtx_parse(ctx, NAME, text, length, &t, &dofs);
  if (status != MS_SUCCESS) {
    return t.row || t.n || dofs.dof ? "a leftover" : fault_of_refusal(ctx, status);
  }
  ++*accepted;
  const char *fault = dofs.n == t.n_row ? fault_of_triplets(&t) : "not a label for each row";
  for (ptrdiff_t i = 1; !fault && i < dofs.n; i++) {
    const ms_dof *a = &dofs.dof[i - 1], *b = &dofs.dof[i];
    if (a->node > b->node || (a->node == b->node && a->dof >= b->dof)) fault = "labels not sorted";
  }
  ms_triplets_free(ctx, &t);
  ms_dofs_free(ctx, &dofs);
  return fault;
}

/* A text with the banner's sign goes to the one, a comment of Abaqus to its own, any other to the
   third. */
static const char *fault_of(const char *text, size_t length, long *accepted) {
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  char first = length > 0 ? text[0] : ' ';
  const char *fault = first == '%'   ? fault_of_mtx(ctx, text, length, accepted)
                      : first == '*' ? fault_of_abaqus(ctx, text, length, accepted)
                                     : fault_of_csv(ctx, text, length, accepted);
  return test_fuzz_close(&memory, &ctx, fault);
}

#define MM "%%MatrixMarket matrix "

static const test_token seeds[] = {
  TOKEN(MM "coordinate real general\n% c\n3 3 4\n1 1 2.5\n2 2 -3.5e-3\n3 1 1\n3 3 7.25\n"),
  TOKEN(MM "coordinate real symmetric\n3 3 4\n1 1 2.5\n2 1 -3.5e-3\n3 1 1\n3 3 7.25\n"),
  TOKEN(MM "coordinate integer general\r\n2 7 3\r\n2 7 3\r\n1 1 4\r\n1 2 -5\r\n"),
  TOKEN(MM "array real general\n2 3\n1.5\n2.5\n\n3.5\n%\n4.5\n5.5D0\n6.5\n"),
  TOKEN(MM "array real symmetric\n3 3\n1.5\n2.5\n3.5\n4.5\n5.5\n6.5\n"),
  TOKEN("** K\n12,1, 12,1, 2.5\n3,2, 12,1, -1.5D3\n3,2,3,2, .25\n"),
  TOKEN("**\n1 1 1 1 2.5\r\n1 1 2 1 -1.25\r\n2 1 1 1 -1.25\r\n2 1 2 1 3.5\r\n"),
  TOKEN("1.5,2.5\n-3e5,4.5\n"),
  TOKEN("u1 [m];u2\n1.5;2.5\n# c\n3.5;.25\n"),
  TOKEN("  7 8 9\n 1\t2 3\n"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("nan"),     TOKEN("-inf"),      TOKEN("1e999"),
  TOKEN("\0"),      TOKEN("\n"),        TOKEN("\r\n"),
  TOKEN(" "),       TOKEN("%"),         TOKEN("0"),
  TOKEN("-1"),      TOKEN("2"),         TOKEN("3 3 1\n"),
  TOKEN("1 1 1\n"), TOKEN("symmetric"), TOKEN("general"),
  TOKEN("array"),   TOKEN("integer"),   TOKEN("99999999999"),
  TOKEN("D"),       TOKEN("-100"),      TOKEN("9223372036854775807"),
  TOKEN(","),       TOKEN(".5"),        TOKEN("0.123456789012345678901234567890"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
