/* microslip frf: modes from measured frequency responses, or from impacts whose frequency responses
   it estimates; frf_print.c shows them. */
#include "frf.h"

#include <math.h>
#include <string.h>

enum { RESPONSE = 4 /* of a universal file: frequency response function */ };

/* ---- channels ---- */

static int is_response(const ms_measurement_channel *c) {
  return c->type == RESPONSE && c->is_complex && c->uneven == 0 && c->n > 1 && c->step > 0.0;
}

/* N in a unit of force; 0: it is none. */
static double force_of(const char *unit) {
  static const struct {
    const char *name;
    double newton;
  } known[] = { { "N", 1.0 }, { "mN", 1e-3 }, { "kN", 1e3 }, { "lbf", 4.4482216152605 } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(unit, known[i].name) == 0) return known[i].newton;
  return 0.0;
}

/* "g/(N)": kind and size of what stands before the force. */
static ms_status take_unit(frf_job *job, const ms_measurement_channel *c, ms_record_kind *kind,
                           double *factor) {
  char above[48];
  double below = 1.0;
  snprintf(above, sizeof above, "%s", c->unit);
  char *slash = strstr(above, "/(");
  if (!slash) slash = strrchr(above, '/');
  if (slash) {
    char *unit = slash + 1 + (slash[1] == '(');
    const size_t n = strlen(unit);
    if (n > 0 && unit[n - 1] == ')') unit[n - 1] = '\0';
    *slash = '\0';
    below = force_of(unit);
    if (!(below > 0.0))
      return ms_fail(job->ctx, MS_ERR_FORMAT,
                     "channel %s is in %s, not over a force in N, mN, kN or lbf", c->name, c->unit);
  }
  ms_status status = ms_record_parse_unit(job->ctx, above, kind, factor);
  if (status != MS_SUCCESS)
    return ms_fail_at(job->ctx, status, "channel %s, a frequency response in '%s'", c->name,
                      c->unit);
  *factor /= below;
  return MS_SUCCESS;
}

static ms_status reserve(frf_job *job, ptrdiff_t n_line, ptrdiff_t n_sensor) {
  job->n_line = n_line;
  MS_TRY(ms_allocate(job->ctx, n_line, sizeof *job->freq_hz, &job->freq_hz));
  MS_TRY(ms_allocate(job->ctx, 2 * n_line * n_sensor, sizeof *job->H, &job->H));
  return ms_allocate(job->ctx, n_sensor, sizeof *job->name, &job->name);
}

static ms_status add_response(frf_job *job, const ms_measurement_channel *c,
                              const ms_measurement_channel *first) {
  ms_record_kind kind;
  double factor;
  if (c->n != first->n || fabs(c->step / first->step - 1.0) > 1e-6 ||
      fabs(c->first - first->first) > 1e-6 * first->step)
    return ms_fail(job->ctx, MS_ERR_FORMAT, "channels %s and %s have other lines", first->name,
                   c->name);
  if (c->reference_node != first->reference_node ||
      c->reference_direction != first->reference_direction)
    return ms_fail(job->ctx, MS_ERR_FORMAT,
                   "channels %s and %s have other references: a fit is for one; keep those of one "
                   "in a file",
                   first->name, c->name);
  MS_TRY(take_unit(job, c, &kind, &factor));
  if (kind == MS_RECORD_FORCE || (job->n_sensor > 0 && (int)kind != job->derivative))
    return ms_fail(job->ctx, MS_ERR_FORMAT,
                   "channel %s is in %s: all must be of one kind, displacement, velocity or "
                   "acceleration over force",
                   c->name, c->unit);
  job->derivative = (int)kind;
  for (ptrdiff_t k = 0; k < 2 * c->n; k++) job->H[2 * c->n * job->n_sensor + k] = factor * c->y[k];
  snprintf(job->name[job->n_sensor++].text, sizeof job->name->text, "%s", c->name);
  return MS_SUCCESS;
}

static ms_status take_responses(frf_job *job, const ms_measurement *file, ptrdiff_t n_response) {
  const ms_measurement_channel *first = NULL;
  if (job->n_path > 1)
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "frequency responses are read from one file; %td were named", job->n_path);
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(file); i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (!is_response(c)) continue;
    if (!first) {
      first = c;
      MS_TRY(reserve(job, c->n, n_response));
      for (ptrdiff_t k = 0; k < c->n; k++) job->freq_hz[k] = c->first + (double)k * c->step;
    }
    MS_TRY(add_response(job, c, first));
  }
  return MS_SUCCESS;
}

/* ---- impacts ---- */

static int is_history(const ms_measurement_channel *c) {
  return c->type == 1 && !c->is_complex && c->uneven == 0 && c->n > 1 &&
         c->step * c->x_factor > 0.0 && c->factor > 0.0;
}

static const ms_measurement_channel *find(const ms_measurement *file, const char *name) {
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(file); i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

/* Force and sensors of the first file. */
static ms_status choose(frf_job *job, const ms_measurement *file) {
  ms_record_kind kind = MS_RECORD_UNKNOWN;
  const ptrdiff_t n = ms_measurement_get_count(file);
  MS_TRY(ms_allocate(job->ctx, n + 1, sizeof *job->name, &job->name));
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (!is_history(c)) continue;
    if (job->force ? strcmp(c->name, job->force) == 0 : c->kind == MS_RECORD_FORCE) {
      if (job->hammer[0])
        return ms_fail(job->ctx, MS_ERR_NAME, "%s and %s are forces: choose with --force",
                       job->hammer, c->name);
      snprintf(job->hammer, sizeof job->hammer, "%s", c->name);
    } else if (c->kind != MS_RECORD_FORCE && c->kind != MS_RECORD_UNKNOWN &&
               (kind == MS_RECORD_UNKNOWN || c->kind == kind)) {
      kind = c->kind;
      snprintf(job->name[job->n_sensor++].text, sizeof job->name->text, "%s", c->name);
    }
  }
  job->derivative = (int)kind;
  if (job->hammer[0] && job->n_sensor > 0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_NAME,
                 "there is neither a frequency response in it nor %s with unit and times",
                 job->hammer[0] ? "a sensor" : "a force");
}

/* A channel in SI units, without the mean before the impact. */
static ms_status take_history(frf_job *job, const ms_measurement *file, const char *name,
                              ptrdiff_t before, impact *to, double **out) {
  const ms_measurement_channel *c = find(file, name);
  if (!c || !is_history(c))
    return ms_fail(job->ctx, MS_ERR_NAME, "there is no channel %s with unit and times", name);
  const double dt = c->step * c->x_factor;
  if (to->n > 0 && (c->n != to->n || fabs(dt / to->dt - 1.0) > 1e-6))
    return ms_fail(job->ctx, MS_ERR_FORMAT,
                   "channel %s has %td samples of %g s, others %td of %g s", name, c->n, dt, to->n,
                   to->dt);
  to->n = c->n, to->dt = dt;
  MS_TRY(ms_allocate(job->ctx, c->n, sizeof **out, out));
  for (ptrdiff_t k = 0; k < c->n; k++) (*out)[k] = c->factor * c->y[k];
  const double mean = before > 0 ? ms_signal_mean(before, *out) : 0.0;
  for (ptrdiff_t k = 0; k < c->n; k++) (*out)[k] -= mean;
  return MS_SUCCESS;
}

static ms_status take_impact(frf_job *job, const ms_measurement *file, ptrdiff_t i) {
  impact *hit = &job->impact[i];
  ms_pulse pulse;
  if (i == 0) MS_TRY(choose(job, file));
  MS_TRY(ms_allocate(job->ctx, job->n_sensor + 1, sizeof *hit->x, &hit->x));
  hit->n_x = job->n_sensor + 1;
  MS_TRY(take_history(job, file, job->hammer, 0, hit, &hit->x[0]));
  MS_TRY(ms_signal_find_pulse(job->ctx, hit->n, hit->x[0], &pulse));
  const double mean = pulse.before > 0 ? ms_signal_mean(pulse.before, hit->x[0]) : 0.0;
  for (ptrdiff_t k = 0; k < hit->n; k++) hit->x[0][k] -= mean;
  for (ptrdiff_t o = 0; o < job->n_sensor; o++)
    MS_TRY(take_history(job, file, job->name[o].text, pulse.before, hit, &hit->x[o + 1]));
  if (hit->n == job->impact[0].n && fabs(hit->dt / job->impact[0].dt - 1.0) < 1e-6)
    return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_FORMAT,
                 "it has %td samples of %g s, the first file %td of %g s: impacts must be alike",
                 hit->n, hit->dt, job->impact[0].n, job->impact[0].dt);
}

/* H1 over all impacts; without --range as far as the force excites, to a hundredth of its largest
   power. */
static ms_status estimate(frf_job *job) {
  enum { MOST = 256 };
  ms_frf_record record[MOST];
  ms_frf_settings settings = MS_FRF_DEFAULT;
  if (job->n_path > MOST) return ms_fail(job->ctx, MS_ERR_BOUNDS, "at most %d impacts", (int)MOST);
  settings.window = MS_FRF_HAMMER;
  settings.length = job->impact[0].n;
  settings.overlap = 0.0;
  /* to a hundredth at the end: lines do not leak, whatever still rings there */
  settings.decay = job->decay = log(100.0) / ((double)settings.length * job->impact[0].dt);
  for (ptrdiff_t o = 0; o < job->n_sensor; o++) {
    ms_frf frf;
    for (ptrdiff_t i = 0; i < job->n_path; i++)
      record[i] =
          (ms_frf_record) { job->impact[i].x[0], job->impact[i].x[o + 1], job->impact[i].n };
    MS_TRY(
        ms_signal_estimate_frf(job->ctx, &settings, job->impact[0].dt, job->n_path, record, &frf));
    ms_status status = MS_SUCCESS;
    if (o == 0) {
      job->n_line = frf.n;
      status = ms_allocate(job->ctx, frf.n, sizeof *job->freq_hz, &job->freq_hz);
      if (status == MS_SUCCESS)
        status = ms_allocate(job->ctx, 2 * frf.n * job->n_sensor, sizeof *job->H, &job->H);
      double largest = 0.0;
      for (ptrdiff_t k = 1; k < frf.n; k++) largest = fmax(largest, frf.Sxx[k]);
      ptrdiff_t last = 1;
      while (last + 1 < frf.n && frf.Sxx[last + 1] > 0.01 * largest) last++;
      if (!(job->settings.high < HUGE_VAL)) job->settings.high = frf.freq_hz[last];
    }
    for (ptrdiff_t k = 0; k < frf.n && status == MS_SUCCESS; k++) {
      job->freq_hz[k] = frf.freq_hz[k];
      job->H[2 * (k + frf.n * o)] = frf.H1[2 * k];
      job->H[2 * (k + frf.n * o) + 1] = frf.H1[2 * k + 1];
    }
    ms_frf_free(job->ctx, &frf);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

static ms_status read_file(frf_job *job, ptrdiff_t i) {
  ms_measurement *file;
  ptrdiff_t n = 0;
  MS_TRY(ms_measurement_read(job->ctx, job->path[i], &job->request, &file));
  for (ptrdiff_t c = 0; c < ms_measurement_get_count(file); c++)
    n += is_response(ms_measurement_get(file, c));
  job->responses |= n > 0;
  ms_status status = n > 0 ? take_responses(job, file, n) : take_impact(job, file, i);
  ms_measurement_destroy(&file);
  return status == MS_SUCCESS ? status : ms_fail_at(job->ctx, status, "%s", job->path[i]);
}

/* ---- the command line ---- */

static ms_status take_count(frf_job *job, const char *option, const char *text, double least,
                            ptrdiff_t *out) {
  double n;
  MS_TRY(cli_parse_number(job->ctx, option, text, &n));
  *out = (ptrdiff_t)n;
  if (n >= least && n <= 200.0 && n == floor(n)) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "%s %s must be a whole number from %g to 200", option,
                 text, least);
}

static ms_status take_range(frf_job *job, const char *text) {
  MS_TRY(cli_parse_pair(job->ctx, "--range", text, &job->settings.low, &job->settings.high));
  if (job->settings.low >= 0.0 && job->settings.high > job->settings.low) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "--range %s: LOW,HIGH in Hz must be >= 0 and in order",
                 text);
}

static ms_status read_argument(frf_job *job, cli_args *args) {
  const char *value = NULL;
  int taken;
  if (cli_take_flag(args, "--json")) {
    job->json = 1;
    return MS_SUCCESS;
  }
  MS_TRY(cli_take_option(job->ctx, args, "--modes", &value, &taken));
  if (taken) return take_count(job, "--modes", value, 1.0, &job->settings.modes);
  MS_TRY(cli_take_option(job->ctx, args, "--orders", &value, &taken));
  if (taken) return take_count(job, "--orders", value, 4.0, &job->settings.orders);
  MS_TRY(cli_take_option(job->ctx, args, "--range", &value, &taken));
  if (taken) return take_range(job, value);
  MS_TRY(cli_take_option(job->ctx, args, "--rate", &value, &taken));
  if (taken) return cli_parse_positive(job->ctx, "--rate", value, &job->request.rate_hz);
  MS_TRY(cli_take_option(job->ctx, args, "--channels", &job->request.table, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(job->ctx, args, "--drive", &job->drive, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(job->ctx, args, "--force", &job->force, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(job->ctx, args, "--csv", &job->csv, &taken));
  if (taken) return MS_SUCCESS;
  if (!cli_is_word(args)) return cli_fail_unknown(job->ctx, args);
  MS_TRY(ms_resize(job->ctx, job->n_path + 1, sizeof *job->path, &job->path));
  job->path[job->n_path++] = args->argv[args->at++];
  return MS_SUCCESS;
}

static ms_status find_drive(frf_job *job) {
  job->at = -1;
  for (ptrdiff_t o = 0; job->drive && o < job->n_sensor; o++)
    if (strcmp(job->name[o].text, job->drive) == 0) job->at = o;
  if (!job->drive || job->at >= 0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_NAME, "--drive %s: no sensor has that name; the first is %s",
                 job->drive, job->name[0].text);
}

static ms_status run_job(frf_job *job, int argc, char **argv) {
  cli_args args = { .command = "frf", .argc = argc, .argv = argv };
  while (cli_has_more(&args)) MS_TRY(read_argument(job, &args));
  if (job->n_path == 0)
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "name a file of frequency responses, or those of impacts: microslip frf "
                   "FILE.uff");
  MS_TRY(cli_check_writable(job->ctx, job->csv));
  MS_TRY(ms_allocate(job->ctx, job->n_path, sizeof *job->impact, &job->impact));
  for (ptrdiff_t i = 0; i < job->n_path; i++) MS_TRY(read_file(job, i));
  if (!job->responses) MS_TRY(estimate(job));
  MS_TRY(find_drive(job));
  const ms_frf_set set = { job->n_line, job->n_sensor,   job->freq_hz,
                           job->H,      job->derivative, job->decay };
  MS_TRY(ms_frf_fit_modes(job->ctx, &set, &job->settings, &job->fit));
  MS_TRY(ms_allocate(job->ctx, job->n_sensor * job->fit.n_mode, sizeof *job->shape, &job->shape));
  MS_TRY(ms_frf_fit_real_shapes(job->ctx, &job->fit, job->at, job->shape));
  return frf_print(job);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  static const ms_frf_fit_settings settings = MS_FRF_FIT_DEFAULT;
  frf_job job = { .ctx = ctx, .settings = settings };
  ms_context_set_log(ctx, cli_show_log, NULL);
  ms_status status = run_job(&job, argc, argv);
  ms_context_set_log(ctx, NULL, NULL);
  for (ptrdiff_t i = 0; job.impact && i < job.n_path; i++) {
    for (ptrdiff_t o = 0; o < job.impact[i].n_x; o++) ms_free(ctx, &job.impact[i].x[o]);
    ms_free(ctx, &job.impact[i].x);
  }
  ms_free(ctx, &job.impact);
  ms_free(ctx, &job.path);
  ms_free(ctx, &job.name);
  ms_free(ctx, &job.freq_hz);
  ms_free(ctx, &job.H);
  ms_free(ctx, &job.shape);
  ms_frf_fit_free(ctx, &job.fit);
  return status;
}

const cli_command cli_command_frf = {
  .name = "frf",
  .summary = "modes from measured frequency responses: poles, damping, shapes",
  .usage =
      "microslip frf FILE.uff [--csv MODES.csv] [OPTION]...\n"
      "microslip frf HIT.csv... [--csv MODES.csv] [OPTION]...\n\n"
      "A file of frequency responses to one force (a universal file), or impacts, a file each\n"
      "with a hammer's force and one or more sensors. Modes are poles that come back from order\n"
      "to order (least-squares complex frequency), then least squares of all responses.\n\n"
      "  --csv MODES.csv    f, zeta and a column for each sensor: what update takes as measured\n"
      "  --drive NAME       the sensor at the force, in its direction: shapes have unit modal\n"
      "                     mass (without it the largest component is 1)\n"
      "  --range LOW,HIGH   Hz (all lines; of impacts as far as the hammer excites)\n"
      "  --modes N          at most so many, those found at most orders (all)\n"
      "  --orders N         the largest order that is tried (32)\n"
      "  --force NAME       of impacts: the hammer, if several channels are forces\n"
      "  --rate HZ          samples per second, for files that have no times\n"
      "  --channels TABLE   names, kinds and units of channels, of all files\n"
      "  --json             one JSON object on standard output instead of tables\n",
  .run = run,
};
