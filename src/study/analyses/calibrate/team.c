/* The team that evaluates for a method of `calibrate`: every worker has the models of all targets.
 */
#include "study/analyses/calibrate/team.h"

static ms_status open_hand(ms_worker *w, void *user) {
  const ms_calibrate *c = user;
  ms_calibrate_hand *h;
  MS_TRY(ms_allocate(w->ctx, 1, sizeof *h, &h));
  w->own = h;
  MS_TRY(ms_allocate(w->ctx, c->n + 2 * c->n_target, sizeof *h->p, &h->p));
  h->f = h->p + c->n;
  MS_TRY(ms_evaluator_open(w->ctx, c, w->structure, &h->on));
  const ms_fit_problem problem = ms_calibrate_problem(c, h->on);
  return ms_posterior_create(w->ctx, &problem, 1.0, &h->posterior);
}

static void close_hand(ms_worker *w, void *user) {
  ms_calibrate_hand *h = w->own;
  (void)user;
  if (!h) return;
  ms_posterior_destroy(&h->posterior);
  ms_evaluator_close(&h->on);
  ms_free(w->ctx, &h->p);
  ms_free(w->ctx, &w->own);
}

ms_status ms_calibrate_open_team(const ms_study *s, ms_calibrate *c, const ms_calibrate_round *r,
                                 ms_team **out) {
  const ms_team_work work = { .n_in = c->n,
                              .n_out = r->n_out,
                              .open = open_hand,
                              .close = close_hand,
                              .run = r->run,
                              .user = c };
  return ms_team_open(s, &work, r->most, out);
}

ms_status ms_calibrate_serve(const ms_study *s, ms_calibrate *c, const ms_calibrate_round *r) {
  ms_team *team = NULL;
  MS_TRY(ms_calibrate_open_team(s, c, r, &team));
  ms_status status = ms_team_serve(team);
  ms_team_close(&team);
  return status;
}
