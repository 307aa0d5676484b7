/* A constant, for ever or for a time. */
#include "response/load.h"

enum { AMPLITUDE, DURATION, START, N_PARAM };

static const ms_param params[] = {
  [AMPLITUDE] = { MS_LOAD_NUMBER("amplitude", "load", "value", 100), .required = 1 },
  [DURATION] = MS_LOAD_DURATION,
  [START] = MS_LOAD_START,
};

static ms_status setup(ms_load *load) {
  ms_load_last(load, load->value[DURATION]);
  return MS_SUCCESS;
}

static double eval(const ms_load *load, double t) {
  (void)t;
  return load->value[AMPLITUDE];
}

const ms_load_kind ms_load_kind_constant = {
  .info = { .name = "constant", .title = "constant", .param = params, .n_param = N_PARAM },
  .setup = setup,
  .eval = eval,
};
