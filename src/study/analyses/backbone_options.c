/* Options of `backbone`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "structure/impl.h"
#include "study/analyses/backbone.h"
#include "study/loads.h"

#define MS_BACKBONE(name) extern const ms_backbone_method ms_backbone_##name;
#include "study/analyses/backbone_methods.def"
#undef MS_BACKBONE

static const ms_backbone_method *const methods[] = {
#define MS_BACKBONE(name) &ms_backbone_##name,
#include "study/analyses/backbone_methods.def"
#undef MS_BACKBONE
};

enum { N_METHODS = sizeof methods / sizeof *methods, POINTS = 40, MOST_HARMONICS = 1000 };

#define LOWEST  1e-3 /* default amplitudes, of that at which a joint slips altogether */
#define HIGHEST 10.0

const ms_param ms_backbone_keys[MS_BACKBONE_KEYS] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("modes", "list", "mode numbers; all that are elastic if absent", 0),
  MS_KEY("methods", "list", "qsma, rqnm, epmc, ...; [qsma, epmc]", 0),
  MS_KEY("amplitudes", "list or mapping", "|q|: {from, to, points}, a list, or mode: one of these",
         0),
  MS_KEY("sensor", "word",
         "coordinate of the amplitudes beside modal ones; where a mode moves most", 0),
  MS_KEY("reference", "word", "the method that the others are compared with; epmc if it is there",
         0),
  MS_KEY("harmonics", "number", "of harmonic balance; 7", 0),
  MS_KEY("times", "number", "time points over a period; 512", 0),
  MS_KEY("tolerance", "number", "residual at which harmonic balance accepts a point; 1e-10", 0),
  MS_KEY("sensitivities", "true", "derivatives by the joints' parameters, by qsma", 0),
  MS_KEY("preload", "mapping", "coordinate: force; for qsma, epmc and stepped_sine", 0),
  MS_KEY("at", "word, list or mapping", "what stepped_sine pushes; M phi of the mode", 0),
  MS_KEY("from", "word", "the modal_ringdown or shock that is read; the last modal_ringdown", 0),
  MS_KEY("sweeps", "list", "the analyses sweep that are read; all before this one", 0),
};

static const ms_param amplitude_keys[] = {
  MS_KEY("from", "number", "smallest |q|", 1),
  MS_KEY("to", "number", "largest |q|", 1),
  MS_KEY("points", "number", "how many, evenly in the logarithm; 40", 0),
};

int ms_backbone_has(const ms_backbone *b, const char *method) {
  for (int i = 0; i < b->n_method; i++) {
    if (strcmp(b->method[i]->name, method) == 0) return 1;
  }
  return 0;
}

/* ---- methods ---- */

static ms_status find_method(const ms_study *s, struct fy_node *node,
                             const ms_backbone_method **out) {
  const char *name;
  char all[256] = "";
  size_t at = 0;
  MS_TRY(ms_yaml_text(&s->yaml, node, "a method", &name));
  for (int i = 0; i < N_METHODS; i++) {
    if (strcmp(methods[i]->name, name) == 0) {
      *out = methods[i];
      return MS_SUCCESS;
    }
    int n = snprintf(all + at, sizeof all - at, "%s%s", i ? ", " : "", methods[i]->name);
    at += n > 0 && (size_t)n < sizeof all - at ? (size_t)n : 0;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "method '%.40s' is none of %s", name, all);
}

static ms_status add_method(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  const ms_backbone_method *method;
  MS_TRY(find_method(s, node, &method));
  if (ms_backbone_has(b, method->name)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "methods name %s twice", method->name);
  }
  b->method[b->n_method++] = method;
  return MS_SUCCESS;
}

static ms_status read_methods(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  void *at = NULL;
  MS_TRY(ms_allocate(s->ctx, N_METHODS, sizeof *b->method, &b->method));
  if (!node) {
    b->method[b->n_method++] = &ms_backbone_qsma;
    b->method[b->n_method++] = &ms_backbone_epmc;
    return MS_SUCCESS;
  }
  if (!ms_yaml_is_sequence(node)) return add_method(s, node, b);
  for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) MS_TRY(add_method(s, item, b));
  if (b->n_method > 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "methods must name at least one");
}

static ms_status read_reference(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  static const ms_backbone_method *const first[] = { &ms_backbone_epmc, &ms_backbone_qsma };
  b->reference = b->method[0];
  for (int i = 1; i >= 0; i--) {
    if (ms_backbone_has(b, first[i]->name)) b->reference = first[i];
  }
  if (!node) return MS_SUCCESS;
  MS_TRY(find_method(s, node, &b->reference));
  if (ms_backbone_has(b, b->reference->name)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "reference %s is not among the methods",
                      b->reference->name);
}

/* ---- modes and amplitudes ---- */

/* Rigid-body modes have no frequency: named they are refused, else left out. A preload may close
   what holds one: qsma tells. */
static ms_status read_modes(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  const int told = b->preload && b->n_method == 1 && b->method[0] == &ms_backbone_qsma;
  int all, n = 0;
  MS_TRY(ms_read_modes(s, node, &b->mode, &all));
  for (int i = 0; i < all; i++) {
    if (omega[b->mode[i]] > 0.0 || (node && told)) {
      b->mode[n++] = b->mode[i];
    } else if (node) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                          "mode %d is a rigid-body mode: it has no frequency", b->mode[i] + 1);
    }
  }
  b->n_mode = n;
  return MS_SUCCESS;
}

/* The amplitude at which the first joint has slipped altogether if the mode kept its shape,
   z = gamma q; HUGE_VAL if no joint ever does. */
static double find_slip(const ms_structure *structure, int mode) {
  ms_modal m = ms_structure_view(structure);
  double q = HUGE_VAL;
  for (int k = 0; k < m.n_seat; k++) {
    double scale = ms_joint_slip_scale(m.seat[k].joint), largest = 0.0;
    for (int a = 0; a < ms_joint_info(m.seat[k].joint)->n_axis; a++) {
      largest = fmax(largest, fabs(m.gamma[mode + m.m * (m.seat[k].first + a)]));
    }
    if (scale > 0.0 && largest > 0.0) q = fmin(q, scale / largest);
  }
  return q;
}

static ms_status space(const ms_study *s, double from, double to, ptrdiff_t n, double **out) {
  MS_TRY(ms_allocate(s->ctx, n, sizeof **out, out));
  return ms_quasistatic_space(s->ctx, from, to, n, *out);
}

static ms_status read_range(const ms_study *s, struct fy_node *node, double **out, ptrdiff_t *n) {
  const double unit = s->units.length * sqrt(s->units.mass);
  struct fy_node *points = ms_yaml_get(node, "points"), *upper = ms_yaml_get(node, "to");
  double from, to;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "amplitudes", amplitude_keys, 3));
  MS_TRY(ms_yaml_positive(&s->yaml, ms_yaml_get(node, "from"), "from", &from));
  MS_TRY(ms_yaml_positive(&s->yaml, upper, "to", &to));
  *n = POINTS;
  if (points) MS_TRY(ms_yaml_count_value(&s->yaml, points, "points", 2, n));
  if (!(to > from)) {
    return ms_yaml_fail(&s->yaml, upper, MS_ERR_BOUNDS, "to must be above from, %g", from);
  }
  return space(s, from * unit, to * unit, *n, out);
}

static ms_status read_list(const ms_study *s, struct fy_node *node, double **out, ptrdiff_t *n) {
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "amplitudes", out, n));
  for (ptrdiff_t i = 0; i < *n; i++) {
    double before = i > 0 ? (*out)[i - 1] : 0.0, unit = s->units.length * sqrt(s->units.mass);
    (*out)[i] *= unit;
    if ((*out)[i] > before) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "amplitudes must be > 0 and rise");
  }
  if (*n > 1) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "a curve needs two amplitudes at least");
}

static ms_status guess_range(const ms_study *s, const ms_task *task, struct fy_node *node, int mode,
                             double **out, ptrdiff_t *n) {
  double slip = find_slip(s->structure, mode);
  *n = POINTS;
  if (slip < HUGE_VAL) return space(s, LOWEST * slip, HIGHEST * slip, *n, out);
  return ms_yaml_fail(&s->yaml, node ? node : task->key, MS_ERR_NAME,
                      "no joint says at which amplitude mode %d slips; give amplitudes: {from, to}",
                      mode + 1);
}

static ms_status read_amplitudes(const ms_study *s, const ms_task *task, ms_backbone *b) {
  struct fy_node *node = ms_yaml_get(task->node, "amplitudes");
  int by_mode = ms_yaml_is_mapping(node) && !ms_yaml_get(node, "from") && !ms_yaml_get(node, "to");
  MS_TRY(ms_allocate(s->ctx, b->n_mode, sizeof *b->level, &b->level));
  MS_TRY(ms_allocate(s->ctx, b->n_mode, sizeof *b->n_level, &b->n_level));
  MS_TRY(ms_allocate(s->ctx, b->n_mode, sizeof *b->guessed, &b->guessed));
  if (by_mode) MS_TRY(ms_check_mode_keys(s, node, "amplitudes", b->mode, b->n_mode));
  for (int i = 0; i < b->n_mode; i++) {
    char key[16];
    struct fy_node *of = node;
    snprintf(key, sizeof key, "%d", b->mode[i] + 1);
    if (by_mode) of = ms_yaml_get(node, key);
    b->guessed[i] = !of;
    if (!of) {
      MS_TRY(guess_range(s, task, node, b->mode[i], &b->level[i], &b->n_level[i]));
    } else if (ms_yaml_is_mapping(of)) {
      MS_TRY(read_range(s, of, &b->level[i], &b->n_level[i]));
    } else {
      MS_TRY(read_list(s, of, &b->level[i], &b->n_level[i]));
    }
  }
  return MS_SUCCESS;
}

/* ---- the rest ---- */

static ms_status read_harmonic(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  static const ms_harmonic_setting usual = MS_HARMONIC_DEFAULT;
  struct fy_node *H = ms_yaml_get(node, "harmonics"), *N = ms_yaml_get(node, "times");
  struct fy_node *tolerance = ms_yaml_get(node, "tolerance");
  ptrdiff_t harmonics = usual.harmonics;
  b->harmonic = usual;
  b->harmonic.times = 512;
  b->harmonic.stability_modes = 0; /* no table has it */
  if (H) MS_TRY(ms_yaml_count_value(&s->yaml, H, "harmonics", 1, &harmonics));
  if (harmonics > MOST_HARMONICS) {
    return ms_yaml_fail(&s->yaml, H, MS_ERR_BOUNDS, "harmonics must be at most %d", MOST_HARMONICS);
  }
  b->harmonic.harmonics = (int)harmonics;
  if (N) MS_TRY(ms_yaml_count_value(&s->yaml, N, "times", 1, &b->harmonic.times));
  if (b->harmonic.times < 4 * harmonics + 4) {
    return ms_yaml_fail(&s->yaml, N ? N : H, MS_ERR_BOUNDS,
                        "%td time points are too few for %td harmonics; at least %td are needed",
                        b->harmonic.times, harmonics, 4 * harmonics + 4);
  }
  if (!tolerance) return MS_SUCCESS;
  MS_TRY(ms_yaml_positive(&s->yaml, tolerance, "tolerance", &b->harmonic.tolerance));
  if (b->harmonic.tolerance < 1.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, tolerance, MS_ERR_BOUNDS, "tolerance must be below 1, not %g",
                      b->harmonic.tolerance);
}

static ms_status read_sensitivities(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  if (!node) return MS_SUCCESS;
  b->sensitivities = ms_yaml_is_word(node, "true");
  if (!b->sensitivities) {
    if (ms_yaml_is_word(node, "false")) return MS_SUCCESS;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "sensitivities must be true or false");
  }
  if (ms_backbone_has(b, "qsma")) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "sensitivities are qsma's; add it to methods");
}

static ms_status read_forces(const ms_study *s, const ms_task *task, ms_backbone *b) {
  struct fy_node *preload = ms_yaml_get(task->node, "preload"), *at = ms_yaml_get(task->node, "at");
  ptrdiff_t n = ms_structure_get_size(s->structure);
  int moment;
  if (preload && !ms_yaml_is_mapping(preload)) {
    return ms_yaml_fail(&s->yaml, preload, MS_ERR_FORMAT, "preload must be {coordinate: value}");
  }
  for (int i = 0; preload && i < b->n_method; i++) {
    if (b->method[i]->preload) continue;
    return ms_yaml_fail(&s->yaml, preload, MS_ERR_NAME, "method %s knows no preload",
                        b->method[i]->name);
  }
  if (preload) {
    MS_TRY(ms_allocate(s->ctx, n, sizeof *b->preload, &b->preload));
    MS_TRY(ms_read_forces(s, preload, b->preload));
  }
  if (!at) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *b->push, &b->push));
  return ms_read_at(s, at, b->push, &moment);
}

ms_status ms_backbone_check(ms_study *s, ms_task *task) {
  static const ms_quasistatic_setting usual = MS_QUASISTATIC_DEFAULT;
  struct fy_node *node = task->node;
  ms_backbone *b;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *b, &b));
  task->product = b;
  b->quasistatic = usual;
  MS_TRY(read_methods(s, ms_yaml_get(node, "methods"), b));
  MS_TRY(read_reference(s, ms_yaml_get(node, "reference"), b));
  MS_TRY(ms_curves_read_sensor(s, ms_yaml_get(node, "sensor"), &b->sensor));
  MS_TRY(read_harmonic(s, node, b));
  MS_TRY(read_sensitivities(s, ms_yaml_get(node, "sensitivities"), b));
  MS_TRY(read_forces(s, task, b));
  MS_TRY(read_modes(s, ms_yaml_get(node, "modes"), b));
  MS_TRY(read_amplitudes(s, task, b)); /* before what may take its time */
  for (int i = 0; i < b->n_method; i++) {
    if (b->method[i]->check) MS_TRY(b->method[i]->check(s, task, b));
  }
  return MS_SUCCESS;
}
