/* Contact of condensed bodies: create, load, look. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/impl.h"

void ms_contact_default(ms_contact_setting *setting, size_t size) {
  static const ms_contact_setting standard = MS_CONTACT_DEFAULT;
  ms_settings_fill(&standard, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_contact_setting *s) {
  const ms_contact_tolerances *tol = &s->tol;
  MS_CONTACT_TOLERANCES(MS_TOLERANCE_CHECK)
  if (!(s->newton_tolerance > 0.0 && s->newton_tolerance < 1.0 && s->cycle_tolerance > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "contact: newton_tolerance = %g must lie between 0 and 1, cycle_tolerance = %g "
                   "above 0",
                   s->newton_tolerance, s->cycle_tolerance);
  }
  if (!(s->resolved > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "contact: resolved = %g must be above 0", s->resolved);
  }
  if (s->newton_max < 1 || s->newton_full < 1 || s->divide_max < 0 || s->cycle_steps < 2 ||
      s->cycle_max < 2 || s->refine_max < 0 || s->refine_max > 16) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "contact: newton_max and newton_full are at least 1, divide_max 0, cycle_steps "
                   "and cycle_max 2, refine_max between 0 and 16");
  }
  return MS_SUCCESS;
}

static ms_status check_point(ms_context *ctx, const ms_contact_point *p, ptrdiff_t i) {
  const int rigid = ms_contact_is_rigid(p);
  if (!(p->mu >= 0.0 && p->mu < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "contact point %td: mu = %g must be at least 0", i, p->mu);
  }
  if (!isfinite(p->gap)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "contact point %td: gap = %g must be finite", i, p->gap);
  }
  if (!rigid && !(p->K_n > 0.0 && p->K_n < HUGE_VAL && p->K_t > 0.0 && p->K_t < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "contact point %td: K_n = %g and K_t = %g: a layer has both above 0, a rigid "
                   "contact neither",
                   i, p->K_n, p->K_t);
  }
  if (p->group < 0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "contact point %td: group = %d must be at least 0", i,
                   p->group);
  }
  return MS_SUCCESS;
}

static ms_status check_numbers(ms_context *ctx, const char *what, ptrdiff_t n, const double *x) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isfinite(x[i]))
      return ms_fail(ctx, MS_ERR_NUMERIC, "contact: %s has a value that is not finite", what);
  }
  return MS_SUCCESS;
}

static ms_status check_flexibility(ms_context *ctx, const ms_contact_problem *p, double tolerance) {
  const ptrdiff_t n = 3 * p->n_point;
  double largest = 0.0, apart = 0.0;
  for (ptrdiff_t j = 0; j < n; j++) {
    if (!(p->H[j + n * j] >= 0.0)) {
      return ms_fail(
          ctx, MS_ERR_BOUNDS,
          "contact: component %td of point %td has the flexibility %g; it must not be negative",
          j % 3, j / 3, p->H[j + n * j]);
    }
    for (ptrdiff_t i = 0; i <= j; i++) {
      largest = fmax(largest, fabs(p->H[i + n * j]));
      apart = fmax(apart, fabs(p->H[i + n * j] - p->H[j + n * i]));
    }
  }
  if (largest > 0.0 && apart <= tolerance * largest) return MS_SUCCESS;
  if (!(largest > 0.0)) return ms_fail(ctx, MS_ERR_BOUNDS, "contact: the flexibility is zero");
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "contact: the flexibility is not symmetric: entries differ by %.2g of the largest",
                 apart / largest);
}

static ms_status check_problem(ms_context *ctx, const ms_contact_problem *p,
                               const ms_contact_setting *s) {
  const ptrdiff_t n = 3 * p->n_point;
  if (p->n_point < 1 || p->n_load < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "contact: %td points and %td loads; both are at least 1",
                   p->n_point, p->n_load);
  }
  if (p->n_point > MS_CONTACT_MOST_POINTS) {
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "contact: %td points need %.1f GB for dense flexibilities; at most %d points (%.1f "
        "GB): take coarser faces",
        p->n_point, 216e-9 * (double)p->n_point * (double)p->n_point, MS_CONTACT_MOST_POINTS,
        216e-9 * MS_CONTACT_MOST_POINTS * MS_CONTACT_MOST_POINTS);
  }
  for (ptrdiff_t i = 0; i < p->n_point; i++) MS_TRY(check_point(ctx, &p->point[i], i));
  MS_TRY(check_numbers(ctx, "H", n * n, p->H));
  MS_TRY(check_numbers(ctx, "z_load", n * p->n_load, p->z_load));
  MS_TRY(check_numbers(ctx, "load_load", p->n_load * p->n_load, p->load_load));
  for (ptrdiff_t i = 0; p->S_0 && i < n; i++) {
    if (!(p->S_0[i] >= 0.0 && p->S_0[i] < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "contact: S_0[%td] = %g must be at least 0", i, p->S_0[i]);
    }
  }
  return check_flexibility(ctx, p, s->tol.symmetric);
}

/* One block for the numbers of all sets and of a step. */
static ms_status reserve_values(ms_contact *c) {
  ms_contact_values *set[3] = { &c->now, &c->kept, &c->marked };
  const ptrdiff_t n = c->n, each = 2 * c->n_load + 14 * n;
  MS_TRY(ms_allocate(c->ctx, 3 * each + 22 * n + c->n_load, sizeof *c->store, &c->store));
  MS_TRY(ms_allocate(c->ctx, 11 * n, 1, &c->status_store));
  double *next = c->store;
  for (int k = 0; k < 3; k++) {
    ms_contact_values *v = set[k];
    v->p = next, v->v = v->p + c->n_load;
    v->z = v->v + c->n_load, v->lambda = v->z + 3 * n, v->y = v->lambda + 3 * n,
    v->m = v->y + 3 * n;
    v->dissipated = v->m + 3 * n, v->slip = v->dissipated + n;
    v->status = c->status_store + n * k;
    next = v->slip + n;
  }
  c->x = next, c->dy = c->x + 3 * n, c->zt = c->dy + 3 * n, c->lt = c->zt + 3 * n;
  c->b_p = c->lt + 3 * n;
  c->dz = c->b_p + 3 * n, c->dl = c->dz + 3 * n, c->dp = c->dl + 3 * n;
  c->limit = c->dp + c->n_load;
  c->trial = c->status_store + 3 * n, c->closed = c->status_store + 4 * n;
  c->held = c->status_store + 5 * n;
  c->marked_closed = c->status_store + 8 * n, c->left = c->status_store + 9 * n;
  c->glued = c->status_store + 10 * n;
  return MS_SUCCESS;
}

static ms_status copy_numbers(ms_contact *c, ptrdiff_t n, const double *from, double **out) {
  MS_TRY(ms_allocate(c->ctx, n, sizeof **out, out));
  if (from) memcpy(*out, from, (size_t)n * sizeof **out);
  return MS_SUCCESS;
}

static ms_status copy_problem(ms_contact *c, const ms_contact_problem *p) {
  const ptrdiff_t n = 3 * p->n_point;
  c->n = p->n_point;
  c->n_load = p->n_load;
  MS_TRY(ms_allocate(c->ctx, c->n, sizeof *c->point, &c->point));
  memcpy(c->point, p->point, (size_t)c->n * sizeof *c->point);
  MS_TRY(copy_numbers(c, n * n, p->H, &c->H));
  MS_TRY(copy_numbers(c, n, p->S_0, &c->S_0));
  MS_TRY(copy_numbers(c, n * c->n_load, p->z_load, &c->z_load));
  MS_TRY(copy_numbers(c, c->n_load * c->n_load, p->load_load, &c->load_load));
  MS_TRY(copy_numbers(c, n, NULL, &c->r));
  MS_TRY(copy_numbers(c, n, NULL, &c->offset));
  MS_TRY(copy_numbers(c, c->n_load, NULL, &c->v_0));
  MS_TRY(copy_numbers(c, n * n, NULL, &c->M));
  MS_TRY(copy_numbers(c, n * (c->n_load + 1), NULL, &c->b));
  MS_TRY(ms_allocate(c->ctx, n, sizeof *c->unknown, &c->unknown));
  MS_TRY(ms_allocate(c->ctx, n, sizeof *c->pivot, &c->pivot));
  return reserve_values(c);
}

static ms_status copy_names(ms_contact *c, const char *const *name) {
  if (!name) return MS_SUCCESS;
  MS_TRY(ms_allocate(c->ctx, c->n_group, sizeof *c->group, &c->group));
  for (int g = 0; g < c->n_group; g++) MS_TRY(ms_text_copy(c->ctx, name[g], &c->group[g]));
  return MS_SUCCESS;
}

/* Components that move less than rounding are held: supports reach to the face there. Both
   tangential components have one r: slip is along the friction force then, and not beside it. */
static void find_held(ms_contact *c) {
  const ptrdiff_t n = 3 * c->n;
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, c->H[i * (n + 1)]);
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t first = i - i % 3;
    const double *h = c->H + first * (n + 1);
    const double H = i % 3 == 2 ? h[2 * (n + 1)] : fmax(h[0], h[n + 1]);
    c->held[i] = c->H[i * (n + 1)] <= c->setting.tol.held * largest;
    c->r[i] = 1.0 / (H <= c->setting.tol.held * largest ? largest : H);
  }
}

/* Supports hold the point on both sides: its gap stays, and a layer's force with it. */
static void start_held(ms_contact *c, ptrdiff_t i) {
  const ms_contact_point *p = &c->point[i];
  c->closed[i] = !(p->gap > 0.0);
  c->now.z[3 * i + 2] = -p->gap;
  c->now.y[3 * i + 2] = c->now.lambda[3 * i + 2] = p->K_n * fmax(0.0, -p->gap);
}

/* The first step begins with every point closed and stuck, those with a gap too: bodies that
   nothing else holds have an equilibrium only then. */
static ms_status start(ms_contact *c) {
  find_held(c);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_contact_point *p = &c->point[i];
    c->closed[i] = 1;
    c->now.status[i] = p->gap > 0.0 ? MS_CONTACT_OPEN : MS_CONTACT_STICK;
    c->now.z[3 * i + 2] = p->gap > 0.0 ? -p->gap : 0.0;
    if (c->held[3 * i + 2]) start_held(c, i);
    if (p->group >= c->n_group) c->n_group = p->group + 1;
  }
  return ms_contact_make_base(c);
}

ms_status ms_contact_create(ms_context *ctx, const ms_contact_problem *problem,
                            const ms_contact_setting *setting, ms_contact **out) {
  ms_contact_setting own = MS_CONTACT_DEFAULT;
  ms_contact *c;
  MS_MAKE(ctx, out,
          problem && problem->point && problem->H && problem->z_load && problem->load_load);
  MS_TAKE(ctx, ms_contact_default, setting, own);
  MS_TRY(check_setting(ctx, setting));
  MS_TRY(check_problem(ctx, problem, setting));
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  *c = (ms_contact) { .ctx = ctx, .setting = own };
  ms_status status = copy_problem(c, problem);
  if (!status) status = start(c);
  if (!status) status = copy_names(c, problem->group);
  if (!status) ms_contact_mark(c);
  if (status) ms_contact_destroy(&c);
  *out = c;
  return status;
}

void ms_contact_destroy(ms_contact **contact) {
  if (!contact || !*contact) return;
  ms_contact *c = *contact;
  ms_context *ctx = c->ctx;
  ms_contact_tangent_close(c);
  ms_free(ctx, &c->point);
  for (int g = 0; c->group && g < c->n_group; g++) ms_free(ctx, &c->group[g]);
  ms_free(ctx, &c->group);
  ms_free(ctx, &c->H);
  ms_free(ctx, &c->S_0);
  ms_free(ctx, &c->z_load);
  ms_free(ctx, &c->load_load);
  ms_free(ctx, &c->r);
  ms_free(ctx, &c->offset);
  ms_free(ctx, &c->v_0);
  ms_free(ctx, &c->M);
  ms_free(ctx, &c->b);
  ms_free(ctx, &c->unknown);
  ms_free(ctx, &c->pivot);
  ms_free(ctx, &c->store);
  ms_free(ctx, &c->status_store);
  ms_free(ctx, &c->A);
  ms_free(ctx, &c->right);
  ms_free(ctx, contact);
}

int ms_contact_count_groups(const ms_contact *c) {
  return c->n_group;
}

ms_contact_sum ms_contact_add_up(const ms_contact *c, int group) {
  ms_contact_sum sum = { .n = 0 };
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (group >= 0 && c->point[i].group != group) continue;
    const unsigned char s = c->now.status[i];
    sum.n++;
    *(s == MS_CONTACT_OPEN ? &sum.open : s == MS_CONTACT_SLIP ? &sum.slip : &sum.stick) += 1;
    for (int k = 0; k < 3; k++) sum.force[k] += c->now.lambda[3 * i + k];
    sum.glued += c->glued[i];
    if (!c->glued[i]) sum.friction += c->point[i].mu * c->now.lambda[3 * i + 2];
    sum.dissipated += c->now.dissipated[i];
    sum.slid = fmax(sum.slid, c->now.slip[i]);
  }
  return sum;
}

/* Whether all points of a contact that the last trial had closed slipped in it. */
static int slips_altogether(const ms_contact *c, int group) {
  ptrdiff_t closed = 0, slips = 0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->point[i].group != group || !(c->point[i].mu > 0.0)) continue;
    closed += c->trial[i] != MS_CONTACT_OPEN;
    slips += c->trial[i] == MS_CONTACT_SLIP;
  }
  return closed > 0 && slips == closed;
}

/* "'lap'", or the number of the group. */
static void print_name(const ms_contact *c, int group, char *text, size_t size) {
  if (c->group)
    snprintf(text, size, "'%.60s'", c->group[group]);
  else
    snprintf(text, size, "%d", group);
}

/* "; 'lap': 21 of 45 points closed, 8 slip": each contact, where there are several. */
static void print_groups(const ms_contact *c, char *text, size_t size) {
  char name[72];
  text[0] = '\0';
  for (int g = 0; g < c->n_group && c->n_group > 1; g++) {
    const ms_contact_sum s = ms_contact_add_up(c, g);
    const size_t end = strlen(text);
    print_name(c, g, name, sizeof name);
    snprintf(text + end, size - end, "; contact %s: %td of %td closed, %td slip", name,
             s.n - s.open, s.n, s.slip);
  }
}

/* The part of its friction that a contact carries along the surface, by the sum of its forces. A
   glued one does not slide. */
static double find_carried(const ms_contact_sum *s) {
  return s->friction > 0.0 && s->glued == 0 ? hypot(s->force[0], s->force[1]) / s->friction : 0.0;
}

/* The contact that carries nearly all that it can; -1: none. */
static int find_sliding(const ms_contact *c) {
  for (int g = 0; g < c->n_group; g++) {
    const ms_contact_sum s = ms_contact_add_up(c, g);
    if (find_carried(&s) > 1.0 - c->setting.tol.whole) return g;
  }
  return -1;
}

/* Why there may be no equilibrium, as far as it can be seen. */
static void print_cause(const ms_contact *c, char *text, size_t size) {
  const double ratio = ms_contact_compare_critical(c, NULL);
  double stiff = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (!c->held[3 * i + 2]) stiff = fmax(stiff, c->point[i].K_n / c->r[3 * i + 2]);
  }
  text[0] = '\0';
  if (c->singular) {
    snprintf(text, size,
             ": a motion of a body is left free, which nothing but friction or more closed points "
             "could hold");
  } else if (stiff > c->setting.tol.stiff) {
    snprintf(text, size,
             ": a layer is %.2g times as stiff as the bodies, which leaves too few digits; make it "
             "softer, or the contact rigid",
             stiff);
  } else if (ratio > 1.0) {
    snprintf(text, size,
             ": friction is %.3g times the critical one at a point, so that a load may have no "
             "equilibrium, or several",
             ratio);
  }
}

/* How far the load went: its value, where one alone changes, or the part of the step. */
static void print_reached(const ms_contact *c, const double *from, const double *to, double reached,
                          char *text, size_t size) {
  ptrdiff_t n = 0, k = 0;
  for (ptrdiff_t i = 0; i < c->n_load; i++) {
    if (from[i] == to[i]) continue;
    k = i;
    n++;
  }
  if (n == 1)
    snprintf(text, size, "load %.6g", from[k] + reached * (to[k] - from[k]));
  else
    snprintf(text, size, "%.6g of the load step", reached);
}

/* What the contacts did where the load could go no further. A contact slides as a whole where its
   forces along the surface add up to nearly all that friction can carry, or where all its points
   slip and a motion is free. */
static ms_status explain(ms_contact *c, const double *from, const double *to, double part) {
  char name[72], groups[400], cause[200], reached[48];
  print_reached(c, from, to, part, reached, sizeof reached);
  print_cause(c, cause, sizeof cause);
  for (int g = 0; g < c->n_group; g++) {
    const ms_contact_sum s = ms_contact_add_up(c, g);
    const double carried = find_carried(&s);
    print_name(c, g, name, sizeof name);
    if (c->singular && slips_altogether(c, g)) {
      return ms_fail(c->ctx, MS_NOT_CONVERGED,
                     "contact %s slides as a whole beyond %s: all its closed points slip", name,
                     reached);
    }
    if (!(carried > 1.0 - c->setting.tol.whole)) continue;
    return ms_fail(
        c->ctx, MS_NOT_CONVERGED,
        "contact %s slides as a whole at %s: it carries %.2f %% of its friction, and %td of "
        "its %td closed points slip",
        name, reached, 100.0 * carried, s.slip, s.n - s.open);
  }
  const ms_contact_sum s = ms_contact_add_up(c, -1);
  print_groups(c, groups, sizeof groups);
  return ms_fail(c->ctx, MS_NOT_CONVERGED,
                 "no equilibrium was found beyond %s, where %td of %td points are closed and %td "
                 "of these slip (residual %.2g)%s%s",
                 reached, s.n - s.open, s.n, s.slip, c->tried, groups, cause);
}

static ms_status advance(ms_contact *c, const double *from, const double *to, double *p) {
  double reached = 0.0, step = 1.0;
  int halved = 0, careful = 0;
  while (reached < 1.0) {
    const double next = fmin(1.0, reached + step);
    for (ptrdiff_t k = 0; k < c->n_load; k++) {
      p[k] = next < 1.0 ? from[k] + next * (to[k] - from[k]) : to[k];
    }
    c->part = next;
    const ms_status status = ms_contact_step(c, p, careful);
    if (status < 0 || status == MS_CANCELLED) return status;
    if (status == MS_SUCCESS) {
      reached = next;
      c->started = 1;
      c->count.steps++;
      if (c->step_iterations > c->count.most_iterations)
        c->count.most_iterations = c->step_iterations;
      c->count.slow += c->step_iterations > c->setting.newton_full;
      c->step_iterations = 0;
      MS_TRY(ms_contact_follow(c));
      continue;
    }
    c->count.divided++;
    step *= 0.5;
    if (++halved <= c->setting.divide_max) continue;
    if (careful++ || find_sliding(c) >= 0) return explain(c, from, to, reached);
    halved = 0;
    step = 1.0;
  }
  return MS_SUCCESS;
}

ms_status ms_contact_load(ms_contact *c, const double *p) {
  double *work;
  MS_NEED(c ? c->ctx : NULL, c && p);
  MS_TRY(check_numbers(c->ctx, "the load", c->n_load, p));
  MS_TRY(ms_allocate(c->ctx, 2 * c->n_load, sizeof *work, &work));
  memcpy(work, p, (size_t)c->n_load * sizeof *p);
  ms_contact_copy_values(c, &c->now, &c->kept);
  c->step_iterations = 0;
  const ms_status status = advance(c, c->kept.p, work, work + c->n_load);
  if (!status && c->tangent) ms_contact_tangent_arrive(c);
  if (status) {
    ms_contact_copy_values(c, &c->kept, &c->now);
    ms_contact_refer(c); /* the base state may be another one */
    c->moves = 0;
  }
  ms_free(c->ctx, &work);
  return status;
}

ms_contact_state ms_contact_get(const ms_contact *c) {
  const ms_contact_values *v = &c->now;
  return (ms_contact_state) { c->n,      c->n_load, v->p,          v->v,    v->z,    v->lambda,
                              v->status, c->glued,  v->dissipated, v->slip, v->work, v->residual };
}

ms_contact_count ms_contact_get_count(const ms_contact *c) {
  return c->count;
}

const ms_contact_setting *ms_contact_get_setting(const ms_contact *c) {
  return &c->setting;
}
