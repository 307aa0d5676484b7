#include "support/hdf5.h"

#include <math.h>
#include <string.h>

unsigned test_program_next(test_program *p) {
  return p->at < p->end ? *p->at++ : 0;
}

typedef enum change {
  AS_IS,
  MISSING,
  GROUP,
  DANGLING,
  SCALAR,
  EMPTY,
  SHAPE,
  HUGE_SHAPE,
  VALUE,
  SINGLE,
  INTEGERS,
  TEXT,
  LONG_TEXT,
  COMPOUND,
  N_CHANGE
} change;

static hid_t make_space(test_program *p, change how, const test_object *o, hsize_t size[2]) {
  memcpy(size, o->size, 2 * sizeof *size);
  if (how == SCALAR) return H5Screate(H5S_SCALAR);
  if (how == EMPTY) return H5Screate(H5S_NULL);
  int rank = o->rank;
  if (how == SHAPE) {
    rank = 1 + (int)(test_program_next(p) % 2);
    for (int i = 0; i < 2; i++) size[i] = test_program_next(p) % 12;
  }
  if (how == HUGE_SHAPE) {
    for (int i = 0; i < 2; i++) size[i] = (hsize_t)1 << (test_program_next(p) % 40);
  }
  return H5Screate_simple(rank, size, NULL);
}

static hid_t make_type(test_program *p, change how, const test_object *o) {
  hid_t type;
  if (how == COMPOUND) {
    type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "b", 8, H5T_NATIVE_INT);
    return type;
  }
  if (how == SINGLE) return H5Tcopy(H5T_IEEE_F32BE);
  if (how == INTEGERS) return H5Tcopy(test_program_next(p) % 2 ? H5T_STD_U64BE : H5T_STD_I8LE);
  if (o->kind == 2 && how != TEXT && how != LONG_TEXT) return H5Tcopy(H5T_STD_I64LE);
  if ((o->kind == 1) != (how == TEXT || how == LONG_TEXT)) {
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, how == LONG_TEXT ? H5T_VARIABLE : 1 + test_program_next(p) % 24);
    if (test_program_next(p) % 2) H5Tset_strpad(type, H5T_STR_SPACEPAD);
    return type;
  }
  return H5Tcopy(H5T_IEEE_F64LE);
}

/* Up to 144 values, as doubles or texts of the memory's own type. */
static void fill(test_program *p, change how, const test_object *o, hid_t set, hid_t type) {
  static const double odd[] = { NAN, INFINITY, -1.0, 1e300, 0.0, 2.5, 1e18, 5e-324 };
  static double values[144];
  static char texts[144 * 32];
  for (int i = 0; i < 144; i++) values[i] = o->value[i % 9];
  if (how == VALUE) values[test_program_next(p) % 9] = odd[test_program_next(p) % 8];
  memset(texts, 0, sizeof texts);
  if (H5Tget_class(type) == H5T_STRING) {
    if (H5Tis_variable_str(type)) {
      static const char *list[144];
      for (int i = 0; i < 144; i++) list[i] = i % 3 == 0 ? "left.x" : i % 3 == 1 ? "right.x" : "q1";
      H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, list);
      return;
    }
    const size_t size = H5Tget_size(type);
    for (size_t i = 0; i < sizeof texts; i++) texts[i] = (char)('a' + (i / (size ? size : 1)) % 20);
    if (test_program_next(p) % 4 == 1) texts[test_program_next(p)] = (char)test_program_next(p);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    return;
  }
  if (H5Tget_class(type) != H5T_COMPOUND) {
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  }
}

void test_hdf5_make(test_program *p, hid_t file, const test_object *o) {
  const change how = (change)(test_program_next(p) % N_CHANGE);
  hsize_t size[2];
  if (how == MISSING) return;
  if (how == GROUP) {
    H5Gclose(H5Gcreate2(file, o->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return;
  }
  if (how == DANGLING) {
    H5Lcreate_soft("/nowhere", file, o->name, H5P_DEFAULT, H5P_DEFAULT);
    return;
  }
  hid_t space = make_space(p, how, o, size), type = make_type(p, how, o);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (how == HUGE_SHAPE) { /* chunks that are never written */
    hsize_t chunk[2] = { size[0] < 64 ? size[0] : 64, size[1] < 64 ? size[1] : 64 };
    H5Pset_chunk(list, o->rank, chunk);
    H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  }
  hid_t set = H5Dcreate2(file, o->name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  if (set >= 0 && how != HUGE_SHAPE && how != EMPTY) fill(p, how, o, set, type);
  if (set >= 0) H5Dclose(set);
  H5Pclose(list);
  H5Tclose(type);
  if (space >= 0) H5Sclose(space);
}
