/* The analysis `calibrate`: joint parameters from measured or simulated data. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_CALIBRATE_H
#define MS_STUDY_ANALYSES_CALIBRATE_CALIBRATE_H

#include <pthread.h>

#include <microslip/calibrate.h>
#include <microslip/pareto.h>

#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/multistart.h"

typedef struct ms_calibrate ms_calibrate;
typedef struct ms_calibrate_chain ms_calibrate_chain;
typedef struct ms_verify ms_verify;
typedef struct ms_front_choices ms_front_choices;
typedef struct ms_explored ms_explored;

/* A free parameter: "lap.K_T" in the file. */
typedef struct ms_calibrate_parameter {
  const char *key;  /* owned by the document */
  const char *unit; /* SI; of the law */
  char name[320];   /* "K_T of lap" */
  ms_parameter_place *place;
  ptrdiff_t n_place;
} ms_calibrate_parameter;

/* ---- targets -------------------------------------------------------------------------------- */

typedef struct ms_target_kind ms_target_kind;

/* A target as the file has it. Every target compares one or two quantities with the model. */
typedef struct ms_calibrate_target {
  const ms_target_kind *kind;
  struct fy_node *node;
  char name[256];
  const ms_task *from; /* an earlier analysis that it reads; NULL: none */
  double weight[2];    /* of the squares of each quantity; 0: not looked at */
  ptrdiff_t left_out;  /* points that could not be used, */
  const char *why;     /* since they ... */
  void *own;           /* the kind's */
} ms_calibrate_target;

/* Target and model, point by point, at the parameters evaluated last. */
typedef struct ms_target_view {
  ptrdiff_t n;
  const double *x;
  const double *target[2], *model[2]; /* [1] is NULL where there is one quantity */
  const int *row;                     /* of the points in their file */
  double scale[2]; /* differences are relative to this; 0: to the target's value at each point */
} ms_target_view;

/* A kind of target; one table and one line in targets.def. */
struct ms_target_kind {
  const char *name;
  const char *mark; /* the key that a target of this kind has and others have not */
  const ms_param_list *keys;
  const char *quantity[2]; /* "frequency", "damping"; [1] is NULL where there is one */
  /* Columns of its table <analysis>_<table>.csv after target, solution and row: x, and each
     quantity, as "omega [rad/s]". */
  const char *table, *x, *y[2];
  /* Whether both axes of x and y are logarithmic in its figure. */
  int x_log, y_log[2];
  /* Reads the options and the weight. */
  ms_status (*read)(ms_study *study, const ms_task *task, ms_calibrate_target *t);
  /* Takes what an earlier analysis has left, once; NULL: it never reads one. */
  ms_status (*gather)(ms_study *study, ms_calibrate_target *t);
  /* With several processes, where gather is: what the first one has gathered to the others, by
     ms_study_share. All call it. */
  ms_status (*share)(ms_study *study, ms_calibrate_target *t);
  void (*close)(ms_study *study, ms_calibrate_target *t);

  /* All targets of this kind on a structure that belongs to one thread; whatever is wrong with
     their points is said here. The context is the structure's. */
  ms_status (*open_model)(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                          void **model);
  void (*close_model)(void **model);
  ptrdiff_t (*count)(const void *model); /* residuals */
  int has_jacobian;
  /* ms_fit_eval: residuals of all targets, each target's weight in them. */
  ms_fit_eval *eval;
  /* Mean squares of relative differences, two for each target in their order; 0 for what is not
     looked at. MS_NOT_CONVERGED where there is no answer. */
  ms_status (*misfit)(void *model, const double *p, double *f);
  ms_target_view (*view)(const void *model, ptrdiff_t k); /* of the k-th target of this kind */
  /* Its figure in the report; NULL: quantities over x, target and solutions. */
  ms_status (*figure)(const ms_study *study, const ms_calibrate *c, ptrdiff_t target,
                      ms_page *page);
};

/* ms_target_NAME, and its keys ms_target_NAME_keys. */
#define MS_TARGET_KIND(name, meaning)           \
  extern const ms_target_kind ms_target_##name; \
  extern const ms_param_list ms_target_##name##_keys;
#include "study/analyses/calibrate/targets.def"
#undef MS_TARGET_KIND

int ms_target_kind_count(void);
const ms_target_kind *ms_target_kind_get(int i);

/* evaluate.c: the model of every kind in use, for one thread. Target k is the study's. */
typedef struct ms_evaluator ms_evaluator;
ms_status ms_evaluator_open(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                            ms_evaluator **out);
void ms_evaluator_close(ms_evaluator **evaluator);
ptrdiff_t ms_evaluator_count(const ms_evaluator *evaluator);
/* The residuals of what has a weight; after an evaluation. */
ptrdiff_t ms_evaluator_count_data(const ms_evaluator *evaluator);
int ms_evaluator_has_jacobian(const ms_evaluator *evaluator);
/* ms_fit_eval: user is the evaluator. */
ms_status ms_evaluator_eval(void *user, const double *p, double *r, double *jac);
/* f[2 k], f[2 k + 1]: misfits of target k. */
ms_status ms_evaluator_misfit(ms_evaluator *evaluator, const double *p, double *f);
ms_target_view ms_evaluator_view(const ms_evaluator *evaluator, ptrdiff_t k);

/* A view, kept; store has x, the target's quantities, the model's, is.n each (0 where there is one
   quantity only). */
typedef struct ms_kept_view {
  ms_target_view is;
  double *store;
  int *row;
} ms_kept_view;
/* target_view.c; *out must be zero, and is the caller's to free even after a failure. */
ms_status ms_view_keep(ms_context *ctx, const ms_target_view *view, ms_kept_view *out);
void ms_view_free(ms_context *ctx, ms_kept_view *view);
/* Largest difference of quantity i. */
double ms_view_largest(const ms_target_view *view, int i);

/* Parameters worth looking at, and what the model makes of them. */
typedef struct ms_calibrate_solution {
  char name[64];
  double *p, *f; /* f: misfits of each target */
  ms_kept_view *view;
} ms_calibrate_solution;

/* ---- methods -------------------------------------------------------------------------------- */

/* What a method must do; one table and one line in methods.def. */
typedef struct ms_calibrate_method {
  const char *name, *meaning;
  ms_status (*run)(ms_study *study, const ms_task *task, ms_calibrate *c);
  /* With several processes, what the others do meanwhile: open and serve the same teams, share the
     same jobs (see ms_team_open, ms_pool_share_jobs). They have the targets, but not c->main. */
  ms_status (*help)(ms_study *study, const ms_task *task, ms_calibrate *c);
  ms_status (*tabulate)(ms_study *study, const ms_task *task, ms_calibrate *c);
  void (*summarise)(const ms_calibrate *c, ms_json *json);
  ms_status (*report)(const ms_study *study, const ms_calibrate *c, ms_page *page);
  void (*close)(ms_study *study, ms_calibrate *c);
} ms_calibrate_method;

/* One objective of a search over several: a quantity of one target, or of all that have it (-1). */
typedef struct ms_calibrate_objective {
  ptrdiff_t target;
  const char *quantity;
  char name[48];
} ms_calibrate_objective;

/* Residuals this many times the noise that was given make a fit suspect; without noise, those above
   this part of what is compared: measured damping is seldom better known, and a model that is
   further off is another one. */
#define MS_CALIBRATE_POOR         3.0
#define MS_CALIBRATE_MISFIT_LIMIT 0.1

struct ms_calibrate {
  /* options */
  const ms_calibrate_method *method;
  ms_calibrate_parameter *parameter;
  ms_fit_parameter *bound;
  ms_free_parameter *free;
  ptrdiff_t n;
  ms_calibrate_target *target;
  ptrdiff_t n_target;
  ptrdiff_t starts, points, generations;
  ptrdiff_t walkers, steps, burn;
  double noise;        /* 0: what the fit leaves, but LEAST_NOISE at least */
  double misfit_limit; /* without noise: a fit that leaves more is poor */
  int each;            /* objectives of each target */
  uint64_t seed;
  /* at the run */
  ms_evaluator *main; /* on the study's own structure */
  ms_calibrate_solution *solution;
  ptrdiff_t n_solution;
  ms_verify *verify; /* NULL: not asked for */
  /* local */
  ms_starts fits;
  struct {
    pthread_mutex_t lock;
    long evaluations;
    double least;        /* sum of squares */
  } tally;               /* of all starts, while they run */
  ptrdiff_t best, agree; /* starts that came to the best */
  ms_fit_judgement judgement;
  double supposed; /* noise that was given, or what the fit leaves */
  double scatter;  /* of a residual, that errors are judged by: the larger of both */
  int judged;
  /* nsga2 */
  ms_calibrate_objective *objective;
  ptrdiff_t n_objective, n_front;
  double *front;  /* n_front rows of objectives and parameters */
  double *volume; /* of each generation */
  double *reference;
  ptrdiff_t evaluations, made; /* in all, and in this run */
  ms_calibrate_chain *chain;   /* posterior: see methods/posterior.h */
  ms_front_choices *choices;   /* some of the front, with their views */
  ms_explored *explored;       /* points of all generations, and their map */
  ms_result_table *table, *front_table, *volume_table;
};

/* options.c */
ms_status ms_calibrate_check(ms_study *study, ms_task *task);
enum { MS_CALIBRATE_KEYS = 15 };
extern const ms_param ms_calibrate_keys[MS_CALIBRATE_KEYS];

/* parameters.c: the places of "lap.K_T" or "bolt.*.K_T" (what stands before the last dot is a
   pattern over the joints' names), and the factor of its unit to SI. */
/* Refuses two parameters that stand for the same number. */
ms_status ms_calibrate_check_twice(const ms_study *study, struct fy_node *key,
                                   const ms_calibrate_parameter *a,
                                   const ms_calibrate_parameter *b);
ms_status ms_calibrate_find_places(const ms_study *study, struct fy_node *key,
                                   ms_calibrate_parameter *p, double *factor);
/* NULL if the law has none of that name. */
const ms_param *ms_calibrate_find_param(const ms_joint *joint, const char *name);

/* targets.c */
ms_status ms_calibrate_read_targets(ms_study *study, const ms_task *task, struct fy_node *node,
                                    ms_calibrate *c);
/* What comes from earlier analyses; with several processes, by all of them. */
ms_status ms_calibrate_gather(ms_study *study, ms_calibrate *c);
void ms_calibrate_close_targets(ms_study *study, ms_calibrate *c);
/* For kinds: t->from by its name; left NULL where there is no such analysis before this one. */
void ms_calibrate_find_source(const ms_study *study, const ms_task *task, const char *name,
                              ms_calibrate_target *t);
/* The k-th target of a kind, NULL after the last. */
ms_calibrate_target *ms_calibrate_get_target(const ms_calibrate *c, const ms_target_kind *kind,
                                             ptrdiff_t k);

/* targets/curves.c: the mode, from 0, of a target that is a curve, -1 of any other; whether it
   has the joints' part of the damping goes to *joint_part, which may be NULL. */
int ms_target_curves_mode(const ms_calibrate_target *t, int *joint_part);

/* verify.c: the solutions by time simulation. Nothing happens where `verify` is NULL. */
extern const ms_param_list ms_verify_keys;
ms_status ms_verify_read(ms_study *study, const ms_task *task, struct fy_node *node,
                         ms_calibrate *c);
int ms_verify_needs(const ms_verify *v, const ms_task *other);
ms_status ms_verify_run(ms_study *study, ms_task *task, ms_calibrate *c);
void ms_verify_close(ms_study *study, ms_verify **v);
/* verify_report.c */
void ms_verify_summarise(const ms_verify *v, ms_json *json);
ms_status ms_verify_report(const ms_study *study, const ms_verify *v, ms_page *page);

/* calibrate.c: the values of scaled variables, and one more solution at p. */
void ms_calibrate_unscale(const ms_calibrate *c, const double *t, double *p);
ms_status ms_calibrate_add_solution(ms_study *study, ms_calibrate *c, const char *name,
                                    const double *p);

/* methods/local.c: least squares over all targets. Many starts, by all processes; the best of
   them judged and made the first solution, by the first process. */
ms_fit_problem ms_calibrate_problem(const ms_calibrate *c, ms_evaluator *on);
ms_status ms_calibrate_run_starts(ms_study *study, const ms_task *task, ms_calibrate *c);
ms_status ms_calibrate_judge_best(ms_study *study, ms_calibrate *c);
void ms_calibrate_close_fit(ms_study *study, ms_calibrate *c);
/* <analysis>_correlation.csv, every pair of parameters. */
ms_status ms_calibrate_tabulate_correlation(ms_study *study, const ms_task *task,
                                            const ms_calibrate *c, const double *correlation);

/* bands.c: around the 5-95 % band of a target (omega and zeta for its quantities); no
   points where there is none. */
ms_points ms_calibrate_outline(const ms_calibrate *c, ptrdiff_t target);
#define MS_OUTLINE_LABEL "5 to 95 %"

/* methods/nsga2.c: an objective from the misfits of all targets. */
double ms_calibrate_weigh(const ms_calibrate *c, const ms_calibrate_objective *o, const double *f);
/* methods/front.c: the tables, summary and report of nsga2 */
ms_status ms_calibrate_tabulate_front(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_calibrate_summarise_front(const ms_calibrate *c, ms_json *json);
ms_status ms_calibrate_report_front(const ms_study *study, const ms_calibrate *c, ms_page *page);
/* A table of numbers: columns `before`, objectives, parameters. */
ms_status ms_calibrate_front_table(ms_study *study, const ms_task *task, const ms_calibrate *c,
                                   const char *ending, const char *before, ms_result_table **out);

/* methods/front_curves.c: the front linked to its curves. While c->main is open; in the report; and
   of how many targets, the first ones, it shows the curves. */
ms_status ms_choices_gather(ms_study *study, ms_calibrate *c);
ms_status ms_choices_report(const ms_study *study, const ms_calibrate *c, ms_page *page);
ptrdiff_t ms_calibrate_count_shown(const ms_calibrate *c);
void ms_choices_close(ms_study *study, ms_front_choices **choices);

/* methods/self_organising_map.c: the map of what a search has seen. The points of the next
   generation; the map and its table when all are there; summary and report. */
ms_status ms_explored_add(ms_study *study, ms_calibrate *c, const ms_pareto_points *points);
ms_status ms_explored_tabulate(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_explored_summarise(const ms_calibrate *c, ms_json *json);
ms_status ms_explored_report(const ms_study *study, const ms_calibrate *c, ms_page *page);
void ms_explored_close(ms_study *study, ms_explored **explored);

/* methods/equal_fits.c: what starts that fit as well as the best, but ended elsewhere, say about
 * it.
 */
ms_status ms_calibrate_weigh_rivals(const ms_study *study, ms_calibrate *c);

/* judge.c */
ms_status ms_calibrate_judge(ms_study *study, ms_task *task);

/* report.c */
ms_status ms_calibrate_tabulate(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_calibrate_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_calibrate_report(const ms_study *study, const ms_task *task, ms_page *page);
/* Of a parameter; NULL where it has none. */
const char *ms_calibrate_unit(const ms_calibrate_parameter *parameter);
/* Panels of a target's quantities over x: the target, and solutions. */
ms_status ms_calibrate_add_panels(const ms_calibrate *c, ptrdiff_t target, ms_figure *figure);
/* A table of numbers, its columns `first` and then one for each parameter. */
ms_status ms_calibrate_table(ms_study *study, const ms_task *task, const ms_calibrate *c,
                             const char *ending, const char *first, ms_result_table **out);
ms_status ms_calibrate_add_parameters(ms_study *study, const ms_calibrate *c,
                                      ms_result_table *table);

#endif
