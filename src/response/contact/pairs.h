/* What points of contact share, of nodes of a table and of finite elements. */
#ifndef MS_RESPONSE_CONTACT_PAIRS_H
#define MS_RESPONSE_CONTACT_PAIRS_H

#include <microslip/contact_bodies.h>

/* Columns t1, t2, n from the normal n: t1 is the projection of the x axis, or of y where that is
   nearly the normal. */
void ms_contact_fill_axes(const double *n, double *axes);
/* Faces that cannot touch at x. inside: by how much (m) the first body is in the second; 0: they
   face the same way. */
ms_status ms_contact_refuse_at(ms_context *ctx, const char *name, const char *const faces[2],
                               const double *x, double inside);

#endif
