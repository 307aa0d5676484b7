/* Quasi-static modes: life, levels. impl.h has the letters. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/quasistatic/impl.h"

enum { FIRST_PARTS = 4 }; /* of the first level, where several axes may pull at each other */

/* ---- life ---- */

void ms_quasistatic_default(ms_quasistatic_setting *setting, size_t size) {
  ms_settings_fill(&(ms_quasistatic_setting)MS_QUASISTATIC_DEFAULT, setting, size);
}

static ms_status check_setting(const ms_structure *s, const ms_quasistatic_setting *set) {
  const ms_quasistatic_tolerances *tol = &set->tol;
  ms_context *ctx = s->ctx;
  MS_QUASISTATIC_TOLERANCES(MS_TOLERANCE_CHECK)
  if (set->mode < 0 || set->mode >= s->n) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "there is no mode %td; the structure has %td modes",
                   set->mode + 1, s->n);
  }
  if (s->omega[set->mode] == 0.0 && !set->preload) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "mode %td is a rigid-body mode: it has no frequency, and no load holds it",
                   set->mode + 1);
  }
  if (set->kind == MS_QUASISTATIC_RQNM && set->preload) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "Rayleigh-quotient modes (rqnm) take no preload");
  }
  if (set->kind == MS_QUASISTATIC_RQNM && (set->level != MS_LEVEL_AMPLITUDE || set->cycled)) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "Rayleigh-quotient modes take amplitudes, and no cycles of a load");
  }
  if (!(set->newton_tolerance > 0.0 && set->cycle_tolerance > 0.0 && set->check_tolerance > 0.0)) {
    return ms_fail(s->ctx, MS_ERR_BOUNDS, "every tolerance must be > 0");
  }
  if (set->newton_max < 1 || set->divide_max < 0 || set->cycle_steps < 2 || set->cycle_max < 2) {
    return ms_fail(s->ctx, MS_ERR_BOUNDS,
                   "Newton needs an iteration, a cycle two turns of two steps in each half");
  }
  return MS_SUCCESS;
}

/* Friction that knows the velocity alone gives way to a static load, however small, and takes
   4 F_c z a cycle: a damping ratio without bound where in truth it sticks. */
static ms_status refuse_sliding(const ms_structure *s) {
  const ms_modal m = ms_structure_view(s);
  for (int j = 0; j < m.n_attachment; j++) {
    const ms_law_info *law = ms_joint_info(m.attachment[j].joint);
    if (!(law->flags & MS_LAW_SLIDING)) continue;
    return ms_fail(
        s->ctx, MS_ERR_ARGUMENT,
        "the friction of joint '%s' (%s) depends on the velocity alone and has no part "
        "in a static load, so there are no quasi-static modes; use harmonic balance "
        "(epmc, stepped_sine), or a law with a stiffness while it sticks (jenkins, dahl, "
        "lugre)",
        m.attachment[j].name, law->name);
  }
  return MS_SUCCESS;
}

/* A place in memory for n doubles: allocate and destroy go through the same list. */
typedef struct part {
  double **at;
  ptrdiff_t n;
} part;

enum { N_PARTS = 25 };

static void list_parts(ms_quasistatic *run, part *list) {
  ptrdiff_t n = run->n, square = n * n;
  const part all[N_PARTS] = {
    { &run->g, n },
    { &run->by_load.base, n },
    { &run->by_load.direction, n },
    { &run->by_load.H, square },
    { &run->by_q.base, n },
    { &run->by_q.direction, n },
    { &run->by_q.H, square },
    { &run->by_force.base, n },
    { &run->by_force.direction, n },
    { &run->z_0, n },
    { &run->d_0, n },
    { &run->z, n },
    { &run->f, n },
    { &run->d, n },
    { &run->z_next, n },
    { &run->z_old, n },
    { &run->R, n + 2 },
    { &run->step, n + 2 },
    { &run->J, (n + 2) * (n + 2) },
    { &run->H_l, square },
    { &run->Hp_l, square },
    { &run->Hp_d, n },
    { &run->Hpp_d, n },
    { &run->was, 2 * n },
    { &run->past, MS_STATIC_PAST * n },
  };
  memcpy(list, all, sizeof all);
}

static ms_status allocate(ms_quasistatic *run) {
  part list[N_PARTS];
  int n_attachment = run->modal.n_attachment;
  list_parts(run, list);
  for (int i = 0; i < N_PARTS; i++) {
    MS_TRY(ms_allocate(run->ctx, list[i].n, sizeof(double), list[i].at));
  }
  MS_TRY(ms_allocate(run->ctx, run->n + 2, sizeof *run->pivot, &run->pivot));
  MS_TRY(ms_allocate(run->ctx, n_attachment, sizeof *run->start, &run->start));
  MS_TRY(ms_allocate(run->ctx, n_attachment, sizeof *run->start_size, &run->start_size));
  return ms_allocate(run->ctx, n_attachment, sizeof *run->attachment, &run->attachment);
}

ms_status ms_quasistatic_create(ms_structure *structure, const ms_quasistatic_setting *setting,
                                ms_quasistatic **out) {
  MS_MAKE(structure ? structure->ctx : NULL, out, structure && setting);
  ms_context *ctx = structure->ctx;
  ms_quasistatic_setting own = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run;
  if (!structure->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  MS_TRY(ms_structure_refuse_curved(structure, "a quasi-static mode"));
  MS_TAKE(ctx, ms_quasistatic_default, setting, own);
  MS_TRY(check_setting(structure, setting));
  MS_TRY(refuse_sliding(structure));
  MS_TRY(ms_allocate(ctx, 1, sizeof *run, &run));
  *run = (ms_quasistatic) { .ctx = ctx,
                            .structure = structure,
                            .setting = *setting,
                            .modal = ms_structure_view(structure),
                            .n = structure->n_axis,
                            .r = setting->mode,
                            .omega_r = structure->omega[setting->mode] };
  ms_status status = allocate(run);
  if (status == MS_SUCCESS) {
    run->by_force.H = run->by_load.H;
    status = ms_static_find_rest(run);
  }
  if (status == MS_SUCCESS && setting->kind == MS_QUASISTATIC_RQNM) {
    status = ms_static_turn_repeated(run);
  }
  run->setting.preload = NULL; /* the caller's */
  if (status != MS_SUCCESS) {
    ms_quasistatic_destroy(&run);
    return status;
  }
  *out = run;
  return MS_SUCCESS;
}

static void free_levels(ms_quasistatic *run) {
  ms_free(run->ctx, &run->level);
  ms_free(run->ctx, &run->store);
  ms_free(run->ctx, &run->has_turned);
  ms_free(run->ctx, &run->tips);
  run->n_level = run->capacity = 0;
}

void ms_quasistatic_destroy(ms_quasistatic **pointer) {
  if (!pointer || !*pointer) return;
  ms_quasistatic *run = *pointer;
  part list[N_PARTS];
  ms_static_clear_rest(run);
  ms_static_free_tuning(run);
  free_levels(run);
  list_parts(run, list);
  for (int i = 0; i < N_PARTS; i++) ms_free(run->ctx, list[i].at);
  ms_free(run->ctx, &run->pivot);
  ms_free(run->ctx, &run->start);
  ms_free(run->ctx, &run->start_size);
  ms_free(run->ctx, &run->attachment);
  ms_free(run->ctx, &run->G);
  ms_free(run->ctx, &run->still);
  ms_free(run->ctx, pointer);
}

/* ---- levels ---- */

static ms_status allocate_levels(ms_quasistatic *run, ptrdiff_t n) {
  free_levels(run);
  MS_TRY(ms_allocate(run->ctx, n, sizeof *run->level, &run->level));
  MS_TRY(ms_allocate(run->ctx, n, sizeof *run->has_turned, &run->has_turned));
  MS_TRY(ms_allocate(run->ctx, n * (2 * run->n + run->modal.n_attachment), sizeof(double),
                     &run->store));
  if (run->setting.kind == MS_QUASISTATIC_RQNM) {
    MS_TRY(ms_allocate(run->ctx, 2 * n * (2 * run->n + 2), sizeof(double), &run->tips));
  }
  run->capacity = n;
  return MS_SUCCESS;
}

/* Keeps the arrays where the number of levels is that of the last run. */
static ms_status reserve(ms_quasistatic *run, ptrdiff_t n) {
  if (run->capacity != n) MS_TRY(allocate_levels(run, n));
  for (ptrdiff_t k = 0; k < n; k++) {
    double *at = ms_static_store(run, k);
    run->level[k] =
        (ms_quasistatic_level) { .z = at, .f = at + run->n, .D_joint = at + 2 * run->n };
  }
  return MS_SUCCESS;
}

/* z, f and what follows from d into the level; both count from the preload. */
static ms_status record(ms_quasistatic *run, ptrdiff_t k, double s) {
  ms_quasistatic_level *level = &run->level[k];
  double *z = ms_static_store(run, k), *f = z + run->n;
  double w2 = run->omega_r * run->omega_r, slip = 0.0;
  for (ptrdiff_t i = 0; i < run->n; i++) slip += run->g[i] * (run->d[i] - run->d_0[i]);
  for (int j = 0; j < run->modal.n_attachment; j++) {
    const ms_static_attachment *attachment = &run->attachment[j];
    for (int a = 0; a < attachment->n; a++) {
      ptrdiff_t i = attachment->first + a;
      double f_0 = run->d_0[i];
      for (int b = 0; b < attachment->n; b++)
        f_0 += attachment->stuck[a + attachment->n * b] * run->z_0[attachment->first + b];
      z[i] = run->z[i] - run->z_0[i];
      f[i] = run->f[i] - f_0;
    }
  }
  int by_load = run->setting.level == MS_LEVEL_LOAD;
  level->q = by_load ? (s - slip) / w2 : s;
  level->alpha = by_load ? s : w2 * s + slip;
  level->q_mode = level->q;
  if (run->setting.kind == MS_QUASISTATIC_RQNM) {
    level->alpha = run->lambda * s;
    level->q_mode = run->q_mode;
    ms_static_keep_tip(run, k, 0);
  }
  if (run->on_curve) {
    for (int j = 0; j < run->modal.n_attachment; j++) f[run->n + j] = run->attachment[j].loss;
    run->n_curve = k + 1;
  }
  level->residual = run->residual;
  level->tolerance = run->accepted;
  run->has_turned[k] = (unsigned char)run->turned;
  if (level->alpha > 0.0 && level->q > 0.0) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_NUMERIC,
                 "mode %td has no frequency at amplitude %g: its restoring force is %g", run->r + 1,
                 level->q, level->alpha);
}

/* In parts where it must. */
static ms_status advance_rqnm(ms_quasistatic *run, double q_0, double q, int depth) {
  double lambda = run->lambda, q_mode = run->q_mode, grow = q_0 > 0.0 ? q / q_0 : 1.0;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    double way = q_0 > 0.0 ? grow * (run->z_old[i] - run->z_0[i]) : run->side * q * run->g[i];
    run->z_next[i] = run->z_0[i] + way;
  }
  run->q_mode = q_0 > 0.0 ? grow * q_mode : run->side * q;
  ms_status status = ms_static_solve_rqnm(run, q);
  if (status == MS_SUCCESS) return ms_static_commit(run);
  run->lambda = lambda;
  run->q_mode = q_mode;
  if (status < 0 || status == MS_CANCELLED || depth >= run->setting.divide_max) return status;
  run->count.divided++;
  MS_TRY(advance_rqnm(run, q_0, 0.5 * (q_0 + q), depth + 1));
  return advance_rqnm(run, 0.5 * (q_0 + q), q, depth + 1);
}

ms_status ms_static_advance_rqnm(ms_quasistatic *run, double q_0, double q) {
  return advance_rqnm(run, q_0, q, 0);
}

static ms_status solve_level(ms_quasistatic *run, double before, double s) {
  if (run->setting.kind == MS_QUASISTATIC_RQNM) return advance_rqnm(run, before, s, 0);
  const ms_static_form *form = run->setting.level == MS_LEVEL_LOAD ? &run->by_load : &run->by_q;
  if (run->n <= 1 || s <= run->setting.tol.longest * before)
    return ms_static_advance(run, form, before, s);
  int parts =
      before > 0.0 ? (int)ceil(log(s / before) / log(run->setting.tol.longest)) : FIRST_PARTS;
  double at = before;
  for (int k = 1; k <= parts; k++) {
    double x = (double)k / parts, from = at;
    at = k == parts ? s : before > 0.0 ? before * pow(s / before, x) : s * x;
    MS_TRY(ms_static_advance(run, form, from, at));
  }
  return MS_SUCCESS;
}

static ms_status load_levels(ms_quasistatic *run, ptrdiff_t n, const double *level) {
  run->lambda = run->omega_r * run->omega_r;
  run->q_mode = 0.0;
  run->side = 1;
  run->n_curve = 0;
  ms_static_enter_curve(run);
  for (ptrdiff_t k = 0; k < n; k++) {
    ms_status status = solve_level(run, k > 0 ? level[k - 1] : 0.0, level[k]);
    if (status == MS_SUCCESS) status = record(run, k, level[k]);
    if (status != MS_SUCCESS) {
      return ms_fail_at(run->ctx, status, "level %td of %td (%g)", k + 1, n, level[k]);
    }
    run->n_level = k + 1;
    MS_TRY(ms_progress(run->ctx, "levels", (double)(k + 1) / (double)n));
  }
  return MS_SUCCESS;
}

/* Losses of the levels there are, also after a failure, whose message stays. */
ms_status ms_quasistatic_run(ms_quasistatic *run, ptrdiff_t n, const double *level) {
  run->n_level = 0;
  if (n < 1) return ms_fail(run->ctx, MS_ERR_ARGUMENT, "there must be a level");
  for (ptrdiff_t k = 0; k < n; k++) {
    if (level[k] < HUGE_VAL && level[k] > (k > 0 ? level[k - 1] : 0.0)) continue;
    return ms_fail(run->ctx, MS_ERR_BOUNDS,
                   "level %td is %g: levels must be > 0, finite, and each larger than the last",
                   k + 1, level[k]);
  }
  MS_TRY(reserve(run, n));
  run->count.evaluations = run->count.divided = 0;
  if (run->setting.kind == MS_QUASISTATIC_RQNM) MS_TRY(ms_static_check_rest(run));
  MS_TRY(ms_static_start(run));
  ms_status status = load_levels(run, n, level);
  char why[MS_STATIC_MESSAGE];
  ms_static_keep_message(run->ctx, why);
  if (run->setting.kind == MS_QUASISTATIC_RQNM) {
    ms_status other = ms_static_other_side(run);
    if (other != MS_SUCCESS) ms_static_keep_message(run->ctx, why);
    if (other != MS_SUCCESS) status = other;
  }
  ms_status loss = ms_static_fill_losses(run);
  if (loss == MS_SUCCESS && run->setting.check) loss = ms_static_check_losses(run);
  if (status == MS_SUCCESS) return loss;
  return ms_fail(run->ctx, status, "%s", why);
}

ms_status ms_quasistatic_space(ms_context *ctx, double from, double to, ptrdiff_t n,
                               double *level) {
  if (n < 1 || !(from > 0.0 && to < HUGE_VAL && (n == 1 || to > from))) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "no %td levels from %g to %g: they must be > 0 and rise", n,
                   from, to);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    double x = n > 1 ? (double)k / (double)(n - 1) : 0.0;
    level[k] = k == n - 1 && n > 1 ? to : from * exp(x * log(to / from));
  }
  return MS_SUCCESS;
}

const char *ms_quasistatic_method_name(ms_loss_method method) {
  return method == MS_LOSS_OWN ? "own" : "cycled";
}

ptrdiff_t ms_quasistatic_count_levels(const ms_quasistatic *run) {
  return run->n_level;
}

const ms_quasistatic_level *ms_quasistatic_get_level(const ms_quasistatic *run, ptrdiff_t k) {
  return k >= 0 && k < run->n_level ? &run->level[k] : NULL;
}

ms_quasistatic_count ms_quasistatic_get_count(const ms_quasistatic *run) {
  return run->count;
}
