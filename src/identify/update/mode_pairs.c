/* Which slipped mode is which stuck one. With joints that slip, modes change places and rigid-body
   modes come in below; by their ranks they would be put together at random. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/update.h>

#include "core/internal.h"

/* MAC of stuck mode r and slipped mode k: (phi_r^T M psi_k)^2, both being mass-normalised. The
   pairs have the largest sum of it. */
static ms_status pair(ms_context *ctx, const ms_structure *s, double *work, ms_mode_pairs *out) {
  ms_modes stuck = ms_structure_get_stuck(s), slipped = ms_structure_get_slipped(s);
  const int n = (int)stuck.n;
  double *MX = work, *cost = work + stuck.n * stuck.n;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, n, 1.0, ms_structure_get_mass(s), n,
              slipped.shape, n, 0.0, MX, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, 1.0, stuck.shape, n, MX, n, 0.0,
              cost, n);
  for (ptrdiff_t i = 0; i < stuck.n * stuck.n; i++) cost[i] = 1.0 - cost[i] * cost[i];
  MS_TRY(ms_assign(ctx, stuck.n, stuck.n, cost, out->slipped));
  for (ptrdiff_t r = 0; r < stuck.n; r++) out->mac[r] = 1.0 - cost[r + stuck.n * out->slipped[r]];
  return MS_SUCCESS;
}

ms_status ms_mode_pairs_find(ms_context *ctx, const ms_structure *s, ms_mode_pairs *out) {
  double *work = NULL;
  MS_NEED(ctx, ctx && s && out);
  const ptrdiff_t n = ms_structure_get_stuck(s).n;
  *out = (ms_mode_pairs) { 0 };
  ms_status status = ms_allocate(ctx, n, sizeof *out->slipped, &out->slipped);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, n, sizeof *out->mac, &out->mac);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 2 * n * n, sizeof *work, &work);
  if (status == MS_SUCCESS) status = pair(ctx, s, work, out);
  ms_free(ctx, &work);
  if (status != MS_SUCCESS) ms_mode_pairs_free(ctx, out);
  return status;
}

ms_status ms_mode_pairs_find_mac(ms_context *ctx, const ms_structure *s, const ms_mode_pairs *pairs,
                                 ms_mac_matrix *out) {
  MS_NEED(ctx, ctx && s && pairs && out);
  const ms_modes stuck = ms_structure_get_stuck(s), slipped = ms_structure_get_slipped(s);
  const ptrdiff_t n = stuck.n;
  double *force;
  out->n_row = out->n_column = 0;
  for (ptrdiff_t r = 0; r < n && out->n_row < MS_MAC_MOST; r++)
    if (stuck.omega[r] > 0.0) out->row[out->n_row++] = r;
  for (ptrdiff_t k = 0; k < n && out->n_column < MS_MAC_MOST; k++) {
    ptrdiff_t r = 0;
    while (pairs->slipped[r] != k) r++;
    if (stuck.omega[r] > 0.0 || slipped.omega[k] > 0.0) out->column[out->n_column++] = k;
  }
  MS_TRY(ms_allocate(ctx, n, sizeof *force, &force));
  for (ptrdiff_t j = 0; j < out->n_column; j++) {
    memset(force, 0, (size_t)n * sizeof *force);
    ms_structure_apply_mass(s, 1.0, slipped.shape + n * out->column[j], force);
    for (ptrdiff_t i = 0; i < out->n_row; i++) {
      const double product = ms_structure_get_modal_force(s, out->row[i], force, NULL);
      out->mac[i + out->n_row * j] = product * product;
    }
  }
  ms_free(ctx, &force);
  return MS_SUCCESS;
}

void ms_mode_pairs_free(ms_context *ctx, ms_mode_pairs *pairs) {
  ms_free(ctx, &pairs->slipped);
  ms_free(ctx, &pairs->mac);
}

int ms_mode_pair_warning(const ms_mode_pair *a, ptrdiff_t measured, double omega, char *text,
                         size_t size) {
  const double f = omega / (2.0 * acos(-1.0));
  if (a->rival >= 0 && a->rival_mac > a->mac - MS_PAIR_AMBIGUOUS) {
    snprintf(text, size,
             "measured mode %td (%.5g Hz) could be mode %td of the model (MAC %.2f) or mode %td "
             "(MAC %.2f): the sensors hardly distinguish them",
             measured + 1, f, a->mode + 1, a->mac, a->rival + 1, a->rival_mac);
    return 1;
  }
  if (a->mac >= MS_PAIR_POOR) return 0;
  snprintf(text, size,
           "the MAC of measured mode %td (%.5g Hz) and mode %td of the model is only %.2f",
           measured + 1, f, a->mode + 1, a->mac);
  return 1;
}
