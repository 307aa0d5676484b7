/* Impact tests without a model, against a simulator that owes nothing to the library and against
   closed forms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/survey.h>

#include "support/check.h"
#include "support/impacts.h"

static const double pi = 3.14159265358979323846;

static ms_survey_settings make_settings(void) {
  ms_survey_settings s;
  ms_survey_default(&s, sizeof s);
  return s;
}

/* ---- the simulated test ---- */

enum { MOST = 6 };

typedef struct series {
  int n;
  double *force[MOST], *x[MOST];
  ms_survey_record record[MOST];
} series;

static void add(series *s, const test_impact *t) {
  const int i = s->n++;
  test_impact_run(t, &s->force[i], &s->x[i]);
  s->record[i] = (ms_survey_record) { .n = test_impact_samples(t),
                                      .dt = 1.0 / t->rate,
                                      .time = -0.37,
                                      .force = s->force[i],
                                      .x = s->x[i] };
}

static void free_series(series *s) {
  for (int i = 0; i < s->n; i++) free(s->force[i]), free(s->x[i]);
}

static ms_survey *make(const series *s, const ms_survey_settings *settings) {
  const ms_survey_settings usual = make_settings();
  ms_survey *out = NULL;
  CHECK_OK(ms_survey_create(test_context(), IMPACT_MASSES, MS_SIGNAL_ACCELERATION, s->n, s->record,
                            settings ? settings : &usual, &out));
  return out;
}

static series simulate(test_impact t, int n, const double *peak) {
  series s = { .n = 0 };
  for (int i = 0; i < n; i++) {
    t.peak = peak[i];
    t.seed = 31u + (unsigned)i;
    add(&s, &t);
  }
  return s;
}

/* Displacement amplitude of an acceleration. */
static double displacement(const ms_survey_point *p) {
  return p->amplitude / (4.0 * pi * pi * p->freq_hz * p->freq_hz);
}

typedef struct comparison {
  int alone, coupled;                /* points */
  double freq, zeta;                 /* largest relative errors where the mode rings alone */
  double coupled_freq, coupled_zeta; /* and where it does not */
} comparison;

static comparison compare(const test_impact *t, const ms_survey *survey, int mode) {
  comparison c = { 0 };
  double f[IMPACT_MASSES], phi[IMPACT_MASSES * IMPACT_MASSES];
  const ms_survey_mode *m = ms_survey_get_mode(survey, mode);
  const int sensor = (int)ms_survey_get_info(survey)->sensor;
  test_impact_modes(f, phi);
  if (!m || m->n_point == 0) return c;
  const double most =
      displacement(&m->point[m->n_point - 1]) / fabs(phi[sensor + IMPACT_MASSES * mode]);
  const test_alone high = test_impact_alone(t, mode, sensor, 1.7 * most, 2.0);
  const test_alone low = test_impact_alone(t, mode, sensor, 0.07 * most, 4.0);
  for (ptrdiff_t k = 0; k < m->n_point; k++) {
    const ms_survey_point *p = &m->point[k];
    const double q = displacement(p);
    const test_alone *truth = test_alone_freq(&high, q) > 0.0 ? &high : &low;
    const double freq = test_alone_freq(truth, q), zeta = test_alone_zeta(truth, q);
    if (!(freq > 0.0)) continue; /* below what the truth was simulated for */
    const double off = fabs(p->freq_hz / freq - 1.0), less = fabs(p->zeta / zeta - 1.0);
    double *worst = p->coupled ? &c.coupled_freq : &c.freq;
    *(p->coupled ? &c.coupled : &c.alone) += 1;
    *worst = fmax(*worst, off);
    worst = p->coupled ? &c.coupled_zeta : &c.zeta;
    *worst = fmax(*worst, less);
  }
  free(high.amplitude);
  free(low.amplitude);
  return c;
}

/* 25.6 kHz, 16 bits, noise, and no option. */
static void test_hammer(void) {
  const double peak[] = { 21.0, 83.0, 450.0 };
  test_impact t = test_impact_default();
  t.length = 2.1;
  series s = simulate(t, 3, peak);
  ms_survey *survey = make(&s, NULL);
  if (!survey) return;
  const ms_survey_info *info = ms_survey_get_info(survey);
  double f[IMPACT_MASSES], phi[IMPACT_MASSES * IMPACT_MASSES];
  test_impact_modes(f, phi);
  if (!CHECK_EQUAL(info->n_mode, IMPACT_MASSES)) return;
  CHECK_EQUAL(info->n_used, 3);
  CHECK_EQUAL(info->n_place, 1);
  CHECK_EQUAL(info->factor, 3);
  CHECK_EQUAL(info->sensor, 3); /* the last mass: no mode has a node there */
  CHECK_CLOSE(info->rate, 25600.0, 1e-12);
  CHECK_CLOSE(info->low, 8.0 / 1.998, 1e-3);
  CHECK(info->decay > 0.0); /* 2 s are too short for the first mode */
  for (int r = 0; r < info->n_mode; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(survey, r);
    CHECK_CLOSE(m->freq_hz, f[r], 1e-2); /* the lowest amplitudes, where it still slips */
    for (int i = 0; i < IMPACT_MASSES; i++)
      CHECK_NEAR(fabs(m->shape[i] * phi[3 + IMPACT_MASSES * r] / m->shape[3]),
                 fabs(phi[i + IMPACT_MASSES * r]), 0.09);
    CHECK(m->freq_from > 0.0);
    CHECK(m->neighbour_hz == 0.0);
    CHECK(m->coherence > 0.7 && m->coherence < 0.999);
  }
  const comparison first = compare(&t, survey, 0);
  CHECK(first.alone > 12 && first.coupled > 0);
  CHECK_BELOW(first.freq, 3e-5); /* these numbers are in docs/theory/survey.md */
  CHECK_BELOW(first.zeta, 1.2e-2);
  CHECK_BELOW(first.coupled_freq, 5e-4);
  CHECK_BELOW(first.coupled_zeta, 8e-2);
  /* What the flag is for: where other modes ring too, the curve is another one. */
  CHECK(first.coupled_freq > 2e-4 && first.coupled_zeta > 3e-2);
  const ms_survey_mode *lowest = ms_survey_get_mode(survey, 0);
  if (!CHECK(lowest->n_point > 12)) return;
  CHECK_BELOW(lowest->freq_from, 0.1 * lowest->point[lowest->n_point - 1].amplitude);
  CHECK_BELOW(lowest->zeta_from, 0.1 * lowest->point[lowest->n_point - 1].amplitude);
  const comparison second = compare(&t, survey, 1);
  CHECK(second.alone == 0 && second.coupled > 20);
  CHECK_NEAR(second.coupled_freq, 1.2e-2, 1e-3);
  char text[500];
  CHECK(ms_survey_note(survey, 1, 0, text, sizeof text));
  CHECK_HAS(text, "other modes ring too with more than 0.05 of its velocity");
  CHECK(!ms_survey_note(survey, 1, 1, text, sizeof text));
  CHECK(!ms_survey_note(survey, 9, 0, text, sizeof text));
  const ms_survey_level *level = ms_survey_get_level(survey, 2);
  CHECK_EQUAL(info->n_level, 3);
  CHECK_EQUAL(level->impacts, 1);
  CHECK_CLOSE(level->high, 450.0, 1e-3);
  CHECK(ms_survey_get_level(survey, 0)->high < ms_survey_get_level(survey, 1)->low);
  CHECK(!ms_survey_get_level(survey, 3) && !ms_survey_get_mode(survey, 4));
  CHECK(!ms_survey_get_impact(survey, 3) && !ms_survey_get_judgement(survey, 0, 5));
  CHECK_CLOSE(ms_survey_get_impact(survey, 1)->time, -0.27, 1e-3);
  CHECK_NEAR(ms_survey_get_judgement(survey, 1, 1)->offset, 0.07, 2e-3);
  ms_survey_destroy(&survey);
  free_series(&s);
}

/* The same without the force: a record that begins before the blow, and one that begins when it is
   over. Modes, bands and curves are found as before. */
static void test_free(void) {
  const double peak = 450.0;
  test_impact t = test_impact_default();
  t.length = 2.1;
  series s = simulate(t, 1, &peak);
  ms_survey_record record[2];
  double f[IMPACT_MASSES], phi[IMPACT_MASSES * IMPACT_MASSES];
  test_impact_modes(f, phi);
  for (int late = 0; late < 2; late++) {
    const ptrdiff_t n = s.record[0].n, first = late ? n / 10 : 0;
    double *x = malloc((size_t)(n * IMPACT_MASSES) * sizeof *x);
    for (ptrdiff_t c = 0; c < IMPACT_MASSES; c++)
      memcpy(x + (n - first) * c, s.x[0] + n * c + first, (size_t)(n - first) * sizeof *x);
    record[0] = s.record[0];
    record[0].n = n - first, record[0].force = NULL, record[0].x = x;
    record[0].time += record[0].dt * (double)first;
    ms_survey *survey = NULL;
    CHECK_OK(ms_survey_create(test_context(), IMPACT_MASSES, MS_SIGNAL_ACCELERATION, 1, record,
                              NULL, &survey));
    if (!survey) return;
    const ms_survey_info *info = ms_survey_get_info(survey);
    CHECK(info->is_free);
    CHECK_EQUAL(info->n_level, 0);
    CHECK(info->n_mode >= IMPACT_MASSES);
    CHECK(info->factor > 1); /* decimated by where it rings */
    CHECK_NEAR(ms_survey_get_impact(survey, 0)->peak, 0.0, 0.0);
    CHECK_NEAR(ms_survey_get_impact(survey, 0)->time, late ? record[0].time : -0.27, 1e-2);
    for (int r = 0; r < IMPACT_MASSES; r++)
      CHECK_CLOSE(ms_survey_get_mode(survey, r)->freq_hz, f[r], 3e-2);
    const comparison own = compare(&t, survey, 0);
    CHECK(own.alone > 5);
    CHECK_BELOW(own.freq, 5e-5);
    CHECK_BELOW(own.zeta, 1e-2);
    ms_survey_destroy(&survey);
    free(x);
  }
  record[0] = record[1] = s.record[0];
  record[1].force = NULL;
  ms_survey *none;
  CHECK_STATUS(ms_survey_create(test_context(), IMPACT_MASSES, MS_SIGNAL_ACCELERATION, 2, record,
                                NULL, &none),
               MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "1 of 2 records have a force: give all or none");
  free_series(&s);
}

/* Damping at the lowest amplitudes is that of the mode alone, or it is said that others ring too:
   joints that these move damp the mode, too. */
static void test_low_damping(void) {
  const double peak[][2] = { { 24.0, 71.0 }, { 90.0, 210.0 }, { 260.0, 500.0 } };
  int alone = 0, off = 0;
  test_impact t = test_impact_default();
  t.rate = 12800.0;
  t.length = 2.1;
  for (unsigned seed = 0; seed < 3; seed++) {
    series s = { .n = 0 };
    for (unsigned i = 0; i < 2; i++) {
      t.peak = peak[seed][i], t.seed = 501u + 2u * seed + i;
      add(&s, &t);
    }
    ms_survey *survey = make(&s, NULL);
    if (!survey) return;
    double f[IMPACT_MASSES], phi[IMPACT_MASSES * IMPACT_MASSES];
    test_impact_modes(f, phi);
    const int sensor = (int)ms_survey_get_info(survey)->sensor;
    for (int r = 0; r < IMPACT_MASSES; r++) {
      const ms_survey_mode *m = ms_survey_get_mode(survey, r);
      if (!m || m->n_point < 4) continue;
      const double q = displacement(&m->point[1]);
      const test_alone truth =
          test_impact_alone(&t, r, sensor, 2.0 * q / fabs(phi[sensor + IMPACT_MASSES * r]), 3.0);
      const double zeta = test_alone_zeta(&truth, q);
      const int right = zeta > 0.0 && fabs(m->zeta / zeta - 1.0) < 0.08;
      CHECK(right || m->is_coupled);
      alone += !m->is_coupled;
      off += m->is_coupled && m->zeta > 1.2 * zeta;
      free(truth.amplitude);
    }
    ms_survey_destroy(&survey);
    free_series(&s);
  }
  CHECK(alone >= 2 && off >= 3);
}

/* Without slip nothing deviates; edges as asked for; another assembly's modes are found again. */
static void test_linear(void) {
  const double peak[] = { 9.0, 60.0, 330.0 };
  test_impact t = test_impact_default();
  t.rate = 6400.0;
  t.length = 2.3;
  t.preload = 1e9;
  ms_survey_settings set = make_settings();
  set.edge = 0.23;
  set.sensor = 2;
  set.modes = 3;
  series s = simulate(t, 3, peak);
  ms_survey *survey = make(&s, &set);
  set.modes = 12;
  ms_survey *other = make(&s, &set);
  if (!survey || !other) return;
  double f[IMPACT_MASSES], phi[IMPACT_MASSES * IMPACT_MASSES];
  test_impact_modes(f, phi);
  CHECK_EQUAL(ms_survey_get_info(survey)->n_mode, 3);
  if (!CHECK_EQUAL(ms_survey_get_info(other)->n_mode, 4)) return;
  CHECK_EQUAL(ms_survey_get_info(other)->sensor, 2);
  for (int r = 0; r < 4; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(other, r);
    const test_alone alone = test_impact_alone(&t, r, 2, 1e-3, 0.5);
    for (ptrdiff_t k = 0; k < m->n_point; k++) { /* noise is about a sixtieth of the first ones */
      const int low = m->point[k].amplitude < 5.0 * m->point[0].amplitude;
      CHECK_CLOSE(m->point[k].freq_hz, alone.freq_hz[alone.n / 2], low ? 5e-4 : 5e-5);
      CHECK_CLOSE(m->point[k].zeta, alone.zeta[alone.n / 2], low ? 0.1 : 0.02);
    }
    CHECK(m->n_point > 4);
    CHECK(m->freq_from == 0.0 && m->zeta_from == 0.0);
    CHECK_CLOSE(m->edge, 0.23, 1e-12);
    CHECK(m->low < m->peak_hz && m->peak_hz < m->high);
    free(alone.amplitude);
  }
  const ms_survey *both[] = { survey, other };
  ptrdiff_t mine[3], theirs[4], *number[] = { mine, theirs }, total;
  CHECK_OK(ms_survey_number(test_context(), 2, both, number, &total));
  CHECK_EQUAL(total, 4);
  for (ptrdiff_t r = 0; r < 4; r++) CHECK_EQUAL(theirs[r], r + 1);
  for (ptrdiff_t r = 0; r < 3; r++) {
    const ms_survey_mode *own = ms_survey_get_mode(survey, r);
    CHECK_CLOSE(ms_survey_get_mode(other, mine[r] - 1)->peak_hz, own->peak_hz, 1e-9);
  }
  ms_survey_destroy(&survey);
  ms_survey_destroy(&other);
  free_series(&s);
}

/* Cut at the hammer's peak there is no silence that says where noise begins, but the curves are the
   same. */
static void test_without_silence(void) {
  const double peak[] = { 21.0, 83.0, 450.0 };
  test_impact t = test_impact_default();
  t.length = 2.1;
  series s = simulate(t, 3, peak);
  ms_survey *whole = make(&s, NULL);
  for (int i = 0; i < s.n; i++) {
    ms_survey_record *r = &s.record[i];
    ptrdiff_t top = 0;
    for (ptrdiff_t k = 0; k < r->n; k++)
      if (s.force[i][k] > s.force[i][top]) top = k;
    const ptrdiff_t n = r->n - top;
    for (int c = 0; c < IMPACT_MASSES; c++)
      memmove(s.x[i] + n * c, s.x[i] + r->n * c + top, (size_t)n * sizeof *s.x[i]);
    r->n = n, r->force = s.force[i] + top;
  }
  ms_survey *cut = make(&s, NULL);
  if (!whole || !cut) return;
  const ms_survey_info *info = ms_survey_get_info(cut);
  CHECK_EQUAL(info->n_mode, ms_survey_get_info(whole)->n_mode);
  for (ptrdiff_t r = 0; r < info->n_mode; r++) {
    const ms_survey_mode *a = ms_survey_get_mode(cut, r), *b = ms_survey_get_mode(whole, r);
    int same = 0;
    CHECK(a->n_point > 0 && a->point[0].amplitude > 0.5 * b->point[0].amplitude);
    CHECK(a->n_point > 0 && a->point[0].amplitude < 2.0 * b->point[0].amplitude);
    for (ptrdiff_t k = 0, l = 0; k < a->n_point; k++) {
      const ms_survey_point *p = &a->point[k], *q;
      while (l < b->n_point - 1 && b->point[l].amplitude < 0.99 * p->amplitude) l++;
      q = &b->point[l];
      if (fabs(q->amplitude / p->amplitude - 1.0) > 0.01) continue;
      CHECK_CLOSE(p->freq_hz, q->freq_hz, r == 0 ? 1e-4 : 4e-3);
      if (r == 0) CHECK_CLOSE(p->zeta, q->zeta, 0.01);
      same++;
    }
    CHECK(same > 20);
  }
  ms_survey_destroy(&cut);
  ms_survey_destroy(&whole);
  free_series(&s);
}

/* Two blows and overloads are left out unless asked for. */
static void test_doubtful(void) {
  test_impact t = test_impact_default();
  series s = { .n = 0 };
  t.rate = 6400.0;
  t.length = 1.1;
  add(&s, &t);
  t.second = 0.4;
  add(&s, &t);
  t.second = 0.0;
  t.range = 0.7;
  add(&s, &t);
  ms_survey *survey = make(&s, NULL);
  if (!survey) return;
  CHECK_EQUAL(ms_survey_get_info(survey)->n_used, 1);
  CHECK_EQUAL(ms_survey_get_info(survey)->n_level, 1);
  CHECK(ms_survey_get_impact(survey, 0)->used);
  CHECK(!ms_survey_get_impact(survey, 1)->used && !ms_survey_get_impact(survey, 2)->used);
  CHECK_EQUAL(ms_survey_get_judgement(survey, 1, 0)->n_hit, 2);
  CHECK(ms_survey_get_judgement(survey, 2, 4)->overloads > 0);
  CHECK(ms_survey_get_mode(survey, 0)->coherence == 1.0);
  ms_survey_destroy(&survey);
  ms_survey_settings set = make_settings();
  set.doubtful = 1;
  survey = make(&s, &set);
  CHECK_EQUAL(ms_survey_get_info(survey)->n_used, 3);
  ms_survey_destroy(&survey);
  CHECK_STATUS(
      ms_survey_create(test_context(), 4, MS_SIGNAL_ACCELERATION, 2, s.record + 1, NULL, &survey),
      MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()),
            "each of the 2 records has overloads or several blows");
  free_series(&s);
}

/* Impacts against each other: five at three levels, of which one has a fault. */
static void spoil(ms_survey_fault fault, double *force, double *x, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k++) {
    const double x0 = x[k], x2 = x[k + 2 * n];
    if (fault == MS_SURVEY_FORCE_SIGN) force[k] = -force[k];
    if (fault == MS_SURVEY_SIGN) x[k + n] = -x[k + n];
    if (fault == MS_SURVEY_LOST) x[k + n] = 0.031 * x[k + n];
    if (fault == MS_SURVEY_SWAPPED) x[k] = x2, x[k + 2 * n] = x0;
  }
}

/* As the caller wants it; and of two impacts nobody knows which is wrong. */
static void check_wanted(const series *s, int which) {
  ms_survey_settings set = make_settings();
  set.doubtful = 1;
  ms_survey *survey = make(s, &set);
  CHECK_EQUAL(ms_survey_get_info(survey)->n_used, 5);
  CHECK_EQUAL(ms_survey_get_impact(survey, which)->fault, MS_SURVEY_SIGN);
  ms_survey_destroy(&survey);
  CHECK_OK(ms_survey_create(test_context(), IMPACT_MASSES, MS_SIGNAL_ACCELERATION, 2, s->record,
                            NULL, &survey));
  CHECK_EQUAL(ms_survey_get_info(survey)->n_used, 2);
  ms_survey_destroy(&survey);
}

static void check_fault(const series *s, ms_survey_fault fault, int which) {
  ms_survey *survey = make(s, NULL);
  if (!survey) return;
  for (int i = 0; i < 5; i++) {
    const ms_survey_impact *impact = ms_survey_get_impact(survey, i);
    const int spoilt = i == which && fault != MS_SURVEY_NO_FAULT;
    CHECK_EQUAL(impact->used, !spoilt);
    CHECK_EQUAL(impact->fault, spoilt ? fault : MS_SURVEY_NO_FAULT);
    if (spoilt && (fault == MS_SURVEY_LOST || fault == MS_SURVEY_SIGN))
      CHECK_EQUAL(impact->sensor, 1);
    if (spoilt && fault == MS_SURVEY_SWAPPED) CHECK(impact->sensor == 0 && impact->other == 2);
  }
  CHECK_EQUAL(ms_survey_get_info(survey)->n_used, fault == MS_SURVEY_NO_FAULT ? 5 : 4);
  ms_survey_destroy(&survey);
}

static void test_channels(void) {
  const double peak[] = { 21.0, 83.0, 450.0, 120.0, 33.0 };
  test_impact t = test_impact_default();
  t.rate = 6400.0;
  t.length = 1.1;
  series s = simulate(t, 5, peak);
  const size_t n = (size_t)s.record[0].n;
  double *force = malloc(n * sizeof *force), *x = malloc(IMPACT_MASSES * n * sizeof *x);
  check_fault(&s, MS_SURVEY_NO_FAULT, 0);
  for (int fault = MS_SURVEY_LOST; fault <= MS_SURVEY_SWAPPED; fault++) {
    const int which = fault % 3; /* each level is spoilt once */
    memcpy(force, s.force[which], n * sizeof *force);
    memcpy(x, s.x[which], IMPACT_MASSES * n * sizeof *x);
    spoil((ms_survey_fault)fault, s.force[which], s.x[which], (ptrdiff_t)n);
    check_fault(&s, (ms_survey_fault)fault, which);
    if (fault == MS_SURVEY_SIGN) check_wanted(&s, which);
    memcpy(s.force[which], force, n * sizeof *force);
    memcpy(s.x[which], x, IMPACT_MASSES * n * sizeof *x);
  }
  free(force);
  free(x);
  free_series(&s);
}

/* ---- closed forms: two modes, near each other ---- */

enum { N = 24000 };

typedef struct pair {
  double f[2], zeta[2], shape[2][2];
  double force[N], x[2 * N];
} pair;

static ms_survey_record ring(pair *p) {
  const double dt = 1.0 / 8000.0;
  ms_random rng;
  ms_random_start(&rng, 5, 3);
  for (ptrdiff_t k = 0; k < N; k++) {
    const double t = dt * (double)k - 0.0713;
    p->force[k] =
        (t > 0.0 && t < 1e-3 ? 50.0 * sin(pi * t / 1e-3) : 0.0) + 0.01 * ms_random_normal(&rng);
    for (int c = 0; c < 2; c++) {
      double x = 1e-4 * ms_random_normal(&rng);
      for (int r = 0; r < 2 && t > 0.0; r++) {
        const double omega = 2.0 * pi * p->f[r];
        x += p->shape[r][c] * exp(-p->zeta[r] * omega * t) * sin(omega * t + 0.3 * r);
      }
      p->x[k + N * c] = x;
    }
  }
  return (ms_survey_record) { .n = N, .dt = dt, .force = p->force, .x = p->x };
}

static ms_survey *make_pair(pair *p, ptrdiff_t sensors) {
  const ms_survey_settings set = make_settings();
  const ms_survey_record record = ring(p);
  ms_survey *out = NULL;
  CHECK_OK(ms_survey_create(test_context(), sensors, MS_SIGNAL_VELOCITY, 1, &record, &set, &out));
  return out;
}

static void test_neighbours(void) {
  static pair p = { .f = { 211.3, 224.1 },
                    .zeta = { 1.1e-3, 1.3e-3 },
                    .shape = { { 1.0, 0.7 }, { 0.9, -1.1 } } };
  char text[500];
  /* Two sensors tell them apart by shape. */
  ms_survey *survey = make_pair(&p, 2);
  if (!survey) return;
  if (!CHECK_EQUAL(ms_survey_get_info(survey)->n_mode, 2)) return;
  for (int r = 0; r < 2; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(survey, r);
    CHECK_EQUAL(m->filtered, 1);
    CHECK(m->neighbour_hz == 0.0 && m->n_point > 10);
    CHECK_CLOSE(m->freq_hz, p.f[r], 2e-4);
    CHECK_CLOSE(m->zeta, p.zeta[r], 3e-2);
  }
  ms_survey_destroy(&survey);
  /* One does not, and says so. */
  p.f[1] = 217.1;
  p.zeta[0] = p.zeta[1] = 4e-4;
  survey = make_pair(&p, 1);
  if (!survey) return;
  if (!CHECK_EQUAL(ms_survey_get_info(survey)->n_mode, 2)) return;
  CHECK_CLOSE(ms_survey_get_mode(survey, 0)->neighbour_hz, p.f[1], 1e-3);
  CHECK(ms_survey_note(survey, 0, 0, text, sizeof text));
  CHECK_HAS(text, "is too near for band and shapes to take it away");
  ms_survey_destroy(&survey);
  /* So near that shapes do not do. */
  p.f[1] = 214.3;
  p.zeta[0] = p.zeta[1] = 1.3e-3;
  survey = make_pair(&p, 2);
  if (!survey) return;
  if (!CHECK_EQUAL(ms_survey_get_info(survey)->n_mode, 2)) return;
  CHECK_EQUAL(ms_survey_get_mode(survey, 1)->filtered, 1);
  CHECK_CLOSE(ms_survey_get_mode(survey, 1)->neighbour_hz, p.f[0], 1e-3);
  ms_survey_destroy(&survey);
  /* In one peak. */
  p.f[1] = 211.6;
  survey = make_pair(&p, 2);
  if (!survey) return;
  CHECK_EQUAL(ms_survey_get_info(survey)->n_mode, 1);
  CHECK(ms_survey_note(survey, 0, 0, text, sizeof text));
  CHECK_HAS(text, "the peak has two shapes");
  ms_survey_destroy(&survey);
}

/* ---- closed forms: one mode that softens ---- */

/* f = 100 Hz (1 - soft a), from a = 8 and less; noise is 1e-4. */
static void soften(double soft, double peak, unsigned seed, double *force, double *x) {
  const double dt = 1.0 / 8000.0;
  double phase = 0.0, a = peak;
  ms_random rng;
  ms_random_start(&rng, seed, 3);
  for (ptrdiff_t k = 0; k < N; k++) {
    const double t = dt * (double)k - 0.0713;
    force[k] = (t > 0.0 && t < 1e-3 ? 10.0 * peak * sin(pi * t / 1e-3) : 0.0) +
               0.01 * ms_random_normal(&rng);
    x[k] = 1e-4 * ms_random_normal(&rng) + (t > 0.0 ? a * sin(phase) : 0.0);
    if (t <= 0.0) continue;
    phase += 2.0 * pi * 100.0 * (1.0 - soft * a) * dt;
    a -= 0.005 * 2.0 * pi * 100.0 * a * dt;
  }
}

/* Loud points scatter from impact to impact; that says nothing against the soft ones. */
static void test_scatter(void) {
  static double force[4][N], x[4][N];
  ms_survey_record record[4];
  for (int i = 0; i < 4; i++) {
    soften(0.003 * (0.4 + 0.4 * i), 8.0, 3u + (unsigned)i, force[i], x[i]);
    record[i] = (ms_survey_record) { .n = N, .dt = 1.0 / 8000.0, .force = force[i], .x = x[i] };
  }
  ms_survey *survey = NULL;
  CHECK_OK(ms_survey_create(test_context(), 1, MS_SIGNAL_VELOCITY, 4, record, NULL, &survey));
  if (!survey) return;
  const ms_survey_mode *m = ms_survey_get_mode(survey, 0);
  CHECK_CLOSE(m->freq_hz, 100.0, 1e-3);
  /* a thousandth on average at 0.33 */
  CHECK(m->freq_from > 0.3 && m->freq_from < 0.6);
  CHECK(m->zeta_from == 0.0 && m->is_low);
  CHECK(m->freq_spread > 0.0 && m->freq_spread < 0.1);
  ms_survey_destroy(&survey);
}

/* The hard blow has the highest peak, where slip has brought the mode. */
static void test_moved(void) {
  static const double peak[] = { 8.0, 0.4, 0.8 };
  static double force[3][N], x[3][N];
  ms_survey_record record[3];
  for (int i = 0; i < 3; i++) {
    soften(0.012, peak[i], 3u + (unsigned)i, force[i], x[i]);
    record[i] = (ms_survey_record) { .n = N, .dt = 1.0 / 8000.0, .force = force[i], .x = x[i] };
  }
  ms_survey *survey = NULL;
  CHECK_OK(ms_survey_create(test_context(), 1, MS_SIGNAL_VELOCITY, 3, record, NULL, &survey));
  if (!survey) return;
  CHECK_CLOSE(ms_survey_get_mode(survey, 0)->peak_hz, 100.0, 1e-2);
  CHECK_CLOSE(ms_survey_get_mode(survey, 0)->freq_hz, 100.0, 1e-3);
  ms_survey_destroy(&survey);
}

/* A mode that still rings at the end of the record is not read at low amplitude; where it has
   hardly fallen, nothing is said of its deviation. */
static void test_not_low(void) {
  static pair p = { .f = { 211.3, 515.1 },
                    .zeta = { 1.1e-2, 0.0 },
                    .shape = { { 1.0, 0.7 }, { 4.5, -5.5 } } };
  char text[500];
  for (int i = 0; i < 2; i++) {
    p.zeta[1] = i == 0 ? 1.1e-4 : 4e-5;
    ms_survey *survey = make_pair(&p, 2);
    if (!survey) return;
    const ms_survey_mode *a = ms_survey_get_mode(survey, 0), *b = ms_survey_get_mode(survey, 1);
    CHECK(a->is_low && !a->is_short);
    CHECK(!b->is_low && b->lowest > 10.0 * a->lowest);
    CHECK_EQUAL(b->is_short, i);
    CHECK(ms_survey_note(survey, 1, 0, text, sizeof text));
    CHECK_HAS(text,
              i == 0 ? "other modes are read at much lower ones" : "so few points are no curve");
    ms_survey_destroy(&survey);
  }
}

/* Struck where the first mode moves most, and where the second does. */
static void test_places(void) {
  static pair p[3] = { { .shape = { { 1.0, 0.7 }, { 0.14, -0.17 } } },
                       { .shape = { { 0.15, 0.1 }, { -0.9, 1.1 } } },
                       { .shape = { { 1.1, 0.75 }, { 0.1, -0.12 } } } };
  ms_survey_record record[3];
  for (int i = 0; i < 3; i++) {
    for (int r = 0; r < 2; r++) p[i].f[r] = r == 0 ? 211.3 : 515.1, p[i].zeta[r] = 1.1e-2;
    record[i] = ring(&p[i]);
  }
  ms_survey *survey = NULL;
  CHECK_OK(ms_survey_create(test_context(), 2, MS_SIGNAL_VELOCITY, 3, record, NULL, &survey));
  if (!survey) return;
  CHECK_EQUAL(ms_survey_get_info(survey)->n_place, 2);
  for (int i = 0; i < 3; i++) CHECK_EQUAL(ms_survey_get_impact(survey, i)->place, i == 1 ? 2 : 1);
  ms_survey_destroy(&survey);
}

/* ---- hum of the mains ---- */

static void add_hum(pair *p, double freq_hz, double size) {
  for (ptrdiff_t k = 0; k < N; k++)
    for (int c = 0; c < 2; c++)
      p->x[k + N * c] +=
          size * (1.0 + 0.5 * c) * sin(2.0 * pi * freq_hz * (double)k / 8000.0 + 0.7);
}

/* Hum is no mode, also with less than a period of it before the blow; a mode at its frequency is
   none: it falls, or was not there before. */
static void test_hum(void) {
  static pair p = { .f = { 100.03, 211.3 },
                    .zeta = { 1e-4, 1.1e-2 },
                    .shape = { { 1.0, 0.7 }, { 0.9, -1.1 } } };
  const ms_survey_settings set = make_settings();
  static const struct {
    double hum, zeta;
    ptrdiff_t first; /* sample of the record */
    int n_hum, n_mode;
  } is[] = {
    { 50.01, 1e-2, 0, 1, 2 },    { 60.0, 1e-2, 0, 1, 2 },
    { 149.97, 1e-2, 500, 1, 2 }, { 0.0, 1e-4, 0, 0, 2 }, /* steady, but not there before */
    { 0.0, 1.1e-3, 570, 0, 2 },                          /* falls; no silence */
    { 57.1, 1e-2, 0, 0, 3 },                             /* of something else */
  };
  for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
    p.zeta[0] = is[i].zeta;
    ms_survey_record record = ring(&p);
    if (is[i].hum > 0.0) add_hum(&p, is[i].hum, 0.01);
    const ptrdiff_t first = is[i].first;
    double *x = malloc((size_t)(2 * (N - first)) * sizeof *x);
    for (ptrdiff_t c = 0; c < 2; c++)
      memcpy(x + (N - first) * c, p.x + N * c + first, (size_t)(N - first) * sizeof *x);
    record.n = N - first, record.force = p.force + first, record.x = x;
    ms_survey *survey = NULL;
    CHECK_OK(ms_survey_create(test_context(), 2, MS_SIGNAL_VELOCITY, 1, &record, &set, &survey));
    if (!survey) return;
    const ms_survey_info *info = ms_survey_get_info(survey);
    CHECK_EQUAL(info->n_hum, is[i].n_hum);
    CHECK_EQUAL(info->n_mode, is[i].n_mode);
    if (info->n_hum == 1) CHECK_CLOSE(info->hum_hz[0], is[i].hum, 1e-3);
    ms_survey_destroy(&survey);
    free(x);
  }
}

/* ---- refused ---- */

static void refuses(const ms_survey_record *record, const ms_survey_settings *set, ms_status status,
                    const char *text) {
  ms_survey *out;
  CHECK_STATUS(ms_survey_create(test_context(), 2, MS_SIGNAL_VELOCITY, 2, record, set, &out),
               status);
  CHECK_HAS(ms_context_message(test_context()), text);
  CHECK(!out);
}

static void test_refused(void) {
  static pair p = { .f = { 211.3, 515.1 },
                    .zeta = { 1.1e-2, 1.3e-2 },
                    .shape = { { 1.0, 0.7 }, { 0.9, -1.1 } } };
  ms_survey_record record[2];
  ms_survey_settings set = make_settings();
  record[0] = record[1] = ring(&p);
  record[1].name = "second.csv";
  record[1].dt *= 2.0;
  refuses(record, NULL, MS_ERR_ARGUMENT,
          "second.csv: 24000 samples at 4000 Hz; there must be 256, and 8000 Hz");
  record[1] = record[0];
  record[1].n = 700;
  refuses(record, NULL, MS_ERR_ARGUMENT, "samples are left behind the pulse");
  record[1] = record[0];
  set.edge = 1.5;
  refuses(record, &set, MS_ERR_BOUNDS, "edge 1.5 must be in [0, 1]");
  set = make_settings();
  set.sensor = 2;
  refuses(record, &set, MS_ERR_BOUNDS, "sensor 2 in [-1, 1]");
  set = make_settings();
  set.low = -1.0;
  refuses(record, &set, MS_ERR_BOUNDS, "modes are looked for from -1");
  set.low = 600.0;
  set.high = 500.0;
  refuses(record, &set, MS_ERR_ARGUMENT, "modes cannot be looked for from 600 to 500 Hz");
  set.low = 700.0;
  set.high = 900.0;
  refuses(record, &set, MS_ERR_ARGUMENT, "no peak of a mode is seen from 700 to 900 Hz");
  set = make_settings();
  set.tol.reach = 0.0;
  refuses(record, &set, MS_ERR_BOUNDS, "tol.reach = 0 must be finite and above 0");
  record[0].force = record[0].x; /* exchanged */
  record[1].force = record[1].x;
  refuses(record, NULL, MS_ERR_ARGUMENT, "is it a blow, and not exchanged with a sensor?");
  record[0].force = record[1].force = p.force;
  memset(p.force, 0, sizeof p.force);
  refuses(record, NULL, MS_ERR_ARGUMENT, "record 1: the force is zero");
  ms_survey *none;
  CHECK_STATUS(ms_survey_create(test_context(), 0, MS_SIGNAL_VELOCITY, 1, record, NULL, &none),
               MS_ERR_ARGUMENT);
  ms_survey_destroy(NULL);
}

static ms_status work(ms_context *ctx, void *user) {
  const ms_survey_record *record = user;
  ms_survey_settings set = make_settings();
  ms_survey *out;
  set.modes = 1;
  ms_status status = ms_survey_create(ctx, 2, MS_SIGNAL_VELOCITY, 3, record, &set, &out);
  ms_survey_destroy(&out);
  return status;
}

static void test_failures(void) {
  static pair p = { .f = { 211.3, 515.1 },
                    .zeta = { 1.1e-2, 1.3e-2 },
                    .shape = { { 1.0, 0.7 }, { 0.9, -1.1 } } };
  ms_survey_record record = ring(&p);
  double x[2 * 2000];
  record.n = 2000;
  for (int c = 0; c < 2; c++) memcpy(x + 2000 * c, p.x + N * c, 2000 * sizeof *x);
  record.x = x;
  ms_survey_record three[3] = { record, record, record };
  CHECK(test_allocations(work, three) > 30);
  for (int i = 0; i < 3; i++) three[i].force = NULL;
  CHECK(test_allocations(work, three) > 30);
}

int main(void) {
  TEST(test_hammer);
  TEST(test_free);
  TEST(test_low_damping);
  TEST(test_linear);
  TEST(test_without_silence);
  TEST(test_doubtful);
  TEST(test_channels);
  TEST(test_neighbours);
  TEST(test_scatter);
  TEST(test_moved);
  TEST(test_not_low);
  TEST(test_places);
  TEST(test_hum);
  TEST(test_refused);
  TEST(test_failures);
  return test_finish();
}
