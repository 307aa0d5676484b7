/* Laws that a caller adds. */
#ifndef MS_JOINT_CUSTOM_H
#define MS_JOINT_CUSTOM_H

#include "joint/impl.h"

/* `law` stays where it is. */
ms_law ms_custom_make_law(const ms_custom_law *law);
void ms_custom_fill_model(const ms_custom_law *law, const double *value, void *model);

#endif
