/* The study's workers: copies of its structure; jobs that have ended are kept with the study. */
#include "study/study.h"

static ms_status open_worker(const void *owner, ms_worker *w) {
  const ms_study *s = owner;
  w->study = s;
  return s->structure ? ms_structure_copy(w->ctx, s->structure, &w->structure) : MS_SUCCESS;
}

static void close_worker(ms_worker *w) {
  ms_structure_destroy(&w->structure);
}

static int next_job(const void *owner, const char *what, ptrdiff_t *at, ms_kept *out) {
  const ms_resume_folder *kept = ((const ms_study *)owner)->resume;
  return kept ? ms_kept_jobs_next(ms_resume_folder_jobs(kept), what, at, out) : 0;
}

static ms_status keep_job(const void *owner, const char *what, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  const ms_study *s = owner;
  if (!s->resume) return MS_SUCCESS;
  return ms_kept_jobs_add(ms_resume_folder_jobs(s->resume), what, job, values, n);
}

ms_crew ms_study_crew(const ms_study *s) {
  return (ms_crew) { .ctx = s->ctx,
                     .threads = s->threads,
                     .owner = s,
                     .open = open_worker,
                     .close = close_worker,
                     .next = next_job,
                     .keep = keep_job };
}

ms_status ms_pool_run_jobs(ms_study *s, const char *what, const ms_jobs *jobs) {
  const ms_crew crew = ms_study_crew(s);
  return ms_crew_run_jobs(&crew, what, jobs);
}

ms_status ms_pool_share_jobs(ms_study *s, const char *what, const ms_jobs *jobs) {
  const ms_crew crew = ms_study_crew(s);
  return ms_crew_share_jobs(&crew, what, jobs);
}
