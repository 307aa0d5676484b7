/* Where free parameters stand: numbers of a structure's joints that are set together. */
#ifndef MS_IDENTIFY_CALIBRATE_FREE_PARAMETERS_H
#define MS_IDENTIFY_CALIBRATE_FREE_PARAMETERS_H

#include <microslip/calibrate.h>
#include <microslip/contact.h>

typedef struct ms_place {
  ms_joint *joint;     /* of the structure, or its member; NULL: of no joint */
  int index, member;   /* as in ms_parameter_place */
  double before, now;  /* its value when it was taken; `now` of those that are of no joint */
  int taken, is_first; /* is_first: of those of the joint */
  char *param;
} ms_place;

typedef struct ms_placed_parameter {
  char *name;
  ptrdiff_t n_place;
  ms_place *place;
} ms_placed_parameter;

typedef struct ms_places {
  ms_context *ctx;
  ms_structure *structure;
  ptrdiff_t n;
  ms_placed_parameter *parameter;
  int touched;                      /* the joints have been given other parameters */
  const ms_contact_family *contact; /* of the structure; NULL: none */
  double *value;                    /* its numbers as they are now */
  double *matrices;                 /* M and K as they were, where numbers of them are free */
} ms_places;

/* The joint, or member of one, that a place is in. */
const ms_joint *ms_parameter_place_joint(const ms_structure *structure,
                                         const ms_parameter_place *place);

/* The structure's joints are borrowed. ms_places_free is due even after a failure. */
ms_status ms_places_take(ms_structure *structure, ptrdiff_t n, const ms_free_parameter *parameter,
                         ms_places *out);
/* The joints get back the parameters they had. */
void ms_places_free(ms_places *places);
/* The parameters that the joints have now; of several places that of the first. */
ms_status ms_places_get(const ms_places *places, double *p);
/* Sets them and sets the joints up; masses and springs stay as they are, */
ms_status ms_places_set(ms_places *places, const double *p);
/* but not here: the structure belongs to the places, gets nothing back, and must be set up anew. */
ms_status ms_places_set_all(ms_places *places, const double *p);
/* Whether masses or springs are free. */
static inline int ms_places_need_setup(const ms_places *places) {
  return places->matrices != NULL;
}

/* Failures of the numbers only say that there is no answer here. */
static inline ms_status ms_places_soften(ms_status status) {
  int numbers = status == MS_ERR_NUMERIC || status == MS_ERR_BOUNDS || status == MS_ERR_ARGUMENT;
  return numbers ? MS_NOT_CONVERGED : status;
}

/* Central differences of m residuals by n parameters, from one side where the other has no answer.
   scratch: m + n numbers. eval is never asked for a Jacobian; the last call is at p. */
ms_status ms_places_differ(ms_fit_eval *eval, void *user, ptrdiff_t n, ptrdiff_t m, const double *p,
                           double *scratch, double *r, double *jac);

#endif
