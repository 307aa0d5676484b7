/* Options of `backbone`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/file/shared_keys.h"
#include "study/model/loads.h"

enum { POINTS = 40 };

/* "|qsma|rqnm|..." */
static const char method_names[] =
#define MS_BACKBONE(name) "|" #name
#include "experiment/backbone_methods.def"
#undef MS_BACKBONE
    ;

#define METHODS (method_names + 1)

typedef struct options {
  struct fy_node *modes, *amplitudes, *sensor, *preload, *at, *from, *sweeps;
  ms_chosen methods;
  int reference, sensitivities;
  ptrdiff_t harmonics, times;
  double tolerance;
} options;

typedef struct range {
  double from, to;
  ptrdiff_t points;
} range;

#define RANGE_ROWS                                                                       \
  MS_NUMBER(range, from, "m sqrt(kg)", MS_POSITIVE, MS_REQUIRED, "smallest amplitude"),  \
      MS_NUMBER(range, to, "m sqrt(kg)", MS_POSITIVE, MS_REQUIRED, "largest amplitude"), \
      MS_COUNT(range, points, MS_FROM(2), MS_DEFAULT(POINTS), "how many, evenly in the logarithm")

static const ms_param range_keys[] = { RANGE_ROWS };
static const ms_param_list range_list = MS_LIST_OF(range_keys);

/* For help and manual. */
static const ms_param amplitude_keys[] = {
  RANGE_ROWS,
  { .name = "MODE",
    .kind = MS_PARAM_FORMS,
    .forms = "list or mapping",
    .keys = &range_list,
    .meaning = "or a mode by its number: its own amplitudes" },
};
static const ms_param_list amplitude_list = MS_LIST_OF(amplitude_keys);

#define BELOW_ONE .lower = 0.0, .upper = 1.0, .open = 3

const ms_param ms_backbone_keys[MS_BACKBONE_KEYS] = {
  MS_KEY_NAME,
  MS_ROW_MODES(options, MS_ELSE("all that are elastic")),
  MS_CHOICES(options, methods, METHODS, MS_ELSE("qsma, epmc"), "methods that are compared"),
  MS_FORMS_WITH(
      options, amplitudes, "list or mapping", amplitude_list,
      MS_ELSE("from 1/1000 to 10 times that at which the first joint slips altogether"),
      "modal amplitudes, length sqrt(mass): a rising list, a range, or these for each mode"),
  MS_ROW_SENSOR(options),
  MS_CHOICE(options, reference, METHODS, MS_ELSE("epmc, or qsma, or the first"),
            "the method that the others are compared with"),
  MS_COUNT(options, harmonics, MS_WITHIN(1, 1000), MS_DEFAULT(7),
           "number of harmonics of epmc and stepped_sine"),
  MS_COUNT(options, times, MS_FROM(8), MS_DEFAULT(512),
           "time points of a period, at least 4 harmonics + 4"),
  MS_NUMBER(options, tolerance, NULL, BELOW_ONE, MS_DEFAULT(1e-10),
            "residual over size of the motion at which harmonic balance accepts a point"),
  MS_FLAG(options, sensitivities, MS_DEFAULT(0),
          "with qsma: derivatives of omega and zeta by every parameter of every joint"),
  MS_FORMS(options, preload, "mapping", MS_ELSE("none"),
           "{degree of freedom: force} that acts all the time; for qsma, epmc and stepped_sine"),
  MS_FORMS(options, at, "word, list or mapping", MS_ELSE("M phi of the mode"),
           "force of stepped_sine: on a degree of freedom, on several, or on each with a weight"),
  MS_FORMS(options, from, "word", MS_ELSE("the last modal_ringdown"),
           "for ringdown_hilbert and ringdown_stft: the modal_ringdown or shock that is read"),
  MS_FORMS(options, sweeps, "word or list", MS_ELSE("all before this one"),
           "for sweep: names of the analyses that are read"),
};

/* ---- methods ---- */

static const ms_backbone_method *find_method(const ms_backbone *b, const char *name) {
  for (int i = 0; i < b->n_method; i++) {
    if (strcmp(b->method[i]->name, name) == 0) return b->method[i];
  }
  return NULL;
}

int ms_backbone_has(const ms_backbone *b, const char *method) {
  return find_method(b, method) != NULL;
}

static ms_status choose_methods(const ms_study *s, const ms_chosen *chosen, ms_backbone *b) {
  const ms_backbone_method *m;
  MS_TRY(ms_allocate(s->ctx, chosen->n > 2 ? chosen->n : 2, sizeof *b->method, &b->method));
  for (int i = 0; i < chosen->n; i++) {
    b->method[b->n_method++] = ms_backbone_get_method(chosen->index[i]);
  }
  for (int i = 0; chosen->n == 0 && (m = ms_backbone_get_method(i)); i++) {
    if (strcmp(m->name, "qsma") == 0 || strcmp(m->name, "epmc") == 0) b->method[b->n_method++] = m;
  }
  return MS_SUCCESS;
}

static ms_status choose_reference(const ms_study *s, struct fy_node *node, int chosen,
                                  ms_backbone *b) {
  const ms_backbone_method *epmc = find_method(b, "epmc"), *qsma = find_method(b, "qsma");
  b->reference = epmc ? epmc : qsma ? qsma : b->method[0];
  if (chosen < 0) return MS_SUCCESS;
  b->reference = ms_backbone_get_method(chosen);
  if (ms_backbone_has(b, b->reference->name)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "reference %s is not among the methods",
                      b->reference->name);
}

/* ---- modes and amplitudes ---- */

/* Rigid-body modes have no frequency: named they are refused, else left out. A preload may close
   what holds one: qsma tells. */
static ms_status read_modes(const ms_study *s, struct fy_node *node, ms_backbone *b) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  const int told = b->preload && b->n_method == 1 && ms_backbone_has(b, "qsma");
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

static ms_status space(const ms_study *s, double from, double to, ptrdiff_t n, double **out) {
  MS_TRY(ms_allocate(s->ctx, n, sizeof **out, out));
  return ms_quasistatic_space(s->ctx, from, to, n, *out);
}

static ms_status read_range(const ms_study *s, struct fy_node *node, double **out, ptrdiff_t *n) {
  range o = { 0 };
  MS_TRY(ms_options_read(s, node, node, "amplitudes", range_keys, range_list.n, &o));
  *n = o.points;
  if (o.to > o.from) return space(s, o.from, o.to, *n, out);
  return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "to"), MS_ERR_BOUNDS, "to must be above from");
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
  double from, to;
  *n = POINTS;
  if (ms_backbone_find_range(s->structure, mode, &from, &to)) return space(s, from, to, *n, out);
  return ms_yaml_fail(&s->yaml, node ? node : task->key, MS_ERR_NAME,
                      "no joint says at which amplitude mode %d slips; give amplitudes: {from, to}",
                      mode + 1);
}

static ms_status read_amplitudes(const ms_study *s, const ms_task *task, struct fy_node *node,
                                 ms_backbone *b) {
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

static ms_status use_harmonic(const ms_study *s, struct fy_node *node, const options *o,
                              ms_harmonic_setting *out) {
  struct fy_node *H = ms_yaml_get(node, "harmonics"), *N = ms_yaml_get(node, "times");
  out->harmonics = (int)o->harmonics;
  out->times = o->times;
  out->tolerance = o->tolerance;
  if (o->times >= 4 * o->harmonics + 4) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, N ? N : H, MS_ERR_BOUNDS,
                      "%td time points are too few for %td harmonics; at least %td are needed",
                      o->times, o->harmonics, 4 * o->harmonics + 4);
}

static ms_status check_sensitivities(const ms_study *s, struct fy_node *node,
                                     const ms_backbone *b) {
  if (!b->setting.sensitivities || ms_backbone_has(b, "qsma")) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "sensitivities are qsma's; add it to methods");
}

static ms_status read_preload(const ms_study *s, struct fy_node *preload, ms_backbone *b) {
  MS_TRY(ms_read_preload(s, preload, &b->preload));
  b->setting.preload = b->preload;
  for (int i = 0; preload && i < b->n_method; i++) {
    if (b->method[i]->preload) continue;
    return ms_yaml_fail(&s->yaml, preload, MS_ERR_NAME, "method %s knows no preload",
                        b->method[i]->name);
  }
  return MS_SUCCESS;
}

static ms_status read_push(const ms_study *s, struct fy_node *at, ms_backbone *b) {
  int moment;
  if (!at) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *b->push, &b->push));
  b->setting.force = b->push;
  return ms_read_at(s, at, b->push, &moment);
}

/* A structure that cannot be analysed so (a joint without stiffness, say) is refused at once; for
   harmonic balance all modes are alike. */
static ms_status try_methods(ms_study *s, const ms_task *task, const ms_backbone *b) {
  struct fy_node *preload = b->preload ? ms_yaml_get(task->node, "preload") : NULL;
  struct fy_node *methods = ms_yaml_get(task->node, "methods");
  for (int i = 0; i < b->n_method * b->n_mode; i++) {
    const ms_backbone_method *method = b->method[i / b->n_mode];
    if (method->harmonic && i % b->n_mode > 0) continue;
    ms_status status =
        ms_backbone_check(s->ctx, s->structure, &b->setting, method, b->mode[i % b->n_mode]);
    if (status == MS_SUCCESS) continue;
    struct fy_node *at = preload ? preload : methods ? methods : task->key;
    return ms_yaml_fail_here(&s->yaml, method->harmonic ? task->key : at, status);
  }
  return MS_SUCCESS;
}

ms_status ms_backbone_read(ms_study *s, ms_task *task) {
  struct fy_node *node = task->node;
  options o = { 0 };
  ms_backbone *b;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *b, &b));
  task->product = b;
  MS_TRY(ms_options_read_own(s, task, &o));
  ms_backbone_default(&b->setting, sizeof b->setting);
  b->setting.sensitivities = o.sensitivities;
  b->ringdown = o.from;
  b->sweeps = o.sweeps;
  MS_TRY(choose_methods(s, &o.methods, b));
  MS_TRY(choose_reference(s, ms_yaml_get(node, "reference"), o.reference, b));
  MS_TRY(ms_read_sensor(s, o.sensor, &b->setting.sensor));
  MS_TRY(use_harmonic(s, node, &o, &b->setting.harmonic));
  MS_TRY(check_sensitivities(s, ms_yaml_get(node, "sensitivities"), b));
  MS_TRY(read_preload(s, o.preload, b));
  MS_TRY(read_push(s, o.at, b));
  MS_TRY(read_modes(s, o.modes, b));
  MS_TRY(read_amplitudes(s, task, o.amplitudes, b)); /* before what may take its time */
  MS_TRY(ms_backbone_check_sources(s, task, b));
  return try_methods(s, task, b);
}
