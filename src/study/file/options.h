/* Typed keys (io/yaml/keys.h) of a study, in its units. */
#ifndef MS_STUDY_FILE_OPTIONS_H
#define MS_STUDY_FILE_OPTIONS_H

#include "io/yaml/keys.h"
#include "study/study.h"

/* Every analysis has it; ms_study_open reads it. */
#define MS_KEY_NAME \
  { .name = "name", .kind = MS_PARAM_WORD, .fallback = "its kind", .meaning = "of this analysis" }

/* The study's file and units, for the readers of lower rooms. */
ms_key_source ms_options_source(const ms_study *study);
/* ms_keys_read of the study. */
ms_status ms_options_read(const ms_study *study, struct fy_node *node, struct fy_node *key,
                          const char *what, const ms_param *keys, int n, void *options);
/* A mapping that is there, in units that may be those of a joint about an axis. */
ms_status ms_options_read_mapping(const ms_study *study, const ms_units *units,
                                  struct fy_node *node, const char *what, const ms_param_list *keys,
                                  void *options);
ms_status ms_options_read_value(const ms_study *study, struct fy_node *node, const char *name,
                                const ms_param *row, void *value);
ms_status ms_options_read_few(const ms_study *study, struct fy_node *node, const ms_param *row,
                              ms_few *out);
/* task->options: made and read before the check of an analysis, there until the study is closed. */
ms_status ms_options_read_task(const ms_study *study, ms_task *task);
void ms_options_free_task(ms_context *ctx, ms_task *task);

#endif
