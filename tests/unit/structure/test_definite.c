/* Definite or not, without modes: the same answer as with them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "structure/impl.h"
#include "support/check.h"

enum { N = 60 };

static char names[N][8], *name[N];

static void fill_names(void) {
  for (int i = 0; i < N; i++) {
    snprintf(names[i], sizeof names[i], "u%d", i + 1);
    name[i] = names[i];
  }
}

/* Numbers between -1 and 1 that repeat. */
static double noise(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 8388608.0 - 1.0;
}

static ms_status by_modes(const double *K, const double *M, const ms_rounding *rounding) {
  static double omega[N], shape[N * N];
  return ms_modes_solve(test_context(), N, K, M, rounding, name, omega, shape);
}

static ms_status by_factors(const double *K, const double *M, const ms_rounding *rounding) {
  static double copy[N * N];
  memcpy(copy, K, sizeof copy);
  MS_TRY(ms_modes_check_mass(test_context(), N, M, name));
  return ms_modes_check_stiffness(test_context(), N, copy, M, rounding, name);
}

static void add_spring(double *K, int i, int j, double k) {
  K[i + N * i] += k;
  K[j + N * j] += k;
  K[i + N * j] -= k;
  K[j + N * i] -= k;
}

/* A chain that nothing holds, of masses and springs over many decades, in an order that has no
   band where `mixed`; K_ii are sums of springs, so the rigid mode is one to rounding only. */
static void make_chain(int mixed, double *K, double *M) {
  unsigned state = 11u;
  memset(K, 0, N * N * sizeof *K);
  memset(M, 0, N * N * sizeof *M);
  for (int i = 0; i < N; i++) M[i + N * i] = pow(10.0, 2.0 * noise(&state));
  for (int i = 1; i < N; i++) {
    int a = mixed ? 23 * (i - 1) % N : i - 1, b = mixed ? 23 * i % N : i;
    add_spring(K, a, b, 900.0 * pow(10.0, 4.0 * noise(&state)));
  }
}

static void test_chains(void) {
  static double K[N * N], M[N * N];
  const ms_rounding none = { .doubt = 0.0 };
  for (int mixed = 0; mixed < 2; mixed++) {
    make_chain(mixed, K, M);
    CHECK_OK(by_modes(K, M, &none));
    CHECK_OK(by_factors(K, M, &none));
    add_spring(K, 17, 40, -1e-3 * K[17 + N * 17]); /* across the chain */
    CHECK_STATUS(by_modes(K, M, &none), MS_ERR_ARGUMENT);
    CHECK_STATUS(by_factors(K, M, &none), MS_ERR_ARGUMENT);
    CHECK_HAS(ms_context_message(test_context()), "the stiffness matrix is indefinite");
  }
}

/* K = sum over N - 6 vectors v v^T and a dense M: six modes are zero to rounding. Less `part` of
   the largest on one of them it is indefinite: by more than the doubt about a K from elsewhere. */
static void test_dense(void) {
  static double K[N * N], M[N * N], bent[N * N], v[N];
  static const double part[] = { 0.0, 1e-14, 1e-7, 1e-3 };
  const ms_rounding elsewhere = { .doubt = ms_structure_tol.doubt };
  unsigned state = 5u;
  memset(K, 0, sizeof K);
  memset(M, 0, sizeof M);
  for (int i = 0; i < N; i++) M[i + N * i] = 2.385;
  for (int k = 0; k < N - 6; k++) {
    for (int i = 0; i < N; i++) v[i] = i < N - 6 || k % 2 == 0 ? noise(&state) : 0.0;
    for (int j = 0; j < N; j++) {
      for (int i = 0; i < N; i++) {
        K[i + N * j] += 1e4 * v[i] * v[j];
        M[i + N * j] += 1e-3 * v[i] * v[j];
      }
    }
  }
  for (int c = 0; c < 4; c++) {
    memcpy(bent, K, sizeof bent);
    for (int i = 0; i < N; i++) bent[i + N * i] -= part[c] * 1e4 * N;
    const ms_status want = c < 2 ? MS_SUCCESS : MS_ERR_ARGUMENT;
    CHECK_STATUS(by_modes(bent, M, &elsewhere), want);
    CHECK_STATUS(by_factors(bent, M, &elsewhere), want);
  }
  M[7 + N * 7] = -M[7 + N * 7];
  CHECK_STATUS(by_factors(K, M, &elsewhere), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "'u8' needs mass");
}

/* Modes that stand in for those of a structure that is only checked: frequencies up to the highest
   sqrt(K_ii/M_ii), shapes that are orthonormal and have no zeros. */
static void check_stand_in(const ms_structure *s, double highest) {
  const ms_modes m = ms_structure_get_stuck(s);
  for (int r = 0; r < N; r++) CHECK_CLOSE(m.omega[r], highest * (r + 1) / N, 1e-14);
  for (int k = 0; k < N * N; k++) {
    double dot = 0.0;
    for (int i = 0; i < N; i++) dot += m.shape[i + N * (k % N)] * m.shape[i + N * (k / N)];
    CHECK_NEAR(dot, k % N == k / N ? 1.0 : 0.0, 1e-13);
    CHECK(fabs(m.shape[k]) > 1e-4);
  }
}

/* What a structure says for `check` is what its modes would say: joints are part of K. */
static void test_outline(void) {
  ms_structure *s;
  for (int c = 0; c < 2; c++) {
    CHECK_OK(ms_structure_create(test_context(), N, (const char *const *)name, &s));
    for (int i = 0; i < N; i++) CHECK_OK(ms_structure_add_mass(s, i, 1.3));
    for (int i = 1; i < N; i++) CHECK_OK(ms_structure_add_spring(s, i - 1, i, 47.0));
    if (c == 1) CHECK_OK(ms_structure_add_spring(s, 12, 31, -9.1));
    static double C[N * N];
    for (int i = 0; i < N; i++) C[i + N * i] = 0.031; /* what it makes of modes is not looked at */
    CHECK_OK(ms_structure_set_damping(s, C));
    CHECK_STATUS(ms_structure_outline(s), c == 0 ? MS_SUCCESS : MS_ERR_ARGUMENT);
    if (c == 0) check_stand_in(s, sqrt(2.0 * 47.0 / 1.3));
    CHECK_STATUS(ms_structure_setup(s), c == 0 ? MS_SUCCESS : MS_ERR_ARGUMENT);
    ms_structure_destroy(&s);
  }
}

/* Masses that nothing holds, all of them and one among others. */
static void test_free(void) {
  static double K[N * N], M[N * N];
  const ms_rounding none = { .doubt = 0.0 };
  for (int i = 0; i < N; i++) M[i + N * i] = 0.31;
  for (int c = 0; c < 2; c++) {
    CHECK_OK(by_modes(K, M, &none));
    CHECK_OK(by_factors(K, M, &none));
    for (int i = 0; i < N - 1; i++) K[i + N * i] = i == 23 ? 0.0 : 47.0;
  }
}

/* A soft mode beside a stiff one, of which `share` of the motion is known to strain nothing: what
   the mesh's rounding may make of its omega^2 is the rest of its level. Doubt about K from
   elsewhere narrows what is zero, and widens what is let pass as negative. */
static void test_level(void) {
  static const struct {
    double part, share, doubt; /* omega^2 in levels, and of the largest */
    int zero;                  /* 2: refused */
  } of[] = { { 0.97, 0.0, 1e-3, 1 },  { 1.03, 0.0, 1e-3, 0 },   { 0.34, 0.8, 1e-3, 1 },
             { 0.38, 0.8, 1e-3, 0 },  { 0.97, 0.0, 0.0, 0 },    { -0.97, 0.0, 0.0, 1 },
             { -1.03, 0.0, 0.0, 2 },  { -0.34, 0.8, 0.0, 1 },   { -0.38, 0.8, 0.0, 2 },
             { -1.03, 0.0, 1e-3, 1 }, { 0.5, 0.0, 2.7e-12, 0 }, { 0.5, 0.0, 1e-11, 1 } };
  const double m = 2.385, level = 1.7e-3, stiff = 2.9e8;
  const double M[4] = { m, 0.0, 0.0, 0.71 };
  for (int c = 0; c < 12; c++) {
    const double K[4] = { of[c].part * level * m, 0.0, 0.0, stiff * 0.71 };
    const double momentum[2] = { of[c].share * sqrt(m), 0.0 };
    const ms_rounding r = {
      .doubt = of[c].doubt, .level = level, .n_free = 1, .momentum = momentum
    };
    double omega[2] = { -1.0, -1.0 }, shape[4];
    const ms_status want = of[c].zero == 2 ? MS_ERR_ARGUMENT : MS_SUCCESS;
    CHECK_STATUS(ms_modes_solve(test_context(), 2, K, M, &r, name, omega, shape), want);
    if (want != MS_SUCCESS) continue;
    CHECK_NEAR(omega[0], of[c].zero ? 0.0 : sqrt(of[c].part * level), 1e-9);
    CHECK_CLOSE(omega[1], sqrt(stiff), 1e-12);
  }
}

static ms_status outline_once(ms_context *ctx, void *user) {
  (void)user;
  ms_structure *s;
  ms_status status = ms_structure_create(ctx, 3, (const char *const *)name, &s);
  for (int i = 0; i < 3 && status == MS_SUCCESS; i++) status = ms_structure_add_mass(s, i, 1.3);
  if (status == MS_SUCCESS) status = ms_structure_outline(s);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(outline_once, NULL) > 5);
}

int main(void) {
  fill_names();
  TEST(test_chains);
  TEST(test_dense);
  TEST(test_outline);
  TEST(test_free);
  TEST(test_level);
  TEST(test_memory_failures);
  return test_finish();
}
