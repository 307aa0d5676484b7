/* The plugin: an SVG of ours as PDF, by librsvg. The fonts that it finds are embedded. */
#include "report/pdf/pdf.h"

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>
#include <stdio.h>

typedef struct sink {
  ms_pdf_put *put;
  void *user;
} sink;

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int n) {
  const sink *s = closure;
  s->put(s->user, bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

static int fail(GError *error, const char *otherwise, char *reason, size_t size) {
  snprintf(reason, size, "%s", error ? error->message : otherwise);
  if (error) g_error_free(error);
  return 1;
}

/* Without a date: the same picture gives the same bytes. */
static int draw(RsvgHandle *handle, const ms_pdf_picture *p, sink *s, char *reason, size_t size) {
  const RsvgRectangle page = { 0.0, 0.0, p->width, p->height };
  GError *error = NULL;
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream(write_bytes, s, p->width, p->height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, p->title);
  cairo_t *cairo = cairo_create(surface);
  const int drawn = rsvg_handle_render_document(handle, cairo, &page, &error);
  cairo_show_page(cairo);
  cairo_destroy(cairo);
  cairo_surface_finish(surface);
  const cairo_status_t status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (drawn && status == CAIRO_STATUS_SUCCESS) return 0;
  return fail(error, cairo_status_to_string(status), reason, size);
}

static int render(const ms_pdf_picture *p, ms_pdf_put *put, void *user, char *reason, size_t size) {
  GError *error = NULL;
  sink s = { put, user };
  RsvgHandle *handle = rsvg_handle_new_from_data((const unsigned char *)p->svg, p->length, &error);
  if (!handle) return fail(error, "no picture", reason, size);
  const int failed = draw(handle, p, &s, reason, size);
  g_object_unref(handle);
  return failed;
}

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const ms_pdf_plugin ms_pdf_table;

const ms_pdf_plugin ms_pdf_table = { MS_PDF_LAYOUT, MS_VERSION, render };
