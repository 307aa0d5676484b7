/* What a run in time ends in: numbers of its channels, histories, energies. */
#include "study/analyses/transient/transient.h"

#include <math.h>
#include <string.h>

#include "report/tolerance.h"
#include "study/analyses/contact/contact.h"
#include "study/analyses/shared/answers.h"
#include "study/model/fe/fe.h"

enum { MOST_ANSWERS = 4 }; /* of channels */

static void set_channel(const ms_transient_product *p, int c, ms_result *result) {
  const ms_channel *channel = &p->channels.channel[c];
  const char *unit = ms_quantity_unit(channel->quantity, channel->turns);
  const double *x = ms_result_table_column(p->table, c + 1);
  const ptrdiff_t n = ms_result_table_rows(p->table);
  const ms_channel_extent e = ms_channel_measure(n, x);
  ms_result_begin(result, NULL);
  ms_result_set_values(result, "name:word,unit:word", channel->name, unit);
  ms_result_set_number(result, "lowest", unit, e.lowest);
  ms_result_set_number(result, "highest", unit, e.highest);
  ms_result_set_number(result, "rms", unit, e.rms);
  ms_result_set_number(result, "last", unit, x[n - 1]);
  ms_result_end(result);
}

static double peak_of(const ms_transient_product *p, int c) {
  return ms_channel_measure(ms_result_table_rows(p->table), ms_result_table_column(p->table, c + 1))
      .peak;
}

/* The largest values of the first channels that move. Others of the same quantity say what is
   rounding: a direction in which nothing happens is no answer. */
static void add_answers(const ms_transient_product *p, ms_result *result) {
  const ms_channel *channel = p->channels.channel;
  for (int c = 0, n = 0; c < p->channels.n && n < MOST_ANSWERS; c++) {
    const double peak = peak_of(p, c);
    double largest = 0.0;
    if (channel[c].quantity >= MS_LOAD_FORCE) continue;
    for (int k = 0; k < p->channels.n; k++) {
      if (channel[k].quantity != channel[c].quantity || channel[k].turns != channel[c].turns)
        continue;
      largest = fmax(largest, peak_of(p, k));
    }
    if (peak <= ms_report_tol.tiny * largest) continue;
    const char *unit = ms_quantity_unit(channel[c].quantity, channel[c].turns);
    ms_answer_number(result, MS_HEAD_TIME, NULL, unit, peak, "Largest %s of %.*s",
                     ms_quantity_label(channel[c].quantity), ms_channel_place_length(&channel[c]),
                     channel[c].name);
    n++;
  }
}

static void set_energy(const ms_transient_energy *e, ms_result *result) {
  const char *name;
  double value;
  ms_result_begin(result, "energy");
  for (int i = 0; ms_transient_energy_part(e, i, &name, &value); i++) {
    ms_result_set_number(result, name, "J", value);
  }
  ms_result_end(result);
}

static void set_values(const ms_transient_product *p, ms_result *result) {
  ms_result_set_text(result, "method", p->time.method);
  if (strcmp(p->time.method, "newmark") == 0) {
    ms_result_set_values(result, "beta,gamma", p->time.beta, p->time.gamma);
  }
  ms_result_set_number(result, "step", "s", p->time.step);
  if (p->time.tolerance > 0.0) {
    ms_result_set_values(result, "tolerance,rejected:count", p->time.tolerance,
                         (double)p->count.rejected);
  }
  ms_result_set_values(result, "steps:count,evaluations:count", (double)p->count.steps,
                       (double)p->count.evaluations);
  if (p->count.damped > 0) ms_result_set_integer(result, "damped", p->count.damped);
  if (p->count.divided > 0) ms_result_set_integer(result, "divided_steps", p->count.divided);
  ms_result_set_number(result, "residual", NULL, p->count.residual);
  if (p->quality.mode >= 0) {
    ms_result_set_values(result, "fastest_mode:count,steps_in_a_period",
                         (double)(p->quality.mode + 1), p->quality.steps);
  }
  ms_result_set_integer(result, "rows", ms_result_table_rows(p->table));
  ms_result_begin_list(result, "channels");
  for (int c = 0; c < p->channels.n; c++) set_channel(p, c, result);
  ms_result_end(result);
  add_answers(p, result);
  if (ms_result_table_rows(p->energy) == 0) return;
  set_energy(&p->last, result);
  ms_answer_number(
      result, MS_HEAD_TIME, NULL, "J", p->last.dissipated,
      p->contacts ? "Energy dissipated in the contacts" : "Energy dissipated in the joints");
}

/* ---- figures ---- */

/* A panel for every quantity that was recorded, rotations apart. */
static ms_status plot_histories(const ms_study *s, const ms_transient_product *p,
                                ms_result *result) {
  ms_plot *panel;
  int n = 0;
  MS_TRY(ms_allocate(s->ctx, p->channels.n, sizeof *panel, &panel));
  for (int k = 0; k < 2 * MS_N_QUANTITY; k++) {
    const ms_quantity q = (ms_quantity)(k / 2);
    int curves = 0;
    for (int c = 0; c < p->channels.n && curves < MS_PALETTE_SIZE; c++) {
      const ms_channel *channel = &p->channels.channel[c];
      if (channel->quantity != q || channel->turns != k % 2) continue;
      panel[n++] = (ms_plot)MS_PANEL(ms_quantity_label(q), "time", channel->name,
                                     .y_label = ms_quantity_label(q), .label = channel->name,
                                     .colour = curves, .over = curves > 0);
      curves++;
    }
  }
  if (n > 0) panel[0].history = 1;
  ms_result_plot(result, "Time histories",
                 "Look for a response that has settled, or has died out, at the end; a jagged line "
                 "is recorded too rarely.",
                 p->table, n, panel);
  ms_result_feature_figure(result, MS_HEAD_TIME);
  ms_free(s->ctx, &panel);
  return MS_SUCCESS;
}

#define ENERGY(k, column) MS_OVER("time", column, .label = column, .colour = (k))

static const ms_plot energy[] = {
  MS_PANEL("Parts of the energy", "time", "input", .y_label = "energy", .label = "input",
           .colour = -1),
  ENERGY(0, "kinetic"),
  ENERGY(1, "elastic"),
  ENERGY(2, "viscous"),
  ENERGY(3, "stored"),
  ENERGY(4, "dissipated"),
  MS_PANEL("Error of the energy balance", "time", "balance", .y_label = "balance", .colour = 5),
};

/* Energy and way of slip, normal and friction force: a curve for each contact. */
static ms_status plot_contacts(const ms_study *s, const ms_transient_product *p,
                               ms_result *result) {
  static const struct {
    ms_contact_quantity q;
    const char *label;
  } of[] = { { MS_CONTACT_DISSIPATED, "dissipated" },
             { MS_CONTACT_SLID, "distance slid" },
             { MS_CONTACT_FRICTION_FORCE, "friction force" },
             { MS_CONTACT_NORMAL_FORCE, "normal force" } };
  const ms_fem_assembly *a = &s->solids->assembly;
  const int most = a->n_contact < MS_PALETTE_SIZE ? a->n_contact : MS_PALETTE_SIZE;
  ms_plot *panel;
  MS_TRY(ms_allocate(s->ctx, 4 * most, sizeof *panel, &panel));
  for (int i = 0; i < 4 * most; i++) {
    const int g = i % most, column = 1 + g * MS_N_CONTACT_QUANTITY + (int)of[i / most].q;
    panel[i] = (ms_plot)MS_PANEL(
        of[i / most].label, "time", ms_result_table_describe(p->contacts, column).name,
        .y_label = of[i / most].label, .label = a->contact[g].name, .colour = g, .over = g > 0);
  }
  ms_result_plot(result, "Contacts",
                 "Look for a contact that still slips at the end, and for one whose normal force "
                 "comes near zero. The first contacts of the study are drawn.",
                 p->contacts, 4 * most, panel);
  ms_free(s->ctx, &panel);
  return MS_SUCCESS;
}

ms_status ms_transient_analysis_result(ms_study *s, ms_task *task) {
  const ms_transient_product *p = task->product;
  set_values(p, task->result);
  MS_TRY(plot_histories(s, p, task->result));
  MS_TRY(ms_contact_add_laws(s, task));
  if (ms_result_table_rows(p->energy) == 0) {
    ms_result_say(task->result, "There are no energies: a joint law does not compute them.");
    return MS_SUCCESS;
  }
  ms_result_plot(task->result, "Energy",
                 "The curve of what the joints dissipate rises where they slip. What is missing "
                 "from the balance must stay small beside the input.",
                 p->energy, sizeof energy / sizeof *energy, energy);
  return p->contacts ? plot_contacts(s, p, task->result) : MS_SUCCESS;
}
