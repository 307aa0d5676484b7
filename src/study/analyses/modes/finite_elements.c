/* modes of finite elements: how far the reduced model is from the full one, and shapes on the mesh.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "structure/impl.h"
#include "study/analyses/modes/modes.h"

/* ---- the full model ---- */

/* Of the higher frequency; 0 for two rigid-body modes. */
static double difference(double reduced, double full) {
  double larger = fmax(reduced, full);
  return larger > 0.0 ? (reduced - full) / larger : 0.0;
}

/* How many of them, at most as many as the reduced model has. */
static ptrdiff_t count_full(const ms_study *s, const ms_modes_product *p) {
  const ptrdiff_t most = ms_structure_get_size(s->structure);
  return p->n_full < most ? p->n_full : most;
}

/* By all processes together; once where no joint can slip. */
static ms_status find_full(ms_study *s, const ms_task *task, ms_modes_product *p, ptrdiff_t n) {
  MS_TRY(ms_context_agree(s->ctx, ms_progress(s->ctx, task->name, 0.1)));
  MS_TRY(ms_fe_find_full_modes(s->fe, 1, n, &p->stuck));
  if (!ms_seats_slip(s->structure)) return ms_fe_copy_modes(s->ctx, &p->stuck, &p->slipped);
  MS_TRY(ms_context_agree(s->ctx, ms_progress(s->ctx, task->name, 0.5)));
  return ms_fe_find_full_modes(s->fe, 0, n, &p->slipped);
}

/* ---- pictures ---- */

/* Shapes of the modes asked for, stuck and slipped, 3 x nodes each; the slipped one is the pair. */
typedef struct shapes {
  const ms_mode_pairs *pairs;
  ptrdiff_t n;
  char (*name)[32];
  double *values;
  ms_mesh_field *field;
} shapes;

static ms_status fill_shapes(const ms_fe *fe, const double *mode, shapes *h) {
  const ms_study *s = fe->study;
  ms_modes modes[2] = { ms_structure_get_stuck(s->structure),
                        ms_structure_get_slipped(s->structure) };
  ptrdiff_t rows = 3 * fe->f->mesh_count_nodes(fe->mesh);
  for (ptrdiff_t i = 0; i < h->n; i++) {
    ptrdiff_t r = (ptrdiff_t)mode[i / 2] - 1;
    const ms_modes *m = &modes[i % 2];
    ptrdiff_t k = i % 2 ? h->pairs->slipped[r] : r;
    MS_TRY(ms_fe_recover(fe, m->shape + m->n * k, h->values + rows * i));
    snprintf(h->name[i], sizeof h->name[i], "%s %td", i % 2 ? "slipped" : "stuck", r + 1);
    h->field[i] = (ms_mesh_field) { h->name[i], 3, h->values + rows * i };
  }
  return MS_SUCCESS;
}

static ms_status print_vtu(const ms_fe *fe, const ms_task *task, const shapes *h) {
  const ms_study *s = fe->study;
  char file[160], *path;
  ms_outfile *out;
  snprintf(file, sizeof file, "%.80s%s%.60s.vtu", task->name, fe->name ? "_" : "",
           fe->name ? fe->name : "");
  MS_TRY(ms_folder_path(s->ctx, s->folder, file, &path));
  ms_status status = ms_outfile_open(s->ctx, path, &out);
  ms_free(s->ctx, &path);
  MS_TRY(status);
  status = fe->f->mesh_print_vtu(fe->mesh, (int)h->n, h->field, ms_outfile_stream(out));
  if (status == MS_SUCCESS) return ms_outfile_commit(&out);
  ms_outfile_discard(&out);
  return status;
}

static ms_status write_vtu(const ms_fe *fe, const ms_task *task, const ms_modes_product *p) {
  const ms_study *s = fe->study;
  const ptrdiff_t rows = 3 * fe->f->mesh_count_nodes(fe->mesh);
  shapes h = { .pairs = &p->pairs, .n = 2 * p->vtu.n };
  ms_status status = ms_allocate(s->ctx, h.n, sizeof *h.name, &h.name);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, h.n, sizeof *h.field, &h.field);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, h.n * rows, sizeof(double), &h.values);
  if (status == MS_SUCCESS) status = fill_shapes(fe, p->vtu.value, &h);
  if (status == MS_SUCCESS) status = print_vtu(fe, task, &h);
  ms_free(s->ctx, &h.name);
  ms_free(s->ctx, &h.field);
  ms_free(s->ctx, &h.values);
  return status;
}

/* ---- the analysis ---- */

ms_status ms_modes_run_fe(ms_study *s, const ms_task *task, ms_modes_product *p) {
  const ptrdiff_t n = count_full(s, p);
  MS_TRY(ms_modes_find_families(s, p));
  if (n > 0) MS_TRY(find_full(s, task, p, n));
  for (const ms_fe *fe = s->fe; fe && p->vtu.n > 0; fe = fe->next) {
    MS_TRY(write_vtu(fe, task, p));
  }
  return MS_SUCCESS;
}

ms_status ms_modes_help_fe(ms_study *s, ms_task *task) {
  ms_modes_product p = { 0 };
  const ptrdiff_t n = count_full(s, task->product);
  ms_status status = n > 0 ? find_full(s, task, &p, n) : MS_SUCCESS;
  ms_fe_modes_free(s->ctx, &p.stuck);
  ms_fe_modes_free(s->ctx, &p.slipped);
  return status;
}

/* ---- result ---- */

static void set_full(const ms_modes_product *p, ms_result *r) {
  const ms_fe_modes *a = &p->stuck, *b = &p->slipped;
  ms_result_begin(r, "full");
  ms_result_set_integer(r, "unknowns", a->n_unknown);
  ms_result_set_numbers(r, "omega_0", "rad/s", a->omega, a->n);
  ms_result_set_numbers(r, "omega_inf", "rad/s", b->omega, b->n);
  ms_result_set_numbers(r, "residual_0", NULL, a->residual, a->n);
  ms_result_set_numbers(r, "residual_inf", NULL, b->residual, b->n);
  ms_result_set_text(r, "solver_0", a->line);
  ms_result_set_text(r, "solver_inf", b->line);
  ms_result_end(r);
}

ms_status ms_modes_result_fe(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  ms_result_table *full;
  ms_result_fail_page(task->result, ms_modes_show_shapes(s, p, ms_result_get_page(task->result)));
  MS_TRY(ms_modes_result_families(s, task));
  if (p->stuck.n == 0) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_full",
                           "mode,omega_0 full [rad/s],omega_0 [rad/s],difference_0,residual_0,"
                           "omega_inf full [rad/s],omega_inf [rad/s],difference_inf,residual_inf",
                           &full));
  for (ptrdiff_t r = 0; r < p->stuck.n; r++) {
    MS_TRY(ms_result_table_add_row(s->ctx, full, (double)(r + 1), p->stuck.omega[r], stuck.omega[r],
                                   difference(stuck.omega[r], p->stuck.omega[r]),
                                   p->stuck.residual[r], p->slipped.omega[r], slipped.omega[r],
                                   difference(slipped.omega[r], p->slipped.omega[r]),
                                   p->slipped.residual[r]));
  }
  set_full(p, task->result);
  ms_result_say(task->result,
                "Beside them, the modes of the full model of finite elements with the same joints: "
                "how much the reduction costs. Residuals bound the relative error of omega^2. "
                "Stuck: %s. Slipped: %s.",
                p->stuck.line, p->slipped.line);
  ms_result_show_table(task->result, full, "The full model and the reduced one");
  return MS_SUCCESS;
}
