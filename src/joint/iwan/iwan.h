/* What the laws of the Iwan family share: a density, integrated exactly or by sliders. A law of the
   family fills the density in its setup, calls ms_iwan_setup, and puts MS_IWAN_ENTRIES in its
   table, or MS_IWAN_SPRING_ENTRIES if its density has a spring K_inf. */
#ifndef MS_JOINT_IWAN_IWAN_H
#define MS_JOINT_IWAN_IWAN_H

#include "joint/iwan/density.h"
#include "joint/iwan/field.h"
#include "joint/impl.h"
#include "joint/iwan/sliders.h"

typedef struct ms_iwan_model {
  ms_density density;
  ms_field_setting setting;
  ms_slider_set sliders; /* n = 0: exact */
} ms_iwan_model;

typedef struct ms_iwan_state {
  double start; /* displacement that the spring K_inf is counted from */
  union {
    ms_field field;
    ms_slider_state sliders;
  };
} ms_iwan_state;

/* `setting` points at the three values; model->density is filled already, and freed if this fails.
 */
ms_status ms_iwan_setup(ms_context *ctx, const double *setting, ms_iwan_model *model);

ms_status ms_iwan_open(ms_context *ctx, const void *model, void *state);
void ms_iwan_close(ms_context *ctx, void *model, void *state);
void ms_iwan_start(const void *model, void *state, const double *u);
ms_status ms_iwan_update(const void *model, const void *state, const ms_joint_input *in,
                         ms_joint_output *out, ms_joint_trial *trial);
/* The same with the spring K_inf, a tenth slower. */
ms_status ms_iwan_spring_update(const void *model, const void *state, const ms_joint_input *in,
                                ms_joint_output *out, ms_joint_trial *trial);
ms_status ms_iwan_commit(ms_context *ctx, const void *model, void *state,
                         const ms_joint_trial *trial);
ptrdiff_t ms_iwan_save_size(const void *model, const void *state);
void ms_iwan_save(const void *model, const void *state, double *buffer);
ms_status ms_iwan_load(ms_context *ctx, const void *model, void *state, const double *buffer,
                       ptrdiff_t n);
/* Virgin curve and loss per cycle of the exact element. */
void ms_iwan_backbone(const void *model, double u, double *force, double *slope);
double ms_iwan_cycle(const void *model, double u0, double omega);
int ms_iwan_virgin(const void *model, double u, ms_virgin *out);
void ms_iwan_energy(const void *model, const void *state, ms_joint_energy *out);
void ms_iwan_memory(const void *model, const void *state, ms_joint_memory *out);
double ms_iwan_slip_scale(const void *model);
void ms_iwan_macroslip(const void *model, double *K);
void ms_iwan_sensitivity(const void *model, const void *state, const ms_joint_input *in,
                         const ms_joint_output *out, ms_joint_trial *trial,
                         const ms_step_sensitivity *d);
ptrdiff_t ms_iwan_count_rows(const void *model, const void *state, const ms_joint_trial *trial);
void ms_iwan_sensitivity_start(const void *model, const void *state, const ms_step_sensitivity *d);

#define MS_IWAN_CARRY_ENTRIES                                           \
  .sensitivity = ms_iwan_sensitivity, .count_rows = ms_iwan_count_rows, \
  .sensitivity_start = ms_iwan_sensitivity_start

#define MS_IWAN_OTHER_ENTRIES                                                                     \
  .model_size = sizeof(ms_iwan_model), .state_size = sizeof(ms_iwan_state), .open = ms_iwan_open, \
  .close = ms_iwan_close, .start = ms_iwan_start, .commit = ms_iwan_commit,                       \
  .save_size = ms_iwan_save_size, .save = ms_iwan_save, .load = ms_iwan_load,                     \
  .backbone = ms_iwan_backbone, .cycle = ms_iwan_cycle, .virgin = ms_iwan_virgin,                 \
  .energy = ms_iwan_energy, .memory = ms_iwan_memory, .slip_scale = ms_iwan_slip_scale,           \
  MS_IWAN_CARRY_ENTRIES

#define MS_IWAN_ENTRIES .update = ms_iwan_update, MS_IWAN_OTHER_ENTRIES
/* For laws whose density has a K_inf. */
#define MS_IWAN_SPRING_ENTRIES \
  .update = ms_iwan_spring_update, .macroslip = ms_iwan_macroslip, MS_IWAN_OTHER_ENTRIES

#endif
