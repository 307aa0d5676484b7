/* [identify] Which records of a hammer test are good? Every record is judged by itself (overload,
   double hits, noise, ...), and against the linear modes of the structure: the measured force
   predicts what each sensor sees first, and a wrong sign, an exchanged cable or another point of
   impact explains the responses better than what was stated (docs/analyses/hammer_test.md). */
#ifndef MICROSLIP_HIT_JUDGE_H
#define MICROSLIP_HIT_JUDGE_H

#include <microslip/hammer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(fault, word) */
#define MS_HIT_FAULTS(X)                \
  X(OVERLOAD, "overload")               \
  X(DOUBLE, "double hit")               \
  X(SECOND_SHOCK, "second shock")       \
  X(DROP_OUT, "force drop-out")         \
  X(BEGINS_LATE, "begins late")         \
  X(ENDS_EARLY, "ends early")           \
  X(NOISE, "noise")                     \
  X(LOST, "lost channel")               \
  X(FORCE_INVERTED, "inverted force")   \
  X(SENSOR_INVERTED, "inverted sensor") \
  X(SWAPPED, "swapped channels")        \
  X(PLACE, "wrong impact location")     \
  X(GAIN, "wrong gain")                 \
  X(UNEXPLAINED, "unexplained response")
#define MS_HIT_FAULT_ENUM(fault, word) MS_HIT_##fault,
typedef enum ms_hit_fault { MS_HIT_FAULTS(MS_HIT_FAULT_ENUM) MS_HIT_FAULT_COUNT } ms_hit_fault;
MS_API const char *ms_hit_fault_text(ms_hit_fault fault);

typedef struct ms_hit_finding {
  ms_hit_fault fault;
  ptrdiff_t channel; /* -1: the force, or all sensors */
  ptrdiff_t other;   /* SWAPPED: the other channel; PLACE: the coordinate that was hit */
  double value;      /* OVERLOAD: samples; GAIN: measured over expected; DROP_OUT: the same of the
                        force, 0: not known; ENDS_EARLY, NOISE: relative to the first ringing;
                        UNEXPLAINED: part of what was measured */
  double time;       /* s, OVERLOAD, DOUBLE, SECOND_SHOCK, DROP_OUT: of the event */
} ms_hit_finding;

/* In the unit of the samples. */
typedef struct ms_hit_channel {
  double offset, noise; /* mean and rms about it before the pulse; 0 where `before` is */
  double peak;          /* largest |x - offset| */
  double gain;          /* of a sensor: measured over predicted by the modes; 0: not known */
} ms_hit_channel;

enum { MS_HIT_FINDINGS = 8 };
typedef struct ms_hit_judgement {
  int n_finding; /* 0: the record is good */
  ms_hit_finding finding[MS_HIT_FINDINGS];
  ptrdiff_t before;        /* samples before the pulse, 0 where these are too few to tell */
  ms_hit_channel *channel; /* the force, then the sensors */
  double gain;             /* responses over what the force predicts; 0: not judged by the modes */
  double unexplained;      /* part of the responses that the modes do not explain as stated: 0 none,
                              1 all of them, 2 their opposite; mean over the sensors */
} ms_hit_judgement;

#define MS_HIT_TOLERANCES(X)                                                                       \
  X(blow, 0.1, "of the largest force: above it the hammer hits")                                   \
  X(steep, 8.0, "over the samples of a blow: a steeper end, of its peak in two samples, is cut")   \
  X(quiet, 6.0, "times the noise of the force: more is force")                                     \
  X(first, 0.5, "of the highest level in the first samples: without a blow, it came before them")  \
  X(late, 0.1, "of the record after the first blow: a second one there is a shock, no double hit") \
  X(jump, 0.25, "of the largest force: a fall to nothing from there in two samples is a drop-out") \
  X(silent, 0.12, "of the force before a fall: less of it is nothing, or a filter that rings")     \
  X(rebound, 0.5, "of two blows' duration together: less between them is a drop-out within one")   \
  X(block, 0.05, "of the record: a stretch over which ringing is measured")                        \
  X(ringing, 0.1, "of the first ringing at the end: more is truncated")                            \
  X(noisy, 0.1, "noise over the first ringing: more is a structure that is not at rest")           \
  X(lost, 2.0, "times the noise: a channel that does not ring above it is lost")                   \
  X(clear, 10.0, "times the noise: a sensor that should ring above it rings clearly")              \
  X(window, 4.0, "periods of the lowest mode after the pulse that are compared with the modes")    \
  X(excited, 0.05, "of the force's spectrum at 0 Hz: a mode with less of it is not compared")      \
  X(resolved, 1.0, "omega dt of the highest mode that is compared")                                \
  X(most_damped, 0.3, "largest damping ratio that is fitted")                                      \
  X(ridge, 1e-6, "of the diagonal, added to it: responses of modes that are nearly the same")      \
  X(apart, 0.6, "of a line, 1/window: modes that are nearer to each other are one")                \
  X(softer, 0.25, "of a frequency: how far slip may lower it")                                     \
  X(harder, 0.05, "of a frequency: how far it may be above that of the modes")                     \
  X(node, 0.03, "of a sensor's mean energy, added to its own: sensors at a node do not count")     \
  X(same_gain, 1.25, "factor about the set's gain within which a hit's may be")                    \
  X(better, 0.35, "of what is unexplained: another explanation leaves less")                       \
  X(blur, 0.02, "part unexplained that a good record may have, added to that explanation's")       \
  X(doubt, 0.2, "part unexplained in the median above which a sensor may be wrong in all hits")    \
  X(share, 0.1, "of the energy: the lowest mode with more says how much of the force is there")    \
  X(wrong_gain, 1.5, "factor of a gain above which it is a fault")                                 \
  X(unexplained, 0.5, "part unexplained that is a fault without another explanation")              \
  X(others, 0.1, "part unexplained of the other sensors above which it is not one that is wrong")
typedef struct ms_hit_tolerances {
  MS_HIT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_hit_tolerances;
#define MS_HIT_TOLERANCES_DEFAULT \
  { MS_HIT_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_hit_judge_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t n_channel;
  const ptrdiff_t *channel; /* coordinates of the sensors */
  ms_signal_kind kind;      /* of all of them */
  ms_hit_tolerances tol;
} ms_hit_judge_setting;
#define MS_HIT_JUDGE_DEFAULT \
  { sizeof(ms_hit_judge_setting), 0, NULL, MS_SIGNAL_ACCELERATION, MS_HIT_TOLERANCES_DEFAULT }
MS_API void ms_hit_judge_default(ms_hit_judge_setting *setting, size_t size);

/* Judges n_hit records of one test into out[n_hit], to be freed. `reference` is set up. Five hits
   and more are judged best: a sensor that is wrong in most of them is wrong in all. *explained (may
   be NULL) is 0 if the modes do not explain most of the hits, which then were judged by themselves
   alone. Refused are samples that are not finite. */
MS_API ms_status ms_hit_judge(const ms_structure *reference, const ms_hit_judge_setting *setting,
                              ptrdiff_t n_hit, const ms_hit *hit, ms_hit_judgement *out,
                              int *explained);
MS_API void ms_hit_judgement_free(ms_context *ctx, ptrdiff_t n_hit, ms_hit_judgement *out);
/* Whether something was found for which the record should not be used: anything but that it ends
   early, of which less is read. */
MS_API int ms_hit_is_doubtful(const ms_hit_judgement *judged);
/* "u3 has the other sign"; `channel` has the coordinates of the sensors. */
MS_API void ms_hit_print_finding(const ms_structure *reference, const ptrdiff_t *channel,
                                 const ms_hit_finding *finding, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
