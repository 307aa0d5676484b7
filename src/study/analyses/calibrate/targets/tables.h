/* What kinds of targets share: tables that they read, joints that they name. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_TARGETS_TABLES_H
#define MS_STUDY_ANALYSES_CALIBRATE_TARGETS_TABLES_H

#include <microslip/io.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/file/options.h"

/* Rows that kinds share. A column of `columns`, which ms_target_get_column reads; the weights of
   two quantities. */
#define MS_ROW_COLUMN(key, otherwise, text) \
  { .name = key, .kind = MS_PARAM_WORD, .fallback = otherwise, .meaning = text }
#define MS_ROW_WEIGHTS(type, text)                              \
  MS_NUMBERS(type, weight, NULL, MS_NOT_NEGATIVE, MS_ELSE("1"), \
             "of its squares, or " text "; where it is 0, the quantity is ignored")

/* A table with words, from its file beside the study; failures are shown at `file`. */
ms_status ms_target_open_table(const ms_study *study, struct fy_node *file, ms_table **out);
/* One of our own, in SI whatever the study's units, told by columns that only these have. */
int ms_target_is_ours(const ms_table *table);
/* A column of numbers in `units`, named by `key` of `columns` (may be NULL) or else `name`; a table
   without it is refused at `node`. */
ms_status ms_target_get_column(const ms_study *study, const ms_units *units, struct fy_node *node,
                               struct fy_node *columns, const char *key, const char *name,
                               const ms_table *table, const double **out);
/* The rows that are meant where `column` has words: those with the word that `key` of the target
   gives. NULL: all; without the key they must all have the same word. */
ms_status ms_target_choose(const ms_study *study, const ms_calibrate_target *t, const char *key,
                           const char *column, const ms_table *table, const char **out);
/* Whether row i is one of them. */
int ms_target_is_chosen(const ms_table *table, const char *column, const char *chosen, ptrdiff_t i);

/* For `share`: n points of three numbers each and their rows, from the first process to all. */
ms_status ms_target_share_points(const ms_study *study, ptrdiff_t n, double *const part[3],
                                 int *row);

/* The options of a target with two quantities, by the keys of its kind. `weight` is the member of
   `options` with its weights, which go to t->weight. */
ms_status ms_target_read_two(const ms_study *study, ms_calibrate_target *t, void *options,
                             const ms_numbers *weight);
/* The joint that key `joint` names. */
ms_status ms_target_find_joint(const ms_study *study, const ms_calibrate_target *t, int *out);

#endif
