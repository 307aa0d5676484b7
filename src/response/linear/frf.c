/* Linear frequency response from the stuck modes (docs/theory/sweep-and-frf.md):

     D q + gamma E z = b,   z = gamma^T q,   D = diag(omega_r^2 - omega^2) + i omega C,
     b = Phi^T force,       E: what the joints' stiffness differs by from their stuck springs',
                               i omega C_J of their dashpots included.

   With W = D^-1 gamma, v = D^-1 b:  (1 + gamma^T W E) z = gamma^T v,  q = v - W E z. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include <microslip/response.h>

#include "joint/impl.h"
#include "structure/impl.h"

static const char *const kind_text[] = { "receptance", "mobility", "accelerance",
                                         "transmissibility" };
enum { N_KIND = sizeof kind_text / sizeof *kind_text };

const char *ms_response_kind_text(ms_response_kind kind) {
  return (int)kind >= 0 && (int)kind < N_KIND ? kind_text[kind] : NULL;
}

ptrdiff_t ms_response_find_peak(ptrdiff_t n, const double *H) {
  ptrdiff_t most = 0;
  for (ptrdiff_t k = 1; k < n; k++) {
    if (hypot(H[2 * k], H[2 * k + 1]) > hypot(H[2 * most], H[2 * most + 1])) most = k;
  }
  return most;
}

const char *ms_response_unit(ms_response_kind kind, int turns, ms_drive drive) {
  static const char *const unit[2][3][4] = {
    { { "m/N", "m/(N s)", "1/kg", NULL },
      { "1/N", "1/(N s)", "1/(kg m)", NULL },
      { "s^2", "s", NULL, NULL } },
    { { "rad/N", "rad/(N s)", "rad/(kg m)", NULL },
      { "rad/(N m)", "rad/(N m s)", "rad/(kg m^2)", NULL },
      { "rad s^2/m", "rad s/m", "rad/m", "rad/m" } },
  };
  return unit[turns != 0][drive][kind];
}

ms_status ms_response_parse_kind(ms_context *ctx, const char *word, ms_response_kind *out) {
  for (int i = 0; i < N_KIND; i++) {
    if (strcmp(word, kind_text[i]) != 0) continue;
    *out = (ms_response_kind)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME,
                 "'%s' is none of receptance, mobility, accelerance, transmissibility", word);
}

typedef struct solver {
  const ms_structure *structure;
  const ms_response_request *request;
  ms_modal modal;
  double *b, *s;         /* force and sensor in modes */
  double follow;         /* of the sensor with the ground */
  int as_stuck;          /* the joints are springs, those of the modes: E = 0 */
  double complex *W;     /* m x (1 + n): v, then D^-1 gamma */
  double complex *E, *A; /* n x n */
  double complex *z, *D; /* n; m x m where the modes do not diagonalise C, else NULL */
  lapack_int *pivot;
} solver;

/* ---- what does not depend on frequency ---- */

/* Phi^T x; of a base x = -M iota. */
static void to_modes(const ms_structure *st, const double *x, double *q) {
  for (ptrdiff_t r = 0; r < st->n; r++) {
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < st->n; i++) sum += st->shape[i + st->n * r] * x[i];
    q[r] = sum;
  }
}

static int has_dashpot(const ms_modal *modal) {
  for (int j = 0; j < modal->n_attachment; j++) {
    int axes = ms_joint_info(modal->attachment[j].joint)->n_axis;
    for (int k = 0; k < axes * axes; k++) {
      if (modal->attachment[j].dashpot[k] != 0.0) return 1;
    }
  }
  return 0;
}

static ms_status open_solver(solver *w) {
  const ms_structure *st = w->structure;
  ms_context *ctx = st->ctx;
  ptrdiff_t m = w->modal.m, n = w->modal.n, large = m > n ? m : n;
  MS_TRY(ms_allocate(ctx, m, sizeof *w->b, &w->b));
  MS_TRY(ms_allocate(ctx, m, sizeof *w->s, &w->s));
  MS_TRY(ms_allocate(ctx, m * (1 + n), sizeof *w->W, &w->W));
  MS_TRY(ms_allocate(ctx, n * n + 1, sizeof *w->E, &w->E));
  MS_TRY(ms_allocate(ctx, n * n + 1, sizeof *w->A, &w->A));
  MS_TRY(ms_allocate(ctx, n + 1, sizeof *w->z, &w->z));
  MS_TRY(ms_allocate(ctx, large, sizeof *w->pivot, &w->pivot));
  if (w->modal.damping_full) MS_TRY(ms_allocate(ctx, m * m, sizeof *w->D, &w->D));
  w->as_stuck = n == 0 || (w->request->joints == MS_JOINTS_STUCK && !has_dashpot(&w->modal));
  to_modes(st, w->request->sensor, w->s);
  if (w->request->force) {
    to_modes(st, w->request->force, w->b);
  } else {
    for (ptrdiff_t r = 0; r < st->n; r++) {
      double sum = 0.0;
      for (ptrdiff_t j = 0; j < st->n; j++) {
        for (ptrdiff_t i = 0; i < st->n; i++) {
          sum -= st->shape[i + st->n * r] * st->M[i + st->n * j] * w->request->base[j];
        }
      }
      w->b[r] = sum;
    }
  }
  for (ptrdiff_t i = 0; w->request->base && i < m; i++) {
    w->follow += w->request->sensor[i] * w->request->base[i];
  }
  return MS_SUCCESS;
}

static void close_solver(solver *w) {
  ms_context *ctx = w->structure->ctx;
  ms_free(ctx, &w->b);
  ms_free(ctx, &w->s);
  ms_free(ctx, &w->W);
  ms_free(ctx, &w->E);
  ms_free(ctx, &w->A);
  ms_free(ctx, &w->z);
  ms_free(ctx, &w->pivot);
  ms_free(ctx, &w->D);
}

/* ---- one frequency ---- */

static void fill_joints(solver *w, double omega) {
  const ms_response_request *q = w->request;
  ptrdiff_t n = w->modal.n;
  double grow = q->viscous_at > 0.0 ? omega / q->viscous_at : 1.0;
  for (ptrdiff_t i = 0; i < n * n; i++) w->E[i] = 0.0;
  for (int j = 0; j < w->modal.n_attachment; j++) {
    const ms_attachment *attachment = &w->modal.attachment[j];
    double complex *E = w->E + attachment->first + n * attachment->first;
    /* What a joint differs by from its stuck spring; *E is its own entry 0 of the n x n. Slipping,
       it keeps the stiffness that is left, and its dashpot if that is all of it: a joint that never
       slips. */
    int axes = ms_joint_info(attachment->joint)->n_axis, slips = 0;
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    memcpy(left, attachment->stuck, sizeof left);
    if (q->joints == MS_JOINTS_SLIPPED) ms_joint_fill_macroslip(attachment->joint, left);
    for (int k = 0; k < axes * axes; k++) slips = slips || left[k] != attachment->stuck[k];
    for (int k = 0; k < axes * axes; k++) {
      E[k % axes + n * (k / axes)] =
          slips ? left[k] - attachment->stuck[k] : I * omega * attachment->dashpot[k];
    }
    if (q->joints != MS_JOINTS_GIVEN) continue;
    E[0] = q->linear[j].stiffness - attachment->stuck[0] + I * grow * q->linear[j].loss;
  }
}

/* W = D^-1 [b gamma]; 1 if D is singular. */
static int apply_modes(solver *w, double omega) {
  const ms_modal *a = &w->modal;
  ptrdiff_t m = a->m, columns = w->as_stuck ? 1 : 1 + a->n;
  for (ptrdiff_t r = 0; r < m; r++) {
    w->W[r] = w->b[r];
    for (ptrdiff_t k = 1; k < columns; k++) w->W[r + m * k] = a->gamma[r + m * (k - 1)];
  }
  if (!w->D) {
    for (ptrdiff_t r = 0; r < m; r++) {
      double complex d = (a->omega[r] - omega) * (a->omega[r] + omega) + I * omega * a->damping[r];
      if (d == 0.0) return 1;
      for (ptrdiff_t k = 0; k < columns; k++) w->W[r + m * k] /= d;
    }
    return 0;
  }
  for (ptrdiff_t i = 0; i < m * m; i++) w->D[i] = I * omega * a->damping_full[i];
  for (ptrdiff_t r = 0; r < m; r++) {
    w->D[r + m * r] += (a->omega[r] - omega) * (a->omega[r] + omega);
  }
  return LAPACKE_zgesv(LAPACK_COL_MAJOR, (lapack_int)m, (lapack_int)columns, w->D, (lapack_int)m,
                       w->pivot, w->W, (lapack_int)m) != 0;
}

/* z, then E z in its place; 1 if the system is singular. */
static int solve_joints(solver *w) {
  ptrdiff_t m = w->modal.m, n = w->modal.n;
  const double *gamma = w->modal.gamma;
  const double complex *W = w->W + m;
  for (ptrdiff_t i = 0; i < n; i++) {
    w->z[i] = 0.0;
    for (ptrdiff_t r = 0; r < m; r++) w->z[i] += gamma[r + m * i] * w->W[r];
    for (ptrdiff_t j = 0; j < n; j++) {
      w->A[i + n * j] = i == j ? 1.0 : 0.0;
      for (ptrdiff_t k = 0; k < n; k++) {
        if (w->E[k + n * j] == 0.0) continue;
        double complex sum = 0.0;
        for (ptrdiff_t r = 0; r < m; r++) sum += gamma[r + m * i] * W[r + m * k];
        w->A[i + n * j] += sum * w->E[k + n * j];
      }
    }
  }
  if (LAPACKE_zgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, w->A, (lapack_int)n, w->pivot, w->z,
                    (lapack_int)n) != 0) {
    return 1;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    w->A[i] = 0.0;
    for (ptrdiff_t j = 0; j < n; j++) w->A[i] += w->E[i + n * j] * w->z[j];
  }
  memcpy(w->z, w->A, (size_t)n * sizeof *w->z);
  return 0;
}

/* Displacement of the sensor for a load of 1; 1 if there is none. */
static int solve(solver *w, double omega, double complex *u) {
  ptrdiff_t m = w->modal.m, n = w->modal.n;
  *u = 0.0;
  if (apply_modes(w, omega)) return 1;
  for (ptrdiff_t r = 0; r < m; r++) *u += w->s[r] * w->W[r];
  if (w->as_stuck) return 0;
  fill_joints(w, omega);
  if (solve_joints(w)) return 1;
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t r = 0; r < m; r++) *u -= w->s[r] * w->W[r + m * (k + 1)] * w->z[k];
  }
  return 0;
}

static ms_status march(solver *w, ptrdiff_t n, const double *omega, double *H) {
  for (ptrdiff_t k = 0; k < n; k++) {
    double complex u;
    double o = omega[k];
    int singular = solve(w, o, &u);
    for (int d = 0; d < 2 && d < (int)w->request->kind; d++) u *= I * o;
    if (w->request->kind == MS_TRANSMISSIBILITY) u += w->follow;
    if (singular || !isfinite(creal(u) + cimag(u))) {
      return ms_fail(w->structure->ctx, MS_ERR_NUMERIC,
                     "there is no steady response at %.9g rad/s: the structure resonates there "
                     "without damping; give it some, or leave this frequency out",
                     o);
    }
    H[2 * k] = creal(u);
    H[2 * k + 1] = cimag(u);
  }
  return MS_SUCCESS;
}

/* ---- the whole ---- */

ms_status ms_response_synthesise(const ms_structure *structure, const ms_response_request *request,
                                 ptrdiff_t n, const double *omega, double *H) {
  ms_context *ctx = structure->ctx;
  if (!structure->ready) return ms_fail(ctx, MS_ERR_STATE, "the structure is not set up");
  if (!ms_response_kind_text(request->kind) || request->joints < MS_JOINTS_STUCK ||
      request->joints > MS_JOINTS_GIVEN)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "kind of response %d or state of the joints %d unknown",
                   (int)request->kind, (int)request->joints);
  if (!request->sensor || (!request->force && !request->base))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a response needs a sensor, and a force or a base");
  if (request->kind == MS_TRANSMISSIBILITY && !request->base)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "transmissibility is that of a moving base");
  if (request->joints == MS_JOINTS_GIVEN && !request->linear && structure->n_attachment > 0)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the joints' stiffness and loss are missing");
  for (ptrdiff_t k = 0; k < n; k++) {
    if (omega[k] >= 0.0 && isfinite(omega[k])) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "frequency %td is %g rad/s; it must be >= 0", k + 1,
                   omega[k]);
  }
  solver w = { .structure = structure, .request = request, .modal = ms_structure_view(structure) };
  ms_status status = open_solver(&w);
  if (status == MS_SUCCESS) status = march(&w, n, omega, H);
  close_solver(&w);
  return status;
}

/* ---- joints at an amplitude ---- */

static ms_status linearise(const ms_attachment *attachment, double u0, double omega,
                           ms_joint_linear *out) {
  enum { POINTS = 512 };
  ms_joint *joint = attachment->joint;
  ms_joint_cycle cycle;
  *out = (ms_joint_linear) { .stiffness = attachment->stuck[0],
                             .loss = omega * attachment->dashpot[0] };
  if (u0 == 0.0) return MS_SUCCESS;
  MS_TRY(ms_joint_run_cycle(joint, u0, omega, POINTS, NULL, NULL, &cycle));
  double D = cycle.has_closed_form ? cycle.D_closed_form : cycle.D;
  out->stiffness = cycle.K_secant;
  out->loss = D / (acos(-1.0) * u0 * u0);
  return ms_joint_start(joint, NULL);
}

ms_status ms_response_linearise(ms_structure *structure, const double *amplitude, double omega,
                                ms_joint_linear *out) {
  if (!structure->ready) {
    return ms_fail(structure->ctx, MS_ERR_STATE, "the structure is not set up");
  }
  for (int j = 0; j < structure->n_attachment; j++) {
    const ms_attachment *attachment = &structure->attachment[j];
    ms_status status = linearise(attachment, amplitude[j], omega, &out[j]);
    if (status != MS_SUCCESS)
      return ms_fail_at(structure->ctx, status, "joint %s", attachment->name);
  }
  return MS_SUCCESS;
}

ms_status ms_response_linearise_mode(ms_structure *structure, ptrdiff_t mode, double q,
                                     ms_joint_linear *out) {
  const ms_modes stuck = ms_structure_get_stuck(structure);
  double *z;
  if (!structure->ready || mode < 0 || mode >= stuck.n) {
    return ms_fail(structure->ctx, MS_ERR_BOUNDS, "there is no mode %td", mode + 1);
  }
  const ms_modal modal = ms_structure_view(structure);
  MS_TRY(ms_allocate(structure->ctx, structure->n_attachment, sizeof *z, &z));
  for (int j = 0; j < structure->n_attachment; j++) {
    z[j] = q * fabs(modal.gamma[mode + modal.m * modal.attachment[j].first]);
  }
  ms_status status = ms_response_linearise(structure, z, stuck.omega[mode], out);
  ms_free(structure->ctx, &z);
  return status;
}
