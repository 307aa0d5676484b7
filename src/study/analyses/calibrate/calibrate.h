/* The analysis `calibrate`: joint parameters from measured or simulated data. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_CALIBRATE_H
#define MS_STUDY_ANALYSES_CALIBRATE_CALIBRATE_H

#include <microslip/calibrate_methods.h>

#include "identify/calibrate/plan.h"
#include "study/file/point_table.h"
#include "study/model/joint_parameters.h"

typedef struct ms_calibrate ms_calibrate;
typedef struct ms_verify ms_verify;

/* ---- targets -------------------------------------------------------------------------------- */

typedef struct ms_target_source ms_target_source;

/* A target as the file has it. */
typedef struct ms_calibrate_target {
  const ms_target_source *kind;
  struct fy_node *node;
  char name[256];
  const ms_task *from; /* an earlier analysis that it reads; NULL: none */
  ms_target *is;       /* one of c->is; its points are: */
  ms_point_table points;
} ms_calibrate_target;

/* Where targets of a kind come from; one table and one line in targets.def. */
struct ms_target_source {
  const char *name;
  ms_target_kind is;
  const char *mark; /* the key that a target of this kind has and others have not */
  const ms_param_list *keys;
  /* Columns of its table <analysis>_<table>.csv after target, solution and row: x, and each
     quantity, as "omega [rad/s]". */
  const char *table, *x, *y[2];
  int x_log, y_log[2]; /* in its figure */
  /* Reads the options, and the points where they are in a file. */
  ms_status (*read)(ms_study *study, const ms_task *task, ms_calibrate_target *t);
  /* Takes what an earlier analysis has left; NULL: it never reads one. */
  ms_status (*gather)(ms_study *study, ms_calibrate_target *t);
  /* With several processes, what the first one has gathered to the others. All call it. NULL: the
     points. */
  ms_status (*share)(ms_study *study, ms_calibrate_target *t);
};

/* ms_target_NAME, and its keys ms_target_NAME_keys. */
#define MS_TARGET_KIND(name, meaning)             \
  extern const ms_target_source ms_target_##name; \
  extern const ms_param_list ms_target_##name##_keys;
#include "study/analyses/calibrate/targets.def"
#undef MS_TARGET_KIND

/* targets.c: the i-th of them, NULL after the last. */
const ms_target_source *ms_target_source_get(int i);
ms_status ms_calibrate_read_targets(ms_study *study, const ms_task *task, struct fy_node *node,
                                    ms_calibrate *c);
/* What comes from earlier analyses; with several processes, by all of them. */
ms_status ms_calibrate_gather(ms_study *study, ms_calibrate *c);
void ms_calibrate_close_targets(ms_study *study, ms_calibrate *c);
/* For kinds: the options of a target with two quantities, by the keys of its kind. `weight` is the
   member of `options` with its weights, which go to the target. */
ms_status ms_target_read_two(const ms_study *study, ms_calibrate_target *t, void *options,
                             const ms_numbers *weight);
#define MS_ROW_WEIGHTS(type, text)                              \
  MS_NUMBERS(type, weight, NULL, MS_NOT_NEGATIVE, MS_ELSE("1"), \
             "of its squares, or " text "; where it is 0, the quantity is ignored")
/* For kinds: t->from by its name; left NULL where there is no such analysis before this one. */
void ms_calibrate_find_source(const ms_study *study, const ms_task *task, const char *name,
                              ms_calibrate_target *t);

/* ---- methods, each with its options and what its run leaves ------------------------------------
 */

/* Residuals this many times the noise that was given make a fit suspect; without noise, those above
   this part of what is compared: measured damping is seldom better known, and a model that is
   further off is another one. */
#define MS_CALIBRATE_POOR         3.0
#define MS_CALIBRATE_MISFIT_LIMIT 0.1

typedef struct ms_calibrate_fits {
  ptrdiff_t starts;
  double noise; /* 0: what the fit leaves */
  ms_starts fits;
  ms_best_fit fit;
  int judged;
} ms_calibrate_fits;

typedef struct ms_calibrate_front {
  ptrdiff_t points, generations;
  int each; /* objectives of each target */
  ms_objective *objective;
  ptrdiff_t n_objective;
  ms_front found;
  ms_front_map map;
  ms_solution *choice; /* some of the front */
  ptrdiff_t n_choice;
} ms_calibrate_front;

typedef struct ms_calibrate_samples {
  ptrdiff_t walkers, steps, burn;
  ms_samples found;
  double *band; /* MS_BAND quantiles of what the model makes of each target, one behind the other */
} ms_calibrate_samples;

/* What a method must do; one table and one line in methods.def. */
typedef struct ms_calibrate_method {
  const char *name;
  /* With several processes, all of them: those that have no c->main evaluate for the first. */
  ms_status (*run)(ms_study *study, const ms_task *task, ms_calibrate *c);
  /* Its values, tables and part of the report, up to the targets. */
  ms_status (*result)(ms_study *study, ms_task *task, ms_calibrate *c);
  ms_status (*judge)(ms_study *study, ms_task *task, const ms_calibrate *c);
  void (*close)(ms_study *study, ms_calibrate *c);
} ms_calibrate_method;

struct ms_calibrate {
  const ms_calibrate_method *method;
  ms_joint_parameter *parameter;
  ms_fit_parameter *bound;
  ms_free_parameter *free;
  ptrdiff_t n;
  ms_calibrate_target *target;
  ms_target *is; /* the same for ms_calibration */
  ptrdiff_t n_target;
  double misfit_limit; /* without noise: a fit that leaves more is poor */
  uint64_t seed;
  ms_calibration *main; /* on the study's own structure, during the run */
  ms_solution *solution;
  ptrdiff_t n_solution;
  ptrdiff_t made;    /* evaluations of a search or of samples, in this run */
  ms_verify *verify; /* NULL: not asked for */
  ms_calibrate_fits local;
  ms_calibrate_front front;
  ms_calibrate_samples samples;
};

/* calibrate.c: for the methods of plan.h. */
ms_calibration_plan ms_calibrate_plan(const ms_study *study, const ms_task *task,
                                      const ms_calibrate *c);

/* methods/local.c, with which `posterior` begins. */
ms_status ms_calibrate_run_fit(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_calibrate_close_fit(ms_study *study, ms_calibrate *c);

/* options.c */
ms_status ms_calibrate_check(ms_study *study, ms_task *task);
enum { MS_CALIBRATE_KEYS = 15 };
extern const ms_param ms_calibrate_keys[MS_CALIBRATE_KEYS];

/* result.c: all of it, and what methods share: a table <analysis><ending> of columns `first`, the
   objectives, where a front is found, and one for each parameter; every pair of parameters. */
ms_status ms_calibrate_result(ms_study *study, ms_task *task);
ms_status ms_calibrate_judge(ms_study *study, ms_task *task);
ms_status ms_calibrate_add_table(ms_study *study, const ms_task *task, const ms_calibrate *c,
                                 const char *ending, const char *first, ms_result_table **out);
ms_status ms_calibrate_tabulate_correlation(ms_study *study, const ms_task *task,
                                            const ms_calibrate *c, const double *correlation);
/* Panels of a target's quantities over x: the target, and solutions. */
ms_status ms_calibrate_add_panels(const ms_study *study, const ms_calibrate *c, ptrdiff_t target,
                                  ms_figure *figure);

/* methods/front_curves.c: the front linked to curves, of the first `shown` targets; the map. */
ms_status ms_calibrate_show_front(ms_study *study, ms_task *task, const ms_calibrate *c);
ptrdiff_t ms_calibrate_count_shown(const ms_calibrate *c);

/* verify.c: the solutions by time simulation. Nothing happens where `verify` is NULL. */
extern const ms_param_list ms_verify_keys;
ms_status ms_verify_read(ms_study *study, const ms_task *task, struct fy_node *node,
                         ms_calibrate *c);
int ms_verify_needs(const ms_verify *v, const ms_task *other);
ms_status ms_verify_run(ms_study *study, ms_task *task, ms_calibrate *c);
ms_status ms_verify_result(ms_study *study, ms_task *task, const ms_calibrate *c);
void ms_verify_close(ms_study *study, ms_verify **v);

#endif
