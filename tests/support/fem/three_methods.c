/* One mode of bodies in contact by three methods.

   The free decay begins on the nonlinear mode: EPMC's forces 2 zeta omega q' drive it there (force
   appropriation), with a dashpot to that motion on the mode itself, and end where it turns. It is
   read cycle by cycle, from one extreme to the next but one: frequency by the duration, damping by
   the energy that friction takes there. A window of several periods would mix amplitudes whose
   damping differs, and a start by an impulse is no motion of the nonlinear mode. */
#include "support/fem/three_methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "response/contact/impl.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;

static void settle(test_modes *m) {
  const double w = m->modal.omega[m->mode];
  CHECK_OK(ms_contact_copy(test_context(), m->modal.contact, &m->settled));
  CHECK_OK(ms_contact_return(m->settled));
  CHECK_OK(ms_contact_settle(m->settled, m->mode, w * w * m->settle, m->cycles));
}

static void run_qsma(const test_modes *m, int n, const double *q, test_three *out) {
  const double w = m->modal.omega[m->mode];
  ms_contact *c;
  ms_contact_cycle cycle;
  CHECK_OK(ms_contact_copy(test_context(), m->settled, &c));
  for (int i = 0; i < n; i++) {
    double p = w * w * q[i];
    out[i].qsma.omega = out[i].qsma.zeta = NAN;
    if (ms_contact_find_cycle(c, m->mode, q[i], &p, &cycle, NULL) == MS_SUCCESS) {
      out[i].qsma.omega = sqrt(p / q[i]);
      out[i].qsma.zeta = cycle.D / (2.0 * PI * p * q[i]);
    } else {
      ms_context_clear_message(test_context()); /* the load slides it as a whole */
    }
  }
  ms_contact_destroy(&c);
}

/* ---- harmonic balance ---- */

/* Under the loads of n modes from `first` on; all others follow without inertia. */
static ms_contact *keep_modes(const ms_contact *from, int first, ptrdiff_t n) {
  double load[TEST_MODES_MAX * TEST_MODES_MAX];
  ms_contact *c;
  for (ptrdiff_t i = 0; i < n * n; i++) {
    load[i] = from->load_load[first + i % n + from->n_load * (first + i / n)];
  }
  const ms_contact_problem problem = { .n_point = from->n,
                                       .n_load = n,
                                       .point = from->point,
                                       .H = from->H,
                                       .S_0 = from->S_0,
                                       .z_load = from->z_load + 3 * from->n * first,
                                       .load_load = load };
  CHECK_OK(ms_contact_create(test_context(), &problem, &from->setting, &c));
  CHECK_OK(ms_contact_continue(c, from));
  return c;
}

static ms_structure *make_structure(const test_modes *m, int first, int n) {
  double zeta[TEST_MODES_MAX];
  ms_structure *s;
  CHECK_OK(ms_structure_create(test_context(), n, NULL, &s));
  for (int r = 0; r < n; r++) {
    const double w = m->modal.omega[first + r];
    zeta[r] = first + r == m->mode ? 0.0 : m->others;
    CHECK_OK(ms_structure_add_mass(s, r, 1.0));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, r, w * w));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* motion: displacements of the modes, for each amplitude P x n; zeta: all damping. */
typedef struct orbits {
  test_mode_answer *answer;
  double *motion, *zeta;
} orbits;

static void run_epmc(const test_modes *m, int alone, int n_list, const double *q, orbits *out) {
  const int first = alone ? m->mode : 0, n = alone ? 1 : (int)m->modal.n_mode;
  const ms_harmonic_range range = { q[0], q[n_list - 1], .list = q, .n_list = n_list };
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_structure *s = make_structure(m, first, n);
  ms_contact *c = keep_modes(m->settled, first, n);
  ms_harmonic *h;
  ms_harmonic_curve *curve = NULL;
  double higher = 0.0, left_out = 0.0;
  setting.harmonics = m->harmonics;
  setting.times = m->times;
  setting.stability_modes = 0;
  setting.contact = c;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_run_mode(h, m->mode - first, &range, &curve));
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.complete ? "" : info.reason, "");
  for (int i = 0; i < n_list; i++) out->answer[i] = (test_mode_answer) { NAN, NAN };
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    const ptrdiff_t k = p->listed - 1;
    higher = fmax(higher, p->higher), left_out = fmax(left_out, p->left_out);
    if (k < 0) continue;
    out->answer[k] = (test_mode_answer) { p->omega, p->zeta_joint };
    out->zeta[k] = p->zeta;
    CHECK_OK(ms_harmonic_recover_modal(h, curve, i, out->motion + (2 * m->harmonics + 1) * n * k));
  }
  printf("# epmc, %d modes: %td points, %td evaluations, higher %.2g, left out %.2g\n", n,
         info.points, info.evaluations, higher, left_out);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
  ms_contact_destroy(&c);
}

/* ---- free decay ---- */

enum { RAMP = 6, HOLD = 12, EARLY = 40, CYCLES = 16 }; /* periods; of a period; extremes */
static const double HELD = 0.3;                        /* damping ratio to the periodic motion */

/* Velocity at phase t of harmonics x. */
static double rate(const test_modes *m, const double *x, double omega, double t) {
  double v = 0.0;
  for (int k = 1; k <= m->harmonics; k++) {
    v += k * omega * (x[2 * k] * cos(k * t) - x[2 * k - 1] * sin(k * t));
  }
  return v;
}

static double find_extreme(const test_modes *m, const double *x) {
  double a = -0.5, b = 0.5;
  for (int i = 0; i < 60; i++) {
    const double c = 0.5 * (a + b);
    *(rate(m, x, 1.0, c) > 0.0 ? &a : &b) = c;
  }
  return a;
}

/* Ends a little before an extreme, which then is the first of the decay. */
static void drive(const test_modes *m, const double *motion, double omega, double zeta,
                  ms_contact_run *run) {
  const int P = 2 * m->harmonics + 1, n = (int)m->modal.n_mode;
  const double *own = motion + P * m->mode, phase = find_extreme(m, own);
  const double step = 2.0 * PI / m->per_period;
  double f[TEST_MODES_MAX];
  for (int i = 1; i <= (RAMP + HOLD) * m->per_period - m->per_period / EARLY; i++) {
    const double t = step * i, part = 0.5 * (1.0 - cos(fmin(PI, 0.5 * t / RAMP)));
    const double v = ms_contact_run_get(run).v[m->mode];
    for (int r = 0; r < n; r++) {
      f[r] = 2.0 * zeta * omega * part * rate(m, motion + P * r, omega, phase + t);
    }
    f[m->mode] += 2.0 * HELD * omega * (part * rate(m, own, omega, phase + t - step) - v);
    ms_contact_run_push(run, f);
    CHECK_OK(ms_contact_run_step(run, NULL));
  }
  memset(f, 0, sizeof f);
  ms_contact_run_push(run, f);
}

typedef struct sample {
  double t, q, friction, v, a;
} sample;

static sample look(const ms_contact_run *run, int mode) {
  const ms_contact_motion now = ms_contact_run_get(run);
  return (sample) { now.time, now.q[mode], ms_contact_run_get_energy(run).friction, now.v[mode],
                    now.a[mode] };
}

/* Between two steps, the acceleration straight there. */
static sample turn(const sample *from, const sample *to) {
  const double part = from->v / (from->v - to->v), h = part * (to->t - from->t);
  return (sample) { .t = from->t + h,
                    .q = from->q + h * (from->v + 0.5 * h * from->a) +
                         h * h * part * (to->a - from->a) / 6.0,
                    .friction = from->friction + part * (to->friction - from->friction) };
}

static int find_extremes(const test_modes *m, ms_contact_run *run, sample *out) {
  sample old = look(run, m->mode);
  int n = 0;
  for (int i = 0; i < CYCLES * m->per_period && n < CYCLES; i++) {
    CHECK_OK(ms_contact_run_step(run, NULL));
    const sample now = look(run, m->mode);
    if ((now.v > 0.0) != (old.v > 0.0)) out[n++] = turn(&old, &now);
    old = now;
  }
  return n;
}

/* At amplitude q (half the mean range of a cycle), straight in the logarithms of two cycles. */
static test_mode_answer read_at(int n, const sample *x, double q) {
  test_mode_answer a = { NAN, NAN };
  double q_old = NAN;
  for (int i = 0; i + 2 < n; i++) {
    const double own = 0.25 * (fabs(x[i + 1].q - x[i].q) + fabs(x[i + 2].q - x[i + 1].q));
    const double w = 2.0 * PI / (x[i + 2].t - x[i].t);
    const double zeta = (x[i + 2].friction - x[i].friction) / (2.0 * PI * w * w * own * own);
    const double part = log(q / q_old) / log(own / q_old);
    if (own <= q) {
      return (test_mode_answer) { a.omega * pow(w / a.omega, part),
                                  a.zeta * pow(zeta / a.zeta, part) };
    }
    a = (test_mode_answer) { w, zeta };
    q_old = own;
  }
  return (test_mode_answer) { NAN, NAN };
}

static test_mode_answer run_decay(const test_modes *m, const orbits *from, int i, double q) {
  const double omega = from->answer[i].omega, step = 2.0 * PI / (omega * m->per_period);
  const ptrdiff_t n = m->modal.n_mode;
  ms_contact *c = keep_modes(m->settled, 0, n);
  const ms_contact_modal modal = { n, 0, m->modal.omega, m->modal.follow, c };
  double others[TEST_MODES_MAX];
  ms_contact_run *run;
  sample x[CYCLES];
  for (int r = 0; r < n; r++) others[r] = r == m->mode ? 0.0 : m->others;
  CHECK_OK(ms_contact_run_create(test_context(), &modal, others, step, &run));
  CHECK_OK(ms_contact_run_start(run, NULL, NULL));
  drive(m, from->motion + (2 * m->harmonics + 1) * n * i, omega, from->zeta[i], run);
  const int found = find_extremes(m, run, x);
  ms_contact_run_destroy(&run);
  ms_contact_destroy(&c);
  return read_at(found, x, q);
}

/* ---- all of them ---- */

static double percent(double value, double want) {
  return 100.0 * (value / want - 1.0);
}

static void print_row(const test_modes *m, double q, const test_three *t) {
  printf(
      "# mode %d, q = %.3g: epmc %.2f Hz, %.4g %%; decay %+.2g %%, %+.2g %%; qsma %+.2g %%, "
      "%+.2g %%; massless epmc from qsma %+.2g %%, %+.2g %%\n",
      m->mode + 1, q, t->epmc.omega / (2.0 * PI), 100.0 * t->epmc.zeta,
      percent(t->decay.omega, t->epmc.omega), percent(t->decay.zeta, t->epmc.zeta),
      percent(t->qsma.omega, t->epmc.omega), percent(t->qsma.zeta, t->epmc.zeta),
      percent(t->massless.omega, t->qsma.omega), percent(t->massless.zeta, t->qsma.zeta));
  fflush(stdout);
}

void test_modes_compare(test_modes *m, int n, const double *q, test_three *out) {
  const ptrdiff_t P = 2 * m->harmonics + 1, size = P * m->modal.n_mode * n;
  double *store = calloc((size_t)(size + 2 * n), sizeof *store);
  orbits o = { calloc((size_t)n, sizeof *o.answer), store, store + size };
  double *top = store + size + n;
  CHECK(store && o.answer && m->modal.n_mode <= TEST_MODES_MAX);
  settle(m);
  run_qsma(m, n, q, out);
  run_epmc(m, 1, n, q, &o);
  for (int i = 0; i < n; i++) out[i].massless = o.answer[i];
  run_epmc(m, 0, n, q, &o);
  for (int i = 0; i < n; i++) {
    out[i].epmc = o.answer[i];
    top[i] = q[i] * exp(2.0 * PI * m->up * o.answer[i].zeta);
  }
  run_epmc(m, 0, n, top, &o);
  for (int i = 0; i < n; i++) {
    out[i].decay = run_decay(m, &o, i, q[i]);
    print_row(m, q[i], &out[i]);
  }
  free(store);
  free(o.answer);
  ms_contact_destroy(&m->settled);
}

void test_modes_close(const test_mode_answer *value, const test_mode_answer *want, double omega,
                      double zeta) {
  CHECK_CLOSE(value->omega, want->omega, omega);
  CHECK_CLOSE(value->zeta, want->zeta, zeta);
}
