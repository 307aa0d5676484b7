#include "study/ringdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static ms_status read_time(const ms_study *study, struct fy_node *node, int n_keys,
                           ms_time_setting *out) {
  const ms_yaml *y = &study->yaml;
  *out = (ms_time_setting) { .method = "newmark" };
  MS_TRY(ms_yaml_check_keys(y, node, "time", time_keys, n_keys));
  MS_TRY(ms_yaml_positive(y, ms_yaml_get(node, "step"), "step", &out->step));
  MS_TRY(ms_yaml_count_value(y, ms_yaml_get(node, "steps"), "steps", 1, &out->steps));
  out->step *= study->units.time;
  struct fy_node *method = ms_yaml_get(node, "method");
  if (!method) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(y, method, "method", &out->method));
  if (strcmp(out->method, "newmark") == 0 || strcmp(out->method, "exponential") == 0) {
    return MS_SUCCESS;
  }
  return ms_yaml_fail(y, method, MS_ERR_NAME, "method '%s' is none of newmark, exponential",
                      out->method);
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
  }
  ms_free(study->ctx, &given);
  if (status != MS_SUCCESS) ms_free(study->ctx, mode);
  *n = (int)count;
  return status;
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
