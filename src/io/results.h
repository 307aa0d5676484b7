/* What the writer and the reader of HDF5 results share. */
#ifndef MS_IO_RESULTS_H
#define MS_IO_RESULTS_H

#include <hdf5.h>

#include "io/internal.h"

struct ms_results {
  ms_context *ctx;
  char *path;
  hid_t file;
  ms_outfile *out; /* of a file that is written, else NULL */
  int allow_nan;
  int broken; /* a call of HDF5 failed or a dataset is half written: nothing to commit */
};

/* HDF5's own printing is off between the two; it belongs to the whole program, which may want it.
 */
typedef struct ms_quiet {
  H5E_auto2_t function;
  void *data;
} ms_quiet;
void ms_quiet_begin(ms_quiet *quiet);
void ms_quiet_end(const ms_quiet *quiet);

/* Returns what the call returns, quietly. */
#define MS_QUIETLY(call)              \
  do {                                \
    ms_quiet quiet_;                  \
    ms_quiet_begin(&quiet_);          \
    ms_status quiet_status_ = (call); \
    ms_quiet_end(&quiet_);            \
    return quiet_status_;             \
  } while (0)

/* "file: object: cannot be what: HDF5's words". To be called before any other call of HDF5. */
ms_status ms_results_fail(const ms_results *r, const char *object, const char *what);

/* What a call of HDF5 returned that is not expected to fail: after a negative value the file cannot
   be committed. */
void ms_results_note(ms_results *r, herr_t result);

ms_status ms_results_refuse_reader(const ms_results *r);

/* Names with slashes between; "" only if `root`. */
ms_status ms_results_check_path(const ms_results *r, const char *path, int root);

/* What is there, also when groups on the way are not. */
ms_status ms_results_find(const ms_results *r, const char *path, ms_results_kind *kind);

/* A group or dataset that must exist; to be closed by H5Oclose. */
ms_status ms_results_open_object(const ms_results *r, const char *path, hid_t *object);

/* Allocates the struct with its path and no file; nothing is left after a failure. */
ms_status ms_results_make(ms_context *ctx, const char *path, ms_results **out);

/* Access without HDF5's file locks, which not every file system has and nobody here needs: files
   that are written are built in memory, files that are read do not change. -1 on failure. */
hid_t ms_results_access(void);

#endif
