/* What microslip frf found. */
#include <math.h>
#include <stdio.h>

#include "frf.h"

static double largest_error(const frf_job *job) {
  double most = 0.0;
  for (ptrdiff_t o = 0; o < job->n_sensor; o++) most = fmax(most, job->fit.error[o]);
  return most;
}

/* f, zeta and the shapes. */
static ms_status write_table(const frf_job *job) {
  const ptrdiff_t n = job->fit.n_mode;
  ms_table *table = NULL;
  double *column;
  MS_TRY(ms_allocate(job->ctx, n, sizeof *column, &column));
  ms_status status = ms_table_create(job->ctx, &table);
  for (ptrdiff_t c = 0; c < job->n_sensor + 2 && status == MS_SUCCESS; c++) {
    const char *name = c == 0 ? "f" : c == 1 ? "zeta" : job->name[c - 2].text;
    for (ptrdiff_t r = 0; r < n; r++)
      column[r] = c == 0   ? job->fit.mode[r].freq_hz
                  : c == 1 ? job->fit.mode[r].zeta
                           : job->shape[c - 2 + job->n_sensor * r];
    status = ms_table_add_column(table, name, c == 0 ? "Hz" : NULL, column, n);
  }
  if (status == MS_SUCCESS) status = ms_table_write_csv(table, job->csv);
  ms_table_destroy(&table);
  ms_free(job->ctx, &column);
  return status;
}

static void fill_json(ms_json *json, const void *user) {
  const frf_job *job = user;
  ms_json_begin_array(json, "modes");
  for (ptrdiff_t r = 0; r < job->fit.n_mode; r++) {
    const ms_frf_mode *m = &job->fit.mode[r];
    ms_json_begin_object(json, NULL);
    ms_json_add_number(json, "f_hz", m->freq_hz);
    ms_json_add_number(json, "f_error_hz", m->freq_error);
    ms_json_add_number(json, "zeta", m->zeta);
    ms_json_add_number(json, "zeta_error", m->zeta_error);
    ms_json_add_number(json, "found", m->found);
    ms_json_add_number(json, "collinearity", m->collinearity);
    ms_json_begin_object(json, "shape");
    for (ptrdiff_t o = 0; o < job->n_sensor; o++)
      ms_json_add_number(json, job->name[o].text, job->shape[o + job->n_sensor * r]);
    ms_json_end(json);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_begin_object(json, "misfit");
  for (ptrdiff_t o = 0; o < job->n_sensor; o++)
    ms_json_add_number(json, job->name[o].text, job->fit.error[o]);
  ms_json_end(json);
}

ms_status frf_print(const frf_job *job) {
  if (job->csv) MS_TRY(write_table(job));
  if (job->json) return cli_print_json(job->ctx, fill_json, job);
  printf("%td modes of %td sensors%s\n\n", job->fit.n_mode, job->n_sensor,
         job->responses ? "" : ", from impacts");
  printf("  mode       f, Hz      +-    damping, %%      +-   orders  collinearity\n");
  for (ptrdiff_t r = 0; r < job->fit.n_mode; r++) {
    const ms_frf_mode *m = &job->fit.mode[r];
    printf("  %4td  %10.6g %7.1g  %12.4g %7.1g  %5.0f %%  %.4f\n", r + 1, m->freq_hz, m->freq_error,
           100.0 * m->zeta, 100.0 * m->zeta_error, 100.0 * m->found, m->collinearity);
  }
  printf("\nshapes, %s:\n", job->at >= 0 ? "1/sqrt(kg)" : "over the largest component");
  for (ptrdiff_t o = 0; o < job->n_sensor; o++) {
    printf("  ");
    cli_print_plain(job->name[o].text, stdout);
    for (ptrdiff_t r = 0; r < job->fit.n_mode; r++)
      printf(" %9.4g", job->shape[o + job->n_sensor * r]);
    printf("\n");
  }
  printf("\nWhat the modes leave is up to %.2g %% of a response (rms).\n",
         100.0 * largest_error(job));
  cli_print_written(job->csv, NULL);
  return MS_SUCCESS;
}
