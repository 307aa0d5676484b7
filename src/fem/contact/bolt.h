/* Cuts of bolts in a model. */
#ifndef MS_FEM_CONTACT_BOLT_H
#define MS_FEM_CONTACT_BOLT_H

#include <microslip/fem_contact.h>

#include "response/contact/preload.h"

/* Adds the load under which the bolt has a tension of 1 N, if its cut is open. */
ms_status ms_fem_add_tension(const ms_fem_model *model, const ms_fem_bolt *bolt, double *load);

/* bolted_stage.c: bolts of an assembly that no stage tightens, or none can, are refused. */
ms_status ms_bolts_check(ms_context *ctx, const ms_fem_assembly *assembly);
/* Whether a stage (NULL: none, after all of them) leaves the length of a bolt free: it tightens it,
   or none has yet. */
int ms_bolts_is_free(const ms_fem_assembly *assembly, const ms_fem_stage *stage, int bolt);
/* The tensions that a stage adds to the forces r of the bolts before it, into the first of the
   loads of a model (size each), behind which are the bolts'. */
void ms_bolts_add_tensions(const ms_fem_stage *stage, const double *r, ptrdiff_t size,
                           double *load);
/* A condensed problem, whose last loads are the bolts' tensions, as it is in a stage: with one
   load, from 0 to 1, of all that presses, bolts having the forces r before; or after all stages
   (NULL), with the loads that it has before the bolts'. */
ms_status ms_bolts_hold(ms_context *ctx, const ms_fem_assembly *assembly, const ms_fem_stage *stage,
                        double factor, const double *r, const ms_contact_problem *problem,
                        ms_contact_held *out);
/* ms_contact_push_stage of stage k with bolts, whose forces are added to `rest`. */
ms_status ms_bolts_press(ms_context *ctx, const ms_fem_assembly *assembly, int k, double factor,
                         const ms_contact_problem *problem, const ms_contact_pressing *how,
                         ms_fem_rest *rest);

#endif
