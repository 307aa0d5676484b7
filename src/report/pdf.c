/* Pictures as PDF, by a plugin that not every installation has. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "core/plugin.h"
#include "report/internal.h"
#include "report/pdf/pdf.h"

#define FILE_NAME "libmicroslip_pdf.so"

static ms_status load(ms_context *ctx, const ms_pdf_plugin **out) {
  static const ms_pdf_plugin *loaded;
  char path[2 * PATH_MAX];
  *out = loaded;
  if (loaded) return MS_SUCCESS;
  if (!ms_plugin_find(FILE_NAME, "MICROSLIP_PDF_PLUGIN", path, sizeof path)) {
    return ms_fail(ctx, MS_ERR_FILE,
                   "PDF is not part of this installation: there is no " FILE_NAME
                   ". It is built where librsvg is (Debian: librsvg2-dev); SVG needs nothing");
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return ms_fail(ctx, MS_ERR_FILE, "PDF: %s", dlerror());
  const ms_pdf_plugin *table = dlsym(library, MS_PDF_SYMBOL);
  if (!table || table->layout != MS_PDF_LAYOUT || strcmp(table->version, ms_version()) != 0) {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: this is not microslip's library for PDF of version %s",
                   path, ms_version());
  }
  *out = loaded = table;
  return MS_SUCCESS;
}

ms_status ms_figure_check_pdf(ms_context *ctx) {
  const ms_pdf_plugin *plugin;
  return load(ctx, &plugin);
}

static void put(void *stream, const void *bytes, size_t n) {
  fwrite(bytes, 1, n, stream); /* the commit sees what fails */
}

ms_status ms_pdf_write(ms_context *ctx, const ms_pdf_picture *picture, const char *path) {
  const ms_pdf_plugin *plugin;
  ms_outfile *file;
  char reason[200];
  MS_TRY(load(ctx, &plugin));
  MS_TRY(ms_outfile_open(ctx, path, &file));
  if (plugin->render(picture, put, ms_outfile_stream(file), reason, sizeof reason) == 0)
    return ms_outfile_commit(&file);
  ms_outfile_discard(&file);
  return ms_fail(ctx, MS_ERR_FORMAT, "%s: cannot be drawn as PDF: %s", path, reason);
}
