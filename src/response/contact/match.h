/* Which nodes and faces of two sets of linear faces lie opposite each other. */
#ifndef MS_RESPONSE_CONTACT_MATCH_H
#define MS_RESPONSE_CONTACT_MATCH_H

#include <microslip/contact.h>

typedef struct ms_contact_side {
  const char *faces;
  ptrdiff_t n, n_face;
  double *x;       /* m: 3 for each node */
  int32_t *corner; /* 4 for each face: its nodes, -1 behind a triangle */
  /* found */
  int32_t *partner;      /* of each node: a node of the other side, or -1 */
  unsigned char *on;     /* of each face: it belongs to the contact */
  double *normal, *tilt; /* of each node; tilt: sine of the largest angle to its faces' normals */
  double *side;          /* m: of each node, the largest square root of a face's area */
  ptrdiff_t n_on;
} ms_contact_side;

typedef struct ms_contact_match {
  const char *name, *advice; /* advice: what to do where nodes do not match */
  double reach;              /* m: faces farther apart are not opposite; 0: as far as may be */
  const ms_contact_tolerances *tol;
  int mismatch; /* out: the refusal is about nodes that do not match */
} ms_contact_match;

/* Room for n nodes and faces, which the caller fills. */
ms_status ms_contact_reserve_side(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_face,
                                  ms_contact_side *side);
void ms_contact_free_side(ms_context *ctx, ms_contact_side *side);
/* How far apart two nodes are along their normals does not matter, how far beside each other does.
   A face belongs to the contact where a face of the other side lies opposite it. */
ms_status ms_contact_find_match(ms_context *ctx, ms_contact_match *m, ms_contact_side *a,
                                ms_contact_side *b);

#endif
