/* A folder in which interrupted work is kept, so that another start goes on from there.

     jobs        the jobs that have ended (kept_jobs.c), with the fingerprint of the work
     PREFIX*     whatever else is kept while it runs
     study.yaml  what was interrupted, to see it
     lock        locked while a process works here

   Where there is no `jobs`, nothing was finished. */
#include "io/resume_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <microslip/io.h>

#include "core/internal.h"

struct ms_resume_folder {
  ms_resume_request is;
  char *folder; /* .resume in the folder of the results */
  int lock;     /* file descriptor, -1 if none */
  ms_kept_jobs *jobs;
};

/* ---- the folder ---- */

static ms_status fail_file(const ms_resume_folder *r, const char *path) {
  return ms_fail(r->is.ctx, ms_status_of_errno(errno), "%s: %s", path, strerror(errno));
}

/* Locks end with the process, however it ends. Where the file system has no locks, none is taken.
 */
static ms_status take_lock(ms_resume_folder *r) {
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  char *path;
  MS_TRY(ms_folder_path(r->is.ctx, r->folder, "lock", &path));
  r->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ms_status status = r->lock >= 0 ? MS_SUCCESS : fail_file(r, path);
  ms_free(r->is.ctx, &path);
  if (status != MS_SUCCESS || fcntl(r->lock, F_SETLK, &lock) == 0) return status;
  if (errno != EACCES && errno != EAGAIN) return MS_SUCCESS;
  return ms_fail(r->is.ctx, MS_ERR_STATE,
                 "%s: another run is using this folder; wait for it, or name another folder",
                 r->is.folder);
}

/* What was interrupted, to see it. */
static ms_status write_words(const ms_resume_folder *r) {
  char *path;
  ms_outfile *file;
  MS_TRY(ms_folder_path(r->is.ctx, r->folder, "study.yaml", &path));
  ms_status status = ms_outfile_open(r->is.ctx, path, &file);
  ms_free(r->is.ctx, &path);
  if (status != MS_SUCCESS) return status;
  r->is.print(r->is.user, ms_outfile_stream(file));
  return ms_outfile_commit(&file);
}

static ms_status remove_file(const ms_resume_folder *r, const char *name) {
  char *path;
  MS_TRY(ms_folder_path(r->is.ctx, r->folder, name, &path));
  ms_status status = unlink(path) != 0 && errno != ENOENT ? fail_file(r, path) : MS_SUCCESS;
  ms_free(r->is.ctx, &path);
  return status;
}

static ms_status remove_runs(const ms_resume_folder *r) {
  ms_status status = MS_SUCCESS;
  DIR *folder = opendir(r->folder);
  if (!folder) return fail_file(r, r->folder);
  for (const struct dirent *entry; status == MS_SUCCESS && (entry = readdir(folder));) {
    if (strncmp(entry->d_name, r->is.prefix, strlen(r->is.prefix)) != 0) continue;
    status = remove_file(r, entry->d_name);
  }
  closedir(folder);
  return status;
}

const char *ms_resume_folder_path(const ms_resume_folder *r, double identity[2]) {
  ms_fingerprint_put(r->is.identity, identity);
  return r->folder;
}

/* ---- a new run ---- */

/* Runs that are still there are of a folder that was being given up. */
static ms_status begin(ms_resume_folder *r, const char *jobs) {
  MS_TRY(remove_runs(r));
  MS_TRY(write_words(r));
  return ms_kept_jobs_create(r->is.ctx, jobs, r->is.identity, &r->jobs);
}

/* ---- an interrupted run ---- */

static ms_status check_identity(const ms_resume_folder *r, uint64_t found, int resume) {
  if (found != r->is.identity) {
    return ms_fail(
        r->is.ctx, MS_ERR_STATE,
        "%s: holds an interrupted run of another study, with other settings or from "
        "another version (%016llx; this one is %016llx; see %s/study.yaml); name another "
        "folder, or remove %s to discard that run",
        r->is.folder, (unsigned long long)found, (unsigned long long)r->is.identity, r->folder,
        r->folder);
  }
  if (resume) return MS_SUCCESS;
  return ms_fail(r->is.ctx, MS_ERR_STATE,
                 "%s: holds an interrupted run of this study; continue with --resume, or remove %s "
                 "to start again",
                 r->is.folder, r->folder);
}

static ms_status go_on(ms_resume_folder *r, int resume, const char *jobs) {
  uint64_t found;
  ms_status status = ms_kept_jobs_open(r->is.ctx, jobs, &found, &r->jobs);
  if (status == MS_ERR_FORMAT) {
    return ms_fail_at(
        r->is.ctx, status,
        "%s: the files of the interrupted run cannot be used; remove %s to start again",
        r->is.folder, r->folder);
  }
  if (status == MS_SUCCESS) status = check_identity(r, found, resume);
  return status == MS_SUCCESS ? ms_kept_jobs_go_on(r->jobs, jobs) : status;
}

/* ---- life ---- */

static ms_status open_folder(ms_resume_folder *r, int resume) {
  char *jobs;
  MS_TRY(ms_folder_path(r->is.ctx, r->is.folder, ".resume", &r->folder));
  MS_TRY(ms_folder_prepare(r->is.ctx, r->folder));
  MS_TRY(take_lock(r));
  ms_folder_tidy(r->folder); /* temporary files of a process that was killed */
  MS_TRY(ms_folder_path(r->is.ctx, r->folder, "jobs", &jobs));
  ms_status status = access(jobs, F_OK) == 0 ? go_on(r, resume, jobs) : begin(r, jobs);
  ms_free(r->is.ctx, &jobs);
  return status;
}

ms_status ms_resume_folder_open(const ms_resume_request *request, int resume,
                                ms_resume_folder **out) {
  *out = NULL;
  MS_TRY(ms_allocate(request->ctx, 1, sizeof **out, out));
  (*out)->is = *request;
  (*out)->lock = -1;
  ms_status status = open_folder(*out, resume);
  if (status != MS_SUCCESS) ms_resume_folder_close(out, 0);
  return status;
}

/* `jobs` first: without it nothing can be resumed, whatever else is left. */
static ms_status remove_all(const ms_resume_folder *r) {
  static const char *const others[] = { "jobs.new", "study.yaml", "lock" };
  MS_TRY(remove_file(r, "jobs"));
  MS_TRY(remove_runs(r));
  for (int i = 0; i < 3; i++) {
    if (remove_file(r, others[i]) != MS_SUCCESS) ms_context_clear_message(r->is.ctx);
  }
  rmdir(r->folder); /* what somebody else has put there stays */
  return MS_SUCCESS;
}

ms_status ms_resume_folder_close(ms_resume_folder **resume, int remove) {
  ms_resume_folder *r = *resume;
  if (!r) return MS_SUCCESS;
  ms_kept_jobs_close(&r->jobs);
  ms_status status = remove && r->folder ? remove_all(r) : MS_SUCCESS;
  if (r->lock >= 0) close(r->lock);
  ms_free(r->is.ctx, &r->folder);
  ms_free(r->is.ctx, resume);
  return status;
}

ms_kept_jobs *ms_resume_folder_jobs(const ms_resume_folder *r) {
  return r->jobs;
}
