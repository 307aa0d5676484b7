/* Contact between solids in harmonic balance. The displacements q of the modes at rest are given,
   and the points, which have no mass, follow in equilibrium: a contact whose loads M phi act
   through rigid springs (microslip/contact_dynamics.h). It answers with the modes' restoring
   forces, of any number of harmonics between the points, rigid or layer, so that to the balance it
   is one joint whose axes are the modes. Stuck, its stiffness is omega^2. */
#include <math.h>
#include <string.h>

#include <microslip/contact_dynamics.h>

#include "response/contact/impl.h"
#include "response/harmonic/impl.h"

struct ms_harmonic_contact {
  ms_contact *run; /* marked where motions begin; its loads are displacements of modes */
  ptrdiff_t n;     /* modes, all that are elastic, from `first` on */
  ptrdiff_t first;
  double *sign, *stuck; /* n, n x n */
  double *gamma;        /* m x n */
  double *p;            /* of all loads */
  /* stability.c: 2m disturbances of (q, v), and one direction for each load; NULL: none */
  ms_contact_tangent *disturbed;
  double *dp; /* n x 2m: how they move the loads */
};

static ms_status reserve(ms_harmonic *h, ms_harmonic_contact *c, ptrdiff_t n_load) {
  const ptrdiff_t n = c->n;
  MS_TRY(ms_allocate(h->ctx, n + n * n + h->m * n + n_load, sizeof *c->sign, &c->sign));
  c->stuck = c->sign + n, c->gamma = c->stuck + n * n, c->p = c->gamma + h->m * n;
  return MS_SUCCESS;
}

static ms_status open(ms_harmonic *h, const ms_contact *from, const double *sign) {
  ms_harmonic_contact *c = h->contact;
  const ptrdiff_t n_load = from->n_load;
  ms_contact *rest = NULL;
  if (n_load > h->m) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT, "a contact under loads of %td modes, of %td", n_load,
                   h->m);
  }
  while (c->first < n_load && h->modal.omega[c->first] == 0.0) c->first++;
  c->n = n_load - c->first;
  MS_TRY(reserve(h, c, n_load));
  for (ptrdiff_t a = 0; a < c->n; a++) {
    const ptrdiff_t r = c->first + a;
    const double w = h->modal.omega[r];
    c->sign[a] = sign ? sign[r] : 1.0;
    c->gamma[r + h->m * a] = 1.0;
    c->stuck[a + c->n * a] = w * w;
    c->p[r] = HUGE_VAL; /* the springs */
  }
  MS_TRY(ms_contact_copy(h->ctx, from, &rest));
  ms_status status = ms_contact_return(rest);
  if (!status) status = ms_contact_add_springs(h->ctx, rest, c->p, &c->run);
  ms_contact_destroy(&rest);
  memset(c->p, 0, (size_t)n_load * sizeof *c->p);
  return status ? status : ms_contact_tangent_open(c->run, h->P * c->n);
}

ms_status ms_harmonic_contact_open(ms_harmonic *h) {
  const ms_contact_family *family = h->structure->contact;
  const ms_contact *from = h->setting.contact ? h->setting.contact : family ? family->rest : NULL;
  h->setting.contact = NULL; /* borrowed until here */
  if (!from) return MS_SUCCESS;
  if (h->n > 0) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT,
                   "a structure with contacts between solids has no joints beside them");
  }
  MS_TRY(ms_allocate(h->ctx, 1, sizeof *h->contact, &h->contact));
  MS_TRY(open(h, from, family ? family->sign : NULL));
  h->modal.n = h->n = h->contact->n;
  h->modal.gamma = h->contact->gamma;
  h->n_attachment = 1;
  return MS_SUCCESS;
}

void ms_harmonic_contact_close(ms_harmonic *h) {
  if (!h->contact) return;
  ms_contact_tangent_close_second(h->ctx, &h->contact->disturbed);
  ms_free(h->ctx, &h->contact->dp);
  ms_contact_destroy(&h->contact->run);
  ms_free(h->ctx, &h->contact->sign);
  ms_free(h->ctx, &h->contact);
}

ms_status ms_harmonic_contact_attach(ms_harmonic *h, ms_harmonic_attachment *s) {
  const ms_harmonic_contact *c = h->contact;
  s->n = (int)c->n;
  s->P = h->P;
  s->T = h->T, s->W = h->W;
  s->stuck = c->stuck;
  s->n_dir = h->P * c->n;
  MS_TRY(ms_allocate(h->ctx, s->n_dir * (s->n_dir + 1), sizeof *s->D, &s->D));
  s->DF = s->D;
  return ms_allocate(h->ctx, s->n_dir * s->n * h->N, sizeof *s->dF, &s->dF);
}

/* ---- a period ---- */

/* The loads' rows have the table's values of their own coefficients. */
static void aim(const ms_harmonic *h, const ms_harmonic_attachment *s, ptrdiff_t j, double *rows) {
  const ms_harmonic_contact *c = h->contact;
  const ptrdiff_t P = s->P;
  memset(rows, 0, (size_t)(c->run->n_load * s->n_dir) * sizeof *rows);
  for (ptrdiff_t a = 0; a < c->n; a++) {
    double *to = rows + s->n_dir * (c->first + a) + P * a;
    for (ptrdiff_t i = 0; i < P; i++) to[i] = c->sign[a] * s->T[i + P * j];
  }
}

static ms_status load(ms_harmonic *h, ptrdiff_t j) {
  ms_harmonic_contact *c = h->contact;
  for (ptrdiff_t a = 0; a < c->n; a++) c->p[c->first + a] = c->sign[a] * h->z[j + h->N * a];
  return ms_contact_load(c->run, c->p);
}

static ms_status move_to(ms_harmonic *h, ms_harmonic_attachment *s, ptrdiff_t j) {
  ms_harmonic_contact *c = h->contact;
  aim(h, s, j, ms_contact_tangent_loads(c->run));
  MS_TRY(load(h, j));
  const double *v = c->run->now.v + c->first;
  const double *dv = ms_contact_tangent_moves(c->run) + s->n_dir * c->first;
  for (ptrdiff_t a = 0; a < c->n; a++) {
    h->f[j + h->N * (s->first + a)] = -c->sign[a] * v[a];
    double *to = s->dF + s->n_dir * (a + s->n * j);
    for (ptrdiff_t i = 0; i < s->n_dir; i++) to[i] = -c->sign[a] * dv[i + s->n_dir * a];
  }
  return MS_SUCCESS;
}

ms_status ms_harmonic_contact_begin(ms_harmonic *h) {
  MS_TRY(ms_contact_return(h->contact->run));
  ms_contact_tangent_begin(h->contact->run);
  return MS_SUCCESS;
}

ms_status ms_harmonic_contact_march(ms_harmonic *h, ms_harmonic_attachment *s) {
  for (ptrdiff_t j = 0; j < h->N; j++) MS_TRY(move_to(h, s, j));
  return MS_SUCCESS;
}

/* ---- disturbances ---- */

ptrdiff_t ms_harmonic_contact_count_elastic(const ms_harmonic *h) {
  ptrdiff_t n = 0;
  for (ptrdiff_t r = 0; r < h->m; r++) n += h->modal.omega[r] > 0.0;
  return n;
}

ms_status ms_harmonic_contact_open_disturbed(ms_harmonic *h) {
  ms_harmonic_contact *c = h->contact;
  ms_harmonic_attachment *s = &h->attachment[0];
  MS_TRY(ms_allocate(h->ctx, h->N * c->n * c->n, sizeof *s->du, &s->du));
  MS_TRY(ms_allocate(h->ctx, 2 * h->m * c->n, sizeof *c->dp, &c->dp));
  return ms_contact_tangent_open_second(c->run, 2 * h->m + c->n, &c->disturbed);
}

void ms_harmonic_contact_swap(ms_harmonic *h) {
  ms_contact_tangent_swap(h->contact->run, &h->contact->disturbed);
}

/* At the last time point all that was closed sticks, for want of something better: what the points
   remember is not disturbed yet. */
void ms_harmonic_contact_begin_disturbed(ms_harmonic *h, const double *q) {
  ms_harmonic_contact *c = h->contact;
  ms_harmonic_attachment *s = &h->attachment[0];
  const ptrdiff_t all = 2 * h->m + c->n;
  double *to;
  for (ptrdiff_t ab = 0; ab < c->n * c->n; ab++) s->du[h->N - 1 + h->N * ab] = c->stuck[ab];
  ms_contact_tangent_begin(c->run);
  to = ms_contact_tangent_loads(c->run);
  for (ptrdiff_t a = 0; a < c->n; a++) to[all * (c->first + a) + 2 * h->m + a] = 1.0;
  ms_contact_tangent_arrive(c->run);
  ms_harmonic_contact_step(h, q);
}

ms_status ms_harmonic_contact_look(ms_harmonic *h, ptrdiff_t j, double *p) {
  ms_harmonic_contact *c = h->contact;
  ms_harmonic_attachment *s = &h->attachment[0];
  const ptrdiff_t m = h->m, n = c->n, all = 2 * m + n;
  MS_TRY(load(h, j));
  const double *dv = ms_contact_tangent_moves(c->run) + all * c->first;
  for (ptrdiff_t a = 0; a < n; a++, dv += all) {
    for (ptrdiff_t k = 0; k < 2 * m; k++) p[c->first + a + m * k] = -c->sign[a] * dv[k];
    for (ptrdiff_t b = 0; b < n; b++) {
      s->du[j + h->N * (a + n * b)] = -c->sign[a] * c->sign[b] * dv[2 * m + b];
    }
  }
  return MS_SUCCESS;
}

void ms_harmonic_contact_step(ms_harmonic *h, const double *q) {
  ms_harmonic_contact *c = h->contact;
  for (ptrdiff_t i = 0; i < 2 * h->m * c->n; i++) {
    const ptrdiff_t a = i % c->n, k = i / c->n;
    c->dp[i] = c->sign[a] * q[c->first + a + h->m * k];
  }
  ms_contact_tangent_take(c->run, c->n, c->dp);
}

void ms_harmonic_contact_combine(ms_harmonic *h, const double *S) {
  ms_contact_tangent_combine(h->contact->run, 2 * h->m, S);
}

int ms_harmonic_contact_is_static(const ms_harmonic *h, ptrdiff_t r, double Omega) {
  const double dt = 2.0 * MS_PI / ((double)h->N * Omega);
  return h->modal.omega[r] * dt > h->contact->run->setting.resolved;
}
