/* microslip new: a study to begin with. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

/* Runs in seconds, and every line may be changed. In pieces, because a C11 compiler need not take a
   string longer than 4095 characters. */
static const char *const starter[] = {
  "# A study: a structure, its joints, and what to compute.\n"
  "#   microslip check FILE     says what is wrong with it\n"
  "#   microslip run FILE       computes, and writes results/report.html\n"
  "# Every key, with its unit and default, is in docs/guide/study.md.\n"
  "microslip: 1                         # version of the format\n"
  "title: Two masses and a lap joint\n"
  "\n"
  "# SI units. Others, for instance: units: {length: mm, mass: tonne, force: N, time: s}\n"
  "units: SI\n"
  "\n"
  "structure:\n"
  "  chain:                             # or matrices: {mass: M.mtx, stiffness: K.mtx}\n"
  "    masses: {left: 1.2, right: 0.8}  # coordinate: mass, kg\n"
  "    springs:                         # [from, to, stiffness], N/m; the joints come on top\n"
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
  "    chi: -0.4                        # energy lost in a cycle grows as amplitude^(3 + chi)\n"
  "    beta: 1.5                        # how sharp the knee to macroslip is\n"
  "\n"
  "analyses:\n"
  "  - modes                            # frequencies stuck and slipping, shapes\n"
  "  - modal_ringdown:                  # hit one mode at a time, let it ring\n"
  "      levels:                        # mode: heights of the pulse, m sqrt(kg)/s^2\n"
  "        1: {slipped: [3000, 900], stuck: [60, 12]}   # spread as the slipped or stuck shape\n"
  "        2: {slipped: [6000, 1500], stuck: [150, 20]}\n"
  "      time: {step: 1.0e-4, steps: 50000}             # s\n"
  "  - fit_modal: {form: continuous}    # one Iwan element per mode that does the same\n",
};

static ms_status refuse_existing(ms_context *ctx, const char *path) {
  struct stat info;
  if (lstat(path, &info) == 0) {
    return ms_fail(ctx, MS_ERR_FILE, "%s exists already and is left as it is; name another file",
                   path);
  }
  if (errno == ENOENT) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_FILE, "%s: %s", path, strerror(errno));
}

static ms_status write_starter(ms_context *ctx, const char *path) {
  ms_outfile *file;
  MS_TRY(refuse_existing(ctx, path));
  MS_TRY(ms_outfile_open(ctx, path, &file));
  for (size_t i = 0; i < sizeof starter / sizeof *starter; i++) {
    fputs(starter[i], ms_outfile_stream(file));
  }
  return ms_outfile_commit(&file);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  cli_args args = { .command = "new", .argc = argc, .argv = argv };
  const char *path = NULL;
  while (cli_has_more(&args)) {
    if (path || !cli_is_word(&args) || !argv[args.at][0]) return cli_fail_unknown(ctx, &args);
    path = argv[args.at++];
  }
  if (!path) path = "study.yaml";
  MS_TRY(write_starter(ctx, path));
  printf("%s: written; microslip run %s\n", path, path);
  return MS_SUCCESS;
}

const cli_command cli_command_new = {
  .name = "new",
  .summary = "a commented study file to begin with",
  .usage =
      "microslip new [FILE]\n\n"
      "Writes a small study with comments to FILE (study.yaml), and never over a file.\n"
      "microslip run FILE runs it.\n",
  .run = run,
};
