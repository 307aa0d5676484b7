/* Random numbers, errors and units in tables, key numbers and a figure, as a page shows them in
   every choice of a display, for browser.numbers: number_pages FOLDER writes
   FOLDER/<set>/<number>.html and the points of its figure as <number>/figure-1.csv. A line of its
   output is a set and a choice, in their order; each choice is in one of the sets, which have other
   numbers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/io.h>
#include <microslip/report.h>

enum { N_SET = 4, N_TABLE = 32, N_ROW = 9, N_COLUMN = 10, N_FACT = 100, N_MODE = 5, N_POINT = 12 };

/* ---- chance ---- */

static uint64_t state;

static double uniform(void) { /* 0 to 1 */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static int one_of(int n) {
  return (int)(n * uniform());
}

/* What a column is made of. */
enum { NEAR, DECADES, WIDE, WHOLE, FEW_DIGITS, HALVES, ZEROS, N_MAKE };

static double make(int how, double size) {
  static const double few[] = { 0.5, 2.0, 2.5, 60.0, 0.125, 1250.0, 0.001, 3e4 };
  const double sign = one_of(4) == 0 ? -1.0 : 1.0;
  switch (how) {
  case NEAR:
    return sign * size * (1.0 + 3.0 * uniform());
  case DECADES:
    return sign * size * pow(10.0, 4.0 * uniform());
  case WIDE:
    return sign * pow(10.0, 24.0 * uniform() - 12.0);
  case WHOLE:
    return sign * floor(pow(10.0, 8.0 * uniform()));
  case FEW_DIGITS:
    return sign * few[one_of(8)];
  case HALVES: /* between two last digits */
    return sign * (one_of(20000) + 0.5) * (one_of(2) ? 1.0 : 0.25);
  default:
    return one_of(3) ? sign * size * uniform() : one_of(2) ? 0.0 : sign * 1e-11 * size;
  }
}

static double make_size(void) {
  return pow(10.0, 18.0 * uniform() - 9.0);
}

/* ---- tables ---- */

static const char *const units[] = { NULL, "N",     "N/m",     "m",          "m/s^2",   "J",
                                     "Pa", "N s/m", "kg",      "1/s^2",      "W",       "rad",
                                     "s",  "-",     "N m/rad", "N/sqrt(kg)", "m/s/Hz^2" };
enum { N_UNIT = sizeof units / sizeof *units };

typedef struct kind {
  const char *name, *unit;
  int positive;
} kind;
static const kind kinds[] = { { "omega", "rad/s", 1 },      { "f_0", "Hz", 1 },
                              { "zeta", NULL, 0 },          { "zeta_joint", NULL, 1 },
                              { "q", "m sqrt(kg)", 1 },     { "v", "m/s sqrt(kg)", 0 },
                              { "a", "m/s^2 sqrt(kg)", 0 }, { "omega_target", "rad/s", 0 },
                              { "q_to", "m sqrt(kg)", 1 } };
enum { N_KIND = sizeof kinds / sizeof *kinds };

typedef struct cells {
  double number[N_COLUMN][N_ROW];
  char name[N_COLUMN][32];
  ms_page_column column[N_COLUMN];
  const char *word[2][N_ROW];
  int n;
} cells;

static double *add(cells *t, const char *name, const char *unit, int in_unit) {
  snprintf(t->name[t->n], sizeof *t->name, "%s", name);
  t->column[t->n] = (ms_page_column) {
    .heading = t->name[t->n], .unit = unit, .numbers = t->number[t->n], .in_unit = in_unit
  };
  return t->number[t->n++];
}

/* Errors of any size beside the numbers: of the same, none, larger. */
static void add_errors(cells *t, const double *of, const char *name, const char *unit,
                       int in_unit) {
  double *error = add(t, name, unit, in_unit);
  for (int i = 0; i < N_ROW; i++) {
    const double size = of[i] != 0.0 ? fabs(of[i]) : 1.0;
    error[i] = one_of(6) == 0 ? 0.0 : size * pow(10.0, 7.0 * uniform() - 6.0);
  }
}

static void fill(double *number, int positive, int constant) {
  const int how = one_of(N_MAKE);
  const double size = make_size();
  for (int i = 0; i < N_ROW; i++) {
    number[i] = constant && i > 0 ? number[0] : make(how, size);
    if (positive) number[i] = fabs(number[i]);
  }
}

/* Columns of units of their own, some of which follow a mode and a frequency. */
static void fill_columns(cells *t) {
  if (one_of(3)) {
    double *mode = add(t, "mode", NULL, 0);
    for (int i = 0; i < N_ROW; i++) mode[i] = 1.0 + one_of(N_MODE + (one_of(9) == 0));
  }
  while (t->n < N_COLUMN - 2) {
    const int known = one_of(2), k = one_of(N_KIND);
    char name[32];
    snprintf(name, sizeof name, "c%d", t->n);
    if (known) snprintf(name, sizeof name, "%s", kinds[k].name);
    int twice = 0;
    for (int j = 0; j < t->n; j++) twice |= strcmp(t->name[j], name) == 0;
    if (twice) continue;
    const char *unit = known ? kinds[k].unit : units[one_of(N_UNIT)];
    double *number = add(t, name, unit, 0);
    fill(number, known && kinds[k].positive, one_of(8) == 0);
    if (one_of(3)) continue;
    strcat(name, "_error");
    add_errors(t, number, name, unit, 0);
  }
}

/* Numbers whose units stand beside them. */
static void fill_rows(cells *t) {
  static const char *const names[] = { "lap.F_S", "mode_1.zeta_0", "lap.chi", "omega" };
  const int per = one_of(2);
  double *value = add(t, "value", NULL, 1);
  for (int i = 0; i < N_ROW; i++) {
    const int k = one_of(4);
    value[i] = make(one_of(N_MAKE), make_size());
    t->word[0][i] = names[k];
    t->word[1][i] = k == 0      ? units[1 + one_of(N_UNIT - 1)]
                    : k == 3    ? "rad/s"
                    : one_of(2) ? "-"
                                : "";
  }
  add_errors(t, value, "standard_error", NULL, 1);
  t->column[t->n++] = (ms_page_column) { .heading = "parameter", .texts = t->word[0] };
  t->column[t->n++] = (ms_page_column) { .heading = "unit", .texts = t->word[1] };
  fill(add(t, "lower", NULL, 1), 0, one_of(2));
  if (per) fill(add(t, "slope", "m per unit", -1), 0, 0);
  fill(add(t, "count", NULL, 0), 0, 0);
}

static ms_status add_table(ms_page *page, int i) {
  static cells t;
  t.n = 0;
  if (i % 3 == 0)
    fill_rows(&t);
  else
    fill_columns(&t);
  const ms_page_table table = { .n_row = N_ROW, .n_column = t.n, .column = t.column };
  return ms_page_add_table(page, NULL, &table);
}

/* ---- numbers in text ---- */

static ms_status add_number(ms_page *page, int at_head) {
  const int known = one_of(2), k = one_of(N_KIND), spread = one_of(3);
  ms_answer a = { .label = "number",
                  .symbol = known ? kinds[k].name : "x",
                  .unit = known ? kinds[k].unit : units[one_of(N_UNIT)],
                  .value = make(one_of(N_MAKE), make_size()),
                  .weight = 1,
                  .mode = one_of(3) ? 1 + one_of(N_MODE) : 0,
                  .omega = one_of(3) ? 1e3 * uniform() : 0.0 };
  const double size = (a.value != 0.0 ? fabs(a.value) : 1.0) * pow(10.0, 7.0 * uniform() - 6.0);
  if (spread == 1) a.error = size;
  if (spread == 2) a.low = a.value - size * uniform(), a.high = a.value + size;
  if (at_head) return ms_page_add_answer(page, &a);
  return ms_page_add_number(page, &a, one_of(5) == 0 ? 15 : 0);
}

/* ---- a figure ---- */

static ms_status add_curves(ms_figure *figure, int mode, int with_omega) {
  for (int s = 0; s < 2; s++) {
    double x[N_POINT], y[N_POINT], low[N_POINT], high[N_POINT], omega[N_POINT];
    for (int i = 0; i < N_POINT; i++) {
      x[i] = 1e-6 * pow(10.0, 0.2 * i + 0.1 * uniform());
      y[i] = 1e-3 + 0.01 * uniform();
      low[i] = y[i] * (1.0 - 0.3 * uniform()), high[i] = y[i] * (1.0 + 0.3 * uniform());
      omega[i] = 50.0 + 10.0 * uniform();
    }
    ms_series series = { .label = s ? "b" : "a", .x = x, .y = y, .n = N_POINT, .colour = s };
    series.mode = mode, series.omega = with_omega ? omega : NULL;
    if (s) series.y_low = low, series.y_high = high;
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  return MS_SUCCESS;
}

static ms_status add_figure(ms_context *ctx, ms_page *page) {
  static const char *const y_label[] = { "zeta", "omega", "sensor velocity", "force F_S", "f_0" };
  static const char *const y_unit[] = { NULL, "rad/s", "m/s sqrt(kg)", "N", "Hz" };
  ms_figure *figure;
  MS_TRY(ms_figure_create(ctx, "Curves", NULL, &figure));
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 10 && status == MS_SUCCESS; i++) {
    const int k = i % 5;
    ms_panel panel = { .x_label = "modal amplitude |q|",
                       .x_unit = "m sqrt(kg)",
                       .y_label = y_label[k],
                       .y_unit = y_unit[k],
                       .x_log = 1,
                       .y_log = k == 0 };
    panel.x_quantity = MS_DISPLAY_MODAL;
    panel.y_quantity = (int)ms_display_find_quantity(y_label[k], y_unit[k], NULL);
    char title[8];
    snprintf(title, sizeof title, "%d", i);
    panel.title = title;
    status = ms_figure_add_panel(figure, &panel);
    if (status == MS_SUCCESS) status = add_curves(figure, i % 4, i > 4);
  }
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

/* ---- pages ---- */

static ms_status fill_page(ms_context *ctx, ms_page *page, uint64_t seed) {
  state = seed;
  MS_TRY(ms_page_add_section(page, "figure"));
  MS_TRY(add_figure(ctx, page));
  for (int i = 0; i < MS_PAGE_ANSWERS; i++) MS_TRY(add_number(page, 1));
  for (int i = 0; i < N_FACT; i++) MS_TRY(add_number(page, 0));
  for (int i = 0; i < N_TABLE; i++) MS_TRY(add_table(page, i));
  return MS_SUCCESS;
}

static ms_status write_page(ms_context *ctx, const ms_display *display, uint64_t seed,
                            const char *folder, int choice) {
  ms_page *page;
  char path[512];
  MS_TRY(ms_page_create(ctx, "Numbers", NULL, &page));
  ms_page_set_display(page, display);
  ms_status status = fill_page(ctx, page, seed);
  snprintf(path, sizeof path, "%.480s/%d.html", folder, choice);
  if (status == MS_SUCCESS) status = ms_page_write(page, path);
  snprintf(path, sizeof path, "%.480s/%d", folder, choice);
  if (status == MS_SUCCESS) status = ms_page_write_figures(page, path, NULL);
  ms_page_destroy(&page);
  return status;
}

static ms_status write_set(ms_context *ctx, int set, const char *root) {
  static const ms_display_units own[] = { { 1e-3, 1e3, 1.0, 1.0 },
                                          { 0.0254, 175.12683524647636, 1e-3, 4.4482216152605 } };
  static const char *const frequency[] = { "hz", "rad" }, *const damping[] = { "percent", "ratio",
                                                                               "q" };
  static const char *const amplitude[] = { "modal", "displacement@u1", "velocity@where u2",
                                           "acceleration@u1", "g@where u2" };
  static const char *const system[] = { "si", "study" };
  const double shape[2][N_MODE] = { { 0.31, -0.0127, 1.9, 0.0, 5.3e-7 },
                                    { 0.113, 0.77, -0.2, 3.1, 1.7e3 } };
  char folder[400], words[80];
  ms_display *display;
  snprintf(folder, sizeof folder, "%.380s/%d", root, set);
  MS_TRY(ms_folder_prepare(ctx, folder));
  MS_TRY(ms_display_create(ctx, &display));
  ms_display_set_units(display, &own[set % 2]);
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 2 && status == MS_SUCCESS; i++)
    status = ms_display_add_sensor(display, i ? "where u2" : "u1", i == 0, N_MODE, shape[i]);
  for (int k = 0, n = 0; k < 60 && status == MS_SUCCESS; k++) {
    if ((k / 2 + k / 6 + k / 30) % N_SET != set) continue;
    snprintf(words, sizeof words, "%s,%s,%s,%s", frequency[k % 2], damping[k / 2 % 3],
             amplitude[k / 6 % 5], system[k / 30]);
    status = ms_display_choose(display, words);
    if (status == MS_SUCCESS)
      status = write_page(ctx, display, 88172645463325252u + (uint64_t)set, folder, n++);
    printf("%d %s\n", set, words);
  }
  ms_display_destroy(&display);
  return status;
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc != 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  ms_status status = MS_SUCCESS;
  for (int set = 0; set < N_SET && status == MS_SUCCESS; set++)
    status = write_set(ctx, set, argv[1]);
  if (status != MS_SUCCESS) fprintf(stderr, "number_pages: %s\n", ms_context_message(ctx));
  ms_context_destroy(&ctx);
  return status == MS_SUCCESS ? 0 : 1;
}
