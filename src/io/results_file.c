/* A results file that is written: HDF5 builds it in memory, so that the disk is not its business,
   and the image becomes a file like every other, through ms_outfile. */
#include "core/internal.h"
#include "io/results.h"

enum { GROWTH = 1 << 20 }; /* bytes by which the image grows */
#define FORMAT "microslip results 1"
#define LAYOUT                                                                            \
  "matrices are stored column after column, with the dimensions (columns, rows) as HDF5 " \
  "counts them"

ms_status ms_results_refuse_reader(const ms_results *r) {
  if (r->out) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_STATE, "%s: is open for reading; create a new file to write",
                 r->path);
}

static ms_status create_file(ms_results *r) {
  hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = ms_results_access();
  ms_results_note(r, H5Pset_obj_track_times(creation, 0));
  ms_results_note(r, H5Pset_fapl_core(access, GROWTH, 0));
  if (!r->broken) r->file = H5Fcreate(r->path, H5F_ACC_TRUNC, creation, access);
  ms_status status = r->file >= 0 ? MS_SUCCESS : ms_results_fail(r, "", "created");
  ms_results_note(r, H5Pclose(creation));
  ms_results_note(r, H5Pclose(access));
  return status;
}

static ms_status fill_file(ms_results *r) {
  MS_TRY(ms_outfile_open(r->ctx, r->path, &r->out));
  ms_quiet quiet;
  ms_quiet_begin(&quiet);
  ms_status status = create_file(r);
  ms_quiet_end(&quiet);
  if (status == MS_SUCCESS) status = ms_results_set_text(r, "", "format", FORMAT);
  if (status == MS_SUCCESS) status = ms_results_set_text(r, "", "layout", LAYOUT);
  return status;
}

ms_status ms_results_create(ms_context *ctx, const char *path, ms_results **out) {
  MS_TRY(ms_results_make(ctx, path, out));
  ms_status status = fill_file(*out);
  if (status != MS_SUCCESS) ms_results_close(out);
  return status;
}

/* The image where HDF5 has it, without a copy: it may be large. The core driver's handle is the
   address of its pointer. */
static ms_status put_image(ms_results *r) {
  void *handle = NULL;
  hsize_t held = 0;
  if (r->broken)
    return ms_fail(r->ctx, MS_ERR_STATE,
                   "%s: a dataset was not completed, so the file is discarded", r->path);
  if (H5Fflush(r->file, H5F_SCOPE_LOCAL) < 0) return ms_results_fail(r, "", "written");
  ssize_t size = H5Fget_file_image(r->file, NULL, 0);
  if (size <= 0 || H5Fget_filesize(r->file, &held) < 0 || held < (hsize_t)size ||
      H5Fget_vfd_handle(r->file, H5P_DEFAULT, &handle) < 0)
    return ms_results_fail(r, "", "written");
  ms_outfile_put(r->out, *(void **)handle, (size_t)size);
  return MS_SUCCESS;
}

static ms_status commit(ms_results *r) {
  MS_TRY(ms_results_refuse_reader(r));
  ms_quiet quiet;
  ms_quiet_begin(&quiet);
  ms_status status = put_image(r);
  ms_quiet_end(&quiet);
  return status == MS_SUCCESS ? ms_outfile_commit(&r->out) : status;
}

ms_status ms_results_commit(ms_results **results) {
  if (!results || !*results) return MS_ERR_ARGUMENT;
  ms_status status = commit(*results);
  ms_results_close(results);
  return status;
}
