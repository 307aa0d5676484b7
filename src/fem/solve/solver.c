/* A x = b, A positive definite: a direct factor where it fits into the memory, else conjugate
   gradients with algebraic multigrid. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fem/solve/multigrid.h"

enum { SMALL = 2000 };           /* rows up to which a factor fits anywhere */
enum { CHOLMOD_N = 2147483647 }; /* entries that 32-bit CHOLMOD can count */
enum { COLUMNS = 32 };           /* right-hand sides at a time */

/* ---- memory ---- */

static double read_number(const char *path, const char *label) {
  char line[256];
  double value = -1.0;
  FILE *file = fopen(path, "r");
  if (!file) return -1.0;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, label, strlen(label)) != 0) continue;
    if (sscanf(line + strlen(label), "%lf", &value) == 1) break;
  }
  fclose(file);
  return value;
}

/* What the system can give, or what a container is allowed, divided among the processes. */
double ms_memory_free(const ms_fem_model *m) {
  if (m->settings.memory > 0.0) return m->settings.memory;
  double kilo = read_number("/proc/meminfo", "MemAvailable:");
  double bytes = kilo > 0.0 ? 1024.0 * kilo : 4e9;
  double limit = read_number("/sys/fs/cgroup/memory.max", "");
  double used = read_number("/sys/fs/cgroup/memory.current", "");
  if (limit > 0.0 && used >= 0.0) bytes = fmin(bytes, fmax(limit - used, 0.0));
  return m->settings.tol.share * bytes;
}

/* ---- which way ---- */

static int processes(void) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return size;
}

static const char *package(void) {
  return processes() > 1 ? MATSOLVERMUMPS : MATSOLVERCHOLMOD;
}

/* Entries of the factor from its symbolic analysis. */
static ms_status analyse(ms_fem_model *m, Mat A, Mat *F, double *entries) {
  MatFactorInfo info;
  MatInfo size;
  MS_PETSC(m->ctx, MatGetFactor(A, package(), MAT_FACTOR_CHOLESKY, F));
  MS_PETSC(m->ctx, MatFactorInfoInitialize(&info));
  MS_PETSC(m->ctx, MatCholeskyFactorSymbolic(*F, A, NULL, &info));
  if (processes() > 1) {
    PetscInt n;
    MS_PETSC(m->ctx, MatMumpsGetInfog(*F, 20, &n)); /* in millions if negative */
    *entries = n < 0 ? -1e6 * (double)n : (double)n;
    return MS_SUCCESS;
  }
  MS_PETSC(m->ctx, MatGetInfo(*F, MAT_LOCAL, &size));
  *entries = size.nz_allocated;
  return MS_SUCCESS;
}

ms_status ms_solver_choose(ms_fem_model *m, Mat A, ms_solver_plan *plan) {
  *plan = (ms_solver_plan) { .route = m->settings.route };
  if (plan->route == MS_FEM_MULTIGRID) {
    snprintf(plan->text, sizeof plan->text, "multigrid, as asked");
  } else if (plan->route == MS_FEM_DIRECT || m->n <= SMALL) {
    snprintf(plan->text, sizeof plan->text, "direct (%s)", package());
    plan->route = MS_FEM_DIRECT;
  } else {
    if (m->engine->entries == 0.0) {
      Mat F = NULL;
      ms_status status = analyse(m, A, &F, &m->engine->entries);
      MatDestroy(&F);
      MS_TRY(status);
    }
    plan->entries = m->engine->entries;
    /* The lesser of all processes' decisions counts: all go the same way. */
    double need = 8.0 * m->settings.tol.overhead * plan->entries, have = ms_memory_free(m),
           all = have;
    MPI_Allreduce(&have, &all, 1, MPI_DOUBLE, MPI_MIN, PETSC_COMM_WORLD);
    int fits = need <= all && (processes() > 1 || plan->entries < CHOLMOD_N);
    plan->route = fits ? MS_FEM_DIRECT : MS_FEM_MULTIGRID;
    snprintf(plan->text, sizeof plan->text,
             "%s: a factor of %.3g million entries needs %.2g GB, %.2g GB may be used%s",
             fits ? "direct" : "multigrid", plan->entries / 1e6, need / 1e9, all / 1e9,
             !fits && need <= all ? ", but is beyond 32-bit CHOLMOD" : "");
  }
  const ms_log_level level = plan->route == MS_FEM_MULTIGRID ? MS_LOG_INFO : MS_LOG_DEBUG;
  if (!m->quiet) ms_log(m->ctx, level, "%s", plan->text);
  return MS_SUCCESS;
}

/* ---- solving ---- */

static ms_status check_reason(ms_fem_model *m, KSP ksp) {
  KSPConvergedReason reason;
  MS_PETSC(m->ctx, KSPGetConvergedReason(ksp, &reason));
  if (reason >= 0) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_NOT_CONVERGED,
                 "the linear solver gave up (%s): is there a part that can move freely?",
                 KSPConvergedReasons[reason]);
}

static ms_status open_direct(ms_fem_model *m, Mat A, ms_solver *s) {
  PC pc;
  MS_PETSC(m->ctx, KSPCreate(PETSC_COMM_WORLD, &s->ksp));
  MS_PETSC(m->ctx, KSPSetOperators(s->ksp, A, A));
  MS_PETSC(m->ctx, KSPGetPC(s->ksp, &pc));
  MS_PETSC(m->ctx, KSPSetType(s->ksp, KSPPREONLY));
  MS_PETSC(m->ctx, PCSetType(pc, PCCHOLESKY));
  MS_PETSC(m->ctx, PCFactorSetMatSolverType(pc, package()));
  MS_PETSC(m->ctx, KSPSetUp(s->ksp));
  return check_reason(m, s->ksp);
}

ms_status ms_solver_open(ms_fem_model *m, Mat A, ms_solver *s) {
  MS_TRY(ms_solver_choose(m, A, &s->plan));
  return ms_solver_follow(m, A, s);
}

ms_status ms_solver_follow(ms_fem_model *m, Mat A, ms_solver *s) {
  s->ksp = NULL;
  s->mg = NULL;
  if (s->plan.route == MS_FEM_DIRECT) return open_direct(m, A, s);
  return ms_multigrid_create(m, A, &s->mg);
}

void ms_solver_close(ms_fem_model *m, ms_solver *s) {
  if (!ms_petsc_runs()) return;
  KSPDestroy(&s->ksp);
  ms_multigrid_destroy(m, &s->mg);
}

static ms_status solve_block(ms_fem_model *m, ms_solver *s, Mat B, Mat X) {
  if (s->mg) return ms_multigrid_solve(s->mg, B, m->settings.tolerance, X);
  MS_PETSC(m->ctx, KSPMatSolve(s->ksp, B, X));
  return check_reason(m, s->ksp);
}

/* Some columns in one go. */
static ms_status solve_dense(ms_fem_model *m, ms_solver *s, PetscInt n, Mat B, Mat X, double *b) {
  PetscInt n_local = m->engine->end - m->engine->begin, ld;
  PetscScalar *values;
  MS_PETSC(m->ctx, MatDenseGetLDA(B, &ld));
  MS_PETSC(m->ctx, MatDenseGetArrayWrite(B, &values));
  for (PetscInt j = 0; j < n; j++) {
    memcpy(values + (ptrdiff_t)ld * j, b + m->n * j + m->engine->begin,
           (size_t)n_local * sizeof *b);
  }
  MS_PETSC(m->ctx, MatDenseRestoreArrayWrite(B, &values));
  MS_PETSC(m->ctx, MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
  MS_PETSC(m->ctx, MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
  MS_TRY(solve_block(m, s, B, X));
  for (PetscInt j = 0; j < n; j++) {
    Vec v;
    MS_PETSC(m->ctx, MatDenseGetColumnVecRead(X, j, &v));
    MS_TRY(ms_fem_get(m, v, b + m->n * j));
    MS_PETSC(m->ctx, MatDenseRestoreColumnVecRead(X, j, &v));
  }
  return MS_SUCCESS;
}

static ms_status solve_some(ms_fem_model *m, ms_solver *s, PetscInt n, double *b) {
  PetscInt n_local = m->engine->end - m->engine->begin;
  Mat B = NULL, X = NULL;
  PetscErrorCode code =
      MatCreateDense(PETSC_COMM_WORLD, n_local, PETSC_DECIDE, PETSC_DETERMINE, n, NULL, &B);
  if (!code) code = MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &X);
  ms_status status =
      code ? ms_petsc_fail(m->ctx, code, "MatCreateDense") : solve_dense(m, s, n, B, X, b);
  MatDestroy(&B);
  MatDestroy(&X);
  return status;
}

ms_status ms_solver_solve(ms_fem_model *m, ms_solver *s, ptrdiff_t n, double *b) {
  for (ptrdiff_t j = 0; j < n; j += COLUMNS) {
    ptrdiff_t k = n - j < COLUMNS ? n - j : COLUMNS;
    MS_TRY(solve_some(m, s, (PetscInt)k, b + m->n * j));
    ms_status status = ms_progress(m->ctx, "solving", (double)(j + k) / (double)n);
    MS_TRY(ms_context_agree(m->ctx, status));
  }
  return MS_SUCCESS;
}
