/* The analysis `backbone`: frequency and damping of modes against amplitude by several methods. */
#ifndef MS_STUDY_ANALYSES_BACKBONE_BACKBONE_H
#define MS_STUDY_ANALYSES_BACKBONE_BACKBONE_H

#include <microslip/harmonic.h>
#include <microslip/quasistatic.h>

#include "study/analyses/shared/curves.h"

typedef struct ms_backbone ms_backbone;
typedef struct ms_backbone_curve ms_backbone_curve;

/* What a method's damping ratios are. */
typedef enum ms_backbone_sees {
  MS_BACKBONE_SUM,  /* the joints' part is computed, the viscous one added by its formula */
  MS_BACKBONE_TOTAL /* the total is seen, or both are computed */
} ms_backbone_sees;

/* A method is one table and one line in methods.def. */
typedef struct ms_backbone_method {
  const char *name, *meaning;
  ms_backbone_sees sees;
  int preload;           /* it knows what to do with one */
  int harmonic;          /* by harmonic balance */
  ms_series_style style; /* in figures */
  /* Needs: what is wrong is said here. NULL: nothing. */
  ms_status (*check)(ms_study *study, const ms_task *task, ms_backbone *b);
  /* One curve, as a job on a worker; a curve that could not go on is no failure. */
  ms_status (*run)(ms_worker *worker, const ms_backbone *b, ms_backbone_curve *curve);
  /* Or all its curves at once, from the study's own thread. */
  ms_status (*gather)(ms_study *study, const ms_task *task, ms_backbone *b,
                      const struct ms_backbone_method *method);
} ms_backbone_method;

/* How a point's damping was found. */
typedef enum ms_backbone_loss {
  MS_BACKBONE_OWN,    /* the joints' own cycles */
  MS_BACKBONE_CYCLED, /* cycles of the load */
  MS_BACKBONE_PERIOD, /* a periodic motion */
  MS_BACKBONE_FORCE,  /* the force that a resonance takes */
  MS_BACKBONE_DECAY   /* the rate of a decay */
} ms_backbone_loss;

typedef struct ms_backbone_point {
  double q, omega, zeta, zeta_joint, zeta_viscous;
  double sensor[3]; /* displacement, velocity, acceleration there */
  double residual;  /* of the equations, relative; of a decay or sweep 0 */
  double quality;   /* of a fit, as ms_decay_point; else 0 */
  ms_backbone_loss loss;
} ms_backbone_point;

/* Derivatives at a point by a joint's parameter. */
typedef struct ms_backbone_derivative {
  ptrdiff_t point;
  int joint, member, by_differences, defined;
  char name[24], unit[24];
  double value, omega, zeta_joint, zeta;
} ms_backbone_derivative;

struct ms_backbone_curve {
  int mode; /* 0-based */
  const ms_backbone_method *method;
  const double *level; /* amplitudes, n_level of them; owned by the backbone */
  ptrdiff_t n_level;
  ms_backbone_point *point; /* in the order of the curve: amplitudes rise but where it folds */
  ptrdiff_t n;
  int partial;
  int absent;       /* of what a method reads nothing is of this mode */
  char remark[240]; /* why, or what else is to be said */
  double alias;     /* largest error of zeta that is known to be of too few time points, relative */
  double worst;     /* residual */
  double tolerance; /* what the residuals were accepted by; 0: the method's setting */
  ptrdiff_t evaluations;
  ms_backbone_derivative *derivative;
  ptrdiff_t n_derivative;
};

struct ms_backbone {
  /* options */
  int *mode;
  int n_mode;
  const ms_backbone_method **method;
  int n_method;
  const ms_backbone_method *reference;
  double **level; /* for each mode */
  ptrdiff_t *n_level;
  int *guessed;     /* whether they are the default */
  ms_curves sensor; /* of which only has_sensor and sensor are used */
  ms_harmonic_setting harmonic;
  ms_quasistatic_setting quasistatic;
  int sensitivities;
  double *preload, *push;            /* NULL where not given */
  const ms_task *from;               /* the modal_ringdown; NULL if none is read */
  struct fy_node *ringdown, *sweeps; /* keys from and sweeps; NULL where absent */
  /* results */
  ms_backbone_curve *curve; /* [method + n_method*mode] */
  ptrdiff_t n_curve;
  ms_curves stft; /* the runs of `from` once more */
  ms_result_table *table, *curves, *differences, *derivatives;
};

/* options.c */
ms_status ms_backbone_check(ms_study *study, ms_task *task);
enum { MS_BACKBONE_KEYS = 14 };
extern const ms_param ms_backbone_keys[MS_BACKBONE_KEYS];
int ms_backbone_has(const ms_backbone *b, const char *method);

/* time.c: whether an earlier analysis is a sweep that it reads */
int ms_backbone_reads_sweep(const ms_backbone *b, const ms_task *other);

/* curve.c: points, and curves as numbers */
ms_status ms_backbone_reserve(ms_context *ctx, ms_backbone_curve *curve, ptrdiff_t n);
void ms_backbone_curve_free(ms_context *ctx, ms_backbone_curve *curve);
/* Marks it partial for the message that waits in the context; what no curve can be blamed for
   (memory, a stop) is given back. */
ms_status ms_backbone_cut(ms_context *ctx, ms_backbone_curve *curve, ms_status status);
/* Amplitudes at the sensor for a motion in the stuck shape. */
void ms_backbone_see(const ms_structure *structure, const ms_backbone *b, int mode,
                     ms_backbone_point *point);
/* The point of a method that sees frequency and total damping. */
ms_backbone_point ms_backbone_observe(const ms_structure *structure, const ms_backbone *b, int mode,
                                      double q, double omega, double zeta);
/* Default amplitudes end where the damping ratio is above 1: points from there on are dropped. */
void ms_backbone_trim(ms_backbone_curve *curve);
/* Smallest and largest amplitude, 0 without points. */
void ms_backbone_span(const ms_backbone_curve *curve, double *from, double *to);
void ms_backbone_sort(ms_backbone_curve *curve);
ptrdiff_t ms_backbone_save(const ms_backbone_curve *curve, double *values);
ms_status ms_backbone_load(ms_context *ctx, ms_backbone_curve *curve, const double *values,
                           ptrdiff_t n);

/* judge.c */
ms_status ms_backbone_judge(ms_study *study, ms_task *task);

/* compare.c */
ms_status ms_backbone_compare(ms_study *study, const ms_task *task, ms_backbone *b);

/* report.c */
const char *ms_backbone_loss_name(ms_backbone_loss loss);
ms_status ms_backbone_tabulate(ms_study *study, const ms_task *task, ms_backbone *b);
void ms_backbone_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_backbone_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
