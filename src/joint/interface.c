/* The joint: parameters in, steps out. Everything a law need not say itself is done here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"
#include "joint/custom.h"

#define MAX_AXIS_ZERO \
  { 0.0, 0.0, 0.0 }

typedef struct owner {
  char text[64];
} owner;

/* "law iwan4", for messages. */
static owner owner_of(const ms_joint *j) {
  owner who;
  snprintf(who.text, sizeof who.text, "law %s", j->law->info.name);
  return who;
}

/* ---- life ---- */

static ms_status allocate_parts(ms_joint *j) {
  int n = j->law->info.n_param;
  MS_TRY(ms_allocate(j->ctx, n, sizeof *j->value, &j->value));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *j->given, &j->given));
  if (j->law->setup_table) MS_TRY(ms_allocate(j->ctx, n, sizeof *j->table, &j->table));
  int own = j->law->setup || j->law->setup_table || j->law->custom;
  size_t model = own ? j->law->model_size : (size_t)n * sizeof *j->value;
  MS_TRY(ms_allocate(j->ctx, (ptrdiff_t)model, 1, &j->model));
  return ms_allocate(j->ctx, (ptrdiff_t)j->law->state_size, 1, &j->state);
}

ms_status ms_joint_create(ms_context *ctx, const char *law, ms_joint **out) {
  MS_MAKE(ctx, out, law);
  const ms_law_info *info;
  MS_TRY(ms_joint_find_law(ctx, law, &info));
  ms_joint *j;
  MS_TRY(ms_allocate(ctx, 1, sizeof *j, &j));
  j->ctx = ctx;
  j->law = (const ms_law *)(const void *)info; /* the info is the table's first member */
  ms_status status = allocate_parts(j);
  if (status != MS_SUCCESS) {
    ms_joint_destroy(&j);
    return status;
  }
  for (int i = 0; i < info->n_param; i++) {
    if (!info->param[i].required) j->value[i] = info->param[i].typical;
  }
  *out = j;
  return MS_SUCCESS;
}

static void close_state(ms_joint *j) {
  if (j->ready && j->law->close) j->law->close(j->ctx, j->model, j->state);
  j->ready = 0;
}

void ms_joint_destroy(ms_joint **joint) {
  if (!joint || !*joint) return;
  ms_joint *j = *joint;
  close_state(j);
  if (j->law->destroy && j->model) j->law->destroy(j->ctx, j->model);
  for (int i = 0; j->table && i < j->law->info.n_param; i++) {
    ms_free(j->ctx, &j->table[i].column[0]);
  }
  ms_free(j->ctx, &j->table);
  ms_free(j->ctx, &j->state);
  ms_free(j->ctx, &j->model);
  ms_free(j->ctx, &j->given);
  ms_free(j->ctx, &j->value);
  ms_free(j->ctx, joint);
}

const ms_law_info *ms_joint_info(const ms_joint *joint) {
  return &joint->law->info;
}

/* ---- parameters ---- */

ms_status ms_joint_find_param(const ms_joint *j, const char *name, int *index) {
  const ms_law_info *info = &j->law->info;
  char hint[96];
  *index = ms_param_find(info->param, info->n_param, name);
  if (*index >= 0) return MS_SUCCESS;
  snprintf(hint, sizeof hint, "'microslip laws %s' lists them", info->name);
  return ms_param_fail_name(j->ctx, owner_of(j).text, info->param, info->n_param, name, hint);
}

static ms_status fail_not_number(const ms_joint *j, const ms_param *p) {
  char columns[128];
  ms_param_describe_columns(p->table, columns, sizeof columns);
  return ms_fail(j->ctx, MS_ERR_BOUNDS,
                 "law %s: %s is a table with columns %s, not a number or a word; give it with "
                 "ms_joint_set_table",
                 j->law->info.name, p->name, columns);
}

ms_status ms_joint_set(ms_joint *j, const char *param, double value) {
  int i = 0;
  MS_TRY(ms_joint_find_param(j, param, &i));
  const ms_param *p = &j->law->info.param[i];
  if (p->kind == MS_PARAM_TABLE) return fail_not_number(j, p);
  MS_TRY(ms_param_check(j->ctx, owner_of(j).text, p, value));
  j->value[i] = value;
  j->given[i] = 1;
  return MS_SUCCESS;
}

ms_status ms_joint_set_text(ms_joint *j, const char *param, const char *text) {
  int i = 0;
  double value;
  MS_TRY(ms_joint_find_param(j, param, &i));
  const ms_param *p = &j->law->info.param[i];
  if (p->kind == MS_PARAM_TABLE) return fail_not_number(j, p);
  MS_TRY(ms_param_read(j->ctx, owner_of(j).text, p, text, &value));
  return ms_joint_set(j, param, value);
}

ms_status ms_joint_set_table(ms_joint *j, const char *param, ptrdiff_t rows, int columns,
                             const double *const *column) {
  int i = 0;
  MS_TRY(ms_joint_find_param(j, param, &i));
  const ms_param *p = &j->law->info.param[i];
  if (p->kind != MS_PARAM_TABLE) {
    return ms_fail(j->ctx, MS_ERR_ARGUMENT, "law %s: %s is not a table; give it with ms_joint_set",
                   j->law->info.name, p->name);
  }
  ms_status status = ms_param_check_table(j->ctx, p->name, p->table, rows, columns, column);
  if (status == MS_SUCCESS && j->law->check_table) {
    status = j->law->check_table(j->ctx, i, rows, columns, column);
    if (status != MS_SUCCESS) status = ms_fail_at(j->ctx, status, "%s", p->name);
  }
  if (status != MS_SUCCESS) return ms_fail_at(j->ctx, status, "law %s", j->law->info.name);
  ms_joint_table fresh = { .rows = rows, .columns = columns };
  MS_TRY(ms_allocate(j->ctx, rows, (size_t)columns * sizeof(double), &fresh.column[0]));
  for (int c = 0; c < columns; c++) {
    fresh.column[c] = fresh.column[0] + rows * c;
    memcpy(fresh.column[c], column[c], (size_t)rows * sizeof(double));
  }
  ms_free(j->ctx, &j->table[i].column[0]);
  j->table[i] = fresh;
  j->value[i] = (double)rows;
  j->given[i] = 1;
  return MS_SUCCESS;
}

ms_status ms_joint_set_typical(ms_joint *j) {
  for (int i = 0; i < j->law->info.n_param; i++) {
    const ms_param *p = &j->law->info.param[i];
    const ms_param_table *t = p->table;
    if (j->given[i] || !p->required || p->set > 1) continue;
    MS_TRY(p->kind == MS_PARAM_TABLE
               ? ms_joint_set_table(j, p->name, t->rows, t->n_column, t->typical)
               : ms_joint_set(j, p->name, p->typical));
  }
  return MS_SUCCESS;
}

ms_status ms_joint_get(const ms_joint *j, const char *param, double *value) {
  int i = 0;
  MS_TRY(ms_joint_find_param(j, param, &i));
  *value = j->value[i];
  return MS_SUCCESS;
}

static ms_status make_model(ms_joint *j) {
  const ms_law *law = j->law;
  if (law->custom) {
    ms_custom_fill_model(law->custom, j->value, j->model);
    return MS_SUCCESS;
  }
  if (!law->setup && !law->setup_table) {
    if (j->value) memcpy(j->model, j->value, (size_t)law->info.n_param * sizeof *j->value);
    return MS_SUCCESS;
  }
  memset(j->model, 0, law->model_size);
  if (law->setup_table) return law->setup_table(j->ctx, j->value, j->table, j->model);
  return law->setup(j->ctx, j->value, j->model);
}

ms_status ms_joint_setup(ms_joint *j) {
  int set = 1;
  close_state(j);
  /* The set the caller chose: that of the given parameters, which must agree and be all. */
  const ms_law_info *info = &j->law->info;
  const owner who = owner_of(j);
  char hint[64];
  snprintf(hint, sizeof hint, " (see 'microslip laws %s')", info->name);
  MS_TRY(ms_param_find_set(j->ctx, who.text, info->param, info->n_param, j->given, hint, &set));
  MS_TRY(ms_param_check_complete(j->ctx, who.text, info->param, info->n_param, j->given, set));
  if (j->law->check) MS_TRY(j->law->check(j->ctx, j->value, set));
  j->set = set;
  MS_TRY(make_model(j));
  if (j->state) memset(j->state, 0, j->law->state_size);
  ms_status status = j->law->open ? j->law->open(j->ctx, j->model, j->state) : MS_SUCCESS;
  j->ready = 1;
  if (status != MS_SUCCESS) {
    close_state(j);
    return status;
  }
  return ms_joint_start(j, NULL);
}

/* ---- stepping ---- */

static ms_status fail_not_ready(const ms_joint *j) {
  return ms_fail(j->ctx, MS_ERR_STATE, "joint of law %s: call ms_joint_setup first",
                 j->law->info.name);
}

ms_status ms_joint_start(ms_joint *j, const double *u) {
  static const double zero[MS_JOINT_MAX_AXIS] = MAX_AXIS_ZERO;
  if (!j->ready) return fail_not_ready(j);
  if (j->law->start) {
    j->law->start(j->model, j->state, u ? u : zero);
  } else {
    memset(j->state, 0, j->law->state_size);
  }
  return MS_SUCCESS;
}

static ms_status fail_input(const ms_joint *j, const ms_joint_input *in) {
  if (!(in->k > 0.0 && in->k < HUGE_VAL)) {
    return ms_fail(j->ctx, MS_ERR_BOUNDS, "stiffness ratio k = %g must be > 0 and finite", in->k);
  }
  if (!(in->alpha >= 0.0 && in->alpha < HUGE_VAL)) {
    return ms_fail(j->ctx, MS_ERR_BOUNDS,
                   "normal-load ratio alpha = %g must be >= 0 and finite; an open joint has 0",
                   in->alpha);
  }
  return ms_fail(j->ctx, MS_ERR_NUMERIC, "displacement, velocity or step is not finite");
}

/* u - u is zero for every finite number and NaN for the others. */
static int is_usable(const ms_joint *j, const ms_joint_input *in) {
  double sum = (in->dt - in->dt) + (in->u[0] - in->u[0]) + (in->v[0] - in->v[0]);
  for (int a = 1; a < j->law->info.n_axis; a++) {
    sum += (in->u[a] - in->u[a]) + (in->v[a] - in->v[a]);
  }
  return sum == 0.0 && in->k > 0.0 && in->k < HUGE_VAL && in->alpha >= 0.0 && in->alpha < HUGE_VAL;
}

static int is_finite_force(const ms_joint *j, const ms_joint_output *out) {
  double sum = out->force[0] - out->force[0];
  for (int a = 1; a < j->law->info.n_axis; a++) sum += out->force[a] - out->force[a];
  return sum == 0.0;
}

static ms_status fail_force(const ms_joint *j, const ms_joint_input *in) {
  return ms_fail(j->ctx, MS_ERR_NUMERIC, "law %s: the force at u = %g is not finite",
                 j->law->info.name, in->u[0]);
}

ms_status ms_joint_update(const ms_joint *j, const ms_joint_input *in, ms_joint_output *out,
                          ms_joint_trial *trial) {
  if (!j->ready) return fail_not_ready(j);
  if (!is_usable(j, in)) return fail_input(j, in);
  MS_TRY(j->law->update(j->model, j->state, in, out, trial));
  return is_finite_force(j, out) ? MS_SUCCESS : fail_force(j, in);
}

ms_status ms_joint_commit(ms_joint *j, const ms_joint_trial *trial) {
  if (!j->ready) return fail_not_ready(j);
  return j->law->commit(j->ctx, j->model, j->state, trial);
}

ms_status ms_joint_step(ms_joint *j, const ms_joint_input *in, ms_joint_output *out) {
  ms_joint_trial trial;
  MS_TRY(ms_joint_update(j, in, out, &trial));
  return j->law->commit(j->ctx, j->model, j->state, &trial);
}

/* ---- state as numbers ---- */

static ptrdiff_t plain_size(const ms_joint *j) {
  return (ptrdiff_t)((j->law->state_size + sizeof(double) - 1) / sizeof(double));
}

ptrdiff_t ms_joint_save_size(const ms_joint *j) {
  if (!j->ready) return 0;
  return j->law->save_size ? j->law->save_size(j->model, j->state) : plain_size(j);
}

ms_status ms_joint_save(const ms_joint *j, double *buffer) {
  if (!j->ready) return fail_not_ready(j);
  if (j->law->save) {
    j->law->save(j->model, j->state, buffer);
  } else {
    if (plain_size(j) > 0) buffer[plain_size(j) - 1] = 0.0;
    memcpy(buffer, j->state, j->law->state_size);
  }
  return MS_SUCCESS;
}

ms_status ms_joint_load(ms_joint *j, const double *buffer, ptrdiff_t n) {
  if (!j->ready) return fail_not_ready(j);
  if (j->law->load) return j->law->load(j->ctx, j->model, j->state, buffer, n);
  int valid = n == plain_size(j);
  for (ptrdiff_t i = 0; valid && i < n; i++) valid = isfinite(buffer[i]) != 0;
  if (!valid)
    return ms_fail(j->ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
  memcpy(j->state, buffer, j->law->state_size);
  return MS_SUCCESS;
}

/* ---- what the law knows of itself ---- */

ms_status ms_joint_get_energy(const ms_joint *j, ms_joint_energy *out) {
  if (!j->ready) return fail_not_ready(j);
  if (!j->law->energy) {
    return ms_fail(j->ctx, MS_ERR_STATE, "law %s keeps no energies", j->law->info.name);
  }
  j->law->energy(j->model, j->state, out);
  return MS_SUCCESS;
}

ms_status ms_joint_get_memory(const ms_joint *j, ms_joint_memory *out) {
  if (!j->ready) return fail_not_ready(j);
  *out = (ms_joint_memory) { .bytes = j->law->state_size };
  if (j->law->memory) j->law->memory(j->model, j->state, out);
  return MS_SUCCESS;
}

double ms_joint_slip_scale(const ms_joint *j) {
  return j->ready && j->law->slip_scale ? j->law->slip_scale(j->model) : 0.0;
}

void ms_joint_fill_macroslip(const ms_joint *j, double *K) {
  int n = j->law->info.n_axis;
  memset(K, 0, (size_t)(n * n) * sizeof *K);
  if (j->ready && j->law->macroslip) j->law->macroslip(j->model, K);
}

ms_status ms_joint_take_stiffness(ms_joint **joint, double *K) {
  double k, C = 0.0;
  if (strcmp(ms_joint_info(*joint)->name, "linear") != 0) return MS_SUCCESS;
  MS_TRY(ms_joint_get(*joint, "K", &k));
  MS_TRY(ms_joint_get(*joint, "C", &C));
  *K += k;
  if (C == 0.0) {
    ms_joint_destroy(joint);
    return MS_SUCCESS;
  }
  MS_TRY(ms_joint_set(*joint, "K", 0.0));
  return ms_joint_setup(*joint);
}
