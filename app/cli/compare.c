/* microslip compare: runs of studies beside each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

enum { MAX_RUNS = 16, SHOWN = 6 };

typedef struct compare_request {
  const char *run[MAX_RUNS], *name[MAX_RUNS], *folder, *display;
  int n_run, n_name;
  cli_figures figures;
  char names[1024]; /* cut into name[] */
} compare_request;

/* ---- arguments ---- */

static ms_status read_names(ms_context *ctx, const char *text, compare_request *r) {
  snprintf(r->names, sizeof r->names, "%s", text);
  r->n_name = 0;
  for (char *at = r->names; at;) {
    char *next = strchr(at, ',');
    if (next) *next++ = '\0';
    if (!*at || r->n_name == MAX_RUNS || strlen(text) >= sizeof r->names)
      return ms_fail(ctx, MS_ERR_ARGUMENT, "--names %.80s: commas part the names, one for each run",
                     text);
    r->name[r->n_name++] = at;
    at = next;
  }
  return MS_SUCCESS;
}

static ms_status read_argument(ms_context *ctx, cli_args *args, compare_request *r) {
  const char *value = NULL;
  int taken;
  MS_TRY(cli_take_figures(ctx, args, &r->figures, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(ctx, args, "--to", &r->folder, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(ctx, args, "--display", &r->display, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(ctx, args, "--names", &value, &taken));
  if (taken) return read_names(ctx, value, r);
  if (!cli_is_word(args)) return cli_fail_unknown(ctx, args);
  if (r->n_run == MAX_RUNS) return ms_fail(ctx, MS_ERR_BOUNDS, "at most %d runs", MAX_RUNS);
  r->run[r->n_run++] = args->argv[args->at++];
  return MS_SUCCESS;
}

static ms_status read_arguments(ms_context *ctx, int argc, char **argv, compare_request *r) {
  cli_args args = { .command = "compare", .argc = argc, .argv = argv };
  *r = (compare_request) { .folder = "compare" };
  while (cli_has_more(&args)) MS_TRY(read_argument(ctx, &args, r));
  MS_TRY(cli_check_figures(ctx, &r->figures));
  if (r->n_run < 2)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "name the folders of two runs: microslip compare RUN1 RUN2");
  if (r->n_name > 0 && r->n_name != r->n_run)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "--names has %d names for %d runs", r->n_name, r->n_run);
  return MS_SUCCESS;
}

/* ---- what it says ---- */

/* "zeta of out_backbone, mode 2: 0.0123 -> 0.0131 (+6.5 %)" */
static void say_difference(const ms_compare *c, const ms_difference *d) {
  fputs("  ", stdout);
  if (ms_compare_count_runs(c) > 2) {
    cli_print_plain(ms_compare_get_run(c, d->run), stdout);
    fputs(": ", stdout);
  }
  cli_print_plain(d->name, stdout);
  if (d->kind != MS_DIFFERENCE_ANSWER) {
    fputs(" of ", stdout);
    cli_print_plain(*d->table ? d->table : d->analysis, stdout);
  }
  if (*d->where) fputs(", ", stdout);
  cli_print_plain(d->where, stdout);
  printf(": %.6g -> %.6g%s%s (%+.3g", d->first, d->other, *d->unit ? " " : "", d->unit,
         d->difference);
  const double size = fabs(d->first);
  if (size > 0.0) printf(", %+.3g %%", 100.0 * d->difference / size);
  puts(")");
}

static int is_different(const ms_difference *d) {
  return d->difference != 0.0 && !d->rounding;
}

static void say_differences(const ms_compare *c) {
  const ptrdiff_t n = ms_compare_count(c);
  ptrdiff_t answers = 0, others = 0, differ = 0;
  for (ptrdiff_t i = 0; i < n; i++) differ += is_different(ms_compare_get(c, i));
  printf("%td of %td numbers and columns differ\n", differ, n);
  for (ptrdiff_t i = 0; i < n && others < SHOWN; i++) {
    const ms_difference *d = ms_compare_get_largest(c, i);
    if (!is_different(d)) continue;
    if (d->kind == MS_DIFFERENCE_ANSWER) {
      if (answers++ == 0) puts("key numbers:");
    } else if (others++ == 0) {
      puts("largest differences:");
    }
    say_difference(c, d);
  }
  for (ptrdiff_t i = 0; i < ms_compare_count_remarks(c); i++) {
    cli_print_plain(ms_compare_get_remark(c, i), stdout);
    putchar('\n');
  }
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  compare_request r;
  ms_compare *c;
  MS_TRY(read_arguments(ctx, argc, argv, &r));
  MS_TRY(ms_folder_check(ctx, r.folder));
  MS_TRY(ms_compare_open(ctx, r.n_run, r.run, r.n_name > 0 ? r.name : NULL, r.display, &c));
  ms_status status = ms_compare_write(c, r.folder, r.figures.wanted ? &r.figures.format : NULL);
  if (status == MS_SUCCESS) {
    say_differences(c);
    printf("report: %s/compare.html\n", r.folder);
  }
  ms_compare_close(&c);
  return status;
}

const cli_command cli_command_compare = {
  .name = "compare",
  .summary = "runs beside each other: figures overlaid, and what differs",
  .usage =
      "microslip compare RUN1 RUN2 [RUN3...] [--to DIR] [--names A,B,...]\n"
      "                  [--display WORDS] [--figures[=svg,pdf]] [--figure-width W] "
      "[--figure-font S]\n\n"
      "A run is the folder of results that 'microslip run' has written. Each run is compared with\n"
      "the first: key numbers, values, columns of tables where they differ most; figures that "
      "both\n"
      "have are drawn over each other.\n\n"
      "  --to DIR           where the comparison goes (compare): compare.html, answers.csv,\n"
      "                     values.csv, differences.csv\n"
      "  --display WORDS    units of all of it, as for 'microslip run'; without it hz, percent, "
      "and\n"
      "                     displacement at the sensor of the first report if all runs have it\n"
      "  --names A,B,...    names of the runs in texts and legends (those of their "
      "folders)\n" CLI_FIGURES_USAGE,
  .run = run,
};
