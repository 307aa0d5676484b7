/* A study: the file, and what the analyses share. */
#ifndef MS_STUDY_IMPL_H
#define MS_STUDY_IMPL_H

#include <microslip/contact.h>
#include <microslip/experiment.h>
#include <microslip/io.h>
#include <microslip/result.h>
#include <microslip/structure.h>
#include <microslip/study.h>

#include "core/jobs.h"
#include "core/units.h"
#include "io/resume_folder.h"
#include "io/yaml/places.h"
#include "io/yaml/tables.h"

typedef struct ms_fe ms_fe;
typedef struct ms_analysis ms_analysis;

/* One analysis of the list, in its order. */
typedef struct ms_task {
  const ms_analysis *kind;
  const char *name;     /* unique; owned by the document or a literal */
  struct fy_node *key;  /* the word in the file, for complaints */
  struct fy_node *node; /* its options, NULL where none were given */
  void *options;        /* its options as the kind's table of keys reads them */
  void *product;        /* what it computes and later analyses read */
  ms_result *result;    /* what it ends in, with what is said of it; empty before it runs */
  int begun;            /* it was run, not skipped */
  ms_status status;     /* with which it failed */
  char note[96];        /* of this run, for whoever watches; in no result */
} ms_task;

struct ms_study {
  char **model_note; /* of the model */
  int n_model_note;
  ms_context *ctx;
  ms_yaml yaml;
  ms_units units;
  const char *title;
  ms_structure *structure; /* of the main thread; NULL where no analysis needs one */
  ms_reduced *reduced;     /* where structure is fe, reduced or substructures; workers read it */
  int has_contacts;        /* between solids; a check has no more of them than this */
  ms_contact *contact;     /* at rest, under loads of the modes */
  ms_fe *solids;           /* that have the contacts: fe, or what matrices have of it */
  ms_fe *fe;               /* where it is fe; of substructures the first, and `next` of each */
  int outline;             /* 1: to be checked only; finite elements are not reduced */
  double memory;           /* bytes that the structure may take */
  ptrdiff_t n_open;        /* then: stand-ins for modes below a cut-off */
  ms_task *task;
  int n_task;
  char **set; /* assignments that went before the file */
  int n_set;
  int threads, figures;
  ms_figure_format figure_format;
  const char *display_words; /* the units that were asked for; NULL: none */
  ms_display *display;       /* from the run on: those, or what a report begins with */
  double checkpoint;         /* s */
  const char *folder;
  int was_run;
  int prepared;             /* nothing of an earlier run is left in the folder, */
  int replaced;             /* where there was something */
  const ms_task *running;   /* while it runs */
  ms_resume_folder *resume; /* while the study runs */
  int resumable;
  int blas_threads; /* of OpenBLAS, before the study took it */
};

/* An analysis is a folder whose file of the same name ends in such a table, and one line in
   analyses.def. */
struct ms_analysis {
  const char *name, *meaning;
  const char *title; /* of its section in the report; NULL: its name */
  const ms_param *keys;
  int n_keys;
  size_t options_size, product_size; /* both are made before the check, and zero */
  int alone;                         /* it needs no structure */
  int knows_contact;                 /* between solids; others would take it for stuck */
  /* What relates options to each other and to the model, without computing: whatever is wrong is
     said here. */
  ms_status (*check)(ms_study *study, ms_task *task);
  ms_status (*run)(ms_study *study, ms_task *task);
  /* After a run that succeeded: looks at what came out and says what is wrong or doubtful about it,
     by ms_task_note, _doubt and _give_up. NULL: there is nothing to say. */
  ms_status (*judge)(ms_study *study, ms_task *task);
  /* With several processes, what the others do while the first one runs it: their part in the
     finite elements, their share of evaluations. They write nothing. NULL: nothing. */
  ms_status (*help)(ms_study *study, ms_task *task);
  /* After a run that left something to show: fills the result of the task. */
  ms_status (*result)(ms_study *study, ms_task *task);
  /* Frees what the product points to. NULL: nothing. */
  void (*close)(ms_study *study, ms_task *task);
  /* Whether it reads what the earlier `other` leaves. NULL: if its options name it. */
  int (*needs)(const ms_task *task, const ms_task *other);
  /* After a failure: whether there is something to summarise and report. NULL: there never is. */
  int (*is_kept)(const ms_task *task);
};

/* Of a kind: its keys, the struct that they go to, and what it leaves. */
#define MS_KEYS(table, type, product)                                                  \
  .keys = table, .n_keys = sizeof table / sizeof *table, .options_size = sizeof(type), \
  .product_size = sizeof(product)

/* Whether it reads what the earlier `other` leaves. */
int ms_task_needs(const ms_task *task, const ms_task *other);

/* An earlier analysis of that kind (NULL: any), by the name in `node` or, where that is NULL, the
   last one before `task`. */
ms_status ms_study_find_task(const ms_study *study, const ms_task *task, struct fy_node *node,
                             const char *kind, const ms_task **out);

/* The joint of the structure that a node names. */
ms_status ms_study_find_joint(const ms_study *study, struct fy_node *node, int *out);

/* run/study.c: the keys of the file; `keys` of a row leads on to those of structure, joints and so
   on. Parameters of laws and loads and the keys of analyses are with them. */
extern const ms_param_list ms_study_keys;

/* model/placeholder.c: 0 while a study is checked of which nobody solves the modes: its frequencies
   and shapes are stand-ins, and no check may judge by them. */
int ms_study_knows_modes(const ms_study *study);

/* run/study.c: ms_study_open, and with `outline` what ms_study_check looks at. */
ms_status ms_study_read(ms_context *ctx, const char *path, int n_set, const char *const *set,
                        int outline, ms_study **out);

/* output/tables.c: a table <name of the analysis><ending> of its result, with a name that no other
   table of the study has. */
ms_status ms_task_add_table(ms_study *study, const ms_task *task, const char *ending,
                            const char *columns, ms_result_table **out);
/* After `result`, whose tables are those of ms_result_new_table: whether their names are such. */
ms_status ms_task_check_tables(ms_study *study, const ms_task *task);

/* model/notes.c: what is worth knowing about the model: `check` says it, and a run with its first
   analysis. */
MS_PRINTF(2, 3) ms_status ms_study_note(ms_study *study, const char *format, ...);
ms_status ms_study_tell_notes(ms_study *study);
void ms_study_close_notes(ms_study *study);
/* Materials that point to mistaken units; points of pictures that stand still; mechanisms; by how
   much sensors change frequencies. */
ms_status ms_study_check_materials(ms_study *study);
ms_status ms_study_check_points(ms_study *study);
ms_status ms_study_check_mechanisms(ms_study *study);
ms_status ms_study_check_attached(ms_study *study);

/* run/status.c: how analyses end. Remarks are the result's, from the study's own thread only. */
#define ms_task_note(study, task, ...) ((void)(study), ms_result_note((task)->result, __VA_ARGS__))
#define ms_task_doubt(study, task, ...) \
  ((void)(study), ms_result_doubt((task)->result, __VA_ARGS__))
#define ms_task_give_up(study, task, ...) \
  ((void)(study), ms_result_give_up((task)->result, __VA_ARGS__))
/* Of a sentence that lower rooms have about their results (ms_..._warning). */
ms_outcome ms_task_severity(ms_doubt doubt);
int ms_task_has_results(const ms_task *task);
/* Whether a status ends the whole study; after any other the analysis has failed, and those that
   do not need it go on. */
int ms_task_ends_study(ms_status status);
ms_status ms_task_blame(ms_study *study, ms_task *task, ms_status status);
ms_status ms_task_skip_if_blocked(ms_study *study, ms_task *task);
/* After a run: what rests on an analysis that is suspect or partial is suspect. */
ms_status ms_task_doubt_sources(ms_study *study, ms_task *task);
/* After a run: what is doubtful in the contacts at rest is so in all that goes on from there, but
   for one that is open, which `open` asks for, too. */
#define MS_PRELOAD_CHANGE 0.01
ms_status ms_task_doubt_rest(ms_study *study, ms_task *task, double change_limit, int open);
/* After a run: an analysis whose own table has no rows is partial for the first remark of its runs,
   which are kept; without such it has failed. */
ms_status ms_task_judge_empty(ms_study *study, ms_task *task);
/* The first failure as the study's, with its place in the file; success if there was none. */
ms_status ms_study_fail_partial(const ms_study *study);

/* output/display.c: the units of the report, with the sensors that the study names and others. */
ms_status ms_study_make_display(const ms_study *study, ms_display **out);

/* output/report_joints.c: every joint that is not like an earlier one. */
ms_status ms_study_report_joints(const ms_study *study, ms_page *page);

/* run/processes.c: several processes. The first calls the others to an analysis and dismisses them
   in the end; until then they help. */
ms_status ms_study_run_on_processes(ms_study *study, ms_task *task);
ms_status ms_study_help(ms_study *study);
void ms_study_dismiss(const ms_study *study);
int ms_study_is_first(const ms_study *study);

/* output/write.c: the tables of an analysis that has ended; the rest, when all have. */
ms_status ms_study_write_tables(ms_study *study, const ms_task *task);
ms_status ms_study_write(ms_study *study);
/* output/hdf5.c: results.h5 */
ms_status ms_study_write_results(ms_study *study);

/* run/resume.c: what independent runs leave, kept on the disk until the study is finished. The
   names of sets of jobs are the same at every start and unique in the study. */
ms_status ms_resume_open(ms_study *study, int resume, ms_resume_folder **out);

/* model/joint_axes.c: a rotation, or a list of such and the ground (lists in it too): at least one,
 * and without weights. */
int ms_names_are_rotations(struct fy_node *node);
/* run/study.c: for what knows nothing of a displacement that is quadratic in the structure's. */
ms_status ms_study_refuse_curved(const ms_study *study, struct fy_node *node, const char *what);
#define MS_QUASISTATIC_MODE "a quasi-static mode"
/* model/joint_directions.c: the units that the parameters of joint `joint` have in the file. */
ms_units ms_study_joint_units(const ms_study *study, int joint);

/* model/fe/fe.c: the reduced model that structure: fe, reduced or substructures stands for,
   computed or read once. */
ms_status ms_study_reduce(ms_study *study);
void ms_study_close_fe(ms_study *study);
/* model/matrix_contacts.c: the contact of matrices under loads of the modes, once the structure is
   built; nothing where there is none. */
ms_status ms_matrices_load_modes(ms_study *study);
/* model/fe/contacts.c: the flexibility of contacts into the folder of an interrupted run; nothing
   without. */
ms_status ms_fe_keep_flexibility(const ms_study *study);
/* output/report_fe.c: what the finite elements are; nothing where there are none. */
ms_status ms_study_report_fe(const ms_study *study, ms_page *page);

/* model/build.c: the keys of structure:, and a structure from the file. Workers have copies of it.
 */
ms_status ms_study_check_structure(const ms_study *study);
ms_status ms_study_build(const ms_study *study, ms_context *ctx, ms_structure **out);

/* model/beam.c: M times a translation of the beam and its supports along x or y (0, 1), onto the
   study's coordinates: y += it. Nothing where the structure is no beam, *found says. */
ms_status ms_study_add_beam_inertia(const ms_study *study, int direction, double *y, int *found);

/* The nodes of the beam, to be freed by ms_free; NULL where the structure is no beam. */
struct ms_beam_node;
ms_status ms_study_find_beam_nodes(const ms_study *study, ptrdiff_t *n, struct ms_beam_node **node);

/* model/points.c: points of matrices with positions, and lines between them (2 x n_line); n = 0
   where there are none. */
struct ms_sketch_point;
typedef struct ms_points_of {
  ptrdiff_t n, n_line;
  ms_yaml_place *place;
  struct ms_sketch_point *point;
  int32_t *line;
} ms_points_of;
ms_status ms_study_find_points(const ms_study *study, ms_points_of *out);
void ms_points_free(ms_context *ctx, ms_points_of *points);

/* run/workers.c: the study's threads and processes for jobs and teams (core/jobs.h), whose workers
   have copies of the structure, and whose jobs outlive a start. `what` is for progress, for
   messages and for resuming: see ms_resume_open. */
ms_crew ms_study_crew(const ms_study *study);
ms_status ms_pool_run_jobs(ms_study *study, const char *what, const ms_jobs *jobs);
/* The same over all processes, each of which calls it from `run` or `help` with the same jobs. */
ms_status ms_pool_share_jobs(ms_study *study, const char *what, const ms_jobs *jobs);

#endif
