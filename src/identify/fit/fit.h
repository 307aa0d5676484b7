/* Least squares with bounds: the scaled variables that search and judgement share. */
#ifndef MS_IDENTIFY_FIT_FIT_H
#define MS_IDENTIFY_FIT_FIT_H

#include <microslip/fit.h>

ms_status ms_fit_check(ms_context *ctx, const ms_fit_problem *problem,
                       const ms_fit_setting *setting);
/* t in [0, 1] of a value, the value of t, and dp/dt there. */
double ms_fit_scaled(const ms_fit_parameter *parameter, double p);
double ms_fit_unscaled(const ms_fit_parameter *parameter, double t);
double ms_fit_slope(const ms_fit_parameter *parameter, double t);
/* -1: p is at the lower bound, 1: at the upper, to 1e-4 of the range; 0: inside. */
int ms_fit_at_bound(const ms_fit_parameter *parameter, double p);
/* What counts as a large change of a parameter that stands at p. */
double ms_fit_unit(const ms_fit_parameter *parameter, double p);
/* dr/dp by the model or by central differences in t, which need room for 2 m + n numbers. */
ms_status ms_fit_jacobian(const ms_fit_problem *problem, const ms_fit_setting *setting,
                          const double *p, double *r, double *jac, double *scratch);

#endif
