/* Writing universal files, for the tests of the reader. */
#ifndef MS_TEST_UFF_H
#define MS_TEST_UFF_H

#include <stdio.h>

#include <microslip/io.h>

typedef enum test_uff_form { UFF_ASCII, UFF_LITTLE, UFF_BIG } test_uff_form;

/* One dataset 58 or 58b. double_x: in binary, an uneven abscissa of double data is double too. */
void test_uff_print(FILE *out, const ms_uff58_function *f, test_uff_form form, int double_x);

#endif
