/* HDF5 files that are sound as such and hold anything: bytes say what becomes of each object. */
#ifndef MS_TEST_HDF5_H
#define MS_TEST_HDF5_H

#include <hdf5.h>

/* The bytes that are left, read one after the other; 0 behind the end. */
typedef struct test_program {
  const unsigned char *at, *end;
} test_program;

unsigned test_program_next(test_program *program);

/* A dataset as it should be; its values repeat. */
typedef struct test_object {
  const char *name;
  int rank, kind; /* 0 numbers, 1 texts, 2 integers */
  hsize_t size[2];
  double value[9];
} test_object;

/* As it should be, or not: missing, of another type or shape, with an odd value, ... */
void test_hdf5_make(test_program *program, hid_t file, const test_object *object);

#endif
