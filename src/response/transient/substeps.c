/* A step of the run, from one output to the next, taken in parts of step/2^k, each at a multiple of
   its own length: outputs are hit exactly, and each length has its coefficients once and for all,
   computed when it is first used. */
#include <math.h>

#include "response/transient/impl.h"

static ms_status allocate_part(ms_transient *run, ms_part *part) {
  ms_context *ctx = run->ctx;
  MS_TRY(ms_allocate(ctx, run->method->coefficients(run), sizeof(double), &part->coefficient));
  MS_TRY(ms_allocate(ctx, run->m, sizeof(double), &part->gq));
  MS_TRY(ms_allocate(ctx, run->m, sizeof(double), &part->gv));
  MS_TRY(ms_allocate(ctx, run->n * run->n, sizeof(double), &part->H));
  return ms_allocate(ctx, run->n * run->n, sizeof(double), &part->Hv);
}

ms_status ms_parts_open(ms_transient *run, int n_level) {
  double **joint[] = { &run->z_begin, &run->f_begin, &run->d_begin };
  run->part[0] = (ms_part) { run->dt, run->coefficient, run->gq, run->gv, run->H, run->Hv, 1 };
  for (int i = 0; i < 3; i++) MS_TRY(ms_allocate(run->ctx, run->n, sizeof(double), joint[i]));
  for (int k = 1; k < n_level; k++) {
    run->part[k].dt = ldexp(run->setting.step, -k);
    run->n_part = k + 1;
    MS_TRY(allocate_part(run, &run->part[k]));
  }
  return MS_SUCCESS;
}

void ms_parts_close(ms_transient *run) {
  if (run->n_part > 0) (void)ms_parts_use(run, 0); /* the run frees these */
  for (int k = 1; k < run->n_part; k++) {
    ms_part *part = &run->part[k];
    double **own[] = { &part->coefficient, &part->gq, &part->gv, &part->H, &part->Hv };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) ms_free(run->ctx, own[i]);
  }
}

ms_status ms_parts_use(ms_transient *run, int k) {
  ms_part *part = &run->part[k];
  if (run->n_part == 0) return MS_SUCCESS;
  run->level = k;
  run->dt = part->dt;
  run->coefficient = part->coefficient;
  run->gq = part->gq;
  run->gv = part->gv;
  run->H = part->H;
  run->Hv = part->Hv;
  if (part->ready) return MS_SUCCESS;
  MS_TRY(run->method->prepare(run));
  ms_transient_fill_H(run);
  part->ready = 1;
  return MS_SUCCESS;
}

void ms_parts_keep(ms_transient *run) {
  for (ptrdiff_t i = 0; i < run->n; i++) {
    run->z_begin[i] = run->z[i];
    run->f_begin[i] = run->f[i];
    run->d_begin[i] = run->d[i];
  }
}

void ms_parts_put_back(ms_transient *run, int loaded) {
  for (ptrdiff_t i = 0; i < run->n; i++) {
    run->z[i] = run->z_begin[i];
    run->f[i] = run->f_begin[i];
    run->d[i] = run->d_begin[i];
  }
  for (ptrdiff_t r = 0; r < run->m; r++) run->p_next[r] = 0.0;
  run->loaded = loaded;
  run->count.rejected++;
}
