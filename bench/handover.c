#include "handover.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

struct bench_handover {
  FILE *file;
};

bench_handover *bench_hand_open(const char *path) {
  bench_handover *to = malloc(sizeof *to);
  if (!to) bench_stop("no memory");
  to->file = fopen(path, "w");
  if (!to->file) bench_stop("the file for Octave cannot be written");
  return to;
}

void bench_hand_matrix(bench_handover *to, const char *name, ptrdiff_t rows, ptrdiff_t columns,
                       const double *a) {
  fprintf(to->file, "# name: %s\n# type: matrix\n# rows: %td\n# columns: %td\n", name, rows,
          columns);
  for (ptrdiff_t i = 0; i < rows; i++) {
    for (ptrdiff_t j = 0; j < columns; j++) fprintf(to->file, " %.17g", a[i + rows * j]);
    fputc('\n', to->file);
  }
}

void bench_hand_number(bench_handover *to, const char *name, double value) {
  fprintf(to->file, "# name: %s\n# type: scalar\n%.17g\n", name, value);
}

void bench_hand_structure(ms_context *ctx, bench_handover *to, const bench_system *system) {
  const ms_structure *s = system->structure;
  ptrdiff_t n = ms_structure_get_size(s), m = system->joints;
  double *C = malloc((size_t)(n * n) * sizeof *C);
  double *B = calloc((size_t)(n * m), sizeof *B);
  if (!C || !B) bench_stop("no memory");
  bench_need(ctx, ms_structure_fill_damping(s, C));
  for (ptrdiff_t k = 0; k < m; k++) {
    if (system->to[k] >= 0) B[system->to[k] + n * k] = 1.0;
    if (system->from[k] >= 0) B[system->from[k] + n * k] = -1.0;
  }
  bench_hand_matrix(to, "M", n, n, ms_structure_get_mass(s));
  bench_hand_matrix(to, "C", n, n, C);
  bench_hand_matrix(to, "K", n, n, ms_structure_get_stiffness(s));
  bench_hand_matrix(to, "B", n, m, B);
  free(B);
  free(C);
}

void bench_hand_joints(ms_context *ctx, bench_handover *to, const char *name,
                       const bench_system *system, int first, int count, const char *const *param) {
  double value[16 * TEXTBOOK_MAX_JOINTS];
  ptrdiff_t n = 0;
  while (param[n]) n++;
  for (int k = 0; k < count; k++) {
    const ms_joint *j = ms_structure_get_joint(system->structure, first + k);
    for (ptrdiff_t i = 0; i < n; i++) bench_need(ctx, ms_joint_get(j, param[i], &value[i + n * k]));
  }
  bench_hand_matrix(to, name, n, count, value);
}

void bench_hand_iwan(ms_context *ctx, bench_handover *to, const bench_system *system) {
  static const char *const param[] = { "F_S", "K_T", "chi", "beta", NULL };
  bench_hand_joints(ctx, to, "iwan", system, 0, system->joints, param);
}

void bench_hand_mode(bench_handover *to, const bench_system *system) {
  const ms_modes modes = ms_structure_get_stuck(system->structure);
  bench_hand_matrix(to, "shape", modes.n, 1, modes.shape);
  bench_hand_number(to, "omega", modes.omega[0]);
  bench_hand_number(to, "zeta", ms_structure_get_damping_ratio(system->structure, 0));
}

void bench_hand_close(bench_handover **to) {
  int bad = ferror((*to)->file);
  if (fclose((*to)->file) || bad) bench_stop("the file for Octave cannot be written");
  free(*to);
  *to = NULL;
}
