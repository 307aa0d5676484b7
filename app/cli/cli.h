/* What the commands share. The app uses the library's public headers only. */
#ifndef MS_APP_CLI_H
#define MS_APP_CLI_H

#include <microslip/microslip.h>
#include <stdio.h>

/* Exit codes: done, even if suspect; partial, failed, skipped, or suspect with --strict; bad input,
   and nothing was written; no disk or no memory. A signal that stops it adds its number to the
   last. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_BAD_INPUT = 2, CLI_NO_RESOURCE = 3, CLI_SIGNAL = 128 };

/* signals.c: SIGINT and SIGTERM stop a long command where its work can be kept, or end it if nobody
   asks for a second of processor time. The signal that came, or 0. */
void cli_catch_signals(void);
int cli_get_signal(void);

/* main.c: the commands. */
void cli_print_help(FILE *out);

/* A command is one file that ends in such a table, and one line in commands.def. */
typedef struct cli_command {
  const char *name, *summary, *usage;
  ms_status (*run)(ms_context *ctx, int argc, char **argv); /* argv[0] is the first argument */
  int together; /* 1: under mpirun all processes run it; else the first does */
} cli_command;

int cli_count_commands(void);
const cli_command *cli_get_command(int index); /* 0 <= index < count */

/* processes.c, for mpirun: whether this process is the one that prints and writes; the others and
   this one find each other. */
int cli_is_first(void);
ms_status cli_join(ms_context *ctx);

/* Reading arguments one by one; options may be written --name value or --name=value. */
typedef struct cli_args {
  const char *command; /* for messages */
  int argc, at;
  char **argv;
  int words; /* behind "--": no option is among what follows */
} cli_args;

/* Is there another argument? Steps over "--". */
int cli_has_more(cli_args *args);
/* Is the next argument a word, not an option? */
int cli_is_word(const cli_args *args);

/* Is the next argument the option `name`? A flag is stepped over; of an option the value is taken
   too, which must not be empty. */
int cli_take_flag(cli_args *args, const char *name);
ms_status cli_take_option(ms_context *ctx, cli_args *args, const char *name, const char **value,
                          int *taken);
/* The option or word at args is not known here. */
ms_status cli_fail_unknown(ms_context *ctx, const cli_args *args);

/* A finite number, or a message that names the option. */
ms_status cli_parse_number(ms_context *ctx, const char *option, const char *text, double *out);
ms_status cli_parse_positive(ms_context *ctx, const char *option, const char *text, double *out);
/* "A,B" */
ms_status cli_parse_pair(ms_context *ctx, const char *option, const char *text, double *first,
                         double *second);
ms_status cli_parse_theme(ms_context *ctx, const char *text, ms_theme *out);
/* A picture's name must end in .svg, or be a device. */
ms_status cli_check_picture(ms_context *ctx, const char *path);
/* "A,B,C" and "A:B:N" (N values from A to B, evenly spaced in the logarithm), mixed as wanted; all
   > 0. *out is the caller's to ms_free. */
ms_status cli_parse_amplitudes(ms_context *ctx, const char *option, const char *text, double **out,
                               ptrdiff_t *n);
/* Can a file be made there? Asked before any work, so that a bad path costs nothing. */
ms_status cli_check_writable(ms_context *ctx, const char *path);

/* ---- figures.c ---- */

/* --figures, --figures=svg,pdf, --figure-width 90mm, --figure-font 8pt. */
typedef struct cli_figures {
  int wanted;
  ms_figure_format format;
  const char *kinds, *width, *font; /* as they were written; NULL: not */
} cli_figures;
#define CLI_FIGURES_USAGE                                                                     \
  "  --figures[=KINDS]  also write every figure: svg (the default), pdf or svg,pdf, and its " \
  "data\n"                                                                                    \
  "                     as csv\n"                                                             \
  "  --figure-width W   width of these in mm, cm, in or pt (90mm), laid out for it\n"         \
  "  --figure-font S    size of their type in pt (9)\n"
ms_status cli_take_figures(ms_context *ctx, cli_args *args, cli_figures *figures, int *taken);
/* Once all arguments are read: whether such figures can be written here. */
ms_status cli_check_figures(ms_context *ctx, const cli_figures *figures);

/* ---- print.c ---- */

/* The object that `fill` writes about the job, in memory first: standard output gets the whole of
   it or nothing. */
typedef void (*cli_json_fn)(ms_json *json, const void *job);
ms_status cli_print_json(ms_context *ctx, cli_json_fn fill, const void *job);
/* A text of the user's without control characters, which a terminal would obey. */
void cli_print_plain(const char *text, FILE *out);
/* What runs and readers of files have to say, to stderr. */
void cli_show_log(void *user, ms_log_level level, const char *text);
/* In lines of at most `width`, each behind `indent`. */
void cli_print_wrapped(FILE *out, const char *indent, const char *text, int width);
/* "either F_S, K_T, chi, beta; or chi, R, S, phi_max": the required parameters of each set; empty
   where there is only one. */
void cli_describe_sets(const ms_param *param, int n, char *text, size_t size);
/* Writes the table to a file, or with csv NULL to standard output, and destroys it. */
ms_status cli_take_table(ms_table **table, const char *csv);
/* The last lines, on the files that were written; either may be NULL. */
void cli_print_written(const char *csv, const char *plot);

/* channels.c: by name, or by a part of it (docs/guide/measured.md) that no other has. */
const ms_measurement_channel *cli_find_channel(const ms_measurement *file, const char *name);
/* A channel of one file in another one, whose format may say no places: acc1:1+Z is acc1. */
const ms_measurement_channel *cli_find_again(const ms_measurement *file, const char *name);

#endif
