/* frf: the estimate from a test, simulated in time or read from a file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/frf_product.h"
#include "study/ringdown.h"
#include "study/steps.h"

#define PARTS 8 /* blocks side by side in a record, by default */

static const ms_param test_keys[] = {
  MS_KEY("load", "word", "name of a load, whose function of time drives the test", 1),
  MS_KEY("step", "number", "time step, and between samples", 1),
  MS_KEY("steps", "number", "how many", 1),
  MS_KEY("method", "word", "newmark (default) or exponential", 0),
  MS_KEY("window", "word", "hann (default), rectangular or hammer", 0),
  MS_KEY("length", "number", "samples in a block; an eighth of the record", 0),
  MS_KEY("overlap", "number", "part of a block that the next one shares; 0.5", 0),
  MS_KEY("force_end", "number", "hammer: time in a block from which on the input is zero", 0),
  MS_KEY("decay", "number", "hammer: rate at which a block fades, 1/time", 0),
};

static const ms_param measured_keys[] = {
  MS_KEY("file", "text", "the records, .csv or .uff, beside the study file", 1),
  MS_KEY("input", "word", "channel of the load", 1),
  MS_KEY("output", "word", "channel of the response", 1),
  MS_KEY("unit", "word", "of the response: mm, m/s, g, ...; as the file says", 0),
  MS_KEY("scale", "number", "of the input's numbers to N or m/s^2; 1", 0),
  MS_KEY("rate", "number", "samples per second, for a table without times", 0),
  MS_KEY("window", "word", "hann (default), rectangular or hammer", 0),
  MS_KEY("length", "number", "samples in a block; an eighth of the record", 0),
  MS_KEY("overlap", "number", "part of a block that the next one shares; 0.5", 0),
  MS_KEY("force_end", "number", "hammer: time in a block from which on the input is zero", 0),
  MS_KEY("decay", "number", "hammer: rate at which a block fades, 1/time", 0),
  MS_KEY("offset", "word", "hammer: means before the first hit: subtract (default) or keep", 0),
};

void ms_frf_free_source(ms_context *ctx, ms_frf_source *source) {
  ms_load_free(ctx, &source->drive);
  ms_record_free(ctx, &source->input);
  ms_record_free(ctx, &source->output);
}

/* ---- options ---- */

/* The lines of a block are 1/(length dt) apart: some must be in the range. */
static ms_status check_lines(const ms_study *s, struct fy_node *node, double dt,
                             const ms_frf_product *p) {
  const double apart = 1.0 / ((double)p->source.settings.length * dt);
  const double first = fmax(1.0, ceil(p->low / apart)), last = floor(p->high / apart);
  if (first <= fmin(last, (double)(p->source.settings.length / 2))) return MS_SUCCESS;
  return ms_yaml_fail(
      &s->yaml, node, MS_ERR_BOUNDS,
      "blocks of %td samples have lines every %.4g Hz up to %.4g Hz, none from %g to "
      "%g Hz; use longer blocks, another step or range",
      p->source.settings.length, apart, 0.5 / dt, p->low, p->high);
}

/* How blocks are averaged; `samples` are those of a record. */
static ms_status read_blocks(const ms_study *s, struct fy_node *node, ptrdiff_t samples, double dt,
                             ms_frf_product *p) {
  ms_frf_source *f = &p->source;
  static const ms_frf_settings usual = MS_FRF_DEFAULT;
  const ms_yaml *y = &s->yaml;
  struct fy_node *window = ms_yaml_get(node, "window"), *overlap = ms_yaml_get(node, "overlap");
  struct fy_node *end = ms_yaml_get(node, "force_end"), *decay = ms_yaml_get(node, "decay");
  struct fy_node *length = ms_yaml_get(node, "length");
  const char *word;
  f->settings = usual;
  f->settings.length = samples / PARTS;
  if (window) {
    MS_TRY(ms_yaml_text(y, window, "window", &word));
    ms_status status = ms_frf_parse_window(s->ctx, word, &f->settings.window);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(y, window, status);
  }
  if (length) MS_TRY(ms_yaml_count_value(y, length, "length", 8, &f->settings.length));
  if (overlap) MS_TRY(ms_yaml_number(y, overlap, "overlap", &f->settings.overlap));
  if (end) MS_TRY(ms_yaml_positive(y, end, "force_end", &f->settings.force_end));
  if (decay) MS_TRY(ms_yaml_positive(y, decay, "decay", &f->settings.decay));
  f->settings.force_end *= s->units.time;
  f->settings.decay /= s->units.time;
  if ((end || decay) && f->settings.window != MS_FRF_HAMMER) {
    return ms_yaml_fail(y, end ? end : decay, MS_ERR_FORMAT,
                        "force_end and decay are those of window: hammer");
  }
  if (!(f->settings.overlap >= 0.0 && f->settings.overlap < 1.0)) {
    return ms_yaml_fail(y, overlap, MS_ERR_BOUNDS, "overlap %g must be in [0, 1)",
                        f->settings.overlap);
  }
  if (f->settings.length >= 8 && f->settings.length <= samples) {
    return check_lines(s, length ? length : node, dt, p);
  }
  return ms_yaml_fail(y, length ? length : node, MS_ERR_BOUNDS,
                      "a block of %td samples does not do for a record of %td; 8 are the least",
                      f->settings.length, samples);
}

static ms_status read_test(const ms_study *s, struct fy_node *node, ms_frf_product *p) {
  const ms_yaml *y = &s->yaml;
  ms_frf_source *f = &p->source;
  struct fy_node *load = ms_yaml_get(node, "load");
  MS_TRY(ms_yaml_check_keys(y, node, "test", test_keys, sizeof test_keys / sizeof *test_keys));
  MS_TRY(ms_read_load(s, load, &f->drive));
  if (!f->drive.iota != !p->load.iota) {
    return ms_yaml_fail(
        y, load, MS_ERR_ARGUMENT, "load %s is %s, the response asked for that of %s", f->drive.name,
        f->drive.iota ? "a base's acceleration" : "a force", p->load.iota ? "a base" : "a force");
  }
  for (ptrdiff_t i = 0; i < ms_structure_get_size(s->structure); i++) {
    if (f->drive.shape[i] == p->load.shape[i]) continue;
    return ms_yaml_fail(y, load, MS_ERR_ARGUMENT,
                        "load %s does not act where the response is asked for: see '%s'",
                        f->drive.name, ms_structure_get_name(s->structure, i));
  }
  MS_TRY(ms_yaml_positive(y, ms_yaml_get(node, "step"), "step", &f->step));
  MS_TRY(ms_yaml_count_value(y, ms_yaml_get(node, "steps"), "steps", 1, &f->steps));
  MS_TRY(ms_read_method(s, ms_yaml_get(node, "method"), &f->method));
  f->step *= s->units.time;
  f->simulated = 1;
  const ms_time_setting time = { .step = f->step, .steps = f->steps, .method = f->method };
  MS_TRY(ms_steps_check_load(s, load, &time, &f->drive));
  return read_blocks(s, node, f->steps + 1, f->step, p);
}

static ms_status read_channels(const ms_study *s, struct fy_node *node, const char *path,
                               const ms_frf_product *p, ms_frf_source *f) {
  const ms_yaml *y = &s->yaml;
  struct fy_node *input = ms_yaml_get(node, "input"), *output = ms_yaml_get(node, "output");
  struct fy_node *unit = ms_yaml_get(node, "unit"), *rate = ms_yaml_get(node, "rate");
  ms_record_request x = MS_RECORD_REQUEST_DEFAULT, v = MS_RECORD_REQUEST_DEFAULT;
  if (rate) MS_TRY(ms_yaml_positive(y, rate, "rate", &x.rate_hz));
  v.rate_hz = x.rate_hz;
  MS_TRY(ms_yaml_text(y, input, "input", &x.channel));
  MS_TRY(ms_yaml_text(y, output, "output", &v.channel));
  if (unit) MS_TRY(ms_yaml_text(y, unit, "unit", &v.unit));
  if (!p->load.iota || f->scale != 1.0) { /* the numbers as they are: records know no forces */
    x.kind = MS_RECORD_ACCELERATION;
    x.unit = "m/s^2";
  }
  ms_status status = ms_record_read(s->ctx, path, &x, &f->input);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(y, input, status);
  status = ms_record_read(s->ctx, path, &v, &f->output);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(y, output, status);
}

/* Of other windows every block loses its mean. */
static ms_status take_offsets(const ms_study *s, struct fy_node *node, ms_frf_source *f) {
  struct fy_node *offset = ms_yaml_get(node, "offset");
  ms_record *const record[] = { &f->input, &f->output };
  const char *word = "subtract";
  ms_pulse pulse;
  if (offset) MS_TRY(ms_yaml_text(&s->yaml, offset, "offset", &word));
  if (strcmp(word, "keep") != 0 && strcmp(word, "subtract") != 0) {
    return ms_yaml_fail(&s->yaml, offset, MS_ERR_NAME, "offset '%s' is neither subtract nor keep",
                        word);
  }
  if (f->settings.window != MS_FRF_HAMMER || strcmp(word, "keep") == 0) return MS_SUCCESS;
  ms_status status = ms_signal_find_pulse(s->ctx, f->input.n, f->input.x, &pulse);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, ms_yaml_get(node, "input"), status);
  f->before = pulse.before;
  for (int c = 0; c < 2 && f->before > 0; c++) {
    f->offset[c] = ms_signal_mean(f->before, record[c]->x);
    for (ptrdiff_t k = 0; k < record[c]->n; k++) record[c]->x[k] -= f->offset[c];
  }
  return MS_SUCCESS;
}

static ms_status read_measured(const ms_study *s, struct fy_node *node, ms_frf_product *p) {
  const ms_yaml *y = &s->yaml;
  ms_frf_source *f = &p->source;
  struct fy_node *file = ms_yaml_get(node, "file"), *scale = ms_yaml_get(node, "scale");
  const char *name;
  char *path = NULL;
  MS_TRY(ms_yaml_check_keys(y, node, "measured", measured_keys,
                            sizeof measured_keys / sizeof *measured_keys));
  f->scale = 1.0;
  if (scale) MS_TRY(ms_yaml_number(y, scale, "scale", &f->scale));
  MS_TRY(ms_yaml_text(y, file, "file", &name));
  MS_TRY(ms_study_path(s, name, &path));
  ms_status status = read_channels(s, node, path, p, f);
  ms_free(s->ctx, &path);
  if (status != MS_SUCCESS) return status;
  if (f->input.n != f->output.n || fabs(f->input.dt / f->output.dt - 1.0) > 1e-6) {
    return ms_yaml_fail(y, file, MS_ERR_FORMAT,
                        "input and output must have the same samples; they have %td of %g s and "
                        "%td of %g s",
                        f->input.n, f->input.dt, f->output.n, f->output.dt);
  }
  if (p->kind == MS_TRANSMISSIBILITY && f->output.kind != MS_RECORD_ACCELERATION) {
    return ms_yaml_fail(y, ms_yaml_get(node, "output"), MS_ERR_FORMAT,
                        "transmissibility needs an absolute acceleration as output");
  }
  f->measured = 1;
  MS_TRY(read_blocks(s, node, f->input.n, f->input.dt, p));
  return take_offsets(s, node, f);
}

ms_status ms_frf_read_source(ms_study *s, struct fy_node *options, ms_frf_product *p) {
  struct fy_node *test = ms_yaml_get(options, "test");
  struct fy_node *measured = ms_yaml_get(options, "measured");
  if (test && measured) {
    return ms_yaml_fail(&s->yaml, measured, MS_ERR_FORMAT, "give test or measured, not both");
  }
  if (test) return read_test(s, test, p);
  return measured ? read_measured(s, measured, p) : MS_SUCCESS;
}

/* ---- the test in time ---- */

typedef struct recorder {
  const ms_frf_product *p;
  double *x, *y, *work; /* work: displacement, velocity, acceleration of all coordinates */
  ptrdiff_t n, k;
} recorder;

static int record(void *user, const ms_transient *run) {
  recorder *r = user;
  const ms_frf_product *p = r->p;
  double *u = r->work, *v = u + r->n, *a = v + r->n;
  double x = ms_load_eval(p->source.drive.load, (double)r->k * p->source.step);
  ms_transient_get_coordinates(run, u, v, a);
  const double values[] = { u[p->at], v[p->at], a[p->at], a[p->at] + p->follow * x };
  r->x[r->k] = x;
  r->y[r->k++] = values[p->kind];
  return 0;
}

static ms_status march(ms_study *s, ms_frf_product *p, recorder *r) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  ms_load *load = p->source.drive.load;
  setting.step = p->source.step;
  setting.method = p->source.method;
  MS_TRY(ms_transient_create(s->structure, &setting, &run));
  ms_status status =
      ms_transient_add_load(run, p->load.shape, ms_load_time_fn, load, ms_load_end(load));
  if (status == MS_SUCCESS) status = ms_transient_start(run, 0.0, NULL, NULL);
  if (status == MS_SUCCESS) status = ms_transient_run(run, p->source.steps, 1, record, r);
  p->count = ms_transient_get_count(run);
  p->quality = ms_transient_get_quality(run);
  p->has_energy = status == MS_SUCCESS && ms_transient_get_energy(run, &p->energy) == MS_SUCCESS;
  if (status == MS_SUCCESS && !p->has_energy) ms_context_clear_message(s->ctx);
  ms_transient_destroy(&run);
  return status;
}

static ms_status simulate(ms_study *s, ms_frf_product *p) {
  recorder r = { .p = p, .n = ms_structure_get_size(s->structure) };
  ptrdiff_t samples = p->source.steps + 1;
  MS_TRY(ms_allocate(s->ctx, 2 * samples + 3 * r.n, sizeof *r.x, &r.x));
  r.y = r.x + samples;
  r.work = r.y + samples;
  ms_status status = march(s, p, &r);
  ms_frf_record one = { r.x, r.y, samples };
  if (status == MS_SUCCESS) {
    status = ms_signal_estimate_frf(s->ctx, &p->source.settings, p->source.step, 1, &one, &p->frf);
  }
  ms_free(s->ctx, &r.x);
  return status;
}

/* ---- records ---- */

static void multiply(double *H, double re, double im) {
  double a = H[0], b = H[1];
  H[0] = a * re - b * im;
  H[1] = a * im + b * re;
}

/* From the record's kind to the one asked for: times (i omega)^d, nothing at 0. */
static void convert(ms_frf *f, int d) {
  for (ptrdiff_t k = 0; k < f->n; k++) {
    double omega = 2.0 * acos(-1.0) * f->freq_hz[k];
    for (int i = 0; i < (d < 0 ? -d : d); i++) {
      double factor = d > 0 ? omega : omega > 0.0 ? -1.0 / omega : 0.0;
      multiply(f->H1 + 2 * k, 0.0, factor);
      multiply(f->H2 + 2 * k, 0.0, factor);
    }
  }
}

static ms_status read_records(ms_study *s, ms_frf_product *p) {
  ms_frf_source *f = &p->source;
  int want = p->kind < MS_ACCELERANCE ? (int)p->kind : 2;
  for (ptrdiff_t k = 0; k < f->input.n; k++) f->input.x[k] *= f->scale;
  ms_frf_record one = { f->input.x, f->output.x, f->input.n };
  MS_TRY(ms_signal_estimate_frf(s->ctx, &f->settings, f->input.dt, 1, &one, &p->frf));
  convert(&p->frf, want - (int)f->output.kind);
  return MS_SUCCESS;
}

/* ---- tables ---- */

static int in_range(const ms_frf_product *p, ptrdiff_t k) {
  return p->frf.freq_hz[k] >= p->low && p->frf.freq_hz[k] <= p->high && k > 0;
}

static ms_status tabulate(ms_study *s, const ms_task *task, ms_frf_product *p) {
  const ms_frf *f = &p->frf;
  char name[96];
  snprintf(name, sizeof name, "%.80s_test", task->name);
  MS_TRY(ms_sheet_create(s, name,
                         "f [Hz],H1 real,H1 imaginary,H1 magnitude,H1 phase [deg],H2 magnitude,"
                         "coherence,random error",
                         &p->test));
  for (ptrdiff_t k = 0; k < f->n; k++) {
    double re = f->H1[2 * k], im = f->H1[2 * k + 1];
    if (!in_range(p, k) || !(f->coherence[k] > 0.0)) continue;
    MS_TRY(ms_sheet_add_row(
        s->ctx, p->test, f->freq_hz[k], re, im, hypot(re, im), atan2(im, re) * 180.0 / acos(-1.0),
        hypot(f->H2[2 * k], f->H2[2 * k + 1]), f->coherence[k], ms_frf_random_error(f, k)));
  }
  if (ms_sheet_rows(p->test) > 0) return MS_SUCCESS;
  return ms_fail(
      s->ctx, MS_ERR_NUMERIC,
      "%s: from %g to %g Hz the output is at no line coherent with the input: is one of the "
      "records zero?",
      task->name, p->low, p->high);
}

/* How far the test is from a curve: |H1 - H|/|H|, rms and largest over the lines in the range, the
   lines weighted alike; and the random error to be expected. */
static ms_status compare_curve(ms_study *s, ms_frf_product *p, const ms_frf_curve *c,
                               double *work) {
  const ms_frf *f = &p->frf;
  double *omega = work, *H = work + f->n, square = 0.0, worst = 0.0, random = 0.0, n = 0.0;
  ptrdiff_t first = 0, m = 0;
  for (ptrdiff_t k = 0; k < f->n; k++) {
    if (!in_range(p, k)) continue;
    if (m == 0) first = k;
    omega[m++] = 2.0 * acos(-1.0) * f->freq_hz[k];
  }
  MS_TRY(ms_frf_evaluate(s, p, c, m, omega, H));
  for (ptrdiff_t i = 0; i < m; i++) {
    const double *h = f->H1 + 2 * (first + i);
    double size = hypot(H[2 * i], H[2 * i + 1]);
    if (!(size > 0.0) || !(f->coherence[first + i] > 0.0)) continue;
    double e = hypot(h[0] - H[2 * i], h[1] - H[2 * i + 1]) / size;
    double expected = ms_frf_random_error(f, first + i);
    square += e * e, random += 2.0 * expected * expected, n++;
    worst = fmax(worst, e);
  }
  return ms_sheet_add_row(s->ctx, p->compare, c->label, n, n > 0.0 ? sqrt(square / n) : 0.0, worst,
                          n > 0.0 ? sqrt(random / n) : 0.0);
}

static ms_status compare(ms_study *s, const ms_task *task, ms_frf_product *p) {
  char name[96];
  double *work;
  snprintf(name, sizeof name, "%.80s_compare", task->name);
  MS_TRY(ms_sheet_create(
      s, name, "joints:word,lines,rms difference,largest difference,random error", &p->compare));
  MS_TRY(ms_allocate(s->ctx, 3 * p->frf.n, sizeof *work, &work));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < p->n_curve && status == MS_SUCCESS; i++) {
    status = compare_curve(s, p, &p->curve[i], work);
  }
  ms_free(s->ctx, &work);
  return status;
}

ms_status ms_frf_judge(ms_study *s, ms_task *task) {
  const ms_frf_product *p = task->product;
  const ms_frf_source *f = &p->source;
  const ms_time_setting time = { .step = f->step, .steps = f->steps, .method = f->method };
  if (!f->simulated) return MS_SUCCESS;
  MS_TRY(ms_steps_judge_pulse(s, task, &time, ms_load_get_scale(f->drive.load).pulse));
  return ms_steps_judge(s, task, &p->quality);
}

ms_status ms_frf_estimate(ms_study *s, const ms_task *task, ms_frf_product *p) {
  ms_status status = MS_SUCCESS;
  if (!p->source.simulated && !p->source.measured) return MS_SUCCESS;
  status = p->source.simulated ? simulate(s, p) : read_records(s, p);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(tabulate(s, task, p));
  return compare(s, task, p);
}
