/* Motions of a reduced model as a whole, in a structure that was made of it: a ground that moves,
   and mechanisms, motions without frequency beyond those of one rigid body. */
#include <math.h>
#include <string.h>

#include <microslip/reduced.h>

#include "structure/impl.h"
#include "structure/tolerance.h"
#include "structure/whole_body.h"

/* Coordinates that are one have the sum of what acts on each, and once what is attached there. */
int ms_reduced_feels_ground(const ms_reduced *r, int d) {
  double along = 0.0, all = 0.0;
  for (ptrdiff_t k = 0; r->inertia && k < 3 * r->n; k++) {
    const double size = r->inertia[k] * r->inertia[k];
    all += size;
    if (k % 3 == d) along += size;
  }
  return !r->inertia || sqrt(along) > ms_structure_tol.no_force * sqrt(all);
}

ms_status ms_reduced_add_inertia(const ms_reduced *r, const ms_structure *s, int d, double *y,
                                 double *iota) {
  if (!r->inertia) {
    return ms_fail(s->ctx, MS_ERR_NAME,
                   "this reduced model has no base motion; reduce it again, or name the degrees of "
                   "freedom that follow the ground");
  }
  for (ptrdiff_t j = 0; j < r->n; j++) {
    ptrdiff_t i;
    MS_TRY(ms_structure_find(s, r->name[j], &i));
    if (i == MS_GROUND) continue;
    y[i] += r->inertia[d + 3 * j];
    if (s->mass && strcmp(s->name[i], r->name[j]) == 0) y[i] += s->mass[i] * r->follow[d + 3 * j];
    if (iota) iota[i] = r->follow[d + 3 * j];
  }
  return MS_SUCCESS;
}

/* F (n x 6): the structure as one rigid body. Coordinates that became one have a place in it, or
   none if they are held. */
static ms_status fill_whole(const ms_reduced *r, const ms_structure *s, double *F) {
  for (ptrdiff_t j = 0; j < r->n; j++) {
    ptrdiff_t i;
    MS_TRY(ms_structure_find(s, r->name[j], &i));
    for (int d = 0; d < 3 && i != MS_GROUND; d++) {
      F[i + s->n * d] = r->follow[d + 3 * j];
      F[i + s->n * (3 + d)] = r->turn[d + 3 * j];
    }
  }
  return MS_SUCCESS;
}

ms_status ms_reduced_find_mechanisms(const ms_reduced *r, const ms_structure *s,
                                     ptrdiff_t *n_motion, double **motion) {
  const ptrdiff_t n = s->n;
  ptrdiff_t n_zero = 0, n_whole = 0;
  double *F, *Z;
  *n_motion = 0;
  *motion = NULL;
  while (n_zero < n && s->omega[n_zero] == 0.0) n_zero++;
  if (!r->follow || !r->turn || n_zero == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, n * (12 + n_zero), sizeof *F, &F));
  Z = F + 12 * n;
  memcpy(Z, s->shape, (size_t)(n * n_zero) * sizeof *Z);
  ms_status status = fill_whole(r, s, F);
  for (int d = 0; d < 6; d++) ms_structure_apply_mass(s, 1.0, F + n * d, F + n * (6 + d));
  if (status == MS_SUCCESS)
    status = ms_whole_body_split(s->ctx, n, n_zero, F, F + 6 * n, Z, &n_whole);
  if (status == MS_SUCCESS && n_zero > n_whole) {
    status = ms_allocate(s->ctx, n * (n_zero - n_whole), sizeof *F, motion);
  }
  if (*motion) {
    *n_motion = n_zero - n_whole;
    memcpy(*motion, Z + n * n_whole, (size_t)(n * *n_motion) * sizeof *Z);
  }
  ms_free(s->ctx, &F);
  return status;
}
