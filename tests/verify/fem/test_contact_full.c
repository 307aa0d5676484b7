/* Quasi-static modes with rigid contact against an independent computation on the full matrices:
   dense elimination instead of the condensed model, projected Gauss-Seidel iterations instead of
   Newton's method. Both have the same points, load steps and law. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/backbone.h>
#include <microslip/fem_contact.h>

#include "support/check.h"
#include "support/fem/leaks.h"

static const double E = 2.03e11, NU = 0.29, RHO = 7810.0, MU = 0.33, PRESS = 2600.0;
enum { NX = 6, NY = 2, NZ = 1, STEPS = 3, CYCLE_STEPS = 12 };

/* Two bars that overlap by half, the lower one held at its left end, the upper one at its right. */
static ms_mesh *make_mesh(void) {
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = k ? "upper" : "lower",
                           .material = ms_material_isotropic(E, NU, RHO) };
    const ms_brick brick = { .size = { 0.06, 0.013, 0.005 },
                             .at = { k * 0.03, 0.0, k * 0.005 },
                             .n = { NX, NY, NZ } };
    int index;
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  }
  const ms_part beside = { .name = "beside", .material = ms_material_isotropic(E, NU, RHO) };
  const ms_brick brick = { .size = { 0.01, 0.01, 0.001 }, .at = { 0.5 }, .n = { 1, 1, 1 } };
  int index; /* nothing of it is kept: a reduction needs something inside */
  CHECK_OK(ms_mesh_add_part(mesh, &beside, &index));
  CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  return mesh;
}

static ms_status make_model(void *mesh, ms_context *ctx, ms_fem_model **out) {
  ms_status status = ms_fem_create(ctx, mesh, out);
  if (!status) status = ms_fem_fix_set(*out, "lower.left", MS_FEM_ALL);
  if (!status) status = ms_fem_fix_set(*out, "beside.bottom", MS_FEM_ALL);
  return status ? status : ms_fem_fix_set(*out, "upper.right", MS_FEM_ALL);
}

/* ---- the full matrices ---- */

typedef struct full {
  ptrdiff_t n;
  double *K, *M, *L; /* L: Cholesky factor of K */
  ptrdiff_t *at;     /* 3 x nodes: row of a displacement; -1: fixed */
} full;

static void factorise(ptrdiff_t n, const double *A, double *L) {
  memcpy(L, A, (size_t)(n * n) * sizeof *L);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t k = 0; k < j; k++) {
      for (ptrdiff_t i = j; i < n; i++) L[i + n * j] -= L[i + n * k] * L[j + n * k];
    }
    const double d = sqrt(L[j + n * j]);
    for (ptrdiff_t i = j; i < n; i++) L[i + n * j] /= d;
  }
}

static void solve(ptrdiff_t n, const double *L, double *x) {
  for (ptrdiff_t j = 0; j < n; j++) {
    x[j] /= L[j + n * j];
    for (ptrdiff_t i = j + 1; i < n; i++) x[i] -= L[i + n * j] * x[j];
  }
  for (ptrdiff_t j = n - 1; j >= 0; j--) {
    for (ptrdiff_t i = j + 1; i < n; i++) x[j] -= L[i + n * j] * x[i];
    x[j] /= L[j + n * j];
  }
}

static full read_full(ms_mesh *mesh) {
  const ptrdiff_t nodes = ms_mesh_count_nodes(mesh);
  ms_fem_model *model = NULL;
  ms_reduced *reduced;
  ms_mesh_set set;
  full f = { .at = malloc((size_t)(3 * nodes) * sizeof *f.at) };
  for (ptrdiff_t i = 0; i < 3 * nodes; i++) f.at[i] = 0;
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, k ? "upper.right" : "lower.left", &set));
    for (ptrdiff_t i = 0; i < 3 * set.n; i++) f.at[3 * set.index[i / 3] + i % 3] = -1;
  }
  CHECK_OK(make_model(mesh, test_context(), &model));
  for (ptrdiff_t i = 0; i < nodes; i++) { /* but for the part beside, whose nodes come last */
    if (i >= nodes - 8) {
      for (int a = 0; a < 3; a++) f.at[3 * i + a] = -1;
    }
    char name[32];
    if (f.at[3 * i] < 0) continue;
    snprintf(name, sizeof name, "n%td", i);
    CHECK_OK(ms_fem_keep(model, name, i, MS_FEM_TRANSLATIONS));
    for (int a = 0; a < 3; a++) f.at[3 * i + a] = f.n++;
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { 0 }, &reduced));
  CHECK_EQUAL(reduced->n, f.n);
  const size_t bytes = (size_t)(f.n * f.n) * sizeof *f.K;
  f.K = malloc(bytes), f.M = malloc(bytes), f.L = malloc(bytes);
  memcpy(f.K, reduced->K, bytes);
  memcpy(f.M, reduced->M, bytes);
  factorise(f.n, f.K, f.L);
  ms_reduced_destroy(&reduced);
  ms_fem_destroy(&model);
  return f;
}

static void free_full(full *f) {
  free(f->K), free(f->M), free(f->L), free(f->at);
}

/* ---- contact ---- */

typedef struct reference {
  full f;
  ptrdiff_t n; /* points */
  const ms_fem_contact_point *point;
  double *W;                /* 3 n x 3 n: B^T K^-1 B */
  double *z_press, *z_mode; /* of both loads, as they are */
  double *lambda, *z, *z_new, *was;
  double *press, *mode; /* loads */
  double D;
} reference;

/* u += B column, or what B^T u has there. */
static double row(const reference *r, ptrdiff_t column, double *u, double add) {
  const ms_fem_contact_point *p = &r->point[column / 3];
  double sum = 0.0;
  for (int s = 0; s < 2; s++) {
    for (int a = 0; a < 3; a++) {
      const ptrdiff_t i = r->f.at[3 * (ptrdiff_t)p->node[s][0] + a];
      const double factor = (s ? -1.0 : 1.0) * p->axes[3 * (column % 3) + a];
      if (i < 0) continue;
      sum += factor * u[i];
      u[i] += factor * add;
    }
  }
  return sum;
}

static void find_flexibility(reference *r) {
  const ptrdiff_t m = 3 * r->n;
  double *u = calloc((size_t)r->f.n, sizeof *u);
  for (ptrdiff_t j = 0; j < m; j++) {
    memset(u, 0, (size_t)r->f.n * sizeof *u);
    row(r, j, u, 1.0);
    solve(r->f.n, r->f.L, u);
    for (ptrdiff_t i = 0; i < m; i++) r->W[i + m * j] = row(r, i, u, 0.0);
  }
  free(u);
}

static void measure(const reference *r, const double *load, double *z) {
  double *u = malloc((size_t)r->f.n * sizeof *u);
  memcpy(u, load, (size_t)r->f.n * sizeof *u);
  solve(r->f.n, r->f.L, u);
  for (ptrdiff_t i = 0; i < 3 * r->n; i++) z[i] = row(r, i, u, 0.0);
  free(u);
}

/* One load step: lambda_n = max(0, lambda_n + z_n/W_nn), lambda_t likewise on its disc, point after
   point until nothing changes. */
static void step(reference *r, double press, double mode) {
  const ptrdiff_t m = 3 * r->n;
  double change = 1.0, largest = 1.0;
  double *friction = r->was; /* lambda_n before the step; negative: open */
  for (ptrdiff_t i = 0; i < r->n; i++) {
    friction[i] = r->lambda[3 * i + 2] > 0.0 ? r->lambda[3 * i + 2] : -1.0;
    if (press > 0.0 && r->D < 0.0) friction[i] = 0.0; /* in the very first step all touch */
  }
  for (ptrdiff_t i = 0; i < m; i++) {
    r->z_new[i] = press * r->z_press[i] + mode * r->z_mode[i];
    for (ptrdiff_t j = 0; j < m; j++) r->z_new[i] -= r->W[i + m * j] * r->lambda[j];
  }
  for (int sweep = 0; sweep < 400000 && change > 1e-12 * largest; sweep++) {
    change = largest = 0.0;
    for (ptrdiff_t i = 0; i < r->n; i++) {
      double *l = r->lambda + 3 * i, old[3] = { l[0], l[1], l[2] };
      const double *z = r->z_new + 3 * i, *W = r->W + 3 * i * (m + 1);
      const double soft = fmax(W[0], W[m + 1]);
      l[2] = fmax(0.0, l[2] + z[2] / W[2 * (m + 1)]);
      const double limit = friction[i] < 0.0 ? 0.0 : MU * l[2];
      const double t[2] = { l[0] + (z[0] - r->z[3 * i]) / soft,
                            l[1] + (z[1] - r->z[3 * i + 1]) / soft };
      const double part = hypot(t[0], t[1]) > limit ? limit / hypot(t[0], t[1]) : 1.0;
      for (int a = 0; a < 2; a++) l[a] = part * t[a];
      for (int a = 0; a < 3; a++) {
        const double d = l[a] - old[a];
        change = fmax(change, fabs(d));
        largest = fmax(largest, fabs(l[a]));
        for (ptrdiff_t k = 0; k < m && d != 0.0; k++) r->z_new[k] -= r->W[k + m * (3 * i + a)] * d;
      }
    }
  }
  CHECK_BELOW(change, 1.1e-12 * largest);
  if (r->D < 0.0) r->D = 0.0;
  for (ptrdiff_t i = 0; i < r->n; i++) {
    const double *z = r->z_new + 3 * i;
    const double slip = hypot(z[0] - r->z[3 * i], z[1] - r->z[3 * i + 1]);
    if (friction[i] < 0.0 || !(r->lambda[3 * i + 2] > 0.0)) continue;
    r->D += MU * 0.5 * (friction[i] + r->lambda[3 * i + 2]) * slip;
  }
  memcpy(r->z, r->z_new, (size_t)m * sizeof *r->z);
}

/* q = (M phi)^T u */
static double find_q(const reference *r, double press, double mode) {
  double *u = malloc((size_t)r->f.n * sizeof *u), q = 0.0;
  for (ptrdiff_t i = 0; i < r->f.n; i++) u[i] = press * r->press[i] + mode * r->mode[i];
  for (ptrdiff_t i = 0; i < 3 * r->n; i++) row(r, i, u, -r->lambda[i]);
  solve(r->f.n, r->f.L, u);
  for (ptrdiff_t i = 0; i < r->f.n; i++) q += r->mode[i] * u[i];
  free(u);
  return q;
}

/* ---- the mode at rest: closed points have the same displacements ---- */

static double find_mode(reference *r) {
  const ptrdiff_t n = r->f.n;
  ptrdiff_t *to = malloc((size_t)n * sizeof *to), m = 0;
  double *K = calloc((size_t)(n * n), sizeof *K), *M = calloc((size_t)(n * n), sizeof *M);
  double *L = malloc((size_t)(n * n) * sizeof *L), *x = malloc((size_t)(2 * n) * sizeof *x);
  double omega2 = 0.0, *y = x + n;
  for (ptrdiff_t i = 0; i < n; i++) to[i] = i;
  for (ptrdiff_t i = 0; i < r->n; i++) {
    const int32_t node[2] = { r->point[i].node[0][0], r->point[i].node[1][0] };
    for (int a = 0; a < 3 && r->lambda[3 * i + 2] > 0.0; a++) {
      to[r->f.at[3 * (ptrdiff_t)node[0] + a]] = r->f.at[3 * (ptrdiff_t)node[1] + a];
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) x[i] = to[i] == i ? (double)m++ : -1.0;
  for (ptrdiff_t i = 0; i < n; i++) to[i] = (ptrdiff_t)x[to[i]];
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      K[to[i] + m * to[j]] += r->f.K[i + n * j];
      M[to[i] + m * to[j]] += r->f.M[i + n * j];
    }
  }
  factorise(m, K, L);
  for (ptrdiff_t i = 0; i < m; i++) x[i] = 1.0 + 0.3 * sin(1.3 * (double)i);
  for (int k = 0; k < 400; k++) { /* inverse iteration */
    double size = 0.0;
    memset(y, 0, (size_t)m * sizeof *y);
    for (ptrdiff_t j = 0; j < m; j++) {
      for (ptrdiff_t i = 0; i < m; i++) y[i] += M[i + m * j] * x[j];
    }
    for (ptrdiff_t i = 0; i < m; i++) size += x[i] * y[i];
    for (ptrdiff_t i = 0; i < m; i++) x[i] = y[i] / sqrt(size);
    solve(m, L, x);
    double next = 0.0;
    for (ptrdiff_t i = 0; i < m; i++) next += x[i] * y[i] / sqrt(size);
    omega2 = 1.0 / next;
  }
  double size = 0.0;
  for (ptrdiff_t j = 0; j < m; j++) {
    for (ptrdiff_t i = 0; i < m; i++) size += x[i] * M[i + m * j] * x[j];
  }
  memset(r->mode, 0, (size_t)n * sizeof *r->mode);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      r->mode[i] += r->f.M[i + n * j] * x[to[j]] / sqrt(size);
    }
  }
  free(to), free(K), free(M), free(L), free(x);
  return sqrt(omega2);
}

/* Energy of the last of `cycles` cycles, and the ends. */
static void cycle(reference *r, double p, int cycles, double *D, double *low, double *high) {
  for (int i = 1; i <= CYCLE_STEPS / 2; i++) step(r, 1.0, 2.0 * p * i / CYCLE_STEPS);
  for (int k = 0; k < cycles; k++) {
    const double before = r->D;
    for (int i = 1; i <= CYCLE_STEPS; i++) step(r, 1.0, p * (1.0 - 2.0 * i / CYCLE_STEPS));
    *low = find_q(r, 1.0, -p);
    for (int i = 1; i <= CYCLE_STEPS; i++) step(r, 1.0, p * (2.0 * i / CYCLE_STEPS - 1.0));
    *high = find_q(r, 1.0, p);
    *D = r->D - before;
  }
}

/* ---- both ---- */

static void press_reference(reference *r) {
  memset(r->lambda, 0, (size_t)(3 * r->n) * sizeof *r->lambda);
  memset(r->z, 0, (size_t)(3 * r->n) * sizeof *r->z);
  r->D = -1.0; /* nothing was computed yet */
  for (int i = 1; i <= 2 * STEPS; i++) step(r, i / (2.0 * STEPS), 0.0);
}

static reference make_reference(ms_mesh *mesh, const ms_fem_rest *rest) {
  reference r = { .f = read_full(mesh), .n = rest->n_point, .point = rest->point };
  const size_t m = 3 * (size_t)r.n, n = (size_t)r.f.n;
  r.W = malloc(m * m * sizeof *r.W);
  r.z_press = calloc(6 * m, sizeof *r.z_press);
  r.z_mode = r.z_press + m, r.lambda = r.z_mode + m, r.z = r.lambda + m, r.z_new = r.z + m;
  r.was = r.z_new + m;
  r.press = calloc(2 * n, sizeof *r.press);
  r.mode = r.press + n;
  find_flexibility(&r);
  return r;
}

static void test_backbone(void) {
  enum { N = 1, LEVELS = 3 };
  const double level[LEVELS] = { 2e-6, 5e-6, 8e-6 }, one = 1.0;
  ms_mesh *mesh = make_mesh();
  const ms_fem_contact lap = { .name = "lap", .faces = { "upper.bottom", "lower.top" }, .mu = MU };
  const ms_fem_push push[] = { { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } },
                               { .set = "lower.bottom", .force = { 0.0, 0.0, PRESS } } };
  const ms_fem_stage stage = { .push = push, .n_push = 2, .friction = 1, .steps = STEPS };
  ms_contact_setting statics = MS_CONTACT_DEFAULT;
  statics.cycle_steps = CYCLE_STEPS;
  statics.refine_max = 0;
  const ms_fem_assembly assembly = { .make = make_model,
                                     .user = mesh,
                                     .n_contact = 1,
                                     .contact = &lap,
                                     .n_stage = 1,
                                     .stage = &stage,
                                     .setting = &statics };
  ms_fem_rest rest;
  ms_contact *c;
  ms_structure *s;
  ms_backbone_setting setting;
  ms_backbone_curve curve;
  double omega;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_EQUAL(rest.n_point, (NX / 2 + 1) * (NY + 1)); /* the overlap alone */
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, &omega, &c));
  reference r = make_reference(mesh, &rest);
  ms_fem_model *model = NULL; /* for its loads */
  CHECK_OK(make_model(mesh, test_context(), &model));
  double *load = calloc((size_t)ms_fem_get_size(model), sizeof *load);
  for (int i = 0; i < 2; i++) CHECK_OK(ms_fem_add_push(model, &push[i], load));
  for (ptrdiff_t i = 0; i < 3 * ms_mesh_count_nodes(mesh); i++) {
    if (r.f.at[i] >= 0) r.press[r.f.at[i]] = load[ms_fem_get_index(model, i / 3, (int)(i % 3))];
  }
  free(load);
  ms_fem_destroy(&model);
  measure(&r, r.press, r.z_press);

  press_reference(&r);
  const ms_contact_state state = ms_contact_get(rest.contact);
  for (ptrdiff_t i = 0; i < 3 * r.n; i++) CHECK_NEAR(state.lambda[i], r.lambda[i], 1e-7 * PRESS);
  CHECK_CLOSE(ms_contact_add_up(rest.contact, 0).dissipated, r.D, 1e-6);

  const double expected = find_mode(&r);
  CHECK_CLOSE(omega, expected, 1e-8);
  measure(&r, r.mode, r.z_mode);

  const double K = omega * omega;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, &one));
  CHECK_OK(ms_structure_set_stiffness(s, &K));
  CHECK_OK(ms_structure_setup(s));
  ms_backbone_default(&setting, sizeof setting);
  setting.contact = c;
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, LEVELS, level, &curve));
  CHECK_OK(ms_backbone_run(test_context(), s, &setting, &curve));
  CHECK_EQUAL(curve.n, LEVELS);
  const double q_0 = find_q(&r, 1.0, 0.0);
  for (int k = 0; k < curve.n; k++) {
    double D = 0.0, low = 0.0, high = 0.0;
    press_reference(&r);
    cycle(&r, K * level[k], curve.contact[k].cycle.cycles, &D, &low, &high);
    CHECK_CLOSE(curve.contact[k].cycle.D, D, 1e-5);
    CHECK_CLOSE(curve.contact[k].q_max, high - q_0, 1e-6);
    CHECK_CLOSE(curve.contact[k].q_min, low - q_0, 1e-6);
    CHECK_CLOSE(curve.point[k].omega, sqrt(2.0 * K * level[k] / (high - low)), 1e-6);
    CHECK_CLOSE(curve.point[k].zeta, D / (3.14159265358979 * K * level[k] * (high - low)), 1e-5);
  }
  CHECK_BELOW(0.5, (double)curve.contact[1].cycle.opened); /* points open and close */
  CHECK_EQUAL(curve.contact[1].cycle.balanced, 0);         /* in so few load steps */
  char said[400] = "";
  for (ptrdiff_t i = 0; i < 3 && !strstr(said, "work of the load differs"); i++) {
    ms_doubt doubt;
    if (!ms_backbone_warning(s, &curve, i, &doubt, said, sizeof said)) break;
  }
  CHECK_HAS(said, "load steps each way");
  ms_backbone_free(test_context(), &curve);
  ms_structure_destroy(&s);
  ms_contact_destroy(&c);
  free(r.W), free(r.z_press), free(r.press);
  free_full(&r.f);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_backbone);
  return test_leaks_finish();
}
