/* Pictures as PDF, by a plugin that not every installation has. */
#include <stdio.h>

#include <microslip/io.h>

#include "core/plugin.h"
#include "report/internal.h"
#include "report/pdf/pdf.h"

static ms_status load(ms_context *ctx, const ms_pdf_plugin **out) {
  static const void *loaded;
  static const ms_plugin plugin = {
    .file = "libmicroslip_pdf.so",
    .variable = "MICROSLIP_PDF_PLUGIN",
    .symbol = MS_PDF_SYMBOL,
    .layout = MS_PDF_LAYOUT,
    .what = "PDF",
    .missing =
        "PDF is not part of this installation: there is no libmicroslip_pdf.so. It is built "
        "where librsvg is (Debian: librsvg2-dev); SVG needs nothing",
  };
  *out = NULL;
  if (!loaded) MS_TRY(ms_plugin_load(ctx, &plugin, &loaded));
  *out = loaded;
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
