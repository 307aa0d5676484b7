/* A run between two steps as numbers:

     head    what the run is, so that no other one goes on from it, and its counts
     points  the numbers of each point
     data    of each point what the curve keeps: X, forces, losses
     path    where the continuation is */
#include <string.h>

#include "response/harmonic/impl.h"

enum {
  /* of the head: what the run is, */
  HEAD_KIND,
  HEAD_H,
  HEAD_TIMES,
  HEAD_AXES,
  HEAD_JOINTS,
  HEAD_MODES,
  HEAD_FROM,
  HEAD_TO,
  HEAD_LISTED,
  HEAD_LEVEL, /* of a forced response */
  HEAD_MODE,  /* of the others */
  HEAD_SAME,  /* so many must be the same */
  /* and how far */
  HEAD_MASTER = HEAD_SAME,
  HEAD_EVALUATIONS,
  HEAD_WORST,
  HEAD_POINTS,
  N_HEAD,
  N_POINT = 20
};

static void fill_head(const ms_harmonic_problem *p, const ms_path *path, double *head) {
  const ms_harmonic *h = p->h;
  const int forced = !p->with_zeta && p->force == 0.0;
  head[HEAD_KIND] = forced ? 0.0 : p->with_zeta ? 1.0 : 2.0 + p->by_response;
  head[HEAD_H] = (double)h->H;
  head[HEAD_TIMES] = (double)h->N;
  head[HEAD_AXES] = (double)h->n;
  head[HEAD_JOINTS] = h->n_attachment;
  head[HEAD_MODES] = (double)h->m;
  head[HEAD_FROM] = path->from;
  head[HEAD_TO] = path->to;
  head[HEAD_LISTED] = (double)path->n_list;
  head[HEAD_LEVEL] = forced ? h->X[h->n * h->P + AT_LEVEL] : 0.0;
  head[HEAD_MODE] = forced ? 0.0 : (double)h->master;
  head[HEAD_MASTER] = (double)h->master;
  head[HEAD_EVALUATIONS] = (double)h->evaluations;
  head[HEAD_WORST] = p->curve->info.worst;
  head[HEAD_POINTS] = (double)p->curve->count;
}

static ptrdiff_t size_of(const ms_harmonic_curve *c, const ms_path *path, ptrdiff_t points) {
  return N_HEAD + points * (N_POINT + c->stride) + ms_path_save_size(path);
}

/* ---- points ---- */

static void save_point(const ms_harmonic_point *p, double *to) {
  const double values[N_POINT] = {
    p->omega,      p->level,      (double)p->mode,   p->q,
    p->phase,      p->zeta,       p->zeta_joint,     p->zeta_viscous,
    p->D,          p->response,   p->higher,         p->residual,
    p->repeat,     p->iterations, (double)p->listed, (double)p->stability,
    p->multiplier, p->turn,       p->zeta_alias,     p->left_out
  };
  memcpy(to, values, sizeof values);
}

static ms_harmonic_point load_point(const double *v) {
  return (ms_harmonic_point) { .omega = v[0],
                               .level = v[1],
                               .mode = (ptrdiff_t)v[2],
                               .q = v[3],
                               .phase = v[4],
                               .zeta = v[5],
                               .zeta_joint = v[6],
                               .zeta_viscous = v[7],
                               .D = v[8],
                               .response = v[9],
                               .higher = v[10],
                               .residual = v[11],
                               .repeat = v[12],
                               .iterations = (int)v[13],
                               .listed = (ptrdiff_t)v[14],
                               .stability = (ms_stability)v[15],
                               .multiplier = v[16],
                               .turn = (int)v[17],
                               .zeta_alias = v[18],
                               .left_out = v[19] };
}

/* ---- looking ---- */

void ms_harmonic_set_look(ms_harmonic *h, ms_harmonic_look_fn look, void *user) {
  h->look = look;
  h->look_user = user;
}

ms_status ms_problem_look(void *self, const ms_path *path, int stop) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  if (!h->look || h->approaching) return MS_SUCCESS;
  p->path = path;
  h->looked = p;
  ms_status status = h->look(h->look_user, h, stop);
  h->looked = NULL;
  return status;
}

ptrdiff_t ms_harmonic_save_run_size(const ms_harmonic *h) {
  const ms_harmonic_problem *p = h->looked;
  return p ? size_of(p->curve, p->path, p->curve->count) : 0;
}

void ms_harmonic_save_run(const ms_harmonic *h, double *state) {
  const ms_harmonic_problem *p = h->looked;
  if (!p) return;
  const ms_harmonic_curve *c = p->curve;
  double *point = state + N_HEAD, *data = point + N_POINT * c->count;
  fill_head(p, p->path, state);
  for (ptrdiff_t i = 0; i < c->count; i++) save_point(&c->point[i], point + N_POINT * i);
  memcpy(data, c->data, (size_t)(c->stride * c->count) * sizeof *data);
  ms_path_save(p->path, data + c->stride * c->count);
}

/* ---- going on ---- */

/* Points of the state; -1 if it is of another run. */
static ptrdiff_t count_points(const ms_harmonic_problem *p, const ms_path *path) {
  double head[N_HEAD];
  const double *state = p->resume;
  if (p->n_resume < N_HEAD) return -1;
  fill_head(p, path, head);
  if (memcmp(head, state, HEAD_SAME * sizeof *head) != 0) return -1;
  double points = state[HEAD_POINTS], master = state[HEAD_MASTER];
  if (!(points >= 1.0 && points < 1e9 && master >= 0.0 && master < (double)p->h->m)) return -1;
  ptrdiff_t n = (ptrdiff_t)points;
  return p->n_resume == size_of(p->curve, path, n) ? n : -1;
}

ms_status ms_problem_load(ms_harmonic_problem *p, const ms_path *path, const double **state) {
  ms_harmonic_curve *c = p->curve;
  const ptrdiff_t n = count_points(p, path);
  if (n < 0) return ms_fail(c->ctx, MS_ERR_FORMAT, "it is the state of another run");
  const double *point = p->resume + N_HEAD, *data = point + N_POINT * n;
  for (; c->count < n; c->count++) {
    MS_TRY(ms_curve_reserve(c));
    c->point[c->count] = load_point(point + N_POINT * c->count);
    memcpy(c->data + c->stride * c->count, data + c->stride * c->count,
           (size_t)c->stride * sizeof *data);
  }
  c->info.worst = p->resume[HEAD_WORST];
  p->h->evaluations = (ptrdiff_t)p->resume[HEAD_EVALUATIONS];
  p->h->master = (ptrdiff_t)p->resume[HEAD_MASTER];
  *state = data + c->stride * n;
  return MS_SUCCESS;
}
