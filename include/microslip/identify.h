/* [identify] Identification: models of a mode from how its frequency and damping change with
   amplitude.

   The modal Iwan model is an oscillator of unit mass, mode by mode (docs/theory/modal-iwan.md):

     q'' + 2 zeta_0 omega_0 q' + K_inf q + F_I(q) = f,     F_I a four-parameter Iwan element,

   in mass-normalised modal coordinates. SI: q in m sqrt(kg), stiffness in 1/s^2 (rad^2/s^2), force
   in N/sqrt(kg), frequencies in rad/s. Amplitudes |q| are peaks of the modal displacement. */
#ifndef MICROSLIP_IDENTIFY_H
#define MICROSLIP_IDENTIFY_H

#include <microslip/signal.h>
#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the model ------------------------------------------------------------------------------ */

typedef struct ms_modal_iwan {
  double omega_0; /* rad/s, small amplitude, nothing slips: omega_0^2 = K_inf + K_T */
  double K_inf;   /* 1/s^2, > 0: stiffness left when the whole joint slips */
  double zeta_0;  /* -, >= 0: viscous damping ratio at small amplitude */
  double F_S;     /* N/sqrt(kg), > 0: force at the onset of macroslip */
  double K_T;     /* 1/s^2, > 0: the element's stiffness when nothing slips */
  double chi;     /* -, > -1: joint damping grows as |q|^(chi+1) in microslip */
  double beta;    /* -, >= 0: stiffness that slips at once over that which slips before */
} ms_modal_iwan;

/* The six independent parameters, in the order of every array of six below. */
enum {
  MS_MODAL_K_INF,
  MS_MODAL_ZETA_0,
  MS_MODAL_F_S,
  MS_MODAL_K_T,
  MS_MODAL_CHI,
  MS_MODAL_BETA,
  MS_MODAL_N
};
MS_API const char *ms_identify_modal_name(int parameter); /* "K_inf", ...; NULL outside [0, 6) */

/* Which closed forms stand for the model's frequency and damping.
   PRINTED: those of the literature, with the joint's stiffness taken as zero and its loss as
     4 F_S |q| from phi_max on: both jump there.
   CONTINUOUS: the element's own secant stiffness and loss at every amplitude. */
typedef enum ms_modal_form { MS_MODAL_PRINTED, MS_MODAL_CONTINUOUS } ms_modal_form;

/* The model with these six parameters; sets omega_0. Fails where a parameter is out of bounds or a
   derived number is not finite. */
MS_API ms_status ms_identify_make_modal(ms_context *ctx, const double parameter[MS_MODAL_N],
                                        ms_modal_iwan *out);
/* Modal amplitude at which macroslip begins; the model must be a valid one. */
MS_API double ms_identify_modal_phi_max(const ms_modal_iwan *model);
/* At amplitude q > 0: frequency in rad/s, damping ratio, and the joint's part of it (the rest is
   viscous, zeta_0 omega_0 / omega). Outputs may be NULL. Refuses a model out of bounds or with an
   omega_0 that is not sqrt(K_inf + K_T). */
MS_API ms_status ms_identify_eval_modal(ms_context *ctx, const ms_modal_iwan *model,
                                        ms_modal_form form, double q, double *omega,
                                        double *zeta_total, double *zeta_joint);

/* Its six parameters as an array; and their units, NULL outside [0, 6), "" where there is none. */
MS_API void ms_identify_modal_values(const ms_modal_iwan *model, double value[MS_MODAL_N]);
MS_API const char *ms_identify_modal_unit(int parameter);
/* n amplitudes from low to high in equal ratios, both > 0, with frequency and total damping. */
MS_API ms_status ms_identify_modal_curve(ms_context *ctx, const ms_modal_iwan *model,
                                         ms_modal_form form, double low, double high, ptrdiff_t n,
                                         double *q, double *omega, double *zeta);
/* The model as a structure of one coordinate of unit mass, set up; the caller destroys it. */
MS_API ms_status ms_identify_modal_structure(ms_context *ctx, const ms_modal_iwan *model,
                                             ms_structure **out);

/* ---- fit ------------------------------------------------------------------------------------ */

typedef struct ms_modal_fit_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_modal_form form;
  double lo, hi;          /* printed form: points from lo to hi times the fitted phi_max are left
                             out, because there it is wrong; 0 < lo <= 1 <= hi */
  double bins_per_decade; /* residuals are averaged in bins of amplitude, so that no dense region
                             dominates; 0: every point for itself */
  double omega_weight;    /* of the frequency residual, (omega - model) / total shift, beside that
                             of damping, ln(zeta / model); > 0 */
  double shift_floor;     /* a total shift below this part of omega counts as this; > 0 */
  double tolerance;       /* of the least-squares iteration, relative */
  int max_evaluations;    /* of the model curve in one least-squares run */
  int max_selections;     /* rounds of choosing points and fitting, printed form */
  double weak;            /* a unit relative change that moves the curves (rms) by less than this
                             is a direction the data do not determine */
  double vague;           /* ... and so is one with a larger relative standard error than this */
} ms_modal_fit_setting;

#define MS_MODAL_FIT_DEFAULT                                                                       \
  {                                                                                                \
    sizeof(ms_modal_fit_setting), MS_MODAL_CONTINUOUS, 0.9, 30.0, 12.0, 1.0, 1e-3, 1e-14, 400, 40, \
        1e-4, 0.5                                                                                  \
  }
MS_API void ms_modal_fit_default(ms_modal_fit_setting *setting, size_t size);

enum {
  MS_MODAL_MIN_POINTS = 6, /* a fit needs so many points */
  MS_MODAL_MIN_BINS = 4    /* in so many different bins of amplitude */
};

/* What a fit warns of. */
enum {
  MS_MODAL_NO_MACROSLIP = 1, /* no points in macroslip: F_S, K_T, beta rest on an assumption */
  MS_MODAL_NO_MICROSLIP = 2, /* no points in microslip */
  MS_MODAL_NO_SHIFT = 4,     /* the frequency hardly changes: K_T rests on the damping alone */
  MS_MODAL_UNDETERMINED = 8, /* see determined[] */
  MS_MODAL_UNSTABLE = 16,    /* the choice of points did not settle */
  MS_MODAL_UNFINISHED = 32,  /* max_evaluations came before the tolerance */
  MS_MODAL_UNSETTLED = 64,   /* ms_identify_fit_ringdown: the rounds did not settle */
  MS_MODAL_ONE_ABOVE = 128   /* macroslip rests on the largest amplitude alone */
};

typedef struct ms_modal_fit_report {
  ptrdiff_t n_points, n_used, n_bins; /* given, used, bins they fell into */
  int iterations;                     /* evaluations of the curve in the last least-squares run */
  int starts, selections;             /* starting points tried, rounds of choosing points */
  double residual;                    /* 2-norm of the weighted residuals */
  double rms_ln_zeta;                 /* over bins */
  double rms_omega;                   /* over bins, rad/s */
  double shift;                       /* of the frequency, rad/s, but shift_floor at least */
  double phi_max;                     /* modal amplitude at the onset of macroslip */
  double q_min, q_max;                /* of the points used */
  /* Of the six parameters themselves, column-major 6 x 6, by linearisation with the scatter of the
     two kinds of residuals. Along directions that the data do not determine the covariance says
     that the parameters are unknown by 100 %, or more if the scatter says more. */
  double covariance[MS_MODAL_N * MS_MODAL_N], correlation[MS_MODAL_N * MS_MODAL_N];
  double standard_error[MS_MODAL_N];
  double condition; /* of the Jacobian, each parameter in units of a change of 100 %: how much
                       better the best known combination is known than the worst; at most 1e16 */
  int determined[MS_MODAL_N]; /* 0: the data do not determine this parameter */
  int at_bound[MS_MODAL_N];   /* -1, 1: K_inf, chi or beta at its lower, upper limit; else 0 */
  int n_undetermined;         /* independent combinations of parameters left open */
  unsigned warnings;          /* MS_MODAL_NO_MACROSLIP | ... */
  char remarks[1200];         /* the warnings in words, one per line; "" if there are none */
  double serial[2]; /* correlation of the residuals of neighbouring bins, of ln zeta and of omega;
                       near 1 they are systematic, and the standard errors too small */
  int rounds;       /* ms_identify_fit_ringdown: of taking away what reading adds; else 0 */
  double bias_ln_zeta, bias_omega; /* the most that it took away from a row; omega in rad/s */
} ms_modal_fit_report;

/* Fits the six parameters to n points (amplitude q > 0, omega > 0 in rad/s, damping ratio zeta > 0)
   in any order; needs no guess. setting may be NULL for the default; report may be NULL. Data that
   do not reach macroslip leave two combinations of parameters open: the model returned then has
   macroslip begin at twice the largest amplitude with beta = 1, follows the data where there are
   any, and the report warns. */
MS_API ms_status ms_identify_fit_modal(ms_context *ctx, ptrdiff_t n, const double *q,
                                       const double *omega, const double *zeta,
                                       const ms_modal_fit_setting *setting, ms_modal_iwan *model,
                                       ms_modal_fit_report *report);
/* How rows were read from a record: n samples of `kind`, dt apart from `time` on, by
   ms_signal_ringdown with these settings, which told this. */
typedef struct ms_modal_reading {
  ptrdiff_t n;
  double dt, time; /* s */
  ms_signal_kind kind;
  ms_ring_settings settings;
  ms_ring_info info;
} ms_modal_reading;

/* The same of rows that were read from a ring-down (of a sensor, or with amplitudes divided by a
   mode shape). A row averages over cycles in which amplitude and damping change, behind a
   band-pass: early rows may be off by several percent, which looks like macroslip where there is
   none. So the model rings down by itself and is read in the same way; what its own rows differ
   from its closed form is taken away from the rows given, which are fitted again, until the model
   stands. Costs some ten simulated records. */
MS_API ms_status ms_identify_fit_ringdown(ms_context *ctx, const ms_modal_reading *reading,
                                          ptrdiff_t n, const double *q, const double *omega,
                                          const double *zeta, const ms_modal_fit_setting *setting,
                                          ms_modal_iwan *model, ms_modal_fit_report *report);
/* rms of ln zeta, and of omega over its shift, above which a curve is not the same as the data. */
#define MS_MODAL_POOR 0.3
/* The i-th thing that is doubtful about a fit, as a sentence, into text; 0 if there are not that
   many. */
MS_API int ms_modal_fit_warning(const ms_modal_fit_report *report, int i, char *text, size_t size);
/* The i-th sentence about the fit of a mode (from 0) in a form that is called so: how many points
   were used and which parameters trade most against each other, left_out points that do not decay,
   combinations that the data leave open; 0 if there are not that many. */
MS_API int ms_modal_fit_note(const ms_modal_fit_report *report, int mode, const char *form,
                             const ms_modal_fit_setting *setting, ptrdiff_t left_out, int i,
                             char *text, size_t size);
/* The larger of `serial`, 0 at least; and a sentence on what that does to standard errors: 1 where
   they are too small, 0 where not. */
MS_API double ms_modal_fit_serial(const ms_modal_fit_report *report);
MS_API int ms_modal_fit_serial_note(const ms_modal_fit_report *report, int mode, char *text,
                                    size_t size);

#ifdef __cplusplus
}
#endif
#endif
