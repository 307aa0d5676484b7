/* What kinds of targets share: tables that they read, joints that they name. */
#ifndef MS_STUDY_CALIBRATE_TABLES_H
#define MS_STUDY_CALIBRATE_TABLES_H

#include <microslip/io.h>

#include "study/analyses/calibrate.h"

/* A table with words, from its file beside the study; failures are shown at `file`. */
ms_status ms_target_open_table(const ms_study *study, struct fy_node *file, ms_table **out);
/* One of our own, in SI whatever the study's units, told by columns that only these have. */
int ms_target_is_ours(const ms_table *table);
/* A column of numbers, named by `key` of `columns` (may be NULL) or else `name`; a table without it
   is refused at `node`. */
ms_status ms_target_get_column(const ms_study *study, struct fy_node *node, struct fy_node *columns,
                               const char *key, const char *name, const ms_table *table,
                               const double **out);
/* The rows that are meant where `column` has words: those with the word that `key` of the target
   gives. NULL: all; without the key they must all have the same word. */
ms_status ms_target_choose(const ms_study *study, const ms_calibrate_target *t, const char *key,
                           const char *column, const ms_table *table, const char **out);
/* Whether row i is one of them. */
int ms_target_is_chosen(const ms_table *table, const char *column, const char *chosen, ptrdiff_t i);

/* For `share`: n points of three numbers each and their rows, from the first process to all. */
ms_status ms_target_share_points(const ms_study *study, ptrdiff_t n, double *const part[3],
                                 int *row);

/* The joint that key `joint` names. */
ms_status ms_target_find_joint(const ms_study *study, const ms_calibrate_target *t, int *out);
/* [lowest, highest] in `factor` of SI; untouched where there is no such key. */
ms_status ms_target_read_window(const ms_study *study, struct fy_node *node, const char *of,
                                double factor, double *low, double *high);

#endif
