/* The study's structure with other numbers in some places of its file. */
#ifndef MS_STUDY_MODEL_VARIANT_H
#define MS_STUDY_MODEL_VARIANT_H

#include "study/study.h"

/* The number at a path below structure or joints; complaints are put at the node that names it. */
ms_status ms_variant_find_number(const ms_study *study, struct fy_node *node, const char *path,
                                 double *value);
/* Whether a number at this path is one of the finite elements, their reduction or a reduced model:
   the structure is then reduced anew, by all processes together. */
int ms_variant_reduces(const ms_study *study, const char *path);
/* The structure, in the memory of ctx; each call reads the text of the study again. Where it has to
   be reduced anew, ctx must be the study's own or one that shares its communicator. */
ms_status ms_variant_build(const ms_study *study, ms_context *ctx, int reduces, ptrdiff_t n,
                           const ms_yaml_value *value, ms_structure **out);

#endif
