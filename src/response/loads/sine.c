/* A sine, for ever or for a number of cycles: s = A sin(2 pi f t + phase). */
#include "response/load.h"

enum { AMPLITUDE, FREQUENCY, OMEGA, PHASE, CYCLES, START, N_PARAM };

static const ms_param params[] = {
  [AMPLITUDE] = { MS_LOAD_NUMBER("amplitude", "load", "amplitude", 100), .required = 1 },
  [FREQUENCY] = { MS_LOAD_POSITIVE("frequency", "Hz", "frequency", 100), .set = 1, .required = 1 },
  [OMEGA] = { MS_LOAD_POSITIVE("omega", "rad/s", "angular frequency", 628), .set = 2,
              .required = 1 },
  [PHASE] = { MS_LOAD_NUMBER("phase", "rad", "phase at the start", 0) },
  [CYCLES] = MS_LOAD_FROM_ZERO("cycles", "-", "how many; 0: for ever"),
  [START] = MS_LOAD_START,
};

static ms_status setup(ms_load *load) {
  const double *v = load->value;
  load->c[0] = load->given[OMEGA] ? v[OMEGA] : 2.0 * MS_PI * v[FREQUENCY];
  load->scale.period = 2.0 * MS_PI / load->c[0];
  ms_load_last(load, 2.0 * MS_PI * v[CYCLES] / load->c[0]);
  return MS_SUCCESS;
}

static double eval(const ms_load *load, double t) {
  return load->value[AMPLITUDE] * sin(load->c[0] * t + load->value[PHASE]);
}

const ms_load_kind ms_load_kind_sine = {
  .info = { .name = "sine", .title = "sine", .param = params, .n_param = N_PARAM },
  .setup = setup,
  .eval = eval,
};
