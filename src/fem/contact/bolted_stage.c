/* Bolts in the stages of a preload. The model has all of them open, with the tension of each as a
   load; those whose length is held are taken out of the condensed problem. */
#include "fem/contact/bolt.h"

#include <math.h>

#include <cblas.h>

#include "core/internal.h"
#include "fem/model/model.h"

static ms_status check_stage(ms_context *ctx, const ms_fem_assembly *a, const ms_fem_stage *stage) {
  for (int i = 0; i < stage->n_bolt; i++) {
    const ms_contact_tightening *t = &stage->bolt[i];
    const int number = (int)(stage - a->stage) + 1;
    if (t->bolt < 0 || t->bolt >= a->n_bolt) {
      return ms_fail(ctx, MS_ERR_ARGUMENT, "stage %d of the preload: bolt %d of %d", number,
                     t->bolt + 1, a->n_bolt);
    }
    const char *name = a->bolt[t->bolt].name;
    if (!(t->force > 0.0 && t->force < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS,
                     "stage %d of the preload: the force of bolt '%s' is %g N; it must be above 0",
                     number, name, t->force);
    }
    for (int j = 0; j < i; j++) {
      if (stage->bolt[j].bolt != t->bolt) continue;
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "stage %d of the preload tightens bolt '%s' twice: take two stages", number,
                     name);
    }
  }
  return MS_SUCCESS;
}

ms_status ms_bolts_check(ms_context *ctx, const ms_fem_assembly *a) {
  for (int k = 0; k < a->n_stage; k++) MS_TRY(check_stage(ctx, a, &a->stage[k]));
  for (int b = 0; b < a->n_bolt; b++) {
    int tightened = 0;
    for (int k = 0; k < a->n_stage; k++) {
      for (int i = 0; i < a->stage[k].n_bolt; i++) tightened |= a->stage[k].bolt[i].bolt == b;
    }
    if (tightened) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "no stage of the preload tightens bolt '%s'",
                   a->bolt[b].name);
  }
  return MS_SUCCESS;
}

ms_status ms_fem_add_bolts(ms_fem_model *m, const ms_fem_assembly *a) {
  MS_TRY(ms_bolts_check(m->ctx, a));
  for (int i = 0; i < a->n_bolt; i++) MS_TRY(ms_fem_add_bolt(m, &a->bolt[i], 1));
  return MS_SUCCESS;
}

int ms_bolts_is_free(const ms_fem_assembly *a, const ms_fem_stage *stage, int bolt) {
  int tightened = 0;
  for (const ms_fem_stage *s = a->stage; s < a->stage + a->n_stage && stage && s <= stage; s++) {
    for (int i = 0; i < s->n_bolt; i++) {
      if (s->bolt[i].bolt != bolt) continue;
      if (s == stage) return 1;
      tightened = 1;
    }
  }
  return stage && !tightened;
}

/* Flags of the condensed loads, and how they are mixed: the pushes (n_load) are left, or, of a
   stage, one load, from 0 to 1, of all that it presses with; bolts have forces r before it. */
static void mix_loads(const ms_fem_assembly *a, const ms_fem_stage *stage, double factor,
                      const double *r, ptrdiff_t n_load, unsigned char *held, double *W) {
  const ptrdiff_t n = n_load + a->n_bolt;
  for (ptrdiff_t k = 0; k < n_load; k++) W[k + n * k] = stage ? factor : 1.0;
  for (int i = 0; i < a->n_bolt; i++) held[n_load + i] = !ms_bolts_is_free(a, stage, i);
  for (int i = 0; stage && i < stage->n_bolt; i++) {
    const ms_contact_tightening *t = &stage->bolt[i];
    W[n_load + t->bolt] = factor * t->force - r[t->bolt];
  }
}

void ms_bolts_add_tensions(const ms_fem_stage *stage, const double *r, ptrdiff_t size,
                           double *load) {
  const double factor = stage->factor > 0.0 ? stage->factor : 1.0;
  for (int i = 0; i < stage->n_bolt; i++) {
    const ms_contact_tightening *t = &stage->bolt[i];
    const double more = factor * t->force - (r ? r[t->bolt] : 0.0);
    cblas_daxpy((int)size, more, load + size * (1 + t->bolt), 1, load, 1);
  }
}

ms_status ms_bolts_hold(ms_context *ctx, const ms_fem_assembly *a, const ms_fem_stage *stage,
                        double factor, const double *r, const ms_contact_problem *problem,
                        ms_contact_held *out) {
  const ptrdiff_t n_load = problem->n_load - a->n_bolt;
  double *W;
  MS_TRY(ms_allocate(ctx, problem->n_load * (n_load + 1), sizeof *W, &W));
  unsigned char *held = (unsigned char *)(W + problem->n_load * n_load);
  mix_loads(a, stage, factor, r, n_load, held, W);
  const ms_status status = ms_contact_hold_loads(ctx, problem, held, n_load, W, out);
  ms_free(ctx, &W);
  return status;
}

/* Forces of the bolts after stage k, from those before it; `change`: of the bolts that are held. */
static void list_forces(const ms_fem_assembly *a, int k, double factor, const double *change,
                        double *bolt) {
  const ms_fem_stage *stage = &a->stage[k];
  double *r = bolt + (ptrdiff_t)a->n_bolt * k;
  for (int i = 0, j = 0; i < a->n_bolt; i++) {
    r[i] = k > 0 ? r[i - a->n_bolt] : 0.0;
    if (!ms_bolts_is_free(a, stage, i)) r[i] += change[j++];
  }
  for (int i = 0; i < stage->n_bolt; i++) r[stage->bolt[i].bolt] = factor * stage->bolt[i].force;
}

ms_status ms_bolts_press(ms_context *ctx, const ms_fem_assembly *a, int k, double factor,
                         const ms_contact_problem *problem, const ms_contact_pressing *how,
                         ms_fem_rest *rest) {
  ms_contact_held held;
  double *change = NULL;
  rest->n_bolt = a->n_bolt;
  rest->cut = a->bolt;
  if (!rest->bolt) {
    MS_TRY(ms_allocate(ctx, (ptrdiff_t)a->n_bolt * a->n_stage, sizeof *rest->bolt, &rest->bolt));
  }
  const double *r = rest->bolt + (ptrdiff_t)a->n_bolt * (k > 0 ? k - 1 : 0);
  MS_TRY(ms_bolts_hold(ctx, a, &a->stage[k], factor, r, problem, &held));
  ms_status status = ms_allocate(ctx, a->n_bolt, sizeof *change, &change);
  if (!status && rest->contact) ms_contact_add_reactions(&held, rest->contact, -1.0, change);
  if (!status) status = ms_contact_push_stage(ctx, &held.problem, a->setting, how, rest);
  if (!status) {
    ms_contact_add_reactions(&held, rest->contact, 1.0, change);
    ms_contact_add_loads(&held, ms_contact_get(rest->contact).p, change);
    list_forces(a, k, factor, change, rest->bolt);
  }
  ms_free(ctx, &change);
  ms_contact_held_free(ctx, &held);
  return status;
}
