/* What identify_density ends in: losses and density with their bands, what can be trusted. */
#include <math.h>
#include <stdio.h>

#include "identify/distribution/special_functions.h"
#include "study/analyses/identify_density/identify_density.h"
#include "study/analyses/shared/answers.h"

ms_status ms_identified_judge(ms_study *s, ms_task *task) {
  const ms_identified *p = task->product;
  char text[300];
  if (p->losses.left_out > 0) {
    MS_TRY(ms_task_note(s, task,
                        "%td samples without dissipation (zero or below) or outside the window "
                        "were left out",
                        p->losses.left_out));
  }
  for (int i = 0; ms_density_warning(&p->found, p->K_T, i, text, sizeof text); i++)
    MS_TRY(ms_task_doubt(s, task, "%s", text));
  return MS_SUCCESS;
}

/* ---- tables ---- */

static ms_result_table *add_losses(const ms_task *task, const ms_identified *p) {
  const ms_density_options *o = task->options;
  const ms_losses *l = &p->losses;
  const ms_density_estimate *e = &p->found.estimate;
  const double z = ms_normal_quantile(0.5 + 0.5 * o->level);
  ms_result_table *table = ms_result_new_table(
      task->result, "", "amplitude [m],loss [J],deviation [J],model [J],low [J],high [J],residual");
  for (ptrdiff_t i = 0; i < l->n; i++) {
    const double wide = exp(z * e->D_deviation[i]);
    const double deviation = l->deviation ? l->deviation[i] : e->noise * l->D[i];
    ms_result_put_row(table, l->A[i], l->D[i], deviation, e->D[i], e->D[i] / wide, e->D[i] * wide,
                      e->D[i] / l->D[i] - 1.0);
  }
  return table;
}

/* As iwan_table reads it, at another preload or (NULL) as found. The first row is that of the first
   knot, carried on to zero. */
static ms_result_table *add_density(const ms_task *task, const char *ending, const ms_preload *at) {
  const ms_identified *p = task->product;
  const ms_density_estimate *e = &p->found.estimate;
  const ms_density_table *t = &p->found.table;
  const double phi = at ? at->phi : 1.0, rho = at ? at->rho : 1.0, K = at ? at->stiffness : 1.0;
  ms_result_table *table =
      ms_result_new_table(task->result, ending,
                          "phi [m],rho [N/m^2],S [N/m],low [N/m^2],high [N/m^2],deviation,trusted");
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const ptrdiff_t k = i > 0 ? i - 1 : 0;
    const int trusted = t->phi[i] >= e->from && t->phi[i] <= e->to;
    ms_result_put_row(table, phi * t->phi[i], rho * t->rho[i], K * t->S[i], rho * e->low[k],
                      rho * e->high[k], e->deviation[k], (double)trusted);
  }
  return table;
}

/* Loops are closed: the first point stands at the end, too. They come in the order of their source,
   the levels in that of their amplitude. */
static void add_loops(const ms_density_options *o, const ms_pairs *q, ms_result_table *loops,
                      ms_result_table *levels) {
  const ms_result_table *from = ms_result_find_table(o->loops->result, "_loops");
  const int source = ms_result_table_find_column(from, "source");
  for (ptrdiff_t loop = 0; loop < q->n; loop++) {
    const ms_loop_pair *x = q->pair;
    while (x->loop != loop) x++;
    for (ptrdiff_t k = 0; k <= x->n; k++) {
      const ptrdiff_t at = q->first[loop] + k % x->n;
      ms_result_put_row(loops, ms_result_table_word(from, source, q->first[loop]), q->u[at],
                        q->f[at], q->predicted[at]);
    }
  }
  for (const ms_loop_pair *x = q->pair; x < q->pair + q->n; x++) {
    ms_result_put_row(levels, ms_result_table_word(from, source, q->first[x->loop]), x->amplitude,
                      x->force, x->difference, x->loss, x->predicted, (double)x->agrees);
  }
}

/* ---- loops and preloads ---- */

static void show_loops(const ms_task *task, const ms_identified *p) {
  static const ms_plot panel[] = {
    MS_PANEL(NULL, "displacement", "force", .by = "source"),
    MS_OVER("displacement", "predicted", .by = "source", .label = "", .style = MS_SERIES_DASHED,
            .colour = -1),
  };
  const ms_density_options *o = task->options;
  const ms_pairs *q = &p->pairs;
  ms_result *r = task->result;
  double trusted = 0.0;
  if (!o->loops) return;
  ms_result_table *loops =
      ms_result_new_table(r, "_loops", "source:word,displacement [m],force [N],predicted [N]");
  ms_result_table *levels = ms_result_new_table(
      r, "_levels",
      "source:word,amplitude [m],force [N],difference,loss [J],predicted [J],trusted");
  add_loops(o, q, loops, levels);
  for (ptrdiff_t i = 0; i < q->n && q->pair[i].agrees; i++) trusted = q->pair[i].amplitude;
  ms_result_begin(r, "loops");
  ms_result_set_values(r, "from:word,tolerance,trusted_amplitude [m]", o->loops->name, o->tolerance,
                       trusted);
  if (p->K_T > 0.0) ms_result_set_number(r, "trusted_force", "N", p->K_T * trusted);
  ms_result_list_rows(r, "levels", levels, "source,amplitude,difference");
  ms_result_end(r);
  if (trusted == 0.0) {
    ms_result_say(r, "At no amplitude do loops of %s and of the density agree to %g of the force.",
                  o->loops->name, o->tolerance);
  } else {
    ms_result_say(r,
                  "Loops of %s and of the density agree to %g of the force up to an amplitude of "
                  "%.4g m.",
                  o->loops->name, o->tolerance, trusted);
  }
  if (trusted > 0.0 && p->K_T > 0.0) ms_result_say(r, "f* = %.4g N.", p->K_T * trusted);
  ms_result_plot(r, "Loops from the records and from the density",
                 "Loops of the density under constant load (dashed) should lie on the others. "
                 "Where they do not, the normal load varies, or the joint is no Iwan element.",
                 loops, 2, panel);
  ms_result_show_table(r, levels, "Loops from the records and from the density, compared");
}

static void set_preload(const ms_identified *p, const ms_preload *q, ms_result *r) {
  const ms_density_estimate *e = &p->found.estimate;
  const int trusted = e->from <= e->to;
  ms_result_begin(r, NULL);
  ms_result_set_values(r, "load [N],load_ratio,stiffness_ratio,amplitude_ratio", q->to, q->load,
                       q->stiffness, q->phi);
  if (p->K_T > 0.0) ms_result_set_number(r, "K_T", "N/m", q->stiffness * p->K_T);
  ms_result_set_number(r, "K_inf", "N/m", q->stiffness * p->found.table.K_inf);
  if (trusted) ms_result_set_number(r, "trusted_from", "m", q->phi * e->from);
  if (trusted) ms_result_set_number(r, "trusted_to", "m", q->phi * e->to);
  if (trusted && p->K_T > 0.0) {
    ms_result_set_number(r, "trusted_force", "N", q->load * p->K_T * e->to);
  }
  ms_result_end(r);
  ms_result_say(r,
                "At %.4g N, %.4g times the load, stiffnesses are %.4g times and slip displacements "
                "%.4g times those found.",
                q->to, q->load, q->stiffness, q->phi);
}

static void show_preloads(const ms_task *task, const ms_identified *p,
                          const ms_result_table *density) {
  ms_plot panel[MS_PRELOADS + 1];
  char label[MS_PRELOADS + 1][32];
  const ms_density_options *o = task->options;
  if (p->n_preload == 0) return;
  ms_result_begin_list(task->result, "preloads");
  for (int i = 0; i <= p->n_preload; i++) {
    const ms_preload *q = i ? &p->preload[i - 1] : NULL;
    ms_result_table *table = NULL;
    if (q) table = add_density(task, q->ending, q);
    if (q) set_preload(p, q, task->result);
    snprintf(label[i], sizeof label[i], "%.4g N", q ? q->to : o->load);
    panel[i] = (ms_plot)MS_PANEL("Slider density", "phi", "rho", .x_log = 1, .y_log = 1,
                                 .label = label[i], .colour = (i + 1) % MS_PALETTE_SIZE,
                                 .over = i > 0, .table = q ? table : density);
  }
  ms_result_end(task->result);
  ms_result_plot(task->result, "Slider density under other normal loads",
                 "More load moves the density to larger displacements: slip begins later.", density,
                 p->n_preload + 1, panel);
}

/* ---- the figure ---- */

static const ms_plot panels[] = {
  MS_PANEL("Energy dissipated per cycle", "amplitude", "low", .y_to = "high",
           .x_label = "displacement amplitude A", .y_label = "D", .x_log = 1, .y_log = 1,
           .label = "band", .colour = 1),
  MS_OVER("amplitude", "loss", .x_log = 1, .y_log = 1, .label = "data", .style = MS_SERIES_POINTS),
  MS_OVER("amplitude", "model", .x_log = 1, .y_log = 1, .label = "model", .colour = 1),
  MS_PANEL("Slider density", "phi", "low", .y_to = "high", .y_label = "rho", .x_log = 1, .y_log = 1,
           .label = "band", .colour = 1),
  MS_OVER("phi", "rho", .x_log = 1, .y_log = 1, .label = "density", .colour = 1),
};

/* The joint laid over, as far as it is not zero, and upright lines where trust begins and ends. */
static ms_status draw_own(ptrdiff_t n, const double *x, const double *own, ms_figure *figure) {
  ms_series line = { "joint", x, own, 0, MS_SERIES_DASHED, -1 };
  while (own && line.n < n && own[line.n] > 0.0) line.n++;
  return line.n > 1 ? ms_figure_add_series(figure, &line) : MS_SUCCESS;
}

static ms_status mark_trusted(const ms_density_estimate *e, ms_figure *figure) {
  double y[2] = { HUGE_VAL, 0.0 };
  for (ptrdiff_t k = 0; k < e->n; k++) y[0] = fmin(y[0], e->low[k]), y[1] = fmax(y[1], e->high[k]);
  for (int i = 0; i < 2 && e->from <= e->to; i++) {
    const double x[2] = { i ? e->to : e->from, i ? e->to : e->from };
    const ms_series line = { i ? NULL : "trusted between", x, y, 2, MS_SERIES_DASHED, 2 };
    MS_TRY(ms_figure_add_series(figure, &line));
  }
  return MS_SUCCESS;
}

static void show_figure(ms_study *s, const ms_identified *p, double level, ms_result *r,
                        const ms_result_table *points, const ms_result_table *density) {
  const ms_density_estimate *e = &p->found.estimate;
  ms_figure *figure = NULL;
  char caption[240];
  snprintf(caption, sizeof caption,
           "Residuals should scatter within the band. Where the band of the density is wide, the "
           "data do not determine it. Bands have a level of %g %% at each point.",
           100.0 * level);
  ms_status status = ms_figure_create(s->ctx, "Energy and slider density", NULL, &figure);
  if (!status) status = ms_result_draw(s->ctx, figure, points, 3, panels);
  if (!status) status = draw_own(p->losses.n, p->losses.A, p->found.own_loss, figure);
  if (!status) status = ms_result_draw(s->ctx, figure, density, 2, panels + 3);
  if (!status) status = draw_own(e->n, e->phi, p->found.own_rho, figure);
  if (!status) status = mark_trusted(e, figure);
  if (!status) status = ms_figure_set_columns(figure, 2);
  if (!status) status = ms_figure_add_residuals(figure, figure, 0, "data", "model");
  ms_figure_share(figure, MS_SHARE_X);
  ms_result_fail_page(r, status);
  ms_result_take_figure(r, caption, &figure);
  ms_result_feature_figure(r, MS_HEAD_RANDOM);
}

/* ---- the result ---- */

static void set_values(const ms_density_options *o, const ms_identified *p, ms_result *r) {
  const ms_density_identified *f = &p->found;
  const ms_density_estimate *e = &f->estimate;
  ms_result_set_values(r,
                       "samples:count,left_out:count,noise,noise_given:flag,misfit,residual,"
                       "worst,smoothness,freedom",
                       (double)p->losses.n, (double)p->losses.left_out, e->noise,
                       (double)(o->noise > 0.0 || p->losses.deviation), e->misfit, e->residual,
                       e->worst, e->smoothness, e->freedom);
  if (e->from <= e->to) { /* else at no amplitude, which a doubt says */
    ms_result_begin(r, "trusted");
    ms_result_set_values(r, "from [m],to [m]", e->from, e->to);
    if (p->K_T > 0.0) ms_result_set_number(r, "force", "N", p->K_T * e->to);
    ms_result_end(r);
    for (int end = 0; end < 2; end++) {
      ms_answer_number(r, MS_HEAD_RANDOM, "phi", "m", end ? e->to : e->from,
                       "%s displacement at which the data determine the density",
                       end ? "Largest" : "Smallest");
    }
  }
  if (p->K_T > 0.0) ms_result_set_number(r, "K_T", "N/m", p->K_T);
  ms_result_set_values(r, "stiffness_shown [N/m],stiffness_added [N/m],K_inf [N/m]", f->shown,
                       f->added, f->table.K_inf);
  ms_answer_number(r, MS_HEAD_RANDOM, NULL, "N/m", f->shown,
                   "Stiffness of the sliders that the energies show");
  ms_answer_number(r, MS_HEAD_RANDOM, NULL, NULL, e->misfit,
                   "Residual over noise (rms; 1 is expected)");
  if (!f->own_rho) return;
  ms_result_set_values(r, "density_difference,loss_difference", f->rho_difference,
                       f->loss_difference);
}

ms_status ms_identified_fill_result(ms_study *s, ms_task *task) {
  const ms_density_options *o = task->options;
  const ms_identified *p = task->product;
  ms_result *r = task->result;
  ms_result_table *points = add_losses(task, p);
  ms_result_table *density = add_density(task, "_density", NULL);
  MS_TRY(ms_result_get_status(r));
  set_values(o, p, r);
  show_figure(s, p, o->level, r, points, density);
  show_loops(task, p);
  show_preloads(task, p, density);
  ms_result_show_table(r, density, "Slider density, as law iwan_table reads it");
  return MS_SUCCESS;
}
