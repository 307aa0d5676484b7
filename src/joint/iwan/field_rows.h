/* Rows of derivatives of the slider field: where they lie. For field_sensitivity.c and
 * field_parameters.c. */
#ifndef MS_JOINT_IWAN_FIELD_ROWS_H
#define MS_JOINT_IWAN_FIELD_ROWS_H

#include "joint/iwan/field_walk.h"

enum { ROW_U, ROW_R, N_FIXED };
enum { ROW_C, ROW_SLOPE, ROW_G, N_OWN };
enum { N_SCRATCH = 2 }; /* rows behind the lists: dr, and the slope of the cone */

typedef struct ms_segment_rows {
  double *c, *slope, *G;
} ms_segment_rows;

static inline ms_segment_rows ms_rows_at(const ms_step_sensitivity *c, double *list, ptrdiff_t i) {
  double *first = list + c->n * N_OWN * i;
  return (ms_segment_rows) { first + c->n * ROW_C, first + c->n * ROW_SLOPE, first + c->n * ROW_G };
}

static inline double *ms_row_list(const ms_step_sensitivity *c) {
  return c->row + c->n * N_FIXED;
}

/* field_parameters.c: what the parameters that directions move add to the force and to the rows of
   G, for a stack after its rows are written, and for a clipped list in `list`. */
void ms_field_param_stack(const ms_density *d, const ms_field *f, double k,
                          const ms_joint_trial *trial, const ms_step_sensitivity *c);
void ms_field_param_pieces(const ms_density *d, const ms_field *f, double k,
                           const ms_joint_trial *trial, double *list, const ms_step_sensitivity *c);

#endif
