/* microslip ringdown: the computation; ringdown_args.c reads the request, ringdown_print.c and
   ringdown_plot.c show what came out. */
#include "ringdown.h"
#include "survey.h"

static ms_signal make_signal(const ringdown_job *job) {
  const ms_record *r = &job->record;
  return (ms_signal) {
    .x = r->x, .n = r->n, .dt = r->dt, .time = r->time, .kind = (ms_signal_kind)r->kind
  };
}

static ms_status analyse(ringdown_job *job) {
  ms_signal signal = make_signal(job);
  return ms_signal_ringdown(job->ctx, &signal, &job->settings, job->record.x, &job->decay,
                            &job->info);
}

/* ---- fit ---- */

static ms_status fit_form(ringdown_job *job, ms_modal_form form, ptrdiff_t n, const double *q) {
  static const ms_modal_fit_setting fit_default = MS_MODAL_FIT_DEFAULT;
  ms_modal_fit_setting setting = fit_default;
  ringdown_fit *fit = &job->fit[job->n_fit];
  const ms_record *r = &job->record;
  const ms_modal_reading by = { r->n,          r->dt,    r->time, (ms_signal_kind)r->kind,
                                job->settings, job->info };
  setting.form = fit->form = form;
  ms_status status =
      ms_identify_fit_ringdown(job->ctx, &by, n, q, q + job->decay.n, q + 2 * job->decay.n,
                               &setting, &fit->model, &fit->report);
  if (status != MS_SUCCESS)
    return ms_fail_at(job->ctx, status, "fit, %s form", ringdown_form_name[form]);
  job->n_fit++;
  return MS_SUCCESS;
}

/* Rows that do not decay are noise to a fit of the logarithm of damping. */
static ptrdiff_t gather(const ms_decay *decay, double *q) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    const ms_decay_point *p = &decay->point[i];
    if (!(p->zeta > 0.0)) continue;
    q[n] = p->q, q[decay->n + n] = p->omega, q[2 * decay->n + n] = p->zeta;
    n++;
  }
  return n;
}

static ms_status fit(ringdown_job *job) {
  double *q;
  if (job->forms == 0u) return MS_SUCCESS;
  MS_TRY(ms_allocate(job->ctx, 3 * job->decay.n, sizeof *q, &q));
  ptrdiff_t n = gather(&job->decay, q);
  job->n_left = job->decay.n - n;
  ms_status status = MS_SUCCESS;
  for (int form = 0; form < 2 && status == MS_SUCCESS; form++) {
    if (job->forms & (1u << form)) status = fit_form(job, (ms_modal_form)form, n, q);
  }
  ms_free(job->ctx, &q);
  return status;
}

/* ---- the command ---- */

/* Of a file with several channels, and no option that says what to do with one of them, all modes
   are found from all sensors. */
static ms_status is_survey(ringdown_job *job, int argc, int *out) {
  const ms_measurement_request request = { .rate_hz = 0.0 };
  ms_measurement *file;
  *out = 0;
  if (argc != 1 + job->json) return MS_SUCCESS;
  if (ms_measurement_read(job->ctx, job->path, &request, &file) != MS_SUCCESS) {
    ms_context_clear_message(job->ctx); /* the reader of one channel says it better */
    return MS_SUCCESS;
  }
  *out = ms_measurement_get_count(file) > 1;
  ms_measurement_destroy(&file);
  return MS_SUCCESS;
}

static ms_status run_job(ringdown_job *job, int argc, char **argv) {
  int survey;
  MS_TRY(ringdown_read_arguments(job, argc, argv));
  MS_TRY(is_survey(job, argc, &survey));
  ms_context_set_log(job->ctx, cli_show_log, NULL); /* not before: the file is read again */
  if (survey) return survey_run_file(job->ctx, job->path, job->json);
  MS_TRY(ms_record_read(job->ctx, job->path, &job->request, &job->record));
  ms_status status = analyse(job);
  if (status == MS_SUCCESS) status = fit(job);
  if (status != MS_SUCCESS)
    return ms_fail_at(job->ctx, status, "%s: channel %s", job->path, job->record.channel);
  if (job->plot) MS_TRY(ringdown_plot(job));
  if (job->csv) MS_TRY(ringdown_write_csv(job));
  return ringdown_print(job);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  static const ms_record_request request_default = MS_RECORD_REQUEST_DEFAULT;
  static const ms_ring_settings settings_default = MS_RING_DEFAULT;
  ringdown_job job = { .ctx = ctx, .request = request_default, .settings = settings_default };
  ms_status status = run_job(&job, argc, argv);
  ms_context_set_log(ctx, NULL, NULL);
  ms_decay_free(ctx, &job.decay);
  ms_record_free(ctx, &job.record);
  return status;
}

const cli_command cli_command_ringdown = {
  .name = "ringdown",
  .summary = "a measured record: frequency and damping against amplitude",
  .usage =
      "microslip ringdown FILE [--json]\n"
      "microslip ringdown FILE [--channel NAME] [--kind KIND] [--unit UNIT] [--band LOW,HIGH]\n"
      "                [--start T] [--end T] [OPTION]...\n\n"
      "Of a file with several channels and without options: all modes that ring, found from all\n"
      "sensors with their bands, start and end, as 'microslip survey' does; a hammer's force may "
      "be\namong them. Else one channel is read:\n\n"
      "FILE is a table (.csv, .tsv, .txt, .dat) with a column t and one or more channels, or a\n"
      "universal file (.uff, .unv) with datasets 58, ASCII or binary.\n\n"
      "  --channel NAME     a column, or in a universal file a place (12+Z), a name or a number\n"
      "                     (#3); required if there are several\n"
      "  --kind KIND        displacement, velocity or acceleration; required if no unit says so\n"
      "  --unit UNIT        m, cm, mm, um, nm, in, ft, each over s or s^2; g, mg; required if\n"
      "                     the file has none; amplitudes are given in SI\n"
      "  --rate HZ          samples per second, for a table without a column t\n"
      "  --band LOW,HIGH    Hz; band-pass, applied first, to select one mode\n"
      "  --edge PART        the band's gain falls to zero over PART of LOW and of HIGH outside "
      "(0.1);\n"
      "                     rows begin and end 1.5/(PART LOW) s inside the ringing\n"
      "  --offset WORD      mean before the trigger: subtract (default) or keep\n"
      "  --start T          s; after the load has ended (found: the beginning, or one period "
      "after\n"
      "                     the largest sample)\n"
      "  --end T            s; before the signal falls below the noise (the end)\n"
      "  --method NAME      hilbert (default), stft or crossings\n"
      "  --segments N       approximate number of rows (100; fewer in short records)\n"
      "  --fit [FORM]       modal Iwan models: printed, continuous or both (default)\n"
      "  --json             one JSON object on standard output instead of a table\n"
      "  --csv FILE         the table as a file\n"
      "  --plot FILE.svg    a picture\n"
      "  --theme NAME       colours: auto (follows the reader), light, dark\n",
  .run = run,
};
