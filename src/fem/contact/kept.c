/* Flexibilities in files, .resume/run-flexibility.KEY in the folder of the results. The key is a
   fingerprint of the constrained stiffness, by its product with a vector that has no pattern, of
   what follows what, and of the contact points with their springs. */
#include "fem/contact/kept.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "fem/solve/petsc.h"
#include "io/kept_jobs.h"

static uint64_t add_points(const ms_fem_model *m, uint64_t sum) {
  for (ptrdiff_t i = 0; i < m->n_contact_point; i++) {
    const ms_fem_contact_point *p = &m->contact_point[i];
    sum = ms_fingerprint_add(sum, p->n, sizeof p->n);
    for (int s = 0; s < 2; s++) {
      sum = ms_fingerprint_add(sum, p->node[s], (size_t)p->n[s] * sizeof *p->node[s]);
      sum = ms_fingerprint_add(sum, p->N[s], (size_t)p->n[s] * sizeof *p->N[s]);
    }
    sum = ms_fingerprint_add(sum, p->axes, sizeof p->axes);
    sum = ms_fingerprint_add(sum, p->spring, sizeof p->spring);
  }
  return sum;
}

ms_status ms_flexibility_find_key(ms_fem_model *m, uint64_t *key) {
  const size_t bytes = (size_t)m->n * sizeof(double);
  double *x;
  int size = 1;
  *key = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  if (size > 1) return MS_SUCCESS;
  MS_TRY(ms_allocate(m->ctx, 2 * m->n, sizeof *x, &x));
  for (ptrdiff_t i = 0; i < m->n; i++) x[i] = 1.0 + fmod(0.6180339887498949 * (double)i, 1.0);
  ms_fem_expand(m, x, 0);
  uint64_t sum = ms_fingerprint_add(MS_FINGERPRINT, x, bytes);
  const ms_status status = ms_fem_multiply(m, m->engine->K, 1, x, x + m->n);
  sum = ms_fingerprint_add(sum, x + m->n, bytes);
  *key = add_points(m, sum);
  ms_free(m->ctx, &x);
  return status;
}

static ms_status path_of(ms_context *ctx, const char *folder, uint64_t key, char **out) {
  char name[64];
  snprintf(name, sizeof name, ".resume/run-flexibility.%016llx", (unsigned long long)key);
  return ms_folder_path(ctx, folder, name, out);
}

ms_status ms_flexibility_read(ms_context *ctx, ptrdiff_t n, const ms_fem_condensed *out,
                              int *found) {
  char *path;
  ms_checkpoint *file = NULL;
  ms_block block;
  if (!ms_context_get_resume(ctx) || out->key == 0) return MS_SUCCESS;
  MS_TRY(path_of(ctx, ms_context_get_resume(ctx), out->key, &path));
  const int is_there = access(path, F_OK) == 0;
  ms_status status = is_there ? ms_checkpoint_read(ctx, path, &file) : MS_SUCCESS;
  if (is_there && !status) status = ms_checkpoint_find(file, "H", &block);
  if (is_there && !status && block.n == n) {
    memcpy(out->H, block.values, (size_t)n * sizeof *out->H);
    ms_log(ctx, MS_LOG_INFO, "flexibility of the contacts: read from %s", path);
    *found = 1;
  }
  ms_checkpoint_destroy(&file);
  ms_free(ctx, &path);
  if (status == MS_ERR_MEMORY) return status;
  ms_context_clear_message(ctx); /* what is damaged is computed again */
  return MS_SUCCESS;
}

static ms_status keep_one(ms_context *ctx, const ms_fem_condensed *c, const char *folder) {
  const ptrdiff_t n = 3 * c->n_point;
  const ms_block block = { "H", n * n, c->H };
  char *path;
  if (!c->H || c->shares_H || c->key == 0) return MS_SUCCESS;
  MS_TRY(path_of(ctx, folder, c->key, &path));
  const ms_status status =
      access(path, F_OK) == 0 ? MS_SUCCESS : ms_checkpoint_write(ctx, path, &block, 1);
  ms_free(ctx, &path);
  return status;
}

ms_status ms_fem_keep_flexibility(ms_context *ctx, const ms_fem_rest *rest, const char *folder) {
  for (int i = 0; i < rest->n_stage; i++) MS_TRY(keep_one(ctx, &rest->stage[i], folder));
  return keep_one(ctx, &rest->free, folder);
}
