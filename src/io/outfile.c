/* Output files: written beside their place and renamed into it, so that a reader sees the old file
   or the new one and never half of either. */
#include <microslip/io.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "io/internal.h"

enum {
  MAX_LINKS = 40,   /* links followed in a row before it is a loop, as Linux has it */
  LINK_SIZE = 4096, /* the longest path a link may hold */
  TEMP_SIZE = 64,   /* room for the temporary file's own name */
  TEMP_ATTEMPTS = 1000
};
#define TEMP_FORMAT ".microslip-%ld-%d.tmp" /* process, number */
enum {
  DEFAULT_MODE = 0666, /* less the umask, as for any new file */
  MODE_BITS = 0777
};

struct ms_outfile {
  ms_context *ctx;
  FILE *stream;
  char *path;      /* as the caller wrote it, for messages */
  char *target;    /* what the temporary file becomes: path with symbolic links followed */
  char *temporary; /* NULL if there is none (yet, or any more, or for a device) */
  int error;       /* of ms_outfile_put */
};

static atomic_int n_temporary;

int ms_outfile_count(void) {
  return n_temporary;
}

/* Its file has another name now, or none. */
static void forget_temporary(ms_outfile *f) {
  if (f->temporary) n_temporary--;
  ms_free(f->ctx, &f->temporary);
}

static ms_status fail_file(ms_outfile *f, int error) {
  return ms_fail(f->ctx, ms_status_of_errno(error), "%s: cannot be written: %s", f->path,
                 strerror(error));
}

/* Frees everything; the stream must be closed. A temporary file that still has a name goes too. */
static void release(ms_outfile **file) {
  ms_outfile *f = *file;
  if (f->temporary) unlink(f->temporary);
  forget_temporary(f);
  ms_free(f->ctx, &f->target);
  ms_free(f->ctx, &f->path);
  ms_free(f->ctx, file);
}

/* ---- where to write ---- */

/* The part of a path up to and with its last slash. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The file that a link points to is to be replaced, not the link; it need not exist yet. */
static ms_status follow_links(ms_outfile *f) {
  for (int i = 0; i < MAX_LINKS; i++) {
    struct stat info;
    if (lstat(f->target, &info) != 0 || !S_ISLNK(info.st_mode)) return MS_SUCCESS;
    /* Replaces f->target, a symbolic link, by what it points to. */
    char link[LINK_SIZE];
    ssize_t n = readlink(f->target, link, sizeof link - 1);
    if (n < 0) return fail_file(f, errno);
    link[n] = '\0';
    size_t folder = link[0] == '/' ? 0 : folder_length(f->target);
    char *next;
    MS_TRY(ms_allocate(f->ctx, (ptrdiff_t)folder + n + 1, 1, &next));
    memcpy(next, f->target, folder);
    memcpy(next + folder, link, (size_t)n);
    ms_free(f->ctx, &f->target);
    f->target = next;
  }
  return fail_file(f, ELOOP);
}

/* ---- opening ---- */

/* fd is closed on failure. */
static ms_status open_stream(ms_outfile *f, int fd) {
  f->stream = fdopen(fd, "w");
  if (f->stream) return MS_SUCCESS;
  int error = errno;
  close(fd);
  return fail_file(f, error);
}

/* A device or a pipe has no half-written state and must not be replaced by a file. Appending is for
   /dev/stdout when it leads to a file: what is in there stays. Opening a pipe must not wait for a
   reader that may never come; writing to one that there is may. */
static ms_status open_direct(ms_outfile *f) {
  int fd = open(f->path, O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 && errno == ENXIO)
    return ms_fail(f->ctx, MS_ERR_FILE, "%s: is a pipe or a device without a reader", f->path);
  if (fd < 0) return fail_file(f, errno);
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0) return open_stream(f, fd);
  int error = errno;
  close(fd);
  return fail_file(f, error);
}

/* Creates a file with a new name in the target's folder. The name is short whatever the target's,
   and the kernel applies the umask, which cannot be asked for without changing it. */
static ms_status create_temporary(ms_outfile *f, mode_t mode, int *fd) {
  size_t folder = folder_length(f->target);
  MS_TRY(ms_allocate(f->ctx, (ptrdiff_t)folder + TEMP_SIZE, 1, &f->temporary));
  n_temporary++;
  memcpy(f->temporary, f->target, folder);
  for (int i = 0; i < TEMP_ATTEMPTS; i++) {
    snprintf(f->temporary + folder, TEMP_SIZE, TEMP_FORMAT, (long)getpid(), i);
    *fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (*fd >= 0) return MS_SUCCESS;
    if (errno != EEXIST) break;
  }
  int error = errno;
  forget_temporary(f); /* not ours to unlink */
  return fail_file(f, error);
}

/* A file that is replaced keeps its permissions, and one that is write-protected is not replaced.
 */
static ms_status open_beside(ms_outfile *f, const struct stat *old) {
  MS_TRY(follow_links(f));
  if (old && access(f->target, W_OK) != 0) return fail_file(f, errno);
  mode_t mode = old ? old->st_mode & MODE_BITS : DEFAULT_MODE;
  int fd;
  MS_TRY(create_temporary(f, mode, &fd));
  if (old && fchmod(fd, mode) != 0) {
    int error = errno;
    close(fd);
    return fail_file(f, error);
  }
  return open_stream(f, fd);
}

/* Names that stand for a stream the process has open already, even when it leads to a file. */
static int is_open_stream(const char *path) {
  static const char *const names[] = { "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(path, names[i], strlen(names[i])) == 0) return 1;
  return 0;
}

static ms_status open_file(ms_outfile *f, const char *path) {
  MS_TRY(ms_text_copy(f->ctx, path, &f->path));
  MS_TRY(ms_text_copy(f->ctx, path, &f->target));
  struct stat info;
  int exists = stat(path, &info) == 0;
  if (!exists && errno != ENOENT) return fail_file(f, errno);
  if (exists && (!S_ISREG(info.st_mode) || is_open_stream(path))) return open_direct(f);
  return open_beside(f, exists ? &info : NULL);
}

ms_status ms_outfile_open(ms_context *ctx, const char *path, ms_outfile **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_outfile_open: needs an output pointer");
  *out = NULL;
  if (!path || !*path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_outfile_open: needs a path");
  MS_TRY(ms_allocate(ctx, 1, sizeof **out, out));
  (*out)->ctx = ctx;
  ms_status status = open_file(*out, path);
  if (status != MS_SUCCESS) release(out);
  return status;
}

FILE *ms_outfile_stream(ms_outfile *file) {
  return file->stream;
}

void ms_outfile_put(ms_outfile *file, const void *bytes, size_t n) {
  if (fwrite(bytes, 1, n, file->stream) < n) file->error = errno;
}

/* ---- closing ---- */

ms_status ms_outfile_commit(ms_outfile **file) {
  if (!file || !*file) return MS_ERR_ARGUMENT;
  ms_outfile *f = *file;
  /* 0 or what went wrong. A write that failed earlier has left its mark but not its errno. */
  int error = f->error;
  if (fflush(f->stream) != 0 && !error) {
    error = errno;
  } else if (ferror(f->stream) && !error) {
    error = EIO;
  } else if (!error && f->temporary && fsync(fileno(f->stream)) != 0 && errno != EINVAL) {
    error = errno; /* EINVAL: this file system has nothing to wait for */
  }
  if (fclose(f->stream) != 0 && !error) error = errno;
  if (!error && f->temporary) {
    if (rename(f->temporary, f->target) == 0) {
      forget_temporary(f); /* the name is gone: nothing to unlink */
    } else {
      error = errno;
    }
  }
  ms_status status = error ? fail_file(f, error) : MS_SUCCESS;
  release(file);
  return status;
}

void ms_outfile_discard(ms_outfile **file) {
  if (!file || !*file) return;
  fclose((*file)->stream);
  release(file);
}

/* ---- what killed processes have left ---- */

static int is_orphan(const char *name) {
  char again[TEMP_SIZE];
  long process;
  int number;
  if (sscanf(name, TEMP_FORMAT, &process, &number) != 2 || process < 1) return 0;
  snprintf(again, sizeof again, TEMP_FORMAT, process, number);
  return strcmp(again, name) == 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

void ms_folder_tidy(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    if (is_orphan(entry->d_name)) unlinkat(dirfd(folder), entry->d_name, 0);
  }
  closedir(folder);
}
