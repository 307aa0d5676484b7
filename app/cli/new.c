/* microslip new: a study to begin with. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "new.h"
#include "templates.h"

/* Runs in seconds, and every line may be changed. In pieces, because a C11 compiler need not take a
   string longer than 4095 characters. */
static const char *const starter[] = {
  "# A study: a structure, its joints, and what to compute.\n"
  "#   microslip check FILE     says what is wrong with it\n"
  "#   microslip run FILE       computes, and writes results/report.html\n"
  "# Every key, with its unit and default, is in docs/guide/study.md and docs/analyses.\n"
  "microslip: 1                         # version of the format\n"
  "title: Two masses and a lap joint\n"
  "\n"
  "# SI units. Others, for instance: units: {length: mm, mass: tonne, force: N, time: s}\n"
  "units: SI\n"
  "\n"
  "structure:\n"
  "  chain:                             # or matrices: {mass: M.mtx, stiffness: K.mtx}\n"
  "    masses: {left: 1.2, right: 0.8}  # degree of freedom: mass, kg\n"
  "    springs:                         # [from, to, stiffness], N/m, without the joints\n"
  "      - [ground, left, 4.0e5]\n"
  "      - [left, right, 2.5e5]\n"
  "  damping: {modal: 5.0e-4}           # ratio of every mode with the joints stuck\n"
  "\n",
  "# 'microslip laws' lists the laws, 'microslip laws iwan4' the parameters of one.\n"
  "joints:\n"
  "  lap:\n"
  "    law: iwan4                       # four-parameter Iwan element\n"
  "    between: [left, right]\n"
  "    F_S: 20                          # N, the force at which all of it slips\n"
  "    K_T: 2.0e4                       # N/m, its stiffness while it sticks\n"
  "    chi: -0.4                        # energy per cycle grows as amplitude^(3 + chi)\n"
  "    beta: 1.5                        # sharpness of the knee to macroslip\n"
  "\n"
  "analyses:\n"
  "  - modes                            # frequencies stuck and slipping, shapes\n"
  "  - modal_ringdown:                  # excite one mode at a time, let it ring\n"
  "      levels:                        # mode: heights of the pulse, m sqrt(kg)/s^2\n"
  "        1: {slipped: [3000, 900], stuck: [60, 12]}   # spread as the slipped or stuck shape\n"
  "        2: {slipped: [6000, 1500], stuck: [150, 20]}\n"
  "      time: {step: 1.0e-4, steps: 50000}             # s\n"
  "  - fit_modal: {form: continuous}    # one equivalent Iwan element per mode\n",
};

ms_status new_refuse_existing(ms_context *ctx, const char *path) {
  struct stat info;
  if (lstat(path, &info) == 0) {
    return ms_fail(ctx, MS_ERR_FILE, "%s exists already and is not overwritten; name another file",
                   path);
  }
  if (errno == ENOENT) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_FILE, "%s: %s", path, strerror(errno));
}

static ms_status write_starter(ms_context *ctx, const char *path) {
  ms_outfile *file;
  MS_TRY(new_refuse_existing(ctx, path));
  MS_TRY(ms_outfile_open(ctx, path, &file));
  for (size_t i = 0; i < sizeof starter / sizeof *starter; i++) {
    fputs(starter[i], ms_outfile_stream(file));
  }
  return ms_outfile_commit(&file);
}

/* ---- templates of analyses ---- */

enum { MAX_ITEMS = 64 };

typedef struct list {
  const cli_template *item[MAX_ITEMS];
  int n;
} list;

static const cli_template *find_template(const char *name, size_t length) {
  for (const cli_template *t = cli_templates; t->name; t++) {
    if (strlen(t->name) == length && strncmp(t->name, name, length) == 0) return t;
  }
  return NULL;
}

/* Once, behind what it needs. */
static void add_template(list *l, const cli_template *t) {
  for (int i = 0; i < l->n; i++) {
    if (l->item[i] == t) return;
  }
  for (const char *at = t->needs ? t->needs : ""; *at; at += strspn(at, " ")) {
    size_t n = strcspn(at, " ");
    add_template(l, find_template(at, n));
    at += n;
  }
  if (l->n < MAX_ITEMS) l->item[l->n++] = t;
}

static int has_key(const char *text, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at++) {
    if (at[n] == ':' && at > text && strchr(" {", at[-1])) return 1;
  }
  return 0;
}

void new_put_keys(FILE *to, const char *analysis, const char *text) {
  ms_analysis_info info = { 0 };
  for (int i = 0; ms_study_get_kind(i, &info) && strcmp(info.name, analysis) != 0; i++) continue;
  for (int i = 0; i < info.keys.n; i++) {
    const ms_param *p = &info.keys.param[i];
    char kind[200], otherwise[200], line[1200];
    if (has_key(text, p->name)) continue;
    ms_param_describe_kind(p, kind, sizeof kind);
    ms_param_describe_default(p, otherwise, sizeof otherwise);
    const int plain = strcmp(otherwise, "optional") == 0;
    snprintf(line, sizeof line, "%s: %s%s%s - %s", p->name, kind, plain ? "" : "; default ",
             plain ? "" : otherwise, p->meaning);
    cli_print_wrapped(to, "      # ", line, NEW_WIDTH);
  }
}

static void put_templates(FILE *to, const list *l) {
  const char *structure = "";
  int loads = 0;
  for (int i = 0; i < l->n; i++) {
    const char *own = l->item[i]->structure;
    if (!own && !structure[0]) structure = cli_template_structure;
    if (own && own[0]) structure = own;
    loads |= l->item[i]->loads;
  }
  fputs("microslip: 1\n", to);
  fputs(structure, to);
  if (loads) fputs("loads:\n", to);
  if (loads & CLI_IMPACT) fputs(cli_template_impact, to);
  if (loads & CLI_SHAKER) fputs(cli_template_shaker, to);
  fputs("analyses:\n", to);
  for (int i = 0; i < l->n; i++) {
    fputs(l->item[i]->text, to);
    new_put_keys(to, l->item[i]->name, l->item[i]->text);
  }
}

static ms_status write_templates(ms_context *ctx, const list *l, const char *path) {
  ms_outfile *file;
  if (!path) {
    put_templates(stdout, l);
    return MS_SUCCESS;
  }
  MS_TRY(new_refuse_existing(ctx, path));
  MS_TRY(ms_outfile_open(ctx, path, &file));
  put_templates(ms_outfile_stream(file), l);
  MS_TRY(ms_outfile_commit(&file));
  printf("%s: written; microslip run %s\n", path, path);
  return MS_SUCCESS;
}

/* ---- the command ---- */

static ms_status write_new(ms_context *ctx, const char *path) {
  if (!path) path = "study.yaml";
  MS_TRY(write_starter(ctx, path));
  printf("%s: written; microslip run %s\n", path, path);
  return MS_SUCCESS;
}

/* --from FILES, to the end or to the next option. */
static ms_status write_from(ms_context *ctx, cli_args *args, const char *first, const char *to) {
  const char **path;
  int n = 0;
  MS_TRY(ms_allocate(ctx, args->argc + 1, sizeof *path, &path));
  path[n++] = first;
  ms_status status = MS_SUCCESS;
  while (status == MS_SUCCESS && cli_has_more(args)) {
    int taken = 0;
    status = cli_take_option(ctx, args, "--to", &to, &taken);
    if (status != MS_SUCCESS || taken) continue;
    if (!cli_is_word(args) || !args->argv[args->at][0]) status = cli_fail_unknown(ctx, args);
    if (status == MS_SUCCESS) path[n++] = args->argv[args->at++];
  }
  if (status == MS_SUCCESS) status = new_write_from(ctx, n, path, to);
  ms_free(ctx, &path);
  return status;
}

/* A word that is no analysis is a file, if it is the only one. */
static ms_status run(ms_context *ctx, int argc, char **argv) {
  cli_args args = { .command = "new", .argc = argc, .argv = argv };
  list l = { 0 };
  const char *path = NULL, *to = NULL, *from = NULL;
  while (cli_has_more(&args)) {
    int taken = 0;
    MS_TRY(cli_take_option(ctx, &args, "--to", &to, &taken));
    if (taken) continue;
    MS_TRY(cli_take_option(ctx, &args, "--from", &from, &taken));
    if (taken && (path || l.n > 0))
      return ms_fail(ctx, MS_ERR_ARGUMENT, "--from stands before the files, without analyses");
    if (taken) return write_from(ctx, &args, from, to);
    if (!cli_is_word(&args) || !argv[args.at][0]) return cli_fail_unknown(ctx, &args);
    const char *word = argv[args.at++];
    const cli_template *t = find_template(word, strlen(word));
    if (t) {
      add_template(&l, t);
    } else if (path) {
      return ms_fail(ctx, MS_ERR_NAME, "there is no analysis '%s'; 'microslip help' lists them",
                     word);
    } else {
      path = word;
    }
  }
  if (l.n == 0 && !(path && to)) return write_new(ctx, to ? to : path);
  if (!path) return write_templates(ctx, &l, to);
  return ms_fail(ctx, MS_ERR_NAME, "there is no analysis '%s'; 'microslip help' lists them", path);
}

const cli_command cli_command_new = {
  .name = "new",
  .summary = "write a study file with comments, to start from",
  .usage =
      "microslip new [FILE]\n"
      "microslip new ANALYSIS... [--to FILE]\n"
      "microslip new --from DATA... [--to FILE]\n\n"
      "Writes a small study with comments to FILE (study.yaml); never overwrites a file.\n"
      "With the names of analyses it prints a study with these, with all their keys as comments;\n"
      "the data they read are simulated first. --to writes it to a file. microslip run FILE runs "
      "it,\n"
      "microslip new sweep | microslip run - runs it directly.\n"
      "--from DATA: a study of measured files, with their channels and the peaks of their spectra: "
      "a\n"
      "hammer_test if they have a force, else ringdown. The structure in it is a placeholder.\n",
  .run = run,
};
