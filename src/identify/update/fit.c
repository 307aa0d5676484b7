/* The fit of an updated model: how it is searched, what it is worth, what the model then is. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/tolerance.h"
#include "identify/update/update.h"

ms_fit_problem ms_updating_problem(ms_updating *u, int differences) {
  return (ms_fit_problem) { .n = u->model.n,
                            .m = ms_updating_count_residuals(u),
                            .parameter = u->model.parameter,
                            .eval = ms_updating_eval,
                            .user = u,
                            .has_jacobian = !differences };
}

static ms_fit_setting setting_of(int differences, uint64_t seed) {
  ms_fit_setting setting = MS_FIT_DEFAULT;
  setting.seed = seed;
  if (differences) {
    setting.step = 1e-4;
    setting.tolerance = 1e-8;
    setting.max_evaluations = 100;
  }
  return setting;
}

ms_status ms_updating_fit_start(ms_updating *u, int differences, uint64_t seed, const double *start,
                                ptrdiff_t k, ms_starts *starts) {
  const ms_fit_problem problem = ms_updating_problem(u, differences);
  const ms_fit_setting setting = setting_of(differences, seed);
  double *p = starts->found + starts->n * k;
  memcpy(p, start, (size_t)starts->n * sizeof *p);
  if (k > 0) MS_TRY(ms_fit_get_start(u->ctx, &problem, &setting, starts->count - 1, k - 1, p));
  return ms_fit_from(u->ctx, &problem, &setting, p, &starts->local[k]);
}

typedef struct scaled {
  ms_updating *updating;
  double scatter;
} scaled;

static ms_status eval_scaled(void *user, const double *p, double *r, double *jac) {
  const scaled *s = user;
  const ptrdiff_t m = ms_updating_count_residuals(s->updating);
  MS_TRY(ms_updating_eval(s->updating, p, r, jac));
  for (ptrdiff_t i = 0; i < m; i++) r[i] /= s->scatter;
  for (ptrdiff_t i = 0; jac && i < m * s->updating->model.n; i++) jac[i] /= s->scatter;
  return MS_SUCCESS;
}

ms_status ms_updating_judge(ms_updating *u, int differences, const ms_starts *s,
                            ms_update_fit *out) {
  ms_fit_problem problem = ms_updating_problem(u, differences);
  ms_fit_setting setting = setting_of(differences, 1);
  const ptrdiff_t rest = problem.m > problem.n ? problem.m - problem.n : 1;
  *out = (ms_update_fit) { .best = ms_starts_find_best(s, ms_identify_tol.equal_sum), .other = -1 };
  if (out->best < 0) {
    return ms_fail_at(u->ctx, MS_NOT_CONVERGED, "none of %td starts could be evaluated", s->count);
  }
  const double sum = s->local[out->best].sum;
  out->agree = ms_starts_count_agreeing(s, out->best);
  for (ptrdiff_t k = 0; k < s->count && out->other < 0; k++) {
    if (s->local[k].end != MS_FIT_CONVERGED || ms_starts_agree(s, k, out->best)) continue;
    if (s->local[k].sum < sum + ms_identify_tol.as_well) out->other = k;
  }
  out->scatter = fmax(1.0, sqrt(sum / (double)rest));
  scaled x = { u, out->scatter };
  problem.eval = eval_scaled;
  problem.user = &x;
  setting.known_noise = 1;
  return ms_fit_judge(u->ctx, &problem, &setting, s->found + s->n * out->best, &out->judgement);
}

ms_status ms_updating_keep_look(ms_updating *u, const double *p, ms_update_look *out) {
  *out = (ms_update_look) { .n_mode = 0 };
  MS_TRY(ms_allocate(u->ctx, u->n, sizeof *out->pair, &out->pair));
  MS_TRY(ms_updating_look(u, p, out->pair));
  const ms_mac_view view = ms_updating_get_mac(u);
  const ptrdiff_t n = view.n_column, size = view.mac ? view.n_row * n : 0;
  out->n_mode = n;
  MS_TRY(ms_allocate(u->ctx, n + size, sizeof *out->omega, &out->omega));
  memcpy(out->omega, view.omega, (size_t)n * sizeof *out->omega);
  if (!view.mac) return MS_SUCCESS;
  out->mac = out->omega + n;
  memcpy(out->mac, view.mac, (size_t)size * sizeof *out->mac);
  return MS_SUCCESS;
}

ptrdiff_t ms_update_look_choose(const ms_update_look *look, ptrdiff_t n,
                                ptrdiff_t row[MS_LOOK_MOST], ptrdiff_t column[MS_LOOK_MOST]) {
  ptrdiff_t last = 0, first = 0, n_column = 0;
  if (n > MS_LOOK_MOST) return 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    row[k] = k;
    if (look->pair[k].mode + 2 > last) last = look->pair[k].mode + 2;
  }
  while (first < look->n_mode && look->omega[first] == 0.0) first++;
  for (ptrdiff_t r = first; r < last && r < look->n_mode && n_column < MS_LOOK_MOST; r++)
    column[n_column++] = r;
  return n_column;
}

void ms_update_look_destroy(ms_context *ctx, ms_update_look *look) {
  ms_free(ctx, &look->pair);
  ms_free(ctx, &look->omega);
  *look = (ms_update_look) { .n_mode = 0 };
}
