/* Calls that must be refused for a NULL among their arguments. */
#ifndef MS_TEST_REQUIRED_H
#define MS_TEST_REQUIRED_H

#include "support/check.h"

/* `call` would put an object of `type` where `out` points; what was there is NULL afterwards. */
#define REFUSES(type, call)              \
  do {                                   \
    type *made = (type *)(void *)1;      \
    type **out = &made;                  \
    CHECK_STATUS(call, MS_ERR_ARGUMENT); \
    CHECK(!made);                        \
  } while (0)

/* There is no `out` to look at. */
#define REFUSES_NOWHERE(call) CHECK_STATUS(call, MS_ERR_ARGUMENT)

#endif
