/* frequency_response: periodic response to a harmonic force or base motion along frequency, by
   harmonic balance, a curve for each level. Here its options. */
#include "study/analyses/frequency_response.h"

static const ms_param keys[] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("load", "mapping", "{at, mode, shape, base}: where the harmonic load acts", 1),
  MS_KEY("levels", "list or mapping", "amplitudes of the load, or {from, to, count}", 1),
  MS_KEY("omega", "list", "[from, to] in rad/s; downwards if from is the larger", 0),
  MS_KEY("frequency", "list", "the same in Hz", 0),
  MS_KEY("points", "list", "frequencies to be met exactly", 0),
  MS_KEY("preload", "mapping", "coordinate: static force", 0),
  MS_KEY("sensors", "list", "coordinates; where the load pushes most", 0),
  MS_KEY("harmonics", "number", "7", 0),
  MS_KEY("times", "number", "points of a period; 1024", 0),
  MS_KEY("tolerance", "number", "residual over size of the motion; 1e-10", 0),
  MS_KEY("step", "number", "largest step of the continuation; 0.2", 0),
  MS_KEY("shallow", "number", "depth below which folds are noted as shallow; 1e-3", 0),
  MS_KEY("stability", "word", "true or false; true", 0),
  MS_KEY("refine", "mapping", "{tolerance, harmonics}", 0),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static const ms_param refine_keys[] = {
  MS_KEY("tolerance", "number", "change of the peak at which it has stopped moving; 1e-4", 0),
  MS_KEY("harmonics", "number", "at most; 31", 0),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_forced_product *p = task->product;
  for (ptrdiff_t i = 0; p->level && i < p->options.n_level; i++) {
    ms_free(s->ctx, &p->level[i].row);
    ms_free(s->ctx, &p->level[i].loop);
  }
  ms_free(s->ctx, &p->level);
  ms_free(s->ctx, &p->list);
  ms_harmonic_free_options(s->ctx, &p->options);
  ms_free(s->ctx, &task->product);
}

static ms_status read_range(ms_study *s, struct fy_node *node, double factor,
                            ms_forced_product *p) {
  double *value;
  ptrdiff_t n;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, p->in_hz ? "frequency" : "omega", &value, &n));
  int good = n == 2 && value[0] > 0.0 && value[1] > 0.0 && value[0] != value[1];
  for (int i = 0; good && i < 2; i++) p->omega[i] = value[i] * factor;
  ms_free(s->ctx, &value);
  if (good) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "%s must be [from, to], two different frequencies > 0",
                      p->in_hz ? "frequency" : "omega");
}

static ms_status read_list(ms_study *s, struct fy_node *node, double factor, ms_forced_product *p) {
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "points", &p->list, &p->n_list));
  for (ptrdiff_t i = 0; i < p->n_list; i++) {
    double omega = p->list[i] *= factor;
    if ((omega - p->omega[0]) * (omega - p->omega[1]) <= 0.0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "point %g is outside the range",
                        omega / factor);
  }
  return MS_SUCCESS;
}

static ms_status read_frequencies(ms_study *s, ms_task *task, ms_forced_product *p) {
  const double two_pi = 6.28318530717958647693;
  struct fy_node *omega = ms_yaml_get(task->node, "omega");
  struct fy_node *hertz = ms_yaml_get(task->node, "frequency");
  if (omega && hertz) {
    return ms_yaml_fail(&s->yaml, hertz, MS_ERR_FORMAT,
                        "%s has omega too: give the range once, as omega or as frequency",
                        task->name);
  }
  if (!omega && !hertz) {
    return ms_yaml_fail(&s->yaml, task->node, MS_ERR_FORMAT,
                        "%s needs omega: [from, to] in rad/s or frequency: [from, to] in Hz",
                        task->name);
  }
  p->in_hz = hertz != NULL;
  double factor = hertz ? two_pi : 1.0;
  MS_TRY(read_range(s, hertz ? hertz : omega, factor, p));
  return read_list(s, ms_yaml_get(task->node, "points"), factor, p);
}

static ms_status read_refine(ms_study *s, struct fy_node *node, ms_forced_product *p) {
  const int H = p->options.setting.harmonics;
  ptrdiff_t most = 31;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "refine", refine_keys, 2));
  struct fy_node *tolerance = ms_yaml_get(node, "tolerance");
  struct fy_node *harmonics = ms_yaml_get(node, "harmonics");
  p->refine = 1e-4;
  if (tolerance) MS_TRY(ms_yaml_positive(&s->yaml, tolerance, "tolerance", &p->refine));
  if (harmonics) MS_TRY(ms_yaml_count_value(&s->yaml, harmonics, "harmonics", 1, &most));
  p->refine_rows = (most - H) / 2 + 1;
  if (p->refine_rows > 1 && p->refine_rows <= MS_FORCED_ROWS) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, harmonics ? harmonics : node, MS_ERR_BOUNDS,
                      "harmonics of refine must be from %d to %d", H + 2,
                      H + 2 * MS_FORCED_ROWS - 1);
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_forced_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  p->setting = (ms_forced_setting)MS_FORCED_DEFAULT;
  MS_TRY(
      ms_yaml_check_keys(&s->yaml, task->node ? task->node : task->key, task->name, keys, N_KEYS));
  MS_TRY(ms_harmonic_read_options(s, task, &p->options));
  MS_TRY(read_frequencies(s, task, p));
  struct fy_node *shallow = ms_yaml_get(task->node, "shallow");
  if (shallow) MS_TRY(ms_yaml_positive(&s->yaml, shallow, "shallow", &p->setting.shallow));
  return read_refine(s, ms_yaml_get(task->node, "refine"), p);
}

static ms_status judge_level(ms_study *s, ms_task *task, const ms_forced_product *p, ptrdiff_t i) {
  const ms_forced_level *l = &p->level[i];
  const double *c = l->count, level = p->options.level[i];
  const char *unit = ms_harmonic_level_unit(&p->options);
  const int n = (int)c[MS_FORCED_REFINED];
  if (c[MS_FORCED_POINTS] == 0.0) {
    return ms_task_give_up(s, task, "level %g %s has no point: %s", level, unit, l->reason);
  }
  if (c[MS_FORCED_ENDED] != 0.0) {
    MS_TRY(ms_task_note(s, task, "the curve of level %g %s %s", level, unit, l->reason));
  } else if (c[MS_FORCED_COMPLETE] == 0.0) {
    MS_TRY(ms_task_give_up(s, task, "the curve of level %g %s %s", level, unit, l->reason));
  }
  if (c[MS_FORCED_MISSED] > 0.0) {
    MS_TRY(ms_task_give_up(
        s, task, "level %g %s: the curve passed %g of the points without solving for them", level,
        unit, c[MS_FORCED_MISSED]));
  }
  if (c[MS_FORCED_SHALLOW] > 0.0) {
    MS_TRY(ms_task_note(s, task,
                        "level %g %s: %g of the %g folds are shallow: omega turns back by less "
                        "than %g of it; with a law that has corners they may be ripples of the "
                        "time points, which more times remove",
                        level, unit, c[MS_FORCED_SHALLOW], c[MS_FORCED_FOLDS], p->setting.shallow));
  }
  if (ms_forced_peaks_at_end(p, i)) {
    const double *peak = ms_forced_point(p, i, (ptrdiff_t)c[MS_FORCED_PEAK]);
    MS_TRY(ms_task_note(s, task,
                        "level %g %s: the response is largest at an end of the curve, omega = %.6g "
                        "rad/s; the peak may lie beyond",
                        level, unit, peak[MS_FORCED_OMEGA]));
  }
  if (p->refine == 0.0 || c[MS_FORCED_SETTLED] != 0.0) return MS_SUCCESS;
  if (n < 2) {
    return ms_task_doubt(
        s, task,
        "level %g %s: with more harmonics there is no solution at the frequency of the "
        "peak or beside it (refine); the curve may have too few",
        level, unit);
  }
  return ms_task_doubt(s, task,
                       "level %g %s: with %d harmonics the peak still moves by %.2g (refine: "
                       "tolerance %g)",
                       level, unit, l->refined[n - 1].harmonics, l->refined[n - 1].change,
                       p->refine);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_forced_product *p = task->product;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) MS_TRY(judge_level(s, task, p, i));
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_frequency_response = {
  .name = "frequency_response",
  .meaning =
      "The periodic response to a harmonic load, by harmonic balance: a curve along frequency for "
      "each level, followed through folds. Where it is unstable a structure that is disturbed "
      "leaves it, and a test does not see it.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = ms_forced_run,
  .judge = judge,
  .summarise = ms_forced_summarise,
  .report = ms_forced_report,
  .close = close_product,
};
