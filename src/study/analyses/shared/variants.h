/* variants: {path: [values], ...}: a study's structure several times over, with other numbers in
   some places of its file that change together. */
#ifndef MS_STUDY_ANALYSES_SHARED_VARIANTS_H
#define MS_STUDY_ANALYSES_SHARED_VARIANTS_H

#include "study/model/variant.h"

enum { MS_VARIANT_PATHS = 16, MS_VARIANT_LABEL = 160 };

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
/* All of them in their order; visit may be NULL, as where a process only helps to reduce. */
ms_status ms_variants_visit(ms_study *study, const char *name, const ms_variants *variants,
                            ms_variant_fn visit, void *user);

/* "masses.end = 14": the first number of variant i, by its short path. */
void ms_variants_label(const ms_variants *variants, ptrdiff_t i, char label[MS_VARIANT_LABEL]);
/* The last two keys of a path, or more where the first of them is the number of an item. */
const char *ms_variants_short(const char *path);
/* Columns of a table, one for each path. */
ms_status ms_variants_add_columns(ms_context *ctx, const ms_variants *variants,
                                  ms_result_table *table);
/* What belongs there; returns how many. */
ptrdiff_t ms_variants_row(const ms_variants *variants, ptrdiff_t i, double *row);
/* Paths with their values, as a group of values. */
void ms_variants_set_values(const ms_variants *variants, ms_result *result);

#endif
