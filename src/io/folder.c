/* Folders for results. */
#include <microslip/io.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"

#define FOLDER_MODE 0777 /* less the umask */

static ms_status fail_make(ms_context *ctx, const char *path, int error) {
  if (error == ENOENT)
    return ms_fail(ctx, MS_ERR_FILE,
                   "%s: cannot be made: the folder it is to be in does not exist; make that first",
                   path);
  return ms_fail(ctx, ms_status_of_errno(error), "%s: the folder cannot be made: %s", path,
                 strerror(error));
}

/* Somebody else may make the folder between a look and the call: make first, look then. */
ms_status ms_folder_prepare(ms_context *ctx, const char *path) {
  struct stat info;
  if (!path || !*path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_folder_prepare: needs a path");
  if (mkdir(path, FOLDER_MODE) == 0) return MS_SUCCESS;
  int error = errno;
  if (error != EEXIST) return fail_make(ctx, path, error);
  if (stat(path, &info) != 0) return fail_make(ctx, path, errno);
  if (!S_ISDIR(info.st_mode))
    return ms_fail(ctx, MS_ERR_FILE, "%s: is a file; results need a folder, name another", path);
  if (access(path, W_OK | X_OK) != 0)
    return ms_fail(ctx, MS_ERR_FILE, "%s: cannot be written to: %s", path, strerror(errno));
  return MS_SUCCESS;
}

ms_status ms_folder_path(ms_context *ctx, const char *folder, const char *name, char **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_folder_path: needs a place for the path");
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
