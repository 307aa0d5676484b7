/* left_free.c: what moves where a preload finds no equilibrium. */
#ifndef MS_FEM_CONTACT_LEFT_FREE_H
#define MS_FEM_CONTACT_LEFT_FREE_H

#include <microslip/fem_contact.h>

/* "part 'lid' moves along (1, 0, 0)": how the load drives the model, which has no contacts, from
   the state of `contact`, if friction is all that could hold it; "" if nothing moves. */
ms_status ms_left_free_describe(ms_fem_model *model, const double *load, ptrdiff_t n,
                                const ms_fem_contact_point *point, const ms_contact *contact,
                                char *text, size_t size);

#endif
