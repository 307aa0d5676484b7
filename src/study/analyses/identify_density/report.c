/* What identify_density says: losses and density with their bands, what can be trusted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/distribution/special_functions.h"
#include "study/analyses/identify_density/identify_density.h"

static int is_trusted(const ms_density_estimate *e, double phi) {
  return phi >= e->from && phi <= e->to;
}

/* ---- tables ---- */

static ms_status tabulate_losses(ms_study *s, const ms_task *task, ms_identified *p) {
  const ms_losses *l = &p->losses;
  const ms_density_estimate *e = &p->estimate;
  const double z = ms_normal_quantile(0.5 + 0.5 * p->setting.level);
  MS_TRY(ms_result_table_create(
      s, task->name, "amplitude [m],loss [J],deviation [J],model [J],low [J],high [J],residual",
      &p->points));
  for (ptrdiff_t i = 0; i < l->n; i++) {
    const double wide = exp(z * e->D_deviation[i]);
    const double deviation = l->has_deviation ? l->deviation[i] : e->noise * l->D[i];
    MS_TRY(ms_result_table_add_row(s->ctx, p->points, l->A[i], l->D[i], deviation, e->D[i],
                                   e->D[i] / wide, e->D[i] * wide, e->D[i] / l->D[i] - 1.0));
  }
  return MS_SUCCESS;
}

/* The first row is that of the first knot, carried on to zero. */
ms_status ms_identified_tabulate_density(ms_study *s, const ms_task *task, const char *ending,
                                         const ms_preload *at, ms_result_table **out) {
  const ms_identified *p = task->product;
  const ms_density_estimate *e = &p->estimate;
  const ms_density_table *t = &p->table;
  const double phi = at ? at->phi : 1.0, rho = at ? at->rho : 1.0, K = at ? at->stiffness : 1.0;
  char name[96];
  snprintf(name, sizeof name, "%.60s%.30s", task->name, ending);
  MS_TRY(ms_result_table_create(
      s, name, "phi [m],rho [N/m^2],S [N/m],low [N/m^2],high [N/m^2],deviation,trusted", out));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const ptrdiff_t k = i > 0 ? i - 1 : 0;
    MS_TRY(ms_result_table_add_row(s->ctx, *out, phi * t->phi[i], rho * t->rho[i], K * t->S[i],
                                   rho * e->low[k], rho * e->high[k], e->deviation[k],
                                   (double)is_trusted(e, t->phi[i])));
  }
  return MS_SUCCESS;
}

ms_status ms_identified_tabulate(ms_study *s, const ms_task *task) {
  ms_identified *p = task->product;
  MS_TRY(tabulate_losses(s, task, p));
  MS_TRY(ms_identified_tabulate_density(s, task, "_density", NULL, &p->density));
  return ms_preloads_tabulate(s, task, p);
}

/* ---- summary ---- */

/* Largest relative difference from the joint laid over: of the density where it is trusted, of all
   losses. */
static void find_differences(const ms_identified *p, double *rho, double *loss) {
  const ms_density_estimate *e = &p->estimate;
  *rho = *loss = 0.0;
  for (ptrdiff_t k = 0; k < e->n; k++) {
    if (!is_trusted(e, e->phi[k]) || !(p->own[k] > 0.0)) continue;
    *rho = fmax(*rho, fabs(e->rho[k] / p->own[k] - 1.0));
  }
  for (ptrdiff_t i = 0; i < p->losses.n; i++) {
    const double own = p->own[e->n + i];
    if (own > 0.0) *loss = fmax(*loss, fabs(e->D[i] / own - 1.0));
  }
}

static void summarise_trust(const ms_identified *p, ms_json *json) {
  const ms_density_estimate *e = &p->estimate;
  if (e->from > e->to) return; /* at no amplitude, which a doubt says */
  ms_json_begin_object(json, "trusted");
  ms_json_add_number(json, "from", e->from);
  ms_json_add_number(json, "to", e->to);
  if (p->K_T > 0.0) ms_json_add_number(json, "force", p->K_T * e->to);
  ms_json_end(json);
}

void ms_identified_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_identified *p = task->product;
  const ms_density_estimate *e = &p->estimate;
  double rho, loss;
  (void)s;
  ms_json_add_integer(json, "samples", p->losses.n);
  ms_json_add_integer(json, "left_out", p->losses.left_out);
  ms_json_add_number(json, "noise", e->noise);
  ms_json_add_bool(json, "noise_given", p->setting.noise > 0.0 || p->losses.has_deviation);
  ms_json_add_number(json, "misfit", e->misfit);
  ms_json_add_number(json, "residual", e->residual);
  ms_json_add_number(json, "worst", e->worst);
  ms_json_add_number(json, "smoothness", e->smoothness);
  ms_json_add_number(json, "freedom", e->freedom);
  summarise_trust(p, json);
  if (p->K_T > 0.0) ms_json_add_number(json, "K_T", p->K_T);
  ms_json_add_number(json, "stiffness_shown", p->shown);
  ms_json_add_number(json, "stiffness_added", p->added);
  ms_json_add_number(json, "K_inf", p->table.K_inf);
  ms_preloads_summarise(p, json);
  ms_pairs_summarise(p, json);
  if (!p->own) return;
  find_differences(p, &rho, &loss);
  ms_json_add_number(json, "density_difference", rho);
  ms_json_add_number(json, "loss_difference", loss);
}

/* ---- figure ---- */

/* Around an area: along `low`, back along `high`. */
static ms_status add_band(ms_context *ctx, ptrdiff_t n, const double *x, const double *low,
                          const double *high, const char *label, ms_figure *figure) {
  double *round;
  MS_TRY(ms_allocate(ctx, 4 * n, sizeof *round, &round));
  for (ptrdiff_t i = 0; i < n; i++) {
    round[i] = round[2 * n - 1 - i] = x[i];
    round[2 * n + i] = low[i], round[4 * n - 1 - i] = high[i];
  }
  const ms_series area = { label, round, round + 2 * n, 2 * n, MS_SERIES_AREA, 1 };
  ms_status status = ms_figure_add_series(figure, &area);
  ms_free(ctx, &round);
  return status;
}

static const double *of_points(const ms_identified *p, const char *name) {
  return ms_result_table_column(p->points, ms_result_table_find_column(p->points, name));
}

static ms_status draw_losses(const ms_identified *p, ms_figure *figure) {
  const ms_panel panel = { "Loss per cycle", "A", "m", "D", "J", 1, 1 };
  const ptrdiff_t n = p->losses.n;
  const double *own = p->own ? p->own + p->estimate.n : NULL;
  const ms_series series[] = {
    { "samples", p->losses.A, p->losses.D, n, MS_SERIES_POINTS, 0 },
    { "model", p->losses.A, p->estimate.D, n, MS_SERIES_LINE, 1 },
    { "joint", p->losses.A, own, n, MS_SERIES_DASHED, -1 },
  };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  for (int i = 0; i < (own && own[0] > 0.0 ? 3 : 2); i++) {
    MS_TRY(ms_figure_add_series(figure, &series[i]));
  }
  return MS_SUCCESS;
}

/* Samples and band over the model, where the loss itself spans too many decades to show them. */
static ms_status draw_residuals(const ms_study *s, const ms_identified *p, ms_figure *figure) {
  const ms_panel panel = { "Loss over model", "A", "m", "D/D(model) - 1", NULL, 1, 0 };
  const ms_losses *l = &p->losses;
  const ms_density_estimate *e = &p->estimate;
  const double *low = of_points(p, "low"), *high = of_points(p, "high");
  double *y;
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_allocate(s->ctx, 3 * l->n, sizeof *y, &y));
  for (ptrdiff_t i = 0; i < l->n; i++) {
    y[i] = l->D[i] / e->D[i] - 1.0;
    y[l->n + i] = low[i] / e->D[i] - 1.0;
    y[2 * l->n + i] = high[i] / e->D[i] - 1.0;
  }
  const ms_series samples = { "samples", l->A, y, l->n, MS_SERIES_POINTS, 0 };
  ms_status status = add_band(s->ctx, l->n, l->A, y + l->n, y + 2 * l->n, "band", figure);
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &samples);
  ms_free(s->ctx, &y);
  return status;
}

/* Two upright lines where trust begins and ends. */
static ms_status mark_trusted(const ms_density_estimate *e, ms_figure *figure) {
  double low = HUGE_VAL, high = 0.0;
  if (e->from > e->to) return MS_SUCCESS;
  for (ptrdiff_t k = 0; k < e->n; k++) low = fmin(low, e->low[k]), high = fmax(high, e->high[k]);
  for (int i = 0; i < 2; i++) {
    const double x[2] = { i ? e->to : e->from, i ? e->to : e->from }, y[2] = { low, high };
    const ms_series line = { i ? NULL : "trusted between", x, y, 2, MS_SERIES_DASHED, 2 };
    MS_TRY(ms_figure_add_series(figure, &line));
  }
  return MS_SUCCESS;
}

static ms_status draw_density(const ms_study *s, const ms_identified *p, ms_figure *figure) {
  const ms_density_estimate *e = &p->estimate;
  const ms_panel panel = { "Slider density", "phi", "m", "rho", "N/m^2", 1, 1 };
  const ms_series rho = { "density", e->phi, e->rho, e->n, MS_SERIES_LINE, 1 };
  ptrdiff_t n = 0; /* of the joint's own that are not zero */
  while (p->own && n < e->n && p->own[n] > 0.0) n++;
  const ms_series own = { "joint", e->phi, p->own, n, MS_SERIES_DASHED, -1 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(add_band(s->ctx, e->n, e->phi, e->low, e->high, "band", figure));
  MS_TRY(ms_figure_add_series(figure, &rho));
  if (n > 1) MS_TRY(ms_figure_add_series(figure, &own));
  return mark_trusted(e, figure);
}

static ms_status draw(const ms_study *s, const ms_identified *p, ms_page *page) {
  ms_figure *figure;
  char caption[160];
  snprintf(caption, sizeof caption,
           "Bands of %g %%, pointwise: of the model's loss, of the density.",
           100.0 * p->setting.level);
  MS_TRY(ms_figure_create(s->ctx, "Density from losses", NULL, &figure));
  ms_status status = draw_losses(p, figure);
  if (status == MS_SUCCESS) status = draw_residuals(s, p, figure);
  if (status == MS_SUCCESS) status = draw_density(s, p, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, caption, figure);
  ms_figure_destroy(&figure);
  return status;
}

/* ---- words ---- */

enum { TEXT = 160 };

static void describe_trust(const ms_identified *p, char text[TEXT]) {
  const ms_density_estimate *e = &p->estimate;
  int n = snprintf(text, TEXT, "from %.4g to %.4g m", e->from, e->to);
  if (e->from > e->to) {
    snprintf(text, TEXT, "nowhere");
  } else if (p->K_T > 0.0) {
    snprintf(text + n, TEXT - (size_t)n, ", sliders up to %.4g N", p->K_T * e->to);
  }
}

static void describe_stiffness(const ms_identified *p, char text[TEXT]) {
  int n = snprintf(text, TEXT, "%.4g N/m in sliders that slip", p->shown);
  if (p->K_T == 0.0) return;
  snprintf(text + n, TEXT - (size_t)n, " of %.4g N/m; %.4g N/m added %s", p->K_T, p->added,
           strcmp(p->rest, "spring") == 0  ? "as K_inf"
           : strcmp(p->rest, "slips") == 0 ? "at the largest slip displacement"
                                           : "(none)");
}

#define FAR 4.0 /* deviations that normal noise does not reach in a few hundred samples */

ms_status ms_identified_judge(ms_study *s, ms_task *task) {
  const ms_identified *p = task->product;
  if (p->losses.left_out > 0) {
    MS_TRY(ms_task_note(s, task,
                        "%td samples without dissipation (zero or below) or outside the window "
                        "were left out",
                        p->losses.left_out));
  }
  if (p->estimate.from > p->estimate.to) {
    MS_TRY(ms_task_doubt(s, task, "the density is trusted at no amplitude"));
  }
  if (p->estimate.worst > FAR) {
    MS_TRY(ms_task_doubt(
        s, task,
        "an energy lies %.2g standard deviations from the model: it bends more sharply there than "
        "a smooth density does, as at macroslip, and the band does not hold. End the window before",
        p->estimate.worst));
  }
  if (!(p->K_T > 0.0 && p->shown > p->K_T)) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "the sliders that the energies show have %.4g N/m, more than the stuck joint's %.4g N/m",
      p->shown, p->K_T);
}

static ms_status report_differences(const ms_study *s, const ms_identified *p, ms_page *page) {
  double rho, loss;
  char text[240];
  if (!p->own) return MS_SUCCESS;
  find_differences(p, &rho, &loss);
  snprintf(text, sizeof text,
           "From joint %.60s the density differs by %.3g %% at most where it is trusted, the loss "
           "by %.3g %%.",
           ms_structure_get_joint_name(s->structure, p->compare), 100.0 * rho, 100.0 * loss);
  return ms_page_add_text(page, text);
}

ms_status ms_identified_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_identified *p = task->product;
  const ms_density_estimate *e = &p->estimate;
  const int given = p->setting.noise > 0.0 || p->losses.has_deviation;
  char noise[TEXT], misfit[TEXT], trust[TEXT], stiffness[TEXT];
  const char *names[] = { "noise of the losses", "misfit", "density trusted", "stiffness" };
  const char *values[] = { noise, misfit, trust, stiffness };
  snprintf(noise, TEXT, "%.3g %%, %s", 100.0 * e->noise, given ? "given" : "estimated");
  snprintf(misfit, TEXT, "rms %.3g of the noise, %.3g numbers determined by %td samples", e->misfit,
           e->freedom, p->losses.n);
  describe_trust(p, trust);
  describe_stiffness(p, stiffness);
  MS_TRY(ms_page_add_facts(page, 4, names, values));
  MS_TRY(report_differences(s, p, page));
  MS_TRY(draw(s, p, page));
  MS_TRY(ms_pairs_report(s, p, page));
  MS_TRY(ms_preloads_report(s, p, page));
  return ms_result_table_add_to_page(s->ctx, p->density, "Density, as iwan_table reads it", page);
}
