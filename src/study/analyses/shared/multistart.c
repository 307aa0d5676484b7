#include "study/analyses/shared/multistart.h"

#include <string.h>

enum { HEAD = 5, MOST = 32 }; /* numbers before the parameters, and these */

void ms_starts_tabulate(const ms_starts *s, ms_result_table *table) {
  double row[HEAD + MOST];
  for (ptrdiff_t k = 0; k < s->count; k++) {
    const ms_fit_local *l = &s->local[k];
    const int failed = l->end == MS_FIT_FAILED;
    const double head[HEAD] = { (double)(k + 1), failed ? 0.0 : l->sum, (double)l->end,
                                (double)l->evaluations, failed ? 0.0 : l->gradient };
    memcpy(row, head, sizeof head);
    memcpy(row + HEAD, s->found + s->n * k, (size_t)s->n * sizeof *row);
    ms_result_put_numbers(table, row);
  }
}
