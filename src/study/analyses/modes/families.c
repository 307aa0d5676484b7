/* Families of modes of finite elements by their shapes: which way sections across the longest side
   of the body move. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/modes/modes.h"

#define TWO_PI 6.283185307179586
#define MAIN   0.5 /* a share of the kinetic energy from which on a mode is called after it */
enum { BATCH = 16 };

/* ---- names ---- */

/* "bending z", with the letters of the axes; "bending" where both planes share it. */
static const char *name_family(const ms_motion *v) {
  static const char *const bending[3] = { "bending x", "bending y", "bending z" };
  int y = (v->axis + 1) % 3, z = (v->axis + 2) % 3;
  if (v->along[v->axis] > MAIN) return "axial";
  if (v->torsion > MAIN) return "torsion";
  if (v->section > MAIN) return "section";
  if (v->along[y] > MAIN) return bending[y];
  if (v->along[z] > MAIN) return bending[z];
  return v->along[y] + v->along[z] > MAIN ? "bending" : "mixed";
}

/* How many modes of the family there are up to and with this one. */
static ptrdiff_t number_family(const ms_mode_family *family, ptrdiff_t r) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i <= r; i++) n += strcmp(family[i].name, family[r].name) == 0;
  return n;
}

/* ---- shares ---- */

static ms_status divide_batch(const ms_study *s, const ms_modes *stuck, ptrdiff_t first,
                              ptrdiff_t n, double *field, ms_mode_family *family) {
  ptrdiff_t rows = 3 * s->fe->f->mesh_count_nodes(s->fe->mesh);
  ms_motion motion[BATCH];
  for (ptrdiff_t k = 0; k < n; k++) {
    MS_TRY(ms_fe_recover(s->fe, stuck->shape + stuck->n * (first + k), field + rows * k));
  }
  MS_TRY(s->fe->f->mesh_divide_motions(s->fe->mesh, n, field, motion));
  for (ptrdiff_t k = 0; k < n; k++) {
    ms_mode_family *f = &family[first + k];
    f->motion = motion[k];
    f->name = stuck->omega[first + k] > 0.0 ? name_family(&motion[k]) : "rigid";
    f->number = number_family(family, first + k);
  }
  return MS_SUCCESS;
}

static ms_status divide_all(const ms_study *s, const ms_modes *stuck, ms_mode_family *family) {
  double *field;
  ptrdiff_t rows = 3 * s->fe->f->mesh_count_nodes(s->fe->mesh);
  MS_TRY(ms_allocate(s->ctx, rows * BATCH, sizeof *field, &field));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t r = 0; r < stuck->n && status == MS_SUCCESS; r += BATCH) {
    ptrdiff_t n = stuck->n - r < BATCH ? stuck->n - r : BATCH;
    status = divide_batch(s, stuck, r, n, field, family);
  }
  ms_free(s->ctx, &field);
  return status;
}

/* The sections of a body are those of one mesh: sub-structures have no families. */
ms_status ms_modes_find_families(ms_study *s, ms_modes_product *p) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  if (s->fe->name) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, stuck.n, sizeof *p->family, &p->family));
  return divide_all(s, &stuck, p->family);
}

/* ---- result ---- */

ms_status ms_modes_result_families(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  ms_result_table *table;
  char columns[160];
  if (!p->family) return MS_SUCCESS;
  int x = p->family[0].motion.axis, y = (x + 1) % 3, z = (x + 2) % 3;
  if (y > z) { /* in the order of their letters */
    y = z;
    z = (x + 1) % 3;
  }
  snprintf(columns, sizeof columns,
           "mode,family:word,number,f_0 [Hz],axial,bending_%c,bending_%c,torsion,section", "xyz"[y],
           "xyz"[z]);
  MS_TRY(ms_task_add_table(s, task, "_families", columns, &table));
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    const ms_mode_family *f = &p->family[r];
    const ms_motion *v = &f->motion;
    MS_TRY(ms_result_table_add_row(s->ctx, table, (double)(r + 1), f->name, (double)f->number,
                                   stuck.omega[r] / TWO_PI, v->along[x], v->along[y], v->along[z],
                                   v->torsion, v->section));
  }
  ms_result_list_rows(task->result, "families", table, "mode,family,number,f_0");
  ms_result_say(task->result,
                "Families of the stuck modes, by the shares of the kinetic energy in which "
                "sections across the longest side move along it (axial), across it (bending), turn "
                "about it (torsion) or are deformed (section).");
  ms_result_show_table(task->result, table, "Families of the modes");
  return MS_SUCCESS;
}
