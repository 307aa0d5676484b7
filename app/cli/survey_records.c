/* Drawings of the records for the report of microslip survey, made while their samples are there.
 */
#include <stdio.h>
#include <string.h>

#include "survey.h"

enum { TEXT = 160 };

/* Those that are left out: the first remark says why. */
static ms_status draw(const survey_job *job, survey_group *group, const ms_survey_record *record,
                      ms_records_impact *impact, const char **name, char (*doubt)[TEXT]) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  for (ptrdiff_t c = 0; c < group->n_sensor; c++) name[c] = group->sensor[c].name;
  for (ptrdiff_t i = 0; i < info->n_record; i++) {
    const int used = ms_survey_get_impact(group->survey, i)->used;
    if (!used && !survey_remark(group, i, 0, doubt[i], TEXT)) doubt[i][0] = '\0';
    impact[i] = (ms_records_impact) { .name = survey_file(group, i),
                                      .doubt = doubt[i],
                                      .used = used,
                                      .n = record[i].n,
                                      .dt = record[i].dt,
                                      .force = record[i].force,
                                      .x = record[i].x };
  }
  const ms_records records = { .n_impact = info->n_record,
                               .impact = impact,
                               .n_sensor = group->n_sensor,
                               .sensor = name,
                               .quantity = ms_record_kind_text(group->kind),
                               .unit = group->sensor[0].unit,
                               .scale = 1.0 / group->sensor[0].factor,
                               .high_hz = info->high };
  MS_TRY(ms_records_draw(job->ctx, &records, MS_RECORDS_PULSES, &group->pulses));
  return ms_records_draw(job->ctx, &records, MS_RECORDS_SPECTROGRAMS, &group->spectrograms);
}

ms_status survey_draw_records(const survey_job *job, survey_group *group,
                              const ms_survey_record *record) {
  ms_records_impact *impact = NULL;
  const char **name = NULL;
  char(*doubt)[TEXT] = NULL;
  ms_status status = ms_allocate(job->ctx, group->n_path, sizeof *impact, &impact);
  if (status == MS_SUCCESS) status = ms_allocate(job->ctx, group->n_path, sizeof *doubt, &doubt);
  if (status == MS_SUCCESS) status = ms_allocate(job->ctx, group->n_sensor, sizeof *name, &name);
  if (status == MS_SUCCESS) status = draw(job, group, record, impact, name, doubt);
  ms_free(job->ctx, &name);
  ms_free(job->ctx, &doubt);
  ms_free(job->ctx, &impact);
  return status;
}
