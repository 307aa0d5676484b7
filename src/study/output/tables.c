/* Tables of the analyses. */
#include <string.h>

#include "study/study.h"

static ms_status check_name(ms_study *s, const ms_task *task, const ms_result_table *table) {
  for (const ms_task *t = s->task; t < s->task + s->n_task; t++) {
    for (int i = 0; i < ms_result_count_tables(t->result); i++) {
      const ms_result_table *other = ms_result_get_table(t->result, i);
      if (other == table) continue;
      if (strcmp(ms_result_table_name(other), ms_result_table_name(table)) != 0) continue;
      return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME,
                          "two tables are called '%s'; give one of the analyses another name",
                          ms_result_table_name(table));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_task_add_table(ms_study *s, const ms_task *task, const char *ending,
                            const char *columns, ms_result_table **out) {
  MS_TRY(ms_result_add_table(task->result, ending, columns, out));
  return check_name(s, task, *out);
}

ms_status ms_task_check_tables(ms_study *s, const ms_task *task) {
  for (int i = 0; i < ms_result_count_tables(task->result); i++) {
    MS_TRY(check_name(s, task, ms_result_get_table(task->result, i)));
  }
  return MS_SUCCESS;
}
