/* microslip help NAME: an analysis, a law or a load, from their own tables. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

enum { WIDTH = 96 };

/* Text in lines of at most WIDTH, each after `indent` blanks. */
static void print_lines(const char *text, int indent) {
  int column = 0;
  for (size_t n; *text; text += n + strspn(text + n, " ")) {
    n = strcspn(text, " ");
    if (column > 0 && column + 1 + (int)n > WIDTH) {
      printf("\n");
      column = 0;
    }
    column +=
        column > 0 ? printf(" %.*s", (int)n, text) : printf("%*s%.*s", indent, "", (int)n, text);
  }
  printf("\n");
}

/* "number, Hz, > 0" */
static void describe(const ms_param *p, char *text, size_t size) {
  char kind[200], range[64];
  const int has_unit = p->unit && strcmp(p->unit, "-") != 0;
  ms_param_describe_kind(p, kind, sizeof kind);
  ms_param_describe_range(p, range, sizeof range);
  snprintf(text, size, "%s%s%s%s%s", kind, has_unit ? ", " : "", has_unit ? p->unit : "",
           range[0] ? ", " : "", range);
}

/* "  time.step: number, s, > 0; required", and below it what it means. */
static void print_param(const ms_param *p, const char *name) {
  char value[320], otherwise[200], head[640];
  describe(p, value, sizeof value);
  ms_param_describe_default(p, otherwise, sizeof otherwise);
  const int plain = p->required || strcmp(otherwise, "optional") == 0;
  snprintf(head, sizeof head, "%s: %s; %s%s", name, value, plain ? "" : "default ", otherwise);
  print_lines(head, 2);
  print_lines(p->meaning, 6);
}

/* A row of the manual's table. */
static void print_row(const ms_param *p, const char *name) {
  char value[320], otherwise[200];
  describe(p, value, sizeof value);
  ms_param_describe_default(p, otherwise, sizeof otherwise);
  printf("| `%s` | %s | %s | %s |\n", name, value, otherwise, p->meaning);
}

/* Keys of a mapping follow it, with its name before theirs. [kind] is one of several mappings that
   an item of a list may be. */
static void print_params(const ms_param *param, int n, const char *above, int markdown) {
  for (int i = 0; i < n; i++) {
    char name[120];
    const int dot = above[0] && param[i].name[0] != '[';
    snprintf(name, sizeof name, "%.80s%s%.38s", above, dot ? "." : "", param[i].name);
    (markdown ? print_row : print_param)(&param[i], name);
    if (param[i].keys) print_params(param[i].keys->param, param[i].keys->n, name, markdown);
  }
}

/* What is printed of each entry. */
typedef struct printer {
  const char *name;
  int markdown;
  int found;
} printer;

static void print_entry(printer *to, const char *kind, const char *name, const char *meaning,
                        const ms_param *param, int n) {
  if (strcmp(name, to->name) != 0) return;
  if (to->found++ > 0) printf("\n");
  if (to->markdown) {
    printf("| key | value | default | meaning |\n|---|---|---|---|\n");
    print_params(param, n, "", 1);
    return;
  }
  printf("%s %s\n", kind, name);
  print_lines(meaning, 2);
  printf("\n");
  print_params(param, n, "", 0);
}

/* `sweep` is an analysis and a load. */
static void print_entries(printer *to) {
  ms_analysis_info info;
  for (int i = 0; ms_study_get_kind(i, &info); i++) {
    print_entry(to, "analysis", info.name, info.meaning, info.keys.param, info.keys.n);
  }
  for (int i = 0; !to->markdown && i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    print_entry(to, "law", law->name, law->title, law->param, law->n_param);
  }
  for (int i = 0; !to->markdown && i < ms_load_count_kinds(); i++) {
    const ms_load_info *load = ms_load_get_kind(i);
    print_entry(to, "load", load->name, load->title, load->param, load->n_param);
  }
}

static void list_names(void) {
  ms_analysis_info info;
  char text[2000] = "Analyses:";
  for (int i = 0; ms_study_get_kind(i, &info); i++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), " %s", info.name);
  }
  print_lines(text, 0);
  snprintf(text, sizeof text, "Laws:");
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), " %s", ms_joint_get_law(i)->name);
  }
  print_lines(text, 0);
  snprintf(text, sizeof text, "Loads:");
  for (int i = 0; i < ms_load_count_kinds(); i++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), " %s", ms_load_get_kind(i)->name);
  }
  print_lines(text, 0);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  cli_args args = { .command = "help", .argc = argc, .argv = argv };
  printer to = { 0 };
  while (cli_has_more(&args)) {
    if (cli_take_flag(&args, "--markdown")) {
      to.markdown = 1;
    } else if (cli_is_word(&args) && !to.name) {
      to.name = argv[args.at++];
    } else {
      return cli_fail_unknown(ctx, &args);
    }
  }
  if (!to.name) {
    cli_print_help(stdout);
    printf("\n");
    list_names();
    return MS_SUCCESS;
  }
  print_entries(&to);
  if (to.found > 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME,
                 "there is no analysis, law or load '%s'; 'microslip help' without a name lists "
                 "them",
                 to.name);
}

const cli_command cli_command_help = {
  .name = "help",
  .summary = "an analysis, a law or a load: its keys, units, ranges and defaults",
  .usage =
      "microslip help [NAME] [--markdown]\n\n"
      "What an analysis, a joint law or a load does, and its keys: kind, unit, range, default, "
      "meaning.\n"
      "Without a name it lists the commands and all of these. --markdown prints the table of an "
      "analysis as the manual "
      "has it.\n",
  .run = run,
};
