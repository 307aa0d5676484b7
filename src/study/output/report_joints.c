/* The joints in a report. */
#include <stdio.h>

#include "study/study.h"

static ms_status add_fact(void *page, const char *name, const char *text, double value,
                          const char *unit) {
  const ms_answer number = { .label = name, .symbol = name, .unit = unit, .value = value };
  return text ? ms_page_add_fact(page, name, "%s", text) : ms_page_add_number(page, &number, 10);
}

/* "Joint lap:", or "Joints bolt.1.x, bolt.2.x:" of all that are like the first. 0: told already. */
static int name_joints(const ms_structure *s, int first, char *text, int size) {
  const ms_joint *joint = ms_structure_get_joint(s, first);
  int n = ms_structure_count_joints(s), many = 0;
  for (int j = 0; j < n; j++) {
    if (j == first || !ms_joint_is_like(joint, ms_structure_get_joint(s, j))) continue;
    if (j < first) return 0;
    many = 1;
  }
  int at = snprintf(text, (size_t)size, "Joint%s %s", many ? "s" : "",
                    ms_structure_get_joint_name(s, first));
  for (int j = first + 1; j < n && at < size - 100; j++) {
    if (!ms_joint_is_like(joint, ms_structure_get_joint(s, j))) continue;
    at += snprintf(text + at, (size_t)(size - at), ", %.90s", ms_structure_get_joint_name(s, j));
  }
  if (at < size) snprintf(text + at, (size_t)(size - at), "%s:", at < size - 100 ? "" : ", ...");
  return 1;
}

ms_status ms_study_report_joints(const ms_study *s, ms_page *page) {
  for (int j = 0; j < ms_structure_count_joints(s->structure); j++) {
    char text[1024];
    if (!name_joints(s->structure, j, text, sizeof text)) continue;
    MS_TRY(ms_page_add_text(page, text));
    MS_TRY(ms_joint_describe(ms_structure_get_joint(s->structure, j), add_fact, page));
  }
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}
