/* Numbers that no material and no structure has: they point to mistaken units. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "structure/impl.h"
#include "structure/tolerance.h"

int ms_structure_material_warning(const char *what, double E, double rho, char *text, size_t size) {
  const double speed = sqrt(E / rho);
  if (!(E > 0.0 && rho > 0.0) ||
      (speed >= ms_structure_tol.slowest && speed <= ms_structure_tol.fastest))
    return 0;
  snprintf(text, size,
           "%s: E = %.4g Pa and rho = %.4g kg/m^3 give a wave speed sqrt(E/rho) of "
           "%.3g m/s, which no material has (%g to %g m/s): are both in the study's "
           "units? With mm, tonne and s, E is in N/mm^2 and rho in tonne/mm^3",
           what, E, rho, speed, ms_structure_tol.slowest, ms_structure_tol.fastest);
  return 1;
}

ms_status ms_structure_check_frequencies(const ms_structure *s) {
  const ms_modes m = ms_structure_get_stuck(s);
  double highest = m.omega[m.n - 1], lowest = highest;
  for (ptrdiff_t r = m.n - 1; r >= 0 && m.omega[r] > 0.0; r--) lowest = m.omega[r];
  if (highest < ms_structure_tol.highest_omega &&
      (lowest > ms_structure_tol.lowest_omega || highest == 0.0))
    return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "frequencies from %.3g to %.3g rad/s are not plausible; check the units, and "
                 "that no two points almost coincide. With mm, N and s masses are in tonne",
                 lowest, highest);
}
