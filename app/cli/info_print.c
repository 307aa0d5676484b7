/* What microslip info found, as a table and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "info.h"

/* ---- for people ---- */

static void print_count(ptrdiff_t n, const char *one, const char *many) {
  if (n > 0) printf(", %td %s", n, n == 1 ? one : many);
}

static void print_head(const info_job *job) {
  ptrdiff_t nodes, traces, shapes;
  const char *writer = ms_measurement_get_writer(job->file);
  const char *table = ms_measurement_get_table(job->file), *remark;
  ms_measurement_get_nodes(job->file, &nodes);
  ms_measurement_get_traces(job->file, &traces);
  ms_measurement_get_shapes(job->file, &shapes);
  printf("%s: %s", job->path, ms_measurement_get_format(job->file));
  if (writer[0]) {
    printf(" by ");
    cli_print_plain(writer, stdout);
  }
  print_count(job->n, "channel", "channels");
  print_count(nodes, "node", "nodes");
  print_count(traces, "line", "lines");
  print_count(shapes, "shape", "shapes");
  printf("\n");
  if (table[0]) printf("channel table: %s\n", table);
  for (ptrdiff_t i = 0; (remark = ms_measurement_get_remark(job->file, i)); i++) {
    cli_print_plain(remark, stdout);
    printf("\n");
  }
}

static void print_text(const char *text, int width) {
  char cut[80];
  int shown = 0;
  snprintf(cut, sizeof cut, "%s", text);
  for (const char *p = cut; *p; p++) shown += ((unsigned char)*p & 0xC0) != 0x80;
  cli_print_plain(cut, stdout);
  printf("%*s  ", width > shown ? width - shown : 0, "");
}

static int longest_name(const info_job *job) {
  size_t most = 7;
  for (ptrdiff_t i = 0; i < job->n; i++) {
    const size_t n = strlen(job->channel[i].is->name);
    most = n > most ? n : most;
  }
  return (int)most;
}

static void print_numbers(const info_channel *channel) {
  const ms_measurement_channel *c = channel->is;
  const ms_judgement *j = &channel->found;
  const double step = c->step * c->x_factor;
  printf("%9td ", c->n);
  if (c->uneven > 0) {
    printf(" %10s", "uneven");
  } else if (!(step > 0.0)) {
    printf(" %10s", "no times");
  } else if (c->type == 1) {
    printf(" %10.6g %10.4g", 1.0 / step, step * (double)(c->n - 1));
  } else {
    printf("  %g to %g Hz, every %g Hz", c->first, c->first + c->step * (double)(c->n - 1),
           c->step);
  }
  if (!channel->judged) return;
  printf(" %10.4g %10.4g %10.4g", j->peak, j->rms, j->offset);
  if (j->before > 0) printf(" %10.3g", j->noise);
}

static void print_findings(const info_channel *channel) {
  const ms_measurement_channel *c = channel->is;
  const ms_judgement *j = &channel->found;
  if (channel->judged && j->overloads > 0)
    printf("    overloaded: %td samples at the largest or smallest value, first at %.6g s\n",
           j->overloads, j->overload_time);
  if (channel->judged && j->n_hit > 1) {
    printf("    %d blows instead of one, at", j->n_hit);
    for (int i = 0; i < j->n_hit && i < MS_JUDGE_HITS; i++) printf(" %.6g", j->hit_time[i]);
    printf(" s\n");
  }
  if (channel->judged && j->n_peak > 0) {
    printf("    peaks of the spectrum at");
    for (int i = 0; i < j->n_peak; i++) printf("%s %.5g", i ? "," : "", j->spectrum[i].freq_hz);
    printf(" Hz\n");
  }
  if (c->uneven > 1 && c->uneven_line > 0)
    printf("    line %td is not where even sampling has it\n", c->uneven_line);
}

static void print_shapes(const info_job *job) {
  ptrdiff_t n;
  const ms_measurement_shape *s = ms_measurement_get_shapes(job->file, &n);
  for (ptrdiff_t i = 0; i < n; i++) {
    printf("shape %td: %td nodes", i + 1, s[i].n);
    if (s[i].frequency > 0.0) printf(", %.6g Hz", s[i].frequency);
    if (s[i].damping != 0.0) printf(", damping %.4g", s[i].damping);
    printf(s[i].is_complex ? ", complex\n" : "\n");
  }
}

static void print_all(const info_job *job) {
  const int width = longest_name(job);
  print_head(job);
  if (job->n > 0)
    printf("\n%-*s  %-18s  %-12s  %8s  %10s %10s %10s %10s %10s %10s\n", width, "channel", "type",
           "unit", "samples", "rate [Hz]", "length [s]", "peak", "rms", "offset", "noise");
  for (ptrdiff_t i = 0; i < job->n; i++) {
    const ms_measurement_channel *c = job->channel[i].is;
    print_text(c->name, width);
    print_text(info_type(c), 18);
    print_text(info_unit(c)[0] ? info_unit(c) : "-", 12);
    print_numbers(&job->channel[i]);
    printf("\n");
    print_findings(&job->channel[i]);
  }
  print_shapes(job);
  if (job->plot) printf("\npicture: %s\n", job->plot);
}

/* ---- JSON ---- */

static void json_findings(ms_json *json, const ms_judgement *j) {
  ms_json_add_number(json, "peak", j->peak);
  ms_json_add_number(json, "peak_time", j->peak_time);
  ms_json_add_number(json, "rms", j->rms);
  ms_json_add_number(json, "offset", j->offset);
  ms_json_add_integer(json, "samples_before_trigger", j->before);
  if (j->before > 0) ms_json_add_number(json, "noise", j->noise);
  ms_json_add_integer(json, "overloads", j->overloads);
  if (j->overloads > 0) ms_json_add_number(json, "overload_time", j->overload_time);
  ms_json_add_integer(json, "hits", j->n_hit);
  ms_json_add_numbers(json, "hit_times", j->hit_time,
                      j->n_hit < MS_JUDGE_HITS ? j->n_hit : MS_JUDGE_HITS);
  ms_json_begin_array(json, "spectral_peaks");
  for (int i = 0; i < j->n_peak; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_number(json, "freq_hz", j->spectrum[i].freq_hz);
    ms_json_add_number(json, "amplitude", j->spectrum[i].amplitude);
    ms_json_end(json);
  }
  ms_json_end(json);
}

static void json_channel(ms_json *json, const info_channel *channel) {
  const ms_measurement_channel *c = channel->is;
  const double step = c->step * c->x_factor;
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", c->name);
  ms_json_add_text(json, "text", c->id);
  ms_json_add_text(json, "function", ms_uff58_type_text(c->type));
  ms_json_add_text(json, "kind", ms_record_kind_text(c->kind));
  ms_json_add_text(json, "unit", info_unit(c));
  ms_json_add_number(json, "factor", c->factor);
  ms_json_add_integer(json, "samples", c->n);
  ms_json_add_bool(json, "even", c->uneven == 0);
  ms_json_add_number(json, c->type == 1 ? "time_first" : "freq_first", c->first * c->x_factor);
  ms_json_add_number(json, c->type == 1 ? "time_step" : "freq_step", step);
  ms_json_add_integer(json, "node", c->node);
  ms_json_add_integer(json, "direction", c->direction);
  ms_json_add_integer(json, "reference_node", c->reference_node);
  ms_json_add_integer(json, "reference_direction", c->reference_direction);
  if (c->has_position) ms_json_add_numbers(json, "position", c->position, 3);
  if (channel->judged) json_findings(json, &channel->found);
  ms_json_end(json);
}

static void json_job(ms_json *json, const void *user) {
  const info_job *job = user;
  const char *remark;
  ptrdiff_t n;
  ms_json_add_text(json, "file", job->path);
  ms_json_add_text(json, "format", ms_measurement_get_format(job->file));
  ms_json_add_text(json, "writer", ms_measurement_get_writer(job->file));
  ms_json_begin_array(json, "remarks");
  for (ptrdiff_t i = 0; (remark = ms_measurement_get_remark(job->file, i)); i++)
    ms_json_add_text(json, NULL, remark);
  ms_json_end(json);
  ms_json_begin_array(json, "channels");
  for (ptrdiff_t i = 0; i < job->n; i++) json_channel(json, &job->channel[i]);
  ms_json_end(json);
  ms_measurement_get_nodes(job->file, &n);
  ms_json_add_integer(json, "nodes", n);
  ms_measurement_get_traces(job->file, &n);
  ms_json_add_integer(json, "lines", n);
  const ms_measurement_shape *s = ms_measurement_get_shapes(job->file, &n);
  ms_json_begin_array(json, "shapes");
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "nodes", s[i].n);
    ms_json_add_number(json, "freq_hz", s[i].frequency);
    ms_json_add_number(json, "zeta", s[i].damping);
    ms_json_end(json);
  }
  ms_json_end(json);
}

ms_status info_print(const info_job *job) {
  if (job->json) return cli_print_json(job->ctx, json_job, job);
  print_all(job);
  return MS_SUCCESS;
}
