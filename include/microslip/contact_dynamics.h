/* [response] Contact points in time: bodies at rest in contact (microslip/contact_bodies.h), set in
   motion by loads. Few modes carry the inertia; the contact points have none of their own, only the
   flexibility that the modes leave over, so that the law of contact is solved in every step as it
   is at rest, rigid or with a layer. Equations: docs/theory/contact.md. SI units. */
#ifndef MICROSLIP_CONTACT_DYNAMICS_H
#define MICROSLIP_CONTACT_DYNAMICS_H

#include <microslip/contact_bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bodies that can move ---- */

/* Bodies at rest with modes phi, M-normalised, of the bodies with their closed points stuck.
   `contact` is under n_mode loads M phi and then n_load others F; of those that push a rigid-body
   mode the part that is left is F - M phi phi^T F. Loads of rigid-body modes are zero. */
typedef struct ms_contact_modal {
  ptrdiff_t n_mode, n_load;
  double *omega;  /* n_mode, rad/s; 0: a rigid-body mode */
  double *follow; /* n_load x n_mode: F^T phi */
  ms_contact *contact;
} ms_contact_modal;
MS_API void ms_contact_modal_free(ms_context *ctx, ms_contact_modal *modal);

/* Of bodies given by matrices: the n_mode lowest modes of `stuck`, which ms_contact_stick made and
   which is set up. load: n x n_load in the degrees of freedom of the bodies; a sensor is a load of
   1 that never acts, an acceleration of the ground the load -M r. */
MS_API ms_status ms_contact_find_modal(ms_context *ctx, const ms_contact_bodies *bodies,
                                       const ms_contact_rest *rest, const ms_structure *stuck,
                                       ptrdiff_t n_mode, ptrdiff_t n_load, const double *load,
                                       const ms_contact_setting *setting, ms_contact_modal *out);

/* A copy that goes on from the present state of `from`, and in which loads act through springs
   (n_load numbers, N/m; 0: none, the load stays one). The far end of spring k is moved by p_k, m;
   HUGE_VAL: it is rigid, and moves v_k itself. v_k is minus the force in it, N. Both are
   zero at the beginning, and the `work` of the state has no meaning. */
MS_API ms_status ms_contact_add_springs(ms_context *ctx, const ms_contact *from,
                                        const double *stiffness, ms_contact **out);

/* ---- a run ---- */

typedef struct ms_contact_run ms_contact_run;

/* From rest at time 0, by average acceleration (Newmark) in steps of `step` s. zeta: damping ratio
   of each mode, NULL: none. What `modal` has is copied. */
MS_API ms_status ms_contact_run_create(ms_context *ctx, const ms_contact_modal *modal,
                                       const double *zeta, double step, ms_contact_run **out);
MS_API void ms_contact_run_destroy(ms_contact_run **run);
/* Instead of rest, before the first step: loads p (n_load, N) that act from the beginning, and
   modal velocities v (n_mode). NULL: zero. */
MS_API ms_status ms_contact_run_start(ms_contact_run *run, const double *p, const double *v);
/* Forces on the modes (n_mode, N/sqrt(kg)), beside the loads: at the end of the next steps, until
   others are given, and from the beginning where this comes before ms_contact_run_start. */
MS_API void ms_contact_run_push(ms_contact_run *run, const double *f);
/* One step; the loads at its end are p. MS_NOT_CONVERGED leaves everything as it was. */
MS_API ms_status ms_contact_run_step(ms_contact_run *run, const double *p);

/* The state now; displacements count from rest. Owned by the run. */
typedef struct ms_contact_motion {
  double time;
  ptrdiff_t step;
  const double *q, *v, *a; /* n_mode: displacement, velocity, acceleration of the modes */
  const double *p, *u;     /* n_load: loads, and displacement F_k^T u that belongs to each */
} ms_contact_motion;
MS_API ms_contact_motion ms_contact_run_get(const ms_contact_run *run);
/* The points: forces, status, ms_contact_add_up. Energies dissipated and distances slid are those
   of the preload and of the run together. */
MS_API const ms_contact *ms_contact_run_get_contact(const ms_contact_run *run);

/* What a contact does, as columns of a table against time: name, unit and meaning. */
typedef enum ms_contact_quantity {
  MS_CONTACT_NORMAL_FORCE,
  MS_CONTACT_FRICTION_FORCE,
  MS_CONTACT_DISSIPATED,
  MS_CONTACT_SLID,
  MS_CONTACT_N_OPEN,
  MS_CONTACT_N_STICK,
  MS_CONTACT_N_SLIP,
  MS_N_CONTACT_QUANTITY
} ms_contact_quantity;
typedef struct ms_contact_column {
  const char *name, *unit, *meaning; /* unit NULL: a number */
} ms_contact_column;
/* Of column i in a table that has MS_N_CONTACT_QUANTITY for each contact; text (size bytes, may be
   NULL) is its name behind that of the contact: lap.normal_force. */
MS_API ms_contact_column ms_contact_get_column(int i, const char *contact, char *text, size_t size);
/* MS_N_CONTACT_QUANTITY numbers for contact `group`, energy and distance since the beginning. */
MS_API void ms_contact_run_fill_columns(const ms_contact_run *run, int group, double *value);

/* J, since the beginning: input + start = kinetic + strain + viscous + friction + opening + corner
   + balance. */
typedef struct ms_contact_energy {
  double start; /* kinetic energy at the beginning */
  double input; /* work of the loads */
  double kinetic;
  double strain;   /* of bodies and layers, and potential of what loads them at rest */
  double viscous;  /* lost in the damping of the modes */
  double friction; /* dissipated at the points */
  double
      opening;   /* missed by steps in which a point opens or closes: of second order in the step */
  double corner; /* missed by steps in which a point begins or ends to slip: the same */
  double balance; /* what is left: of rounding and of Newton's residual */
} ms_contact_energy;
MS_API ms_contact_energy ms_contact_run_get_energy(const ms_contact_run *run);

/* The whole state as numbers, for checkpoints. What goes on from it has the same digits. */
MS_API ptrdiff_t ms_contact_run_save_size(const ms_contact_run *run);
MS_API void ms_contact_run_save(const ms_contact_run *run, double *values);
/* Into a run that was created in the same way. MS_ERR_FORMAT: it is of another run. */
MS_API ms_status ms_contact_run_load(ms_contact_run *run, const double *values, ptrdiff_t n);

#ifdef __cplusplus
}
#endif
#endif
