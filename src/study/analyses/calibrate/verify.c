/* verify: what was found, in time. The runs of an earlier ring-down or shock are made again with
   the parameters of each solution, and where the targets are this study's own, also with those
   that the study gives its joints; read as the earlier ones were, and held against the targets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/calibrate/free_parameters.h"
#include "study/analyses/calibrate/verify.h"
#include "study/file/options.h"

/* ---- options ---- */

typedef struct options {
  const char *from;
  int damping; /* 1: joint */
} options;

static const ms_param verify_keys[] = {
  MS_WORD(options, from, MS_REQUIRED, "the earlier `modal_ringdown` or `shock`"),
  MS_CHOICE(options, damping, "total|joint", MS_OPTIONAL,
            "joint: the runs are without the structure's own damping"),
};
const ms_param_list ms_verify_keys = MS_LIST_OF(verify_keys);

static ms_status read_source(const ms_study *s, const ms_task *task, struct fy_node *node,
                             ms_verify *v) {
  MS_TRY(ms_study_find_task(s, task, node, NULL, &v->from));
  const char *kind = v->from->kind->name;
  if (strcmp(kind, "modal_ringdown") == 0 || strcmp(kind, "shock") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "'%s' is a %s; name a modal_ringdown or a shock",
                      v->from->name, kind);
}

static ms_status check_targets(const ms_study *s, struct fy_node *node, const ms_calibrate *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (ms_target_curves_mode(&c->target[k], NULL) >= 0) return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "verify looks at curves of frequency and damping, and no target is one");
}

ms_status ms_verify_read(ms_study *s, const ms_task *task, struct fy_node *node, ms_calibrate *c) {
  options o = { 0 };
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->verify, &c->verify));
  MS_TRY(check_targets(s, node, c));
  if (!ms_yaml_is_mapping(node)) return read_source(s, task, node, c->verify);
  MS_TRY(ms_options_read(s, node, node, "verify", verify_keys, ms_verify_keys.n, &o));
  c->verify->bare = o.damping;
  return read_source(s, task, ms_yaml_get(node, "from"), c->verify);
}

int ms_verify_needs(const ms_verify *v, const ms_task *other) {
  return v && v->from == other;
}

void ms_verify_close(ms_study *s, ms_verify **verify) {
  ms_verify *v = *verify;
  if (!v) return;
  ms_curves_free(s->ctx, &v->curves);
  for (ptrdiff_t k = 0; v->set && k < v->n_set; k++) ms_free(s->ctx, &v->set[k].mode);
  ms_free(s->ctx, &v->set);
  ms_free(s->ctx, verify);
}

/* ---- a structure with other parameters ---- */

typedef struct changed {
  ms_structure *structure;
  ms_places places; /* of the joints that have the set's parameters */
} changed;

static void drop(changed *x) {
  ms_places_free(&x->places);
  ms_structure_destroy(&x->structure);
}

static ms_status remove_damping(ms_context *ctx, ms_structure *structure) {
  double *none;
  MS_TRY(ms_allocate(ctx, ms_structure_get_size(structure), sizeof *none, &none));
  ms_status status = ms_structure_set_modal_damping(structure, none);
  ms_free(ctx, &none);
  return status;
}

static ms_status change(ms_context *ctx, const ms_verify *v, const ms_parameter_set *set,
                        changed *x) {
  if (set->p) {
    MS_TRY(ms_places_take(x->structure, v->c->n, v->c->free, &x->places));
    MS_TRY(ms_places_set(&x->places, set->p));
  }
  if (v->bare) MS_TRY(remove_damping(ctx, x->structure));
  return ms_structure_setup(x->structure);
}

static ms_status build(const ms_study *s, ms_context *ctx, const ms_verify *v,
                       const ms_parameter_set *set, changed *x) {
  *x = (changed) { .places = { .ctx = ctx } };
  MS_TRY(ms_structure_copy(ctx, s->structure, &x->structure));
  ms_status status = change(ctx, v, set, x);
  if (status != MS_SUCCESS) drop(x);
  return status;
}

/* ---- runs ---- */

/* The mode of `a` most like mode r of `b`: both are mass-normalised. */
static ms_status find_mode(ms_context *ctx, const ms_structure *a, const ms_structure *b, int r,
                           int *out) {
  const ptrdiff_t n = ms_structure_get_size(a);
  double most = -1.0, *M_phi;
  MS_TRY(ms_allocate(ctx, n, sizeof *M_phi, &M_phi));
  ms_structure_apply_mass(b, 1.0, ms_structure_get_stuck(b).shape + n * r, M_phi);
  for (ptrdiff_t k = 0; k < n; k++) {
    double like = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) {
      like += M_phi[i] * ms_structure_get_stuck(a).shape[i + n * k];
    }
    if (fabs(like) > most) most = fabs(like), *out = (int)k;
  }
  ms_free(ctx, &M_phi);
  return MS_SUCCESS;
}

static ms_status look_at(ms_study *s, const ms_verify *v, ms_parameter_set *set) {
  const ms_curves *from = v->from->product;
  changed x;
  MS_TRY(ms_allocate(s->ctx, v->n_run, sizeof *set->mode, &set->mode));
  MS_TRY(build(s, s->ctx, v, set, &x));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < v->n_run && status == MS_SUCCESS; i++) {
    status = find_mode(s->ctx, x.structure, s->structure, from->run[i].mode[0], &set->mode[i]);
  }
  drop(&x);
  return status;
}

/* The solutions, and the study itself where it is what the targets are of. */
static ms_status list_sets(ms_study *s, ms_verify *v) {
  const ms_calibrate *c = v->c;
  int own = 0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) own |= c->target[k].from != NULL;
  MS_TRY(ms_allocate(s->ctx, c->n_solution + 1, sizeof *v->set, &v->set));
  if (own) v->set[v->n_set++] = (ms_parameter_set) { .name = "study" };
  for (ptrdiff_t k = 0; k < c->n_solution; k++) {
    v->set[v->n_set++] = (ms_parameter_set) { .name = c->solution[k].name, .p = c->solution[k].p };
  }
  for (ptrdiff_t k = 0; k < v->n_set; k++) MS_TRY(look_at(s, v, &v->set[k]));
  return MS_SUCCESS;
}

static ms_status request_runs(ms_study *s, ms_verify *v) {
  const ms_curves *from = v->from->product;
  const ptrdiff_t n = v->n_set * v->n_run;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *v->curves.run, &v->curves.run));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *v->curves.curve, &v->curves.curve));
  v->curves.n_run = n;
  for (ptrdiff_t k = 0; k < n; k++) {
    ms_pulse_run *run = &v->curves.run[k];
    *run = ms_pulse_again(&from->run[k % v->n_run], MS_RING_HILBERT);
    run->mode = &v->set[k / v->n_run].mode[k % v->n_run];
    run->keep_traces = 1;
  }
  return MS_SUCCESS;
}

static ms_status run_one(ms_worker *w, ptrdiff_t job, void *user) {
  ms_verify *v = user;
  changed x;
  MS_TRY(build(w->study, w->ctx, v, &v->set[job / v->n_run], &x));
  ms_status status = ms_pulse_simulate(w->ctx, x.structure, &v->curves.run[job]);
  drop(&x);
  return status;
}

static void list_curves(ms_verify *v) {
  const ms_curves *from = v->from->product;
  for (ptrdiff_t k = 0; k < v->curves.n_run; k++) {
    const ms_curve *like = &from->curve[k % v->n_run];
    ms_curves_add(&v->curves, k, 0, like->mode, like->source);
  }
}

ms_status ms_verify_run(ms_study *s, ms_task *task, ms_calibrate *c) {
  ms_verify *v = c->verify;
  char what[96];
  if (!v) return MS_SUCCESS;
  v->c = c;
  v->n_run = ((const ms_curves *)v->from->product)->n_run;
  snprintf(what, sizeof what, "%.80s_verified", task->name);
  MS_TRY(list_sets(s, v));
  MS_TRY(request_runs(s, v));
  MS_TRY(ms_curves_run(s, what, run_one, &v->curves));
  list_curves(v);
  MS_TRY(ms_curves_judge_steps(s, task, &v->curves));
  return ms_verify_tabulate(s, task, v);
}
