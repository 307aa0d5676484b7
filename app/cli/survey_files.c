/* The records of microslip survey. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "survey.h"

/* ---- names of files ---- */

static ms_status add_file(survey_job *job, survey_group *group, const char *folder,
                          const char *name) {
  const size_t size = strlen(folder) + strlen(name) + 2;
  char *path;
  MS_TRY(ms_resize(job->ctx, group->n_path + 1, sizeof *group->path, &group->path));
  MS_TRY(ms_resize(job->ctx, group->n_path + 1, sizeof *group->listed, &group->listed));
  group->listed[group->n_path] = *folder != '\0';
  MS_TRY(ms_allocate(job->ctx, (ptrdiff_t)size, 1, &path));
  snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
  group->path[group->n_path++] = path;
  return MS_SUCCESS;
}

static int is_record(const char *name) {
  static const char *const endings[] = { ".csv", ".tsv", ".txt", ".dat", ".asc", ".lvm",
                                         ".uff", ".unv", ".uf",  ".58",  ".mat", ".npz" };
  const char *dot = strrchr(name, '.');
  const size_t n = strlen(name), table = strlen(".channels.csv");
  if (!dot || dot == name || name[0] == '.') return 0;
  if (n > table && strcmp(name + n - table, ".channels.csv") == 0) return 0;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return 1;
  return 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

ms_status survey_add_path(survey_job *job, survey_group *group, const char *path) {
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return add_file(job, group, "", path);
  const ptrdiff_t first = group->n_path;
  DIR *folder = opendir(path);
  if (!folder) return ms_fail(job->ctx, MS_ERR_FILE, "%s: the folder cannot be read", path);
  ms_status status = MS_SUCCESS;
  for (struct dirent *e; status == MS_SUCCESS && (e = readdir(folder)) != NULL;)
    if (is_record(e->d_name)) status = add_file(job, group, path, e->d_name);
  closedir(folder);
  MS_TRY(status);
  if (group->n_path == first)
    return ms_fail(job->ctx, MS_ERR_FILE, "%s: no file in the folder is one of measured data",
                   path);
  qsort(group->path + first, (size_t)(group->n_path - first), sizeof *group->path, by_name);
  return MS_SUCCESS;
}

/* ---- channels ---- */

static int is_history(const ms_measurement_channel *c) {
  return c->type == 1 && !c->is_complex && c->uneven == 0 && c->n > 1 &&
         c->step * c->x_factor > 0.0;
}

static ms_status fail_names(survey_job *job, const ms_measurement *file, const char *what) {
  char names[300] = "";
  const ptrdiff_t n = ms_measurement_get_count(file);
  for (ptrdiff_t i = 0; i < n && strlen(names) < 200; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    const char *kind = ms_record_kind_text(c->kind);
    const size_t at = strlen(names);
    snprintf(names + at, sizeof names - at, "%s%s (%s)", i > 0 ? ", " : "", c->name,
             kind ? kind : "unknown");
  }
  return ms_fail(job->ctx, MS_ERR_NAME, "%s; the file has %s", what, names);
}

/* The one that is asked for, or the only one of kind force. */
static ms_status choose_force(survey_job *job, survey_group *group, const ms_measurement *file) {
  const ptrdiff_t n = ms_measurement_get_count(file);
  const ms_measurement_channel *found = NULL,
                               *asked = job->force ? cli_find_channel(file, job->force) : NULL;
  if (job->force && !asked)
    return fail_names(job, file, "no channel has the name given by --force");
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (asked ? c != asked : c->kind != MS_RECORD_FORCE) continue;
    if (found) return fail_names(job, file, "several channels are forces: choose with --force");
    found = c;
  }
  if (!found && job->free) return MS_SUCCESS;
  if (!found)
    return fail_names(job, file,
                      "no channel is the hammer's force; a channel table can say which one is");
  snprintf(group->force, sizeof group->force, "%s", found->name);
  return MS_SUCCESS;
}

static void leave_out(survey_group *group, const ms_measurement_channel *c, const char *why) {
  const size_t at = strlen(group->left);
  snprintf(group->left + at, sizeof group->left - at, "%s%s (%s)", at > 0 ? ", " : "", c->name,
           why);
}

/* That of the sensor that is asked for, else acceleration if any is that, else of the first. */
static ms_record_kind choose_kind(const ms_measurement_channel *asked, const ms_measurement *file) {
  const ptrdiff_t n = ms_measurement_get_count(file);
  ms_record_kind kind = MS_RECORD_UNKNOWN;
  if (asked) return asked->kind;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_record_kind k = ms_measurement_get(file, i)->kind;
    if (k == MS_RECORD_ACCELERATION) return k;
    if (kind == MS_RECORD_UNKNOWN && k != MS_RECORD_FORCE) kind = k;
  }
  return kind;
}

static ms_status choose_sensors(survey_job *job, survey_group *group, const ms_measurement *file) {
  const ptrdiff_t n = ms_measurement_get_count(file);
  const ms_measurement_channel *asked = job->sensor ? cli_find_channel(file, job->sensor) : NULL;
  group->kind = choose_kind(asked, file);
  MS_TRY(ms_allocate(job->ctx, n, sizeof *group->sensor, &group->sensor));
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    const char *why = NULL;
    if (strcmp(c->name, group->force) == 0) continue;
    if (!is_history(c)) why = "no evenly sampled history";
    if (!why && c->kind == MS_RECORD_UNKNOWN) why = "neither kind nor unit";
    if (!why && !(c->factor > 0.0)) why = "its unit is not known";
    if (!why && c->kind != group->kind) why = "another kind than the other sensors";
    if (why) leave_out(group, c, why);
    if (why) continue;
    survey_sensor *sensor = &group->sensor[group->n_sensor++];
    snprintf(sensor->name, sizeof sensor->name, "%s", c->name);
    snprintf(sensor->unit, sizeof sensor->unit, "%s", c->unit);
    sensor->factor = c->factor;
  }
  if (group->n_sensor == 0)
    return ms_fail(job->ctx, MS_ERR_FORMAT,
                   "no channel is a sensor with kind, unit and times%s%s; a channel table can say "
                   "kinds and units, --rate the samples per second",
                   group->left[0] ? ": " : "", group->left);
  if (job->sensor) job->settings.sensor = -1;
  for (ptrdiff_t i = 0; asked && i < group->n_sensor; i++)
    if (strcmp(group->sensor[i].name, asked->name) == 0) job->settings.sensor = i;
  if (job->sensor && job->settings.sensor < 0)
    return fail_names(job, file, "no sensor has the name given by --sensor");
  return MS_SUCCESS;
}

/* ---- records ---- */

static ms_status take_channel(survey_job *job, const ms_measurement *file, const char *name,
                              ms_survey_record *r, double *to) {
  const ms_measurement_channel *c = cli_find_again(file, name);
  if (!c || !is_history(c))
    return fail_names(job, file,
                      c ? "a channel is no evenly sampled history"
                        : "a channel of the first file is missing here");
  const double dt = c->step * c->x_factor;
  if (r->n > 0 && (c->n != r->n || fabs(dt / r->dt - 1.0) > 1e-9))
    return ms_fail(job->ctx, MS_ERR_FORMAT,
                   "channel %s has %td samples at %g Hz, the others %td at %g Hz", c->name, c->n,
                   1.0 / dt, r->n, 1.0 / r->dt);
  const double time = c->first * c->x_factor;
  if (r->n > 0 && fabs(time - r->time) > 0.5 * dt)
    return ms_fail(job->ctx, MS_ERR_FORMAT, "channel %s begins at %.9g s, the others at %.9g s",
                   c->name, time, r->time);
  if (!(c->factor > 0.0))
    return ms_fail(job->ctx, MS_ERR_FORMAT,
                   "channel %s has no unit that is known; a channel table can say it", c->name);
  r->n = c->n, r->dt = dt, r->time = time;
  if (to)
    for (ptrdiff_t k = 0; k < c->n; k++) to[k] = c->factor * c->y[k];
  return MS_SUCCESS;
}

static ms_status take_record(survey_job *job, survey_group *group, const ms_measurement *file,
                             ptrdiff_t i, ms_survey_record *r) {
  double *samples;
  if (group->n_sensor == 0) {
    MS_TRY(choose_force(job, group, file));
    MS_TRY(choose_sensors(job, group, file));
  }
  const int forced = group->force[0] != '\0';
  MS_TRY(take_channel(job, file, forced ? group->force : group->sensor[0].name, r, NULL));
  MS_TRY(ms_allocate(job->ctx, r->n * (group->n_sensor + 1), sizeof *samples, &samples));
  r->name = group->path[i];
  r->force = forced ? samples : NULL;
  r->x = samples + r->n;
  ms_status status = forced ? take_channel(job, file, group->force, r, samples) : MS_SUCCESS;
  for (ptrdiff_t c = 0; c < group->n_sensor && status == MS_SUCCESS; c++)
    status = take_channel(job, file, group->sensor[c].name, r, samples + r->n * (c + 1));
  return status;
}

/* Notes or results beside the records of a folder have no history of a force. */
static int has_blow(const survey_job *job, const ms_measurement *file) {
  const ptrdiff_t n = ms_measurement_get_count(file);
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (is_history(c) && (job->free || job->force || c->kind == MS_RECORD_FORCE)) return 1;
  }
  return 0;
}

static void skip_file(survey_group *group, ptrdiff_t i) {
  const char *slash = strrchr(group->path[i], '/');
  const size_t at = strlen(group->skipped);
  snprintf(group->skipped + at, sizeof group->skipped - at, "%s%s", at > 0 ? ", " : "", slash + 1);
}

static ms_status read_file(survey_job *job, survey_group *group, ptrdiff_t i, ms_survey_record *r,
                           int *is_record) {
  ms_measurement *file;
  ms_status status = ms_measurement_read(job->ctx, group->path[i], &job->request, &file);
  *is_record =
      !group->listed[i] || (status == MS_SUCCESS ? has_blow(job, file) : status != MS_ERR_FORMAT);
  if (!*is_record) {
    ms_context_clear_message(job->ctx);
    skip_file(group, i);
    ms_measurement_destroy(&file);
    return MS_SUCCESS;
  }
  MS_TRY(status);
  status = take_record(job, group, file, i, r);
  ms_measurement_destroy(&file);
  return status == MS_SUCCESS ? status : ms_fail_at(job->ctx, status, "%s", group->path[i]);
}

/* Those of folders that are no records go. */
static ms_status read_files(survey_job *job, survey_group *group, ms_survey_record *record) {
  ptrdiff_t n = 0;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < group->n_path; i++) {
    char *path = group->path[i];
    int is_record = 1;
    if (status == MS_SUCCESS) status = read_file(job, group, i, &record[n], &is_record);
    if (is_record)
      group->path[n++] = path;
    else
      ms_free(job->ctx, &path);
  }
  group->n_path = n;
  if (status != MS_SUCCESS || n > 0) return status;
  return ms_fail(job->ctx, MS_ERR_FORMAT,
                 "no file is a record with a hammer's force and times: %s; 'microslip info FILE' "
                 "says what one holds",
                 group->skipped);
}

ms_status survey_read(survey_job *job, survey_group *group) {
  ms_survey_record *record;
  MS_TRY(ms_allocate(job->ctx, group->n_path, sizeof *record, &record));
  ms_status status = read_files(job, group, record);
  if (status == MS_SUCCESS)
    status = ms_survey_create(job->ctx, group->n_sensor, (ms_signal_kind)group->kind, group->n_path,
                              record, &job->settings, &group->survey);
  if (status == MS_SUCCESS && job->report) status = survey_draw_records(job, group, record);
  for (ptrdiff_t i = 0; i < group->n_path; i++) {
    double *samples = record[i].x ? (double *)(size_t)(record[i].x - record[i].n) : NULL;
    ms_free(job->ctx, &samples);
  }
  ms_free(job->ctx, &record);
  MS_TRY(status);
  group->at = &group->sensor[ms_survey_get_info(group->survey)->sensor];
  if (group->kind == job->group[0].kind) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                 "%s is of another kind than %s of the first group: they cannot be compared",
                 group->at->name, job->group[0].at->name);
}

ms_status survey_number(survey_job *job) {
  const ms_survey *made[SURVEY_GROUPS];
  ptrdiff_t *number[SURVEY_GROUPS];
  for (int g = 0; g < job->n_group; g++) {
    survey_group *group = &job->group[g];
    made[g] = group->survey;
    MS_TRY(ms_allocate(job->ctx, ms_survey_get_info(group->survey)->n_mode, sizeof *group->number,
                       &group->number));
    number[g] = group->number;
  }
  return ms_survey_number(job->ctx, job->n_group, made, number, &job->n_mode);
}

ptrdiff_t survey_find_mode(const survey_group *group, ptrdiff_t number) {
  for (ptrdiff_t r = 0; r < ms_survey_get_info(group->survey)->n_mode; r++)
    if (group->number[r] == number) return r;
  return -1;
}
