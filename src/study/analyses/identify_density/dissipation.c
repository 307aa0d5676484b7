/* Losses against amplitude for identify_density: from a table, or from an earlier analysis. */
#include <string.h>

#include "identify/density/losses_file.h"
#include "study/analyses/identify_density/identify_density.h"

/* As the joint has them, or the study. */
ms_units ms_losses_units(const ms_study *s, const ms_density_options *o) {
  return o->joint < 0 ? s->units : ms_study_joint_units(s, o->joint);
}

static ms_status take(const ms_study *s, const ms_density_options *o, struct fy_node *node,
                      const ms_loss_samples *x, int has_deviation, ms_losses *losses) {
  const double length = ms_losses_units(s, o).length;
  const double window[2] = { isnan(o->window[0]) ? 0.0 : length * o->window[0],
                             isnan(o->window[1]) ? HUGE_VAL : length * o->window[1] };
  ms_status status = ms_losses_create(s->ctx, x->n, x->A, x->D, has_deviation ? x->deviation : NULL,
                                      window, losses);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

/* ---- a file ---- */

ms_status ms_losses_read(const ms_study *s, const ms_task *task, ms_losses *losses) {
  const ms_density_options *o = task->options;
  struct fy_node *file = ms_yaml_get(task->node, "file");
  const ms_units units = ms_losses_units(s, o);
  const ms_losses_file of = { .file = o->file,
                              .columns = o->columns,
                              .column = { o->amplitude, o->loss, o->deviation },
                              .same_noise = o->noise > 0.0,
                              .joint = o->joint < 0
                                           ? NULL
                                           : ms_structure_get_joint_name(s->structure, o->joint),
                              .units = &units };
  ms_loss_samples x = { 0 };
  int has_deviation;
  ms_status status = ms_losses_read_file(&s->yaml, file, &of, &x, &has_deviation);
  if (!status) status = take(s, o, file, &x, has_deviation, losses);
  ms_free(s->ctx, &x.A);
  MS_TRY(status);
  if (losses->n >= 6) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS,
                      "%td losses; a density needs six (%td without a loss or outside the window)",
                      losses->n, losses->left_out);
}

/* ---- an earlier analysis ---- */

int ms_losses_need_joint(const ms_task *from) {
  return strcmp(from->kind->name, "stepped_sine") == 0 ||
         strcmp(from->kind->name, "frequency_response") == 0;
}

/* The joint's own rows: of its first axis, where the loss stands, and of one mode. */
static int is_chosen(const ms_study *s, const ms_density_options *o, const ms_result_table *table,
                     ptrdiff_t i) {
  const double *axis = ms_result_table_find_numbers(table, "axis"),
               *mode = ms_result_table_find_numbers(table, "mode");
  const int joint = ms_result_table_find_column(table, "joint");
  if (joint < 0) return 1;
  const char *name = ms_structure_get_joint_name(s->structure, o->joint);
  return strcmp(ms_result_table_word(table, joint, i), name) == 0 && axis[i] == 1.0 &&
         (!mode || mode[i] == (o->mode > 0 ? (double)o->mode : mode[0]));
}

/* Resonance is where the joint moves most: of a level, which may have several rows, the one with
   the largest amplitude. Deviations count where all losses have one. */
ms_status ms_losses_gather(const ms_study *s, const ms_task *task, ms_losses *losses) {
  const ms_density_options *o = task->options;
  const ms_result_table *table =
      ms_result_find_table(o->from->result, ms_losses_need_joint(o->from) ? "_joints" : "");
  struct fy_node *node = ms_yaml_get(task->node, "from");
  ms_loss_samples x = { 0 };
  if (!table) return ms_yaml_fail(&s->yaml, node, MS_ERR_STATE, "%s has no losses", o->from->name);
  const double *A = ms_result_table_find_numbers(table, "amplitude"),
               *D = ms_result_table_find_numbers(table, "loss");
  const double *deviation = ms_result_table_find_numbers(table, "loss_deviation"),
               *level = ms_result_table_find_numbers(table, "level");
  MS_TRY(ms_losses_reserve(s->ctx, ms_result_table_rows(table) + 1, &x));
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (is_chosen(s, o, table, i))
      ms_losses_add(&x, level ? level[i] : (double)NAN, A[i], D[i], deviation ? deviation[i] : 0);
  }
  const int known = deviation && !(o->noise > 0.0) && ms_losses_know_deviations(&x);
  ms_status status = take(s, o, node, &x, known, losses);
  ms_free(s->ctx, &x.A);
  return status;
}
