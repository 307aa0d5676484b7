#include "study/ringdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/tape.h"

static double half_sine(void *user, double t) {
  const ms_pulse_run *run = user;
  return run->p * sin(run->omega * t);
}

typedef struct recorder {
  const ms_pulse_run *run;
  double *v; /* v[k + n*channel] */
  ptrdiff_t n, k;
} recorder;

static int record(void *user, const ms_transient *transient) {
  recorder *r = user;
  const double *v;
  ms_transient_get_modal(transient, NULL, &v, NULL);
  for (int c = 0; c < r->run->n_mode; c++) r->v[r->k + r->n * c] = v[r->run->mode[c]];
  r->k++;
  return 0;
}

static ms_status simulate(ms_context *ctx, ms_structure *s, ms_pulse_run *run, recorder *r) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *transient = NULL;
  setting.step = run->step;
  setting.method = run->method;
  MS_TRY(ms_transient_create(s, &setting, &transient));
  double end = acos(-1.0) / run->omega;
  ms_status status = ms_transient_add_load(transient, run->shape, half_sine, run, end);
  if (status == MS_SUCCESS) status = ms_transient_start(transient, 0.0, NULL, NULL);
  if (status == MS_SUCCESS) status = ms_transient_run(transient, run->steps, 1, record, r);
  run->count = ms_transient_get_count(transient);
  run->has_energy = ms_transient_get_energy(transient, &run->energy) == MS_SUCCESS;
  ms_transient_destroy(&transient);
  (void)ctx;
  return status;
}

static ms_status read_decay(ms_context *ctx, ms_pulse_run *run, const recorder *r, int c) {
  ms_signal signal = {
    .x = r->v + r->n * c, .n = r->n, .dt = run->step, .kind = MS_SIGNAL_VELOCITY
  };
  ms_hilbert_settings settings = MS_HILBERT_DEFAULT;
  settings.start = acos(-1.0) / run->omega;
  settings.segments = run->segments[c];
  ms_status status = ms_signal_hilbert(ctx, &signal, &settings, &run->decay[c]);
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  snprintf(run->remark[c], sizeof run->remark[c], "%s", ms_context_message(ctx));
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

ms_status ms_pulse_simulate(ms_context *ctx, ms_structure *structure, ms_pulse_run *run) {
  recorder r = { .run = run, .n = run->steps + 1 };
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->decay, &run->decay));
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->remark, &run->remark));
  MS_TRY(ms_allocate(ctx, r.n * run->n_mode, sizeof *r.v, &r.v));
  ms_status status = simulate(ctx, structure, run, &r);
  for (int c = 0; c < run->n_mode && status == MS_SUCCESS; c++) {
    status = read_decay(ctx, run, &r, c);
  }
  ms_free(ctx, &r.v);
  return status;
}

void ms_pulse_free(ms_context *ctx, ms_pulse_run *run) {
  for (int c = 0; run->decay && c < run->n_mode; c++) ms_decay_free(ctx, &run->decay[c]);
  ms_free(ctx, &run->decay);
  ms_free(ctx, &run->remark);
}

/* ---- the answer as numbers: what a resumed study reads back ---- */

enum { N_HEAD = 12, N_POINT = 7, REMARK_SIZE = sizeof(((ms_pulse_run *)0)->remark[0]) };

static void put_mode(ms_tape *t, const ms_decay *decay, const char *remark) {
  ms_tape_put_one(t, (double)decay->n);
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    const ms_decay_point *d = &decay->point[i];
    const double values[N_POINT] = { d->time,  d->q,    d->velocity, d->acceleration,
                                     d->omega, d->zeta, d->quality };
    ms_tape_put(t, values, N_POINT);
  }
  ms_tape_put_text(t, remark);
}

ptrdiff_t ms_pulse_save(const ms_pulse_run *run, double *values) {
  const ms_transient_energy *e = &run->energy;
  const double head[N_HEAD] = { run->has_energy,
                                e->start,
                                e->input,
                                e->kinetic,
                                e->elastic,
                                e->viscous,
                                e->stored,
                                e->dissipated,
                                e->balance,
                                (double)run->count.steps,
                                (double)run->count.evaluations,
                                run->count.residual };
  ms_tape t = { .values = values };
  ms_tape_put(&t, head, N_HEAD);
  for (int c = 0; c < run->n_mode; c++) put_mode(&t, &run->decay[c], run->remark[c]);
  return t.n;
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
}

static ms_status load_mode(ms_context *ctx, ms_reel *r, ms_decay *decay, char *remark) {
  ptrdiff_t n = ms_reel_take_count(r, N_POINT);
  if (n < 0) return fail_load(ctx);
  if (n > 0) MS_TRY(ms_allocate(ctx, n, sizeof *decay->point, &decay->point));
  for (; decay->n < n; decay->n++) {
    const double *v = ms_reel_take(r, N_POINT);
    decay->point[decay->n] = (ms_decay_point) { .time = v[0],
                                                .q = v[1],
                                                .velocity = v[2],
                                                .acceleration = v[3],
                                                .omega = v[4],
                                                .zeta = v[5],
                                                .quality = v[6] };
  }
  return ms_reel_take_text(r, remark, REMARK_SIZE) ? MS_SUCCESS : fail_load(ctx);
}

static ms_status load_pulse(ms_context *ctx, ms_pulse_run *run, ms_reel *r) {
  const double *v = ms_reel_take(r, N_HEAD);
  if (!v) return fail_load(ctx);
  run->has_energy = v[0] != 0.0;
  run->energy = (ms_transient_energy) { .start = v[1],
                                        .input = v[2],
                                        .kinetic = v[3],
                                        .elastic = v[4],
                                        .viscous = v[5],
                                        .stored = v[6],
                                        .dissipated = v[7],
                                        .balance = v[8] };
  run->count = (ms_transient_count) { .steps = (ptrdiff_t)v[9],
                                      .evaluations = (ptrdiff_t)v[10],
                                      .residual = v[11] };
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->decay, &run->decay));
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->remark, &run->remark));
  for (int c = 0; c < run->n_mode; c++) MS_TRY(load_mode(ctx, r, &run->decay[c], run->remark[c]));
  return r->n == 0 ? MS_SUCCESS : fail_load(ctx);
}

ms_status ms_pulse_load(ms_context *ctx, ms_pulse_run *run, const double *values, ptrdiff_t n) {
  ms_reel r = { .values = values, .n = n };
  ms_status status = load_pulse(ctx, run, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_pulse_free(ctx, run);
  run->has_energy = 0;
  run->energy = (ms_transient_energy) { .start = 0.0 };
  run->count = (ms_transient_count) { .steps = 0 };
  return status;
}

double ms_joint_part(const ms_structure *structure, ptrdiff_t mode, double omega, double zeta) {
  double omega_0 = ms_structure_get_stuck(structure).omega[mode];
  return zeta - ms_structure_get_damping_ratio(structure, mode) * omega_0 / omega;
}

/* ---- options ---- */

static const ms_key time_keys[] = {
  { "step", "number", "time step, s", 1 },
  { "steps", "number", "number of steps", 1 },
  { "method", "word", "newmark (default) or exponential", 0 },
  { "tolerance", "number", "of the error of a step, relative; each is divided as it needs", 0 },
};

ms_status ms_read_method(const ms_study *study, struct fy_node *node, const char **out) {
  *out = "newmark";
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&study->yaml, node, "method", out));
  if (strcmp(*out, "newmark") == 0 || strcmp(*out, "exponential") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&study->yaml, node, MS_ERR_NAME,
                      "method '%s' is none of newmark, exponential", *out);
}

static ms_status read_time(const ms_study *study, struct fy_node *node, int n_keys,
                           ms_time_setting *out) {
  const ms_yaml *y = &study->yaml;
  *out = (ms_time_setting) { .step = 0.0 };
  MS_TRY(ms_yaml_check_keys(y, node, "time", time_keys, n_keys));
  MS_TRY(ms_yaml_positive(y, ms_yaml_get(node, "step"), "step", &out->step));
  MS_TRY(ms_yaml_count_value(y, ms_yaml_get(node, "steps"), "steps", 1, &out->steps));
  out->step *= study->units.time;
  return ms_read_method(study, ms_yaml_get(node, "method"), &out->method);
}

ms_status ms_read_time(const ms_study *study, struct fy_node *node, ms_time_setting *out) {
  return read_time(study, node, 3, out);
}

ms_status ms_read_adaptive_time(const ms_study *study, struct fy_node *node, ms_time_setting *out) {
  MS_TRY(read_time(study, node, 4, out));
  struct fy_node *tolerance = ms_yaml_get(node, "tolerance");
  if (!tolerance) return MS_SUCCESS;
  MS_TRY(ms_yaml_positive(&study->yaml, tolerance, "tolerance", &out->tolerance));
  if (out->tolerance < 1.0) return MS_SUCCESS;
  return ms_yaml_fail(&study->yaml, tolerance, MS_ERR_BOUNDS, "tolerance must be below 1, not %g",
                      out->tolerance);
}

ms_status ms_read_modes(const ms_study *study, struct fy_node *node, int **mode, int *n) {
  const ms_yaml *y = &study->yaml;
  ptrdiff_t size = ms_structure_get_size(study->structure), count = size;
  double *given = NULL;
  *mode = NULL;
  if (node) MS_TRY(ms_yaml_numbers(y, node, "modes", &given, &count));
  ms_status status = ms_allocate(study->ctx, count, sizeof **mode, mode);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < count; i++) {
    double r = given ? given[i] : (double)(i + 1);
    if (r < 1.0 || r > (double)size || r != floor(r)) {
      status =
          ms_yaml_fail(y, node, MS_ERR_BOUNDS, "there is no mode %g; modes are 1 to %td", r, size);
      break;
    }
    (*mode)[i] = (int)r - 1;
    for (ptrdiff_t k = 0; k < i && status == MS_SUCCESS; k++) {
      if ((*mode)[k] != (*mode)[i]) continue;
      status = ms_yaml_fail(y, node, MS_ERR_NAME, "modes name mode %g twice", r);
    }
  }
  ms_free(study->ctx, &given);
  if (status != MS_SUCCESS) ms_free(study->ctx, mode);
  *n = (int)count;
  return status;
}

ms_status ms_check_mode_keys(const ms_study *study, struct fy_node *mapping, const char *what,
                             const int *mode, int n) {
  void *at = NULL;
  if (!ms_yaml_is_mapping(mapping)) return MS_SUCCESS;
  for (struct fy_node *key; ms_yaml_next_pair(mapping, &at, &key);) {
    ptrdiff_t number;
    int known = 0;
    MS_TRY(ms_yaml_count_value(&study->yaml, key, "a mode", 1, &number));
    for (int i = 0; i < n; i++) known |= mode[i] == number - 1;
    if (known) continue;
    return ms_yaml_fail(&study->yaml, key, MS_ERR_NAME, "%s for mode %td, which is not looked at",
                        what, number);
  }
  return MS_SUCCESS;
}

ms_status ms_read_segments(const ms_study *study, struct fy_node *node, const int *mode, int n,
                           ptrdiff_t **out) {
  const ms_yaml *y = &study->yaml;
  MS_TRY(ms_allocate(study->ctx, n, sizeof **out, out));
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < n && status == MS_SUCCESS; i++) {
    char key[16];
    struct fy_node *value = node;
    snprintf(key, sizeof key, "%d", mode[i] + 1);
    if (ms_yaml_is_mapping(node)) value = ms_yaml_get(node, key);
    (*out)[i] = mode[i] == 0 ? 40 : 100;
    if (value) status = ms_yaml_count_value(y, value, "segments", 4, &(*out)[i]);
  }
  if (status != MS_SUCCESS) ms_free(study->ctx, out);
  return status;
}
