/* The axial mode of examples/ministack-contact, on a mesh half as fine, by quasi-static cycles,
   harmonic balance (EPMC) and free decays, all from the same settled state. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <microslip/study.h>

#include "structure/impl.h"
#include "support/check.h"
#include "support/fem/three_methods.h"
#include "support/files.h"

enum { N_AMPLITUDE = 5, N_MODE = 12 }; /* the thirteenth is none of the bodies */

/* The plugin lies in the folder above that of the tests. */
static void name_plugin(void) {
  char path[PATH_MAX], file[PATH_MAX + 32];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n < 0 ? 0 : n] = '\0';
  snprintf(file, sizeof file, "%s/../libmicroslip_fem.so", dirname(path));
  setenv("MICROSLIP_FEM_PLUGIN", file, 1);
}

static ms_study *open_study(void) {
  static const char *const set[] = { "structure.fe.parts.can.rings.rings=[1, 10, 4, 3]",
                                     "structure.fe.parts.can.rings.layers=[4, 6, 32, 6, 4, 4]",
                                     "analyses=[modes]" };
  ms_study *study = NULL;
  name_plugin();
  CHECK_OK(ms_study_open(test_context(), TEST_DATA "/../../examples/ministack-contact/study.yaml",
                         3, set, &study));
  if (study) {
    CHECK_OK(ms_study_run(study, &(ms_study_setting) { .folder = test_path("out"), .threads = 1 }));
  }
  return study;
}

/* The other modes are damped by 10 %: EPMC takes 2 zeta omega of the axial mode from the damping of
   each, and with 2 % the mode at 4677 Hz would gain energy from 4 % on. */
static void compare(const double *q, double up, test_three *out) {
  double omega[N_MODE], follow[1] = { 0.0 };
  test_modes m = { .modal = { N_MODE, 0, omega, follow, NULL },
                   .others = 0.1,
                   .harmonics = 3,
                   .times = 128,
                   .per_period = 200,
                   .up = up,
                   .settle = 2.2e-6,
                   .cycles = 6 };
  ms_study *study = open_study();
  if (!study) return;
  const ms_structure *s = ms_study_get_structure(study);
  for (int r = 0; r < N_MODE; r++) {
    omega[r] = ms_structure_get_stuck(s).omega[r];
    CHECK_BELOW(0.99, s->contact->mac[r]);
  }
  CHECK_BELOW(s->contact->mac[N_MODE], 0.9);
  CHECK_OK(ms_contact_copy(test_context(), s->contact->rest, &m.modal.contact));
  test_modes_compare(&m, N_AMPLITUDE, q, out);
  ms_contact_destroy(&m.modal.contact);
  ms_study_close(&study);
}

static void test_microslip(void) {
  test_three t[N_AMPLITUDE] = { 0 };
  compare((const double[]) { 1.2e-6, 1.5e-6, 1.7e-6, 1.9e-6, 2e-6 }, 1.0, t);
  for (int i = 0; i < N_AMPLITUDE; i++) {
    CHECK_BELOW(t[i].epmc.zeta, 0.01);
    CHECK_BELOW(1e-4, t[i].epmc.zeta);
    test_modes_close(&t[i].qsma, &t[i].epmc, 0.005, 0.05);
    test_modes_close(&t[i].decay, &t[i].epmc, 0.005, 0.1);
    test_modes_close(&t[i].decay, &t[i].qsma, 0.005, 0.1);
  }
}

/* 2.1 to 9.2 % of damping: the slug slides along its face. qsma is up to 2.3 % and 5.7 % off. */
static void test_macroslip(void) {
  test_three t[N_AMPLITUDE] = { 0 };
  compare((const double[]) { 2.4e-6, 3e-6, 4.5e-6, 7e-6, 2e-5 }, 1.0, t);
  for (int i = 0; i < N_AMPLITUDE; i++) {
    CHECK_BELOW(0.02, t[i].epmc.zeta);
    test_modes_close(&t[i].decay, &t[i].epmc, 0.02, 0.2);
    test_modes_close(&t[i].qsma, &t[i].epmc, 0.03, 0.08);
  }
}

int main(void) {
  test_folder_open();
  TEST(test_microslip);
  TEST(test_macroslip);
  test_folder_close();
  return test_finish();
}
