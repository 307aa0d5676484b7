/* What is doubtful about a modal fit, in words. */
#include <microslip/identify.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/tolerance.h"

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
  if ((r->warnings & MS_MODAL_UNSETTLED) && i-- == 0) {
    snprintf(text, size, "what reading adds to the rows did not settle");
    return 1;
  }
  if (!(r->warnings & MS_MODAL_NO_MACROSLIP) || i != 0) return 0;
  snprintf(text, size,
           "F_S is extrapolated: the data end at %.4g, and macroslip was taken to begin at %.4g",
           r->q_max, r->phi_max);
  return 1;
}

/* The points that were used, and what trades against what. */
static void print_points(const ms_modal_fit_report *r, int mode, const char *form,
                         const ms_modal_fit_setting *setting, ptrdiff_t left_out, char *text,
                         size_t size) {
  int a = 0, b = 1;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      if (fabs(r->correlation[i + N * j]) > fabs(r->correlation[a + N * b])) a = j, b = i;
    }
  }
  const double c = r->correlation[a + N * b];
  char left[200] = "";
  if (r->n_used < r->n_points)
    snprintf(left, sizeof left,
             "; the other %td lie about the onset of macroslip, where this form does not hold: "
             "between %g and %g times the amplitude there (key leave_out)",
             r->n_points - r->n_used, setting->lo, setting->hi);
  snprintf(text, size,
           "Mode %d, %s form: %td of %td points used%s. The strongest correlation is that of "
           "%s and %s, %+.3f%s.",
           mode + 1, form, r->n_used, r->n_points + left_out, left, ms_identify_modal_name(a),
           ms_identify_modal_name(b), c,
           fabs(c) > ms_identify_tol.together ? ": the data hardly distinguish them" : "");
}

int ms_modal_fit_note(const ms_modal_fit_report *r, int mode, const char *form,
                      const ms_modal_fit_setting *setting, ptrdiff_t left_out, int i, char *text,
                      size_t size) {
  if (i-- == 0) {
    print_points(r, mode, form, setting, left_out, text, size);
    return 1;
  }
  if (left_out > 0 && i-- == 0) {
    snprintf(text, size, "%td points that do not decay (damping zero or below) cannot be fitted.",
             left_out);
    return 1;
  }
  if (r->n_undetermined == 0 || i != 0) return 0;
  snprintf(text, size, "The data do not determine %d combination%s of parameters.",
           r->n_undetermined, r->n_undetermined > 1 ? "s" : "");
  return 1;
}

double ms_modal_fit_serial(const ms_modal_fit_report *r) {
  return fmax(0.0, fmax(r->serial[0], r->serial[1]));
}

/* Residuals that follow each other along the amplitude count as fewer: of a lag-one correlation c
   as (1 - c)/(1 + c) of them. */
int ms_modal_fit_serial_note(const ms_modal_fit_report *r, int mode, char *text, size_t size) {
  const double c = ms_modal_fit_serial(r);
  if (!(c > ms_identify_tol.serial)) {
    snprintf(text, size,
             "Standard errors assume that residuals are independent of each other along the "
             "amplitude, as they are here.");
    return 0;
  }
  snprintf(text, size,
           "Residuals are serially correlated (up to %.2f, mode %d). Standard errors assume "
           "independent residuals and are too small, by a factor of up to about %.1f.",
           c, mode + 1, sqrt((1.0 + c) / fmax(1.0 - c, ms_identify_tol.least_free)));
  return 1;
}
