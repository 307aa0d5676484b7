/* HDF5 files that are sound as such and hold anything: the bytes that come in say what becomes of
   each object of a reduced model. The readers of reduced models and of results must take them or
   refuse cleanly. (Damaged containers are HDF5's own to find.) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/io.h>
#include <microslip/study.h>

#include "support/fuzz.h"
#include "support/hdf5.h"

/* ---- a file from bytes ---- */

static const test_object objects[] = {
  { "mass", 2, 0, { 3, 3 }, { 2.1, 0, 0, 0, 1.3, 0, 0, 0, 1.7 } },
  { "stiffness", 2, 0, { 3, 3 }, { 5.1, -1, 0, -1, 4.3, 0, 0, 0, 8.7 } },
  { "boundary", 1, 2, { 1, 0 }, { 2 } },
  { "inertia", 2, 0, { 3, 3 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } },
  { "follow", 2, 0, { 3, 3 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } },
  { "total_mass", 1, 0, { 1, 0 }, { 5.1 } },
  { "basis", 2, 0, { 3, 2 }, { 1, 2, 3, 4, 5, 6 } },
  { "names", 1, 1, { 3, 0 }, { 0 } },
};

/* The mark of the kind: right, another text, a number, none. */
static void make_kind(test_program *p, hid_t file) {
  static const char *const text[] = { "microslip reduced model 1", "microslip reduced model 2",
                                      "" };
  const unsigned how = test_program_next(p) % 5;
  if (how == 4) return;
  hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(how == 3 ? H5T_NATIVE_DOUBLE : H5T_C_S1);
  if (how < 3) H5Tset_size(type, strlen(text[how]) + 1);
  hid_t mark = H5Acreate2(file, "kind", type, space, H5P_DEFAULT, H5P_DEFAULT);
  const double number = 1.5;
  if (mark >= 0) H5Awrite(mark, type, how < 3 ? (const void *)text[how] : &number);
  if (mark >= 0) H5Aclose(mark);
  H5Tclose(type);
  H5Sclose(space);
}

static void make_file(const char *path, const char *text, size_t length) {
  test_program p = { (const unsigned char *)text, (const unsigned char *)text + length };
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) abort();
  make_kind(&p, file);
  for (size_t i = 0; i < COUNT(objects); i++) test_hdf5_make(&p, file, &objects[i]);
  H5Fclose(file);
}

/* ---- the readers ---- */

static int is_refusal(ms_status status) {
  return status == MS_SUCCESS || (status < 0 && status != MS_ERR_MEMORY);
}

static const char *fault_of_reduced(ms_context *ctx, const char *path, long *accepted) {
  ms_reduced *r = NULL;
  ms_status status = ms_reduced_read(ctx, path, &r);
  if (!is_refusal(status)) return "refused with the wrong status";
  if (status != MS_SUCCESS) {
    if (r) return "refused, but something came out";
    return strstr(ms_context_message(ctx), path) ? NULL : "the message lacks the name";
  }
  const char *fault =
      r->n < 1 || r->n_boundary < 0 || r->n_boundary > r->n ? "a size is wrong" : NULL;
  for (ptrdiff_t i = 0; !fault && i < r->n * r->n; i++) {
    if (!isfinite(r->M[i]) || !isfinite(r->K[i])) fault = "accepted a value that is not finite";
  }
  ++*accepted;
  ms_reduced_destroy(&r);
  return fault;
}

static const char *fault_of_object(ms_context *ctx, ms_results *file, const char *name) {
  ms_results_kind kind;
  double *values = NULL;
  int64_t *integers = NULL;
  char **texts = NULL;
  ptrdiff_t n, m;
  int sound = is_refusal(ms_results_get_kind(file, name, &kind));
  sound &= is_refusal(ms_results_read_matrix(file, name, &n, &m, &values));
  ms_free(ctx, &values);
  sound &= is_refusal(ms_results_read_integers(file, name, &n, &integers));
  ms_free(ctx, &integers);
  sound &= is_refusal(ms_results_read_texts(file, name, &n, &texts));
  ms_free(ctx, &texts);
  return sound ? NULL : "an object is refused with the wrong status";
}

static const char *fault_of_results(ms_context *ctx, const char *path) {
  ms_results *file = NULL;
  ptrdiff_t n = 0;
  const char *fault = NULL;
  if (ms_results_open(ctx, path, &file) != MS_SUCCESS) return "a sound file is refused";
  if (ms_results_get_count(file, "", &n) != MS_SUCCESS) fault = "the objects cannot be counted";
  for (ptrdiff_t i = 0; !fault && i < n; i++) {
    char *name = NULL;
    if (ms_results_get_name(file, "", i, &name) != MS_SUCCESS) fault = "an object has no name";
    if (!fault) fault = fault_of_object(ctx, file, name);
    ms_free(ctx, &name);
  }
  ms_results_close(&file);
  return fault;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  enum { FILE_SIZE = 4096 }; /* at least what such a file has */
  const char *path = test_fuzz_file("fuzzed.h5", "", 0);
  test_bounded memory;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make_file(path, text, length);
  ms_context *ctx = test_fuzz_open(&memory, FILE_SIZE);
  const char *fault = fault_of_reduced(ctx, path, accepted);
  if (!fault) fault = fault_of_results(ctx, path);
  return test_fuzz_close(&memory, &ctx, fault);
}

static const test_token seeds[] = {
  TOKEN("\0\0\0\0\0\0\0\0\0"),
  TOKEN("\0\0\0\0\1\1\1\1\0"),
  TOKEN("\0\0\0\0\0\0\0\1\0"),
  TOKEN("\0\11\0\0\0\0\0\0\0"),
};

static const test_token tokens[] = {
  TOKEN("\0"), TOKEN("\1"),  TOKEN("\2"),  TOKEN("\3"),  TOKEN("\4"),  TOKEN("\5"),  TOKEN("\6"),
  TOKEN("\7"), TOKEN("\10"), TOKEN("\11"), TOKEN("\12"), TOKEN("\13"), TOKEN("\14"), TOKEN("\15"),
};

MS_FUZZ_FEW(fault_of, seeds, tokens, 2000)
