/* Alternating frequency and time: the joints' motion from its coefficients, their forces by
   marching them round the period, the forces' coefficients, and the derivatives of these.

   A joint without memory needs its slopes at the time points only: with F = f(z, v)

     d(F^)_c/d(Z)_c' = 2/N sum_j T_cj (df/dz T_c'j + Omega df/dv W_c'j),

   which products of cos and sin reduce to the 4H + 1 coefficients of df/dz and of df/dv. A joint
   with memory carries the derivative of all it remembers along (ms_tangent). Of a attachment with
   curvature this is the inner half, between the coefficients of z and those of f; see curved.c. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

/* ---- life ---- */

static ms_status open_memory(ms_harmonic *h, ms_harmonic_attachment *s) {
  MS_TRY(ms_tangent_create(s->joint, s->n_dir, &s->tangent));
  if (s->n > 1 || s->rate) {
    MS_TRY(ms_allocate(h->ctx, s->n_dir * s->n, sizeof *s->u, &s->u));
  }
  if (s->rate) {
    MS_TRY(ms_allocate(h->ctx, s->n_dir * s->n, sizeof *s->v, &s->v));
    MS_TRY(ms_allocate(h->ctx, s->n_dir, sizeof *s->dt, &s->dt));
  }
  return ms_allocate(h->ctx, s->n_dir * s->n * h->N, sizeof *s->dF, &s->dF);
}

/* A law that carries derivatives without any rows for its state has no memory. */
static int remembers_nothing(const ms_law *law) {
  return law->sensitivity && !law->count_rows && law->n_row == 0;
}

static ms_status open_attachment(ms_harmonic *h, const ms_attachment *from,
                                 ms_harmonic_attachment *s) {
  const ms_law_info *info = ms_joint_info(from->joint);
  const int curved = from->n_curved > 0;
  s->P = curved ? 4 * h->H + 1 : h->P;
  s->T = curved ? h->T_wide : h->T;
  s->W = curved ? h->W_wide : h->W;
  const ptrdiff_t own = s->P * info->n_axis;
  s->joint = from->joint;
  s->stuck = from->stuck;
  s->n = info->n_axis;
  s->first = from->first;
  s->memoryless = remembers_nothing(from->joint->law);
  s->rate = (info->flags & MS_LAW_RATE) != 0;
  s->twice = s->n == 1 && (info->flags & MS_LAW_MASING) && !s->rate;
  s->n_dir = own + (s->rate ? 1 : 0);
  MS_TRY(ms_allocate(h->ctx, h->N * s->n * s->n, sizeof *s->du, &s->du));
  MS_TRY(ms_allocate(h->ctx, h->N * s->n * s->n, sizeof *s->dv, &s->dv));
  MS_TRY(ms_allocate(h->ctx, own * (own + 1), sizeof *s->D, &s->D));
  s->DF = s->D;
  if (curved) MS_TRY(ms_curved_open(h, from, s));
  ms_status status = s->memoryless ? MS_SUCCESS : open_memory(h, s);
  return status == MS_SUCCESS ? status : ms_fail_at(h->ctx, status, "joint '%s'", from->name);
}

ms_status ms_aft_open(ms_harmonic *h) {
  double **table[] = { &h->z, &h->v, &h->f, &h->f_old };
  ptrdiff_t widest = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    MS_TRY(ms_allocate(h->ctx, h->n * h->N, sizeof(double), table[i]));
  }
  MS_TRY(ms_allocate(h->ctx, h->n * h->P, sizeof *h->force, &h->force));
  MS_TRY(ms_allocate(h->ctx, 2 * h->n * h->P, sizeof *h->later, &h->later));
  MS_TRY(ms_allocate(h->ctx, (4 * h->H + 3) * h->n, sizeof *h->beyond, &h->beyond));
  MS_TRY(ms_allocate(h->ctx, 2 * h->H + 2, sizeof *h->circle, &h->circle));
  MS_TRY(ms_allocate(h->ctx, 2 * h->n + h->n * h->P + 4, sizeof *h->slope, &h->slope));
  MS_TRY(ms_allocate(h->ctx, h->n_attachment, sizeof *h->attachment, &h->attachment));
  for (int i = 0; i < h->n_attachment; i++) {
    ms_harmonic_attachment *s = &h->attachment[i];
    MS_TRY(h->contact ? ms_harmonic_contact_attach(h, s)
                      : open_attachment(h, &h->modal.attachment[i], s));
    ptrdiff_t wide = h->attachment[i].P * h->attachment[i].n_dir * h->attachment[i].n;
    if (wide > widest) widest = wide;
  }
  ms_phase_open(h);
  return ms_allocate(h->ctx, widest + 4 * h->H + 1, sizeof *h->product, &h->product);
}

void ms_aft_close(ms_harmonic *h) {
  for (int i = 0; h->attachment && i < h->n_attachment; i++) {
    ms_harmonic_attachment *s = &h->attachment[i];
    double **part[] = { &s->u, &s->v, &s->dt, &s->du, &s->dv, &s->dF, &s->D };
    ms_tangent_destroy(&s->tangent);
    ms_tangent_destroy(&s->disturbed);
    ms_curved_close(h, s);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) ms_free(h->ctx, part[k]);
  }
  double **part[] = { &h->z,     &h->v,      &h->f,     &h->f_old,   &h->force,
                      &h->later, &h->circle, &h->slope, &h->product, &h->beyond };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) ms_free(h->ctx, part[k]);
  ms_free(h->ctx, &h->attachment);
}

/* ---- motion ---- */

static ms_joint_input constant_input(double dt) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  in.dt = dt;
  return in;
}

static inline void set_input(const ms_harmonic *h, const ms_harmonic_attachment *s, ptrdiff_t j,
                             ms_joint_input *in) {
  const double *z = h->z + h->N * s->first + j, *v = h->v + h->N * s->first + j;
  in->u[0] = z[0];
  in->v[0] = v[0];
  for (int a = 1; a < s->n; a++) in->u[a] = z[h->N * a], in->v[a] = v[h->N * a];
}

ms_joint_input ms_aft_input(const ms_harmonic *h, const ms_harmonic_attachment *s, ptrdiff_t j,
                            double Omega) {
  ms_joint_input in = constant_input(2.0 * MS_PI / ((double)h->N * Omega));
  set_input(h, s, j, &in);
  return in;
}

static inline void keep(ms_harmonic *h, ms_harmonic_attachment *s, ptrdiff_t j,
                        const ms_joint_output *out) {
  double *f = h->f + h->N * s->first + j;
  f[0] = out->force[0];
  s->du[j] = out->du[0];
  s->dv[j] = out->dv[0];
  if (s->n == 1) return;
  for (int a = 1; a < s->n; a++) f[h->N * a] = out->force[a];
  for (int ab = 1; ab < s->n * s->n; ab++) {
    s->du[j + h->N * ab] = out->du[ab];
    s->dv[j + h->N * ab] = out->dv[ab];
  }
}

/* ---- joints without memory ---- */

static ms_status visit(ms_harmonic *h, ms_harmonic_attachment *s, double dt) {
  const ms_joint *joint = s->joint;
  ms_joint_input in = constant_input(dt);
  ms_joint_trial trial;
  ms_joint_output out;
  for (ptrdiff_t j = 0; j < h->N; j++) {
    set_input(h, s, j, &in);
    MS_TRY(joint->law->update(joint->model, joint->state, &in, &out, &trial));
    keep(h, s, j, &out);
  }
  return MS_SUCCESS;
}

/* Adds the derivative by Z (rate: by Omega W Z) of one slope over time to a P x P block. */
static void add_slope(ms_harmonic *h, const double *slope, double rate, double *block,
                      ptrdiff_t ld) {
  const ptrdiff_t P = h->P;
  double *g = h->product;
  ms_fourier_mean(h, 4 * h->H + 1, slope, g);
  for (ptrdiff_t d = 0; d < P; d++) {
    ptrdiff_t k = (d + 1) / 2, source = d; /* derivative of cos is -k sin, of sin k cos */
    double factor = 1.0;
    if (rate != 0.0 && d == 0) continue;
    if (rate != 0.0) source = d % 2 ? d + 1 : d - 1;
    if (rate != 0.0) factor = rate * (double)(d % 2 ? -k : k);
    for (ptrdiff_t c = 0; c < P; c++) {
      block[c + ld * d] += (c == 0 ? 0.5 : 1.0) * factor * ms_fourier_pair(g, c, source);
    }
  }
}

/* dF/dOmega = df/dv dv/dOmega, dv/dOmega = v/Omega: the block of df/dv times Z/Omega. */
static void add_frequency(const ms_harmonic *h, const ms_harmonic_attachment *s, const double *V,
                          const double *Z, double Omega) {
  const ptrdiff_t own = h->P * s->n;
  cblas_dgemv(CblasColMajor, CblasNoTrans, (int)own, (int)own, 1.0 / Omega, V, (int)own,
              Z + h->P * s->first, 1, 1.0, s->D + own * own, 1);
}

static void differentiate_slopes(ms_harmonic *h, ms_harmonic_attachment *s, const double *Z,
                                 double Omega) {
  const ptrdiff_t P = h->P, own = P * s->n;
  memset(s->D, 0, (size_t)(own * (own + 1)) * sizeof *s->D);
  for (int ab = 0; s->rate && ab < s->n * s->n; ab++) {
    ptrdiff_t at = P * (ab % s->n) + own * P * (ab / s->n);
    add_slope(h, s->dv + h->N * ab, Omega, s->D + at, own);
  }
  if (s->rate) add_frequency(h, s, s->D, Z, Omega);
  for (int ab = 0; ab < s->n * s->n; ab++) {
    ptrdiff_t at = P * (ab % s->n) + own * P * (ab / s->n);
    add_slope(h, s->du + h->N * ab, 0.0, s->D + at, own);
  }
}

/* ---- joints with memory ---- */

/* How the input of step j depends on Z and Omega. */
static ms_tangent_input directions(const ms_harmonic *h, ms_harmonic_attachment *s, ptrdiff_t j,
                                   double Omega) {
  const ptrdiff_t P = s->P;
  const double *T = s->T + P * j, *W = s->W + P * j;
  if (!s->u) return (ms_tangent_input) { .u = T };
  for (int a = 0; a < s->n; a++) {
    double *u = s->u + s->n_dir * a + P * a, *v = s->v ? s->v + s->n_dir * a + P * a : NULL;
    memcpy(u, T, (size_t)P * sizeof *u);
    for (ptrdiff_t c = 0; v && c < P; c++) v[c] = Omega * W[c];
    if (v) s->v[s->n_dir * a + s->n_dir - 1] = h->v[j + h->N * (s->first + a)] / Omega;
  }
  return (ms_tangent_input) { .u = s->u, .v = s->v, .dt = s->dt };
}

static ms_status march_to(ms_harmonic *h, ms_harmonic_attachment *s, ptrdiff_t j, double Omega,
                          ms_joint_input *in) {
  ms_tangent_input d = directions(h, s, j, Omega);
  ms_joint_output out;
  set_input(h, s, j, in);
  MS_TRY(ms_tangent_step(s->tangent, in, &d, &out, s->dF + s->n_dir * s->n * j));
  keep(h, s, j, &out);
  return MS_SUCCESS;
}

static ms_status march_period(ms_harmonic *h, ms_harmonic_attachment *s, double Omega) {
  const double dt = 2.0 * MS_PI / ((double)h->N * Omega);
  ms_joint_input in = constant_input(dt);
  if (s->dt) s->dt[s->n_dir - 1] = -dt / Omega;
  for (ptrdiff_t j = 0; j < h->N; j++) MS_TRY(march_to(h, s, j, Omega, &in));
  return MS_SUCCESS;
}

static ms_status march(ms_harmonic *h, ms_harmonic_attachment *s, double Omega) {
  double repeat = 0.0;
  MS_TRY(h->contact ? ms_harmonic_contact_begin(h) : ms_tangent_start(s->tangent, NULL, NULL));
  if (s->twice) {
    /* A first period that leaves a joint of Masing's kind as the whole of it would: such a joint
       remembers the turning points of a path, not how it went from one to the next. */
    ms_joint_input in = constant_input(0.0);
    const double *z = h->z + h->N * s->first;
    const ptrdiff_t N = h->N;
    for (ptrdiff_t j = 0; j < N; j++) {
      double before = j > 0 ? z[j - 1] : 0.0, after = j < N - 1 ? z[j + 1] : z[j];
      if ((z[j] - before) * (after - z[j]) > 0.0) continue;
      MS_TRY(march_to(h, s, j, Omega, &in));
    }
    return march_period(h, s, Omega);
  }
  for (int period = 1; period <= h->setting.repeat_max; period++) {
    MS_TRY(h->contact ? ms_harmonic_contact_march(h, s) : march_period(h, s, Omega));
    /* The largest change of the attachment's forces since the last period over the largest force.
     */
    const ptrdiff_t from = h->N * s->first, to = from + h->N * s->n;
    double worst = 0.0, size = 0.0;
    for (ptrdiff_t i = from; i < to; i++) {
      worst = fmax(worst, fabs(h->f[i] - h->f_old[i]));
      size = fmax(size, fabs(h->f[i]));
      h->f_old[i] = h->f[i];
    }
    repeat = worst > 0.0 ? worst / size : 0.0;
    if (period > 1 && repeat <= h->setting.repeat_tolerance) break;
  }
  h->repeat = fmax(h->repeat, repeat);
  return MS_SUCCESS;
}

/* D from the derivatives over time. */
static void differentiate_memory(ms_harmonic *h, ms_harmonic_attachment *s) {
  const ptrdiff_t P = s->P, own = P * s->n;
  ms_fourier_project(h, P, s->T, s->n_dir * s->n, s->dF, h->product);
  memset(s->D + own * own, 0, (size_t)own * sizeof *s->D);
  for (ptrdiff_t dir = 0; dir < s->n_dir; dir++) {
    for (int a = 0; a < s->n; a++) {
      const double *from = h->product + P * (dir + s->n_dir * a);
      memcpy(s->D + P * a + own * dir, from, (size_t)P * sizeof *from);
    }
  }
}

/* ---- all of them ---- */

static ms_status eval_attachment(ms_harmonic *h, ms_harmonic_attachment *s, const double *Z,
                                 double Omega) {
  const int curved = s->n_curved > 0;
  MS_TRY(s->memoryless ? visit(h, s, 2.0 * MS_PI / ((double)h->N * Omega)) : march(h, s, Omega));
  if (s->memoryless && !curved) {
    differentiate_slopes(h, s, Z, Omega);
    return MS_SUCCESS;
  }
  if (s->memoryless) ms_curved_fill_slopes(h, s, Omega);
  differentiate_memory(h, s);
  if (curved) ms_curved_finish(h, s, Z);
  return MS_SUCCESS;
}

static ms_status check_motion(const ms_harmonic *h, ptrdiff_t n, const double *Z) {
  double check = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) check += Z[i] - Z[i]; /* 0, or NaN */
  if (check == 0.0) return MS_SUCCESS;
  return ms_fail(h->ctx, MS_ERR_NUMERIC, "the joints' motion is not finite");
}

ms_status ms_aft_eval(ms_harmonic *h, const double *X, double Omega) {
  const double *Z = h->later;
  MS_TRY(check_motion(h, h->n * h->P, X));
  h->repeat = 0.0;
  ms_phase_remove(h, X);
  for (int i = 0; i < h->n_attachment; i++) {
    ms_harmonic_attachment *s = &h->attachment[i];
    for (ptrdiff_t b = 0; b < ms_harmonic_wide(s); b++) {
      const ptrdiff_t a = ms_harmonic_axis(s, b);
      ms_fourier_expand(h, Z + h->P * a, h->z + h->N * a);
      if (s->rate) ms_fourier_expand_slope(h, h->H, Z + h->P * a, Omega, h->v + h->N * a);
    }
    if (s->n_curved > 0) ms_curved_fill_motion(h, s, Omega);
  }
  for (int i = 0; i < h->n_attachment; i++) { /* squares may be too large where Z is not */
    const ms_harmonic_attachment *s = &h->attachment[i];
    if (s->motion) MS_TRY(check_motion(h, s->P * s->n, s->motion));
  }
  for (int i = 0; i < h->n_attachment; i++) {
    ms_status status = eval_attachment(h, &h->attachment[i], Z, Omega);
    if (status == MS_SUCCESS) continue;
    if (h->contact) return status;
    return ms_fail_at(h->ctx, status, "joint '%s'", h->modal.attachment[i].name);
  }
  for (ptrdiff_t a = 0; a < h->n; a++) {
    ms_fourier_analyse(h, h->P, h->f + h->N * a, h->force + h->P * a);
  }
  ms_phase_restore(h);
  return MS_SUCCESS;
}
