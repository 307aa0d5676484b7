/* A step to a value that then stays, at once or along half a period of a cosine. */
#include "response/load.h"

enum { AMPLITUDE, RISE, START, N_PARAM };

static const ms_param params[] = {
  [AMPLITUDE] = { MS_LOAD_NUMBER("amplitude", "load", "value after the step", 100), .required = 1 },
  [RISE] = MS_LOAD_FROM_ZERO("rise", "s", "time to get there"),
  [START] = MS_LOAD_START,
};

static double eval(const ms_load *load, double t) {
  const double *v = load->value;
  if (t >= v[RISE]) return v[AMPLITUDE];
  double s = sin(0.5 * MS_PI * t / v[RISE]);
  return v[AMPLITUDE] * s * s;
}

const ms_load_kind ms_load_kind_step = {
  .info = { .name = "step", .title = "step", .param = params, .n_param = N_PARAM },
  .eval = eval,
};
