/* A matrix of MAC in the report. */
#ifndef MS_STUDY_ANALYSES_SHARED_MAC_H
#define MS_STUDY_ANALYSES_SHARED_MAC_H

#include <microslip/report.h>

enum { MS_MAC_MOST = 40 }; /* rows, columns */

/* A shaded table: row and column are numbers of modes from 0, mac[i + n_row*j]; `what` is what the
   rows are. */
ms_status ms_page_add_mac(ms_page *page, const char *caption, const char *what, ptrdiff_t n_row,
                          const ptrdiff_t *row, ptrdiff_t n_column, const ptrdiff_t *column,
                          const double *mac);

#endif
