/* microslip info: what a file of measured data holds, and whether it is good; info_print.c and
   info_plot.c show it. */
#include "info.h"

#include <string.h>

const char *info_unit(const ms_measurement_channel *c) {
  return strcmp(c->unit, "NONE") == 0 ? "" : c->unit;
}

const char *info_type(const ms_measurement_channel *c) {
  const char *kind = ms_record_kind_text(c->kind);
  if (c->type > 1 || c->is_complex) return ms_uff58_type_text(c->type);
  return kind ? kind : "unknown";
}

static ms_status judge(info_job *job, info_channel *channel) {
  const ms_measurement_channel *c = channel->is;
  const double dt = c->step * c->x_factor;
  channel->judged = c->type == 1 && !c->is_complex && c->uneven == 0 && c->n > 1 && dt > 0.0;
  if (!channel->judged) return MS_SUCCESS;
  ms_status status = ms_signal_judge(job->ctx, c->n, dt, c->first * c->x_factor, c->y,
                                     c->kind == MS_RECORD_FORCE, &channel->found);
  return status == MS_SUCCESS ? status
                              : ms_fail_at(job->ctx, status, "%s: channel %s", job->path, c->name);
}

/* ---- the command line ---- */

static ms_status read_argument(info_job *job, cli_args *args) {
  const char *value = NULL;
  int taken;
  if (cli_take_flag(args, "--json")) {
    job->json = 1;
    return MS_SUCCESS;
  }
  MS_TRY(cli_take_option(job->ctx, args, "--rate", &value, &taken));
  if (taken) return cli_parse_positive(job->ctx, "--rate", value, &job->request.rate_hz);
  MS_TRY(cli_take_option(job->ctx, args, "--channels", &job->request.table, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(job->ctx, args, "--plot", &job->plot, &taken));
  if (taken) return cli_check_picture(job->ctx, job->plot);
  MS_TRY(cli_take_option(job->ctx, args, "--theme", &value, &taken));
  if (taken) return cli_parse_theme(job->ctx, value, &job->theme);
  if (!cli_is_word(args) || job->path) return cli_fail_unknown(job->ctx, args);
  job->path = args->argv[args->at++];
  return MS_SUCCESS;
}

static ms_status run_job(info_job *job, int argc, char **argv) {
  cli_args args = { .command = "info", .argc = argc, .argv = argv };
  while (cli_has_more(&args)) MS_TRY(read_argument(job, &args));
  if (!job->path) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "name a file of measured data: microslip info FILE.csv");
  }
  MS_TRY(cli_check_writable(job->ctx, job->plot));
  MS_TRY(ms_measurement_read(job->ctx, job->path, &job->request, &job->file));
  job->n = ms_measurement_get_count(job->file);
  if (job->n > 0) MS_TRY(ms_allocate(job->ctx, job->n, sizeof *job->channel, &job->channel));
  for (ptrdiff_t i = 0; i < job->n; i++) {
    job->channel[i].is = ms_measurement_get(job->file, i);
    MS_TRY(judge(job, &job->channel[i]));
  }
  if (job->plot) MS_TRY(info_plot(job));
  return info_print(job);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  info_job job = { .ctx = ctx };
  ms_status status = run_job(&job, argc, argv);
  ms_free(ctx, &job.channel);
  ms_measurement_destroy(&job.file);
  return status;
}

const cli_command cli_command_info = {
  .name = "info",
  .summary = "a file of measured data: channels, units, rate, overloads, peaks",
  .usage =
      "microslip info FILE [--rate HZ] [--channels TABLE.csv] [--plot FILE.svg] [--json]\n\n"
      "FILE is a table (.csv, .tsv, .txt, .dat, .lvm), a universal file (.uff, .unv), or one\n"
      "of MATLAB (.mat) or NumPy (.npz). Numbers are in the units of the file.\n\n"
      "  --rate HZ          samples per second, for a file that has no times\n"
      "  --channels TABLE   names, kinds, units, nodes, directions and positions of channels;\n"
      "                     without it FILE.channels.csv, if it is there\n"
      "  --plot FILE.svg    a picture of every channel\n"
      "  --json             one JSON object on standard output instead of a table\n"
      "  --theme NAME       colours: auto (follows the reader), light, dark\n",
  .run = run,
};
