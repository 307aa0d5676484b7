#include "support/fem/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fem/formats/reader.h"
#include "support/check.h"
#include "support/fem/band.h"

static ms_mesh_read_settings settings_of(ms_part *any) {
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  *any = (ms_part) { .material = ms_material_isotropic(71.3e9, 0.317, 2710.0) };
  s.n_part = 1;
  s.part = any;
  return s;
}

ms_mesh *test_read(const char *name) {
  char path[512];
  ms_part any;
  ms_mesh *mesh;
  ms_mesh_read_settings s = settings_of(&any);
  snprintf(path, sizeof path, "%s/mesh/%s", TEST_DATA, name);
  CHECK_OK(ms_mesh_read(test_context(), path, &s, &mesh));
  return mesh;
}

void test_refused(const char *path, const char *bytes, size_t length, const char *part) {
  test_memory memory = { .fail_at = -1 };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx;
  ms_part any;
  ms_mesh *mesh;
  ms_mesh_read_settings s = settings_of(&any);
  CHECK_OK(ms_context_create(&allocator, &ctx));
  CHECK(ms_mesh_parse(ctx, path, bytes, length, &s, &mesh) < 0);
  CHECK(mesh == NULL);
  CHECK_HAS(ms_context_message(ctx), part);
  CHECK_EQUAL(memory.live, 1);
  ms_context_destroy(&ctx);
}

/* ---- shapes ---- */

/* Where node i of an element would be if its corners alone made it: the mean of the two corners
   beside it in the reference cell, found by their reference coordinates. */
static double distance_from_middle(const ms_mesh_block *b, const double *x, ptrdiff_t e, int i) {
  const ms_element_info *info = b->element;
  const int32_t *node = b->node + info->n_node * e;
  for (int p = 0; p < i; p++) {
    for (int q = 0; q < p; q++) {
      double off = 0.0, distance = 0.0;
      for (int a = 0; a < 3; a++) {
        const double *r = info->coords + a;
        double middle = 0.5 * (x[3 * node[p] + a] + x[3 * node[q] + a]);
        off += fabs(0.5 * (r[3 * p] + r[3 * q]) - r[3 * i]);
        distance += fabs(x[3 * node[i] + a] - middle);
      }
      if (off < 1e-12) return distance;
    }
  }
  return 0.0; /* a corner */
}

static void check_middles(const ms_mesh *mesh) {
  double worst = 0.0;
  for (int k = 0; k < ms_mesh_count_blocks(mesh); k++) {
    ms_mesh_block b = ms_mesh_get_block(mesh, k);
    for (ptrdiff_t e = 0; e < b.n; e++) {
      for (int i = 0; i < b.element->n_node; i++) {
        worst = fmax(worst, distance_from_middle(&b, ms_mesh_get_nodes(mesh), e, i));
      }
    }
  }
  CHECK_BELOW(worst, 1e-9);
}

void test_box(const ms_mesh *mesh, const double *low, const double *high, ptrdiff_t n) {
  ms_mesh_check_settings settings = ms_mesh_check_defaults();
  ms_mesh_report report;
  if (!CHECK(mesh != NULL)) return;
  CHECK_EQUAL(ms_mesh_count_elements(mesh), n);
  CHECK_OK(ms_mesh_check(mesh, &settings, &report));
  CHECK_TEXT(report.text, "");
  CHECK_EQUAL(report.n_inverted + report.n_free + report.n_duplicate, 0);
  CHECK_EQUAL(report.n_piece, 1);
  CHECK_CLOSE(report.volume, (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]), 1e-12);
  check_middles(mesh);
}

/* ---- faces ---- */

/* Twice the area of a face times its normal, by its corners. */
static void face_vector(const ms_mesh *mesh, const ms_mesh_set *s, ptrdiff_t i, int axis,
                        double value, double *sum, double *off) {
  ms_mesh_block b = ms_mesh_get_block(mesh, ms_mesh_find_block(mesh, s->index[i]));
  const ms_face *f = &b.element->face[s->face[i]];
  const int32_t *node = b.node + b.element->n_node * (s->index[i] - b.first);
  const double *x = ms_mesh_get_nodes(mesh);
  for (int k = 0; k < f->n_node; k++)
    *off = fmax(*off, fabs(x[3 * node[f->node[k]] + axis] - value));
  for (int k = 0; k < f->n_corner; k++) {
    const double *p = x + 3 * node[f->node[k]], *q = x + 3 * node[f->node[(k + 1) % f->n_corner]];
    for (int a = 0; a < 3; a++) {
      sum[a] += p[(a + 1) % 3] * q[(a + 2) % 3] - p[(a + 2) % 3] * q[(a + 1) % 3];
    }
  }
}

void test_plane(const ms_mesh *mesh, const char *set, int axis, double value, int sign,
                double area) {
  ms_mesh_set s;
  double sum[3] = { 0.0 }, off = 0.0;
  if (!mesh || CHECK_OK(ms_mesh_find_set(mesh, MS_SET_FACES, set, &s)) == 0) return;
  for (ptrdiff_t i = 0; i < s.n; i++) face_vector(mesh, &s, i, axis, value, sum, &off);
  CHECK_BELOW(off, 1e-9);
  CHECK_CLOSE(0.5 * sum[axis] * sign, area, 1e-9);
}

/* ---- patch test ---- */

static int is_outside(const double *x, const double *low, const double *high) {
  for (int a = 0; a < 3; a++) {
    if (fabs(x[a] - low[a]) < 1e-9 || fabs(x[a] - high[a]) < 1e-9) return 1;
  }
  return 0;
}

void test_patch(const ms_mesh *mesh, const double *low, const double *high, double tolerance) {
  static const double A[9] = { 1.1e-3, 0.3e-3, -0.7e-3, 0.5e-3, -0.9e-3,
                               0.2e-3, 0.4e-3, 0.6e-3,  0.8e-3 };
  if (!CHECK(mesh != NULL)) return;
  test_band band = test_band_open(mesh, 3);
  const double *x = ms_mesh_get_nodes(mesh);
  double *u = calloc((size_t)band.n, sizeof *u), *f = calloc((size_t)band.n, sizeof *f);
  double worst = 0.0, most = 0.0;
  ptrdiff_t inside = 0;
  for (ptrdiff_t i = 0; i < band.n; i++) {
    const double *at = x + 3 * (i / 3), *row = A + i % 3;
    if (!is_outside(at, low, high)) continue;
    test_band_fix(&band, i / 3, (int)(i % 3));
    u[i] = row[0] * at[0] + row[3] * at[1] + row[6] * at[2];
  }
  test_band_solve(&band, f, u);
  for (ptrdiff_t i = 0; i < band.n; i++) {
    const double *at = x + 3 * (i / 3), *row = A + i % 3;
    double want = row[0] * at[0] + row[3] * at[1] + row[6] * at[2];
    inside += !is_outside(at, low, high);
    worst = fmax(worst, fabs(u[i] - want));
    most = fmax(most, fabs(want));
  }
  CHECK(inside > 0);
  CHECK_BELOW(worst, tolerance * most);
  free(u);
  free(f);
  test_band_close(&band);
}
