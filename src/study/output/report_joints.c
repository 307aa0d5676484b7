/* The joints in a report. */
#include "study/study.h"

static ms_status add_fact(void *page, const char *name, const char *text, double value,
                          const char *unit) {
  const ms_answer number = { .label = name, .symbol = name, .unit = unit, .value = value };
  return text ? ms_page_add_fact(page, name, "%s", text) : ms_page_add_number(page, &number, 10);
}

ms_status ms_study_report_joints(const ms_study *s, ms_page *page) {
  for (int j = 0; j < ms_structure_count_joints(s->structure); j++) {
    char text[1024];
    if (!ms_structure_print_alike(s->structure, j, text, sizeof text)) continue;
    MS_TRY(ms_page_add_text(page, text));
    MS_TRY(ms_joint_describe(ms_structure_get_joint(s->structure, j), add_fact, page));
  }
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}
