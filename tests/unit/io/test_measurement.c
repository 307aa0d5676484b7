/* Measured data in every format: imitations, written by hand, of what acquisition systems write;
   none of them comes from such a system. */
#include <microslip/measurement.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/measured/measured.h"
#include "support/check.h"
#include "support/files.h"
#include "support/uff.h"

static ms_measurement *read_text(const char *name, const char *text) {
  ms_measurement *file = NULL;
  const char *path = test_path(name);
  test_put(path, text);
  CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file));
  return file;
}

static void check_channel(const ms_measurement *file, ptrdiff_t index, const char *name, int kind,
                          const char *unit, double factor) {
  const ms_measurement_channel *c = ms_measurement_get(file, index);
  if (!CHECK(c != NULL)) return;
  CHECK_TEXT(c->name, name);
  CHECK_EQUAL(c->kind, kind);
  CHECK_TEXT(c->unit, unit);
  CHECK_NEAR(c->factor, factor, 1e-14 * factor);
}

enum {
  UNKNOWN = MS_RECORD_UNKNOWN,
  DISPLACEMENT = MS_RECORD_DISPLACEMENT,
  ACCELERATION = MS_RECORD_ACCELERATION,
  FORCE = MS_RECORD_FORCE
};

#define G 9.80665

/* ---- tables ---- */

/* Three samples 2 ms apart of a hammer and an accelerometer, the last 2.385 N and -0.75 g. */
static void check_table(const char *text) {
  ms_measurement *file = read_text("table.csv", text);
  if (!file) {
    printf("# of: %s\n", text);
    return;
  }
  if (CHECK_EQUAL(ms_measurement_get_count(file), 2)) {
    check_channel(file, 0, "Force", FORCE, "N", 1.0);
    check_channel(file, 1, "Acc 1", ACCELERATION, "g", G);
    const ms_measurement_channel *c = ms_measurement_get(file, 1);
    CHECK_EQUAL(c->n, 3);
    CHECK_CLOSE(c->step * c->x_factor, 2e-3, 1e-12);
    CHECK_CLOSE(c->y[2], -0.75, 1e-15);
    CHECK_CLOSE(ms_measurement_get(file, 0)->y[2], 2.385, 1e-15);
  }
  ms_measurement_destroy(&file);
  CHECK(file == NULL);
}

static void test_tables(void) {
  check_table("Time (s),Force (N),Acc 1 (g)\n0,0.1,0.2\n0.002,1.5,-3\n0.004,2.385,-0.75\n");
  check_table("Time [s],Force [N],Acc 1 [g]\r\n0,0.1,0.2\r\n0.002,1.5,-3\r\n0.004,2.385,-0.75\r\n");
  check_table("time_s,Force_N,Acc 1_g\n0,0.1,0.2\n0.002,1.5,-3\n0.004,2.385,-0.75\n");
  check_table("time_ms\tForce [N]\tAcc 1 [g]\n0\t0.1\t0.2\n2\t1.5\t-3\n4\t2.385\t-0.75\n");
  check_table(
      "\xEF\xBB\xBFZeit [s];Force [N];Acc 1 [g]\n0;0,1;0,2\n0,002;1,5;-3\n0,004;2,385;-0,75\n");
  check_table("Time;Force;Acc 1\ns;N;g\n0;0,1;0,2\n0,002;1,5;-3\n0,004;2,385;-0,75\n");
  check_table("Time,Force,Acc 1\n[ms],[N],[g]\n0,0.1,0.2\n2,1.5,-3\n4,2.385,-0.75\n");
  check_table(
      "\"Time, s\",\"Force, N\",\"Acc 1, g\"\n\"0\",\"0,1\",\"0,2\"\n\"0,002\",\"1,5\",\"-3\"\n"
      "\"0,004\",\"2,385\",\"-0,75\"\n");
  check_table(
      "# Recorder 5\n% hit 3\n# Time [s],Force [N],Acc 1 [g]\n0,0.1,0.2\n0.002,1.5,-3\n"
      "# pause\n\n0.004,2.385,-0.75\n");
  check_table(
      "Title: beam\nSample rate: 500 Hz\n\nForce [N],Acc 1 [g]\n0.1,0.2\n1.5,-3\n2.385,-0.75\n");
  check_table(
      "Sample Interval,0.002\nSensor,hammer\nForce [N],Acc 1 [g]\n0.1,0.2\n1.5,-3\n2.385,-0.75\n");
  check_table("# fs = 0.5 kHz, range = 4\nForce [N];Acc 1 [g]\n0.1;0.2\n1.5;-3\n2.385;-0.75\n");
  check_table("Sampling frequency (Hz);500\nForce;Acc 1\nN;g\n0.1;0.2\n1.5;-3\n2.385;-0.75\n");
  check_table("Time (s),Force (N),Acc 1 (g),\n0,0.1,0.2,\n0.002,1.5,-3,\n0.004,2.385,-0.75,\n");
  check_table(
      "  Time [s]  Force [N]  \"Acc 1\" [g]\n  0 0,1 0,2\n0,002 1,5 -3\n0,004 2,385 -0,75\n");
}

/* Kinds without units and units without kinds; nothing is guessed. */
static void test_kinds(void) {
  ms_measurement *file = read_text(
      "kinds.csv",
      "t,Force,tip [V],base [m/s\xB2],signal_in,Velocity (mm/s)\n0,1,2,3,4,5\n1,2,3,4,5,6\n");
  if (!file) return;
  check_channel(file, 0, "Force", FORCE, "", 0.0);
  check_channel(file, 1, "tip", UNKNOWN, "V", 0.0);
  check_channel(file, 2, "base", ACCELERATION, "m/s\xC2\xB2", 1.0);
  check_channel(file, 3, "signal_in", UNKNOWN, "", 0.0);
  check_channel(file, 4, "Velocity", MS_RECORD_VELOCITY, "mm/s", 1e-3);
  ms_measurement_destroy(&file);
}

static void check_refused(const char *name, const char *text, const char *message) {
  ms_measurement *file = NULL;
  const char *path = test_path(name);
  test_put(path, text);
  if (!CHECK(ms_measurement_read(test_context(), path, NULL, &file) < 0)) {
    printf("# accepted: %s\n", text);
    ms_measurement_destroy(&file);
    return;
  }
  CHECK(file == NULL);
  CHECK_HAS(ms_context_message(test_context()), message);
}

/* The unit counts, and that is said. */
static void test_contradictions(void) {
  ms_measurement *file = read_text(
      "kinds.csv", "Time (s),acc1 (m/s),force2 (g),hammer (lbf),disp (V)\n0,1,2,3,4\n1,2,3,4,5\n");
  if (!file) return;
  check_channel(file, 0, "acc1", MS_RECORD_VELOCITY, "m/s", 1.0);
  check_channel(file, 1, "force2", ACCELERATION, "g", G);
  check_channel(file, 2, "hammer", FORCE, "lbf", 4.4482216152605);
  CHECK_EQUAL(ms_measurement_get(file, 3)->kind, DISPLACEMENT);
  CHECK_TEXT(ms_measurement_get_remark(file, 0),
             "channel acc1 would be acceleration by its name or type, but its unit is m/s: it is "
             "velocity");
  CHECK_HAS(ms_measurement_get_remark(file, 1), "force2");
  CHECK(ms_measurement_get_remark(file, 2) == NULL);
  ms_measurement_destroy(&file);
}

static void test_damaged_tables(void) {
  check_refused("d.csv", "", "d.csv:1: is empty");
  check_refused("d.csv", "t,u\n", "d.csv:1: no rows of numbers follow");
  check_refused("d.csv", "1,2\n3,4\n", "d.csv:1: has only numbers");
  check_refused("d.csv", "t,u\n0,abc\n1,2\n2,3\n", "d.csv:2: column u: 'abc' is not a number");
  check_refused("d.csv", "t,u\n0,1\n1,2\n2,x\n3,4\n", "d.csv:4: column u: 'x' is not a number");
  check_refused("d.csv", "t,u\n0,1\n1,\n2,3\n", "d.csv:3: column u: '' is an empty cell");
  check_refused("d.csv", "t,u\n0,1\n1,nan\n2,3\n", "d.csv:3: column u: 'nan' is not finite");
  check_refused("d.csv", "t,u\n0,1\n1,2,3\n2,3\n", "d.csv:3: found 3 cells, expected 2");
  check_refused("d.csv", "t,u,v\n0,1\n1,2\n2,3\n", "d.csv:2: found 2 cells, expected 3");
  check_refused("d.csv", "u\n0,1\n1,2\n2,3\n", "decimal commas need semicolons or tabs");
  check_refused("d.csv", "t;u\n0;1,5\n1;2.5\n",
                "d.csv:3: column u: '2.5' has another decimal sign");
  check_refused("d.csv", "t;u\n0;1\n1;1,234,5\n", "d.csv:3: column u: '1,234,5' is not a number");
  check_refused("d.csv", "Time,u\n12:00:00.5,1\n12:00:01.0,2\n",
                "d.csv:2: column Time: '12:00:00.5' is not a number; times must be counted in s");
  check_refused("d.wav", "t,u\n", "it must be one of .csv .tsv");
}

/* 1.125 or 1125? Only numbers with another number of digits can tell. */
static void test_thousands(void) {
  check_refused("d.csv", "fs = 500;\nu [mm/s^2];v\n17;0\n-155.888;1\n3;2\n",
                "d.csv:4: column u: '-155.888' may be thousands or thousandths");
  check_refused("d.csv", "t [us],u [mN]\n0,12\n100,\"1,125\"\n200,7\n",
                "d.csv:3: column u: '1,125' may be thousands or thousandths");
  static const char *const fine[] = {
    "t;u\n0;17\n1;155.888\n2;3.5\n",   "t;u\n0;17\n1;0.888\n2;3\n",
    "t;u\n0;17\n1;1.888\n2;1234\n",    "t;u\n0;17.000\n1;1.888\n2;3.125\n",
    "t;u\n0.5;17\n1.5;1.888\n2.5;3\n", "t;u\n0;17\n1;1.888e0\n2;3\n"
  };
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    ms_measurement *file = read_text("fine.csv", fine[i]);
    if (file) CHECK_CLOSE(ms_measurement_get(file, 0)->y[0], 17.0, 1e-15);
    ms_measurement_destroy(&file);
  }
}

/* Times of 2560 Hz with four decimals, some of them lost; and with three, which tell nothing. */
static void test_rounded_times(void) {
  static char text[8000];
  for (int way = 0; way < 3; way++) {
    size_t used = (size_t)snprintf(text, sizeof text, "t [s],u [g]\n");
    for (int k = 0; k < 300; k++)
      if (way != 1 || k != 137)
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*f,%d.5\n", way == 2 ? 3 : 4,
                                 0.0213 + k / 2560.0, k % 7);
    ms_measurement *file = read_text("rounded.csv", text);
    if (!file) continue;
    const ms_measurement_channel *c = ms_measurement_get(file, 0);
    CHECK_EQUAL(c->uneven > 0, way > 0);
    if (way == 0) CHECK_CLOSE(c->step, 1.0 / 2560.0, 1e-4 / 0.1168);
    if (way == 0) CHECK_HAS(ms_measurement_get_remark(file, 0), "times are rounded to 0.0001");
    if (way == 1) CHECK_EQUAL(ms_measurement_get_remark(file, 0) != NULL, 0);
    ms_measurement_destroy(&file);
  }
}

/* Two rates that contradict each other: what counts is said. */
static void test_two_rates(void) {
  ms_measurement *file =
      read_text("two.csv", "Sample rate: 1000 Hz\nt [ms],u [g]\n0,1.5\n0.5,2\n1,1\n");
  if (!file) return;
  CHECK_CLOSE(ms_measurement_get(file, 0)->step, 0.5, 1e-12);
  CHECK_HAS(ms_measurement_get_remark(file, 0),
            "1000 samples per second before the rows, 2000 by the times");
  ms_measurement_destroy(&file);
  file = read_text("one.csv", "Sample rate: 2000 Hz\nt [ms],u [g]\n0,1.5\n0.5,2\n1,1\n");
  if (file) CHECK(ms_measurement_get_remark(file, 0) == NULL);
  ms_measurement_destroy(&file);
}

static void test_table_rate(void) {
  const ms_measurement_request request = { .rate_hz = 600.0 };
  ms_measurement *file = NULL;
  const char *path = test_path("rate.csv");
  test_put(path, "fs = 500 Hz\nu\n1\n2\n3\n");
  CHECK_STATUS(ms_measurement_read(test_context(), path, &request, &file), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "has 500 samples per second, not 600");
  test_put(path, "1\n2\n3\n");
  if (CHECK_OK(ms_measurement_read(test_context(), path, &request, &file))) {
    CHECK_TEXT(ms_measurement_get(file, 0)->name, "1");
    CHECK_CLOSE(ms_measurement_get(file, 0)->step, 1.0 / 600.0, 1e-14);
  }
  ms_measurement_destroy(&file);
}

/* ---- universal files ---- */

/* A hammer and two accelerometers, one of them where it hits; an FRF; geometry, shapes, units. */
static void print_function(FILE *out, int type, int kind, const char *unit, int node, int reference,
                           const char *id) {
  static const double y[] = { 2.385, -0.75, 1.125, 0.5, 3.25, -0.125 };
  ms_uff58_function f = { .type = type, .response_node = node, .response_direction = 3, .n = 3 };
  f.reference_node = reference, f.reference_direction = -3;
  f.is_even = f.is_double = 1, f.x_step = 0.25, f.y = y;
  f.is_complex = type == 4;
  f.abscissa.kind = type == 4 ? 18 : 17;
  f.ordinate.kind = kind;
  snprintf(f.ordinate.unit, sizeof f.ordinate.unit, "%s", unit);
  if (type == 4) snprintf(f.denominator.unit, sizeof f.denominator.unit, "N");
  snprintf(f.id[0], sizeof f.id[0], "%s", id);
  test_uff_print(out, &f, UFF_ASCII, 0);
}

static const char others[] =
    "    -1\n   151\nbeam\nNONE\nPROGRAM\n01-Jan-26 10:00:00\nNONE\nAnalyzer 3\nNONE\n    -1\n"
    "    -1\n   164\n         5mm (milli-newton)             2\n"
    "  1.0000000000000000D+03  1.0000000000000000D+03  1.0000000000000000D+00\n"
    "  2.7314999999999998D+02\n    -1\n"
    "    -1\n    15\n         1         0         0         1  1.25000E+01 -2.50000E+00  "
    "0.00000E+00\n"
    "         2         0         0         1 -1.25000E+02-2.50000E+02-1.00000E+01\n    -1\n"
    "    -1\n  2411\n         7         1         1        11\n"
    "   2.3850000000000000D+03   0.0000000000000000D+00  -5.0000000000000000D-01\n    -1\n"
    "    -1\n    82\n         1         4         0\nouter edge\n         1         2         0    "
    "     7\n"
    "    -1\n"
    "    -1\n    55\nmode one\nNONE\nNONE\nNONE\nNONE\n"
    "         1         2         2         8         2         3\n"
    "         2         4         1         3\n  3.72500E+01  1.00000E+00  2.50000E-03  "
    "0.00000E+00\n"
    "         1\n  1.00000E+00  2.00000E+00  3.00000E+00\n"
    "         7\n -1.00000E+00 -2.00000E+00 -3.50000E+00\n    -1\n";

static void put_uff(const char *path) {
  FILE *out = fopen(path, "wb");
  if (!CHECK(out != NULL)) return;
  fputs(others, out);
  print_function(out, 1, 13, "N", 1, 0, "hammer");
  print_function(out, 1, 12, "g", 1, 0, "PCB 352");
  print_function(out, 1, 12, "", 7, 0, "PCB 353");
  print_function(out, 4, 12, "m/s^2", 7, 1, "H1");
  print_function(out, 4, 12, "m/s^2", 7, 2, "H1");
  fclose(out);
}

static void test_uff(void) {
  const char *path = test_path("all.uff");
  ms_measurement *file;
  put_uff(path);
  if (!CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file))) return;
  CHECK_EQUAL(ms_measurement_get_count(file), 5);
  CHECK_TEXT(ms_measurement_get_writer(file), "Analyzer 3");
  check_channel(file, 0, "1+Z force", FORCE, "N", 1.0);
  check_channel(file, 1, "1+Z acceleration", ACCELERATION, "g", G);
  check_channel(file, 2, "7+Z", ACCELERATION, "mm/s^2", 1e-3); /* by dataset 164 */
  const ms_measurement_channel *c = ms_measurement_get(file, 3);
  CHECK_TEXT(c->name, "7+Z frequency response /1-Z");
  CHECK_TEXT(c->unit, "m/s^2/(N)");
  CHECK_EQUAL(c->type, 4);
  CHECK(c->is_complex);
  CHECK_NEAR(c->y[4], 3.25, 0.0);
  CHECK(c->has_position);
  CHECK_CLOSE(c->position[0], 2.385, 1e-14); /* mm to m */
  CHECK_HAS(ms_measurement_get_remark(file, 0), "has the label N");
  ms_measurement_destroy(&file);
}

static void test_geometry(void) {
  const char *path = test_path("geometry.unv");
  ms_measurement *file;
  ptrdiff_t n;
  test_put(path, others);
  if (!CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file))) return;
  const ms_measurement_node *node = ms_measurement_get_nodes(file, &n);
  if (CHECK_EQUAL(n, 3)) {
    CHECK_EQUAL(node[1].label, 2);
    CHECK_CLOSE(node[1].x[1], -0.25, 1e-14);
    CHECK_CLOSE(node[2].x[2], -0.5e-3, 1e-14);
  }
  const ms_measurement_trace *trace = ms_measurement_get_traces(file, &n);
  if (CHECK_EQUAL(n, 1) && CHECK_EQUAL(trace->n, 4)) {
    CHECK_TEXT(trace->name, "outer edge");
    CHECK(trace->label[2] == 0 && trace->label[3] == 7);
  }
  const ms_measurement_shape *shape = ms_measurement_get_shapes(file, &n);
  if (CHECK_EQUAL(n, 1) && CHECK_EQUAL(shape->n, 2)) {
    CHECK_TEXT(shape->id, "mode one");
    CHECK_EQUAL(shape->mode, 3);
    CHECK_CLOSE(shape->frequency, 37.25, 1e-14);
    CHECK_CLOSE(shape->damping, 2.5e-3, 1e-14);
    CHECK_EQUAL(shape->label[1], 7);
    CHECK_NEAR(shape->value[5], -3.5, 0.0);
  }
  ms_measurement_destroy(&file);
}

/* Hammer and sensor at one point: the kind that is asked for tells which. */
static void test_record(void) {
  const char *path = test_path("all.uff");
  ms_record_request request = { .channel = "1+Z", .kind = MS_RECORD_FORCE };
  ms_record r;
  put_uff(path);
  if (CHECK_OK(ms_record_read(test_context(), path, &request, &r))) {
    CHECK_TEXT(r.channel, "1+Z force");
    CHECK_CLOSE(r.x[0], 2.385, 1e-14);
    ms_record_free(test_context(), &r);
  }
  request.kind = MS_RECORD_ACCELERATION;
  if (CHECK_OK(ms_record_read(test_context(), path, &request, &r))) {
    CHECK_CLOSE(r.x[0], 2.385 * G, 1e-14);
    ms_record_free(test_context(), &r);
  }
  request.kind = MS_RECORD_UNKNOWN;
  CHECK_STATUS(ms_record_read(test_context(), path, &request, &r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "appears 2 times");
  request.channel = "PCB 352"; /* its line of text */
  if (CHECK_OK(ms_record_read(test_context(), path, &request, &r))) {
    CHECK_TEXT(r.channel, "1+Z acceleration");
    ms_record_free(test_context(), &r);
  }
}

static void test_damaged_uff(void) {
  check_refused("d.uff", "    -1\n    15\n         1         0         0\n    -1\n",
                "d.uff:3: '         1         0         0' in dataset 15; there must be a node");
  check_refused("d.uff", "    -1\n    15\n 1 0 0 1 2.5 x 1\n    -1\n",
                "d.uff:3: ' 1 0 0 1 2.5 x 1' in dataset 15; there must be the position");
  check_refused("d.uff", "    -1\n  2411\n 1 0 0 1\n    -1\n", "d.uff:4: dataset 2411");
  check_refused("d.uff", "    -1\n    82\n 1 3 0\nedge\n 1 2\n    -1\n", "d.uff:6: dataset 82");
  check_refused("d.uff", "    -1\n   164\n 5 mm\n 0. 1. 1.\n    -1\n",
                "d.uff:4: ' 0. 1. 1.' in dataset 164; there must be the factors");
  check_refused("d.uff", "    -1\n    55\na\nb\nc\nd\ne\n 1 2 2 8 3 3\n    -1\n",
                "d.uff:8: ' 1 2 2 8 3 3' in dataset 55; there must be six integers");
  check_refused("d.uff",
                "    -1\n    55\na\nb\nc\nd\ne\n 1 2 2 8 2 3\n 2 1 1 3\n 1.0\n 4\n 1. 2.\n",
                "d.uff:12: dataset 55, which begins in line 2, has no closing -1");
  check_refused("d.uff", "    -1\n    15\n 1 0 0 1 2.5 1 1\n", "has no closing -1");
}

/* ---- channel tables ---- */

static void test_channel_table(void) {
  const char *path = test_path("raw.csv");
  test_put(path, "t,ch1,ch2\n0,1,2\n0.5,3,4\n1,5,6\n");
  test_put(test_path("raw.csv.channels.csv"),
           "channel,name,unit,node,direction,x [mm],y "
           "[mm]\nch1,hammer,N,3,-Z,12.5,0\n2,tip,g,7,+x,0,2.385\n");
  ms_measurement *file;
  if (!CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file))) return;
  check_channel(file, 0, "hammer", FORCE, "N", 1.0);
  check_channel(file, 1, "tip", ACCELERATION, "g", G);
  const ms_measurement_channel *c = ms_measurement_get(file, 0);
  CHECK_EQUAL(c->direction, -3);
  CHECK_EQUAL(c->node, 3);
  CHECK_CLOSE(c->position[0], 12.5e-3, 1e-14);
  CHECK_HAS(ms_measurement_get_table(file), "raw.csv.channels.csv");
  ms_measurement_destroy(&file);
  ms_record r;
  const ms_record_request request = { .channel = "tip", .kind = MS_RECORD_UNKNOWN };
  if (CHECK_OK(ms_record_read(test_context(), path, &request, &r))) {
    CHECK_CLOSE(r.x[2], 6.0 * G, 1e-14);
    ms_record_free(test_context(), &r);
  }
}

static void check_table_refused(const char *table, const char *message) {
  char path[256], own[256];
  snprintf(path, sizeof path, "%s", test_path("plain.csv"));
  snprintf(own, sizeof own, "%s", test_path("own.csv"));
  ms_measurement *file;
  const ms_measurement_request request = { .table = own };
  test_put(path, "t,ch1,ch2\n0,1,2\n0.5,3,4\n1,5,6\n");
  test_put(own, table);
  CHECK(ms_measurement_read(test_context(), path, &request, &file) < 0);
  CHECK_HAS(ms_context_message(test_context()), message);
  CHECK(file == NULL);
}

static void test_damaged_channel_tables(void) {
  check_table_refused("channel,unit\nch3,g\n", "own.csv:2: ");
  check_table_refused("channel,unit\nch3,g\n", "has no channel 'ch3'");
  check_table_refused("channel,unit\n3,g\n", "write its name or its number, 1 to 2");
  check_table_refused("channel,unit\nch1,furlong\n", "own.csv:2: unit 'furlong' is not known");
  check_table_refused("channel,kind\nch1,speed\n", "own.csv:2: kind 'speed' must be");
  check_table_refused("channel,direction\nch1,+w\n", "own.csv:2: direction '+w' must be");
  check_table_refused("channel,node\nch1,1.5\n", "own.csv:2: node 1.5 must be a whole number");
  check_table_refused("channel,x [kg]\nch1,1.5\n", "own.csv:2: column x is in [kg]");
  check_table_refused("channel,colour\nch1,red\n", "own.csv: column 'colour' is not known");
  check_table_refused("unit\ng\n", "own.csv: has no column channel");
  check_table_refused("channel,name\nch1,ch2\n", "both called 'ch2'");
}

/* ---- MATLAB and NumPy: imitations that scipy and numpy wrote ---- */

static const double samples[] = { 0.5, -1.25, 2.385, -0.75, 3.5 };

static const ms_measurement_channel *find_channel(const ms_measurement *file, const char *name) {
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(file); i++)
    if (strcmp(ms_measurement_get(file, i)->name, name) == 0) return ms_measurement_get(file, i);
  CHECK_TEXT("no channel", name);
  return NULL;
}

/* Five samples 2 ms apart, `scale` times those above, to the last bit of what the file keeps. */
static void check_samples(const ms_measurement *file, const char *name, int kind, double scale,
                          double tolerance) {
  const ms_measurement_channel *c = find_channel(file, name);
  if (!c || !CHECK_EQUAL(c->n, 5)) return;
  CHECK_EQUAL(c->kind, kind);
  CHECK_CLOSE(c->step * c->x_factor, 2e-3, 1e-12);
  for (int k = 0; k < 5; k++) CHECK_CLOSE(c->y[k], scale * samples[k], tolerance);
}

static void check_mat(const char *path, int with_units) {
  ms_measurement *file;
  if (!CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file))) return;
  check_samples(file, "force", FORCE, 2.0, 1e-15);
  check_samples(file, "acc 1", ACCELERATION, 1.0, 1e-15);
  check_samples(file, "acc 2", ACCELERATION, -1.0, 1e-15);
  check_samples(file, "data.vel", MS_RECORD_VELOCITY, 1.0, 1e-7);
  if (!with_units) {
    const ms_measurement_channel *ints = find_channel(file, "ints"), *h = find_channel(file, "H");
    CHECK(ints && ints->y[3] == -4.0);
    CHECK(h && h->is_complex && h->type == 4 && h->y[3] == -4.0 && h->step == 2.5);
  }
  ms_measurement_destroy(&file);
}

static void test_mat(void) {
  check_mat(TEST_DATA "/measured/v5.mat", 0);
  check_mat(TEST_DATA "/measured/v7.mat", 0); /* compressed */
}

/* Version 7.3 is HDF5; this one our own writer makes. */
static void test_mat73(void) {
  double t[5], twice[5], both[10];
  ms_results *out;
  const char *path = test_path("v73.mat");
  for (int k = 0; k < 5; k++) {
    t[k] = 2e-3 * k;
    twice[k] = 2.0 * samples[k];
    both[k] = samples[k], both[k + 5] = -samples[k];
  }
  if (!CHECK_OK(ms_results_create(test_context(), path, &out))) return;
  CHECK_OK(ms_results_write_vector(out, "time", 5, t));
  CHECK_OK(ms_results_write_vector(out, "force", 5, twice));
  CHECK_OK(ms_results_write_matrix(out, "acc", 5, 2, both));
  CHECK_OK(ms_results_write_vector(out, "data/vel", 5, samples));
  CHECK_OK(ms_results_commit(&out));
  check_mat(path, 1);
}

static void test_npz(void) {
  static const char *const name[] = { "stored", "deflated" };
  for (int i = 0; i < 2; i++) {
    char path[512];
    ms_measurement *file;
    snprintf(path, sizeof path, "%s/measured/%s.npz", TEST_DATA, name[i]);
    if (!CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file))) continue;
    check_samples(file, "acc 1", ACCELERATION, 1.0, 1e-15);
    check_samples(file, "acc 2", ACCELERATION, -1.0, 1e-15);
    check_samples(file, "force", FORCE, 2.0, 1e-7);
    CHECK_CLOSE(ms_measurement_get(file, 0)->factor, G, 1e-15);
    CHECK_TEXT(ms_measurement_get(file, 2)->unit, "N");
    CHECK_HAS(ms_measurement_get_remark(file, 0), "left out: 1 arrays");
    ms_measurement_destroy(&file);
  }
}

/* Every file that is cut off is refused, and so is one with a byte changed where a checksum is. */
static void test_damaged_binary(void) {
  static const char *const name[] = { "v5.mat", "v7.mat", "stored.npz", "deflated.npz" };
  for (int i = 0; i < 4; i++) {
    char path[512];
    size_t n;
    ms_measurement *file = NULL;
    snprintf(path, sizeof path, "%s/measured/%s", TEST_DATA, name[i]);
    char *bytes = test_get(path, &n);
    if (!CHECK(bytes != NULL)) continue;
    CHECK_STATUS(ms_measurement_parse(test_context(), name[i], bytes, n - 9, NULL, &file),
                 MS_ERR_FORMAT);
    CHECK_HAS(ms_context_message(test_context()), ": byte ");
    CHECK(file == NULL);
    bytes[n / 4] ^= 0x55;
    if (i != 0)
      CHECK_STATUS(ms_measurement_parse(test_context(), name[i], bytes, n, NULL, &file),
                   MS_ERR_FORMAT);
    ms_measurement_destroy(&file);
    free(bytes);
  }
  check_refused("x.mat", "no such thing", "x.mat: byte 126: no MATLAB file");
  check_refused("x.npz", "no such thing", "x.npz: byte 0: no .npz file");
  check_refused("x.mat", "\x89HDF\r\n\x1a\nand then nothing", "HDF5 cannot open it");
}

/* ---- memory ---- */

static ms_status read_any(ms_context *ctx, void *path) {
  ms_measurement *file;
  MS_TRY(ms_measurement_read(ctx, path, NULL, &file));
  ms_measurement_destroy(&file);
  return MS_SUCCESS;
}

static void test_memory_failures(void) {
  char path[256];
  snprintf(path, sizeof path, "%s", test_path("memory.csv"));
  test_put(path, "t,ch1,ch2\n0,1,2\n0.5,3,4\n1,5,6\n");
  test_put(test_path("memory.csv.channels.csv"), "channel,unit\nch1,N\nch2,g\n");
  CHECK(test_allocations(read_any, path) >= 12);
  snprintf(path, sizeof path, "%s", test_path("memory.uff"));
  put_uff(path);
  CHECK(test_allocations(read_any, path) >= 38);
  char data[512];
  static const char *const name[] = { "v7.mat", "deflated.npz" };
  for (int i = 0; i < 2; i++) {
    snprintf(data, sizeof data, "%s/measured/%s", TEST_DATA, name[i]);
    CHECK(test_allocations(read_any, data) >= 15);
  }
}

int main(void) {
  test_folder_open();
  TEST(test_tables);
  TEST(test_kinds);
  TEST(test_contradictions);
  TEST(test_damaged_tables);
  TEST(test_thousands);
  TEST(test_rounded_times);
  TEST(test_two_rates);
  TEST(test_table_rate);
  TEST(test_uff);
  TEST(test_geometry);
  TEST(test_record);
  TEST(test_damaged_uff);
  TEST(test_channel_table);
  TEST(test_damaged_channel_tables);
  TEST(test_mat);
  TEST(test_mat73);
  TEST(test_npz);
  TEST(test_damaged_binary);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
