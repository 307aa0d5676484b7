/* Jobs over threads and processes: for any caller, who says what a worker has of its own. */
#ifndef MS_CORE_JOBS_H
#define MS_CORE_JOBS_H

#include <microslip/context.h>

struct ms_structure;
struct ms_study;

/* Who works. */
typedef struct ms_worker {
  ms_context *ctx;                /* its own, */
  struct ms_structure *structure; /* as is this, which the crew's `open` makes; core never looks */
  const struct ms_study *study;   /* for reading what no job changes; nor here */
  const char *what;               /* the set of jobs, */
  ptrdiff_t job;                  /* and which of them it is at */
  void *own;                      /* what the work of a team keeps with it */
} ms_worker;

/* A job that an earlier start has finished. */
typedef struct ms_kept {
  ptrdiff_t job, n;
  const double *values; /* owned by who keeps it */
} ms_kept;

/* For whom, and how many. */
typedef struct ms_crew {
  ms_context *ctx; /* of the caller: progress, messages, other processes */
  int threads;     /* 0: as many as there are processors */
  const void *owner;
  /* What a worker has besides its context; messages go to that. close follows every open. */
  ms_status (*open)(const void *owner, ms_worker *worker);
  void (*close)(ms_worker *worker);
  /* Jobs that outlive this start, one by one (*at is 0 at first, 0 is returned at the end), and one
     more of them. NULL: none do. */
  int (*next)(const void *owner, const char *what, ptrdiff_t *at, ms_kept *out);
  ms_status (*keep)(const void *owner, const char *what, ptrdiff_t job, const double *values,
                    ptrdiff_t n);
} ms_crew;

/* How many threads there would be for so many jobs. */
int ms_crew_count_threads(const ms_crew *crew, ptrdiff_t jobs);

/* ---- jobs 0 .. n-1, once ---- */

/* Results go to places of their own, so that they do not depend on the number of threads. */
typedef ms_status (*ms_job_fn)(ms_worker *worker, ptrdiff_t job, void *user);
typedef struct ms_jobs {
  ptrdiff_t n;
  ms_job_fn run;
  /* What a finished job leaves, as finite numbers: how many, and into `values` unless that is NULL.
     load puts them back as if the job had run; if it fails, it leaves the job as before and the job
     is run. Both are called from the caller's own thread. NULL: every start runs all jobs. */
  ptrdiff_t (*save)(const void *user, ptrdiff_t job, double *values);
  ms_status (*load)(ms_context *ctx, void *user, ptrdiff_t job, const double *values, ptrdiff_t n);
  void *user;
  /* Instead of save and load, where job i fills item i of an array: the same with the item. */
  ptrdiff_t (*save_item)(const void *item, double *values);
  ms_status (*load_item)(ms_context *ctx, void *item, const double *values, ptrdiff_t n);
  void *items;
  size_t size; /* of an item */
} ms_jobs;
/* Of such jobs: MS_ITEMS(p->run, p->n_run, ms_sweep_save, ms_sweep_load). */
#define MS_ITEMS(array, count, save, load) \
  .n = count, .items = array, .size = sizeof *(array), .save_item = save, .load_item = load
ms_status ms_crew_run_jobs(const ms_crew *crew, const char *what, const ms_jobs *jobs);
/* The same over all processes, each of which calls it with the same jobs; save and load are
   required. Every process runs the jobs that fall to it; the first one keeps and, once it returns,
   has them all. A failure is one of all processes. */
ms_status ms_crew_share_jobs(const ms_crew *crew, const char *what, const ms_jobs *jobs);

/* ---- workers that stay, for many rounds of evaluations ---- */

/* No progress, nothing is kept: that is the caller's. What comes out does not depend on the number
   of threads or processes, provided that `run` is a function of `in` alone. */
typedef struct ms_team ms_team;
typedef struct ms_team_work {
  ptrdiff_t n_in, n_out; /* numbers of one evaluation */
  /* What a worker keeps for itself, in worker->own. close follows every open, also one that
     failed. Both may be NULL. Messages of open and run go to worker->ctx. */
  ms_status (*open)(ms_worker *worker, void *user);
  void (*close)(ms_worker *worker, void *user);
  /* Any status but success ends the round as a failure of the whole team: a point without an answer
     is to say so by its numbers. Any values, also infinite ones; `user` is for reading. */
  ms_status (*run)(ms_worker *worker, const double *in, double *out, void *user);
  void *user;
} ms_team_work;
/* `most`: evaluations of a round, in which more are taken one after the other.

   Under mpirun every process opens it, the same way and at the same place among the calls that all
   make (ms_context_agree, ms_context_share). Then the first one maps, the others serve until it
   closes the team; each closes its own. A failure of open, map or serve is one of all processes,
   with one message. */
ms_status ms_crew_open_team(const ms_crew *crew, const ms_team_work *work, ptrdiff_t most,
                            ms_team **out);
void ms_team_close(ms_team **team);
/* The first process: out[n_out i ...] from in[n_in i ...], i < n. */
ms_status ms_team_map(ms_team *team, ptrdiff_t n, const double *in, double *out);
/* The others. */
ms_status ms_team_serve(ms_team *team);

/* ---- processes ---- */

/* The bytes of process `from` (the first is 0) to all; everybody's to all, one behind the other. */
ms_status ms_context_share(ms_context *ctx, int from, void *data, size_t bytes);
ms_status ms_context_gather(ms_context *ctx, const void *data, size_t bytes, void *all);

#endif
