/* Parameters of the density as directions. At fixed anchors only the moments move, by dm0, dm1 at
   fixed phi: as anchors are continuous, that nodes and fronts move too changes nothing to first
   order, and a delta at phi_max that moves is in the moments of the total. With field.c's equations

     dE = dG + dK u - (u - c) dm0 + (s r + slope) dm1,   dK = dm0(total), moments at the front,
     dG = dG(above) + (c(above) - c) dm0 + (slope(above) - slope) dm1,   at the upper end. */
#include "joint/iwan/field_rows.h"

typedef struct line {
  double c, slope;
} line;

/* What G of a segment gains over that of the segment above. */
static double link_param(const ms_density *d, const ms_sensitivity_param *p, line above, line own,
                         double phi) {
  double dm[2];
  ms_density_slopes(d, p->slope, phi, dm);
  return (above.c - own.c) * dm[0] + (above.slope - own.slope) * dm[1];
}

static line segment_line(const ms_field *f, ptrdiff_t i) {
  return i < 0 ? (line) { 0.0, 0.0 } : (line) { f->segment[i].c, f->segment[i].slope };
}

void ms_field_param_stack(const ms_density *d, const ms_field *f, double k,
                          const ms_joint_trial *trial, const ms_step_sensitivity *c) {
  double u = trial->real[T_U], s = trial->real[T_SIDE], r = trial->real[T_R], dm[2], total[2];
  int turned = trial->whole[T_KIND] == TURN;
  ptrdiff_t holds = trial->whole[T_KEEP] + turned;
  line cone = { f->u, -f->side * f->r }, own = turned ? cone : segment_line(f, holds - 1);
  for (ptrdiff_t i = 0; i < c->n_param; i++) {
    const ms_sensitivity_param *p = &c->param[i];
    ms_density_slopes(d, p->slope, trial->real[T_FRONT], dm);
    ms_density_slopes(d, p->slope, d->phi_max, total);
    double dE = total[0] * u - (u - own.c) * dm[0] + (s * r + own.slope) * dm[1];
    c->force[p->direction] += k * (holds > 0 ? dE : s * r * total[1]);
    if (!turned) continue;
    double *G = ms_rows_at(c, ms_row_list(c), f->n).G;
    G[p->direction] += link_param(d, p, segment_line(f, f->n - 1), cone, f->front);
  }
}

/* The walk of field_sensitivity.c once more, for one parameter. The first segment is counted from
   where the origin will be. */
static void sensitivity_param(const ms_density *d, const ms_field *f, double k,
                              const ms_joint_trial *trial, const ms_sensitivity_param *p,
                              double *list, const ms_step_sensitivity *c) {
  double u = trial->real[T_U], r = trial->real[T_R], high[2], low[2], G = 0.0;
  field_walk walk = { .f = f, .u = u, .r = r };
  line above = { is_far(d, u, r) ? u : 0.0, 0.0 };
  ptrdiff_t n = 0;
  int side = 0;
  ms_density_slopes(d, p->slope, d->phi_max, high);
  while (next_piece(&walk)) {
    const field_piece *piece = &walk.piece[walk.at];
    int slip = piece->slip;
    line own = slip ? (line) { u, -slip * r } : (line) { walk.segment.c, walk.segment.slope };
    ms_density_slopes(d, p->slope, piece->low, low);
    c->force[p->direction] +=
        k * ((u - own.c) * (high[0] - low[0]) - own.slope * (high[1] - low[1]));
    if (slip == 0 || slip != side) {
      G += link_param(d, p, above, own, piece->high);
      ms_rows_at(c, list, n++).G[p->direction] += G;
      above = own;
    }
    side = slip;
    memcpy(high, low, sizeof high);
  }
}

void ms_field_param_pieces(const ms_density *d, const ms_field *f, double k,
                           const ms_joint_trial *trial, double *list,
                           const ms_step_sensitivity *c) {
  for (ptrdiff_t i = 0; i < c->n_param; i++)
    sensitivity_param(d, f, k, trial, &c->param[i], list, c);
}
