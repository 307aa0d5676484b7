/* Loads that act through springs. With A = K + B S_0 B^T, F the loads with a spring k whose far end
   is moved by g, f the others, d = lambda - S_0 z and L = F^T A^-1 F, the force s = k (g - F^T u)
   in the springs is

     s = E (g - L_Ff p + Z_F^T d),   E = (1/k + L)^-1
     z = Z_F E g + (Z_f - Z_F E L_Ff) p - (H - Z_F E Z_F^T) d

   which is a contact with g in the place of loads. -s takes the place of their displacement, so
   that d acts on it by the columns of Z as on any other. Written in s and not in F^T u there are no
   differences of large numbers where springs are stiff. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/dynamic/impl.h"

/* After the headers above: their complex types define I. */
#include <cblas.h>
#include <lapacke.h>

typedef struct work {
  ms_context *ctx;
  const ms_contact *from;
  ptrdiff_t n, m, k;              /* components, loads, loads with a spring */
  ptrdiff_t *spring;              /* k: which */
  double *U;                      /* k x k: Cholesky factor of E^-1, then E; k: its diagonal */
  double *Y;                      /* k x (n + m) */
  double *H, *z_load, *load_load; /* the new ones */
} work;

static ms_status list_springs(work *w, const double *stiffness) {
  MS_TRY(ms_allocate(w->ctx, w->m, sizeof *w->spring, &w->spring));
  for (ptrdiff_t i = 0; i < w->m; i++) {
    if (!(stiffness[i] >= 0.0)) {
      return ms_fail(w->ctx, MS_ERR_BOUNDS,
                     "the spring of load %td is %g N/m; it must be at least 0", i, stiffness[i]);
    }
    if (stiffness[i] > 0.0) w->spring[w->k++] = i;
  }
  return MS_SUCCESS;
}

static ms_status factorise(work *w, const double *stiffness) {
  const ptrdiff_t k = w->k, m = w->m;
  int independent = 1;
  MS_TRY(ms_allocate(w->ctx, k * (k + 1), sizeof *w->U, &w->U));
  double *before = w->U + k * k;
  for (ptrdiff_t j = 0; j < k; j++) {
    for (ptrdiff_t i = 0; i <= j; i++) {
      w->U[i + k * j] = w->from->load_load[w->spring[i] + m * w->spring[j]];
    }
    w->U[j + k * j] += 1.0 / stiffness[w->spring[j]];
    before[j] = w->U[j + k * j];
  }
  if (k == 0) return MS_SUCCESS;
  independent = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', (lapack_int)k, w->U, (lapack_int)k) == 0;
  for (ptrdiff_t j = 0; j < k; j++) {
    const double pivot = w->U[j + k * j];
    independent &= pivot * pivot > w->from->setting.tol.free * before[j];
  }
  if (independent) return MS_SUCCESS;
  return ms_fail(w->ctx, MS_ERR_NUMERIC,
                 "the loads that act through springs depend on each other: a mode twice, or a load "
                 "that is one of the modes?");
}

/* What no spring has changed yet, and Y = U^-T [Z_F^T, L_F]. */
static ms_status copy(work *w) {
  const ms_contact *c = w->from;
  const ptrdiff_t n = w->n, m = w->m, k = w->k;
  MS_TRY(ms_allocate(w->ctx, k * (n + m), sizeof *w->Y, &w->Y));
  MS_TRY(ms_allocate(w->ctx, n * n, sizeof *w->H, &w->H));
  MS_TRY(ms_allocate(w->ctx, n * m, sizeof *w->z_load, &w->z_load));
  MS_TRY(ms_allocate(w->ctx, m * m, sizeof *w->load_load, &w->load_load));
  memcpy(w->H, c->H, (size_t)(n * n) * sizeof *w->H);
  memcpy(w->z_load, c->z_load, (size_t)(n * m) * sizeof *w->z_load);
  memcpy(w->load_load, c->load_load, (size_t)(m * m) * sizeof *w->load_load);
  for (ptrdiff_t i = 0; i < k; i++) {
    cblas_dcopy((int)n, c->z_load + n * w->spring[i], 1, w->Y + i, (int)k);
    cblas_dcopy((int)m, c->load_load + m * w->spring[i], 1, w->Y + k * n + i, (int)k);
  }
  return MS_SUCCESS;
}

/* The rows and columns of loads with a spring: E [Z_F^T, L_F] and -E. */
static void exchange(work *w) {
  const ptrdiff_t n = w->n, m = w->m, k = w->k;
  const double *W = w->Y, *L = W + k * n;
  LAPACKE_dpotri(LAPACK_COL_MAJOR, 'U', (int)k, w->U, (int)k);
  for (ptrdiff_t i = 0; i < k; i++) {
    const ptrdiff_t at = w->spring[i];
    cblas_dcopy((int)n, W + i, (int)k, w->z_load + n * at, 1);
    for (ptrdiff_t j = 0; j < m; j++) {
      w->load_load[at + m * j] = w->load_load[j + m * at] = L[i + k * j];
    }
  }
  for (ptrdiff_t j = 0; j < k; j++) {
    for (ptrdiff_t i = 0; i <= j; i++) {
      const ptrdiff_t row = w->spring[i], column = w->spring[j];
      w->load_load[row + m * column] = w->load_load[column + m * row] = -w->U[i + k * j];
    }
  }
}

static ms_status multiply(work *w) {
  const int n = (int)w->n, m = (int)w->m, k = (int)w->k;
  MS_TRY(copy(w));
  if (k == 0) return MS_SUCCESS;
  double *Y = w->Y, *L = Y + w->k * w->n;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, k, n + m, 1.0, w->U,
              k, Y, k);
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, n, k, -1.0, Y, k, 1.0, w->H, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, m, k, -1.0, Y, k, L, k, 1.0, w->z_load,
              n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, k, -1.0, L, k, L, k, 1.0, w->load_load,
              m);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, k, n + m, 1.0, w->U,
              k, Y, k);
  exchange(w);
  for (ptrdiff_t j = 0; j < w->n; j++) {
    for (ptrdiff_t i = 0; i < j; i++) w->H[j + w->n * i] = w->H[i + w->n * j];
    w->H[j + w->n * j] = fmax(0.0, w->H[j + w->n * j]); /* of a held component: rounding */
  }
  return MS_SUCCESS;
}

static ms_status make(const work *w, const ms_contact *state, ms_contact **out) {
  const ms_contact *c = w->from;
  const ms_contact_problem problem = {
    c->n, c->n_load, c->point, w->H, c->S_0, w->z_load, w->load_load, (const char *const *)c->group
  };
  ms_status status = ms_contact_create(w->ctx, &problem, &c->setting, out);
  if (!status) status = ms_contact_continue(*out, state);
  if (status) ms_contact_destroy(out);
  return status;
}

ms_status ms_contact_make_sprung(ms_context *ctx, const ms_contact *from, const double *stiffness,
                                 const ms_contact *state, ms_contact **out) {
  work w = { .ctx = ctx, .from = from, .n = 3 * from->n, .m = from->n_load };
  ms_status status = list_springs(&w, stiffness);
  if (!status) status = factorise(&w, stiffness);
  if (!status) status = multiply(&w);
  if (!status) status = make(&w, state, out);
  ms_free(ctx, &w.spring);
  ms_free(ctx, &w.U);
  ms_free(ctx, &w.Y);
  ms_free(ctx, &w.H);
  ms_free(ctx, &w.z_load);
  ms_free(ctx, &w.load_load);
  return status;
}

ms_status ms_contact_add_springs(ms_context *ctx, const ms_contact *from, const double *stiffness,
                                 ms_contact **out) {
  MS_MAKE(ctx, out, from && stiffness);
  return ms_contact_make_sprung(ctx, from, stiffness, from, out);
}
