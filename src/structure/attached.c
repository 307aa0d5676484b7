/* What a test attaches to a structure: sensors, the tip of a stinger and its stiffness. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

enum { MOST_SHOWN = 4 }; /* modes */

/* The degrees of freedom of a part: its own, or the translations of its node, or the one of them
   along its direction. */
typedef struct places {
  ptrdiff_t i[3];
  int n;
} places;

static ms_status find_places(const ms_structure *s, const ms_attached_part *part, int direction,
                             places *out) {
  char name[MS_NODE_NAME];
  *out = (places) { .n = 1 };
  if (strcmp(part->at, "ground") == 0)
    return ms_fail(s->ctx, MS_ERR_NAME, "%s: nothing is attached to the ground", part->name);
  ms_status status = ms_structure_find(s, part->at, &out->i[0]);
  if (status == MS_SUCCESS && !ms_name_is_rotation(part->at)) return MS_SUCCESS;
  if (status == MS_SUCCESS)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: %s is a rotation", part->name, part->at);
  out->n = 0;
  for (int d = 0; d < 3; d++) {
    ptrdiff_t i;
    if (direction >= 0 && d != direction) continue;
    if (ms_structure_find_component(s, part->at, d, name, &i) == MS_SUCCESS) out->i[out->n++] = i;
  }
  if (out->n > 0) ms_context_clear_message(s->ctx);
  if (out->n > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_NAME,
                 "%s: there is no degree of freedom '%s', nor a node of that name that moves%s%s",
                 part->name, part->at, direction >= 0 ? " along " : "",
                 direction >= 0 ? (const char *[]) { "x", "y", "z" }[direction] : "");
}

/* Where its spring acts. */
static ms_status find_spring(const ms_structure *s, const ms_attached_part *part, places *at,
                             ptrdiff_t *to) {
  *to = MS_GROUND;
  MS_TRY(find_places(s, part, part->direction, at));
  if (at->n > 1)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: %s moves in %d directions: say which is stiff",
                   part->name, part->at, at->n);
  return part->to ? ms_structure_find(s, part->to, to) : MS_SUCCESS;
}

ms_status ms_structure_attach(ms_structure *s, const ms_attached_part *part) {
  places at;
  ptrdiff_t to;
  MS_NEED(s->ctx, part && part->name && part->at);
  if (part->mass > 0.0) {
    MS_TRY(find_places(s, part, -1, &at));
    for (int k = 0; k < at.n; k++) MS_TRY(ms_structure_add_mass(s, at.i[k], part->mass));
  }
  if (part->stiffness == 0.0) return MS_SUCCESS;
  MS_TRY(find_spring(s, part, &at, &to));
  return ms_structure_add_named_spring(s, part->name, at.i[0], to, part->stiffness);
}

/* ---- what they change ---- */

static ms_status take_off(const ms_structure *s, const ms_attached_part *part, double *M,
                          double *K) {
  const ptrdiff_t n = s->n;
  places at;
  ptrdiff_t to;
  if (part->mass > 0.0) {
    MS_TRY(find_places(s, part, -1, &at));
    for (int k = 0; k < at.n; k++) M[at.i[k] * (n + 1)] -= part->mass;
  }
  if (part->stiffness == 0.0) return MS_SUCCESS;
  MS_TRY(find_spring(s, part, &at, &to));
  const ptrdiff_t i = at.i[0];
  K[i * (n + 1)] -= part->stiffness;
  if (to == MS_GROUND) return MS_SUCCESS;
  K[to * (n + 1)] -= part->stiffness;
  K[i + n * to] += part->stiffness;
  K[to + n * i] += part->stiffness;
  return MS_SUCCESS;
}

/* The mode without them that is most like stuck mode r, in the mass with them. */
static ptrdiff_t find_like(const ms_structure *s, ptrdiff_t r, const double *shape, double *M_x) {
  const ptrdiff_t n = s->n;
  const double *phi = s->shape + n * r;
  double best = -1.0;
  ptrdiff_t like = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    double both = 0.0, own = 0.0;
    memset(M_x, 0, (size_t)n * sizeof *M_x);
    ms_structure_apply_mass(s, 1.0, shape + n * k, M_x);
    for (ptrdiff_t i = 0; i < n; i++) both += phi[i] * M_x[i], own += shape[i + n * k] * M_x[i];
    if (both * both / own > best) best = both * both / own, like = k;
  }
  return like;
}

static void print_shifts(const ms_structure *s, const double *omega, const double *shape,
                         double *work, char *text, size_t size) {
  int shown = 0;
  size_t at = strlen(text);
  for (ptrdiff_t r = 0; r < s->n && shown < MOST_SHOWN && at + 1 < size; r++) {
    const double before = omega[find_like(s, r, shape, work)];
    if (!(s->omega[r] > 0.0)) continue;
    at += (size_t)snprintf(text + at, size - at, "%s mode %td ", shown++ ? "," : "", r + 1);
    if (at >= size) return;
    at += before > 0.0 ? (size_t)snprintf(text + at, size - at, "%+.3g %%",
                                          100.0 * (s->omega[r] / before - 1.0))
                       : (size_t)snprintf(text + at, size - at, "was free");
  }
}

ms_status ms_structure_print_attached(const ms_structure *s, ptrdiff_t n,
                                      const ms_attached_part *part, char *text, size_t size) {
  const ptrdiff_t square = s->n * s->n;
  double *M, mass = 0.0;
  text[0] = '\0';
  if (n < 1) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, 3 * square + 2 * s->n, sizeof *M, &M));
  double *K = M + square, *shape = K + square, *omega = shape + square;
  memcpy(M, s->M, (size_t)square * sizeof *M);
  ms_structure_fill_stuck(s, K);
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    status = take_off(s, &part[i], M, K);
    mass += part[i].mass;
  }
  if (status == MS_SUCCESS)
    status = ms_modes_solve(s->ctx, s->n, K, M, &s->rounding, s->name, omega, shape);
  if (status == MS_SUCCESS) {
    snprintf(text, size, "attached (%.4g kg in all) changes linear frequencies by:", mass);
    print_shifts(s, omega, shape, omega + s->n, text, size);
  } else if (status == MS_ERR_ARGUMENT) { /* they are all the mass that a coordinate has */
    ms_context_clear_message(s->ctx);
    status = MS_SUCCESS;
  }
  ms_free(s->ctx, &M);
  return status;
}
