/* Every tolerance is on its page, with default, reason and the test that notices it, and that test
   exists; settings without tolerances are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/density.h>
#include <microslip/fem_model.h>
#include <microslip/harmonic.h>
#include <microslip/quasistatic.h>
#include <microslip/response.h>
#include <microslip/signal.h>

#include "experiment/tolerance.h"
#include "fem/tolerance.h"
#include "joint/tolerance.h"
#include "signal/tolerance.h"
#include "structure/tolerance.h"
#include "support/check.h"

#define ROOT TEST_DATA "/../../"

static char page[65536];

static int read_page(void) {
  FILE *file = fopen(ROOT "docs/decisions/0014-tolerances.md", "r");
  size_t n = file ? fread(page, 1, sizeof page - 1, file) : 0;
  page[n] = '\0';
  if (file) fclose(file);
  return n > 0 && n < sizeof page - 1;
}

/* unit.fem.mesh is tests/unit/fem/test_mesh.c */
static int test_exists(const char *name, size_t length) {
  char path[512], *last;
  snprintf(path, sizeof path, ROOT "tests/%.*s", (int)length, name);
  for (char *dot = path + strlen(ROOT); (dot = strchr(dot, '.')) != NULL;) *dot = '/';
  last = strrchr(path, '/') + 1;
  char base[128];
  snprintf(base, sizeof base, "%s", last);
  snprintf(last, sizeof path - (size_t)(last - path), "test_%s.%s", base,
           strstr(path, "/cli/") ? "sh" : "c");
  FILE *file = fopen(path, "r");
  if (file) fclose(file);
  return file != NULL;
}

/* Its last column begins with the name of a test, or with "none:" and why. */
static void check_row(const char *list, const char *name, const char *value, const char *reason) {
  char row[1024];
  snprintf(row, sizeof row, "| %s | %s | %s | %s | ", list, name, value, reason);
  const char *at = strstr(page, row);
  if (!at) {
    CHECK_TEXT("not on the page", row);
    return;
  }
  at += strlen(row);
  const size_t length = strcspn(at, " |,;:\n");
  if (strncmp(at, "none: ", 6) == 0) {
    CHECK(strcspn(at, "|\n") > 20);
  } else if (!CHECK(length > 5 && test_exists(at, length))) {
    printf("# %s.%s: there is no test '%.*s'\n", list, name, (int)length, at);
  }
}

static void test_page(void) {
  if (!CHECK(read_page())) return;
#define ROW(name, value, reason) check_row(list, #name, #value, reason);
  const char *list = "harmonic";
  MS_HARMONIC_TOLERANCES(ROW)
  list = "quasistatic";
  MS_QUASISTATIC_TOLERANCES(ROW)
  list = "transient";
  MS_TRANSIENT_TOLERANCES(ROW)
  list = "hilbert";
  MS_HILBERT_TOLERANCES(ROW)
  list = "stft";
  MS_STFT_TOLERANCES(ROW)
  list = "sweep";
  MS_SWEEP_TOLERANCES(ROW)
  list = "fem";
  MS_FEM_TOLERANCES(ROW)
  list = "structure";
  MS_STRUCTURE_TOLERANCES(ROW)
  list = "joint";
  MS_JOINT_TOLERANCES(ROW)
  list = "signal";
  MS_SIGNAL_TOLERANCES(ROW)
  list = "experiment";
  MS_EXPERIMENT_TOLERANCES(ROW)
  list = "mesh";
  MS_MESH_TOLERANCES(ROW)
}

/* What the functions give is what the macros do. */
static void test_defaults(void) {
  ms_harmonic_setting harmonic = MS_HARMONIC_DEFAULT;
  ms_quasistatic_setting quasistatic = MS_QUASISTATIC_DEFAULT;
  ms_transient_setting transient = MS_TRANSIENT_DEFAULT;
  CHECK(ms_harmonic_default().times == harmonic.times);
  CHECK(ms_harmonic_default().own_phase == harmonic.own_phase);
  CHECK(ms_harmonic_default().tol.unsettled == harmonic.tol.unsettled);
  CHECK(ms_quasistatic_default().check_tolerance == quasistatic.check_tolerance);
  CHECK(ms_quasistatic_default().tol.alone == quasistatic.tol.alone);
  CHECK_TEXT(ms_transient_default().method, transient.method);
  CHECK(ms_transient_default().tol.rounding == transient.tol.rounding);
  CHECK(ms_hilbert_default().tol.mirrored == 40.0 && ms_hilbert_default().segments == 100);
  CHECK(ms_stft_default().tol.climb == 1e-13 && ms_stft_default().windows == 4);
  CHECK(ms_spectrogram_default().padding == 4);
  CHECK(ms_crossing_default().hysteresis == 0.2);
  CHECK(ms_ring_default().rough == 0.1);
  CHECK(ms_frf_default().length == 1024);
  CHECK(ms_sweep_default().tol.outside == 0.3 && ms_sweep_default().smooth == 0.0);
  CHECK(ms_decimator_default().pass == 0.8);
  CHECK(ms_density_default().too_stiff == 1e-2);
}

int main(void) {
  TEST(test_page);
  TEST(test_defaults);
  return test_finish();
}
