/* frf: the curves of the structure with other numbers in the file, load and sensor at the same
   places. */
#include <stdio.h>

#include "study/analyses/frf/frf.h"

ms_status ms_frf_read_variants(ms_study *s, struct fy_node *node, ms_frf_product *p) {
  MS_TRY(ms_variants_read(s, node, &p->variants));
  if (!p->variants.reduces || !p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "variants of a structure that is reduced anew are for a force (at): how it "
                      "follows the ground (base) is known of the file's own numbers only");
}

void ms_frf_free_variants(ms_context *ctx, ms_frf_product *p) {
  for (ptrdiff_t i = 0; p->varied && i < p->variants.n; i++) {
    ms_frf_free_curves(ctx, &p->varied[i].curve, p->varied[i].n_curve);
  }
  ms_free(ctx, &p->varied);
  ms_variants_free(ctx, &p->variants);
}

/* ---- the run ---- */

typedef struct varied_run {
  const ms_task *task;
  ms_frf_product *product;
} varied_run;

/* A product of its own lends what does not depend on the structure, and leaves its curves. */
static ms_status run_variant(ms_study *view, ptrdiff_t i, void *user) {
  const varied_run *r = user;
  const ms_frf_product *p = r->product;
  ms_frf_product own = { .kind = p->kind, .n_omega = p->n_omega, .omega = p->omega };
  ms_status status = ms_frf_read_curves(view, r->task, &own);
  if (status == MS_SUCCESS) status = ms_frf_run_curves(view, r->task, &own);
  p->varied[i] = (ms_frf_varied) { own.curve, own.n_curve };
  ms_free(view->ctx, &own.sensor);
  ms_load_free(view->ctx, &own.load);
  return status;
}

static ms_status add_rows(ms_study *s, const ms_frf_product *p, ptrdiff_t i,
                          ms_result_table *table) {
  for (ptrdiff_t c = 0; c < p->varied[i].n_curve; c++) {
    const ms_frf_curve *curve = &p->varied[i].curve[c];
    const char *word = curve->label;
    for (ptrdiff_t k = 0; k < p->n_omega; k++) {
      double row[1 + MS_VARIANT_PATHS + MS_FRF_NUMBERS] = { (double)(i + 1) };
      ms_frf_point(p, curve, k, row + 1 + ms_variants_row(&p->variants, i, row + 1));
      MS_TRY(ms_result_table_add_cells(s->ctx, table, row, &word));
    }
  }
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, const ms_task *task, const ms_frf_product *p) {
  char name[96], columns[MS_FRF_COLUMNS];
  ms_result_table *table;
  snprintf(name, sizeof name, "%.80s_variants", task->name);
  ms_frf_columns(s, p, columns);
  MS_TRY(ms_result_table_create(s, name, "variant", &table));
  MS_TRY(ms_variants_add_columns(s->ctx, &p->variants, table));
  MS_TRY(ms_result_table_add_columns(s->ctx, table, columns));
  for (ptrdiff_t i = 0; i < p->variants.n; i++) MS_TRY(add_rows(s, p, i, table));
  return MS_SUCCESS;
}

ms_status ms_frf_run_variants(ms_study *s, const ms_task *task, ms_frf_product *p) {
  varied_run run = { task, p };
  if (p->variants.n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, p->variants.n, sizeof *p->varied, &p->varied));
  MS_TRY(ms_variants_visit(s, task->name, &p->variants, run_variant, &run));
  return tabulate(s, task, p);
}
