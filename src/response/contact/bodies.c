/* Bodies given by their matrices: flexibility at the contact points, preload, closed points.

   With A = K + B S_0 B^T over the degrees of freedom that are not held, scaled to a unit diagonal,
   and its Cholesky factor L with the largest pivots first,

     H = Y^T Y,   Y = L^-1 B

   Where the pivots end before the rows do, the bodies can move without strain and without a change
   at the points. The rows that are left are pinned: loads in balance need nothing of the pins, and
   contacts see relative motions only, so that the pins change no answer. */
#include <microslip/contact_bodies.h>
#include <microslip/contact_dynamics.h>

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/preload.h"

typedef struct work {
  ms_context *ctx;
  const ms_contact_bodies *bodies;
  const ms_contact_setting *setting;
  ptrdiff_t n, m, rank; /* degrees of freedom, those that are not held, pivots */
  double *S_0;          /* 3 n_point */
  ptrdiff_t *row;       /* m: degrees of freedom */
  double *scale;        /* m */
  double *A;            /* m x m, then L */
  lapack_int *pivot;    /* m: row k of L is row pivot[k] - 1 of A */
} work;

static ptrdiff_t count_columns(const work *w) {
  return 3 * w->bodies->n_point;
}

/* Springs as stiff as the nodes of the point are: the mean of b^T K b/b^T b of its components. A
   point between bodies without stiffness of their own has the mean of the others'. */
static ms_status find_springs(work *w) {
  const ptrdiff_t n = w->n, columns = count_columns(w);
  const double *B = w->bodies->B, *K = ms_structure_get_stiffness(w->bodies->structure);
  double *KB, sum = 0.0, most = 0.0;
  ptrdiff_t none = 0;
  MS_TRY(ms_allocate(w->ctx, columns, sizeof *w->S_0, &w->S_0));
  MS_TRY(ms_allocate(w->ctx, n, sizeof *KB, &KB));
  for (ptrdiff_t i = 0; i < columns; i += 3) {
    double stiffness = 0.0, size = 0.0;
    for (ptrdiff_t k = i; k < i + 3; k++) {
      const double *b = B + n * k;
      memset(KB, 0, (size_t)n * sizeof *KB);
      for (ptrdiff_t j = 0; j < n; j++) {
        if (b[j] != 0.0) cblas_daxpy((int)n, b[j], K + n * j, 1, KB, 1);
      }
      stiffness += cblas_ddot((int)n, b, 1, KB, 1);
      size += cblas_ddot((int)n, b, 1, b, 1);
    }
    for (ptrdiff_t k = i; k < i + 3; k++) w->S_0[k] = size > 0.0 ? stiffness / size : 0.0;
    most = fmax(most, w->S_0[i]);
  }
  ms_free(w->ctx, &KB);
  for (ptrdiff_t i = 0; i < columns; i += 3) {
    if (w->S_0[i] > w->setting->tol.held * most)
      sum += w->S_0[i];
    else
      none++;
  }
  if (!(sum > 0.0)) {
    return ms_fail(w->ctx, MS_ERR_ARGUMENT, "the bodies have no stiffness at the contact points");
  }
  for (ptrdiff_t i = 0; i < columns; i++) {
    if (w->S_0[i] <= w->setting->tol.held * most) {
      w->S_0[i] = sum / (double)(w->bodies->n_point - none);
    }
  }
  return MS_SUCCESS;
}

/* The rows of X (n x columns) that are not held, scaled, in the order of the pivots if there are
   some. */
static void gather(const work *w, ptrdiff_t columns, const double *X, double *out) {
  for (ptrdiff_t j = 0; j < columns; j++) {
    for (ptrdiff_t i = 0; i < w->rank; i++) {
      const ptrdiff_t at = w->pivot[i] - 1;
      out[i + w->rank * j] = w->scale[at] * X[w->row[at] + w->n * j];
    }
  }
}

static ms_status factorise(work *w, const unsigned char *held) {
  const ptrdiff_t n = w->n, columns = count_columns(w);
  const double *K = ms_structure_get_stiffness(w->bodies->structure);
  double *B = NULL;
  lapack_int rank = 0;
  MS_TRY(ms_allocate(w->ctx, n, sizeof *w->row, &w->row));
  MS_TRY(ms_allocate(w->ctx, n, sizeof *w->scale, &w->scale));
  MS_TRY(ms_allocate(w->ctx, n, sizeof *w->pivot, &w->pivot));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!held || !held[i]) w->row[w->m++] = i;
  }
  const ptrdiff_t m = w->m;
  if (m == 0) return ms_fail(w->ctx, MS_ERR_ARGUMENT, "all degrees of freedom are held");
  MS_TRY(ms_allocate(w->ctx, m * m, sizeof *w->A, &w->A));
  MS_TRY(ms_allocate(w->ctx, m * columns, sizeof *B, &B));
  for (ptrdiff_t j = 0; j < m; j++) {
    for (ptrdiff_t i = 0; i < m; i++) w->A[i + m * j] = K[w->row[i] + n * w->row[j]];
  }
  for (ptrdiff_t k = 0; k < columns; k++) {
    for (ptrdiff_t i = 0; i < m; i++) {
      B[i + m * k] = sqrt(w->S_0[k]) * w->bodies->B[w->row[i] + n * k];
    }
  }
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)m, (int)columns, 1.0, B, (int)m, 1.0,
              w->A, (int)m);
  ms_free(w->ctx, &B);
  for (ptrdiff_t i = 0; i < m; i++) {
    const double a = w->A[i + m * i];
    w->scale[i] = a > 0.0 ? 1.0 / sqrt(a) : 1.0;
  }
  for (ptrdiff_t j = 0; j < m; j++) {
    for (ptrdiff_t i = j; i < m; i++) w->A[i + m * j] *= w->scale[i] * w->scale[j];
  }
  LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', (lapack_int)m, w->A, (lapack_int)m, w->pivot, &rank,
                 w->setting->tol.free);
  w->rank = rank;
  return MS_SUCCESS;
}

/* Motions without strain (n x free): x_1 = -L_11^-T L_21^T x_2 for each unit x_2. */
static void fill_free(const work *w, double *free) {
  const ptrdiff_t m = w->m, rank = w->rank;
  memset(free, 0, (size_t)(w->n * (m - rank)) * sizeof *free);
  for (ptrdiff_t k = rank; k < m; k++) {
    double *x = w->A + k; /* row k of L_21, spent */
    for (ptrdiff_t i = 0; i < rank; i++) x[m * i] = -x[m * i];
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)rank, w->A, (int)m, x,
                (int)m);
    double *u = free + w->n * (k - rank);
    for (ptrdiff_t i = 0; i < rank; i++) {
      const ptrdiff_t at = w->pivot[i] - 1;
      u[w->row[at]] = w->scale[at] * x[m * i];
    }
    u[w->row[w->pivot[k] - 1]] = w->scale[w->pivot[k] - 1];
  }
}

static ms_status check_free(const work *w, ptrdiff_t n_load, const double *load) {
  double *free;
  if (w->rank == w->m) return MS_SUCCESS;
  MS_TRY(ms_allocate(w->ctx, w->n * (w->m - w->rank), sizeof *free, &free));
  fill_free(w, free);
  const ms_status status = ms_contact_check_balance(w->ctx, w->n, n_load, load, w->m - w->rank,
                                                    free, w->setting->tol.unbalanced);
  ms_free(w->ctx, &free);
  return status;
}

static ms_status reserve(const work *w, ms_contact_condensed *o) {
  const ptrdiff_t n = count_columns(w);
  MS_TRY(ms_allocate(w->ctx, o->n_point, sizeof *o->point, &o->point));
  MS_TRY(ms_allocate(w->ctx, n * n, sizeof *o->H, &o->H));
  MS_TRY(ms_allocate(w->ctx, n, sizeof *o->S_0, &o->S_0));
  MS_TRY(ms_allocate(w->ctx, n * o->n_load, sizeof *o->z_load, &o->z_load));
  MS_TRY(ms_allocate(w->ctx, o->n_load * o->n_load, sizeof *o->load_load, &o->load_load));
  for (ptrdiff_t i = 0; i < o->n_point; i++) {
    const ms_contact_site *p = &w->bodies->point[i];
    o->point[i] = (ms_contact_point) { p->mu, p->gap, p->K_n, p->K_t, p->contact };
  }
  memcpy(o->S_0, w->S_0, (size_t)n * sizeof *o->S_0);
  return MS_SUCCESS;
}

/* H, Z and load_load from Y = L^-1 [B, load]. */
static ms_status multiply(const work *w, const double *load, ms_contact_condensed *o) {
  const int n = (int)count_columns(w), loads = (int)o->n_load, rank = (int)w->rank;
  double *Y;
  MS_TRY(ms_allocate(w->ctx, (ptrdiff_t)rank * (n + loads), sizeof *Y, &Y));
  double *F = Y + (ptrdiff_t)rank * n;
  gather(w, n, w->bodies->B, Y);
  gather(w, loads, load, F);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, rank, n + loads,
              1.0, w->A, (int)w->m, Y, rank);
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, n, rank, 1.0, Y, rank, 0.0, o->H, n);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < j; i++) o->H[j + n * i] = o->H[i + n * j];
  }
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, loads, rank, 1.0, Y, rank, F, rank, 0.0,
              o->z_load, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, loads, loads, rank, 1.0, F, rank, F, rank,
              0.0, o->load_load, loads);
  ms_free(w->ctx, &Y);
  return MS_SUCCESS;
}

/* *n_free (may be NULL): motions that nothing holds. */
static ms_status condense(ms_context *ctx, const ms_contact_bodies *bodies,
                          const unsigned char *held, ptrdiff_t n_load, const double *load,
                          const ms_contact_setting *setting, ptrdiff_t *n_free,
                          ms_contact_condensed *out) {
  work w = {
    .ctx = ctx, .bodies = bodies, .setting = setting, .n = ms_structure_get_size(bodies->structure)
  };
  *out = (ms_contact_condensed) { .n_point = bodies->n_point, .n_load = n_load };
  ms_status status = find_springs(&w);
  if (!status) status = reserve(&w, out);
  if (!status) status = factorise(&w, held);
  if (!status) status = multiply(&w, load, out);
  if (!status) status = check_free(&w, n_load, load); /* spends L_21 */
  if (n_free) *n_free = w.m - w.rank;
  ms_free(ctx, &w.S_0);
  ms_free(ctx, &w.row);
  ms_free(ctx, &w.scale);
  ms_free(ctx, &w.A);
  ms_free(ctx, &w.pivot);
  if (status) ms_contact_condensed_free(ctx, out);
  return status;
}

static ms_status check_bodies(ms_context *ctx, const ms_contact_bodies *b) {
  MS_NEED(ctx, b && b->structure && b->point && b->B);
  if (b->n_point > 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "bodies in contact have at least one point");
}

/* ---- preload ---- */

static ms_status run_stage(ms_context *ctx, const ms_contact_bodies *b,
                           const ms_contact_stage *stage, const ms_contact_setting *setting,
                           ms_contact_rest *rest) {
  ms_contact_condensed c;
  MS_TRY(condense(ctx, b, stage->held, 1, stage->load, setting, &rest->n_free, &c));
  const ms_contact_problem problem = ms_contact_condensed_get(&c);
  const ms_contact_pressing how = { 1.0, stage->steps,  stage->friction,
                                    1,   stage->n_glue, stage->glue };
  const ms_status status = ms_contact_push_stage(ctx, &problem, setting, &how, rest);
  ms_contact_condensed_free(ctx, &c);
  return status;
}

static ms_status run_stages(ms_context *ctx, const ms_contact_bodies *b, int n_stage,
                            const ms_contact_stage *stage, const ms_contact_setting *setting,
                            ms_contact_rest *out) {
  MS_TRY(ms_allocate(ctx, b->n_point, sizeof *out->point, &out->point));
  memcpy(out->point, b->point, (size_t)b->n_point * sizeof *out->point);
  out->n_point = b->n_point;
  for (int i = 0; i < n_stage; i++) {
    const ms_status status = run_stage(ctx, b, &stage[i], setting, out);
    if (status && n_stage > 1) return ms_fail_at(ctx, status, "stage %d of the preload", i + 1);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

ms_status ms_contact_find_rest(ms_context *ctx, const ms_contact_bodies *b, int n_stage,
                               const ms_contact_stage *stage, const ms_contact_setting *setting,
                               ms_contact_rest *out) {
  ms_contact_setting own = MS_CONTACT_DEFAULT;
  double *nothing = NULL;
  *out = (ms_contact_rest) { 0 };
  MS_TRY(check_bodies(ctx, b));
  MS_TAKE(ctx, ms_contact_default, setting, own);
  MS_TRY(ms_allocate(ctx, ms_structure_get_size(b->structure), sizeof *nothing, &nothing));
  const ms_contact_stage unloaded = { .load = nothing, .friction = 1, .steps = 1 };
  ms_status status =
      run_stages(ctx, b, n_stage > 0 ? n_stage : 1, n_stage > 0 ? stage : &unloaded, setting, out);
  ms_free(ctx, &nothing);
  if (!status) status = ms_contact_rebase(out->contact);
  if (status) ms_contact_rest_free(ctx, out);
  return status;
}

/* ---- at rest ---- */

/* u = T v: what is left of u where the closed points of rigid contacts stick, B_c^T u = 0. By
   elimination along the rows of B_c^T: each makes one degree of freedom follow the others. */
typedef struct followers {
  ptrdiff_t n, m;  /* of u, of v */
  ptrdiff_t *kept; /* m: place in u */
  double *T;       /* n x m */
} followers;

/* Whether component k, counted over all points, is held in modes at rest. */
static int is_held(const ms_contact_rest *rest, ptrdiff_t k) {
  const int status = rest ? ms_contact_mode_status(rest, k / 3) : MS_CONTACT_STICK;
  return status == MS_CONTACT_STICK || (status == MS_CONTACT_SLIP && k % 3 == 2);
}

/* Rows (each n long) of the constraints, reduced: in column leads[k] row k alone has an entry, 1.
 */
static ptrdiff_t reduce(ptrdiff_t n, ptrdiff_t rows, double *R, ptrdiff_t *leads, double rounding) {
  ptrdiff_t n_lead = 0;
  for (ptrdiff_t k = 0; k < rows; k++) {
    double *row = R + n * k, *to = R + n * n_lead, before = 0.0;
    ptrdiff_t lead = 0;
    for (ptrdiff_t i = 0; i < n; i++) before = fmax(before, fabs(row[i]));
    for (ptrdiff_t j = 0; j < n_lead; j++) {
      const double part = row[leads[j]];
      if (part != 0.0) cblas_daxpy((int)n, -part, R + n * j, 1, row, 1);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      if (fabs(row[i]) > fabs(row[lead])) lead = i;
    }
    if (fabs(row[lead]) <= rounding * before) continue; /* it follows from the others */
    const double one = row[lead];
    for (ptrdiff_t i = 0; i < n; i++) to[i] = row[i] / one;
    for (ptrdiff_t j = 0; j < n_lead; j++) {
      const double part = R[lead + n * j];
      if (part != 0.0) cblas_daxpy((int)n, -part, to, 1, R + n * j, 1);
    }
    leads[n_lead++] = lead;
  }
  return n_lead;
}

static ms_status fill_followers(ms_context *ctx, const double *R, ptrdiff_t n_lead,
                                const ptrdiff_t *leads, double rounding, followers *f) {
  unsigned char *follows;
  f->m = f->n - n_lead;
  if (f->m == 0) return ms_fail(ctx, MS_ERR_ARGUMENT, "the closed points leave nothing to move");
  MS_TRY(ms_allocate(ctx, f->n, 1, &follows));
  ms_status status = ms_allocate(ctx, f->m, sizeof *f->kept, &f->kept);
  if (!status) status = ms_allocate(ctx, f->n * f->m, sizeof *f->T, &f->T);
  for (ptrdiff_t k = 0; k < n_lead && !status; k++) follows[leads[k]] = 1;
  for (ptrdiff_t i = 0, j = 0; i < f->n && !status; i++) {
    if (follows[i]) continue;
    f->kept[j] = i;
    f->T[i + f->n * j] = 1.0;
    for (ptrdiff_t k = 0; k < n_lead; k++) {
      const double t = -R[i + f->n * k], *one = fabs(t - 1.0) <= rounding ? &(double) { 1.0 } : &t;
      if (fabs(t) > rounding) f->T[leads[k] + f->n * j] = *one;
    }
    j++;
  }
  ms_free(ctx, &follows);
  return status;
}

static ms_status find_followers(ms_context *ctx, const ms_contact_bodies *b,
                                const ms_contact_rest *rest, double rounding, followers *f) {
  double *R = NULL;
  ptrdiff_t *leads = NULL, rows = 0;
  *f = (followers) { .n = ms_structure_get_size(b->structure) };
  ms_status status = ms_allocate(ctx, 3 * f->n * b->n_point, sizeof *R, &R);
  if (!status) status = ms_allocate(ctx, 3 * b->n_point, sizeof *leads, &leads);
  for (ptrdiff_t k = 0; k < 3 * b->n_point && !status; k++) {
    if (b->point[k / 3].K_n > 0.0 || !is_held(rest, k)) continue;
    memcpy(R + f->n * rows++, b->B + f->n * k, (size_t)f->n * sizeof *R);
  }
  if (!status) {
    const ptrdiff_t n_lead = reduce(f->n, rows, R, leads, rounding);
    status = fill_followers(ctx, R, n_lead, leads, rounding, f);
  }
  ms_free(ctx, &R);
  ms_free(ctx, &leads);
  return status;
}

static void free_followers(ms_context *ctx, followers *f) {
  ms_free(ctx, &f->kept);
  ms_free(ctx, &f->T);
}

/* to := T^T A T, m x m; product is n x m. */
static void project(const followers *f, const double *A, double *product, double *to) {
  const int n = (int)f->n, m = (int)f->m;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, m, 1.0, A, n, f->T, n, 0.0, product, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, f->T, n, product, n, 0.0, to,
              m);
  for (ptrdiff_t j = 0; j < m; j++) {
    for (ptrdiff_t i = 0; i < j; i++) {
      to[i + m * j] = to[j + m * i] = 0.5 * (to[i + m * j] + to[j + m * i]);
    }
  }
}

/* Names of what is one with another, or with the ground. */
static ms_status add_aliases(const ms_structure *from, const followers *f, ms_structure *to) {
  for (ptrdiff_t i = 0, next = 0; i < f->n; i++) {
    ptrdiff_t terms = 0, of = MS_GROUND;
    if (next < f->m && f->kept[next] == i) {
      next++;
      continue;
    }
    for (ptrdiff_t j = 0; j < f->m; j++) {
      if (f->T[i + f->n * j] != 0.0) terms++, of = j;
    }
    if (terms > 1 || (terms == 1 && f->T[i + f->n * of] != 1.0)) continue;
    MS_TRY(ms_structure_add_alias(to, ms_structure_get_name(from, i), of));
  }
  return MS_SUCCESS;
}

static ms_status stick(ms_context *ctx, const ms_contact_bodies *b, const ms_contact_rest *rest,
                       const followers *f, double *K, double *product, ms_structure **out) {
  const ptrdiff_t n = f->n;
  const char **name;
  memcpy(K, ms_structure_get_stiffness(b->structure), (size_t)(n * n) * sizeof *K);
  for (ptrdiff_t k = 0; k < 3 * b->n_point; k++) {
    const ms_contact_site *p = &b->point[k / 3];
    if (p->K_n == 0.0 || !is_held(rest, k)) continue;
    cblas_dsyr(CblasColMajor, CblasLower, (int)n, k % 3 == 2 ? p->K_n : p->K_t, b->B + n * k, 1, K,
               (int)n);
  }
  MS_TRY(ms_allocate(ctx, f->m, sizeof *name, &name));
  for (ptrdiff_t j = 0; j < f->m; j++) {
    name[j] = ms_structure_get_name(b->structure, f->kept[j]);
  }
  ms_status status = ms_structure_create(ctx, f->m, name, out);
  ms_free(ctx, &name);
  double *to = product + n * f->m;
  if (!status) {
    project(f, K, product, to);
    status = ms_structure_set_stiffness(*out, to);
  }
  if (!status) {
    project(f, ms_structure_get_mass(b->structure), product, to);
    status = ms_structure_set_mass(*out, to);
  }
  return status ? status : add_aliases(b->structure, f, *out);
}

ms_status ms_contact_stick(ms_context *ctx, const ms_contact_bodies *b, const ms_contact_rest *rest,
                           const ms_contact_setting *setting, ms_structure **out) {
  ms_contact_setting own = MS_CONTACT_DEFAULT;
  followers f = { 0 };
  double *K = NULL, *product = NULL;
  MS_MAKE(ctx, out, b && b->structure && b->point && b->B);
  MS_TAKE(ctx, ms_contact_default, setting, own);
  ms_status status = find_followers(ctx, b, rest, setting->tol.follows, &f);
  if (!status) status = ms_allocate(ctx, f.n * f.n, sizeof *K, &K);
  if (!status) status = ms_allocate(ctx, (f.n + f.m) * f.m, sizeof *product, &product);
  if (!status) status = stick(ctx, b, rest, &f, K, product, out);
  if (status) ms_structure_destroy(out);
  free_followers(ctx, &f);
  ms_free(ctx, &K);
  ms_free(ctx, &product);
  return status;
}

/* Loads M phi of n_mode modes, nothing where omega = 0, and n_load others. */
typedef struct modal_work {
  ms_context *ctx;
  const ms_contact_bodies *bodies;
  const followers *f;
  const ms_modes *modes;
  ptrdiff_t n_mode, n_load;
  double *u, *momentum; /* phi and M phi, n x n_mode */
  double *load;         /* n x (n_mode + n_load) */
} modal_work;

static ms_status fill_shapes(modal_work *w) {
  const int n = (int)w->f->n, m = (int)w->f->m, k = (int)w->n_mode;
  MS_TRY(ms_allocate(w->ctx, w->f->n * w->n_mode, sizeof *w->u, &w->u));
  MS_TRY(ms_allocate(w->ctx, w->f->n * w->n_mode, sizeof *w->momentum, &w->momentum));
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, k, m, 1.0, w->f->T, n, w->modes->shape,
              m, 0.0, w->u, n);
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, k, 1.0,
              ms_structure_get_mass(w->bodies->structure), n, w->u, n, 0.0, w->momentum, n);
  return MS_SUCCESS;
}

/* Other loads lose what pushes rigid-body modes, of some all but rounding; follow: F^T phi. */
static void balance(const modal_work *w, const double *other, double *F, double *follow,
                    double rounding) {
  const ptrdiff_t n = w->f->n;
  const double before = cblas_dnrm2((int)n, other, 1);
  memcpy(F, other, (size_t)n * sizeof *F);
  for (ptrdiff_t r = 0; r < w->n_mode; r++) {
    follow[w->n_load * r] = cblas_ddot((int)n, w->u + n * r, 1, other, 1);
    if (w->modes->omega[r] > 0.0) continue;
    cblas_daxpy((int)n, -follow[w->n_load * r], w->momentum + n * r, 1, F, 1);
  }
  if (cblas_dnrm2((int)n, F, 1) <= rounding * before) memset(F, 0, (size_t)n * sizeof *F);
}

static ms_status fill_loads(modal_work *w, const double *other, double *follow, double rounding) {
  const ptrdiff_t n = w->f->n;
  MS_TRY(ms_allocate(w->ctx, n * (w->n_mode + w->n_load), sizeof *w->load, &w->load));
  for (ptrdiff_t r = 0; r < w->n_mode; r++) {
    if (w->modes->omega[r] == 0.0) continue;
    memcpy(w->load + n * r, w->momentum + n * r, (size_t)n * sizeof *w->load);
  }
  for (ptrdiff_t k = 0; k < w->n_load; k++) {
    balance(w, other + n * k, w->load + n * (w->n_mode + k), follow + k, rounding);
  }
  return MS_SUCCESS;
}

static ms_status load_modes(modal_work *w, const ms_contact_rest *rest, const double *other,
                            double *follow, const ms_contact_setting *setting, ms_contact **out) {
  ms_contact_condensed c = { 0 };
  if (w->modes->n != w->f->m) {
    return ms_fail(w->ctx, MS_ERR_ARGUMENT, "the modes are not those of the bodies at rest");
  }
  ms_status status = fill_shapes(w);
  if (!status) status = fill_loads(w, other, follow, setting->tol.unbalanced);
  if (!status) {
    status = condense(w->ctx, w->bodies, NULL, w->n_mode + w->n_load, w->load, setting, NULL, &c);
  }
  if (!status) {
    const ms_contact_problem problem = ms_contact_condensed_get(&c);
    status = ms_contact_create(w->ctx, &problem, setting, out);
  }
  if (!status) status = ms_contact_continue(*out, rest->contact);
  if (status) ms_contact_destroy(out);
  ms_contact_condensed_free(w->ctx, &c);
  ms_free(w->ctx, &w->u);
  ms_free(w->ctx, &w->momentum);
  ms_free(w->ctx, &w->load);
  return status;
}

static ms_status open_modes(ms_context *ctx, const ms_contact_bodies *b,
                            const ms_contact_rest *rest, const ms_modes *modes, ptrdiff_t n_load,
                            const double *other, const ms_contact_setting *setting,
                            ms_contact_modal *out) {
  followers f = { 0 };
  const ptrdiff_t n_mode = out->n_mode;
  ms_status status = find_followers(ctx, b, rest, setting->tol.follows, &f);
  modal_work w = { ctx, b, &f, modes, n_mode, n_load, NULL, NULL, NULL };
  out->n_load = n_load;
  if (!status) status = ms_allocate(ctx, n_mode, sizeof *out->omega, &out->omega);
  if (!status) status = ms_allocate(ctx, n_mode * n_load, sizeof *out->follow, &out->follow);
  if (!status) {
    memcpy(out->omega, modes->omega, (size_t)n_mode * sizeof *out->omega);
    status = load_modes(&w, rest, other, out->follow, setting, &out->contact);
  }
  free_followers(ctx, &f);
  return status;
}

ms_status ms_contact_find_modal(ms_context *ctx, const ms_contact_bodies *b,
                                const ms_contact_rest *rest, const ms_structure *stuck,
                                ptrdiff_t n_mode, ptrdiff_t n_load, const double *load,
                                const ms_contact_setting *setting, ms_contact_modal *out) {
  ms_contact_setting own = MS_CONTACT_DEFAULT;
  MS_NEED(ctx, ctx && out && b && b->structure && b->point && b->B && rest && rest->contact &&
                   stuck && (load || n_load == 0));
  *out = (ms_contact_modal) { 0 };
  MS_TAKE(ctx, ms_contact_default, setting, own);
  const ms_modes modes = ms_structure_get_stuck(stuck);
  out->n_mode = n_mode < modes.n ? n_mode : modes.n;
  if (n_mode < 1 || n_load < 0) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td modes and %td loads; at least 1 and 0", n_mode,
                   n_load);
  }
  const ms_status status = open_modes(ctx, b, rest, &modes, n_load, load, setting, out);
  if (status) ms_contact_modal_free(ctx, out);
  return status;
}

void ms_contact_modal_free(ms_context *ctx, ms_contact_modal *modal) {
  ms_contact_destroy(&modal->contact);
  ms_free(ctx, &modal->omega);
  ms_free(ctx, &modal->follow);
  *modal = (ms_contact_modal) { 0 };
}

ms_status ms_contact_load_modes(ms_context *ctx, const ms_contact_bodies *b,
                                const ms_contact_rest *rest, const ms_structure *stuck, ptrdiff_t n,
                                const ms_contact_setting *setting, ms_contact **out) {
  ms_contact_modal modal = { 0 };
  MS_MAKE(ctx, out, b && b->structure && b->point && b->B && rest && stuck);
  MS_TRY(ms_contact_find_modal(ctx, b, rest, stuck, n, 0, NULL, setting, &modal));
  *out = modal.contact;
  modal.contact = NULL;
  ms_contact_modal_free(ctx, &modal);
  return MS_SUCCESS;
}
