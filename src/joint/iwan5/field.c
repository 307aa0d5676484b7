/* The slider field with a friction drop. Letters, besides those of field.h:

     slow   theta r: a slider that slips has |e| = slow phi
     side   +1, -1 the direction in which a piece of the list slips in this step, 0 stuck
     gain   slope + r, slope - r (slow in place of r for a slider already slipping that way): the
            bound meets the anchors at phi = (u - c)/gain

   One step, from anchors x and flags to the new ones: with e = u - x a slider

     slips to +   if e >=  r phi  (slow phi if its flag is + already), then e =  slow phi,
     slips to -   if e <= -r phi  (slow phi if its flag is - already), then e = -slow phi,
     sticks       otherwise, and keeps x.

   At constant r and u monotone in the step this is exact. Under a varying load it is the
   definition: what counts is the state at the end of the step. */
#include "joint/iwan5/field_walk.h"
#include "joint/tolerance.h"

/* ---- life ---- */

enum { FIRST_CAPACITY = 32 };

ms_status ms_field5_open(ms_context *ctx, ms_field5 *f) {
  MS_TRY(ms_allocate(ctx, FIRST_CAPACITY, sizeof *f->segment, &f->segment));
  MS_TRY(ms_allocate(ctx, FIRST_CAPACITY, sizeof *f->spare, &f->spare));
  f->capacity = FIRST_CAPACITY;
  return MS_SUCCESS;
}

void ms_field5_close(ms_context *ctx, ms_field5 *f) {
  ms_free(ctx, &f->segment);
  ms_free(ctx, &f->spare);
}

void ms_field5_start(const ms_field5_setting *s, ms_field5 *f, double u) {
  const ms_density *d = &s->density;
  *f = (ms_field5) {
    .segment = f->segment,
    .spare = f->spare,
    .n = 1,
    .capacity = f->capacity,
    .limit = FIRST_CAPACITY,
    .origin = u,
    .alpha = 1.0,
    .k = 1.0,
    .r = 1.0,
  };
  f->segment[0] = (ms_segment5) { .phi = d->phi_max };
  memcpy(f->segment[0].moment, d->total, sizeof d->total);
  ms_field5_link(f, 0);
}

/* ---- the stuck segments at the front of the list ---- */

/* The u at which the first slider of segment i slips to a side: bounds are straight lines, so an
   end of the segment decides. Merged segments keep clear of it. */
static void link_stuck(ms_field5 *f, ptrdiff_t i) {
  static const double none[3] = { 0.0, 0.0, 0.0 };
  ms_segment5 *g = &f->segment[i];
  double below = lower_end(f, i), up = g->slope + f->r, down = g->slope - f->r;
  const double *m = i + 1 < f->n ? g[1].moment : none;
  double blur = g->run_top - g->run_low;
  g->high = g->c + fmin(up * below, up * g->phi) - g->spread - fabs(up) * blur;
  g->low = g->c + fmax(down * below, down * g->phi) + g->spread + fabs(down) * blur;
  g->stiffness = g->moment[0] - m[0];
  g->anchored = g->c * g->stiffness + g->slope * (g->moment[1] - m[1]);
  g->doubted = g->doubt + g->front_doubt;
  if (i == 0) return;
  g->doubted += g[-1].doubted;
  g->high = fmin(g->high, g[-1].high);
  g->low = fmax(g->low, g[-1].low);
  g->stiffness += g[-1].stiffness;
  g->anchored += g[-1].anchored;
}

void ms_field5_link(ms_field5 *f, ptrdiff_t from) {
  ptrdiff_t i = from;
  for (; i < f->n && f->segment[i].flag == 0.0; i++) link_stuck(f, i);
  f->n_stuck = i;
}

static int is_inert(const ms_field5 *f, ptrdiff_t n, double u) {
  return n == 0 || (f->segment[n - 1].low < u && u < f->segment[n - 1].high);
}

/* How many segments from the top a step to u surely leaves alone. The last stuck one is never among
   them: its lower end may be the front, which has a slope of its own. */
static ptrdiff_t count_inert(const ms_field5 *f, double u, double r) {
  if (r != f->r || f->n_stuck < 2) return 0;
  ptrdiff_t low = 0, high = f->n_stuck - 1;
  if (is_inert(f, high, u)) return high;
  while (high - low > 1) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (is_inert(f, middle, u)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* ---- update ---- */

typedef struct sum5 {
  double E, dE_du, dE_dr;
} sum5;

/* When the cut moves by dphi, sliders rho dphi drop from r phi to slow phi. */
static void add_drop(const walk5 *w, sum5 *sum) {
  const cut5 *cut = &w->cut[w->at];
  if (!cut->drops) return;
  double phi_rho = w->s->exponent * w->low[0];
  double rate = (w->r - w->slow) * phi_rho / fabs(cut->gain);
  sum->dE_du -= rate;
  sum->dE_dr += cut->side * cut->phi * rate;
}

static sum5 sum_pieces(walk5 *w) {
  sum5 sum = { 0.0, 0.0, 0.0 };
  ptrdiff_t keep = w->next;
  if (keep > 0) {
    const ms_segment5 *last = &w->f->segment[keep - 1];
    sum.E = last->stiffness * w->u - last->anchored;
    sum.dE_du = last->stiffness;
  }
  while (next_piece(w)) {
    double m0 = w->high[0] - w->low[0], m1 = w->high[1] - w->low[1];
    if (w->side == 0) {
      sum.E += (w->u - w->g->c) * m0 - w->g->slope * m1;
      sum.dE_du += m0;
    } else {
      sum.E += w->side * w->slow * m1;
      sum.dE_dr += w->side * w->s->theta * m1;
    }
    if (w->at < w->n_cut) add_drop(w, &sum);
  }
  return sum;
}

/* A ratio equal but for rounding is the same ratio. */
static int is_same_ratio(double r, double committed) {
  return fabs(r - committed) <= 4.0 * 0x1p-52 * committed;
}

void ms_field5_update(const ms_field5_setting *s, const ms_field5 *f, const ms_joint_input *in,
                      ms_joint_output *out, ms_joint_trial *trial) {
  double u = in->u[0] - f->origin;
  double r = in->alpha == in->k ? 1.0 : in->alpha / in->k;
  if (is_same_ratio(r, f->r)) r = f->r;
  ptrdiff_t keep = count_inert(f, u, r);
  walk5 walk = start_walk(s, f, u, r, keep);
  sum5 sum = sum_pieces(&walk);
  trial->whole[T_KEEP] = keep;
  trial->whole[T_ALL] = 0;
  trial->real[T_U] = u;
  trial->real[T_ABSOLUTE] = in->u[0];
  trial->real[T_ALPHA] = in->alpha;
  trial->real[T_K] = in->k;
  trial->real[T_R] = r;
  out->force[0] = in->k * sum.E;
  out->du[0] = in->alpha > 0.0 ? in->k * sum.dE_du : 0.0;
  out->dv[0] = 0.0;
  out->dalpha[0] = sum.dE_dr;
  out->dk[0] = sum.E - r * sum.dE_dr;
}

/* ---- commit ---- */

/* Heat over the slip load alpha: theta phi times the way slid, and for a slider that was stuck what
   its spring loses in the drop, less the part of the way counted twice:
   theta phi |dx| + r (1 - theta)^2 phi^2 / 2, summed over the piece. */
static double slip_work(const walk5 *w) {
  const ms_segment5 *g = w->g;
  double m1 = w->high[1] - w->low[1], m2 = w->high[2] - w->low[2];
  double drop = 1.0 - w->s->theta;
  double slide = w->side * (w->u - g->c) * m1 - (w->slow + w->side * g->slope) * m2;
  return w->s->theta * slide + (g->flag == w->side ? 0.0 : 0.5 * w->r * drop * drop * m2);
}

typedef struct written5 {
  ptrdiff_t n;
  double work, doubt; /* friction's work over the slip load; int rho phi over sliders in doubt */
} written5;

/* The list after the step, from the walk's start on, written to `out` if there is one. */
static written5 write_pieces(walk5 *w, ms_segment5 *out) {
  written5 sum = { 0, 0.0, 0.0 };
  ms_segment5 last = { .phi = 0.0 };
  while (next_piece(w)) {
    if (!(w->top > w->bottom)) continue;
    ms_segment5 fresh = make_segment(w);
    if (w->side != 0) sum.work += slip_work(w);
    sum.doubt += fresh.doubt + fresh.front_doubt;
    if (sum.n > 0 && is_one(&last, &fresh, w->bottom)) {
      last.run_low = last.run_top = 0.0;
    } else {
      last = fresh;
      sum.n++;
    }
    if (out) out[sum.n - 1] = last;
  }
  return sum;
}

/* Room for the new list; merging changes the old one, so count again. */
static ms_status reserve_pieces(ms_context *ctx, const ms_field5_setting *s, ms_field5 *f,
                                const ms_joint_trial *trial, ptrdiff_t *keep) {
  double u = trial->real[T_U], r = trial->real[T_R];
  double tolerance = trial->whole[T_ALL] ? 0.0 : s->merge_tolerance;
  for (;;) {
    walk5 walk = start_walk(s, f, u, r, *keep);
    ptrdiff_t wanted = *keep + write_pieces(&walk, NULL).n;
    if (wanted <= f->limit && wanted <= f->capacity) return MS_SUCCESS;
    MS_TRY(ms_field5_reserve(ctx, s, tolerance, f, wanted));
    *keep = count_inert(f, u, r);
  }
}

/* A joint that walks far away takes its origin along, or the sums would lose digits; in macroslip
   there is nothing else to remember. */
static void follow(const ms_field5_setting *s, ms_field5 *f, double absolute) {
  int macroslip = f->n == 1 && f->segment[0].flag != 0.0;
  if (!macroslip && fabs(f->u) <= ms_joint_tol.far * (1.0 + f->r) * s->density.phi_max) return;
  for (ptrdiff_t i = 0; i < f->n; i++) f->segment[i].c -= f->u;
  f->turn -= f->u;
  f->origin = absolute;
  f->u = 0.0;
  ms_field5_link(f, 0);
}

/* An elongation is between -r phi and r phi whatever happened, so sliders in doubt err by no more
   than 2 alpha int rho phi. */
static void bound_error(ms_field5 *f, ptrdiff_t keep, double doubt) {
  if (keep > 0) doubt += f->segment[keep - 1].doubted;
  f->merge_error = fmax(f->merge_error, 2.0 * f->alpha * doubt);
}

/* Under a varying load the slip load of a step is its mean, and drops happen at its end: first
   order in the step. */
ms_status ms_field5_commit(ms_context *ctx, const ms_field5_setting *s, ms_field5 *f,
                           const ms_joint_trial *trial) {
  double u = trial->real[T_U], r = trial->real[T_R];
  ptrdiff_t keep = trial->whole[T_KEEP];
  MS_TRY(reserve_pieces(ctx, s, f, trial, &keep));
  begin_motion(f, u, r);
  walk5 walk = start_walk(s, f, u, r, keep);
  written5 fresh = write_pieces(&walk, f->spare);
  memcpy(f->segment + keep, f->spare, (size_t)fresh.n * sizeof *f->spare);
  f->n = keep + fresh.n;
  f->dissipated += 0.5 * (f->alpha + trial->real[T_ALPHA]) * fresh.work;
  f->u = u;
  f->alpha = trial->real[T_ALPHA];
  f->k = trial->real[T_K];
  f->r = r;
  bound_error(f, keep, fresh.doubt);
  ms_field5_link(f, keep);
  follow(s, f, trial->real[T_ABSOLUTE]);
  return MS_SUCCESS;
}

/* ---- energy, memory ---- */

/* Stored: k/2 int rho e^2, with e = (u - c) - slope*phi in each segment. */
void ms_field5_energy(const ms_field5 *f, ms_joint_energy *out) {
  static const double none[3] = { 0.0, 0.0, 0.0 };
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    const ms_segment5 *g = &f->segment[i];
    const double *high = g->moment, *low = i + 1 < f->n ? g[1].moment : none;
    double a = f->u - g->c, b = g->slope;
    sum += a * a * (high[0] - low[0]) - 2.0 * a * b * (high[1] - low[1]);
    sum += b * b * (high[2] - low[2]);
  }
  *out = (ms_joint_energy) { .stored = 0.5 * f->k * fmax(0.0, sum), .dissipated = f->dissipated };
}

/* Sliders that slip, or that never did, remember nothing. */
void ms_field5_memory(const ms_field5 *f, ms_joint_memory *out) {
  ptrdiff_t depth = 0;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    depth += f->segment[i].flag == 0.0 && f->segment[i].slope != 0.0;
  }
  *out = (ms_joint_memory) {
    .depth = depth,
    .bytes = 2 * (size_t)f->capacity * sizeof *f->segment,
    .merge_error = f->merge_error,
  };
}

/* ---- save and load: scalars first, then what the list does not derive ---- */

enum { N_SCALAR = 11, N_SEGMENT = 10 };

ptrdiff_t ms_field5_save_size(const ms_field5 *f) {
  return N_SCALAR + 1 + N_SEGMENT * f->n;
}

void ms_field5_save(const ms_field5 *f, double *b) {
  const double scalar[N_SCALAR] = { f->origin,     f->u,           f->alpha,        f->k,
                                    f->r,          f->side,        f->turn,         f->epoch,
                                    f->dissipated, f->merge_error, (double)f->limit };
  memcpy(b, scalar, sizeof scalar);
  b[N_SCALAR] = (double)f->n;
  b += N_SCALAR + 1;
  for (ptrdiff_t i = 0; i < f->n; i++, b += N_SEGMENT) {
    const ms_segment5 *g = &f->segment[i];
    const double own[N_SEGMENT] = { g->phi,     g->c,       g->slope, g->flag,        g->spread,
                                    g->run_low, g->run_top, g->doubt, g->front_doubt, g->epoch };
    memcpy(b, own, sizeof own);
  }
}

static int is_valid(const ms_density *d, const double *b, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < N_SCALAR + 1 + N_SEGMENT * n; i++) {
    if (!isfinite(b[i])) return 0;
  }
  double above = HUGE_VAL;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *g = b + N_SCALAR + 1 + N_SEGMENT * i;
    if (!(g[0] > 0.0 && g[0] < above) || (i == 0 && g[0] != d->phi_max)) return 0;
    if (g[3] != 0.0 && fabs(g[3]) != 1.0) return 0;
    above = g[0];
  }
  return n > 0 && b[2] >= 0.0 && b[3] > 0.0 && b[4] >= 0.0 && b[10] >= 1.0 && b[10] < 1e15;
}

static void read_segment(const ms_density *d, const double *b, ms_segment5 *g) {
  *g = (ms_segment5) { .phi = b[0],
                       .c = b[1],
                       .slope = b[2],
                       .flag = b[3],
                       .spread = b[4],
                       .run_low = b[5],
                       .run_top = b[6],
                       .doubt = b[7],
                       .front_doubt = b[8],
                       .epoch = b[9] };
  ms_density_moments(d, g->phi, g->moment);
}

ms_status ms_field5_load(ms_context *ctx, const ms_field5_setting *s, ms_field5 *f, const double *b,
                         ptrdiff_t size) {
  double count = size > N_SCALAR ? b[N_SCALAR] : -1.0;
  ptrdiff_t n = count >= 0.0 && count < (double)size ? (ptrdiff_t)count : -1;
  if (n < 0 || size != N_SCALAR + 1 + N_SEGMENT * n || !is_valid(&s->density, b, n)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
  }
  MS_TRY(ms_field5_reserve(ctx, s, 0.0, f, n));
  f->origin = b[0], f->u = b[1], f->alpha = b[2], f->k = b[3], f->r = b[4];
  f->side = b[5], f->turn = b[6], f->epoch = b[7];
  f->dissipated = b[8], f->merge_error = b[9], f->limit = (ptrdiff_t)b[10];
  f->n = n;
  for (ptrdiff_t i = 0; i < n; i++) {
    read_segment(&s->density, b + N_SCALAR + 1 + N_SEGMENT * i, &f->segment[i]);
  }
  ms_field5_link(f, 0);
  return MS_SUCCESS;
}
