/* Pictures of a joint: loops, stiffness and dissipation; a path; the first loading curve. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint.h"

enum { MAX_LOOPS = 6, GRID = 61 };

/* The parameters of a law in a line, for the subtitle; returns the length. */
static size_t describe(const ms_joint *joint, char *text, size_t size) {
  const ms_law_info *law = ms_joint_info(joint);
  size_t n = 0;
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double value = 0.0;
    if (!joint_shows_param(joint, i, &value) || p->set > 1) continue;
    const char *unit = strcmp(p->unit, "-") == 0 ? "" : p->unit;
    int written = snprintf(text + n, size - n, "%s%s = %g%s%s", n ? ", " : "", p->name, value,
                           unit[0] ? " " : "", unit);
    if (written < 0 || n + (size_t)written >= size) break;
    n += (size_t)written;
  }
  return n;
}

/* One law: its name and what it is. Several: their names. */
static void make_title(const joint_job *job, char *title, size_t size) {
  const ms_law_info *law = ms_joint_info(job->part[0].view);
  int n = snprintf(title, size, "%s", law->name);
  if (job->n_part == 1) {
    snprintf(title + n, size - (size_t)n, ": %s", law->title);
    return;
  }
  for (int i = 1; i < job->n_part && (size_t)n < size; i++) {
    n += snprintf(title + n, size - (size_t)n, " + %s", ms_joint_info(job->part[i].view)->name);
  }
}

static void make_subtitle(const joint_job *job, char *text, size_t size) {
  size_t n = 0;
  for (int i = 0; i < job->n_part; i++) {
    if (i > 0 && n + 4 < size) n += (size_t)snprintf(text + n, size - n, "; ");
    n += describe(job->part[i].view, text + n, size - n);
  }
}

static ms_status add_line(ms_figure *figure, const char *label, const double *x, const double *y,
                          ptrdiff_t n, ms_series_style style, int colour) {
  ms_series series = { .label = label, .x = x, .y = y, .n = n, .style = style, .colour = colour };
  return ms_figure_add_series(figure, &series);
}

/* ---- cycles ---- */

static double largest_amplitude(const joint_job *job) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < job->n; i++) largest = fmax(largest, job->amplitude[i]);
  return largest;
}

static ms_status add_virgin(const joint_job *job, ms_figure *figure, double reach) {
  double u[GRID], F[GRID], slope;
  if (ms_joint_info(job->joint)->flags & MS_LAW_RATE) return MS_SUCCESS; /* there is no one curve */
  for (int i = 0; i < GRID; i++) {
    u[i] = reach * i / (GRID - 1);
    MS_TRY(ms_joint_eval_virgin(job->joint, u[i], &F[i], &slope));
  }
  return add_line(figure, "first loading", u, F, GRID, MS_SERIES_DASHED, -1);
}

/* With a prefix, "60 µm"; amplitudes beyond all of them as they are. */
static void amplitude_text(double amplitude, char *text, size_t size) {
  static const char *const unit[] = { "m", "mm", "µm", "nm" };
  double value = amplitude;
  int i = 0;
  while (i < 3 && value < 0.9995) value *= 1e3, i++;
  if (value < 0.9995 || amplitude >= 1e3) value = amplitude, i = 0;
  snprintf(text, size, "%.3g %s", value, unit[i]);
}

static ms_status add_loop(const joint_job *job, ms_figure *figure, double amplitude, int colour) {
  double u[JOINT_LOOP_POINTS + 1], F[JOINT_LOOP_POINTS + 1];
  char label[48];
  ms_joint_cycle cycle;
  MS_TRY(ms_joint_run_cycle(job->joint, amplitude, 2.0 * acos(-1.0) * job->frequency_hz,
                            JOINT_LOOP_POINTS, u, F, &cycle));
  amplitude_text(amplitude, label, sizeof label);
  return add_line(figure, label, u, F, JOINT_LOOP_POINTS + 1, MS_SERIES_LINE, colour);
}

/* At most MAX_LOOPS of them, the last and largest always: spread evenly over the list. */
static ms_status add_loops(const joint_job *job, ms_figure *figure) {
  ms_panel panel = { "Hysteresis loops", "displacement u", "m", "force F", "N", 0, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  ptrdiff_t loops = job->n < MAX_LOOPS ? job->n : MAX_LOOPS;
  for (ptrdiff_t i = 0; i < loops; i++) {
    ptrdiff_t pick = loops > 1 ? i * (job->n - 1) / (loops - 1) : 0;
    MS_TRY(add_loop(job, figure, job->amplitude[pick], (int)i));
  }
  return add_virgin(job, figure, largest_amplitude(job));
}

/* Amplitudes for the curves: those asked for and a decade or two about them. */
typedef struct cycle_grid {
  double amplitude[GRID], K[GRID], D[GRID];
} cycle_grid;

static ms_status make_grid(const joint_job *job, cycle_grid *grid) {
  double low = HUGE_VAL, high = largest_amplitude(job), scale = ms_joint_slip_scale(job->joint);
  for (ptrdiff_t i = 0; i < job->n; i++) low = fmin(low, job->amplitude[i]);
  low = fmin(low, (scale > 0.0 ? fmin(scale, high) : high) / 100.0);
  high = fmax(high, 2.0 * scale);
  for (int i = 0; i < GRID; i++) {
    ms_joint_cycle cycle;
    grid->amplitude[i] = low * pow(high / low, (double)i / (GRID - 1));
    MS_TRY(ms_joint_run_cycle(job->joint, grid->amplitude[i], 2.0 * acos(-1.0) * job->frequency_hz,
                              JOINT_LOOP_POINTS, NULL, NULL, &cycle));
    grid->K[i] = cycle.K_secant;
    grid->D[i] = cycle.D;
  }
  return MS_SUCCESS;
}

static ms_status add_points(const joint_job *job, ms_figure *figure, size_t offset) {
  double *x, *y;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(job->ctx, 2 * job->n, sizeof *x, &x));
  y = x + job->n;
  for (ptrdiff_t i = 0; i < job->n; i++) {
    memcpy(&y[n], (const char *)&job->cycle[i] + offset, sizeof *y);
    x[n] = job->cycle[i].amplitude;
    n += y[n] > 0.0; /* a logarithmic axis has no zero */
  }
  ms_status status = MS_SUCCESS;
  if (n > 0) status = add_line(figure, "requested cycles", x, y, n, MS_SERIES_POINTS, 1);
  ms_free(job->ctx, &x);
  return status;
}

static ms_status add_stiffness(const joint_job *job, ms_figure *figure, const cycle_grid *grid) {
  ms_panel panel = { "Secant stiffness", "amplitude", "m", "stiffness", "N/m", 1, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(add_line(figure, "steady loop", grid->amplitude, grid->K, GRID, MS_SERIES_LINE, 0));
  return add_points(job, figure, offsetof(ms_joint_cycle, K_secant));
}

static double grid_slope(const cycle_grid *grid, int a, int b) {
  return log(grid->D[b] / grid->D[a]) / log(grid->amplitude[b] / grid->amplitude[a]);
}

/* d ln D / d ln A at the small end of the curve, where microslip rules; no word of it where the
   curve is no power of the amplitude. */
static ms_status add_slope(ms_figure *figure, const cycle_grid *grid, int first) {
  enum { SPAN = 8 };
  char text[48];
  if (first + SPAN >= GRID) return MS_SUCCESS;
  double slope = grid_slope(grid, first, first + SPAN);
  if (fabs(grid_slope(grid, first, first + SPAN / 2) - slope) > 0.01) return MS_SUCCESS;
  snprintf(text, sizeof text, "slope %.2f", slope);
  return ms_figure_add_note(figure, grid->amplitude[first + SPAN], grid->D[first + SPAN / 3], text);
}

static ms_status add_dissipation(const joint_job *job, ms_figure *figure, const cycle_grid *grid) {
  ms_panel panel = { "Dissipation per cycle", "amplitude", "m", "energy D", "J", 1, 1 };
  int first = GRID; /* of the amplitudes from which on energy is lost */
  while (first > 0 && grid->D[first - 1] > 0.0) first--;
  if (first == GRID) return MS_SUCCESS;
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(add_line(figure, "steady loop", grid->amplitude + first, grid->D + first, GRID - first,
                  MS_SERIES_LINE, 0));
  MS_TRY(add_points(job, figure, offsetof(ms_joint_cycle, D)));
  return add_slope(figure, grid, first);
}

static ms_status fill_cycles(const joint_job *job, ms_figure *figure) {
  cycle_grid grid;
  MS_TRY(make_grid(job, &grid));
  MS_TRY(add_loops(job, figure));
  MS_TRY(add_stiffness(job, figure, &grid));
  return add_dissipation(job, figure, &grid);
}

/* ---- paths and first loading ---- */

static ms_status fill_virgin(const joint_job *job, ms_figure *figure) {
  ms_panel force = { "First loading", "displacement u", "m", "force F", "N", 0, 0 };
  ms_panel slope = { "Tangent stiffness", "displacement u", "m", "dF/du", "N/m", 0, 0 };
  MS_TRY(ms_figure_add_panel(figure, &force));
  MS_TRY(add_line(figure, NULL, job->u[0], job->force[0], job->n, MS_SERIES_LINE, 0));
  MS_TRY(ms_figure_add_panel(figure, &slope));
  return add_line(figure, NULL, job->u[0], job->slope[0], job->n, MS_SERIES_LINE, 1);
}

/* Against time where there is one, against the row otherwise. */
static ms_status add_histories(const joint_job *job, ms_figure *figure, const double *t,
                               const char *unit) {
  const char *x = unit ? "time t" : "row";
  const double *alpha = ms_table_get_column(job->input, "alpha");
  const double *k = ms_table_get_column(job->input, "k");
  ms_panel force = { "Force along the path", x, unit, "force F", "N", 0, 0 };
  ms_panel load = { "Normal load and stiffness", x, unit, "ratio", NULL, 0, 0 };
  char name[16];
  MS_TRY(ms_figure_add_panel(figure, &force));
  for (int a = 0; a < job->n_axis; a++) {
    const char *label = job->n_axis > 1 ? joint_column(job, "F", a, name) : NULL;
    MS_TRY(add_line(figure, label, t, job->force[a], job->n, MS_SERIES_LINE, a));
  }
  if (!alpha && !k) return MS_SUCCESS;
  MS_TRY(ms_figure_add_panel(figure, &load));
  if (alpha) MS_TRY(add_line(figure, "alpha", t, alpha, job->n, MS_SERIES_LINE, 1));
  if (k) MS_TRY(add_line(figure, "k", t, k, job->n, MS_SERIES_LINE, 2));
  return MS_SUCCESS;
}

/* Two axes and more: the way in the plane, and the force's way beside it. */
static ms_status add_plane(const joint_job *job, ms_figure *figure) {
  ms_panel way = { "Path in the plane", "ux", "m", "uy", "m", 0, 0 };
  ms_panel force = { "Force in the plane", "Fx", "N", "Fy", "N", 0, 0 };
  if (job->n_axis == 1) return MS_SUCCESS;
  MS_TRY(ms_figure_add_panel(figure, &way));
  MS_TRY(add_line(figure, NULL, job->u[0], job->u[1], job->n, MS_SERIES_LINE, 2));
  MS_TRY(ms_figure_add_panel(figure, &force));
  return add_line(figure, NULL, job->force[0], job->force[1], job->n, MS_SERIES_LINE, 3);
}

static ms_status add_hysteresis(const joint_job *job, ms_figure *figure) {
  ms_panel loop = { "Force and displacement", "displacement u", "m", "force F", "N", 0, 0 };
  static const char *const label[] = { "Fx against ux", "Fy against uy", "Fn against un" };
  MS_TRY(ms_figure_add_panel(figure, &loop));
  for (int a = 0; a < job->n_axis; a++) {
    MS_TRY(add_line(figure, job->n_axis > 1 ? label[a] : NULL, job->u[a], job->force[a], job->n,
                    MS_SERIES_LINE, a));
  }
  return MS_SUCCESS;
}

static ms_status fill_path(const joint_job *job, ms_figure *figure) {
  MS_TRY(add_plane(job, figure));
  MS_TRY(add_hysteresis(job, figure));
  const double *t = ms_table_get_column(job->input, "t");
  if (t) return add_histories(job, figure, t, "s");
  double *row;
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof *row, &row));
  for (ptrdiff_t i = 0; i < job->n; i++) row[i] = (double)(i + 1);
  ms_status status = add_histories(job, figure, row, NULL);
  ms_free(job->ctx, &row);
  return status;
}

static ms_status fill_figure(const joint_job *job, ms_figure *figure) {
  switch (job->mode) {
  case JOINT_PATH:
    return fill_path(job, figure);
  case JOINT_CYCLE:
    return fill_cycles(job, figure);
  default:
    return fill_virgin(job, figure);
  }
}

ms_status joint_plot(const joint_job *job) {
  char title[160], subtitle[240] = "";
  ms_figure *figure;
  make_title(job, title, sizeof title);
  make_subtitle(job, subtitle, sizeof subtitle);
  MS_TRY(ms_figure_create(job->ctx, title, subtitle, &figure));
  ms_status status = fill_figure(job, figure);
  if (status == MS_SUCCESS) status = ms_figure_write_svg(figure, job->plot, job->theme);
  ms_figure_destroy(&figure);
  return status;
}
