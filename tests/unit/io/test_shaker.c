/* Tables of a measured stepped sine: units, kinds of motion, other names, what is refused. */
#include <math.h>
#include <microslip/shaker.h>
#include <stdio.h>

#include "support/check.h"
#include "support/files.h"

#define PI 3.14159265358979323846

static ms_status read(const char *text, const ms_shaker_columns *columns, ms_shaker_table *out) {
  const char *path = test_path("sine.csv");
  test_put(path, text);
  return ms_shaker_read(test_context(), path, columns, out);
}

static void test_units(void) {
  ms_shaker_table t;
  CHECK_OK(
      read("# a comment\n"
           "frequency [Hz],force [N],amplitude [g],phase [deg]\n"
           "61.3,2.5,1.7,83.0\n"
           "62.9,2.4,0.31,-171.5\n",
           NULL, &t));
  CHECK_EQUAL(t.n, 2);
  CHECK_EQUAL(t.kind, MS_RECORD_ACCELERATION);
  CHECK_EQUAL(t.row[1], 4);
  CHECK_CLOSE(t.omega[0], 2.0 * PI * 61.3, 1e-15);
  CHECK_NEAR(t.force[1], 2.4, 0.0);
  CHECK_CLOSE(t.amplitude[0], 1.7 * 9.80665 / (t.omega[0] * t.omega[0]), 1e-14);
  CHECK_CLOSE(t.phase[0], -97.0 * PI / 180.0, 1e-14);
  CHECK_CLOSE(t.phase[1], 8.5 * PI / 180.0, 1e-13);
  ms_shaker_free(test_context(), &t);
  CHECK_OK(read("w [rad/s],F [kN],tip [mm/s],lag [rad]\n371.0,0.0025,4.1,0.3\n",
                &(ms_shaker_columns) { "w", "F", "tip", "lag" }, &t));
  CHECK_EQUAL(t.kind, MS_RECORD_VELOCITY);
  CHECK_NEAR(t.omega[0], 371.0, 0.0);
  CHECK_CLOSE(t.force[0], 2.5, 1e-15);
  CHECK_CLOSE(t.amplitude[0], 4.1e-3 / 371.0, 1e-15);
  CHECK_CLOSE(t.phase[0], 0.3 - 0.5 * PI, 1e-15);
  ms_shaker_free(test_context(), &t);
  CHECK_OK(
      read("frequency [kHz],force [mN],amplitude [um],phase [rad]\n0.371,25,4.1,-2.9\n", NULL, &t));
  CHECK_CLOSE(t.omega[0], 2.0 * PI * 371.0, 1e-15);
  CHECK_CLOSE(t.amplitude[0], 4.1e-6, 1e-15);
  CHECK_NEAR(t.phase[0], -2.9, 1e-15);
  ms_shaker_free(test_context(), &t);
}

static void refuse(const char *text, ms_status want, const char *word) {
  ms_shaker_table t;
  CHECK_STATUS(read(text, NULL, &t), want);
  CHECK_HAS(ms_context_message(test_context()), word);
  CHECK(t.n == 0 && !t.omega && !t.row);
}

static void test_refusals(void) {
  refuse("frequency [Hz],force [N],amplitude [m]\n61,2,1\n", MS_ERR_NAME, "no column 'phase'");
  refuse("frequency [s],force [N],amplitude [m],phase [deg]\n61,2,1,3\n", MS_ERR_NAME,
         "'frequency' is in [s]; its heading must say Hz");
  refuse("frequency [Hz],force,amplitude [m],phase [deg]\n61,2,1,3\n", MS_ERR_NAME,
         "its heading must say N, mN");
  refuse("frequency [Hz],force [m/s^2],amplitude [m],phase [deg]\n61,2,1,3\n", MS_ERR_NAME,
         "'force' is in [m/s^2]");
  refuse("frequency [Hz],force [N],amplitude [V],phase [deg]\n61,2,1,3\n", MS_ERR_NAME,
         "'amplitude' is in [V]");
  refuse("frequency [Hz],force [N],amplitude [m],phase [%]\n61,2,1,3\n", MS_ERR_NAME, "deg or rad");
  refuse("frequency [Hz],force [N],amplitude [m],phase [deg]\n61,2,1,3\n62,2,-1,3\n", MS_ERR_BOUNDS,
         "sine.csv:3: amplitude is -1");
  refuse("frequency [Hz],force [N],amplitude [m],phase [deg]\n61,0,1,3\n", MS_ERR_BOUNDS,
         "force is 0");
}

static ms_status work(ms_context *ctx, void *user) {
  ms_shaker_table t;
  ms_status status = ms_shaker_read(ctx, (const char *)user, NULL, &t);
  ms_shaker_free(ctx, &t);
  return status;
}

static void test_memory_failures(void) {
  char path[512];
  snprintf(path, sizeof path, "%s", test_path("memory.csv"));
  test_put(path, "frequency [Hz],force [N],amplitude [m],phase [deg]\n61,2,1,3\n62,2,1,3\n");
  CHECK(test_allocations(work, path) > 5);
}

int main(void) {
  test_folder_open();
  TEST(test_units);
  TEST(test_refusals);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
