/* Reading the command line. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

int cli_has_more(cli_args *args) {
  if (args->at < args->argc && !args->words && strcmp(args->argv[args->at], "--") == 0) {
    args->words = 1;
    args->at++;
  }
  return args->at < args->argc;
}

int cli_is_word(const cli_args *args) {
  const char *word = args->argv[args->at]; /* "-" alone is standard input */
  return args->words || word[0] != '-' || word[1] == '\0';
}

int cli_take_flag(cli_args *args, const char *name) {
  if (args->words || strcmp(args->argv[args->at], name) != 0) return 0;
  args->at++;
  return 1;
}

ms_status cli_take_option(ms_context *ctx, cli_args *args, const char *name, const char **value,
                          int *taken) {
  const char *word = args->argv[args->at];
  size_t length = strlen(name);
  *taken = !args->words && strncmp(word, name, length) == 0 &&
           (word[length] == '\0' || word[length] == '=');
  if (!*taken) return MS_SUCCESS;
  args->at++;
  *value = "";
  if (word[length] == '=') {
    *value = word + length + 1;
  } else if (args->at < args->argc && strncmp(args->argv[args->at], "--", 2) != 0) {
    *value = args->argv[args->at++];
  }
  if (**value != '\0') return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%s needs a value; see 'microslip %s --help'", name,
                 args->command);
}

ms_status cli_fail_unknown(ms_context *ctx, const cli_args *args) {
  const char *word = args->argv[args->at];
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "%s '%s' is not known to 'microslip %s'; see 'microslip %s "
                 "--help'",
                 cli_is_word(args) ? "argument" : "option", word, args->command, args->command);
}

/* One number from *text on; *text moves behind it. */
static ms_status read_number(ms_context *ctx, const char *option, const char **text, double *out) {
  char *end;
  *out = strtod(*text, &end);
  size_t word = strcspn(*text, ",:");
  if (end == *text || (size_t)(end - *text) != word) {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: '%.*s' is not a number", option, (int)word, *text);
  }
  if (!isfinite(*out)) {
    return ms_fail(ctx, MS_ERR_NUMERIC, "%s: '%.*s' is not a finite number", option, (int)word,
                   *text);
  }
  *text = end;
  return MS_SUCCESS;
}

ms_status cli_parse_number(ms_context *ctx, const char *option, const char *text, double *out) {
  const char *at = text;
  MS_TRY(read_number(ctx, option, &at, out));
  if (*at == '\0') return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_FORMAT, "%s: '%s' is not one number", option, text);
}

ms_status cli_parse_positive(ms_context *ctx, const char *option, const char *text, double *out) {
  MS_TRY(cli_parse_number(ctx, option, text, out));
  if (*out > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "%s %s must be > 0", option, text);
}

ms_status cli_parse_pair(ms_context *ctx, const char *option, const char *text, double *first,
                         double *second) {
  const char *at = text;
  MS_TRY(read_number(ctx, option, &at, first));
  if (*at == ',') {
    at++;
    MS_TRY(read_number(ctx, option, &at, second));
    if (*at == '\0') return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_FORMAT, "%s: '%s' must be two numbers separated by a comma", option,
                 text);
}

ms_status cli_parse_theme(ms_context *ctx, const char *text, ms_theme *out) {
  static const char *const name[] = { "auto", "light", "dark" };
  static const ms_theme theme[] = { MS_THEME_AUTO, MS_THEME_LIGHT, MS_THEME_DARK };
  for (int i = 0; i < 3; i++) {
    if (strcmp(text, name[i]) != 0) continue;
    *out = theme[i];
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_ARGUMENT, "--theme %s must be auto, light or dark", text);
}

ms_status cli_check_picture(ms_context *ctx, const char *path) {
  size_t length = strlen(path);
  int device = strncmp(path, "/dev/", 5) == 0;
  if (device || (length >= 4 && strcmp(path + length - 4, ".svg") == 0)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "--plot %s: the picture is SVG; its name must end in .svg",
                 path);
}

static ms_status append(ms_context *ctx, double **list, ptrdiff_t *n, double value) {
  MS_TRY(ms_resize(ctx, *n + 1, sizeof **list, list));
  (*list)[(*n)++] = value;
  return MS_SUCCESS;
}

#define MAX_RANGE 100000.0

/* The rest of A:B:N once A is read. */
static ms_status append_range(ms_context *ctx, const char *option, const char **text, double first,
                              double **list, ptrdiff_t *n) {
  double last, count;
  ++*text;
  MS_TRY(read_number(ctx, option, text, &last));
  if (**text != ':') {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: a range is FIRST:LAST:COUNT, e.g. 1e-7:1e-4:25",
                   option);
  }
  ++*text;
  MS_TRY(read_number(ctx, option, text, &count));
  if (count < 2.0 || count > MAX_RANGE || count != floor(count)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: a range has 2 to %g values, not %g", option, MAX_RANGE,
                   count);
  }
  if (!(first > 0.0 && last > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: the ends of a range must be > 0", option);
  }
  for (double i = 0.0; i < count; i += 1.0) {
    double value = first * pow(last / first, i / (count - 1.0));
    MS_TRY(append(ctx, list, n, i == count - 1.0 ? last : value));
  }
  return MS_SUCCESS;
}

static ms_status parse_list(ms_context *ctx, const char *option, const char *text, double **list,
                            ptrdiff_t *n) {
  for (;;) {
    double value;
    MS_TRY(read_number(ctx, option, &text, &value));
    if (!(value > 0.0)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "%s: amplitude %g must be > 0", option, value);
    }
    if (*text == ':') {
      MS_TRY(append_range(ctx, option, &text, value, list, n));
    } else {
      MS_TRY(append(ctx, list, n, value));
    }
    if (*text == '\0') return MS_SUCCESS;
    if (*text != ',') return ms_fail(ctx, MS_ERR_FORMAT, "%s: commas separate values", option);
    text++;
  }
}

ms_status cli_parse_amplitudes(ms_context *ctx, const char *option, const char *text, double **out,
                               ptrdiff_t *n) {
  *out = NULL;
  *n = 0;
  ms_status status = parse_list(ctx, option, text, out, n);
  if (status != MS_SUCCESS) ms_free(ctx, out);
  return status;
}

ms_status cli_check_writable(ms_context *ctx, const char *path) {
  struct stat info;
  if (!path) return MS_SUCCESS;
  if (stat(path, &info) == 0 && S_ISFIFO(info.st_mode)) return MS_SUCCESS; /* one opening ends it */
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  ms_outfile_discard(&file);
  return MS_SUCCESS;
}
