/* A continuation between two steps as numbers: all that the next step depends on. What it leaves
   out, R, J and the other workspace, every step evaluates before it reads it. */
#include <math.h>

#include "response/harmonic/path.h"

enum { N_SCALAR = 16, FAULT_ERROR = 13, N_VECTOR = 6 };

ptrdiff_t ms_path_save_size(const ms_path *p) {
  return N_SCALAR + MS_PATH_PASSED + (N_VECTOR + MS_PATH_PASSED) * (p->n + 1);
}

static size_t bytes_of_passed(const ms_path *p) {
  return (size_t)(MS_PATH_PASSED * (p->n + 1)) * sizeof *p->passed;
}

void ms_path_save(const ms_path *p, double *state) {
  const double scalar[N_SCALAR] = { (double)p->n,        p->ds,
                                    (double)p->steps,    (double)p->points,
                                    p->first_size,       (double)p->rejected,
                                    (double)p->missed,   p->away,
                                    (double)p->seen_at,  (double)p->base,
                                    p->seen_base,        (double)p->fault,
                                    (double)p->n_passed, p->fault_error,
                                    p->height,           p->slope };
  const double *vector[N_VECTOR] = { p->x, p->t, p->w, p->x_last, p->x_seen, p->t_seen };
  memcpy(state, scalar, sizeof scalar);
  for (int i = 0; i < N_VECTOR; i++) {
    ms_path_move(p, vector[i], state + N_SCALAR + i * (p->n + 1));
  }
  double *passed = state + N_SCALAR + N_VECTOR * (p->n + 1);
  for (int i = 0; i < MS_PATH_PASSED; i++) passed[i] = (double)p->passed_base[i];
  memcpy(passed + MS_PATH_PASSED, p->passed, bytes_of_passed(p));
}

static int is_sound(const ms_path *p, const double *state) {
  const ptrdiff_t size = ms_path_save_size(p);
  for (ptrdiff_t i = 0; i < size; i++) {
    if (!isfinite(state[i]) && i != FAULT_ERROR) return 0;
  }
  return state[0] == (double)p->n && state[1] > 0.0 && state[12] >= 0.0;
}

ms_status ms_path_load(ms_path *p, const double *state) {
  double *vector[N_VECTOR] = { p->x, p->t, p->w, p->x_last, p->x_seen, p->t_seen };
  if (!is_sound(p, state)) {
    return ms_fail(p->ctx, MS_ERR_FORMAT, "it is the state of another continuation");
  }
  p->ds = state[1];
  p->steps = (ptrdiff_t)state[2];
  p->points = (ptrdiff_t)state[3];
  p->first_size = state[4];
  p->rejected = (ptrdiff_t)state[5];
  p->missed = (ptrdiff_t)state[6];
  p->away = state[7];
  p->seen_at = (ptrdiff_t)state[8];
  p->base = (int)state[9];
  p->seen_base = (int)state[10];
  p->fault = (ms_path_fault)state[11];
  p->n_passed = (ptrdiff_t)state[12];
  p->fault_error = state[FAULT_ERROR];
  p->height = state[14];
  p->slope = state[15];
  for (int i = 0; i < N_VECTOR; i++) {
    ms_path_move(p, state + N_SCALAR + i * (p->n + 1), vector[i]);
  }
  const double *passed = state + N_SCALAR + N_VECTOR * (p->n + 1);
  for (int i = 0; i < MS_PATH_PASSED; i++) p->passed_base[i] = (ptrdiff_t)passed[i];
  memcpy(p->passed, passed + MS_PATH_PASSED, bytes_of_passed(p));
  return MS_SUCCESS;
}
