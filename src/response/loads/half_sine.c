/* Half a period of a sine: s = A sin(omega t), 0 <= t < pi/omega. */
#include "response/load.h"

enum { AMPLITUDE, DURATION, OMEGA, START, N_PARAM };

static const ms_param params[] = {
  [AMPLITUDE] = { MS_LOAD_NUMBER("amplitude", "load", "height of the pulse", 100), .required = 1 },
  [DURATION] = { MS_LOAD_POSITIVE("duration", "s", "length of the pulse", 1e-3), .set = 1,
                 .required = 1 },
  [OMEGA] = { MS_LOAD_POSITIVE("omega", "rad/s", "of the sine; the pulse lasts pi/omega", 3e3),
              .set = 2, .required = 1 },
  [START] = MS_LOAD_START,
};

static ms_status setup(ms_load *load) {
  const double *v = load->value;
  double omega = load->given[OMEGA] ? v[OMEGA] : MS_PI / v[DURATION];
  load->c[0] = omega;
  load->end = MS_PI / omega;
  return MS_SUCCESS;
}

static double eval(const ms_load *load, double t) {
  return load->value[AMPLITUDE] * sin(load->c[0] * t);
}

const ms_load_kind ms_load_kind_half_sine = {
  .info = { .name = "half_sine", .title = "half-sine pulse", .param = params, .n_param = N_PARAM },
  .setup = setup,
  .eval = eval,
};
