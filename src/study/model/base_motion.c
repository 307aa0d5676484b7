/* A ground that moves: base: x, true, [u1, u2] or {u1: 1}. In coordinates relative to the ground
   its acceleration is the force -M iota on them, iota what they are while everything moves with it.

   Finite elements are asked for M iota by direction: a reduced model keeps it whole, with the part
   of the mass that lies between what moves and what is fixed, and with what modes have of it; so is
   a beam. Where coordinates have names with directions, as matrices with labels do, iota follows
   from the names.
 */
#include <string.h>

#include "study/model/loads.h"

/* ---- by direction ---- */

/* Coordinates that are one have the sum of what acts on each. */
static ms_status take_reduced(const ms_study *s, int d, double *y, double *iota) {
  const ms_reduced *r = s->reduced;
  for (ptrdiff_t j = 0; j < r->n; j++) {
    ptrdiff_t i;
    MS_TRY(ms_structure_find(s->structure, r->name[j], &i));
    if (i == MS_GROUND) continue;
    y[i] += r->inertia[d + 3 * j];
    if (iota) iota[i] = r->follow[d + 3 * j];
  }
  return MS_SUCCESS;
}

/* "n12.x" or "n12.ux" */
static int is_along(const char *name, int d) {
  const char *dot = strrchr(name, '.');
  if (!dot) return 0;
  if (dot[1] == 'u') dot++;
  return dot[1] == 'x' + d && dot[2] == '\0';
}

static ms_status take_named(const ms_study *s, int d, double *y, double *iota) {
  ptrdiff_t n = ms_structure_get_size(s->structure), found = 0;
  int beam;
  double *x;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *x, &x));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!is_along(ms_structure_get_name(s->structure, i), d)) continue;
    x[i] = 1.0;
    found++;
  }
  ms_status status = ms_study_add_beam_inertia(s, d, y, &beam);
  if (!beam) ms_structure_apply_mass(s->structure, 1.0, x, y);
  if (iota) memcpy(iota, x, (size_t)n * sizeof *x);
  ms_free(s->ctx, &x);
  MS_TRY(status);
  if (found > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_NAME,
                 "no degree of freedom has a name along %c, such as 'n12.%c'; a base must be true "
                 "or name the degrees of freedom that follow it",
                 'x' + d, 'x' + d);
}

ms_status ms_find_translation(const ms_study *s, int direction, double *y, double *iota) {
  if (!s->reduced) return take_named(s, direction, y, iota);
  if (s->reduced->inertia) return take_reduced(s, direction, y, iota);
  return ms_fail(s->ctx, MS_ERR_NAME,
                 "this reduced model has no base motion; reduce it again, or name the degrees of "
                 "freedom that follow the ground");
}

/* ---- what the file says ---- */

/* 0, 1, 2 for x, y, z unless a coordinate has that name; else -1. */
static int find_direction(const ms_study *s, struct fy_node *base) {
  static const char *const word[] = { "x", "y", "z" };
  ptrdiff_t i;
  for (int d = 0; ms_yaml_is_scalar(base) && d < 3; d++) {
    if (!ms_yaml_is_word(base, word[d])) continue;
    if (ms_structure_find(s->structure, word[d], &i) == MS_SUCCESS) return -1;
    ms_context_clear_message(s->ctx);
    return d;
  }
  return -1;
}

static ms_status read_direction(const ms_study *s, struct fy_node *base, int d,
                                ms_study_load *out) {
  ptrdiff_t n = ms_structure_get_size(s->structure);
  ms_status status = ms_find_translation(s, d, out->shape, out->iota);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, base, status);
  for (ptrdiff_t i = 0; i < n; i++) out->shape[i] = -out->shape[i];
  return MS_SUCCESS;
}

/* true: angles do not follow a ground that moves along a line. */
static ms_status check_all_follow(const ms_study *s, struct fy_node *base) {
  if (s->reduced) {
    return ms_yaml_fail(&s->yaml, base, MS_ERR_FORMAT,
                        "the ground of finite elements moves along x, y or z: base: z");
  }
  for (ptrdiff_t i = 0; i < ms_structure_get_size(s->structure); i++) {
    const char *name = ms_structure_get_name(s->structure, i);
    if (!ms_name_is_rotation(name)) continue;
    return ms_yaml_fail(
        &s->yaml, base, MS_ERR_FORMAT,
        "%.60s is an angle and does not follow the ground; give a direction, e.g. base: y", name);
  }
  return MS_SUCCESS;
}

ms_status ms_read_base(const ms_study *s, struct fy_node *base, ms_study_load *out) {
  ptrdiff_t n = ms_structure_get_size(s->structure);
  int d = find_direction(s, base);
  MS_TRY(ms_allocate(s->ctx, n, sizeof *out->iota, &out->iota));
  if (d >= 0) return read_direction(s, base, d, out);
  if (ms_yaml_is_scalar(base) && ms_yaml_is_word(base, "true")) {
    MS_TRY(check_all_follow(s, base));
    for (ptrdiff_t i = 0; i < n; i++) out->iota[i] = 1.0;
  } else {
    MS_TRY(ms_read_weights(s, base, "a direction", 1.0, 1.0 / s->units.length, out->iota));
  }
  ms_structure_apply_mass(s->structure, -1.0, out->iota, out->shape);
  return MS_SUCCESS;
}
