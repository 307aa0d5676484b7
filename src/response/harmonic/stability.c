/* Stability of a periodic motion by Floquet's multipliers. A small disturbance (q, v) of the modes
   obeys

     q' = v,   v' + C(t) v + K(t) q + Gamma r = 0,
     K = omega^2 + Gamma (df/dz - K_T) Gamma^T,   C = c + Gamma df/dv Gamma^T

   along the motion, where r is the force of what the disturbance has done to the joints' memory so
   far; of attachments with curvature Gamma turns with the motion (levers below). The trapezoidal
   rule takes it from one time point to the next, and the joints' tangents take the memory along, so
   that the whole state (q, v, memory) goes from period to period.

   2m disturbances span all of (q, v). Without memory they are all there is, and the eigenvalues
   after one period are the multipliers. With memory the state is larger: period after period the
   disturbances, memory and all, are combined to such that are orthogonal in (q, v/Omega), which
   turns them to the slowest decay (subspace iteration), until the largest multiplier stays.

   Contact between solids is one joint with memory that has its own derivatives (contact.c). Modes
   that its time points do not resolve are slaved to the others, as they are in time: no inertia. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "response/harmonic/impl.h"

enum { PERIODS = 60, AXES = MS_JOINT_MAX_AXIS };

typedef struct floquet {
  ptrdiff_t m;
  double *K, *C, *K_next, *C_next, *A; /* m x m */
  double *q, *v, *b;                   /* m x 2m, column by disturbance; b: right-hand side */
  double *p, *p_next;                  /* Gamma r, m x 2m */
  double *x, *M, *S;                   /* 2m x 2m: (q, v/Omega), its map, its new directions */
  double *u, *w, *r;                   /* 2m x AXES: rows for a joint's tangent */
  double *g;                           /* 2m x AXES: levers */
  double *re, *im, *work;              /* 2m, 2m, 16m */
  double *slaved;                      /* m: 1 where a mode has no inertia */
} floquet;

static ptrdiff_t size_of_workspace(ptrdiff_t m) {
  return 27 * m * m + (8 * AXES + 21) * m;
}

static floquet view(const ms_harmonic *h) {
  const ptrdiff_t m = h->m;
  double *at = h->floquet;
  floquet f = { .m = m };
  double **square[] = { &f.K, &f.C, &f.K_next, &f.C_next, &f.A };
  double **wide[] = { &f.q, &f.v, &f.b, &f.p, &f.p_next };
  double **full[] = { &f.x, &f.M, &f.S };
  double **row[] = { &f.u, &f.w, &f.r, &f.g };
  for (int i = 0; i < 5; i++, at += m * m) *square[i] = at;
  for (int i = 0; i < 5; i++, at += 2 * m * m) *wide[i] = at;
  for (int i = 0; i < 3; i++, at += 4 * m * m) *full[i] = at;
  for (int i = 0; i < 4; i++, at += 2 * m * AXES) *row[i] = at;
  f.re = at;
  f.im = at + 2 * m;
  f.work = at + 4 * m;
  f.slaved = at + 20 * m;
  return f;
}

ms_status ms_stability_open(ms_harmonic *h) {
  const ptrdiff_t modes = h->contact ? ms_harmonic_contact_count_elastic(h) : h->m;
  if (modes > h->setting.stability_modes) return MS_SUCCESS;
  if (h->contact) MS_TRY(ms_harmonic_contact_open_disturbed(h));
  for (int i = 0; !h->contact && i < h->n_attachment; i++) {
    ms_harmonic_attachment *s = &h->attachment[i];
    if (!s->memoryless) MS_TRY(ms_tangent_create(s->joint, 2 * h->m, &s->disturbed));
  }
  return ms_allocate(h->ctx, size_of_workspace(h->m), sizeof *h->floquet, &h->floquet);
}

/* ---- joints ---- */

/* to += s a b^T. */
static void add_outer(ptrdiff_t m, ptrdiff_t columns, double s, const double *a, const double *b,
                      double *to) {
  for (ptrdiff_t j = 0; s != 0.0 && j < columns; j++) {
    for (ptrdiff_t i = 0; i < m; i++) to[i + m * j] += s * a[i] * b[j];
  }
}

/* Gamma of a attachment's axes at a time point. A disturbance (q, v) moves axis a by z[a] . q, with
   the velocity z[a] . v + w[a] . q. */
typedef struct levers {
  const double *z[AXES], *w[AXES]; /* w: NULL where the attachment is not curved */
} levers;

/* dz/dq = gamma + curvature y, and its rate curvature y'. */
static levers levers_at(const ms_harmonic *h, const floquet *f, const ms_harmonic_attachment *s,
                        ptrdiff_t time) {
  const ptrdiff_t m = h->m;
  levers L = { 0 };
  for (int a = 0; a < s->n; a++) {
    L.z[a] = h->modal.gamma + m * (s->first + a);
    if (s->n_curved == 0) continue;
    double *z = f->g + 2 * m * a, *w = z + m;
    ms_curved_pull(h, s, a, h->z, time, z);
    memset(z + s->n_curved, 0, (size_t)(m - s->n_curved) * sizeof *z);
    for (ptrdiff_t r = 0; r < m; r++) z[r] += L.z[a][r];
    memset(w, 0, (size_t)m * sizeof *w);
    if (s->rate) ms_curved_pull(h, s, a, h->v, time, w);
    L.z[a] = z;
    L.w[a] = w;
  }
  return L;
}

/* K and C of a attachment with curvature: f curvature turns the force with the motion. */
static void add_curved(const ms_harmonic *h, const floquet *f, const ms_harmonic_attachment *s,
                       ptrdiff_t time, double *K, double *C) {
  const ptrdiff_t m = h->m, n = s->n_curved, N = h->N;
  const levers L = levers_at(h, f, s, time);
  const double *gamma = h->modal.gamma + m * s->first;
  for (int ab = 0; ab < s->n * s->n; ab++) {
    const int a = ab % s->n, b = ab / s->n;
    add_outer(m, m, s->du[time + N * ab], L.z[a], L.z[b], K);
    add_outer(m, m, -s->stuck[ab], gamma + m * a, gamma + m * b, K);
    if (!s->rate) continue;
    add_outer(m, m, s->dv[time + N * ab], L.z[a], L.w[b], K);
    add_outer(m, m, s->dv[time + N * ab], L.z[a], L.z[b], C);
  }
  for (int a = 0; a < s->n; a++) {
    const double force = h->f[time + N * (s->first + a)];
    for (ptrdiff_t ik = 0; s->curvature[a] && ik < n * n; ik++) {
      K[ik % n + m * (ik / n)] += force * s->curvature[a][ik];
    }
  }
}

static void fill_at(const ms_harmonic *h, const floquet *f, ptrdiff_t time, double *K, double *C) {
  const ptrdiff_t m = h->m;
  memset(K, 0, (size_t)(m * m) * sizeof *K);
  memset(C, 0, (size_t)(m * m) * sizeof *C);
  if (h->modal.damping_full) memcpy(C, h->modal.damping_full, (size_t)(m * m) * sizeof *C);
  for (ptrdiff_t r = 0; r < m; r++) {
    K[r + m * r] = h->modal.omega[r] * h->modal.omega[r];
    if (!h->modal.damping_full) C[r + m * r] = h->modal.damping[r];
  }
  for (ptrdiff_t i = 0; i < m * m; i++) {
    if (f->slaved[i % m] != 0.0 || f->slaved[i / m] != 0.0) C[i] = 0.0;
  }
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    if (s->n_curved > 0) add_curved(h, f, s, time, K, C);
    for (int ab = 0; s->n_curved == 0 && ab < s->n * s->n; ab++) {
      const double *a = h->modal.gamma + m * (s->first + ab % s->n);
      const double *b = h->modal.gamma + m * (s->first + ab / s->n);
      add_outer(m, m, s->du[time + h->N * ab] - s->stuck[ab], a, b, K);
      if (s->rate) add_outer(m, m, s->dv[time + h->N * ab], a, b, C);
    }
  }
}

/* p_next, and the slopes at that time, which at a corner may be those of the other side now. */
static ms_status look_ahead(ms_harmonic *h, floquet *f, ptrdiff_t j, double Omega) {
  const ptrdiff_t m = f->m;
  memset(f->p_next, 0, (size_t)(2 * m * m) * sizeof *f->p_next);
  if (h->contact) return ms_harmonic_contact_look(h, j, f->p_next);
  for (int i = 0; i < h->n_attachment; i++) {
    ms_harmonic_attachment *s = &h->attachment[i];
    if (!s->disturbed) continue;
    ms_joint_input in = ms_aft_input(h, s, j, Omega);
    ms_joint_output out;
    MS_TRY(ms_tangent_look(s->disturbed, &in, &out, f->r));
    for (int ab = 0; ab < s->n * s->n; ab++) {
      s->du[j + h->N * ab] = out.du[ab];
      s->dv[j + h->N * ab] = out.dv[ab];
    }
    const levers L = levers_at(h, f, s, j);
    for (int a = 0; a < s->n; a++) {
      add_outer(m, 2 * m, 1.0, L.z[a], f->r + 2 * m * a, f->p_next);
    }
  }
  return MS_SUCCESS;
}

/* to[k] += gamma . x_k over the disturbances. */
static void project(ptrdiff_t m, const double *gamma, const double *x, double *to) {
  for (ptrdiff_t k = 0; k < 2 * m; k++) {
    for (ptrdiff_t i = 0; i < m; i++) to[k] += gamma[i] * x[i + m * k];
  }
}

static ms_status step_joints(ms_harmonic *h, floquet *f, ptrdiff_t j, double Omega) {
  const ptrdiff_t m = f->m;
  if (h->contact) ms_harmonic_contact_step(h, f->q);
  for (int i = 0; i < h->n_attachment; i++) {
    ms_harmonic_attachment *s = &h->attachment[i];
    if (!s->disturbed) continue;
    ms_joint_input in = ms_aft_input(h, s, j, Omega);
    ms_joint_output out;
    const levers L = levers_at(h, f, s, j);
    memset(f->u, 0, (size_t)(2 * m * s->n) * sizeof *f->u);
    memset(f->w, 0, (size_t)(2 * m * s->n) * sizeof *f->w);
    for (int a = 0; a < s->n; a++) {
      project(m, L.z[a], f->q, f->u + 2 * m * a);
      if (s->rate) project(m, L.z[a], f->v, f->w + 2 * m * a);
      if (s->rate && L.w[a]) project(m, L.w[a], f->q, f->w + 2 * m * a);
    }
    ms_tangent_input d = { .u = f->u, .v = s->rate ? f->w : NULL };
    MS_TRY(ms_tangent_step(s->disturbed, &in, &d, &out, f->r));
  }
  return MS_SUCCESS;
}

/* ---- modes ---- */

/* y += s A x, all 2m columns. */
static void add_product(ptrdiff_t m, double s, const double *A, const double *x, double *y) {
  for (ptrdiff_t c = 0; c < 2 * m; c++) {
    for (ptrdiff_t j = 0; j < m; j++) {
      double f = s * x[j + m * c];
      for (ptrdiff_t i = 0; i < m; i++) y[i + m * c] += f * A[i + m * j];
    }
  }
}

static void add(ptrdiff_t n, double s, const double *x, double *y) {
  for (ptrdiff_t i = 0; i < n; i++) y[i] += s * x[i];
}

static void swap(double **a, double **b) {
  double *c = *a;
  *a = *b;
  *b = c;
}

/* x of slaved modes := 0. */
static void clear_slaved(const floquet *f, double *x) {
  for (ptrdiff_t i = 0; i < 2 * f->m * f->m; i++) {
    if (f->slaved[i % f->m] != 0.0) x[i] = 0.0;
  }
}

/* One step: q' = q + g (v + v'), v' + g (C' v' + K' q' + p') = v - g (C v + K q + p), g = dt/2. Of
   slaved modes q' = g v' and g (K' q' + p') = 0, and v' is no velocity. Returns 1 if there is no
   such v'. */
static int step_modes(floquet *f, double g) {
  const ptrdiff_t m = f->m, all = 2 * m * m;
  memcpy(f->b, f->v, (size_t)all * sizeof *f->b);
  add_product(m, -g, f->C, f->v, f->b);
  add_product(m, -g, f->K, f->q, f->b);
  add(all, -g, f->p, f->b);
  add(all, g, f->v, f->q);
  clear_slaved(f, f->b);
  clear_slaved(f, f->q);
  add_product(m, -g, f->K_next, f->q, f->b);
  add(all, -g, f->p_next, f->b);
  for (ptrdiff_t i = 0; i < m * m; i++) f->A[i] = g * f->C_next[i] + g * g * f->K_next[i];
  for (ptrdiff_t i = 0; i < m; i++) f->A[i + m * i] += 1.0 - f->slaved[i];
  if (ms_dense_solve_many(m, f->A, 2 * m, f->b)) return 1;
  memcpy(f->v, f->b, (size_t)all * sizeof *f->v);
  add(all, g, f->v, f->q);
  clear_slaved(f, f->v);
  swap(&f->K, &f->K_next);
  swap(&f->C, &f->C_next);
  swap(&f->p, &f->p_next);
  return 0;
}

/* ---- periods ---- */

/* Where a rigid-body mode stands matters to nothing, nor how it moves if nothing damps that: a
   multiplier of 1 that says nothing about the motion. Whether entry i of (q, v) counts. */
static int counts(const ms_harmonic *h, const floquet *f, ptrdiff_t i) {
  const ptrdiff_t m = h->m, r = i % m;
  if (f->slaved[r] != 0.0) return 0;
  if (h->modal.omega[r] > 0.0) return 1;
  if (i < m) return 0;
  if (!h->modal.damping_full) return h->modal.damping[r] > 0.0;
  double own = 0.0, most = 0.0;
  for (ptrdiff_t k = 0; k < m * m; k++) {
    double size = fabs(h->modal.damping_full[k]);
    if (k / m == r) own = fmax(own, size);
    most = fmax(most, size);
  }
  return own > h->setting.tol.undamped * most;
}

/* Unit disturbances of q and v/Omega at the last time point, where evaluation leaves the joints. */
static void begin(ms_harmonic *h, floquet *f, double Omega) {
  const ptrdiff_t m = f->m;
  const size_t bytes = (size_t)(2 * m * m) * sizeof *f->q;
  memset(f->q, 0, bytes);
  memset(f->v, 0, bytes);
  memset(f->p, 0, bytes);
  memset(f->x, 0, 2 * bytes);
  for (ptrdiff_t r = 0; r < m; r++) {
    f->slaved[r] = h->contact && ms_harmonic_contact_is_static(h, r, Omega) ? 1.0 : 0.0;
  }
  for (ptrdiff_t i = 0; i < 2 * m; i++) {
    if (!counts(h, f, i)) continue;
    f->x[i + 2 * m * i] = 1.0;
    *(i < m ? &f->q[i + m * i] : &f->v[i - m + m * i]) = i < m ? 1.0 : Omega;
  }
  if (h->contact) ms_harmonic_contact_begin_disturbed(h, f->q);
  fill_at(h, f, h->N - 1, f->K, f->C);
  for (int i = 0; i < h->n_attachment; i++) {
    if (h->attachment[i].disturbed) ms_tangent_rest(h->attachment[i].disturbed);
  }
}

/* Size of the largest eigenvalue of x^T (q, v/Omega), x being orthonormal; x := (q, v/Omega).
   HUGE_VAL if it cannot be found. */
static double find_largest(const ms_harmonic *h, floquet *f, double Omega) {
  const ptrdiff_t m = f->m, n = 2 * m;
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < n * n; i++) {
    ptrdiff_t r = i % n, c = i / n;
    f->S[i] = r < m ? f->q[r + m * c] : f->v[r - m + m * c] / Omega;
    if (!counts(h, f, r)) f->S[i] = 0.0;
    if (!(fabs(f->S[i]) < 1e150)) return HUGE_VAL; /* LAPACK would print */
  }
  for (ptrdiff_t i = 0; i < n * n; i++) {
    f->M[i] = 0.0;
    for (ptrdiff_t k = 0; k < n; k++) f->M[i] += f->x[k + n * (i % n)] * f->S[k + n * (i / n)];
  }
  memcpy(f->x, f->S, (size_t)(n * n) * sizeof *f->x);
  if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', (lapack_int)n, f->M, (lapack_int)n, f->re,
                         f->im, NULL, 1, NULL, 1, f->work, (lapack_int)(8 * n)) != 0) {
    return HUGE_VAL;
  }
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, hypot(f->re[i], f->im[i]));
  return largest;
}

static void scale_columns(ptrdiff_t n, double s, double *x, double *S) {
  for (ptrdiff_t i = 0; i < n; i++) x[i] *= s, S[i] *= s;
}

/* x := x S with orthonormal columns (Gram-Schmidt, twice); a column that depends on those before it
   becomes 0. */
static void orthonormalise(const ms_harmonic *h, floquet *f) {
  const ptrdiff_t n = 2 * f->m;
  memset(f->S, 0, (size_t)(n * n) * sizeof *f->S);
  for (ptrdiff_t c = 0; c < n; c++) {
    double *x = f->x + n * c, *S = f->S + n * c, before = sqrt(ms_dot(n, x, x));
    S[c] = 1.0;
    for (ptrdiff_t k = 0; k < 2 * c; k++) {
      const ptrdiff_t b = k % c;
      double part = ms_dot(n, f->x + n * b, x);
      add(n, -part, f->x + n * b, x);
      add(n, -part, f->S + n * b, S);
    }
    double size = sqrt(ms_dot(n, x, x));
    scale_columns(n, size > h->setting.tol.dependent * before ? 1.0 / size : 0.0, x, S);
  }
}

/* q, v and p from x and S; the joints' memory, and q of slaved modes, the same way. */
static void recombine(ms_harmonic *h, floquet *f, double Omega) {
  const ptrdiff_t m = f->m, n = 2 * m;
  orthonormalise(h, f);
  memcpy(f->b, f->q, (size_t)(m * n) * sizeof *f->b);
  for (ptrdiff_t c = 0; c < n; c++) {
    for (ptrdiff_t r = 0; r < m; r++) {
      f->q[r + m * c] = f->x[r + n * c];
      for (ptrdiff_t k = 0; f->slaved[r] != 0.0 && k < n; k++) {
        f->q[r + m * c] += f->b[r + m * k] * f->S[k + n * c];
      }
      f->v[r + m * c] = Omega * f->x[r + m + n * c];
      f->p_next[r + m * c] = 0.0;
      for (ptrdiff_t k = 0; k < n; k++) f->p_next[r + m * c] += f->p[r + m * k] * f->S[k + n * c];
    }
  }
  swap(&f->p, &f->p_next);
  if (h->contact) ms_harmonic_contact_combine(h, f->S);
  for (int i = 0; i < h->n_attachment; i++) {
    if (h->attachment[i].disturbed) ms_tangent_combine(h->attachment[i].disturbed, f->S);
  }
}

static int has_memory(const ms_harmonic *h) {
  int memory = h->contact != NULL;
  for (int i = 0; i < h->n_attachment; i++) memory |= h->attachment[i].disturbed != NULL;
  return memory;
}

static ms_status find_multiplier(ms_harmonic *h, ms_harmonic_point *point) {
  double largest = 0.0, before = HUGE_VAL;
  int periods = 0, singular = 0, steady = 0;
  floquet f = view(h);
  begin(h, &f, point->omega);
  while (!steady && periods++ < PERIODS) {
    if (periods > 1) recombine(h, &f, point->omega);
    const double g = MS_PI / ((double)h->N * point->omega);
    for (ptrdiff_t j = 0; j < h->N && !singular; j++) {
      MS_TRY(look_ahead(h, &f, j, point->omega));
      fill_at(h, &f, j, f.K_next, f.C_next);
      singular = step_modes(&f, g);
      if (!singular) MS_TRY(step_joints(h, &f, j, point->omega));
    }
    largest = singular ? HUGE_VAL : find_largest(h, &f, point->omega);
    if (largest == HUGE_VAL) return MS_SUCCESS;
    steady = !has_memory(h) || fabs(largest - before) <= h->setting.tol.floquet_steady;
    before = largest;
  }
  if (!steady) return MS_SUCCESS;
  point->multiplier = largest;
  point->stability = largest > 1.0 + h->setting.tol.floquet_margin ? MS_UNSTABLE : MS_STABLE;
  return MS_SUCCESS;
}

/* The points of a contact are marched on from where evaluation left them. Where a load step fails
   on the way, stability is unknown. */
ms_status ms_stability_eval(ms_harmonic *h, ms_harmonic_point *point) {
  if (!h->floquet) return MS_SUCCESS;
  if (h->contact) ms_harmonic_contact_swap(h);
  const ms_status status = find_multiplier(h, point);
  if (h->contact) ms_harmonic_contact_swap(h);
  return h->contact && status == MS_NOT_CONVERGED ? MS_SUCCESS : status;
}
