/* Typed keys: a table of ms_param says where in a plain struct a value goes; one reader fills the
   struct.

   kind               in the struct       where the key is absent
   MS_PARAM_NUMBER    double, SI          .typical, in SI; NAN where .fallback says what happens
   MS_PARAM_COUNT     ptrdiff_t           .typical; -1 where .fallback says what happens
   MS_PARAM_CHOICE    int, the index      0, the first; -1 where .fallback says what happens
   MS_PARAM_FLAG      int                 .typical
   MS_PARAM_WORD      const char *        NULL; the text is the document's
   MS_PARAM_PATH      const char *        NULL
   MS_PARAM_NUMBERS   ms_numbers, SI      empty
   MS_PARAM_PAIR      double[2], SI       both NAN
   MS_PARAM_MAPPING   struct fy_node *    NULL; values of its `keys` go into the same struct
   MS_PARAM_FORMS     struct fy_node *    NULL; its owner reads it */
#ifndef MS_STUDY_OPTIONS_H
#define MS_STUDY_OPTIONS_H

#include <math.h>
#include <stddef.h>

#include "study/study.h"

typedef struct ms_numbers {
  double *value; /* the options' own */
  ptrdiff_t n;
} ms_numbers;

/* Where a value goes: a member of the struct of options. */
#define MS_AT(type, member) .offset = offsetof(type, member) + 1

/* Ranges. */
#define MS_ANY                 .lower = -HUGE_VAL, .upper = HUGE_VAL, .open = 3
#define MS_POSITIVE            .lower = 0.0, .upper = HUGE_VAL, .open = 3
#define MS_NOT_NEGATIVE        .lower = 0.0, .upper = HUGE_VAL, .open = 2
#define MS_FROM(least)         .lower = least, .upper = HUGE_VAL, .open = 2
#define MS_WITHIN(least, most) .lower = least, .upper = most

/* Every analysis has it; ms_study_open reads it. */
#define MS_KEY_NAME                                              \
  {                                                              \
    .name = "name", .kind = MS_PARAM_WORD,                       \
    .meaning = "of this analysis, where its kind is there twice" \
  }

/* Reads the mapping `node` (NULL: it is empty) into `options`, which is zeroed first by its owner.
   `key` is the place for complaints where node is NULL, `what` the mapping's name in them. */
ms_status ms_options_read(const ms_study *study, struct fy_node *node, struct fy_node *key,
                          const char *what, const ms_param *keys, int n, void *options);
/* The lists in it. */
void ms_options_free(ms_context *ctx, const ms_param *keys, int n, void *options);

#endif
