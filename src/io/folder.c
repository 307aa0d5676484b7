/* Folders for results. */
#include <microslip/io.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"

enum { FOLDER_MODE = 0777 }; /* less the umask */

static ms_status fail_make(ms_context *ctx, const char *path, int error) {
  return ms_fail(ctx, ms_status_of_errno(error), "%s: the folder cannot be created: %s", path,
                 strerror(error));
}

/* Somebody else may make a folder between a look and the call: make first, look then. */
static ms_status make_parents(ms_context *ctx, char *path) {
  for (char *slash = path; *slash; slash++) {
    if (slash == path || *slash != '/') continue;
    *slash = '\0';
    if (mkdir(path, FOLDER_MODE) != 0 && errno != EEXIST) return fail_make(ctx, path, errno);
    *slash = '/';
  }
  return MS_SUCCESS;
}

static ms_status make_folder(ms_context *ctx, const char *path, int *error) {
  char *copy;
  *error = mkdir(path, FOLDER_MODE) == 0 ? 0 : errno;
  if (*error != ENOENT) return MS_SUCCESS;
  MS_TRY(ms_text_copy(ctx, path, &copy));
  ms_status status = make_parents(ctx, copy);
  ms_free(ctx, &copy);
  *error = status != MS_SUCCESS || mkdir(path, FOLDER_MODE) == 0 ? 0 : errno;
  return status;
}

ms_status ms_folder_prepare(ms_context *ctx, const char *path) {
  struct stat info;
  int error;
  if (!path || !*path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_folder_prepare: needs a path");
  MS_TRY(make_folder(ctx, path, &error));
  if (error == 0) return MS_SUCCESS;
  if (error != EEXIST) return fail_make(ctx, path, error);
  if (stat(path, &info) != 0) return fail_make(ctx, path, errno);
  if (!S_ISDIR(info.st_mode))
    return ms_fail(ctx, MS_ERR_FILE, "%s: is a file; results need a folder, name another", path);
  if (access(path, W_OK | X_OK) != 0)
    return ms_fail(ctx, MS_ERR_FILE, "%s: cannot be written to: %s", path, strerror(errno));
  return MS_SUCCESS;
}

/* The nearest that there is must be a folder one may write to. */
static ms_status check_nearest(ms_context *ctx, const char *whole, char *path) {
  struct stat info;
  while (stat(*path ? path : ".", &info) != 0 && errno == ENOENT && *path) {
    char *slash = strrchr(path, '/');
    while (slash && slash > path && slash[1] == '\0') *slash = '\0', slash = strrchr(path, '/');
    if (!slash) {
      *path = '\0';
    } else {
      slash[slash == path] = '\0';
    }
  }
  const char *nearest = *path ? path : ".";
  if (stat(nearest, &info) != 0) return fail_make(ctx, whole, errno);
  if (!S_ISDIR(info.st_mode))
    return ms_fail(ctx, MS_ERR_FILE, "%s: %s is a file; results need a folder, name another", whole,
                   nearest);
  if (access(nearest, W_OK | X_OK) == 0) return MS_SUCCESS;
  return ms_fail(ctx, ms_status_of_errno(errno), "%s: %s cannot be written to: %s", whole, nearest,
                 strerror(errno));
}

ms_status ms_folder_check(ms_context *ctx, const char *path) {
  char *copy;
  if (!path || !*path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_folder_check: needs a path");
  MS_TRY(ms_text_copy(ctx, path, &copy));
  ms_status status = check_nearest(ctx, path, copy);
  ms_free(ctx, &copy);
  return status;
}

ms_status ms_folder_path(ms_context *ctx, const char *folder, const char *name, char **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_folder_path: needs an output pointer");
  *out = NULL;
  if (!folder || !name || !*name || *name == '/')
    return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_folder_path: needs a folder and a name within it");
  size_t n = strlen(folder), length = strlen(name);
  int slash = n > 0 && folder[n - 1] != '/';
  MS_TRY(ms_resize(ctx, (ptrdiff_t)(n + length) + 2, 1, out));
  memcpy(*out, folder, n);
  if (slash) (*out)[n++] = '/';
  memcpy(*out + n, name, length + 1);
  return MS_SUCCESS;
}
