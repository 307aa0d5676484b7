/* What microslip ringdown found, as JSON, table and CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ringdown.h"

static const double two_pi = 6.283185307179586;

enum { WARNING = 300 }; /* characters of one */

/* ---- tables ---- */

enum { N_COLUMNS = 8 };

static const struct column {
  const char *name, *unit;
} columns[N_COLUMNS] = {
  { "time", "s" },      { "displacement", "m" }, { "velocity", "m/s" }, { "acceleration", "m/s^2" },
  { "omega", "rad/s" }, { "f", "Hz" },           { "zeta", NULL },      { "quality", NULL },
};

static void row_values(const ms_decay_point *p, double value[N_COLUMNS]) {
  const double row[N_COLUMNS] = { p->time,         p->q,      p->velocity,
                                  p->acceleration, p->omega,  p->omega / two_pi,
                                  p->zeta,         p->quality };
  memcpy(value, row, sizeof row);
}

static ms_status fill_table(const ringdown_job *job, ms_table *table, double *values) {
  ptrdiff_t n = job->decay.n;
  for (ptrdiff_t i = 0; i < n; i++) {
    double row[N_COLUMNS];
    row_values(&job->decay.point[i], row);
    for (int c = 0; c < N_COLUMNS; c++) values[i + n * c] = row[c];
  }
  for (int c = 0; c < N_COLUMNS; c++) {
    MS_TRY(ms_table_add_column(table, columns[c].name, columns[c].unit, values + n * c, n));
  }
  return MS_SUCCESS;
}

static ms_status make_table(const ringdown_job *job, ms_table **out) {
  double *values;
  MS_TRY(ms_allocate(job->ctx, N_COLUMNS * job->decay.n, sizeof *values, &values));
  ms_status status = ms_table_create(job->ctx, out);
  if (status == MS_SUCCESS) status = fill_table(job, *out, values);
  if (status != MS_SUCCESS) ms_table_destroy(out);
  ms_free(job->ctx, &values);
  return status;
}

ms_status ringdown_write_csv(const ringdown_job *job) {
  ms_table *table;
  MS_TRY(make_table(job, &table));
  return cli_take_table(&table, job->csv);
}

/* ---- JSON ---- */

static void json_fit(ms_json *json, const ringdown_fit *fit) {
  const ms_modal_iwan *m = &fit->model;
  const ms_modal_fit_report *r = &fit->report;
  const double value[MS_MODAL_N] = { m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi, m->beta };
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "form", ringdown_form_name[fit->form]);
  for (int i = 0; i < MS_MODAL_N; i++) {
    ms_json_add_number(json, ms_identify_modal_name(i), value[i]);
  }
  ms_json_add_number(json, "omega_0", m->omega_0);
  ms_json_add_number(json, "phi_max", r->phi_max);
  ms_json_add_number(json, "rms_ln_zeta", r->rms_ln_zeta);
  ms_json_add_number(json, "rms_omega", r->rms_omega);
  ms_json_add_integer(json, "points", r->n_used);
  ms_json_add_numbers(json, "standard_error", r->standard_error, MS_MODAL_N);
  ms_json_add_text(json, "remarks", r->remarks);
  ms_json_end(json);
}

static void json_record(ms_json *json, const ringdown_job *job) {
  const ms_record *r = &job->record;
  ms_json_add_text(json, "file", job->path);
  ms_json_add_text(json, "channel", r->channel);
  ms_json_add_text(json, "kind", ms_record_kind_text(r->kind));
  ms_json_add_text(json, "unit", r->unit);
  ms_json_add_number(json, "factor", r->factor);
  ms_json_add_integer(json, "samples", r->n);
  ms_json_add_number(json, "rate_hz", 1.0 / r->dt);
  ms_json_add_number(json, "time_first", r->time);
  ms_json_add_text(json, "method", ms_signal_method_text(job->settings.method));
}

static void json_preparation(ms_json *json, const ringdown_job *job) {
  const ms_ring_info *i = &job->info;
  const ms_ring_settings *s = &job->settings;
  char text[WARNING];
  if (s->high > 0.0) {
    ms_json_add_numbers(json, "band_hz", (const double[]) { s->low / two_pi, s->high / two_pi }, 2);
    ms_json_add_number(json, "edge", s->edge);
    ms_json_add_number(json, "edge_time", i->edge_time);
  }
  ms_json_add_number(json, "offset", i->offset);
  ms_json_add_integer(json, "offset_samples", i->before);
  ms_json_add_number(json, "rings_from", i->onset);
  ms_json_add_number(json, "residual", i->residual);
  ms_json_begin_array(json, "warnings");
  for (int k = 0; ms_ring_warning(i, s, k, text, sizeof text); k++) {
    ms_json_add_text(json, NULL, text);
  }
  for (int k = 0; ms_ring_note(i, s, k, text, sizeof text); k++) ms_json_add_text(json, NULL, text);
  ms_json_end(json);
}

static void json_points(ms_json *json, const ms_decay *decay) {
  ms_json_begin_array(json, "points");
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    double row[N_COLUMNS];
    row_values(&decay->point[i], row);
    ms_json_begin_object(json, NULL);
    for (int c = 0; c < N_COLUMNS; c++) ms_json_add_number(json, columns[c].name, row[c]);
    ms_json_end(json);
  }
  ms_json_end(json);
}

static void json_job(ms_json *json, const void *user) {
  const ringdown_job *job = user;
  json_record(json, job);
  json_preparation(json, job);
  json_points(json, &job->decay);
  if (job->n_fit == 0) return;
  ms_json_begin_array(json, "fit");
  for (int i = 0; i < job->n_fit; i++) json_fit(json, &job->fit[i]);
  ms_json_end(json);
  ms_json_add_integer(json, "rows_left_out", job->n_left);
}

/* ---- for people ---- */

static void print_heading(const ringdown_job *job) {
  static const char *const si_unit[] = { "m", "m/s", "m/s^2" };
  const ms_record *r = &job->record;
  const ms_ring_info *i = &job->info;
  const ms_ring_settings *s = &job->settings;
  printf("%s, channel %s: %s in %s, %td samples, %.6g per second\n", job->path, r->channel,
         ms_record_kind_text(r->kind), r->unit, r->n, 1.0 / r->dt);
  if (s->high > 0.0) {
    printf(
        "band-pass: %g to %g Hz, gain 0 below %.6g and above %.6g Hz (edge %g); the %.3g s at each "
        "end that it affects are left out\n",
        s->low / two_pi, s->high / two_pi, (1.0 - s->edge) * s->low / two_pi,
        (1.0 + s->edge) * s->high / two_pi, s->edge, i->edge_time);
  }
  if (i->before > 0) {
    printf("offset: %.6g %s, mean of %td samples before the trigger, subtracted\n", i->offset,
           si_unit[r->kind], i->before);
  }
  printf("rings from: %.6g s (%s)\n", i->onset, isfinite(s->start) ? "--start" : "found");
  printf("method: %s\n\n", ms_signal_method_text(job->settings.method));
}

static void print_warnings(const ringdown_job *job) {
  char text[WARNING];
  for (int k = 0; ms_ring_warning(&job->info, &job->settings, k, text, sizeof text); k++) {
    printf("%swarning: %s\n", k == 0 ? "\n" : "", text);
  }
  for (int k = 0; ms_ring_note(&job->info, &job->settings, k, text, sizeof text); k++) {
    printf("%swarning: %s\n", k == 0 ? "\n" : "", text);
  }
}

/* Lines, each with two blanks before it. */
static void print_lines(const char *text) {
  while (*text) {
    int length = (int)strcspn(text, "\n");
    printf("  %.*s\n", length, text);
    text += length + (text[length] == '\n');
  }
}

static void print_fit(const ringdown_fit *fit) {
  static const char *const unit[MS_MODAL_N] = { "1/s^2", "", "m/s^2", "1/s^2", "", "" };
  const ms_modal_iwan *m = &fit->model;
  const double value[MS_MODAL_N] = { m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi, m->beta };
  printf("\nmodal Iwan model, %s form (unit mass, displacement of the sensor)\n",
         ringdown_form_name[fit->form]);
  for (int i = 0; i < MS_MODAL_N; i++) {
    if (fit->report.determined[i])
      printf("  %-8s %-14.8g %-6s +- %.2g\n", ms_identify_modal_name(i), value[i], unit[i],
             fit->report.standard_error[i]);
    else
      printf("  %-8s not determined by the data\n", ms_identify_modal_name(i));
  }
  printf("  rms of ln zeta %.3g, of omega %.3g rad/s, %td rows\n", fit->report.rms_ln_zeta,
         fit->report.rms_omega, fit->report.n_used);
  print_lines(fit->report.remarks);
}

ms_status ringdown_print(const ringdown_job *job) {
  if (job->json) return cli_print_json(job->ctx, json_job, job);
  ms_table *table;
  MS_TRY(make_table(job, &table));
  print_heading(job);
  ms_status status = cli_take_table(&table, NULL);
  for (int i = 0; i < job->n_fit; i++) print_fit(&job->fit[i]);
  if (job->n_left > 0) printf("\n%td rows do not decay and are left out of the fit\n", job->n_left);
  print_warnings(job);
  cli_print_written(job->csv, job->plot);
  return status;
}
