/* microslip new --from: a study of measured files, with their channels and the peaks of their
   spectra filled in. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "new.h"

enum { MOST_DOFS = 64, MOST_PEAKS = 64 };

static const double two_pi = 6.283185307179586;

typedef struct from_file {
  const char *path;
  char place[1100]; /* as the study names it */
  char name[48];    /* of the impact or ring-down */
  ms_measurement *is;
  const ms_measurement_channel *force; /* NULL: none */
} from_file;

/* A degree of freedom of the study: of a sensor, or where a hammer struck. */
typedef struct from_dof {
  char name[40];
  const ms_measurement_channel *sensor; /* of the first file; NULL: a hammer alone */
  const char *channel;                  /* its name in all files */
  int node, direction;
} from_dof;

typedef struct from_job {
  ms_context *ctx;
  from_file *file;
  int n_file, n_dof, n_sensor, n_peak;
  from_dof dof[MOST_DOFS];
  ms_judge_peak peak[MOST_PEAKS]; /* of all sensors, frequencies rising */
  double mode[MOST_PEAKS];        /* Hz, rising: the highest of them, one for each sensor */
  int n_mode;
  const char *to;
} from_job;

/* ---- what the files hold ---- */

static int is_history(const ms_measurement_channel *c) {
  return c->type == 1 && !c->is_complex && c->n > 1 && c->uneven == 0 &&
         c->step * c->x_factor > 0.0;
}

static int is_motion(const ms_measurement_channel *c) {
  return is_history(c) && c->kind >= MS_RECORD_DISPLACEMENT && c->kind <= MS_RECORD_ACCELERATION;
}

/* "p7z" where node and direction are known, else letters and digits of the name. */
static void name_dof(from_job *job, from_dof *dof, const char *name) {
  static const char *const axis[] = { "", "x", "y", "z", "rx", "ry", "rz" };
  const int d = abs(dof->direction);
  size_t n = 0;
  if (dof->node > 0 && d >= 1 && d <= 6) {
    snprintf(dof->name, sizeof dof->name, "p%d%s", dof->node, axis[d]);
  } else {
    if (!isalpha((unsigned char)*name)) dof->name[n++] = 'p';
    for (; *name && n < 30; name++) {
      const int plain = isalnum((unsigned char)*name);
      if (plain || (n > 0 && dof->name[n - 1] != '_')) dof->name[n++] = plain ? *name : '_';
    }
    while (n > 1 && dof->name[n - 1] == '_') n--;
    dof->name[n] = '\0';
  }
  for (int i = 0, same = 1; i < job->n_dof; i++) {
    if (strcmp(job->dof[i].name, dof->name) != 0) continue;
    const size_t length = strlen(dof->name);
    snprintf(dof->name + length, sizeof dof->name - length, "_%d", ++same);
    i = -1;
  }
}

static from_dof *add_dof(from_job *job, const ms_measurement_channel *c) {
  if (job->n_dof >= MOST_DOFS) return NULL;
  from_dof *dof = &job->dof[job->n_dof];
  *dof = (from_dof) { .node = c->node, .direction = c->direction };
  name_dof(job, dof, c->name);
  job->n_dof++;
  return dof;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int compare_peaks(const void *a, const void *b) {
  return compare(&((const ms_judge_peak *)a)->freq_hz, &((const ms_judge_peak *)b)->freq_hz);
}

/* Of the highest peaks, as many as there are sensors. */
static void choose_modes(from_job *job) {
  int taken[MOST_PEAKS] = { 0 };
  while (job->n_mode < job->n_sensor && job->n_mode < job->n_peak) {
    int best = -1;
    for (int k = 0; k < job->n_peak; k++)
      if (!taken[k] && (best < 0 || job->peak[k].amplitude > job->peak[best].amplitude)) best = k;
    taken[best] = 1;
    job->mode[job->n_mode++] = job->peak[best].freq_hz;
  }
  qsort(job->mode, (size_t)job->n_mode, sizeof *job->mode, compare);
}

/* Peaks of several sensors closer than two percent are one. */
static ms_status find_peaks(from_job *job) {
  enum { CLOSE = 50 };
  ms_judge_peak all[MOST_PEAKS];
  int n = 0;
  for (int i = 0; i < job->n_sensor; i++) {
    const ms_measurement_channel *c = job->dof[i].sensor;
    ms_judgement found;
    MS_TRY(ms_signal_judge(job->ctx, c->n, c->step * c->x_factor, c->first * c->x_factor, c->y, 0,
                           &found));
    for (int k = 0; k < found.n_peak && n < MOST_PEAKS; k++) all[n++] = found.spectrum[k];
  }
  qsort(all, (size_t)n, sizeof *all, compare_peaks);
  for (int k = 0; k < n; k++) {
    ms_judge_peak *last = job->n_peak > 0 ? &job->peak[job->n_peak - 1] : NULL;
    if (!last || CLOSE * (all[k].freq_hz - last->freq_hz) > all[k].freq_hz) {
      job->peak[job->n_peak++] = all[k];
    } else if (all[k].amplitude > last->amplitude) {
      *last = all[k];
    }
  }
  choose_modes(job);
  return MS_SUCCESS;
}

static ms_status find_sensors(from_job *job) {
  const from_file *first = &job->file[0];
  int kind = MS_RECORD_UNKNOWN;
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(first->is); i++) {
    const ms_measurement_channel *c = ms_measurement_get(first->is, i);
    if (!is_motion(c) || (kind != MS_RECORD_UNKNOWN && (int)c->kind != kind)) continue;
    kind = (int)c->kind;
    from_dof *dof = add_dof(job, c);
    if (!dof) break;
    dof->sensor = c, dof->channel = c->name;
  }
  job->n_sensor = job->n_dof;
  if (job->n_sensor > 0) return find_peaks(job);
  return ms_fail(job->ctx, MS_ERR_FORMAT,
                 "%s: has no evenly sampled history of a displacement, velocity or acceleration; "
                 "'microslip info' lists its channels, and a channel table beside it, "
                 "FILE.channels.csv, says their kinds and units",
                 first->path);
}

/* A sensor has the shortest name that files give it: acc1 of a table is acc1:1+Z of a universal
 * file. */
static ms_status check_sensors(from_job *job, const from_file *f) {
  for (int i = 0; i < job->n_sensor; i++) {
    const char *name = job->dof[i].sensor->name;
    const ms_measurement_channel *c = cli_find_again(f->is, name);
    if (c && strlen(c->name) < strlen(job->dof[i].channel)) job->dof[i].channel = c->name;
    if (!c || !is_motion(c))
      return ms_fail(job->ctx, MS_ERR_FORMAT,
                     "%s: has no evenly sampled channel '%s' as %s has; files of one test have the "
                     "same channels",
                     f->path, name, job->file[0].path);
  }
  if ((f->force == NULL) == (job->file[0].force == NULL)) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_FORMAT,
                 "%s: has %s of a force as %s has; files of one test have the same channels",
                 f->path, f->force ? "a channel" : "no channel", job->file[0].path);
}

/* The study looks for it beside itself: where it is written elsewhere, the path is a full one. */
static ms_status find_place(const from_job *job, from_file *f) {
  char here[600] = "";
  const int elsewhere = job->to && strchr(job->to, '/') && f->path[0] != '/';
  if (elsewhere && !getcwd(here, sizeof here))
    return ms_fail(job->ctx, MS_ERR_FILE, "%s: %s", f->path, strerror(errno));
  const int n = snprintf(f->place, sizeof f->place, "%s%s%s", here, elsewhere ? "/" : "", f->path);
  if (n >= 0 && (size_t)n < sizeof f->place) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_FILE, "%s: the path is too long", f->path);
}

/* Letters of the file's name, without folders and ending; a number where another has the same. */
static void name_file(const from_job *job, from_file *f) {
  const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
  const char *dot = strrchr(name, '.');
  const ptrdiff_t i = f - job->file;
  size_t n = 0;
  for (; *name && name != dot && n + 24 < sizeof f->name; name++)
    f->name[n++] = isalnum((unsigned char)*name) ? *name : '_';
  f->name[n] = '\0';
  for (ptrdiff_t k = 0; k < i; k++)
    if (strcmp(job->file[k].name, f->name) == 0)
      snprintf(f->name + n, sizeof f->name - n, "_%td", i + 1);
}

static ms_status read_file(from_job *job, from_file *f) {
  name_file(job, f);
  MS_TRY(find_place(job, f));
  MS_TRY(ms_measurement_read(job->ctx, f->path, NULL, &f->is));
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(f->is) && !f->force; i++) {
    const ms_measurement_channel *c = ms_measurement_get(f->is, i);
    if (is_history(c) && c->kind == MS_RECORD_FORCE) f->force = c;
  }
  return MS_SUCCESS;
}

/* ---- where a hammer struck ---- */

/* The degree of freedom at its node and along its direction. */
static const from_dof *find_struck(const from_job *job, const ms_measurement_channel *force) {
  for (int i = 0; i < job->n_dof && force->node > 0; i++)
    if (job->dof[i].node == force->node && abs(job->dof[i].direction) == abs(force->direction))
      return &job->dof[i];
  return NULL;
}

static void add_struck(from_job *job) {
  for (int i = 0; i < job->n_file; i++) {
    const ms_measurement_channel *force = job->file[i].force;
    if (force && force->node > 0 && force->direction != 0 && !find_struck(job, force))
      add_dof(job, force);
  }
}

/* ---- the study ---- */

static void put_text(FILE *to, const char *text) {
  fputc('"', to);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', to);
    if ((unsigned char)*text < ' ') {
      fprintf(to, "\\x%02x", (unsigned char)*text);
    } else {
      fputc(*text, to);
    }
  }
  fputc('"', to);
}

/* In a comment: one line. */
static void put_plain(FILE *to, const char *text) {
  for (; *text; text++) fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
}

static void put_peaks(FILE *to, const from_job *job) {
  if (job->n_peak == 0) return;
  fprintf(to, "# Peaks of the spectra, Hz:");
  for (int i = 0; i < job->n_peak; i++) fprintf(to, "%s %.4g", i ? "," : "", job->peak[i].freq_hz);
  fprintf(to, "\n");
}

/* Every degree of freedom is a mass on its own spring, at the frequency of a peak. */
static void put_structure(FILE *to, const from_job *job) {
  const double top = job->n_mode > 0 ? job->mode[job->n_mode - 1] : 100.0;
  put_peaks(to, job);
  fprintf(
      to,
      "# PLACEHOLDER: every place is a mass of 1 kg on a spring of its own, so that the modes are "
      "at the highest\n# of these peaks. Put the model of your structure here: matrices, fe, or a "
      "chain with joints. Its degrees\n# of freedom have the names that sensors and hits use "
      "below.%s\n"
      "structure:\n  chain:\n    masses: {",
      job->file[0].force ? " hammer_test filters\n# modes by its shapes: until then, rows are not "
                           "those of your modes."
                         : "");
  for (int i = 0; i < job->n_dof; i++) fprintf(to, "%s%s: 1", i ? ", " : "", job->dof[i].name);
  fprintf(to, "} # kg\n    springs: # N/m\n");
  for (int i = 0; i < job->n_dof; i++) {
    const double f = i < job->n_mode ? job->mode[i] : top * (double)(3 + i - job->n_mode);
    fprintf(to, "      - [ground, %s, %.6e] # %.5g Hz\n", job->dof[i].name, pow(two_pi * f, 2.0),
            f);
  }
  fprintf(to, "  damping: {modal: 0.001}\n\n");
}

static void put_channel(FILE *to, const ms_measurement_channel *c, const char *used) {
  const char *kind = ms_record_kind_text(c->kind);
  fprintf(to, "#   ");
  put_plain(to, c->name);
  fprintf(to, ": %s",
          c->type > 1 || c->is_complex ? ms_uff58_type_text(c->type)
          : kind                       ? kind
                                       : "unknown kind");
  fprintf(to, ", ");
  put_plain(to, c->unit[0] ? c->unit : "no unit");
  fprintf(to, ", %td samples", c->n);
  if (is_history(c)) fprintf(to, " at %.6g Hz", 1.0 / (c->step * c->x_factor));
  if (c->uneven > 0) fprintf(to, ", uneven");
  fprintf(to, "%s\n", used);
}

static void put_files(FILE *to, const from_job *job) {
  const from_file *first = &job->file[0];
  const char *remark;
  fprintf(to, "# Channels of ");
  put_plain(to, first->place);
  fprintf(to, "%s\n", job->n_file > 1 ? ", and of the other files likewise:" : ":");
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(first->is); i++) {
    const ms_measurement_channel *c = ms_measurement_get(first->is, i);
    int used = c == first->force;
    for (int k = 0; k < job->n_sensor; k++) used |= job->dof[k].sensor == c;
    put_channel(to, c, used ? "" : " (not used)");
  }
  for (ptrdiff_t i = 0; (remark = ms_measurement_get_remark(first->is, i)); i++) {
    fprintf(to, "# ");
    put_plain(to, remark);
    fprintf(to, "\n");
  }
  fprintf(
      to,
      "# A kind, a unit or a place that is missing or wrong belongs into a channel table beside "
      "the file,\n# FILE.channels.csv.\n\n");
}

static void put_hit(FILE *to, const from_job *job, int i) {
  const from_file *f = &job->file[i];
  const from_dof *struck = find_struck(job, f->force);
  fprintf(to, "        %s: {at: ", f->name);
  if (struck && (struck->direction < 0) != (f->force->direction < 0)) {
    fprintf(to, "{%s: -1}", struck->name); /* against the sensor */
  } else {
    fprintf(to, "%s", struck ? struck->name : job->dof[0].name);
  }
  fprintf(to, ", file: ");
  put_text(to, f->place);
  fprintf(to, ", force: ");
  put_text(to, f->force->name);
  fprintf(to, "}%s\n", struck ? "" : " # at: the file does not say where it struck");
}

static void put_hammer_test(FILE *to, const from_job *job) {
  fprintf(to, "analyses:\n  - hammer_test:\n      hits:\n");
  for (int i = 0; i < job->n_file; i++) put_hit(to, job, i);
  fprintf(to, "      sensors: # degree of freedom: channel\n");
  for (int i = 0; i < job->n_sensor; i++) {
    fprintf(to, "        %s: ", job->dof[i].name);
    put_text(to, job->dof[i].channel);
    fprintf(to, "%s%s\n", job->dof[i].sensor->unit[0] ? "" : " # the file has no unit for it",
            job->dof[i].direction < 0 ? " # its direction in the file is negative" : "");
  }
  fprintf(to, "      kind: %s\n      modes: [1", ms_record_kind_text(job->dof[0].sensor->kind));
  for (int i = 2; i <= job->n_mode; i++) fprintf(to, ", %d", i);
  fprintf(to, "]\n");
  new_put_keys(to, "hammer_test", " hits: sensors: kind: modes:");
}

static void put_ringdowns(FILE *to, const from_job *job) {
  const ms_measurement_channel *c = job->dof[0].sensor;
  fprintf(to, "analyses:\n");
  for (int i = 0; i < job->n_file; i++) {
    fprintf(to, "  - ringdown:\n      name: %s\n      file: ", job->file[i].name);
    put_text(to, job->file[i].place);
    fprintf(to, "\n      channel: ");
    put_text(to, c->name);
    fprintf(to, " # or another one of the list above\n      kind: %s\n",
            ms_record_kind_text(c->kind));
    if (c->unit[0] == '\0') fprintf(to, "      unit: m/s^2 # the file does not say: set it\n");
    fprintf(to, "      mode: 1\n");
    if (job->n_mode > 0)
      fprintf(to, "      band: [%.4g, %.4g] # Hz, about the peak at %.5g Hz\n", 0.8 * job->mode[0],
              1.25 * job->mode[0], job->mode[0]);
  }
  new_put_keys(to, "ringdown", " name: file: from: channel: kind: unit: mode: band:");
}

static void put_study(FILE *to, const from_job *job) {
  fprintf(to, "microslip: 1\ntitle: ");
  put_text(to, job->file[0].force ? "Hammer test" : "Ring-down");
  fprintf(to, "\nunits: SI\n\n");
  put_files(to, job);
  put_structure(to, job);
  job->file[0].force ? put_hammer_test(to, job) : put_ringdowns(to, job);
}

static ms_status write_study(const from_job *job) {
  ms_outfile *file;
  if (!job->to) {
    put_study(stdout, job);
    return MS_SUCCESS;
  }
  MS_TRY(new_refuse_existing(job->ctx, job->to));
  MS_TRY(ms_outfile_open(job->ctx, job->to, &file));
  put_study(ms_outfile_stream(file), job);
  MS_TRY(ms_outfile_commit(&file));
  printf("%s: written; put your structure into it, then microslip run %s\n", job->to, job->to);
  return MS_SUCCESS;
}

static ms_status run_job(from_job *job) {
  for (int i = 0; i < job->n_file; i++) MS_TRY(read_file(job, &job->file[i]));
  MS_TRY(find_sensors(job));
  for (int i = 1; i < job->n_file; i++) MS_TRY(check_sensors(job, &job->file[i]));
  add_struck(job);
  return write_study(job);
}

ms_status new_write_from(ms_context *ctx, int n, const char *const *path, const char *to) {
  from_job job = { .ctx = ctx, .n_file = n, .to = to };
  MS_TRY(ms_allocate(ctx, n, sizeof *job.file, &job.file));
  for (int i = 0; i < n; i++) job.file[i].path = path[i];
  ms_status status = run_job(&job);
  for (int i = 0; i < n; i++) ms_measurement_destroy(&job.file[i].is);
  ms_free(ctx, &job.file);
  return status;
}
