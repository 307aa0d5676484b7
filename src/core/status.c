#include "core/internal.h"

#include <errno.h>

const char *ms_status_text(ms_status status) {
  switch (status) {
#define MS_STATUS_CASE(name, value, text) \
  case name:                              \
    return text;
    MS_STATUS_LIST(MS_STATUS_CASE)
#undef MS_STATUS_CASE
  }
  return "unknown status";
}

ms_status ms_status_of_errno(int error) {
  switch (error) {
  case ENOMEM:
    return MS_ERR_MEMORY;
  case ENOENT:
  case ENOTDIR:
  case EISDIR:
  case EEXIST:
  case EACCES:
  case EPERM:
  case EROFS:
  case ELOOP:
  case ENAMETOOLONG:
  case ENXIO:
  case EINVAL:
    return MS_ERR_FILE;
  default:
    return MS_ERR_DISK;
  }
}
