/* microslip help NAME: an analysis, a law, a load or a mapping of the study file, from their own
   tables. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

enum { WIDTH = 96, PATH = 120, MAX_LISTS = 64, FEW_KEYS = 3 };

/* Text in lines of at most WIDTH, each after `indent` blanks. */
static void print_lines(const char *text, int indent) {
  char blanks[16];
  snprintf(blanks, sizeof blanks, "%*s", indent, "");
  cli_print_wrapped(stdout, blanks, text, WIDTH);
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
  if (p->required && p->set > 0) snprintf(otherwise, sizeof otherwise, "of one set");
  const int plain = p->required || strcmp(otherwise, "optional") == 0;
  snprintf(head, sizeof head, "%s: %s%s%s%s", name, value, otherwise[0] ? "; " : "",
           plain || !otherwise[0] ? "" : "default ", otherwise);
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

static int has_any_names(const ms_param_list *keys) {
  return keys->n == 1 && strcmp(keys->param[0].name, "*") == 0;
}

/* The keys of what stands behind every name; else the list itself. */
static const ms_param_list *skip_names(const ms_param_list *keys) {
  return has_any_names(keys) && keys->param[0].keys ? keys->param[0].keys : keys;
}

/* Many keys, or mappings among them: printed on their own. */
static int is_large(const ms_param_list *keys) {
  const ms_param_list *list = skip_names(keys);
  for (int i = 0; i < list->n; i++) {
    if (list->param[i].keys) return 1;
  }
  return list->n > FEW_KEYS;
}

/* Keys of a mapping follow it, with its name before theirs; large ones only if `deep`. [kind] is
   one of several mappings that an item of a list may be. */
static void print_params(const ms_param *param, int n, const char *above, int markdown, int deep) {
  for (int i = 0; i < n; i++) {
    const ms_param_list *keys = param[i].keys;
    char name[PATH];
    const int dot = above[0] && param[i].name[0] != '[';
    snprintf(name, sizeof name, "%.80s%s%.38s", above, dot ? "." : "", param[i].name);
    (markdown ? print_row : print_param)(&param[i], name);
    if (keys && (deep || !is_large(keys))) {
      print_params(keys->param, keys->n, name, markdown, deep);
    } else if (keys && !markdown) {
      printf("      Its keys: microslip help %s\n", param[i].name);
    }
  }
}

/* What is printed of each entry. */
typedef struct printer {
  const char *name;
  int markdown;
  int found;
  const ms_param_list *list[MAX_LISTS]; /* of the study file that were walked through */
  int n_list;
  char names[800]; /* of these, where there is no name to look for */
} printer;

static void print_entry(printer *to, const char *kind, const char *name, const char *meaning,
                        const ms_param *param, int n, int deep) {
  char sets[600] = "Give ";
  if (to->found++ > 0) printf("\n");
  if (to->markdown) {
    printf("| key | value | default | meaning |\n|---|---|---|---|\n");
    print_params(param, n, "", 1, deep);
    return;
  }
  printf("%s %s\n", kind, name);
  print_lines(meaning, 2);
  cli_describe_sets(param, n, sets + 5, sizeof sets - 5);
  if (sets[5]) print_lines(sets, 2);
  printf("\n");
  print_params(param, n, "", 0, deep);
}

/* "structure.chain" by itself, as "chain" or whole. */
static int is_called(const char *path, const char *name) {
  const size_t n = strlen(path), length = strlen(name);
  if (length > n || strcmp(path + n - length, name) != 0) return 0;
  return n == length || path[n - length - 1] == '.';
}

/* Every mapping of the study file, each once, with its path; names that the file chooses are left
   out of it. With to->name those that are called so are printed, else the large ones are listed. */
static void walk_keys(printer *to, const char *path, const char *meaning,
                      const ms_param_list *keys) {
  const ms_param_list *list = skip_names(keys);
  for (int i = 0; i < to->n_list; i++) {
    if (to->list[i] == list) return;
  }
  if (to->n_list == MAX_LISTS) return;
  to->list[to->n_list++] = list;
  if (!to->name && is_large(list)) {
    const char *dot = strrchr(path, '.');
    const size_t n = strlen(to->names);
    snprintf(to->names + n, sizeof to->names - n, " %s", dot ? dot + 1 : path);
  } else if (to->name && is_called(path, to->name)) {
    print_entry(to, "keys of", path, meaning, list->param, list->n, 0);
  }
  for (int i = 0; i < list->n; i++) {
    const ms_param *p = &list->param[i];
    char below[PATH];
    const int top = strcmp(path, "study") == 0;
    snprintf(below, sizeof below, "%.80s%s%.38s", top ? "" : path, top ? "" : ".", p->name);
    if (p->keys) walk_keys(to, below, p->meaning, p->keys);
  }
}

/* `sweep` is an analysis and a load, `ringdown` an analysis and a command. */
static void print_command(printer *to) {
  for (int i = 0; !to->markdown && i < cli_count_commands(); i++) {
    const cli_command *command = cli_get_command(i);
    if (strcmp(command->name, to->name) != 0) continue;
    if (to->found++ > 0) printf("\n");
    printf("command %s: %s\n\n%s", command->name, command->summary, command->usage);
  }
}

static void print_entries(printer *to) {
  ms_analysis_info info;
  for (int i = 0; ms_study_get_kind(i, &info); i++) {
    if (strcmp(info.name, to->name) != 0) continue;
    print_entry(to, "analysis", info.name, info.meaning, info.keys.param, info.keys.n, 1);
  }
  for (int i = 0; !to->markdown && i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    if (strcmp(law->name, to->name) != 0) continue;
    print_entry(to, "law", law->name, law->title, law->param, law->n_param, 1);
  }
  for (int i = 0; !to->markdown && i < ms_load_count_kinds(); i++) {
    const ms_load_info *load = ms_load_get_kind(i);
    ms_param key[MS_LOAD_MAX_KEYS];
    if (strcmp(load->name, to->name) != 0) continue;
    const int n = ms_load_list_keys(load, key);
    print_entry(to, "load", load->name, load->title, key, n, 1);
  }
  walk_keys(to, "study", "The study file.", ms_study_get_keys());
}

static void list_names(void) {
  ms_analysis_info info;
  char text[2000] = "Analyses:";
  printer file = { .names = "Study file:" };
  walk_keys(&file, "study", "", ms_study_get_keys());
  print_lines(file.names, 0);
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
  print_command(&to);
  if (to.found > 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME,
                 "there is no analysis, law, load, mapping of the study file or command '%s'; "
                 "'microslip help' without a name lists them",
                 to.name);
}

const cli_command cli_command_help = {
  .name = "help",
  .summary =
      "an analysis, a law, a load, a part of the study file or a command: its keys or options",
  .usage =
      "microslip help [NAME] [--markdown]\n\n"
      "What an analysis, a joint law or a load does, and its keys: kind, unit, range, default, "
      "meaning;\n"
      "or the keys of a mapping of the study file: study for its top level, structure, beam, "
      "joints, ....\n"
      "Of a command what COMMAND --help says.\n"
      "Without a name it lists the commands and all of these. --markdown prints the table of keys "
      "as the\nmanual has it.\n",
  .run = run,
};
