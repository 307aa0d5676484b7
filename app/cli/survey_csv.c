/* The curves of microslip survey as a table, for calibrate and other programs. */
#include <math.h>
#include <stdio.h>

#include "survey.h"

/* Amplitudes of the sensor as displacement, velocity and acceleration at the point's frequency. */
static void print_point(FILE *out, const survey_group *group, ptrdiff_t mode,
                        const ms_survey_point *p) {
  const double omega = 2.0 * acos(-1.0) * p->freq_hz;
  const double x = p->amplitude / pow(omega, (double)group->kind);
  fprintf(out, "%td,%s%s%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%td\n", mode,
          group->name, group->name[0] ? " " : "", p->coupled ? "coupled" : "alone", x, omega * x,
          omega * omega * x, omega, p->freq_hz, p->freq_spread, p->zeta, p->zeta_spread,
          p->impacts);
}

static void print_curves(FILE *out, const survey_group *group) {
  for (ptrdiff_t r = 0; r < ms_survey_get_info(group->survey)->n_mode; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(group->survey, r);
    for (ptrdiff_t k = 0; k < m->n_point; k++)
      if (m->point[k].zeta > 0.0) print_point(out, group, group->number[r], &m->point[k]);
  }
}

ms_status survey_write_csv(const survey_job *job) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(job->ctx, job->csv, &file));
  FILE *out = ms_outfile_stream(file);
  fprintf(out,
          "mode,method,displacement [m],velocity [m/s],acceleration [m/s^2],omega [rad/s],"
          "f [Hz],f_spread [Hz],zeta,zeta_spread,impacts\n");
  for (int g = 0; g < job->n_group; g++) print_curves(out, &job->group[g]);
  return ms_outfile_commit(&file);
}
