/* Contacts at rest: faces inside a zone of points, doubts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/contact_bodies.h>

static int is_outside(const ms_contact_rest *rest, const unsigned char *flag, ptrdiff_t i) {
  return ms_contact_get(rest->contact).status[i] != MS_CONTACT_OPEN && !flag[i];
}

/* Whether all closed points of the faces around a pair of nodes are in the zone. */
static int is_surrounded(const ms_contact_rest *rest, const unsigned char *flag, ptrdiff_t i) {
  for (ptrdiff_t k = 0; k < rest->n_face; k++) {
    int here = 0, outside = 0;
    for (int c = 0; c < 4; c++) {
      const int32_t corner = rest->face[4 * k + c];
      if (corner < 0) continue;
      here |= rest->of[corner] == i;
      outside |= is_outside(rest, flag, rest->of[corner]);
    }
    if (here && outside) return 0;
  }
  return 1;
}

/* Face k between pairs of nodes. */
static int is_inside(const ms_contact_rest *rest, const unsigned char *flag, ptrdiff_t k) {
  for (int c = 0; c < 4; c++) {
    const int32_t corner = rest->face[4 * k + c];
    if (corner < 0) continue;
    const ptrdiff_t i = rest->of[corner];
    if (rest->point[i].n[0] > 1 || !flag[i] || !is_surrounded(rest, flag, i)) return 0;
  }
  return 1;
}

/* The face of Gauss point i. */
static int has_face_inside(const ms_contact_rest *rest, const unsigned char *flag, ptrdiff_t i) {
  const ms_contact_site *p = &rest->point[i];
  for (ptrdiff_t k = 0; k < rest->n_point; k++) {
    const ms_contact_site *q = &rest->point[k];
    int shared = 0;
    for (int a = 0; a < p->n[0] && q->contact == p->contact; a++) {
      for (int b = 0; b < q->n[0]; b++) shared += q->node[0][b] == p->node[0][a];
    }
    if (shared == p->n[0] ? !flag[k] : shared > 0 && is_outside(rest, flag, k)) return 0;
  }
  return 1;
}

ptrdiff_t ms_contact_count_inside(const ms_contact_rest *rest, const unsigned char *flag) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < rest->n_face; k++) n += is_inside(rest, flag, k);
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    if (rest->point[i].n[0] > 1) n += has_face_inside(rest, flag, i);
  }
  return n;
}

/* Rigid points that overlap: only those can that supports hold on both sides. */
static ptrdiff_t count_overlaps(const ms_contact_rest *rest, int group) {
  const double *z = ms_contact_get(rest->contact).z,
               flat = ms_contact_get_setting(rest->contact)->tol.flat;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    n += p->contact == group && p->K_n == 0.0 && z[3 * i + 2] > flat * sqrt(p->area) &&
         z[3 * i + 2] > -0.5 * p->gap;
  }
  return n;
}

/* Meshes of curved faces that are not alike add gaps and overlaps to an interference. Flat ones may
   overlap evenly. */
static int are_uneven(const ms_contact_rest *rest, int group, const char *name, char *text,
                      size_t size) {
  const ms_contact_tolerances *tol = &ms_contact_get_setting(rest->contact)->tol;
  const double *first = NULL;
  double least = HUGE_VAL, most = -HUGE_VAL, interference = 0.0, turn = 0.0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    const double *n = p->axes + 6;
    if (p->contact != group) continue;
    if (!first) first = n;
    turn = fmax(turn, 1.0 - (n[0] * first[0] + n[1] * first[1] + n[2] * first[2]));
    least = fmin(least, p->apart);
    most = fmax(most, p->apart);
    interference = fmax(interference, p->apart - p->gap);
  }
  const double extent = fmax(most - least, turn > tol->flat ? -least : 0.0);
  if (!(interference > 0.0 && extent > tol->uneven * interference)) return 0;
  snprintf(text, size,
           "contact %s: the meshes are between %.3g and %.3g m apart (below 0: inside each other), "
           "beside an interference of %.3g m; unless that is the shape of the bodies, mesh both "
           "faces alike",
           name, least, most, interference);
  return 1;
}

/* A pair of nodes inside has the area of a face, Gauss points share it. */
double ms_contact_find_side(const ms_contact_rest *rest, int group) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    double area = p->n[0] > 1 ? 0.0 : p->area;
    if (p->contact != group) continue;
    for (ptrdiff_t k = 0; k < rest->n_point && p->n[0] > 1; k++) {
      const ms_contact_site *q = &rest->point[k];
      const int same = memcmp(q->node[0], p->node[0], sizeof p->node[0]) == 0;
      if (q->contact == group && same) area += q->area;
    }
    largest = fmax(largest, area);
  }
  return sqrt(largest);
}

/* Bodies are linear, and sliding is small: closed points that moved as far as their elements, and
   pressures of the order of Young's modulus, are mostly units. */
static int is_large(const ms_contact_rest *rest, int group, const char *name, char *text,
                    size_t size) {
  const ms_contact_tolerances *tol = &ms_contact_get_setting(rest->contact)->tol;
  const ms_contact_state state = ms_contact_get(rest->contact);
  const double side = ms_contact_find_side(rest, group);
  double moved = 0.0, strain = 0.0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    const double *z = state.z + 3 * i, force = state.lambda[3 * i + 2];
    if (p->contact != group || state.status[i] == MS_CONTACT_OPEN) continue;
    moved = fmax(moved, hypot(hypot(z[0], z[1]), p->K_n > 0.0 ? force / p->K_n : 0.0));
    if (p->spring[2] > 0.0) strain = fmax(strain, force / (p->spring[2] * side));
  }
  if (strain > tol->strained) {
    snprintf(text, size,
             "contact %s: the pressure reaches about %.2g times Young's modulus, where bodies are "
             "not linear; check forces, moduli and units",
             name, strain);
  } else if (moved > tol->slid * side) {
    snprintf(text, size,
             "contact %s: a closed point moved by %.3g m against the other face, %.2g times its "
             "element's side, which is not small; check forces, layer and units",
             name, moved, moved / side);
  } else {
    return 0;
  }
  return 1;
}

/* splitmix64 */
static uint64_t mix(uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* The same for faces between the same nodes, whichever side is named first. */
static uint64_t sign_face(const ms_contact_rest *rest, ptrdiff_t k) {
  uint64_t sum = 0;
  for (int c = 0; c < 4; c++) {
    const int32_t corner = rest->face[4 * k + c];
    if (corner < 0) continue;
    const ms_contact_site *p = &rest->point[rest->of[corner]];
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < p->n[s]; i++) sum += mix((uint64_t)p->node[s][i]);
    }
  }
  return sum;
}

static const ms_contact_site *site_of(const ms_contact_rest *rest, ptrdiff_t k) {
  return &rest->point[rest->of[rest->face[4 * k]]];
}

/* Faces that an earlier contact has, too: both would carry. */
static int are_double(const ms_contact_rest *rest, int group, const char *name, char *text,
                      size_t size) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < rest->n_face; k++) {
    const ms_contact_site *p = site_of(rest, k);
    const uint64_t sign = sign_face(rest, k);
    int found = 0;
    for (ptrdiff_t l = 0; l < k && p->contact == group && !found; l++) {
      const ms_contact_site *q = site_of(rest, l);
      const double along =
          p->axes[6] * q->axes[6] + p->axes[7] * q->axes[7] + p->axes[8] * q->axes[8];
      found = q->contact < group && fabs(along) > 0.5 && sign_face(rest, l) == sign;
    }
    n += found;
  }
  if (n == 0) return 0;
  snprintf(text, size,
           "contact %s: %td of its faces are in another contact, too, so that each carries a part; "
           "name them once",
           name, n);
  return 1;
}

static int doubt_group(const ms_contact_rest *rest, int group, const char *name, char *text,
                       size_t size) {
  const ms_contact_sum sum = ms_contact_add_up(rest->contact, group);
  const ptrdiff_t overlaps = count_overlaps(rest, group);
  if (overlaps > 0) {
    snprintf(text, size,
             "contact %s: %td points that supports hold on both sides overlap, and a rigid contact "
             "has no finite force there; give it a layer or hold less",
             name, overlaps);
  } else if (sum.open == sum.n) {
    snprintf(text, size, "contact %s is open at rest: nothing presses it together", name);
  } else {
    return are_double(rest, group, name, text, size) || is_large(rest, group, name, text, size) ||
           are_uneven(rest, group, name, text, size);
  }
  return 1;
}

/* Friction that allows several equilibria, or none at all. */
static int doubt_friction(const ms_contact_rest *rest, char *text, size_t size) {
  const ms_contact_sum sum = ms_contact_add_up(rest->contact, -1);
  const double ratio = ms_contact_compare_critical(rest->contact, NULL);
  if (ratio > 1.0) {
    snprintf(text, size,
             "friction is %.3g times the critical one at a point: a load may have more than one "
             "equilibrium, and the result is one of them",
             ratio);
    return 1;
  }
  double mu = 0.0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) mu = fmax(mu, rest->point[i].mu);
  if (sum.friction > 0.0 || sum.glued > 0 || mu == 0.0) return 0;
  snprintf(text, size, "no contact has friction at rest, since nothing presses it: give a preload");
  return 1;
}

int ms_contact_doubt(const ms_contact_rest *rest, int group, const char *name, char *text,
                     size_t size) {
  return group < 0 ? doubt_friction(rest, text, size) : doubt_group(rest, group, name, text, size);
}

int ms_contact_doubt_steps(const ms_contact_rest *rest, double limit, char *text, size_t size) {
  if (!(rest->change > limit)) return 0;
  snprintf(text, size,
           "twice as many load steps of the preload change the normal forces by %.2g of their sum "
           "(change_limit %g): take more steps",
           rest->change, limit);
  return 1;
}
