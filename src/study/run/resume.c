/* What an interrupted study leaves in its folder, so that another start goes on from there.

     .resume/jobs        the jobs that have ended (see io/kept_jobs.c), with the study's fingerprint
     .resume/run-*       rows and state of a long run (see report/result/checkpointed_run.c)
     .resume/study.yaml  the study, to see what was interrupted
     .resume/lock        locked while a process works here

   Where there is no `jobs`, nothing was finished. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "io/kept_jobs.h"
#include "report/result/checkpointed_run.h"
#include "study/study.h"

struct ms_resume {
  ms_context *ctx;
  const char *shown; /* the study's folder */
  char *folder;      /* .resume in it */
  int lock;          /* file descriptor, -1 if none */
  uint64_t identity; /* of the study */
  ms_kept_jobs *jobs;
};

/* ---- the fingerprint of the study ---- */

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
    if (name[0] && length < (int)sizeof path) *sum = ms_fingerprint_add_file(*sum, path);
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
  uint64_t sum = ms_fingerprint_add_text(MS_FINGERPRINT, ms_version());
  if (n > 1) sum = ms_fingerprint_add(sum, &n, sizeof n);
  sum = ms_fingerprint_add_text(sum, s->yaml.text);
  for (int i = 0; i < s->n_set; i++) sum = ms_fingerprint_add_text(sum, s->set[i]);
  *out = sum;
  return add_files(s, ms_yaml_root(&s->yaml), out);
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

static ms_status remove_runs(const ms_resume *r) {
  ms_status status = MS_SUCCESS;
  DIR *folder = opendir(r->folder);
  if (!folder) return fail_file(r, r->folder);
  for (const struct dirent *entry; status == MS_SUCCESS && (entry = readdir(folder));) {
    if (strncmp(entry->d_name, MS_CHECKPOINTED_RUN_PREFIX, strlen(MS_CHECKPOINTED_RUN_PREFIX)) != 0)
      continue;
    status = remove_file(r, entry->d_name);
  }
  closedir(folder);
  return status;
}

const char *ms_resume_get_folder(const ms_resume *r, double identity[2]) {
  ms_fingerprint_put(r->identity, identity);
  return r->folder;
}

/* ---- a new run ---- */

/* Runs that are still there are of a folder that was being given up. */
static ms_status begin(const ms_study *s, ms_resume *r, const char *jobs) {
  MS_TRY(remove_runs(r));
  MS_TRY(write_study(s, r->folder));
  return ms_kept_jobs_create(r->ctx, jobs, r->identity, &r->jobs);
}

/* ---- an interrupted run ---- */

static ms_status check_identity(const ms_resume *r, uint64_t found, int resume) {
  if (found != r->identity) {
    return ms_fail(
        r->ctx, MS_ERR_STATE,
        "%s: holds an interrupted run of another study, with other settings or from "
        "another version (%016llx; this one is %016llx; see %s/study.yaml); name another "
        "folder, or remove %s to discard that run",
        r->shown, (unsigned long long)found, (unsigned long long)r->identity, r->folder, r->folder);
  }
  if (resume) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_STATE,
                 "%s: holds an interrupted run of this study; continue with --resume, or remove %s "
                 "to start again",
                 r->shown, r->folder);
}

static ms_status go_on(ms_resume *r, int resume, const char *jobs) {
  uint64_t found;
  ms_status status = ms_kept_jobs_open(r->ctx, jobs, &found, &r->jobs);
  if (status == MS_ERR_FORMAT) {
    return ms_fail_at(
        r->ctx, status,
        "%s: the files of the interrupted run cannot be used; remove %s to start again", r->shown,
        r->folder);
  }
  if (status == MS_SUCCESS) status = check_identity(r, found, resume);
  return status == MS_SUCCESS ? ms_kept_jobs_go_on(r->jobs, jobs) : status;
}

/* ---- life ---- */

/* Temporary files of a process that was killed. */
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
  ms_kept_jobs_close(&r->jobs);
  ms_status status = remove && r->folder ? remove_all(r) : MS_SUCCESS;
  if (r->lock >= 0) close(r->lock);
  ms_free(r->ctx, &r->folder);
  ms_free(r->ctx, resume);
  return status;
}

/* ---- jobs ---- */

ms_status ms_resume_keep(ms_resume *r, const char *what, ptrdiff_t job, const double *values,
                         ptrdiff_t n) {
  return ms_kept_jobs_add(r->jobs, what, job, values, n);
}

int ms_resume_next(const ms_resume *r, const char *what, ptrdiff_t *at, ms_kept *out) {
  return r ? ms_kept_jobs_next(r->jobs, what, at, out) : 0;
}
