/* Matrices whose rows have labels: node and degree of freedom. */
#ifndef MS_STRUCTURE_LABELS_H
#define MS_STRUCTURE_LABELS_H

#include <microslip/io.h>
#include <microslip/structure.h>

/* As ms_structure_create, with names from the labels: n12.x. */
ms_status ms_structure_create_labelled(ms_context *ctx, const ms_dofs *dofs, ms_structure **out);
/* A matrix of the structure's size to SI: entries between displacements times `factor`; for angles,
   by their labels (NULL: there are none) or names, `length` more for row and column each. */
void ms_structure_scale(const ms_structure *structure, const ms_dofs *dofs, double factor,
                        double length, double *A);

/* Of a node: ux, uy, uz, rx, ry, rz, 0 to 5; and back, -1 for another name. */
extern const char *const ms_component_name[6];
int ms_component_find(const char *name);

#endif
