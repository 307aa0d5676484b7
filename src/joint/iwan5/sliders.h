/* The slider form of the Iwan element with a friction drop, for cross-checks: the sliders of
   iwan/sliders.h, each with a flag for slip. The rule of a step is that of field.c. */
#ifndef MS_JOINT_IWAN5_SLIDERS_H
#define MS_JOINT_IWAN5_SLIDERS_H

#include "joint/iwan/sliders.h"

typedef struct ms_slider5_state {
  double *anchor, *flag; /* +1, -1: slipping to that side; 0: stuck */
  double u, alpha, k, dissipated;
} ms_slider5_state;

ms_status ms_sliders5_open(ms_context *ctx, const ms_slider_set *set, ms_slider5_state *state);
void ms_sliders5_close(ms_context *ctx, ms_slider5_state *state);
void ms_sliders5_start(const ms_slider_set *set, ms_slider5_state *state, double u);
void ms_sliders5_update(const ms_slider_set *set, double theta, const ms_slider5_state *state,
                        const ms_joint_input *in, ms_joint_output *out, ms_joint_trial *trial);
void ms_sliders5_commit(const ms_slider_set *set, double theta, ms_slider5_state *state,
                        const ms_joint_trial *trial);
ptrdiff_t ms_sliders5_save_size(const ms_slider_set *set);
void ms_sliders5_save(const ms_slider_set *set, const ms_slider5_state *state, double *buffer);
ms_status ms_sliders5_load(ms_context *ctx, const ms_slider_set *set, ms_slider5_state *state,
                           const double *buffer, ptrdiff_t n);
void ms_sliders5_energy(const ms_slider_set *set, const ms_slider5_state *state,
                        ms_joint_energy *out);
/* A row for each anchor. */
void ms_sliders5_sensitivity(const ms_slider_set *set, double theta, const ms_slider5_state *state,
                             const ms_joint_input *in, const ms_step_sensitivity *c);

#endif
