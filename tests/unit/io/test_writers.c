/* Files as single programs write them: imitations, written by hand, of their layout; none of them
   comes from such a program. */
#include <microslip/measurement.h>

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/files.h"

static const double gravity = 9.80665;

static ms_measurement *read_text(const char *name, const char *text) {
  ms_measurement *file = NULL;
  const char *path = test_path(name);
  test_put(path, text);
  CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file));
  return file;
}

static void check_refused(const char *name, const char *text, const char *message) {
  ms_measurement *file = NULL;
  const char *path = test_path(name);
  test_put(path, text);
  if (!CHECK(ms_measurement_read(test_context(), path, NULL, &file) < 0)) {
    printf("# accepted: %s\n", text);
    ms_measurement_destroy(&file);
  }
  CHECK_HAS(ms_context_message(test_context()), message);
}

typedef struct channel_check {
  const char *name;
  int kind, type;
  const char *unit;
  double factor;
  ptrdiff_t n;
  double first, step, last;
} channel_check;

static void check_channel(const ms_measurement *file, ptrdiff_t i, channel_check want) {
  const ms_measurement_channel *c = ms_measurement_get(file, i);
  if (!CHECK(c != NULL)) return;
  CHECK_TEXT(c->name, want.name);
  CHECK_EQUAL(c->kind, want.kind);
  CHECK_EQUAL(c->type, want.type);
  CHECK_TEXT(c->unit, want.unit);
  CHECK_NEAR(c->factor, want.factor, 1e-14 * want.factor);
  CHECK_NEAR(c->first * c->x_factor, want.first, 1e-14);
  CHECK_NEAR(c->step * c->x_factor, want.step, 1e-12 * want.step);
  if (CHECK_EQUAL(c->n, want.n))
    CHECK_CLOSE(c->y[(c->n - 1) * (1 + c->is_complex)], want.last, 1e-15);
}

enum {
  UNKNOWN = MS_RECORD_UNKNOWN,
  ACCELERATION = MS_RECORD_ACCELERATION,
  FORCE = MS_RECORD_FORCE
};

/* ---- LabVIEW ---- */

#define LVM_HEAD(columns)                                                            \
  "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\nDecimal_Separator\t,\n" \
  "Multi_Headings\tYes\nX_Columns\t" columns                                         \
  "\nTime_Pref\tAbsolute\nDate\t2026/02/19\n"                                        \
  "***End_of_Header***\t\n\t\n"
#define LVM_SEGMENT                                                                     \
  "Channels\t2\t\t\t\nSamples\t3\t3\t\nTime\t10:20:30,25\t10:20:30,25\t\n"              \
  "Y_Unit_Label\tNewtons\tm/s^2\t\nX_Dimension\tTime\tTime\t\nX0\t-2,0E-3\t-2,0E-3\t\n" \
  "Delta_X\t1,953125E-3\t1,953125E-3\t\n***End_of_Header***\t\t\t\n"

static void test_lvm_segments(void) {
  ms_measurement *file = read_text(
      "blows.lvm", LVM_HEAD("No") LVM_SEGMENT
      "X_Value\tForce "
      "(Trigger)\ttip\tComment\n\t0,1\t0,2\n\t1,5\t-3\tlost\n\t2,385\t-0,75\n\n" LVM_SEGMENT
      "X_Value\tForce (Trigger)\ttip\tComment\n\t0,4\t0,3\n\t9,5\t-5\n\t7,125\t-0,5\n");
  if (!file) return;
  CHECK_EQUAL(ms_measurement_get_count(file), 4);
  CHECK_TEXT(ms_measurement_get_writer(file), "LabVIEW Measurement, version 2");
  const double dt = 1.953125e-3;
  check_channel(
      file, 0,
      (channel_check) { "Force (Trigger)", FORCE, 1, "Newtons", 1.0, 3, -2e-3, dt, 2.385 });
  check_channel(file, 1,
                (channel_check) { "tip", ACCELERATION, 1, "m/s^2", 1.0, 3, -2e-3, dt, -0.75 });
  check_channel(
      file, 3,
      (channel_check) { "tip segment 2", ACCELERATION, 1, "m/s^2", 1.0, 3, -2e-3, dt, -0.5 });
  ms_measurement_destroy(&file);
}

#define LVM_COMMA \
  "LabVIEW Measurement,\nWriter_Version,2\nSeparator,Comma\nDecimal_Separator,.\nX_Columns,"
#define LVM_MULTI                                                                      \
  LVM_COMMA                                                                            \
  "Multi\n***End_of_Header***,\nChannels,2,,,,\nSamples,3,,2,,\nY_Unit_Label,g,,N,,\n" \
  "X_Dimension,Time,,Time,,\nX0,0.0,,0.0,,\nDelta_X,0.0009765625,,0.002,,\n"           \
  "***End_of_Header***,,,,,\n"

/* The x are printed with six decimals; those of the second channel are another grid than its head
   says. */
static void test_lvm_columns(void) {
  ms_measurement *file = read_text("multi.txt", LVM_MULTI
                                   "X_Value,tip,X_Value,load,Comment\n0.000000,0.5,0.5,1,\n"
                                   "0.000977,1.5,1.5,-3.25,\n0.001953,-2.5,,,\n");
  if (!file) return;
  check_channel(
      file, 0,
      (channel_check) { "tip", ACCELERATION, 1, "g", gravity, 3, 0.0, 0.0009765625, -2.5 });
  check_channel(file, 1, (channel_check) { "load", FORCE, 1, "N", 1.0, 2, 0.5, 1.0, -3.25 });
  ms_measurement_destroy(&file);
  file = read_text("rough.lvm", LVM_COMMA
                   "One\n***End_of_Header***,\nChannels,3,,,\nSamples,4,4,4,\nY_Unit_Label,g,,,\n"
                   "X0,0,0,0,\nDelta_X,0.000977,0.000977,1.0,\n***End_of_Header***,,,,\n"
                   "X_Value,tip,unused,dead,Comment\n0.000000,1,,NaN\n0.000977,2,,NaN\n");
  if (!file) return;
  CHECK_EQUAL(ms_measurement_get_count(file), 1);
  CHECK_HAS(ms_measurement_get_remark(file, 0), "line 11: Delta_X is printed with 6 decimals");
  CHECK_HAS(ms_measurement_get_remark(file, 1), "left out: 2 channels without samples");
  CHECK_HAS(ms_measurement_get_remark(file, 2), "line 13 has 2 samples, its head says 4");
  ms_measurement_destroy(&file);
}

static void test_lvm_damaged(void) {
  check_refused("d.lvm", LVM_COMMA "One\nDate,2026\n", "d.lvm:6: the file ends in its head");
  check_refused("d.lvm", LVM_COMMA "One\n***End_of_Header***,\n",
                "d.lvm:6: the file has no samples");
  check_refused("d.lvm", LVM_COMMA "One\n***End_of_Header***,\nChannels,x\n",
                "d.lvm:7: Channels must be a number from 1");
  check_refused("d.lvm", LVM_COMMA "One\n***End_of_Header***,\nSamples,3\n***End_of_Header***\n",
                "d.lvm:8: a segment needs a line Channels");
  check_refused("d.lvm", LVM_COMMA "One\n***End_of_Header***,\nChannels,1\nX0,y\n",
                "d.lvm:8: X0: 'y' is not a finite number");
  check_refused("d.lvm", LVM_COMMA "One\n***End_of_Header***,\nChannels,1\nX0,0\n",
                "d.lvm:8: the file ends in the head of a segment");
  check_refused("d.lvm",
                LVM_COMMA
                "One\n***End_of_Header***,\nChannels,2\n***End_of_Header***\n"
                "X_Value,tip\n0,1\n",
                "d.lvm:9: found 2 names, expected 3 for 2 channels");
  check_refused("d.lvm", LVM_MULTI "X_Value,tip,X_Value,load,Comment\n0,0.5,0.5,1,\n0,1.5\n",
                "d.lvm:16: found 2 cells, expected 4");
  check_refused("d.lvm", LVM_MULTI "X_Value,tip,X_Value,load,Comment\n0,0.5,0.5,1,\n0,1x5,0,1\n",
                "d.lvm:16: column tip: '1x5' is not a finite number");
  check_refused("d.lvm",
                LVM_MULTI "X_Value,tip,X_Value,load,Comment\n0,0.5,0.5,1,\n0,,0,1\n0,1,0,1\n",
                "d.lvm:16: column tip: '' is an empty cell before others");
  check_refused("d.lvm", LVM_MULTI "X_Value,tip,X_Value,load\n0,0.5,0.5,1,\n0,NaN,0,1\n",
                "d.lvm:16: column tip: 'NaN' is not finite");
  check_refused("d.lvm", LVM_HEAD("No") LVM_SEGMENT "X_Value\tF\ttip\n\t1\t1\n\t2\t\n",
                "d.lvm:21: column tip: '' is an empty cell, but the columns have as many samples");
}

/* ---- oscilloscopes ---- */

static void test_scope(void) {
  ms_measurement *file = read_text(
      "F0000CH1.CSV",
      "Record Length,3,,  -0.125000000000,   0.07000,\nSource,CH1,,  -0.124500000000,   0.31000,\n"
      "Vertical Units,V,,-00.124000000000,  -2.38500,\n");
  if (file)
    check_channel(file, 0,
                  (channel_check) { "CH1", UNKNOWN, 1, "V", 0.0, 3, -0.125, 5e-4, -2.385 });
  ms_measurement_destroy(&file);
  file = read_text("scope_0.csv",
                   "x-axis,1,2\nsecond,Volt,Volt\n-375.0E-03,-1.75E-03,+13.5E-03\n"
                   "-374.5E-03,+4.25E-03,+17.0E-03\n-374.0E-03,+8.75E-03,+23.85E-03\n");
  if (file)
    check_channel(file, 1,
                  (channel_check) { "2", UNKNOWN, 1, "Volt", 0.0, 3, -0.375, 5e-4, 23.85e-3 });
  ms_measurement_destroy(&file);
  file = read_text("SDS00001.csv",
                   "Sample Interval,CH1:0.002\nSource,CH1\nSecond,Volt\n0.000,1.75\n0.002,1.25\n");
  if (file)
    check_channel(file, 0, (channel_check) { "CH1", UNKNOWN, 1, "Volt", 0.0, 2, 0.0, 2e-3, 1.25 });
  ms_measurement_destroy(&file);
  file = read_text("mac.csv", "Time [s],tip [g]\r0,1\r0.5,2.385\r");
  if (file)
    check_channel(file, 0,
                  (channel_check) { "tip", ACCELERATION, 1, "g", gravity, 2, 0.0, 0.5, 2.385 });
  ms_measurement_destroy(&file);
  file = read_text("NewFile1.csv",
                   "X,CH1,CH2,Start,Increment,\r\nSequence,Volt,Volt,-7.5e-02,2.5e-04\r\n"
                   "0,1.7e-01,1.35e+01,\r\n1,2.385,1.85e+01,\r\n");
  if (file) {
    CHECK_EQUAL(ms_measurement_get_count(file), 2);
    check_channel(file, 0,
                  (channel_check) { "CH1", UNKNOWN, 1, "Volt", 0.0, 2, -7.5e-2, 2.5e-4, 2.385 });
    check_channel(file, 1,
                  (channel_check) { "CH2", UNKNOWN, 1, "Volt", 0.0, 2, -7.5e-2, 2.5e-4, 18.5 });
  }
  ms_measurement_destroy(&file);
  check_refused("d.csv", "Record Length,3,,0,0.5,\nSource,CH1,,0.5,1,\n",
                "d.csv:2: the file ends after 2 of 3 samples");
  check_refused("d.csv", "CH1,Start,Increment,\nVolt,0,0\n1,\n",
                "d.csv:2: Increment 0 must be > 0");
  check_refused("d.csv", "CH1,Start,Increment,\nVolt,0\n1,\n",
                "d.csv:2: column Increment: '' is not a finite number");
  check_refused("d.csv", "CH1,CH2,Start,Increment,\nVolt,Volt,0,1\n1,2,\n3\n",
                "d.csv:4: found 1 cells, expected 2");
  check_refused("d.csv", "CH1,Start,Increment,\nVolt,0,1\n1,\nx,\n",
                "d.csv:4: column 1: 'x' is not a finite number");
  check_refused("d.csv", "CH1,Start,Increment,\nVolt,0,1\n", "d.csv:2: no rows follow");
  check_refused("d.csv", "Record Length,3,,0,0.5,\nSource,CH1,,0.5\n",
                "d.csv:2: found fewer than 5");
  check_refused("d.csv", "Record Length,3,,0,0.5,\nSource,CH1,,0.5,x,\n",
                "d.csv:2: column 5: 'x' is not a finite number");
}

/* ---- a rate in a column, names between commas and blanks, frequencies ---- */

static void test_tables(void) {
  ms_measurement *file = read_text("gvt.csv",
                                   "\"load\",\"acc 1\",\"Fs\",\n0.5,-0.25,250,\n"
                                   "-0.75,2.385,,\n");
  if (file) {
    CHECK_EQUAL(ms_measurement_get_count(file), 2);
    check_channel(file, 1,
                  (channel_check) { "acc 1", ACCELERATION, 1, "", 0.0, 2, 0.0, 4e-3, 2.385 });
  }
  ms_measurement_destroy(&file);
  file = read_text("shock.txt", "# time(s),  \t acc(g)\n0.0 6.5\n0.5 6.75\n");
  if (file)
    check_channel(file, 0,
                  (channel_check) { "acc", ACCELERATION, 1, "g", gravity, 2, 0.0, 0.5, 6.75 });
  ms_measurement_destroy(&file);
  file = read_text("frf.txt",
                   "Units: Ratio\nRef Chan:Resp Chan\t3+X:7-Z\n\nFrequency\t Real\t Imaginary\n\n"
                   "Units:\nHz\t(m/s^2)(N)\t \n0.0\t-0.5\t0\n0.25\t-0.75\t0.125\n");
  if (file && CHECK_EQUAL(ms_measurement_get_count(file), 1)) {
    check_channel(file, 0,
                  (channel_check) { "frequency response", UNKNOWN, 4, "(m/s^2)(N)", 0.0, 2, 0.0,
                                    0.25, -0.75 });
    CHECK_NEAR(ms_measurement_get(file, 0)->y[3], 0.125, 0.0);
  }
  ms_measurement_destroy(&file);
  file = read_text("words.csv", "t,base [Meters/s^2],gap (inches),u [MetersX]\n0,1,2,3\n1,2,3,4\n");
  if (file) {
    check_channel(file, 0,
                  (channel_check) { "base", ACCELERATION, 1, "Meters/s^2", 1.0, 2, 0.0, 1.0, 2.0 });
    check_channel(
        file, 1,
        (channel_check) { "gap", MS_RECORD_DISPLACEMENT, 1, "inches", 0.0254, 2, 0.0, 1.0, 3.0 });
    check_channel(file, 2, (channel_check) { "u", UNKNOWN, 1, "MetersX", 0.0, 2, 0.0, 1.0, 4.0 });
  }
  ms_measurement_destroy(&file);
  check_refused("d.csv", "Force,Fs\n0.5,400\n,\n1,\n",
                "d.csv:3: column Force: '' is an empty cell");
}

/* Only numbers, and what they are in a channel table. */
static void test_bare(void) {
  test_put(test_path("bare.txt.channels.csv"), "channel,name,kind,unit\n1,t,time,ms\n2,tip,,g\n");
  ms_measurement *file = read_text("bare.txt", "2.0 0.5\r\r\n2.5 0.75\r\r\n3.0 2.385\r\r\n");
  if (file)
    check_channel(file, 0,
                  (channel_check) { "tip", ACCELERATION, 1, "g", gravity, 3, 2e-3, 5e-4, 2.385 });
  ms_measurement_destroy(&file);
  test_put(test_path("frf.dat.channels.csv"), "channel,kind,unit\n1,frequency,Hz\n");
  file = read_text("frf.dat", "2.0 0.5\n2.5 0.75\n");
  if (file)
    check_channel(file, 0, (channel_check) { "2", UNKNOWN, 12, "", 0.0, 2, 2.0, 0.5, 0.75 });
  ms_measurement_destroy(&file);
  test_put(test_path("bad.dat.channels.csv"), "channel,kind,unit\n1,time,g\n");
  check_refused("bad.dat", "2.0 0.5\n2.5 0.75\n", "channels.csv:2: unit 'g' must be s, ms or us");
  test_put(test_path("two.csv.channels.csv"), "channel,kind\n1,time\n");
  check_refused("two.csv", "t,x,y\n0,2.0,0.5\n1,2.5,0.75\n",
                "channel x cannot be times: the file has some");
  check_refused("without.dat", "2.0 0.5\n2.5 0.75\n", "without.dat:1: has only numbers");
}

/* ---- PULSE ---- */

#define PULSE_HEAD(kind, rows)                                                                 \
  "Header Size:\t 14\t \nPulse Version:\t 3\t \nRunning Pulse Version:\tPULSE 20\t \n"         \
  "Decimal Symbol:\t.\t \nData Type:\t" kind "\t \nZ-Axis size:\t1\t \nX-Axis size:\t" rows    \
  "\t \nX-Axis unit:\tHz\t \nX-Axis first value:\t 1.0e+001\t \nX-Axis delta:\t 2.5e-001\t \n" \
  "AmplitudeUnit:\tg\t \nFunction:\t"
#define PULSE_TAIL "\t \nPower:\tTrue\t \nPowerUnit:\tg^2\t \nSignal:\ttip\t \nZ-axis:\t \t 0.0\n"

static void test_pulse(void) {
  ms_measurement *file = read_text(
      "pulse.txt", PULSE_HEAD("Real", "2") "Autospectrum" PULSE_TAIL
                                           "1\t 1.0e+001\t 0.5\n2\t 1.025e+001\t "
                                           "2.385\nTagsBegin:\t \t \nOverLoad:\t \tFalse\n");
  if (file) {
    check_channel(file, 0, (channel_check) { "tip", UNKNOWN, 2, "g^2", 0.0, 2, 10.0, 0.25, 2.385 });
    CHECK_TEXT(ms_measurement_get_writer(file), "PULSE 20");
  }
  ms_measurement_destroy(&file);
  file = read_text("pulse.txt", PULSE_HEAD("Complex", "2") "Frequency Response H1\t \nSignal:\ttip\n"
                   "1\t 10\t 0.5\t 1\n2\t 10.25\t 2.385\t -2\n");
  if (file) {
    check_channel(file, 0,
                  (channel_check) { "tip", ACCELERATION, 4, "g", gravity, 2, 10.0, 0.25, 2.385 });
    CHECK_NEAR(ms_measurement_get(file, 0)->y[3], -2.0, 0.0);
  }
  ms_measurement_destroy(&file);
  check_refused("d.txt", PULSE_HEAD("Real", "2") "Time\n", "d.txt:12: no row of numbers follows");
  check_refused("d.txt", PULSE_HEAD("Real", "2") "Time\n1\t 10\t 0.5\n",
                "d.txt:13: the file ends after 1 of 2 rows");
  check_refused("d.txt", PULSE_HEAD("Real", "2") "Time\n1\t 10\t 0.5\n3\t 10.5\t 1\n",
                "d.txt:14: row 3 where 2 is expected");
  check_refused("d.txt", PULSE_HEAD("Real", "2") "Time\n1\t 10\n", "d.txt:13: found 2 cells");
  check_refused("d.txt", PULSE_HEAD("Real", "x") "Time\n1\t 10\t 0.5\n",
                "d.txt:7: a number must follow the key");
  check_refused("d.txt", PULSE_HEAD("Real", "2") "Time\n1\t 10\t 0.5z\n",
                "d.txt:13: '0.5z' is not a finite number");
}

/* ---- universal files and MATLAB ---- */

static void test_testlab(void) {
  ms_measurement *file;
  ptrdiff_t n;
  /* more labels than the head says, a blank line, and a name that is the place */
  file = read_text("lines.unv",
                   "    -1\n    82\n         1         9         8\nwing\n"
                   "         1         2         0         3         4         0         "
                   "5         6\n         7         0         8         9         0"
                   "         0         0         0\n         4         5         0"
                   "         6         0         0         0         0\n\n    -1\n");
  if (file) {
    const ms_measurement_trace *trace = ms_measurement_get_traces(file, &n);
    if (CHECK_EQUAL(n, 1) && CHECK(trace->n > 9)) CHECK(trace->label[trace->n - 5] == 6);
  }
  ms_measurement_destroy(&file);
  if (!CHECK_OK(
          ms_measurement_read(test_context(), TEST_DATA "/measured/signals.mat", NULL, &file)))
    return;
  CHECK_EQUAL(ms_measurement_get_count(file), 3);
  check_channel(
      file, 0,
      (channel_check) { "acc beam:3:-Z", ACCELERATION, 1, "g", gravity, 5, -4e-3, 2e-3, 7.0 });
  check_channel(
      file, 1,
      (channel_check) { "acc beam:7:+X", ACCELERATION, 1, "g", gravity, 5, -4e-3, 2e-3, 3.5 });
  check_channel(file, 2,
                (channel_check) { "H beam:7:+X", UNKNOWN, 4, "g/N", 0.0, 5, 10.0, 0.5, 3.5 });
  ms_measurement_destroy(&file);
}

/* MATLAB keeps what function handles refer to in a matrix without a name, longer than the data. */
static void test_workspace(void) {
  ms_measurement *file;
  const char *path = TEST_DATA "/measured/workspace.mat";
  if (!CHECK_OK(ms_measurement_read(test_context(), path, NULL, &file))) return;
  CHECK_EQUAL(ms_measurement_get_count(file), 1);
  check_channel(file, 0, (channel_check) { "acc", ACCELERATION, 1, "", 0.0, 5, 0.0, 2e-3, 3.5 });
  ms_measurement_destroy(&file);
}

/* ---- memory ---- */

static ms_status read_any(ms_context *ctx, void *path) {
  ms_measurement *file;
  MS_TRY(ms_measurement_read(ctx, path, NULL, &file));
  ms_measurement_destroy(&file);
  return MS_SUCCESS;
}

static void test_memory_failures(void) {
  static const struct {
    const char *name, *text;
    int least;
  } of[] = {
    { "m.lvm", LVM_MULTI "X_Value,tip,X_Value,load,\n0,0.5,0.5,1,\n0.000977,1.5,1.5,2,\n", 8 },
    { "scope.csv", "Record Length,2,,0,0.04,\nSource,CH1,,0.5,0.24,\n", 8 },
    { "rigol.csv", "CH1,Start,Increment,\nVolt,0,1\n1,\n", 5 },
    { "pulse.txt", PULSE_HEAD("Real", "1") "Time\n1\t 10\t 0.5\n", 4 },
    { "mac.csv", "Time [s],tip [g]\r0,1\r0.5,2.385\r", 8 },
    { "frf.csv", "Frequency [Hz],Real,Imag\n0,1,2\n0.5,2.385,1\n", 9 },
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    char path[256];
    snprintf(path, sizeof path, "%s", test_path(of[i].name));
    test_put(path, of[i].text);
    CHECK(test_allocations(read_any, path) >= of[i].least);
  }
  char path[] = TEST_DATA "/measured/signals.mat";
  CHECK(test_allocations(read_any, path) >= 15);
}

int main(void) {
  test_folder_open();
  TEST(test_lvm_segments);
  TEST(test_lvm_columns);
  TEST(test_lvm_damaged);
  TEST(test_scope);
  TEST(test_tables);
  TEST(test_bare);
  TEST(test_pulse);
  TEST(test_testlab);
  TEST(test_workspace);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
