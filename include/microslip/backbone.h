/* [experiment] Backbone of a mode: frequency and damping against its amplitude, by several
   independent methods.

     qsma, rqnm                               static solutions: see quasistatic.h
     epmc, stepped_sine                       periodic motions by harmonic balance: see harmonic.h
     ringdown_hilbert, ringdown_stft, sweep   tests in time: see experiment.h

   The first four are run at amplitudes (ms_backbone_run); for the others, rows of a test are added
   (ms_backbone_add_decay). SI units; q in m sqrt(kg), omega in rad/s. docs/guide/backbone.md says
   which method suits what. */
#ifndef MICROSLIP_BACKBONE_H
#define MICROSLIP_BACKBONE_H

#include <microslip/contact_bodies.h>
#include <microslip/curves.h>
#include <microslip/harmonic.h>
#include <microslip/quasistatic.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_backbone_setting ms_backbone_setting;
typedef struct ms_backbone_curve ms_backbone_curve;

/* ---- methods --------------------------------------------------------------------------------- */

typedef struct ms_backbone_method ms_backbone_method;
struct ms_backbone_method {
  const char *name, *meaning;
  int total;    /* 1: damping is seen as a whole; 0: the joints' part is computed, and the viscous
                   one added by its formula */
  int preload;  /* 1: a static preload may act */
  int harmonic; /* 1: by harmonic balance */
  /* What ms_backbone_check and ms_backbone_run call; NULL: rows are added. */
  ms_status (*check)(ms_structure *structure, const ms_backbone_setting *setting,
                     const ms_backbone_method *method, int mode);
  ms_status (*run)(ms_context *ctx, ms_structure *structure, const ms_backbone_setting *setting,
                   ms_backbone_curve *curve);
  const char *words; /* what a short name stands for; NULL where it is in words */
};

/* The i-th, NULL beyond the last. */
MS_API const ms_backbone_method *ms_backbone_get_method(int i);

/* ---- a curve --------------------------------------------------------------------------------- */

/* How a point's damping was found. */
typedef enum ms_backbone_loss {
  MS_BACKBONE_OWN,    /* the joints' own cycles */
  MS_BACKBONE_CYCLED, /* cycles of the load */
  MS_BACKBONE_PERIOD, /* a periodic motion */
  MS_BACKBONE_FORCE,  /* the force that a resonance takes */
  MS_BACKBONE_DECAY   /* the rate of a decay */
} ms_backbone_loss;
/* "own cycles", "cycled", "period", "force", "decay" */
MS_API const char *ms_backbone_loss_name(ms_backbone_loss loss);

typedef struct ms_backbone_point {
  double q, omega, zeta, zeta_joint, zeta_viscous;
  double sensor[3]; /* amplitudes there: m, m/s, m/s^2 */
  double residual;  /* of the equations, relative; of a decay or sweep 0 */
  double quality;   /* of a fit, as ms_decay_point; of a cycled loop its drift; by harmonic balance
                       left_out of ms_harmonic_point; else 0 */
  ms_backbone_loss loss;
} ms_backbone_point;

/* Derivatives at a point by a joint's parameter, as ms_sensitivity. */
typedef struct ms_backbone_derivative {
  ptrdiff_t point;
  int joint, member, by_differences, defined;
  char name[24], unit[24];
  double value, omega, zeta_joint, zeta;
} ms_backbone_derivative;

/* Of a point with contact between solids. */
typedef struct ms_backbone_contact {
  double q_min, q_max; /* ends of the cycle, from rest; their mean is the mean shift */
  ms_contact_cycle cycle;
  int stiffer; /* whether the same load was cycled with stiffer layers; then the relative changes */
  double omega_change, zeta_change; /* of omega and zeta_joint */
} ms_backbone_contact;

struct ms_backbone_curve {
  /* the request; level is the caller's */
  int mode; /* 0-based */
  const ms_backbone_method *method;
  const double *level; /* amplitudes q > 0, rising, n_level >= 1 of them */
  ptrdiff_t n_level;
  /* the answer */
  ms_backbone_point *point; /* amplitudes rise but where the curve folds */
  ptrdiff_t n;
  int partial;      /* it could not go on */
  int absent;       /* of what the method reads nothing is of this mode */
  char remark[600]; /* why, or what else is worth knowing */
  double alias;     /* largest error of zeta that is known to be of too few time points, relative */
  double worst;     /* residual */
  double tolerance; /* that residuals were accepted by; 0: there are none */
  ptrdiff_t evaluations; /* of the joints, or of the balance */
  ms_backbone_derivative *derivative;
  ptrdiff_t n_derivative;
  ms_backbone_contact *contact; /* n; NULL without contact */
  double *contact_D; /* J, n_contact_point x n: what each point of contact dissipates in a cycle */
  double *contact_ends; /* 3 n_contact_point x n: slip amplitudes (m), normal forces (N) at the
                           lower and the upper end of the load */
  ptrdiff_t n_contact_point;
  double first_slip; /* q below which no closed point slips or opens; with layers above 0 */
};

/* What it points to is the caller's. */
struct ms_backbone_setting {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t sensor; /* as of ms_sensor_find */
  const double *preload; /* N, on the degrees of freedom, all the time; NULL: none */
  const double *force; /* N, of stepped_sine, on the degrees of freedom; NULL: M phi of the mode */
  int sensitivities;   /* qsma: 1 for derivatives by every parameter of every joint */
  /* Contact between solids instead of joints, at rest and marked there (ms_contact_mark): load k is
     M phi of mode k of the structure, which has the closed points stuck. Only qsma knows it. */
  const ms_contact *contact;
  double settle_amplitude; /* m sqrt(kg): cycles with this amplitude condition the contact first */
  int settle_cycles;       /* so many; 0: none */
  ms_quasistatic_setting quasistatic; /* except kind, mode, level and preload */
  ms_harmonic_setting harmonic;
  ms_harmonic_keep_fn *keep; /* NULL: nobody does */
  void *user;
  double layer_check; /* with contact that has layers (ms_structure_set_contact): all levels again
                         with so many times their stiffness; 0: not */
  /* With contact: called before the first level (ended 0), when the curve may receive the levels
     that an earlier run has ended, and after each of the others. NULL: nobody keeps them. */
  ms_status (*keep_levels)(void *user, ms_backbone_curve *curve, int ended);
};

/* The defaults of quasistatic.h and harmonic.h, without stability; the sensor that moves most. */
MS_API void ms_backbone_default(ms_backbone_setting *setting, size_t size);

/* A curve without points; the amplitudes, n of them, are for methods that are run. MS_ERR_NAME for
   an unknown method. */
MS_API ms_status ms_backbone_request(ms_context *ctx, const char *method, int mode, ptrdiff_t n,
                                     const double *q, ms_backbone_curve *out);
/* Whether the structure can be analysed by this method (joints without stiffness, a preload that
   they cannot hold, ...). A setting of NULL is the default, here and below. */
MS_API ms_status ms_backbone_check(ms_context *ctx, ms_structure *structure,
                                   const ms_backbone_setting *setting,
                                   const ms_backbone_method *method, int mode);
/* The points at the amplitudes of the request. A curve that could not go on is partial, with a
   remark, and no failure. The joints move. */
MS_API ms_status ms_backbone_run(ms_context *ctx, ms_structure *structure,
                                 const ms_backbone_setting *setting, ms_backbone_curve *curve);
/* Adds rows of total damping in the modal coordinate: a decay's, or that of a sweep's resonance.
   Points are sorted by amplitude. */
MS_API ms_status ms_backbone_add_decay(ms_context *ctx, const ms_structure *structure,
                                       const ms_backbone_setting *setting, const ms_decay *decay,
                                       ms_backbone_loss loss, ms_backbone_curve *curve);
/* All decays of the curve's mode among ring-downs, which are called `name`. Those that could not be
   read are a remark; without any of this mode the curve is absent. */
MS_API ms_status ms_backbone_add_ringdowns(ms_context *ctx, const ms_structure *structure,
                                           const ms_backbone_setting *setting,
                                           const ms_curves *from, const char *name,
                                           ms_backbone_curve *curve);
/* The resonances of n more sweeps through the mode. One that was too fast is added all the same,
   and counted in *fast, which is 0 at first; a remark says how many were. */
MS_API ms_status ms_backbone_add_sweeps(ms_context *ctx, const ms_structure *structure,
                                        const ms_backbone_setting *setting, ptrdiff_t n,
                                        const ms_sweep_run *run, ptrdiff_t *fast,
                                        ms_backbone_curve *curve);
/* Of n curves that of a mode by a method, NULL: by any; NULL if there is none. */
MS_API const ms_backbone_curve *ms_backbone_find(ptrdiff_t n, const ms_backbone_curve *curve,
                                                 ptrdiff_t mode, const char *method);
/* Of the points of contact at each amplitude, n_contact_point x n values of four fields: energy
   dissipated per area in a cycle and slip amplitude, NAN where nothing slips, pressures at the
   lower and the upper end. */
MS_API void ms_backbone_fill_fields(const ms_backbone_curve *curve, const ms_contact_site *point,
                                    double *value);
/* Load steps and iterations of the cycles of n curves with contact between solids. */
MS_API ms_contact_count ms_backbone_count_contact(ptrdiff_t n, const ms_backbone_curve *curve);
/* The answer; the request stays. */
MS_API void ms_backbone_free(ms_context *ctx, ms_backbone_curve *curve);

/* ---- amplitudes ------------------------------------------------------------------------------ */

/* From 1/1000 to 10 times the amplitude at which the first joint slips altogether if the mode kept
   its shape; 0 if no joint ever does. */
MS_API int ms_backbone_find_range(const ms_structure *structure, int mode, double *from,
                                  double *to);
/* With contact: from half of the amplitude at which the first closed point slips, but at least a
   hundredth of the end, to that at which the friction of a contact is used up, both of the linear
   answer with all closed points stuck; 0 if no contact ever slips. */
MS_API ms_status ms_backbone_find_contact_range(ms_context *ctx, const ms_structure *structure,
                                                const ms_contact *contact, int mode, double *from,
                                                double *to);
/* For such amplitudes: from the first damping ratio above 1 on, where the motion does not oscillate
   any more, points are dropped, and the remark says so; so it does where contact has no equilibrium
   any more. */
MS_API void ms_backbone_trim(ms_backbone_curve *curve);

/* ---- what it is worth ------------------------------------------------------------------------ */

/* The i-th thing to say about a curve, as a sentence, into text; 0 if there are not that many.
   Sentences count modes from 1, as study files do. */
MS_API int ms_backbone_warning(const ms_structure *structure, const ms_backbone_curve *curve,
                               ptrdiff_t i, ms_doubt *doubt, char *text, size_t size);
/* Of a curve with contact: `which` 0, its mode is none of the bodies at rest; 1, up to which
   amplitude its slip zone is thinner than two elements, or not there; 2, from which on slip or
   pressure is not small. A sentence into text, empty if all is well. */
MS_API ms_status ms_backbone_doubt_contact(ms_context *ctx, const ms_contact_rest *rest,
                                           const ms_backbone_curve *curve, int which, char *text,
                                           size_t size);

/* Of a curve with contact: the last point whose slip zone is thinner than two elements, so that it
   and those before it have the dissipation of the mesh; -1: none. Where no point slips but the
   edge of a rigid contact lies within its faces, the zone is thinner than an element. */
MS_API ms_status ms_backbone_find_thin(ms_context *ctx, const ms_contact_rest *rest,
                                       const ms_backbone_curve *curve, ptrdiff_t *last);

/* Relative difference from a reference over the amplitudes that both have, the reference
   interpolated in ln q: median, and the one of largest size. Of a curve that folds the first
   passage of an amplitude counts. */
typedef struct ms_backbone_difference {
  double omega[2], zeta[2], zeta_joint[2];
  ptrdiff_t n, n_joint; /* points compared; joint parts, if they are more than rounding */
  double q_from, q_to;
} ms_backbone_difference;
MS_API ms_status ms_backbone_compare(ms_context *ctx, const ms_backbone_curve *curve,
                                     const ms_backbone_curve *reference,
                                     ms_backbone_difference *out);

#ifdef __cplusplus
}
#endif
#endif
