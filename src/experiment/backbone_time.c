/* Points of a backbone from tests in time: ring-downs and sweeps. */
#include <microslip/backbone.h>
#include <stdio.h>

#include "core/internal.h"

ms_status ms_backbone_add_ringdowns(ms_context *ctx, const ms_structure *s,
                                    const ms_backbone_setting *setting, const ms_curves *from,
                                    const char *name, ms_backbone_curve *curve) {
  ptrdiff_t runs = 0, unread = 0;
  MS_NEED(ctx, ctx && s && from && name && curve);
  for (ptrdiff_t i = 0; i < from->n_curve; i++) {
    const ms_decay *decay = from->curve[i].decay;
    if (from->curve[i].mode != curve->mode) continue;
    MS_TRY(ms_backbone_add_decay(ctx, s, setting, decay, MS_BACKBONE_DECAY, curve));
    runs++;
    unread += decay->n == 0;
  }
  curve->partial = unread > 0 || runs == 0;
  curve->absent = runs == 0;
  if (runs == 0) {
    snprintf(curve->remark, sizeof curve->remark, "%.60s has no run of this mode", name);
  } else if (unread > 0) {
    snprintf(curve->remark, sizeof curve->remark, "%td of %td runs of %.60s could not be read",
             unread, runs, name);
  }
  return MS_SUCCESS;
}

ms_status ms_backbone_add_sweeps(ms_context *ctx, const ms_structure *s,
                                 const ms_backbone_setting *setting, ptrdiff_t n,
                                 const ms_sweep_run *run, ptrdiff_t *fast,
                                 ms_backbone_curve *curve) {
  MS_NEED(ctx, ctx && s && (run || n == 0) && fast && curve);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (run[i].sweep.n == 0) continue;
    ms_decay_point row = ms_sweep_get_resonance(&run[i]);
    const ms_decay resonance = { 1, &row };
    MS_TRY(ms_backbone_add_decay(ctx, s, setting, &resonance, MS_BACKBONE_FORCE, curve));
    *fast += run[i].sweep.severity > MS_SWEEP_LIMIT;
  }
  curve->partial = curve->absent = curve->n == 0;
  curve->remark[0] = '\0';
  if (curve->n == 0) {
    snprintf(curve->remark, sizeof curve->remark, "no sweep has a resonance of this mode");
  } else if (*fast > 0) {
    snprintf(curve->remark, sizeof curve->remark,
             "%td of %td sweeps were too fast for this damping", *fast, curve->n);
  }
  return MS_SUCCESS;
}
