/* The analysis `calibrate`: joint parameters from curves of frequency and damping. */
#ifndef MS_STUDY_CALIBRATE_H
#define MS_STUDY_CALIBRATE_H

#include <microslip/calibrate.h>
#include <microslip/pareto.h>

#include "study/curves.h"

typedef struct ms_calibrate ms_calibrate;

/* A free parameter: "lap.K_T" in the file. */
typedef struct ms_calibrate_parameter {
  const char *key;  /* owned by the document */
  const char *unit; /* SI; of the law */
  char name[80];    /* "K_T of lap" */
  ms_parameter_place *place;
  ptrdiff_t n_place;
} ms_calibrate_parameter;

/* A target as the file has it; its points come from a table at once, from an analysis later. */
typedef struct ms_calibrate_target {
  struct fy_node *node;
  char name[96];
  int mode;            /* 0-based */
  const ms_task *from; /* NULL: a table */
  const char *curve;   /* method of a backbone, NULL for its reference */
  int joint_part;
  double low, high, weight_omega, weight_zeta;
  ms_points points;
  int *row;
  ptrdiff_t left_out; /* points of a ring-down that do not decay */
} ms_calibrate_target;

/* Parameters worth looking at, and their curves at the targets' amplitudes. */
typedef struct ms_calibrate_solution {
  char name[64];
  double *p, *f; /* f: frequency and damping misfit of each target */
  ms_points *curve;
} ms_calibrate_solution;

/* What a method must do; one table and one line in calibrate_methods.def. */
typedef struct ms_calibrate_method {
  const char *name, *meaning;
  ms_status (*run)(ms_study *study, const ms_task *task, ms_calibrate *c);
  ms_status (*tabulate)(ms_study *study, const ms_task *task, ms_calibrate *c);
  void (*summarise)(const ms_calibrate *c, ms_json *json);
  ms_status (*report)(const ms_study *study, const ms_calibrate *c, ms_page *page);
  void (*close)(ms_study *study, ms_calibrate *c);
} ms_calibrate_method;

/* One objective of a search over several: of one target, or of all (-1). */
typedef struct ms_calibrate_objective {
  ptrdiff_t target;
  int damping;
  char name[32];
} ms_calibrate_objective;

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
  double noise; /* 0: what the fit leaves, but LEAST_NOISE at least */
  int each;     /* objectives of each curve */
  uint64_t seed;
  /* at the run */
  ms_target *is;
  ms_calibration *main; /* on the study's own structure */
  ms_calibrate_solution *solution;
  ptrdiff_t n_solution;
  /* local */
  double *found; /* n x starts */
  ms_fit_local *local;
  ptrdiff_t best, agree; /* starts that came to the best */
  ms_fit_judgement judgement;
  double supposed; /* scatter that the judgement supposes */
  int judged;
  /* nsga2 */
  ms_calibrate_objective *objective;
  ptrdiff_t n_objective, n_front;
  double *front;  /* n_front rows of objectives and parameters */
  double *volume; /* of each generation */
  double *reference;
  ptrdiff_t evaluations;
  ms_sheet *table, *front_table, *volume_table;
};

/* calibrate_options.c */
ms_status ms_calibrate_check(ms_study *study, ms_task *task);
enum { MS_CALIBRATE_KEYS = 10 };
extern const ms_key ms_calibrate_keys[MS_CALIBRATE_KEYS];

/* calibrate_targets.c */
ms_status ms_calibrate_read_targets(ms_study *study, const ms_task *task, struct fy_node *node,
                                    ms_calibrate *c);
/* The points that come from earlier analyses. */
ms_status ms_calibrate_gather(ms_study *study, ms_calibrate *c);
/* c->is from the targets, whose points must be there. */
void ms_calibrate_fill_targets(ms_calibrate *c);

/* calibrate.c: the values of scaled variables, and one more solution at p. */
void ms_calibrate_unscale(const ms_calibrate *c, const double *t, double *p);
ms_status ms_calibrate_add_solution(ms_study *study, ms_calibrate *c, const char *name,
                                    const double *p);

/* calibrate_nsga2.c: an objective from the misfits of all targets. */
double ms_calibrate_weigh(const ms_calibrate *c, const ms_calibrate_objective *o, const double *f);
/* calibrate_front.c: the tables, summary and report of nsga2 */
ms_status ms_calibrate_tabulate_front(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_calibrate_summarise_front(const ms_calibrate *c, ms_json *json);
ms_status ms_calibrate_report_front(const ms_study *study, const ms_calibrate *c, ms_page *page);

/* calibrate_report.c */
ms_status ms_calibrate_tabulate(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_calibrate_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_calibrate_report(const ms_study *study, const ms_task *task, ms_page *page);
/* A table of numbers, its columns `first` and then one for each parameter. */
ms_status ms_calibrate_sheet(ms_study *study, const ms_task *task, const ms_calibrate *c,
                             const char *ending, const char *first, ms_sheet **out);

#endif
