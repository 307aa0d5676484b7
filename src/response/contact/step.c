/* One load step by Newton's method on the points that are not what they are in the base state. It
   is an active-set method: every step begins with all closed points stuck, and its residual may
   rise on the way. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "response/contact/impl.h"

void ms_contact_copy_values(const ms_contact *c, const ms_contact_values *from,
                            ms_contact_values *to) {
  const size_t n = (size_t)c->n * sizeof *to->z, loads = (size_t)c->n_load * sizeof *to->p;
  memcpy(to->p, from->p, loads);
  memcpy(to->v, from->v, loads);
  memcpy(to->z, from->z, 3 * n);
  memcpy(to->lambda, from->lambda, 3 * n);
  memcpy(to->y, from->y, 3 * n);
  memcpy(to->m, from->m, 3 * n);
  memcpy(to->dissipated, from->dissipated, n);
  memcpy(to->slip, from->slip, n);
  memcpy(to->status, from->status, (size_t)c->n);
  to->work = from->work;
  to->residual = from->residual;
}

/* A point that is, was and is in the base state stuck, or open, keeps its y. One that slips and was
   closed, and is in the base state, keeps its normal y. What a base state of today would save is
   counted: see ms_contact_follow. */
static void list_unknowns(ms_contact *c) {
  double away = 0.0;
  c->n_unknown = 0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const unsigned char s = c->trial[i];
    const int kept = c->closed[i] != ms_contact_was_open(c, i);
    if (kept && s == (c->closed[i] ? MS_CONTACT_STICK : MS_CONTACT_OPEN)) continue;
    const int components = kept && c->closed[i] && s == MS_CONTACT_SLIP ? 2 : 3;
    away += kept ? 0.0 : 3.0;
    for (int k = 0; k < components; k++) {
      if (!c->held[3 * i + k]) c->unknown[c->n_unknown++] = 3 * i + k;
    }
  }
  const double all = (double)c->n_unknown, others = fmax(0.0, all - away);
  c->spent += all * all * all - others * others * others;
  if (c->n_unknown > c->count.most_unknowns) c->count.most_unknowns = c->n_unknown;
}

static ms_status reserve(ms_contact *c) {
  if (c->n_unknown <= c->capacity) return MS_SUCCESS;
  ptrdiff_t more = 2 * c->n_unknown < 3 * c->n ? 2 * c->n_unknown : 3 * c->n;
  MS_TRY(ms_resize(c->ctx, more * more, sizeof *c->A, &c->A));
  MS_TRY(ms_resize(c->ctx, 7 * more, sizeof *c->right, &c->right));
  c->capacity = more;
  return MS_SUCCESS;
}

/* Unknowns that are displacements are solved for as forces, so that the system has one unit. */
double ms_contact_unit(const ms_contact *c, ptrdiff_t j) {
  return ms_contact_pair_of(c, j).z_y != 0.0 ? 1.0 / c->r[j] : 1.0;
}

/* The laws of the unknowns' points with x = b + M (y + dy): A dy = right. */
void ms_contact_assemble(ms_contact *c) {
  const ptrdiff_t n = 3 * c->n, N = c->n_unknown;
  double *of_x = c->right + N, *of_y = of_x + 3 * N; /* three of each row */
  for (ptrdiff_t row = 0; row < N; row++) {
    const ptrdiff_t i = c->unknown[row] / 3, k = c->unknown[row] % 3;
    ms_contact_rows rows;
    ms_contact_linearise(c, i, &rows);
    c->right[row] = rows.right[k];
    for (int m = 0; m < 3; m++) {
      const ptrdiff_t j = 3 * i + m;
      const ms_contact_pair w = ms_contact_pair_of(c, j);
      of_x[3 * row + m] = rows.C_z[k + 3 * m] * w.z_x + rows.C_l[k + 3 * m] * w.l_x;
      of_y[3 * row + m] = rows.C_z[k + 3 * m] * w.z_y + rows.C_l[k + 3 * m] * w.l_y;
      c->right[row] -= of_x[3 * row + m] * (c->b_p[j] + c->now.m[j]);
      c->right[row] -= of_y[3 * row + m] * c->now.y[j];
    }
  }
  for (ptrdiff_t column = 0; column < N; column++) {
    const ptrdiff_t j = c->unknown[column];
    const double unit = ms_contact_unit(c, j);
    for (ptrdiff_t row = 0; row < N; row++) {
      const ptrdiff_t i = c->unknown[row] / 3;
      const double *M = c->M + n * j + 3 * i, *o = of_x + 3 * row;
      double a = o[0] * M[0] + o[1] * M[1] + o[2] * M[2];
      if (j / 3 == i) a += of_y[3 * row + j % 3];
      c->A[row + N * column] = a * unit;
    }
  }
}

static int solve(ms_contact *c) {
  const int N = (int)c->n_unknown;
  double reciprocal;
  if (N == 0) return 0;
  const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', N, N, c->A, N);
  if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, N, N, c->A, N, c->pivot) != 0) return 1;
  LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', N, c->A, N, norm, &reciprocal);
  if (!(reciprocal > c->setting.tol.singular)) return 1;
  LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', N, 1, c->A, N, c->pivot, c->right, N);
  return 0;
}

/* The scale of forces: the largest, and where all points are open, what would close or shear one.
   A held component keeps its force and scales nothing. */
static double find_scale(const ms_contact *c) {
  double largest = 0.0, closing = 0.0;
  int closed = 0;
  for (ptrdiff_t i = 0; i < 3 * c->n; i++) {
    closed |= c->trial[i / 3] != MS_CONTACT_OPEN;
    if (c->held[i]) continue;
    largest = fmax(largest, fabs(c->lt[i]));
    closing = fmax(closing, c->r[i] * fabs(c->zt[i]));
  }
  return closed ? largest : fmax(largest, closing);
}

/* x, z, lambda everywhere with y + dy; their scale. */
static double evaluate(ms_contact *c) {
  const ptrdiff_t n = 3 * c->n;
  for (ptrdiff_t i = 0; i < n; i++) c->x[i] = c->b_p[i] + c->now.m[i];
  for (ptrdiff_t j = 0; j < n; j++) {
    if (c->dy[j] != 0.0) cblas_daxpy((int)n, c->dy[j], c->M + n * j, 1, c->x, 1);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_contact_pair w = ms_contact_pair_of(c, i);
    const double y = c->now.y[i] + c->dy[i];
    c->zt[i] = w.z_x * c->x[i] + w.z_y * y;
    c->lt[i] = w.l_x * c->x[i] + w.l_y * y;
  }
  return find_scale(c);
}

/* New statuses of the points that miss their law by at least `part` of the largest miss, and the
   residual; whether a status changed. */
static int judge_all(ms_contact *c, double scale, double part, double *residual) {
  const double floor = c->setting.tol.undecided * scale;
  int changed = 0;
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) worst = fmax(worst, ms_contact_miss(c, i));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_contact_status s = ms_contact_judge(c, i, floor);
    if (s == (ms_contact_status)c->trial[i] || ms_contact_miss(c, i) < part * worst) continue;
    c->trial[i] = (unsigned char)s;
    changed = 1;
  }
  *residual = scale > 0.0 ? worst / scale : 0.0;
  return changed;
}

/* Slip is what the springs of a layer do not follow; the friction force is the mean of both ends.
 */
static void add_dissipation(ms_contact *c, ptrdiff_t i) {
  const ms_contact_point *p = &c->point[i];
  const double *z = c->zt + 3 * i, *l = c->lt + 3 * i, *z_0 = c->now.z + 3 * i;
  const double *l_0 = c->now.lambda + 3 * i;
  double s[2];
  for (int k = 0; k < 2; k++) {
    s[k] = z[k] - z_0[k];
    if (p->K_t > 0.0) s[k] -= (l[k] - l_0[k]) / p->K_t;
  }
  const double slip = hypot(s[0], s[1]);
  c->now.slip[i] += slip;
  c->now.dissipated[i] += p->mu * 0.5 * (fmax(0.0, l_0[2]) + fmax(0.0, l[2])) * slip;
}

static void commit(ms_contact *c, const double *p, double residual) {
  const ptrdiff_t n = 3 * c->n, n_load = c->n_load;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const int closes = c->trial[i] == MS_CONTACT_SLIP && ms_contact_was_open(c, i);
    if (c->trial[i] == MS_CONTACT_SLIP && !closes) add_dissipation(c, i);
    c->now.status[i] = closes ? MS_CONTACT_STICK : c->trial[i];
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (c->trial[i / 3] == MS_CONTACT_OPEN) c->lt[i] = 0.0;
    c->dz[i] = c->zt[i] - c->now.z[i];
    c->dl[i] = c->lt[i] - c->now.lambda[i];
    c->now.y[i] += c->dy[i];
    c->now.m[i] = c->x[i] - c->b_p[i];
    c->now.z[i] = c->zt[i];
    c->now.lambda[i] = c->lt[i];
  }
  for (ptrdiff_t k = 0; k < n_load; k++) { /* F^T u */
    const double *Z = c->z_load + n * k;
    double v = 0.0;
    for (ptrdiff_t l = 0; l < n_load; l++) v += c->load_load[k + n_load * l] * p[l];
    for (ptrdiff_t i = 0; i < n; i++) {
      const double z = c->zt[i] + (i % 3 == 2 ? c->point[i / 3].gap : 0.0);
      v -= Z[i] * (c->lt[i] - c->S_0[i] * z);
    }
    v -= c->v_0[k];
    c->now.work += 0.5 * (p[k] + c->now.p[k]) * (v - c->now.v[k]);
    c->now.v[k] = v;
  }
  for (ptrdiff_t k = 0; k < n_load; k++) {
    c->dp[k] = p[k] - c->now.p[k];
    c->now.p[k] = p[k];
  }
  c->moves = 1;
  c->now.residual = residual;
}

/* All closed points stuck, and the state that follows. */
static void start_stuck(ms_contact *c) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const int slides = c->point[i].mu == 0.0 && !c->glued[i];
    c->trial[i] = ms_contact_was_open(c, i) ? MS_CONTACT_OPEN
                  : slides                  ? MS_CONTACT_SLIP
                                            : MS_CONTACT_STICK;
  }
  memset(c->dy, 0, (size_t)(3 * c->n) * sizeof *c->dy);
  evaluate(c);
}

/* The last step goes on; 0: the loads do not. */
static int start_moving(ms_contact *c, const double *p) {
  double along = 0.0, last = 0.0;
  for (ptrdiff_t k = 0; k < c->n_load; k++) {
    along += (p[k] - c->now.p[k]) * c->dp[k];
    last += c->dp[k] * c->dp[k];
  }
  if (!c->moves || !(along > 0.0)) return 0;
  memcpy(c->trial, c->now.status, (size_t)c->n);
  for (ptrdiff_t i = 0; i < 3 * c->n; i++) {
    c->zt[i] = c->now.z[i] + along / last * c->dz[i];
    c->lt[i] = c->now.lambda[i] + along / last * c->dl[i];
  }
  return 1;
}

/* Newton's method from the trial state; MS_NOT_CONVERGED. */
static ms_status iterate(ms_contact *c, int most, double *residual) {
  for (int iteration = 1; iteration <= most; iteration++) {
    MS_TRY(ms_check_stop(c->ctx, "contact"));
    c->count.iterations++;
    c->step_iterations++;
    list_unknowns(c);
    MS_TRY(reserve(c));
    ms_contact_assemble(c);
    c->singular = solve(c);
    if (c->singular) return MS_NOT_CONVERGED;
    memset(c->dy, 0, (size_t)(3 * c->n) * sizeof *c->dy);
    for (ptrdiff_t k = 0; k < c->n_unknown; k++) {
      c->dy[c->unknown[k]] = c->right[k] * ms_contact_unit(c, c->unknown[k]);
    }
    const double scale = evaluate(c);
    if (!(scale < HUGE_VAL)) return MS_NOT_CONVERGED;
    const double part = iteration > c->setting.newton_full ? 0.5 : 0.0;
    const int changed = judge_all(c, scale, part, residual);
    c->tried = *residual;
    if (changed) continue;
    if (*residual <= c->setting.newton_tolerance) return MS_SUCCESS;
  }
  return MS_NOT_CONVERGED;
}

enum { MOST_LIMITS = 60 };

/* How far the trial is from the law with the friction of its own normal forces; these become the
   limits. */
static double renew_limits(ms_contact *c) {
  const double scale = find_scale(c);
  double worst = 0.0;
  c->limited = 0;
  for (ptrdiff_t i = 0; i < c->n; i++) worst = fmax(worst, ms_contact_miss(c, i));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double mu = ms_contact_was_open(c, i) ? 0.0 : c->point[i].mu;
    c->limit[i] = mu * fmax(0.0, c->lt[3 * i + 2]);
  }
  c->limited = 1;
  return scale > 0.0 ? worst / scale : 0.0;
}

/* Friction whose limits are known is a convex problem: a fixed-point iteration on these limits goes
   on where Newton's method turns for ever. Slip is damped, so that what slips altogether with its
   forces in balance has an answer. What was left of Newton's method stays for messages. */
static ms_status iterate_limits(ms_contact *c, double *residual) {
  const int singular = c->singular;
  const double tried = c->tried;
  memcpy(c->left, c->trial, (size_t)c->n);
  start_stuck(c);
  renew_limits(c);
  ms_status status = MS_NOT_CONVERGED;
  for (int k = 0; k < MOST_LIMITS && status == MS_NOT_CONVERGED; k++) {
    status = iterate(c, c->setting.newton_max, residual);
    if (status) break;
    *residual = renew_limits(c);
    if (!(*residual <= c->setting.newton_tolerance)) status = MS_NOT_CONVERGED;
  }
  c->limited = 0;
  if (status == MS_SUCCESS) return status;
  memcpy(c->trial, c->left, (size_t)c->n);
  c->singular = singular;
  c->tried = tried;
  return status;
}

ms_status ms_contact_step(ms_contact *c, const double *p, int careful) {
  const ptrdiff_t n = 3 * c->n;
  double residual = HUGE_VAL;
  memcpy(c->b_p, c->b + n * c->n_load, (size_t)n * sizeof *c->b_p);
  cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)c->n_load, 1.0, c->b, (int)n, p, 1, 1.0,
              c->b_p, 1);
  ms_status status = MS_NOT_CONVERGED;
  if (start_moving(c, p)) status = iterate(c, c->setting.newton_full, &residual);
  if (status == MS_NOT_CONVERGED) {
    start_stuck(c);
    status = iterate(c, c->setting.newton_max, &residual);
  }
  if (status == MS_NOT_CONVERGED && careful) status = iterate_limits(c, &residual);
  if (status == MS_SUCCESS && c->tangent) ms_contact_tangent_step(c);
  if (status == MS_SUCCESS) commit(c, p, residual);
  return status;
}
