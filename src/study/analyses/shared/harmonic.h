/* What the analyses by harmonic balance share: their options, and runs that go on after an
   interruption. */
#ifndef MS_STUDY_ANALYSES_SHARED_HARMONIC_H
#define MS_STUDY_ANALYSES_SHARED_HARMONIC_H

#include <microslip/experiment.h>

#include "experiment/swept_record.h"
#include "io/yaml/test_keys.h"
#include "study/model/loads.h"
#include "study/analyses/shared/rows.h"

/* The keys that they share. The first member of an analysis' own options, whose table has
   MS_ROWS_HARMONIC. */
typedef struct ms_harmonic_options {
  ms_study_load load; /* its shape times a level times cos(Omega t) */
  ms_numbers levels;  /* SI after ms_harmonic_use_options */
  double *preload;
  ms_dof_list sensors;
  ptrdiff_t harmonics, times;
  int times_from;
  double tolerance, step;
  int stability;
  struct fy_node *measured;
  ms_point_table sine; /* of `measured`, to be freed */
} ms_harmonic_options;

#define MS_ROWS_HARMONIC                                                                         \
  MS_PLACE(ms_harmonic_options, load, MS_REQUIRED,                                               \
           "where the harmonic load acts: at, mode with shape, or base, as of loads"),           \
      MS_AMPLITUDES(ms_harmonic_options, levels, NULL, MS_REQUIRED,                              \
                    "amplitudes of the load: force, modal force or acceleration"),               \
      MS_PRELOAD(ms_harmonic_options, preload, "static forces, {degree of freedom: force}"),     \
      MS_DOFS(ms_harmonic_options, sensors, MS_ELSE("the one on which the load acts most"),      \
              "degrees of freedom whose motion is given; peaks are those of the first"),         \
      MS_COUNT(ms_harmonic_options, harmonics, MS_WITHIN(1, 500), MS_DEFAULT(7),                 \
               "number of harmonics"),                                                           \
      MS_COUNT(ms_harmonic_options, times, MS_FROM(8), MS_ELSE("1024, more above 64 harmonics"), \
               "time points of a period, at least 4 harmonics + 4"),                             \
      MS_CHOICE(ms_harmonic_options, times_from, "response|load", MS_OPTIONAL,                   \
                "whose phase time points are counted from; load: as most other codes do"),       \
      MS_NUMBER(ms_harmonic_options, tolerance, NULL, MS_INSIDE(0.0, 1e-2), MS_DEFAULT(1e-10),   \
                "residual over size of the motion at which a point is accepted"),                \
      MS_NUMBER(ms_harmonic_options, step, NULL, MS_WITHIN(1e-4, 1.0), MS_DEFAULT(0.2),          \
                "largest step of the continuation, a relative change of the motion"),            \
      MS_FLAG(ms_harmonic_options, stability, MS_DEFAULT(1),                                     \
              "whether stability is computed, of up to 12 modes (with contacts: elastic ones)"), \
      MS_MAPPING(ms_harmonic_options, measured, ms_measured_sine_keys, MS_ELSE("none"),          \
                 "a stepped sine measured at the first sensor, for the figure and differences")

/* Brings the levels to SI and makes the setting; what the structure's joints do not allow is
   refused. */
ms_status ms_harmonic_use_options(const ms_study *study, const ms_task *task,
                                  ms_harmonic_options *options, ms_harmonic_setting *setting);

/* harmonic_run.c: a run of the balance as an ms_worker's job, kept on the disk as it goes, and gone
   on with where an earlier start has left it. An ms_harmonic_keep_fn. */
ms_status ms_harmonic_run_kept(void *worker, ms_harmonic *harmonic, const ms_harmonic_range *range,
                               ms_harmonic_run_fn *run, const void *user, ms_harmonic_curve **out);
/* What was measured, and its table _measured, with matches of n resonances; in summary.json the
   largest differences. Nothing without `measured`. */
ms_measured_sine ms_harmonic_get_measured(const ms_harmonic_options *options);
ms_result_table *ms_harmonic_set_measured(ms_task *task, const ms_harmonic_options *options,
                                          ptrdiff_t n, const ms_sine_match *match);
const char *ms_harmonic_stability_word(ms_stability stability);
/* The rows of a point's joint axes in a table whose columns are n_head numbers, omega, and
   MS_HARMONIC_JOINT_COLUMNS. */
#define MS_HARMONIC_JOINT_COLUMNS \
  "joint:word,axis,displacement [m],peak_displacement [m],force [N],loss [J],amplitude [m]"
enum { MS_HARMONIC_HEAD = 2 }; /* at most */
void ms_harmonic_add_joints(const ms_study *study, ms_result_table *table, int n_head,
                            const double *head, const ms_periodic *curve, ptrdiff_t i);

#endif
