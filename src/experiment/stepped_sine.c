/* Stepped sine: at each level the frequency is that at which the response is a quarter period
   behind the force. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>

#include "core/internal.h"
#include "experiment/pack.h"
#include "experiment/periodic.h"
#include "structure/impl.h"

ms_stepped_plan ms_stepped_default(void) {
  return (ms_stepped_plan) { .harmonic = MS_HARMONIC_DEFAULT };
}

ms_status ms_stepped_check(ms_context *ctx, const ms_structure *s, const ms_stepped_plan *plan,
                           int mode) {
  MS_NEED(ctx, ctx && s && plan && plan->force);
  const ms_modes stuck = ms_structure_get_stuck(s);
  double size;
  if (mode < 0 || mode >= stuck.n) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "there is no mode %d; modes are 1 to %td", mode + 1,
                   stuck.n);
  }
  const double force = ms_structure_get_modal_force(s, mode, plan->force, &size);
  if (stuck.omega[mode] == 0.0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "mode %d is a rigid-body mode and has no resonance",
                   mode + 1);
  }
  if (fabs(force) > ms_structure_tol.no_force * size) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "the load does no work on mode %d", mode + 1);
}

/* ---- the run ---- */

int ms_stepped_has_level(const ms_stepped_run *run, ptrdiff_t i) {
  for (ptrdiff_t k = 0; k < run->curve.n; k++) {
    if (run->curve.point[k].level == run->plan->level[i]) return 1;
  }
  return 0;
}

/* Only the levels of the list: a laboratory has no others. A run may come to its end and have
   missed some on its way. */
static ms_status read_curve(ms_context *ctx, const ms_structure *s, ms_harmonic *h,
                            const ms_harmonic_curve *curve, ms_stepped_run *run) {
  const ms_stepped_plan *plan = run->plan;
  ms_periodic *p = &run->curve;
  MS_TRY(ms_periodic_read(ctx, s, h, curve, plan->harmonic.harmonics, 1, plan->n_sensor,
                          plan->sensor, p));
  for (ptrdiff_t i = 0; i < p->n; i++) { /* the logarithm has rounded it */
    p->point[i].level = plan->level[p->point[i].listed - 1];
  }
  for (ptrdiff_t i = 0; i < plan->n_level; i++) run->missing += !ms_stepped_has_level(run, i);
  if (p->complete && run->missing > 0) {
    snprintf(p->remark, sizeof p->remark, "%td levels were passed but not solved", run->missing);
    p->complete = 0;
  }
  return MS_SUCCESS;
}

static ms_status follow(ms_harmonic *h, const ms_harmonic_range *level, const void *user,
                        ms_harmonic_curve **out) {
  const ms_stepped_run *run = user;
  return ms_harmonic_run_resonance(h, run->mode, run->plan->track, MS_HARMONIC_LEVEL, level, out);
}

ms_status ms_stepped_simulate(ms_context *ctx, ms_structure *structure, ms_stepped_run *run) {
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  MS_NEED(ctx, ctx && structure && run && run->plan && run->plan->level);
  const ms_stepped_plan *p = run->plan;
  MS_TRY(ms_stepped_check(ctx, structure, p, run->mode));
  if (p->n_level < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a stepped sine needs a level");
  for (ptrdiff_t i = 0; i < p->n_level; i++) {
    if (p->level[i] > 0.0 && (i == 0 || p->level[i] >= p->level[i - 1])) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "levels must be > 0 and rise; level %td is %g", i + 1,
                   p->level[i]);
  }
  const ms_harmonic_range range = {
    .from = p->level[0], .to = p->level[p->n_level - 1], .list = p->level, .n_list = p->n_level
  };
  ms_status status = ms_periodic_open(structure, &p->harmonic, p->force, p->preload, &h);
  if (status == MS_SUCCESS) {
    status = run->keep ? run->keep(run->user, h, &range, follow, run, &curve)
                       : follow(h, &range, run, &curve);
    if (status == MS_SUCCESS) {
      status = read_curve(ctx, structure, h, curve, run);
    } else if (!curve) {
      run->missing = p->n_level;
      status = ms_periodic_excuse(ctx, status, &run->curve);
    }
  }
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  return status;
}

void ms_stepped_free(ms_context *ctx, ms_stepped_run *run) {
  ms_periodic_free(ctx, &run->curve);
}

/* ---- as numbers ---- */

ptrdiff_t ms_stepped_save(const void *item, double *values) {
  const ms_stepped_run *run = item;
  ms_packer t = { .values = values };
  ms_pack_number(&t, (double)run->missing);
  ms_periodic_pack(&t, &run->curve);
  return t.n;
}

ms_status ms_stepped_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n) {
  ms_stepped_run *run = item;
  ms_unpacker r = { .values = values, .n = n };
  const double *missing = ms_unpack_numbers(&r, 1);
  MS_TRY(ms_periodic_unpack(ctx, &r, &run->curve));
  run->missing = (ptrdiff_t)*missing;
  return MS_SUCCESS;
}

int ms_stepped_warning(const ms_stepped_run *run, const char *unit, int i, ms_doubt *doubt,
                       char *text, size_t size) {
  const ms_periodic *c = &run->curve;
  ptrdiff_t k = 0;
  *doubt = c->ended && c->n > 0 ? MS_DOUBT_NOTE : MS_DOUBT_MISSING;
  if (!c->complete && i-- == 0) {
    snprintf(text, size, "mode %d has no solution at %td of %td levels: %s", run->mode + 1,
             run->missing, run->plan->n_level, c->remark);
    return 1;
  }
  while (k < c->n && !(c->point[k].zeta > 1.0)) k++;
  if (k == c->n || i != 0) return 0;
  *doubt = MS_DOUBT_SUSPECT;
  snprintf(text, size,
           "mode %d has damping ratios above 1 from level %g %s on: the motion does not oscillate",
           run->mode + 1, c->point[k].level, unit);
  return 1;
}
