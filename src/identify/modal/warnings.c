/* What is doubtful about a modal fit, in words. */
#include <microslip/identify.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = MS_MODAL_N };

/* How far the curves are from the data. */
static int print_misfit(const ms_modal_fit_report *r, int *i, char *text, size_t size) {
  if (!(r->rms_ln_zeta <= MS_MODAL_POOR) && (*i)-- == 0) {
    snprintf(text, size, "the fitted damping differs from the data by a factor of %.3g (rms)",
             exp(r->rms_ln_zeta));
    return 1;
  }
  if (!(r->rms_omega <= MS_MODAL_POOR * r->shift) && (*i)-- == 0) {
    snprintf(text, size, "the fitted frequency differs from the data by %.3g of its shift (rms)",
             r->rms_omega / r->shift);
    return 1;
  }
  return 0;
}

/* What the data say nothing about. */
static int print_parameters(const ms_modal_fit_report *r, int *i, char *text, size_t size) {
  char names[64] = "";
  for (int k = 0; k < N; k++) {
    const char *name = ms_identify_modal_name(k);
    const size_t at = strlen(names);
    if (!r->determined[k]) {
      snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "", name);
    }
    if (r->at_bound[k] == 0 || (*i)-- != 0) continue;
    snprintf(text, size, "%s ended at its %s limit", name, r->at_bound[k] < 0 ? "lower" : "upper");
    return 1;
  }
  if (!*names || (*i)-- != 0) return 0;
  snprintf(text, size, "the data do not determine %s", names);
  return 1;
}

int ms_modal_fit_warning(const ms_modal_fit_report *r, int i, char *text, size_t size) {
  if (print_misfit(r, &i, text, size) || print_parameters(r, &i, text, size)) return 1;
  if ((r->warnings & MS_MODAL_UNFINISHED) && i-- == 0) {
    snprintf(text, size, "the fit stopped before it converged");
    return 1;
  }
  if ((r->warnings & MS_MODAL_UNSTABLE) && i-- == 0) {
    snprintf(text, size, "the choice of points did not settle");
    return 1;
  }
  if (!(r->warnings & MS_MODAL_NO_MACROSLIP) || i != 0) return 0;
  snprintf(text, size,
           "F_S is extrapolated: the data end at %.4g, and macroslip was taken to begin at %.4g",
           r->q_max, r->phi_max);
  return 1;
}
