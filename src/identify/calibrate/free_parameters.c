/* Free parameters of a structure, of its joints and of a test: checked, set, given back. */
#include "identify/calibrate/free_parameters.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"
#include "identify/tolerance.h"
#include "joint/impl.h"
#include "structure/impl.h"

/* ---- by name ---- */

static const ms_param damping_ratio = { .name = "damping",
                                        .unit = "-",
                                        .meaning = "modal damping ratio",
                                        .lower = 0.0,
                                        .upper = 1.0,
                                        .open = 2 };
static const ms_param gain = { .name = "gain",
                               .unit = "-",
                               .meaning = "gain, recorded over true value",
                               .lower = 0.0,
                               .upper = HUGE_VAL,
                               .open = 1 };

static const ms_param stiffness[2] = {
  { .name = "spring",
    .unit = "N/m",
    .meaning = "stiffness of a spring",
    .lower = 0.0,
    .upper = HUGE_VAL },
  { .name = "spring",
    .unit = "N m",
    .meaning = "stiffness of a torsional spring, N m/rad",
    .lower = 0.0,
    .upper = HUGE_VAL },
};
static const ms_param mass[2] = {
  { .name = "mass", .unit = "kg", .meaning = "mass", .lower = 0.0, .upper = HUGE_VAL, .open = 1 },
  { .name = "mass",
    .unit = "kg m^2",
    .meaning = "moment of inertia",
    .lower = 0.0,
    .upper = HUGE_VAL,
    .open = 1 },
};

static int turns(const ms_structure *s, ptrdiff_t i) {
  return i != MS_GROUND && ms_name_is_rotation(s->name[i]);
}

const ms_joint *ms_parameter_place_joint(const ms_structure *s, const ms_parameter_place *place) {
  const ms_joint *j = ms_structure_get_joint(s, place->joint);
  return ms_joint_count_members(j) > 0 ? ms_joint_get_member(j, place->member) : j;
}

const ms_param *ms_parameter_place_param(const ms_structure *s, const ms_parameter_place *place) {
  switch (place->joint) {
  case MS_PLACE_CONTACT:
    return s->contact->number[place->member].param;
  case MS_PLACE_DAMPING:
    return &damping_ratio;
  case MS_PLACE_GAIN:
    return &gain;
  case MS_PLACE_SPRING: {
    const ms_spring *spring = &s->spring[place->member];
    return &stiffness[turns(s, spring->from) || turns(s, spring->to)];
  }
  case MS_PLACE_MASS:
    return &mass[turns(s, place->member)];
  }
  const ms_law_info *law = ms_joint_info(ms_parameter_place_joint(s, place));
  const int i = ms_param_find(law->param, law->n_param, place->param);
  return i < 0 ? NULL : &law->param[i];
}

ms_status ms_parameter_place_check(ms_context *ctx, const ms_structure *s,
                                   const ms_parameter_place *place, double lower, double upper) {
  ms_joint *probe = NULL;
  if (place->joint < 0) {
    const ms_param *param = ms_parameter_place_param(s, place);
    const char *whose = place->joint == MS_PLACE_CONTACT ? "the contacts" : "the bounds";
    MS_TRY(ms_param_check(ctx, whose, param, lower));
    return ms_param_check(ctx, whose, param, upper);
  }
  const ms_law_info *law = ms_joint_info(ms_parameter_place_joint(s, place));
  ms_status status = ms_joint_create(ctx, law->name, &probe);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, lower);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, upper);
  ms_joint_destroy(&probe);
  return status;
}

static ms_status add_place(const ms_structure *s, int joint, int member, const char *param,
                           ptrdiff_t *n, ms_parameter_place **out) {
  MS_TRY(ms_resize(s->ctx, *n + 1, sizeof **out, out));
  (*out)[(*n)++] = (ms_parameter_place) { joint, member, param };
  return MS_SUCCESS;
}

/* Modes by their numbers, but for rigid-body modes, which have no ratio. */
static ms_status find_in_modes(const ms_structure *s, const char *pattern, ptrdiff_t *n,
                               ms_parameter_place **out) {
  const int modal = s->damping == MS_DAMPING_MODAL || s->damping == MS_DAMPING_NONE;
  for (int r = 0; r < s->n; r++) {
    char name[32];
    snprintf(name, sizeof name, "mode.%d", r + 1);
    if (fnmatch(pattern, name, 0) != 0 || !(s->omega[r] > 0.0)) continue;
    if (!modal) {
      return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                     "%s.damping cannot be free: the structure's damping is not modal", name);
    }
    MS_TRY(add_place(s, MS_PLACE_DAMPING, r, damping_ratio.name, n, out));
  }
  return MS_SUCCESS;
}

static ms_status find_in_test(const ms_structure *s, const char *pattern, ptrdiff_t *n,
                              ms_parameter_place **out) {
  if (fnmatch(pattern, "hammer", 0) == 0) {
    MS_TRY(add_place(s, MS_PLACE_GAIN, MS_PLACE_HAMMER, gain.name, n, out));
  }
  for (int i = 0; strncmp(pattern, "sensor.", 7) == 0 && i < s->n; i++) {
    if (fnmatch(pattern + 7, s->name[i], 0) != 0) continue;
    MS_TRY(add_place(s, MS_PLACE_GAIN, i, gain.name, n, out));
  }
  return MS_SUCCESS;
}

/* Springs and masses have no parameters: the name is the whole of pattern.param. */
static ms_status find_in_matrices(const ms_structure *s, const char *pattern, const char *param,
                                  ptrdiff_t *n, ms_parameter_place **out) {
  char whole[320];
  snprintf(whole, sizeof whole, "%s.%s", pattern, param);
  const char *of = strchr(whole, '.') + 1;
  for (int i = 0; strncmp(whole, "spring.", 7) == 0 && i < s->n_spring; i++) {
    if (fnmatch(of, s->spring[i].name, 0) != 0) continue;
    MS_TRY(add_place(s, MS_PLACE_SPRING, i, stiffness->name, n, out));
  }
  for (int i = 0; strncmp(whole, "mass.", 5) == 0 && s->mass && i < s->n; i++) {
    if (fnmatch(of, s->name[i], 0) != 0 || !(s->mass[i] > 0.0)) continue;
    MS_TRY(add_place(s, MS_PLACE_MASS, i, mass->name, n, out));
  }
  return MS_SUCCESS;
}

static ms_status find_in_contacts(const ms_structure *s, const char *pattern, const char *param,
                                  ptrdiff_t *n, ms_parameter_place **out) {
  for (ptrdiff_t i = 0; s->contact && i < s->contact->n; i++) {
    const ms_contact_number *number = &s->contact->number[i];
    const int fits = *number->owner && fnmatch(pattern, number->owner, 0) == 0;
    if (!fits || strcmp(param, number->param->name) != 0) continue;
    MS_TRY(add_place(s, MS_PLACE_CONTACT, (int)i, number->param->name, n, out));
  }
  return MS_SUCCESS;
}

ms_status ms_parameter_find_places(const ms_structure *s, const char *pattern, const char *param,
                                   ptrdiff_t *n, ms_parameter_place **out) {
  MS_TRY(find_in_contacts(s, pattern, param, n, out));
  if (strcmp(param, damping_ratio.name) == 0) MS_TRY(find_in_modes(s, pattern, n, out));
  if (strcmp(param, gain.name) == 0) MS_TRY(find_in_test(s, pattern, n, out));
  MS_TRY(find_in_matrices(s, pattern, param, n, out));
  for (int i = 0; i < ms_structure_count_joints(s); i++) {
    if (fnmatch(pattern, ms_structure_get_joint_name(s, i), 0) != 0) continue;
    const int members = ms_joint_count_members(ms_structure_get_joint(s, i));
    for (int m = 0; m < (members > 0 ? members : 1); m++) {
      const ms_param *found = ms_parameter_place_param(s, &(ms_parameter_place) { i, m, param });
      if (found) MS_TRY(add_place(s, i, m, found->name, n, out)); /* that name lasts */
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
      if (at->joint && at->taken && at->is_first) MS_TRY(ms_joint_setup(at->joint));
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
      if (at->joint && at->taken) (void)ms_joint_set(at->joint, at->param, at->before);
      if (at->index != MS_PLACE_DAMPING || !at->taken) continue;
      (void)ms_structure_change_damping(b->structure, at->member, at->before);
    }
  }
  (void)set_up(b);
}

void ms_places_free(ms_places *b) {
  if (b->parameter && b->touched) restore(b);
  for (ptrdiff_t i = 0; b->parameter && i < b->n; i++) free_parameter(b->ctx, &b->parameter[i]);
  if (b->ctx) ms_free(b->ctx, &b->parameter);
  if (b->ctx) ms_free(b->ctx, &b->value);
  if (b->ctx) ms_free(b->ctx, &b->matrices);
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

/* A number of contacts, a mode, a spring, a mass, a sensor or the hammer that there is. */
static int is_place(const ms_places *b, const ms_parameter_place *at) {
  const ms_structure *s = b->structure;
  switch (at->joint) {
  case MS_PLACE_CONTACT:
    return b->contact && at->member >= 0 && at->member < b->contact->n;
  case MS_PLACE_DAMPING:
    return at->member >= 0 && at->member < s->n &&
           (s->damping == MS_DAMPING_MODAL || s->damping == MS_DAMPING_NONE);
  case MS_PLACE_GAIN:
    return at->member >= MS_PLACE_HAMMER && at->member < s->n;
  case MS_PLACE_SPRING:
    return at->member >= 0 && at->member < s->n_spring;
  case MS_PLACE_MASS:
    return s->mass && at->member >= 0 && at->member < s->n && s->mass[at->member] > 0.0;
  }
  return 0;
}

static ms_status keep_matrices(ms_places *b) {
  const ptrdiff_t square = b->structure->n * b->structure->n;
  if (b->matrices) return MS_SUCCESS;
  MS_TRY(ms_allocate(b->ctx, 2 * square, sizeof *b->matrices, &b->matrices));
  memcpy(b->matrices, b->structure->M, (size_t)square * sizeof(double));
  memcpy(b->matrices + square, b->structure->K, (size_t)square * sizeof(double));
  return MS_SUCCESS;
}

static ms_status take_place(ms_places *b, ms_structure *structure, const ms_placed_parameter *p,
                            const ms_parameter_place *from, ms_place *at) {
  if (from->joint < 0 && is_place(b, from)) {
    *at = (ms_place) { .index = from->joint, .member = from->member, .taken = 1, .now = 1.0 };
    if (at->index == MS_PLACE_CONTACT) at->now = b->value[at->member];
    if (at->index == MS_PLACE_DAMPING) {
      at->before = at->now = structure->zeta ? structure->zeta[at->member] : 0.0;
    }
    if (at->index > MS_PLACE_SPRING) return MS_SUCCESS;
    at->before = at->now =
        at->index == MS_PLACE_MASS ? structure->mass[at->member] : structure->spring[at->member].k;
    return keep_matrices(b);
  }
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

static ms_status take_parameter(ms_places *b, ms_structure *structure,
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
  *b = (ms_places) {
    .ctx = structure->ctx, .structure = structure, .n = n, .contact = structure->contact
  };
  MS_TRY(ms_allocate(b->ctx, n, sizeof *b->parameter, &b->parameter));
  if (b->contact) {
    MS_TRY(ms_allocate(b->ctx, b->contact->n + 1, sizeof *b->value, &b->value));
    for (ptrdiff_t i = 0; i < b->contact->n; i++) b->value[i] = b->contact->number[i].value;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(take_parameter(b, structure, &parameter[i], &b->parameter[i]));
  }
  return MS_SUCCESS;
}

/* ---- values ---- */

ms_status ms_places_get(const ms_places *b, double *p) {
  for (ptrdiff_t i = 0; i < b->n; i++) {
    const ms_place *at = &b->parameter[i].place[0];
    if (!at->joint) p[i] = at->now;
    if (at->joint) MS_TRY(ms_joint_get(at->joint, at->param, &p[i]));
  }
  return MS_SUCCESS;
}

/* What is of no joint. */
static ms_status set_number(const ms_places *b, const char *name, ms_place *at, double value) {
  const ms_parameter_place place = { at->index, at->member, NULL };
  MS_TRY(ms_param_check(b->ctx, name, ms_parameter_place_param(b->structure, &place), value));
  at->now = value;
  if (at->index == MS_PLACE_CONTACT) b->value[at->member] = value;
  if (at->index != MS_PLACE_DAMPING) return MS_SUCCESS;
  return ms_structure_change_damping(b->structure, at->member, value);
}

ms_status ms_places_set(ms_places *b, const double *p) {
  b->touched = 1;
  for (ptrdiff_t i = 0; i < b->n; i++) {
    for (ptrdiff_t k = 0; k < b->parameter[i].n_place; k++) {
      ms_place *at = &b->parameter[i].place[k];
      MS_TRY(at->joint ? ms_joint_set(at->joint, at->param, p[i])
                       : set_number(b, b->parameter[i].name, at, p[i]));
    }
  }
  return set_up(b);
}

/* From the matrices as they were: the same p gives the same numbers, whatever was set before. */
static void set_matrices(const ms_places *b) {
  ms_structure *s = b->structure;
  const ptrdiff_t square = s->n * s->n;
  memcpy(s->M, b->matrices, (size_t)square * sizeof *s->M);
  memcpy(s->K, b->matrices + square, (size_t)square * sizeof *s->K);
  for (ptrdiff_t i = 0; i < b->n; i++) {
    for (ptrdiff_t k = 0; k < b->parameter[i].n_place; k++) {
      const ms_place *at = &b->parameter[i].place[k];
      const ptrdiff_t m = at->member;
      if (at->index == MS_PLACE_SPRING) ms_structure_stiffen(s, m, at->now - at->before);
      if (at->index == MS_PLACE_MASS) s->M[m + s->n * m] += at->now - at->before;
    }
  }
}

ms_status ms_places_set_all(ms_places *b, const double *p) {
  MS_TRY(ms_places_set(b, p));
  if (b->matrices) set_matrices(b);
  return MS_SUCCESS;
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
