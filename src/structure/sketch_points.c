/* Points by name: which degrees of freedom move them. */
#include <microslip/sketch.h>

#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

/* The name of the degree of freedom of a point along an axis, P.x or P.ux, of node 12 n12.x too,
   and where it is; MS_GROUND for none. Those that became one with others have their names, too. */
static ptrdiff_t find_dof(const ms_structure *s, const char *point, char axis, char name[256]) {
  static const char *const before[] = { "", "u" };
  ptrdiff_t dof;
  const int number = *point != '\0' && strspn(point, "0123456789") == strlen(point);
  for (int k = 0; k < (number ? 4 : 2); k++) {
    snprintf(name, 256, "%s%.200s.%s%c", k < 2 ? "" : "n", point, before[k % 2], axis);
    if (ms_structure_find(s, name, &dof) == MS_SUCCESS) return dof;
    ms_context_clear_message(s->ctx);
  }
  return MS_GROUND;
}

/* Whether the point is the degree of freedom `name`, of its own name, of point `of`. */
static int is_motion_of(const ms_structure *s, const char *name, const char *of) {
  const size_t n = strlen(of);
  char other[256];
  if (strncmp(name, of, n) != 0 || name[n] != '.') return 0;
  for (int d = 0; d < 3; d++) {
    if (find_dof(s, of, "xyz"[d], other) != MS_GROUND && strcmp(other, name) == 0) return 1;
  }
  return 0;
}

static ms_status check_names(const ms_structure *s, ptrdiff_t i, ptrdiff_t n,
                             const ms_sketch_point *point) {
  for (ptrdiff_t k = 0; k < n; k++) {
    if (k < i && strcmp(point[k].name, point[i].name) == 0)
      return ms_fail(s->ctx, MS_ERR_NAME, "the point '%.60s' is there twice", point[i].name);
    if (k == i || !is_motion_of(s, point[i].name, point[k].name)) continue;
    return ms_fail(s->ctx, MS_ERR_NAME,
                   "the point '%.60s' has the name of a degree of freedom of point '%.60s', whose "
                   "motion would be drawn twice: leave one of them out",
                   point[i].name, point[k].name);
  }
  return MS_SUCCESS;
}

ms_status ms_sketch_find_points(const ms_structure *s, ptrdiff_t n, ms_sketch_point *point,
                                ptrdiff_t *wrong) {
  int moves = 0;
  for (*wrong = 0; *wrong < n; ++*wrong) {
    ms_sketch_point *p = &point[*wrong];
    char name[256];
    MS_TRY(check_names(s, *wrong, n, point));
    for (int d = 0; d < 3; d++) p->dof[d] = find_dof(s, p->name, "xyz"[d], name);
    if (p->dof[2] == MS_GROUND && ms_structure_find(s, p->name, &p->dof[2]) != MS_SUCCESS) {
      ms_context_clear_message(s->ctx);
      p->dof[2] = MS_GROUND;
    }
    for (int d = 0; d < 3; d++) moves |= p->dof[d] != MS_GROUND;
  }
  *wrong = -1;
  if (moves) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_NAME,
                 "no point has a degree of freedom: that of point P along x is P.x or P.ux, one of "
                 "its own name is drawn along z; the first degree of freedom is '%.60s'",
                 ms_structure_get_name(s, 0));
}

ptrdiff_t ms_sketch_print_still(ptrdiff_t n, const ms_sketch_point *point, char *text,
                                size_t size) {
  ptrdiff_t still = 0;
  size_t at = 0;
  int full = 0;
  *text = '\0';
  for (const ms_sketch_point *p = point; p < point + n; p++) {
    if (p->dof[0] != MS_GROUND || p->dof[1] != MS_GROUND || p->dof[2] != MS_GROUND) continue;
    const char *before = still++ > 0 ? ", " : "";
    if (full) continue;
    full = at + strlen(p->name) + 8 > size;
    at += (size_t)snprintf(text + at, size - at, "%s%s", before, full ? "..." : p->name);
  }
  return still;
}
