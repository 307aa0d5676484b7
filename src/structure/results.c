/* A structure in results.h5: names, matrices, modes. */
#include <stdio.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "structure/impl.h"

enum { N_SHAPE = 20 }; /* of shapes that are written */

static ms_status write_modes(ms_results *out, const char *name, ms_modes modes) {
  char omega[64], shape[64];
  snprintf(omega, sizeof omega, "structure/%s/omega", name);
  snprintf(shape, sizeof shape, "structure/%s/shape", name);
  MS_TRY(ms_results_write_vector(out, omega, modes.n, modes.omega));
  MS_TRY(ms_results_set_text(out, omega, "unit", "rad/s"));
  MS_TRY(ms_results_write_matrix(out, shape, modes.n, modes.n < N_SHAPE ? modes.n : N_SHAPE,
                                 modes.shape));
  return ms_results_set_text(out, shape, "unit", "1/sqrt(kg)");
}

static ms_status write_matrix(const ms_structure *s, ms_results *out, const char *path,
                              const char *unit, const double *values) {
  ptrdiff_t n = ms_structure_get_size(s);
  MS_TRY(ms_results_write_matrix(out, path, n, n, values));
  return ms_results_set_text(out, path, "unit", unit);
}

static ms_status write_damping(const ms_structure *s, ms_results *out) {
  ptrdiff_t n = ms_structure_get_size(s);
  double *values;
  MS_TRY(ms_allocate(s->ctx, n * n, sizeof *values, &values));
  ms_status status = ms_structure_fill_damping(s, values);
  if (status == MS_SUCCESS) {
    status = write_matrix(s, out, "structure/damping", "N s/m", values);
  }
  for (ptrdiff_t r = 0; r < n; r++) values[r] = ms_structure_get_damping_ratio(s, r);
  if (status == MS_SUCCESS) {
    status = ms_results_write_vector(out, "structure/stuck/zeta", n, values);
  }
  ms_free(s->ctx, &values);
  return status;
}

static ms_status write_names(const ms_structure *s, ms_results *out) {
  ptrdiff_t n = ms_structure_get_size(s);
  int joints = ms_structure_count_joints(s);
  const char **names;
  MS_TRY(ms_allocate(s->ctx, n + 2 * joints, sizeof *names, &names));
  for (ptrdiff_t i = 0; i < n; i++) names[i] = ms_structure_get_name(s, i);
  for (int j = 0; j < joints; j++) {
    names[n + j] = ms_structure_get_joint_name(s, j);
    names[n + joints + j] = ms_joint_info(ms_structure_get_joint(s, j))->name;
  }
  ms_status status = ms_results_write_texts(out, "structure/coordinates", n, names);
  if (status == MS_SUCCESS) {
    status = ms_results_write_texts(out, "structure/joints/name", joints, names + n);
  }
  if (status == MS_SUCCESS) {
    status = ms_results_write_texts(out, "structure/joints/law", joints, names + n + joints);
  }
  ms_free(s->ctx, &names);
  return status;
}

ms_status ms_structure_write_results(const ms_structure *s, ms_results *out) {
  MS_NEED(s ? s->ctx : NULL, s && out);
  MS_TRY(write_names(s, out));
  MS_TRY(write_matrix(s, out, "structure/mass", "kg", ms_structure_get_mass(s)));
  MS_TRY(write_matrix(s, out, "structure/stiffness", "N/m", ms_structure_get_stiffness(s)));
  MS_TRY(write_modes(out, "stuck", ms_structure_get_stuck(s)));
  MS_TRY(write_modes(out, "slipped", ms_structure_get_slipped(s)));
  return write_damping(s, out);
}
