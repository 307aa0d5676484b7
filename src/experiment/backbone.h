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

#endif
