/* The command line of microslip ringdown. */
#include <math.h>
#include <string.h>

#include "ringdown.h"

const char *const ringdown_form_name[2] = { "printed", "continuous" };

static ms_status set_channel(ringdown_job *job, const char *text) {
  job->request.channel = text;
  return MS_SUCCESS;
}

static ms_status set_kind(ringdown_job *job, const char *text) {
  ms_status status = ms_record_parse_kind(job->ctx, text, &job->request.kind);
  return status == MS_SUCCESS ? status : ms_fail_at(job->ctx, status, "--kind");
}

static ms_status set_unit(ringdown_job *job, const char *text) {
  ms_record_kind kind;
  double factor;
  job->request.unit = text;
  ms_status status = ms_record_parse_unit(job->ctx, text, &kind, &factor);
  return status == MS_SUCCESS ? status : ms_fail_at(job->ctx, status, "--unit");
}

static ms_status set_rate(ringdown_job *job, const char *text) {
  return cli_parse_positive(job->ctx, "--rate", text, &job->request.rate_hz);
}

static ms_status set_band(ringdown_job *job, const char *text) {
  static const double two_pi = 6.283185307179586;
  double low, high;
  MS_TRY(cli_parse_pair(job->ctx, "--band", text, &low, &high));
  job->settings.low = two_pi * low;
  job->settings.high = two_pi * high;
  if (low >= 0.0 && high > low) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "--band %s: LOW,HIGH in Hz must be >= 0 and in order",
                 text);
}

static ms_status set_edge(ringdown_job *job, const char *text) {
  MS_TRY(cli_parse_positive(job->ctx, "--edge", text, &job->settings.edge));
  if (job->settings.edge <= 1.0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "--edge %s must be in (0, 1]", text);
}

static ms_status set_offset(ringdown_job *job, const char *text) {
  job->settings.keep_offset = strcmp(text, "keep") == 0;
  if (job->settings.keep_offset || strcmp(text, "subtract") == 0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_NAME, "--offset %s must be subtract or keep", text);
}

static ms_status set_start(ringdown_job *job, const char *text) {
  return cli_parse_number(job->ctx, "--start", text, &job->settings.start);
}

static ms_status set_end(ringdown_job *job, const char *text) {
  return cli_parse_number(job->ctx, "--end", text, &job->settings.end);
}

static ms_status set_method(ringdown_job *job, const char *text) {
  ms_status status = ms_signal_parse_method(job->ctx, text, &job->settings.method);
  return status == MS_SUCCESS ? status : ms_fail_at(job->ctx, status, "--method");
}

static ms_status set_segments(ringdown_job *job, const char *text) {
  enum { MOST = 100000 };
  double n;
  MS_TRY(cli_parse_number(job->ctx, "--segments", text, &n));
  if (!(n >= 1.0 && n <= MOST && n == floor(n))) {
    return ms_fail(job->ctx, MS_ERR_BOUNDS, "--segments %s must be a whole number from 1 to %d",
                   text, MOST);
  }
  job->settings.segments = (ptrdiff_t)n;
  return MS_SUCCESS;
}

static ms_status set_csv(ringdown_job *job, const char *text) {
  job->csv = text;
  return MS_SUCCESS;
}

static ms_status set_plot(ringdown_job *job, const char *text) {
  job->plot = text;
  return cli_check_picture(job->ctx, text);
}

static ms_status set_theme(ringdown_job *job, const char *text) {
  return cli_parse_theme(job->ctx, text, &job->theme);
}

/* 0 if the word names no form. */
static unsigned read_forms(const char *word) {
  if (strcmp(word, "both") == 0) return 3u;
  return strcmp(word, "printed") == 0 ? 1u : strcmp(word, "continuous") == 0 ? 2u : 0u;
}

/* --fit alone is both; --fit FORM and --fit=FORM one of them. */
static ms_status take_fit(ringdown_job *job, cli_args *args, int *taken) {
  const char *word = args->argv[args->at];
  *taken = !args->words && (strcmp(word, "--fit") == 0 || strncmp(word, "--fit=", 6) == 0);
  if (!*taken) return MS_SUCCESS;
  args->at++;
  job->forms = word[5] == '=' ? read_forms(word + 6) : 3u;
  if (job->forms == 0u) {
    return ms_fail(job->ctx, MS_ERR_NAME, "--fit %s must be printed, continuous or both", word + 6);
  }
  unsigned next = args->at < args->argc ? read_forms(args->argv[args->at]) : 0u;
  if (word[5] != '=' && next != 0u) {
    job->forms = next;
    args->at++;
  }
  return MS_SUCCESS;
}

static const struct ringdown_option {
  const char *name;
  ms_status (*set)(ringdown_job *job, const char *text);
} options[] = {
  { "--channel", set_channel }, { "--kind", set_kind },         { "--unit", set_unit },
  { "--rate", set_rate },       { "--band", set_band },         { "--start", set_start },
  { "--edge", set_edge },       { "--offset", set_offset },     { "--end", set_end },
  { "--method", set_method },   { "--segments", set_segments }, { "--csv", set_csv },
  { "--plot", set_plot },       { "--theme", set_theme },
};

static ms_status read_argument(ringdown_job *job, cli_args *args) {
  int taken;
  if (cli_take_flag(args, "--json")) {
    job->json = 1;
    return MS_SUCCESS;
  }
  MS_TRY(take_fit(job, args, &taken));
  for (size_t i = 0; !taken && i < sizeof options / sizeof *options; i++) {
    const char *value = NULL;
    MS_TRY(cli_take_option(job->ctx, args, options[i].name, &value, &taken));
    if (taken) MS_TRY(options[i].set(job, value));
  }
  if (taken) return MS_SUCCESS;
  if (!cli_is_word(args) || job->path) return cli_fail_unknown(job->ctx, args);
  job->path = args->argv[args->at++];
  return MS_SUCCESS;
}

static ms_status check_request(const ringdown_job *job) {
  if (!job->path) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "name a record: microslip ringdown FILE.csv or FILE.uff");
  }
  if (!(job->settings.start < job->settings.end)) {
    return ms_fail(job->ctx, MS_ERR_BOUNDS, "--start %g must be before --end %g",
                   job->settings.start, job->settings.end);
  }
  if (job->csv && job->plot && strcmp(job->csv, job->plot) == 0) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--csv and --plot both name %s; a file holds one of them", job->csv);
  }
  return MS_SUCCESS;
}

ms_status ringdown_read_arguments(ringdown_job *job, int argc, char **argv) {
  cli_args args = { .command = "ringdown", .argc = argc, .argv = argv };
  while (cli_has_more(&args)) MS_TRY(read_argument(job, &args));
  MS_TRY(check_request(job));
  MS_TRY(cli_check_writable(job->ctx, job->csv));
  return cli_check_writable(job->ctx, job->plot);
}
