/* Every tolerance is on its page, with default, reason and the test that notices it, and that test
   exists; settings without tolerances are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/contact.h>
#include <microslip/density_estimate.h>
#include <microslip/fem_model.h>
#include <microslip/force_state.h>
#include <microslip/hammer.h>
#include <microslip/harmonic.h>
#include <microslip/hit_judge.h>
#include <microslip/quasistatic.h>
#include <microslip/response.h>
#include <microslip/scatter.h>
#include <microslip/signal.h>
#include <microslip/som.h>
#include <microslip/survey.h>

#include "experiment/tolerance.h"
#include "fem/tolerance.h"
#include "identify/tolerance.h"
#include "io/tolerance.h"
#include "joint/tolerance.h"
#include "report/tolerance.h"
#include "signal/tolerance.h"
#include "structure/tolerance.h"
#include "support/check.h"

#define ROOT TEST_DATA "/../../"

static char page[131072];

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
  list = "contact";
  MS_CONTACT_TOLERANCES(ROW)
  list = "transient";
  MS_TRANSIENT_TOLERANCES(ROW)
  list = "hilbert";
  MS_HILBERT_TOLERANCES(ROW)
  list = "stft";
  MS_STFT_TOLERANCES(ROW)
  list = "sweep";
  MS_SWEEP_TOLERANCES(ROW)
  list = "survey";
  MS_SURVEY_TOLERANCES(ROW)
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
  list = "scatter";
  MS_SCATTER_TOLERANCES(ROW)
  list = "density_estimate";
  MS_DENSITY_ESTIMATE_TOLERANCES(ROW)
  list = "force_state";
  MS_FORCE_STATE_TOLERANCES(ROW)
  list = "hammer";
  MS_HAMMER_TOLERANCES(ROW)
  list = "hit_judge";
  MS_HIT_TOLERANCES(ROW)
  list = "som";
  MS_SOM_TOLERANCES(ROW)
  list = "identify";
  MS_IDENTIFY_TOLERANCES(ROW)
  list = "report";
  MS_REPORT_TOLERANCES(ROW)
  list = "io";
  MS_IO_TOLERANCES(ROW)
}

int main(void) {
  TEST(test_page);
  return test_finish();
}
