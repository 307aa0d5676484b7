/* A sine whose frequency goes from f_0 to f_1 in the time T, up or down; the phase is the exact
   integral of the frequency:

     linear       f = f_0 + (f_1 - f_0) t/T,     phase = 2 pi (f_0 t + (f_1 - f_0) t^2/(2 T))
     logarithmic  f = f_0 exp(L t/T),            phase = 2 pi f_0 T (exp(L t/T) - 1)/L,
                  L = ln(f_1/f_0). */
#include "response/load.h"

enum { AMPLITUDE, FROM, TO, DURATION, LAW, PHASE, START, N_PARAM };

static const ms_param params[] = {
  [AMPLITUDE] = { MS_LOAD_NUMBER("amplitude", "load", "amplitude", 100), .required = 1 },
  [FROM] = { MS_LOAD_POSITIVE("from", "Hz", "frequency at the start", 10), .required = 1 },
  [TO] = { MS_LOAD_POSITIVE("to", "Hz", "frequency at the end", 100), .required = 1 },
  [DURATION] = { MS_LOAD_POSITIVE("duration", "s", "length of the sweep", 10), .required = 1 },
  [LAW] = { .name = "law",
            .unit = "-",
            .meaning = "how the frequency moves",
            .lower = 0,
            .upper = 1,
            .kind = MS_PARAM_CHOICE,
            .choices = "linear|logarithmic" },
  [PHASE] = { MS_LOAD_NUMBER("phase", "rad", "phase at the start", 0) },
  [START] = MS_LOAD_START,
};

static ms_status setup(ms_load *load) {
  load->c[0] = log(load->value[TO] / load->value[FROM]);
  load->end = load->value[DURATION];
  load->scale.period = 1.0 / fmax(load->value[FROM], load->value[TO]);
  return MS_SUCCESS;
}

static double eval(const ms_load *load, double t) {
  const double *v = load->value;
  double L = load->c[0], tau = t / v[DURATION], turns;
  if (v[LAW] > 0.0 && L != 0.0) {
    turns = v[FROM] * v[DURATION] * expm1(L * tau) / L;
  } else {
    turns = v[FROM] * t + 0.5 * (v[TO] - v[FROM]) * tau * t;
  }
  return v[AMPLITUDE] * sin(2.0 * MS_PI * turns + v[PHASE]);
}

const ms_load_kind ms_load_kind_sweep = {
  .info = { .name = "sweep", .title = "swept sine", .param = params, .n_param = N_PARAM },
  .setup = setup,
  .eval = eval,
};
