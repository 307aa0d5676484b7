/* frf: linear frequency response from the modes, with joints stuck, slipped or as stiff as they are
   at an amplitude; and beside it what a random or hammer test gives, simulated or measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "structure/impl.h"
#include "study/analyses/frf_product.h"

#define POINTS 800

static const ms_key keys[] = {
  { "name", "word", "of this analysis", 0 },
  { "at", "word, list or mapping", "coordinate that is pushed, or {coordinate: weight}", 0 },
  { "base", "word, list or mapping", "or acceleration of the ground: x, y, z, true, these", 0 },
  { "sensor", "word", "coordinate whose motion is asked for", 1 },
  { "quantity", "word", "receptance, mobility, accelerance (default) or transmissibility", 0 },
  { "range", "list", "[low, high] in Hz", 1 },
  { "points", "number", "of a curve; 800", 0 },
  { "joints", "list", "stuck, slipped; both if absent and there are joints", 0 },
  { "mode", "number", "of the amplitudes", 0 },
  { "amplitudes", "list", "modal amplitudes |q| at which the joints are taken", 0 },
  { "test", "mapping", "a test in time, simulated", 0 },
  { "measured", "mapping", "records of a test", 0 },
  { "variants", "mapping", "path in the file: [numbers]; the curves with these in their places",
    0 },
};

enum { N_KEYS = sizeof keys / sizeof *keys };

void ms_frf_free_curves(ms_context *ctx, ms_frf_curve **curve, ptrdiff_t n) {
  for (ptrdiff_t i = 0; *curve && i < n; i++) {
    ms_free(ctx, &(*curve)[i].linear);
    ms_free(ctx, &(*curve)[i].H);
  }
  ms_free(ctx, curve);
}

static void close_product(ms_study *s, ms_task *task) {
  ms_frf_product *p = task->product;
  ms_frf_free_variants(s->ctx, p);
  ms_frf_free_curves(s->ctx, &p->curve, p->n_curve);
  ms_free(s->ctx, &p->omega);
  ms_free(s->ctx, &p->sensor);
  ms_frf_free(s->ctx, &p->frf);
  ms_frf_free_source(s->ctx, &p->source);
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_place(ms_study *s, const ms_task *task, ms_frf_product *p) {
  struct fy_node *at = ms_yaml_get(task->node, "at"), *base = ms_yaml_get(task->node, "base");
  if (!at == !base) {
    return ms_yaml_fail(&s->yaml, at ? base : task->key, MS_ERR_FORMAT,
                        "a frequency response needs one of at (force) and base (acceleration)");
  }
  p->load.name = task->name;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->load.shape,
                     &p->load.shape));
  if (at) return ms_read_at(s, at, p->load.shape, &p->load.moment);
  return ms_read_base(s, base, &p->load);
}

static ms_status read_sensor(ms_study *s, struct fy_node *node, ms_frf_product *p) {
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, node, "sensor", &name));
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->sensor, &p->sensor));
  MS_TRY(ms_read_weights(s, node, "a sensor", 1.0, 1.0, p->sensor));
  MS_TRY(ms_structure_find(s->structure, name, &p->at));
  p->follow = p->load.iota ? p->load.iota[p->at] : 0.0;
  return MS_SUCCESS;
}

static ms_status read_quantity(const ms_study *s, struct fy_node *node, ms_frf_product *p) {
  const char *word;
  p->kind = MS_ACCELERANCE;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, "quantity", &word));
  ms_status status = ms_response_parse_kind(s->ctx, word, &p->kind);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, node, status);
  if (p->kind != MS_TRANSMISSIBILITY || p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                      "transmissibility is that of a moving base: give base in place of at");
}

static ms_status read_range(const ms_study *s, struct fy_node *options, ms_frf_product *p) {
  struct fy_node *node = ms_yaml_get(options, "range"), *points = ms_yaml_get(options, "points");
  double *range;
  ptrdiff_t n;
  p->n_omega = POINTS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "range", &range, &n));
  p->low = range[0];
  p->high = n > 1 ? range[1] : 0.0;
  ms_free(s->ctx, &range);
  if (n != 2 || !(p->low >= 0.0 && p->high > p->low)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "range is [low, high] in Hz with 0 <= low < high, e.g. [5, 200]");
  }
  if (points) MS_TRY(ms_yaml_count_value(&s->yaml, points, "points", 2, &p->n_omega));
  MS_TRY(ms_allocate(s->ctx, p->n_omega, sizeof *p->omega, &p->omega));
  for (ptrdiff_t k = 0; k < p->n_omega; k++) {
    double part = (double)k / (double)(p->n_omega - 1);
    p->omega[k] = 2.0 * acos(-1.0) * (p->low + part * (p->high - p->low));
  }
  return MS_SUCCESS;
}

static ms_status read_states(const ms_study *s, struct fy_node *node, ms_frf_product *p) {
  void *at = NULL;
  ptrdiff_t n = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 1;
  for (ptrdiff_t i = 0; i < n; i++) {
    struct fy_node *item = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    const char *word;
    MS_TRY(ms_yaml_text(&s->yaml, item, "joints", &word));
    int slipped = strcmp(word, "slipped") == 0;
    if (i > 1 || (!slipped && strcmp(word, "stuck") != 0)) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME,
                          "joints are stuck, slipped or both, not '%s'", word);
    }
    ms_frf_curve *c = &p->curve[p->n_curve++];
    c->joints = slipped ? MS_JOINTS_SLIPPED : MS_JOINTS_STUCK;
    snprintf(c->label, sizeof c->label, "%s", word);
  }
  return MS_SUCCESS;
}

static void default_states(const ms_study *s, ms_frf_product *p) {
  p->n_curve = ms_structure_count_joints(s->structure) > 0 ? 2 : 1;
  snprintf(p->curve[0].label, sizeof p->curve[0].label, "stuck");
  if (p->n_curve == 1) return;
  snprintf(p->curve[1].label, sizeof p->curve[1].label, "slipped");
  p->curve[1].joints = MS_JOINTS_SLIPPED;
}

/* The joints move by what the stuck mode's shape says. */
static ms_status linearise(const ms_study *s, ptrdiff_t mode, double q, ms_frf_curve *c) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  int n = ms_structure_count_joints(s->structure);
  ms_modal modal = ms_structure_view(s->structure);
  double *z;
  snprintf(c->label, sizeof c->label, "q = %g", q);
  c->joints = MS_JOINTS_GIVEN;
  MS_TRY(ms_allocate(s->ctx, n + 1, sizeof *c->linear, &c->linear));
  MS_TRY(ms_allocate(s->ctx, n + 1, sizeof *z, &z));
  for (int j = 0; j < n; j++) {
    z[j] = q * fabs(modal.gamma[mode - 1 + modal.m * modal.seat[j].first]);
  }
  ms_status status = ms_response_linearise(s->structure, z, stuck.omega[mode - 1], c->linear);
  ms_free(s->ctx, &z);
  return status;
}

static ms_status read_amplitudes(const ms_study *s, struct fy_node *options, struct fy_node *node,
                                 const double *q, ptrdiff_t n, ms_frf_product *p) {
  struct fy_node *number = ms_yaml_get(options, "mode");
  ptrdiff_t mode, size = ms_structure_get_size(s->structure);
  double unit = s->units.length * sqrt(s->units.mass);
  MS_TRY(ms_study_refuse_curved(s, node, "a linear joint at an amplitude"));
  if (!number) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "amplitudes are those of a mode: give mode");
  }
  MS_TRY(ms_yaml_count_value(&s->yaml, number, "mode", 1, &mode));
  if (mode > size) {
    return ms_yaml_fail(&s->yaml, number, MS_ERR_BOUNDS, "there is no mode %td; modes are 1 to %td",
                        mode, size);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(q[i] > 0.0)) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "amplitude %g must be > 0", q[i]);
    }
    ms_status status = linearise(s, mode, q[i] * unit, &p->curve[p->n_curve++]);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, node, status);
  }
  return MS_SUCCESS;
}

static ms_status read_states_and_amplitudes(const ms_study *s, struct fy_node *options,
                                            ms_frf_product *p) {
  struct fy_node *joints = ms_yaml_get(options, "joints");
  struct fy_node *node = ms_yaml_get(options, "amplitudes");
  double *q = NULL;
  ptrdiff_t n = 0;
  if (node) MS_TRY(ms_yaml_numbers(&s->yaml, node, "amplitudes", &q, &n));
  ms_status status = ms_allocate(s->ctx, n + 2, sizeof *p->curve, &p->curve);
  if (status == MS_SUCCESS && joints) status = read_states(s, joints, p);
  if (status == MS_SUCCESS && !joints) default_states(s, p);
  if (status == MS_SUCCESS && node) status = read_amplitudes(s, options, node, q, n, p);
  ms_free(s->ctx, &q);
  return status;
}

ms_status ms_frf_read_curves(ms_study *s, const ms_task *task, ms_frf_product *p) {
  MS_TRY(read_place(s, task, p));
  MS_TRY(read_sensor(s, ms_yaml_get(task->node, "sensor"), p));
  return read_states_and_amplitudes(s, task->node, p);
}

static ms_status check(ms_study *s, ms_task *task) {
  struct fy_node *node = task->node;
  ms_frf_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node ? node : task->key, task->name, keys, N_KEYS));
  MS_TRY(ms_frf_read_curves(s, task, p));
  MS_TRY(read_quantity(s, ms_yaml_get(node, "quantity"), p));
  MS_TRY(read_range(s, node, p));
  MS_TRY(ms_frf_read_source(s, node, p));
  return ms_frf_read_variants(s, node, p);
}

/* ---- the run ---- */

ms_status ms_frf_evaluate(const ms_study *s, const ms_frf_product *p, const ms_frf_curve *curve,
                          ptrdiff_t n, const double *omega, double *H) {
  ms_response_request request = { .kind = p->kind,
                                  .force = p->load.shape,
                                  .base = p->load.iota,
                                  .sensor = p->sensor,
                                  .joints = curve->joints,
                                  .linear = curve->linear };
  return ms_response_synthesise(s->structure, &request, n, omega, H);
}

void ms_frf_point(const ms_frf_product *p, const ms_frf_curve *c, ptrdiff_t k, double *row) {
  double re = c->H[2 * k], im = c->H[2 * k + 1];
  row[0] = p->omega[k] / (2.0 * acos(-1.0));
  row[1] = re;
  row[2] = im;
  row[3] = hypot(re, im);
  row[4] = atan2(im, re) * 180.0 / acos(-1.0);
}

static ms_status tabulate(ms_study *s, const ms_task *task, ms_frf_product *p) {
  MS_TRY(ms_sheet_create(s, task->name, "joints:word," MS_FRF_COLUMNS, &p->table));
  for (ptrdiff_t i = 0; i < p->n_curve; i++) {
    const char *word = p->curve[i].label;
    for (ptrdiff_t k = 0; k < p->n_omega; k++) {
      double row[MS_FRF_NUMBERS];
      ms_frf_point(p, &p->curve[i], k, row);
      MS_TRY(ms_sheet_add_cells(s->ctx, p->table, row, &word));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_frf_run_curves(const ms_study *s, const ms_task *task, ms_frf_product *p) {
  for (ptrdiff_t i = 0; i < p->n_curve; i++) {
    ms_frf_curve *c = &p->curve[i];
    MS_TRY(ms_allocate(s->ctx, 2 * p->n_omega, sizeof *c->H, &c->H));
    ms_status status = ms_frf_evaluate(s, p, c, p->n_omega, p->omega, c->H);
    if (status != MS_SUCCESS)
      return ms_fail_at(s->ctx, status, "%s: joints %s", task->name, c->label);
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_frf_product *p = task->product;
  MS_TRY(ms_frf_run_curves(s, task, p));
  MS_TRY(tabulate(s, task, p));
  MS_TRY(ms_frf_estimate(s, task, p));
  if (p->source.simulated) {
    const double until = p->source.step * (double)p->source.steps;
    MS_TRY(ms_load_judge(s, task, &p->source.drive, until));
  }
  return ms_frf_run_variants(s, task, p);
}

/* The other processes have a part in variants of finite elements. */
static ms_status help(ms_study *s, ms_task *task) {
  const ms_frf_product *p = task->product;
  return p->variants.reduces ? ms_variants_visit(s, task->name, &p->variants, NULL, NULL)
                             : MS_SUCCESS;
}

const ms_analysis ms_analysis_frf = {
  .name = "frf",
  .meaning =
      "Linear frequency response between a load and a sensor, from the modes with every joint "
      "stuck, slipped, or as stiff and lossy as it is at an amplitude; and over it the response "
      "that a test gives, simulated in time or measured.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = ms_frf_judge,
  .help = help,
  .summarise = ms_frf_summarise,
  .report = ms_frf_report,
  .close = close_product,
};
