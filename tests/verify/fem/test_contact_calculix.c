/* A lap joint with a layer against CalculiX, surface to surface, in the same run: a cycle of its
   end force, or, with the argument `bending` or `axial`, a quasi-static mode under the same nodal
   loads M phi. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <microslip/backbone.h>
#include <microslip/fem_contact.h>

#include "fem/solve/petsc.h"
#include "support/check.h"
#include "support/fem/calculix.h"
#include "support/fem/leaks.h"

static const double E = 2.03e11, NU = 0.29, RHO = 7810.0, MU = 0.33, K_N = 9e14, K_T = 5.2e14;
static const double PRESS = 3000.0, LENGTH = 0.044, OVERLAP = 0.020, WIDTH = 0.010, HEIGHT = 0.004;
enum { N_OVERLAP = 10, N_REST = 12, NY = 5, NZ = 2 };

static ms_mesh *make_lap(void) {
  static const char *const name[] = { "left", "low", "high", "right" };
  const double from[] = { 0.0, LENGTH - OVERLAP, LENGTH - OVERLAP, LENGTH };
  ms_mesh *mesh;
  int part[4];
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 4; k++) {
    const int beside = k == 0 || k == 3;
    const ms_part p = { .name = name[k], .material = ms_material_isotropic(E, NU, RHO) };
    const ms_brick brick = { { from[k], 0.0, k < 2 ? -HEIGHT : 0.0 },
                             { beside ? LENGTH - OVERLAP : OVERLAP, WIDTH, HEIGHT },
                             { beside ? N_REST : N_OVERLAP, NY, NZ } };
    CHECK_OK(ms_mesh_add_part(mesh, &p, &part[k]));
    CHECK_OK(ms_mesh_add_brick(mesh, part[k], "hex8", &brick));
  }
  CHECK_OK(ms_mesh_merge(mesh, 2, part, 1e-9, NULL));
  CHECK_OK(ms_mesh_merge(mesh, 2, part + 2, 1e-9, NULL));
  return mesh;
}

static int guided; /* the right end does not move up and down */

static ms_status make_model(void *mesh, ms_context *ctx, ms_fem_model **out) {
  ms_status status = ms_fem_create(ctx, mesh, out);
  if (!status) status = ms_fem_fix_set(*out, "left.left", MS_FEM_TRANSLATIONS);
  return status || !guided ? status : ms_fem_fix_set(*out, "right.right", 4);
}

static const ms_fem_contact lap = { .name = "lap",
                                    .faces = { "high.bottom", "low.top" },
                                    .mu = 0.33,
                                    .K_n = 9e14,
                                    .K_t = 5.2e14,
                                    .points = MS_FEM_POINTS_GAUSS };

/* Pressed over the middle of the overlap, from both sides. */
static void add_press(const ms_mesh *mesh, double *load) {
  double sum[2] = { 0.0, 0.0 };
  for (int pass = 0; pass < 2; pass++) {
    for (int side = 0; side < 2; side++) {
      ms_mesh_set set;
      CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, side ? "low.bottom" : "high.top", &set));
      for (ptrdiff_t i = 0; i < set.n; i++) {
        const double *x = ms_mesh_get_nodes(mesh) + 3 * (ptrdiff_t)set.index[i];
        const double away = fabs(x[0] - (LENGTH - 0.5 * OVERLAP));
        const int end = x[1] < 1e-9 || x[1] > WIDTH - 1e-9;
        const double w = away > 0.0041 ? 0.0 : (away > 0.0039 ? 0.5 : 1.0) * (end ? 0.5 : 1.0);
        if (pass == 0) sum[side] += w;
        if (pass) load[3 * set.index[i] + 2] += (side ? PRESS : -PRESS) * w / sum[side];
      }
    }
  }
}

/* Loads of a model's coordinates, from those of all nodes; and the other way round. */
static void to_model(const ms_fem_model *model, const ms_mesh *mesh, const double *nodal,
                     double *load) {
  for (ptrdiff_t i = 0; i < 3 * ms_mesh_count_nodes(mesh); i++) {
    const ptrdiff_t at = ms_fem_get_index(model, i / 3, (int)(i % 3));
    if (at >= 0) load[at] = nodal[i];
  }
}

static void to_nodes(const ms_fem_model *model, const ms_mesh *mesh, const double *load,
                     double *nodal) {
  for (ptrdiff_t i = 0; i < 3 * ms_mesh_count_nodes(mesh); i++) {
    const ptrdiff_t at = ms_fem_get_index(model, i / 3, (int)(i % 3));
    nodal[i] = at >= 0 ? load[at] : 0.0;
  }
}

/* Both computations: preload in four steps, then load 1 up, down, up; v of load 1 in each load
   step. */
enum { PRELOAD = 4, MOST_STEPS = 50 };
static int n_up = 10; /* load steps from zero to the end; a half of a cycle has twice as many */
typedef struct comparison {
  double u[MOST_STEPS], theirs[MOST_STEPS], seconds, their_seconds;
  double D, their_D; /* of the cycle */
} comparison;

static double add_area(const double *u, double F) {
  double area = 0.0;
  for (int i = n_up; i < 5 * n_up; i++) { /* from the upper end, and back to it */
    const int down = i < 3 * n_up;
    const double step = 2.0 * F / (2 * n_up),
                 at = down ? F - (i - n_up) * step : (i - 3 * n_up) * step - F;
    area += (at + (down ? -0.5 : 0.5) * step) * (u[i] - u[i - 1]);
  }
  return area;
}

static void ask_calculix(const ms_mesh *mesh, const double *load, double F, const char *name,
                         comparison *out) {
  static const char *const fixed[] = { "left.left", "right.right" };
  static const int component[] = { 7, 4 };
  const int steps[] = { PRELOAD, n_up, 2 * n_up, 2 * n_up };
  const double turn[] = { 1.0, 0.0, 1.0, F, 1.0, -F, 1.0, F };
  const calculix_job job = { .mesh = mesh,
                             .contact = { "high.bottom", "low.top" },
                             .E = E,
                             .nu = NU,
                             .mu = MU,
                             .K_n = K_N,
                             .K_t = K_T,
                             .n_fixed = guided ? 2 : 1,
                             .fixed = fixed,
                             .component = component,
                             .n_load = 2,
                             .load = load,
                             .n_turn = 4,
                             .turn = turn,
                             .steps = steps };
  double v[2 * (PRELOAD + MOST_STEPS)];
  CHECK(calculix_run(&job, name, v, &out->their_seconds));
  for (int i = 0; i < 5 * n_up; i++) out->theirs[i] = v[2 * (PRELOAD + i) + 1] - v[2 * PRELOAD - 1];
  out->their_D = add_area(out->theirs, F);
}

/* gauss 0: pairs of nodes, as by default. */
static void ask_ourselves(ms_mesh *mesh, const double *nodal, double F, int gauss,
                          comparison *out) {
  const clock_t before = clock();
  ms_fem_model *model = NULL;
  ms_fem_condensed condensed;
  ms_contact *c;
  ms_fem_contact contact = lap;
  contact.gauss = gauss;
  if (gauss == 0) contact.points = MS_FEM_POINTS_AUTO;
  CHECK_OK(make_model(mesh, test_context(), &model));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  CHECK_OK(ms_fem_setup(model, NULL));
  const ptrdiff_t size = ms_fem_get_size(model), n = 3 * ms_mesh_count_nodes(mesh);
  double *load = calloc((size_t)(2 * size), sizeof *load);
  for (int k = 0; k < 2; k++) to_model(model, mesh, nodal + n * k, load + size * k);
  CHECK_OK(ms_fem_condense(model, 2, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  for (int i = 1; i <= PRELOAD; i++) {
    CHECK_OK(ms_contact_load(c, (double[]) { (double)i / PRELOAD, 0.0 }));
  }
  CHECK_OK(ms_contact_rebase(c));
  const double rest = ms_contact_get(c).v[1];
  for (int i = 0; i < 5 * n_up; i++) {
    const double part = i < n_up       ? (i + 1.0) / n_up
                        : i < 3 * n_up ? 1.0 - 2.0 * (i + 1.0 - n_up) / (2 * n_up)
                                       : 2.0 * (i + 1.0 - 3 * n_up) / (2 * n_up) - 1.0;
    CHECK_OK(ms_contact_load(c, (double[]) { 1.0, part * F }));
    out->u[i] = ms_contact_get(c).v[1] - rest;
  }
  out->D = add_area(out->u, F);
  out->seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
  ms_contact_destroy(&c);
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
}

static void tell(const char *name, const comparison *k) {
  const double half = 0.5 * (k->theirs[n_up - 1] - k->theirs[3 * n_up - 1]);
  double worst = 0.0;
  for (int i = 0; i < 5 * n_up; i++) worst = fmax(worst, fabs(k->u[i] - k->theirs[i]) / half);
  printf(
      "# %s: displacement within %.2g of the half range, loop %+.2g; %.3g s against %.3g s, "
      "%.0f times\n",
      name, worst, k->D / k->their_D - 1.0, k->seconds, k->their_seconds,
      k->their_seconds / k->seconds);
}

/* ---- a cycle of the end force ---- */

/* With 3 x 3 Gauss points all that is asked for: displacement within 0.3 % of the half range, area
   of the loop within 1 %, 20 times less time. On this coarse mesh fewer points are farther off. */
static void test_cycle(void) {
  static const double limit[] = { 6e-3, 0.0, 3e-3, 3e-3 }, loop[] = { 4e-2, 0.0, 2e-2, 1e-2 };
  ms_mesh *mesh = make_lap();
  const ptrdiff_t n = 3 * ms_mesh_count_nodes(mesh);
  double *load = calloc((size_t)(2 * n), sizeof *load), sum = 0.0;
  ms_mesh_set end;
  comparison k;
  add_press(mesh, load);
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, "right.right", &end));
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t i = 0; i < end.n; i++) {
      const double *x = ms_mesh_get_nodes(mesh) + 3 * (ptrdiff_t)end.index[i];
      const double w = (x[1] < 1e-9 || x[1] > WIDTH - 1e-9 ? 0.5 : 1.0) *
                       (x[2] < 1e-9 || x[2] > HEIGHT - 1e-9 ? 0.5 : 1.0);
      if (pass == 0) sum += w;
      if (pass) load[n + 3 * end.index[i]] = w / sum;
    }
  }
  ask_calculix(mesh, load, 700.0, "calculix_cycle", &k);
  const double half = 0.5 * (k.theirs[n_up - 1] - k.theirs[3 * n_up - 1]);
  for (int gauss = 0; gauss <= 3; gauss++) {
    if (gauss == 1) continue;
    ask_ourselves(mesh, load, 700.0, gauss, &k);
    tell(gauss == 0 ? "end force, pairs of nodes" : "end force", &k);
    for (int i = 0; i < 5 * n_up; i++) CHECK_NEAR(k.u[i], k.theirs[i], limit[gauss] * half);
    CHECK_CLOSE(k.D, k.their_D, loop[gauss]);
    CHECK_BELOW(20.0, k.their_seconds / k.seconds);
  }
  free(load);
  ms_mesh_destroy(&mesh);
}

/* ---- quasi-static modes ---- */

/* The mode with all points stuck that moves most along a component, and its load M phi. */
static double find_mode(ms_mesh *mesh, int component, double *nodal) {
  enum { MODES = 8 };
  const ptrdiff_t n = 3 * ms_mesh_count_nodes(mesh);
  const ms_fem_contact_point *point;
  ms_fem_model *points = NULL, *model = NULL;
  ms_fem_modes modes;
  ptrdiff_t n_point, best = 0;
  double most = 0.0, *x = calloc((size_t)n, sizeof *x);
  CHECK_OK(make_model(mesh, test_context(), &points));
  CHECK_OK(ms_fem_add_contact(points, &lap));
  point = ms_fem_get_contact_points(points, &n_point);
  CHECK_OK(make_model(mesh, test_context(), &model));
  CHECK_OK(ms_fem_stick(model, n_point, point, NULL));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, MODES, 0.0, &modes));
  const ptrdiff_t size = ms_fem_get_size(model);
  double *load = calloc((size_t)(MODES * size), sizeof *load);
  CHECK_OK(ms_fem_multiply(model, model->engine->M, MODES, modes.shape, load));
  for (ptrdiff_t r = 0; r < MODES; r++) { /* the largest momentum of a unit of velocity */
    double momentum = 0.0;
    to_nodes(model, mesh, load + size * r, x);
    for (ptrdiff_t i = component; i < n; i += 3) momentum += x[i];
    if (fabs(momentum) < most) continue;
    most = fabs(momentum), best = r;
    memcpy(nodal, x, (size_t)n * sizeof *x);
  }
  const double omega = modes.omega[best];
  ms_fem_modes_free(test_context(), &modes);
  free(load), free(x);
  ms_fem_destroy(&model);
  ms_fem_destroy(&points);
  return omega;
}

/* One cycle after the first loading, as both programs do: frequency and dissipation of q = v. */
static void check_mode(const char *name, int component, double q, int steps) {
  n_up = steps;
  ms_mesh *mesh = make_lap();
  const ptrdiff_t n = 3 * ms_mesh_count_nodes(mesh);
  double *load = calloc((size_t)(2 * n), sizeof *load);
  comparison k;
  add_press(mesh, load);
  const double omega = find_mode(mesh, component, load + n), p = omega * omega * q;
  char folder[64];
  snprintf(folder, sizeof folder, "calculix_%s", name);
  ask_calculix(mesh, load, p, folder, &k);
  ask_ourselves(mesh, load, p, 4, &k);
  tell(name, &k);
  const double ours = k.u[n_up - 1] - k.u[3 * n_up - 1];
  const double theirs = k.theirs[n_up - 1] - k.theirs[3 * n_up - 1];
  printf("# %s: stuck %.6g rad/s, softened by %.3g, frequency %+.2g, D %.4g J of %.4g J\n", name,
         omega, sqrt(2.0 * p / ours) / omega - 1.0, sqrt(theirs / ours) - 1.0, k.D,
         0.5 * p * 0.5 * ours);
  CHECK_CLOSE(sqrt(2.0 * p / ours), sqrt(2.0 * p / theirs), 2e-3);
  CHECK_CLOSE(k.D, k.their_D, 3e-2);
  free(load);
  ms_mesh_destroy(&mesh);
}

static void test_bending(void) {
  check_mode("bending", 2, 6e-6, 10);
  check_mode("bending", 2, 3e-6, 5);
}

static void test_axial(void) {
  check_mode("axial", 0, 5e-7, 10);
  check_mode("axial", 0, 3e-7, 10);
}

int main(int argc, char **argv) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  const char *what = argc > 1 ? argv[1] : "";
  guided = !*what;
  if (strcmp(what, "bending") == 0) TEST(test_bending);
  if (strcmp(what, "axial") == 0) TEST(test_axial);
  if (guided) TEST(test_cycle);
  return test_leaks_finish();
}
