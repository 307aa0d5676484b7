/* Stages of a preload, whatever the bodies are. */
#ifndef MS_RESPONSE_CONTACT_PRELOAD_H
#define MS_RESPONSE_CONTACT_PRELOAD_H

#include <microslip/contact_bodies.h>

/* One load, from 0 to `factor` in `steps`, and with friction, which depends on the way, once more
   in twice as many, which is what stays. Only these where nobody compares. Without friction points
   slide freely, and stick afterwards. */
typedef struct ms_contact_pressing {
  double factor;
  int steps, friction, compare;
  int n_glue;
  const int *glue; /* contacts, at the end */
} ms_contact_pressing;
/* rest->contact (NULL: none yet) is the state before and becomes that after; rest->change grows to
   what the steps change. */
ms_status ms_contact_push_stage(ms_context *ctx, const ms_contact_problem *problem,
                                const ms_contact_setting *setting, const ms_contact_pressing *how,
                                ms_contact_rest *rest);

/* How modes at rest hold a point: MS_CONTACT_OPEN not at all, MS_CONTACT_STICK in all directions,
   MS_CONTACT_SLIP along the normal alone: it is closed without friction, and not glued. */
unsigned char ms_contact_mode_status(const ms_contact_rest *rest, ptrdiff_t i);

/* A problem some of whose loads (flags, n_load) hold their displacements. Of the others it has
   n_out mixtures W (n_load x n_out), W being 0 for those held. H, z_load and load_load are its own.
 */
typedef struct ms_contact_held {
  ms_contact_problem problem;
  ptrdiff_t n; /* held */
  double *H, *z_load, *load_load;
  double *by_point, *by_load; /* n x 3 n_point, n x n_out: what changes their forces */
} ms_contact_held;
ms_status ms_contact_hold_loads(ms_context *ctx, const ms_contact_problem *problem,
                                const unsigned char *held, ptrdiff_t n_out, const double *W,
                                ms_contact_held *out);
void ms_contact_held_free(ms_context *ctx, ms_contact_held *held);
/* The forces r (n) of the held loads grow by what these add in a state (1, and -1 for the state
   that it went on from): the points, and the loads p (n_out) of that contact. */
void ms_contact_add_reactions(const ms_contact_held *held, const ms_contact *contact, double factor,
                              double *r);
void ms_contact_add_loads(const ms_contact_held *held, const double *p, double *r);

/* Loads (n x n_load) that push the bodies in a motion that nothing holds (free: n x n_free) have no
   equilibrium. Their work in it is compared with what they would do if every degree of freedom
   moved as far as the farthest: a push across a motion does no work but for rounding. */
ms_status ms_contact_check_balance(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_load,
                                   const double *load, ptrdiff_t n_free, const double *free,
                                   double tolerance);

#endif
