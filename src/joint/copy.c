/* A joint with the laws and parameters of another one. */
#include "core/internal.h"
#include "joint/impl.h"

static ms_status copy_law(ms_context *ctx, const ms_joint *from, ms_joint **out) {
  MS_TRY(ms_joint_create(ctx, from->law->info.name, out));
  for (int i = 0; i < from->law->info.n_param; i++) {
    const ms_param *p = &from->law->info.param[i];
    if (!from->given[i]) continue;
    if (p->kind == MS_PARAM_TABLE) {
      const ms_joint_table *t = &from->table[i];
      const double *column[MS_JOINT_MAX_COLUMN];
      for (int c = 0; c < t->columns; c++) column[c] = t->column[c];
      MS_TRY(ms_joint_set_table(*out, p->name, t->rows, t->columns, column));
    } else {
      MS_TRY(ms_joint_set(*out, p->name, from->value[i]));
    }
  }
  return MS_SUCCESS;
}

static ms_status copy_loaded(ms_context *ctx, const ms_joint *from, ms_joint **out) {
  ms_joint_normal normal;
  ms_joint *law = NULL;
  MS_TRY(ms_joint_get_normal(from, &normal));
  MS_TRY(ms_joint_copy(ctx, ms_joint_get_loaded_law(from), &law));
  ms_status status = ms_joint_create_loaded(ctx, &law, &normal, out);
  ms_joint_destroy(&law);
  return status;
}

static ms_status copy_members(ms_context *ctx, const ms_joint *from, ms_joint **out) {
  MS_TRY(ms_joint_create_parallel(ctx, from->law->info.n_axis, out));
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < ms_joint_count_members(from) && status == MS_SUCCESS; i++) {
    const int *axis;
    ms_joint *member = NULL;
    status = ms_joint_copy(ctx, ms_parallel_member(from, i, &axis), &member);
    if (status == MS_SUCCESS) status = ms_joint_take_member(*out, &member, axis);
    ms_joint_destroy(&member);
  }
  return status;
}

ms_status ms_joint_copy(ms_context *ctx, const ms_joint *from, ms_joint **out) {
  MS_MAKE(ctx, out, from);
  ms_status status = ms_joint_count_members(from) > 0 ? copy_members(ctx, from, out)
                     : ms_joint_get_loaded_law(from)  ? copy_loaded(ctx, from, out)
                                                      : copy_law(ctx, from, out);
  if (status == MS_SUCCESS) status = ms_joint_setup(*out);
  if (status != MS_SUCCESS) ms_joint_destroy(out);
  return status;
}
