/* Where a mode is seen. */
#include <math.h>
#include <microslip/experiment.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/tolerance.h"
#include "structure/tolerance.h"
#include "structure/impl.h"

/* Rotations of finite elements, and their modal coordinates, are no displacements. */
static int is_displacement(const ms_structure *s, ptrdiff_t i) {
  const char *dot = strrchr(ms_structure_get_name(s, i), '.');
  return dot && (strcmp(dot, ".ux") == 0 || strcmp(dot, ".uy") == 0 || strcmp(dot, ".uz") == 0);
}

static ptrdiff_t find_largest(const ms_structure *s, const double *phi, ptrdiff_t n) {
  double largest = 0.0;
  ptrdiff_t i = 0;
  int some = 0;
  for (ptrdiff_t k = 0; k < n; k++) some |= is_displacement(s, k);
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!some || is_displacement(s, k)) largest = fmax(largest, fabs(phi[k]));
  }
  while (fabs(phi[i]) < (1.0 - ms_experiment_tol.alike) * largest ||
         (some && !is_displacement(s, i)))
    i++;
  return i;
}

ms_sensor ms_sensor_find(const ms_structure *s, ptrdiff_t at, int mode) {
  const ms_modes stuck = ms_structure_get_stuck(s);
  const double *phi = stuck.shape + stuck.n * mode;
  if (at == MS_GROUND) at = find_largest(s, phi, stuck.n);
  return (ms_sensor) { ms_structure_get_name(s, at), at, fabs(phi[at]) };
}

ms_status ms_sensor_use_amplitudes(ms_context *ctx, const ms_structure *s, ptrdiff_t at, int mode,
                                   ms_signal_kind kind, ptrdiff_t n, const double *omega,
                                   double *amplitude) {
  const ms_modes stuck = ms_structure_get_stuck(s);
  const double *phi = stuck.shape + stuck.n * mode;
  const double most = fabs(phi[find_largest(s, phi, stuck.n)]);
  if (ms_name_is_rotation(ms_structure_get_name(s, at))) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s is a rotation; amplitudes are those of translations",
                   ms_structure_get_name(s, at));
  }
  if (!(fabs(phi[at]) > ms_experiment_tol.blind * most)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "a sensor at %s does not see mode %d: it moves %.2g times as much as %s there",
                   ms_structure_get_name(s, at), mode + 1, fabs(phi[at]) / most,
                   ms_structure_get_name(s, find_largest(s, phi, stuck.n)));
  }
  for (ptrdiff_t i = 0; i < n; i++) amplitude[i] /= fabs(phi[at]) * pow(omega[i], (int)kind);
  return MS_SUCCESS;
}

ms_status ms_sensor_find_shape(const ms_structure *s, ptrdiff_t at, int mode, double *out) {
  *out = at == MS_GROUND ? 1.0 : ms_sensor_find(s, at, mode).shape;
  if (at == MS_GROUND || *out > ms_structure_tol.still * ms_sensor_find(s, MS_GROUND, mode).shape)
    return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "mode %d does not move at '%s': a sensor there does not see it", mode + 1,
                 ms_structure_get_name(s, at));
}
