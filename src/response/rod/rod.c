/* The rod without inertia under any history of the force. Between two reversals a length l of the
   rod slips, and what lies beyond l is as it was: the forces at which the load turned are all that
   must be remembered, and a branch that reaches an older one closes the loop and forgets both. */
#include <math.h>

#include "core/internal.h"
#include "response/rod/impl.h"

struct ms_rod {
  ms_context *ctx;
  const ms_pressure *pressure;
  double *turn; /* forces of the reversals, the outermost first */
  ptrdiff_t depth, capacity;
  double F, lost;
};

ms_status ms_rod_create(ms_context *ctx, const ms_pressure *pressure, ms_rod **out) {
  ms_rod *r;
  MS_MAKE(ctx, out, pressure);
  MS_TRY(ms_allocate(ctx, 1, sizeof *r, &r));
  *r = (ms_rod) { .ctx = ctx, .pressure = pressure };
  *out = r;
  return MS_SUCCESS;
}

void ms_rod_destroy(ms_rod **rod) {
  if (!rod || !*rod) return;
  ms_context *ctx = (*rod)->ctx;
  ms_free(ctx, &(*rod)->turn);
  ms_free(ctx, rod);
}

/* Loss along the branch that ends at F: half the range, and twice over, except when first loaded.
 */
static double branch_loss(const ms_rod *r, double F) {
  if (r->depth == 0) return ms_rod_first_loss(r->pressure, F);
  return 2.0 * ms_rod_first_loss(r->pressure, 0.5 * (F - r->turn[r->depth - 1]));
}

/* +1 on a branch of rising force. */
static double direction(const ms_rod *r) {
  double from = r->depth > 0 ? r->turn[r->depth - 1] : 0.0;
  return r->F >= from ? 1.0 : -1.0;
}

/* Where the branch that ends at F closes the loop that it is in: at the reversal before its own, or
   at the mirror image of the first one, which is where the rod is first loaded further. 0: nowhere
   on the way. */
static int closes(const ms_rod *r, double F, double sign, double *at) {
  if (r->depth == 0) return 0;
  *at = r->depth > 1 ? r->turn[r->depth - 2] : -r->turn[0];
  return sign * (F - *at) >= 0.0;
}

ms_status ms_rod_load(ms_rod *r, double F) {
  double at, sign = F > r->F ? 1.0 : -1.0;
  if (!(fabs(F) < 1.0)) {
    return ms_fail(r->ctx, MS_ERR_BOUNDS, "at a force of %g the rod slides away: |F| < 1", F);
  }
  if (F == r->F) return MS_SUCCESS;
  int first = r->depth == 0 && r->F == 0.0;
  if (!first && direction(r) != sign) {
    if (r->depth == r->capacity) {
      ptrdiff_t more = r->capacity ? 2 * r->capacity : 16;
      MS_TRY(ms_resize(r->ctx, more, sizeof *r->turn, &r->turn));
      r->capacity = more;
    }
    r->turn[r->depth++] = r->F;
  }
  while (closes(r, F, sign, &at)) {
    r->lost += branch_loss(r, at) - branch_loss(r, r->F);
    r->depth = r->depth > 1 ? r->depth - 2 : 0;
    r->F = at;
  }
  r->lost += branch_loss(r, F) - branch_loss(r, r->F);
  r->F = F;
  return MS_SUCCESS;
}

/* The branches from the first one on, the last one ending at F. */
static double branch_end(const ms_rod *r, ptrdiff_t i) {
  return i < r->depth ? r->turn[i] : r->F;
}

/* Half the range of branch i, with its sign; the first one begins at nothing. */
static double half_range(const ms_rod *r, ptrdiff_t i) {
  return i == 0 ? branch_end(r, 0) : 0.5 * (branch_end(r, i) - r->turn[i - 1]);
}

static double count_of(ptrdiff_t i) {
  return i == 0 ? 1.0 : 2.0;
}

ms_rod_state ms_rod_get(const ms_rod *r) {
  ms_rod_state s = { .F = r->F, .lost = r->lost, .depth = r->depth };
  for (ptrdiff_t i = 0; i <= r->depth; i++) {
    double a = half_range(r, i);
    s.u -= copysign(count_of(i) * ms_rod_first_displacement(r->pressure, a), a);
  }
  s.slip = ms_pressure_slip_length(r->pressure, fabs(half_range(r, r->depth)));
  return s;
}

/* A branch of half range a adds to the force at x < l what |a| - Psi(x) leaves, and to the
   displacement its integral from x to l. */
void ms_rod_profile(const ms_rod *r, double x, double *u, double *force) {
  const ms_pressure *p = r->pressure;
  const double Psi = ms_pressure_integral(p, x), first = ms_pressure_first_moment(p, x);
  *u = *force = 0.0;
  for (ptrdiff_t i = 0; i <= r->depth; i++) {
    double a = half_range(r, i), size = fabs(a), l = ms_pressure_slip_length(p, size);
    if (x >= l) continue;
    double moved = ms_pressure_first_moment(p, l) - first - x * (size - Psi);
    *force += copysign(count_of(i) * (size - Psi), a);
    *u -= copysign(count_of(i) * moved, a);
  }
}
