/* microslip survey: modes, and their frequency and damping against amplitude, from impact tests;
   survey_files.c reads them, survey_print.c and survey_page.c show what came out. */
#include "survey.h"

#include <math.h>
#include <string.h>

static ms_status set_modes(survey_job *job, const char *text) {
  enum { MOST = 1000 };
  double n;
  MS_TRY(cli_parse_number(job->ctx, "--modes", text, &n));
  job->settings.modes = (ptrdiff_t)n;
  if (n >= 1.0 && n <= MOST && n == floor(n)) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "--modes %s must be a whole number from 1 to %d", text,
                 MOST);
}

static ms_status set_range(survey_job *job, const char *text) {
  MS_TRY(cli_parse_pair(job->ctx, "--range", text, &job->settings.low, &job->settings.high));
  if (job->settings.low >= 0.0 && job->settings.high > job->settings.low) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "--range %s: LOW,HIGH in Hz must be >= 0 and in order",
                 text);
}

static ms_status set_edge(survey_job *job, const char *text) {
  MS_TRY(cli_parse_positive(job->ctx, "--edge", text, &job->settings.edge));
  if (job->settings.edge <= 1.0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "--edge %s must be in (0, 1]", text);
}

static ms_status set_rate(survey_job *job, const char *text) {
  return cli_parse_positive(job->ctx, "--rate", text, &job->request.rate_hz);
}

static ms_status set_channels(survey_job *job, const char *text) {
  job->request.table = text;
  return MS_SUCCESS;
}

static ms_status set_sensor(survey_job *job, const char *text) {
  job->sensor = text;
  return MS_SUCCESS;
}

static ms_status set_force(survey_job *job, const char *text) {
  job->force = text;
  return MS_SUCCESS;
}

static ms_status set_report(survey_job *job, const char *text) {
  const size_t n = strlen(text);
  job->report = text;
  if (n > 5 && strcmp(text + n - 5, ".html") == 0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                 "--report %s: the report is HTML; its name ends in .html", text);
}

static ms_status set_csv(survey_job *job, const char *text) {
  job->csv = text;
  return MS_SUCCESS;
}

/* A quote or a comma in a name would part it in the table. */
static ms_status check_csv(const survey_job *job) {
  for (int g = 0; job->csv && g < job->n_group; g++) {
    if (!strpbrk(job->group[g].name, ",\"")) continue;
    return ms_fail(job->ctx, MS_ERR_NAME, "--group %s: with --csv a name has no comma and no quote",
                   job->group[g].name);
  }
  if (job->csv && job->report && strcmp(job->csv, job->report) == 0)
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--csv and --report both name %s; a file holds one of them", job->csv);
  return cli_check_writable(job->ctx, job->csv);
}

/* Files that follow are of this group. */
static ms_status set_group(survey_job *job, const char *text) {
  if (job->n_group == 1 && job->group[0].name[0] == '\0')
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--group %s comes after files of no group; name theirs first", text);
  if (job->n_group == SURVEY_GROUPS)
    return ms_fail(job->ctx, MS_ERR_BOUNDS, "--group %s: there may be %d groups", text,
                   (int)SURVEY_GROUPS);
  job->group[job->n_group++].name = text;
  return MS_SUCCESS;
}

static const struct survey_option {
  const char *name;
  ms_status (*set)(survey_job *job, const char *text);
} options[] = {
  { "--group", set_group },   { "--sensor", set_sensor },     { "--force", set_force },
  { "--range", set_range },   { "--modes", set_modes },       { "--edge", set_edge },
  { "--report", set_report }, { "--channels", set_channels }, { "--rate", set_rate },
  { "--csv", set_csv },
};

static ms_status read_argument(survey_job *job, cli_args *args) {
  if (cli_take_flag(args, "--json")) {
    job->json = 1;
    return MS_SUCCESS;
  }
  if (cli_take_flag(args, "--doubtful")) {
    job->settings.doubtful = 1;
    return MS_SUCCESS;
  }
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const char *value = NULL;
    int taken;
    MS_TRY(cli_take_option(job->ctx, args, options[i].name, &value, &taken));
    if (taken) return options[i].set(job, value);
  }
  if (!cli_is_word(args)) return cli_fail_unknown(job->ctx, args);
  if (job->n_group == 0) job->group[job->n_group++].name = "";
  return survey_add_path(job, &job->group[job->n_group - 1], args->argv[args->at++]);
}

static ms_status run_job(survey_job *job, int argc, char **argv) {
  cli_args args = { .command = "survey", .argc = argc, .argv = argv };
  while (cli_has_more(&args)) MS_TRY(read_argument(job, &args));
  if (job->n_group == 0)
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "name the files of an impact test: microslip survey hit*.csv");
  for (int g = 0; g < job->n_group; g++) {
    if (job->group[g].n_path > 0) continue;
    return ms_fail(job->ctx, MS_ERR_ARGUMENT, "--group %s has no files", job->group[g].name);
  }
  MS_TRY(cli_check_writable(job->ctx, job->report));
  MS_TRY(check_csv(job));
  for (int g = 0; g < job->n_group; g++) {
    ms_status status = survey_read(job, &job->group[g]);
    if (status != MS_SUCCESS && job->group[g].name[0])
      return ms_fail_at(job->ctx, status, "group %s", job->group[g].name);
    MS_TRY(status);
  }
  MS_TRY(survey_number(job));
  if (job->report) MS_TRY(survey_write_page(job));
  if (job->csv) MS_TRY(survey_write_csv(job));
  return survey_print(job);
}

static void close_job(survey_job *job) {
  for (int g = 0; g < SURVEY_GROUPS; g++) {
    survey_group *group = &job->group[g];
    for (ptrdiff_t i = 0; i < group->n_path; i++) ms_free(job->ctx, &group->path[i]);
    ms_free(job->ctx, &group->path);
    ms_free(job->ctx, &group->listed);
    ms_free(job->ctx, &group->sensor);
    ms_free(job->ctx, &group->number);
    ms_survey_destroy(&group->survey);
    ms_drawing_destroy(&group->pulses);
    ms_drawing_destroy(&group->spectrograms);
  }
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  static const ms_survey_settings settings = MS_SURVEY_DEFAULT;
  survey_job job = { .ctx = ctx, .settings = settings };
  ms_context_set_log(ctx, cli_show_log, NULL);
  ms_status status = run_job(&job, argc, argv);
  ms_context_set_log(ctx, NULL, NULL);
  close_job(&job);
  return status;
}

ms_status survey_run_file(ms_context *ctx, const char *path, int json) {
  static const ms_survey_settings settings = MS_SURVEY_DEFAULT;
  survey_job job = { .ctx = ctx, .settings = settings, .free = 1, .json = json, .n_group = 1 };
  job.group[0].name = "";
  ms_status status = survey_add_path(&job, &job.group[0], path);
  if (status == MS_SUCCESS) status = survey_read(&job, &job.group[0]);
  if (status == MS_SUCCESS) status = survey_number(&job);
  if (status == MS_SUCCESS) status = survey_print(&job);
  close_job(&job);
  return status;
}

const cli_command cli_command_survey = {
  .name = "survey",
  .summary = "impact tests: modes, frequency and damping against amplitude, without a model",
  .usage =
      "microslip survey FILE... [--sensor NAME] [--report FILE.html] [OPTION]...\n"
      "microslip survey --group A FILE... --group B FILE... [OPTION]...\n\n"
      "Each FILE is one impact: a hammer's force and one or more sensors, in any format that\n"
      "'microslip info' reads; a folder stands for the records in it. Is the structure\n"
      "nonlinear, in which modes, and from what level? No option is needed.\n\n"
      "  --group NAME       the files that follow are of this assembly: up to four are compared\n"
      "  --sensor NAME      amplitudes are at this one (found: the one that sees all modes best)\n"
      "  --report FILE.html FRFs by level, coherence, curves, and remarks on every record\n"
      "  --csv FILE         the curves as a table, which calibrate reads as targets\n"
      "  --range LOW,HIGH   Hz; modes are looked for between (found: as far as the hammer "
      "excites)\n"
      "  --modes N          at most so many, the highest peaks (12)\n"
      "  --edge PART        of the band-passes: the gain falls to zero over PART of the limits\n"
      "                     (found: as wide as neighbours leave; stated)\n"
      "  --doubtful         use records with overloads, several blows or wrong channels, too\n"
      "  --force NAME       the hammer, if several channels are forces\n"
      "  --rate HZ          samples per second, for files that have no times\n"
      "  --channels TABLE   names, kinds and units of channels, of all files\n"
      "  --json             one JSON object on standard output instead of tables\n",
  .run = run,
};
