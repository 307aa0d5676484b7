/* Derivatives through the history of a loaded law. With h and w of normal_load.h,

     dh = k K_n du_n + N_0 dalpha + K_n u_n dk,
     dw = du - (du_0 - dw_0)                                                 in contact, or
     dw = dw_0 + share (du - du_0) + (u - u_0) (dshare/dh dh + dshare/dh_0 dh_0)  from apart,

   and the member carries its own with dw, dalpha = dN/N_ref, dk = kappa dk + k dkappa/dN dN. What
   du, dv, dalpha and dk of the step itself do to the force is in it before; the share of du_0, dw_0
   and dh_0 is added here, that of the member's memory by the member. */
#include <string.h>

#include "joint/contact/normal_load.h"

/* Rows of what is remembered, then some to work in, then the member's. */
enum {
  ROW_U,
  ROW_W = ROW_U + MS_LOADED_AXES,
  ROW_H = ROW_W + MS_LOADED_AXES,
  ROW_NEW_W,
  ROW_NEW_H = ROW_NEW_W + MS_LOADED_AXES,
  ROW_ALPHA,
  ROW_K,
  N_ROW
};

static double *row_at(const ms_step_sensitivity *d, int row) {
  return d->row + d->n * row;
}

/* The member's step once more; it does not fail, because it went well in update. */
static ms_loaded_step member_step(const ms_loaded_model *m, const void *state,
                                  const ms_joint_input *in, ms_joint_output *out,
                                  ms_joint_trial *trial) {
  const ms_loaded_step step = ms_loaded_place(m, state, in);
  (void)m->member->law->update(m->member->model, m->member->state, &step.in, out, trial);
  return step;
}

ptrdiff_t ms_loaded_rows(const void *model, const void *state, const ms_joint_trial *trial) {
  const ms_loaded_model *m = model;
  const ms_joint *j = m->member;
  ms_joint_input in;
  ms_joint_output out;
  ms_joint_trial own;
  if (!j->law->count_rows) return N_ROW + j->law->n_row;
  if (!trial) return N_ROW + j->law->count_rows(j->model, j->state, NULL);
  memcpy(&in, trial->real, sizeof in);
  member_step(m, state, &in, &out, &own);
  return N_ROW + j->law->count_rows(j->model, j->state, &own);
}

void ms_loaded_sensitivity_start(const void *model, const void *state,
                                 const ms_step_sensitivity *d) {
  const ms_loaded_model *m = model;
  const ms_joint *j = m->member;
  const size_t bytes = (size_t)m->n * ms_sensitivity_bytes(d);
  ms_step_sensitivity own = { .n = d->n, .u = d->u, .row = row_at(d, N_ROW) };
  (void)state;
  memcpy(row_at(d, ROW_U), d->u, bytes);
  memcpy(row_at(d, ROW_W), d->u, bytes);
  ms_sensitivity_add(d->n, m->K_n, d->u + d->n * m->n, row_at(d, ROW_H));
  if (j->law->sensitivity_start) {
    j->law->sensitivity_start(j->model, j->state, &own);
  } else if (j->law->n_row > 0 || j->law->count_rows) {
    memcpy(own.row, d->u, bytes);
  }
}

/* dw of axis i as far as what is remembered makes it. */
static void sensitivity_old(const ms_loaded_step *step, double du, int i,
                            const ms_step_sensitivity *d) {
  double *w = row_at(d, ROW_NEW_W + i);
  memcpy(w, row_at(d, ROW_W + i), ms_sensitivity_bytes(d));
  ms_sensitivity_add(d->n, -step->share, row_at(d, ROW_U + i), w);
  ms_sensitivity_add(d->n, du * step->dshare_dh_0, row_at(d, ROW_H), w);
}

static void sensitivity_load(const ms_loaded_model *m, const ms_joint_input *in,
                             const ms_loaded_step *step, const ms_step_sensitivity *d) {
  const ptrdiff_t n = d->n;
  double *dh = row_at(d, ROW_NEW_H), *alpha = row_at(d, ROW_ALPHA), *k = row_at(d, ROW_K);
  for (ptrdiff_t i = 0; i < n; i++) {
    dh[i] =
        in->k * m->K_n * d->u[i + n * m->n] + m->N_0 * d->alpha[i] + m->K_n * in->u[m->n] * d->k[i];
    alpha[i] = step->dN_dh / m->N_ref * dh[i];
    k[i] = step->kappa * d->k[i] + in->k * step->dkappa_dN * step->dN_dh * dh[i];
  }
}

void ms_loaded_sensitivity(const void *model, const void *state, const ms_joint_input *in,
                           const ms_joint_output *out, ms_joint_trial *trial,
                           const ms_step_sensitivity *d) {
  const ms_loaded_model *m = model;
  const ms_loaded_state *s = state;
  const ms_joint *j = m->member;
  const ptrdiff_t n = d->n;
  ms_joint_output own_out;
  const ms_loaded_step step = member_step(m, state, in, &own_out, m->marked);
  (void)out;
  sensitivity_load(m, in, &step, d);
  for (int i = 0; i < m->n; i++) sensitivity_old(&step, in->u[i] - s->u[i], i, d);
  for (int ab = 0; ab < m->n * m->n; ab++) {
    ms_sensitivity_add(n, own_out.du[ab], row_at(d, ROW_NEW_W + ab / m->n),
                       d->force + n * (ab % m->n));
  }
  for (int i = 0; i < m->n; i++) {
    double *w = row_at(d, ROW_NEW_W + i);
    ms_sensitivity_add(n, step.share, d->u + n * i, w);
    ms_sensitivity_add(n, (in->u[i] - s->u[i]) * step.dshare_dh, row_at(d, ROW_NEW_H), w);
  }
  ms_step_sensitivity own = { .n = n,
                              .u = row_at(d, ROW_NEW_W),
                              .v = d->v,
                              .dt = d->dt,
                              .alpha = row_at(d, ROW_ALPHA),
                              .k = row_at(d, ROW_K),
                              .loaded = 1,
                              .row = row_at(d, N_ROW),
                              .force = d->force };
  j->law->sensitivity(j->model, j->state, &step.in, &own_out, m->marked, &own);
  trial->whole[MS_LOADED_MARKED] = 1;
  memcpy(row_at(d, ROW_U), d->u, (size_t)m->n * ms_sensitivity_bytes(d));
  memcpy(row_at(d, ROW_W), row_at(d, ROW_NEW_W), (size_t)m->n * ms_sensitivity_bytes(d));
  memcpy(row_at(d, ROW_H), row_at(d, ROW_NEW_H), ms_sensitivity_bytes(d));
}
