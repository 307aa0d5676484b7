/* What frf ends in: curves from the modes, the estimate of a test, and how far they are apart. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/frf/frf.h"
#include "study/analyses/shared/answers.h"

static const char *unit_of(const ms_study *s, const ms_frf_options *o) {
  const int turns = ms_name_is_rotation(ms_structure_get_name(s->structure, o->sensor));
  return ms_response_unit((ms_response_kind)o->quantity, turns,
                          o->load.iota     ? MS_DRIVE_BASE
                          : o->load.moment ? MS_DRIVE_MOMENT
                                           : MS_DRIVE_FORCE);
}

static void print_unit(const ms_study *s, const ms_task *task, char text[32]) {
  const char *unit = unit_of(s, task->options);
  snprintf(text, 32, unit ? " [%s]" : "%s", unit ? unit : "");
}

static double phase_of(double re, double im) {
  return atan2(im, re) * 180.0 / acos(-1.0);
}

/* ---- curves ---- */

void ms_frf_print_columns(const ms_study *s, const ms_task *task, char text[MS_FRF_COLUMNS]) {
  char unit[32];
  print_unit(s, task, unit);
  snprintf(text, MS_FRF_COLUMNS, "joints:word,f [Hz],real%s,imaginary%s,magnitude%s,phase [deg]",
           unit, unit, unit);
}

void ms_frf_add_curve(const ms_task *task, const ms_frf_curve *c, const double *head,
                      ptrdiff_t n_head, ms_result_table *table) {
  const ms_frf_options *o = task->options;
  const ms_frf_product *p = task->product;
  const char *word = c->label;
  double row[MS_VARIANT_HEAD + 5], *at = row + n_head;
  for (ptrdiff_t i = 0; i < n_head; i++) row[i] = head[i];
  for (ptrdiff_t k = 0; k < o->points; k++) {
    const double re = c->H[2 * k], im = c->H[2 * k + 1];
    at[0] = p->omega[k] / (2.0 * acos(-1.0));
    at[1] = re;
    at[2] = im;
    at[3] = hypot(re, im);
    at[4] = phase_of(re, im);
    ms_result_put_cells(table, row, &word);
  }
}

/* ---- the estimate ---- */

static ms_status add_test(ms_study *s, const ms_task *task, ms_result_table **test) {
  const ms_frf_options *o = task->options;
  const ms_frf *f = &((const ms_frf_product *)task->product)->run.frf;
  char unit[32], columns[256];
  print_unit(s, task, unit);
  snprintf(columns, sizeof columns,
           "f [Hz],H1 real%s,H1 imaginary%s,H1 magnitude%s,H1 phase [deg],H2 magnitude%s,coherence,"
           "random error",
           unit, unit, unit, unit);
  *test = ms_result_new_table(task->result, "_test", columns);
  ptrdiff_t first, n = ms_frf_find_lines(f, o->range[0], o->range[1], &first);
  for (ptrdiff_t k = first; k < first + n; k++) {
    double re = f->H1[2 * k], im = f->H1[2 * k + 1];
    if (!(f->coherence[k] > 0.0)) continue;
    ms_result_put_row(*test, f->freq_hz[k], re, im, hypot(re, im), phase_of(re, im),
                      hypot(f->H2[2 * k], f->H2[2 * k + 1]), f->coherence[k],
                      ms_frf_random_error(f, k));
  }
  if (ms_result_table_rows(*test) > 0) return MS_SUCCESS;
  return ms_fail(
      s->ctx, MS_ERR_NUMERIC,
      "%s: from %g to %g Hz the output is at no line coherent with the input: is one of the "
      "records zero?",
      task->name, o->range[0], o->range[1]);
}

/* How far the test is from the curves over the lines in the range. */
static ms_status compare(ms_study *s, const ms_task *task, ms_result_table **out) {
  const ms_frf_options *o = task->options;
  const ms_frf_product *p = task->product;
  const ms_frf *f = &p->run.frf;
  double *omega;
  ptrdiff_t first;
  *out = ms_result_new_table(task->result, "_compare",
                             "joints:word,lines,rms difference,largest difference,random error");
  MS_TRY(ms_allocate(s->ctx, 3 * f->n, sizeof *omega, &omega));
  double *H = omega + f->n;
  ms_status status = MS_SUCCESS;
  const ptrdiff_t n = ms_frf_find_lines(f, o->range[0], o->range[1], &first);
  for (ptrdiff_t k = 0; k < n; k++) omega[k] = 2.0 * acos(-1.0) * f->freq_hz[first + k];
  for (ptrdiff_t i = 0; i < p->n_curve && status == MS_SUCCESS; i++) {
    status = ms_frf_evaluate(s, task, &p->curve[i], n, omega, H);
    if (status != MS_SUCCESS) break;
    const ms_frf_difference d = ms_frf_compare(f, first, n, H);
    ms_result_put_row(*out, p->curve[i].label, (double)d.lines, d.rms, d.largest, d.random);
  }
  ms_free(s->ctx, &omega);
  return status;
}

/* ---- values ---- */

static void set_test(const ms_frf_product *p, int simulated, ms_result *r) {
  const ms_frf_test *t = &p->run;
  ms_result_begin(r, simulated ? "test" : "measured");
  ms_result_set_values(r, "window:word,length:count,resolution_hz [Hz],blocks:count,averages",
                       ms_frf_window_text(t->settings.window), (double)t->settings.length,
                       t->frf.df, (double)t->frf.blocks, t->frf.averages);
  const ms_frf_records *of = &p->source.of;
  if (of->before > 0) {
    const double offset[] = { of->scale * of->offset[0], of->offset[1] };
    ms_result_set_integer(r, "offset_samples", of->before);
    ms_result_set_numbers(r, "offset", NULL, offset, 2);
  }
  if (simulated) ms_result_set_number(r, "residual", NULL, t->count.residual);
  if (t->has_energy) ms_result_set_number(r, "balance", "J", t->energy.balance);
  if (t->has_energy) ms_result_set_number(r, "input", "J", t->energy.input);
  ms_result_end(r);
}

static void say_test(const ms_frf_test *t, int simulated, ms_result *r) {
  ms_result_say(r,
                "%s: %td blocks of %td samples, window %s, resolution %.4g Hz, equivalent to %.4g "
                "independent averages.",
                simulated ? "Test" : "Records", t->frf.blocks, t->settings.length,
                ms_frf_window_text(t->settings.window), t->frf.df, t->frf.averages);
  if (!simulated) return;
  ms_result_say(r, "%td steps of %g s, %s, residual %.2g.", t->count.steps, t->time.step,
                t->time.method, t->count.residual);
  if (!t->has_energy) return;
  ms_result_say(r, "%.3g J of the input of %.6g J are missing from the energy balance.",
                t->energy.balance, t->energy.input);
}

/* ---- figures ---- */

static void plot(const ms_task *task, const ms_result_table *table, const ms_result_table *test) {
  const ms_frf_options *o = task->options;
  const char *label = o->test ? "test, H1" : "measured, H1";
  const ms_plot size =
      MS_PANEL("Magnitude", "f", "magnitude", .x_label = "frequency",
               .y_label = ms_response_kind_text((ms_response_kind)o->quantity), .y_log = 1,
               .by = "joints", .most = MS_PALETTE_SIZE, .columns = 1, .height = 0.8);
  ms_plot panel[5] = { size, size, size, size, size };
  int n = 0;
  for (int phase = 0; phase < 2; phase++) {
    ms_plot *a = &panel[n++];
    if (phase) a->title = a->y_label = a->y = "phase", a->y_log = 0;
    if (phase) a->title = "Phase", a->height = 0.45;
    if (!test) continue;
    ms_plot *b = &panel[n++];
    *b = *a;
    b->over = 1;
    b->by = NULL;
    b->table = test;
    b->label = label;
    b->y = phase ? "H1 phase" : "H1 magnitude";
    b->colour = -1;
  }
  if (test) {
    panel[n++] = (ms_plot)MS_PANEL("Coherence", "f", "coherence", .x_label = "frequency",
                                   .table = test, .colour = -1, .height = 0.35);
  }
  ms_result_plot(task->result, task->kind->title,
                 test ? "The estimate (H1) should lie between the stuck and the slipped curve. "
                        "Where the coherence is below 1, noise or nonlinearity make it uncertain."
                      : "Peaks lie between those of the stuck and of the slipped structure, and "
                        "move from the first to the second as joints slip.",
                 table, n, panel);
  ms_result_feature_figure(task->result, MS_HEAD_DECAY);
}

static void plot_variants(const ms_task *task) {
  const ms_frf_product *p = task->product;
  const int quantity = ((const ms_frf_options *)task->options)->quantity;
  const ms_plot panel[] = {
    MS_PANEL("Magnitude", "f", "magnitude", .x_label = "frequency",
             .y_label = ms_response_kind_text((ms_response_kind)quantity), .y_log = 1),
    MS_PANEL("Phase", "f", "phase", .x_label = "frequency", .y_label = "phase"),
  };
  ms_result_plot_variants(task->result, "Frequency response of the variants",
                          "A peak that moves from curve to curve is sensitive to the number that "
                          "varies.",
                          p->varied, p->variants.n, ms_variants_label, &p->variants, "joints", 2,
                          panel);
}

/* The largest magnitude of the first curves; how far the estimate is from them. */
static void answer(const ms_task *task, const ms_result_table *differences) {
  const ms_frf_options *o = task->options;
  const ms_frf_product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n_curve && i < 3; i++) {
    const ptrdiff_t most = ms_response_find_peak(o->points, p->curve[i].H);
    ms_answer_number(task->result, MS_HEAD_DECAY, "omega", "rad/s", p->omega[most],
                     "Frequency of the highest peak, joints %s", p->curve[i].label);
  }
  if (!differences) return;
  const double *rms = ms_result_table_column(differences, 2);
  for (ptrdiff_t i = 0; i < p->n_curve && i < 3; i++) {
    ms_answer_percent(task->result, rms[i], MS_HEAD_DECAY,
                      "Difference of %s and model (rms), joints %s",
                      o->test ? "test" : "measurement", p->curve[i].label);
  }
}

/* ---- all of it ---- */

ms_status ms_frf_result(ms_study *s, ms_task *task) {
  const ms_frf_options *o = task->options;
  const ms_frf_product *p = task->product;
  ms_result *r = task->result;
  const char *unit = unit_of(s, o);
  char columns[MS_FRF_COLUMNS];
  ms_result_table *test = NULL, *differences = NULL;
  ms_frf_print_columns(s, task, columns);
  ms_result_table *table = ms_result_new_table(r, "", columns);
  for (ptrdiff_t i = 0; i < p->n_curve; i++) {
    ms_frf_add_curve(task, &p->curve[i], NULL, 0, table);
  }
  ms_result_set_values(r, "quantity:word,unit:word,curves:count",
                       ms_response_kind_text((ms_response_kind)o->quantity), unit ? unit : "1",
                       (double)p->n_curve);
  if (p->variants.n > 0) {
    ms_result_begin(r, "variants");
    ms_variants_set_values(&p->variants, r);
    ms_result_end(r);
  }
  if (p->run.frf.n > 0) {
    MS_TRY(add_test(s, task, &test));
    MS_TRY(compare(s, task, &differences));
    MS_TRY(ms_result_get_status(r));
    set_test(p, o->test != NULL, r);
  }
  answer(task, differences);
  plot(task, table, test);
  if (test) say_test(&p->run, o->test != NULL, r);
  ms_result_show_table(r, differences,
                       "Relative differences between the estimate H1 and the model");
  if (p->varied) plot_variants(task);
  return MS_SUCCESS;
}
