/* Which nodes and faces of two sets lie opposite each other: a gap of any size, offsets beside, a
   slot one element wide, levels, diagonals of triangles. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/match.h"
#include "support/check.h"

enum { NX = 7, NY = 3, NODES = (NX + 1) * (NY + 1) };
static const double DX = 0.0031, DY = 0.0023;

/* A grid at height z0 + curve x^2, whose faces look up or down. */
typedef struct grid {
  double z0, curve, x0;
  int up, triangles, slot; /* slot: the column of faces that is left out, or -1 */
} grid;

static void add_face(ms_contact_side *s, int up, int a, int b, int c, int d) {
  int32_t *f = s->corner + 4 * s->n_face++;
  const int32_t node[4] = { a, up ? b : d >= 0 ? d : c, up || d >= 0 ? c : b, up ? d : b };
  memcpy(f, node, sizeof node);
  if (d < 0) f[3] = -1;
}

static void make_grid(const grid *g, ms_contact_side *s) {
  CHECK_OK(ms_contact_reserve_side(test_context(), NODES, 2 * NX * NY, s));
  s->faces = g->up ? "lower" : "upper";
  s->n = NODES;
  for (int i = 0; i < NODES; i++) {
    const double x = (i % (NX + 1)) * DX + g->x0;
    s->x[3 * i] = x;
    s->x[3 * i + 1] = DY * (i / (NX + 1));
    s->x[3 * i + 2] = g->z0 + g->curve * x * x;
  }
  for (int j = 0; j < NY; j++) {
    for (int i = 0; i < NX; i++) {
      const int a = i + (NX + 1) * j, b = a + 1, c = b + NX + 1, d = a + NX + 1;
      if (i == g->slot) continue;
      if (!g->triangles) add_face(s, g->up, a, b, c, d);
      if (g->triangles == 1) add_face(s, g->up, a, b, c, -1), add_face(s, g->up, a, c, d, -1);
      if (g->triangles == 2) add_face(s, g->up, a, b, d, -1), add_face(s, g->up, b, c, d, -1);
    }
  }
}

/* The status; the faces of both sides that are in the contact. */
static ms_status match(const grid *first, const grid *second, ptrdiff_t on[2]) {
  const ms_contact_setting setting = MS_CONTACT_DEFAULT;
  ms_contact_match m = { .name = "j", .advice = "mesh alike", .tol = &setting.tol };
  ms_contact_side a = { 0 }, b = { 0 };
  make_grid(first, &a);
  make_grid(second, &b);
  const ms_status status = ms_contact_find_match(test_context(), &m, &a, &b);
  for (ptrdiff_t i = 0; i < NODES && !status; i++) {
    if (a.partner[i] >= 0) CHECK_EQUAL(a.partner[i], i);
  }
  CHECK_EQUAL(m.mismatch, strstr(ms_context_message(test_context()), "do not lie") != NULL);
  on[0] = a.n_on;
  on[1] = b.n_on;
  ms_contact_free_side(test_context(), &a);
  ms_contact_free_side(test_context(), &b);
  return status;
}

static void accept(const grid *a, const grid *b, ptrdiff_t first, ptrdiff_t second) {
  ptrdiff_t on[2];
  for (int swap = 0; swap < 2; swap++) {
    ms_context_clear_message(test_context());
    CHECK_OK(match(swap ? b : a, swap ? a : b, on));
    CHECK_EQUAL(on[swap], first);
    CHECK_EQUAL(on[1 - swap], second);
  }
}

static void refuse(const grid *a, const grid *b, const char *says) {
  ptrdiff_t on[2];
  for (int swap = 0; swap < 2; swap++) {
    ms_context_clear_message(test_context());
    CHECK(match(swap ? b : a, swap ? a : b, on) < 0);
    CHECK_HAS(ms_context_message(test_context()), says);
  }
}

static const grid lower = { .up = 1, .slot = -1 };

/* A cylinder on a flat: at its end the meshes are 2.3 sides apart. */
static void test_gap(void) {
  const grid curved = { .curve = 13.0, .slot = -1 };
  accept(&curved, &lower, (ptrdiff_t)NX * NY, (ptrdiff_t)NX * NY);
  refuse(&(grid) { .z0 = 0.0041, .slot = -1 }, &lower, "are 0.0041 m apart at least");
}

static void test_beside(void) {
  accept(&(grid) { .x0 = 0.005 * DY, .slot = -1 }, &lower, (ptrdiff_t)NX * NY, (ptrdiff_t)NX * NY);
  refuse(&(grid) { .x0 = 0.03 * DX, .slot = -1 }, &lower, "do not lie opposite each other");
  accept(&(grid) { .x0 = 4 * DX, .slot = -1 }, &(grid) { .x0 = 4 * DX, .up = 1, .slot = -1 },
         (ptrdiff_t)NX * NY, (ptrdiff_t)NX * NY);
  refuse(&(grid) { .x0 = 2 * NX * DX, .slot = -1 }, &lower, "or lie beside each other");
}

static void test_slot(void) {
  const grid slotted = { .up = 1, .slot = 3 }, whole = { .slot = -1 };
  accept(&whole, &slotted, (ptrdiff_t)(NX - 1) * NY, (ptrdiff_t)(NX - 1) * NY);
}

static void test_diagonals(void) {
  const grid one = { .slot = -1, .triangles = 1 }, other = { .slot = -1, .triangles = 2, .up = 1 };
  accept(&one, &other, (ptrdiff_t)2 * NX * NY, (ptrdiff_t)2 * NX * NY);
  accept(&one, &lower, (ptrdiff_t)2 * NX * NY, (ptrdiff_t)NX * NY);
}

int main(void) {
  TEST(test_gap);
  TEST(test_beside);
  TEST(test_slot);
  TEST(test_diagonals);
  return test_finish();
}
