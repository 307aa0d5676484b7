#include <microslip/status.h>

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
