/* Contacts between solids in the place of joints (microslip/contact_dynamics.h). The lowest modes,
   as many as the contact at rest has loads, move with it; the others go on as without joints. */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

static ms_status check(const ms_transient *run) {
  const ms_transient_setting *s = &run->setting;
  if (run->n_own > 0) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "a structure with contacts between solids has no joints beside them");
  }
  if (strcmp(s->method, "newmark") != 0 || s->beta != 0.25 || s->gamma != 0.5 ||
      s->tolerance > 0.0) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "contacts between solids take method newmark with beta = 1/4, gamma = 1/2 and "
                   "steps of one length");
  }
  if (run->damping_full) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "contacts between solids take damping that the modes diagonalise");
  }
  return MS_SUCCESS;
}

static double sign_of(const ms_transient *run, ptrdiff_t r) {
  const double *sign = run->structure->contact->sign;
  return sign ? sign[r] : 1.0;
}

static ms_status create(ms_transient *run) {
  ms_contact_modal *modal = &run->modal;
  double *zeta;
  MS_TRY(ms_allocate(run->ctx, modal->n_mode, sizeof *zeta, &zeta));
  for (ptrdiff_t r = 0; r < modal->n_mode; r++) {
    if (modal->omega[r] > 0.0) zeta[r] = 0.5 * run->damping[r] / modal->omega[r];
  }
  const ms_status status =
      ms_contact_run_create(run->ctx, modal, zeta, run->setting.step, &run->contact);
  ms_free(run->ctx, &zeta);
  return status;
}

/* How many of the modes are modes of the bodies, from the first. The others do not move with the
   contact: what its slip would be in them says nothing. */
static ms_status count_modes(ms_transient *run) {
  const double *mac = run->structure->contact->mac;
  ms_contact_modal *modal = &run->modal;
  const double least = ms_contact_get_setting(modal->contact)->tol.paired;
  while (modal->n_load > 0 && (!mac || mac[modal->n_mode] >= least)) {
    modal->n_mode++;
    modal->n_load--;
  }
  if (modal->n_mode > 0) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                 "mode 1 of the reduced structure is no mode of the bodies (MAC %.2f): take more "
                 "modes",
                 mac[0]);
}

ms_status ms_transient_open_contact(ms_transient *run) {
  const ms_contact_family *family = run->structure->contact;
  ms_contact_modal *modal = &run->modal;
  if (!family || !family->rest) return MS_SUCCESS;
  MS_TRY(check(run));
  MS_TRY(ms_contact_copy(run->ctx, family->rest, &modal->contact));
  MS_TRY(ms_contact_return(modal->contact));
  modal->n_load = ms_contact_get(modal->contact).n_load;
  if (modal->n_load > run->m) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT, "a contact under loads of %td modes, of %td",
                   modal->n_load, run->m);
  }
  MS_TRY(count_modes(run));
  MS_TRY(ms_allocate(run->ctx, modal->n_mode, sizeof *modal->omega, &modal->omega));
  MS_TRY(ms_allocate(run->ctx, modal->n_mode * modal->n_load + 1, sizeof *modal->follow,
                     &modal->follow)); /* orthogonal: zero */
  memcpy(modal->omega, run->omega, (size_t)modal->n_mode * sizeof *modal->omega);
  return create(run);
}

void ms_transient_close_contact(ms_transient *run) {
  ms_contact_run_destroy(&run->contact);
  ms_contact_modal_free(run->ctx, &run->modal);
}

/* Forces on its modes at the end of a step. */
static void push(ms_transient *run, const double *p) {
  for (ptrdiff_t r = 0; r < run->modal.n_mode; r++) run->g[r] = sign_of(run, r) * p[r];
  ms_contact_run_push(run->contact, run->g);
}

ms_status ms_transient_start_contact(ms_transient *run) {
  for (ptrdiff_t r = 0; r < run->m; r++) {
    if (run->q[r] == 0.0) continue;
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "contacts between solids start from rest after their preload: no displacement "
                   "at the start, and no other preload");
  }
  if (run->started) ms_contact_run_destroy(&run->contact);
  if (run->started) MS_TRY(create(run));
  run->started = 1;
  push(run, run->p);
  for (ptrdiff_t r = 0; r < run->modal.n_mode; r++) run->g[r] = sign_of(run, r) * run->v[r];
  MS_TRY(ms_contact_run_start(run->contact, NULL, run->g));
  run->start_energy = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) run->start_energy += 0.5 * run->v[r] * run->v[r];
  return MS_SUCCESS;
}

ms_status ms_transient_move_contact(ms_transient *run) {
  push(run, run->p_next);
  MS_TRY(ms_contact_run_step(run->contact, run->modal.follow)); /* nothing but on the modes */
  const ms_contact_motion m = ms_contact_run_get(run->contact);
  for (ptrdiff_t r = 0; r < run->modal.n_mode; r++) {
    const double sign = sign_of(run, r);
    run->q_next[r] = sign * m.q[r];
    run->v_next[r] = sign * m.v[r];
    run->a_next[r] = sign * m.a[r];
  }
  return MS_SUCCESS;
}

double ms_transient_contact_energy(const ms_transient *run, double *elastic) {
  const ms_contact_energy e = ms_contact_run_get_energy(run->contact);
  for (ptrdiff_t r = 0; r < run->modal.n_mode; r++) {
    *elastic -= 0.5 * run->omega[r] * run->omega[r] * run->q[r] * run->q[r];
  }
  *elastic += e.strain;
  return e.friction;
}

const ms_contact_run *ms_transient_get_contact(const ms_transient *run) {
  return run->contact;
}
