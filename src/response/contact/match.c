#include <math.h>

#include "core/internal.h"
#include "response/contact/match.h"

typedef struct facet {
  int n;
  double size, middle[3], normal[3], x[4][3]; /* size: square root of its area */
} facet;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

static facet make_facet(const ms_contact_side *s, ptrdiff_t face) {
  const int32_t *node = s->corner + 4 * face;
  facet f = { .n = node[3] < 0 ? 3 : 4 };
  double along[3], across[3];
  for (int i = 0; i < f.n; i++) {
    for (int a = 0; a < 3; a++) {
      f.x[i][a] = s->x[3 * (ptrdiff_t)node[i] + a];
      f.middle[a] += f.x[i][a] / f.n;
    }
  }
  for (int a = 0; a < 3; a++) {
    along[a] = f.n == 3 ? f.x[1][a] - f.x[0][a] : f.x[2][a] - f.x[0][a];
    across[a] = f.n == 3 ? f.x[2][a] - f.x[0][a] : f.x[3][a] - f.x[1][a];
  }
  cross(along, across, f.normal);
  const double twice = sqrt(dot(f.normal, f.normal));
  for (int a = 0; a < 3 && twice > 0.0; a++) f.normal[a] /= twice;
  f.size = sqrt(0.5 * twice);
  return f;
}

ms_status ms_contact_reserve_side(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_face,
                                  ms_contact_side *s) {
  MS_TRY(ms_allocate(ctx, 8 * n + 1, sizeof *s->x, &s->x));
  MS_TRY(ms_allocate(ctx, 4 * n_face + n + 1, sizeof *s->corner, &s->corner));
  MS_TRY(ms_allocate(ctx, n_face + 1, sizeof *s->on, &s->on));
  s->normal = s->x + 3 * n;
  s->tilt = s->normal + 3 * n;
  s->side = s->tilt + n;
  s->partner = s->corner + 4 * n_face;
  return MS_SUCCESS;
}

void ms_contact_free_side(ms_context *ctx, ms_contact_side *s) {
  ms_free(ctx, &s->x);
  ms_free(ctx, &s->corner);
  ms_free(ctx, &s->on);
}

/* Normals of the nodes, and how much those of their faces differ. The square root of all area. */
static double measure(ms_contact_side *s) {
  double area = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) s->partner[i] = -1;
  for (ptrdiff_t f = 0; f < s->n_face; f++) {
    const facet at = make_facet(s, f);
    area += at.size * at.size;
    for (int i = 0; i < at.n; i++) {
      const int32_t node = s->corner[4 * f + i];
      s->side[node] = fmax(s->side[node], at.size);
      for (int a = 0; a < 3; a++) s->normal[3 * node + a] += at.size * at.size * at.normal[a];
    }
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double *n = s->normal + 3 * i;
    const double size = sqrt(dot(n, n));
    for (int a = 0; a < 3 && size > 0.0; a++) n[a] /= size;
  }
  for (ptrdiff_t f = 0; f < s->n_face; f++) {
    const facet at = make_facet(s, f);
    for (int i = 0; i < at.n; i++) {
      const int32_t node = s->corner[4 * f + i];
      const double c = dot(at.normal, s->normal + 3 * (ptrdiff_t)node);
      s->tilt[node] = fmax(s->tilt[node], sqrt(fmax(0.0, 1.0 - c * c)));
    }
  }
  return sqrt(area);
}

/* ---- nodes ---- */

/* How far node j of b is from node i of a: beside it, and along the normal. On curved faces this
   direction is known to the angle between the normals there only; `beside` is what that leaves. */
typedef struct offset {
  double beside, along; /* m */
  int opposite;
} offset;

static offset find_offset(const ms_contact_match *m, const ms_contact_side *a, ptrdiff_t i,
                          const ms_contact_side *b, ptrdiff_t j) {
  const double *p = a->normal + 3 * i, *q = b->normal + 3 * j;
  const double facing = dot(p, q), turned = sqrt(fmax(0.0, 1.0 - facing * facing));
  const double near = m->reach > 0.0 ? m->reach : m->tol->apart * fmax(a->side[i], b->side[j]);
  double n[3], d[3];
  for (int k = 0; k < 3; k++) {
    n[k] = facing < 0.0 ? p[k] - q[k] : p[k];
    d[k] = b->x[3 * j + k] - a->x[3 * i + k];
  }
  const double along = dot(n, d) / sqrt(dot(n, n));
  for (int k = 0; k < 3; k++) d[k] -= along * n[k] / sqrt(dot(n, n));
  const double excess = sqrt(dot(d, d)) - m->tol->beside * fmin(a->side[i], b->side[j]);
  return (offset) { fmax(0.0, excess), fabs(along),
                    excess <= fabs(along) * (a->tilt[i] + b->tilt[j] + turned) && along >= -near &&
                        (facing < 0.0 || along <= near) && (m->reach == 0.0 || along <= m->reach) };
}

static int is_nearer(const offset *a, const offset *b) {
  return a->beside < b->beside || (a->beside == b->beside && a->along < b->along);
}

/* A node has one partner, the nearest of those that are opposite. *least: m, how near all are. */
static void find_partners(const ms_contact_match *m, ms_contact_side *a, ms_contact_side *b,
                          double *least) {
  for (ptrdiff_t i = 0; i < a->n; i++) {
    offset nearest = { HUGE_VAL, HUGE_VAL, 0 };
    ptrdiff_t best = -1;
    for (ptrdiff_t j = 0; j < b->n; j++) {
      const offset at = find_offset(m, a, i, b, j);
      if (!at.opposite || !is_nearer(&at, &nearest)) continue;
      nearest = at;
      best = j;
    }
    if (best < 0) continue;
    *least = fmin(*least, nearest.along);
    const int32_t other = b->partner[best];
    if (other >= 0) {
      const offset at = find_offset(m, a, other, b, best);
      if (!is_nearer(&nearest, &at)) continue;
      a->partner[other] = -1;
    }
    a->partner[i] = (int32_t)best;
    b->partner[best] = (int32_t)i;
  }
}

/* ---- faces ---- */

static int is_paired(const ms_contact_side *s, ptrdiff_t face) {
  for (int i = 0; i < 4; i++) {
    const int32_t node = s->corner[4 * face + i];
    if (node >= 0 && s->partner[node] < 0) return 0;
  }
  return 1;
}

/* Seen along its normal, point x of f is inside g, which looks at it. */
static int is_covered(const ms_contact_match *m, const facet *f, const double *x, const facet *g) {
  double least = HUGE_VAL, most = -HUGE_VAL, d[3];
  const double facing = dot(f->normal, g->normal);
  if (!(facing < -0.1)) return 0;
  for (int a = 0; a < 3; a++) d[a] = g->middle[a] - x[a];
  const double along = dot(d, g->normal) / facing;
  if (along < -m->tol->apart * f->size || (m->reach > 0.0 && along > m->reach)) return 0;
  for (int i = 0; i < g->n; i++) {
    double side[3], to[3], turn[3];
    for (int a = 0; a < 3; a++) {
      side[a] = g->x[(i + 1) % g->n][a] - g->x[i][a];
      to[a] = x[a] - g->x[i][a];
    }
    cross(side, to, turn);
    least = fmin(least, dot(turn, f->normal));
    most = fmax(most, dot(turn, f->normal));
  }
  return !(least < 0.0 && most > 0.0);
}

/* All partners of the nodes of f are nodes of g. */
static int is_same(const ms_contact_side *a, ptrdiff_t f, const ms_contact_side *b, ptrdiff_t g) {
  for (int i = 0; i < 4; i++) {
    const int32_t node = a->corner[4 * f + i];
    int found = node < 0;
    for (int j = 0; j < 4; j++) {
      found |= node >= 0 && a->partner[node] >= 0 && b->corner[4 * g + j] == a->partner[node];
    }
    if (!found) return 0;
  }
  return 1;
}

/* A face that is not in the contact may lie beside the others, but no part of it opposite one. */
static ms_status refuse_mismatch(ms_context *ctx, ms_contact_match *m, const ms_contact_side *a,
                                 ptrdiff_t face, const ms_contact_side *b) {
  const facet f = make_facet(a, face);
  for (ptrdiff_t k = 0; k < b->n_face; k++) {
    const facet g = make_facet(b, k);
    int covered = is_covered(m, &f, f.middle, &g);
    for (int i = 0; i < 2 * f.n; i++) {
      double x[3];
      const double to = i % 2 ? 0.9 : 0.5;
      for (int c = 0; c < 3; c++) x[c] = f.middle[c] + to * (f.x[i / 2][c] - f.middle[c]);
      covered |= is_covered(m, &f, x, &g);
    }
    if (!covered) continue;
    m->mismatch = 1;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "contact '%s': near (%.6g, %.6g, %.6g) m the nodes of '%s' and '%s' do not lie "
                   "opposite each other: %s",
                   m->name, f.middle[0], f.middle[1], f.middle[2], a->faces, b->faces, m->advice);
  }
  return MS_SUCCESS;
}

static ms_status choose_faces(ms_context *ctx, ms_contact_match *m, ms_contact_side *a,
                              const ms_contact_side *b) {
  a->n_on = 0;
  for (ptrdiff_t k = 0; k < a->n_face; k++) {
    const int paired = is_paired(a, k);
    int on = 0;
    for (ptrdiff_t i = 0; i < b->n_face && paired && !on; i++) on = is_same(a, k, b, i);
    if (paired && !on) { /* other diagonals, or nodes around a hole */
      const facet f = make_facet(a, k);
      for (ptrdiff_t i = 0; i < b->n_face && !on; i++) {
        const facet g = make_facet(b, i);
        on = is_paired(b, i) && is_covered(m, &f, f.middle, &g);
      }
    }
    a->on[k] = (unsigned char)on;
    a->n_on += on;
    if (!on) MS_TRY(refuse_mismatch(ctx, m, a, k, b));
  }
  return MS_SUCCESS;
}

static double find_distance(const ms_contact_side *a, const ms_contact_side *b) {
  double least = HUGE_VAL;
  for (ptrdiff_t i = 0; i < a->n; i++) {
    for (ptrdiff_t j = 0; j < b->n; j++) {
      double d[3];
      for (int k = 0; k < 3; k++) d[k] = a->x[3 * i + k] - b->x[3 * j + k];
      least = fmin(least, dot(d, d));
    }
  }
  return sqrt(least);
}

ms_status ms_contact_find_match(ms_context *ctx, ms_contact_match *m, ms_contact_side *a,
                                ms_contact_side *b) {
  double least = HUGE_VAL;
  const double size = fmin(measure(a), measure(b));
  const double near = m->reach > 0.0 ? m->reach : m->tol->apart * size;
  m->mismatch = 0;
  find_partners(m, a, b, &least);
  if (least <= near || least == HUGE_VAL) {
    MS_TRY(choose_faces(ctx, m, b, a));
    MS_TRY(choose_faces(ctx, m, a, b));
    if (a->n_on > 0 && b->n_on > 0) return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "contact '%s': the faces '%s' and '%s' are %.3g m apart at least, farther than "
                 "%.3g m, or lie beside each other: move them together, or give the contact's gap "
                 "instead",
                 m->name, a->faces, b->faces, least < HUGE_VAL ? least : find_distance(a, b), near);
}
