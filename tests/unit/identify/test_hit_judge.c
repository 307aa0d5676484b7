/* Records of hammer tests are judged: a chain of masses, hit in six places, responses by a sum of
   its modes. Every fault is put into one record, or into all of them, and must be named with its
   channel, time and size; good records must be good, whatever the sensors measure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/hit_judge.h>

#include "support/check.h"
#include "support/structures.h"

enum { MASSES = 6, SENSORS = 4, HITS = 6, N = 3200, FIRST = 60, FINER = 8 };
#define DT 0.0103
#define PI 3.14159265358979323846

static const ptrdiff_t sensors[SENSORS] = { 4, 0, 2, 5 };
static const int place[HITS] = { 1, 4, 2, 5, 3, 0 };

typedef struct bench {
  ms_structure *s;
  ms_signal_kind kind;
  double f[HITS][N], x[HITS][N * SENSORS], shape[HITS][MASSES];
  ms_hit hit[HITS];
  ms_hit_judge_setting setting;
  ms_hit_judgement out[HITS];
  int explained;
} bench;

/* ---- records without faults ---- */

/* Of the hits that are simulated from then on: s, and frequencies over those of the modes. */
static double width = 0.16, softer = 1.0;

static double pulse(double t, double start, double peak) {
  return t > start && t < start + width ? peak * sin(PI * (t - start) / width) : 0.0;
}

/* By leap-frog in each mode; noise and an offset on every channel. */
static void hit_at(bench *b, int h, int at, double second, double second_at) {
  const ms_modes modes = ms_structure_get_stuck(b->s);
  const double step = DT / FINER, peak = 30.0 + 7.0 * h;
  ms_random random;
  memset(b->x[h], 0, sizeof b->x[h]);
  for (int r = 0; r < MASSES; r++) {
    const double *phi = modes.shape + MASSES * r, w = softer * modes.omega[r];
    const double c = 2.0 * ms_structure_get_damping_ratio(b->s, r) * w;
    double q = 0.0, v = 0.0, a = 0.0;
    for (int k = 0; k < N * FINER; k++) {
      const double t = k * step;
      const double f = pulse(t, FIRST * DT, peak) + pulse(t, second_at, second * peak);
      const double vh = v + 0.5 * step * a;
      if (k > 0) q += step * vh;
      a = (phi[at] * f - w * w * q - c * vh) / (1.0 + 0.5 * step * c);
      v = vh + 0.5 * step * a;
      if (k % FINER) continue;
      b->f[h][k / FINER] = f;
      const double y = b->kind == MS_SIGNAL_ACCELERATION ? a
                       : b->kind == MS_SIGNAL_VELOCITY   ? v
                                                         : q;
      for (int i = 0; i < SENSORS; i++) b->x[h][k / FINER + N * i] += phi[sensors[i]] * y;
    }
  }
  ms_random_start(&random, 17, (unsigned)h);
  for (int k = 0; k < N; k++) b->f[h][k] += 0.31 + 0.002 * peak * ms_random_normal(&random);
  double most = 0.0;
  for (int k = 0; k < N * SENSORS; k++) most = fmax(most, fabs(b->x[h][k]));
  for (int k = 0; k < N * SENSORS; k++)
    b->x[h][k] += most * (0.013 + 0.002 * ms_random_normal(&random));
}

static bench *open_bench(ms_signal_kind kind) {
  static const double zeta[MASSES] = { 0.021, 0.019, 0.023, 0.018, 0.02, 0.022 };
  bench *b = calloc(1, sizeof *b);
  b->s = test_chain(MASSES, 1, "jenkins");
  b->kind = kind;
  CHECK_OK(ms_structure_set_modal_damping(b->s, zeta));
  CHECK_OK(ms_structure_setup(b->s));
  for (int h = 0; h < HITS; h++) {
    hit_at(b, h, place[h], 0.0, 0.0);
    b->shape[h][place[h]] = 1.0;
    b->hit[h] = (ms_hit) { .name = "tap", .shape = b->shape[h], .n = N, .dt = DT };
    b->hit[h].force = b->f[h];
    b->hit[h].x = b->x[h];
  }
  ms_hit_judge_default(&b->setting, sizeof b->setting);
  b->setting.n_channel = SENSORS;
  b->setting.channel = sensors;
  b->setting.kind = kind;
  return b;
}

static void close_bench(bench **b) {
  ms_hit_judgement_free(test_context(), HITS, (*b)->out);
  ms_structure_destroy(&(*b)->s);
  free(*b);
  *b = NULL;
}

static void judge(bench *b) {
  ms_hit_judgement_free(test_context(), HITS, b->out);
  CHECK_OK(ms_hit_judge(b->s, &b->setting, HITS, b->hit, b->out, &b->explained));
}

static void print(const bench *b, int h) {
  for (int i = 0; i < b->out[h].n_finding; i++) {
    char text[200];
    ms_hit_print_finding(b->s, sensors, &b->out[h].finding[i], text, sizeof text);
    printf("# hit %d: %s: %s\n", h + 1, ms_hit_fault_text(b->out[h].finding[i].fault), text);
  }
}

/* All hits but `except` are good; it has this finding alone, whose text has `words`. */
static const ms_hit_finding *only(const bench *b, int except, ms_hit_fault fault,
                                  const char *words) {
  static const ms_hit_finding none = { MS_HIT_FAULT_COUNT, -2, -2, 0.0, 0.0 };
  char text[200];
  CHECK(b->explained);
  for (int h = 0; h < HITS; h++) {
    if (h == except || CHECK_EQUAL(b->out[h].n_finding, 0)) continue;
    print(b, h);
  }
  if (!CHECK_EQUAL(b->out[except].n_finding, 1)) {
    print(b, except);
    return &none;
  }
  const ms_hit_finding *f = b->out[except].finding;
  CHECK_TEXT(ms_hit_fault_text(f->fault), ms_hit_fault_text(fault));
  CHECK_EQUAL(ms_hit_is_doubtful(&b->out[except]), fault != MS_HIT_ENDS_EARLY);
  ms_hit_print_finding(b->s, sensors, f, text, sizeof text);
  CHECK_HAS(text, words);
  return f;
}

/* ---- good records ---- */

static void check_good(ms_signal_kind kind) {
  bench *b = open_bench(kind);
  judge(b);
  CHECK(b->explained);
  for (int h = 0; h < HITS; h++) {
    const ms_hit_judgement *is = &b->out[h];
    double most = 0.0;
    CHECK_EQUAL(is->n_finding, 0);
    print(b, h);
    CHECK(is->before > FIRST - 20 && is->before < FIRST);
    CHECK_NEAR(is->channel[0].offset, 0.31, 0.1);
    CHECK_CLOSE(is->channel[0].noise, 0.002 * (30.0 + 7.0 * h), 0.4);
    CHECK_CLOSE(is->channel[0].peak, 30.0 + 7.0 * h, 0.02);
    CHECK_NEAR(is->gain, 1.0, 0.05);
    CHECK_BELOW(is->unexplained, 0.01);
    for (int c = 1; c <= SENSORS; c++) most = fmax(most, is->channel[c].peak);
    for (int c = 1; c <= SENSORS; c++) {
      CHECK_NEAR(is->channel[c].offset / most, 0.013, 0.003);
      CHECK_NEAR(is->channel[c].noise / most, 0.002, 0.001);
    }
  }
  close_bench(&b);
}

static void test_good(void) {
  check_good(MS_SIGNAL_ACCELERATION);
  check_good(MS_SIGNAL_VELOCITY);
  check_good(MS_SIGNAL_DISPLACEMENT);
}

/* Slip makes modes softer, and a model may be too soft. */
static void test_other_frequencies(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  softer = 0.87;
  hit_at(b, 1, place[1], 0.0, 0.0);
  softer = 1.035;
  hit_at(b, 4, place[4], 0.0, 0.0);
  softer = 1.0;
  judge(b);
  for (int h = 0; h < HITS; h++) {
    CHECK_EQUAL(b->out[h].n_finding, 0);
    CHECK_BELOW(b->out[h].unexplained, 0.1);
    print(b, h);
  }
  close_bench(&b);
}

/* ---- one record with a fault that is seen in it alone ---- */

static void test_overload(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int k = 0; k < N; k++) b->f[2][k] = fmin(b->f[2][k], 21.0);
  judge(b);
  const ms_hit_finding *f = only(b, 2, MS_HIT_OVERLOAD, "the force is at the end of its range");
  CHECK_EQUAL(f->channel, -1);
  CHECK(f->value > 5.0 && f->value < 14.0 && f->time > FIRST * DT && f->time < (FIRST + 9) * DT);
  hit_at(b, 2, place[2], 0.0, 0.0);
  for (int k = 0; k < N; k++)
    b->x[2][k + N] = fmax(b->x[2][k + N], -0.4 * b->out[2].channel[2].peak);
  judge(b);
  CHECK_EQUAL(only(b, 2, MS_HIT_OVERLOAD, "u1 is at")->channel, 1);
  close_bench(&b);
}

static void test_blows(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  hit_at(b, 4, place[4], 0.3, 1.4);
  judge(b);
  CHECK_NEAR(only(b, 4, MS_HIT_DOUBLE, "hit again, at 14")->time, 1.4, 4.0 * DT);
  hit_at(b, 4, place[4], 0.3, 17.0);
  judge(b);
  CHECK_NEAR(only(b, 4, MS_HIT_SECOND_SHOCK, "another shock")->time, 17.0, 4.0 * DT);
  close_bench(&b);
}

/* A gap is seen in the force; what is missing without one is missed by the responses. */
static void test_drop_out(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int k = FIRST + 8; k < FIRST + 12; k++) b->f[1][k] = 0.31;
  judge(b);
  const ms_hit_finding *f = only(b, 1, MS_HIT_DROP_OUT, "lost within the pulse");
  CHECK(f->time > (FIRST + 6) * DT && f->time < (FIRST + 13) * DT);
  hit_at(b, 1, place[1], 0.0, 0.0);
  for (int k = 0; k < N; k++) b->f[1][k] = 0.31 + 0.45 * (b->f[1][k] - 0.31);
  judge(b);
  CHECK_CLOSE(only(b, 1, MS_HIT_DROP_OUT, "the force is 0.4")->value, 0.45, 0.03);
  /* the end of a long pulse, where ripples remain */
  width = 0.41;
  hit_at(b, 1, place[1], 0.0, 0.0);
  for (int k = FIRST + 25; k < FIRST + 42; k++) b->f[1][k] = 0.31 + (k % 2 ? 1.7 : -1.7);
  judge(b);
  CHECK_NEAR(only(b, 1, MS_HIT_DROP_OUT, "lost within the pulse")->time, (FIRST + 25) * DT,
             2.1 * DT);
  /* its middle alone: too little where it pushes, too much at high frequencies */
  hit_at(b, 1, place[1], 0.0, 0.0);
  width = 0.16 - 8 * DT;
  hit_at(b, 0, place[2], 0.0, 0.0);
  width = 0.16;
  memcpy(b->f[2] + 4, b->f[0], (N - 4) * sizeof b->f[2][0]);
  hit_at(b, 0, place[0], 0.0, 0.0);
  judge(b);
  CHECK(only(b, 2, MS_HIT_DROP_OUT, "of what the responses follow")->value < 0.6);
  close_bench(&b);
}

static void test_truncation(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  b->hit[3].force = b->f[3] + FIRST + 5;
  for (int c = 0; c < SENSORS; c++)
    memmove(b->x[3] + (N - FIRST - 5) * c, b->x[3] + N * c + FIRST + 5,
            (N - FIRST - 5) * sizeof(double));
  b->hit[3].n = N - FIRST - 5;
  judge(b);
  only(b, 3, MS_HIT_BEGINS_LATE, "begins when the hammer has hit");
  b->hit[3].force = b->f[3] + FIRST + 45;
  for (int c = 0; c < SENSORS; c++)
    memmove(b->x[3] + (N - FIRST - 45) * c, b->x[3] + (N - FIRST - 5) * c + 40,
            (N - FIRST - 45) * sizeof(double));
  b->hit[3].n = N - FIRST - 45;
  judge(b);
  only(b, 3, MS_HIT_BEGINS_LATE, "begins when the hammer has hit");
  b->hit[3] = b->hit[2];
  hit_at(b, 3, place[2], 0.0, 0.0);
  b->hit[3].force = b->f[3], b->hit[3].x = b->x[3];
  b->hit[3].n = 700;
  for (int c = 1; c < SENSORS; c++)
    memmove(b->x[3] + 700 * c, b->x[3] + N * c, 700 * sizeof(double));
  judge(b);
  const ms_hit_finding *f = only(b, 3, MS_HIT_ENDS_EARLY, "it ends while");

  CHECK(f->value > 0.1 && f->value < 0.8);
  close_bench(&b);
}

static void test_silence(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int k = 40; k < N; k++) b->x[0][k + 2 * N] = b->x[0][k % 40 + 2 * N];
  judge(b);
  CHECK_EQUAL(only(b, 0, MS_HIT_LOST, "u3 has no signal")->channel, 2);
  hit_at(b, 0, place[0], 0.0, 0.0);
  for (int k = 40; k < N; k++) b->f[0][k] = b->f[0][k % 40];
  judge(b);
  CHECK_EQUAL(only(b, 0, MS_HIT_LOST, "the force has no signal")->channel, -1);
  for (int k = 0; k < N; k++) b->f[0][k] = 0.31;
  judge(b);
  only(b, 0, MS_HIT_LOST, "the force has no signal");
  /* without silence before the hit it is the modes that miss a signal */
  hit_at(b, 0, place[0], 0.0, 0.0);
  for (int c = 0; c < SENSORS; c++)
    memmove(b->x[0] + (N - 55) * c, b->x[0] + N * c + 55, (N - 55) * sizeof(double));
  for (int k = 0; k < N - 55; k++)
    b->x[0][k + 2 * (N - 55)] = 0.01 * b->out[1].channel[1].peak * sin(11.3 * k);
  b->hit[0].force = b->f[0] + 55, b->hit[0].n = N - 55;
  judge(b);
  CHECK_EQUAL(only(b, 0, MS_HIT_LOST, "u3 has no signal")->channel, 2);
  close_bench(&b);
}

static void test_noise(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int c = 0; c < SENSORS; c++)
    for (int k = 0; k < N; k++)
      b->x[5][k + N * c] += 0.2 * b->f[5][FIRST + 8] * sin(7.7 * k * DT) * exp(-0.02 * k * DT);
  judge(b);
  CHECK(b->out[5].n_finding > 0 && b->out[5].finding[0].fault == MS_HIT_NOISE);
  CHECK(b->out[5].finding[0].value > 0.1);
  close_bench(&b);
}

/* ---- what the modes tell ---- */

static void invert(double *x) {
  for (int k = 0; k < N; k++) x[k] = -x[k];
}

static void swap(bench *b, int h, int c, int d) {
  for (int k = 0; k < N; k++) {
    const double keep = b->x[h][k + N * c];
    b->x[h][k + N * c] = b->x[h][k + N * d];
    b->x[h][k + N * d] = keep;
  }
}

static void test_signs(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  invert(b->f[3]);
  judge(b);
  CHECK_EQUAL(only(b, 3, MS_HIT_FORCE_INVERTED, "the force has the other sign")->channel, -1);
  CHECK_NEAR(b->out[3].unexplained, 2.0, 0.1);
  invert(b->f[3]);
  invert(b->x[4] + 3 * N);
  judge(b);
  CHECK_EQUAL(only(b, 4, MS_HIT_SENSOR_INVERTED, "u6 has the other sign")->channel, 3);
  CHECK_CLOSE(b->out[4].channel[4].gain, -1.0, 0.05);
  close_bench(&b);
}

static void test_swapped(void) {
  bench *b = open_bench(MS_SIGNAL_VELOCITY);
  for (int h = 0; h < HITS; h++) {
    const int c = h % SENSORS, d = (c + 1 + h / SENSORS) % SENSORS;
    swap(b, h, c, d);
    judge(b);
    const ms_hit_finding *f = only(b, h, MS_HIT_SWAPPED, "exchanged");
    CHECK_EQUAL(f->channel, c < d ? c : d);
    CHECK_EQUAL(f->other, c < d ? d : c);
    swap(b, h, c, d);
  }
  close_bench(&b);
}

static void test_places(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int h = 0; h < HITS; h++) {
    const int at = (place[h] + 2 + h) % MASSES;
    if (at == place[h]) continue;
    hit_at(b, h, at, 0.0, 0.0);
    judge(b);
    CHECK_EQUAL(only(b, h, MS_HIT_PLACE, "seems to have hit u")->other, at);
    hit_at(b, h, place[h], 0.0, 0.0);
  }
  close_bench(&b);
}

/* Two faults in one record. */
static void test_two(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int k = 40; k < N; k++) b->x[1][k] = b->x[1][k % 40];
  invert(b->f[1]);
  judge(b);
  CHECK_EQUAL(b->out[1].n_finding, 2);
  CHECK_EQUAL(b->out[1].finding[0].fault, MS_HIT_LOST);
  CHECK_EQUAL(b->out[1].finding[0].channel, 0);
  CHECK_EQUAL(b->out[1].finding[1].fault, MS_HIT_FORCE_INVERTED);
  close_bench(&b);
}

/* ---- what all records share ---- */

static void all_have(const bench *b, ms_hit_fault fault, ptrdiff_t channel, double value) {
  CHECK(b->explained);
  for (int h = 0; h < HITS; h++) {
    if (!CHECK_EQUAL(b->out[h].n_finding, 1)) print(b, h);
    const ms_hit_finding *f = b->out[h].finding;
    CHECK_TEXT(ms_hit_fault_text(f->fault), ms_hit_fault_text(fault));
    CHECK_EQUAL(f->channel, channel);
    if (value > 0.0) CHECK_CLOSE(f->value, value, 0.05);
  }
}

static void test_all_alike(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int h = 0; h < HITS; h++) invert(b->x[h] + N);
  judge(b);
  all_have(b, MS_HIT_SENSOR_INVERTED, 1, 0.0);
  for (int h = 0; h < HITS; h++) invert(b->x[h] + N), swap(b, h, 1, 3);
  judge(b);
  all_have(b, MS_HIT_SWAPPED, 1, 0.0);
  for (int h = 0; h < HITS; h++) {
    swap(b, h, 1, 3);
    for (int k = 0; k < N; k++) b->x[h][k] *= 9.81;
  }
  judge(b);
  all_have(b, MS_HIT_GAIN, 0, 9.81);
  for (int h = 0; h < HITS; h++) {
    for (int k = 0; k < N; k++) b->x[h][k] /= 9.81, b->f[h][k] *= 4.448;
  }
  judge(b);
  all_have(b, MS_HIT_GAIN, -1, 4.448);
  close_bench(&b);
}

/* A gain that all records share, one of them the first, of which nothing can be fitted; and of a
   sensor that is inverted, too. */
static void test_alike_but_the_first(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  for (int k = 0; k < N; k++) b->f[0][k] = fmin(b->f[0][k], 21.0);
  for (int h = 0; h < HITS; h++)
    for (int k = 0; k < N; k++) b->x[h][k + 2 * N] *= 9.81;
  judge(b);
  CHECK_EQUAL(b->out[0].finding[0].fault, MS_HIT_OVERLOAD);
  for (int turn = 0; turn < 2; turn++) {
    for (int h = 1; h < HITS; h++) {
      if (!CHECK_EQUAL(b->out[h].n_finding, 1 + turn)) print(b, h);
      const ms_hit_finding *f = &b->out[h].finding[turn];
      CHECK_EQUAL(f->fault, MS_HIT_GAIN);
      CHECK_EQUAL(f->channel, 2);
      CHECK_CLOSE(f->value, turn ? 3.0 : 9.81, 0.05);
    }
    if (turn) break;
    for (int h = 0; h < HITS; h++)
      for (int k = 0; k < N; k++) b->x[h][k + 2 * N] *= -3.0 / 9.81;
    judge(b);
  }
  close_bench(&b);
}

/* ---- a model that is wrong, and records that nothing explains ---- */

static void fill_nonsense(double *x, int seed) {
  for (int k = FIRST; k < N; k++)
    x[k] += 300.0 * exp(-0.2 * (k - FIRST) * DT) * sin((9.1 + 3.7 * (seed % 5)) * (k - FIRST) * DT);
}

static void test_unexplained(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  fill_nonsense(b->x[2] + 2 * N, 3);
  judge(b);
  CHECK_EQUAL(only(b, 2, MS_HIT_UNEXPLAINED, "the modes do not explain")->channel, 2);
  hit_at(b, 2, place[2], 0.0, 0.0);
  for (int c = 0; c < SENSORS; c++) fill_nonsense(b->x[2] + N * c, 3 * c);
  judge(b);
  CHECK_EQUAL(only(b, 2, MS_HIT_UNEXPLAINED, "of the responses")->channel, -1);
  hit_at(b, 3, place[3], 0.4, FIRST * DT + 0.7);
  for (int h = 0; h < HITS; h++) {
    for (int c = 0; c < SENSORS; c++) fill_nonsense(b->x[h] + N * c, 7 * c + 2 * h);
  }
  invert(b->x[1]);
  judge(b);
  CHECK_EQUAL(b->explained, 0);
  CHECK_EQUAL(b->out[3].finding[0].fault,
              MS_HIT_DOUBLE); /* what was seen without the modes stays */
  for (int h = 0; h < HITS; h++) {
    CHECK_EQUAL(b->out[h].n_finding, h == 3);
    print(b, h);
    CHECK_NEAR(b->out[h].gain, 0.0, 0.0);
  }
  close_bench(&b);
}

/* Records that the modes do not explain are not called good: two sensors of each, never the same.
 */
static void test_not_judged(void) {
  static const int mode[2] = { 0, 2 },
                   two[HITS][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 }, { 0, 3 }, { 1, 2 } };
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  ms_hammer_setting setting = MS_HAMMER_DEFAULT;
  ms_hammer *test = NULL;
  setting.n_channel = SENSORS, setting.channel = sensors, setting.n_mode = 2, setting.mode = mode;
  for (int h = 0; h < HITS; h++) {
    for (int i = 0; i < 2; i++) invert(b->x[h] + N * two[h][i]);
    b->hit[h].use = MS_HIT_IF_GOOD;
  }
  CHECK_OK(ms_hammer_create(b->s, &setting, HITS, b->hit, &test));
  CHECK_EQUAL(ms_hammer_is_explained(test), 0);
  for (int h = 0; h < HITS; h++) {
    CHECK_TEXT(ms_hammer_get_verdict(test, h).faults, "not judged");
    CHECK_EQUAL(ms_hammer_get_verdict(test, h).used, 1);
  }
  ms_hammer_destroy(&test);
  close_bench(&b);
}

/* ---- a single record, and what is refused ---- */

static void test_single(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  ms_hit_judgement one;
  invert(b->x[1] + N);
  CHECK_OK(ms_hit_judge(b->s, &b->setting, 1, &b->hit[1], &one, NULL));
  CHECK_EQUAL(one.n_finding, 1);
  CHECK_EQUAL(one.finding[0].fault, MS_HIT_SENSOR_INVERTED);
  CHECK_EQUAL(one.finding[0].channel, 1);
  ms_hit_judgement_free(test_context(), 1, &one);
  close_bench(&b);
}

static void test_refused(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  ms_hit_judgement out[HITS];
  const ptrdiff_t outside[SENSORS] = { 0, 1, MASSES, 2 };
  ms_hit_judge_setting s = b->setting;
  s.channel = outside;
  CHECK_STATUS(ms_hit_judge(b->s, &s, HITS, b->hit, out, NULL), MS_ERR_ARGUMENT);
  s = b->setting;
  s.n_channel = 0;
  CHECK_STATUS(ms_hit_judge(b->s, &s, HITS, b->hit, out, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_hit_judge(b->s, &b->setting, 0, b->hit, out, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_hit_judge(b->s, &b->setting, HITS, b->hit, NULL, NULL), MS_ERR_ARGUMENT);
  s = b->setting;
  s.tol.better = 0.0;
  CHECK_STATUS(ms_hit_judge(b->s, &s, HITS, b->hit, out, NULL), MS_ERR_BOUNDS);
  b->x[3][77] = NAN;
  CHECK_STATUS(ms_hit_judge(b->s, &b->setting, HITS, b->hit, out, NULL), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "tap");
  close_bench(&b);
}

/* ---- in a hammer test ---- */

static void test_in_hammer(void) {
  static const int mode[2] = { 0, 2 };
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  ms_hammer_setting setting = MS_HAMMER_DEFAULT;
  ms_hammer *test = NULL;
  char text[MS_HAMMER_TEXT];
  ms_decay none[2] = { { 0, NULL } };
  setting.n_channel = SENSORS, setting.channel = sensors, setting.n_mode = 2, setting.mode = mode;
  invert(b->f[1]);
  invert(b->x[2] + 3 * N);
  for (int h = 0; h < HITS; h++) b->hit[h].use = MS_HIT_IF_GOOD;
  b->hit[2].use = MS_HIT_ANYWAY;
  b->hit[5].use = MS_HIT_NOT_JUDGED;
  CHECK_OK(ms_hammer_create(b->s, &setting, HITS, b->hit, &test));
  CHECK(ms_hammer_is_explained(test));
  CHECK_EQUAL(ms_hammer_decay(test, 1, 0)->n, 0);
  CHECK_HAS(ms_hammer_get_remark(test, 1, 1), "not used: the force has the other sign");
  CHECK(ms_hammer_decay(test, 2, 0)->n > 0 && ms_hammer_decay(test, 5, 1)->n > 0);
  CHECK_TEXT(ms_hammer_get_verdict(test, 0).faults, "good");
  CHECK_TEXT(ms_hammer_get_verdict(test, 1).faults, "inverted force");
  CHECK_TEXT(ms_hammer_get_verdict(test, 2).faults, "inverted sensor");
  CHECK_TEXT(ms_hammer_get_verdict(test, 5).faults, "not judged");
  CHECK_EQUAL(ms_hammer_get_verdict(test, 1).used, 0);
  CHECK_EQUAL(ms_hammer_get_verdict(test, 2).used, 1);
  CHECK_EQUAL(ms_hammer_print_remark(test, 0, text), 0);
  CHECK(ms_hammer_print_remark(test, 1, text) > 0);
  CHECK_TEXT(text, "impact tap is not used (use: anyway does): the force has the other sign");
  CHECK(ms_hammer_print_remark(test, 2, text) > 0);
  CHECK_TEXT(text, "impact tap: u6 has the other sign");
  CHECK_OK(ms_hammer_simulate(test, b->s, 1, none, NULL, NULL));
  CHECK_EQUAL(none[0].n, 0);
  ms_hammer_destroy(&test);
  CHECK_STATUS(ms_hammer_create(b->s, &setting, 1, &b->hit[1], &test), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "all impacts are doubtful");
  CHECK_HAS(ms_context_message(test_context()), "the force has the other sign");
  close_bench(&b);
}

/* ---- memory ---- */

static ms_status judge_again(ms_context *ctx, void *user) {
  const bench *b = user;
  ms_hit_judgement out[2];
  ms_structure *copy = NULL;
  MS_TRY(ms_structure_copy(ctx, b->s, &copy));
  ms_status status = ms_hit_judge(copy, &b->setting, 2, b->hit, out, NULL);
  if (status == MS_SUCCESS) ms_hit_judgement_free(ctx, 2, out);
  ms_structure_destroy(&copy);
  return status;
}

static void test_no_memory(void) {
  bench *b = open_bench(MS_SIGNAL_ACCELERATION);
  b->setting.tol.window = 1.0;
  b->hit[0].n = b->hit[1].n = 400; /* the sensors are then nonsense, which is judged, too */
  CHECK(test_allocations(judge_again, b) > 20);
  close_bench(&b);
}

int main(void) {
  TEST(test_good);
  TEST(test_other_frequencies);
  TEST(test_overload);
  TEST(test_blows);
  TEST(test_drop_out);
  TEST(test_truncation);
  TEST(test_silence);
  TEST(test_noise);
  TEST(test_signs);
  TEST(test_swapped);
  TEST(test_places);
  TEST(test_two);
  TEST(test_all_alike);
  TEST(test_alike_but_the_first);
  TEST(test_unexplained);
  TEST(test_not_judged);
  TEST(test_single);
  TEST(test_refused);
  TEST(test_in_hammer);
  TEST(test_no_memory);
  return test_finish();
}
