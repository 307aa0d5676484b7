/* Building a structure: coordinates, matrices, damping, joints. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"
#include "structure/impl.h"

/* ---- life ---- */

static ms_status name_coordinates(ms_structure *s, const char *const *names) {
  MS_TRY(ms_allocate(s->ctx, s->n, sizeof *s->name, &s->name));
  for (ptrdiff_t i = 0; i < s->n; i++) {
    char text[32];
    snprintf(text, sizeof text, "u%td", i + 1);
    MS_TRY(ms_text_copy(s->ctx, names ? names[i] : text, &s->name[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_structure_allocate_square(ms_context *ctx, ptrdiff_t n, double **out) {
  if (n > PTRDIFF_MAX / n / (ptrdiff_t)sizeof **out) {
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td degrees of freedom are too many for dense matrices",
                   n);
  }
  return ms_allocate(ctx, n * n, sizeof **out, out);
}

ms_status ms_structure_create(ms_context *ctx, ptrdiff_t n, const char *const *names,
                              ms_structure **out) {
  MS_MAKE(ctx, out, ctx);
  if (n < 1)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a structure needs at least one degree of freedom");
  ms_structure *s;
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  s->ctx = ctx;
  s->n = n;
  ms_status status = name_coordinates(s, names);
  if (status == MS_SUCCESS) status = ms_structure_allocate_square(ctx, n, &s->M);
  if (status == MS_SUCCESS) status = ms_structure_allocate_square(ctx, n, &s->K);
  if (status != MS_SUCCESS) {
    ms_structure_destroy(&s);
    return status;
  }
  *out = s;
  return MS_SUCCESS;
}

static void free_setup(ms_structure *s) {
  double **part[] = { &s->omega,      &s->shape, &s->omega_slip,
                      &s->shape_slip, &s->gamma, &s->modal_damping_full };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    if (s->shared) *part[i] = NULL;
    ms_free(s->ctx, part[i]);
  }
  ms_free(s->ctx, &s->modal_damping);
  s->shared = 0;
  ms_attachments_forget(s);
  s->ready = 0;
}

static void forget_springs(ms_structure *s) {
  while (s->n_spring > 0) ms_free(s->ctx, &s->spring[--s->n_spring].name);
  ms_free(s->ctx, &s->spring);
}

void ms_structure_destroy(ms_structure **structure) {
  if (!structure || !*structure) return;
  ms_structure *s = *structure;
  free_setup(s);
  for (ptrdiff_t i = 0; s->name && i < s->n; i++) ms_free(s->ctx, &s->name[i]);
  for (ptrdiff_t i = 0; i < s->n_alias; i++) ms_free(s->ctx, &s->alias[i].name);
  ms_attachments_close(s);
  forget_springs(s);
  double **part[] = { &s->M, &s->K, &s->mass, &s->zeta, &s->C, &s->momentum };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(s->ctx, part[i]);
  ms_free(s->ctx, &s->name);
  ms_free(s->ctx, &s->alias);
  ms_free(s->ctx, structure);
}

void ms_structure_set_contact(ms_structure *s, const struct ms_contact_family *contact) {
  s->contact = contact;
}

ms_status ms_structure_add_alias(ms_structure *s, const char *name, ptrdiff_t i) {
  if (i < MS_GROUND || i >= s->n) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "there is no degree of freedom %td; there are %td", i,
                   s->n);
  }
  MS_TRY(ms_resize(s->ctx, s->n_alias + 1, sizeof *s->alias, &s->alias));
  s->alias[s->n_alias] = (ms_alias) { .i = i };
  MS_TRY(ms_text_copy(s->ctx, name, &s->alias[s->n_alias].name));
  s->n_alias++;
  return MS_SUCCESS;
}

/* ---- matrices ---- */

/* Finite and symmetric, or a message that names the worst pair of coordinates. */
static ms_status check_symmetric(const ms_structure *s, const double *A, const char *what) {
  double largest = 0.0, worst = 0.0;
  ptrdiff_t n = s->n, wi = 0, wj = 0;
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      double a = A[i + n * j], skew = fabs(a - A[j + n * i]);
      if (!isfinite(a)) {
        return ms_fail(s->ctx, MS_ERR_NUMERIC, "%s matrix: entry (%s, %s) is not finite", what,
                       s->name[i], s->name[j]);
      }
      largest = fmax(largest, fabs(a));
      if (skew > worst) worst = skew, wi = i, wj = j;
    }
  }
  if (worst <= ms_structure_tol.symmetry * largest) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "%s matrix is not symmetric: (%s, %s) is %g but (%s, %s) is %g", what, s->name[wi],
                 s->name[wj], A[wi + n * wj], s->name[wj], s->name[wi], A[wj + n * wi]);
}

ms_status ms_structure_copy_symmetric(ms_structure *s, const double *A, const char *what,
                                      double *to) {
  MS_TRY(check_symmetric(s, A, what));
  ptrdiff_t n = s->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) to[i + n * j] = 0.5 * (A[i + n * j] + A[j + n * i]);
  }
  s->ready = 0;
  return MS_SUCCESS;
}

ms_status ms_structure_set_mass(ms_structure *s, const double *M) {
  MS_TRY(ms_structure_copy_symmetric(s, M, "mass", s->M));
  ms_free(s->ctx, &s->mass);
  return MS_SUCCESS;
}

ms_status ms_structure_set_stiffness(ms_structure *s, const double *K) {
  MS_TRY(ms_structure_set_rounding(s, (ms_rounding) { .doubt = ms_structure_tol.doubt }));
  MS_TRY(ms_structure_copy_symmetric(s, K, "stiffness", s->K));
  forget_springs(s);
  return MS_SUCCESS;
}

ms_status ms_structure_set_rounding(ms_structure *s, ms_rounding rounding) {
  double *momentum = NULL;
  ptrdiff_t n = s->n * rounding.n_free;
  if (n > 0) {
    MS_TRY(ms_allocate(s->ctx, n, sizeof *momentum, &momentum));
    memcpy(momentum, rounding.momentum, (size_t)n * sizeof *momentum);
  }
  ms_free(s->ctx, &s->momentum);
  s->momentum = momentum;
  s->rounding = rounding;
  s->rounding.momentum = momentum;
  return MS_SUCCESS;
}

ms_status ms_structure_check_coordinate(const ms_structure *s, ptrdiff_t i) {
  if (i >= MS_GROUND && i < s->n) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "there is no degree of freedom %td; there are %td", i,
                 s->n);
}

ms_status ms_structure_add_mass(ms_structure *s, ptrdiff_t i, double m) {
  MS_TRY(ms_structure_check_coordinate(s, i));
  if (!(m > 0.0 && m < HUGE_VAL) || i == MS_GROUND) {
    return ms_fail(s->ctx, MS_ERR_BOUNDS, "mass %g on %s: it must be > 0, on a degree of freedom",
                   m, i == MS_GROUND ? "ground" : s->name[i]);
  }
  if (!s->mass) MS_TRY(ms_allocate(s->ctx, s->n, sizeof *s->mass, &s->mass));
  s->M[i + s->n * i] += m;
  s->mass[i] += m;
  s->ready = 0;
  return MS_SUCCESS;
}

/* A += k b b^T for b = e_j - e_i, either of them perhaps the ground. */
static void add_between(double *A, ptrdiff_t n, ptrdiff_t i, ptrdiff_t j, double k) {
  if (i != MS_GROUND) A[i + n * i] += k;
  if (j != MS_GROUND) A[j + n * j] += k;
  if (i == MS_GROUND || j == MS_GROUND) return;
  A[i + n * j] -= k;
  A[j + n * i] -= k;
}

void ms_structure_stiffen(ms_structure *s, ptrdiff_t i, double change) {
  add_between(s->K, s->n, s->spring[i].from, s->spring[i].to, change);
}

ms_status ms_structure_keep_spring(ms_structure *s, const char *name, ptrdiff_t i, ptrdiff_t j,
                                   double k) {
  char number[24];
  snprintf(number, sizeof number, "%td", s->n_spring + 1);
  MS_TRY(ms_resize(s->ctx, s->n_spring + 1, sizeof *s->spring, &s->spring));
  ms_spring *own = &s->spring[s->n_spring];
  *own = (ms_spring) { NULL, i, j, k };
  MS_TRY(ms_text_copy(s->ctx, name ? name : number, &own->name));
  s->n_spring++;
  return MS_SUCCESS;
}

ms_status ms_structure_add_spring(ms_structure *s, ptrdiff_t i, ptrdiff_t j, double k) {
  return ms_structure_add_named_spring(s, NULL, i, j, k);
}

ms_status ms_structure_add_named_spring(ms_structure *s, const char *name, ptrdiff_t i, ptrdiff_t j,
                                        double k) {
  MS_TRY(ms_structure_check_coordinate(s, i));
  MS_TRY(ms_structure_check_coordinate(s, j));
  if (i == j) return ms_fail(s->ctx, MS_ERR_ARGUMENT, "a spring needs two different ends");
  if (!isfinite(k)) return ms_fail(s->ctx, MS_ERR_NUMERIC, "spring stiffness %g is not finite", k);
  MS_TRY(ms_structure_keep_spring(s, name, i, j, k));
  add_between(s->K, s->n, i, j, k);
  s->ready = 0;
  return MS_SUCCESS;
}

/* ---- damping ---- */

ms_status ms_structure_set_modal_damping(ms_structure *s, const double *zeta) {
  for (ptrdiff_t r = 0; r < s->n; r++) {
    if (zeta[r] >= 0.0 && zeta[r] < HUGE_VAL) continue;
    return ms_fail(s->ctx, MS_ERR_BOUNDS, "damping ratio %g of mode %td must be >= 0", zeta[r],
                   r + 1);
  }
  MS_TRY(ms_resize(s->ctx, s->n, sizeof *s->zeta, &s->zeta));
  memcpy(s->zeta, zeta, (size_t)s->n * sizeof *zeta);
  s->damping = MS_DAMPING_MODAL;
  s->ready = 0;
  return MS_SUCCESS;
}

ms_status ms_structure_set_rayleigh_damping(ms_structure *s, double mass, double stiffness) {
  if (!(mass >= 0.0 && stiffness >= 0.0 && mass < HUGE_VAL && stiffness < HUGE_VAL)) {
    return ms_fail(s->ctx, MS_ERR_BOUNDS, "Rayleigh coefficients %g and %g must be >= 0", mass,
                   stiffness);
  }
  s->rayleigh[0] = mass;
  s->rayleigh[1] = stiffness;
  s->damping = MS_DAMPING_RAYLEIGH;
  s->ready = 0;
  return MS_SUCCESS;
}

ms_status ms_structure_set_damping(ms_structure *s, const double *C) {
  if (!s->C) MS_TRY(ms_structure_allocate_square(s->ctx, s->n, &s->C));
  MS_TRY(ms_structure_copy_symmetric(s, C, "damping", s->C));
  s->damping = MS_DAMPING_MATRIX;
  return MS_SUCCESS;
}

ms_status ms_structure_change_damping(ms_structure *s, ptrdiff_t r, double zeta) {
  if (!s->zeta) MS_TRY(ms_allocate(s->ctx, s->n, sizeof *s->zeta, &s->zeta));
  s->damping = MS_DAMPING_MODAL;
  s->zeta[r] = zeta;
  if (s->ready) s->modal_damping[r] = 2.0 * zeta * s->omega[r];
  return MS_SUCCESS;
}

/* ---- setup ---- */

/* A := Phi^T C Phi, by plain loops: done once. */
static ms_status project_damping(ms_structure *s, double *A) {
  ptrdiff_t n = s->n;
  double *work;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *work, &work));
  for (ptrdiff_t r = 0; r < n; r++) {
    const double *phi = s->shape + n * r;
    for (ptrdiff_t i = 0; i < n; i++) {
      work[i] = 0.0;
      for (ptrdiff_t k = 0; k < n; k++) work[i] += s->C[k + n * i] * phi[k];
    }
    for (ptrdiff_t q = 0; q < n; q++) {
      double sum = 0.0;
      for (ptrdiff_t i = 0; i < n; i++) sum += s->shape[i + n * q] * work[i];
      A[q + n * r] = sum;
    }
  }
  ms_free(s->ctx, &work);
  return MS_SUCCESS;
}

static ms_status make_matrix_damping(ms_structure *s) {
  ptrdiff_t n = s->n;
  double off = 0.0, largest = 0.0;
  MS_TRY(ms_structure_allocate_square(s->ctx, n, &s->modal_damping_full));
  MS_TRY(project_damping(s, s->modal_damping_full));
  for (ptrdiff_t r = 0; r < n; r++) {
    s->modal_damping[r] = s->modal_damping_full[r + n * r];
    for (ptrdiff_t q = 0; q < n; q++) {
      double a = fabs(s->modal_damping_full[q + n * r]);
      largest = fmax(largest, a);
      if (q != r) off = fmax(off, a);
    }
  }
  if (off <= ms_structure_tol.diagonal * largest) ms_free(s->ctx, &s->modal_damping_full);
  return MS_SUCCESS;
}

static ms_status make_damping(ms_structure *s) {
  MS_TRY(ms_allocate(s->ctx, s->n, sizeof *s->modal_damping, &s->modal_damping));
  if (s->damping == MS_DAMPING_MATRIX) return make_matrix_damping(s);
  for (ptrdiff_t r = 0; r < s->n; r++) {
    double w = s->omega[r];
    if (s->damping == MS_DAMPING_MODAL) s->modal_damping[r] = 2.0 * s->zeta[r] * w;
    if (s->damping == MS_DAMPING_RAYLEIGH) {
      s->modal_damping[r] = s->rayleigh[0] + s->rayleigh[1] * w * w;
    }
  }
  return MS_SUCCESS;
}

static void fill_stiffness(const ms_structure *s, int slipped, double *K) {
  memcpy(K, s->K, (size_t)(s->n * s->n) * sizeof *K);
  ms_attachments_add_stiffness(s, slipped, K);
}

static ms_status solve_with(ms_structure *s, int slipped, double *omega, double *shape) {
  double *K;
  MS_TRY(ms_structure_allocate_square(s->ctx, s->n, &K));
  fill_stiffness(s, slipped, K);
  ms_status status = ms_modes_solve(s->ctx, s->n, K, s->M, &s->rounding, s->name, omega, shape);
  ms_free(s->ctx, &K);
  if (status == MS_SUCCESS) return status;
  return ms_fail_at(s->ctx, status, slipped ? "slipped modes" : "stuck modes");
}

static ms_status solve_both(ms_structure *s) {
  MS_TRY(solve_with(s, 0, s->omega, s->shape));
  if (ms_attachments_slip(s)) return solve_with(s, 1, s->omega_slip, s->shape_slip);
  memcpy(s->omega_slip, s->omega, (size_t)s->n * sizeof *s->omega);
  memcpy(s->shape_slip, s->shape, (size_t)(s->n * s->n) * sizeof *s->shape);
  return MS_SUCCESS;
}

static ms_status begin_setup(ms_structure *s) {
  ptrdiff_t n = s->n;
  free_setup(s);
  MS_TRY(ms_attachments_find_stuck(s));
  MS_TRY(ms_allocate(s->ctx, n, sizeof(double), &s->omega));
  MS_TRY(ms_allocate(s->ctx, n, sizeof(double), &s->omega_slip));
  MS_TRY(ms_structure_allocate_square(s->ctx, n, &s->shape));
  return ms_structure_allocate_square(s->ctx, n, &s->shape_slip);
}

ms_status ms_structure_setup(ms_structure *s) {
  MS_TRY(begin_setup(s));
  MS_TRY(solve_both(s));
  MS_TRY(ms_attachments_project(s));
  MS_TRY(make_damping(s));
  s->ready = 1;
  return MS_SUCCESS;
}

static ms_status check_with(ms_structure *s, int slipped) {
  double *K;
  MS_TRY(ms_structure_allocate_square(s->ctx, s->n, &K));
  fill_stiffness(s, slipped, K);
  ms_status status = ms_modes_check_stiffness(s->ctx, s->n, K, s->M, &s->rounding, s->name);
  ms_free(s->ctx, &K);
  if (status == MS_SUCCESS) return status;
  return ms_fail_at(s->ctx, status, slipped ? "slipped modes" : "stuck modes");
}

ms_status ms_structure_outline(ms_structure *s) {
  MS_TRY(begin_setup(s));
  MS_TRY(ms_modes_check_mass(s->ctx, s->n, s->M, s->name));
  MS_TRY(check_with(s, 0));
  if (ms_attachments_slip(s)) MS_TRY(check_with(s, 1));
  ms_structure_stand_in(s);
  MS_TRY(ms_attachments_project(s));
  if (s->damping == MS_DAMPING_MATRIX) {
    MS_TRY(ms_allocate(s->ctx, s->n, sizeof *s->modal_damping, &s->modal_damping));
  } else {
    MS_TRY(make_damping(s));
  }
  s->ready = 1;
  return MS_SUCCESS;
}

/* ---- what it is ---- */

ptrdiff_t ms_structure_get_size(const ms_structure *s) {
  return s->n;
}

const char *ms_structure_get_name(const ms_structure *s, ptrdiff_t i) {
  return i == MS_GROUND ? "ground" : i >= 0 && i < s->n ? s->name[i] : NULL;
}

static const char *listed_name(const void *list, int i) {
  return ((char *const *)list)[i];
}

ms_status ms_structure_find(const ms_structure *s, const char *name, ptrdiff_t *out) {
  *out = MS_GROUND;
  if (strcmp(name, "ground") == 0) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (strcmp(s->name[i], name) != 0) continue;
    *out = i;
    return MS_SUCCESS;
  }
  for (ptrdiff_t k = 0; k < s->n_alias; k++) {
    if (strcmp(s->alias[k].name, name) != 0) continue;
    *out = s->alias[k].i;
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, listed_name, s->name, (int)s->n);
  if (near) {
    return ms_fail(s->ctx, MS_ERR_NAME, "there is no degree of freedom '%s'; did you mean '%s'?",
                   name, near);
  }
  enum { FEW = 12 };
  char all[240] = "";
  for (ptrdiff_t k = 0; k < s->n && s->n <= FEW; k++) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", k > 0 ? ", " : "", s->name[k]);
  }
  if (*all)
    return ms_fail(s->ctx, MS_ERR_NAME, "there is no degree of freedom '%s'; there are %s", name,
                   all);
  return ms_fail(s->ctx, MS_ERR_NAME, "there is no degree of freedom '%s'; the first is '%s'", name,
                 s->name[0]);
}

int ms_name_is_rotation(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".rx") == 0 || strcmp(dot, ".ry") == 0 || strcmp(dot, ".rz") == 0);
}

/* "n12.x" or "n12.ux" */
static int is_along(const char *name, int direction) {
  const char *dot = strrchr(name, '.');
  if (!dot) return 0;
  if (dot[1] == 'u') dot++;
  return dot[1] == 'x' + direction && dot[2] == '\0';
}

ms_status ms_structure_fill_translation(const ms_structure *s, int direction, double *iota) {
  ptrdiff_t found = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    const int along = is_along(s->name[i], direction);
    iota[i] = along;
    found += along;
  }
  if (found > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_NAME,
                 "no degree of freedom has a name along %c, such as 'n12.%c'; a base must be true "
                 "or name the degrees of freedom that follow it",
                 'x' + direction, 'x' + direction);
}

const double *ms_structure_get_mass(const ms_structure *s) {
  return s->M;
}

void ms_structure_apply_mass(const ms_structure *s, double factor, const double *x, double *y) {
  for (ptrdiff_t j = 0; j < s->n; j++) {
    for (ptrdiff_t i = 0; i < s->n; i++) y[i] += factor * s->M[i + s->n * j] * x[j];
  }
}

const double *ms_structure_get_stiffness(const ms_structure *s) {
  return s->K;
}

void ms_structure_fill_stuck(const ms_structure *s, double *K) {
  fill_stiffness(s, 0, K);
}

int ms_structure_count_joints(const ms_structure *s) {
  return s->n_attachment;
}

ms_joint *ms_structure_get_joint(const ms_structure *s, int index) {
  return index >= 0 && index < s->n_attachment ? s->attachment[index].joint : NULL;
}

const char *ms_structure_get_joint_name(const ms_structure *s, int index) {
  return index >= 0 && index < s->n_attachment ? s->attachment[index].name : NULL;
}

ms_modes ms_structure_get_stuck(const ms_structure *s) {
  return (ms_modes) { s->ready ? s->n : 0, s->omega, s->shape };
}

ms_modes ms_structure_get_slipped(const ms_structure *s) {
  return (ms_modes) { s->ready ? s->n : 0, s->omega_slip, s->shape_slip };
}

double ms_structure_get_damping_ratio(const ms_structure *s, ptrdiff_t r) {
  if (!s->ready || r < 0 || r >= s->n || s->omega[r] == 0.0) return 0.0;
  return s->modal_damping[r] / (2.0 * s->omega[r]);
}

/* phi^T B C_J B^T phi = 2 zeta omega. */
double ms_structure_get_joint_damping_ratio(const ms_structure *s, ptrdiff_t r) {
  if (!s->ready || r < 0 || r >= s->n || s->omega[r] == 0.0) return 0.0;
  double sum = 0.0;
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    int n = ms_joint_info(attachment->joint)->n_axis;
    const double *g = s->gamma + r + s->n * attachment->first;
    for (int ab = 0; ab < n * n; ab++) {
      sum += g[s->n * (ab % n)] * attachment->dashpot[ab] * g[s->n * (ab / n)];
    }
  }
  return sum / (2.0 * s->omega[r]);
}

/* C = (M Phi) c (M Phi)^T. */
ms_status ms_structure_fill_damping(const ms_structure *s, double *C) {
  ptrdiff_t n = s->n;
  if (!s->ready) return ms_fail(s->ctx, MS_ERR_STATE, "call ms_structure_setup first");
  if (s->damping == MS_DAMPING_MATRIX) {
    memcpy(C, s->C, (size_t)(n * n) * sizeof *C);
    return MS_SUCCESS;
  }
  double *MX, *MXc;
  const int m = (int)n;
  MS_TRY(ms_allocate(s->ctx, n * n, sizeof *MX, &MX));
  ms_status status = ms_allocate(s->ctx, n * n, sizeof *MXc, &MXc);
  if (status == MS_SUCCESS) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1.0, s->M, m, s->shape, m, 0.0,
                MX, m);
    for (ptrdiff_t i = 0; i < n * n; i++) MXc[i] = MX[i] * s->modal_damping[i / n];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, m, m, 1.0, MXc, m, MX, m, 0.0, C, m);
    for (ptrdiff_t i = 0; i < n; i++) /* symmetric to the last bit */
      for (ptrdiff_t j = 0; j < i; j++) C[j + n * i] = C[i + n * j];
  }
  ms_free(s->ctx, &MXc);
  ms_free(s->ctx, &MX);
  return status;
}
