/* What the methods of a backbone share. */
#ifndef MS_EXPERIMENT_BACKBONE_H
#define MS_EXPERIMENT_BACKBONE_H

#include <microslip/backbone.h>

#define MS_BACKBONE(name) extern const ms_backbone_method ms_backbone_##name;
#include "experiment/backbone_methods.def"
#undef MS_BACKBONE

/* Room for n points. */
ms_status ms_backbone_reserve(ms_context *ctx, ms_backbone_curve *curve, ptrdiff_t n);
/* Marks it partial for the message that waits in the context; what no curve can be blamed for
   (memory, a stop) is given back. */
ms_status ms_backbone_cut(ms_context *ctx, ms_backbone_curve *curve, ms_status status);

/* backbone_contact.c: qsma with contact between solids. */
ms_status ms_backbone_check_contact(ms_context *ctx, const ms_structure *structure,
                                    const ms_contact *contact, const ms_backbone_method *method,
                                    int mode);
/* The cycles that condition it, from its marked state. */
ms_status ms_backbone_settle(const ms_structure *structure, const ms_backbone_setting *setting,
                             int mode, ms_contact *contact);
ms_status ms_backbone_run_contact(ms_context *ctx, const ms_structure *structure,
                                  const ms_backbone_setting *setting, ms_backbone_curve *curve);
/* The i-th thing to say about it, as ms_backbone_warning; *i counts down. */
int ms_backbone_warn_contact(const ms_backbone_curve *curve, ptrdiff_t *i, ms_doubt *doubt,
                             char *text, size_t size);

#endif
