/* Where the energy is. Average acceleration and the trapezoidal rule are exact for the bodies,
   whose strain energy from rest on is half of what loads, inertia and points would do on their
   whole way:

     strain = 1/2 (p u + s q - dz . dlambda) - lambda_0 . dz + layers

   with dz, dlambda from rest. What is left are the points: over a step each takes
   1/2 (lambda + lambda') (z' - z), and this is what its layer stores and what it dissipates but for
   the corners of its path between the two ends. */
#include <math.h>
#include <string.h>

#include "response/contact/dynamic/impl.h"

static double layer_energy(const ms_contact_point *p, const double *l) {
  if (ms_contact_is_rigid(p)) return 0.0;
  return 0.5 * l[2] * l[2] / p->K_n + 0.5 * (l[0] * l[0] + l[1] * l[1]) / p->K_t;
}

static void keep(ms_contact_run *run) {
  const ms_contact_values *now = &run->contact->now;
  const size_t n = (size_t)run->contact->n;
  memcpy(run->z, now->z, 3 * n * sizeof *run->z);
  memcpy(run->l, now->lambda, 3 * n * sizeof *run->l);
  memcpy(run->dissipated, now->dissipated, n * sizeof *run->dissipated);
  memcpy(run->status, now->status, n);
}

static double sum_layers(const ms_contact *c) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) sum += layer_energy(&c->point[i], c->now.lambda + 3 * i);
  return sum;
}

void ms_contact_run_open_energy(ms_contact_run *run) {
  const ms_contact *c = run->contact;
  keep(run);
  memcpy(run->z_0, run->z, (size_t)(3 * c->n) * sizeof *run->z);
  memcpy(run->l_0, run->l, (size_t)(3 * c->n) * sizeof *run->l);
  run->layer_0 = sum_layers(c);
  run->friction = ms_contact_add_up(c, -1).dissipated;
}

/* What the path of each point misses. */
static void add_missed(ms_contact_run *run) {
  const ms_contact *c = run->contact;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double *z = c->now.z + 3 * i, *l = c->now.lambda + 3 * i, *z_old = run->z + 3 * i;
    const double *l_old = run->l + 3 * i;
    const int opens = c->now.status[i] == MS_CONTACT_OPEN || run->status[i] == MS_CONTACT_OPEN;
    double missed = layer_energy(&c->point[i], l_old) - layer_energy(&c->point[i], l);
    for (int k = 0; k < 3; k++) missed += 0.5 * (l[k] + l_old[k]) * (z[k] - z_old[k]);
    missed -= c->now.dissipated[i] - run->dissipated[i];
    *(opens ? &run->energy.opening : &run->energy.corner) += missed;
  }
}

void ms_contact_run_add_energy(ms_contact_run *run, double viscous) {
  for (ptrdiff_t k = 0; k < run->n_load; k++) {
    run->energy.input += 0.5 * (run->p_old[k] + run->p[k]) * (run->u[k] - run->u_old[k]);
  }
  for (ptrdiff_t r = 0; r < run->m; r++) {
    run->energy.input += 0.5 * (run->f[r] + run->f_next[r]) * (run->q[r] - run->q_old[r]);
  }
  run->energy.viscous += viscous;
  add_missed(run);
  keep(run);
}

ms_contact_energy ms_contact_run_get_energy(const ms_contact_run *run) {
  const ms_contact *c = run->contact;
  ms_contact_energy e = run->energy;
  double twice = 0.0, potential = 0.0;
  e.kinetic = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    e.kinetic += 0.5 * run->v[r] * run->v[r];
    if (run->modal->omega[r] == 0.0) continue;
    twice += (run->f[r] - run->a[r] - run->c[r] * run->v[r]) * run->q[r];
  }
  for (ptrdiff_t k = 0; k < run->n_load; k++) twice += run->p[k] * run->x[k];
  for (ptrdiff_t i = 0; i < 3 * c->n; i++) {
    const double dz = c->now.z[i] - run->z_0[i];
    twice -= dz * (c->now.lambda[i] - run->l_0[i]);
    potential -= dz * run->l_0[i];
  }
  e.strain = 0.5 * twice + potential + sum_layers(c) - run->layer_0;
  e.friction = ms_contact_add_up(c, -1).dissipated - run->friction;
  e.balance =
      e.start + e.input - e.kinetic - e.strain - e.viscous - e.friction - e.opening - e.corner;
  return e;
}
