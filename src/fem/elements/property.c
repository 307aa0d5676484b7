/* Parts made ready for their elements: elasticity in global axes, checked values.

     S, D   compliance and stiffness of the normal strains along the material's axes, 3 x 3
     C      elasticity tensor, C_abcd = Q_ai Q_bj Q_ck Q_dl C'_ijkl, Q the material's axes */
#include <math.h>

#include "fem/impl.h"
#include "fem/tolerance.h"

ms_material ms_material_isotropic(double E, double nu, double rho) {
  double G = E / (2.0 * (1.0 + nu));
  return (ms_material) { .rho = rho, .E = { E, E, E }, .nu = { nu, nu, nu }, .G = { G, G, G } };
}

/* ---- elasticity ---- */

static ms_status check_material(ms_context *ctx, const ms_part *part) {
  const ms_material *m = &part->material;
  if (!(m->rho >= 0.0) || !isfinite(m->rho)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "part '%s': density is %g kg/m3; it must not be negative",
                   part->name, m->rho);
  }
  if (m->E[0] == 0.0 && m->G[0] == 0.0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "part '%s' has no material; give it one", part->name);
  }
  for (int i = 0; i < 3; i++) {
    if (!(m->E[i] > 0.0 && m->G[i] > 0.0) || !isfinite(m->E[i] + m->G[i] + m->nu[i])) {
      return ms_fail(ctx, MS_ERR_BOUNDS,
                     "part '%s': moduli must be above 0, but E is %g and G is %g Pa", part->name,
                     m->E[i], m->G[i]);
    }
  }
  return MS_SUCCESS;
}

static int is_isotropic(const ms_material *m) {
  double G = m->E[0] / (2.0 * (1.0 + m->nu[0]));
  for (int i = 0; i < 3; i++) {
    if (fabs(m->E[i] - m->E[0]) > ms_mesh_tol.isotropy * m->E[0] ||
        fabs(m->nu[i] - m->nu[0]) > ms_mesh_tol.isotropy ||
        fabs(m->G[i] - G) > ms_mesh_tol.isotropy * G) {
      return 0;
    }
  }
  return 1;
}

/* D = S^-1, or 1 if S is not positive definite. */
static int invert_compliance(const ms_material *m, double D[3][3]) {
  double a = 1.0 / m->E[0], b = 1.0 / m->E[1], c = 1.0 / m->E[2];
  double d = -m->nu[0] * a, e = -m->nu[1] * a, f = -m->nu[2] * b; /* S_12, S_13, S_23 */
  double det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  if (!(a * b - d * d > 0.0 && det > 0.0)) return 1;
  D[0][0] = (b * c - f * f) / det;
  D[1][1] = (a * c - e * e) / det;
  D[2][2] = (a * b - d * d) / det;
  D[0][1] = D[1][0] = (e * f - d * c) / det;
  D[0][2] = D[2][0] = (d * f - e * b) / det;
  D[1][2] = D[2][1] = (d * e - a * f) / det;
  return 0;
}

/* C'_ijkl of the material in its own axes. */
static double along_axes(double D[3][3], const double *G, int i, int j, int k, int l) {
  if (i == j && k == l) return D[i][k];
  if (i == j || !((i == k && j == l) || (i == l && j == k))) return 0.0;
  return G[i + j - 1]; /* 12, 13, 23 */
}

static void rotate_elasticity(double D[3][3], const double *G, const double *Q, double *C) {
  for (int n = 0; n < 81; n++) {
    int a = n % 3, b = n / 3 % 3, c = n / 9 % 3, d = n / 27;
    C[n] = 0.0;
    for (int m = 0; m < 81; m++) {
      int i = m % 3, j = m / 3 % 3, k = m / 9 % 3, l = m / 27;
      double value = along_axes(D, G, i, j, k, l);
      C[n] += Q[a + 3 * i] * Q[b + 3 * j] * Q[c + 3 * k] * Q[d + 3 * l] * value;
    }
  }
}

static ms_status prepare_material(ms_context *ctx, const ms_part *part, ms_property *out) {
  const ms_material *m = &part->material;
  const double times = part->times > 0.0 ? part->times : 1.0;
  MS_TRY(check_material(ctx, part));
  double D[3][3];
  if (invert_compliance(m, D)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "part '%s': Poisson ratios %g, %g, %g give a negative energy; an isotropic "
                   "material needs one between -1 and 0.5",
                   part->name, m->nu[0], m->nu[1], m->nu[2]);
  }
  out->rho = times * m->rho;
  out->isotropic = is_isotropic(m);
  out->mu = times * m->G[0];
  out->lambda = times * D[0][1];
  out->E = times * m->E[0];
  out->G = times * m->G[0];
  rotate_elasticity(D, m->G, out->axes, out->C);
  for (int i = 0; i < 81; i++) out->C[i] *= times;
  return MS_SUCCESS;
}

/* ---- the rest ---- */

static ms_status prepare_axes(ms_context *ctx, const ms_part *part, double *Q) {
  double sum = 0.0, skew = 0.0;
  for (int i = 0; i < 9; i++) sum += fabs(part->axes[i]);
  for (int i = 0; i < 9; i++) Q[i] = sum > 0.0 ? part->axes[i] : i % 4 == 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double dot = Q[3 * i] * Q[3 * j] + Q[3 * i + 1] * Q[3 * j + 1] + Q[3 * i + 2] * Q[3 * j + 2];
      skew = fmax(skew, fabs(dot - (i == j)));
    }
  }
  if (skew < ms_mesh_tol.skew) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "part '%s': its axes must be three unit vectors at right angles to each other",
                 part->name);
}

static ms_status check_section(ms_context *ctx, const ms_part *part, ms_property *out) {
  const ms_beam_section *s = &part->section;
  if (!(s->A > 0.0 && s->Iy > 0.0 && s->Iz > 0.0 && s->J > 0.0)) {
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "part '%s': a beam's section needs A, Iy, Iz and J above 0, but they are %g, %g, "
        "%g and %g",
        part->name, s->A, s->Iy, s->Iz, s->J);
  }
  if (!isfinite(s->A + s->Iy + s->Iz + s->J + s->shear_y + s->shear_z) ||
      !(s->shear_y >= 0.0 && s->shear_z >= 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "part '%s': the section must be finite, its shear factors %g "
                   "and %g not negative",
                   part->name, s->shear_y, s->shear_z);
  }
  out->section = *s;
  return MS_SUCCESS;
}

/* m >= 0 and inertia positive semidefinite, by its principal minors. */
static ms_status check_mass(ms_context *ctx, const ms_part *part, ms_property *out) {
  const double *I = part->inertia;
  double slack = ms_mesh_tol.inertia * (fabs(I[0]) + fabs(I[1]) + fabs(I[2]));
  double det = I[0] * (I[1] * I[2] - I[4] * I[4]) - I[3] * (I[3] * I[2] - I[4] * I[5]) +
               I[5] * (I[3] * I[4] - I[1] * I[5]);
  int good =
      part->mass >= 0.0 && isfinite(part->mass) && isfinite(det) && I[0] >= 0.0 && I[1] >= 0.0 &&
      I[2] >= 0.0 && det >= -slack * slack * slack && I[0] * I[1] - I[3] * I[3] >= -slack * slack &&
      I[1] * I[2] - I[4] * I[4] >= -slack * slack && I[0] * I[2] - I[5] * I[5] >= -slack * slack;
  if (!good) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "part '%s': its mass must not be negative, nor its inertia about any axis",
                   part->name);
  }
  out->mass = part->mass;
  for (int i = 0; i < 6; i++) out->inertia[i] = I[i];
  return MS_SUCCESS;
}

ms_status ms_property_prepare(ms_context *ctx, const ms_part *part, int needs, ms_property *out) {
  *out = (ms_property) { .rho = 0.0 };
  MS_TRY(prepare_axes(ctx, part, out->axes));
  if (needs & MS_NEEDS_MATERIAL) MS_TRY(prepare_material(ctx, part, out));
  if (needs & MS_NEEDS_SECTION) MS_TRY(check_section(ctx, part, out));
  if (needs & MS_NEEDS_MASS) MS_TRY(check_mass(ctx, part, out));
  if (needs & MS_NEEDS_STIFFNESS) {
    for (int i = 0; i < 6; i++) {
      out->stiffness[i] = part->stiffness[i];
      if (part->stiffness[i] >= 0.0 && isfinite(part->stiffness[i])) continue;
      return ms_fail(ctx, MS_ERR_BOUNDS, "part '%s': stiffness %d is %g; it must not be negative",
                     part->name, i + 1, part->stiffness[i]);
    }
  }
  return MS_SUCCESS;
}
