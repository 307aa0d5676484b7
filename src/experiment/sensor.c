/* Where a mode is seen. */
#include <math.h>
#include <microslip/experiment.h>
#include <string.h>

#include "experiment/tolerance.h"

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
