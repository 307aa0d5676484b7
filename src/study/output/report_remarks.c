/* Remarks in a report. */
#include <stdio.h>
#include <string.h>

#include "study/study.h"

ms_status ms_remarks_report(const char *remarks, ms_page *page) {
  char text[512];
  for (size_t length; *remarks; remarks += length + (remarks[length] == '\n')) {
    length = strcspn(remarks, "\n");
    snprintf(text, sizeof text, "%.*s", (int)length, remarks);
    MS_TRY(ms_page_add_warning(page, text));
  }
  return MS_SUCCESS;
}
