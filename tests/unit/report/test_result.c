/* Results of analyses: values and rows in JSON, their list in the page, figures from the columns of
   a table, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/io.h>
#include <microslip/result.h>

#include "report/internal.h"
#include "support/check.h"
#include "support/files.h"

static ms_status fill_table(ms_context *ctx, ms_result *r, ms_result_table **t) {
  static const char *const method[] = { "qsma", "epmc" };
  (void)ctx;
  *t = ms_result_new_table(r, "_modes", "mode,method:word,f [Hz]");
  ms_result_put_columns(*t, "zeta,sound:flag");
  for (int k = 0; k < 12; k++) {
    const double zeta = k == 5 ? -1.3e-3 : 2.1e-3 + 1.7e-4 * k;
    ms_result_put_row(*t, 1.0 + k % 3, method[k / 6], 23.85 + 0.7 * k, zeta, (double)(k != 5));
  }
  return ms_result_get_status(r);
}

static void fill_values(ms_result *r, const ms_result_table *t) {
  const double level[] = { 0.3, 2.7 };
  ms_result_set_number(r, "residual", "N", 3.7e-11);
  ms_result_set_values(r, "harmonics:count,complete:flag,reason:word", 9.0, 3.0, "\"none\"");
  ms_result_set_numbers(r, "levels", "N", level, 2);
  ms_result_begin(r, "worst");
  ms_result_set_integer(r, "mode", 2);
  ms_result_set_none(r, "at");
  ms_result_end(r);
  ms_result_list_rows(r, "modes", t, "mode,zeta?sound,valid=sound,method");
}

static const ms_plot panels[] = {
  { .title = "A",
    .x = "f",
    .y = "zeta",
    .y_log = 1,
    .by = "mode,method",
    .label = "mode %s by %s" },
  { .title = "B",
    .x = "mode",
    .y = "zeta",
    .y_scale = 100.0,
    .y_unit = "%",
    .where = "method=epmc" },
  { .x = "mode", .y = "f", .where = "mode=2", .over = 1, .label = "frequency" },
  /* rows 2, 5 of qsma: an area of four corners, and a line with two error bars */
  { .x = "f", .y = "zeta", .y_to = "f", .where = "mode=2\nmethod=qsma" },
  { .x = "f", .y = "zeta", .spread = "sound", .where = "mode=2\nmethod=qsma", .over = 1 },
};

static void add_answers(ms_result *r) {
  ms_result_add_answer(r, &(ms_answer) { .label = "Slip force of lap",
                                         .symbol = "F_S",
                                         .unit = "N",
                                         .value = 60.0132,
                                         .error = 0.0298,
                                         .weight = 50 });
  ms_result_add_answer(
      r, &(ms_answer) { .label = "Damping", .value = 2.317e-3, .low = 2.1e-3, .high = 2.6e-3 });
}

static ms_status make(ms_context *ctx, ms_result **out, ms_result_table **t) {
  MS_TRY(ms_result_create(ctx, "tracked", "identify_density", out));
  MS_TRY(fill_table(ctx, *out, t));
  fill_values(*out, *t);
  add_answers(*out);
  ms_result_say(*out, "%d modes", 3);
  ms_result_warn_lines(*out, "first\nsecond");
  ms_result_show_code(*out, "mode: 1");
  ms_result_show_table(*out, *t, "Modes");
  ms_result_plot(*out, "Modes", "Look at mode 2.", *t, 5, panels);
  ms_result_feature_figure(*out, 40);
  MS_TRY(ms_result_get_page_status(*out));
  return ms_result_get_status(*out);
}

static void test_json(void) {
  ms_result *r = NULL;
  ms_result_table *t;
  ms_json *json;
  char *text;
  size_t n;
  CHECK_OK(make(test_context(), &r, &t));
  FILE *stream = open_memstream(&text, &n);
  CHECK_OK(ms_json_create(test_context(), stream, &json));
  ms_json_begin_object(json, NULL);
  ms_result_write_json(r, json);
  ms_json_end(json);
  CHECK_OK(ms_json_close(&json));
  fclose(stream);
  CHECK_HAS(text, "\"residual\": 3.7e-11,\n  \"harmonics\": 9,\n  \"complete\": true,\n");
  CHECK_HAS(text,
            "\"answers\": [\n    {\n      \"label\": \"Slip force of lap\",\n      \"symbol\": "
            "\"F_S\",\n      \"unit\": \"N\",\n      \"value\": 60.0132,\n      \"error\": 0.0298\n"
            "    },\n    {\n      \"label\": \"Damping\",\n      \"value\": 0.002317,\n      "
            "\"low\": 0.0021,\n      \"high\": 0.0026\n    }\n  ],\n");
  CHECK_HAS(text, "\"reason\": \"\\\"none\\\"\"");
  CHECK_HAS(text, "\"worst\": {\n    \"mode\": 2,\n    \"at\": null\n  }");
  CHECK_HAS(text,
            "{\n      \"mode\": 3,\n      \"method\": \"qsma\",\n      \"valid\": false\n    }");
  CHECK_HAS(text, "\"zeta\": 0.0021,\n      \"valid\": true\n    }");
  free(text);
  ms_result_destroy(&r);
}

static void check_printed(ms_answer answer, const char *want) {
  char text[128];
  CHECK_EQUAL(ms_answer_print(&answer, NULL, text, sizeof text), strlen(want));
  CHECK_TEXT(text, want);
}

/* In the units of a display; what that cannot show stays SI. */
static void test_shown_answers(void) {
  ms_display *d = NULL;
  char text[128];
  const double shape[] = { 0.5, 0.25 };
  const ms_answer f = { .label = "Frequency",
                        .symbol = "omega",
                        .unit = "rad/s",
                        .value = 100.0 * acos(-1.0),
                        .error = 2.0 * acos(-1.0) };
  const ms_answer zeta = {
    .label = "Damping", .symbol = "zeta", .value = 0.0025, .low = 0.002, .high = 0.004
  };
  const ms_answer none = { .label = "Damping", .symbol = "zeta" };
  const ms_answer q = { .label = "Amplitude",
                        .symbol = "q",
                        .unit = "m sqrt(kg)",
                        .value = 0.02,
                        .mode = 2,
                        .omega = 10.0 };
  const struct {
    const char *words;
    const ms_answer *answer;
    const char *want;
  } row[] = {
    { "hz", &f, "50.0 +- 1.0 Hz" },
    { "rad", &f, "314.2 +- 6.3 rad/s" },
    { "percent", &zeta, "0.25 (0.20 to 0.40) %" },
    { "q", &zeta, "200 (125 to 250) (Q)" },
    { "q", &none, "0" },
    { "modal", &q, "0.02 m sqrt(kg)" },
    { "displacement", &q, "0.005 m, tip" },
    { "velocity,study", &q, "50 mm/s, tip" },
  };
  const ms_display_units mm = { 1e-3, 1e3, 1.0, 1.0 };
  CHECK_OK(ms_display_create(test_context(), &d));
  ms_display_set_units(d, &mm);
  CHECK_OK(ms_display_add_sensor(d, "tip", 1, 2, shape));
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    CHECK_OK(ms_display_choose(d, row[i].words));
    ms_answer_print(row[i].answer, d, text, sizeof text);
    CHECK_TEXT(text, row[i].want);
  }
  ms_display_destroy(&d);
}

/* A table with units beside its numbers, as the display shows them. */
static void test_units_beside(void) {
  ms_result *r = NULL;
  ms_result_table *t = NULL;
  ms_display *d = NULL;
  size_t n;
  const ms_display_units mm = { 1e-3, 1e3, 1.0, 1.0 };
  CHECK_OK(ms_result_create(test_context(), "fit", "calibrate", &r));
  CHECK_OK(
      ms_result_add_table(r, "", "parameter:word,value [unit],unit:word,count,slope [1/unit]", &t));
  CHECK_OK(ms_result_table_add_row(test_context(), t, "lap.K_T", 2500.0, "N/m", 7.0, 4.0));
  CHECK_OK(ms_result_table_add_row(test_context(), t, "mode.zeta_0", 0.0125, "-", 7.0, 4.0));
  CHECK_OK(ms_display_create(test_context(), &d));
  ms_display_set_units(d, &mm);
  CHECK_OK(ms_result_table_write_csv(test_context(), t, test_path("si.csv")));
  CHECK_OK(ms_display_choose(d, "q,study"));
  CHECK_OK(ms_result_table_write_shown(test_context(), t, d, test_path("shown.csv")));
  char *si = test_get(test_path("si.csv"), &n), *shown = test_get(test_path("shown.csv"), &n);
  CHECK_TEXT(si,
             "parameter,value,unit,count,slope "
             "[1/unit]\nlap.K_T,2500,N/m,7,4\nmode.zeta_0,0.0125,-,7,4\n");
  CHECK_TEXT(shown,
             "parameter,value,unit,count,slope "
             "[1/unit]\nlap.K_T,2.5,N/mm,7,4000\nmode.zeta_0,1.25,%,7,0.04\n");
  free(si), free(shown);
  ms_display_destroy(&d);
  ms_result_destroy(&r);
}

/* Two digits of the error, four without one and no zeros at the end. */
static void test_answers(void) {
  ms_result *r = NULL;
  ms_result_table *t;
  CHECK_OK(make(test_context(), &r, &t));
  CHECK_EQUAL(ms_result_count_answers(r), 2);
  CHECK(!ms_result_get_answer(r, 2) && !ms_result_get_answer(r, -1));
  check_printed(*ms_result_get_answer(r, 0), "60.013 +- 0.030 N");
  check_printed(*ms_result_get_answer(r, 1), "0.00232 (0.00210 to 0.00260)");
  check_printed((ms_answer) { .value = 60.0, .unit = "N" }, "60 N");
  check_printed((ms_answer) { .value = -23.8547391 }, "-23.85");
  check_printed((ms_answer) { .value = 4.7193e7, .error = 1.27e5, .unit = "N/m" },
                "(47.19 +- 0.13)e6 N/m");
  check_printed((ms_answer) { .value = 60013.0, .error = 1234.0 }, "(60.0 +- 1.2)e3");
  check_printed((ms_answer) { .value = 5.7e-25, .unit = "kg" }, "570e-27 kg");
  check_printed((ms_answer) { .value = -0.0003, .error = 0.37 }, "0.00 +- 0.37");
  check_printed((ms_answer) { .value = 0.0, .unit = "m" }, "0 m");
  check_printed((ms_answer) { .value = 999999.7 }, "1.000e6");
  check_printed((ms_answer) { .value = 1234567.0 }, "1.235e6");
  check_printed((ms_answer) { .value = 12345.6 }, "12.35e3"); /* four digits, not five */
  check_printed((ms_answer) { .value = 12345.0 }, "12345");   /* a count */
  check_printed((ms_answer) { .value = 62.5, .error = 12.0 }, "63 +- 12");
  ms_result_add_answer(r, &(ms_answer) { .label = "Damping", .value = NAN });
  CHECK_STATUS(ms_result_get_status(r), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "tracked: answer 'Damping' is not finite");
  ms_result_clear(r);
  CHECK_EQUAL(ms_result_count_answers(r), 0);
  ms_result_add_answer(r, &(ms_answer) { .value = 1.7 });
  CHECK_STATUS(ms_result_get_status(r), MS_ERR_ARGUMENT);
  ms_result_destroy(&r);
}

static void test_columns(void) {
  ms_result *r = NULL;
  ms_result_table *t;
  char *text;
  size_t n;
  CHECK_OK(make(test_context(), &r, &t));
  FILE *stream = open_memstream(&text, &n);
  ms_result_print_columns(r, NULL, stream);
  fclose(stream);
  CHECK_HAS(text, "tracked_modes,f,Hz,frequency in cycles per second\n");
  CHECK_HAS(text, "tracked in summary.json,residual,N,length of the last step of the estimate\n");
  CHECK(!strstr(text, "summary.json,mode"));
  CHECK(ms_result_find_table(r, "_modes") == t);
  ms_result_value v;
  CHECK_EQUAL(ms_result_count_values(r), 4);
  CHECK(ms_result_find_value(r, "residual", &v) && v.kind == MS_RESULT_NUMBER);
  CHECK_CLOSE(v.number, 3.7e-11, 1e-15);
  CHECK_TEXT(v.unit, "N");
  CHECK(ms_result_get_value(r, 1, &v) && v.number == 9.0);
  CHECK(ms_result_find_value(r, "complete", &v) && v.kind == MS_RESULT_FLAG && v.number == 1.0);
  CHECK(ms_result_find_value(r, "reason", &v) && v.kind == MS_RESULT_TEXT);
  CHECK_TEXT(v.text, "\"none\"");
  CHECK(!ms_result_find_value(r, "mode", &v) && !ms_result_get_value(r, 4, &v));
  CHECK(ms_result_find_table(r, "") == NULL);
  free(text);
  ms_result_destroy(&r);
}

static void check_attribute(ms_results *file, const char *path, const char *name,
                            const char *want) {
  char *text = NULL;
  CHECK_STATUS(ms_results_get_text(file, path, name, &text), want ? MS_SUCCESS : MS_ERR_NAME);
  if (want) CHECK_TEXT(text ? text : "nothing", want);
  ms_free(test_context(), &text);
}

static void check_number(ms_results *file, const char *path, ptrdiff_t i, double want) {
  ptrdiff_t rows = 0, columns = 0;
  double *values = NULL;
  CHECK_OK(ms_results_read_matrix(file, path, &rows, &columns, &values));
  if (CHECK(columns == 1 && i < rows)) CHECK_NEAR(values[i], want, 0.0);
  ms_free(test_context(), &values);
}

/* In results.h5: columns and numbers outside of groups with unit and meaning, and how it ended. */
static void test_results(void) {
  ms_result *r = NULL;
  ms_result_table *t;
  ms_results *file = NULL;
  ptrdiff_t n = 0;
  CHECK_OK(make(test_context(), &r, &t));
  ms_result_set_ended(r, 1);
  CHECK_OK(ms_results_create(test_context(), test_path("result.h5"), &file));
  CHECK_OK(ms_result_write_results(r, file));
  check_attribute(file, "analyses/tracked", "status", "complete");
  check_attribute(file, "analyses/tracked", "reason", NULL);
  ms_results_close(&file);
  CHECK_OK(ms_result_doubt(r, "half of it"));
  CHECK_OK(ms_results_create(test_context(), test_path("result.h5"), &file));
  CHECK_OK(ms_result_write_results(r, file));
  CHECK_OK(ms_results_commit(&file));
  if (!CHECK_OK(ms_results_open(test_context(), test_path("result.h5"), &file))) return;
  check_attribute(file, "analyses/tracked", "status", "suspect");
  check_attribute(file, "analyses/tracked", "reason", "half of it");
  CHECK_OK(ms_results_get_count(file, "analyses/tracked/values", &n));
  CHECK_EQUAL(n, 2);
  check_number(file, "analyses/tracked/values/residual", 0, 3.7e-11);
  check_attribute(file, "analyses/tracked/values/residual", "unit", "N");
  check_attribute(file, "analyses/tracked/values/residual", "description",
                  "length of the last step of the estimate");
  check_number(file, "analyses/tracked/values/harmonics", 0, 9.0);
  check_attribute(file, "analyses/tracked/values/harmonics", "unit", NULL);
  check_number(file, "analyses/tracked/tracked_modes/f", 2, 23.85 + 0.7 * 2);
  check_attribute(file, "analyses/tracked/tracked_modes/f", "unit", "Hz");
  check_attribute(file, "analyses/tracked/tracked_modes/f", "description",
                  "frequency in cycles per second");
  check_attribute(file, "analyses/tracked/tracked_modes/zeta", "unit", NULL);
  char **word = NULL;
  CHECK_OK(ms_results_read_texts(file, "analyses/tracked/tracked_modes/method", &n, &word));
  if (CHECK_EQUAL(n, 12)) CHECK_TEXT(word[6], "epmc");
  ms_free(test_context(), &word);
  ms_results_close(&file);
  ms_result_destroy(&r);
}

/* The page with the values first. The row with negative damping is not on the logarithmic axis; six
   curves in the first panel, one and one in the second; an area, and a line with error bars. */
static void test_page(void) {
  ms_result *r = NULL;
  ms_result_table *t;
  ms_page *page = NULL;
  size_t n;
  CHECK_OK(make(test_context(), &r, &t));
  ms_result_set_number(r, "width", "m", 1.23456789);
  ms_result_set_flag(r, "sound", 0);
  CHECK_OK(ms_page_create(test_context(), "All", NULL, &page));
  CHECK_OK(ms_result_write_page(r, page));
  CHECK_OK(ms_page_write(page, test_path("result.html")));
  char *text = test_get(test_path("result.html"), &n);
  const char *list = strstr(text, "length of the last step"), *words = strstr(text, "3 modes");
  CHECK(list && words && list < words);
  CHECK_HAS(
      text,
      " data-v=\"3.7e-11\" data-unit=\"N\" title=\"3.7e-11 N\">37×10<sup>−12</sup>\u00A0<span "
      "class=\"unit\">N<");
  CHECK_HAS(text,
            ">width</dt><dd><span class=\"ms-value\" data-v=\"1.23456789\" data-unit=\"m\" "
            "title=\"1.23456789 m\">1.2346\u00A0<");
  CHECK_HAS(text, ">complete</dt><dd>yes</dd>");
  CHECK_HAS(text, ">sound</dt><dd>no</dd>");
  CHECK_HAS(text, "mode 2 by epmc");
  CHECK_HAS(text, "\"frequency\"");
  int curves = 0;
  for (const char *at = text; (at = strstr(at, "\"y\": [")); at++) curves++;
  printf("# %d curves\n", curves);
  CHECK_EQUAL(curves, 10);
  CHECK_HAS(text, "\"key\": {\n            \"mode\": \"2\",\n            \"method\": \"qsma\"\n");
  /* of the rows that are drawn, not of the table's first */
  CHECK_HAS(text, "\"key\": {\n            \"mode\": \"2\"\n          }");
  CHECK_HAS(text, "data-keys=\"mode,method\"");
  CHECK_HAS(text, "\"low\": [");
  CHECK_HAS(text, "24.55,26.65,26.65,24.55");
  free(text);
  ms_page_destroy(&page);
  ms_result_destroy(&r);
}

/* The first failure is kept, and the values do not suffer from one of the page. */
/* Points that lie close together are drawn once; those of a steep part, which are few, all. */
static void test_points(void) {
  enum { DENSE = 900, STEEP = 8, MOST = 60 };
  static const ms_plot plot = {
    .x = "q", .y = "f", .x_log = 1, .style = MS_SERIES_POINTS, .points = MOST
  };
  ms_context *ctx = test_context();
  ms_result *r = NULL;
  ms_result_table *t = NULL;
  ms_figure *figure = NULL;
  CHECK_OK(ms_result_create(ctx, "thin", "backbone", &r));
  CHECK_OK(ms_result_add_table(r, "", "q [m],f [Hz]", &t));
  for (int i = 0; i < DENSE; i++)
    CHECK_OK(ms_result_table_add_row(ctx, t, 1e-6 * pow(10.0, (double)i / DENSE), 23.0));
  for (int i = 0; i < STEEP; i++)
    CHECK_OK(ms_result_table_add_row(ctx, t, 1.1e-5 * pow(1.01, i), 22.0 - 0.7 * i));
  CHECK_OK(ms_figure_create(ctx, "Thin", NULL, &figure));
  CHECK_OK(ms_result_draw(ctx, figure, t, 1, &plot));
  const ms_series *s = &figure->panel[0].series[0];
  int steep = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) steep += s->y[i] < 22.5;
  CHECK_EQUAL(steep, STEEP);
  CHECK(s->n > MOST / 3 && s->n <= MOST);
  ms_figure_destroy(&figure);
  ms_result_destroy(&r);
}

/* Limits choose rows; of more than eight curves the second eight have open markers, and no two of
   sixteen look alike. */
static void test_many_curves(void) {
  enum { CURVES = 16 };
  static const ms_plot plot = {
    .x = "q", .y = "f", .by = "run", .only = "f<50,q>0.5", .style = MS_SERIES_POINTS
  };
  ms_plot some = plot;
  ms_context *ctx = test_context();
  ms_result *r = NULL;
  ms_result_table *t = NULL;
  ms_figure *figure = NULL;
  CHECK_OK(ms_result_create(ctx, "many", "backbone", &r));
  CHECK_OK(ms_result_add_table(r, "", "run,q [m],f [Hz]", &t));
  for (int i = 0; i < 4 * CURVES; i++)
    CHECK_OK(
        ms_result_table_add_row(ctx, t, 1.0 + i / 4, 0.3 + i % 4, i % 4 == 3 ? 77.0 : 2.0 + i / 4));
  CHECK_OK(ms_figure_create(ctx, "Many", NULL, &figure));
  CHECK_OK(ms_result_draw(ctx, figure, t, 1, &plot));
  const ms_figure_panel *panel = &figure->panel[0];
  CHECK_EQUAL(panel->n_series, CURVES);
  for (int i = 0; i < CURVES; i++) {
    CHECK_EQUAL(panel->series[i].n, 2); /* q 1.3 and 2.3 */
    for (int k = 0; k < i; k++)
      CHECK(ms_series_get_marker(&panel->series[i]) != ms_series_get_marker(&panel->series[k]));
  }
  some.most = 8;
  CHECK_OK(ms_result_draw(ctx, figure, t, 1, &some));
  panel = &figure->panel[1];
  CHECK_EQUAL(panel->n_series, 8);
  for (int i = 0; i < 8; i++) CHECK_EQUAL(panel->series[i].colour, i);
  some.only = "f<";
  CHECK_OK(ms_result_draw(ctx, figure, t, 1, &some)); /* f < 0: none */
  some.only = "f";
  CHECK_STATUS(ms_result_draw(ctx, figure, t, 1, &some), MS_ERR_FORMAT);
  ms_figure_destroy(&figure);
  ms_result_destroy(&r);
}

/* Bands of 10 and 20 dB, each a curve with its label. */
static void test_decibels(void) {
  static const ms_plot panel = MS_PANEL("Level", "f", "q", .y_label = "level");
  ms_result *r = NULL;
  ms_result_table *t = NULL;
  CHECK_OK(ms_result_create(test_context(), "loud", "spectrogram", &r));
  t = ms_result_new_table(r, "", "f [Hz],q [m],amplitude [m]");
  for (int i = 0; i < 40; i++) ms_result_put_row(t, 1.3 * i, 0.7 * i, 2.385 * pow(10.0, -0.1 * i));
  ms_result_plot_decibels(r, "Levels", "In dB.", t, &panel, "amplitude", 2.385);
  CHECK_OK(ms_result_get_page_status(r));
  CHECK_OK(ms_page_write(ms_result_get_page(r), test_path("page.html")));
  size_t n;
  char *text = test_get(test_path("page.html"), &n);
  CHECK_HAS(text, "0 to -10 dB");
  CHECK_HAS(text, "-40 to -60 dB");
  free(text);
  ms_result_plot_decibels(r, "Levels", "In dB.", t, &panel, "loudness", 2.385);
  CHECK_STATUS(ms_result_get_page_status(r), MS_ERR_NAME);
  ms_result_destroy(&r);
}

static void test_failures(void) {
  ms_result *r = NULL;
  ms_result_table *t;
  CHECK_OK(make(test_context(), &r, &t));
  ms_result_plot(r, "None", NULL, t, 1, &(ms_plot) { .x = "f", .y = "omega" });
  ms_result_say(r, "never shown");
  CHECK_STATUS(ms_result_get_page_status(r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "table tracked_modes has no column 'omega'");
  CHECK_OK(ms_result_get_status(r));
  ms_result_drop_page(r);
  CHECK_OK(ms_result_get_page_status(r));
  CHECK_STATUS(ms_result_table_add_row(test_context(), t, 1.0, "qsma", NAN, 0.1, 1.0),
               MS_ERR_NUMERIC);
  CHECK_EQUAL(ms_result_table_rows(t), 12);
  ms_result_clear(r);
  CHECK_EQUAL(ms_result_count_tables(r), 0);
  ms_result_destroy(&r);
}

/* Ends of a curve: noise at the small end does not count, unless there is nothing else. A maximum
   of the damping between them is an answer of its own. */
static void test_answer_modes(void) {
  static const double q[] = { 3.1, 0.2, 7.3, 0.9, 5.5 };
  static const double residual[] = { 0.03, 0.104, 0.096, 0.02, 0.5 };
  static const double zeta[] = { 0.031, 0.9, 0.012, 0.011, 0.7 };
  static const int mode[] = { 2 };
  char only[48];
  ms_result *r;
  CHECK_OK(ms_result_create(test_context(), "tracked", "ringdown", &r));
  ms_result_table *t = ms_result_new_table(r, "", "mode,q,omega [rad/s],zeta,quality");
  for (int k = 0; k < 5; k++) ms_result_put_row(t, 3.0, q[k], 20.0 - q[k], zeta[k], residual[k]);
  ms_result_put_row(t, 1.0, 0.01, 99.0, 0.5, 0.0);
  ms_result_answer_modes(r, t, NULL, mode, 1, 30);
  CHECK_EQUAL(ms_result_count_answers(r), 5);
  const ms_answer *small = ms_result_get_answer(r, 0), *peak = ms_result_get_answer(r, 1);
  CHECK_TEXT(small->label,
             "Frequency of mode 3 at the smallest amplitude with a residual below "
             "10 %, |q| = 0.9 m sqrt(kg)");
  CHECK_NEAR(small->value, 19.1, 0.0);
  CHECK_TEXT(peak->label, "Largest damping of mode 3, |q| = 3.1 m sqrt(kg)");
  CHECK_NEAR(peak->value, 0.031, 0.0);
  CHECK_TEXT(ms_result_get_answer(r, 2)->label,
             "Damping of mode 3 at the largest amplitude, |q| = 7.3 m sqrt(kg)");
  CHECK_CLOSE(ms_result_get_answer(r, 4)->value, 100.0 * (12.7 / 19.1 - 1.0), 1e-12);
  CHECK_EQUAL(ms_result_count_invalid(t, mode, 1, only, sizeof only), 2);
  CHECK_TEXT(only, "quality<0.1,zeta>0");
  CHECK(ms_result_is_valid_point(0.096, 1e-9) && !ms_result_is_valid_point(0.096, 0.0));
  ms_result_clear(r);
  t = ms_result_new_table(r, "", "mode,q,omega [rad/s],zeta,quality"); /* all are poor */
  for (int k = 0; k < 2; k++) ms_result_put_row(t, 3.0, q[k], 20.0 - q[k], zeta[k], 0.3);
  ms_result_answer_modes(r, t, NULL, mode, 1, 30);
  CHECK_HAS(ms_result_get_answer(r, 0)->label, "amplitude, all with a poor residual, |q| = 0.2 m");
  CHECK_EQUAL(ms_result_count_invalid(t, mode, 1, only, sizeof only), 0);
  ms_result_destroy(&r);
}

/* A maximum of the damping between the ends counts from 2 % above them. */
static void test_peak(void) {
  static const int mode[] = { 2 };
  for (int k = 0; k < 2; k++) {
    ms_result *r;
    CHECK_OK(ms_result_create(test_context(), "tracked", "ringdown", &r));
    ms_result_table *t = ms_result_new_table(r, "", "mode,q,omega [rad/s],zeta,quality");
    for (int i = 0; i < 3; i++) {
      const double zeta = i != 1 ? 0.03 : k ? 0.03 * 1.022 : 0.03 * 1.018;
      ms_result_put_row(t, 3.0, 1.7 + i, 20.0, zeta, 0.01);
    }
    ms_result_answer_modes(r, t, NULL, mode, 1, 30);
    int found = 0;
    for (int i = 0; i < ms_result_count_answers(r); i++)
      found += strncmp(ms_result_get_answer(r, i)->label, "Largest damping", 15) == 0;
    CHECK_EQUAL(found, k);
    ms_result_destroy(&r);
  }
}

/* The first failure stays, and nothing is put anywhere after it. */
static void test_kept_failures(void) {
  ms_result *r;
  CHECK_OK(ms_result_create(test_context(), "tracked", "modes", &r));
  ms_result_table *t = ms_result_new_table(r, "", "mode,method:word");
  ms_result_put_column(t, "lap.K_T", "N/m", "of the joint");
  ms_result_put_cells(t, (const double[]) { 2.0, 2500.0 }, (const char *const[]) { "qsma" });
  CHECK_TEXT(ms_result_table_describe(t, 2).unit, "N/m");
  CHECK_EQUAL(ms_result_table_find_numbers(t, "lap.K_T")[0] == 2500.0, 1);
  CHECK(ms_result_table_find_numbers(t, "method") == NULL);
  CHECK(ms_result_table_find_numbers(t, "zeta") == NULL);
  CHECK_OK(ms_result_get_status(r));
  ms_result_put_row(t, 3.0, "epmc", NAN);
  ms_result_put_row(t, 4.0, "epmc", 2700.0);
  ms_result_put_columns(t, "zeta");
  CHECK_EQUAL(ms_result_table_rows(t), 1);
  CHECK_EQUAL(ms_result_table_columns(t), 3);
  ms_context_clear_message(test_context());
  CHECK_STATUS(ms_result_get_status(r), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "table tracked: lap.K_T in row 2 is not finite");
  t = ms_result_new_table(r, "_more", "mode");
  CHECK(t == NULL);
  ms_result_put_numbers(t, (const double[]) { 1.0 });
  CHECK_EQUAL(ms_result_table_rows(t), 0);
  CHECK_EQUAL(ms_result_table_find_column(t, "mode"), -1);
  CHECK_EQUAL(ms_result_count_tables(r), 1);
  ms_result_destroy(&r);
}

static ms_status make_and_drop(ms_context *ctx, void *user) {
  ms_result *r = NULL;
  ms_result_table *t;
  (void)user;
  ms_status status = make(ctx, &r, &t);
  ms_result_destroy(&r);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(make_and_drop, NULL) > 40);
}

int main(void) {
  test_folder_open();
  TEST(test_json);
  TEST(test_answers);
  TEST(test_shown_answers);
  TEST(test_units_beside);
  TEST(test_columns);
  TEST(test_results);
  TEST(test_page);
  TEST(test_points);
  TEST(test_many_curves);
  TEST(test_decibels);
  TEST(test_failures);
  TEST(test_kept_failures);
  TEST(test_answer_modes);
  TEST(test_peak);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
