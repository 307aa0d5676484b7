/* variants: {path: [values], ...}: a study's structure several times over, with other numbers in
   some places of its file that change together. */
#ifndef MS_STUDY_ANALYSES_SHARED_VARIANTS_H
#define MS_STUDY_ANALYSES_SHARED_VARIANTS_H

#include "study/model/variant.h"

enum { MS_VARIANT_PATHS = 16 };

typedef struct ms_variants {
  ptrdiff_t n, n_path;                /* 0 variants: none were asked for */
  const char *path[MS_VARIANT_PATHS]; /* owned by the document */
  double *value[MS_VARIANT_PATHS];    /* n each, in the units of the file */
  struct fy_node *node;
  int reduces; /* each reduces finite elements anew, by all processes together */
} ms_variants;

/* Without a node there are none. Unless they reduce anew all are built once, so that whatever is
   wrong is said now. *out is to be freed even after a failure. */
ms_status ms_variants_read(ms_study *study, struct fy_node *node, ms_variants *out);
void ms_variants_free(ms_context *ctx, ms_variants *variants);

/* What is done with variant i: `view` is the study with the variant's structure, which is gone
   afterwards. */
typedef ms_status (*ms_variant_fn)(ms_study *view, ptrdiff_t i, void *user);
/* All of them in their order, into a table "_variants" that is made: its columns are those of
   ms_variants_row, then these. Nothing where there are none. */
ms_status ms_variants_run(ms_study *study, const ms_task *task, const ms_variants *variants,
                          const char *columns, ms_result_table **table, ms_variant_fn visit,
                          void *user);
/* The part of the other processes in it. */
ms_status ms_variants_help(ms_study *study, const ms_task *task, const ms_variants *variants);
/* The numbers that a row begins with: of the variant, and its values; returns how many. */
enum { MS_VARIANT_HEAD = 1 + MS_VARIANT_PATHS };
ptrdiff_t ms_variants_row(const ms_variants *variants, ptrdiff_t i, double row[MS_VARIANT_HEAD]);

/* "masses.end = 14": the first number of variant i, by its short path (ms_variant_label_fn). */
void ms_variants_label(const void *variants, ptrdiff_t i, char *label, size_t size);
/* Paths with their values, as a group of values. */
void ms_variants_set_values(const ms_variants *variants, ms_result *result);

#endif
