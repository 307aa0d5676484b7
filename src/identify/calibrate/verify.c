/* What was found, in time: structures with other parameters, and ring-downs against targets. */
#include <math.h>
#include <microslip/calibrate_methods.h>

#include "core/internal.h"
#include "identify/calibrate/free_parameters.h"
#include "structure/impl.h"

static ms_status set_joints(ms_structure *structure, ptrdiff_t n,
                            const ms_free_parameter *parameter, const double *p) {
  ms_places places = { .ctx = structure->ctx };
  ms_status status = ms_places_take(structure, n, parameter, &places);
  if (status == MS_SUCCESS) status = ms_places_set_all(&places, p);
  places.touched = 0; /* they stay */
  ms_places_free(&places);
  return status;
}

static ms_status remove_damping(ms_context *ctx, ms_structure *structure) {
  double *none;
  MS_TRY(ms_allocate(ctx, structure->n, sizeof *none, &none));
  ms_status status = ms_structure_set_modal_damping(structure, none);
  ms_free(ctx, &none);
  return status;
}

ms_status ms_calibrated_copy(ms_context *ctx, const ms_structure *structure, ptrdiff_t n_parameter,
                             const ms_free_parameter *parameter, const double *p, int undamped,
                             ms_structure **out) {
  MS_MAKE(ctx, out, structure);
  MS_TRY(ms_structure_copy(ctx, structure, out));
  ms_status status = p ? set_joints(*out, n_parameter, parameter, p) : MS_SUCCESS;
  if (status == MS_SUCCESS && undamped) status = remove_damping(ctx, *out);
  if (status == MS_SUCCESS) status = ms_structure_setup(*out);
  if (status != MS_SUCCESS) ms_structure_destroy(out);
  return status;
}

/* Of a mode the viscous part is zeta_0 omega_0/omega. */
ms_status ms_calibrated_reference(ms_context *ctx, const ms_structure *structure,
                                  const ms_curve_option *option, const ms_target_view *view,
                                  int undamped, ms_points *out) {
  const ptrdiff_t n = view->n;
  *out = (ms_points) { .n = n };
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *out->q, &out->q));
  out->omega = out->q + n;
  out->zeta = out->q + 2 * n;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double omega = view->target[0][i];
    const double viscous = -ms_structure_get_excess_damping(structure, option->mode, omega, 0.0);
    out->q[i] = view->x[i];
    out->omega[i] = omega;
    out->zeta[i] = view->target[1][i] + ((double)option->joint_part - (double)undamped) * viscous;
  }
  return MS_SUCCESS;
}

ms_points_difference ms_points_compare(const ms_points *reference, const ms_decay *decay) {
  ms_points_difference d = { .n = 0 };
  ptrdiff_t n_zeta = 0;
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    const ms_decay_point *p = &decay->point[i];
    const double omega = ms_points_omega(reference, p->q), zeta = ms_points_zeta(reference, p->q);
    if (!(omega > 0.0)) continue;
    double e = p->omega / omega - 1.0;
    d.omega += e * e;
    d.omega_most = fmax(d.omega_most, fabs(e));
    d.n++;
    if (!(zeta > 0.0)) continue;
    e = p->zeta / zeta - 1.0;
    d.zeta += e * e;
    d.zeta_most = fmax(d.zeta_most, fabs(e));
    n_zeta++;
  }
  if (d.n > 0) d.omega = sqrt(d.omega / (double)d.n);
  if (n_zeta > 0) d.zeta = sqrt(d.zeta / (double)n_zeta);
  return d;
}

/* ---- runs made again ---- */

/* Those of set k. */
static ms_status prepare_set(ms_context *ctx, const ms_structure *structure, ms_again *again,
                             ptrdiff_t k) {
  const ms_curves *from = again->from;
  ms_structure *changed;
  MS_TRY(ms_calibrated_copy(ctx, structure, again->n_parameter, again->parameter, again->p[k],
                            again->undamped, &changed));
  ptrdiff_t like = 0;
  double mac;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < from->n_run && status == MS_SUCCESS; i++) {
    int *mode = &again->mode[again->curves.n_run];
    ms_pulse_run *run = &again->curves.run[again->curves.n_run++];
    *run = ms_pulse_again(&from->run[i], MS_RING_HILBERT);
    run->mode = mode;
    run->keep_traces = 1;
    status = ms_structure_find_like(changed, structure, from->run[i].mode[0], &like, &mac);
    *mode = (int)like;
  }
  ms_structure_destroy(&changed);
  return status;
}

ms_status ms_again_prepare(ms_context *ctx, const ms_structure *structure, ms_again *again) {
  MS_NEED(ctx, ctx && structure && again && again->from && again->p);
  const ptrdiff_t n = again->n_set * again->from->n_run;
  ms_status status = MS_SUCCESS;
  ms_again_free(ctx, again);
  MS_TRY(ms_allocate(ctx, n, sizeof *again->mode, &again->mode));
  MS_TRY(ms_allocate(ctx, n, sizeof *again->curves.run, &again->curves.run));
  MS_TRY(ms_allocate(ctx, n, sizeof *again->curves.curve, &again->curves.curve));
  for (ptrdiff_t k = 0; k < again->n_set && status == MS_SUCCESS; k++) {
    status = prepare_set(ctx, structure, again, k);
  }
  return status;
}

ms_status ms_again_simulate(ms_context *ctx, const ms_structure *structure, ms_again *again,
                            ptrdiff_t job) {
  ms_structure *changed;
  MS_TRY(ms_calibrated_copy(ctx, structure, again->n_parameter, again->parameter,
                            again->p[job / again->from->n_run], again->undamped, &changed));
  ms_status status = ms_pulse_simulate(ctx, changed, &again->curves.run[job]);
  ms_structure_destroy(&changed);
  return status;
}

void ms_again_collect(ms_again *again) {
  again->curves.n_curve = 0;
  for (ptrdiff_t k = 0; k < again->curves.n_run; k++) {
    const ms_curve *like = &again->from->curve[k % again->from->n_run];
    ms_curves_add(&again->curves, k, 0, like->mode, like->source);
  }
}

void ms_again_free(ms_context *ctx, ms_again *again) {
  ms_curves_free(ctx, &again->curves);
  ms_free(ctx, &again->mode);
}
