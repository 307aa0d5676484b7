/* Reads matrix files and prints a line for each, for test_foreign_matrices.sh: its size, the number
   of entries, the trace and the sum of squares of the whole matrix, or why it is refused. */
#include <stdio.h>

#include <microslip/io.h>

static void print_matrix(const char *path, const ms_triplets *t, const ms_dofs *dofs) {
  double trace = 0.0, squares = 0.0;
  for (ptrdiff_t k = 0; k < t->n; k++) {
    int diagonal = t->row[k] == t->col[k];
    if (diagonal) trace += t->value[k];
    squares += (t->symmetric && !diagonal ? 2.0 : 1.0) * t->value[k] * t->value[k];
  }
  printf("%s: read; %td x %td, %td entries%s, %td labels, trace %.12g, squares %.12g\n", path,
         t->n_row, t->n_col, t->n, t->symmetric ? ", symmetric" : "", dofs->n, trace, squares);
}

static int read_one(ms_context *ctx, const char *path) {
  ms_triplets triplets = { 0 };
  ms_dofs dofs = { 0 };
  ms_status status = ms_triplets_read_labelled(ctx, path, &triplets, &dofs);
  if (status == MS_SUCCESS) print_matrix(path, &triplets, &dofs);
  if (status != MS_SUCCESS) printf("%s: refused; %s\n", path, ms_context_message(ctx));
  ms_triplets_free(ctx, &triplets);
  ms_dofs_free(ctx, &dofs);
  return status != MS_SUCCESS;
}

int main(int argc, char **argv) {
  ms_context *ctx = NULL;
  int refused = 0;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  for (int i = 1; i < argc; i++) refused |= read_one(ctx, argv[i]);
  ms_context_destroy(&ctx);
  return refused;
}
