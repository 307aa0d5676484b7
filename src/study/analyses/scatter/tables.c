/* Tables and summary of `scatter`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/scatter/scatter.h"

/* ---- tables ---- */

static ms_status tabulate_parameters(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  const ms_scatter_result *r = &a->result;
  MS_TRY(ms_result_table_create(
      s, task->name,
      "parameter:word,unit:word,family:word,mean,mean_error,mean_low,mean_high,"
      "deviation,deviation_error,deviation_low,deviation_high,a,b,seen",
      &a->table));
  for (ptrdiff_t i = 0; i < a->n; i++) {
    const double *mean = r->mean_interval + 2 * i, *deviation = r->deviation_interval + 2 * i;
    MS_TRY(ms_result_table_add_row(s->ctx, a->table, a->option[i].key, a->option[i].unit,
                                   ms_family_name(r->distribution[i].family), r->mean[i],
                                   r->mean_error[i], mean[0], mean[1], r->deviation[i],
                                   r->deviation_error[i], deviation[0], deviation[1],
                                   r->distribution[i].a, r->distribution[i].b, (double)r->seen[i]));
  }
  return MS_SUCCESS;
}

static ms_status tabulate_specimens(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_specimens", task->name);
  MS_TRY(ms_result_table_create(s, name, "specimen,parameter:word,value,standard_error",
                                &a->specimens_table));
  for (ptrdiff_t k = 0; k < a->result.n_specimen; k++) {
    for (ptrdiff_t i = 0; i < a->n; i++) {
      MS_TRY(ms_result_table_add_row(s->ctx, a->specimens_table, a->used.tests.id[k],
                                     a->option[i].key, a->result.p[i + a->n * k],
                                     a->result.p_error[i + a->n * k]));
    }
  }
  return MS_SUCCESS;
}

static ms_status tabulate_correlation(ms_study *s, const ms_task *task,
                                      const ms_scatter_analysis *a) {
  char name[96];
  ms_result_table *table;
  snprintf(name, sizeof name, "%.80s_correlation", task->name);
  MS_TRY(ms_result_table_create(s, name, "parameter:word,with:word,correlation,standard_errors",
                                &table));
  for (ptrdiff_t i = 0; i < a->n; i++) {
    for (ptrdiff_t k = 0; k < i; k++) {
      MS_TRY(ms_result_table_add_row(s->ctx, table, a->option[i].key, a->option[k].key,
                                     a->result.correlation[i + a->n * k],
                                     a->result.dependence[i + a->n * k]));
    }
  }
  return MS_SUCCESS;
}

/* Of joints, then of what is measured on them. */
static ms_status tabulate_bands(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  enum { L = MS_SCATTER_LEVELS };
  const ms_scatter_bands *const of[2] = { &a->bands, &a->measured };
  char name[96];
  double row[2 + 4 * L];
  snprintf(name, sizeof name, "%.80s_bands", task->name);
  MS_TRY(ms_result_table_create(s, name,
                                "force [N],joints,stiffness_05 [N/m],stiffness_50 [N/m],"
                                "stiffness_95 [N/m],dissipation_05 [J],dissipation_50 [J],"
                                "dissipation_95 [J],measured_stiffness_05 [N/m],"
                                "measured_stiffness_50 [N/m],measured_stiffness_95 [N/m],"
                                "measured_dissipation_05 [J],measured_dissipation_50 [J],"
                                "measured_dissipation_95 [J]",
                                &a->bands_table));
  for (ptrdiff_t i = 0; i < a->n_force; i++) {
    row[0] = a->force[i], row[1] = (double)a->bands.reach[i];
    for (int k = 0; k < 2; k++) {
      memcpy(row + 2 + 2 * L * k, of[k]->stiffness + L * i, L * sizeof *row);
      memcpy(row + 2 + 2 * L * k + L, of[k]->loss + L * i, L * sizeof *row);
    }
    MS_TRY(ms_result_table_add_numbers(s->ctx, a->bands_table, row));
  }
  return MS_SUCCESS;
}

/* What repetitions say of one mean or deviation, against the truth that they were made with. */
typedef struct repeated {
  double done, covered, mean, scatter;
} repeated;

static repeated judge(const ms_scatter_analysis *a, ptrdiff_t i, int deviation) {
  const ptrdiff_t width = ms_scatter_repeat_width(a), n = a->n;
  const double truth = deviation ? a->result.deviation[i] : a->result.mean[i];
  repeated r = { 0 };
  double square = 0.0;
  for (ptrdiff_t k = 0; k < a->repetitions; k++) {
    const double *at = a->repeated + width * k;
    const double *interval = at + 1 + 2 * n + 2 * n * deviation + 2 * i;
    const double away = at[1 + n * deviation + i] - truth;
    if (at[0] == 0.0) continue;
    r.done++;
    r.covered += truth >= interval[0] && truth <= interval[1];
    r.mean += away, square += away * away;
  }
  if (r.done < 2.0) return r;
  r.mean /= r.done;
  r.scatter = sqrt(fmax(square / r.done - r.mean * r.mean, 0.0) * r.done / (r.done - 1.0));
  r.mean += truth;
  return r;
}

static ms_status tabulate_repeated(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  char name[96];
  if (a->repetitions == 0) return MS_SUCCESS;
  snprintf(name, sizeof name, "%.80s_repeated", task->name);
  MS_TRY(ms_result_table_create(s, name,
                                "parameter:word,of:word,truth,repetitions,covered,mean_found,"
                                "scatter_found,standard_error",
                                &a->repeated_table));
  for (ptrdiff_t i = 0; i < a->n; i++) {
    for (int deviation = 0; deviation < 2; deviation++) {
      const repeated r = judge(a, i, deviation);
      const ms_scatter_result *x = &a->result;
      MS_TRY(ms_result_table_add_row(
          s->ctx, a->repeated_table, a->option[i].key, deviation ? "deviation" : "mean",
          deviation ? x->deviation[i] : x->mean[i], r.done, r.covered, r.mean, r.scatter,
          deviation ? x->deviation_error[i] : x->mean_error[i]));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_scatter_tabulate(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  MS_TRY(tabulate_parameters(s, task, a));
  MS_TRY(tabulate_specimens(s, task, a));
  MS_TRY(tabulate_correlation(s, task, a));
  MS_TRY(tabulate_bands(s, task, a));
  return tabulate_repeated(s, task, a);
}

/* ---- summary ---- */

static void summarise_parameters(const ms_scatter_analysis *a, ms_json *json) {
  const ms_scatter_result *r = &a->result;
  ms_json_begin_array(json, "parameters");
  for (ptrdiff_t i = 0; i < a->n; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "name", a->option[i].key);
    ms_json_add_text(json, "family", ms_family_name(r->distribution[i].family));
    ms_json_add_number(json, "mean", r->mean[i]);
    ms_json_add_number(json, "mean_error", r->mean_error[i]);
    ms_json_add_numbers(json, "mean_interval", r->mean_interval + 2 * i, 2);
    ms_json_add_number(json, "deviation", r->deviation[i]);
    ms_json_add_number(json, "deviation_error", r->deviation_error[i]);
    ms_json_add_numbers(json, "deviation_interval", r->deviation_interval + 2 * i, 2);
    ms_json_add_bool(json, "seen", r->seen[i]);
    ms_json_end(json);
  }
  ms_json_end(json);
}

static void summarise_rows(const char *key, ptrdiff_t rows, const ptrdiff_t inside[2],
                           ms_json *json) {
  ms_json_begin_object(json, key);
  ms_json_add_integer(json, "rows", rows);
  ms_json_add_integer(json, "stiffness_inside", inside[0]);
  ms_json_add_integer(json, "dissipation_inside", inside[1]);
  ms_json_end(json);
}

void ms_scatter_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_scatter_analysis *a = task->product;
  const ms_scatter_result *r = &a->result;
  (void)s;
  ms_json_add_integer(json, "specimens", r->n_specimen);
  summarise_parameters(a, json);
  ms_json_add_numbers(json, "noise", r->noise, 2);
  ms_json_add_number(json, "log_likelihood", r->log_likelihood);
  ms_json_add_number(json, "residual", r->residual);
  ms_json_add_integer(json, "steps", r->steps);
  ms_json_add_number(json, "effective_draws", r->effective);
  summarise_rows("bands", a->used.tests.n, a->inside, json);
  if (a->fresh.tests.n > 0) summarise_rows("fresh", a->fresh.tests.n, a->fresh_inside, json);
  ms_json_add_text(json, "remarks", r->remarks);
}
