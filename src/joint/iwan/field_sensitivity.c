/* Derivatives of the slider field. The anchors x(phi) are continuous, so a node that moves along
   phi changes no integral to first order, and

     dE = int rho (du - dx) dphi,     dx = dc + dslope phi in each segment.

   Each segment has the rows of c, slope and G; by the definition of G in field.c

     dG = dG(above) + (dc(above) - dc) m0 + (dslope(above) - dslope) m1,  moments at its upper end.

   Before them come the rows of the committed u and r, which are those of the cone: c = u, slope =
   -side r. The origin is a number like any other, without derivatives. What du, dalpha and dk of
   the step itself contribute is in the force before sensitivity begins. */
#include "joint/iwan/field_rows.h"

/* A clip cuts the n segments and the cone into three pieces each at most. */
static ptrdiff_t longest_clipped(const ms_field *f) {
  return 3 * (f->n + 1);
}

ptrdiff_t ms_field_rows(const ms_field *f, const ms_joint_trial *trial) {
  int general = trial && trial->whole[T_KIND] == GENERAL;
  if (general) return N_FIXED + 2 * N_OWN * longest_clipped(f) + N_SCRATCH;
  return N_FIXED + N_OWN * (f->n + 1);
}

void ms_field_sensitivity_start(const ms_density *d, const ms_step_sensitivity *c) {
  ms_segment_rows first = ms_rows_at(c, ms_row_list(c), 0);
  memcpy(c->row + c->n * ROW_U, c->u, ms_sensitivity_bytes(c));
  memcpy(first.c, c->u, ms_sensitivity_bytes(c));
  ms_sensitivity_add(c->n, -d->total[0], c->u, first.G);
}

/* rows->G from the segment above (NULL: none), m at the segment's upper end. */
static void link_rows(ptrdiff_t n, const ms_segment_rows *above, const ms_segment_rows *own,
                      const double *m) {
  double *restrict G = own->G;
  const double *c = own->c, *slope = own->slope;
  for (ptrdiff_t i = 0; i < n; i++) G[i] = -m[0] * c[i] - m[1] * slope[i];
  if (!above) return;
  const double *G_0 = above->G, *c_0 = above->c, *slope_0 = above->slope;
  for (ptrdiff_t i = 0; i < n; i++) G[i] += G_0[i] + m[0] * c_0[i] + m[1] * slope_0[i];
}

/* What a segment that holds the front gives: k (dG + dc m0 + dslope m1). */
static void add_segment(const ms_step_sensitivity *c, const ms_segment_rows *g, double k,
                        const double *m) {
  double *restrict force = c->force;
  const double *G = g->G, *c_g = g->c, k_m0 = k * m[0];
  for (ptrdiff_t i = 0; i < c->n; i++) force[i] += k * G[i] + k_m0 * c_g[i];
  if (c->loaded) ms_sensitivity_add(c->n, k * m[1], g->slope, force);
}

static void scale_row(ptrdiff_t n, double a, const double *restrict x, double *restrict y) {
  for (ptrdiff_t i = 0; i < n; i++) y[i] = a * x[i];
}

/* The cone becomes a segment. */
static void sensitivity_turn(const ms_field *f, const ms_step_sensitivity *c) {
  ms_segment_rows own = ms_rows_at(c, ms_row_list(c), f->n), above;
  memcpy(own.c, c->row + c->n * ROW_U, ms_sensitivity_bytes(c));
  scale_row(c->n, -f->side, c->row + c->n * ROW_R, own.slope);
  if (f->n > 0) above = ms_rows_at(c, ms_row_list(c), f->n - 1);
  link_rows(c->n, f->n > 0 ? &above : NULL, &own, f->moment);
}

static void sensitivity_stack(const ms_density *d, const ms_field *f, double k,
                              const ms_joint_trial *trial, const ms_step_sensitivity *c) {
  int turned = trial->whole[T_KIND] == TURN;
  ptrdiff_t holds = trial->whole[T_KEEP] + turned;
  if (turned) sensitivity_turn(f, c);
  if (c->n_param > 0) ms_field_param_stack(d, f, k, trial, c);
  if (holds == 0) return;
  ms_segment_rows g = ms_rows_at(c, ms_row_list(c), holds - 1);
  add_segment(c, &g, k, &trial->real[T_MOMENT]);
}

/* ---- any normal load ---- */

/* Rows of the piece's anchors before the step; the cone's are made in `scratch`. */
static ms_segment_rows walked_rows(const field_walk *walk, const ms_step_sensitivity *c,
                                   double *scratch) {
  ptrdiff_t i = walk->i - 1;
  if (i < walk->f->n) return ms_rows_at(c, ms_row_list(c), i);
  scale_row(c->n, -walk->f->side, c->row + c->n * ROW_R, scratch);
  return (ms_segment_rows) { .c = c->row + c->n * ROW_U, .slope = scratch };
}

static void write_rows(const ms_step_sensitivity *c, const ms_segment_rows *old, int slip,
                       const double *dr, const ms_segment_rows *fresh) {
  memcpy(fresh->c, old ? old->c : c->u, ms_sensitivity_bytes(c));
  if (old) {
    memcpy(fresh->slope, old->slope, ms_sensitivity_bytes(c));
  } else {
    scale_row(c->n, -slip, dr, fresh->slope);
  }
}

/* The same walk as commit's, which makes a segment of each piece that holds and of each run that
   slips to one side. Where r = 0 all anchors are at u, whatever the comparison says. Returns the
   number of segments written to `list`. dr: row of the step's r. */
static ptrdiff_t sensitivity_pieces(const ms_density *d, const ms_field *f,
                                    const ms_joint_input *in, const ms_joint_trial *trial,
                                    const double *dr, double *list, double *scratch,
                                    const ms_step_sensitivity *c) {
  ptrdiff_t n = 0;
  double u = trial->real[T_U], r = trial->real[T_R], high[3], low[3];
  field_walk walk = { .f = f, .u = u, .r = r };
  int side = 0;
  memcpy(high, d->total, sizeof high);
  while (next_piece(&walk)) {
    int slip = walk.piece[walk.at].slip, holds = slip == 0 && r > 0.0;
    ms_segment_rows old = { 0 };
    low_moments(d, &walk, low);
    if (holds) {
      old = walked_rows(&walk, c, scratch);
      ms_sensitivity_add(c->n, -in->k * (high[0] - low[0]), old.c, c->force);
      ms_sensitivity_add(c->n, -in->k * (high[1] - low[1]), old.slope, c->force);
    }
    if (slip == 0 || slip != side) {
      ms_segment_rows fresh = ms_rows_at(c, list, n),
                      above = ms_rows_at(c, list, n > 0 ? n - 1 : 0);
      write_rows(c, holds ? &old : NULL, slip, dr, &fresh);
      link_rows(c->n, n > 0 ? &above : NULL, &fresh, high);
      n++;
    }
    side = slip;
    memcpy(high, low, sizeof high);
  }
  return n;
}

/* Merging would need the rows merged too: while they are carried the list is kept as it is. */
void ms_field_sensitivity(const ms_density *d, const ms_field *f, const ms_joint_input *in,
                          ms_joint_trial *trial, const ms_step_sensitivity *c) {
  trial->whole[T_ALL] = 1;
  if (trial->whole[T_KIND] == GENERAL) {
    /* The new list is written behind the old one, then takes its place. If its last segment is the
       new cone, its rows do no harm there. */
    double *list = ms_row_list(c), *fresh = list + c->n * N_OWN * longest_clipped(f);
    double *dr = fresh + c->n * N_OWN * longest_clipped(f), *scratch = dr + c->n;
    ms_sensitivity_ratio_row(c, in, dr);
    ptrdiff_t n = sensitivity_pieces(d, f, in, trial, dr, fresh, scratch, c);
    if (c->n_param > 0) ms_field_param_pieces(d, f, in->k, trial, fresh, c);
    memcpy(list, fresh, (size_t)(N_OWN * n) * ms_sensitivity_bytes(c));
  } else {
    sensitivity_stack(d, f, in->k, trial, c);
  }
  memcpy(c->row + c->n * ROW_U, c->u, ms_sensitivity_bytes(c));
  if (c->loaded) ms_sensitivity_ratio_row(c, in, c->row + c->n * ROW_R);
}
