/* [response] Periodic response of a structure with joints by harmonic balance: forced response
   along frequency, nonlinear modes along amplitude, phase resonance along force level.

   Every joint axis moves as

     z(t) = a_0 + sum over k = 1 .. H of (a_k cos k Omega t + b_k sin k Omega t),

   and these coefficients are the unknowns, n_axis (2H + 1) whatever the number of modes; a joint
   with curvature adds those of the modal coordinates that its displacement is quadratic in. Arrays
   of coefficients hold a_0, a_1, b_1, a_2, b_2, ...: 2H + 1 of them, here called P. Joints start
   every evaluation in their virgin state at zero displacement and are marched until their force
   repeats. See docs/theory/harmonic.md. SI units, omega in rad/s. */
#ifndef MICROSLIP_HARMONIC_H
#define MICROSLIP_HARMONIC_H

#include <microslip/structure.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_harmonic ms_harmonic;

/* Tolerances of the algorithms: see microslip/tolerance.h. A length is an arc length, as that of a
   step; a cosine is between directions of the curve. */
#define MS_HARMONIC_TOLERANCES(X)                                                                \
  X(turn_cosine, 0.7, "least between the ends of a step: a sharper turn takes shorter steps")    \
  X(turn_step, 1e-2, "length below which a turn is a corner, where a slider begins to slip")     \
  X(chord_part, 0.75,                                                                            \
    "of the turn: angle to the chord beyond which a step left its branch; an arc has 0.5")       \
  X(chord_angle, 0.25, "rad, to the chord: a smaller one is no sign of another branch")          \
  X(jump, 2e-2, "length that Newton's method may move a point however short the step is")        \
  X(back_cosine, 0.9, "against the direction: the curve is walked backwards")                    \
  X(same_cosine, 0.9, "of directions where a closed curve comes back to itself")                 \
  X(beside, 0.3, "of a chord: how far off it its own curve may be")                              \
  X(same_point, 1e-6, "length between points that are one; Newton's method leaves 1e-10")        \
  X(same_part, 1e-2, "of a chord: length between points of it that are one")                     \
  X(apart, 1e-5, "length between points that are kept: steps at a corner are many")              \
  X(same_parameter, 1e-12, "relative difference of parameters that is rounding")                 \
  X(unbounded, 1e12, "times the size of the first point: the motion grows without bound")        \
  X(straight, 0.1, "of the slope's change: the parabola's part in it where there is no corner")  \
  X(beyond, 3.0, "times as far as a corner seems to be: the guess on its other side")            \
  X(least_cosine, 0.1, "to the chord: below it the chord is no measure of the curve")            \
  X(off_chord, 0.5, "of a piece of the chord: what is farther off is another branch")            \
  X(suspect, 1e-10, "least over largest pivot: the matrix may be singular")                      \
  X(unseen, 1e-12, "of the matrix' size: directions that it does not see")                       \
  X(patience, 0.5, "s: a longer step is not waited for when the run is to stop")                 \
  X(floquet_margin, 1e-6, "beyond 1: what rounding and the trapezoidal rule do to a multiplier") \
  X(floquet_steady, 1e-8, "change of the largest multiplier over a period that is none")         \
  X(dependent, 1e-12, "of a disturbance: what is left of it is rounding")                        \
  X(undamped, 1e-9, "of the largest damping: what rounding leaves of none")                      \
  X(most_damped, 0.3, "largest damping ratio of a phase resonance that is looked for")           \
  X(least_damped, 1e-7, "smallest damping ratio of a phase resonance that is looked for")        \
  X(node, 1e-9, "of the largest over the modes: a response or a force that is rounding")         \
  X(modes_apart, 1e-6,                                                                           \
    "of omega^2: a mode of the master's frequency is held so far from it; more than rounding "   \
    "over A, less than modes of a real structure are the same")                                  \
  X(climb_from, 1e-4,                                                                            \
    "of the level: where the way up to a first point begins; little slips there")                \
  X(unsettled, 1e-6, "of a joint's forces, from one period to the next: Newton's method stalls")
typedef struct ms_harmonic_tolerances {
  MS_HARMONIC_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_harmonic_tolerances;
#define MS_HARMONIC_TOLERANCES_DEFAULT \
  { MS_HARMONIC_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_harmonic_setting {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  int harmonics;    /* H >= 1 */
  ptrdiff_t times;  /* time points over a period, at least 4 H + 4 */
  double tolerance; /* residual over size of the motion at which a point is accepted */
  int newton_max;   /* iterations before a point fails */
  double repeat_tolerance; /* difference of the forces of two periods, over their size */
  int repeat_max;          /* periods to march at most; laws of Masing's kind take two */
  /* Arc length of a step of a curve: change of the motion relative to its size, and change of the
     parameter over its range. First, smallest before the curve is given up, largest. */
  double step, step_min, step_max;
  ptrdiff_t points_max; /* of a curve */
  int stability_modes;  /* stability is computed for structures of up to so many modes; with contact
                           between solids rigid-body modes do not count */
  /* How near folds and peaks are located, as a part of the step that holds them. A step is at most
     step_max long, so 1e-6 places them within 1e-7 of the range; where they turn, the frequency of
     a fold and the amplitude of a peak are then known to rounding. */
  double turn_tolerance;
  /* Two folds (or a peak and a minimum) within a step show where the slope between, by a cubic, is
     below this part of the slopes at its ends; a point is solved for there. 0 relies on the cubic,
     which misses pairs 1e-6 of omega apart; 0.3 finds them, for 2 to 4 % more evaluations. */
  double turn_margin;
  /* 1: time points of a forced response are counted from the phase of the joints' first harmonics,
     so that a change of phase alone changes no force; 0: from that of the loads, as other codes
     do. */
  int own_phase;
  ms_harmonic_tolerances tol;
  /* Of a structure with contact between solids: where its motions begin, marked there under loads
     M phi of its lowest modes. Must outlive the creation only. NULL: at rest after the preload. */
  const struct ms_contact *contact;
} ms_harmonic_setting;

#define MS_HARMONIC_DEFAULT                                                                        \
  {                                                                                                \
    sizeof(ms_harmonic_setting), 7, 1024, 1e-10, 15, 1e-10, 200, 0.02, 1e-6, 0.2, 10000, 12, 1e-6, \
        0.3, 1, MS_HARMONIC_TOLERANCES_DEFAULT, NULL                                               \
  }

MS_API void ms_harmonic_default(ms_harmonic_setting *setting, size_t size);

/* The structure must be set up and outlive this; runs move its joints. */
MS_API ms_status ms_harmonic_create(ms_structure *structure, const ms_harmonic_setting *setting,
                                    ms_harmonic **out);
MS_API void ms_harmonic_destroy(ms_harmonic **harmonic);

/* The force shape * amplitude * cos(k Omega t + phase), shape over the coordinates, 0 <= k <= H;
   k = 0 is a static force (phase must be 0). A run's level multiplies all but the static ones. */
MS_API ms_status ms_harmonic_add_load(ms_harmonic *harmonic, const double *shape, int k,
                                      double amplitude, double phase);
/* The ground accelerates by amplitude * cos(k Omega t + phase) in the direction iota over the
   coordinates (NULL: all of them); coordinates are then relative to the ground. */
MS_API ms_status ms_harmonic_add_base(ms_harmonic *harmonic, const double *iota, int k,
                                      double amplitude, double phase);

/* ---- curves ---------------------------------------------------------------------------------- */

typedef struct ms_harmonic_curve ms_harmonic_curve;

typedef enum ms_stability { MS_STABILITY_UNKNOWN, MS_STABLE, MS_UNSTABLE } ms_stability;

/* Where a curve turns, as bits: at a fold its parameter is largest or smallest, at a peak the
   response that the run watches is largest. */
enum { MS_HARMONIC_FOLD = 1, MS_HARMONIC_PEAK = 2 };

typedef struct ms_harmonic_point {
  double omega;
  double level;      /* factor on the loads */
  ptrdiff_t mode;    /* whose coordinate q follows: from 0 */
  double q, phase;   /* its first harmonic: amplitude, and phase of q cos(Omega t + phase) */
  double zeta;       /* of a nonlinear mode, or from a phase resonance; else 0 */
  double zeta_joint; /* D/(2 pi omega^2 q^2) */
  /* The same of the work that joints which conserve energy seem to do: an error of zeta that too
     few time points make (aliasing). It is not part of D. */
  double zeta_alias;
  double zeta_viscous; /* c/(2 omega), c the mode's 2 zeta_0 omega_0 */
  double D;            /* J per cycle, by all joints */
  double response;     /* amplitude of what is tracked, first harmonic; else 0 */
  double higher;       /* share of the harmonics above the first in the kinetic energy */
  /* What harmonics H + 1 to 2H of the joints' forces would add to their motion, over all of it: the
     first step of an iteration. Above some 0.01 take more harmonics. */
  double left_out;
  double residual; /* over the size of the motion */
  double repeat;   /* how well the joints' forces repeat; 0 where they do so by construction */
  int iterations;
  ptrdiff_t listed;       /* 1 + index in the run's list, 0 for a point between */
  int turn;               /* MS_HARMONIC_FOLD, MS_HARMONIC_PEAK: solved for */
  ms_stability stability; /* at a fold, where it changes: unknown */
  double multiplier;      /* largest Floquet multiplier's size, where stability is known */
} ms_harmonic_point;

typedef struct ms_harmonic_curve_info {
  int complete;             /* the end was reached */
  int ended;                /* it was not, but there is nothing beyond: the curve closes or ends */
  const char *reason;       /* why not; "" if complete */
  ptrdiff_t points, missed; /* missed: of the list, passed but not solved */
  ptrdiff_t evaluations;    /* of residual and Jacobian */
  ptrdiff_t steps, rejected;
  double worst; /* largest residual of a point */
} ms_harmonic_curve_info;

MS_API void ms_harmonic_curve_destroy(ms_harmonic_curve **curve);
MS_API ms_harmonic_curve_info ms_harmonic_curve_get_info(const ms_harmonic_curve *curve);
MS_API const ms_harmonic_point *ms_harmonic_curve_get_point(const ms_harmonic_curve *curve,
                                                            ptrdiff_t i);
/* P coefficients for each joint axis, displacement and force: x[c + P*axis]. Owned by the curve. Of
   a joint with curvature the displacement has 2H harmonics; these are the first H of it. */
MS_API const double *ms_harmonic_curve_get_joints(const ms_harmonic_curve *curve, ptrdiff_t i);
MS_API const double *ms_harmonic_curve_get_forces(const ms_harmonic_curve *curve, ptrdiff_t i);
/* J per cycle of one joint of the structure. */
MS_API double ms_harmonic_curve_get_loss(const ms_harmonic_curve *curve, ptrdiff_t i, int joint);

/* A joint axis (from 0, of all joints in their order) at point i. */
typedef struct ms_harmonic_axis_motion {
  double displacement; /* m, first harmonic */
  double peak;         /* m, largest over a period, all harmonics */
  double half_range;   /* m, see ms_harmonic_half_range */
  double force;        /* N, first harmonic */
} ms_harmonic_axis_motion;
MS_API ms_harmonic_axis_motion ms_harmonic_curve_get_axis(const ms_harmonic_curve *curve,
                                                          ptrdiff_t i, int axis);

/* Modal displacements at point i, P coefficients for each mode: q[c + P*mode]. */
MS_API ms_status ms_harmonic_recover_modal(ms_harmonic *harmonic, const ms_harmonic_curve *curve,
                                           ptrdiff_t i, double *q);
/* The displacement `weights` over the coordinates at point i: P coefficients. */
MS_API ms_status ms_harmonic_recover(ms_harmonic *harmonic, const ms_harmonic_curve *curve,
                                     ptrdiff_t i, const double *weights, double *x);
/* Largest |x| over a period of the displacement (derivative 0), velocity (1) or acceleration (2)
   with these coefficients. */
MS_API double ms_harmonic_peak(int harmonics, const double *x, double omega, int derivative);
/* Half of what lies between its largest and its smallest displacement: of a joint, the amplitude
   that its loop has. */
MS_API double ms_harmonic_half_range(int harmonics, const double *x);

/* A point as numbers, to start another run from: of the same structure, with any number of
   harmonics. There must be a point i. */
MS_API ptrdiff_t ms_harmonic_save_size(const ms_harmonic_curve *curve);
MS_API ptrdiff_t ms_harmonic_state_size(const ms_harmonic *harmonic); /* the same, of its curves */
MS_API void ms_harmonic_save(const ms_harmonic_curve *curve, ptrdiff_t i, double *state);

/* ---- runs ------------------------------------------------------------------------------------ */

/* A run follows a parameter from `from` to `to` through folds. Where it passes a value of `list`
   (any order, n_list of them) that value is solved for exactly and the point marked; so are folds.
   `start`, of save, NULL for none, is a guess at the first point. */
typedef struct ms_harmonic_range {
  double from, to;
  const double *list;
  ptrdiff_t n_list;
  const double *start;
  /* Of a forced response: the displacement whose amplitude (first harmonic) is watched, weights
     over the coordinates. Its maxima along the curve are solved for and marked. NULL: none. */
  const double *watch;
  /* Of ms_harmonic_save_run, NULL for none: the run goes on from there. Everything else must be as
     it was in the run that was saved. */
  const double *resume;
  ptrdiff_t n_resume;
  /* Of a forced response without `start`, NULL for none: coefficients a_1 and b_1 of `watch` near
     which the first point is looked for, of the solutions that a frequency may have. As with a
     start, nothing else is tried where Newton's method does not come to one from there. */
  const double *near;
} ms_harmonic_range;

/* All of them: MS_SUCCESS with a curve that may be partial (info.complete, info.reason);
   MS_NOT_CONVERGED without one if not even the first point was found; MS_CANCELLED with what there
   is. */

/* Response to the loads times `level`, along omega. */
MS_API ms_status ms_harmonic_run_forced(ms_harmonic *harmonic, const ms_harmonic_range *omega,
                                        double level, ms_harmonic_curve **out);
/* The same at one frequency along the level, from a small one where no other start is known; list
   is not used. `start` or `near` are for the first level. */
MS_API ms_status ms_harmonic_run_level(ms_harmonic *harmonic, double omega,
                                       const ms_harmonic_range *level, ms_harmonic_curve **out);
/* Response along omega with the amplitude of `watch` held, as by a controller: what level the loads
   need is in the points, whose response is `amplitude`. Where one mode moves, such a curve has no
   folds: its joints move alike along it. With `near` from that motion, of any size. */
MS_API ms_status ms_harmonic_run_held(ms_harmonic *harmonic, const ms_harmonic_range *omega,
                                      double amplitude, ms_harmonic_curve **out);
/* The nonlinear mode that stuck mode `mode` (from 0) becomes, along its amplitude q > 0; loads take
   no part but for the static ones. */
MS_API ms_status ms_harmonic_run_mode(ms_harmonic *harmonic, ptrdiff_t mode,
                                      const ms_harmonic_range *q, ms_harmonic_curve **out);

typedef enum ms_harmonic_along { MS_HARMONIC_LEVEL, MS_HARMONIC_RESPONSE } ms_harmonic_along;
/* Phase resonance near stuck mode `mode`: the response `weights` over the coordinates (NULL: the
   mode's own coordinate) a quarter period behind the loads' force on the mode, first harmonics.
   Along the level of the loads, or along the amplitude of that response. Each point's zeta is
   F/(2 omega^2 q) of the modal force F. */
MS_API ms_status ms_harmonic_run_resonance(ms_harmonic *harmonic, ptrdiff_t mode,
                                           const double *weights, ms_harmonic_along along,
                                           const ms_harmonic_range *range, ms_harmonic_curve **out);

/* One of them, along the range that it is given. */
typedef ms_status ms_harmonic_run_fn(ms_harmonic *harmonic, const ms_harmonic_range *range,
                                     const void *user, ms_harmonic_curve **out);

/* Calls run(harmonic, range, of, out) and keeps it as it goes (ms_harmonic_set_look), for those who
   let others run. */
typedef ms_status ms_harmonic_keep_fn(void *user, ms_harmonic *harmonic,
                                      const ms_harmonic_range *range, ms_harmonic_run_fn *run,
                                      const void *of, ms_harmonic_curve **out);

/* Long runs. After every step of a run `look` is called, but not on the way to its first point;
   with `stop` set when the run is being cancelled. A status other than MS_SUCCESS ends the run with
   it. NULL: nobody looks. */
typedef ms_status (*ms_harmonic_look_fn)(void *user, const ms_harmonic *harmonic, int stop);
MS_API void ms_harmonic_set_look(ms_harmonic *harmonic, ms_harmonic_look_fn look, void *user);
/* From within look only: the curve so far and where the run is, as numbers (infinities among them).
   A run that resumes from them ends with the same bits as one that was not interrupted.
   MS_ERR_FORMAT from it: the state is of another run. */
MS_API ptrdiff_t ms_harmonic_save_run_size(const ms_harmonic *harmonic);
MS_API void ms_harmonic_save_run(const ms_harmonic *harmonic, double *state);
/* In place of run(harmonic, range, of, out), for who keeps long runs (ms_harmonic_set_look). */
typedef ms_status ms_harmonic_keep_fn(void *user, ms_harmonic *harmonic,
                                      const ms_harmonic_range *range, ms_harmonic_run_fn *run,
                                      const void *of, ms_harmonic_curve **out);

/* ---- harmonic refinement --------------------------------------------------------------------- */

typedef struct ms_harmonic_row {
  int harmonics;
  ptrdiff_t times;
  double omega, zeta;
  double peak;     /* of the displacement `weights` over a period */
  double change;   /* of the peak since the row before, relative; 0 in the first */
  double residual; /* over the size of the motion */
} ms_harmonic_row;

/* Point i of a curve of `harmonic` again, at the same frequency (of a nonlinear mode: the same
   amplitude), with two harmonics more each time, until the peak of `weights` over the coordinates
   moves by less than the tolerance. At most `rows` rows; *n_row says how many there are, also after
   a failure. MS_NOT_CONVERGED if it still moves in the last. */
MS_API ms_status ms_harmonic_refine(const ms_harmonic *harmonic, const ms_harmonic_curve *curve,
                                    ptrdiff_t i, const double *weights, double tolerance,
                                    ptrdiff_t rows, ms_harmonic_row *row, ptrdiff_t *n_row);

#ifdef __cplusplus
}
#endif
#endif
