/* Other values of an assembly's numbers. */
#ifndef MS_FEM_CONTACT_NUMBERS_H
#define MS_FEM_CONTACT_NUMBERS_H

#include <microslip/fem_contact.h>

/* The contacts (n_contact) with the values of ms_fem_list_numbers; returns the stages' factors. */
const double *ms_fem_take_numbers(const ms_fem_assembly *assembly, const double *value,
                                  ms_fem_contact *contact);

#endif
