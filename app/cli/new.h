/* microslip new: what its files share. */
#ifndef MS_APP_NEW_H
#define MS_APP_NEW_H

#include <stdio.h>

#include "cli.h"

enum { NEW_WIDTH = 110 };

/* The keys of an analysis as comments, but those that are in the text. */
void new_put_keys(FILE *to, const char *analysis, const char *text);
ms_status new_refuse_existing(ms_context *ctx, const char *path);
/* ---- new_from.c ---- */

/* A study of the measured files, to a file or, with to NULL, to standard output. */
ms_status new_write_from(ms_context *ctx, int n, const char *const *path, const char *to);

#endif
