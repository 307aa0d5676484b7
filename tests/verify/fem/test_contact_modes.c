/* Nonlinear modes with contact between solids, on the lap joint of verify.fem.contact: quasi-static
   cycles, harmonic balance (EPMC) and ring-downs in time, all from the same settled state. */
#include <math.h>
#include <stdio.h>

#include <microslip/contact_dynamics.h>
#include <microslip/fem_contact.h>
#include <microslip/harmonic.h>
#include <microslip/signal.h>

#include "core/internal.h"
#include "response/contact/impl.h"
#include "support/check.h"
#include "support/fem/leaks.h"

static const double PI = 3.14159265358979323846, BOLT = 8000.0;
enum { N_MODE = 12 };

typedef struct lap {
  int per_side; /* elements in 8 mm */
  ms_mesh *mesh;
  ms_fem_contact contact;
  ms_fem_push push[2];
  ms_fem_stage stage;
  ms_fem_assembly assembly;
  ms_fem_rest rest;
  ms_contact_modal modal;
  ms_contact *settled;     /* under loads M phi */
  ms_structure *structure; /* the modes; the others of the one that is looked at are damped */
} lap;

/* Two bars of 60 x 16 x 6 mm that overlap by 32 mm. */
static void make_mesh(lap *l) {
  static const char *const name[] = { "left", "low", "high", "right" };
  static const double from[] = { 0.0, 0.028, 0.028, 0.060 },
                      length[] = { 0.028, 0.032, 0.032, 0.028 };
  int part[4];
  CHECK_OK(ms_mesh_create(test_context(), &l->mesh));
  for (int k = 0; k < 4; k++) {
    const ms_part p = { .name = name[k], .material = ms_material_isotropic(2.1e11, 0.3, 7850.0) };
    const ms_brick brick = { { from[k], 0.0, k < 2 ? -0.006 : 0.0 },
                             { length[k], 0.016, 0.006 },
                             { (int)lround(length[k] / 0.008 * l->per_side), 2 * l->per_side,
                               l->per_side > 2 ? 3 : 2 } };
    CHECK_OK(ms_mesh_add_part(l->mesh, &p, &part[k]));
    CHECK_OK(ms_mesh_add_brick(l->mesh, part[k], "hex8", &brick));
  }
  CHECK_OK(ms_mesh_merge(l->mesh, 2, part, 1e-9, NULL));
  CHECK_OK(ms_mesh_merge(l->mesh, 2, part + 2, 1e-9, NULL));
}

/* The faces of a set whose elements are between 40 and 48, 4 and 12 mm. */
static void add_pad(ms_mesh *mesh, const char *faces, const char *name) {
  ms_mesh_set set;
  int32_t element[64];
  unsigned char face[64];
  ptrdiff_t n = 0;
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_FACES, faces, &set));
  for (ptrdiff_t i = 0; i < set.n; i++) {
    const ms_mesh_block block = ms_mesh_get_block(mesh, ms_mesh_find_block(mesh, set.index[i]));
    const int32_t *node = block.node + 8 * (set.index[i] - block.first);
    double x = 0.0, y = 0.0;
    for (int k = 0; k < 8; k++) {
      x += ms_mesh_get_nodes(mesh)[3 * node[k]] / 8.0;
      y += ms_mesh_get_nodes(mesh)[3 * node[k] + 1] / 8.0;
    }
    if (fabs(x - 0.044) > 0.004 || fabs(y - 0.008) > 0.004) continue;
    element[n] = set.index[i];
    face[n++] = set.face[i];
  }
  CHECK_OK(ms_mesh_add_set(mesh, MS_SET_FACES, name, n, element, face));
}

static ms_status make(void *user, ms_context *ctx, ms_fem_model **out) {
  ms_status status = ms_fem_create(ctx, user, out);
  return status ? status : ms_fem_fix_set(*out, "left.left", MS_FEM_TRANSLATIONS);
}

static void open_lap(lap *l) {
  make_mesh(l);
  add_pad(l->mesh, "high.top", "pad.top");
  add_pad(l->mesh, "low.bottom", "pad.bottom");
  l->contact = (ms_fem_contact) {
    .name = "lap", .faces = { "high.bottom", "low.top" }, .mu = 0.3, .K_n = 1e15, .K_t = 5e14
  };
  l->push[0] = (ms_fem_push) { .set = "pad.top", .force = { 0.0, 0.0, -BOLT } };
  l->push[1] = (ms_fem_push) { .set = "pad.bottom", .force = { 0.0, 0.0, BOLT } };
  l->stage = (ms_fem_stage) { .push = l->push, .n_push = 2, .friction = 1, .steps = 4 };
  l->assembly = (ms_fem_assembly) { .make = make,
                                    .user = l->mesh,
                                    .n_contact = 1,
                                    .contact = &l->contact,
                                    .n_stage = 1,
                                    .stage = &l->stage };
  CHECK_OK(ms_fem_find_rest(test_context(), &l->assembly, &l->rest));
  CHECK_OK(ms_fem_find_modal(test_context(), &l->assembly, &l->rest, N_MODE, 0, NULL, &l->modal));
}

static void close_lap(lap *l) {
  ms_contact_modal_free(test_context(), &l->modal);
  ms_fem_rest_free(test_context(), &l->rest);
  ms_mesh_destroy(&l->mesh);
}

/* ---- one mode by three methods ---- */

enum { N_AMPLITUDE = 5, HARMONICS = 3, TIMES = 128, PER_PERIOD = 100, PERIODS = 60 };
static const double WINDOW = 8.0, BEFORE = 12.0; /* periods */
static const double OTHERS = 0.02;               /* damping ratio of the other modes */

typedef struct answer {
  double omega[N_AMPLITUDE], zeta[N_AMPLITUDE];
} answer;

static void settle(lap *l, int mode, double q) {
  const double w = l->modal.omega[mode];
  CHECK_OK(ms_contact_copy(test_context(), l->modal.contact, &l->settled));
  CHECK_OK(ms_contact_return(l->settled));
  CHECK_OK(ms_contact_settle(l->settled, mode, 0.9 * w * w * q, 6));
}

static void run_qsma(const lap *l, int mode, const double *q, answer *out) {
  const double w = l->modal.omega[mode];
  ms_contact *c;
  ms_contact_cycle cycle;
  CHECK_OK(ms_contact_copy(test_context(), l->settled, &c));
  for (int i = 0; i < N_AMPLITUDE; i++) {
    double p = w * w * q[i];
    out->omega[i] = out->zeta[i] = NAN;
    if (ms_contact_find_cycle(c, mode, q[i], &p, &cycle, NULL) == MS_SUCCESS) {
      out->omega[i] = sqrt(p / q[i]);
      out->zeta[i] = cycle.D / (2.0 * PI * p * q[i]);
    } else {
      ms_context_clear_message(test_context()); /* the load slides it as a whole */
    }
  }
  ms_contact_destroy(&c);
}

/* A contact under the load of one mode alone: the others follow without inertia, as in qsma. */
static ms_contact *keep_mode(const ms_contact *from, int mode) {
  const ms_contact_problem problem = { .n_point = from->n,
                                       .n_load = 1,
                                       .point = from->point,
                                       .H = from->H,
                                       .S_0 = from->S_0,
                                       .z_load = from->z_load + 3 * from->n * mode,
                                       .load_load = from->load_load + (from->n_load + 1) * mode };
  ms_contact *c;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_continue(c, from));
  return c;
}

static void run_epmc(const lap *l, int mode, int alone, const double *q, answer *out) {
  const int n = alone ? 1 : N_MODE;
  const ms_harmonic_range range = { q[0], q[N_AMPLITUDE - 1], .list = q, .n_list = N_AMPLITUDE };
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  double zeta[N_MODE];
  ms_structure *s;
  ms_harmonic *h;
  ms_harmonic_curve *curve = NULL;
  setting.harmonics = HARMONICS;
  setting.times = TIMES;
  setting.stability_modes = 0;
  ms_contact *c = alone ? keep_mode(l->settled, mode) : NULL;
  setting.contact = alone ? c : l->settled;
  CHECK_OK(ms_structure_create(test_context(), n, NULL, &s));
  for (int r = 0; r < n; r++) {
    const double w = l->modal.omega[alone ? mode : r];
    zeta[r] = alone || r == mode ? 0.0 : OTHERS;
    CHECK_OK(ms_structure_add_mass(s, r, 1.0));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, r, w * w));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_run_mode(h, alone ? 0 : mode, &range, &curve));
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_EQUAL(info.complete, 1);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!p->listed) continue;
    out->omega[p->listed - 1] = p->omega;
    out->zeta[p->listed - 1] = p->zeta_joint;
  }
  printf("# epmc: %td points, %td evaluations\n", info.points, info.evaluations);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
  ms_contact_destroy(&c);
}

/* Rings down from so far above q that the others have died away when it comes by; zeta: about. */
static void run_ringdown(const lap *l, int mode, double q, double zeta, double *omega,
                         double *found) {
  const double w = l->modal.omega[mode], step = 2.0 * PI / (w * PER_PERIOD);
  const ms_contact_modal modal = { N_MODE, 0, l->modal.omega, l->modal.follow, l->settled };
  const ptrdiff_t n = PERIODS * PER_PERIOD;
  static double x[PERIODS * PER_PERIOD];
  double others[N_MODE], v[N_MODE] = { 0.0 };
  ms_contact_run *run;
  ms_decay decay = { 0 };
  const ms_decay *of = &decay;
  ms_points points;
  ms_stft_settings stft = MS_STFT_DEFAULT;
  for (int r = 0; r < N_MODE; r++) others[r] = r == mode ? 0.0 : OTHERS;
  CHECK_OK(ms_contact_run_create(test_context(), &modal, others, step, &run));
  v[mode] = q * exp(2.0 * PI * zeta * BEFORE) * w;
  CHECK_OK(ms_contact_run_start(run, NULL, v));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK_OK(ms_contact_run_step(run, NULL));
    x[i] = ms_contact_run_get(run).q[mode];
  }
  const double left = ms_signal_mean(n / 4, x + 3 * n / 4); /* what slip has left */
  for (ptrdiff_t i = 0; i < n; i++) x[i] -= left;
  const ms_signal signal = { .n = n, .dt = step, .x = x, .kind = MS_SIGNAL_DISPLACEMENT };
  stft.window_first = stft.window_last = WINDOW * 2.0 * PI / w;
  CHECK_OK(ms_signal_stft(test_context(), &signal, &stft, &decay));
  CHECK_OK(ms_points_gather(test_context(), 1, &of, &points));
  *omega = ms_points_omega(&points, q);
  *found = ms_points_zeta(&points, q);
  ms_contact_run_destroy(&run);
  ms_decay_free(test_context(), &decay);
  ms_free(test_context(), &points.q);
}

/* part: amplitudes, of that at which the linear answer uses up friction. qsma may differ from epmc
   by so much in damping, where the other modes answer with their inertia. */
static void compare(lap *l, int mode, const double *part, double inertia) {
  const double w = l->modal.omega[mode];
  double q[N_AMPLITUDE], capacity, omega, zeta;
  answer qsma, alone, epmc;
  CHECK_OK(ms_contact_find_capacity(l->modal.contact, mode, &capacity));
  for (int i = 0; i < N_AMPLITUDE; i++) q[i] = part[i] * capacity / (w * w);
  settle(l, mode,
         q[N_AMPLITUDE - 1] < 0.8 * capacity / (w * w) ? q[N_AMPLITUDE - 1]
                                                       : 0.8 * capacity / (w * w));
  run_qsma(l, mode, q, &qsma);
  run_epmc(l, mode, 1, q, &alone);
  run_epmc(l, mode, 0, q, &epmc);
  for (int i = 0; i < N_AMPLITUDE; i++) {
    run_ringdown(l, mode, q[i], epmc.zeta[i], &omega, &zeta);
    printf(
        "# mode %d, q = %.3g: epmc %.2f Hz, %.4g %%; ring-down %+.2g %%, %+.2g %%; qsma %+.2g %%, "
        "%+.2g %%; epmc without inertia of other modes from qsma %+.2g %%, %+.2g %%\n",
        mode + 1, q[i], epmc.omega[i] / (2.0 * PI), 100.0 * epmc.zeta[i],
        100.0 * (omega / epmc.omega[i] - 1.0), 100.0 * (zeta / epmc.zeta[i] - 1.0),
        100.0 * (qsma.omega[i] / epmc.omega[i] - 1.0), 100.0 * (qsma.zeta[i] / epmc.zeta[i] - 1.0),
        100.0 * (alone.omega[i] / qsma.omega[i] - 1.0),
        100.0 * (alone.zeta[i] / qsma.zeta[i] - 1.0));
    CHECK_CLOSE(omega, epmc.omega[i], 0.005);
    CHECK_CLOSE(zeta, epmc.zeta[i], 0.1);
    CHECK_CLOSE(alone.omega[i], qsma.omega[i], 0.005);
    CHECK_CLOSE(alone.zeta[i], qsma.zeta[i], 0.05);
    CHECK_CLOSE(qsma.omega[i], epmc.omega[i], 0.005);
    CHECK_CLOSE(qsma.zeta[i], epmc.zeta[i], inertia);
    CHECK_CLOSE(omega, qsma.omega[i], 0.005);
    CHECK_CLOSE(zeta, qsma.zeta[i], 0.1);
  }
  ms_contact_destroy(&l->settled);
}

static void test_bending(void) {
  lap l = { .per_side = 2 };
  open_lap(&l);
  compare(&l, 0, (const double[]) { 0.1, 0.2, 0.4, 0.7, 1.0 }, 0.05);
  close_lap(&l);
}

/* Modes at 8.0, 15.9 and 19.4 kHz answer to a mode at 14 kHz. */
static void test_axial(void) {
  lap l = { .per_side = 2 };
  open_lap(&l);
  compare(&l, 6, (const double[]) { 0.2, 0.3, 0.4, 0.5, 0.6 }, 0.1);
  close_lap(&l);
}

int main(void) {
  TEST(test_bending);
  TEST(test_axial);
  return test_finish();
}
