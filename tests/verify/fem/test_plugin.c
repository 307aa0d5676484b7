/* The finite elements as a plugin: a program that does not link PETSc loads it when it asks. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microslip/fem_plugin.h>

#include "support/check.h"
#include "support/fem/leaks.h"

/* The plugin lies in the folder above that of the tests. */
static void name_plugin(void) {
  char path[PATH_MAX], file[PATH_MAX + 32];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n < 0) n = 0;
  path[n] = '\0';
  snprintf(file, sizeof file, "%s/../libmicroslip_fem.so", dirname(path));
  setenv("MICROSLIP_FEM_PLUGIN", file, 1);
}

static int petsc_is_here(void) {
  return dlsym(RTLD_DEFAULT, "PetscFinalize") != NULL;
}

static void test_missing(void) {
  const ms_fem_plugin *plugin = NULL;
  CHECK_STATUS(ms_fem_load(test_context(), &plugin), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "libslepc-real-dev");
  setenv("MICROSLIP_FEM_PLUGIN", "/nowhere/libmicroslip_fem.so", 1);
  CHECK_STATUS(ms_fem_load(test_context(), &plugin), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "/nowhere/");
  setenv("MICROSLIP_FEM_PLUGIN", "libm.so.6", 1);
  CHECK_STATUS(ms_fem_load(test_context(), &plugin), MS_ERR_FORMAT);
  CHECK(!plugin);
}

static void test_loaded(void) {
  const ms_fem_plugin *plugin = NULL, *again = NULL;
  ms_communicator comm = { 0 };
  CHECK(!petsc_is_here());
  name_plugin();
  test_leaks_ignore();
  CHECK_OK(ms_fem_load(test_context(), &plugin));
  CHECK(petsc_is_here());
  if (!plugin) return;
  CHECK(plugin->engine() == NULL);
  CHECK_OK(plugin->start(test_context(), &comm));
  test_leaks_watch();
  CHECK_HAS(plugin->engine(), "PETSc");
  CHECK_EQUAL(comm.size, 1);
  CHECK_EQUAL(comm.rank, 0);
  double x[2] = { 2.385, -0.7 };
  CHECK_OK(comm.sum(comm.self, x, 2));
  CHECK_NEAR(x[0], 2.385, 0.0);
  CHECK_OK(ms_fem_load(test_context(), &again));
  CHECK(again == plugin);
}

int main(void) {
  TEST(test_missing);
  TEST(test_loaded);
  return test_leaks_finish();
}
