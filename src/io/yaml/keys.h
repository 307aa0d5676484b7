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
#ifndef MS_IO_YAML_KEYS_H
#define MS_IO_YAML_KEYS_H

#include <math.h>
#include <stddef.h>

#include "core/units.h"
#include "io/yaml/yaml.h"

typedef struct ms_numbers {
  double *value; /* the options' own */
  ptrdiff_t n;
} ms_numbers;

enum { MS_MAX_CHOICES = 16, MS_MAX_FEW = 32 };

/* A list that owns nothing. */
typedef struct ms_few {
  double value[MS_MAX_FEW]; /* the first ones */
  ptrdiff_t n;              /* of the file */
} ms_few;

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
/* `list` is a ms_param_list of keys that go into the same struct, or MS_ROWS(their table). */
#define MS_ROWS(table) ((const ms_param_list)MS_LIST_OF(table))
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
/* Where keys are read from: the file, the units of its numbers, and for whom. */
typedef struct ms_key_source {
  const ms_yaml *yaml;
  const ms_units *units;
  const struct ms_study *study; /* for the readers of rows, opaque here */
  const struct ms_task *task;   /* NULL: no analysis */
} ms_key_source;

/* What reads a value in a way of its own, for instance one that refers to the model. */
typedef struct ms_reading {
  const struct ms_study *study;
  const struct ms_task *task;
  const ms_param *row;
  const ms_key_source *from;
} ms_reading;

typedef struct ms_param_reader {
  /* node NULL: the key is absent, and not required. */
  ms_status (*read)(const ms_reading *r, struct fy_node *node, void *value);
  void (*free)(ms_context *ctx, void *value); /* NULL: it owns nothing */
  /* Whether the value names another analysis; NULL: it names none. */
  int (*names)(const void *value, const struct ms_task *other);
} ms_param_reader;

/* ms_few: n numbers, or whole numbers, no more and no less; for n = 0 one or more. */
extern const ms_param_reader ms_as_few;
#define MS_VECTOR(type, member, size, si, range, absent, text)                               \
  {                                                                                          \
    MS_AT(type, member), .kind = MS_PARAM_NUMBERS, .count = size, .unit = si, range, absent, \
                         .meaning = text, .reader = &ms_as_few                               \
  }
#define MS_WHOLE_VECTOR(type, member, size, range, absent, text)                                 \
  {                                                                                              \
    MS_AT(type, member), .kind = MS_PARAM_COUNTS, .count = size, range, absent, .meaning = text, \
                         .reader = &ms_as_few                                                    \
  }
/* ms_entry_list: names that the file chooses, of a word, a list of words or a mapping; empty where
   the key is absent. `list`: NULL, or the keys of what stands behind a name. */
typedef struct ms_entry {
  struct fy_node *key, *value; /* value: of a mapping; NULL in a list */
  const char *name, *text;     /* of them, owned by the document; text: NULL where there is none */
} ms_entry;

typedef struct ms_entry_list {
  ms_entry *entry;
  ptrdiff_t n;
} ms_entry_list;

extern const ms_param_reader ms_as_entries;
#define MS_ENTRIES(type, member, kinds, list, absent, text)                                \
  {                                                                                        \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = kinds, .reader = &ms_as_entries, \
                         .keys = list, absent, .meaning = text                             \
  }
/* The one row of a list for a mapping with names that the file chooses, or for a list: what every
   entry is. `list` is NULL or the keys of a mapping. */
#define MS_EACH(kinds, list, text) MS_NAMED("*", kinds, list, text)
/* The same for help and manual only, where any number of names stands in such a place. */
#define MS_NAMED(names, kinds, list, text) \
  { .name = names, .kind = MS_PARAM_FORMS, .forms = kinds, .keys = list, .meaning = text }
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
#define MS_BELOW_ONE           .lower = 0.0, .upper = 1.0, .open = 2

/* Reads the mapping `node` (NULL: it is empty) into `options`, which is zeroed first by its owner.
   `key` is the place for complaints where node is NULL, `what` the mapping's name in them. */
ms_status ms_keys_read(const ms_key_source *from, struct fy_node *node, struct fy_node *key,
                       const char *what, const ms_param *keys, int n, void *options);
/* The same of a mapping that is there. */
ms_status ms_keys_read_mapping(const ms_key_source *from, struct fy_node *node, const char *what,
                               const ms_param_list *keys, void *options);
/* To SI. Hz, rad and GB are what they say in any system of units; the unit of a load its owner
   knows. */
double ms_keys_factor(const ms_units *units, const char *unit);
/* One value, as `row` describes it; `name` is its name in complaints. */
ms_status ms_keys_read_value(const ms_key_source *from, struct fy_node *node, const char *name,
                             const ms_param *row, void *value);
/* levels: a list, or {from, to, count} in equal ratios, times `factor`; all > 0. *level is to be
   freed even after a failure. */
extern const ms_param_list ms_level_keys;
ms_status ms_keys_read_levels(const ms_key_source *from, struct fy_node *node, double factor,
                              double **level, ptrdiff_t *n);
/* Whether the structure that the file asks for takes more than `memory` (bytes), estimated before
   it is built. */
ms_status ms_yaml_check_coordinates(const ms_yaml *yaml, struct fy_node *node, double n,
                                    double memory);
ms_status ms_yaml_check_elements(const ms_yaml *yaml, struct fy_node *node, double n,
                                 double memory);
/* The lists in options that were read. */
void ms_keys_free(ms_context *ctx, const ms_param *keys, int n, void *options);
/* Whether a value in the options names the analysis `other`. */
int ms_keys_name(const ms_param *keys, int n, const void *options, const struct ms_task *other);

#endif
