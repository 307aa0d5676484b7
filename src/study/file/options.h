/* Typed keys: a table of ms_param says where in a plain struct a value goes; one reader fills the
   struct.

   kind               in the struct       where the key is absent
   MS_PARAM_NUMBER    double, SI          .typical, in SI; NAN where .fallback says what happens
   MS_PARAM_COUNT     ptrdiff_t           .typical; -1 where .fallback says what happens
   MS_PARAM_CHOICE    int, the index      0, the first; -1 where .fallback says what happens
   MS_PARAM_CHOICES   ms_chosen           all, in their order; none where .fallback is given
   MS_PARAM_FLAG      int                 .typical
   MS_PARAM_WORD      const char *        NULL; the text is the document's
   MS_PARAM_PATH      const char *        NULL
   MS_PARAM_NUMBERS   ms_numbers, SI      empty
   MS_PARAM_COUNTS    ms_numbers          empty
   MS_PARAM_PAIR      double[2], SI       both NAN
   MS_PARAM_MAPPING   struct fy_node *    NULL; values of its `keys` go into the same struct; its
                                          owner reads one with names that the file chooses
   MS_PARAM_FORMS     struct fy_node *    NULL; its owner reads it
   any, with .reader  as the reader says  as the reader says */
#ifndef MS_STUDY_FILE_OPTIONS_H
#define MS_STUDY_FILE_OPTIONS_H

#include <math.h>
#include <stddef.h>

#include "study/study.h"

typedef struct ms_numbers {
  double *value; /* the options' own */
  ptrdiff_t n;
} ms_numbers;

enum { MS_MAX_CHOICES = 16 };

typedef struct ms_chosen {
  int index[MS_MAX_CHOICES]; /* in the order of the file */
  int n;
} ms_chosen;

/* Rows of a table of keys. A key has the name of the member of `type` that its value goes to.
     MS_NUMBER(options, from, "Hz", MS_POSITIVE, MS_REQUIRED, "lower end of the sweep"),
     MS_WORD(options, sensor, MS_ELSE("the modal coordinate"), "degree of freedom that is read"),
   `absent` is MS_REQUIRED, MS_DEFAULT(value in SI), MS_ELSE("in words") or MS_OPTIONAL, which says
   nothing. */
#define MS_AT(type, member) .name = #member, .offset = offsetof(type, member) + 1
#define MS_REQUIRED         .required = 1
#define MS_DEFAULT(value)   .typical = value
#define MS_ELSE(text)       .fallback = text
#define MS_OPTIONAL         .required = 0
#define MS_NUMBER(type, member, si, range, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_NUMBER, .unit = si, range, absent, .meaning = text }
#define MS_NUMBERS(type, member, si, range, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_NUMBERS, .unit = si, range, absent, .meaning = text }
#define MS_PAIR(type, member, si, range, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_PAIR, .unit = si, range, absent, .meaning = text }
#define MS_COUNT(type, member, range, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_COUNT, range, absent, .meaning = text }
#define MS_COUNTS(type, member, range, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_COUNTS, range, absent, .meaning = text }
#define MS_CHOICE(type, member, words, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_CHOICE, .choices = words, absent, .meaning = text }
#define MS_CHOICES(type, member, words, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_CHOICES, .choices = words, absent, .meaning = text }
#define MS_FLAG(type, member, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_FLAG, absent, .meaning = text }
#define MS_WORD(type, member, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_WORD, absent, .meaning = text }
#define MS_PATH(type, member, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_PATH, absent, .meaning = text }
/* `list` is a ms_param_list of keys that go into the same struct. */
#define MS_MAPPING(type, member, list, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_MAPPING, .keys = &list, absent, .meaning = text }
/* `kinds` are joined by commas and "or": number, whole number, word, file, list, mapping; list of
   numbers, words, mappings or lists of numbers; mapping of numbers. Any other word stands for
   itself: true, SI. */
#define MS_FORMS(type, member, kinds, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = kinds, absent, .meaning = text }
/* `list` is what a mapping among the forms may have; its owner reads it. */
#define MS_FORMS_WITH(type, member, kinds, list, absent, text)                          \
  {                                                                                     \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = kinds, .keys = &list, absent, \
                         .meaning = text                                                \
  }
/* What reads a value that refers to the model or to other analyses. */
typedef struct ms_param_reader {
  /* node NULL: the key is absent, and not required. */
  ms_status (*read)(const ms_study *study, const ms_task *task, struct fy_node *node,
                    const ms_param *row, void *value);
  void (*free)(ms_context *ctx, void *value);            /* NULL: it owns nothing */
  int (*names)(const void *value, const ms_task *other); /* an analysis; NULL: it names none */
} ms_param_reader;

/* n numbers, or whole numbers, no more and no less. */
#define MS_VECTOR(type, member, n, si, range, absent, text)                               \
  {                                                                                       \
    MS_AT(type, member), .kind = MS_PARAM_NUMBERS, .count = n, .unit = si, range, absent, \
                         .meaning = text                                                  \
  }
#define MS_WHOLE_VECTOR(type, member, n, range, absent, text) \
  { MS_AT(type, member), .kind = MS_PARAM_COUNTS, .count = n, range, absent, .meaning = text }
/* The one row of a list for a mapping with names that the file chooses, or for a list: what every
   entry is. `list` is NULL or the keys of a mapping. */
#define MS_EACH(kinds, list, text) \
  { .name = "*", .kind = MS_PARAM_FORMS, .forms = kinds, .keys = list, .meaning = text }
#define MS_EACH_NUMBER(si, range, text) \
  { .name = "*", .kind = MS_PARAM_NUMBER, .unit = si, range, .meaning = text }
#define MS_LIST_OF(table) \
  { table, sizeof table / sizeof *table }

/* Ranges. */
#define MS_ANY                 .lower = -HUGE_VAL, .upper = HUGE_VAL, .open = 3
#define MS_POSITIVE            .lower = 0.0, .upper = HUGE_VAL, .open = 3
#define MS_NOT_NEGATIVE        .lower = 0.0, .upper = HUGE_VAL, .open = 2
#define MS_FROM(least)         .lower = least, .upper = HUGE_VAL, .open = 2
#define MS_WITHIN(least, most) .lower = least, .upper = most
#define MS_INSIDE(least, most) .lower = least, .upper = most, .open = 3

/* Every analysis has it; ms_study_open reads it. */
#define MS_KEY_NAME \
  { .name = "name", .kind = MS_PARAM_WORD, .fallback = "its kind", .meaning = "of this analysis" }

/* Reads the mapping `node` (NULL: it is empty) into `options`, which is zeroed first by its owner.
   `key` is the place for complaints where node is NULL, `what` the mapping's name in them. */
ms_status ms_options_read(const ms_study *study, struct fy_node *node, struct fy_node *key,
                          const char *what, const ms_param *keys, int n, void *options);
/* A mapping that is there, in units that may be those of a joint about an axis. */
ms_status ms_options_read_mapping(const ms_study *study, const ms_units *units,
                                  struct fy_node *node, const char *what, const ms_param_list *keys,
                                  void *options);
/* One value, as `row` describes it; `name` is its name in complaints. */
ms_status ms_options_read_value(const ms_study *study, struct fy_node *node, const char *name,
                                const ms_param *row, void *value);
/* task->options: made and read before the check of an analysis, there until the study is closed. */
ms_status ms_options_read_task(const ms_study *study, ms_task *task);
void ms_options_free_task(ms_context *ctx, ms_task *task);
/* The lists in it. */
void ms_options_free_mapping(ms_context *ctx, const ms_param_list *keys, void *options);
void ms_options_free(ms_context *ctx, const ms_param *keys, int n, void *options);

#endif
