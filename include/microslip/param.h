/* [core] One description of a value: the parameters of laws and loads, the keys of study files.
   Readers, help, manual and forms are made from it. */
#ifndef MICROSLIP_PARAM_H
#define MICROSLIP_PARAM_H

#include <stddef.h>

#include <microslip/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ms_param_kind {
  MS_PARAM_NUMBER, /* a finite number */
  MS_PARAM_COUNT,  /* a whole number */
  MS_PARAM_CHOICE, /* one of the words in `choices`, stored as its index; the first is the default
                    */
  MS_PARAM_TABLE,  /* columns of numbers; as a number it is how many rows */
  /* Keys of study files only: */
  MS_PARAM_CHOICES, /* one or several of `choices`, each once; all where the key is absent */
  MS_PARAM_FLAG,    /* true or false */
  MS_PARAM_WORD,    /* a name or a text */
  MS_PARAM_PATH,    /* a file, from the folder of the study */
  MS_PARAM_NUMBERS, /* a number or a list of numbers */
  MS_PARAM_COUNTS,  /* a whole number or a list of them */
  MS_PARAM_PAIR,    /* [lower, upper] */
  MS_PARAM_MAPPING, /* with `keys` of its own */
  MS_PARAM_FORMS    /* one of the forms in `forms`, which its owner reads */
} ms_param_kind;

/* What a table holds. Columns beyond n_required may be left out, from the last on. */
typedef struct ms_param_table {
  int n_column, n_required;
  const char *const *column, *const *unit; /* names and units */
  ptrdiff_t rows;                          /* of the typical content */
  const double *const *typical;            /* typical[column][row] */
  const char *const *meaning;              /* of the columns; may be NULL */
} ms_param_table;

typedef struct ms_param {
  const char *name;
  const char *unit; /* SI; NULL or "-": none */
  const char *meaning;
  double lower, upper; /* range; +-HUGE_VAL for none */
  int open;            /* the ends themselves are excluded: 1 lower, 2 upper, 3 both */
  const char *why;     /* why the range is what it is, for the message */
  double typical;      /* a sensible value; the default of one that is not required */
  ms_param_kind kind;
  int required;
  /* A law or load may take one of several sets of parameters. 0: part of every set; s > 0: of set s
   * only. */
  int set;
  const char *choices; /* "first|second" */
  const ms_param_table *table;

  /* Of keys in study files: */
  const char *forms;    /* "word, list or mapping", of MS_PARAM_FORMS */
  const char *fallback; /* in words, what happens where the key is absent; NULL: `typical`, if it is
                           required: nothing */
  size_t offset;        /* where the value goes in the struct of options, plus 1; 0: nowhere */
  int count;            /* of NUMBERS and COUNTS: how many there must be; 0: one or more */
  /* Of a mapping, or of the mapping among its forms. A list of one row called "*" says what stands
     behind every name in a mapping, or is every item of a list. */
  const struct ms_param_list *keys;
  const struct ms_param_reader *reader; /* of studies: what reads the value; NULL: as of the kind */
  const char *was; /* an earlier name of the key, accepted with a warning; NULL: none */
} ms_param;

typedef struct ms_param_list {
  const ms_param *param;
  int n;
} ms_param_list;

/* In words: "number", "one of newmark, exponential"; "> 0 and <= 1", "" where there is no range;
   "required", "0.5", "optional". */
MS_API void ms_param_describe_kind(const ms_param *param, char *text, size_t size);
MS_API void ms_param_describe_range(const ms_param *param, char *text, size_t size);
MS_API void ms_param_describe_default(const ms_param *param, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
