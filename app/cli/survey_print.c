/* What microslip survey found, as tables and as JSON. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "survey.h"

enum { REMARK = 400, SHOWN = 8 }; /* SHOWN: points of a curve on the terminal */

double survey_amplitude(const survey_job *job, double si) {
  return si / job->group[0].at->factor;
}

const char *survey_file(const survey_group *group, ptrdiff_t record) {
  const char *slash = strrchr(group->path[record], '/');
  return slash ? slash + 1 : group->path[record];
}

/* What most other impacts do not have; 0: nothing. */
static int say_fault(const survey_group *group, ptrdiff_t record, char *text, size_t size) {
  const ms_survey_impact *impact = ms_survey_get_impact(group->survey, record);
  const char *sensor = group->sensor[impact->sensor].name;
  switch (impact->fault) {
  case MS_SURVEY_LOST:
    snprintf(text, size, "%s shows nothing of what it shows in most impacts", sensor);
    return 1;
  case MS_SURVEY_SIGN:
    snprintf(text, size, "%s has the other sign than in most impacts", sensor);
    return 1;
  case MS_SURVEY_FORCE_SIGN:
    snprintf(text, size, "%s has the other sign than in most impacts, or all sensors have",
             group->force);
    return 1;
  case MS_SURVEY_SWAPPED:
    snprintf(text, size, "%s and %s are exchanged", sensor, group->sensor[impact->other].name);
    return 1;
  default:
    return 0;
  }
}

int survey_remark(const survey_group *group, ptrdiff_t record, int i, char *text, size_t size) {
  if (say_fault(group, record, text, size) && i-- == 0) return 1;
  for (ptrdiff_t c = 0; c <= group->n_sensor; c++) {
    const ms_judgement *j = ms_survey_get_judgement(group->survey, record, c);
    const char *name = c == 0 ? group->force : group->sensor[c - 1].name;
    if (c == 0 && !group->force[0]) continue; /* a ring-down without a force */
    if (j->overloads > 0 && i-- == 0) {
      snprintf(text, size, "%s is overloaded: %td samples, first at %.6g s", name, j->overloads,
               j->overload_time);
      return 1;
    }
    if (j->n_hit > 1 && i-- == 0) {
      snprintf(text, size, "%d blows instead of one, at %.6g and %.6g s", j->n_hit, j->hit_time[0],
               j->hit_time[1]);
      return 1;
    }
    if (!(j->peak > 0.0)) {
      if (i-- > 0) continue;
      snprintf(text, size, "%s has no signal: all samples are the same", name);
      return 1;
    }
    if (j->before == 0 && i-- == 0) {
      snprintf(text, size, "%s has too few samples before the trigger to tell offset and noise",
               name);
      return 1;
    }
  }
  return 0;
}

int survey_say_places(const survey_group *group, char *text, size_t size) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  if (info->n_place < 2) return 0;
  size_t at = (size_t)snprintf(text, size,
                               "The impacts are of %td kinds that begin unlike each other, as from "
                               "several places or directions of the hammer: survey those of one at "
                               "a time, modes, coherence and levels here are blurred (",
                               info->n_place);
  for (ptrdiff_t p = 1; p <= info->n_place && at + 100 < size; p++) {
    const char *before = p > 1 ? "; " : "";
    for (ptrdiff_t i = 0; i < info->n_record && at + 100 < size; i++) {
      if (ms_survey_get_impact(group->survey, i)->place != p) continue;
      at += (size_t)snprintf(text + at, size - at, "%s%.80s", before, survey_file(group, i));
      before = ", ";
    }
  }
  snprintf(text + at, size - at, at + 100 < size ? ")." : ", ...).");
  return 1;
}

int survey_say_hum(const survey_group *group, char *text, size_t size) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  size_t at = (size_t)snprintf(text, size, "Hum of the mains:");
  for (ptrdiff_t i = 0; i < info->n_hum; i++)
    at += (size_t)snprintf(text + at, size - at, "%s %.5g", i > 0 ? "," : "", info->hum_hz[i]);
  snprintf(text + at, size - at,
           " Hz, which does not decay, and is there before the blow. It is no mode, and left out.");
  return info->n_hum > 0;
}

/* "mode 2 (frequency from 0.1 g, damping from 0.3 g, other modes ring too)"; 0 if it does not
   deviate. */
static int say_mode(const survey_job *job, const ms_survey_mode *m, ptrdiff_t number, char *text,
                    size_t size) {
  const char *unit = job->group[0].at->unit, *before = " (";
  const char *const what[] = { "frequency", "damping" };
  const double from[] = { m->freq_from, m->zeta_from };
  int coupled = 0;
  size_t at = (size_t)snprintf(text, size, " mode %td", number);
  for (int f = 0; f < 2; f++) {
    ptrdiff_t k = 0;
    if (!(from[f] > 0.0)) continue;
    while (k < m->n_point - 1 && m->point[k].amplitude < from[f]) k++;
    coupled |= m->point[k].coupled;
    at += (size_t)snprintf(text + at, size - at, "%s%s from %.3g %s%s", before, what[f],
                           survey_amplitude(job, from[f]), unit,
                           from[f] == m->lowest ? ", the lowest read" : "");
    before = ", ";
  }
  snprintf(text + at, size - at, coupled ? ", other modes ring too)" : ")");
  return before[0] == ',';
}

void survey_say(const survey_job *job, const survey_group *group, char *text, size_t size) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  ptrdiff_t n = 0, read = 0;
  size_t at = (size_t)snprintf(text, size, "The structure is nonlinear:");
  for (ptrdiff_t r = 0; r < info->n_mode && at + 2 < size; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(group->survey, r);
    char mode[300];
    read += m->n_point > 0 && !m->is_short;
    if (!say_mode(job, m, group->number[r], mode, sizeof mode)) continue;
    snprintf(text + at, size - at, "%s%s", n++ > 0 ? ";" : "", mode);
    at = strlen(text);
  }
  if (n > 0) {
    snprintf(text + at, size - at, ".");
    return;
  }
  snprintf(text, size,
           read > 0 ? "No deviation from linear: frequency and damping of %td modes do not depend "
                      "on the amplitude, as far as these impacts tell."
                    : "No ring-down of a mode could be read.",
           read);
}

/* ---- for people ---- */

/* A line that has names of files and channels in it. */
MS_PRINTF(1, 2) static void print_line(const char *format, ...) {
  char text[1200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  cli_print_plain(text, stdout);
  printf("\n");
}

static void print_from(double from, const survey_job *job) {
  if (from > 0.0)
    printf(" %12.4g", survey_amplitude(job, from));
  else
    printf(" %12s", "-");
}

static void print_modes(const survey_job *job, const survey_group *group) {
  const char *unit = job->group[0].at->unit;
  char heading[3][64];
  int marked = 0, coupled = 0;
  snprintf(heading[2], sizeof heading[2], "read at [%s]", unit);
  snprintf(heading[0], sizeof heading[0], "f from [%s]", unit);
  snprintf(heading[1], sizeof heading[1], "d from [%s]", unit);
  printf(
      "\nmode     f [Hz]  damping [%%]        +- %12s %12s %12s  coherence  band [Hz], edge        "
      "    by "
      "shape\n",
      heading[2], heading[0], heading[1]);
  for (ptrdiff_t r = 0; r < ms_survey_get_info(group->survey)->n_mode; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(group->survey, r);
    char band[40], zeta[40];
    snprintf(band, sizeof band, "%.5g to %.5g, %.2g", m->low, m->high, m->edge);
    snprintf(zeta, sizeof zeta, "%s%.4g", m->is_coupled ? "~" : "", 100.0 * m->zeta);
    if (m->n_point > 0)
      printf("%4td %10.6g %12s %9.2g %11.4g%s", group->number[r], m->freq_hz, zeta,
             100.0 * m->zeta_spread, survey_amplitude(job, m->lowest), m->is_low ? " " : "*");
    else
      printf("%4td %10.6g %12s %9s %12s", group->number[r], m->peak_hz, "-", "-", "-");
    marked |= m->n_point > 0 && !m->is_low;
    coupled |= m->n_point > 0 && m->is_coupled;
    print_from(m->freq_from, job);
    print_from(m->zeta_from, job);
    if (ms_survey_get_info(group->survey)->is_free)
      printf(" %10s", "-");
    else
      printf(" %10.3f", m->coherence);
    printf("  %-24s %9td\n", band, m->filtered);
  }
  if (marked) printf("* not at low amplitude: see the notes\n");
  if (coupled)
    printf(
        "~ other modes ring too in every impact: where joints slip they raise the damping of "
        "this "
        "one, which\n  by itself usually has less\n");
}

static void print_curve(const survey_job *job, const survey_group *group, ptrdiff_t r) {
  const ms_survey_mode *m = ms_survey_get_mode(group->survey, r);
  const char *unit = job->group[0].at->unit;
  char text[REMARK];
  printf("\n");
  print_line("mode %td: amplitude of %s", group->number[r], group->at->name);
  if (m->n_point > 0) {
    char heading[64];
    snprintf(heading, sizeof heading, "[%s]", unit);
    printf("%12s %12s %9s %12s %9s  impacts\n", heading, "f [Hz]", "+-", "damping [%]", "+-");
  }
  const ptrdiff_t step = 1 + (m->n_point - 1) / SHOWN;
  for (ptrdiff_t k = (m->n_point - 1) % step; k < m->n_point; k += step) {
    const ms_survey_point *p = &m->point[k];
    printf("%12.4g %12.4f %9.2g %12.4f %9.2g  %7td%s\n", survey_amplitude(job, p->amplitude),
           p->freq_hz, p->freq_spread, 100.0 * p->zeta, 100.0 * p->zeta_spread, p->impacts,
           p->coupled ? "  other modes ring too" : "");
  }
  for (int i = 0; ms_survey_note(group->survey, r, i, text + 6, sizeof text - 6); i++) {
    memcpy(text, "note: ", 6);
    cli_print_wrapped(stdout, "  ", text, 100);
  }
}

static void print_group(const survey_job *job, const survey_group *group) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  char text[1000];
  print_line("%s%s%s: %td, %td used; sensors: %td; %.6g samples per second, decimated by %td",
             group->name, group->name[0] ? ": " : "", info->is_free ? "ring-downs" : "impacts",
             info->n_record, info->n_used, group->n_sensor, info->rate, info->factor);
  print_line("amplitudes: %s [%s]; modes looked for from %.4g to %.4g Hz", group->at->name,
             job->group[0].at->unit, info->low, info->high);
  if (group->left[0]) print_line("channels left out: %s", group->left);
  if (group->skipped[0]) print_line("files that are no records: %s", group->skipped);
  for (ptrdiff_t i = 0; i < info->n_record; i++) {
    for (int k = 0; survey_remark(group, i, k, text, sizeof text); k++)
      print_line("%s: %s%s", survey_file(group, i), text,
                 ms_survey_get_impact(group->survey, i)->used ? "" : "; left out");
  }
  if (survey_say_places(group, text, sizeof text)) cli_print_wrapped(stdout, "", text, 100);
  if (survey_say_hum(group, text, sizeof text)) cli_print_wrapped(stdout, "", text, 100);
  survey_say(job, group, text, sizeof text);
  printf("\n");
  cli_print_wrapped(stdout, "", text, 100);
  print_modes(job, group);
  for (ptrdiff_t r = 0; r < info->n_mode; r++) print_curve(job, group, r);
}

/* ---- JSON ---- */

static void json_from(ms_json *json, const survey_job *job, const char *key, double from) {
  if (from > 0.0)
    ms_json_add_number(json, key, survey_amplitude(job, from));
  else
    ms_json_add_null(json, key);
}

static void json_points(ms_json *json, const survey_job *job, const ms_survey_mode *m) {
  ms_json_begin_array(json, "points");
  for (ptrdiff_t k = 0; k < m->n_point; k++) {
    const ms_survey_point *p = &m->point[k];
    ms_json_begin_object(json, NULL);
    ms_json_add_number(json, "amplitude", survey_amplitude(job, p->amplitude));
    ms_json_add_number(json, "f", p->freq_hz);
    ms_json_add_number(json, "f_spread", p->freq_spread);
    ms_json_add_number(json, "zeta", p->zeta);
    ms_json_add_number(json, "zeta_spread", p->zeta_spread);
    ms_json_add_integer(json, "impacts", p->impacts);
    ms_json_add_bool(json, "coupled", p->coupled);
    ms_json_end(json);
  }
  ms_json_end(json);
}

static void json_mode(ms_json *json, const survey_job *job, const survey_group *group,
                      ptrdiff_t r) {
  const ms_survey_mode *m = ms_survey_get_mode(group->survey, r);
  char text[REMARK];
  ms_json_begin_object(json, NULL);
  ms_json_add_integer(json, "mode", group->number[r]);
  ms_json_add_number(json, "peak_hz", m->peak_hz);
  if (m->n_point > 0) {
    ms_json_add_number(json, "f", m->freq_hz);
    ms_json_add_number(json, "zeta", m->zeta);
    ms_json_add_number(json, "f_spread", m->freq_spread);
    ms_json_add_number(json, "zeta_spread", m->zeta_spread);
    ms_json_add_number(json, "read_at", survey_amplitude(job, m->lowest));
  } else {
    ms_json_add_null(json, "f");
    ms_json_add_null(json, "zeta");
    ms_json_add_null(json, "f_spread");
    ms_json_add_null(json, "zeta_spread");
    ms_json_add_null(json, "read_at");
  }
  ms_json_add_bool(json, "at_low_amplitude", m->is_low);
  ms_json_add_bool(json, "coupled", m->is_coupled);
  json_from(json, job, "f_from", m->freq_from);
  json_from(json, job, "zeta_from", m->zeta_from);
  if (ms_survey_get_info(group->survey)->is_free)
    ms_json_add_null(json, "coherence");
  else
    ms_json_add_number(json, "coherence", m->coherence);
  ms_json_add_numbers(json, "shape", m->shape, group->n_sensor);
  ms_json_add_numbers(json, "band_hz", (const double[]) { m->low, m->high }, 2);
  ms_json_add_number(json, "edge", m->edge);
  ms_json_add_integer(json, "filtered_by_shape", m->filtered);
  ms_json_begin_array(json, "notes");
  for (int i = 0; ms_survey_note(group->survey, r, i, text, sizeof text); i++)
    ms_json_add_text(json, NULL, text);
  ms_json_end(json);
  json_points(json, job, m);
  ms_json_end(json);
}

static void json_impact(ms_json *json, const survey_group *group, ptrdiff_t i) {
  const ms_survey_impact *impact = ms_survey_get_impact(group->survey, i);
  char text[REMARK];
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "file", group->path[i]);
  ms_json_add_bool(json, "used", impact->used);
  if (!ms_survey_get_info(group->survey)->is_free)
    ms_json_add_number(json, "peak_force", impact->peak);
  ms_json_add_number(json, "rings_from", impact->end);
  ms_json_begin_array(json, "remarks");
  for (int k = 0; survey_remark(group, i, k, text, sizeof text); k++)
    ms_json_add_text(json, NULL, text);
  ms_json_end(json);
  ms_json_end(json);
}

static void json_group(ms_json *json, const survey_job *job, const survey_group *group) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  char text[1000];
  survey_say(job, group, text, sizeof text);
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", group->name);
  ms_json_add_text(json, "answer", text);
  ms_json_add_text(json, "places", survey_say_places(group, text, sizeof text) ? text : "");
  ms_json_add_numbers(json, "hum_hz", info->hum_hz, info->n_hum);
  ms_json_add_text(json, "sensor", group->at->name);
  ms_json_add_text(json, "unit", job->group[0].at->unit);
  ms_json_add_number(json, "rate_hz", info->rate);
  ms_json_add_integer(json, "decimated_by", info->factor);
  ms_json_add_numbers(json, "range_hz", (const double[]) { info->low, info->high }, 2);
  ms_json_add_text(json, "channels_left_out", group->left);
  ms_json_add_text(json, "no_records", group->skipped);
  ms_json_begin_array(json, "sensors");
  for (ptrdiff_t c = 0; c < group->n_sensor; c++)
    ms_json_add_text(json, NULL, group->sensor[c].name);
  ms_json_end(json);
  ms_json_begin_array(json, "impacts");
  for (ptrdiff_t i = 0; i < info->n_record; i++) json_impact(json, group, i);
  ms_json_end(json);
  ms_json_begin_array(json, "modes");
  for (ptrdiff_t r = 0; r < info->n_mode; r++) json_mode(json, job, group, r);
  ms_json_end(json);
  ms_json_end(json);
}

static void json_job(ms_json *json, const void *user) {
  const survey_job *job = user;
  ms_json_begin_array(json, "groups");
  for (int g = 0; g < job->n_group; g++) json_group(json, job, &job->group[g]);
  ms_json_end(json);
}

ms_status survey_print(const survey_job *job) {
  if (job->json) return cli_print_json(job->ctx, json_job, job);
  for (int g = 0; g < job->n_group; g++) {
    if (g > 0) printf("\n");
    print_group(job, &job->group[g]);
  }
  if (job->report) printf("\nreport: %s\n", job->report);
  if (job->csv) printf("%scurves: %s\n", job->report ? "" : "\n", job->csv);
  return MS_SUCCESS;
}
