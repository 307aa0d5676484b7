/* backbone: how frequency and damping of a mode depend on its amplitude, by several independent
   methods; one table, one figure for each mode, and how far the methods differ. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/pack.h"
#include "study/analyses/backbone/backbone.h"
#include "study/analyses/contact/contact.h"
#include "study/analyses/shared/harmonic.h"
#include "study/model/fe/fe.h"

enum { POINTS = 40, CONTACT_POINTS = 12 };

typedef ms_backbone_options options;

/* "|qsma|rqnm|..." */
static const char method_names[] =
#define MS_BACKBONE(name) "|" #name
#include "experiment/backbone_methods.def"
#undef MS_BACKBONE
    ;

#define METHODS (method_names + 1)

typedef struct range {
  double from, to;
  ptrdiff_t points;
} range;

static const ms_param settle_keys[] = {
  MS_NUMBER(options, amplitude, "m sqrt(kg)", MS_POSITIVE, MS_REQUIRED, "modal amplitude"),
  MS_COUNT(options, cycles, MS_WITHIN(1, 1000), MS_REQUIRED, "how many"),
};

#define RANGE_ROWS                                                                       \
  MS_NUMBER(range, from, "m sqrt(kg)", MS_POSITIVE, MS_REQUIRED, "smallest amplitude"),  \
      MS_NUMBER(range, to, "m sqrt(kg)", MS_POSITIVE, MS_REQUIRED, "largest amplitude"), \
      MS_COUNT(range, points, MS_FROM(2), MS_DEFAULT(POINTS), "how many, evenly in the logarithm")

static const ms_param range_keys[] = { RANGE_ROWS };
static const ms_param_list range_list = MS_LIST_OF(range_keys);

/* For help and manual. */
static const ms_param amplitude_keys[] = {
  RANGE_ROWS,
  MS_NAMED("MODE", "list or mapping", &range_list, "or a mode by its number: its own amplitudes"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_MODES(options, modes, MS_ELSE("all that are elastic"), "mode numbers from 1"),
  MS_CHOICES(options, methods, METHODS, MS_ELSE("qsma, epmc; qsma with contacts"),
             "methods that are compared"),
  MS_FORMS_WITH(
      options, amplitudes, "list or mapping", MS_ROWS(amplitude_keys),
      MS_ELSE("from 1/1000 to 10 times that at which the first joint slips altogether; with "
              "contacts 12 up to that at which the linear answer uses up friction"),
      "modal amplitudes, length sqrt(mass): a rising list, a range, or these for each mode"),
  MS_SENSOR(options, sensor),
  MS_CHOICE(options, reference, METHODS, MS_ELSE("epmc, or qsma, or the first"),
            "the method that the others are compared with"),
  MS_COUNT(options, harmonics, MS_WITHIN(1, 1000), MS_DEFAULT(7),
           "number of harmonics of epmc and stepped_sine"),
  MS_COUNT(options, times, MS_FROM(8), MS_DEFAULT(512),
           "time points of a period, at least 4 harmonics + 4"),
  MS_NUMBER(options, tolerance, NULL, MS_INSIDE(0.0, 1.0), MS_DEFAULT(1e-10),
            "residual over size of the motion at which harmonic balance accepts a point"),
  MS_FLAG(options, sensitivities, MS_DEFAULT(0),
          "with qsma: derivatives of omega and zeta by every parameter of every joint"),
  MS_PRELOAD(options, preload,
             "{degree of freedom: force} that acts all the time; for qsma, epmc and stepped_sine"),
  MS_MAPPING(options, settle, MS_ROWS(settle_keys), MS_ELSE("none"),
             "with contacts: cycles that condition them before the first amplitude"),
  MS_FLAG(options, layer_check, MS_DEFAULT(1),
          "with contacts that have a layer: each load again with ten times its stiffness, which "
          "doubles the cost; not with several processes"),
  MS_FLAG(
      options, vtu, MS_DEFAULT(0),
      "with contacts: write the energy dissipated per area, slip amplitude and pressures as VTU "
      "files, too, NAME_modeM_1.vtu, ... for the amplitudes of mode M, and NAME_modeM.pvd"),
  MS_WEIGHTS(options, at, MS_ELSE("M phi of the mode"),
             "force of stepped_sine: on a degree of freedom, on several, or on each with a weight"),
  MS_TASK(options, from, "modal_ringdown|shock", MS_ELSE("the last modal_ringdown"),
          "for ringdown_hilbert and ringdown_stft: the modal_ringdown or shock that is read"),
  MS_TASKS(options, sweeps, "sweep", MS_ELSE("all before this one"),
           "for sweep: names of the analyses that are read"),
};

static void close_product(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_backbone *b = task->product;
  for (ptrdiff_t i = 0; i < b->n_curve; i++) ms_backbone_free(s->ctx, &b->curve[i]);
  for (int i = 0; b->level && i < o->modes.n; i++) ms_free(s->ctx, &b->level[i].q);
  ms_curves_free(s->ctx, &b->stft);
  ms_free(s->ctx, &b->curve);
  ms_free(s->ctx, &b->level);
}

/* ---- methods ---- */

static const ms_backbone_method *find_method(const options *o, const char *name) {
  for (int i = 0; i < o->methods.n; i++) {
    const ms_backbone_method *m = ms_backbone_get_method(o->methods.index[i]);
    if (strcmp(m->name, name) == 0) return m;
  }
  return NULL;
}

int ms_backbone_has(const options *o, const char *method) {
  return find_method(o, method) != NULL;
}

static ms_status choose_methods(const ms_study *s, const ms_task *task, options *o,
                                ms_backbone *b) {
  const ms_backbone_method *m;
  for (int i = 0, none = o->methods.n == 0; none && (m = ms_backbone_get_method(i)); i++) {
    if (strcmp(m->name, "qsma") == 0 || (strcmp(m->name, "epmc") == 0 && !s->has_contacts)) {
      o->methods.index[o->methods.n++] = i;
    }
  }
  b->reference = ms_backbone_get_method(o->reference);
  if (!b->reference) b->reference = find_method(o, "epmc");
  if (!b->reference) b->reference = find_method(o, "qsma");
  if (!b->reference) b->reference = ms_backbone_get_method(o->methods.index[0]);
  if (!ms_backbone_has(o, b->reference->name)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "reference"), MS_ERR_NAME,
                        "reference %s is not among the methods", b->reference->name);
  }
  for (int i = 0; s->has_contacts && i < o->methods.n; i++) {
    m = ms_backbone_get_method(o->methods.index[i]);
    if (strcmp(m->name, "rqnm") != 0) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "methods"), MS_ERR_NAME,
                        "method %s knows no contact between solids; qsma and epmc do", m->name);
  }
  if (o->sensitivities && !ms_backbone_has(o, "qsma")) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "sensitivities"), MS_ERR_NAME,
                        "sensitivities are qsma's; add it to methods");
  }
  for (int i = 0; o->preload && i < o->methods.n; i++) {
    m = ms_backbone_get_method(o->methods.index[i]);
    if (m->preload) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "preload"), MS_ERR_NAME,
                        "method %s knows no preload", m->name);
  }
  return MS_SUCCESS;
}

static ms_status make_setting(const ms_study *s, const ms_task *task, const options *o,
                              ms_backbone_setting *out) {
  struct fy_node *H = ms_yaml_get(task->node, "harmonics"), *N = ms_yaml_get(task->node, "times");
  ms_backbone_default(out, sizeof *out);
  out->sensor = o->sensor;
  out->sensitivities = o->sensitivities;
  out->preload = o->preload;
  out->contact = s->contact;
  const int alone = ms_context_get_communicator(s->ctx)->size == 1;
  out->layer_check = o->layer_check && alone ? MS_BACKBONE_STIFFER : 0.0;
  if (o->settle) {
    if (!s->has_contacts) {
      return ms_yaml_fail(&s->yaml, o->settle, MS_ERR_NAME,
                          "settle is for contacts between solids");
    }
    out->settle_amplitude = o->amplitude;
    out->settle_cycles = (int)o->cycles;
  }
  out->force = o->at.value;
  out->harmonic.harmonics = (int)o->harmonics;
  out->harmonic.times = o->times;
  out->harmonic.tolerance = o->tolerance;
  if (o->times >= 4 * o->harmonics + 4) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, N ? N : H, MS_ERR_BOUNDS,
                      "%td time points are too few for %td harmonics; at least %td are needed",
                      o->times, o->harmonics, 4 * o->harmonics + 4);
}

/* ---- modes and amplitudes ---- */

/* Rigid-body modes have no frequency: named they are refused, else left out. A preload may close
   what holds one: qsma tells. */
static ms_status choose_modes(const ms_study *s, struct fy_node *node, options *o) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  const int told = o->preload && o->methods.n == 1 && ms_backbone_has(o, "qsma");
  int *mode = o->modes.mode, n = 0;
  for (int i = 0; i < o->modes.n; i++) {
    if (omega[mode[i]] > 0.0 || (node && told)) {
      mode[n++] = mode[i];
    } else if (node) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                          "mode %d is a rigid-body mode: it has no frequency", mode[i] + 1);
    }
  }
  o->modes.n = n;
  return MS_SUCCESS;
}

static ms_status space(const ms_study *s, double from, double to, ptrdiff_t n,
                       ms_backbone_levels *out) {
  out->n = n;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *out->q, &out->q));
  return ms_quasistatic_space(s->ctx, from, to, n, out->q);
}

static ms_status read_range(const ms_study *s, struct fy_node *node, ms_backbone_levels *out) {
  range o = { 0 };
  MS_TRY(ms_options_read(s, node, node, "amplitudes", range_keys, range_list.n, &o));
  if (o.to > o.from) return space(s, o.from, o.to, o.points, out);
  return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "to"), MS_ERR_BOUNDS, "to must be above from");
}

static ms_status read_list(const ms_study *s, struct fy_node *node, ms_backbone_levels *out) {
  const double unit = s->units.length * sqrt(s->units.mass);
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "amplitudes", &out->q, &out->n));
  for (ptrdiff_t i = 0; i < out->n; i++) {
    out->q[i] *= unit;
    if (out->q[i] > (i > 0 ? out->q[i - 1] : 0.0)) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "amplitudes must be > 0 and rise");
  }
  if (out->n > 1) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "a curve needs two amplitudes at least");
}

static ms_status guess_range(const ms_study *s, const ms_task *task, struct fy_node *node, int mode,
                             ms_backbone_levels *out) {
  double from = 1.0, to = 2.0; /* of contacts in a study that is only checked */
  out->guessed = 1;
  if (s->contact) {
    MS_TRY(ms_yaml_fail_here(
        &s->yaml, task->key,
        ms_backbone_find_contact_range(s->ctx, s->structure, s->contact, mode, &from, &to)));
  }
  if (s->has_contacts ? to > 0.0 : ms_backbone_find_range(s->structure, mode, &from, &to))
    return space(s, from, to, s->has_contacts ? CONTACT_POINTS : POINTS, out);
  return ms_yaml_fail(&s->yaml, node ? node : task->key, MS_ERR_NAME,
                      "no %s says at which amplitude mode %d slips; give amplitudes: {from, to}",
                      s->has_contacts ? "contact with friction" : "joint", mode + 1);
}

/* The curves without points, [method + n_method*mode]. */
static ms_status request_curves(const ms_study *s, const ms_task *task, const options *o,
                                ms_backbone *b) {
  struct fy_node *node = o->amplitudes;
  const int by_mode =
      ms_yaml_is_mapping(node) && !ms_yaml_get(node, "from") && !ms_yaml_get(node, "to");
  MS_TRY(ms_allocate(s->ctx, o->modes.n, sizeof *b->level, &b->level));
  MS_TRY(ms_allocate(s->ctx, o->modes.n * o->methods.n, sizeof *b->curve, &b->curve));
  if (by_mode)
    MS_TRY(ms_yaml_check_mode_keys(&s->yaml, node, "amplitudes", o->modes.mode, o->modes.n));
  for (int i = 0; i < o->modes.n; i++) {
    const int mode = o->modes.mode[i];
    ms_backbone_levels *level = &b->level[i];
    char key[16];
    snprintf(key, sizeof key, "%d", mode + 1);
    struct fy_node *of = by_mode ? ms_yaml_get(node, key) : node;
    MS_TRY(!of                      ? guess_range(s, task, node, mode, level)
           : ms_yaml_is_mapping(of) ? read_range(s, of, level)
                                    : read_list(s, of, level));
    for (int k = 0; k < o->methods.n; k++) {
      b->curve[b->n_curve++] =
          (ms_backbone_curve) { .mode = mode,
                                .method = ms_backbone_get_method(o->methods.index[k]),
                                .level = level->q,
                                .n_level = level->n };
    }
  }
  return MS_SUCCESS;
}

/* A structure that cannot be analysed so (a joint without stiffness, say) is refused at once; for
   harmonic balance all modes are alike. */
static ms_status try_methods(ms_study *s, const ms_task *task, const options *o,
                             const ms_backbone *b) {
  struct fy_node *preload = ms_yaml_get(task->node, "preload");
  struct fy_node *methods = ms_yaml_get(task->node, "methods");
  struct fy_node *at = preload ? preload : methods ? methods : task->key;
  for (int i = 0; i < o->methods.n * o->modes.n; i++) {
    const ms_backbone_curve *c = &b->curve[i / o->modes.n + o->methods.n * (i % o->modes.n)];
    if (c->method->harmonic && i % o->modes.n > 0) continue;
    ms_status status = ms_backbone_check(s->ctx, s->structure, &b->setting, c->method, c->mode);
    MS_TRY(ms_yaml_fail_here(&s->yaml, c->method->harmonic ? task->key : at, status));
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  options *o = task->options;
  ms_backbone *b = task->product;
  MS_TRY(choose_methods(s, task, o, b));
  MS_TRY(ms_contact_check_vtu(s, task, o->vtu));
  MS_TRY(make_setting(s, task, o, &b->setting));
  MS_TRY(choose_modes(s, ms_yaml_get(task->node, "modes"), o));
  MS_TRY(request_curves(s, task, o, b)); /* before what may take its time */
  MS_TRY(ms_backbone_find_sources(s, task, o));
  return s->has_contacts && !s->contact ? MS_SUCCESS : try_methods(s, task, o, b);
}

/* ---- the run ---- */

/* A job is a curve; those that are gathered are no work. */
static ms_status run_curve(ms_worker *worker, ptrdiff_t job, void *user) {
  const ms_task *task = user;
  const options *o = task->options;
  ms_backbone *b = task->product;
  ms_backbone_curve *curve = &b->curve[job];
  ms_backbone_setting setting = b->setting;
  setting.keep = ms_harmonic_run_kept;
  setting.user = worker;
  if (!curve->method->run) return MS_SUCCESS;
  MS_TRY(worker->study->contact && worker->study->resume && !curve->method->harmonic
             ? ms_backbone_run_kept(worker, &setting, curve)
             : ms_backbone_run(worker->ctx, worker->structure, &setting, curve));
  if (b->level[job / o->methods.n].guessed) ms_backbone_trim(curve);
  return MS_SUCCESS;
}

/* By all processes. */
static ms_status run_curves(ms_study *s, ms_task *task) {
  ms_backbone *b = task->product;
  const ms_jobs jobs = { .run = run_curve,
                         .user = task,
                         MS_ITEMS(b->curve, b->n_curve, ms_backbone_save, ms_backbone_load) };
  return ms_pool_share_jobs(s, task->name, &jobs);
}

static ms_status run(ms_study *s, ms_task *task) {
  MS_TRY(run_curves(s, task));
  MS_TRY(ms_backbone_gather(s, task));
  return ms_curves_judge_steps(s, task, &((ms_backbone *)task->product)->stft);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  for (const ms_backbone_curve *c = b->curve; c < b->curve + b->n_curve; c++) {
    char text[700];
    ms_doubt doubt;
    for (int which = 0; c->contact && which < 3; which++) {
      MS_TRY(ms_backbone_doubt_contact(s->ctx, &s->solids->rest, c, which, text, sizeof text));
      if (*text) MS_TRY(ms_task_doubt(s, task, "%s", text));
    }
    for (ptrdiff_t i = 0; ms_backbone_warning(s->structure, c, i, &doubt, text, sizeof text); i++) {
      MS_TRY(ms_result_remark(task->result, ms_task_severity(doubt), "mode %d by %s: %s",
                              c->mode + 1, c->method->name, text));
    }
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_backbone = {
  .name = "backbone",
  .title = "Frequency and damping against amplitude",
  .meaning =
      "Frequency and damping of each mode against its amplitude, by several independent methods. "
      "Static ones, qsma and rqnm, compute the joints' damping and add the viscous part by its "
      "formula; periodic ones (epmc, stepped_sine) and those in time see the total.",
  MS_KEYS(keys, options, ms_backbone),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .help = run_curves,
  .result = ms_backbone_result,
  .close = close_product,
};
