/* Quasi-static modes of a bolted lap, its first bending and its first axial one, against load
   cycles of the whole model: Newton's method on all displacements and contact forces at once, with
   a band matrix and without a flexibility. Both have the same points, law and load steps. With the
   argument `large` a finer mesh. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/backbone.h>
#include <microslip/fem_contact.h>

#include <lapacke.h> /* after them: it defines I */

#include "support/check.h"
#include "support/fem/band.h"
#include "support/fem/leaks.h"

static const double E = 2.03e11, NU = 0.29, RHO = 7810.0, MU = 0.33, PRESS = 2900.0;
static const double LENGTH = 0.044, OVERLAP = 0.020, WIDTH = 0.010, HEIGHT = 0.004;
enum { STEPS = 3, CYCLE_STEPS = 20, MODES = 8 };

typedef struct fineness {
  int rest, overlap, across, high; /* elements; the overlap has a multiple of five */
} fineness;

/* Two bars; head and nut of a bolt press a fifth of the overlap, in the middle of it. */
static ms_mesh *make_mesh(const fineness *n) {
  static const char *const name[4] = { "lower", "upper", "head", "nut" };
  const double from = LENGTH - OVERLAP, high = 0.2 * HEIGHT;
  ms_mesh *mesh;
  int part[4];
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 4; k++) {
    const double z[4] = { 0.0, HEIGHT, 2.0 * HEIGHT, -high };
    const ms_part p = { .name = name[k], .material = ms_material_isotropic(E, NU, RHO) };
    const ms_brick bar = { .at = { k * from, 0.0, z[k] },
                           .size = { LENGTH, WIDTH, HEIGHT },
                           .n = { n->rest + n->overlap, n->across, n->high } };
    const ms_brick bolt = { .at = { from + 0.4 * OVERLAP, 0.0, z[k] },
                            .size = { 0.2 * OVERLAP, WIDTH, high },
                            .n = { n->overlap / 5, n->across, 1 } };
    CHECK_OK(ms_mesh_add_part(mesh, &p, &part[k]));
    CHECK_OK(ms_mesh_add_brick(mesh, part[k], "hex8", k < 2 ? &bar : &bolt));
  }
  CHECK_OK(ms_mesh_merge(mesh, 2, (int[]) { part[1], part[2] }, 1e-9, NULL));
  CHECK_OK(ms_mesh_merge(mesh, 2, (int[]) { part[0], part[3] }, 1e-9, NULL));
  return mesh;
}

static ms_status make_model(void *mesh, ms_context *ctx, ms_fem_model **out) {
  const ms_status status = ms_fem_create(ctx, mesh, out);
  return status ? status : ms_fem_fix_set(*out, "lower.left", MS_FEM_TRANSLATIONS);
}

/* ---- the whole model ---- */

typedef struct whole {
  const ms_mesh *mesh;
  test_band band;  /* K in the order of the nodes */
  ptrdiff_t n, kd; /* unknowns: displacements and contact forces; diagonals on each side */
  ptrdiff_t *at;   /* of a displacement */
  ptrdiff_t n_point, *force; /* unknown of a point's first force */
  const ms_fem_contact_point *point;
  double K_n, K_t;                      /* N/m, over the area; 0: rigid */
  double *K;                            /* band storage for LAPACK, with room for pivots */
  double *A, *w, *trial, *right, *load; /* load: 2, of all unknowns */
  lapack_int *pivot;
  int started;
  double D;
  ptrdiff_t iterations, steps, divided;
} whole;

static double *at_entry(const whole *m, double *A, ptrdiff_t i, ptrdiff_t j) {
  return A + (2 * m->kd + i - j) + (3 * m->kd + 1) * j;
}

typedef struct place {
  double x;
  ptrdiff_t what; /* a node, or - 1 - a point */
} place;

static int compare_places(const void *a, const void *b) {
  const place *p = a, *q = b;
  if (fabs(p->x - q->x) > 1e-9) return p->x < q->x ? -1 : 1;
  return p->what < q->what ? -1 : p->what > q->what;
}

/* Nodes and points are numbered along the lap, so that the matrix has a narrow band. */
static void number(whole *m) {
  const ptrdiff_t nodes = ms_mesh_count_nodes(m->mesh), all = nodes + m->n_point;
  place *order = calloc((size_t)all, sizeof *order);
  for (ptrdiff_t i = 0; i < nodes; i++) order[i] = (place) { ms_mesh_get_nodes(m->mesh)[3 * i], i };
  for (ptrdiff_t i = 0; i < m->n_point; i++) {
    order[nodes + i] = (place) { m->point[i].at[0], -1 - i };
  }
  qsort(order, (size_t)all, sizeof *order, compare_places);
  for (ptrdiff_t k = 0; k < all; k++) {
    const ptrdiff_t what = order[k].what;
    if (what < 0) m->force[-1 - what] = 3 * k;
    for (int a = 0; a < 3 && what >= 0; a++) m->at[3 * what + a] = 3 * k + a;
  }
  m->n = 3 * all;
  free(order);
}

/* Entry (i, j) of K between displacements, lower triangle. */
static double stiffness(const whole *m, ptrdiff_t i, ptrdiff_t j) {
  const int held = m->band.fixed[i] || m->band.fixed[j];
  return held ? (double)(i == j) * 1e9 : m->band.K[i - j + (m->band.kd + 1) * j];
}

static void find_band(whole *m) {
  for (ptrdiff_t j = 0; j < m->band.n; j++) {
    for (ptrdiff_t i = j; i <= j + m->band.kd && i < m->band.n; i++) {
      const ptrdiff_t d = labs(m->at[i] - m->at[j]);
      if (d > m->kd && stiffness(m, i, j) != 0.0) m->kd = d;
    }
  }
  for (ptrdiff_t i = 0; i < m->n_point; i++) {
    for (int s = 0; s < 2; s++) {
      const ptrdiff_t d = labs(m->at[3 * (ptrdiff_t)m->point[i].node[s][0]] - m->force[i]) + 2;
      if (d > m->kd) m->kd = d;
    }
  }
}

static whole open_whole(const ms_mesh *mesh, const ms_fem_rest *rest, const ms_fem_contact *c) {
  whole m = { .mesh = mesh, .n_point = rest->n_point, .point = rest->point, .K_n = c->K_n };
  m.K_t = c->K_t;
  m.band = test_band_open(mesh, 3);
  test_band_fix_set(&m.band, "lower.left", 7);
  m.at = calloc((size_t)(m.band.n + m.n_point), sizeof *m.at);
  m.force = m.at + m.band.n;
  number(&m);
  find_band(&m);
  const size_t size = (size_t)((3 * m.kd + 1) * m.n);
  m.K = calloc(size, sizeof *m.K), m.A = calloc(size, sizeof *m.A);
  m.w = calloc(5 * (size_t)m.n, sizeof *m.w);
  m.trial = m.w + m.n, m.right = m.trial + m.n, m.load = m.right + m.n;
  m.pivot = calloc((size_t)m.n, sizeof *m.pivot);
  for (ptrdiff_t j = 0; j < m.band.n; j++) {
    for (ptrdiff_t i = j; i <= j + m.band.kd && i < m.band.n; i++) {
      const double k = stiffness(&m, i, j);
      if (k == 0.0) continue;
      *at_entry(&m, m.K, m.at[i], m.at[j]) = k;
      *at_entry(&m, m.K, m.at[j], m.at[i]) = k;
    }
  }
  for (ptrdiff_t i = 0; i < 3 * m.n_point; i++) { /* K u + B lambda */
    const ms_fem_contact_point *p = &m.point[i / 3];
    for (int t = 0; t < 6; t++) {
      const ptrdiff_t dof = 3 * (ptrdiff_t)p->node[t / 3][0] + t % 3;
      const double factor = (t < 3 ? 1.0 : -1.0) * p->axes[3 * (i % 3) + t % 3];
      if (!m.band.fixed[dof]) *at_entry(&m, m.K, m.at[dof], m.force[i / 3] + i % 3) = factor;
    }
  }
  return m;
}

static void close_whole(whole *m) {
  free(m->at), free(m->K), free(m->A), free(m->w), free(m->pivot);
  test_band_close(&m->band);
}

static void add_load(whole *m, int k, const ms_fem_model *model, const double *load) {
  for (ptrdiff_t i = 0; i < m->band.n; i++) {
    const ptrdiff_t from = ms_fem_get_index(model, i / 3, (int)(i % 3));
    if (from >= 0) m->load[m->n * k + m->at[i]] = load[from];
  }
}

/* B^T u */
static void measure(const whole *m, ptrdiff_t i, const double *w, double *z) {
  const ms_fem_contact_point *p = &m->point[i];
  for (int k = 0; k < 3; k++) {
    z[k] = 0.0;
    for (int a = 0; a < 3; a++) {
      z[k] += p->axes[3 * k + a] * (w[m->at[3 * (ptrdiff_t)p->node[0][0] + a]] -
                                    w[m->at[3 * (ptrdiff_t)p->node[1][0] + a]]);
    }
  }
}

/* The law of a point, C_z z + C_l lambda = right, linearised at the trial. */
typedef struct law {
  double C_z[9], C_l[9], right[3]; /* 3 x 3 by rows */
} law;

/* stuck: the first guess of a step. Returns how the point is: 0 open, 1 sticks, 2 slips. */
static int linearise(const whole *m, ptrdiff_t i, int stuck, law *out) {
  const double area = m->point[i].area, *l = m->trial + m->force[i], *l_0 = m->w + m->force[i];
  const double K_n = m->K_n * area, K_t = m->K_t * area, r = E * area / 1e-3;
  const int rigid = K_n == 0.0, was_open = m->started && !(l_0[2] > 0.0);
  double z[3], z_0[3], tau[2];
  memset(out, 0, sizeof *out);
  measure(m, i, m->trial, z);
  measure(m, i, m->w, z_0);
  const double press = rigid ? l[2] + r * z[2] : K_n * z[2];
  if (stuck ? was_open : !(press > 0.0)) {
    for (int k = 0; k < 3; k++) out->C_l[4 * k] = 1.0;
    return 0;
  }
  if (rigid) out->C_z[8] = r; /* z_n = 0, or lambda_n = K_n z_n */
  if (!rigid) out->C_l[8] = 1.0, out->C_z[8] = -K_n;
  for (int k = 0; k < 2; k++) {
    tau[k] = rigid ? l[k] + r * (z[k] - z_0[k]) : l_0[k] + K_t * (z[k] - z_0[k]);
  }
  const double limit = was_open ? 0.0 : MU * l[2], size = hypot(tau[0], tau[1]);
  if (!was_open && (stuck || size <= limit)) {
    for (int k = 0; k < 2; k++) {
      out->C_z[4 * k] = rigid ? r : -K_t;
      out->C_l[4 * k] = rigid ? 0.0 : 1.0;
      out->right[k] = rigid ? r * z_0[k] : l_0[k] - K_t * z_0[k];
    }
    return 1;
  }
  for (int k = 0; k < 2; k++) { /* lambda_t = limit tau/|tau| */
    out->C_l[4 * k] = 1.0;
    if (was_open) continue;
    const double e = tau[k] / size, value = limit * e;
    out->C_l[3 * k + 2] = -MU * e;
    out->right[k] = value - MU * e * l[2];
    for (int j = 0; j < 2; j++) {
      const double of_tau = limit / size * ((k == j) - e * tau[j] / size);
      out->C_z[3 * k + j] -= of_tau * (rigid ? r : K_t);
      if (rigid) out->C_l[3 * k + j] -= of_tau;
      out->right[k] -= of_tau * (rigid ? l[j] + r * z[j] : K_t * z[j]);
    }
  }
  return 2;
}

/* One iteration; the change of the forces over the largest. */
static double iterate(whole *m, const double *p, int stuck) {
  memcpy(m->A, m->K, (size_t)((3 * m->kd + 1) * m->n) * sizeof *m->A);
  for (ptrdiff_t i = 0; i < m->n; i++) m->right[i] = p[0] * m->load[i] + p[1] * m->load[m->n + i];
  for (ptrdiff_t i = 0; i < m->n_point; i++) {
    const ms_fem_contact_point *q = &m->point[i];
    law C;
    linearise(m, i, stuck, &C);
    for (int k = 0; k < 3; k++) {
      const ptrdiff_t row = m->force[i] + k;
      m->right[row] = C.right[k];
      for (int j = 0; j < 3; j++) *at_entry(m, m->A, row, m->force[i] + j) += C.C_l[3 * k + j];
      for (int t = 0; t < 6; t++) {
        const ptrdiff_t dof = 3 * (ptrdiff_t)q->node[t / 3][0] + t % 3;
        double sum = 0.0;
        for (int j = 0; j < 3; j++) sum += C.C_z[3 * k + j] * q->axes[3 * j + t % 3];
        if (!m->band.fixed[dof]) *at_entry(m, m->A, row, m->at[dof]) += t < 3 ? sum : -sum;
      }
    }
  }
  CHECK_EQUAL(LAPACKE_dgbsv(LAPACK_COL_MAJOR, (int)m->n, (int)m->kd, (int)m->kd, 1, m->A,
                            3 * (int)m->kd + 1, m->pivot, m->right, (int)m->n),
              0);
  double change = 0.0, largest = 0.0;
  for (ptrdiff_t i = 0; i < m->n_point; i++) {
    for (int k = 0; k < 3; k++) {
      const ptrdiff_t j = m->force[i] + k;
      change = fmax(change, fabs(m->right[j] - m->trial[j]));
      largest = fmax(largest, fabs(m->right[j]));
    }
  }
  memcpy(m->trial, m->right, (size_t)m->n * sizeof *m->trial);
  m->iterations++;
  return change / largest;
}

static void accept(whole *m) {
  for (ptrdiff_t i = 0; i < m->n_point; i++) {
    const double *l = m->trial + m->force[i], *l_0 = m->w + m->force[i];
    double z[3], z_0[3], slip[2];
    law C;
    const int was_open = m->started && !(l_0[2] > 0.0);
    if (linearise(m, i, 0, &C) != 2 || was_open) continue;
    measure(m, i, m->trial, z);
    measure(m, i, m->w, z_0);
    for (int k = 0; k < 2; k++) {
      slip[k] = z[k] - z_0[k];
      if (m->K_t > 0.0) slip[k] -= (l[k] - l_0[k]) / (m->K_t * m->point[i].area);
    }
    m->D += MU * 0.5 * (fmax(0.0, l_0[2]) + l[2]) * hypot(slip[0], slip[1]);
  }
  memcpy(m->w, m->trial, (size_t)m->n * sizeof *m->w);
  m->started = 1;
}

/* From p_0 to p; where full steps do not settle, in two halves. */
static void step(whole *m, const double *p_0, const double *p, int depth) {
  memcpy(m->trial, m->w, (size_t)m->n * sizeof *m->w);
  double change = iterate(m, p, 1);
  for (int k = 0; k < 30 && (k == 0 || !(change < 1e-9)); k++) change = iterate(m, p, 0);
  m->steps++;
  if (change < 1e-9) {
    accept(m);
  } else if (depth < 6) {
    const double half[2] = { 0.5 * (p_0[0] + p[0]), 0.5 * (p_0[1] + p[1]) };
    m->divided++;
    step(m, p_0, half, depth + 1);
    step(m, half, p, depth + 1);
  } else {
    CHECK_BELOW(change, 1e-9);
  }
}

static double find_q(const whole *m) {
  double q = 0.0;
  for (ptrdiff_t i = 0; i < m->n; i++) q += m->load[m->n + i] * m->w[i];
  return q;
}

static void go(whole *m, double a, double b, int steps) {
  for (int i = 0; i < steps; i++) {
    const double from[2] = { 1.0, a + (b - a) * i / steps },
                 to[2] = { 1.0, a + (b - a) * (i + 1) / steps };
    step(m, from, to, 0);
  }
}

static void press(whole *m) {
  memset(m->w, 0, (size_t)m->n * sizeof *m->w);
  m->started = 0;
  for (int i = 0; i < 2 * STEPS; i++) {
    step(m, (double[]) { i / (2.0 * STEPS), 0.0 }, (double[]) { (i + 1) / (2.0 * STEPS), 0.0 }, 0);
  }
}

/* ---- both ---- */

/* The mode that moves most along a component. */
static int find_mode(const ms_fem_model *model, ptrdiff_t n_node, const ms_fem_rest *rest,
                     int component) {
  const ptrdiff_t size = ms_fem_get_size(model);
  int best = 0;
  double most = 0.0;
  for (int r = 0; r < MODES; r++) {
    double momentum = 0.0;
    for (ptrdiff_t i = 0; i < n_node; i++) {
      const ptrdiff_t at = ms_fem_get_index(model, i, component);
      if (at >= 0) momentum += rest->momentum[size * r + at];
    }
    if (fabs(momentum) > most) most = fabs(momentum), best = r;
  }
  return best;
}

typedef struct answer {
  ms_backbone_curve curve;
  double omega;
  char said[400]; /* the first remark */
} answer;

static answer run_qsma(ms_contact *c, const double *omega, int mode, int n, const double *level) {
  answer a = { .omega = omega[mode] };
  double one[MODES * MODES] = { 0.0 }, K[MODES * MODES] = { 0.0 };
  ms_structure *s;
  ms_backbone_setting setting;
  for (int k = 0; k < MODES; k++) {
    one[k * (MODES + 1)] = 1.0, K[k * (MODES + 1)] = omega[k] * omega[k];
  }
  CHECK_OK(ms_structure_create(test_context(), MODES, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, one));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_setup(s));
  ms_backbone_default(&setting, sizeof setting);
  setting.contact = c;
  CHECK_OK(ms_backbone_request(test_context(), "qsma", mode, n, level, &a.curve));
  CHECK_OK(ms_backbone_run(test_context(), s, &setting, &a.curve));
  CHECK_EQUAL(a.curve.n, n);
  ms_doubt doubt;
  if (!ms_backbone_warning(s, &a.curve, 0, &doubt, a.said, sizeof a.said)) a.said[0] = '\0';
  ms_structure_destroy(&s);
  return a;
}

static void compare(whole *m, const char *name, const answer *a) {
  press(m);
  const double q_0 = find_q(m);
  for (int k = 0; k < a->curve.n; k++) {
    const ms_backbone_contact *found = &a->curve.contact[k];
    const double p = a->omega * a->omega * a->curve.level[k];
    double before = 0.0, low = 0.0, high = 0.0;
    if (k > 0) press(m);
    go(m, 0.0, p, (CYCLE_STEPS + 1) / 2);
    for (int i = 0; i < found->cycle.cycles; i++) {
      before = m->D;
      go(m, p, -p, CYCLE_STEPS);
      low = find_q(m) - q_0;
      go(m, -p, p, CYCLE_STEPS);
      high = find_q(m) - q_0;
    }
    const double D = m->D - before, omega = sqrt(2.0 * p / (high - low));
    printf(
        "# %s, q = %.2e: omega %.6g rad/s (%+.2g), D %.4g J (%+.2g); Masing %.3g; %td points "
        "slip, %td open; %d cycles\n",
        name, a->curve.point[k].q, omega, a->curve.point[k].omega / omega - 1.0, D,
        found->cycle.D / D - 1.0, found->cycle.D_masing / found->cycle.D, found->cycle.slipped,
        found->cycle.opened, found->cycle.cycles);
    CHECK_CLOSE(found->cycle.D, D, 1e-8);
    CHECK_CLOSE(a->curve.point[k].omega, omega, 1e-9);
    CHECK_NEAR(found->q_min, low, 1e-8 * high);
    CHECK_NEAR(found->q_max, high, 1e-8 * high);
    CHECK(found->cycle.slipped > 0);
  }
}

static void check_law(const fineness *n, double K_n, const double (*level)[2]) {
  ms_mesh *mesh = make_mesh(n);
  const ms_fem_contact lap = {
    .name = "lap", .faces = { "upper.bottom", "lower.top" }, .mu = MU, .K_n = K_n, .K_t = 0.6 * K_n
  };
  const ms_fem_push push[2] = { { .set = "head.top", .force = { 0.0, 0.0, -PRESS } },
                                { .set = "nut.bottom", .force = { 0.0, 0.0, PRESS } } };
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
  double omega[MODES];
  ms_fem_rest rest;
  ms_fem_model *model = NULL;
  ms_contact *c;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, MODES, omega, &c));
  CHECK_OK(make_model(mesh, test_context(), &model));
  whole m = open_whole(mesh, &rest, &lap);
  double *load = calloc((size_t)ms_fem_get_size(model), sizeof *load);
  for (int i = 0; i < 2; i++) CHECK_OK(ms_fem_add_push(model, &push[i], load));
  add_load(&m, 0, model, load);
  free(load);
  printf("# %td points, %td unknowns, %td diagonals\n", m.n_point, m.n, 2 * m.kd + 1);
  press(&m);
  const ms_contact_state state = ms_contact_get(rest.contact);
  for (ptrdiff_t i = 0; i < 3 * m.n_point; i++) {
    CHECK_NEAR(state.lambda[i], m.w[m.force[i / 3] + i % 3], 1e-8 * PRESS);
  }
  for (int k = 0; k < 2; k++) {
    const int mode = find_mode(model, ms_mesh_count_nodes(mesh), &rest, k ? 0 : 2);
    answer a = run_qsma(c, omega, mode, 2, level[k]);
    if (k == 0) CHECK_HAS(a.said, "Masing's rule fails"); /* the contact rolls */
    add_load(&m, 1, model, rest.momentum + ms_fem_get_size(model) * mode);
    compare(&m, k ? "axial" : "bending", &a);
    ms_backbone_free(test_context(), &a.curve);
  }
  printf("# %.3g iterations a step of the whole model, %td steps halved\n",
         (double)m.iterations / (double)m.steps, m.divided);
  close_whole(&m);
  ms_contact_destroy(&c);
  ms_fem_destroy(&model);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

typedef struct lap {
  fineness n;
  double level[2][2]; /* of the bending and the axial mode */
} lap;

static const lap small = { { 6, 5, 2, 1 }, { { 6e-6, 1.1e-5 }, { 2.3e-7, 4.1e-7 } } },
                 large = { { 12, 10, 5, 2 }, { { 2.5e-5, 6e-5 }, { 4e-7, 7e-7 } } },
                 *chosen = &small;

static void test_rigid(void) {
  check_law(&chosen->n, 0.0, chosen->level);
}

static void test_layer(void) {
  check_law(&chosen->n, 9e14, chosen->level);
}

int main(int argc, char **argv) {
  test_leaks_ignore();
  if (argc > 1 && strcmp(argv[1], "large") == 0) chosen = &large;
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_rigid);
  TEST(test_layer);
  return test_leaks_finish();
}
