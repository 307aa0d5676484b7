/* Parameters by name, within their ranges, from text. `who` is whose they are, for messages: "law
 * iwan4". */
#ifndef MS_CORE_PARAM_H
#define MS_CORE_PARAM_H

#include <microslip/context.h>
#include <microslip/param.h>

/* -1: there is none. */
int ms_param_find(const ms_param *list, int n, const char *name);
int ms_param_find_choice(const ms_param *param, const char *word);
/* There is no such parameter: fails with the nearest one, or with `hint`, or with all of them. */
ms_status ms_param_fail_name(ms_context *ctx, const char *who, const ms_param *list, int n,
                             const char *name, const char *hint);

int ms_param_is_within(const ms_param *param, double value);
/* ">= 0", "a whole number > 0 and <= 9", "finite": what a value must be. */
void ms_param_describe_values(const ms_param *param, char *text, size_t size);
/* "newmark, exponential" */
void ms_param_describe_choices(const ms_param *param, char *text, size_t size);
ms_status ms_param_check(ms_context *ctx, const char *who, const ms_param *param, double value);
/* A number or, for a choice, the index of the word. The range is left to ms_param_check. */
ms_status ms_param_read(ms_context *ctx, const char *who, const ms_param *param, const char *text,
                        double *out);

/* Of the parameters that are given: the set they belong to, 1 where none is in a set; and whether
 * all that it requires is there. `hint` (may be NULL) ends the message. */
ms_status ms_param_find_set(ms_context *ctx, const char *who, const ms_param *list, int n,
                            const unsigned char *given, const char *hint, int *set);
ms_status ms_param_check_complete(ms_context *ctx, const char *who, const ms_param *list, int n,
                                  const unsigned char *given, int set);
/* "phi, rho[, S]": what a table's columns are. */
void ms_param_describe_columns(const ms_param_table *table, char *text, size_t size);
ms_status ms_param_check_table(ms_context *ctx, const char *who, const ms_param_table *table,
                               ptrdiff_t rows, int columns, const double *const *column);

#endif
