#include "joint/friction/plane.h"
#include "joint/tolerance.h"

#include <float.h>
#include <math.h>

/* Lengths further apart than this are as good as zero and something: slip follows w at once. */
static const double vanishing = 1e-100;

/* The step seen along its own direction: p along w, q to its left. */
typedef struct ms_frame {
  double d[2]; /* direction of w */
  double W;    /* |w| */
  double p, q; /* of e0; q does not change while the slider holds */
  double r0, r1;
} ms_frame;

/* Slip from t to the end: angle at its end, and what the derivatives need. */
typedef struct ms_slide {
  double cos0, sin0; /* of theta where slip begins */
  double cos1, sin1; /* and at the end */
  double G;          /* d theta1 / d theta at the start of slip */
  double turn;       /* (1 - G)/W: how the end follows the direction of w */
  double J;          /* int_t^1 dt/r, so that W J is the exponent of the slide */
  double r1_J_r;     /* r1 dJ/dr1 at fixed t */
  double along;      /* int cos(theta) ds */
} ms_slide;

/* Where |e0 + t w| = r0 + t (r1 - r0) from inside to outside: |e0 + t w| - r is convex in t, so
   there is one such t given that the end is outside. a t^2 + 2 b t + c = 0, lengths over the
   largest so that nothing overflows, and the root without cancellation. */
static double find_exit(const ms_frame *f) {
  double scale = fmax(f->W, fmax(f->r0, f->r1));
  if (!(scale > 0.0)) return 0.0;
  double W = f->W / scale, p = f->p / scale, r0 = f->r0 / scale, dr = f->r1 / scale - r0;
  double e = hypot(p, f->q / scale);
  double a = (W - dr) * (W + dr), b = p * W - r0 * dr, c = fmin(0.0, (e - r0) * (e + r0));
  double root = sqrt(fmax(0.0, b * b - a * c));
  if (b < 0.0) return a > 0.0 ? fmin(1.0, (root - b) / a) : 1.0;
  return b + root > 0.0 ? fmin(1.0, -c / (b + root)) : 0.0;
}

/* ((1+z) ln(1+z) - z) / z^2 = (1+z) (1/2 - 2/3 z + 3/4 z^2 - ...) */
static double log_remainder(double z, double ratio, double ln) {
  if (fabs(z) >= 0.02) return (ratio * ln - z) / (z * z);
  double sum = 0.0;
  for (int n = 9; n >= 0; n--) sum = (n + 1.0) / (n + 2.0) - z * sum;
  return ratio * sum;
}

/* ln(cosh x + c sinh x), c = cos(theta) at the start; den/2 = exp(-x) (cosh x + c sinh x). */
static double log_growth(double x, double c, double den) {
  if (x > 0.5) return x + log(0.5 * den);
  double half = sinh(0.5 * x);
  return log1p(2.0 * half * half + c * sinh(x));
}

/* While slipping, r dtheta = -sin(theta) ds: tan(theta/2) falls by exp(-int ds/r). Written with
   1 + cos and 1 - cos so that neither end of theta's range, 0 and pi, is special. */
static ms_slide slide_along(const ms_frame *f, double t, double rc) {
  ms_slide s;
  double p = f->p + t * f->W, size = hypot(p, f->q), c = p / size, sine = f->q / size;
  s.cos0 = c, s.sin0 = sine;
  double plus = c < 0.0 ? sine * sine / (1.0 - c) : 1.0 + c;
  double minus = c > 0.0 ? sine * sine / (1.0 + c) : 1.0 - c;
  /* J = int_t^1 dt/r and r1 dJ/dr1 for r linear from rc at t to r1 at 1. */
  double rest = 1.0 - t, ratio = f->r1 / rc, z = (f->r1 - rc) / rc;
  double ln = fabs(z) < 0.5 ? log1p(z) : log(ratio);
  s.J = rest / rc * (z == 0.0 ? 1.0 : ln / z);
  s.r1_J_r = -rest / rc * (t + rest * log_remainder(z, ratio, ln));
  double x = f->W * s.J, E = exp(-x), den = plus + minus * E * E;
  s.cos1 = (plus - minus * E * E) / den;
  s.sin1 = 2.0 * E * sine / den;
  s.G = 2.0 * E / den;
  s.turn = s.J * (x > 0.0 ? -expm1(-x) / x : 1.0) * (plus - minus * E) / den;
  s.along = x > 0.0 ? (1.0 - t) * f->W * log_growth(x, c, den) / x : 0.0;
  return s;
}

/* A circle that opens from or closes to a point: the exponent has no bound, e follows w. */
static ms_slide slide_aligned(const ms_frame *f, double t) {
  ms_slide s = { .along = (1.0 - t) * f->W };
  double size = hypot(f->p, f->q);
  if (f->W > 0.0) {
    s.cos1 = 1.0;
    s.turn = 1.0 / f->W;
  } else if (size > 0.0) { /* nothing moves but the circle */
    s.cos1 = f->p / size;
    s.sin1 = f->q / size;
  }
  return s;
}

/* e1 = r1 n, and its angle depends on w through the direction of w, the place on the circle where
   slip began, and the exponent. The time t drops out: at the circle, holding and slipping turn e
   at the same rate. */
static void differentiate(const ms_frame *f, double t, double rc, const ms_slide *s,
                          ms_plane_step *out) {
  double met = s->G > 0.0 ? s->G * t / rc : 0.0;
  double gp = -s->sin1 * s->J - met * s->sin0, gq = s->turn + met * s->cos0;
  const double *d = f->d;
  double n[2] = { s->cos1 * d[0] - s->sin1 * d[1], s->cos1 * d[1] + s->sin1 * d[0] };
  double from = s->G > 0.0 ? s->G / rc : 0.0; /* how the angle follows e0, across e */
  double across[2] = { from * (-s->sin0 * d[0] - s->cos0 * d[1]),
                       from * (-s->sin0 * d[1] + s->cos0 * d[0]) };
  /* r0 dJ/dr0 + r1 dJ/dr1 = -J, as J is of degree -1 in both */
  double by_r0 = f->r0 > 0.0 ? s->sin1 * f->W * (s->J + s->r1_J_r) * (f->r1 / f->r0) : 0.0;
  double left[2] = { -n[1], n[0] }, g[2] = { gp * d[0] - gq * d[1], gp * d[1] + gq * d[0] };
  for (int i = 0; i < 2; i++) {
    out->e[i] = f->r1 * n[i];
    out->de_dr[i] = n[i] - left[i] * s->sin1 * f->W * s->r1_J_r;
    out->de_dr0[i] = left[i] * by_r0;
    for (int j = 0; j < 2; j++) out->de_dw[i + 2 * j] = f->r1 * left[i] * g[j];
    for (int j = 0; j < 2; j++) out->de_de[i + 2 * j] = f->r1 * left[i] * across[j];
  }
}

void ms_plane_move(const double e0[2], double r0, const double w[2], double r1,
                   ms_plane_step *out) {
  double e[2] = { e0[0] + w[0], e0[1] + w[1] };
  if (r1 > 0.0 && hypot(e[0], e[1]) <= r1 * (1.0 + ms_joint_tol.on_circle)) {
    *out = (ms_plane_step) { .e = { e[0], e[1] },
                             .de_dw = { 1.0, 0.0, 0.0, 1.0 },
                             .de_de = { 1.0, 0.0, 0.0, 1.0 } };
    return;
  }
  ms_frame f = { .d = { 1.0, 0.0 }, .W = hypot(w[0], w[1]), .r0 = r0, .r1 = r1 };
  if (f.W > 0.0) f.d[0] = w[0] / f.W, f.d[1] = w[1] / f.W;
  f.p = e0[0] * f.d[0] + e0[1] * f.d[1];
  f.q = e0[1] * f.d[0] - e0[0] * f.d[1];
  double t = find_exit(&f), rc = r0 + t * (r1 - r0);
  int aligned = rc <= vanishing * fmax(r1, f.W) || r1 <= vanishing * rc;
  ms_slide s = aligned ? slide_aligned(&f, t) : slide_along(&f, t, rc);
  differentiate(&f, t, rc, &s, out);
  out->slipped = 1;
  out->slip = fmax(0.0, s.along - (r1 - rc));
  out->loss = 0.5 * (rc + r1) * out->slip;
}
