#include "support/fem/parts.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/check.h"

static void area_of(const ms_mesh *m, const char *name, double *sum) {
  ms_mesh_set s;
  const double *x = ms_mesh_get_nodes(m);
  memset(sum, 0, 3 * sizeof *sum);
  if (!CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, name, &s))) return;
  for (ptrdiff_t i = 0; i < s.n; i++) {
    ms_mesh_block b = ms_mesh_get_block(m, ms_mesh_find_block(m, s.index[i]));
    const int32_t *node = b.node + b.element->n_node * (s.index[i] - b.first);
    const ms_face *f = &b.element->face[s.face[i]];
    for (int t = 1; t + 1 < f->n_corner; t++) {
      const double *p = x + 3 * (ptrdiff_t)node[f->node[0]];
      const double *q = x + 3 * (ptrdiff_t)node[f->node[t]];
      const double *r = x + 3 * (ptrdiff_t)node[f->node[t + 1]];
      for (int a = 0; a < 3; a++) {
        int c = (a + 1) % 3, d = (a + 2) % 3;
        sum[a] += 0.5 * ((q[c] - p[c]) * (r[d] - p[d]) - (q[d] - p[d]) * (r[c] - p[c]));
      }
    }
  }
}

void test_check_area(const ms_mesh *m, const char *name, double x, double y, double z) {
  double sum[3];
  area_of(m, name, sum);
  CHECK_NEAR(sum[0], x, 1e-12);
  CHECK_NEAR(sum[1], y, 1e-12);
  CHECK_NEAR(sum[2], z, 1e-12);
}

void test_check_plane(const ms_mesh *m, const char *name, int axis, double place) {
  ms_mesh_set s;
  const double *x = ms_mesh_get_nodes(m);
  ptrdiff_t n = 0;
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, name, &s));
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(m); i++) n += fabs(x[3 * i + axis] - place) < 1e-12;
  for (ptrdiff_t i = 0; i < s.n; i++) CHECK_NEAR(x[3 * (ptrdiff_t)s.index[i] + axis], place, 1e-12);
  CHECK_EQUAL(s.n, n);
}

/* Counted by the sum of a symmetric hash over faces, signs by orientation. */
void test_check_conforming(const ms_mesh *m, ptrdiff_t n_outside) {
  enum { TABLE = 1 << 16 };
  static int count[TABLE];
  ptrdiff_t single = 0;
  memset(count, 0, sizeof count);
  for (int k = 0; k < ms_mesh_count_blocks(m); k++) {
    ms_mesh_block b = ms_mesh_get_block(m, k);
    for (ptrdiff_t e = 0; e < b.n * b.element->n_face; e++) {
      const ms_face *f = &b.element->face[e % b.element->n_face];
      uint64_t sum = 0;
      for (int i = 0; i < f->n_corner; i++) {
        uint64_t node = (uint64_t)b.node[b.element->n_node * (e / b.element->n_face) + f->node[i]];
        node = (node + 1) * 0x9e3779b97f4a7c15u;
        sum += (node ^ node >> 29) * 0xbf58476d1ce4e5b9u;
      }
      count[sum >> 48] ^= 1;
    }
  }
  for (int i = 0; i < TABLE; i++) single += count[i];
  CHECK(single > n_outside * 9 / 10 && single <= n_outside); /* a few meet in the table */
}
