/* MPI as the communicator of a context. */
#include <time.h>

#include "fem/solve/petsc.h"
#include "fem/tolerance.h"

enum { CROWD = 8 };
enum { SPINS = 2000 }; /* tests of a request before the processor is left to others */

/* One for the whole program, as PETSc is; apart from PETSc's own, so that nothing is mixed up. */
static MPI_Comm talk = MPI_COMM_NULL;

/* ---- waiting ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* MPI's own waiting takes a whole processor, which the process that works has a use for: sleeps
   from 0.1 ms to 10 ms, the longer the longer it lasts. */
static ms_status wait_for(MPI_Request *request, double patience) {
  double start = now();
  struct timespec pause = { .tv_nsec = 100000 };
  for (int spin = 0;; spin++) {
    int done = 0;
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE)) return MS_ERR_STATE;
    if (done) return MS_SUCCESS;
    if (spin < SPINS) continue;
    if (patience > 0.0 && now() - start > patience) return MS_ERR_STATE;
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 10000000) pause.tv_nsec += pause.tv_nsec / 8;
  }
}

static ms_status barrier(void *self) {
  MPI_Request request;
  (void)self;
  return MPI_Ibarrier(talk, &request) ? MS_ERR_STATE : wait_for(&request, 0.0);
}

static ms_status vote(void *self, int failed, int *who) {
  MPI_Request request;
  /* outlive this call where the others never come */
  static int mine, lowest;
  int rank, size;
  (void)self;
  MPI_Comm_rank(talk, &rank);
  MPI_Comm_size(talk, &size);
  mine = failed ? rank : size;
  if (MPI_Iallreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, talk, &request)) return MS_ERR_STATE;
  double patience = ms_mesh_tol.patience + ms_mesh_tol.stagger * (rank < CROWD ? rank : CROWD);
  MS_TRY(wait_for(&request, failed ? patience : 0.0));
  *who = lowest < size ? lowest : -1;
  return MS_SUCCESS;
}

/* ---- data ---- */

/* MPI counts in int: large pieces go one after the other. */
#define PIECE ((size_t)1 << 28)

static ms_status broadcast(void *self, void *data, size_t bytes, int root) {
  (void)self;
  for (size_t at = 0; at < bytes; at += PIECE) {
    size_t n = bytes - at < PIECE ? bytes - at : PIECE;
    MPI_Request request;
    if (MPI_Ibcast((char *)data + at, (int)n, MPI_BYTE, root, talk, &request)) return MS_ERR_STATE;
    MS_TRY(wait_for(&request, 0.0));
  }
  return MS_SUCCESS;
}

static ms_status sum(void *self, double *data, ptrdiff_t n) {
  (void)self;
  for (ptrdiff_t at = 0; at < n; at += (ptrdiff_t)PIECE) {
    ptrdiff_t k = n - at < (ptrdiff_t)PIECE ? n - at : (ptrdiff_t)PIECE;
    if (MPI_Allreduce(MPI_IN_PLACE, data + at, (int)k, MPI_DOUBLE, MPI_SUM, talk)) {
      return MS_ERR_STATE;
    }
  }
  return MS_SUCCESS;
}

static ms_status gather_all(void *self, const void *data, size_t bytes, void *all) {
  MPI_Request request;
  const int n = (int)bytes;
  (void)self;
  if (bytes > PIECE) return MS_ERR_OVERFLOW;
  if (MPI_Iallgather(data, n, MPI_BYTE, all, n, MPI_BYTE, talk, &request)) return MS_ERR_STATE;
  return wait_for(&request, 0.0);
}

/* ---- beginning and end ---- */

static void end_all(void *self, int code) {
  (void)self;
  ms_petsc_forget(); /* the others are in no state to take part in an orderly end */
  MPI_Abort(talk, code);
}

ms_status ms_communicator_make(ms_context *ctx, ms_communicator *out) {
  if (talk == MPI_COMM_NULL) MS_PETSC(ctx, MPI_Comm_dup(PETSC_COMM_WORLD, &talk));
  *out = (ms_communicator) { .barrier = barrier,
                             .broadcast = broadcast,
                             .sum = sum,
                             .gather_all = gather_all,
                             .vote = vote,
                             .abort = end_all };
  MPI_Comm_rank(talk, &out->rank);
  MPI_Comm_size(talk, &out->size);
  return MS_SUCCESS;
}

void ms_communicator_close(void) {
  if (talk != MPI_COMM_NULL) MPI_Comm_free(&talk);
}
