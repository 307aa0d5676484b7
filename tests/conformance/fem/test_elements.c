/* Every element of the table: symmetry, rigid motions and the number of displacements without
   energy, mass and inertia, rotation and renumbering, elements inside out; and for solids patches
   of distorted elements under constant strain. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/meshes.h"

#define N MS_ELEMENT_DOF

/* One element with distorted nodes and everything that the table asks for. */
typedef struct specimen {
  const ms_element *e;
  ms_property p;
  int n; /* unknowns */
  double x[3 * MS_ELEMENT_NODES], K[N * N], M[N * N];
} specimen;

static const double map[9] = { 0.83, 0.11, -0.17, -0.21, 1.07, 0.13, 0.09, -0.15, 0.71 };
static const double shift[3] = { 2.385, -1.17, 0.613 };

/* Corners strayed by `amount` from the affine place, nodes between them along. */
static void distort(const ms_element *e, double amount, double *x) {
  test_affine(e->info.n_node, map, shift, e->info.coords, x);
  for (int i = 0; e->info.dimension == 3 && i < 3 * e->info.n_node; i++) {
    x[i] += amount * sin(3.1 * i + 0.7);
  }
}

static specimen make(int k, int orthotropic, double amount) {
  specimen s = { .e = ms_elements[k] };
  ms_part part = test_part(orthotropic);
  s.n = s.e->info.n_node * s.e->info.n_dof;
  CHECK_OK(ms_property_prepare(test_context(), &part, s.e->info.needs, &s.p));
  distort(s.e, amount, s.x);
  CHECK_EQUAL(ms_element_make_stiffness(s.e, &s.p, s.x, s.K), 0);
  CHECK_EQUAL(ms_element_make_mass(s.e, &s.p, s.x, s.M), 0);
  return s;
}

static double largest(int n, const double *A) {
  double most = 0.0;
  for (int i = 0; i < n * n; i++) most = fmax(most, fabs(A[i]));
  return most;
}

static double quadratic(int n, const double *A, const double *u, const double *v) {
  double sum = 0.0;
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < n; r++) sum += u[r] * A[r + n * c] * v[c];
  }
  return sum;
}

/* Rigid motion m of the nodes: translations, then rotations about the axes. */
static void rigid(const specimen *s, int m, double *u) {
  memset(u, 0, sizeof *u * (size_t)s->n);
  for (int i = 0; i < s->e->info.n_node; i++) {
    double *to = u + s->e->info.n_dof * i, w[3] = { m == 3, m == 4, m == 5 };
    const double *x = s->x + 3 * i;
    if (m < 3) to[m] = 1.0;
    if (m < 3) continue;
    to[0] = w[1] * x[2] - w[2] * x[1];
    to[1] = w[2] * x[0] - w[0] * x[2];
    to[2] = w[0] * x[1] - w[1] * x[0];
    for (int a = 0; s->e->info.n_dof == 6 && a < 3; a++) to[3 + a] = w[a];
  }
}

/* ---- the table ---- */

static void test_table(void) {
  CHECK(ms_n_elements >= 13);
  for (int k = 0; k < ms_n_elements; k++) {
    const ms_element_info *i = ms_element_get(k), *found;
    CHECK_OK(ms_element_find(test_context(), i->name, &found));
    CHECK(found == i && ms_element_of(i) == ms_elements[k]);
    CHECK(i->n_node >= 1 && i->n_node <= MS_ELEMENT_NODES && (i->n_dof == 3 || i->n_dof == 6));
    CHECK(i->title && i->reference && i->coords && i->needs && i->vtk > 0);
    CHECK((i->dimension == 3) == (i->n_face > 0) && (i->n_face > 0) == (i->face != NULL));
    CHECK((i->dimension == 3) == (ms_elements[k]->quality != NULL));
  }
  const ms_element_info *none;
  CHECK_STATUS(ms_element_find(test_context(), "hex21", &none), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "did you mean 'hex20'");
  CHECK(ms_element_get(-1) == NULL && ms_element_get(ms_n_elements) == NULL);
}

static void test_symmetry(void) {
  for (int k = 0; k < 2 * ms_n_elements; k++) {
    specimen s = make(k / 2, k % 2, 0.04);
    double worst = 0.0;
    for (int i = 0; i < s.n * s.n; i++) {
      int j = i / s.n + s.n * (i % s.n);
      worst = fmax(worst, fabs(s.K[i] - s.K[j]) / (1.0 + largest(s.n, s.K)));
      worst = fmax(worst, fabs(s.M[i] - s.M[j]) / (1.0 + largest(s.n, s.M)));
    }
    CHECK_BELOW(worst, 1e-15);
  }
}

/* K u = 0 for what moves as a body, unless it is tied to the ground. */
static void test_rigid_motions(void) {
  for (int k = 0; k < 2 * ms_n_elements; k++) {
    specimen s = make(k / 2, k % 2, 0.04);
    int coincident = s.e->info.n_node == 2 && s.e->info.n_dof == 3; /* and so is no rotation felt */
    if (s.e->info.n_zero_energy == 0) continue;
    for (int m = 0; m < (coincident ? 3 : 6); m++) {
      double u[N], Ku, worst = 0.0;
      rigid(&s, m, u);
      for (int r = 0; r < s.n; r++) {
        Ku = 0.0;
        for (int c = 0; c < s.n; c++) Ku += s.K[r + s.n * c] * u[c];
        worst = fmax(worst, fabs(Ku) / (largest(s.n, s.K) + 1e-300));
      }
      if (!test_below(__FILE__, __LINE__, s.e->info.name, worst, 2e-14)) return;
    }
  }
}

/* Eigenvalues: as many zeros as the table says, the rest far above. */
static void test_zero_energy(void) {
  for (int k = 0; k < 2 * ms_n_elements; k++) {
    specimen s = make(k / 2, k % 2, 0.04);
    double value[N], top = largest(s.n, s.K);
    int zeros = 0;
    CHECK_EQUAL(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', s.n, s.K, s.n, value), 0);
    for (int i = 0; i < s.n; i++) zeros += value[i] < 1e-12 * top || top == 0.0;
    if (!test_equal(__FILE__, __LINE__, s.e->info.name, zeros, s.e->info.n_zero_energy)) continue;
    CHECK(value[0] >= -1e-13 * top);
    if (zeros < s.n) CHECK(value[zeros] > 1e-5 * value[s.n - 1]);
  }
}

/* ---- mass ---- */

/* The reference cells as tetrahedra of their corners. */
static const int hex_tets[6][4] = { { 0, 1, 2, 6 }, { 0, 2, 3, 6 }, { 0, 3, 7, 6 },
                                    { 0, 7, 4, 6 }, { 0, 4, 5, 6 }, { 0, 5, 1, 6 } };
static const int wedge_tets[3][4] = { { 0, 1, 2, 3 }, { 1, 4, 5, 3 }, { 1, 5, 2, 3 } };
static const int tet_tets[1][4] = { { 0, 1, 2, 3 } };

static int decompose(const ms_element *e, const int (**tets)[4]) {
  *tets = e->info.n_face == 6 ? hex_tets : e->info.n_face == 5 ? wedge_tets : tet_tets;
  return e->info.n_face == 6 ? 6 : e->info.n_face == 5 ? 3 : 1;
}

/* Volume and integral of x x^T, V/20 (sum x_i x_i^T + (sum x_i)(sum x_i)^T) for a tetrahedron. */
static double moments(const ms_element *e, const double *x, double *second) {
  const int(*tets)[4];
  int n = decompose(e, &tets);
  double volume = 0.0;
  memset(second, 0, 9 * sizeof *second);
  for (int t = 0; t < n; t++) {
    double d[9], sum[3] = { 0.0 };
    for (int i = 0; i < 9; i++)
      d[i] = x[3 * tets[t][1 + i / 3] + i % 3] - x[3 * tets[t][0] + i % 3];
    double V = (d[0] * (d[4] * d[8] - d[5] * d[7]) - d[3] * (d[1] * d[8] - d[2] * d[7]) +
                d[6] * (d[1] * d[5] - d[2] * d[4])) /
               6.0;
    volume += V;
    for (int i = 0; i < 12; i++) sum[i % 3] += x[3 * tets[t][i / 3] + i % 3];
    for (int i = 0; i < 9; i++) {
      second[i] += V / 20.0 * sum[i % 3] * sum[i / 3];
      for (int k = 0; k < 4; k++) {
        second[i] += V / 20.0 * x[3 * tets[t][k] + i % 3] * x[3 * tets[t][k] + i / 3];
      }
    }
  }
  return volume;
}

/* Mass in each direction, and moments of inertia, of the affine cell, whose faces are flat. */
static void test_mass_of_solids(void) {
  for (int k = 0; k < ms_n_elements; k++) {
    specimen s = make(k, 0, 0.0);
    double S[9], u[N], v[N];
    if (s.e->info.dimension != 3) continue;
    double volume = moments(s.e, s.x, S), trace = S[0] + S[4] + S[8];
    CHECK_CLOSE(s.e->quality(s.x).volume, volume, 1e-13);
    for (int m = 0; m < 6; m++) {
      for (int l = 0; l < 6; l++) {
        if (m / 3 != l / 3) continue;
        int a = m % 3, b = l % 3;
        double want = m < 3 ? (m == l ? volume : 0.0) : (m == l ? trace : 0.0) - S[a + 3 * b];
        rigid(&s, m, u);
        rigid(&s, l, v);
        CHECK_NEAR(quadratic(s.n, s.M, u, v), 2.7 * want, 1e-13 * 2.7 * trace);
      }
    }
  }
}

static double total_of(const specimen *s) {
  const double *x = s->x;
  double L = hypot(hypot(x[3] - x[0], x[4] - x[1]), x[5] - x[2]);
  if (s->e->info.dimension == 3) return 2.7 * s->e->quality(s->x).volume;
  if (s->e->info.dimension == 1) return 2.7 * 0.173 * L;
  return s->e->info.needs == MS_NEEDS_MASS ? 4.19 : 0.0;
}

/* Distorted: the sum of consistent and lumped mass in each direction; lumped is never negative. */
static void test_total_mass(void) {
  for (int k = 0; k < ms_n_elements; k++) {
    specimen s = make(k, 0, 0.04);
    double lumped[N], u[N], total = total_of(&s);
    int d = s.e->info.n_dof;
    CHECK_EQUAL(ms_element_make_lumped(s.e, &s.p, s.x, lumped), 0);
    for (int a = 0; a < 3; a++) {
      double sum = 0.0;
      for (int i = a; i < s.n; i += d) sum += lumped[i];
      rigid(&s, a, u);
      CHECK_NEAR(quadratic(s.n, s.M, u, u), total, 1e-14 * (1.0 + total));
      CHECK_NEAR(sum, total, 1e-14 * (1.0 + total));
    }
    for (int i = 0; i < s.n; i++) CHECK(lumped[i] >= 0.0 && (total == 0.0 || lumped[i] > 0.0));
  }
}

/* ---- invariance ---- */

/* Everything turned by Q gives the matrices turned by Q. */
static void test_rotation(void) {
  const double Q[9] = { 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6 }, zero[3] = { 0.0 };
  for (int k = 0; k < 2 * ms_n_elements; k++) {
    specimen s = make(k / 2, k % 2, 0.04), t = s;
    ms_part part = test_part(k % 2), turned = part;
    double worst = 0.0, unit[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    test_affine(s.e->info.n_node, Q, zero, s.x, t.x);
    test_affine(3, Q, zero, k % 2 ? part.axes : unit, turned.axes);
    test_affine(1, Q, zero, part.section.y, turned.section.y);
    if (s.e->info.needs == MS_NEEDS_MASS && s.n == 6) continue; /* its tensor is in global axes */
    CHECK_OK(ms_property_prepare(test_context(), &turned, t.e->info.needs, &t.p));
    CHECK_EQUAL(ms_element_make_stiffness(t.e, &t.p, t.x, t.K), 0);
    CHECK_EQUAL(ms_element_make_mass(t.e, &t.p, t.x, t.M), 0);
    for (int c = 0; c < s.n; c++) {
      for (int r = 0; r < s.n; r++) {
        double K = 0.0, M = 0.0;
        for (int i = 0; i < 9; i++) {
          int row = r - r % 3 + i % 3, column = c - c % 3 + i / 3;
          double f = Q[r % 3 + 3 * (i % 3)] * Q[c % 3 + 3 * (i / 3)];
          K += f * s.K[row + s.n * column];
          M += f * s.M[row + s.n * column];
        }
        worst = fmax(worst, fabs(K - t.K[r + s.n * c]) / (1e-300 + largest(s.n, s.K)));
        worst = fmax(worst, fabs(M - t.M[r + s.n * c]) / (1e-300 + largest(s.n, s.M)));
      }
    }
    test_below(__FILE__, __LINE__, s.e->info.name, worst, 1e-14);
  }
}

/* Node numbers of an element after a turn of its reference cell that maps it to itself: found by
   mapping the coordinates. */
static void turn_of(const ms_element *e, int *order) {
  static const double quarter[9] = { 0, 1, 0, -1, 0, 0, 0, 0, 1 };   /* about z */
  static const double cycle[9] = { 0, 1, 0, 0, 0, 1, 1, 0, 0 };      /* x y z to y z x */
  static const double triangle[9] = { -1, 1, 0, -1, 0, 0, 0, 0, 1 }; /* r s to 1-r-s, r */
  static const double half[9] = { -1, 0, 0, 0, 1, 0, 0, 0, -1 };     /* swaps ends */
  static const double zero[3] = { 0.0 }, corner[3] = { 1, 0, 0 };
  double turned[3 * MS_ELEMENT_NODES];
  const double *A = e->info.n_face == 6   ? quarter
                    : e->info.n_face == 5 ? triangle
                    : e->info.n_face == 4 ? cycle
                                          : half;
  test_affine(e->info.n_node, A, A == triangle ? corner : zero, e->info.coords, turned);
  int taken = 0; /* bits: nodes at one place are told apart by their number */
  for (int i = 0; i < e->info.n_node; i++) {
    order[i] = -1;
    for (int j = 0; j < e->info.n_node; j++) {
      const double *a = turned + 3 * i, *b = e->info.coords + 3 * j;
      double d = fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
      if (d < 1e-12 && !(taken >> j & 1)) order[i] = j;
    }
    if (!CHECK(order[i] >= 0)) return;
    taken |= 1 << order[i];
  }
}

static void test_renumbering(void) {
  for (int k = 0; k < 2 * ms_n_elements; k++) {
    specimen s = make(k / 2, k % 2, 0.04), t = s;
    int order[MS_ELEMENT_NODES], d = s.e->info.n_dof;
    double worst = 0.0;
    turn_of(s.e, order);
    if (s.e->info.dimension == 3) CHECK(order[0] != 0 || order[1] != 1);
    for (int i = 0; i < 3 * s.e->info.n_node; i++) t.x[i] = s.x[3 * order[i / 3] + i % 3];
    CHECK_EQUAL(ms_element_make_stiffness(t.e, &t.p, t.x, t.K), 0);
    CHECK_EQUAL(ms_element_make_mass(t.e, &t.p, t.x, t.M), 0);
    for (int c = 0; c < s.n; c++) {
      for (int r = 0; r < s.n; r++) {
        int i = r + s.n * c, j = d * order[r / d] + r % d + s.n * (d * order[c / d] + c % d);
        worst = fmax(worst, fabs(t.K[i] - s.K[j]) / (1e-300 + largest(s.n, s.K)));
        worst = fmax(worst, fabs(t.M[i] - s.M[j]) / (1e-300 + largest(s.n, s.M)));
      }
    }
    test_below(__FILE__, __LINE__, s.e->info.name, worst, 1e-14);
  }
}

/* ---- shapes ---- */

/* Mirrored, flat, or with a node pulled through the element. */
static void test_inside_out(void) {
  for (int k = 0; k < ms_n_elements; k++) {
    specimen s = make(k, 0, 0.04);
    double x[3 * MS_ELEMENT_NODES], A[N * N];
    if (s.e->info.dimension != 3) continue;
    CHECK(s.e->quality(s.x).scaled_jacobian > 0.2 && s.e->quality(s.x).scaled_jacobian <= 1.0);
    for (int how = 0; how < 3; how++) {
      memcpy(x, s.x, sizeof x);
      for (int i = 0; i < s.e->info.n_node; i++) {
        if (how < 2) x[3 * i + 2] = how == 0 ? -s.x[3 * i + 2] : 0.613;
        if (how == 2 && i == 0) x[3 * i + 2] += 4.0;
      }
      CHECK(!(s.e->quality(x).scaled_jacobian > 1e-15));
      if (how == 1) continue; /* rounding decides the sign of nothing */
      CHECK_EQUAL(ms_element_make_stiffness(s.e, &s.p, x, A), 1);
      CHECK_EQUAL(ms_element_make_mass(s.e, &s.p, x, A), 1);
    }
    x[4] = NAN;
    CHECK_EQUAL(ms_element_make_stiffness(s.e, &s.p, x, A), 1);
  }
}

/* Faces point outwards and close: their areas as vectors add up to nothing, and the volume is a
   third of the sum of x . area, for flat faces. */
static void test_faces(void) {
  for (int k = 0; k < ms_n_elements; k++) {
    specimen s = make(k, 0, 0.0);
    double sum[3] = { 0.0 }, volume = 0.0;
    if (s.e->info.dimension != 3) continue;
    for (int f = 0; f < s.e->info.n_face; f++) {
      const ms_face *face = &s.e->info.face[f];
      const double *p0 = s.x + 3 * face->node[0];
      for (int t = 1; t + 1 < face->n_corner; t++) {
        const double *p1 = s.x + 3 * face->node[t], *p2 = s.x + 3 * face->node[t + 1];
        for (int a = 0; a < 3; a++) {
          int b = (a + 1) % 3, c = (a + 2) % 3;
          double area =
              0.5 * ((p1[b] - p0[b]) * (p2[c] - p0[c]) - (p1[c] - p0[c]) * (p2[b] - p0[b]));
          sum[a] += area;
          volume += p0[a] * area / 3.0;
        }
      }
      for (int i = face->n_corner; i < face->n_node; i++) { /* between its corners */
        int from = face->node[i - face->n_corner];
        int to = face->node[(i - face->n_corner + 1) % face->n_corner];
        for (int a = 0; a < 3; a++) {
          CHECK_NEAR(s.x[3 * face->node[i] + a], 0.5 * (s.x[3 * from + a] + s.x[3 * to + a]),
                     1e-14);
        }
      }
    }
    for (int a = 0; a < 3; a++) CHECK_NEAR(sum[a], 0.0, 1e-14);
    CHECK_CLOSE(s.e->quality(s.x).volume, volume, 1e-13);
  }
}

int main(void) {
  TEST(test_table);
  TEST(test_symmetry);
  TEST(test_rigid_motions);
  TEST(test_zero_energy);
  TEST(test_mass_of_solids);
  TEST(test_total_mass);
  TEST(test_rotation);
  TEST(test_renumbering);
  TEST(test_inside_out);
  TEST(test_faces);
  return test_finish();
}
