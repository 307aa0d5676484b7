/* Pictures as PDF: libmicroslip_pdf.so, a plugin that has librsvg and cairo. */
#ifndef MS_REPORT_PDF_H
#define MS_REPORT_PDF_H

#include <stddef.h>

#define MS_PDF_LAYOUT 1
#define MS_PDF_SYMBOL "ms_pdf_table"

typedef void ms_pdf_put(void *user, const void *bytes, size_t n);

typedef struct ms_pdf_picture {
  const char *svg;
  size_t length;
  const char *title;
  double width, height; /* pt */
} ms_pdf_picture;

typedef struct ms_pdf_plugin {
  int layout;          /* MS_PDF_LAYOUT of the header it was built with */
  const char *version; /* ms_version() of the library it was built with */
  /* One page of that size, handed to `put` piece by piece; 0 on success, and the reason otherwise.
   */
  int (*render)(const ms_pdf_picture *picture, ms_pdf_put *put, void *user, char *reason,
                size_t size);
} ms_pdf_plugin;

#endif
