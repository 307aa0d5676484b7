/* A run of a contact in time, as its files see it. */
#ifndef MS_RESPONSE_CONTACT_DYNAMIC_IMPL_H
#define MS_RESPONSE_CONTACT_DYNAMIC_IMPL_H

#include <microslip/contact_dynamics.h>

#include "response/contact/impl.h"

struct ms_contact_run {
  ms_context *ctx;
  const ms_contact_modal *modal;
  ms_contact *contact; /* with the springs k */
  ptrdiff_t m, n_load; /* modes, other loads */
  double dt;
  ptrdiff_t step;
  double *store;     /* all of the numbers: */
  double *c;         /* m: 2 zeta omega */
  double *k;         /* m, then zeros for other loads; 0: a rigid-body mode */
  double *load;      /* m + n_load */
  double *q, *v, *a; /* m */
  double *s_0, *q_0; /* m: inertia in the state from which `contact` counts, where q = 0, and q
                        of modes without inertia, */
  double *f, *f_next, *q_old; /* m: forces on the modes, now and at the end of the step */
  double *p_0, *u_0;          /* n_load: and loads and displacements there */
  double *p, *u, *x;          /* n_load: x: u without rigid-body modes */
  double *p_old, *u_old;
  double *z_0, *l_0;     /* 3 n: at rest */
  double *z, *l;         /* 3 n: where energies were added up last */
  double *dissipated;    /* n */
  unsigned char *status; /* n */
  double layer_0;        /* J, in the layers at rest */
  double friction;       /* J, dissipated before the run */
  ms_contact_energy energy;
};

/* springs.c: as ms_contact_add_springs, but it goes on from the points of `state`. */
ms_status ms_contact_make_sprung(ms_context *ctx, const ms_contact *from, const double *stiffness,
                                 const ms_contact *state, ms_contact **out);

/* energy.c: at rest, and after a step. */
void ms_contact_run_open_energy(ms_contact_run *run);
void ms_contact_run_add_energy(ms_contact_run *run, double viscous);

#endif
