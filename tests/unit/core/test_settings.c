/* Settings of every method: their default function says how large they are; a size that is none or
   larger than the library knows is refused; of a smaller one, an older caller's, what is there
   counts, and the rest is as by default. docs/decisions/0015-settings.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/microslip.h>

#include "core/internal.h"
#include "support/check.h"
#include "support/structures.h"

enum { N = 400, GARBAGE = 0xA5 };
static double record[N];
static ms_structure *three;

static ms_signal signal_of(void) {
  return (ms_signal) { .x = record, .n = N, .dt = 0.01, .kind = MS_SIGNAL_DISPLACEMENT };
}

/* ---- a call of each method ---- */

#define DECAY(name, function, type)                                  \
  static ms_status name(const void *s) {                             \
    ms_signal signal = signal_of();                                  \
    ms_decay decay;                                                  \
    ms_status status = function(test_context(), &signal, s, &decay); \
    ms_decay_free(test_context(), &decay);                           \
    return status;                                                   \
  }
DECAY(use_hilbert, ms_signal_hilbert, ms_hilbert_settings)
DECAY(use_stft, ms_signal_stft, ms_stft_settings)
DECAY(use_crossing, ms_signal_zero_crossings, ms_crossing_settings)

static ms_status use_ring(const void *s) {
  ms_signal signal = signal_of();
  ms_decay decay;
  ms_status status = ms_signal_ringdown(test_context(), &signal, s, NULL, &decay, NULL);
  ms_decay_free(test_context(), &decay);
  return status;
}

static ms_status use_spectrogram(const void *s) {
  ms_signal signal = signal_of();
  ms_spectrogram out;
  ms_status status = ms_signal_spectrogram(test_context(), &signal, s, &out);
  ms_spectrogram_free(test_context(), &out);
  return status;
}

static ms_status use_frf(const void *s) {
  ms_frf out;
  return ms_signal_estimate_frf(test_context(), s, 0.01, 0, NULL, &out);
}

static ms_status use_sweep(const void *s) {
  ms_signal signal = signal_of();
  ms_sweep out;
  ms_status status = ms_signal_sweep(test_context(), &signal, &signal, s, &out);
  ms_sweep_free(test_context(), &out);
  return status;
}

#define OBJECT(name, type, call)         \
  static ms_status name(const void *s) { \
    type *out = NULL;                    \
    ms_status status = call;             \
    type##_destroy(&out);                \
    return status;                       \
  }
OBJECT(use_decimator, ms_decimator, ms_decimator_create(test_context(), s, 1, &out))
OBJECT(use_transient, ms_transient, ms_transient_create(three, s, &out))
OBJECT(use_harmonic, ms_harmonic, ms_harmonic_create(three, s, &out))
OBJECT(use_quasistatic, ms_quasistatic, ms_quasistatic_create(three, s, &out))

static ms_status use_contact(const void *s) {
  const double H[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, Z[3] = { 0, 0, 1 }, C = 1;
  const ms_contact_point point = { .mu = 0.3 };
  const ms_contact_problem problem = { 1, 1, &point, H, NULL, Z, &C };
  ms_contact *out = NULL;
  ms_status status = ms_contact_create(test_context(), &problem, s, &out);
  ms_contact_destroy(&out);
  return status;
}

static ms_status use_rod(const void *s) {
  ms_pressure *pressure = NULL;
  ms_rod_chain *out = NULL;
  CHECK_OK(ms_pressure_create_power(test_context(), 0.5, &pressure));
  ms_status status = ms_rod_chain_create(test_context(), pressure, s, &out);
  ms_rod_chain_destroy(&out);
  ms_pressure_destroy(&pressure);
  return status;
}

static ms_status use_backbone(const void *s) {
  ms_backbone_curve curve;
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, 0, NULL, &curve));
  return ms_backbone_check(test_context(), three, s, curve.method, 0);
}

static ms_status use_density(const void *s) {
  const double u[] = { 0.31, 0.73 }, F[] = { 1.7, 2.9 };
  ms_density_table *out = NULL;
  ms_status status = ms_density_from_virgin(test_context(), 2, u, F, s, &out, NULL);
  ms_density_destroy(test_context(), &out);
  return status;
}

static ms_status use_density_estimate(const void *s) {
  const double A = 1.3, D = 0.7;
  ms_density_estimate out;
  return ms_density_estimate_from_loss(test_context(), 1, &A, &D, s, &out);
}

/* ---- identification ---- */

static const ms_fit_parameter bound = { "k", 1.3, 7.1, 0, 0.0 };

static ms_status no_fit(void *user, const double *p, double *r, double *jac) {
  (void)user, (void)p, (void)r, (void)jac;
  return MS_ERR_STATE;
}

static const ms_fit_problem problem = { 1, 1, &bound, no_fit, NULL, 0 };

static ms_status no_map(void *user, ptrdiff_t n, const double *x, double *y) {
  (void)user, (void)n, (void)x, (void)y;
  return MS_ERR_STATE;
}

static ms_status no_points(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  (void)user, (void)n, (void)x, (void)f, (void)v;
  return MS_ERR_STATE;
}

static ms_status use_fit(const void *s) {
  double p;
  return ms_fit_get_start(test_context(), &problem, s, 1, 0, &p);
}

OBJECT(use_ensemble, ms_ensemble, ms_ensemble_create(test_context(), 1, no_map, NULL, s, &out))

static const double low = 0.3, high = 2.7;
static const ms_pareto_problem pareto = { 1, 1, &low, &high, no_points, NULL };
OBJECT(use_nsga2, ms_nsga2, ms_nsga2_create(test_context(), &pareto, s, &out))
OBJECT(use_som, ms_som, ms_som_create(test_context(), 40, 2, record, s, &out))

static ms_status use_front(const void *s) {
  ms_front out = { .n = 0 };
  ms_status status = ms_front_search(test_context(), 1, 1, &bound, no_map, NULL, s, NULL, &out);
  ms_front_free(test_context(), &out);
  return status;
}

static ms_status use_samples(const void *s) {
  double p = 2.3, covariance = 0.01;
  const ms_best_fit fit = { .scatter = 0.1, .judgement.covariance = &covariance };
  ms_samples out = { .n = 0 };
  ms_status status =
      ms_samples_take(test_context(), &problem, &p, &fit, no_map, NULL, s, NULL, &out);
  ms_samples_free(test_context(), &out);
  return status;
}

static ms_status use_frf_fit(const void *s) {
  const double f = 1.0, H[2] = { 1.0, 0.0 };
  const ms_frf_set set = { .n_line = 1, .n_sensor = 1, .freq_hz = &f, .H = H };
  ms_frf_fit out;
  ms_status status = ms_frf_fit_modes(test_context(), &set, s, &out);
  ms_frf_fit_free(test_context(), &out);
  return status;
}

static ms_status use_scatter(const void *s) {
  const ms_scatter_parameter q = { "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_GAMMA, 0.0, HUGE_VAL,
                                   0.3,   4.1 };
  const ms_scatter_data data = { .n = 0, .n_specimen = 4 };
  ms_scatter *scatter = NULL;
  ms_scatter_result out;
  CHECK_OK(ms_scatter_create(ms_structure_get_joint(three, 0), NULL, 0.0, 1, &q, &scatter));
  ms_status status = ms_scatter_identify(scatter, &data, s, &out);
  ms_scatter_result_destroy(test_context(), &out);
  ms_scatter_destroy(&scatter);
  return status;
}

static ms_status use_force_state(const void *s) {
  const ms_force_state_request request = { .joint = -1 };
  const double *const channel = record;
  const ms_force_state_record measured = { .force = record, .sensor = &channel };
  ms_force_state out;
  return ms_force_state_map(three, &request, &measured, s, &out);
}

static ms_status use_hammer(const void *s) {
  const ms_hit hit = { .name = "1" };
  ms_hammer *out = NULL;
  return ms_hammer_create(three, s, 0, &hit, &out);
}

static ms_status use_hit_judge(const void *s) {
  const ms_hit hit = { .n = N };
  ms_hit_judgement out;
  return ms_hit_judge(three, s, 0, &hit, &out, NULL);
}

static ms_status use_modal_fit(const void *s) {
  ms_modal_iwan model;
  return ms_identify_fit_modal(test_context(), 2, record, record, record, s, &model, NULL);
}

/* ---- all of them ---- */

#define FILLER(name, type)                        \
  static void fill_##name(void *s, size_t size) { \
    ms_##name##_default((type *)s, size);         \
  }
#define ALL(X)                                                           \
  X(transient, ms_transient_setting, use_transient)                      \
  X(quasistatic, ms_quasistatic_setting, use_quasistatic)                \
  X(contact, ms_contact_setting, use_contact)                            \
  X(harmonic, ms_harmonic_setting, use_harmonic)                         \
  X(rod_chain, ms_rod_chain_setting, use_rod)                            \
  X(hilbert, ms_hilbert_settings, use_hilbert)                           \
  X(stft, ms_stft_settings, use_stft)                                    \
  X(spectrogram, ms_spectrogram_settings, use_spectrogram)               \
  X(crossing, ms_crossing_settings, use_crossing)                        \
  X(ring, ms_ring_settings, use_ring)                                    \
  X(frf, ms_frf_settings, use_frf)                                       \
  X(sweep, ms_sweep_settings, use_sweep)                                 \
  X(decimator, ms_decimator_settings, use_decimator)                     \
  X(backbone, ms_backbone_setting, use_backbone)                         \
  X(density, ms_density_setting, use_density)                            \
  X(density_estimate, ms_density_estimate_setting, use_density_estimate) \
  X(fit, ms_fit_setting, use_fit)                                        \
  X(ensemble, ms_ensemble_setting, use_ensemble)                         \
  X(nsga2, ms_nsga2_setting, use_nsga2)                                  \
  X(som, ms_som_setting, use_som)                                        \
  X(front, ms_front_setting, use_front)                                  \
  X(samples, ms_samples_setting, use_samples)                            \
  X(scatter, ms_scatter_setting, use_scatter)                            \
  X(force_state, ms_force_state_setting, use_force_state)                \
  X(hammer, ms_hammer_setting, use_hammer)                               \
  X(hit_judge, ms_hit_judge_setting, use_hit_judge)                      \
  X(frf_fit, ms_frf_fit_settings, use_frf_fit)                           \
  X(modal_fit, ms_modal_fit_setting, use_modal_fit)
#define FILL(name, type, use) FILLER(name, type)
ALL(FILL)

typedef struct method {
  const char *name;
  size_t size;
  void (*fill)(void *settings, size_t size);
  ms_status (*use)(const void *settings);
} method;

#define ROW(name, type, use) { "ms_" #name "_default", sizeof(type), fill_##name, use },
static const method methods[] = { ALL(ROW) };
enum { METHODS = sizeof methods / sizeof *methods };

static size_t size_of(const void *settings) {
  size_t size;
  memcpy(&size, settings, sizeof size);
  return size;
}

/* What a message says of settings that were not begun. */
static int is_refused(const method *m, const void *settings) {
  char words[96];
  snprintf(words, sizeof words, "settings were not begun from %s:", m->name);
  ms_context_clear_message(test_context());
  return m->use(settings) == MS_ERR_ARGUMENT && strstr(ms_context_message(test_context()), words);
}

/* Status and message of a call, as text. */
static void outcome(const method *m, const void *settings, char text[600]) {
  ms_context_clear_message(test_context());
  ms_status status = m->use(settings);
  snprintf(text, 600, "%d %.500s", (int)status, ms_context_message(test_context()));
}

static void try_method(const method *m) {
  unsigned char *s = malloc(m->size + 8);
  size_t size;
  char whole[600], short_one[600];
  memset(s, GARBAGE, m->size + 8);
  m->fill(s, m->size);
  if (!CHECK(size_of(s) == m->size && s[m->size] == GARBAGE)) printf("# %s\n", m->name);
  outcome(m, s, whole);
  if (!CHECK(!strstr(whole, "not begun"))) printf("# %s: %s\n", m->name, whole);
  const size_t wrong[] = { 0, sizeof size - 1, m->size + 1, m->size + 8 };
  for (int i = 0; i < 4; i++) {
    size = wrong[i];
    memcpy(s, &size, sizeof size);
    if (!CHECK(is_refused(m, s))) printf("# %s: size %zu\n", m->name, size);
  }
  memset(s, GARBAGE, m->size + 8); /* nothing but the size is the caller's */
  m->fill(s, sizeof size);
  CHECK(size_of(s) == sizeof size && s[sizeof size] == GARBAGE);
  outcome(m, s, short_one);
  if (!CHECK_TEXT(short_one, whole)) printf("# %s\n", m->name);
  free(s);
}

static void test_sizes(void) {
  for (int i = 0; i < METHODS; i++) try_method(&methods[i]);
}

/* Fields that an older caller has count; those behind are the defaults. */
static void test_older(void) {
  ms_hilbert_settings settings = MS_HILBERT_DEFAULT, older;
  ms_signal signal = signal_of();
  ms_decay decay[2];
  settings.segments = 3;
  CHECK_OK(ms_signal_hilbert(test_context(), &signal, &settings, &decay[0]));
  older = settings;
  older.size = offsetof(ms_hilbert_settings, periods);
  memset((char *)&older + older.size, GARBAGE, sizeof older - older.size);
  CHECK_OK(ms_signal_hilbert(test_context(), &signal, &older, &decay[1]));
  if (CHECK(decay[0].n == 3 && decay[1].n == 3)) {
    CHECK(decay[0].point[1].omega == decay[1].point[1].omega);
  }
  for (int i = 0; i < 2; i++) ms_decay_free(test_context(), &decay[i]);
}

/* What the library goes on with is whole, whatever the caller had of it; and what is filled has
   nothing of before. */
static void test_whole(void) {
  typedef struct setting {
    size_t size;
    double a, b;
  } setting;
  const setting standard = { sizeof standard, 0.31, 2.7 };
  const struct {
    size_t size;
    double a;
  } older = { sizeof older, 1.9 };
  setting own = standard, filled[2];
  CHECK_OK(ms_settings_take(test_context(), "f", &older, &own));
  CHECK_EQUAL(own.size, sizeof own);
  CHECK(own.a == 1.9 && own.b == 2.7);
  own = standard;
  CHECK_OK(ms_settings_take(test_context(), "f", NULL, &own));
  CHECK(own.size == sizeof own && own.a == 0.31 && own.b == 2.7);
  /* a newer caller: what the library does not know is zero */
  memset(filled, GARBAGE, sizeof filled);
  ms_settings_fill(&standard, filled, sizeof filled);
  CHECK_EQUAL(filled[0].size, sizeof filled);
  CHECK(filled[0].a == 0.31 && filled[0].b == 2.7);
  CHECK(filled[1].size == 0 && filled[1].a == 0.0 && filled[1].b == 0.0);
  filled[0].size = 17;
  ms_settings_fill(&standard, filled, sizeof(size_t) - 1); /* no room for a size */
  CHECK_EQUAL(filled[0].size, 17);
}

int main(void) {
  for (int i = 0; i < N; i++) record[i] = exp(-0.13 * 0.01 * i) * cos(31.7 * 0.01 * i);
  three = test_three_mass(1.3e-3);
  TEST(test_sizes);
  TEST(test_older);
  TEST(test_whole);
  ms_structure_destroy(&three);
  return test_finish();
}
