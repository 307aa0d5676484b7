/* [study] Studies: a file describes structure, joints and analyses; running it writes the results.
 */
#ifndef MICROSLIP_STUDY_H
#define MICROSLIP_STUDY_H

#include <stdio.h>

#include <microslip/param.h>
#include <microslip/reduced.h>
#include <microslip/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of analysis, as the command's help and the manual list them. */
typedef struct ms_analysis_info {
  const char *name, *meaning;
  ms_param_list keys;
} ms_analysis_info;
MS_API int ms_study_count_kinds(void);
/* 0 outside [0, count). */
MS_API int ms_study_get_kind(int index, ms_analysis_info *out);
/* The keys of a study file from its top level on: `keys` of a row are those below it. Parameters of
   laws and loads, and the keys of analyses, are with these. */
MS_API const ms_param_list *ms_study_get_keys(void);
/* The study file as JSON Schema (2020-12), for editors and validators. */
MS_API ms_status ms_study_write_schema(ms_context *ctx, FILE *stream);

typedef struct ms_study ms_study;

/* Reads and checks the whole file, and computes nothing but the reduced model of finite elements,
   for which their plugin is loaded. The path "-" is standard input, and a path with a line break in
   it is the text of the study itself; paths in these begin in the current folder. `set` are n_set
   assignments such as "joints.lap.beta=3" that go before what the file says. Messages name file,
   line and column. */
MS_API ms_status ms_study_open(ms_context *ctx, const char *path, int n_set, const char *const *set,
                               ms_study **out);
MS_API void ms_study_close(ms_study **study);

typedef struct ms_study_facts {
  ptrdiff_t n_coordinate; /* of the structure with its joints */
  int is_open;            /* 1: and fixed-interface modes below a cut-off, not counted yet */
  int n_joint, n_analysis;
} ms_study_facts;

/* Checks the whole file and computes nothing: finite elements are meshed, their names, constraints,
   joints and analyses looked at, but nothing is assembled or solved. What the numbers alone can
   show is left to a run: a body that what is kept does not hold, a rigid-body mode where an elastic
   one is wanted, a sensor in a node of a mode. */
MS_API ms_status ms_study_check(ms_context *ctx, const char *path, int n_set,
                                const char *const *set, ms_study_facts *out);

MS_API const char *ms_study_get_title(const ms_study *study);
MS_API const ms_structure *ms_study_get_structure(const ms_study *study);
MS_API int ms_study_count_analyses(const ms_study *study);
MS_API const char *ms_study_get_analysis(const ms_study *study, int index);
/* After a run: what it says of itself and is in no result, since it is not the same twice, such as
   evaluations per second; "" where there is nothing. */
MS_API const char *ms_study_get_note(const ms_study *study, int index);
/* After a run: what an analysis ended in, owned by the study; NULL where it was not run. */
MS_API const ms_result *ms_study_get_result(const ms_study *study, int index);

typedef struct ms_study_setting {
  const char *folder; /* receives summary.json, report.html, results.h5, tables/, columns.csv,
                         reduced.h5 */
  int threads;        /* 0: as many as there are processors */
  int resume;         /* go on with the interrupted run in the folder; without one, begin */
  int figures;        /* also every figure of the report, as figures/<analysis>-<number>, */
  double checkpoint;  /* s between checkpoints of a long run; 0: MS_STUDY_CHECKPOINT */
  ms_figure_format figure_format; /* written so */
  const char *display; /* units of tables, figures and key numbers, and of the report at first:
                          words of ms_display_choose; NULL: those a report begins with (Hz, %,
                          motion of the first sensor that the study names), and SI in tables */
} ms_study_setting;

/* On a slow disk up to ten times that, so that writing takes a fiftieth of the time. */
#define MS_STUDY_CHECKPOINT 1.0

/* Runs every analysis and writes its tables when it ends, then everything else; what an earlier run
   has left in the folder goes before the first of them. An analysis that fails does not end the
   others; the first that is partial or failed makes the status and the message. Of a suspect one
   only its outcome says so. Independent runs are kept in folder/.resume as they end, a long run by
   its rows and checkpoints, and a finished study removes all that. A folder with an interrupted run
   is refused unless `resume` is set, and always if that run was of another study, other settings or
   another version: nothing is ever mixed. Results are the same, bit for bit, however often a run
   was interrupted. When a study is run again, its analyses read their data anew and keep nothing
   of the run before.

   Where the context's communicator has several processes, all of them open and run the study: the
   first runs and writes, the others take part in the finite elements, in calibrations and in some
   other analyses, each with `threads` threads, and return when it is done. A failure to open is
   known to all (ms_context_agree). */
MS_API ms_status ms_study_run(ms_study *study, const ms_study_setting *setting);

/* Of an analysis; with index -1 of the study, which has the worst of its analyses. */
MS_API ms_outcome ms_study_get_outcome(const ms_study *study, int index);
/* The reasons and notes of an analysis, in plain words. *outcome (may be NULL) is what the remark
   alone would make of it; MS_OUTCOME_COMPLETE for a note. The text is the study's. */
MS_API int ms_study_count_remarks(const ms_study *study, int index);
MS_API const char *ms_study_get_remark(const ms_study *study, int index, int remark,
                                       ms_outcome *outcome);
/* After a run that failed: whether the reason is an analysis that is partial, failed or skipped,
   and everything else was computed and written. */
MS_API int ms_study_is_partial(const ms_study *study);
/* After a run that failed: whether what it had finished is kept, to be resumed. A failure that
   would come again (bad input, no convergence) keeps nothing. */
MS_API int ms_study_is_resumable(const ms_study *study);
/* From a run on: the units of its report, owned by the study; NULL before. */
MS_API const ms_display *ms_study_get_display(const ms_study *study);
/* Whether the folder had the results of an earlier run, which are gone. */
MS_API int ms_study_has_replaced(const ms_study *study);

#ifdef __cplusplus
}
#endif
#endif
