/* Loss per cycle of the levels. A joint whose steady loop between +z and -z has its tips on the
   virgin curve, as Masing's rules and odd springs have it, takes part in a steady cycle of the
   whole whose turning points are the first loading's, +x and -x, as long as no joint turns back
   between them. Then the loss is the sum of the joints' own. Where any of this fails, the load is
   cycled. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

enum { OWN_POINTS = 256, OWN_TURNS = 40 };

double ms_static_energy(const ms_joint *joint) {
  ms_joint_energy e = { 0.0, 0.0 };
  if (joint->law->energy) joint->law->energy(joint->model, joint->state, &e);
  return e.dissipated;
}

/* Closed form, where the law has one for the very curve that it steps along (which discrete
   sliders do not: their closed forms are the exact element's). */
static int closed_form(const ms_quasistatic_tolerances *tol, const ms_joint *j, double z, double f,
                       double omega, double *D) {
  double force, slope;
  if (!(j->law->info.flags & MS_LAW_MASING) || !j->law->cycle || !j->law->backbone) return 0;
  j->law->backbone(j->model, z, &force, &slope);
  if (fabs(force - f) > tol->on_curve * fabs(f)) return 0;
  *D = j->law->cycle(j->model, fabs(z), omega);
  return 1;
}

/* One turn along the straight line between middle + z and middle - z. */
static ms_status turn_line(const ms_static_attachment *attachment, const double *middle,
                           const double *z, double omega, double *D) {
  const double pi = acos(-1.0);
  double begin = ms_static_energy(attachment->joint), area = 0.0, u_old[3] = { 0 },
         f_old[3] = { 0 };
  for (int i = 0; i <= OWN_POINTS; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    double angle = 2.0 * pi * i / OWN_POINTS;
    in.dt = i > 0 ? 2.0 * pi / OWN_POINTS / omega : 0.0;
    for (int a = 0; a < attachment->n; a++) {
      in.u[a] = middle[a] + z[a] * (i % OWN_POINTS ? cos(angle) : 1.0);
      in.v[a] = -z[a] * omega * (i % (OWN_POINTS / 2) ? sin(angle) : 0.0);
    }
    MS_TRY(ms_joint_step(attachment->joint, &in, &out));
    for (int a = 0; a < attachment->n; a++) {
      if (i > 0) area += 0.5 * (out.force[a] + f_old[a]) * (in.u[a] - u_old[a]);
      u_old[a] = in.u[a];
      f_old[a] = out.force[a];
    }
  }
  *D = attachment->joint->law->energy ? ms_static_energy(attachment->joint) - begin : area;
  return MS_SUCCESS;
}

/* From rest, to the joint's line in level k and round it. */
static ms_status cycle_line(ms_quasistatic *run, int j, ptrdiff_t k, double *D) {
  const ms_static_attachment *attachment = &run->attachment[j];
  const ms_quasistatic_level *level = &run->level[k];
  double before = HUGE_VAL, middle[MS_JOINT_MAX_AXIS];
  for (int a = 0; a < attachment->n; a++) {
    ptrdiff_t i = attachment->first + a;
    middle[a] = run->z_0[i];
    if (level->both_sides) {
      middle[a] += 0.5 * (ms_static_tip(run, k, 0)[2 + i] + ms_static_tip(run, k, 1)[2 + i]);
    }
  }
  MS_TRY(ms_static_start_joint(run, j));
  for (int turn = 0; turn < OWN_TURNS; turn++) {
    MS_TRY(turn_line(attachment, middle, level->z + attachment->first, level->omega, D));
    if (fabs(*D - before) <= run->setting.tol.steady * fabs(*D)) break;
    before = *D;
  }
  return MS_SUCCESS;
}

/* A joint cycles about zero by itself, unless rest or the middle of its motion is elsewhere; but
   where it forgets the past, or follows Masing's rules, the middle is the same to it. */
static ms_status cycle_joint(ms_quasistatic *run, int j, ptrdiff_t k, double *D, int *on_curve) {
  const ms_quasistatic_tolerances *tol = &run->setting.tol;
  const ms_static_attachment *attachment = &run->attachment[j];
  const ms_quasistatic_level *level = &run->level[k];
  const double *z = level->z + attachment->first, *f = level->f + attachment->first;
  int moved = run->p || level->both_sides;
  if (attachment->n > 1) return cycle_line(run, j, k, D);
  if (!moved || attachment->joint->law->fading) {
    *on_curve = 1;
    *D = 0.0;
    if (z[0] == 0.0 || closed_form(tol, attachment->joint, z[0], f[0], level->omega, D))
      return MS_SUCCESS;
    /* *on_curve: both tips of the steady loop are where first loading is. */
    double force[OWN_POINTS + 1];
    ms_joint_cycle cycle;
    MS_TRY(ms_joint_run_cycle(attachment->joint, fabs(z[0]), level->omega, OWN_POINTS, NULL, force,
                              &cycle));
    double tip = z[0] < 0.0 ? -f[0] : f[0], size = 0.0;
    for (int i = 0; i <= OWN_POINTS; i++) size = fmax(size, tol->on_curve * fabs(force[i]));
    *on_curve = fabs(force[0] - tip) <= size && fabs(force[OWN_POINTS / 2] + tip) <= size;
    /* With Masing's rules the closed form was not the joint's. */
    int masing = (attachment->joint->law->info.flags & MS_LAW_MASING) != 0;
    *D = cycle.has_closed_form && !masing ? cycle.D_closed_form : cycle.D;
    return MS_SUCCESS;
  }
  if (closed_form(tol, attachment->joint, z[0], f[0], level->omega, D)) return MS_SUCCESS;
  return cycle_line(run, j, k, D);
}

static ms_status own_losses(ms_quasistatic *run, ptrdiff_t k, int *valid) {
  ms_quasistatic_level *level = &run->level[k];
  double *D = ms_static_store(run, k) + 2 * run->n;
  int rqnm = run->setting.kind == MS_QUASISTATIC_RQNM, on_curve = 1;
  level->method = MS_LOSS_OWN;
  level->D = 0.0;
  *valid = 1;
  for (int j = 0; j < run->modal.n_attachment && *valid; j++) {
    const ms_static_attachment *attachment = &run->attachment[j];
    ms_status status = k < run->n_curve ? MS_SUCCESS : cycle_joint(run, j, k, &D[j], &on_curve);
    if (status != MS_SUCCESS) {
      return ms_fail_at(run->ctx, status, "joint %s", run->modal.attachment[j].name);
    }
    level->D += D[j];
    *valid = rqnm || (on_curve && attachment->n == 1);
  }
  return MS_SUCCESS;
}

static void fill_omega(ms_quasistatic_level *level) {
  level->omega = sqrt(level->alpha / level->q);
}

static ms_status fill_level(ms_quasistatic *run, ptrdiff_t k) {
  ms_quasistatic_level *level = &run->level[k];
  int own = !run->p && !run->setting.cycled && !run->has_turned[k];
  if (run->setting.kind == MS_QUASISTATIC_RQNM) own = 1;
  fill_omega(level); /* the cycles ask for it */
  if (own) MS_TRY(own_losses(run, k, &own));
  if (!own) {
    MS_TRY(ms_static_cycle(run, k));
    fill_omega(level);
  }
  level->zeta_joint = level->D / (2.0 * acos(-1.0) * level->alpha * level->q);
  level->zeta_viscous = 0.5 * run->c_r / level->omega;
  level->zeta = level->zeta_joint + level->zeta_viscous;
  return MS_SUCCESS;
}

ms_status ms_static_fill_losses(ms_quasistatic *run) {
  ptrdiff_t n = run->n_level;
  run->n_level = 0;
  MS_TRY(ms_static_leave_curve(run)); /* cycles are made of the joints' own steps */
  for (ptrdiff_t k = 0; k < n; k++) {
    run->n_level = k; /* what is whole so far */
    MS_TRY(ms_progress(run->ctx, "losses", (double)k / (double)n));
    ms_status status = fill_level(run, k);
    if (status != MS_SUCCESS) {
      return ms_fail_at(run->ctx, status, "loss at level %td of %td", k + 1, n);
    }
  }
  run->n_level = n;
  return MS_SUCCESS;
}
