/* Writes a page with every kind of block, for the tests in a browser: page_demo FILE. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include <microslip/report.h>

#define PI 3.14159265358979323846

enum { N_CURVE = 60, N_LONG = 200000, N_ROW = 64 };

/* A mode's frequency and damping against amplitude, such as a joint gives. */
static double frequency(double q, double scale) {
  return 176.4 - 9.3 / (1.0 + pow(scale / q, 1.1));
}
static double damping(double q, double scale) {
  return 0.0012 + 0.0155 * pow(q / scale, 0.62) / (1.0 + pow(q / scale, 1.65));
}

static ms_status add_mode(ms_figure *figure, double (*value)(double, double)) {
  static const char *const label[] = { "mode 1, closed form", "mode 2", "mode 3" };
  for (int mode = 0; mode < 3; mode++) {
    double x[N_CURVE], y[N_CURVE], mx[15], my[15], scale = 1e-3 * pow(4.0, mode);
    for (int i = 0; i < N_CURVE; i++) {
      x[i] = 1e-5 * pow(10.0, 4.3 * i / (N_CURVE - 1));
      y[i] = value(x[i], scale);
    }
    for (int i = 0; i < 15; i++) {
      mx[i] = x[4 * i + 1];
      my[i] = y[4 * i + 1] * (1.0 + 0.008 * sin(7.3 * i + mode) * (value == damping ? 7.0 : 0.6));
    }
    MS_TRY(ms_figure_add_series(figure,
                                &(ms_series) { label[mode], x, y, N_CURVE, MS_SERIES_LINE, mode }));
    MS_TRY(ms_figure_add_series(figure, &(ms_series) { mode == 0 ? "ring-down" : NULL, mx, my, 15,
                                                       MS_SERIES_POINTS, mode }));
  }
  return MS_SUCCESS;
}

static ms_status modal_figure(ms_context *ctx, ms_figure **out) {
  MS_TRY(ms_figure_create(ctx, "Frequency and damping against amplitude",
                          "Lines: closed form. Points: ring-down by the Hilbert method.", out));
  MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { "Frequency", "|q|", "m√kg", "ω", "rad/s", 1, 0 }));
  MS_TRY(add_mode(*out, frequency));
  MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { "Damping", "|q|", "m√kg", "ζ", NULL, 1, 1 }));
  MS_TRY(add_mode(*out, damping));
  ms_figure_share(*out, MS_SHARE_X);
  return ms_figure_add_note(*out, 1.5e-5, 7.4e-3, "slope χ + 1");
}

/* A ring-down, long, with its envelope. */
static ms_status history_figure(ms_context *ctx, ms_figure **out) {
  static double t[N_LONG], y[N_LONG], envelope[N_LONG];
  for (int i = 0; i < N_LONG; i++) {
    t[i] = 2.5e-5 * i;
    envelope[i] = 1.93e-5 * exp(-0.61 * t[i]) / (1.0 + 0.3 * t[i]);
    y[i] = envelope[i] * cos(2.0 * PI * (171.0 + 2.1 * t[i] / (1.0 + t[i])) * t[i]);
  }
  y[123457] = 1.51e-5; /* one sample only: no thinning may lose it */
  MS_TRY(ms_figure_create(ctx, "Ring-down after the impact", NULL, out));
  MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { NULL, "t", "s", "u_2", "m", 0, 0 }));
  MS_TRY(ms_figure_add_series(*out, &(ms_series) { "u_2", t, y, N_LONG, MS_SERIES_LINE, 0 }));
  return ms_figure_add_series(
      *out, &(ms_series) { "envelope", t, envelope, N_LONG, MS_SERIES_DASHED, 1 });
}

/* A closed loop: x goes back and forth. */
static ms_status loop_figure(ms_context *ctx, ms_figure **out) {
  double u[401], f[401];
  MS_TRY(ms_figure_create(ctx, "Hysteresis of the joint", "Three amplitudes, one after the other.",
                          out));
  for (int k = 0; k < 3; k++) {
    MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { k == 0   ? "Small"
                                                   : k == 1 ? "Middle"
                                                            : "Large",
                                                   "u", "m", "F", "N", 0, 0 }));
    double a = 1.1e-5 * pow(3.0, k);
    for (int i = 0; i <= 400; i++) {
      double p = 2.0 * PI * i / 400.0;
      u[i] = a * sin(p);
      f[i] = 4000.0 * tanh(u[i] / 6e-5) + 40.0 * pow(2.6, k) * cos(p);
    }
    MS_TRY(ms_figure_add_series(*out, &(ms_series) { NULL, u, f, 401, MS_SERIES_LINE, k }));
  }
  return MS_SUCCESS;
}

/* Two parameters that are known together: how often each value comes, and a cloud of both with a
   band; a place is left free. */
static ms_status corner_figure(ms_context *ctx, ms_figure **out) {
  static const char *const name[] = { "K_T", "F_S" };
  double x[2][300], outline_x[22], outline_y[22], middle[11];
  for (int i = 0; i < 300; i++) {
    x[0][i] = sin(12.9898 * i) + sin(7.233 * i);
    x[1][i] = 0.7 * x[0][i] + 0.5 * cos(3.117 * i);
  }
  for (int i = 0; i < 11; i++) {
    outline_x[i] = outline_x[21 - i] = -2.0 + 0.4 * i;
    middle[i] = 0.7 * outline_x[i];
    outline_y[i] = middle[i] - 0.4, outline_y[21 - i] = middle[i] + 0.4;
  }
  MS_TRY(ms_figure_create(ctx, "Two parameters", NULL, out));
  MS_TRY(ms_figure_set_columns(*out, 2));
  for (int j = 0; j < 2; j++) {
    const double bars_x[] = { -2, -2, -1, -1, 0, 0, 1, 1, 2, 2 };
    const double bars_y[] = { 0, 3, 3, 8.0 - j, 8.0 - j, 7, 7, 2, 2, 0 };
    if (j == 1) {
      MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { NULL, name[0], "N/m", name[1], "N", 0, 0 }));
      MS_TRY(ms_figure_add_series(
          *out, &(ms_series) { "90 %", outline_x, outline_y, 22, MS_SERIES_AREA, 1 }));
      MS_TRY(
          ms_figure_add_series(*out, &(ms_series) { NULL, x[0], x[1], 300, MS_SERIES_CLOUD, 0 }));
      MS_TRY(ms_figure_add_series(
          *out, &(ms_series) { NULL, outline_x, middle, 11, MS_SERIES_DASHED, 1 }));
    }
    MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { name[j], NULL, NULL, NULL, NULL, 0, 0 }));
    MS_TRY(
        ms_figure_add_series(*out, &(ms_series) { NULL, bars_x, bars_y, 10, MS_SERIES_AREA, 0 }));
    if (j == 0) MS_TRY(ms_figure_skip_panel(*out));
  }
  return MS_SUCCESS;
}

typedef ms_status (*figure_fn)(ms_context *ctx, ms_figure **out);

static ms_status add_figure(ms_context *ctx, ms_page *page, const char *caption, figure_fn make) {
  ms_figure *figure = NULL;
  ms_status status = make(ctx, &figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, caption, figure);
  ms_figure_destroy(&figure);
  return status;
}

static ms_status add_tables(ms_page *page) {
  static const double mode[] = { 1, 2, 3 }, omega[] = { 4.1732917, 11.6932, 16.89817 };
  static const double stiffness[] = { 1.7416e7, 0.0, 2.8555e8 },
                      fit[] = { 0.00132, -0.0731, 3.2e-9 };
  static const char *const note[] = { "", "not <determined> & \"open\"", NULL };
  static const char *const missing[] = { NULL, "n/a", NULL };
  const ms_page_column modes[] = {
    { .heading = "mode", .numbers = mode },
    { .heading = "ω_0", .unit = "rad/s", .numbers = omega, .digits = 6 },
    { .heading = "K_T", .unit = "N/m", .numbers = stiffness, .texts = missing },
    { .heading = "residual", .numbers = fit, .digits = 3 },
    { .heading = "remark", .texts = note },
  };
  MS_TRY(ms_page_add_table(page, "Modes of the structure, joints stuck.",
                           &(ms_page_table) { .n_row = 3, .n_column = 5, .column = modes }));
  static double t[N_ROW], q[N_ROW], zeta[N_ROW];
  for (int i = 0; i < N_ROW; i++) {
    t[i] = 0.125 * i, q[i] = 3.31e-3 * exp(-0.17 * i), zeta[i] = damping(q[i], 1e-3);
  }
  const ms_page_column long_table[] = { { .heading = "time", .unit = "s", .numbers = t },
                                        { .heading = "q", .unit = "m√kg", .numbers = q },
                                        { .heading = "ζ", .numbers = zeta, .digits = 4 } };
  return ms_page_add_table(
      page, "Amplitude table of mode 1.",
      &(ms_page_table) { .n_row = N_ROW, .n_column = 3, .column = long_table });
}

/* With all that units can depend on. */
static ms_status add_points(ms_page *page) {
  static const double mode[] = { 1, 2, 2 }, omega[] = { 4.1732917, 11.6932, 11.6417 };
  static const double error[] = { 0.0021, 0.0117, 0.0 }, q[] = { 3.31e-3, 2.7e-5, 1.9e-13 };
  static const double zeta[] = { 0.0031, 0.0117, 0.0 }, sure[] = { 1, 0, 1 };
  static const double force[] = { 1.7416e7, 2.51e6, 8.3e6 };
  const ms_page_column column[] = {
    { .heading = "mode", .numbers = mode },
    { .heading = "omega", .unit = "rad/s", .numbers = omega },
    { .heading = "omega_error", .unit = "rad/s", .numbers = error },
    { .heading = "q", .unit = "m sqrt(kg)", .numbers = q },
    { .heading = "zeta", .numbers = zeta },
    { .heading = "determined", .numbers = sure, .flag = 1 },
    { .heading = "force", .unit = "N", .numbers = force },
  };
  return ms_page_add_table(page, "Points.",
                           &(ms_page_table) { .n_row = 3, .n_column = 7, .column = column });
}

static ms_status make_display(ms_context *ctx, ms_display **out) {
  static const double left[] = { 0.731, 0.29, 0.41 }, right[] = { 0.13, 0.87, 0.52 };
  MS_TRY(ms_display_create(ctx, out));
  ms_display_set_units(*out, &(ms_display_units) { 1e-3, 1e3, 1.0, 1.0 });
  MS_TRY(ms_display_add_sensor(*out, "left", 0, 3, left));
  return ms_display_add_sensor(*out, "right <", 0, 3, right);
}

/* ---- two plates that lap, bolted twice ---- */

enum {
  N_LONG_SIDE = 24, /* faces along x, y, z of a plate */
  N_WIDE = 6,
  N_THICK = 2,
  N_MODE = 4,
  MAX_PLATE_NODE = 2 * ((N_LONG_SIDE + 1) * (N_WIDE + 1) + (N_LONG_SIDE + 1) * (N_THICK + 1) +
                        (N_WIDE + 1) * (N_THICK + 1)),
  MAX_LINE = 8 * (N_LONG_SIDE + N_WIDE),
  MAX_PLATE_FACE = 2 * (N_LONG_SIDE * N_WIDE + N_LONG_SIDE * N_THICK + N_WIDE * N_THICK)
};

typedef struct plates {
  double x[3 * 2 * MAX_PLATE_NODE + 6], u[N_MODE][3 * 2 * MAX_PLATE_NODE + 6];
  int32_t face[4 * 2 * MAX_PLATE_FACE], line[2 * MAX_LINE];
  ptrdiff_t n_node, n_face, n_line;
} plates;

static int32_t add_node(plates *p, double x, double y, double z) {
  double *at = p->x + 3 * p->n_node;
  at[0] = x, at[1] = y, at[2] = z;
  return (int32_t)p->n_node++;
}

static void add_line(plates *p, int32_t a, int32_t b) {
  p->line[2 * p->n_line] = a;
  p->line[2 * p->n_line++ + 1] = b;
}

/* One side of a box: across axis a at `low` or `high`, seen counter-clockwise from outside. */
static void add_side(plates *p, const double *low, const double *high, int a, int is_high) {
  static const int n_of[3] = { N_LONG_SIDE, N_WIDE, N_THICK };
  int b = (a + (is_high ? 1 : 2)) % 3, c = 3 - a - b, nb = n_of[b], nc = n_of[c];
  int32_t first = (int32_t)p->n_node;
  for (int j = 0; j <= nc; j++) {
    for (int i = 0; i <= nb; i++) {
      double x[3];
      x[a] = is_high ? high[a] : low[a];
      x[b] = low[b] + (high[b] - low[b]) * i / nb;
      x[c] = low[c] + (high[c] - low[c]) * j / nc;
      int32_t node = add_node(p, x[0], x[1], x[2]);
      if (i == nb || j == nc) continue;
      int32_t *f = p->face + 4 * p->n_face++;
      f[0] = node, f[1] = node + 1, f[2] = node + nb + 2, f[3] = node + nb + 1;
    }
  }
  for (int i = 0; i < nb && a == 2; i++) { /* outlines of bottom and top do */
    add_line(p, first + i, first + i + 1);
    add_line(p, first + nc * (nb + 1) + i, first + nc * (nb + 1) + i + 1);
  }
  for (int j = 0; j < nc && a == 2; j++) {
    add_line(p, first + j * (nb + 1), first + (j + 1) * (nb + 1));
    add_line(p, first + j * (nb + 1) + nb, first + (j + 1) * (nb + 1) + nb);
  }
}

static void add_plate(plates *p, const double *low, const double *high) {
  for (int side = 0; side < 6; side++) add_side(p, low, high, side / 2, side % 2);
}

/* Bending, a second bending, twisting. */
static void move_plates(plates *p, double length) {
  for (ptrdiff_t i = 0; i < p->n_node; i++) {
    const double *x = p->x + 3 * i;
    double s = x[0] / length, angle = 0.9 * (s - 0.5);
    p->u[0][3 * i + 2] = cos(2 * PI * (s - 0.5)) - 0.2;
    p->u[0][3 * i] = 0.3 * x[2] * sin(2 * PI * (s - 0.5)) / length;
    p->u[1][3 * i + 2] = sin(2.4 * PI * (s - 0.5));
    p->u[2][3 * i + 1] = -angle * x[2];
    p->u[2][3 * i + 2] = angle * x[1];
    p->u[3][3 * i + 2] = 1.0;
  }
}

static ms_status add_shape(ms_page *page) {
  static plates p;
  const double low[2][3] = { { 0, -0.03, 0 }, { 0.24, -0.03, 0.012 } };
  const double high[2][3] = { { 0.32, 0.03, 0.012 }, { 0.56, 0.03, 0.024 } };
  for (int i = 0; i < 2; i++) add_plate(&p, low[i], high[i]);
  const ms_shape_mark mark[] = { { .node = add_node(&p, 0.26, 0, 0.012), .label = "bolt 1" },
                                 { .node = add_node(&p, 0.30, 0, 0.012),
                                   .label = "bolt 2 <F_S>" } };
  move_plates(&p, 0.56);
  const ms_shape_mode slipped = {
    .name = "Mode 8", .value = "MAC 0.91", .omega = 1002.3, .u = p.u[1]
  };
  const ms_shape_mode mode[] = {
    { .name = "Mode 6", .value = "rigid body", .u = p.u[3], .folded = 1 },
    { .name = "Mode 7", .omega = 1139.77, .u = p.u[0], .beside = &slipped },
    { .name = "Mode 8", .omega = 3124, .u = p.u[1] },
    { .name = "Mode 9", .omega = 3851, .u = p.u[2] }
  };
  return ms_page_add_shape(page, "Two plates with a lap joint, free.",
                           &(ms_shape) { .n_node = p.n_node,
                                         .x = p.x,
                                         .n_face = p.n_face,
                                         .face = p.face,
                                         .closed = 1,
                                         .n_line = p.n_line,
                                         .line = p.line,
                                         .n_mode = N_MODE,
                                         .mode = mode,
                                         .n_mark = 2,
                                         .mark = mark,
                                         .side = { "stuck", "slipped" } });
}

/* ---- a bolted face on which slip comes in from its edge ---- */

enum {
  N_ACROSS = 24,
  N_FRAME = 6,
  N_FACE = N_ACROSS * N_ACROSS,
  N_CORNER = (N_ACROSS + 1) * (N_ACROSS + 1)
};

static ms_status add_field(ms_page *page) {
  static double x[3 * N_CORNER], pressure[N_FRAME * N_CORNER], slip[N_FRAME * N_FACE];
  static int32_t face[4 * N_FACE];
  const double load[N_FRAME] = { 20, 40, 60, 80, 100, 120 };
  static const char *const word[N_FRAME] = { "stuck but for the rim", NULL, NULL, NULL, NULL,
                                             "macroslip <near>" };
  for (int i = 0; i < N_CORNER; i++) {
    x[3 * i] = 0.04 * (i % (N_ACROSS + 1)) / N_ACROSS - 0.02;
    x[3 * i + 1] = 0.04 * (i / (N_ACROSS + 1)) / N_ACROSS - 0.02;
    const double r = hypot(x[3 * i], x[3 * i + 1]) / 0.02;
    for (int k = 0; k < N_FRAME; k++)
      pressure[i + N_CORNER * k] = 8e6 * exp(-2 * r * r) * (1 - 0.02 * k);
  }
  for (int i = 0; i < N_FACE; i++) {
    const int node = i % N_ACROSS + (N_ACROSS + 1) * (i / N_ACROSS);
    const int32_t corner[4] = { node, node + 1, node + N_ACROSS + 2, node + N_ACROSS + 1 };
    const double *low = x + 3 * node, r = hypot(low[0] + 0.0008, low[1] + 0.0008) / 0.02;
    memcpy(face + 4 * i, corner, sizeof corner);
    for (int k = 0; k < N_FRAME; k++) {
      const double stick = 1.2 - 0.18 * (k + 1); /* radius of what sticks */
      slip[i + N_FACE * k] = r > stick ? 1e-6 * pow(r - stick, 2) * (k + 1) : 0.0;
    }
  }
  const ms_face_field field[] = {
    { .name = "Slip", .unit = "m", .log = 1, .value = slip },
    { .name = "Contact pressure", .unit = "N/m²", .by_node = 1, .value = pressure },
  };
  return ms_page_add_field(
      page, "The face under the bolt: where it slips, from the rim inwards.",
      &(ms_fields) { .body = { .n_node = N_CORNER, .x = x, .n_face = N_FACE, .face = face },
                     .n_frame = N_FRAME,
                     .frame_name = "Load",
                     .frame_unit = "N",
                     .frame_value = load,
                     .frame_text = word,
                     .n_field = 2,
                     .field = field });
}

static ms_status add_answers(ms_page *page) {
  static const ms_answer answer[] = {
    { .label = "Natural frequency of mode 1",
      .symbol = "omega_0",
      .unit = "rad/s",
      .value = 4.1733,
      .error = 0.0021,
      .weight = 30 },
    { .label = "Slip force of lap <",
      .symbol = "F_S",
      .unit = "N",
      .value = 60.0132,
      .error = 0.0298,
      .weight = 50 },
    { .label = "Damping of mode 1",
      .symbol = "zeta",
      .value = 0.0031,
      .low = 0.0027,
      .high = 0.0037,
      .weight = 40 },
    { .label = "Stiffness of lap",
      .symbol = "K_T",
      .unit = "N/m",
      .value = 4.7193e7,
      .error = 1.27e5,
      .weight = 50 },
  };
  for (int i = 0; i < 4; i++) MS_TRY(ms_page_add_answer(page, &answer[i]));
  return MS_SUCCESS;
}

static ms_status add_blocks(ms_context *ctx, ms_page *page) {
  static const char *const name[] = { "Structure", "Joint", "Integrator", "Energy balance" };
  static const char *const value[] = { "three masses, two springs", "iwan4 between masses 2 and 3",
                                       "exponential, dt = 0.02 s",
                                       "closes to 2.1e-9 of the input" };
  MS_TRY(
      ms_page_add_text(page,
                       "The structure is hit on mass 2 and rings down; the joint slips a little in "
                       "every cycle, so that frequency falls and damping grows with amplitude.\n\n"
                       "All of the numbers below come from one run."));
  MS_TRY(ms_page_add_section(page, "Structure and joints"));
  MS_TRY(ms_page_add_facts(page, 4, name, value));
  MS_TRY(add_tables(page));
  MS_TRY(ms_page_add_section(page, "Modes against amplitude"));
  MS_TRY(ms_page_add_text(page,
                          "In microslip the damping follows a power of the amplitude, with the "
                          "exponent χ + 1; at F_S the joint slides."));
  MS_TRY(add_figure(ctx, page, "The modal model with its measured points.", modal_figure));
  MS_TRY(ms_page_feature(page, 40));
  MS_TRY(add_answers(page));
  MS_TRY(
      ms_page_add_warning(page, "Mode 3 hardly moves the joint: what is said of it is <noise>."));
  MS_TRY(ms_page_raise_warning(
      page, 2, "suspect",
      "the energy balance closes to 1.3 % of the input, and 1 % is allowed: "
      "take shorter steps, or a tolerance below 1e-6, so that slip in the joint "
      "is followed; the damping of modes 2 and 3 depends on it most of all."));
  MS_TRY(ms_page_add_section(page, "Time histories"));
  MS_TRY(add_figure(ctx, page, "Displacement of mass 2 with its envelope.", history_figure));
  MS_TRY(add_figure(ctx, page, "Force against displacement.", loop_figure));
  MS_TRY(add_figure(ctx, page, NULL, corner_figure));
  MS_TRY(add_shape(page));
  MS_TRY(add_points(page));
  MS_TRY(add_field(page));
  MS_TRY(ms_page_add_section(page, "How to repeat it </script><b>"));
  return ms_page_add_code(page,
                          "microslip run study.yaml --out results \\\n  --set joints.lap.beta=3 "
                          "# <not> a tag & not an entity\n");
}

int main(int argc, char **argv) {
  ms_context *ctx = NULL;
  ms_page *page = NULL;
  ms_display *display = NULL;
  if (argc != 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  ms_status status = ms_page_create(ctx, "Ring-down of a three-mass chain",
                                    "One lap joint, one impact, three modes", &page);
  if (status == MS_SUCCESS) status = make_display(ctx, &display);
  if (status == MS_SUCCESS) ms_page_set_display(page, display);
  if (status == MS_SUCCESS) status = add_blocks(ctx, page);
  if (status == MS_SUCCESS) status = ms_page_write(page, argv[1]);
  if (status != MS_SUCCESS) fprintf(stderr, "page_demo: %s\n", ms_context_message(ctx));
  ms_page_destroy(&page);
  ms_display_destroy(&display);
  ms_context_destroy(&ctx);
  return status == MS_SUCCESS ? 0 : 1;
}
