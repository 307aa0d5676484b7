/* A ground that moves: base: x, true, [u1, u2] or {u1: 1}. In coordinates relative to the ground
   its acceleration is the force -M iota on them, iota what they are while everything moves with it.

   Finite elements are asked for M iota by direction: a reduced model keeps it whole, with the part
   of the mass that lies between what moves and what is fixed, and with what modes have of it; so is
   a beam. Where coordinates have names with directions, as matrices with labels do, iota follows
   from the names.
 */
#include <string.h>

#include "study/model/loads.h"

ms_status ms_find_translation(const ms_study *s, int direction, double *y, double *iota) {
  int beam = 0;
  double *x;
  if (s->reduced) return ms_reduced_add_inertia(s->reduced, s->structure, direction, y, iota);
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  MS_TRY(ms_allocate(s->ctx, n, sizeof *x, &x));
  ms_status status = ms_structure_fill_translation(s->structure, direction, x);
  if (status == MS_SUCCESS) status = ms_study_add_beam_inertia(s, direction, y, &beam);
  if (status == MS_SUCCESS && !beam) ms_structure_apply_mass(s->structure, 1.0, x, y);
  if (iota) memcpy(iota, x, (size_t)n * sizeof *x);
  ms_free(s->ctx, &x);
  return status;
}

/* ---- what the file says ---- */

/* 0, 1, 2 for x, y, z unless a coordinate has that name; else -1. */
static int find_direction(const ms_study *s, struct fy_node *base) {
  static const char *const word[] = { "x", "y", "z" };
  ptrdiff_t i;
  for (int d = 0; d < 3; d++) {
    if (!ms_yaml_is_word(base, word[d])) continue;
    if (ms_structure_find(s->structure, word[d], &i) == MS_SUCCESS) return -1;
    ms_context_clear_message(s->ctx);
    return d;
  }
  return -1;
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
  if (d >= 0) {
    MS_TRY(ms_yaml_fail_here(&s->yaml, base, ms_find_translation(s, d, out->shape, out->iota)));
    if (s->reduced && !ms_reduced_feels_ground(s->reduced, d)) {
      return ms_yaml_fail(
          &s->yaml, base, MS_ERR_ARGUMENT,
          "a ground that moves along %c loads nothing: all that could follow is held "
          "(a sector of a body of revolution moves along its axis alone)",
          'x' + d);
    }
    for (ptrdiff_t i = 0; i < n; i++) out->shape[i] = -out->shape[i];
    return MS_SUCCESS;
  }
  if (ms_yaml_is_word(base, "true")) {
    MS_TRY(check_all_follow(s, base));
    for (ptrdiff_t i = 0; i < n; i++) out->iota[i] = 1.0;
  } else {
    MS_TRY(ms_read_weights(s, base, "a direction", 1.0, 1.0 / s->units.length, out->iota));
  }
  ms_structure_apply_mass(s->structure, -1.0, out->iota, out->shape);
  return MS_SUCCESS;
}
