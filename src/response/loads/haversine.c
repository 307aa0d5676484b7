/* One lobe of a haversine: s = A (1 - cos(2 pi t/T))/2, 0 <= t < T. Of a frequency f there are two
   conventions: T = 1/f, the period of the cosine, and T = 1/(2 f), the lobe of sin^2(2 pi f t). */
#include "response/load.h"

enum { AMPLITUDE, DURATION, FREQUENCY, LOBE, START, N_PARAM };

static const ms_param params[] = {
  [AMPLITUDE] = { MS_LOAD_NUMBER("amplitude", "load", "height of the pulse", 100), .required = 1 },
  [DURATION] = { MS_LOAD_POSITIVE("duration", "s", "length of the pulse", 1e-3), .set = 1,
                 .required = 1 },
  [FREQUENCY] = { MS_LOAD_POSITIVE("frequency", "Hz", "f; the pulse lasts 1/f", 1e3), .set = 2,
                  .required = 1 },
  [LOBE] = { .name = "lobe",
             .unit = "-",
             .meaning = "full: the pulse lasts 1/f; half: 1/(2 f)",
             .lower = 0,
             .upper = 1,
             .kind = MS_PARAM_CHOICE,
             .choices = "full|half",
             .set = 2 },
  [START] = MS_LOAD_START,
};

static ms_status setup(ms_load *load) {
  const double *v = load->value;
  load->end = v[DURATION];
  if (load->given[FREQUENCY]) load->end = (v[LOBE] > 0.0 ? 0.5 : 1.0) / v[FREQUENCY];
  return MS_SUCCESS;
}

static double eval(const ms_load *load, double t) {
  double s = sin(MS_PI * t / load->end);
  return load->value[AMPLITUDE] * s * s;
}

const ms_load_kind ms_load_kind_haversine = {
  .info = { .name = "haversine", .title = "haversine pulse", .param = params, .n_param = N_PARAM },
  .setup = setup,
  .eval = eval,
};
