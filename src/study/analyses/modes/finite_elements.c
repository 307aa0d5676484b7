/* modes of finite elements: how far the reduced model is from the full one, shapes on the mesh, and
   families of modes: which way sections across the longest side of the body move. */
#include <math.h>
#include <stdio.h>

#include <microslip/io.h>

#include "structure/impl.h"
#include "study/analyses/modes/modes.h"
#include "study/analyses/shared/answers.h"

/* ---- the full model ---- */

/* Of the higher frequency; 0 for two rigid-body modes. */
static double difference(double reduced, double full) {
  double larger = fmax(reduced, full);
  return larger > 0.0 ? (reduced - full) / larger : 0.0;
}

/* By all processes together; once where no joint can slip. */
static ms_status find_full(ms_study *s, const ms_task *task, ms_modes_product *p) {
  const ptrdiff_t full = ((const ms_modes_options *)task->options)->full;
  const ptrdiff_t most = ms_structure_get_size(s->structure), n = full < most ? full : most;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_context_agree(s->ctx, ms_progress(s->ctx, task->name, 0.1)));
  MS_TRY(ms_fe_find_full_modes(s->fe, 1, n, &p->stuck));
  p->slipped = p->stuck;
  if (!ms_attachments_slip(s->structure)) return MS_SUCCESS;
  p->slipped = (ms_fem_modes) { 0 };
  MS_TRY(ms_context_agree(s->ctx, ms_progress(s->ctx, task->name, 0.5)));
  return ms_fe_find_full_modes(s->fe, 0, n, &p->slipped);
}

/* ---- pictures ---- */

/* Shapes of the modes asked for, stuck and slipped; the slipped one is the pair. */
static ms_status write_vtu(const ms_fe *fe, const ms_task *task) {
  const ms_study *s = fe->study;
  const ms_modes_options *o = task->options;
  const ms_modes_product *p = task->product;
  const ms_modes modes[2] = { ms_structure_get_stuck(s->structure),
                              ms_structure_get_slipped(s->structure) };
  const ms_fem_body body = ms_fe_body(fe);
  ms_fem_motion *motion;
  char file[160], *path = NULL;
  MS_TRY(ms_allocate(s->ctx, 2 * o->vtu.n, sizeof *motion, &motion));
  for (ptrdiff_t i = 0; i < 2 * o->vtu.n; i++) {
    const ptrdiff_t r = (ptrdiff_t)o->vtu.value[i / 2] - 1, k = i % 2 ? p->pairs.slipped[r] : r;
    snprintf(motion[i].name, sizeof motion[i].name, "%s %td", i % 2 ? "slipped" : "stuck", r + 1);
    motion[i].u = modes[i % 2].shape + modes[i % 2].n * k;
  }
  snprintf(file, sizeof file, "%.80s%s%.60s.vtu", task->name, fe->name ? "_" : "",
           fe->name ? fe->name : "");
  ms_status status = ms_folder_path(s->ctx, s->folder, file, &path);
  if (status == MS_SUCCESS)
    status = fe->f->fem_write_motions(s->structure, &body, 2 * o->vtu.n, motion, path);
  ms_free(s->ctx, &path);
  ms_free(s->ctx, &motion);
  return status;
}

/* ---- families ---- */

static ms_status find_shape(void *study, ptrdiff_t mode, double *field) {
  const ms_study *s = study;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_fem_body body = ms_fe_body(s->fe);
  return s->fe->f->fem_recover(s->structure, &body, stuck.shape + stuck.n * mode, field);
}

/* The sections of a body are those of one mesh: sub-structures have no families. */
static ms_status find_families(ms_study *s, ms_modes_product *p) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  if (s->fe->name) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, stuck.n, sizeof *p->family, &p->family));
  MS_TRY(ms_allocate(s->ctx, stuck.n, sizeof *p->family_name, &p->family_name));
  for (ptrdiff_t r = 0; r < stuck.n; r++) p->family_name[r] = p->family[r].text;
  return s->fe->f->mesh_find_families(s->fe->mesh, stuck.n, stuck.omega, find_shape, s, p->family);
}

/* ---- the analysis ---- */

ms_status ms_modes_run_fe(ms_study *s, const ms_task *task) {
  const ms_modes_options *o = task->options;
  ms_modes_product *p = task->product;
  MS_TRY(find_families(s, p));
  MS_TRY(find_full(s, task, p));
  for (const ms_fe *fe = s->fe; fe && o->vtu.n > 0; fe = fe->next) MS_TRY(write_vtu(fe, task));
  return MS_SUCCESS;
}

ms_status ms_modes_help_fe(ms_study *s, const ms_task *task) {
  ms_modes_product p = { 0 };
  ms_status status = find_full(s, task, &p);
  ms_modes_free_full(s, &p);
  return status;
}

void ms_modes_free_full(ms_study *s, ms_modes_product *p) {
  if (!s->fe) return;
  if (p->slipped.omega != p->stuck.omega) s->fe->f->fem_modes_free(s->ctx, &p->slipped);
  s->fe->f->fem_modes_free(s->ctx, &p->stuck);
}

/* ---- result ---- */

static void add_families(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  char columns[160];
  if (!p->family) return;
  int x = p->family[0].motion.axis, y = (x + 1) % 3, z = (x + 2) % 3;
  if (y > z) { /* in the order of their letters */
    y = z;
    z = (x + 1) % 3;
  }
  snprintf(columns, sizeof columns,
           "mode,family:word,number,f_0 [Hz],axial,bending_%c,bending_%c,torsion,section", "xyz"[y],
           "xyz"[z]);
  ms_result_table *table = ms_result_new_table(task->result, "_families", columns);
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    const ms_mode_family *f = &p->family[r];
    const ms_motion *v = &f->motion;
    ms_result_put_row(table, (double)(r + 1), f->name, (double)f->number,
                      stuck.omega[r] / MS_TWO_PI, v->along[x], v->along[y], v->along[z], v->torsion,
                      v->section);
  }
  ms_result_list_rows(task->result, "families", table, "mode,family,number,f_0");
  ms_result_say(task->result,
                "Families of the stuck modes, by the shares of the kinetic energy in which "
                "sections across the longest side move along it (axial), across it (bending), turn "
                "about it (torsion) or are deformed (section).");
  ms_modes_fold(s, table);
  ms_result_show_table(task->result, table, "Families of the modes");
}

static void set_full(const ms_modes_product *p, ms_result *r) {
  const ms_fem_modes *a = &p->stuck, *b = &p->slipped;
  ms_result_begin(r, "full");
  ms_result_set_integer(r, "unknowns", a->n_unknown);
  ms_result_set_numbers(r, "omega_0", "rad/s", a->omega, a->n);
  ms_result_set_numbers(r, "omega_inf", "rad/s", b->omega, b->n);
  ms_result_set_numbers(r, "residual_0", NULL, a->residual, a->n);
  ms_result_set_numbers(r, "residual_inf", NULL, b->residual, b->n);
  ms_result_set_values(r, "solver_0:word,solver_inf:word", a->line, b->line);
  ms_result_end(r);
}

ms_status ms_modes_result_fe(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  ms_result_fail_page(task->result, ms_modes_show_shapes(s, p, ms_result_get_page(task->result)));
  ms_result_feature_figure(task->result, MS_HEAD_MODES);
  add_families(s, task);
  if (p->stuck.n == 0) return MS_SUCCESS;
  ms_result_table *full =
      ms_result_new_table(task->result, "_full",
                          "mode,omega_0 full [rad/s],omega_0 [rad/s],difference_0,residual_0,"
                          "omega_inf full [rad/s],omega_inf [rad/s],difference_inf,residual_inf");
  for (ptrdiff_t r = 0; r < p->stuck.n; r++) {
    ms_result_put_row(full, (double)(r + 1), p->stuck.omega[r], stuck.omega[r],
                      difference(stuck.omega[r], p->stuck.omega[r]), p->stuck.residual[r],
                      p->slipped.omega[r], slipped.omega[r],
                      difference(slipped.omega[r], p->slipped.omega[r]), p->slipped.residual[r]);
  }
  set_full(p, task->result);
  ms_result_say(task->result,
                "The modes of the full model of finite elements with the same joints show the "
                "error of the reduction. Residuals bound the relative error of omega^2. Stuck: %s. "
                "Slipped: %s.",
                p->stuck.line, p->slipped.line);
  ms_modes_fold(s, full);
  ms_result_show_table(task->result, full, "Modes of the full and of the reduced model");
  return MS_SUCCESS;
}
