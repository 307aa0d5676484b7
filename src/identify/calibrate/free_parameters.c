/* Free parameters in the joints of a structure: checked, set, given back. */
#include "identify/calibrate/free_parameters.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"
#include "identify/tolerance.h"
#include "joint/impl.h"
#include "structure/impl.h"

/* ---- by name ---- */

const ms_joint *ms_parameter_place_joint(const ms_structure *s, const ms_parameter_place *place) {
  const ms_joint *j = ms_structure_get_joint(s, place->joint);
  return ms_joint_count_members(j) > 0 ? ms_joint_get_member(j, place->member) : j;
}

const ms_param *ms_parameter_place_param(const ms_structure *s, const ms_parameter_place *place) {
  const ms_law_info *law = ms_joint_info(ms_parameter_place_joint(s, place));
  const int i = ms_param_find(law->param, law->n_param, place->param);
  return i < 0 ? NULL : &law->param[i];
}

ms_status ms_parameter_find_places(const ms_structure *s, const char *pattern, const char *param,
                                   ptrdiff_t *n, ms_parameter_place **out) {
  for (int i = 0; i < ms_structure_count_joints(s); i++) {
    if (fnmatch(pattern, ms_structure_get_joint_name(s, i), 0) != 0) continue;
    const int members = ms_joint_count_members(ms_structure_get_joint(s, i));
    for (int m = 0; m < (members > 0 ? members : 1); m++) {
      ms_parameter_place place = { i, m, param };
      const ms_param *found = ms_parameter_place_param(s, &place);
      if (!found) continue;
      MS_TRY(ms_resize(s->ctx, *n + 1, sizeof **out, out));
      place.param = found->name; /* lasts */
      (*out)[(*n)++] = place;
    }
  }
  return MS_SUCCESS;
}

/* ---- taken and given back ---- */

/* Sets are many to a joint, setups one: a setup makes tables, which takes long beside a curve. */
static ms_status set_up(const ms_places *b) {
  for (ptrdiff_t i = 0; i < b->n; i++) {
    for (ptrdiff_t k = 0; k < b->parameter[i].n_place; k++) {
      const ms_place *at = &b->parameter[i].place[k];
      if (at->taken && at->is_first) MS_TRY(ms_joint_setup(at->joint));
    }
  }
  return MS_SUCCESS;
}

/* ---- life ---- */

static void free_parameter(ms_context *ctx, ms_placed_parameter *p) {
  for (ptrdiff_t i = 0; p->place && i < p->n_place; i++) ms_free(ctx, &p->place[i].param);
  ms_free(ctx, &p->place);
  ms_free(ctx, &p->name);
}

/* Values that were accepted once: only memory could be short, and then the joint says so when it is
   used. */
static void restore(const ms_places *b) {
  for (ptrdiff_t i = 0; i < b->n; i++) {
    for (ptrdiff_t k = 0; k < b->parameter[i].n_place; k++) {
      const ms_place *at = &b->parameter[i].place[k];
      if (at->taken) (void)ms_joint_set(at->joint, at->param, at->before);
    }
  }
  (void)set_up(b);
}

void ms_places_free(ms_places *b) {
  if (b->parameter && b->touched) restore(b);
  for (ptrdiff_t i = 0; b->parameter && i < b->n; i++) free_parameter(b->ctx, &b->parameter[i]);
  if (b->ctx) ms_free(b->ctx, &b->parameter);
}

/* The member, or the joint itself. */
static ms_joint *find_joint(ms_joint *attached, int member) {
  const int *axis;
  if (ms_joint_count_members(attached) == 0) return member == 0 ? attached : NULL;
  return ms_parallel_member(attached, member, &axis);
}

/* A number of the set that the joint was given in: others follow from it. */
static ms_status check_param(const ms_places *b, const ms_placed_parameter *p, const ms_place *at) {
  int i = 0;
  MS_TRY(ms_joint_find_param(at->joint, at->param, &i));
  const ms_param *param = &at->joint->law->info.param[i];
  if (param->kind != MS_PARAM_NUMBER) {
    return ms_fail(b->ctx, MS_ERR_ARGUMENT, "%s is no number that could be searched for", p->name);
  }
  if (param->set == 0 || param->set == at->joint->set) return MS_SUCCESS;
  return ms_fail(b->ctx, MS_ERR_ARGUMENT,
                 "%s follows from the parameters that the joint was given: free one of those",
                 p->name);
}

static int is_known(const ms_places *b, const ms_joint *joint) {
  for (ptrdiff_t i = 0; i < b->n; i++) {
    for (ptrdiff_t k = 0; k < b->parameter[i].n_place; k++) {
      if (b->parameter[i].place[k].joint == joint) return 1;
    }
  }
  return 0;
}

static ms_status take_place(const ms_places *b, ms_structure *structure,
                            const ms_placed_parameter *p, const ms_parameter_place *from,
                            ms_place *at) {
  ms_joint *attached = ms_structure_get_joint(structure, from->joint);
  ms_joint *joint = attached && from->member >= 0 ? find_joint(attached, from->member) : NULL;
  if (!joint) {
    return ms_fail(b->ctx, MS_ERR_ARGUMENT, "%s: there is no joint %d, member %d", p->name,
                   from->joint, from->member);
  }
  at->is_first = !is_known(b, joint);
  at->joint = joint;
  at->index = from->joint;
  at->member = from->member;
  MS_TRY(ms_text_copy(b->ctx, from->param, &at->param));
  MS_TRY(check_param(b, p, at));
  MS_TRY(ms_joint_get(joint, at->param, &at->before));
  at->taken = 1;
  return MS_SUCCESS;
}

static ms_status take_parameter(const ms_places *b, ms_structure *structure,
                                const ms_free_parameter *from, ms_placed_parameter *p) {
  MS_TRY(ms_text_copy(b->ctx, from->name, &p->name));
  if (from->n_place < 1) {
    return ms_fail(b->ctx, MS_ERR_ARGUMENT, "%s belongs to no joint", p->name);
  }
  MS_TRY(ms_allocate(b->ctx, from->n_place, sizeof *p->place, &p->place));
  p->n_place = from->n_place;
  for (ptrdiff_t i = 0; i < from->n_place; i++) {
    MS_TRY(take_place(b, structure, p, &from->place[i], &p->place[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_places_take(ms_structure *structure, ptrdiff_t n, const ms_free_parameter *parameter,
                         ms_places *b) {
  *b = (ms_places) { .ctx = structure->ctx, .n = n };
  MS_TRY(ms_allocate(b->ctx, n, sizeof *b->parameter, &b->parameter));
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(take_parameter(b, structure, &parameter[i], &b->parameter[i]));
  }
  return MS_SUCCESS;
}

/* ---- values ---- */

ms_status ms_places_get(const ms_places *b, double *p) {
  for (ptrdiff_t i = 0; i < b->n; i++) {
    const ms_place *at = &b->parameter[i].place[0];
    MS_TRY(ms_joint_get(at->joint, at->param, &p[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_places_set(ms_places *b, const double *p) {
  b->touched = 1;
  for (ptrdiff_t i = 0; i < b->n; i++) {
    for (ptrdiff_t k = 0; k < b->parameter[i].n_place; k++) {
      const ms_place *at = &b->parameter[i].place[k];
      MS_TRY(ms_joint_set(at->joint, at->param, p[i]));
    }
  }
  return set_up(b);
}

/* ---- differences ---- */

/* Residuals with parameter j moved to *value, or at p itself where there is no answer. */
static ms_status eval_moved(ms_fit_eval *eval, void *user, const double *p, ptrdiff_t j,
                            double *moved, double *value, double *r) {
  moved[j] = *value;
  ms_status status = eval(user, moved, r, NULL);
  if (status == MS_NOT_CONVERGED) {
    moved[j] = *value = p[j];
    status = eval(user, moved, r, NULL);
  }
  moved[j] = p[j];
  return status;
}

ms_status ms_places_differ(ms_fit_eval *eval, void *user, ptrdiff_t n, ptrdiff_t m, const double *p,
                           double *scratch, double *r, double *jac) {
  double *moved = scratch + m;
  memcpy(moved, p, (size_t)n * sizeof *p);
  for (ptrdiff_t j = 0; j < n; j++) {
    const double h = ms_identify_tol.difference * (p[j] != 0.0 ? fabs(p[j]) : 1.0);
    double up = p[j] + h, down = p[j] - h;
    MS_TRY(eval_moved(eval, user, p, j, moved, &up, r));
    MS_TRY(eval_moved(eval, user, p, j, moved, &down, scratch));
    for (ptrdiff_t i = 0; i < m; i++) {
      jac[i + m * j] = up > down ? (r[i] - scratch[i]) / (up - down) : 0.0;
    }
  }
  return eval(user, p, r, NULL);
}
