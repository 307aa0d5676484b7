/* The slider field. Letters, besides those of field.h:

     s      side: +1, -1 the direction in which the newest step slips, 0 before any slip
     front  sliders below it slip in this step, e = s r phi; those above keep their anchors
     w      r + s*slope: how fast the cone gains on a segment

   In the segment that holds the front (upper end a, anchors c + slope*phi, X = int_a rho x dphi)

     E = s r m1 + int_front rho (u - x) = G + K u - (u - c) m0 + (s r + slope) m1,
     G = -(X + c m0(a) + slope m1(a)),       K = m0(inf),     dE/du = K - m0,     dE/dr = s m1,

   with m0, m1 at the front. G of the next segment follows by continuity of X, so a force costs one
   evaluation of the density's moments however long the list is. */
#include "joint/iwan/field_walk.h"

#include <math.h>
#include <string.h>

static const ms_field_setting keep_all = { 0.0 };

/* ---- life ---- */

enum { FIRST_CAPACITY = 32 };

ms_status ms_field_open(ms_context *ctx, ms_field *f) {
  MS_TRY(ms_allocate(ctx, FIRST_CAPACITY, sizeof *f->segment, &f->segment));
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
    .spare_capacity = f->spare_capacity,
    .limit = FIRST_CAPACITY,
    .origin = u,
    .alpha = 1.0,
    .k = 1.0,
    .r = 1.0,
    .nested = 1,
  };
}

/* ---- segments ---- */

/* Has a cone of side s at u swept the whole of segment i? */
static int is_swept(const ms_field *f, ptrdiff_t i, double u, double s) {
  const ms_segment *g = &f->segment[i];
  return s * (u - g->c - g->slope * g->phi) >= f->r * g->phi;
}

/* How many segments a cone of side s at u leaves, once it has swept the last one: doubling steps
   from the top, then bisection. */
static ptrdiff_t count_kept(const ms_field *f, double u, double s) {
  ptrdiff_t high = f->n - 1, step = 1;
  while (high > 0 && is_swept(f, high - 1, u, s)) {
    high -= step;
    step *= 2;
  }
  ptrdiff_t low = high > 0 ? high : 0; /* `low` segments surely stay, `gone` surely do not */
  ptrdiff_t gone = high + (step > 1 ? step / 2 : 1);
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

typedef struct field_sum {
  double E, dE_du, dE_dr;
} field_sum;

/* The cone turned back and has not yet caught up with where it was. */
static field_sum sum_turn(const ms_density *d, const ms_field *f, double u, double s,
                          ms_joint_trial *trial) {
  double *m = &trial->real[T_MOMENT], du = u - f->u, K = d->total[0];
  double front = s * du / (2.0 * f->r);
  ms_segment g = cone_segment(f);
  ms_density_moments(d, front, m);
  trial->real[T_FRONT] = front;
  trial->whole[T_KIND] = TURN;
  trial->whole[T_KEEP] = f->n;
  return (field_sum) { g.G + K * u - du * m[0] + 2.0 * s * f->r * m[1], K - m[0], s * m[1] };
}

static field_sum sum_macroslip(const ms_density *d, const ms_field *f, double s,
                               ms_joint_trial *trial) {
  trial->real[T_FRONT] = d->phi_max;
  for (int i = 0; i < 3; i++) trial->real[T_MOMENT + i] = d->total[i];
  trial->whole[T_KIND] = GROW;
  trial->whole[T_KEEP] = 0;
  return (field_sum) { s * f->r * d->total[1], 0.0, s * d->total[1] };
}

static field_sum sum_stack(const ms_density *d, const ms_field *f, double u,
                           ms_joint_trial *trial) {
  double du = u - f->u, r = f->r, K = d->total[0];
  double s = du > 0.0 ? 1.0 : du < 0.0 ? -1.0 : f->side;
  trial->real[T_SIDE] = s;
  if (s * f->side < 0.0 && s * du < 2.0 * r * f->front) return sum_turn(d, f, u, s, trial);
  ptrdiff_t keep = f->n;
  double lower = f->front;
  if (keep == 0) return sum_macroslip(d, f, s, trial);
  if (is_swept(f, keep - 1, u, s)) {
    keep = count_kept(f, u, s);
    if (keep == 0) return sum_macroslip(d, f, s, trial);
    lower = f->segment[keep].phi;
  }
  const ms_segment *g = &f->segment[keep - 1];
  double w = r + s * g->slope;
  double front = w > 0.0 ? s * (u - g->c) / w : lower;
  front = front > lower ? front : lower;
  front = front < g->phi ? front : g->phi;
  double *m = &trial->real[T_MOMENT];
  ms_density_moments(d, front, m);
  trial->real[T_FRONT] = front;
  trial->whole[T_KIND] = GROW;
  trial->whole[T_KEEP] = keep;
  double E = g->G + K * u - (u - g->c) * m[0] + (s * r + g->slope) * m[1];
  return (field_sum) { E, K - m[0], s * m[1] };
}

/* ---- any normal load: x <- clip(x, u - r phi, u + r phi), wherever it acts ---- */

static field_sum sum_field(const ms_density *d, const ms_field *f, double u, double r) {
  field_sum sum = { 0.0, 0.0, 0.0 };
  field_walk walk = { .f = f, .u = u, .r = r };
  double high[3], low[3];
  memcpy(high, d->total, sizeof high);
  while (next_piece(&walk)) {
    const ms_segment *g = &walk.segment;
    low_moments(d, &walk, low);
    double m0 = high[0] - low[0], m1 = high[1] - low[1];
    int slip = walk.piece[walk.at].slip;
    if (slip == 0) {
      sum.E += (u - g->c) * m0 - g->slope * m1;
      sum.dE_du += m0;
    } else {
      sum.E += slip * r * m1;
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
  double u = in->u[0] - f->origin;
  double r = in->alpha == in->k ? 1.0 : in->alpha / in->k;
  if (is_same_ratio(r, f->r)) r = f->r;
  field_sum sum;
  if (r == f->r && f->nested) {
    sum = sum_stack(d, f, u, trial);
  } else {
    sum = sum_field(d, f, u, r);
    if (r == 0.0) sum.dE_du = 0.0; /* open: anchors at the very edge hold nothing */
    trial->whole[T_KIND] = GENERAL;
  }
  trial->whole[T_ALL] = 0;
  trial->real[T_U] = u;
  trial->real[T_ALPHA] = in->alpha;
  trial->real[T_K] = in->k;
  trial->real[T_R] = r;
  out->force[0] = in->k * sum.E;
  out->du[0] = in->k * sum.dE_du;
  out->dv[0] = 0.0;
  out->dalpha[0] = sum.dE_dr;
  out->dk[0] = sum.E - r * sum.dE_dr;
}

/* ---- commit ---- */

/* Friction's work on the sliders of a piece with anchors c + slope*phi, over the slip load alpha:
   int rho phi |x_new - x| dphi, x_new = u - s r phi; m are the moments of the piece. */
static inline double slip_work(double u, double s, double r, double c, double slope, double m1,
                               double m2) {
  return s * (u - c) * m1 - (r + s * slope) * m2;
}

/* Everything the growing cone sweeps: itself, whole segments, part of one. */
static double grow_work(const ms_field *f, double u, double s, const double *m, ptrdiff_t keep) {
  double work = s * (u - f->u) * f->moment[1];
  if (s * f->side < 0.0) work -= 2.0 * f->r * f->moment[2];
  const double *low = f->moment;
  for (ptrdiff_t i = f->n - 1; i >= keep; i--) {
    const ms_segment *g = &f->segment[i];
    work += slip_work(u, s, f->r, g->c, g->slope, g->moment[1] - low[1], g->moment[2] - low[2]);
    low = g->moment;
  }
  if (keep == 0) return work;
  const ms_segment *g = &f->segment[keep - 1];
  return work + slip_work(u, s, f->r, g->c, g->slope, m[1] - low[1], m[2] - low[2]);
}

/* Macroslip leaves nothing to remember: count displacements from here on. */
static void move_origin(ms_field *f) {
  f->origin += f->u;
  f->u = 0.0;
}

static void take_trial(ms_field *f, const ms_joint_trial *trial) {
  f->u = trial->real[T_U];
  f->alpha = trial->real[T_ALPHA];
  f->k = trial->real[T_K];
  f->r = trial->real[T_R];
}

static void take_cone(ms_field *f, double side, double front, const double *m) {
  f->side = side;
  f->front = front;
  memcpy(f->moment, m, sizeof f->moment);
  if (f->n == 0) move_origin(f);
}

/* The clipped field as a list, written to `out` (NULL: counted only). Neighbouring pieces that slip
   to the same side are one; *side is that of the piece at phi = 0, which becomes the cone. *work is
   friction's over the slip load. */
static ptrdiff_t write_clipped(const ms_density *d, const ms_field *f, double u, double r,
                               ms_segment *out, int *side, double *work) {
  ptrdiff_t n = 0;
  field_walk walk = { .f = f, .u = u, .r = r };
  double high[3], low[3];
  memcpy(high, d->total, sizeof high);
  *work = 0.0;
  *side = 0;
  while (next_piece(&walk)) {
    const ms_segment *g = &walk.segment;
    int slip = walk.piece[walk.at].slip;
    low_moments(d, &walk, low);
    if (slip == 0 || slip != *side) {
      ms_segment fresh = make_segment(NULL, walk.piece[walk.at].high, high, slip ? u : g->c,
                                      slip ? -slip * r : g->slope);
      fresh.error = slip ? 0.0 : g->error;
      if (out) out[n] = fresh;
      n++;
    }
    if (slip) {
      *work += slip_work(u, slip, r, g->c, g->slope, high[1] - low[1], high[2] - low[2]);
    }
    *side = slip;
    memcpy(high, low, sizeof high);
  }
  return n;
}

/* Count the clipped list, and make room for it; merging may change the count, so count again. */
static ms_status reserve_clipped(ms_context *ctx, const ms_density *d,
                                 const ms_field_setting *setting, ms_field *f, double u, double r) {
  int side;
  double work;
  for (;;) {
    ptrdiff_t n = write_clipped(d, f, u, r, NULL, &side, &work);
    if (n <= f->limit && n <= f->capacity) break;
    MS_TRY(ms_field_reserve(ctx, d, setting, f, n));
  }
  if (f->spare_capacity >= f->capacity) return MS_SUCCESS;
  MS_TRY(ms_resize(ctx, f->capacity, sizeof *f->spare, &f->spare));
  f->spare_capacity = f->capacity;
  return MS_SUCCESS;
}

/* Under a varying load the slip force of a step is its mean, second order in the step. */
static ms_status commit_general(ms_context *ctx, const ms_density *d,
                                const ms_field_setting *setting, ms_field *f,
                                const ms_joint_trial *trial) {
  static const double none[3] = { 0.0, 0.0, 0.0 };
  double u = trial->real[T_U], r = trial->real[T_R], work;
  int side;
  MS_TRY(reserve_clipped(ctx, d, setting, f, u, r));
  f->n = write_clipped(d, f, u, r, f->spare, &side, &work);
  f->dissipated += 0.5 * (f->alpha + trial->real[T_ALPHA]) * work;
  ms_segment *list = f->spare;
  ptrdiff_t capacity = f->spare_capacity;
  f->spare = f->segment;
  f->spare_capacity = f->capacity;
  f->segment = list;
  f->capacity = capacity;
  take_trial(f, trial);
  const ms_segment *last = &f->segment[f->n - 1];
  if (side != 0) f->n--;
  take_cone(f, side, side != 0 ? last->phi : 0.0, side != 0 ? last->moment : none);
  if (is_far(d, f->u, f->r)) {
    for (ptrdiff_t i = 0; i < f->n; i++) f->segment[i].c -= f->u;
    move_origin(f);
  }
  /* Force constants of a fresh list, and whether slopes allow the fast path. */
  f->nested = 1;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_segment *g = &f->segment[i];
    double error = g->error;
    *g = make_segment(i > 0 ? g - 1 : NULL, g->phi, g->moment, g->c, g->slope);
    g->error = error;
    if (fabs(g->slope) > f->r * (1.0 + 4.0 * 0x1p-52)) f->nested = 0;
  }
  return MS_SUCCESS;
}

ms_status ms_field_commit(ms_context *ctx, const ms_density *d, const ms_field_setting *setting,
                          ms_field *f, const ms_joint_trial *trial) {
  if (trial->whole[T_ALL]) setting = &keep_all;
  if (trial->whole[T_KIND] == GENERAL) return commit_general(ctx, d, setting, f, trial);
  double u = trial->real[T_U], s = trial->real[T_SIDE];
  double alpha = 0.5 * (f->alpha + trial->real[T_ALPHA]); /* k may vary with it at one ratio */
  const double *m = &trial->real[T_MOMENT];
  if (trial->whole[T_KIND] == TURN) {
    MS_TRY(ms_field_reserve(ctx, d, setting, f, f->n + 1));
    f->dissipated += alpha * slip_work(u, s, f->r, f->u, s * f->r, m[1], m[2]);
    f->segment[f->n] = cone_segment(f);
    f->n++;
  } else {
    f->dissipated += alpha * grow_work(f, u, s, m, trial->whole[T_KEEP]);
    f->n = trial->whole[T_KEEP];
  }
  take_trial(f, trial);
  take_cone(f, s, trial->real[T_FRONT], m);
  return MS_SUCCESS;
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
    .bytes = (size_t)(f->capacity + f->spare_capacity) * sizeof *f->segment,
    .merge_error = f->merge_error,
  };
}

/* ---- save and load: scalars first, then the list ---- */

enum { N_SCALAR = 15, N_SEGMENT = sizeof(ms_segment) / sizeof(double) };

ptrdiff_t ms_field_save_size(const ms_field *f) {
  return N_SCALAR + 1 + N_SEGMENT * f->n;
}

void ms_field_save(const ms_field *f, double *buffer) {
  const double scalar[N_SCALAR] = { f->origin,
                                    f->u,
                                    f->alpha,
                                    f->k,
                                    f->r,
                                    f->side,
                                    f->front,
                                    f->moment[0],
                                    f->moment[1],
                                    f->moment[2],
                                    (double)f->nested,
                                    f->dissipated,
                                    f->merge_error,
                                    (double)f->settled,
                                    (double)f->limit };
  memcpy(buffer, scalar, sizeof scalar);
  buffer[N_SCALAR] = (double)f->n;
  memcpy(buffer + N_SCALAR + 1, f->segment, (size_t)f->n * sizeof *f->segment);
}

/* What load will not take: a list that does not fall, sums that do not fit together. */
static int is_valid(const ms_density *d, const double *b, ptrdiff_t n) {
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
  int counts = b[13] >= 0.0 && b[14] >= 1.0 && b[13] < 1e15 && b[14] < 1e15;
  return b[3] > 0.0 && b[4] >= 0.0 && front >= 0.0 && front <= above && counts;
}

ms_status ms_field_load(ms_context *ctx, const ms_density *d, ms_field *f, const double *b,
                        ptrdiff_t size) {
  double count = size > N_SCALAR ? b[N_SCALAR] : -1.0;
  ptrdiff_t n = count >= 0.0 && count < (double)size ? (ptrdiff_t)count : -1;
  if (n < 0 || size != N_SCALAR + 1 + N_SEGMENT * n || !is_valid(d, b, n)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
  }
  MS_TRY(ms_field_reserve(ctx, d, &keep_all, f, n));
  f->origin = b[0], f->u = b[1], f->alpha = b[2], f->k = b[3], f->r = b[4];
  f->side = b[5], f->front = b[6];
  memcpy(f->moment, b + 7, sizeof f->moment);
  f->nested = b[10] != 0.0, f->dissipated = b[11], f->merge_error = b[12];
  f->settled = (ptrdiff_t)b[13], f->limit = (ptrdiff_t)b[14];
  f->n = n;
  memcpy(f->segment, b + N_SCALAR + 1, (size_t)n * sizeof *f->segment);
  return MS_SUCCESS;
}
