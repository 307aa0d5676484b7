/* The closed forms of the modal Iwan model in the coordinates in which they are fitted.

   With p = chi + 1, s = 1/(1 + beta), x = |q|/phi_max, kappa = K_T/K_0, K_0 = K_inf + K_T,

     h = F_0/(K_T q) = 1 - c x^p,  d = D/(K_T q^2) = 4 s p x^p / ((p+1)(p+2)),    x <= 1
     h = f/x,                      d = (d_1 + 4 f (x - 1))/x^2,                    x > 1
     h = 0,                        d = 4 f/x,               x >= 1 in the printed form
     c = s/(p+1),  f = F_S/(K_T phi_max) = 1 - c,  d_1 = d(1)

     omega^2 = K_0 E,  E = 1 - kappa (1 - h),   zeta_J = kappa d/(2 pi E),
     zeta = zeta_0/sqrt(E) + zeta_J. */
#ifndef MS_IDENTIFY_MODAL_IWAN_H
#define MS_IDENTIFY_MODAL_IWAN_H

#include <microslip/identify.h>

/* Variables of the fit, each free to be any real number. */
enum { MS_FIT_LN_K0, MS_FIT_LOGIT, MS_FIT_LN_ZETA, MS_FIT_LN_PHI, MS_FIT_LN_P, MS_FIT_LN_BETA };

/* The model in dimensionless letters. */
typedef struct ms_modal_shape {
  double K_0, kappa, rest; /* rest = 1 - kappa, kept because it may be far below 1 */
  double zeta_0, ln_phi, p, beta;
} ms_modal_shape;

ms_modal_shape ms_modal_shape_of(const ms_modal_iwan *model);
/* Values outside [ms_fit_lower, ms_fit_upper] count as the bound. */
ms_modal_shape ms_modal_shape_at(const double x[MS_MODAL_N]);
extern const double ms_fit_lower[MS_MODAL_N], ms_fit_upper[MS_MODAL_N];
void ms_modal_parameters(const ms_modal_shape *shape, double parameter[MS_MODAL_N]);

/* The element alone, set up. */
ms_status ms_modal_make_element(ms_context *ctx, const ms_modal_iwan *model, ms_joint **out);

/* What a report says of rounds in which the parameters of `loose`, as bits, did not settle. */
void ms_modal_unsettled(ms_modal_fit_report *report, unsigned loose);

/* h and d at ln q; `far`: as printed for macroslip. */
void ms_modal_curve(const ms_modal_shape *shape, int far, double ln_q, double *h, double *d);

typedef struct ms_modal_value {
  double omega, zeta, zeta_joint;
  double d_ln_omega[MS_MODAL_N], d_ln_zeta[MS_MODAL_N]; /* by the variables of the fit */
} ms_modal_value;
/* The derivatives only if `slopes`. */
void ms_modal_eval(const ms_modal_shape *shape, int far, double ln_q, int slopes,
                   ms_modal_value *out);
/* d variable[i] / d parameter[j] at out[i + 6 j]. */
void ms_modal_chain(const ms_modal_shape *shape, double out[MS_MODAL_N * MS_MODAL_N]);

#endif
