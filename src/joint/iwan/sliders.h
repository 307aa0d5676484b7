/* The slider form of an Iwan element: n Jenkins elements in parallel, for cross-checks and for
   vector hardware. Stiffness of a slider is the density's mass in its cell. */
#ifndef MS_JOINT_IWAN_SLIDERS_H
#define MS_JOINT_IWAN_SLIDERS_H

#include <microslip/joint.h>

#include "joint/iwan/density.h"
#include "joint/impl.h"

typedef enum ms_spacing { MS_SPACING_GEOMETRIC, MS_SPACING_UNIFORM } ms_spacing;

/* The sliders: fixed once set up. */
typedef struct ms_slider_set {
  ptrdiff_t n;
  double *phi, *stiffness;
} ms_slider_set;

/* Their history: anchors. */
typedef struct ms_slider_state {
  double *anchor;
  double u, alpha, k, dissipated;
} ms_slider_state;

/* n cells on (phi_min, phi_max), none if the density is all deltas, and one slider per delta. */
ms_status ms_sliders_create(ms_context *ctx, const ms_density *d, ptrdiff_t n, ms_spacing spacing,
                            ms_slider_set *set);
void ms_sliders_destroy(ms_context *ctx, ms_slider_set *set);
void ms_sliders_start(const ms_slider_set *set, ms_slider_state *state, double u);
void ms_sliders_update(const ms_slider_set *set, const ms_slider_state *state,
                       const ms_joint_input *in, ms_joint_output *out, ms_joint_trial *trial);
void ms_sliders_commit(const ms_slider_set *set, ms_slider_state *state,
                       const ms_joint_trial *trial);
void ms_sliders_energy(const ms_slider_set *set, const ms_slider_state *state,
                       ms_joint_energy *out);
/* A row for each anchor. */
void ms_sliders_sensitivity_start(const ms_slider_set *set, const ms_step_sensitivity *c);
void ms_sliders_sensitivity(const ms_slider_set *set, const ms_slider_state *state,
                            const ms_joint_input *in, const ms_step_sensitivity *c);

/* The three settings every law of the family has, in this order at the end of its param[]. */
#define MS_IWAN_SLIDERS(most)                                                                 \
  {                                                                                           \
    .name = "sliders", .unit = "-", .meaning = "0: exact; n > 0: n discrete sliders instead", \
    .lower = 0, .upper = most, .why = "it is a number of sliders", .kind = MS_PARAM_COUNT     \
  }
#define MS_IWAN_SPACING                                                                            \
  {                                                                                                \
    .name = "spacing", .unit = "-", .meaning = "spacing of discrete sliders over phi", .lower = 0, \
    .upper = 1, .kind = MS_PARAM_CHOICE, .choices = "geometric|uniform"                            \
  }
#define MS_IWAN_MERGE(m, t)                                                          \
  {                                                                                  \
    .name = "merge_tolerance", .unit = "-", .meaning = m, .lower = 0, .upper = 1e-2, \
    .why = "a larger error would be visible in the force", .typical = t              \
  }
#define MS_IWAN_SETTINGS                                                                          \
  MS_IWAN_SLIDERS(1e7), MS_IWAN_SPACING,                                                          \
      MS_IWAN_MERGE("force error allowed, of F_S, when old reversals are merged; 0: never merge", \
                    1e-12)

#endif
