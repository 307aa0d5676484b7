/* What an interrupted study leaves in its folder, so that another start goes on from there.

     .resume/jobs        a stream of rows of WIDTH numbers, each with a checksum (see io/stream.c):
                           the first: format, fingerprint of the study (two halves of 32 bits)
                           each job that has ended: a row {fingerprint of the set of jobs (two
                           halves), job, n}, then n numbers in as many rows as they need
     .resume/run-*       rows and state of a long run (see checkpoint.c)
     .resume/study.yaml  the study, for people who wonder what was interrupted
     .resume/lock        locked while a process works here

   A job whose rows are not all there counts as not run. The stream is made under another name and
   renamed once its first row is on the disk: where there is no `jobs`, nothing was finished. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "study/study.h"

enum { WIDTH = 8, FORMAT = 1 };

struct ms_resume {
  ms_context *ctx;
  const char *shown; /* the study's folder */
  char *folder;      /* .resume in it */
  int lock;          /* file descriptor, -1 if none */
  uint64_t identity; /* of the study */
  ms_stream *stream;
  double *rows; /* of an earlier start: whole jobs only, without the first row */
  ptrdiff_t n_row;
};

/* ---- fingerprints: FNV-1a, 64 bits ---- */

static const uint64_t fingerprint_start = UINT64_C(0xcbf29ce484222325);

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (; n > 0; n--, p++) sum = (sum ^ *p) * UINT64_C(0x100000001b3);
  return sum;
}

/* With its NUL, so that no two lists of texts look alike. */
static uint64_t add_text(uint64_t sum, const char *text) {
  return add_bytes(sum, text, strlen(text) + 1);
}

static uint64_t add_file(uint64_t sum, const char *path) {
  unsigned char bytes[4096];
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return sum;
  FILE *file = fopen(path, "rb");
  if (!file) return sum;
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) sum = add_bytes(sum, bytes, n);
  fclose(file);
  return sum;
}

/* Matrices and measurements that the study names, relative to its own folder: every word that is
   the name of a file counts, so that no analysis needs to announce what it reads. */
static ms_status add_files(const ms_study *s, struct fy_node *node, uint64_t *sum) {
  void *at = NULL;
  struct fy_node *key, *child;
  if (ms_yaml_is_mapping(node)) {
    while ((child = ms_yaml_next_pair(node, &at, &key))) MS_TRY(add_files(s, child, sum));
  } else if (ms_yaml_is_sequence(node)) {
    while ((child = ms_yaml_next_item(node, &at))) MS_TRY(add_files(s, child, sum));
  } else if (node) {
    const char *name, *slash = strrchr(s->yaml.path, '/');
    char path[4096];
    MS_TRY(ms_yaml_text(&s->yaml, node, "a value", &name));
    int n = name[0] != '/' && slash ? (int)(slash - s->yaml.path) + 1 : 0;
    int length = snprintf(path, sizeof path, "%.*s%s", n, s->yaml.path, name);
    if (name[0] && length < (int)sizeof path) *sum = add_file(*sum, path);
  }
  return MS_SUCCESS;
}

static int count_processes(const ms_study *s) {
  return ms_context_get_communicator(s->ctx)->size;
}

/* Everything that results depend on; the last digits of finite elements do on the number of
   processes, nothing else does. */
static ms_status fingerprint(const ms_study *s, uint64_t *out) {
  int n = s->fe ? count_processes(s) : 1;
  uint64_t sum = add_text(fingerprint_start, ms_version());
  if (n > 1) sum = add_bytes(sum, &n, sizeof n);
  sum = add_text(sum, s->yaml.text);
  for (int i = 0; i < s->n_set; i++) sum = add_text(sum, s->set[i]);
  *out = sum;
  return add_files(s, ms_yaml_root(&s->yaml), out);
}

/* Numbers hold 53 bits: two halves are exact. */
static void put64(double *row, uint64_t value) {
  row[0] = (double)(value >> 32);
  row[1] = (double)(value & UINT32_MAX);
}

static uint64_t get64(const double *row) {
  return (uint64_t)row[0] << 32 | (uint64_t)row[1];
}

/* ---- the folder ---- */

static ms_status fail_file(const ms_resume *r, const char *path) {
  return ms_fail(r->ctx, ms_status_of_errno(errno), "%s: %s", path, strerror(errno));
}

/* Locks end with the process, however it ends. Where the file system has no locks, none is taken.
 */
static ms_status take_lock(ms_resume *r) {
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  char *path;
  MS_TRY(ms_folder_path(r->ctx, r->folder, "lock", &path));
  r->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ms_status status = r->lock >= 0 ? MS_SUCCESS : fail_file(r, path);
  ms_free(r->ctx, &path);
  if (status != MS_SUCCESS || fcntl(r->lock, F_SETLK, &lock) == 0) return status;
  if (errno != EACCES && errno != EAGAIN) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_STATE,
                 "%s: another run is using this folder; wait for it, or name another folder",
                 r->shown);
}

static ms_status write_study(const ms_study *s, const char *folder) {
  char *path;
  ms_outfile *file;
  MS_TRY(ms_folder_path(s->ctx, folder, "study.yaml", &path));
  ms_status status = ms_outfile_open(s->ctx, path, &file);
  ms_free(s->ctx, &path);
  if (status != MS_SUCCESS) return status;
  FILE *out = ms_outfile_stream(file);
  fprintf(out, "# microslip %s run %s", ms_version(), s->yaml.path);
  if (count_processes(s) > 1) fprintf(out, " (%d processes)", count_processes(s));
  for (int i = 0; i < s->n_set; i++) fprintf(out, " --set '%s'", s->set[i]);
  fprintf(out, "\n%s", s->yaml.text);
  return ms_outfile_commit(&file);
}

static ms_status remove_file(const ms_resume *r, const char *name) {
  char *path;
  MS_TRY(ms_folder_path(r->ctx, r->folder, name, &path));
  ms_status status = unlink(path) != 0 && errno != ENOENT ? fail_file(r, path) : MS_SUCCESS;
  ms_free(r->ctx, &path);
  return status;
}

#define RUN_PREFIX "run-"

static ms_status remove_runs(const ms_resume *r) {
  ms_status status = MS_SUCCESS;
  DIR *folder = opendir(r->folder);
  if (!folder) return fail_file(r, r->folder);
  for (const struct dirent *entry; status == MS_SUCCESS && (entry = readdir(folder));) {
    if (strncmp(entry->d_name, RUN_PREFIX, strlen(RUN_PREFIX)) != 0) continue;
    status = remove_file(r, entry->d_name);
  }
  closedir(folder);
  return status;
}

ms_status ms_resume_path(const ms_resume *r, ms_context *ctx, const char *name, const char *ending,
                         char **out) {
  char file[128];
  snprintf(file, sizeof file, RUN_PREFIX "%.80s.%.20s", name, ending);
  return ms_folder_path(ctx, r->folder, file, out);
}

void ms_resume_get_identity(const ms_resume *r, double identity[2]) {
  put64(identity, r->identity);
}

/* ---- a new run ---- */

static ms_status make_stream(ms_resume *r, const char *path) {
  static const char *const names[WIDTH] = { "0", "1", "2", "3", "4", "5", "6", "7" };
  double row[WIDTH] = { FORMAT };
  put64(row + 1, r->identity);
  MS_TRY(ms_stream_create(r->ctx, path, WIDTH, names, &r->stream));
  MS_TRY(ms_stream_append(r->stream, row, 1));
  return ms_stream_flush(r->stream);
}

/* Runs that are still there are of a folder that was being given up. */
static ms_status begin(const ms_study *s, ms_resume *r, const char *jobs) {
  char *path;
  MS_TRY(remove_runs(r));
  MS_TRY(write_study(s, r->folder));
  MS_TRY(ms_folder_path(r->ctx, r->folder, "jobs.new", &path));
  ms_status status = make_stream(r, path);
  if (status == MS_SUCCESS && rename(path, jobs) != 0) status = fail_file(r, jobs);
  ms_free(r->ctx, &path);
  return status;
}

/* ---- an interrupted run ---- */

static ptrdiff_t rows_of(double n) {
  return ((ptrdiff_t)n + WIDTH - 1) / WIDTH;
}

/* Rows of the job whose first row is `row`, that one counted; 0 if they are not all there. */
static ptrdiff_t job_rows(const double *row, ptrdiff_t left) {
  if (left < 1 || !(row[3] >= 0.0) || row[3] > (double)WIDTH * (double)left) return 0;
  ptrdiff_t n = 1 + rows_of(row[3]);
  return n <= left ? n : 0;
}

static ms_status check_identity(const ms_resume *r, const double *row, int resume) {
  if (row[0] != FORMAT || get64(row + 1) != r->identity) {
    return ms_fail(
        r->ctx, MS_ERR_STATE,
        "%s: holds an interrupted run of another study, with other settings or from "
        "another version (%016llx; this one is %016llx; see %s/study.yaml); name another "
        "folder, or remove %s to discard that run",
        r->shown, (unsigned long long)get64(row + 1), (unsigned long long)r->identity, r->folder,
        r->folder);
  }
  if (resume) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_STATE,
                 "%s: holds an interrupted run of this study; continue with --resume, or remove %s "
                 "to start again",
                 r->shown, r->folder);
}

static ms_status read_jobs(ms_resume *r, ms_stream *stream, int resume) {
  double first[WIDTH];
  ptrdiff_t rows = ms_stream_get_rows(stream) - 1;
  if (rows < 0 || ms_stream_get_columns(stream) != WIDTH)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "its first row is damaged");
  MS_TRY(ms_stream_read_rows(stream, 0, 1, first));
  MS_TRY(check_identity(r, first, resume));
  MS_TRY(ms_allocate(r->ctx, rows * WIDTH + 1, sizeof *r->rows, &r->rows));
  if (rows > 0) MS_TRY(ms_stream_read_rows(stream, 1, rows, r->rows));
  for (ptrdiff_t n; (n = job_rows(r->rows + WIDTH * r->n_row, rows - r->n_row)) > 0;) r->n_row += n;
  return MS_SUCCESS;
}

static ms_status go_on(ms_resume *r, int resume, const char *jobs) {
  ms_stream *stream;
  ms_status status = ms_stream_open(r->ctx, jobs, &stream);
  if (status == MS_SUCCESS) {
    status = read_jobs(r, stream, resume);
    ms_stream_discard(&stream);
  }
  if (status == MS_ERR_FORMAT) {
    return ms_fail_at(
        r->ctx, status,
        "%s: the files of the interrupted run cannot be used; remove %s to start again", r->shown,
        r->folder);
  }
  if (status != MS_SUCCESS) return status;
  return ms_stream_reopen(r->ctx, jobs, 1 + r->n_row, &r->stream);
}

/* ---- life ---- */

/* Half files of a process that was killed. */
static ms_status tidy(const ms_study *s, const ms_resume *r) {
  char *tables;
  MS_TRY(ms_folder_path(s->ctx, s->folder, "tables", &tables));
  ms_folder_tidy(tables);
  ms_free(s->ctx, &tables);
  ms_folder_tidy(s->folder);
  ms_folder_tidy(r->folder);
  return MS_SUCCESS;
}

static ms_status open_folder(ms_study *s, ms_resume *r, int resume) {
  char *jobs;
  MS_TRY(fingerprint(s, &r->identity));
  MS_TRY(ms_folder_path(r->ctx, s->folder, ".resume", &r->folder));
  MS_TRY(ms_folder_prepare(r->ctx, r->folder));
  MS_TRY(take_lock(r));
  MS_TRY(tidy(s, r));
  MS_TRY(ms_folder_path(r->ctx, r->folder, "jobs", &jobs));
  ms_status status = access(jobs, F_OK) == 0 ? go_on(r, resume, jobs) : begin(s, r, jobs);
  ms_free(r->ctx, &jobs);
  return status;
}

ms_status ms_resume_open(ms_study *s, int resume, ms_resume **out) {
  *out = NULL;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof **out, out));
  (*out)->ctx = s->ctx;
  (*out)->shown = s->folder;
  (*out)->lock = -1;
  ms_status status = open_folder(s, *out, resume);
  if (status != MS_SUCCESS) ms_resume_close(out, 0);
  return status;
}

/* `jobs` first: without it nothing can be resumed, whatever else is left. */
static ms_status remove_all(const ms_resume *r) {
  static const char *const others[] = { "jobs.new", "study.yaml", "lock" };
  MS_TRY(remove_file(r, "jobs"));
  MS_TRY(remove_runs(r));
  for (int i = 0; i < 3; i++) {
    if (remove_file(r, others[i]) != MS_SUCCESS) ms_context_clear_message(r->ctx);
  }
  rmdir(r->folder); /* what somebody else has put there stays */
  return MS_SUCCESS;
}

ms_status ms_resume_close(ms_resume **resume, int remove) {
  ms_resume *r = *resume;
  if (!r) return MS_SUCCESS;
  ms_stream_discard(&r->stream); /* every row was flushed as it came */
  ms_status status = remove && r->folder ? remove_all(r) : MS_SUCCESS;
  if (r->lock >= 0) close(r->lock);
  ms_free(r->ctx, &r->rows);
  ms_free(r->ctx, &r->folder);
  ms_free(r->ctx, resume);
  return status;
}

/* ---- jobs ---- */

ms_status ms_resume_keep(ms_resume *r, const char *what, ptrdiff_t job, const double *values,
                         ptrdiff_t n) {
  double *rows;
  ptrdiff_t n_row = 1 + rows_of((double)n);
  MS_TRY(ms_allocate(r->ctx, n_row * WIDTH, sizeof *rows, &rows));
  put64(rows, add_text(fingerprint_start, what));
  rows[2] = (double)job;
  rows[3] = (double)n;
  if (n > 0) memcpy(rows + WIDTH, values, (size_t)n * sizeof *rows);
  ms_status status = ms_stream_append(r->stream, rows, n_row);
  if (status == MS_SUCCESS) status = ms_stream_flush(r->stream);
  ms_free(r->ctx, &rows);
  return status;
}

int ms_resume_next(const ms_resume *r, const char *what, ptrdiff_t *at, ms_kept *out) {
  if (!r) return 0;
  uint64_t wanted = add_text(fingerprint_start, what);
  while (*at < r->n_row) {
    const double *row = r->rows + WIDTH * *at;
    *at += job_rows(row, r->n_row - *at);
    if (get64(row) != wanted || !(row[2] >= 0.0)) continue;
    *out = (ms_kept) { .job = (ptrdiff_t)row[2], .n = (ptrdiff_t)row[3], .values = row + WIDTH };
    return 1;
  }
  return 0;
}
