/* A sum of sines of given frequencies and amplitudes; phases given, or drawn from a seed. */
#include "response/load.h"

enum { SEED, DURATION, START, N_PARAM };

static const ms_param params[] = {
  [SEED] = MS_LOAD_SEED("of the phases, where they are not given"),
  [DURATION] = MS_LOAD_DURATION,
  [START] = MS_LOAD_START,
};

enum { FREQUENCY, AMPLITUDE, PHASE };

static const double typical[3][2] = { { 10, 17 }, { 1, 2 }, { 0, 1 } };
static const ms_param_table table = {
  .n_column = 3,
  .n_required = 2,
  .column = (const char *const[]) { "frequency", "amplitude", "phase" },
  .unit = (const char *const[]) { "Hz", "load", "rad" },
  .rows = 2,
  .typical = (const double *const[]) { typical[0], typical[1], typical[2] },
  .meaning = (const char *const[]) { "of each sine", "of each sine, or one for all",
                                     "of each sine at the start, or one for all; absent: random" },
};

static ms_status setup(ms_load *load) {
  for (ptrdiff_t i = 0; i < load->rows; i++) {
    if (load->column[FREQUENCY][i] > 0.0) continue;
    return ms_load_fail(load, MS_ERR_BOUNDS, "frequency %td, %g, must be > 0", i + 1,
                        load->column[FREQUENCY][i]);
  }
  MS_TRY(ms_load_draw_lines(load, load->rows, load->value[SEED]));
  for (ptrdiff_t i = 0; i < load->rows; i++) {
    load->line[i].omega = 2.0 * MS_PI * load->column[FREQUENCY][i];
    load->line[i].amplitude = load->column[AMPLITUDE][i];
    load->scale.period = fmin(load->scale.period, 1.0 / load->column[FREQUENCY][i]);
    if (load->columns > PHASE) load->line[i].phase = load->column[PHASE][i];
  }
  ms_load_last(load, load->value[DURATION]);
  return MS_SUCCESS;
}

const ms_load_kind ms_load_kind_multisine = {
  .info = { .name = "multisine",
            .title = "sum of sines",
            .param = params,
            .n_param = N_PARAM,
            .table = &table },
  .setup = setup,
  .eval = ms_load_sum_lines,
};
