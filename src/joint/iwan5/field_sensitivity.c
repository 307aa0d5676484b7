/* Derivatives of the slider field with a friction drop. Anchors jump between segments, so that here
   a node that moves along phi counts:

     dE = int rho (du - dx) dphi + sum over nodes of rho (e_below - e_above) dphi_node,

   dx = dc + dslope phi in a segment that holds. Each segment has the rows of c, slope and phi, its
   upper end. A cut of this step, phi = (u - c)/gain with gain = slope + side limit, has

     dphi = (du - dc - phi (dslope + side dlimit))/gain.

   What du, dalpha and dk of the step itself contribute is in the force before sensitivity begins.
 */
#include "joint/iwan5/field_walk.h"

enum { ROW_C, ROW_SLOPE, ROW_PHI, N_OWN };

typedef struct rows5 {
  double *c, *slope, *phi;
} rows5;

static rows5 rows_at(const ms_step_sensitivity *c, double *list, ptrdiff_t i) {
  double *first = list + c->n * N_OWN * i;
  return (rows5) { first + c->n * ROW_C, first + c->n * ROW_SLOPE, first + c->n * ROW_PHI };
}

/* A step cuts each of the n segments into three pieces at most. */
static ptrdiff_t longest(const ms_field5 *f) {
  return 3 * f->n;
}

ptrdiff_t ms_field5_rows(const ms_field5 *f) {
  return 2 * N_OWN * longest(f) + 1; /* two lists, and dr */
}

void ms_field5_sensitivity_start(const ms_step_sensitivity *c) {
  memcpy(rows_at(c, c->row, 0).c, c->u, ms_sensitivity_bytes(c));
}

/* A node, its elongations below and above after the step. The density has phi rho = exponent m0. */
static void add_node(const ms_field5_setting *s, const ms_segment5 *below, double jump, double k,
                     const double *dphi, const ms_step_sensitivity *c) {
  double rho = s->exponent * below->moment[0] / below->phi;
  if (jump != 0.0) ms_sensitivity_add(c->n, k * rho * jump, dphi, c->force);
}

static void add_anchors(const ms_step_sensitivity *c, double m0, double m1, const rows5 *rows) {
  ms_sensitivity_add(c->n, -m0, rows->c, c->force);
  ms_sensitivity_add(c->n, -m1, rows->slope, c->force);
}

static double anchor(const ms_segment5 *g, double phi) {
  return g->c + g->slope * phi;
}

/* ---- the pieces of the others ---- */

/* The anchors of a piece after the step, a straight line. */
typedef struct line5 {
  double c, slope;
} line5;

static line5 piece_line(const walk5 *w) {
  if (w->side == 0) return (line5) { w->g->c, w->g->slope };
  return (line5) { w->u, -w->side * w->slow };
}

static void add_piece(const walk5 *w, double k, const rows5 *old, const ms_step_sensitivity *c) {
  if (w->side == 0) {
    add_anchors(c, k * (w->high[0] - w->low[0]), k * (w->high[1] - w->low[1]), old);
  }
  if (w->at >= w->n_cut || !w->cut[w->at].drops) return;
  const cut5 *cut = &w->cut[w->at];
  double rate = k * (w->r - w->slow) * w->s->exponent * w->low[0] / fabs(cut->gain);
  ms_sensitivity_add(c->n, rate, old->c, c->force);
  ms_sensitivity_add(c->n, rate * cut->phi, old->slope, c->force);
}

static void write_cut(const walk5 *w, const cut5 *cut, const rows5 *old, const double *dr,
                      const ms_step_sensitivity *c, double *restrict phi) {
  double by_r = cut->side * (cut->drops ? 1.0 : w->s->theta);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    phi[i] = (c->u[i] - old->c[i] - cut->phi * (old->slope[i] + by_r * dr[i])) / cut->gain;
  }
}

static void write_rows(const walk5 *w, const rows5 *old, const double *dr,
                       const ms_step_sensitivity *c, const rows5 *fresh) {
  size_t bytes = ms_sensitivity_bytes(c);
  memcpy(fresh->c, w->side == 0 ? old->c : c->u, bytes);
  if (w->side == 0) {
    memcpy(fresh->slope, old->slope, bytes);
  } else {
    for (ptrdiff_t i = 0; i < c->n; i++) fresh->slope[i] = -w->side * w->s->theta * dr[i];
  }
  if (w->top == w->g->phi) {
    memcpy(fresh->phi, old->phi, bytes);
  } else {
    write_cut(w, &w->cut[w->at - 1], old, dr, c, fresh->phi);
  }
}

/* The same walk as commit's, with the same choice of what becomes a segment; returns how many. */
static ptrdiff_t sensitivity_pieces(walk5 *w, double k, const double *dr, double *list,
                                    const ms_step_sensitivity *c) {
  ptrdiff_t n = 0;
  ms_segment5 last = { .phi = 0.0 };
  line5 above = { 0.0, 0.0 };
  if (w->next > 0) {
    const ms_segment5 *inert = &w->f->segment[w->next - 1];
    above = (line5) { inert->c, inert->slope };
  }
  while (next_piece(w)) {
    ptrdiff_t i = w->next - 1;
    rows5 old = rows_at(c, c->row, i);
    line5 own = piece_line(w);
    double phi = w->top;
    if (i > 0 && phi == w->g->phi) {
      add_node(w->s, w->g, above.c - own.c + (above.slope - own.slope) * phi, k, old.phi, c);
    }
    add_piece(w, k, &old, c);
    above = own;
    if (!(w->top > w->bottom)) continue;
    ms_segment5 fresh = make_segment(w);
    if (n > 0 && is_one(&last, &fresh, w->bottom)) {
      last.run_low = last.run_top = 0.0;
      continue;
    }
    last = fresh;
    rows5 rows = rows_at(c, list, n++);
    write_rows(w, &old, dr, c, &rows);
  }
  return n;
}

/* As in iwan/field_sensitivity.c the list is not merged while rows go with it. */
void ms_field5_sensitivity(const ms_field5_setting *s, const ms_field5 *f, const ms_joint_input *in,
                           ms_joint_trial *trial, const ms_step_sensitivity *c) {
  double u = trial->real[T_U], r = trial->real[T_R];
  double *fresh = c->row + c->n * N_OWN * longest(f), *dr = fresh + c->n * N_OWN * longest(f);
  ptrdiff_t keep = trial->whole[T_KEEP];
  ms_field5 moving = *f; /* commit sorts the sliders in doubt by the new motion */
  begin_motion(&moving, u, r);
  trial->whole[T_ALL] = 1;
  ms_sensitivity_ratio_row(c, in, dr);
  /* The segments that the step leaves alone. */
  for (ptrdiff_t i = 0; i < keep; i++) {
    const ms_segment5 *g = &f->segment[i], *below = g + 1; /* the last segment is never inert */
    rows5 rows = rows_at(c, c->row, i);
    add_anchors(c, in->k * (g->moment[0] - below->moment[0]),
                in->k * (g->moment[1] - below->moment[1]), &rows);
    if (i > 0) {
      add_node(s, g, anchor(g - 1, g->phi) - anchor(g, g->phi), in->k, rows.phi, c);
    }
  }
  walk5 walk = start_walk(s, &moving, u, r, keep);
  ptrdiff_t n = sensitivity_pieces(&walk, in->k, dr, fresh, c);
  memcpy(rows_at(c, c->row, keep).c, fresh, (size_t)(N_OWN * n) * ms_sensitivity_bytes(c));
}
