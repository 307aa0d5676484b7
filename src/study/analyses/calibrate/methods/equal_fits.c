/* Starts that fit as well as the best one and ended elsewhere. A fit is judged by its Jacobian, at
   one point: a valley that bends, or that ends at a corner there, looks like a pit. The other
   starts know better. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"

#define AS_WELL 1.0  /* difference of the sums of squares, in units of the scatter */
#define FAR     3.0  /* standard errors: the Jacobian allows AS_WELL no more than one */
#define APART   1e-3 /* of the bounds' range: nearer is the same point */

static int is_as_good(const ms_calibrate *c, ptrdiff_t k) {
  const double best = c->fits.local[c->best].sum, most = AS_WELL * c->scatter * c->scatter;
  return c->fits.local[k].end != MS_FIT_FAILED && c->fits.local[k].sum - best <= most;
}

static int is_elsewhere(const ms_calibrate *c, ptrdiff_t i, ptrdiff_t k) {
  const ms_fit_parameter *bound = &c->bound[i];
  const double p = c->fits.found[i + c->n * k], best = c->fits.found[i + c->n * c->best];
  return fabs(p - best) > FAR * c->judgement.standard_error[i] &&
         fabs(ms_fit_scaled(bound, p) - ms_fit_scaled(bound, best)) > APART;
}

/* Whether parameter i has rivals, and between which values they and the best one are. */
static int find_range(const ms_calibrate *c, ptrdiff_t i, double *low, double *high) {
  int rivals = 0;
  *low = *high = c->fits.found[i + c->n * c->best];
  for (ptrdiff_t k = 0; k < c->starts; k++) {
    if (!is_as_good(c, k)) continue;
    rivals += is_elsewhere(c, i, k);
    *low = fmin(*low, c->fits.found[i + c->n * k]);
    *high = fmax(*high, c->fits.found[i + c->n * k]);
  }
  return rivals > 0;
}

static ms_status add_remark(const ms_study *s, ms_fit_judgement *j, const char *text) {
  const size_t had = strlen(j->remarks), more = strlen(text);
  MS_TRY(ms_resize(s->ctx, (ptrdiff_t)(had + more + 2), 1, &j->remarks));
  if (had > 0 && j->remarks[had - 1] != '\n') strcat(j->remarks, "\n");
  strcat(j->remarks, text);
  return MS_SUCCESS;
}

ms_status ms_calibrate_weigh_rivals(const ms_study *s, ms_calibrate *c) {
  char text[480];
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double low, high;
    if (!find_range(c, i, &low, &high)) continue;
    c->judgement.determined[i] = 0;
    snprintf(text, sizeof text,
             "%s is not determined: starts that fit as well ended between %.4g and %.4g.",
             c->parameter[i].name, low, high);
    MS_TRY(add_remark(s, &c->judgement, text));
  }
  return MS_SUCCESS;
}
