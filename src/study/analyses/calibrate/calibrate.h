/* The analysis `calibrate`: joint parameters from measured or simulated data. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_CALIBRATE_H
#define MS_STUDY_ANALYSES_CALIBRATE_CALIBRATE_H

#include "identify/calibrate/plan.h"
#include "io/yaml/tables.h"
#include "study/model/joint_parameters.h"
#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"

typedef struct ms_calibrate ms_calibrate;

typedef struct ms_calibrate_options {
  struct fy_node *parameters, *targets, *verify;
  int method;
  double misfit_limit;
  ptrdiff_t seed;
  struct { /* of local and posterior */
    ptrdiff_t starts;
    double noise; /* NAN: the residual of the fit */
  };
  struct { /* of nsga2 */
    ptrdiff_t points, generations;
    int objectives; /* 1: of each target */
  };
  struct {                          /* of posterior */
    ptrdiff_t walkers, steps, burn; /* walkers -1: by the number of parameters */
  };
} ms_calibrate_options;

/* ---- targets -------------------------------------------------------------------------------- */

typedef struct ms_target_source ms_target_source;

/* A target as the file has it. */
typedef struct ms_calibrate_target {
  const ms_target_source *kind;
  struct fy_node *node;
  void *options; /* as the kind's keys read them */
  char name[256];
  const ms_task *from; /* an earlier analysis that it reads; NULL: none */
  ptrdiff_t i, n;      /* which of as many that an item of the list stands for; n 0: the only one */
  int empty;           /* one of several that cannot be read: left out */
  ms_target *is;       /* one of c->is; its points are: */
  ms_point_table points;
} ms_calibrate_target;

/* Where targets of a kind come from; one table and one line in targets.def. */
struct ms_target_source {
  const char *name;
  ms_target_kind is;
  const char *mark,
      *also; /* the keys that a target of this kind has and others have not, or NULL */
  const ms_param_list *keys;
  size_t size; /* of its options; of a kind with two quantities they begin with ms_numbers weight */
  /* Columns of its table <analysis>_<table>.csv after target, solution and row: x, and each
     quantity, as "omega [rad/s]". */
  const char *table, *x, *y[2];
  int x_log, y_log[2]; /* in its figure */
  /* Takes the options, and reads the points where they are in a file. */
  ms_status (*read)(ms_study *study, const ms_task *task, ms_calibrate_target *t);
  /* Takes what an earlier analysis has left; NULL: it never reads one. */
  ms_status (*gather)(ms_study *study, ms_calibrate_target *t);
  /* With several processes, what the first one has gathered to the others. All call it. NULL: the
     points. */
  ms_status (*share)(ms_study *study, ms_calibrate_target *t);
};
#define MS_ROW_WEIGHTS(type, text)                              \
  MS_NUMBERS(type, weight, NULL, MS_NOT_NEGATIVE, MS_ELSE("1"), \
             "of its squares, or " text "; where it is 0, the quantity is ignored")

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

/* ---- methods -------------------------------------------------------------------------------- */

/* What a method must do; one table and one line in methods.def. */
typedef struct ms_calibrate_method {
  const char *name;
  const char *keys; /* "starts|walkers": those that are for this method and not for every one */
  /* What relates its options; NULL: nothing. */
  ms_status (*check)(const ms_study *study, const ms_task *task);
  /* With several processes, all of them: those that have no c->main evaluate for the first. */
  ms_status (*run)(ms_study *study, const ms_task *task);
  /* Its values, tables and part of the report, up to the targets. */
  ms_status (*result)(ms_study *study, ms_task *task);
  ms_status (*judge)(ms_study *study, ms_task *task);
  void (*close)(ms_study *study, ms_calibrate *c);
} ms_calibrate_method;

/* methods/local.c: what posterior begins with, too. */
typedef struct ms_local_fits {
  ms_starts starts;
  ms_best_fit best;
} ms_local_fits;
ms_status ms_local_run(ms_study *study, const ms_task *task);
ms_status ms_local_judge(ms_study *study, ms_task *task);
void ms_local_close(ms_study *study, ms_calibrate *c);

/* methods/posterior.c */
typedef struct ms_calibrate_samples {
  ptrdiff_t walkers;
  ms_samples found;
  double *band;
} ms_calibrate_samples;

typedef struct ms_verify ms_verify;

struct ms_calibrate {
  const ms_calibrate_method *method;
  ms_joint_parameter *parameter;
  ms_fit_parameter *bound;
  ms_free_parameter *free;
  ptrdiff_t n;
  ms_calibrate_target *target;
  ms_target *is; /* the same for ms_calibration */
  ptrdiff_t n_target;
  char left_out[400];   /* names of targets of whole tests that could not be read */
  ms_calibration *main; /* on the study's own structure, during the run */
  ms_solution *solution;
  ptrdiff_t n_solution;
  ptrdiff_t made;    /* evaluations of a search or of samples, in this run */
  ms_verify *verify; /* NULL: not asked for */
  /* What each method keeps for itself, from its run on. */
  ms_local_fits *fits;
  struct ms_calibrate_front *front;
  ms_calibrate_samples *samples;
  /* What methods leave to result.c. */
  const ms_objective *objective;
  ptrdiff_t n_objective;
  const double *band; /* MS_BAND quantiles of what the model makes of each target, one behind the
                         other */
  ptrdiff_t n_shown;  /* first targets that the method has drawn */
};

/* calibrate.c: for the methods of plan.h. */
ms_calibration_plan ms_calibrate_plan(const ms_study *study, const ms_task *task);
/* Whether a target is of measurements: nothing that the study has simulated itself. */
int ms_calibrate_is_measured(const ms_calibrate_target *target);
/* A complaint about an odd number. */
ms_status ms_calibrate_check_even(const ms_study *study, const ms_task *task, const char *key,
                                  ptrdiff_t value);

/* result.c: all of it, and what methods share: a table <analysis><ending> of columns `first`, the
   objectives, where a front is found, and one for each parameter; every pair of parameters. */
ms_status ms_calibrate_result(ms_study *study, ms_task *task);
ms_result_table *ms_calibrate_new_table(const ms_task *task, const char *ending, const char *first);
void ms_calibrate_tabulate_correlation(const ms_task *task, const double *correlation);
/* Parameters as answers have them: those of joints and contacts before all others; of each the best
   determined first where there is a judgement. */
void ms_calibrate_order(const ms_calibrate *c, const ms_fit_judgement *judgement,
                        ptrdiff_t order[MS_JOINT_PARAMETERS]);
/* Panels of a target's quantities over x: the target, and solutions. */
ms_status ms_calibrate_add_panels(const ms_calibrate *c, ptrdiff_t target, ms_figure *figure);
/* The worst quantity of all targets, where it is above misfit_limit. */
ms_status ms_calibrate_judge_misfit(ms_study *study, ms_task *task);

/* verify.c: the solutions by time simulation. Nothing happens where `verify` is NULL. */
extern const ms_param_list ms_verify_keys;
ms_status ms_verify_read(ms_study *study, const ms_task *task, struct fy_node *node,
                         ms_calibrate *c);
int ms_verify_needs(const ms_verify *v, const ms_task *other);
ms_status ms_verify_run(ms_study *study, ms_task *task, ms_calibrate *c);
ms_status ms_verify_result(ms_study *study, ms_task *task, const ms_calibrate *c);
void ms_verify_close(ms_study *study, ms_verify **v);

#endif
