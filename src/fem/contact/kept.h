/* kept.c: flexibilities in files of an interrupted run. */
#ifndef MS_FEM_CONTACT_KEPT_H
#define MS_FEM_CONTACT_KEPT_H

#include <microslip/fem_contact.h>

/* Of all that H depends on; 0 with several processes. */
ms_status ms_flexibility_find_key(ms_fem_model *model, uint64_t *key);
/* H of out->key, n numbers, if the context's folder has it. */
ms_status ms_flexibility_read(ms_context *ctx, ptrdiff_t n, const ms_fem_condensed *out,
                              int *found);

#endif
