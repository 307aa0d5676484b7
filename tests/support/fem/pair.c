#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "fem/contact/faces.h"
#include "support/check.h"
#include "support/fem/pair.h"

test_axis test_even(double a, double b, int n) {
  test_axis axis = { .n = n };
  for (int i = 0; i <= n; i++) axis.x[i] = a + (b - a) * i / n;
  return axis;
}

void test_extend(test_axis *axis, double end, double growth, double longest) {
  const int below = end < axis->x[0], m = axis->n;
  const double from = below ? axis->x[0] : axis->x[m], far = fabs(end - from);
  const double last = below ? axis->x[1] - axis->x[0] : axis->x[m] - axis->x[m - 1];
  double size[TEST_AXIS], sum = 0.0;
  int n = 0;
  for (double s = last * growth; sum < far && n + m < TEST_AXIS; s *= growth) {
    sum += size[n++] = fmin(s, longest);
  }
  for (int i = m; below && i >= 0; i--) axis->x[i + n] = axis->x[i];
  double x = from;
  for (int i = 0; i < n; i++) { /* all a little shorter, so that the last one ends there */
    x += (below ? -1.0 : 1.0) * size[i] * far / sum;
    axis->x[below ? n - 1 - i : m + 1 + i] = i + 1 < n ? x : end;
  }
  axis->n += n;
}

/* ---- mesh ---- */

typedef struct block {
  ms_mesh *mesh;
  char name[8];
  const test_axis *axis[3];
  ptrdiff_t node, element; /* the first ones */
} block;

static ptrdiff_t count(const block *b, int a) {
  return b->axis[a]->n;
}

static ptrdiff_t node_at(const block *b, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k) {
  return b->node + i + (count(b, 0) + 1) * (j + (count(b, 1) + 1) * k);
}

static void add_elements(block *b, const ms_material *material) {
  const ms_part part = { .name = b->name, .material = *material };
  const ptrdiff_t n[3] = { count(b, 0), count(b, 1), count(b, 2) };
  const ptrdiff_t nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), elements = n[0] * n[1] * n[2];
  double *x = malloc((size_t)(3 * nodes) * sizeof *x);
  int32_t *node = malloc((size_t)(8 * elements) * sizeof *node), *next = node;
  int index;
  for (ptrdiff_t i = 0; i < nodes; i++) {
    x[3 * i] = b->axis[0]->x[i % (n[0] + 1)];
    x[3 * i + 1] = b->axis[1]->x[i / (n[0] + 1) % (n[1] + 1)];
    x[3 * i + 2] = b->axis[2]->x[i / ((n[0] + 1) * (n[1] + 1))];
  }
  CHECK_OK(ms_mesh_add_part(b->mesh, &part, &index));
  CHECK_OK(ms_mesh_add_nodes(b->mesh, nodes, x, NULL, &b->node));
  for (ptrdiff_t e = 0; e < elements; e++) {
    static const int corner[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    const ptrdiff_t i = e % n[0], j = e / n[0] % n[1], k = e / (n[0] * n[1]);
    for (int c = 0; c < 8; c++) {
      *next++ = (int32_t)node_at(b, i + corner[c % 4][0], j + corner[c % 4][1], k + c / 4);
    }
  }
  CHECK_OK(ms_mesh_add_elements(b->mesh, index, "hex8", elements, node, NULL, &b->element));
  free(x), free(node);
}

/* Nodes with the index `at` along an axis. */
static void add_nodes(const block *b, const char *word, int axis, ptrdiff_t at) {
  const ptrdiff_t m[3] = { count(b, 0) + 1, count(b, 1) + 1, count(b, 2) + 1 };
  int32_t *index = malloc((size_t)(m[0] * m[1] * m[2]) * sizeof *index);
  ptrdiff_t n = 0;
  char name[32];
  for (ptrdiff_t i = 0; i < m[0] * m[1] * m[2]; i++) {
    const ptrdiff_t place[3] = { i % m[0], i / m[0] % m[1], i / (m[0] * m[1]) };
    if (place[axis] == at) index[n++] = (int32_t)(b->node + i);
  }
  snprintf(name, sizeof name, "%s.%s", b->name, word);
  CHECK_OK(ms_mesh_add_set(b->mesh, MS_SET_NODES, name, n, index, NULL));
  free(index);
}

/* The faces that may touch; faces 0 and 1 of a hex8 are its bottom and top. */
static void add_touch(const block *b, int upper, double touch) {
  const ptrdiff_t n[2] = { count(b, 0), count(b, 1) }, layer = upper ? 0 : count(b, 2) - 1;
  int32_t *index = malloc((size_t)(n[0] * n[1]) * sizeof *index);
  unsigned char *face = malloc((size_t)(n[0] * n[1]));
  ptrdiff_t found = 0;
  char name[32];
  for (ptrdiff_t e = 0; e < n[0] * n[1]; e++) {
    const double *x = b->axis[0]->x + e % n[0], *y = b->axis[1]->x + e / n[0];
    if (hypot(0.5 * (x[0] + x[1]), n[1] > 1 ? 0.5 * (y[0] + y[1]) : 0.0) > touch) continue;
    face[found] = upper ? 0 : 1;
    index[found++] = (int32_t)(b->element + e + n[0] * n[1] * layer);
  }
  snprintf(name, sizeof name, "%s.touch", b->name);
  CHECK_OK(ms_mesh_add_set(b->mesh, MS_SET_FACES, name, found, index, face));
  free(index), free(face);
}

static void add_block(test_pair *p, int upper) {
  test_axis z = test_even(upper ? 0.0 : -p->first, upper ? p->first : 0.0, 1);
  block b = { .mesh = p->mesh, .axis = { &p->x, &p->y, &z } };
  test_extend(&z, upper ? p->depth : -p->depth, p->growth, HUGE_VAL);
  strcpy(b.name, upper ? "upper" : "lower");
  add_elements(&b, &p->material[upper]);
  add_nodes(&b, "far", 2, upper ? z.n : 0);
  add_nodes(&b, "front", 1, 0);
  add_nodes(&b, "back", 1, p->y.n);
  add_touch(&b, upper, p->touch);
}

/* ---- model ---- */

static ms_fem_contact contact_of(const test_pair *p) {
  return (
      ms_fem_contact) { .name = "joint", .faces = { "upper.touch", "lower.touch" }, .mu = p->mu };
}

/* At the nodes, where the contact's points are. */
static void add_contact(test_pair *p) {
  const int plane = p->y.n == 1;
  const ptrdiff_t n_x = p->x.n + 1, n = plane ? n_x : n_x * (p->y.n + 1);
  double *x = malloc((size_t)(3 * n) * sizeof *x), *y = x + n, *gap = y + n;
  for (ptrdiff_t i = 0; i < n; i++) {
    x[i] = p->x.x[i % n_x];
    y[i] = plane ? 0.0 : p->y.x[i / n_x];
    gap[i] = p->gap(p->user, x[i], y[i]);
  }
  const ms_fem_gaps gaps = { n, { x, plane ? NULL : y }, gap };
  ms_fem_contact contact = contact_of(p);
  contact.gaps = &gaps;
  CHECK_OK(ms_fem_add_contact(p->model, &contact));
  free(x);
}

/* The index of the node that leads the top. */
static ptrdiff_t add_supports(const test_pair *p) {
  ms_mesh_set far;
  CHECK_OK(ms_fem_fix_set(p->model, "lower.far", MS_FEM_TRANSLATIONS));
  for (int upper = 0; upper < 2; upper++) {
    CHECK_OK(ms_fem_fix_set(p->model, upper ? "upper.front" : "lower.front", 2));
    if (p->y.n == 1) CHECK_OK(ms_fem_fix_set(p->model, upper ? "upper.back" : "lower.back", 2));
  }
  if (p->y.n > 1) CHECK_OK(ms_fem_fix_set(p->model, "upper.far", 2));
  CHECK_OK(ms_mesh_find_set(p->mesh, MS_SET_NODES, "upper.far", &far));
  for (ptrdiff_t i = 1; i < far.n; i++) {
    for (int a = 0; a < 3; a += 2) {
      const ms_fem_term term[2] = { { far.index[i], a, 1.0 }, { far.index[0], a, -1.0 } };
      CHECK_OK(ms_fem_link(p->model, "top", 2, term, 0.0));
    }
  }
  return far.index[0];
}

void test_pair_open(test_pair *p) {
  ms_contact_setting setting = MS_CONTACT_DEFAULT;
  CHECK_OK(ms_mesh_create(test_context(), &p->mesh));
  for (int upper = 0; upper < 2; upper++) add_block(p, upper);
  CHECK_OK(ms_fem_create(test_context(), p->mesh, &p->model));
  const ptrdiff_t top = add_supports(p);
  add_contact(p);
  CHECK_OK(ms_fem_setup(p->model, NULL));
  const ptrdiff_t size = ms_fem_get_size(p->model);
  double *load = calloc((size_t)(2 * size), sizeof *load);
  load[ms_fem_get_index(p->model, top, 2)] = -1.0;
  load[size + ms_fem_get_index(p->model, top, 0)] = 1.0;
  CHECK_OK(ms_fem_condense(p->model, 2, load, &p->condensed));
  free(load);
  const ms_contact_problem problem = ms_fem_condensed_get(&p->condensed);
  if (p->steps > 0) setting.cycle_steps = p->steps;
  if (p->fixed) setting.refine_max = 0;
  CHECK_OK(ms_contact_create(test_context(), &problem, &setting, &p->contact));
  p->point = ms_fem_get_contact_points(p->model, &p->n);
}

void test_pair_close(test_pair *p) {
  ms_contact_destroy(&p->contact);
  ms_fem_condensed_free(test_context(), &p->condensed);
  ms_fem_destroy(&p->model);
  ms_mesh_destroy(&p->mesh);
}

double test_pair_pressure(const test_pair *p, ptrdiff_t i) {
  return ms_contact_get(p->contact).lambda[3 * i + 2] / p->point[i].area;
}

void test_pair_count(const test_pair *p) {
  const ms_contact_count count = ms_contact_get_count(p->contact);
  const double mean = (double)count.iterations / (double)count.steps,
               slow = (double)count.slow / (double)count.steps;
  printf("# %.2g iterations in each of %td steps, more than 10 in %.2g %% of them\n", mean,
         count.steps, 100.0 * slow);
  CHECK_BELOW(0.9, mean);
  CHECK_BELOW(mean, 5.0);
  CHECK_BELOW(slow, 0.05);
}

ptrdiff_t test_pair_count_inside(const test_pair *p, const double *D) {
  const ms_fem_contact contact = contact_of(p);
  const ms_fem_assembly assembly = { .n_contact = 1, .contact = &contact };
  ms_fem_rest rest = { .n_point = p->n, .contact = p->contact };
  unsigned char *flag = calloc((size_t)p->n, 1);
  rest.point = malloc((size_t)p->n * sizeof *rest.point);
  memcpy(rest.point, p->point, (size_t)p->n * sizeof *rest.point);
  for (ptrdiff_t i = 0; i < p->n; i++) flag[i] = D[i] > 0.0;
  CHECK_OK(ms_fem_fill_contact_faces(p->model, &assembly, &rest));
  const ptrdiff_t n = ms_contact_count_inside(&rest, flag);
  ms_free(test_context(), &rest.corner);
  ms_free(test_context(), &rest.of);
  ms_free(test_context(), &rest.face);
  free(rest.point), free(flag);
  return n;
}

double test_find_imbalance(const ms_contact_problem *p, const ms_contact *c) {
  const ms_contact_state s = ms_contact_get(c);
  const ptrdiff_t n = 3 * p->n_point;
  double worst = 0.0, largest = 0.0, *z = malloc((size_t)n * sizeof *z);
  for (ptrdiff_t i = 0; i < n; i++) z[i] = s.z[i] + (i % 3 == 2 ? p->point[i / 3].gap : 0.0);
  for (ptrdiff_t i = 0; i < n; i++) {
    double miss = z[i];
    if (!(p->H[i + n * i] > 0.0)) continue;
    for (ptrdiff_t k = 0; k < p->n_load; k++) miss -= p->z_load[i + n * k] * s.p[k];
    for (ptrdiff_t j = 0; j < n; j++) {
      miss += p->H[i + n * j] * (s.lambda[j] - p->S_0[j] * z[j]);
    }
    worst = fmax(worst, fabs(miss) / p->H[i + n * i]);
    largest = fmax(largest, fabs(s.lambda[i]));
  }
  free(z);
  return worst / largest;
}
