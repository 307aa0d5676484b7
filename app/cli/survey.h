/* microslip survey: what its files share. */
#ifndef MS_APP_SURVEY_H
#define MS_APP_SURVEY_H

#include "cli.h"

enum { SURVEY_GROUPS = 4 };

typedef struct survey_sensor {
  char name[64], unit[48]; /* of the first file */
  double factor;           /* SI in one of the unit */
} survey_sensor;

/* Impact tests of one assembly. */
typedef struct survey_group {
  const char *name; /* "" of a single one */
  char **path;      /* of each record, owned */
  ptrdiff_t n_path;
  unsigned char *listed; /* 1: found in a folder, where it may be no record */
  survey_sensor *sensor; /* in the order of the survey */
  ptrdiff_t n_sensor;
  const survey_sensor *at; /* that amplitudes are at */
  char force[64];
  ms_record_kind kind;
  char left[400];    /* channels that are left out, and why; "" if none */
  char skipped[400]; /* files of folders that are no records; "" if none */
  ms_survey *survey;
  ptrdiff_t *number;                 /* of each mode, from 1: one for a mode of all groups; owned */
  ms_drawing *pulses, *spectrograms; /* of the records, if there is to be a report */
} survey_group;

typedef struct survey_job {
  ms_context *ctx;
  const char *sensor, *force, *report, *csv;
  ms_measurement_request request;
  ms_survey_settings settings;
  int json, free, n_group; /* free: files may be without a force */
  ptrdiff_t n_mode;        /* of all groups */
  survey_group group[SURVEY_GROUPS];
} survey_job;

/* survey_files.c: adds a file, or those of a folder; reads all of a group and makes its survey. */
ms_status survey_add_path(survey_job *job, survey_group *group, const char *path);
ms_status survey_read(survey_job *job, survey_group *group);

/* survey_records.c: once there is a survey. */
ms_status survey_draw_records(const survey_job *job, survey_group *group,
                              const ms_survey_record *record);

/* survey.c: one file without options, which may be without a force; `microslip ringdown FILE`. */
ms_status survey_run_file(ms_context *ctx, const char *path, int json);

/* survey_print.c */
ms_status survey_print(const survey_job *job);
/* A sentence: in which modes the structure is nonlinear, and from what amplitude. */
void survey_say(const survey_job *job, const survey_group *group, char *text, size_t size);
/* Amplitudes of all groups are in the unit of the first one's sensor. */
double survey_amplitude(const survey_job *job, double si);
/* Remarks of the judge on a record, a sentence each; 0 if there are not that many. */
int survey_remark(const survey_group *group, ptrdiff_t record, int i, char *text, size_t size);
/* Several places of the hammer in one group, and whose impacts are of which; 0: one. */
int survey_say_places(const survey_group *group, char *text, size_t size);
/* Peaks that are hum of the mains; 0: none. */
int survey_say_hum(const survey_group *group, char *text, size_t size);
/* "impacts/hit03.csv" without its folder. */
const char *survey_file(const survey_group *group, ptrdiff_t record);

/* survey_files.c: gives modes their numbers, once all groups are read. */
ms_status survey_number(survey_job *job);
/* The mode of a group that has a number; -1: none. */
ptrdiff_t survey_find_mode(const survey_group *group, ptrdiff_t number);

/* survey_csv.c */
ms_status survey_write_csv(const survey_job *job);

/* survey_page.c */
ms_status survey_write_page(const survey_job *job);

#endif
