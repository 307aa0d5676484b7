#include "response/harmonic/impl.h"

ms_status ms_stability_open(ms_harmonic *h) {
  (void)h;
  return MS_SUCCESS;
}

ms_status ms_stability_eval(ms_harmonic *h, ms_harmonic_point *point) {
  (void)h, (void)point;
  return MS_SUCCESS;
}
