/* Faces between the points of a contact. */
#ifndef MS_FEM_CONTACT_FACES_H
#define MS_FEM_CONTACT_FACES_H

#include <microslip/fem_contact.h>

/* face and n_face of `rest`, which has its points. */
ms_status ms_fem_fill_contact_faces(const ms_fem_model *model, const ms_fem_assembly *assembly,
                                    ms_fem_rest *rest);

#endif
