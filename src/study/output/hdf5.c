/* results.h5: everything a study has computed, with what it was computed from. */
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "study/study.h"

static ms_status write_study(const ms_study *s, ms_results *out) {
  MS_TRY(ms_results_set_text(out, "", "title", s->title));
  MS_TRY(ms_results_set_text(out, "", "microslip", ms_version()));
  MS_TRY(ms_results_set_text(out, "", "units", "SI"));
  MS_TRY(ms_results_set_text(out, "", "status", ms_outcome_text(ms_study_get_outcome(s, -1))));
  MS_TRY(ms_results_write_texts(out, "study/text", 1, (const char *const[]) { s->yaml.text }));
  MS_TRY(ms_results_set_text(out, "study/text", "units", s->units.text));
  MS_TRY(ms_display_write_results(s->display, out, "study/display"));
  return ms_results_write_texts(out, "study/set", s->n_set, (const char *const *)s->set);
}

enum { N_SHAPE = 20 }; /* as many as `modes` writes where nothing else is said */

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

static ms_status write_matrix(const ms_study *s, ms_results *out, const char *path,
                              const char *unit, const double *values) {
  ptrdiff_t n = ms_structure_get_size(s->structure);
  MS_TRY(ms_results_write_matrix(out, path, n, n, values));
  return ms_results_set_text(out, path, "unit", unit);
}

static ms_status write_damping(const ms_study *s, ms_results *out) {
  ptrdiff_t n = ms_structure_get_size(s->structure);
  double *values;
  MS_TRY(ms_allocate(s->ctx, n * n, sizeof *values, &values));
  ms_status status = ms_structure_fill_damping(s->structure, values);
  if (status == MS_SUCCESS) {
    status = write_matrix(s, out, "structure/damping", "N s/m", values);
  }
  for (ptrdiff_t r = 0; r < n; r++) values[r] = ms_structure_get_damping_ratio(s->structure, r);
  if (status == MS_SUCCESS) {
    status = ms_results_write_vector(out, "structure/stuck/zeta", n, values);
  }
  ms_free(s->ctx, &values);
  return status;
}

static ms_status write_names(const ms_study *s, ms_results *out) {
  ptrdiff_t n = ms_structure_get_size(s->structure);
  int joints = ms_structure_count_joints(s->structure);
  const char **names;
  MS_TRY(ms_allocate(s->ctx, n + 2 * joints, sizeof *names, &names));
  for (ptrdiff_t i = 0; i < n; i++) names[i] = ms_structure_get_name(s->structure, i);
  for (int j = 0; j < joints; j++) {
    names[n + j] = ms_structure_get_joint_name(s->structure, j);
    names[n + joints + j] = ms_joint_info(ms_structure_get_joint(s->structure, j))->name;
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

static ms_status write_structure(const ms_study *s, ms_results *out) {
  const ms_structure *k = s->structure;
  MS_TRY(write_names(s, out));
  MS_TRY(write_matrix(s, out, "structure/mass", "kg", ms_structure_get_mass(k)));
  MS_TRY(write_matrix(s, out, "structure/stiffness", "N/m", ms_structure_get_stiffness(k)));
  MS_TRY(write_modes(out, "stuck", ms_structure_get_stuck(k)));
  MS_TRY(write_modes(out, "slipped", ms_structure_get_slipped(k)));
  return write_damping(s, out);
}

static ms_status fill(const ms_study *s, ms_results *out) {
  MS_TRY(write_study(s, out));
  if (s->structure) MS_TRY(write_structure(s, out));
  for (int i = 0; i < s->n_task; i++) {
    MS_TRY(ms_result_write_results(s->task[i].result, out));
  }
  return MS_SUCCESS;
}

ms_status ms_study_write_results(ms_study *s) {
  char *path;
  ms_results *out;
  MS_TRY(ms_folder_path(s->ctx, s->folder, "results.h5", &path));
  ms_status status = ms_results_create(s->ctx, path, &out);
  ms_free(s->ctx, &path);
  if (status != MS_SUCCESS) return status;
  status = fill(s, out);
  if (status == MS_SUCCESS) return ms_results_commit(&out);
  ms_results_close(&out);
  return status;
}
