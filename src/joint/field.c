/* The slider field. Letters, besides those of field.h:

     s      side: +1, -1 the direction in which the newest step slips, 0 before any slip
     front  sliders below it slip in this step, e = s r phi; those above keep their anchors
     w      r + s*slope: how fast the cone gains on a segment

   In the segment that holds the front (upper end a, anchors c + slope*phi, X = int_a rho x dphi)

     E = s r m1 + int_front rho (u - x) = G + K u - (u - c) m0 + (s r + slope) m1,
     G = -(X + c m0(a) + slope m1(a)),       K = m0(inf),     dE/du = K - m0,     dE/dr = s m1,

   with m0, m1 at the front. G of the next segment follows by continuity of X, so a force costs one
   evaluation of the density's moments however long the list is. */
#include "joint/field.h"

#include <math.h>
#include <string.h>

typedef struct field_trial {
  double u, alpha, k, r;
  double side, front, moment[3];
  ptrdiff_t keep; /* segments that survive */
  int push;       /* the step turned back inside the cone, which becomes a segment */
  int general;    /* the clip may act anywhere in the list */
} field_trial;

_Static_assert(sizeof(field_trial) <= sizeof(ms_joint_trial), "the trial record is too small");

/* ---- life ---- */

#define FIRST_CAPACITY 32

ms_status ms_field_open(ms_context *ctx, ms_field *f) {
  f->capacity = 0;
  MS_TRY(ms_allocate(ctx, FIRST_CAPACITY, sizeof *f->segment, &f->segment));
  MS_TRY(ms_allocate(ctx, FIRST_CAPACITY, sizeof *f->spare, &f->spare));
  f->capacity = FIRST_CAPACITY;
  return MS_SUCCESS;
}

void ms_field_close(ms_context *ctx, ms_field *f) {
  ms_free(ctx, &f->segment);
  ms_free(ctx, &f->spare);
}

void ms_field_start(const ms_density *d, ms_field *f, double u) {
  f->segment[0] = (ms_segment) { .phi = d->phi_max };
  memcpy(f->segment[0].moment, d->total, sizeof d->total);
  *f = (ms_field) {
    .segment = f->segment,
    .spare = f->spare,
    .n = 1,
    .capacity = f->capacity,
    .origin = u,
    .alpha = 1.0,
    .k = 1.0,
    .r = 1.0,
    .nested = 1,
  };
}

/* ---- segments ---- */

/* The segment below `above` (NULL: the first), with anchors c + slope*phi. */
static ms_segment make_segment(const ms_segment *above, double phi, const double moment[3],
                               double c, double slope) {
  ms_segment s = { .phi = phi, .c = c, .slope = slope };
  memcpy(s.moment, moment, sizeof s.moment);
  s.G = -c * moment[0] - slope * moment[1];
  if (above) s.G += above->G + above->c * moment[0] + above->slope * moment[1];
  return s;
}

/* The cone as the segment it becomes when it stops growing. */
static ms_segment cone_segment(const ms_field *f) {
  const ms_segment *above = f->n > 0 ? &f->segment[f->n - 1] : NULL;
  return make_segment(above, f->front, f->moment, f->u, -f->side * f->r);
}

/* Has a cone of side s at u swept the whole of segment i? */
static int is_swept(const ms_field *f, ptrdiff_t i, double u, double s) {
  const ms_segment *g = &f->segment[i];
  return s * (u - g->c - g->slope * g->phi) >= f->r * g->phi;
}

/* How many segments a cone of side s at u leaves: doubling steps from the top, then bisection. */
static ptrdiff_t count_kept(const ms_field *f, double u, double s) {
  ptrdiff_t high = f->n, step = 1;
  while (high > 0 && is_swept(f, high - 1, u, s)) {
    high -= step;
    step *= 2;
  }
  if (high == f->n) return high;
  ptrdiff_t low = high > 0 ? high : 0; /* `low` segments surely stay, `gone` surely does not */
  ptrdiff_t gone = high + step / 2;
  while (gone - low > 1) {
    ptrdiff_t middle = low + (gone - low) / 2;
    if (is_swept(f, middle - 1, u, s)) {
      gone = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

/* ---- constant normal load: slip spreads from phi = 0 ---- */

static double find_front(const ms_field *f, ptrdiff_t keep, double u, double s) {
  const ms_segment *g = &f->segment[keep - 1];
  double lower = keep == f->n ? f->front : f->segment[keep].phi;
  double w = f->r + s * g->slope;
  double front = w > 0.0 ? s * (u - g->c) / w : lower;
  if (!(front > lower)) return lower;
  return front < g->phi ? front : g->phi;
}

static void place_cone(const ms_density *d, const ms_field *f, field_trial *t) {
  double du = t->u - f->u;
  t->side = du > 0.0 ? 1.0 : du < 0.0 ? -1.0 : f->side;
  t->push = t->side * f->side < 0.0 && fabs(du) < 2.0 * f->r * f->front;
  t->keep = t->push ? f->n : count_kept(f, t->u, t->side);
  if (t->push) {
    t->front = fabs(du) / (2.0 * f->r);
  } else {
    t->front = t->keep > 0 ? find_front(f, t->keep, t->u, t->side) : d->phi_max;
  }
  ms_density_moments(d, t->front, t->moment);
}

typedef struct field_sum {
  double E, dE_du, dE_dr;
} field_sum;

static field_sum sum_stack(const ms_density *d, const ms_field *f, field_trial *t) {
  place_cone(d, f, t);
  double K = d->total[0], m0 = t->moment[0], m1 = t->moment[1], s = t->side;
  if (t->keep == 0 && !t->push) return (field_sum) { s * t->r * m1, 0.0, s * m1 }; /* macroslip */
  ms_segment g = t->push ? cone_segment(f) : f->segment[t->keep - 1];
  double E = g.G + K * t->u - (t->u - g.c) * m0 + (s * t->r + g.slope) * m1;
  return (field_sum) { E, K - m0, s * m1 };
}

/* ---- any normal load: x <- clip(x, u - r phi, u + r phi), wherever it acts ---- */

typedef struct field_piece {
  double high, low;
  int slip; /* +1: e = r phi, -1: e = -r phi, 0: anchored */
} field_piece;

static int piece_slip(const ms_segment *g, double phi, double u, double r) {
  double e = u - g->c - g->slope * phi;
  return e > r * phi ? 1 : e < -r * phi ? -1 : 0;
}

/* Cuts [low, g->phi] where the anchors meet the two bounds: at most three pieces, from the top. */
static int cut_segment(const ms_segment *g, double low, double u, double r, field_piece piece[3]) {
  double cut[4] = { g->phi };
  int n = 1;
  const double gain[2] = { g->slope + r, g->slope - r };
  for (int i = 0; i < 2; i++) {
    double phi = gain[i] != 0.0 ? (u - g->c) / gain[i] : 0.0;
    if (phi > low && phi < g->phi) cut[n++] = phi;
  }
  if (n == 3 && cut[1] < cut[2]) {
    double swap = cut[1];
    cut[1] = cut[2];
    cut[2] = swap;
  }
  cut[n] = low;
  for (int i = 0; i < n; i++) {
    int slip = piece_slip(g, 0.5 * (cut[i] + cut[i + 1]), u, r);
    piece[i] = (field_piece) { cut[i], cut[i + 1], slip };
  }
  return n;
}

/* A walk over all segments, the cone last, cut into pieces. */
typedef struct field_walk {
  const ms_field *f;
  double u, r;
  ptrdiff_t i;
  ms_segment segment; /* the one being walked */
  field_piece piece[3];
  int n_piece, at;
} field_walk;

static int next_piece(field_walk *walk) {
  if (++walk->at < walk->n_piece) return 1;
  const ms_field *f = walk->f;
  ptrdiff_t n = f->n, i = walk->i++;
  if (i > n || (i == n && f->front == 0.0)) return 0;
  walk->segment = i < n ? f->segment[i] : cone_segment(f);
  double low = i + 1 < n ? f->segment[i + 1].phi : i + 1 == n ? f->front : 0.0;
  walk->n_piece = cut_segment(&walk->segment, low, walk->u, walk->r, walk->piece);
  walk->at = 0;
  return 1;
}

/* Moments at the lower end of the piece; those of whole segments are stored. */
static void low_moments(const ms_density *d, const field_walk *walk, double m[3]) {
  const ms_field *f = walk->f;
  ptrdiff_t below = walk->i; /* the segment after the one being walked */
  if (walk->at + 1 < walk->n_piece) {
    ms_density_moments(d, walk->piece[walk->at].low, m);
  } else if (below < f->n) {
    memcpy(m, f->segment[below].moment, 3 * sizeof *m);
  } else if (below == f->n) {
    memcpy(m, f->moment, 3 * sizeof *m);
  } else {
    memset(m, 0, 3 * sizeof *m);
  }
}

static field_sum sum_field(const ms_density *d, const ms_field *f, const field_trial *t) {
  field_sum sum = { 0.0, 0.0, 0.0 };
  field_walk walk = { .f = f, .u = t->u, .r = t->r };
  double high[3], low[3];
  memcpy(high, d->total, sizeof high);
  while (next_piece(&walk)) {
    const ms_segment *g = &walk.segment;
    low_moments(d, &walk, low);
    double m0 = high[0] - low[0], m1 = high[1] - low[1];
    int slip = walk.piece[walk.at].slip;
    if (slip == 0) {
      sum.E += (t->u - g->c) * m0 - g->slope * m1;
      sum.dE_du += m0;
    } else {
      sum.E += slip * t->r * m1;
      sum.dE_dr += slip * m1;
    }
    memcpy(high, low, sizeof high);
  }
  return sum;
}

/* ---- update ---- */

/* A ratio equal but for rounding is the same ratio: alpha and k in proportion stay on the stack. */
static int is_same_ratio(double r, double committed) {
  return fabs(r - committed) <= 4.0 * 0x1p-52 * committed;
}

void ms_field_update(const ms_density *d, const ms_field *f, const ms_joint_input *in,
                     ms_joint_output *out, ms_joint_trial *trial) {
  field_trial t = { .u = in->u[0] - f->origin, .alpha = in->alpha, .k = in->k };
  t.r = in->alpha == in->k ? 1.0 : in->alpha / in->k;
  if (is_same_ratio(t.r, f->r)) t.r = f->r;
  t.general = t.r != f->r || !f->nested;
  field_sum sum = t.general ? sum_field(d, f, &t) : sum_stack(d, f, &t);
  out->force[0] = in->k * sum.E;
  out->du[0] = in->k * sum.dE_du;
  out->dv[0] = 0.0;
  out->dalpha[0] = sum.dE_dr;
  out->dk[0] = sum.E - t.r * sum.dE_dr;
  memcpy(trial, &t, sizeof t);
}

/* ---- commit ---- */

/* Work of friction, slip force times slip, of one piece: int alpha rho phi |x_new - x| dphi. */
static double piece_loss(const field_trial *t, double alpha, double s, const ms_segment *g,
                         const double high[3], const double low[3]) {
  return alpha *
         (s * (t->u - g->c) * (high[1] - low[1]) - (t->r + s * g->slope) * (high[2] - low[2]));
}

/* Everything the cone sweeps, from the old cone upward to the new front. */
static double stack_loss(const ms_field *f, const field_trial *t) {
  double loss = 0.0, s = t->side, low[3] = { 0.0, 0.0, 0.0 };
  if (f->front > 0.0) {
    ms_segment cone = cone_segment(f);
    const double *high = t->push ? t->moment : f->moment;
    loss += piece_loss(t, t->alpha, s, &cone, high, low);
    memcpy(low, high, sizeof low);
  }
  if (t->push) return loss;
  for (ptrdiff_t i = f->n - 1; i >= t->keep; i--) {
    loss += piece_loss(t, t->alpha, s, &f->segment[i], f->segment[i].moment, low);
    memcpy(low, f->segment[i].moment, sizeof low);
  }
  if (t->keep > 0) loss += piece_loss(t, t->alpha, s, &f->segment[t->keep - 1], t->moment, low);
  return loss;
}

/* A varying load can walk the joint far away without macroslip; beyond this many slip displacements
   the origin follows, or the sums would lose digits. */
#define FAR 8.0

/* Macroslip leaves nothing to remember: count displacements from here on. */
static void move_origin(ms_field *f) {
  f->origin += f->u;
  f->u = 0.0;
}

static void take_cone(const field_trial *t, ms_field *f) {
  f->u = t->u;
  f->alpha = t->alpha;
  f->k = t->k;
  f->r = t->r;
  f->side = t->side;
  f->front = t->front;
  memcpy(f->moment, t->moment, sizeof f->moment);
  if (f->n == 0) move_origin(f);
}

static ms_status commit_stack(ms_context *ctx, const ms_density *d, const ms_field_setting *setting,
                              ms_field *f, const field_trial *t) {
  if (t->push) MS_TRY(ms_field_reserve(ctx, d, setting, f, f->n + 1));
  f->dissipated += stack_loss(f, t);
  if (t->push) {
    f->segment[f->n] = cone_segment(f);
    f->n++;
  } else {
    f->n = t->keep;
  }
  take_cone(t, f);
  return MS_SUCCESS;
}

/* The clipped field as a list, written to `out` (NULL: counted only). Neighbouring pieces that slip
   to the same side are one; the one at phi = 0 becomes the cone, in *t. */
static ptrdiff_t write_clipped(const ms_density *d, const ms_field *f, field_trial *t,
                               ms_segment *out, double *loss) {
  ptrdiff_t n = 0;
  int last = 0;
  field_walk walk = { .f = f, .u = t->u, .r = t->r };
  double high[3], low[3], alpha = 0.5 * (f->alpha + t->alpha);
  memcpy(high, d->total, sizeof high);
  *loss = 0.0;
  while (next_piece(&walk)) {
    const ms_segment *g = &walk.segment;
    int slip = walk.piece[walk.at].slip;
    low_moments(d, &walk, low);
    if (slip == 0 || slip != last) {
      ms_segment fresh = make_segment(NULL, walk.piece[walk.at].high, high, slip ? t->u : g->c,
                                      slip ? -slip * t->r : g->slope);
      fresh.error = slip ? 0.0 : g->error;
      if (out) out[n] = fresh;
      n++;
    }
    if (slip) *loss += piece_loss(t, alpha, slip, g, high, low);
    last = slip;
    memcpy(high, low, sizeof high);
  }
  t->side = last;
  return n;
}

/* Force constants of a fresh list, and whether slopes allow the fast path. */
static void link_segments(ms_field *f) {
  f->nested = 1;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_segment *g = &f->segment[i];
    double error = g->error;
    *g = make_segment(i > 0 ? g - 1 : NULL, g->phi, g->moment, g->c, g->slope);
    g->error = error;
    if (fabs(g->slope) > f->r * (1.0 + 4.0 * 0x1p-52)) f->nested = 0;
  }
}

static ms_status commit_general(ms_context *ctx, const ms_density *d,
                                const ms_field_setting *setting, ms_field *f, field_trial *t) {
  double loss;
  ptrdiff_t n = write_clipped(d, f, t, NULL, &loss);
  while (n > f->capacity) { /* merging may change the count, so count again */
    MS_TRY(ms_field_reserve(ctx, d, setting, f, n));
    n = write_clipped(d, f, t, NULL, &loss);
  }
  write_clipped(d, f, t, f->spare, &loss);
  ms_segment *list = f->spare;
  f->spare = f->segment;
  f->segment = list;
  f->dissipated += loss;
  t->front = 0.0;
  memset(t->moment, 0, sizeof t->moment);
  if (t->side != 0.0) { /* the last piece is the new cone */
    n--;
    t->front = list[n].phi;
    memcpy(t->moment, list[n].moment, sizeof t->moment);
  }
  f->n = n;
  take_cone(t, f);
  if (fabs(f->u) > FAR * (1.0 + f->r) * d->phi_max) {
    for (ptrdiff_t i = 0; i < f->n; i++) list[i].c -= f->u;
    move_origin(f);
  }
  link_segments(f);
  return MS_SUCCESS;
}

ms_status ms_field_commit(ms_context *ctx, const ms_density *d, const ms_field_setting *setting,
                          ms_field *f, const ms_joint_trial *trial) {
  field_trial t;
  memcpy(&t, trial, sizeof t);
  if (t.general) return commit_general(ctx, d, setting, f, &t);
  return commit_stack(ctx, d, setting, f, &t);
}

/* ---- energy, memory ---- */

/* Stored: k/2 int rho e^2, with e = (u - c) - slope*phi in each segment. */
void ms_field_energy(const ms_density *d, const ms_field *f, ms_joint_energy *out) {
  double sum = 0.0, high[3], low[3];
  field_walk walk = { .f = f, .u = f->u, .r = f->r };
  memcpy(high, d->total, sizeof high);
  while (next_piece(&walk)) {
    double a = f->u - walk.segment.c, b = walk.segment.slope;
    low_moments(d, &walk, low);
    sum +=
        a * a * (high[0] - low[0]) - 2.0 * a * b * (high[1] - low[1]) + b * b * (high[2] - low[2]);
    memcpy(high, low, sizeof high);
  }
  *out = (ms_joint_energy) { .stored = 0.5 * f->k * sum, .dissipated = f->dissipated };
}

/* A first segment that no slip has reached is not a reversal. */
void ms_field_memory(const ms_field *f, ms_joint_memory *out) {
  int virgin = f->n > 0 && f->segment[0].slope == 0.0;
  *out = (ms_joint_memory) {
    .depth = f->n - virgin,
    .bytes = (size_t)f->capacity * 2 * sizeof *f->segment,
    .merge_error = f->merge_error,
  };
}

/* ---- save and load: scalars first, then the list ---- */

enum { N_SCALAR = 13, N_SEGMENT = sizeof(ms_segment) / sizeof(double) };

ptrdiff_t ms_field_save_size(const ms_field *f) {
  return N_SCALAR + 1 + N_SEGMENT * f->n;
}

void ms_field_save(const ms_field *f, double *buffer) {
  const double scalar[N_SCALAR] = { f->origin,     f->u,         f->alpha,          f->k,
                                    f->r,          f->side,      f->front,          f->moment[0],
                                    f->moment[1],  f->moment[2], (double)f->nested, f->dissipated,
                                    f->merge_error };
  memcpy(buffer, scalar, sizeof scalar);
  buffer[N_SCALAR] = (double)f->n;
  memcpy(buffer + N_SCALAR + 1, f->segment, (size_t)f->n * sizeof *f->segment);
}

/* What load will not take: a list that does not fall, sums that do not fit together. */
static int is_sound(const ms_density *d, const double *b, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < N_SCALAR + 1 + N_SEGMENT * n; i++) {
    if (!isfinite(b[i])) return 0;
  }
  double above = d->phi_max;
  for (ptrdiff_t i = 0; i < n; i++) {
    double phi = b[N_SCALAR + 1 + N_SEGMENT * i];
    if (phi > above || phi < 0.0 || (i == 0 && phi != d->phi_max)) return 0;
    above = phi;
  }
  double front = b[6];
  return b[3] > 0.0 && b[4] >= 0.0 && front >= 0.0 && front <= above;
}

ms_status ms_field_load(ms_context *ctx, const ms_density *d, ms_field *f, const double *b,
                        ptrdiff_t size) {
  double count = size > N_SCALAR ? b[N_SCALAR] : -1.0;
  ptrdiff_t n = count >= 0.0 && count < (double)size ? (ptrdiff_t)count : -1;
  if (n < 0 || size != N_SCALAR + 1 + N_SEGMENT * n || !is_sound(d, b, n)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "the saved state is not one of this joint");
  }
  static const ms_field_setting keep_all = { 0.0 };
  MS_TRY(ms_field_reserve(ctx, d, &keep_all, f, n));
  f->origin = b[0], f->u = b[1], f->alpha = b[2], f->k = b[3], f->r = b[4];
  f->side = b[5], f->front = b[6];
  memcpy(f->moment, b + 7, sizeof f->moment);
  f->nested = b[10] != 0.0, f->dissipated = b[11], f->merge_error = b[12];
  f->n = n;
  memcpy(f->segment, b + N_SCALAR + 1, (size_t)n * sizeof *f->segment);
  return MS_SUCCESS;
}
