/* PETSc's beginning and end, its errors, and vectors between it and plain arrays. */
#include "fem/solve/petsc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"

/* One engine for the whole program: PETSc is made that way. */
static struct {
  int runs;
  char text[128];
  char message[512]; /* the first words of PETSc about the last error */
} engine;

/* ---- errors ---- */

static PetscErrorCode hear(MPI_Comm comm, int line, const char *function, const char *file,
                           PetscErrorCode code, PetscErrorType type, const char *words,
                           void *user) {
  (void)comm, (void)line, (void)file, (void)user;
  if (type == PETSC_ERROR_INITIAL) {
    snprintf(engine.message, sizeof engine.message, "%s (%s)", words ? words : "", function);
  }
  return code;
}

ms_status ms_petsc_fail(ms_context *ctx, PetscErrorCode code, const char *call) {
  const char *text = NULL;
  if (engine.message[0]) text = engine.message;
  if (!text) PetscErrorMessage(code, &text, NULL);
  ms_status status = code == PETSC_ERR_MEM ? MS_ERR_MEMORY : MS_ERR_NUMERIC;
  ms_fail(ctx, status, "PETSc: %s, in %.40s", text ? text : "an error", call);
  engine.message[0] = '\0';
  return status;
}

/* ---- beginning and end ---- */

int ms_petsc_runs(void) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return engine.runs && !finalized;
}

const char *ms_fem_engine(void) {
  return engine.runs ? engine.text : NULL;
}

static void stop(void) {
  if (!ms_petsc_runs()) return;
  ms_communicator_close();
  SlepcFinalize();
  engine.runs = 0;
}

/* A program that mpirun did not start looks for no network, 0.2 s of its start, and needs no daemon
   at its side, which would look at the machine's devices first. Alone, all processes have the same
   folder for their session, which one would remove while another makes it: they need none. */
static void stay_alone(void) {
  int size;
  if (ms_process_rank(&size) >= 0 || size > 0) return;
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
}

static ms_status start(ms_context *ctx) {
  static char name[] = "microslip", o1[] = "-no_signal_handler", o2[] = "-skip_petscrc",
              o3[] = "-options_left", o4[] = "0";
  char *list[] = { name, o1, o2, o3, o4, NULL }, **argv = list;
  int argc = 5, size = 1;
  stay_alone();
  if (SlepcInitialize(&argc, &argv, NULL, NULL)) {
    return ms_fail(ctx, MS_ERR_STATE, "PETSc and SLEPc could not be started");
  }
  engine.runs = 1;
  MS_PETSC(ctx, PetscPushErrorHandler(hear, NULL));
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  snprintf(engine.text, sizeof engine.text, "PETSc %d.%d.%d, SLEPc %d.%d.%d, %d %s",
           PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, SLEPC_VERSION_MAJOR,
           SLEPC_VERSION_MINOR, SLEPC_VERSION_SUBMINOR, size, size == 1 ? "process" : "processes");
  if (atexit(stop) != 0) return ms_fail(ctx, MS_ERR_MEMORY, "no room for an exit handler");
  return MS_SUCCESS;
}

ms_status ms_fem_start(ms_context *ctx, ms_communicator *communicator) {
  ms_communicator comm;
  if (!engine.runs) MS_TRY(start(ctx));
  if (!ms_petsc_runs()) return ms_fail(ctx, MS_ERR_STATE, "MPI has ended already");
  MS_TRY(ms_communicator_make(ctx, &comm));
  ms_context_set_communicator(ctx, &comm);
  if (communicator) *communicator = comm;
  return MS_SUCCESS;
}

void ms_petsc_forget(void) {
  engine.runs = 0;
}

/* ---- a model's share ---- */

void ms_fem_engine_close(ms_fem_model *m) {
  ms_fem_engine_data *e = m->engine;
  if (!e) return;
  if (ms_petsc_runs()) {
    MatDestroy(&e->K);
    MatDestroy(&e->M);
    MatNullSpaceDestroy(&e->motions);
    VecScatterDestroy(&e->spread);
    VecDestroy(&e->whole);
  }
  ms_free(m->ctx, &e->Tg);
  ms_free(m->ctx, &e->Kg);
  ms_free(m->ctx, &e->inertia);
  ms_free(m->ctx, &m->engine);
}

ms_status ms_fem_eliminate(ms_fem_model *m) {
  unsigned char *kept;
  MS_TRY(ms_fem_check_open(m));
  if (m->n == 0) return ms_fail(m->ctx, MS_ERR_ARGUMENT, "the mesh has no elements");
  MS_TRY(ms_allocate(m->ctx, m->n + 1, 1, &kept));
  for (int i = 0; i < m->n_kept; i++) kept[m->kept[i].index] = 1;
  ms_status status = ms_equations_eliminate(&m->equations, m->n, kept, ms_fem_describe, m, &m->T);
  ms_free(m->ctx, &kept);
  if (status == MS_SUCCESS && ms_fem_count_unknowns(m) < 1) {
    ms_elimination_free(m->ctx, &m->T);
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "the constraints fix every degree of freedom");
  }
  return status;
}

/* The displacement that prescribed values make, if any. */
static ms_status keep_prescribed(ms_fem_model *m) {
  int any = 0;
  for (ptrdiff_t r = 0; r < m->T.n_row; r++) any = any || m->T.g[r] != 0.0;
  if (!any) return MS_SUCCESS;
  MS_TRY(ms_allocate(m->ctx, m->n, sizeof *m->engine->Tg, &m->engine->Tg));
  ms_fem_expand(m, m->engine->Tg, 1);
  return ms_allocate(m->ctx, m->n, sizeof *m->engine->Kg, &m->engine->Kg);
}

static ms_status set_up(ms_fem_model *m) {
  MS_TRY(ms_allocate(m->ctx, 1, sizeof *m->engine, &m->engine));
  MS_TRY(ms_allocate(m->ctx, 3 * m->n, sizeof *m->engine->inertia, &m->engine->inertia));
  MS_TRY(keep_prescribed(m));
  MS_TRY(ms_fem_assemble(m));
  return ms_fem_make_motions(m);
}

static ms_status check_tolerances(ms_context *ctx, const ms_fem_tolerances *tol) {
  MS_FEM_TOLERANCES(MS_TOLERANCE_CHECK)
  return MS_SUCCESS;
}

ms_status ms_fem_setup(ms_fem_model *m, const ms_fem_settings *settings) {
  if (settings) MS_TRY(check_tolerances(m->ctx, &settings->tol));
  MS_TRY(ms_fem_eliminate(m));
  m->settings = settings ? *settings : ms_fem_defaults();
  ms_status status = ms_fem_start(m->ctx, NULL);
  if (status == MS_SUCCESS) status = set_up(m);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_fem_engine_close(m);
  ms_elimination_free(m->ctx, &m->T);
  return status;
}

/* ---- vectors ---- */

void ms_fem_expand(const ms_fem_model *m, double *u, int with_g) {
  const ms_elimination *t = &m->T;
  for (ptrdiff_t r = 0; r < t->n_row; r++) {
    double value = with_g ? t->g[r] : 0.0;
    for (ptrdiff_t j = t->start[r]; j < t->start[r + 1]; j++) value += t->coef[j] * u[t->index[j]];
    u[t->dependent[r]] = value;
  }
}

void ms_fem_project(const ms_fem_model *m, double *f) {
  const ms_elimination *t = &m->T;
  for (ptrdiff_t r = 0; r < t->n_row; r++) {
    double value = f[t->dependent[r]];
    f[t->dependent[r]] = 0.0;
    for (ptrdiff_t j = t->start[r]; j < t->start[r + 1]; j++) f[t->index[j]] += t->coef[j] * value;
  }
}

ms_status ms_fem_put(const ms_fem_model *m, const double *whole, Vec v) {
  PetscScalar *local;
  PetscInt begin, end;
  MS_PETSC(m->ctx, VecGetOwnershipRange(v, &begin, &end));
  MS_PETSC(m->ctx, VecGetArrayWrite(v, &local));
  memcpy(local, whole + begin, (size_t)(end - begin) * sizeof *local);
  MS_PETSC(m->ctx, VecRestoreArrayWrite(v, &local));
  return MS_SUCCESS;
}

ms_status ms_fem_get(const ms_fem_model *m, Vec v, double *whole) {
  ms_fem_engine_data *e = m->engine;
  const PetscScalar *values;
  if (!e->spread) MS_PETSC(m->ctx, VecScatterCreateToAll(v, &e->spread, &e->whole));
  MS_PETSC(m->ctx, VecScatterBegin(e->spread, v, e->whole, INSERT_VALUES, SCATTER_FORWARD));
  MS_PETSC(m->ctx, VecScatterEnd(e->spread, v, e->whole, INSERT_VALUES, SCATTER_FORWARD));
  MS_PETSC(m->ctx, VecGetArrayRead(e->whole, &values));
  memcpy(whole, values, (size_t)m->n * sizeof *whole);
  MS_PETSC(m->ctx, VecRestoreArrayRead(e->whole, &values));
  return MS_SUCCESS;
}

/* Y = A X, whole vectors, one column after the other. */
ms_status ms_fem_get_diagonal(ms_fem_model *m, Mat A, double *d) {
  Vec v;
  MS_PETSC(m->ctx, MatCreateVecs(A, NULL, &v));
  PetscErrorCode code = MatGetDiagonal(A, v);
  ms_status status = code ? ms_petsc_fail(m->ctx, code, "MatGetDiagonal") : ms_fem_get(m, v, d);
  VecDestroy(&v);
  return status;
}

ms_status ms_fem_multiply(ms_fem_model *m, Mat A, ptrdiff_t n, const double *X, double *Y) {
  Vec a = NULL, b = NULL;
  PetscErrorCode code = MatCreateVecs(A, &a, &b);
  ms_status status = code ? ms_petsc_fail(m->ctx, code, "MatCreateVecs") : MS_SUCCESS;
  for (ptrdiff_t j = 0; j < n && status == MS_SUCCESS; j++) {
    status = ms_fem_put(m, X + m->n * j, a);
    if (status == MS_SUCCESS && (code = MatMult(A, a, b)) != 0) {
      status = ms_petsc_fail(m->ctx, code, "MatMult");
    }
    if (status == MS_SUCCESS) status = ms_fem_get(m, b, Y + m->n * j);
  }
  VecDestroy(&a);
  VecDestroy(&b);
  return status;
}
